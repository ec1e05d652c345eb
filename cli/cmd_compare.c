// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl compare: two sets of observations, with a test. */
#include <errno.h>
#include <string.h>

#include "base/util.h"
#include "cli/command.h"
#include "cli/observed.h"
#include "cli/style.h"
#include "model/comparison.h"
#include "report/comparison_report.h"

enum {
	KEY_FORCE = 0x5000,
	KEY_FAIL,
};

struct options {
	struct common_options common;
	bool force;
	bool has_limit;
	double limit_pct;
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
	case KEY_FORCE:
		o->force = true;
		return 0;
	case KEY_FAIL:
		o->has_limit = true;
		return parse_percentage(state, "--fail-on-regression", arg, &o->limit_pct);
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->nr_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (o->nr_files != 2)
			argp_error(state, "name two files of observations: what was before, and what is now");
		else if (!strcmp(o->files[0], "-") && !strcmp(o->files[1], "-"))
			argp_error(state, "standard input can be one of the two only");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* clang-format off */
static const struct argp_option option_rows[] = {
	{"fail-on-regression", KEY_FAIL, "PERCENT", 0,
	 "exit 1 when a run is shown to be slower by more than PERCENT", 0},
	{"force", KEY_FORCE, NULL, 0,
	 "compare what is not comparable: another CPU, emulated against real, another amount of work", 0},
	{0},
};
/* clang-format on */

static const char doc[] =
	"Hold two sets of observations against each other, run by run: two kernels or two configurations on "
	"the same machine. First binds and rebinds are kept apart.\v"
	"A and B are JSON files as measure writes them. For each run in both: the ratio of the medians with "
	"a 95 % bootstrap interval (fixed seed: the same files give the same figures), the rank test "
	"(Mann-Whitney) corrected for the number of rows (Holm), the smallest change that so many samples, "
	"scattered like these, would have shown in 95 of 100 measurements, and a verdict. A change is called "
	"one when the corrected test is at 0.01 or less, the interval does not contain \"no change\", and "
	"the "
	"difference is larger than the clock's resolution.\n\n"
	"The test speaks of the samples: what differs between boots (where memory is, which CPU) is in them "
	"only if they come from several boots.\n\n"
	"Formats: table, json, yaml, csv, and markdown for a patch mail.\n\n"
	"Exit status: 0 done; 1 a regression of more than --fail-on-regression is shown (a single sample "
	"shows "
	"none); 2 usage, bad input, or not comparable.\n\n"
	"Examples:\n"
	"  memmapctl compare base.json patched.json\n"
	"  memmapctl compare base.json patched.json -f markdown >>0000-cover-letter.patch\n"
	"  memmapctl compare last-release.json today.json --fail-on-regression 3\n";

static const struct argp argp = {option_rows, parse, "A.json B.json", doc, common_children, NULL, NULL};

struct comparing {
	struct observations *a, *b;
	struct comparison *comparison;
	struct diags diags;
	const struct options *options;
};

static void comparing_free(struct comparing *c)
{
	comparison_free(c->comparison);
	observations_free(c->a);
	observations_free(c->b);
	diags_free(&c->diags);
}

static int print_comparison(const void *data, FILE *out)
{
	const struct comparing *c = data;
	const struct common_options *common = &c->options->common;
	_cleanup_doc_ struct doc *document = NULL;
	struct style style;

	if (common->format == FORMAT_CSV) {
		comparison_csv(out, c->comparison);
		return 0;
	}
	if (common->format == FORMAT_TABLE || common->format == FORMAT_MARKDOWN) {
		style = style_for(common, out);
		if (common->format == FORMAT_TABLE)
			return comparison_table(out, &style, c->comparison, &c->diags);
		comparison_markdown(out, &style, c->comparison, &c->diags);
		return 0;
	}
	document = doc_new(common->format == FORMAT_JSON ? DOC_JSON : DOC_YAML, out);
	if (!document)
		return -ENOMEM;
	comparison_doc(document, c->comparison, &c->diags);
	return doc_finish(document);
}

static int load(struct comparing *c, const char *path, struct observations **out)
{
	int err = observations_load(path, &c->diags, out);

	if (!err && (*out)->incomplete)
		diag_add(&c->diags, DIAG_WARNING, NULL, 0, 0, "%s was interrupted: what it has is used",
			 (*out)->file);
	return err;
}

static int compare(struct comparing *c, const struct options *o)
{
	int err = load(c, o->files[0], &c->a), err_b = load(c, o->files[1], &c->b);

	if (err || err_b)
		return err ? err : err_b;
	return comparison_new(c->a, c->b, o->force, &c->diags, &c->comparison);
}

static int run(int argc, char **argv)
{
	struct options o = {.common.formats = DEFAULT_FORMATS | 1 << FORMAT_MARKDOWN};
	_cleanup_(comparing_free) struct comparing c = {.options = &o};
	int err, status;

	if (argp_parse(&argp, argc, argv, 0, NULL, &o))
		return EXIT_USAGE;
	err = compare(&c, &o);
	if (err) {
		print_diags(argv[0], &c.diags);
		if (!c.diags.nr_errors)
			fprintf(stderr, "%s: %s\n", argv[0], strerror(-err));
		return EXIT_USAGE;
	}
	if (o.common.format == FORMAT_CSV && !o.common.quiet)
		print_diags(argv[0], &c.diags); /* which has no place for them */
	status = output_whole(&o.common, argv[0], print_comparison, &c);
	if (status)
		return status;
	return o.has_limit && comparison_has_regression(c.comparison, o.limit_pct) ? EXIT_DOES_NOT_FIT
										   : EXIT_DONE;
}

const struct command cmd_compare = {"compare", "hold two sets of observations against each other", &argp,
				    run};
