// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/probe_import.h"

#include <errno.h>
#include <string.h>

#include "base/read_text.h"
#include "cli/diagnosis.h"
#include "host/host.h"
#include "probe/import.h"
#include "report/host_report.h"

static int add_file(struct import *import, const char *path, struct diags *diags)
{
	const char *name = strcmp(path, "-") ? path : "<stdin>";
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int err = read_text(path, SIZE_MAX, &text, &len);

	if (!err)
		return import_add(import, name, text, len, diags);
	diag_add(diags, DIAG_ERROR, name, 0, 0, "cannot read: %s", strerror(-err));
	return err;
}

/* As comments, so that what is printed remains a host description. */
static void print_notes(FILE *out, const struct diags *diags)
{
	for (size_t i = 0; i < diags->nr; i++) {
		const struct diag *d = &diags->items[i];

		if (d->level != DIAG_NOTE)
			continue;
		fprintf(out, "# %s%s", d->file ? d->file : "", d->file ? ":" : "");
		if (d->line)
			fprintf(out, "%u:", d->line);
		fprintf(out, "%s%s\n", d->file ? " " : "", d->text ? d->text : "out of memory");
	}
}

/* Notes are beside the values; of a quiet run mistakes are all there is to say, as of a probe. */
static void print_warnings(const char *argv0, const struct diags *diags, bool quiet)
{
	for (size_t i = 0; i < diags->nr; i++) {
		const struct diags one = {.items = &diags->items[i], .nr = 1};

		if (one.items->level == DIAG_ERROR || (one.items->level == DIAG_WARNING && !quiet))
			print_diags(argv0, &one);
	}
}

static int write_yaml(FILE *out, const struct host *host, const struct diags *diags, char *const *files,
		      size_t nr_files)
{
	fputs("# Imported from", out);
	for (size_t i = 0; i < nr_files; i++)
		fprintf(out, "%s %s", i ? "," : "", strcmp(files[i], "-") ? files[i] : "standard input");
	fputs(".\n", out);
	print_notes(out, diags);
	return host_save_origins(host, out);
}

static int print_host(const char *argv0, const struct common_options *options, struct host *host,
		      const struct diags *diags, char *const *files, size_t nr_files)
{
	const struct probed probed = {.host = host}; /* files tell no facts beside it */
	struct output out;
	int err;

	if (output_open(options, &out))
		return EXIT_USAGE;
	err = options->format == FORMAT_JSON ? host_json(&probed, diags, out.file)
					     : write_yaml(out.file, host, diags, files, nr_files);
	if (err) {
		output_abandon(&out);
		fprintf(stderr, "%s: %s\n", argv0, strerror(-err));
		return EXIT_USAGE;
	}
	return output_commit(&out) ? EXIT_USAGE : EXIT_DONE;
}

int probe_import(const char *argv0, const struct common_options *options, char *const *files, size_t nr_files)
{
	_cleanup_diags_ struct diags diags = {0}, trouble = {0};
	_cleanup_import_ struct import *import = import_new();
	_cleanup_host_ struct host *host = NULL;
	int err = import ? 0 : -ENOMEM;

	for (size_t i = 0; i < nr_files && import; i++)
		err = add_file(import, files[i], &diags) ? -EINVAL : err;
	if (!err)
		err = import_finish(import, &diags, &host);
	if (!err && host_check(host, &trouble))
		err = -EINVAL;
	if (!err)
		err = diagnose_host(host, &trouble); /* its notes of what was assumed are at the values */
	print_warnings(argv0, &diags, options->quiet);
	print_warnings(argv0, &trouble, options->quiet);
	if (err == -ENOMEM)
		fprintf(stderr, "%s: out of memory\n", argv0);
	if (!host)
		return EXIT_USAGE;
	int status = print_host(argv0, options, host, &diags, files, nr_files);

	return err ? EXIT_USAGE : status;
}
