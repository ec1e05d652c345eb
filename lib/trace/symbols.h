/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which of the functions to trace this kernel has, under which names, and where. */
#ifndef MEMMAPCTL_TRACE_SYMBOLS_H
#define MEMMAPCTL_TRACE_SYMBOLS_H

#include <stdint.h>

#include "base/root.h"
#include "trace/spans.h"

struct symbol {
	char *name;       /* as this kernel has it: "synchronize_rcu.part.0" */
	uint64_t address; /* 0: hidden (kptr_restrict) */
	uint32_t index;   /* which of the functions that ftrace knows, from 1; 0: not known */
	enum span_role role;
};

struct symbols {
	struct symbol *items;
	size_t nr;
};

/*
 * Look the functions up as NAME or NAME.anything in available_filter_functions of a tracefs (its path in root), or in
 * /proc/kallsyms where that file is not (no function tracer: a kprobe may still do). What a version inlined or has
 * not is left out. 0; -ENOENT: none of them is there; -ENOMEM and errors of reading.
 */
int symbols_find(const struct root *root, const char *tracefs, const struct traced_function *wanted,
		 struct symbols *out);

/*
 * The function that a trace record names by address: the address may lie a few bytes into it, at the call that
 * ftrace patches. NULL: none of these.
 */
const struct symbol *symbols_at(const struct symbols *symbols, uint64_t address);

void symbols_free(struct symbols *symbols);
#define _cleanup_symbols_ _cleanup_(symbols_free)

#endif
