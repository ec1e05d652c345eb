// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel's log: the one thing that it tells and no file does. */
#include <string.h>
#include <sys/klog.h>

#include "probe/prober.h"

#define SAVED_LOG "var/log/dmesg"

enum { SYSLOG_ACTION_READ_ALL = 3, SYSLOG_ACTION_SIZE_BUFFER = 10 }; /* include/linux/syslog.h */

/* "node 0 deferred pages initialised in 44ms": mm/mm_init.c, mm/page_alloc.c before Linux 6.4. */
static bool is_deferred_line(const char *line, size_t len)
{
	return memmem(line, len, "deferred pages initialised in ", 30) != NULL;
}

/* A log may hold anything: of it only the first such line is looked at. */
static void keep_deferred_line(char *log)
{
	for (const char *line = log; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (is_deferred_line(line, len)) {
			memmove(log, line, len);
			log[len] = 0;
			return;
		}
		line += len;
	}
	*log = 0;
}

/* NULL: not for this user, or out of memory. The caller frees. */
static char *read_ring_buffer(void)
{
	int size = klogctl(SYSLOG_ACTION_SIZE_BUFFER, NULL, 0), got = -1;
	char *log = size > 0 ? malloc((size_t)size + 1) : NULL;

	if (log)
		got = klogctl(SYSLOG_ACTION_READ_ALL, log, size);
	if (got < 0) {
		free(log);
		return NULL;
	}
	log[got] = 0;
	return log;
}

bool log_tells_deferred_init(const struct prober *p)
{
	_cleanup_free_ char *log = p->root->is_this_system ? read_ring_buffer() : NULL;

	if (log) {
		keep_deferred_line(log);
		root_record_as(p->root, SAVED_LOG, log);
	} else if (root_read_part(p->root, &log, keep_deferred_line, SAVED_LOG)) {
		return false;
	}
	return *log;
}
