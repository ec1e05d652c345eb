/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What check and probe say of a host that is right in itself. */
#ifndef MEMMAPCTL_CLI_DIAGNOSIS_H
#define MEMMAPCTL_CLI_DIAGNOSIS_H

#include "geometry/geometry.h"

/*
 * Lay out the host (mistakes that only show then are errors), then warn of what will go wrong; times by the host's
 * profile, or where it has none by the generic one of its architecture. 0, -EINVAL, -ENOMEM. A profile that
 * cannot be used is a note: sizes are diagnosed all the same.
 */
int diagnose_host(const struct host *host, struct diags *diags);

#endif
