/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host as far as its /proc, /sys and BTF tell: what predict uses when it is given no description. */
#ifndef MEMMAPCTL_PROBE_LIVE_H
#define MEMMAPCTL_PROBE_LIVE_H

#include "base/diag.h"
#include "base/root.h"
#include "host/host.h"

/*
 * Everything is read through root, so that a saved tree reads like the live system. What cannot be seen is a note
 * in notes that says what was taken instead, never a 0 that looks like a value. What GPU drivers register is not
 * looked for yet, and a note says so.
 *
 * The host is not checked: run host_check before computing with it.
 *
 * 0 and *out a new host (file "this host" for root "/", else "the probed host") that the caller frees with
 * host_free; -ENOTSUP: not an architecture that is known, or it cannot be told (in notes as an error); -ENOMEM.
 * *out untouched on failure.
 */
int probe_live(const struct root *root, struct diags *notes, struct host **out);

#endif
