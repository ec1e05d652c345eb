// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl check: every mistake of host descriptions, with its place and what would be right. */
#include <errno.h>
#include <json.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "cli/check_usable.h"
#include "cli/command.h"
#include "cli/diagnosis.h"
#include "cli/inputs.h"
#include "host/host.h"

enum { KEY_REFERENCE = 0x2000, KEY_WANT_USABLE };

struct options {
	struct common_options common;
	bool reference;
	uint64_t want_usable_bytes; /* 0: not asked */
	char **files;
	int nr_files;
};

static const struct argp_option option_rows[] = {
	{"reference",							KEY_REFERENCE, NULL, 0,
	 "print every key of the format with its type, default and meaning", 0},
	{"want-usable",							      KEY_WANT_USABLE, "SIZE", 0,
	 "tell what to create each namespace with so that SIZE is left to use, with both maps", 0},
	{0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_REFERENCE:
		o->reference = true;
		return 0;
	case KEY_WANT_USABLE:
		if (size_parse(arg, &o->want_usable_bytes) || !o->want_usable_bytes)
			argp_error(state, "--want-usable: '%s' is not a size: write one such as 1500GiB",
				   arg);
		return 0;
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->nr_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!o->reference && !o->nr_files)
			argp_error(state, "name a host description: memmapctl check HOST.yaml");
		if (o->reference)
			refuse_format(state, &o->common, "--reference");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp check_argp = {
	option_rows,
	parse_option,
	"HOST.yaml...",
	"Check host descriptions: every mistake of a file in one run, as FILE:LINE:COL: message.\v"
	"HOST.yaml is a description, - standard input, or a folder of *.yaml.\n\n"
	"Example:\n"
	"  memmapctl check configs/hosts/gpu-pmem-node.yaml\n"
	"  memmapctl check configs/hosts/optane-node.yaml --want-usable 400GiB\n"
	"\n"
	"Warnings tell what a kernel takes and should not be given, and what will not work out, with its "
	"reason. They do not count as mistakes.\n"
	"Exit status: 0 all files are right, 2 mistakes, or a file that cannot be read.",
	common_children,
	NULL,
	NULL,
};

/* "3 mistakes", "1 warning" */
static void print_count(FILE *out, size_t nr, const char *what)
{
	fprintf(out, "%zu %s%s", nr, what, nr == 1 ? "" : "s");
}

static size_t nr_of_level(const struct diags *diags, enum diag_level level)
{
	size_t nr = 0;

	for (size_t i = 0; i < diags->nr; i++)
		nr += diags->items[i].level == level;
	return nr;
}

static uint64_t nr_host_devices(const struct host *host)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < host->nr_devices; i++)
		nr += host->devices[i].count;
	return nr;
}

static void print_ok(FILE *out, const char *file, const struct host *host, size_t nr_warnings)
{
	fprintf(out, "%s: ok: %s", file, host->name);
	if (host->nr_namespaces) {
		fputs(", ", out);
		print_count(out, host->nr_namespaces, "namespace");
	}
	if (host->nr_devices) {
		fputs(", ", out);
		print_count(out, nr_host_devices(host), "device");
	}
	if (host->nr_hugepages) {
		fputs(", ", out);
		print_count(out, host->nr_hugepages, "hugepage pool");
	}
	if (nr_warnings) {
		fputs(", ", out);
		print_count(out, nr_warnings, "warning");
	}
	fputc('\n', out);
	fflush(out); /* in order with what goes to standard error */
}

static json_object *diagnostics_json(const struct diags *diags)
{
	static const char *const levels[] = {"error", "warning", "note"};
	json_object *list = json_object_new_array();

	for (size_t i = 0; i < diags->nr; i++) {
		const struct diag *d = &diags->items[i];
		json_object *item = json_object_new_object();

		json_object_object_add(item, "level", json_object_new_string(levels[d->level]));
		if (d->line)
			json_object_object_add(item, "line", json_object_new_int64(d->line));
		if (d->col)
			json_object_object_add(item, "column", json_object_new_int64(d->col));
		json_object_object_add(item, "message",
				       json_object_new_string(d->text ? d->text : "out of memory"));
		json_object_array_add(list, item);
	}
	return list;
}

