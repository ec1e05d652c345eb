/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host that was probed: as JSON, as a summary, and its facts as comments under the YAML. */
#ifndef MEMMAPCTL_REPORT_HOST_REPORT_H
#define MEMMAPCTL_REPORT_HOST_REPORT_H

#include "base/diag.h"
#include "probe/live.h"
#include "report/text.h"

/*
 * The document "memmapctl.host/1": the description's keys, facts, and what is unknown (the notes). 0 or as
 * doc_finish.
 */
int host_json(const struct probed *probed, const struct diags *notes, FILE *out);

/*
 * The description with its sources, then the facts as comments. Reads back as a description. 0, -EIO or
 * -ENOMEM.
 */
int host_yaml(const struct probed *probed, FILE *out);

/* A screenful for people. 0 or -ENOMEM. */
int host_table(const struct probed *probed, const struct diags *notes, const struct style *style, FILE *out);

#endif
