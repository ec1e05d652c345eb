/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A measurement of the running kernel from end to end: what an earlier one left is put back, timing set up, devices
 * rebound one after another, everything restored. For the command and for a guest's agent. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_SESSION_H
#define MEMMAPCTL_MEASURE_KERNEL_SESSION_H

#include "measure/kernel_hugepages.h"
#include "measure/kernel_rebind.h"

struct kernel_session_options {
	const struct root *root; /* this system */
	enum timing_source timing;
	const char *undo_file; /* NULL: UNDO_FILE */
	const struct work
		*work; /* of this host, for the units; devices are found in it by node_name; NULL: no units */
	unsigned int cycles;
	bool verify; /* each memmap_init against the kernel's own line, and what a rebind does against its own calls */
	bool system_ram; /* not the device's own rebind: to system RAM and back (kernel_system_ram), as for one that is it */
	const volatile sig_atomic_t *stop;
	void (*progress)(void *ctx, unsigned int done, unsigned int total, double cycle_ns);
	void *progress_ctx;
};

/*
 * Rebind each device and add its runs to obs; timing source and resolution go to obs->env. A device that is in use is
 * an error before it is touched. With verify, a session that ends as it should but whose counts are not geometry's
 * is -EBADMSG. 0; -EINTR when stopped; what kernel_rebind, kernel_device_unused and timing_open return.
 */
int kernel_session_rebind(const struct kernel_device *devices, size_t nr,
			  const struct kernel_session_options *options, struct diags *diags,
			  struct observations *obs);

/* Which settings of HVO to measure each pool with: a bit set of 1 << enum hvo_setting. */
int kernel_session_hugepages(const struct hugepage_growth *growths, size_t nr, unsigned int hvo_settings,
			     const struct kernel_session_options *options, struct diags *diags,
			     struct observations *obs);

/* Put back what a killed measurement left changed; *nr (may be NULL) gets how many changes. 0 or a negative errno. */
int kernel_session_recover(const char *undo_file, struct diags *diags, size_t *nr);

#endif
