/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How comparisons are worded, for their tables. */
#ifndef MEMMAPCTL_REPORT_COMPARISON_TEXT_H
#define MEMMAPCTL_REPORT_COMPARISON_TEXT_H

#include "model/comparison.h"
#include "report/text.h"

/* Each returns buf. */

/* "dax0.0 100 GiB devdax 2MiB map=dev"; "zd-base stores" of a simulation; "boot". */
const char *comparison_subject(char buf[TEXT_STR], const struct style *style,
			       const struct comparison_row *row);

/* "memmap_init, rebind", "memmap_init, first bind", "boot total". */
const char *comparison_stage(char buf[TEXT_STR], const struct comparison *comparison,
			     const struct comparison_row *row);

/* "n=30", "n=30/28", "n=1, mean of 29". */
const char *comparison_samples(char buf[TEXT_STR], const struct comparison_row *row);

/* "-62.7 %"; "" where there is no ratio. */
const char *comparison_change(char buf[TEXT_STR], const struct style *style,
			      const struct comparison_row *row);

/* "-62.9 .. -62.4"; "" without an interval. */
const char *comparison_interval(char buf[TEXT_STR], const struct style *style,
				const struct comparison_row *row);

/* "faster", "no change shown": static. */
const char *comparison_verdict_words(const struct comparison_row *row);

/* "Linux 7.3.4, path baseline", or the simulated version: what one side ran. */
const char *comparison_side(char buf[TEXT_STR], const struct comparison *comparison, bool is_b);

/* "base" of "results/base.json"; "A" and "B" where the names do not tell them apart. */
void comparison_names(const struct comparison *comparison, char a[TEXT_STR], char b[TEXT_STR]);

#endif
