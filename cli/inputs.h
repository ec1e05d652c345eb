/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files a command is given: names, "-", and folders that stand for their *.yaml. */
#ifndef MEMMAPCTL_CLI_INPUTS_H
#define MEMMAPCTL_CLI_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/host.h"

struct inputs {
	char **paths;
	size_t nr;
};

/* 0, or -1 after a message (a folder without descriptions, or that cannot be read; out of memory). */
int inputs_expand(const char *argv0, char *const *args, int nr_args, struct inputs *out);
void inputs_free(struct inputs *inputs);
#define _cleanup_inputs_ _cleanup_(inputs_free)

/* Is this a file's name, and not a name to look up: with a '/' or ending in .yaml or .yml? */
bool names_file(const char *name);

/*
 * Which profile a host is forecast with: the command line's (NULL: none was given), else the description's, else the
 * generic one. A description's profile file is relative to the description, a name is looked up where profiles are.
 * The caller frees it; NULL: no memory.
 */
char *profile_name_for(const char *option, const struct host *host);

#endif
