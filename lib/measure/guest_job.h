/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the agent in the guest is to do: a JSON file and the host description, side by side in the initramfs. */
#ifndef MEMMAPCTL_MEASURE_GUEST_JOB_H
#define MEMMAPCTL_MEASURE_GUEST_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

/* Their places in the guest. A process 1 that finds the job is the agent. */
#define GUEST_JOB_FILE  "/memmapctl-guest.json"
#define GUEST_HOST_FILE "/host.yaml"

/* Zero-initialise; free with guest_job_free. */
struct guest_job {
	uint64_t reps;  /* rebinds of each device after its first bind */
	char *timing;   /* the timing source to use; NULL: the best there is */
	bool verify;    /* hold what is measured to what the kernel itself says and does */
	char **modules; /* paths in the guest, in the order to load them */
	size_t nr_modules;
};

int guest_job_add_module(struct guest_job *job, const char *path); /* 0 or -ENOMEM */

/* As JSON; the caller frees. NULL when out of memory. */
char *guest_job_text(const struct guest_job *job);

/* 0; -EINVAL (in diags) or -ENOMEM; *out untouched on failure. name is used in messages. */
int guest_job_parse(const char *text, const char *name, struct diags *diags, struct guest_job *out);
void guest_job_free(struct guest_job *job);
#define _cleanup_guest_job_ _cleanup_(guest_job_free)

#endif
