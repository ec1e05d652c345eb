/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --sysroot: this system, a folder, or an archive that is read into memory. */
#ifndef MEMMAPCTL_CLI_SYSROOT_H
#define MEMMAPCTL_CLI_SYSROOT_H

#include "base/root.h"
#include "base/tree.h"

struct sysroot {
	struct root root;
	struct tree tree; /* of an archive */
};

/* path NULL: this system. An exit status: EXIT_DONE, or another after a message. Do not move an open one. */
int sysroot_open(const char *argv0, const char *path, struct sysroot *out);
void sysroot_close(struct sysroot *sysroot);
#define _cleanup_sysroot_ _cleanup_(sysroot_close)

#endif
