// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/lever_text.h"

#include <math.h>
#include <string.h>

const char *change_text(char buf[TEXT_STR], const struct change *change)
{
	snprintf(buf, TEXT_STR, "%.*s%s%s", TEXT_STR / 2, change->device ? change->device : "",
		 change->device ? " " : "", change->text);
	return buf;
}

static void add(char buf[EFFECT_STR], const char *fmt, ...) _printf_(2, 3);

static void add(char buf[EFFECT_STR], const char *fmt, ...)
{
	size_t len = strlen(buf);
	va_list ap;

	if (len)
		len += (size_t)snprintf(buf + len, EFFECT_STR - len, ", ");
	va_start(ap, fmt);
	vsnprintf(buf + len, EFFECT_STR - len, fmt, ap);
	va_end(ap);
}

static void add_time(char buf[EFFECT_STR], const struct style *style, const char *what,
		     const struct estimate *after, const struct estimate *before)
{
	static const double worth_saying = 0.005;
	char now[TEXT_STR], then[TEXT_STR];

	if (fabs(after->mid_ns - before->mid_ns) > worth_saying * before->mid_ns)
		add(buf, "%s %s instead of %s", what, estimate_text(now, style, after),
		    estimate_text(then, style, before));
}

const char *lever_effect(char buf[EFFECT_STR], const struct style *style, const struct lever *lever,
			 const struct host_forecast *base)
{
	char size[UNITS_STR];

	*buf = '\0';
	add_time(buf, style, "hot-plug", &lever->after.hotplug, &base->hotplug);
	add_time(buf, style, "boot", &lever->after.boot, &base->boot.total);
	if (lever->ram_saved_bytes)
		add(buf, "%s of RAM %s", size_human(size, (uint64_t)llabs(lever->ram_saved_bytes)),
		    lever->ram_saved_bytes > 0 ? "back" : "more");
	if (lever->usable_gained_bytes)
		add(buf, "%s of capacity %s", size_human(size, (uint64_t)llabs(lever->usable_gained_bytes)),
		    lever->usable_gained_bytes > 0 ? "back" : "taken");
	if (!*buf)
		add(buf, "no change");
	return buf;
}
