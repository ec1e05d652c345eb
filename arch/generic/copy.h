/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Any architecture: plain stores in C. */
#ifndef MEMMAPCTL_ARCH_GENERIC_COPY_H
#define MEMMAPCTL_ARCH_GENERIC_COPY_H

#include <stdbool.h>
#include <stddef.h>

#include "arch/words.h"

#define ARCH_NAME      "generic"
#define ARCH_COPIES(X) ARCH_MEMCPY(X) X(stores, "stores", "64-bit stores", false, NULL)

#endif
