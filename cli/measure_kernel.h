/* SPDX-License-Identifier: GPL-2.0-or-later */
/* measure --mode kernel: its options and what it does. */
#ifndef MEMMAPCTL_CLI_MEASURE_KERNEL_H
#define MEMMAPCTL_CLI_MEASURE_KERNEL_H

#include <argp.h>
#include <signal.h>
#include <stdbool.h>

#include "cli/command.h"
#include "measure/observations.h"
#include "measure/kernel_hugepages.h"
#include "trace/timing.h"

enum { KERNEL_MAX_DEVICES = 64, KERNEL_MAX_GROWTHS = 16 };

struct kernel_options {
	const char *devices[KERNEL_MAX_DEVICES];
	size_t nr_devices;
	struct hugepage_growth growths[KERNEL_MAX_GROWTHS];
	size_t nr_growths;
	unsigned int hvo_settings; /* bit set of 1 << enum hvo_setting */
	unsigned int cycles;       /* 0: the default of what is measured */
	enum timing_source timing;
	bool dry_run, yes, recover, boot, system_ram, verify;
	bool in_kernel_paths;   /* run by cmd_measure.c, as simulated mode is */
	const char *module_dir; /* where built modules are; NULL: installed, or built now */
	const char *headers;    /* what to build them with; NULL: those of the running kernel */
	const char *log;        /* a saved log; NULL: the running kernel's */
	unsigned int hz;        /* of the kernel that wrote it; 0: not known */
};

struct kernel_options kernel_defaults(void);

/* A child of measure's argp; its input is a struct kernel_options. */
extern const struct argp kernel_argp;

/*
 * Returns an exit status after printing what went wrong; *out is NULL or what is to be written, also when a
 * measurement failed half-way. stop is looked at between cycles; it may be NULL where a log is all that is read.
 */
int measure_kernel(const struct kernel_options *options, const struct common_options *common,
		   const char *argv0, const volatile sig_atomic_t *stop, struct observations **out);

#endif
