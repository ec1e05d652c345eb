/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Advice in the forms it is printed in. */
#ifndef MEMMAPCTL_REPORT_ADVICE_REPORT_H
#define MEMMAPCTL_REPORT_ADVICE_REPORT_H

#include "base/diag.h"
#include "model/advise.h"
#include "report/doc.h"
#include "report/text.h"

/* Nothing is owned. */
struct advice_report {
	const struct advice *advice;
	const struct limits *limits;
	const struct diags *diags; /* warnings and notes about the host */
	bool all;                  /* the table lists changes that save next to nothing, too */
};

/* The answer first: what to change; then every change by the time and by the memory it saves. 0 or -ENOMEM. */
int advice_table(FILE *out, const struct style *style, const struct advice_report *report);

/* "memmapctl.advice/1", whole; doc_finish tells how it went. */
void advice_doc(struct doc *doc, const struct advice_report *report);

/* Indices of the levers that save RAM, the most first; freed by the caller. NULL: no memory. */
size_t *levers_by_ram(const struct levers *levers, size_t *nr);

#endif
