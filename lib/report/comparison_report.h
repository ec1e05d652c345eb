/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Comparisons in the forms they are printed in. */
#ifndef MEMMAPCTL_REPORT_COMPARISON_REPORT_H
#define MEMMAPCTL_REPORT_COMPARISON_REPORT_H

#include "model/comparison.h"
#include "report/doc.h"
#include "report/text.h"

/* In all: diags hold what a reader must know about the two sets (what --force overlooked), and may be NULL. */

/* For people. 0 or -ENOMEM. */
int comparison_table(FILE *out, const struct style *style, const struct comparison *comparison,
		     const struct diags *diags);

/* A table in Markdown with what was measured below it, to be pasted into a patch mail. */
void comparison_markdown(FILE *out, const struct style *style, const struct comparison *comparison,
			 const struct diags *diags);

/* "memmapctl.comparison/1", whole; doc_finish tells how it went. */
void comparison_doc(struct doc *doc, const struct comparison *comparison, const struct diags *diags);

/* One line a row. */
void comparison_csv(FILE *out, const struct comparison *comparison);

#endif
