/* SPDX-License-Identifier: GPL-2.0 */
/* The parts of memmapctl_paths: running the init paths, saying what a memcpy became, and the files that ask for both. */
#ifndef MEMMAPCTL_KMOD_PATHS_H
#define MEMMAPCTL_KMOD_PATHS_H

#include <linux/seq_file.h>
#include <linux/types.h>

#include "initpath/initpath.h"

/* The memory that stands for a memmap, kept from one pass to the next. Zero-initialise; free with race_free. */
struct race {
	struct page *memmap, *expected; /* expected: one chunk of it, as the baseline writes it */
	u64 nr_pages, chunk_pages;
	int node; /* where its first page landed */
};

/* One pass over all of it. */
struct race_pass {
	const struct initpath_routine *routine;
	const struct initpath_version *version;
	enum page_kind kind;
	unsigned int order;
	u64 nr_pages; /* a multiple of 1 << order */
	bool verify; /* start on poisoned memory and compare with the baseline afterwards, both outside the timed part */
};

struct race_result {
	u64 ns;
	bool verified;   /* false as well when it was not asked for */
	u64 first_wrong; /* verify: index of the first struct page that differs; nr_pages: none */
};

/* Routines of the module; *nr set. */
const struct initpath_routine *race_routines(size_t *nr);
bool race_routine_usable(const struct initpath_routine *routine);
bool race_routine_needs_fpu(const struct initpath_routine *routine);
/* Machine code of all of them together, in bytes. */
u64 race_text_bytes(void);

/*
 * Run one pass on this CPU; memory is (re)allocated when there is none of the size, on this CPU's node. 0 and *result;
 * -ENOMEM (also when it is more than max_bytes, or than half of what is available); -EINVAL, -EOPNOTSUPP (this CPU
 * has no such instructions), -EINTR (killed).
 */
int race_run(struct race *race, const struct race_pass *pass, u64 max_bytes, struct race_result *result);
void race_free(struct race *race);

/* What the compiler made of memcpy(dst, src, 64): a line in words, then one with the bytes. */
void memcpy_describe(struct seq_file *out);

#endif
