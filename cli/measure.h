/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of the measure command that stand on their own. */
#ifndef MEMMAPCTL_CLI_MEASURE_H
#define MEMMAPCTL_CLI_MEASURE_H

#include <signal.h>

#include "cli/command.h"
#include "cli/measure_kernel.h"
#include "measure/simulated.h"

enum { MEASURE_MAX_ROUTINES = 32 };

enum measure_mode {
	MODE_SIMULATED,
	MODE_KERNEL,
	MODE_GUEST,
	NR_MODES,
};

struct measure_options {
	struct common_options common;
	enum measure_mode mode;
	bool has_mode, list;
	const char *host; /* a description, or NULL */
	struct simulated_options simulated;
	struct kernel_options kernel;
	const char *routines[MEASURE_MAX_ROUTINES + 1];
	size_t nr_routines;
};

extern const struct argp measure_argp; /* its input is a struct measure_options */

/* What holds without any option. */
struct measure_options measure_defaults(void);

/*
 * Write observations as the options want them, to an output that was opened before they were measured; NULL: there are
 * none, and nothing is left of the output. An exit status, after a message when it is not EXIT_DONE.
 */
int measure_write(const struct common_options *common, const struct observations *obs, struct output *out);

/*
 * Before a measurement that can be interrupted: from here on Ctrl-C and SIGTERM, however often they come, only set
 * *stop; and the output is opened. 0, or EXIT_USAGE after a message.
 */
int measure_begin(const struct common_options *common, const volatile sig_atomic_t **stop,
		  struct output *out);

/* --list: routines, builds and versions. */
void measure_list(FILE *out);

/*
 * Take from a host description what the options left open: struct pages of its largest device (of its RAM where it
 * has none) where nr_pages is 0, and its kernel's writes where version is NULL. A note in diags says which. 0, or a
 * negative errno with the reason in diags.
 */
int measure_from_host(const char *file, struct diags *diags, struct simulated_options *options);

#endif
