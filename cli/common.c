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

/* clang-format off */
static const struct argp_option common_option_rows[] = {
	{"format", 'f', "FORMAT", 0, "", 0}, /* help_filter says which */
	{"output", 'o', "FILE", 0,
	 "write the result to FILE, whole or not at all (default: standard output)", 0},
	{"quiet", 'q', NULL, 0, "print results and errors, and nothing else", 0},
	{"verbose", 'v', NULL, 0, "print more", 0},
	{"no-color", KEY_NO_COLOR, NULL, 0, "no colours, also on a terminal", 0},
	{"no-progress", KEY_NO_PROGRESS, NULL, 0, "no progress line, also on a terminal", 0},
	{0},
};
/* clang-format on */

static unsigned int formats_of(const struct common_options *o)
{
	return o->formats ? o->formats : DEFAULT_FORMATS;
}

/* "table, json, yaml and csv"; "" of a command that has no formats. */
static void list_formats(const struct common_options *o, char buf[128])
{
	unsigned int has = formats_of(o);
	size_t len = 0;

	*buf = '\0';
	for (int i = 0; i < NR_FORMATS; i++) {
		if (!(has & 1u << i))
			continue;
		const char *before = !len ? "" : has >> (i + 1) ? ", " : " and ";

		len += (size_t)snprintf(buf + len, 128 - len, "%s%s", before, format_names[i]);
	}
}

static error_t parse_format(struct common_options *o, const char *arg, struct argp_state *state)
{
	unsigned int has = formats_of(o);
	const char *command = strrchr(state->name, ' ');
	const char *near;
	char list[128];

	list_formats(o, list);
	if (!*list) {
		argp_error(state, "--format: %s has one form only", command ? command + 1 : state->name);
		return EINVAL;
	}
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
	case ARGP_KEY_INIT:
		o->default_format = o->format;
		return 0;
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

/* Each command's --help names the formats that it has. argp frees what is not the text it gave. */
static char *filter_help(int key, const char *text, void *input)
{
	const struct common_options *o = input;
	char list[128], *help;

	if (key != 'f' || !o)
		return (char *)text;
	list_formats(o, list);
	if (!*list)
		return strdup("(not of this command: its result has one form)");
	if (asprintf(&help, "%s (default: %s)", list, format_names[o->default_format]) < 0)
		return (char *)text;
	return help;
}

const struct argp common_argp = {
	.options = common_option_rows, .parser = parse_common, .help_filter = filter_help};
const struct argp_child common_children[] = {
	{&common_argp,       0, "Common options:", 90},
        {0}
};

void refuse_format(const struct argp_state *state, const struct common_options *options, const char *option)
{
	if (options->has_format && options->format != FORMAT_TABLE)
		argp_error(state, "%s prints text only: it has no --format %s", option,
			   format_names[options->format]);
}

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

int flush_file(FILE *file)
{
	errno = 0;
	if (!fflush(file) && ferror(file)) {
		/* A write failed earlier and its reason is lost: one byte more fails for the same. */
		putc('\n', file);
		fflush(file);
	}
	if (!ferror(file))
		return 0;
	return errno ? errno : EIO;
}

int output_commit(struct output *out)
{
	int status = EXIT_DONE, err;

	if (!out->path)
		return EXIT_DONE; /* stdout is checked when the program ends */
	err = flush_file(out->file);
	if (fclose(out->file) && !err)
		err = errno;
	out->file = NULL;
	if (!err && out->temporary && rename(out->temporary, out->path))
		err = errno;
	if (err) {
		fprintf(stderr, "memmapctl: cannot write %s: %s\n", out->path, strerror(err));
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

int output_end(struct output *out, const char *argv0, int err)
{
	/* A write that failed: the reason is told where the file is closed. */
	if (!err || ferror(out->file)) {
		int status = output_commit(out);

		return err ? EXIT_USAGE : status;
	}
	fprintf(stderr, "%s: %s\n", argv0, strerror(-err));
	output_abandon(out);
	return EXIT_USAGE;
}

int output_whole(const struct common_options *options, const char *argv0,
		 int (*print)(const void *data, FILE *out), const void *data)
{
	struct output out;

	if (output_open(options, &out))
		return EXIT_USAGE;
	return output_end(&out, argv0, print(data, out.file));
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
