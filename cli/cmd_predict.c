// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * memmapctl predict: from host descriptions to forecasts. One host is held at a time, so that thousands cost the
 * memory of one; a description with mistakes is reported and left out, and the others are printed whole.
 */
#include <errno.h>
#include <string.h>

#include "base/root.h"
#include "base/util.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/style.h"
#include "geometry/geometry.h"
#include "host/host.h"
#include "model/forecast.h"
#include "model/lever.h"
#include "model/profile.h"
#include "probe/live.h"
#include "report/forecast_report.h"

enum {
	KEY_PROFILE = 'p',
	KEY_PATH = 0x2000,
	KEY_KERNEL,
	KEY_EXPLAIN,
	KEY_LEVER,
};

struct options {
	struct common_options common;
	const char *profile; /* NULL: the description's, or the generic one */
	bool all_paths;
	bool has_path;
	enum memmap_path path;
	const char *kernel; /* NULL: the description's */
	struct kver kernel_version;
	bool explain;
	bool lever;
	char **files;
	int nr_files;
};

/* A profile is read once, however many hosts name it; one that cannot be read is reported once. */
struct loaded_profile {
	char *name;
	struct profile *profile; /* NULL: it cannot be read */
};

struct predict {
	const struct options *options;
	const char *argv0;
	FILE *out;
	struct style style;
	bool is_fleet; /* one row a host */
	struct loaded_profile *profiles;
	size_t nr_profiles;
	struct doc *doc;
	struct fleet fleet;
	size_t nr_printed, nr_bad, nr_not_fitting;
};

/* Everything one host needs, freed together. */
struct subject {
	struct host *host;
	struct work *work;
	struct host_forecast *forecasts[NR_PATHS];
	size_t nr_forecasts;
	struct levers *levers;
	struct diags diags;
};

static void subject_free(struct subject *s)
{
	levers_free(s->levers);
	for (size_t i = 0; i < s->nr_forecasts; i++)
		forecast_free(s->forecasts[i]);
	work_free(s->work);
	host_free(s->host);
	diags_free(&s->diags);
}

