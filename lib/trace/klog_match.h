/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What klog.c is made of: what stands before a message, and what stands in it. */
#ifndef MEMMAPCTL_TRACE_KLOG_MATCH_H
#define MEMMAPCTL_TRACE_KLOG_MATCH_H

#include "trace/klog.h"

/* A line taken apart. The message is not NUL-terminated. */
struct klog_line {
	const char *message;
	size_t len;
	enum klog_stamp stamp;
	uint64_t stamp_ns; /* KLOG_STAMP_DELTA: since the line before */
};

/* Peel quotes of mails, console captures, priorities, stamps, caller ids and journal headers off a line. */
void klog_peel(const char *line, size_t len, struct klog_line *out);

/*
 * Match a message with the table of known lines. 1 and *record's type, values and name filled; 0: not known;
 * -ENOMEM.
 */
int klog_match(const char *message, size_t len, struct klog_record *record);

#endif
