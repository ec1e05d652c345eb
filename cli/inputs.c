// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/inputs.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/util.h"
#include "model/profile.h"

static bool ends_in(const char *text, const char *end)
{
	size_t len = strlen(text), end_len = strlen(end);

	return len > end_len && !strcmp(text + len - end_len, end);
}

static bool is_yaml(const char *name)
{
	return ends_in(name, ".yaml") || ends_in(name, ".yml");
}

bool names_file(const char *name)
{
	return strchr(name, '/') || is_yaml(name);
}

static int is_description(const struct dirent *entry)
{
	return *entry->d_name != '.' && is_yaml(entry->d_name);
}

/* Takes path over; NULL (out of memory) is refused. */
static int add_path(struct inputs *inputs, char *path)
{
	char **slot = path ? array_grow(&inputs->paths, &inputs->nr, sizeof(*slot)) : NULL;

	if (!slot) {
		free(path);
		return -ENOMEM;
	}
	*slot = path;
	return 0;
}

static int add_folder(struct inputs *inputs, const char *dir)
{
	struct dirent **entries;
	int nr = scandir(dir, &entries, is_description, versionsort), err = nr ? 0 : -ENOENT;
	size_t len = strlen(dir);

	if (nr < 0)
		return -errno;
	for (int i = 0; i < nr; i++) {
		char *path = NULL;

		if (!err) {
			if (asprintf(&path, "%s%s%s", dir, dir[len - 1] == '/' ? "" : "/",
				     entries[i]->d_name) < 0)
				path = NULL;
			err = add_path(inputs, path);
		}
		free(entries[i]);
	}
	free(entries);
	return err;
}

int inputs_expand(const char *argv0, char *const *args, int nr_args, struct inputs *out)
{
	for (int i = 0; i < nr_args; i++) {
		struct stat st;
		int err;

		if (!strcmp(args[i], "-") || stat(args[i], &st) || !S_ISDIR(st.st_mode)) {
			err = add_path(out, strdup(args[i]));
		} else {
			err = add_folder(out, args[i]);
		}
		if (!err)
			continue;
		fprintf(stderr, "%s: %s: %s\n", argv0, args[i],
			err == -ENOENT ? "no *.yaml in this folder" : strerror(-err));
		return -1;
	}
	return 0;
}

void inputs_free(struct inputs *inputs)
{
	for (size_t i = 0; i < inputs->nr; i++)
		free(inputs->paths[i]);
	free(inputs->paths);
	*inputs = (struct inputs){0};
}

char *profile_name_for(const char *option, const struct host *host)
{
	const char *name = option ? option : host->profile;
	const char *slash = strrchr(host->file, '/');
	char *path;

	if (!name)
		return strdup(profile_generic_name(host->arch));
	if (option || *name == '/' || !slash || !names_file(name))
		return strdup(name);
	return asprintf(&path, "%.*s/%s", (int)(slash - host->file), host->file, name) < 0 ? NULL : path;
}
