/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /proc/buddyinfo, which tells what is free of each zone, in blocks of which size. */
#ifndef MEMMAPCTL_PROBE_BUDDYINFO_H
#define MEMMAPCTL_PROBE_BUDDYINFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buddy_zone {
	uint32_t node;
	char name[32];
	uint64_t free_pages;  /* base pages in blocks of any order */
	uint64_t order9_free; /* blocks of order 9 that are free, larger ones split */
};

/*
 * "Node 0, zone   Normal    216     55 ...": free blocks of order 0, 1..., as mm/vmstat.c: frag_show_print writes them.
 * False, with *out untouched: the line is none of those.
 */
bool buddy_zone_parse(const char *line, size_t len, struct buddy_zone *out);

#endif
