// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl probe: this host, or a saved one, as a description. */
#include <string.h>

#include "cli/command.h"
#include "cli/diagnosis.h"
#include "cli/probe_import.h"
#include "cli/style.h"
#include "cli/sysroot.h"
#include "host/cmdline.h"
#include "probe/live.h"
#include "report/host_report.h"

enum { KEY_SYSROOT = 0x2000, KEY_IMPORT };

struct options {
	struct common_options common;
	const char *sysroot;
	bool import;
	char **files; /* to import */
	int nr_files;
};

static const struct argp_option option_rows[] = {
	{"sysroot",								    KEY_SYSROOT, "DIR|TAR", 0,
	 "read a saved host: a folder with its proc and sys, or a tar archive of one", 0},
	{"import",								   KEY_IMPORT, NULL, 0,
	 "read what tools printed on a host: FILEs of ndctl, daxctl and cxl list, lsmem -J, dmesg...", 0},
	{0},
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_SYSROOT:
		o->sysroot = arg;
		return 0;
	case KEY_IMPORT:
		o->import = true;
		return 0;
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->nr_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (o->import && (!o->nr_files || o->sysroot))
			argp_error(state,
				   "name what to read, and no other host: memmapctl probe --import FILE...");
		if (!o->import && o->nr_files)
			argp_error(state,
				   "probe takes files after --import only; for a saved host: --sysroot %s",
				   o->files[0]);
		if (o->import && o->common.format == FORMAT_TABLE)
			argp_error(state, "--format: probe --import has yaml (the default) and json");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp probe_argp = {
	option_rows,
	parse_option,
	"\n--import FILE...",
	"Print this host as a host description: YAML that predict, measure --mode guest and advise take as "
	"it is, "
	"with where each value came from. What cannot be seen is a comment, \"# unknown: ...\".\v"
	"Examples:\n"
	"  memmapctl probe -o host.yaml\n"
	"  memmapctl probe -f table\n"
	"  memmapctl probe --sysroot host.tar.zst     what memmapctl snapshot saved, or any saved /proc and "
	"/sys\n"
	"  memmapctl probe -f json | jq '.facts.nd_namespaces'\n"
	"  memmapctl probe --import ndctl.json lsmem.json dmesg.txt -o host.yaml\n"
	"\n"
	"An import takes ndctl, daxctl and cxl list in all their forms, lsmem -J, a kernel command line, a\n"
	"kernel log and /proc/buddyinfo, each a file or one after another in one; - is standard input.\n"
	"\n"
	"Works without root; root sees physical addresses, too. Nothing is changed, and no module is "
	"loaded.\n"
	"Exit status: 0 done, also where much is unknown; 2 usage, or no saved host there.",
	common_children,
	NULL,
	NULL,
};

static int print_probed(const struct options *o, const struct probed *probed, const struct diags *notes,
			FILE *out)
{
	struct style style = style_for(&o->common, out);

	switch (o->common.format) {
	case FORMAT_JSON:
		return host_json(probed, notes, out);
	case FORMAT_TABLE:
		return host_table(probed, notes, &style, out);
	default:
		return host_yaml(probed, out);
	}
}

static void print_notes(const struct options *o, const char *argv0, const struct diags *diags)
{
	/* YAML and JSON have them at their places. */
	if (o->common.verbose && o->common.format != FORMAT_TABLE)
		print_diags(argv0, diags);
}

static void print_warnings(const char *argv0, const struct host *host, const struct diags *diags)
{
	for (size_t i = 0; i < diags->nr; i++) {
		if (diags->items[i].level != DIAG_NOTE)
			fprintf(stderr, "%s: %s: warning: %s\n", argv0, host->file, diags->items[i].text);
	}
}

/* What the kernel would not take, what will not work out, a tree that contradicts itself: said, and printed all the same. */
static void print_doubts(const struct options *o, const char *argv0, struct probed *probed)
{
	const struct host *host = probed->host;
	_cleanup_diags_ struct diags diags = {0}, unmet = {0};

	if (o->common.quiet || host_is_unknown(host, &host->arch))
		return;
	probed_set_free(probed);
	if (!host_check(host, &diags) && host->memory_bytes)
		diagnose_host(host, &diags);
	if (!host_is_unknown(host, &host->hugepages))
		cmdline_compare(&probed->options, host, &unmet);
	print_warnings(argv0, host, &diags);
	print_warnings(argv0, host, &probed->option_doubts);
	print_warnings(argv0, host, &unmet);
}

static int run(int argc, char **argv)
{
	_cleanup_sysroot_ struct sysroot sysroot = {.root = {.fd = -1}};
	_cleanup_probed_ struct probed probed = {0};
	_cleanup_diags_ struct diags notes = {0};
	struct options o = {.common.formats = 1 << FORMAT_TABLE | 1 << FORMAT_JSON | 1 << FORMAT_YAML,
			    .common.format = FORMAT_YAML};
	struct output out;
	int status, err;

	argp_parse(&probe_argp, argc, argv, 0, NULL, &o);
	if (o.import)
		return probe_import(argv[0], &o.common, o.files, (size_t)o.nr_files);
	status = sysroot_open(argv[0], o.sysroot, &sysroot);
	if (status)
		return status;
	err = probe_host(&sysroot.root, &notes, &probed);
	if (err) {
		fprintf(stderr, "%s: %s\n", argv[0], strerror(-err));
		return EXIT_USAGE;
	}
	if (output_open(&o.common, &out))
		return EXIT_USAGE;
	err = print_probed(&o, &probed, &notes, out.file);
	if (err) {
		fprintf(stderr, "%s: %s\n", argv[0], strerror(-err));
		output_abandon(&out);
		return EXIT_USAGE;
	}
	fflush(out.file); /* in order with what goes to standard error */
	print_notes(&o, argv[0], &notes);
	print_doubts(&o, argv[0], &probed);
	return output_commit(&out);
}

const struct command cmd_probe = {"probe", "print this host, or a saved one, as a host description",
				  &probe_argp, run};
