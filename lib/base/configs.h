/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files that come with the program: host examples, profiles, observations. */
#ifndef MEMMAPCTL_BASE_CONFIGS_H
#define MEMMAPCTL_BASE_CONFIGS_H

/*
 * The path of a file under configs ("profiles/generic-x86_64.yaml"), from the first of these that has it:
 * $MEMMAPCTL_CONFIGS, the configs of the source tree that the program was built from, the installed ones.
 * 0 and *path, which the caller frees; -ENOENT, -ENOMEM.
 */
int configs_find(const char *name, char **path);

#endif
