/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The agent: what memmapctl does when it is a guest's /init. It mounts, loads modules, makes the namespaces, has each
 * device measured, sends the observations out and powers off.
 */
#ifndef MEMMAPCTL_MEASURE_GUEST_AGENT_H
#define MEMMAPCTL_MEASURE_GUEST_AGENT_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/observations.h"

/* Writes a record as JSON, 0 or a negative errno: of a layer above, and so handed in. */
typedef int (*guest_agent_save)(const struct observations *obs, FILE *out);

/* Is this process a guest's /init? Touches nothing. */
bool guest_agent_is_wanted(void);

/* Do all of the above. Does not return: the guest is off afterwards. */
void guest_agent_main(guest_agent_save save) __attribute__((noreturn));

#endif
