/* SPDX-License-Identifier: GPL-2.0-or-later */
/* memmapctl measure --mode guest: its own options, so that --help shows what belongs to the mode. */
#ifndef MEMMAPCTL_CLI_MEASURE_GUEST_H
#define MEMMAPCTL_CLI_MEASURE_GUEST_H

#include <stdbool.h>

/* Does the command line ask for this mode ("--mode guest" or "--mode=guest", before any "--")? */
bool measure_guest_is_wanted(int argc, char **argv);

/* Run it; returns an exit status. */
int measure_guest_run(int argc, char **argv);

/* When this process is a guest's /init, be its agent, and do not return. */
void measure_guest_init(void);

#endif
