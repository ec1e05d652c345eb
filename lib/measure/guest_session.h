/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A guest from description to observations: machine, initramfs, accelerator, run. */
#ifndef MEMMAPCTL_MEASURE_GUEST_SESSION_H
#define MEMMAPCTL_MEASURE_GUEST_SESSION_H

#include <signal.h>
#include <stdint.h>

#include "base/diag.h"
#include "host/host.h"
#include "measure/guest_machine.h"
#include "measure/observations.h"

struct guest_session {
	const struct host *host;
	const char *kernel; /* image */
	const char *modules_dir;
	const char *guest_root; /* NULL: this program is for the guest's architecture */
	const char *firmware;   /* NULL: looked for where distributions put it */
	const char *append;     /* or NULL */
	const char *timing;     /* timing source for the agent; NULL: the best there is */
	bool verify;            /* kernel_session_options.verify */
	enum guest_accel accel;
	bool instruction_clock; /* count the guest's instructions instead of time: TCG and one CPU, whatever the above say */
	uint32_t max_cpus; /* 0: as many as this machine has */
	bool verbose;      /* note what the run itself took: time, memory, the initramfs's size */
	uint64_t reps;     /* rebinds of each device, in the first boot */
	uint64_t boots;    /* at least 1; those after the first measure boot alone */
	uint64_t silence_ns;
	const volatile sig_atomic_t *interrupted;
	void (*progress)(void *ctx, const char *text);
	void *ctx;
};

/* QEMU's command line as a run would have it, but for descriptors and the initramfs, which are named for a reader. */
int guest_session_command(const struct guest_session *session, struct diags *diags, struct guest_argv *out);

/*
 * Measure in a guest. 0 and *out (mode "guest"; emulated under TCG; freed by the caller). Else, in diags: -EINVAL (a
 * description that no guest can have, a kernel image that cannot be read), -ENOENT, -ENOEXEC, -ENODEV (firmware, modules,
 * libraries, QEMU, KVM: not here), -ENOMEM (more memory than this machine has left), or guest_run's. When a boot after the
 * first fails or is interrupted, *out is set as well, and marked incomplete.
 */
int guest_session_run(const struct guest_session *session, struct diags *diags, struct observations **out);

#endif
