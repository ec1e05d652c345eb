/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an architecture's cpu.c tells arch/arch.c. */
#ifndef MEMMAPCTL_ARCH_CPU_H
#define MEMMAPCTL_ARCH_CPU_H

#include <stddef.h>

/* See struct arch_ops. */
const char *arch_cpu_name(char *buf, size_t size);

#endif
