// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl advise: what to change about a host, what it saves, what it costs. */
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/style.h"
#include "report/advice_report.h"

enum {
	KEY_PROFILE = 'p',
	KEY_USABLE = 0x6000,
	KEY_RAM,
};

struct options {
	struct common_options common;
	const char *profile; /* NULL: the description's, or the generic one */
	struct limits limits;
	const char *file;
};

/* "SIZE" or "NAME=SIZE"; the name stays part of the argument. */
static error_t parse_usable(struct options *o, char *arg, struct argp_state *state)
{
	char *equals = strrchr(arg, '='), *size = equals ? equals + 1 : arg;
	struct wanted_usable *wanted = array_grow(&o->limits.usable, &o->limits.nr_usable, sizeof(*wanted));

	if (!wanted)
		return ENOMEM;
	if (size_parse(size, &wanted->bytes) || (equals && equals == arg)) {
		argp_error(state,
			   "--want-usable: '%s' is not a size, with or without a namespace before it "
			   "(try 98GiB or dax0.0=98GiB)",
			   arg);
		return EINVAL;
	}
	if (equals) {
		*equals = '\0';
		wanted->device = arg;
	}
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_PROFILE:
		o->profile = arg;
		return 0;
	case KEY_USABLE:
		return parse_usable(o, arg, state);
	case KEY_RAM:
		o->limits.has_max_ram = true;
		if (size_parse(arg, &o->limits.max_ram_bytes))
			argp_error(state, "--max-ram: '%s' is not a size (try 8GiB)", arg);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num)
			argp_error(state, "one host description at a time");
		o->file = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->file)
			argp_error(state, "name a host description: memmapctl advise HOST.yaml");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* clang-format off */
static const struct argp_option option_rows[] = {
	{"profile", KEY_PROFILE, "NAME|FILE", 0,
	 "cost profile, instead of the description's (default: the generic one of the architecture)", 0},
	{"want-usable", KEY_USABLE, "[NAME=]SIZE", 0,
	 "leave at least SIZE of a namespace to use; without NAME of every one (may be given several times)", 0},
	{"max-ram", KEY_RAM, "SIZE", 0, "use at most SIZE of RAM for memmaps", 0},
	{0},
};
/* clang-format on */

static const char doc[] =
	"What to change about a host: every change an operator can make, forecast, ranked by the time and by "
	"the "
	"memory it saves, with its price in words; and the cheapest set of changes with which every window "
	"of "
	"the description, and every limit given here, is met.\v"
	"HOST.yaml is a host description, - standard input. Cheaper means less effort, in this order: "
	"nothing "
	"moved or restarted; a reboot; a namespace created again and its data moved; users that get pages of "
	"another size; another kernel. Changes that save less than 1 % are listed with -v.\n\n"
	"Formats: table, json and yaml.\n\n"
	"Exit status: 0 everything is met, as it is or with the plan; 1 no set of changes meets everything; "
	"2 "
	"usage or bad input.\n\n"
	"Examples:\n"
	"  memmapctl advise gpu-node.yaml\n"
	"  memmapctl advise pmem-node.yaml --want-usable pmem0=496GiB --max-ram 4GiB\n"
	"  memmapctl advise pmem-node.yaml -f json | jq -r '.plan.changes[].change'\n";

static const struct argp argp = {option_rows, parse, "HOST.yaml", doc, common_children, NULL, NULL};

/* Everything one host needs, freed together, the advice first. */
struct subject {
	struct host *host;
	struct work *work;
	struct profile *profile;
	struct host_forecast *forecast;
	struct advice *advice;
	struct diags diags;
	const struct options *options;
};

static void subject_free(struct subject *s)
{
	advice_free(s->advice);
	forecast_free(s->forecast);
	profile_free(s->profile);
	work_free(s->work);
	host_free(s->host);
	diags_free(&s->diags);
}

static int check_wanted(struct subject *s, const struct limits *limits)
{
	int err = 0;

	for (size_t i = 0; i < limits->nr_usable; i++) {
		const char *name = limits->usable[i].device;
		bool found = !name;

		for (size_t k = 0; k < s->host->nr_namespaces; k++)
			found |= name && !strcmp(s->host->namespaces[k].name, name);
		if (!found)
			err = diag_error(&s->diags, -EINVAL, "--want-usable: %s has no namespace \"%s\"",
					 s->host->name, name);
	}
	return err;
}

static int build(struct subject *s, const struct options *o)
{
	_cleanup_free_ char *profile = NULL;
	int err = host_load(o->file, &s->diags, &s->host);

	if (!err)
		err = check_wanted(s, &o->limits);
	if (err)
		return err;
	profile = profile_name_for(o->profile, s->host);
	err = profile ? profile_load(profile, &s->diags, &s->profile) : -ENOMEM;
	if (!err)
		err = work_new(s->host, &s->diags, &s->work);
	if (!err)
		err = forecast_new(s->host, s->work, s->profile, s->host->kernel.memmap_path, &s->forecast);
	return err ? err : advice_new(s->forecast, &o->limits, &s->advice);
}

static int print_advice(const void *data, FILE *out)
{
	const struct subject *s = data;
	const struct options *o = s->options;
	const struct advice_report report = {
		.advice = s->advice, .limits = &o->limits, .diags = &s->diags, .all = o->common.verbose > 0};
	_cleanup_doc_ struct doc *document = NULL;

	if (o->common.format == FORMAT_TABLE) {
		struct style style = style_for(&o->common, out);

		return advice_table(out, &style, &report);
	}
	document = doc_new(o->common.format == FORMAT_JSON ? DOC_JSON : DOC_YAML, out);
	if (!document)
		return -ENOMEM;
	advice_doc(document, &report);
	return doc_finish(document);
}

static int advise(const struct options *o, const char *argv0)
{
	_cleanup_(subject_free) struct subject s = {.options = o};
	int err = build(&s, o);

	if (err) {
		print_diags(argv0, &s.diags);
		if (!s.diags.nr_errors)
			fprintf(stderr, "%s: %s\n", argv0, strerror(-err));
		return EXIT_USAGE;
	}
	if (output_whole(&o->common, argv0, print_advice, &s))
		return EXIT_USAGE;
	return s.advice->is_met ? EXIT_DONE : EXIT_DOES_NOT_FIT;
}

static int run(int argc, char **argv)
{
	struct options o = {.common.formats = 1 << FORMAT_TABLE | 1 << FORMAT_JSON | 1 << FORMAT_YAML};
	int status = EXIT_USAGE;

	if (!argp_parse(&argp, argc, argv, 0, NULL, &o))
		status = advise(&o, argv[0]);
	free(o.limits.usable);
	return status;
}

const struct command cmd_advise = {"advise", "what to change about a host, what it saves, what it costs",
				   &argp, run};
