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

static void add_time(char buf[EFFECT_STR], const char *what, double after_ns, double before_ns)
{
	static const double worth_saying = 0.005;
	char after[UNITS_STR], before[UNITS_STR];

	if (fabs(after_ns - before_ns) > worth_saying * before_ns)
		add(buf, "%s %s instead of %s", what, duration_human(after, after_ns),
		    duration_human(before, before_ns));
}

const char *lever_effect(char buf[EFFECT_STR], const struct lever *lever, const struct host_forecast *base)
{
	char size[UNITS_STR];

	*buf = '\0';
	add_time(buf, "hot-plug", lever->after.hotplug.mid_ns, base->hotplug.mid_ns);
	add_time(buf, "boot", lever->after.boot.mid_ns, base->boot.total.mid_ns);
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
