/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host as far as its /proc, /sys and BTF tell, live or saved. */
#ifndef MEMMAPCTL_PROBE_LIVE_H
#define MEMMAPCTL_PROBE_LIVE_H

#include "base/diag.h"
#include "base/root.h"
#include "host/cmdline.h"
#include "host/host.h"
#include "probe/facts.h"

/* RAM that is free, of a node. */
struct free_ram {
	uint32_t node;
	uint64_t bytes, order9; /* blocks of 512 pages, larger ones split */
};

struct probed {
	struct host *host;          /* with origins: see host_save_origins */
	struct facts facts;         /* what the description has no keys for */
	struct cmdline options;     /* the kernel command line, as the kernel reads it */
	struct diags option_doubts; /* what it would warn of there */
	struct free_ram *free;      /* when it was read; for probed_set_free */
	size_t nr_free;
};

/*
 * Everything is read through root, so that a saved tree reads like the live system and that what is read
 * can be recorded. That is why libndctl and libdaxctl are not used: they read /sys and nothing else, may
 * load modules, and could not say what they read. They are the independent check in this reader's tests
 * instead.
 *
 * What cannot be seen is unknown (host_is_unknown) and a note in notes that says what was taken instead,
 * never a 0 that looks like a value; that goes for the architecture, too.
 *
 * The host is not checked: run host_check before computing with it.
 *
 * 0 and *out (host->file "this host" for root "/", else "the probed host"), which the caller frees with
 * probed_free; -ENOMEM with *out untouched.
 */
int probe_host(const struct root *root, struct diags *notes, struct probed *out);
void probed_free(struct probed *probed);

/*
 * Put what is free into the host's nodes, for a diagnosis. No part of a description that is kept: it is another one a
 * moment later, and without the memmaps of those devices that are bound.
 */
void probed_set_free(struct probed *probed);
#define _cleanup_probed_ _cleanup_(probed_free)

/*
 * The description alone, fit for a forecast: what predict uses when it is given no description. As
 * probe_host, but -ENOTSUP with an error in notes where the architecture is unknown, or none that is
 * supported.
 */
int probe_live(const struct root *root, struct diags *notes, struct host **out);

#endif