static json_object *file_json(const char *file, const struct host *host, const struct diags *diags)
{
	json_object *o = json_object_new_object();

	json_object_object_add(o, "file", json_object_new_string(file));
	json_object_object_add(o, "ok", json_object_new_boolean(host != NULL));
	if (host)
		json_object_object_add(o, "name", json_object_new_string(host->name));
	json_object_object_add(o, "errors", json_object_new_int64((int64_t)diags->nr_errors));
	json_object_object_add(o, "warnings",
			       json_object_new_int64((int64_t)nr_of_level(diags, DIAG_WARNING)));
	json_object_object_add(o, "diagnostics", diagnostics_json(diags));
	return o;
}

/* What the loader says, then what only shows when the kernel's layout rules are applied. */
static int load_and_diagnose(const char *path, struct diags *diags, struct host **host)
{
	int err = host_load(path, diags, host);

	if (!err)
		err = diagnose_host(*host, diags);
	diags_sort(diags);
	return err;
}

/* Notes say what was assumed: for those who ask. */
static void print_file_diags(const struct options *o, const char *argv0, const struct diags *diags)
{
	for (size_t i = 0; i < diags->nr; i++) {
		const struct diags one = {.items = &diags->items[i], .nr = 1};

		if (one.items->level != DIAG_NOTE || o->common.verbose)
			print_diags(argv0, &one);
	}
}

static int add_file_json(const struct options *o, const char *name, const struct host *host, int err,
			 struct diags *diags, json_object *files)
{
	json_object *usable = NULL, *file;

	if (!err && o->want_usable_bytes)
		err = usable_json(host, o->want_usable_bytes, diags, &usable);
	file = file_json(name, err ? NULL : host, diags);
	if (usable)
		json_object_object_add(file, "want_usable", usable);
	json_object_array_add(files, file);
	return err;
}

static int print_usable(const struct options *o, const char *argv0, const struct host *host, FILE *out)
{
	_cleanup_diags_ struct diags diags = {0};
	int err = usable_print(host, o->want_usable_bytes, &diags, out);

	fflush(out); /* in order with what goes to standard error */
	print_diags(argv0, &diags);
	return err;
}

/* One file; true when it is right. files: the JSON list, or NULL for text. */
static bool check_file(const struct options *o, const char *argv0, const char *path, json_object *files,
		       FILE *out)
{
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_host_ struct host *host = NULL;
	const char *name = strcmp(path, "-") ? path : "<stdin>";
	int err = load_and_diagnose(path, &diags, &host);

	if (files) {
		err = add_file_json(o, name, host, err, &diags, files);
		return !err;
	}
	print_file_diags(o, argv0, &diags);
	if (!err && !o->common.quiet)
		print_ok(out, name, host, nr_of_level(&diags, DIAG_WARNING));
	if (!err && o->want_usable_bytes)
		err = print_usable(o, argv0, host, out);
	if (err == -EINVAL && diags.nr_errors) {
		print_count(stderr, diags.nr_errors, "mistake");
		fprintf(stderr, " in %s\n", name);
	}
	return !err;
}

static int run(int argc, char **argv)
{
	struct options o = {.common.formats = 1 << FORMAT_TABLE | 1 << FORMAT_JSON};
	struct output out;
	json_object *document = NULL, *files = NULL;
	_cleanup_inputs_ struct inputs inputs = {0};
	bool ok = true;

	argp_parse(&check_argp, argc, argv, 0, NULL, &o);
	if (inputs_expand(argv[0], o.files, o.nr_files, &inputs))
		return EXIT_USAGE;
	if (output_open(&o.common, &out))
		return EXIT_USAGE;
	if (o.reference)
		host_print_reference(out.file);
	if (o.common.format == FORMAT_JSON && o.nr_files) {
		document = json_object_new_object();
		files = json_object_new_array();
		json_object_object_add(document, "schema", json_object_new_string("memmapctl.check/1"));
		json_object_object_add(document, "files", files);
	}
	for (size_t i = 0; i < inputs.nr; i++)
		ok = check_file(&o, argv[0], inputs.paths[i], files, out.file) && ok;
	if (document)
		fprintf(out.file, "%s\n",
			json_object_to_json_string_ext(document, JSON_C_TO_STRING_PRETTY |
									 JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(document);
	if (output_commit(&out))
		return EXIT_USAGE;
	return ok ? EXIT_DONE : EXIT_USAGE;
}

const struct command cmd_check = {"check", "validate host descriptions: FILE:LINE:COL: message", &check_argp,
				  run};
