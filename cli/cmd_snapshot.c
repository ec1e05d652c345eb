// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl snapshot: what probe reads of this host, in an archive that probe --sysroot reads elsewhere. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/units.h"
#include "cli/command.h"
#include "cli/sysroot.h"
#include "probe/live.h"

enum { KEY_SYSROOT = 0x2000 };

struct options {
	struct common_options common;
	const char *sysroot;
};

static const struct argp_option option_rows[] = {
	{"sysroot",  KEY_SYSROOT, "DIR|TAR", 0, "take it of a saved host: makes a small one of a large one",
	 0},
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
	case ARGP_KEY_ARG:
		argp_error(state, "snapshot takes no arguments; where to: -o %s", arg);
		return EINVAL;
	case ARGP_KEY_END:
		if (!o->common.output)
			argp_error(state, "name the archive: memmapctl snapshot -o host.tar.zst");
		if (!tree_save_knows(o->common.output))
			argp_error(state,
				   "-o: %s: name it .tar, .tar.zst, .tar.gz, .tar.xz or .tar.bz2: the end "
				   "tells how "
				   "to compress",
				   o->common.output);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp snapshot_argp = {
	option_rows,
	parse_option,
	"",
	"Gather exactly what probe reads of this host, to probe it elsewhere.\v"
	"Example:\n"
	"  memmapctl snapshot -o host.tar.zst\n"
	"  memmapctl probe --sysroot host.tar.zst\n"
	"\n"
	"Of the kernel command line only options about memory are kept, of mounts only those of persistent "
	"memory, of "
	"the physical address map only hot-added memory. No serial numbers, no unique ids, no process data.\n"
	"Exit status: 0 done, 2 usage, or the archive cannot be written.",
	common_children,
	NULL,
	NULL,
};

static int gather(const char *argv0, const char *path, struct tree *tree)
{
	_cleanup_sysroot_ struct sysroot sysroot = {.root = {.fd = -1}};
	_cleanup_probed_ struct probed probed = {0};
	_cleanup_diags_ struct diags notes = {0};
	int err, status = sysroot_open(argv0, path, &sysroot);

	if (status)
		return status;
	sysroot.root.record = tree;
	err = probe_host(&sysroot.root, &notes, &probed);
	if (!err)
		err = tree_finish(tree);
	if (err)
		fprintf(stderr, "%s: %s\n", argv0, strerror(-err));
	return err ? EXIT_USAGE : EXIT_DONE;
}

/* A signal waits for the end of the writing, which takes moments: no temporary file is left behind. */
static int write_archive(const struct options *o, const char *argv0, const struct tree *tree)
{
	_cleanup_diags_ struct diags diags = {0};
	struct output out;
	sigset_t signals, before;
	int status = EXIT_USAGE;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &before);
	if (!output_open(&o->common, &out)) {
		if (tree_save(tree, o->common.output, out.file, &diags)) {
			print_diags(argv0, &diags);
			output_abandon(&out);
		} else {
			status = output_commit(&out);
		}
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

static void print_summary(const char *argv0, const char *path, const struct tree *tree)
{
	char size[UNITS_STR];
	uint64_t bytes = 0;

	for (size_t i = 0; i < tree->nr; i++)
		bytes += tree->items[i].len;
	fprintf(stderr, "%s: %s: %zu entries, %s before compression\n", argv0, path, tree->nr,
		size_human(size, bytes));
	fprintf(stderr,
		"%s: it tells: host name, kernel release, configuration and types, memory options of the "
		"command line, CPU "
		"model, memory and device layout, free memory, mount points of persistent memory\n",
		argv0);
}

static int run(int argc, char **argv)
{
	_cleanup_tree_ struct tree tree = {0};
	struct options o = {.common.formats = NO_FORMATS};
	int status;

	argp_parse(&snapshot_argp, argc, argv, 0, NULL, &o);
	status = gather(argv[0], o.sysroot, &tree);
	if (!status)
		status = write_archive(&o, argv[0], &tree);
	if (!status && !o.common.quiet)
		print_summary(argv[0], o.common.output, &tree);
	return status;
}

const struct command cmd_snapshot = {"snapshot", "save what probe reads, to probe it elsewhere",
				     &snapshot_argp, run};
