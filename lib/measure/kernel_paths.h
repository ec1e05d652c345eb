/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measure --in-kernel-paths: the race of simulated mode, run by a module in the kernel, on the kernel's own struct page.
 */
#ifndef MEMMAPCTL_MEASURE_KERNEL_PATHS_H
#define MEMMAPCTL_MEASURE_KERNEL_PATHS_H

#include "measure/simulated.h"

#define KERNEL_PATHS_MODULE "memmapctl_paths"

struct kernel_paths_options {
	const struct simulated_options
		*race;          /* version NULL: this kernel's; one thread, one build: the module's */
	const char *module_dir; /* see struct kmod_request */
	const char *headers;
};

/*
 * Build the module where that is needed, load it, race, unload it, also when stopped. 0 and *out (mode "kernel-paths").
 * With *out set as well: -EINTR, -EBADMSG, as simulated_measure. With *out untouched and the reason in diags: -EINVAL
 * (nothing to run, too few pages), -ENODEV, -ENOMEM, and those of kmod_file_get and kmod_load.
 */
int kernel_paths_measure(const struct kernel_paths_options *options, const struct simulated_hooks *hooks,
			 struct diags *diags, struct observations **out);

#endif
