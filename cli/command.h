/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Subcommands: one const row each, listed once in cli/main.c; help and completions are printed from the rows. */
#ifndef MEMMAPCTL_CLI_COMMAND_H
#define MEMMAPCTL_CLI_COMMAND_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"

/* Exit status, the whole list (README, --help and man pages name these). */
enum exit_status {
	EXIT_DONE = 0,           /* done, and every window fits */
	EXIT_DOES_NOT_FIT = 1,   /* a window does not fit */
	EXIT_USAGE = 2,          /* usage or bad input */
	EXIT_NOT_POSSIBLE = 3,   /* not possible here: no privilege, no device, no support */
	EXIT_MEASURE_FAILED = 4, /* a measurement failed */
};

enum output_format {
	FORMAT_TABLE,
	FORMAT_JSON,
	FORMAT_YAML,
	FORMAT_CSV,
	FORMAT_OPENMETRICS,
	FORMAT_MARKDOWN,
	NR_FORMATS,
};

/* What a command has, as bits: common_options.formats; 0 stands for DEFAULT_FORMATS. */
enum {
	NO_FORMATS = 1 << NR_FORMATS, /* its result has one form */
	DEFAULT_FORMATS = 1 << FORMAT_TABLE | 1 << FORMAT_JSON | 1 << FORMAT_YAML | 1 << FORMAT_CSV,
};

struct common_options {
	unsigned int formats;              /* set by the command: others are refused, and --help names them */
	enum output_format format;         /* set by the command to its default */
	enum output_format default_format; /* what that was, for --help */
	bool has_format;
	const char *output; /* NULL: stdout */
	bool quiet;
	int verbose;
	bool no_color;
	bool no_progress;
};

/*
 * The shared argp child: put {&common_argp, 0, "Common options:", 90} into a command's children and, at
 * ARGP_KEY_INIT, set state->child_inputs[0] to its struct common_options.
 */
extern const struct argp common_argp;
extern const struct argp_child common_children[]; /* of a command that has no other children */

/* At ARGP_KEY_END, for an option that makes a command print text of one form: refuses another format than table. */
void refuse_format(const struct argp_state *state, const struct common_options *options, const char *option);

struct command {
	const char *name;
	const char *summary; /* one line for `memmapctl --help` */
	const struct argp *argp;
	int (*run)(int argc, char **argv); /* argv[0] is "memmapctl NAME"; returns an exit status */
};

extern const struct command cmd_probe, cmd_snapshot, cmd_check, cmd_predict, cmd_advise, cmd_measure,
	cmd_calibrate, cmd_validate, cmd_compare;

/*
 * Where data goes: stdout, or a temporary beside options->output that output_commit renames into place; a device or
 * a pipe of that name is written directly.
 */
struct output {
	FILE *file;
	char *path, *temporary;
};
int output_open(const struct common_options *options,
		struct output *out);     /* 0, or EXIT_USAGE after a message */
int output_commit(struct output *out);   /* 0, or EXIT_USAGE after a message (a full disk is an error) */
void output_abandon(struct output *out); /* nothing half-written is left */

/* Commit after err 0 or a failed write; else abandon after a message of err, a negative errno. 0, or EXIT_USAGE. */
int output_end(struct output *out, const char *argv0, int err);

/* Flush: 0, or the errno of a write that failed, now or before. */
int flush_file(FILE *file);

/* All of these for a result that one call prints: EXIT_DONE, or EXIT_USAGE after a message and with no file left. */
int output_whole(const struct common_options *options, const char *argv0,
		 int (*print)(const void *data, FILE *out), const void *data);

/* Colour only for a terminal, without NO_COLOR, TERM=dumb and --no-color. */
bool want_color(const struct common_options *options, FILE *out);
bool want_progress(
	const struct common_options *options); /* stderr is a terminal, neither -q nor --no-progress */

/* Print diagnostics as "memmapctl CMD: ..." where no file is named, else FILE:LINE:COL: ... */
void print_diags(const char *argv0, const struct diags *diags);

#endif
