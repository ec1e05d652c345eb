// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/boot_trace.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"

/* One list, for the parameters and for reading what they make the kernel write. */
#define CALLS(row)                                                                                           \
	row(CALL_PAGE_ALLOC_INIT_LATE, "page_alloc_init_late")                                               \
		row(CALL_DEFERRED_INIT_MEMMAP, "deferred_init_memmap")                                       \
			row(CALL_HUGETLB_BOOTMEM_INIT, "hugetlb_bootmem_struct_page_init")                   \
				row(CALL_BUFFER_INIT, "buffer_init") row(CALL_HUGETLB_INIT, "hugetlb_init")  \
					row(CALL_HUGETLB_CGROUP_INIT, "hugetlb_cgroup_file_init")

#define NAME(call, name)   [call] = (name),
#define LISTED(call, name) name ","

static const char *const names[] = {CALLS(NAME)};
_Static_assert(ARRAY_SIZE(names) == NR_BOOT_CALLS, "a name for every call");

/* Without the clock, a kernel whose TSC turns out unstable empties the buffer when it changes to another one. */
const char *boot_trace_parameters(void)
{
	return "ftrace=function trace_clock=global ftrace_filter=" CALLS(LISTED);
}

const char *boot_call_name(enum boot_call call)
{
	return (size_t)call < ARRAY_SIZE(names) ? names[call] : "?";
}

/* Where the stamp begins: behind "[CPU] flags ". NULL: no such line. */
static const char *find_stamp(const char *line, const char *end)
{
	const char *at = line;

	while ((at = memchr(at, '[', (size_t)(end - at)))) {
		const char *p = ++at;

		while (p < end && isdigit((unsigned char)*p))
			p++;
		if (p == at || end - p < 2 || p[0] != ']' || p[1] != ' ')
			continue;
		p += 2;
		while (p < end && !isspace((unsigned char)*p))
			p++;
		while (p < end && *p == ' ')
			p++;
		return p;
	}
	return NULL;
}

/* "12.345678: ", in seconds. */
static bool take_stamp(const char **at, const char *end, uint64_t *ns)
{
	const char *p = *at;
	uint64_t seconds = 0, fraction = 0, scale = NS_PER_S;

	for (; p < end && isdigit((unsigned char)*p); p++) {
		if (seconds > UINT32_MAX)
			return false;
		seconds = seconds * 10 + (uint64_t)(*p - '0');
	}
	if (p == *at || p == end || *p++ != '.')
		return false;
	for (; p < end && isdigit((unsigned char)*p) && scale > 1; p++) {
		scale /= 10;
		fraction += (uint64_t)(*p - '0') * scale;
	}
	if (scale == NS_PER_S || end - p < 2 || p[0] != ':' || p[1] != ' ')
		return false;
	*at = p + 2;
	*ns = seconds * NS_PER_S + fraction;
	return true;
}

static void read_line(const char *line, const char *end, struct boot_trace *out)
{
	const char *at = find_stamp(line, end);
	uint64_t ns;

	if (!at || !take_stamp(&at, end, &ns))
		return;
	for (int call = 0; call < NR_BOOT_CALLS; call++) {
		size_t len = strlen(names[call]);

		/* the compiler may have given it a suffix */
		if ((size_t)(end - at) <= len || strncmp(at, names[call], len) ||
		    (at[len] != ' ' && at[len] != '.'))
			continue;
		if (!out->calls[call]++ || ns < out->first_ns[call])
			out->first_ns[call] = ns;
	}
}

bool boot_trace_parse(const char *text, size_t len, struct boot_trace *out)
{
	const char *end = len ? text + len : text;
	struct boot_trace trace = {0};
	bool any = false;

	for (const char *line = text; line < end;) {
		const char *stop = memchr(line, '\n', (size_t)(end - line));

		stop = stop ? stop : end;
		read_line(line, stop, &trace);
		line = stop + (stop < end);
	}
	for (int call = 0; call < NR_BOOT_CALLS; call++)
		any |= trace.calls[call] > 0;
	*out = trace;
	return any;
}

static bool was_started_with_it(const struct root *root)
{
	_cleanup_free_ char *line = NULL;

	return !root_read(root, &line, "proc/cmdline") && strstr(line, "ftrace=function");
}

int boot_trace_read_live(const struct root *root, struct diags *diags, struct boot_trace *out)
{
	static const char *const places[] = {"sys/kernel/tracing", "sys/kernel/debug/tracing"};
	_cleanup_free_ char *text = NULL;
	int err = -ENOENT;

	*out = (struct boot_trace){0};
	if (!was_started_with_it(root))
		return 0;
	for (size_t i = 0; err && i < ARRAY_SIZE(places); i++)
		err = root_read(root, &text, "%s/trace", places[i]);
	if (err == -ENOMEM)
		return err;
	if (err)
		diag_add(diags, DIAG_NOTE, NULL, 0, 0,
			 "the kernel was started with ftrace=function, but its trace cannot be read: %s",
			 strerror(-err));
	else if (!boot_trace_parse(text, strlen(text), out))
		diag_add(diags, DIAG_NOTE, NULL, 0, 0,
			 "the kernel was started with ftrace=function, but its trace has no call of the "
			 "memory map's: start it with %s",
			 boot_trace_parameters());
	return 0;
}
