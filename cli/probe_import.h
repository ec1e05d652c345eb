/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `memmapctl probe --import FILE...`, for cmd_probe.c. */
#ifndef MEMMAPCTL_CLI_PROBE_IMPORT_H
#define MEMMAPCTL_CLI_PROBE_IMPORT_H

#include "cli/command.h"

/* Read the files ("-": standard input) and print the host as YAML, with what is not known, or as JSON. An exit status. */
int probe_import(const char *argv0, const struct common_options *options, char *const *files,
		 size_t nr_files);

#endif
