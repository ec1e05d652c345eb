/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One run of a guest: start QEMU, watch its console and its channel, end it. QEMU never outlives this process, and
 * neither leaves a file behind: what it reads has no name, what it writes goes into pipes.
 */
#ifndef MEMMAPCTL_MEASURE_GUEST_RUN_H
#define MEMMAPCTL_MEASURE_GUEST_RUN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct guest_run {
	char *const *argv;   /* QEMU's, NULL-ended */
	int initramfs_fd;    /* QEMU gets it under the same number */
	int qemu_channel_fd; /* QEMU's end of the channel, the same; closed here once QEMU has it */
	int channel_fd;      /* this process's end */
	uint64_t silence_ns; /* give up when neither console nor channel said anything for so long */
	bool only_hello;     /* a trial: done as soon as the agent runs */
	const volatile sig_atomic_t *interrupted;      /* polled; NULL: cannot be */
	void (*progress)(void *ctx, const char *text); /* or NULL */
	void *ctx;
};

/* What came out. Zero-initialise; free with guest_result_free. */
struct guest_result {
	char *observations;     /* JSON; NULL: none came */
	uint64_t hello_ns;      /* wall clock from QEMU's start to the agent's first message; 0: none came */
	uint64_t wall_ns;       /* of the whole run */
	uint64_t max_rss_bytes; /* QEMU's peak */
};

/*
 * 0: the guest sent all it had (notes of its own are in diags). Else, with the reason and the console's last lines
 * in diags: -EIO (the guest panicked, ended early, sent damaged data or said why it failed), -ETIMEDOUT (it hangs), -EINTR
 * (interrupted), -ENOENT (no such QEMU), or what kept QEMU from being started. *out is set in every case.
 */
int guest_run(const struct guest_run *run, struct diags *diags, struct guest_result *out);
void guest_result_free(struct guest_result *result);
#define _cleanup_guest_result_ _cleanup_(guest_result_free)

#endif
