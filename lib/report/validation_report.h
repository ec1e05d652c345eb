/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports of validations and of profiles, each in the forms it is printed in. */
#ifndef MEMMAPCTL_REPORT_VALIDATION_REPORT_H
#define MEMMAPCTL_REPORT_VALIDATION_REPORT_H

#include "model/validate.h"
#include "report/doc.h"
#include "report/text.h"

/* notes is NULL-ended: what the rows do not say. */

/* "memmapctl.validation/1", whole; doc_finish tells how it went. */
void validation_doc(struct doc *doc, const struct validation *validation, const char *const *notes);

/* One row an observation, then the summary. 0 or -ENOMEM. */
int validation_table(FILE *out, const struct style *style, const struct validation *validation,
		     const char *const *notes);

void validation_csv(FILE *out, const struct validation *validation);

/* "memmapctl.profile/1". */
void profile_doc(struct doc *doc, const struct profile *profile);

/* Costs with their intervals and sources. 0 or -ENOMEM. */
int profile_table(FILE *out, const struct style *style, const struct profile *profile);

#endif
