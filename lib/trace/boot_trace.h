/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel's function tracer saw of its own boot: a kernel started with ftrace=function, ftrace_filter=... and
 * trace_clock=global times functions that run long before kprobes or function_graph could. Entries only: a stage lasts
 * from one function's call to another's. Read as text, since reading the records would take them from others.
 */
#ifndef MEMMAPCTL_TRACE_BOOT_TRACE_H
#define MEMMAPCTL_TRACE_BOOT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/root.h"

enum boot_call {
	CALL_PAGE_ALLOC_INIT_LATE,
	CALL_DEFERRED_INIT_MEMMAP,
	CALL_HUGETLB_BOOTMEM_INIT, /* hugetlb_bootmem_struct_page_init: from 6.12.114 on */
	CALL_BUFFER_INIT,          /* the next one after deferred init and what follows it */
	CALL_HUGETLB_INIT,
	CALL_HUGETLB_CGROUP_INIT, /* the last call in hugetlb_init */
	NR_BOOT_CALLS,
};

const char *boot_call_name(enum boot_call call); /* "page_alloc_init_late" */

struct boot_trace {
	uint32_t calls[NR_BOOT_CALLS]; /* how many lines */
	uint64_t first_ns
		[NR_BOOT_CALLS]; /* of the first one, since the kernel started; as exact as a microsecond */
};

/*
 * Read len bytes of tracefs's "trace" file, or of any text that has its lines among others, such as a kernel log with
 * it appended. true: it has at least one of the calls.
 */
bool boot_trace_parse(const char *text, size_t len, struct boot_trace *out);

/*
 * This boot's, if the kernel was started with ftrace=function: else all zero, and no word. That it should be there and
 * is not is a note in diags. Never an error, but -ENOMEM.
 */
int boot_trace_read_live(const struct root *root, struct diags *diags, struct boot_trace *out);

/* The words of a kernel's command line that make it trace these calls; static. */
const char *boot_trace_parameters(void);

#endif
