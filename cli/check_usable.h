/* SPDX-License-Identifier: GPL-2.0-or-later */
/* `memmapctl check --want-usable SIZE`: what to ask ndctl for, both maps side by side. */
#ifndef MEMMAPCTL_CLI_CHECK_USABLE_H
#define MEMMAPCTL_CLI_CHECK_USABLE_H

#include <json.h>

#include "host/host.h"

/*
 * For each namespace of the host that has struct pages or, where there is none, for a new fsdax one. What does not
 * work out is an error in diags. 0, -EINVAL, -ENOMEM.
 */
int usable_print(const struct host *host, uint64_t want_bytes, struct diags *diags, FILE *out);
/* The same as a JSON list that the caller puts. */
int usable_json(const struct host *host, uint64_t want_bytes, struct diags *diags, json_object **out);

#endif
