// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl validate: a profile's forecasts against what was measured. */
#include <errno.h>
#include <string.h>

#include "base/configs.h"
#include "base/util.h"
#include "cli/command.h"
#include "cli/observed.h"
#include "cli/style.h"
#include "report/validation_report.h"

enum {
	KEY_PATH = 0x4000,
	KEY_MAX_ERROR,
	KEY_PUBLISHED,
};

struct options {
	struct common_options common;
	bool has_path;
	enum memmap_path path;
	bool has_max_error;
	double max_error_pct;
	bool published;
	char **args;
	int nr_args;
};

/*
 * The published scenarios: profiles/ID.yaml is fitted to observations/published-ID.json, the unpatched rows, and
 * held against published-ID-patched.json.
 */
static const struct {
	const char *id;
	const char *not_forecast; /* why there is nothing to hold against; NULL: there is */
} scenarios[] = {
	{"zone-device-template",     NULL								},
	{"compound-tail-template",   NULL								},
	{"hugetlb-bootmem-template", NULL								},
	{"hvo-skip-tail-init",       NULL								},
	{"forced-inlining",          "forced-inlining: published are UnixBench scores and the size of vmlinux; no "
			    "memory map was timed, so a "
			    "model of the memory map has nothing to forecast there. The three builds of the "
			    "init paths can be raced: "
			    "memmapctl measure --mode simulated --codegen all"},
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
	case KEY_MAX_ERROR:
		o->has_max_error = true;
		return parse_percentage(state, "--max-error", arg, &o->max_error_pct);
	case KEY_PUBLISHED:
		o->published = true;
		return 0;
	case ARGP_KEY_ARGS:
		o->args = state->argv + state->next;
		o->nr_args = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (o->published && o->nr_args)
			argp_error(state, "--published takes no files: profiles and observations are the "
					  "program's own");
		if (!o->published && o->nr_args < 2)
			argp_error(state,
				   "name a profile and at least one file of observations, or --published");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* clang-format off */
static const struct argp_option option_rows[] = {
	{"path", KEY_PATH, "PATH", 0, "only observations of this init path: baseline, template or template-nt", 0},
	{"max-error", KEY_MAX_ERROR, "PERCENT", 0, "exit 1 when a row's error is larger", 0},
	{"published", KEY_PUBLISHED, NULL, 0,
	 "hold the profiles fitted to the unpatched rows of the published results against the patched rows", 0},
	{0},
};
/* clang-format on */

static const char doc[] = "Hold a profile's forecasts against observations, row by row: forecast with its 90 "
			  "% interval, measured, "
			  "error, and whether the measurement is inside the interval.\v"
			  "PROFILE is a file or a name; OBSERVATIONS are JSON files as measure writes them, "
			  "ideally ones that the "
			  "profile was not fitted to.\n\n"
			  "Exit status: 0 done; 1 an error is larger than --max-error, or a cost is missing "
			  "under it; 2 usage or bad "
			  "input.\n\n"
			  "Examples:\n"
			  "  memmapctl validate mine.yaml observed.json --max-error 15\n"
			  "  memmapctl validate --published\n";

static const struct argp argp = {
	option_rows, parse, "PROFILE OBSERVATIONS...\n--published", doc, common_children, NULL, NULL};

/* What one profile is held against; the validation's rows point into it. */
struct subject {
	struct profile *profile;
	struct observed observed;
};

struct validating {
	const struct options *options;
	struct diags *diags;
	struct subject subjects[ARRAY_SIZE(scenarios)];
	size_t nr_subjects;
	struct validation validation;
	const char *notes[ARRAY_SIZE(scenarios) + 1];
	size_t nr_notes;
};

static void validating_free(struct validating *v)
{
	for (size_t i = 0; i < v->nr_subjects; i++) {
		profile_free(v->subjects[i].profile);
		observed_free(&v->subjects[i].observed);
	}
	validation_free(&v->validation);
}

static int add_rows(struct validating *v, const struct subject *subject, struct obs_rows *rows,
		    const char *scenario)
{
	if (v->options->has_path)
		obs_rows_keep_path(rows, v->options->path);
	return validation_add(&v->validation, subject->profile, scenario, rows);
}

static int check_clock(const struct subject *s, struct diags *diags)
{
	const struct obs_rows *rows = &s->observed.emulated;

	for (size_t i = 0; i < rows->nr; i++) {
		if (rows->items[i].from->env.instruction_clock != s->profile->instruction_clock)
			return diag_error(
				diags, -EINVAL,
				"time that counts instructions and real time do not compare: %s and %s",
				s->profile->name, rows->items[i].from->file);
	}
	return 0;
}

static int add_subject(struct validating *v, const char *profile, char *const *files, int nr_files,
		       const char *scenario)
{
	struct subject *s = &v->subjects[v->nr_subjects++];
	int err = profile_load(profile, v->diags, &s->profile);

	for (int i = 0; !err && i < nr_files; i++)
		err = observed_add(&s->observed, files[i], v->diags);
	if (err)
		return err;
	if ((s->observed.emulated.nr && !s->profile->emulated) ||
	    (s->observed.real.nr && s->profile->emulated))
		return diag_error(
			v->diags, -EINVAL,
			"emulated times and a machine's do not compare: %s is %s, the observations are "
			"%s",
			s->profile->name, s->profile->emulated ? "emulated" : "a machine's",
			s->observed.emulated.nr ? "emulated" : "a machine's");
	err = check_clock(s, v->diags);
	if (err)
		return err;
	err = add_rows(v, s, &s->observed.real, scenario);
	return err ? err : add_rows(v, s, &s->observed.emulated, scenario);
}

static int add_scenario(struct validating *v, const char *id)
{
	_cleanup_free_ char *name = NULL, *file = NULL;
	int err;

	if (asprintf(&name, "observations/published-%s-patched.json", id) < 0) {
		name = NULL;
		return -ENOMEM;
	}
	err = configs_find(name, &file);
	if (err)
		return diag_error(v->diags, err, "%s is not among the program's configs", name);
	return add_subject(v, id, &file, 1, id);
}

static int add_published(struct validating *v)
{
	int err = 0;

	for (size_t i = 0; !err && i < ARRAY_SIZE(scenarios); i++) {
		if (scenarios[i].not_forecast)
			v->notes[v->nr_notes++] = scenarios[i].not_forecast;
		else
			err = add_scenario(v, scenarios[i].id);
	}
	return err;
}

static int validate(struct validating *v)
{
	const struct options *o = v->options;
	int err = o->published ? add_published(v)
			       : add_subject(v, o->args[0], o->args + 1, o->nr_args - 1, NULL);

	if (err)
		return err;
	err = validation_finish(&v->validation);
	if (err == -EINVAL)
		return diag_error(v->diags, err, "no observations to hold the profile against");
	return err;
}

static int print_validation(const void *data, FILE *out)
{
	const struct validating *v = data;
	const struct common_options *common = &v->options->common;
	_cleanup_doc_ struct doc *document = NULL;
	struct style style;

	if (common->format == FORMAT_CSV) {
		validation_csv(out, &v->validation);
		return 0;
	}
	if (common->format == FORMAT_TABLE) {
		style = style_for(common, out);
		return validation_table(out, &style, &v->validation, v->notes);
	}
	document = doc_new(common->format == FORMAT_JSON ? DOC_JSON : DOC_YAML, out);
	if (!document)
		return -ENOMEM;
	validation_doc(document, &v->validation, v->notes);
	return doc_finish(document);
}

static bool within_limit(const struct validating *v)
{
	if (!v->options->has_max_error)
		return true;
	for (size_t i = 0; i < v->validation.nr; i++) {
		if (v->validation.rows[i].nr_missing)
			return false;
	}
	return v->validation.max_abs_pct <= v->options->max_error_pct;
}

static int run(int argc, char **argv)
{
	struct options options = {0};
	_cleanup_diags_ struct diags diags = {0};
	_cleanup_(validating_free) struct validating v = {.options = &options, .diags = &diags};
	int err, status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options))
		return EXIT_USAGE;
	err = validate(&v);
	observed_print_diags(argv[0], &options.common, &diags);
	if (err) {
		if (!diags.nr_errors)
			fprintf(stderr, "%s: %s\n", argv[0], strerror(-err));
		return EXIT_USAGE;
	}
	status = output_whole(&options.common, argv[0], print_validation, &v);
	return status ? status : within_limit(&v) ? EXIT_DONE : EXIT_DOES_NOT_FIT;
}

const struct command cmd_validate = {
	.name = "validate",
	.summary = "hold a profile's forecasts against observations",
	.argp = &argp,
	.run = run,
};
