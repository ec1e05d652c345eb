/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The guest's initramfs: memmapctl as /init, its libraries, kernel modules, the host description and the job. Nothing else. */
#ifndef MEMMAPCTL_MEASURE_GUEST_INITRAMFS_H
#define MEMMAPCTL_MEASURE_GUEST_INITRAMFS_H

#include <stdint.h>

#include "base/diag.h"
#include "host/host.h"

struct guest_initramfs {
	const struct host *host;
	const char *modules_dir; /* lib/modules/RELEASE of the guest's kernel */
	const char *guest_root;  /* a tree with memmapctl for host->arch; NULL: this program is for it */
	uint64_t reps;
	const char *timing; /* or NULL */
	bool verify;
};

/*
 * Build it in memory: 0, *fd an open file of its own without a name (the caller closes it), *size_bytes its size.
 * What is missing is in diags: -ENOENT (a library, a module), -ENOEXEC (a program of another architecture), -EINVAL
 * (another architecture and no guest_root), or the error of reading or writing. Outputs untouched on failure.
 */
int guest_initramfs_build(const struct guest_initramfs *spec, struct diags *diags, int *fd,
			  uint64_t *size_bytes);

/* The architecture that this program is built for. */
enum arch_id guest_initramfs_own_arch(void);

#endif
