/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls of kernel functions, and what each kind of work took of the whole. Pure arithmetic. */
#ifndef MEMMAPCTL_TRACE_SPANS_H
#define MEMMAPCTL_TRACE_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vocab.h"

/* What a traced function is part of: a stage of the memory map, or something else that a bind spends time on. */
enum span_role {
	ROLE_ADD_MEMORY,
	ROLE_MOVE_ZONE,
	ROLE_MEMMAP_INIT,
	ROLE_REMOVE_MEMORY,
	NR_STAGE_ROLES,
	ROLE_GRACE_PERIOD = NR_STAGE_ROLES, /* waiting for RCU */
	ROLE_DEVICES,                       /* devices and disks added or removed, with their uevents */
	ROLE_PROBE, /* drivers and what binds them, but for what they call of the above */
	NR_ROLES,
};

/* "add_memory"..., and "grace periods", "devices and uevents", "drivers and their core". */
const char *role_name(enum span_role role);

/* A function to trace: the name it has, or had before the compiler added ".constprop.0" and the like. */
struct traced_function {
	const char *name;
	enum span_role role;
};

/* Ended by a NULL name. Some exist in some kernels only. */
extern const struct traced_function traced_functions[];

struct span {
	enum span_role role;
	uint64_t start_ns, end_ns;
};

struct role_time {
	uint64_t ns;
	uint32_t calls; /* those of a function of the same role inside not counted again */
};

/*
 * Spans of one thread, in any order (they are sorted in place: by start, the outer first; one that seems to outlast its
 * caller ends with it). A stage is a whole: what
 * it calls is its own. Everything else has what is left when what it calls is taken out. So the times add up to
 * what the outermost spans took together.
 */
void spans_attribute(struct span *spans, size_t nr, struct role_time out[NR_ROLES]);

#endif
