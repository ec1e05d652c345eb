/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Loading a kernel module of lib/kmod, and getting it out again. */
#ifndef MEMMAPCTL_MEASURE_KMOD_LOAD_H
#define MEMMAPCTL_MEASURE_KMOD_LOAD_H

#include <stddef.h>

#include "base/diag.h"

struct kmod_ctx;
struct kmod_module;

/* Zero-initialise; kmod_unload frees. */
struct kmod_loaded {
	struct kmod_ctx *ctx;
	struct kmod_module *module;
};

/*
 * Load a module's file with parameters ("count=8 max_bytes=4096"; NULL: none). One of the same name that a killed
 * measurement left is unloaded first, with a warning. 0 and *out. In diags, with what stands in the way: -EPERM
 * (not root, or the kernel is locked down), -ENOKEY or -EKEYREJECTED (it wants modules signed), -ENOEXEC (built for another
 * kernel), -EBUSY (such a module is loaded and in use), -ENOMEM, or what the module's start returned.
 */
int kmod_load(const char *path, const char *parameters, struct diags *diags, struct kmod_loaded *out);

/* Unload. 0, also when nothing was loaded; or a negative errno, in diags, with the module left loaded. */
int kmod_unload(struct kmod_loaded *loaded, struct diags *diags);

/* Unload what killed measurements left of these modules (NULL-ended), counting them in *nr. 0 or the first error, in diags. */
int kmod_unload_left(const char *const *names, struct diags *diags, size_t *nr);

#endif
