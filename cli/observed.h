/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of observations, read into rows: what calibrate and validate start from. */
#ifndef MEMMAPCTL_CLI_OBSERVED_H
#define MEMMAPCTL_CLI_OBSERVED_H

#include "cli/command.h"
#include "model/rows.h"

struct observed {
	struct observations **files;
	size_t nr_files;
	struct obs_rows real, emulated; /* rows of the files, by what they were measured on */
};

/* Read one more file and add its rows. 0, or a negative errno with diags told. */
int observed_add(struct observed *observed, const char *path, struct diags *diags);

/* The argument of --path: an init path, or an argp_error. */
error_t observed_parse_path(struct argp_state *state, const char *arg, enum memmap_path *path);

/* The argument of an option that takes a percentage, "15" or "15%"; or an argp_error. */
error_t parse_percentage(struct argp_state *state, const char *option, const char *arg, double *percent);

/* Print what was found wrong; notes about the hosts' geometry only with -v, nothing but errors with -q. */
void observed_print_diags(const char *argv0, const struct common_options *options, const struct diags *diags);
void observed_free(struct observed *observed);
#define _cleanup_observed_ _cleanup_(observed_free)

#endif
