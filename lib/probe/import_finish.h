/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of import_finish share. For lib/probe only. */
#ifndef MEMMAPCTL_PROBE_IMPORT_FINISH_H
#define MEMMAPCTL_PROBE_IMPORT_FINISH_H

#include "host/pages.h"
#include "probe/import_found.h"

struct finish {
	const struct import *import;
	struct host *host;
	struct diags *diags;
	const struct page_sizes *sizes; /* since finish_kernel */
	uint64_t block_bytes;           /* of memory blocks; 0: not known */
	bool has_memory_from_blocks, has_cpus, has_init_on_alloc, has_hvo, has_deferred, has_pools;
	bool memmap_on_memory;
	int err; /* -ENOMEM; sticky */
};

/* A warning or a note at a place (NULL: none). */
void finish_warn(struct finish *f, const struct found_at *at, const char *fmt, ...) _printf_(3, 4);
void finish_note(struct finish *f, const struct found_at *at, const char *fmt, ...) _printf_(3, 4);

/*
 * Where a value of the host was found (NULL: nowhere) and how it was arrived at ("": as it is there); and what nothing
 * told, with what is taken instead and what would tell. As host_origin and host_unknown.
 */
void finish_from(struct finish *f, const void *field, const struct found_at *at, const char *fmt, ...)
	_printf_(4, 5);
void finish_unknown(struct finish *f, const void *field, const char *fmt, ...) _printf_(3, 4);

/* The node, added when it is new; NULL when out of memory. */
struct host_node *finish_node(struct finish *f, uint32_t id);

/* The next record of a type in any log, from *log and *record on, which move past it; NULL: no more. */
struct klog_cursor {
	size_t log, record;
};
const struct klog_record *finish_next_record(const struct finish *f, enum klog_type type,
					     struct klog_cursor *c, struct found_at *at);

/* Name as "%s" with nr; sets f->err when out of memory. */
char *finish_name(struct finish *f, const char *fmt, ...) _printf_(2, 3);

void finish_kernel(struct finish *f);
void finish_memory(struct finish *f);
void finish_hugepages(struct finish *f);
void finish_namespaces(struct finish *f);
void finish_dax(struct finish *f);
void finish_logged_devices(struct finish *f);

#endif