static error_t parse_path(struct options *o, const char *arg, struct argp_state *state)
{
	static const char *const names[] = {"kernel", "all", "baseline", "template", "template-nt", NULL};
	const char *near;

	o->all_paths = !strcmp(arg, "all");
	o->has_path = false;
	if (o->all_paths || !strcmp(arg, "kernel"))
		return 0;
	if (strcmp(arg, path_name(PATH_ANY)) && !path_from_name(arg, &o->path)) {
		o->has_path = true;
		return 0;
	}
	near = suggest(arg, names);
	argp_error(
		state,
		"--path: unknown path '%s'%s%s%s: baseline, template, template-nt, all or kernel (what the "
		"description says)",
		arg, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	return EINVAL;
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
	case KEY_PATH:
		return parse_path(o, arg, state);
	case KEY_KERNEL:
		if (kver_parse(arg, &o->kernel_version))
			argp_error(state, "--kernel: '%s' is not a kernel release (try 6.12 or 7.3.4)", arg);
		o->kernel = arg;
		return 0;
	case KEY_EXPLAIN:
		o->explain = true;
		return 0;
	case KEY_LEVER:
		o->lever = true;
		return 0;
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->nr_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (o->common.format == FORMAT_CSV && (o->explain || o->lever))
			argp_error(state, "--explain and --lever have no columns in CSV: use json or yaml");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option option_rows[] = {
	{"profile",										   KEY_PROFILE, "NAME|FILE", 0,
	 "cost profile, instead of the description's (default: the generic one of the architecture)", 0},
	{"path",										KEY_PATH, "PATH", 0,
	 "how struct pages are written: baseline, template, template-nt, all, or kernel: what the "
	 "description says (default)", 0},
	{"kernel", KEY_KERNEL, "RELEASE", 0, "what if the host ran this kernel", 0},
	{"explain",											   KEY_EXPLAIN, NULL, 0, "for every number its formula, inputs, kernel rule and cost", 0},
	{"lever",    KEY_LEVER, NULL, 0,
	 "try every change an operator can make, also for json, yaml and several hosts", 0},
	{0											 },
};

static const char doc[] =
	"How long each hot-plug and the memory map's part of boot will take, stage by stage, and "
	"how much memory the memory map eats, for each host description; without one, for this host.\v"
	"HOST.yaml is a description, - standard input, or a folder of *.yaml. With several hosts "
	"the table has one row each, the worst first. A description with mistakes is reported and "
	"left out; the others are printed whole, and the exit status is 2.\n\n"
	"Exit status: 0 done, and every window fits; 1 a window does not fit; 2 usage or bad input; "
	"3 this host cannot be probed.\n\n"
	"Examples:\n"
	"  memmapctl predict gpu-node.yaml --path all\n"
	"  memmapctl predict gpu-node.yaml --kernel 6.12 --explain\n"
	"  memmapctl predict fleet/ -f json |\n"
	"    jq -r '.hosts[] | select(any(.windows[]; .fits | not)).name'\n";

static const struct argp argp = {option_rows, parse, "[HOST.yaml...]", doc, common_children, NULL, NULL};

/* The profile of a name, read at its first use. 0, -ENOMEM, or another error with the reason in diags. */
static int load_profile(struct predict *p, const char *name, struct diags *diags, const struct profile **out)
{
	struct loaded_profile *slot;

	for (size_t i = 0; i < p->nr_profiles; i++) {
		if (strcmp(p->profiles[i].name, name))
			continue;
		*out = p->profiles[i].profile;
		return *out ? 0 : -EINVAL;
	}
	slot = array_grow(&p->profiles, &p->nr_profiles, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	slot->name = strdup(name);
	if (!slot->name) {
		p->nr_profiles--;
		return -ENOMEM;
	}
	int err = profile_load(name, diags, &slot->profile);

	*out = slot->profile;
	return err;
}

static int change_kernel(const struct predict *p, struct subject *s)
{
	struct host_kernel *kernel = &s->host->kernel;
	char *release;

	if (!p->options->kernel)
		return 0;
	release = strdup(p->options->kernel);
	if (!release)
		return -ENOMEM;
	if (!p->is_fleet) /* there it would be said of every host */
		diag_add(&s->diags, DIAG_NOTE, NULL, 0, 0, "what if: kernel %s instead of %s", release,
			 kernel->release ? kernel->release : "one not stated");
	free(kernel->release);
	kernel->release = release;
	kernel->version = p->options->kernel_version;
	return 0;
}

static int forecast_path(struct subject *s, const struct profile *profile, enum memmap_path path)
{
	int err = forecast_new(s->host, s->work, profile, path, &s->forecasts[s->nr_forecasts]);

	if (!err)
		s->nr_forecasts++;
	return err;
}

static int forecast_paths(const struct options *options, struct subject *s, const struct profile *profile)
{
	enum memmap_path own = options->has_path ? options->path : s->host->kernel.memmap_path;
	int err = forecast_path(s, profile, own);

	for (int path = 0; options->all_paths && path < NR_PATHS && !err; path++) {
		if (path != (int)own)
			err = forecast_path(s, profile, (enum memmap_path)path);
	}
	return err;
}

/*
 * Levers cost some twenty forecasts, and five more for each namespace: by default only where one host's page shows the
 * biggest, and not for a host where that would take seconds.
 */
static bool wants_levers(const struct predict *p, struct subject *s)
{
	enum { MANY_DEVICES = 100 };

	if (p->options->lever)
		return true;
	if (p->options->common.format != FORMAT_TABLE || p->is_fleet)
		return false;
	if (s->work->nr_devices <= MANY_DEVICES)
		return true;
	diag_add(&s->diags, DIAG_NOTE, NULL, 0, 0,
		 "with more than %d namespaces and devices no changes are tried: --lever does, and takes its "
		 "time",
		 MANY_DEVICES);
	return false;
}

static int build(struct predict *p, struct subject *s)
{
	_cleanup_free_ char *name = profile_name_for(p->options->profile, s->host);
	const struct profile *profile;
	int err = name ? change_kernel(p, s) : -ENOMEM;

	if (err)
		return err;
	err = load_profile(p, name, &s->diags, &profile);
	if (err) {
		diag_add(&s->diags, DIAG_ERROR, s->host->file, 0, 0,
			 "its profile \"%s\" cannot be used: see above", name);
		return err;
	}
	err = work_new(s->host, &s->diags, &s->work);
	if (!err)
		err = forecast_paths(p->options, s, profile);
	if (!err && wants_levers(p, s))
		err = levers_new(s->forecasts[0], NULL, &s->levers);
	return err;
}

static int print_page(struct predict *p, const struct forecast_report *report)
{
	int err;

	if (p->nr_printed)
		putc('\n', p->out);
	err = forecast_table_host(p->out, &p->style, report);
	if (!err && report->explain)
		forecast_explain_host(p->out, &p->style, report);
	return err;
}

static int print_doc(struct predict *p, const struct forecast_report *report)
{
	if (!p->doc) {
		p->doc = doc_new(p->options->common.format == FORMAT_JSON ? DOC_JSON : DOC_YAML, p->out);
		if (!p->doc)
			return -ENOMEM;
		forecast_doc_begin(p->doc);
	}
	forecast_doc_host(p->doc, report);
	return 0;
}

/* Warnings and notes are part of a page and of a document; where a form has no place for them they go to stderr. */
static int print_report(struct predict *p, const struct forecast_report *report)
{
	const struct common_options *common = &p->options->common;

	if (common->format == FORMAT_JSON || common->format == FORMAT_YAML)
		return print_doc(p, report);
	if (common->format == FORMAT_TABLE && !p->is_fleet)
		return print_page(p, report);
	if (!common->quiet)
		print_diags(p->argv0, report->diags);
	if (p->is_fleet)
		return fleet_add(&p->fleet, report);
	if (!p->nr_printed)
		forecast_csv_header(p->out);
	forecast_csv_host(p->out, report);
	return 0;
}

/* One host, loaded: 0, or -EINVAL with its mistakes printed, or another error. */
static int predict_host(struct predict *p, struct subject *s)
{
	struct forecast_report report = {.diags = &s->diags, .explain = p->options->explain};
	int err = build(p, s);

	if (err == -ENOMEM)
		return err;
	if (err) {
		print_diags(p->argv0, &s->diags);
		p->nr_bad++;
		return -EINVAL;
	}
	report.paths = (const struct host_forecast *const *)s->forecasts;
	report.nr_paths = s->nr_forecasts;
	report.levers = s->levers;
	err = print_report(p, &report);
	if (err)
		return err;
	p->nr_printed++;
	p->nr_not_fitting += !windows_fit(s->forecasts[0]->windows, s->forecasts[0]->nr_windows);
	return 0;
}

static int predict_file(struct predict *p, const char *file)
{
	_cleanup_(subject_free) struct subject s = {0};
	int err = host_load(file, &s.diags, &s.host);

	if (!err)
		return predict_host(p, &s);
	if (err == -ENOMEM)
		return err;
	print_diags(p->argv0, &s.diags);
	p->nr_bad++;
	return -EINVAL;
}

static int predict_live(struct predict *p, int *status)
{
	_cleanup_(subject_free) struct subject s = {0};
	_cleanup_(root_close) struct root root = {.fd = -1};
	int err = root_open("/", &root);

	if (!err)
		err = probe_live(&root, &s.diags, &s.host);
	if (!err)
		return predict_host(p, &s);
	print_diags(p->argv0, &s.diags);
	if (!s.diags.nr)
		fprintf(stderr, "%s: this host cannot be probed: %s\n", p->argv0, strerror(-err));
	*status = EXIT_NOT_POSSIBLE;
	return 0;
}

static int finish(struct predict *p)
{
	int err = 0;

	if (p->doc) {
		forecast_doc_end(p->doc);
		err = doc_finish(p->doc);
	}
	if (!err && p->fleet.nr)
		err = fleet_print(&p->fleet, p->out, &p->style);
	return err;
}

/* The profile of the command line is wrong for all hosts or for none: say so once, before the first. */
static bool command_line_profile_is_bad(struct predict *p)
{
	_cleanup_diags_ struct diags diags = {0};
	const struct profile *profile;

	if (!p->options->profile || !load_profile(p, p->options->profile, &diags, &profile))
		return false;
	print_diags(p->argv0, &diags);
	return true;
}

/* 0 and *exit_status, or a negative errno: what was printed is not whole. */
static int predict_all(struct predict *p, const struct inputs *inputs, int *exit_status)
{
	int status = EXIT_DONE, err = 0;

	*exit_status = EXIT_USAGE;
	if (command_line_profile_is_bad(p))
		return 0;
	if (!inputs->nr)
		err = predict_live(p, &status);
	for (size_t i = 0; i < inputs->nr; i++) {
		err = predict_file(p, inputs->paths[i]);
		if (err && err != -EINVAL)
			break;
		err = 0;
	}
	if (!err || err == -EINVAL)
		err = finish(p);
	if (err)
		return err;
	if (p->nr_bad && p->nr_printed)
		fprintf(stderr, "%s: %zu of %zu descriptions have mistakes and are left out\n", p->argv0,
			p->nr_bad, p->nr_bad + p->nr_printed);
	if (!p->nr_bad)
		*exit_status = status ? status : p->nr_not_fitting ? EXIT_DOES_NOT_FIT : EXIT_DONE;
	return 0;
}

static void predict_free(struct predict *p)
{
	for (size_t i = 0; i < p->nr_profiles; i++) {
		profile_free(p->profiles[i].profile);
		free(p->profiles[i].name);
	}
	free(p->profiles);
	doc_free(p->doc);
	fleet_free(&p->fleet);
}

static int run(int argc, char **argv)
{
	struct options options = {0};
	_cleanup_inputs_ struct inputs inputs = {0};
	_cleanup_(predict_free) struct predict p = {.options = &options, .argv0 = argv[0]};
	struct output out;
	int status, err;

	if (argp_parse(&argp, argc, argv, 0, NULL, &options))
		return EXIT_USAGE;
	if (inputs_expand(argv[0], options.files, options.nr_files, &inputs))
		return EXIT_USAGE;
	status = output_open(&options.common, &out);
	if (status)
		return status;
	p.out = out.file;
	p.style = style_for(&options.common, out.file);
	p.is_fleet =
		options.common.format == FORMAT_TABLE && inputs.nr > 1 && !options.explain && !options.lever;
	err = predict_all(&p, &inputs, &status);
	if (err == -ERANGE)
		fprintf(stderr, "%s: a time is not a number: the profile's costs are out of range\n",
			argv[0]);
	if (err == -ERANGE || (!err && !p.nr_printed)) {
		output_abandon(&out);
		return status;
	}
	return output_end(&out, argv[0], err) ? EXIT_USAGE : status;
}

const struct command cmd_predict = {"predict", "forecast hot-plug, boot and memory from host descriptions",
				    &argp, run};
