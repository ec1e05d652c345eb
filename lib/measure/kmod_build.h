/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Getting a kernel module of lib/kmod: one that was built before, or built now from the sources that come with the program. */
#ifndef MEMMAPCTL_MEASURE_KMOD_BUILD_H
#define MEMMAPCTL_MEASURE_KMOD_BUILD_H

#include <signal.h>

#include "base/diag.h"

struct kmod_request {
	const char *name;       /* "memmapctl_paths" */
	const char *module_dir; /* where NAME.ko is; NULL: installed for this kernel (DKMS), else built */
	const char *release;    /* of the kernel that it is for */
	const char *headers;    /* what to build with; NULL: /lib/modules/RELEASE/build */
	const volatile sig_atomic_t *stop; /* ends a build; may be NULL */
};

/* Zero-initialise; free with kmod_file_free, which takes away what was built. */
struct kmod_file {
	char *path;
	char *built_in; /* a folder of its own; NULL: it was there before */
};

/*
 * The module's file: 0 and *out. In diags, with what to do about it: -ENOENT (no such file in module_dir; no headers, no
 * make or no compiler; no sources with this program), -ENOEXEC (it does not build: the build's last lines),
 * -EINTR (stopped), -ENOMEM or an error of writing.
 */
int kmod_file_get(const struct kmod_request *request, struct diags *diags, struct kmod_file *out);
void kmod_file_free(struct kmod_file *file);
#define _cleanup_kmod_file_ _cleanup_(kmod_file_free)

#endif
