/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A kernel command line, read for what decides about memory maps, as the kernel reads it. */
#ifndef MEMMAPCTL_HOST_CMDLINE_H
#define MEMMAPCTL_HOST_CMDLINE_H

#include "host/host.h"
#include "host/pages.h"

/* hugepages=: mm/hugetlb.c: hugepages_setup. */
struct cmdline_pool {
	uint64_t size_bytes;
	uint64_t count;
	int node; /* or NODE_ANY */
};

/* memmap=: arch/x86/kernel/e820.c: parse_memmap_one. */
struct cmdline_range {
	char kind; /* '!' pmem, '$' reserved, '#' ACPI, '@' RAM */
	uint64_t size_bytes, start_bytes;
};

struct cmdline {
	struct cmdline_pool *pools; /* sizes and nodes once each */
	size_t nr_pools;
	struct cmdline_range *ranges;
	size_t nr_ranges;
	uint64_t hugetlb_cma_bytes; /* 0: no hugetlb_cma= */
	uint64_t mem_bytes;         /* mem=, the end of RAM; 0: none */
	bool has_hvo, hvo;          /* hugetlb_free_vmemmap= */
	bool has_init_on_alloc, init_on_alloc;
	bool memmap_on_memory; /* memory_hotplug.memmap_on_memory= */
	bool movable_node;
};

/* What movable_node means for memory maps, for people. */
extern const char cmdline_movable_node[];

/*
 * The first argument from at on, *len bytes long; NULL: there is none before end. As kernel/params.c: next_arg: arguments
 * end at blanks outside of double quotes.
 */
const char *cmdline_next(const char *at, const char *end, size_t *len);

/* Whether len bytes of text are those of an option's name, in which '-' and '_' are the same; name is written with '_'. */
bool cmdline_same_name(const char *text, const char *name, size_t len);

/*
 * Whether a line of text looks like a command line: it has options of the kernel, and few words that are none.
 */
bool cmdline_recognise(const char *text, size_t len);

/*
 * Parse a command line (no newline in it). Contradictions and what the kernel would ignore become warnings at
 * file:line in diags, with the kernel's message. sizes decides which hugepages exist. 0 and *out, freed with
 * cmdline_free; -ENOMEM with *out untouched.
 */
int cmdline_parse(const char *text, const struct page_sizes *sizes, const char *file, unsigned int line,
		  struct diags *diags, struct cmdline *out);
void cmdline_free(struct cmdline *cmdline);
#define _cleanup_cmdline_ _cleanup_(cmdline_free)

/*
 * Add to the host what the command line makes of it: pools, but for those that hugetlb_cma= suppresses, HVO, init_on_alloc.
 * Ranges and mem= are the caller's. 0 or -ENOMEM.
 */
int cmdline_apply(const struct cmdline *cmdline, struct host *host);

/*
 * Warn of what was asked for and is not the host's: hugepages, of which there are fewer, or none because of hugetlb_cma=;
 * HVO.
 */
void cmdline_compare(const struct cmdline *cmdline, const struct host *host, struct diags *diags);

#endif
