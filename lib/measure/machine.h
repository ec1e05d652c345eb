/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a simulated measurement must know of the machine it runs on: memory, caches, and whether it is a real one. */
#ifndef MEMMAPCTL_MEASURE_MACHINE_H
#define MEMMAPCTL_MEASURE_MACHINE_H

#include <stdint.h>

#include "base/root.h"
#include "measure/observations.h"

/* Bytes; 0: not known. */
struct machine_memory {
	uint64_t available_bytes; /* MemAvailable, or what the control group leaves when that is less */
	uint64_t llc_bytes;       /* last-level cache of the CPU */
	uint64_t l2_bytes;
};

void machine_memory_read(const struct root *root, unsigned int cpu, struct machine_memory *out);

/*
 * Arch, CPU model, kernel release, date, virtualized and emulated. 0 or -ENOMEM; what cannot be found is NULL or
 * "unknown".
 */
int machine_environment(const struct root *root, struct obs_environment *env);

/*
 * Does this program run under a user-mode emulator (qemu-user, valgrind)? The kernel's own link to the running
 * executable, /proc/thread-self/exe, then names the emulator, while the emulator answers /proc/self/exe with the
 * program. *emulator gets its file name (the caller frees) when it does and the name is known.
 */
bool machine_user_emulated(char **emulator);

/*
 * Is the whole machine emulated by QEMU's TCG? cpuinfo is the text of /proc/cpuinfo; signature the 12 characters of
 * the hypervisor's CPUID leaf, or "" where there is none.
 */
bool machine_tcg(const char *cpuinfo, const char *signature);

#endif
