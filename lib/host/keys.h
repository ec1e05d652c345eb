/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The format of a host description, as rows of keys. For lib/host only: others use host/host.h. */
#ifndef MEMMAPCTL_HOST_KEYS_H
#define MEMMAPCTL_HOST_KEYS_H

#include "base/keys.h"

extern const struct key host_keys[];

#endif
