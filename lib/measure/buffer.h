/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that stands for a memmap: anonymous, on huge pages where possible, faulted in, on a chosen node. */
#ifndef MEMMAPCTL_MEASURE_BUFFER_H
#define MEMMAPCTL_MEASURE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

struct buffer {
	void *data; /* aligned to 2 MiB */
	uint64_t bytes;
	size_t mapped_bytes; /* bytes rounded up to whole huge pages */
	char backing[64];    /* "2 MiB pages (hugetlb)", "2 MiB pages (transparent)", "4 KiB pages", ... */
	int node;            /* where the first page landed; -1: not known */
};

/* Map, bind to node (-1: wherever this CPU's memory is) and touch. 0 and *out, or -ENOMEM with the reason. */
int buffer_map(uint64_t bytes, int node, struct diags *diags, struct buffer *out);
void buffer_unmap(struct buffer *buffer);
#define _cleanup_buffer_ _cleanup_(buffer_unmap)

/*
 * From the text of /proc/self/smaps: what backs the mapping that holds address. Writes "not known" where the text
 * has no such mapping.
 */
void buffer_backing(const char *smaps, uint64_t address, char *text, size_t size);

#endif
