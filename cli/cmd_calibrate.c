// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl calibrate: from observations to a cost profile. */
#include <errno.h>
#include <string.h>

#include "base/util.h"
#include "cli/command.h"
#include "cli/observed.h"
#include "cli/style.h"
#include "model/fit.h"
#include "report/validation_report.h"

enum {
	KEY_PATH = 0x3000,
	KEY_PRIOR,
	KEY_RATIOS,
	KEY_NAME,
	KEY_GENERIC,
	KEY_REFERENCE,
};

struct options {
	struct common_options common;
	bool has_path;
	enum memmap_path path;
	const char *prior, *ratios, *name;
	bool generic;
	bool reference;
	char **files;
	int nr_files;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_PATH:
		o->has_path = true;
		return observed_parse_path(state, arg, &o->path);
	case KEY_PRIOR:
		o->prior = arg;
		return 0;
	case KEY_RATIOS:
		o->ratios = arg;
		return 0;
	case KEY_NAME:
		o->name = arg;
		return 0;
	case KEY_GENERIC:
		o->generic = true;
		return 0;
	case KEY_REFERENCE:
		o->reference = true;
		return 0;
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->nr_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!o->nr_files && !o->reference)
			argp_error(state, "no observations: name at least one file");
		if (o->reference)
			refuse_format(state, &o->common, "--reference");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* clang-format off */
static const struct argp_option option_rows[] = {
	{"path", KEY_PATH, "PATH", 0,
	 "use only observations of this init path: baseline, template or template-nt", 0},
	{"prior", KEY_PRIOR, "NAME|FILE", 0,
	 "profile of what was believed before: few observations then move what they say something about, and "
	 "leave the rest", 0},
	{"ratios", KEY_RATIOS, "RACE.json", 0,
	 "take paths as shares of the baseline, and bandwidths, from this race (measure --mode simulated, or "
	 "--mode kernel --in-kernel-paths)", 0},
	{"name", KEY_NAME, "NAME", 0, "what forecasts call the profile (default: the first file's name)", 0},
	{"generic", KEY_GENERIC, NULL, 0,
	 "a profile for machines that were not observed: costs that only emulated observations have are carried "
	 "over as multiples of a struct page's, and intervals are wide", 0},
	{"reference", KEY_REFERENCE, NULL, 0, "print the keys of a profile's YAML, and exit", 0},
	{0},
};
/* clang-format on */

static const char doc[] =
	"Fit a cost profile to observations: for each stage what one unit of work costs, with a 90 % "
	"interval, "
	"how many observations are behind it and where they come from. The profile is YAML, for predict "
	"--profile.\v"
	"OBSERVATIONS are JSON files as measure writes them; - is standard input. Observations that name a "
	"host "
	"description (beside the file) are fitted to the work that its geometry has; a total is divided "
	"among its "
	"stages as far as the observations, or the prior, tell them apart. Real and emulated observations "
	"are "
	"not mixed, except by --generic.\n\n"
	"Exit status: 0 done; 2 usage or bad input.\n\n"
	"Examples:\n"
	"  memmapctl calibrate observed.json --prior generic-x86_64 -o mine.yaml\n"
	"  memmapctl calibrate observed.json --ratios race.json -f table\n";

static const struct argp argp = {option_rows, parse, "OBSERVATIONS...", doc, common_children, NULL, NULL};

static const char *file_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The command that makes the profile again, with files by their names only: where they lie is not its business. */
static int provenance_of(const struct options *o, const char *name, char **out)
{
	size_t size = 0;
	FILE *f = open_memstream(out, &size);

	if (!f)
		return -ENOMEM;
	fputs("memmapctl calibrate", f);
	for (int i = 0; i < o->nr_files; i++)
		fprintf(f, " %s", file_of(o->files[i]));
	if (o->has_path)
		fprintf(f, " --path %s", path_name(o->path));
	if (o->generic)
		fputs(" --generic", f);
	if (o->prior)
		fprintf(f, " --prior %s", file_of(o->prior));
	if (o->ratios)
		fprintf(f, " --ratios %s", file_of(o->ratios));
	fprintf(f, " --name %s", name);
	return fclose(f) ? -ENOMEM : 0;
}

static char *name_for(const struct options *o)
{
	const char *file = o->name ? o->name : file_of(o->files[0]);
	char *name = strdup(file);
	char *dot = name && !o->name ? strrchr(name, '.') : NULL;

	if (dot && dot > name)
		*dot = '\0';
	return name;
}

static int check_one_arch(const struct obs_rows *rows, const char *arch, struct diags *diags)
{
	for (size_t i = 0; i < rows->nr; i++) {
		if (strcmp(rows->items[i].from->env.arch, arch))
			return diag_error(diags, -EINVAL,
					  "observations of more than one architecture: %s and %s", arch,
					  rows->items[i].from->env.arch);
	}
	return 0;
}

static int check_one_clock(const struct obs_rows *rows, struct diags *diags)
{
	for (size_t i = 1; i < rows->nr; i++) {
		const struct observations *a = rows->items[i - 1].from, *b = rows->items[i].from;

		if (a->env.instruction_clock != b->env.instruction_clock)
			return diag_error(diags, -EINVAL,
					  "time that counts instructions and real time do not mix: %s and %s",
					  a->file, b->file);
	}
	return 0;
}

