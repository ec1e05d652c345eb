// SPDX-License-Identifier: GPL-2.0-or-later
/* What every subcommand shares: common options, where output goes, how diagnostics look. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/util.h"
#include "cli/command.h"

static const char *const format_names[] = {"table", "json", "yaml", "csv", "openmetrics", "markdown", NULL};
_Static_assert(ARRAY_SIZE(format_names) == NR_FORMATS + 1, "a name for every format");

enum {
	KEY_NO_COLOR = 0x1000,
	KEY_NO_PROGRESS,
};

static const struct argp_option common_option_rows[] = {
	{"format",								  'f', "FORMAT", 0,
	 "table (default), json, yaml, csv, markdown: a command says which it has", 0},
	{"output",								 'o', "FILE", 0, "write the result to FILE, whole or not at all (default: standard output)",
	 0},
	{"quiet", 'q', NULL, 0, "print no notes and no progress", 0},
	{"verbose",									 'v', NULL, 0, "print more", 0},
	{"no-color",      KEY_NO_COLOR, NULL, 0, "no colours, also on a terminal", 0},
	{"no-progress",									KEY_NO_PROGRESS, NULL, 0, "no progress line, also on a terminal", 0},
	{0									},
};

/* "table, json, yaml and csv" */
static void list_formats(unsigned int has, char buf[128])
{
	size_t len = 0;

	for (int i = 0; i < NR_FORMATS; i++) {
		if (!(has & 1u << i))
			continue;
		const char *before = !len ? "" : has >> (i + 1) ? ", " : " and ";

		len += (size_t)snprintf(buf + len, 128 - len, "%s%s", before, format_names[i]);
	}
}

static error_t parse_format(struct common_options *o, const char *arg, struct argp_state *state)
{
	unsigned int has = o->formats ? o->formats : DEFAULT_FORMATS;
	const char *command = strrchr(state->name, ' ');
	char list[128] = "";
	const char *near;

	list_formats(has, list);
	for (int i = 0; i < NR_FORMATS; i++) {
		if (strcmp(arg, format_names[i]))
			continue;
		if (!(has & 1u << i)) {
			argp_error(state, "--format: %s has %s", command ? command + 1 : state->name, list);
			return EINVAL;
		}
		o->format = (enum output_format)i;
		o->has_format = true;
		return 0;
	}
	near = suggest(arg, format_names);
	argp_error(state, "--format: unknown format '%s'%s%s%s: %s", arg, near ? "; did you mean '" : "",
		   near ? near : "", near ? "'?" : "", list);
	return EINVAL;
}

static error_t parse_common(int key, char *arg, struct argp_state *state)
{
	struct common_options *o = state->input;

	switch (key) {
	case 'f':
		return parse_format(o, arg, state);
	case 'o':
		o->output = arg;
		return 0;
	case 'q':
		o->quiet = true;
		return 0;
	case 'v':
		o->verbose++;
		return 0;
	case KEY_NO_COLOR:
		o->no_color = true;
		return 0;
	case KEY_NO_PROGRESS:
		o->no_progress = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp common_argp = {common_option_rows, parse_common, NULL, NULL, NULL, NULL, NULL};
const struct argp_child common_children[] = {
	{&common_argp,       0, "Common options:", 90},
        {0}
};

/* A device or a pipe is written as it is: renaming a file onto it would replace it. */
static bool is_written_in_place(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

/* A temporary beside the file, or NULL with errno set. */
static FILE *open_temporary(char *temporary)
{
	int fd = mkstemp(temporary);
	mode_t mask = umask(0);
	FILE *file;

	umask(mask);
	if (fd < 0)
		return NULL;
	fchmod(fd, 0666 & ~mask); /* mkstemp makes it private; a result file is like any other */
	file = fdopen(fd, "w");
	if (!file) {
		close(fd);
		unlink(temporary);
	}
	return file;
}

int output_open(const struct common_options *options, struct output *out)
{
	*out = (struct output){.file = stdout};
	if (!options->output || !strcmp(options->output, "-"))
		return EXIT_DONE;
	/* The file that a symbolic link leads to is replaced, not the link. */
	out->path = realpath(options->output, NULL);
	if (!out->path)
		out->path = strdup(options->output);
	if (out->path && is_written_in_place(options->output)) {
		out->file = fopen(options->output, "w");
	} else if (out->path && asprintf(&out->temporary, "%s.XXXXXX", out->path) >= 0) {
		out->file = open_temporary(out->temporary);
	} else {
		out->temporary = NULL;
		output_abandon(out);
		fputs("memmapctl: out of memory\n", stderr);
		return EXIT_USAGE;
	}
	if (!out->file) {
		fprintf(stderr, "memmapctl: cannot write %s: %s\n", options->output, strerror(errno));
		free(out->temporary); /* nothing was made by this name */
		out->temporary = NULL;
		output_abandon(out);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

int output_commit(struct output *out)
{
	int status = EXIT_DONE;

	if (!out->path)
		return EXIT_DONE; /* stdout is checked when the program ends */
	int failed = fflush(out->file) || ferror(out->file);

	failed = fclose(out->file) || failed;
	out->file = NULL;
	if (failed || (out->temporary && rename(out->temporary, out->path))) {
		fprintf(stderr, "memmapctl: cannot write %s: %s\n", out->path, strerror(errno));
		status = EXIT_USAGE;
	} else {
		free(out->temporary);
		out->temporary = NULL;
	}
	output_abandon(out);
	return status;
}

void output_abandon(struct output *out)
{
	if (out->file && out->file != stdout)
		fclose(out->file);
	if (out->temporary)
		unlink(out->temporary);
	free(out->temporary);
	free(out->path);
	*out = (struct output){0};
}

int output_whole(const struct common_options *options, const char *argv0,
		 int (*print)(const void *data, FILE *out), const void *data)
{
	struct output out;
	int err;

	if (output_open(options, &out))
		return EXIT_USAGE;
	err = print(data, out.file);
	if (!err)
		return output_commit(&out);
	fprintf(stderr, "%s: %s\n", argv0, strerror(-err));
	output_abandon(&out);
	return EXIT_USAGE;
}

bool want_color(const struct common_options *options, FILE *out)
{
	const char *term = getenv("TERM");
	const char *no_color = getenv("NO_COLOR");

	return !options->no_color && !(no_color && *no_color) && term && strcmp(term, "dumb") &&
	       isatty(fileno(out));
}

bool want_progress(const struct common_options *options)
{
	return !options->quiet && !options->no_progress && isatty(STDERR_FILENO);
}

void print_diags(const char *argv0, const struct diags *diags)
{
	for (size_t i = 0; i < diags->nr; i++) {
		struct diags one = {.items = &diags->items[i], .nr = 1};

		if (!diags->items[i].file)
			fprintf(stderr, "%s: ", argv0);
		diags_print(&one, stderr);
	}
}
