/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host from what people paste: `ndctl list`, `daxctl list`, `cxl list` and `lsmem -J` in all their shapes, a kernel
 * command line, a kernel log, /proc/buddyinfo, alone or one after another in one text. What a text is, is recognised
 * from its content.
 */
#ifndef MEMMAPCTL_PROBE_IMPORT_H
#define MEMMAPCTL_PROBE_IMPORT_H

#include "base/diag.h"
#include "host/host.h"

struct import;

/* NULL when out of memory. */
struct import *import_new(void);
void import_free(struct import *import);

static inline void import_free_ptr(struct import **import)
{
	import_free(*import);
}
#define _cleanup_import_ _cleanup_(import_free_ptr)

/*
 * Add a text of len bytes, NUL-terminated; file is what messages call it. 0; -EINVAL: JSON with a mistake (reported
 * with line and column), or nothing in it that is known; -ENOMEM. What was found before a mistake stays.
 */
int import_add(struct import *import, const char *file, const char *text, size_t len, struct diags *diags);

/*
 * Put together what was found. 0 and *out a new host that the caller frees with host_free; -ENOMEM. diags gets, with
 * their places, warnings (sources that contradict each other: the first is believed; what the kernel's log says went
 * wrong) and notes. Where each value was found, and what nothing told, is in the host: see host_save_origins. The host
 * is not checked: run host_check before computing with it.
 */
int import_finish(const struct import *import, struct diags *diags, struct host **out);

#endif
