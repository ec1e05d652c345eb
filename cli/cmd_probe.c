// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl probe: a host description from what people paste. */
#include "base/util.h"
#include "cli/command.h"
#include "cli/probe_import.h"

enum { KEY_IMPORT = 0x2000 };

struct options {
	struct common_options common;
	bool import;
	char **files;
	int nr_files;
};

static const struct argp_option option_rows[] = {
	{"import", KEY_IMPORT, NULL, 0, "read FILEs that ndctl, daxctl, cxl, lsmem -J, dmesg... printed", 0},
	{0   },
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *o = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_IMPORT:
		o->import = true;
		return 0;
	case ARGP_KEY_ARGS:
		o->files = state->argv + state->next;
		o->nr_files = state->argc - state->next;
		return 0;
	case ARGP_KEY_END:
		if (!o->import || !o->nr_files)
			argp_error(state, "name what to read: memmapctl probe --import FILE...");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&common_argp,       0, "Common options:", 90},
        {0}
};

static const struct argp argp = {
	option_rows,
	parse_option,
	"--import FILE...",
	"Print a host description made of what tools printed on that host. - is standard input.\v"
	"Example:\n"
	"  memmapctl probe --import ndctl.json lsmem.json dmesg.txt > host.yaml\n"
	"\n"
	"What a file is, is recognised: ndctl, daxctl and cxl list in all their forms, lsmem -J, a kernel\n"
	"command line, a kernel log, /proc/buddyinfo, alone or one after another in one file.",
	children,
	NULL,
	NULL,
};

static int run(int argc, char **argv)
{
	struct options o = {0};

	if (argp_parse(&argp, argc, argv, 0, NULL, &o))
		return EXIT_USAGE;
	return probe_import(argv[0], &o.common, o.files, (size_t)o.nr_files);
}

const struct command cmd_probe = {"probe", "make a host description of what tools print", &argp, run};
