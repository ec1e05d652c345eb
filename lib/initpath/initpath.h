/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The init paths: how struct pages are written, in the four page kinds and by the three paths, as tables of
 * routines that user space runs on a replica of struct page (and, later, a kernel module on the real one: the
 * routines are written against the accessors of initpath/accessors.h only).
 */
#ifndef MEMMAPCTL_INITPATH_INITPATH_H
#define MEMMAPCTL_INITPATH_INITPATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vocab.h"

/* Whose sequence and encoding: what differs between kernel versions (facts: tail encoding, refcounts). */
struct initpath_version {
	const char *name;          /* "6.1", "6.12", "7.3" */
	bool tail_info_is_mask;    /* x86: compound_info is an address mask, independent of the PFN */
	bool fsdax_refcount_zero;  /* ZONE_DEVICE base pages of FS_DAX start at refcount 0 */
	bool tail_private_written; /* prep_compound_tail writes private */
	bool hugetlb_two_passes; /* all pages of a gigantic page initialised as reserved first, made a page after */
	bool hugetlb_freezes; /* tails' refcounts go to 0 by an atomic compare and exchange, not a store */
};

extern const struct initpath_version initpath_versions[];
extern const size_t nr_initpath_versions; /* the last one is the newest and the default */

struct page; /* the replica, 64 bytes: initpath/replica.h */

enum { STRUCT_PAGE_BYTES = 64 };

struct initpath_args {
	const struct initpath_version *version;
	enum page_kind kind;
	struct page *memmap; /* struct page of start_pfn; 64-byte aligned */
	uint64_t start_pfn;  /* compound kinds: a multiple of 1 << order */
	uint64_t nr_pages;   /* compound kinds: a multiple of 1 << order */
	unsigned int order;  /* zd-compound, hugetlb: compound order (9: 2 MiB, 18: 1 GiB at 4K pages) */
	uint64_t
		vmemmap_base; /* address that struct page of pfn 0 would have: what PFN-dependent fields hold;
				    0: take memmap - start_pfn. Fixed, so that a window and a thread write the same bytes */
};

enum initpath_codegen {
	CODEGEN_DEFAULT,        /* helpers as the compiler likes */
	CODEGEN_ALWAYS_INLINE,  /* hot helpers forced inline */
	CODEGEN_MAX_INLINE_400, /* compiled with --param max-inline-insns-single=400 */
	CODEGEN_OUT_OF_LINE,    /* hot helpers forced out of line */
	NR_CODEGENS,
};

const char *codegen_name(enum initpath_codegen codegen); /* "default", "always-inline"... */

struct initpath_routine {
	const char *
		name; /* copy routine: "fields", "stores", "rep-movs", "movnti", "avx512-nt", "stnp", "block-..." */
	const char *what; /* a line for help and --list */
	enum memmap_path path;
	unsigned int kinds; /* bit (1u << kind) for each page kind it can do */
	enum initpath_codegen codegen;
	bool (*usable)(void); /* NULL: always; else whether this CPU has the instructions */
	void (*run)(const struct initpath_args *args);
	uint64_t text_bytes; /* machine code of this routine's build; 0: not known */
};

/* All routines of this build, grouped by codegen; *nr set. Static. The first of each kind and codegen is its baseline. */
const struct initpath_routine *initpath_routines(size_t *nr);

/* Does nothing per page, through the same call: what the harness itself costs. */
extern const struct initpath_routine initpath_empty;

/*
 * Index of the first struct page of two arrays of nr_pages that differs in any byte, or nr_pages when none does.
 */
uint64_t initpath_compare(const struct page *a, const struct page *b, uint64_t nr_pages);

#endif
