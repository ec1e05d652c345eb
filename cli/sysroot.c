// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/sysroot.h"

#include <string.h>
#include <sys/stat.h>

#include "cli/command.h"

static int open_folder(const char *argv0, const char *path, struct sysroot *out)
{
	int err = root_open(path, &out->root);

	if (err) {
		fprintf(stderr, "%s: --sysroot: %s: %s\n", argv0, path, strerror(-err));
		return EXIT_USAGE;
	}
	if (!root_exists(&out->root, "proc") && !root_exists(&out->root, "sys")) {
		fprintf(stderr,
			"%s: --sysroot: %s: no saved host: there is neither a proc nor a sys folder in it\n",
			argv0, path);
		root_close(&out->root);
		return EXIT_USAGE;
	}
	return EXIT_DONE;
}

static int open_archive(const char *argv0, const char *path, struct sysroot *out)
{
	_cleanup_diags_ struct diags diags = {0};
	int err = tree_load(path, &diags, &out->tree);

	print_diags(argv0, &diags);
	if (err && !diags.nr_errors)
		fprintf(stderr, "%s: --sysroot: %s: %s\n", argv0, path, strerror(-err));
	if (err)
		return EXIT_USAGE;
	root_of_tree(&out->tree, &out->root);
	return EXIT_DONE;
}

int sysroot_open(const char *argv0, const char *path, struct sysroot *out)
{
	struct stat st;

	*out = (struct sysroot){.root = {.fd = -1}};
	if (!path)
		return open_folder(argv0, "/", out);
	if (!stat(path, &st) && !S_ISDIR(st.st_mode))
		return open_archive(argv0, path, out);
	return open_folder(argv0, path, out);
}

void sysroot_close(struct sysroot *sysroot)
{
	root_close(&sysroot->root);
	tree_free(&sysroot->tree);
}