static int check_one_kind(const struct options *o, const struct observed *observed, struct diags *diags)
{
	const char *arch = observed->files[0]->env.arch;
	int err;

	if (!o->generic && observed->real.nr && observed->emulated.nr)
		return diag_error(
			diags, -EINVAL,
			"real and emulated observations do not mix: calibrate from one kind, or make a "
			"--generic profile");
	err = check_one_arch(&observed->real, arch, diags);
	if (!err)
		err = check_one_arch(&observed->emulated, arch, diags);
	return err ? err : check_one_clock(&observed->emulated, diags);
}

/* The first file among the observations of a mode. */
static const struct observations *file_of_mode(const struct observed *observed, const char *mode)
{
	for (size_t i = 0; i < observed->nr_files; i++) {
		if (!strcmp(observed->files[i]->mode, mode))
			return observed->files[i];
	}
	return NULL;
}

/* The race that ratios come from: the one named, or a simulated file among the observations. */
static int find_race(const struct options *o, const struct observed *observed, struct diags *diags,
		     struct observations **named, const struct observations **out)
{
	int err;

	if (o->ratios) {
		err = observations_load(o->ratios, diags, named);
		*out = *named;
		return err;
	}
	*out = file_of_mode(observed, "simulated");
	return 0;
}

static int fit(const struct options *o, const struct observed *observed, struct diags *diags,
	       struct profile **out)
{
	const struct obs_rows *rows = observed->real.nr ? &observed->real : &observed->emulated;
	_cleanup_observations_ struct observations *named = NULL;
	_cleanup_profile_ struct profile *prior = NULL, *profile = NULL;
	_cleanup_free_ char *name = name_for(o), *provenance = NULL;
	const struct observations *race = NULL, *in_kernel;
	int err;

	if (!name || provenance_of(o, name, &provenance))
		return -ENOMEM;
	err = o->prior ? profile_load(o->prior, diags, &prior) : 0;
	if (!err)
		err = find_race(o, observed, diags, &named, &race);
	if (err)
		return err;
	if (o->generic)
		return fit_generic(&observed->real, &observed->emulated, name, provenance, race, prior, diags,
				   out);
	err = fit_profile(rows, name, provenance, prior, diags, &profile);
	if (!err && race)
		err = fit_ratios(profile, race, diags);
	/* What the kernel itself showed goes over what a replica of it did. */
	in_kernel = o->ratios ? NULL : file_of_mode(observed, "kernel-paths");
	if (!err && in_kernel)
		err = fit_ratios(profile, in_kernel, diags);
	if (err)
		return err;
	*out = take_ptr(profile);
	return 0;
}

static int make_profile(const struct options *o, struct observed *observed, struct diags *diags,
			struct profile **out)
{
	int err = 0;

	for (int i = 0; !err && i < o->nr_files; i++)
		err = observed_add(observed, o->files[i], diags);
	if (err)
		return err;
	if (o->has_path) {
		obs_rows_keep_path(&observed->real, o->path);
		obs_rows_keep_path(&observed->emulated, o->path);
	}
	err = check_one_kind(o, observed, diags);
	return err ? err : fit(o, observed, diags, out);
}

/* What is printed: the profile made, or without one what a profile can have. */
struct result {
	const struct options *options;
	struct profile *profile;
};

static int print_result(const void *data, FILE *out)
{
	const struct result *result = data;
	const struct common_options *common = &result->options->common;
	const struct profile *profile = result->profile;
	_cleanup_doc_ struct doc *document = NULL;
	struct style style;

	if (!profile) {
		profile_print_reference(out);
		return 0;
	}
	if (common->format == FORMAT_YAML)
		return profile_save(profile, out);
	if (common->format == FORMAT_TABLE) {
		style = style_for(common, out);
		return profile_table(out, &style, profile);
	}
	document = doc_new(DOC_JSON, out);
	if (!document)
		return -ENOMEM;
	profile_doc(document, profile);
	return doc_finish(document);
}

static int calibrate(struct result *result, const char *argv0)
{
	const struct options *o = result->options;
	_cleanup_observed_ struct observed observed = {0};
	_cleanup_diags_ struct diags diags = {0};
	int err = make_profile(o, &observed, &diags, &result->profile);

	observed_print_diags(argv0, &o->common, &diags);
	if (!err)
		return EXIT_DONE;
	if (!diags.nr_errors)
		fprintf(stderr, "%s: %s\n", argv0, strerror(-err));
	return EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	struct options options = {.common.formats = 1 << FORMAT_TABLE | 1 << FORMAT_JSON | 1 << FORMAT_YAML,
				  .common.format = FORMAT_YAML}; /* the profile itself */
	struct result result = {.options = &options};
	int status = EXIT_DONE;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options))
		return EXIT_USAGE;
	if (!options.reference)
		status = calibrate(&result, argv[0]);
	if (!status)
		status = output_whole(&options.common, argv[0], print_result, &result);
	profile_free(result.profile);
	return status;
}

const struct command cmd_calibrate = {
	.name = "calibrate",
	.summary = "fit a cost profile to observations",
	.argp = &argp,
	.run = run,
};
