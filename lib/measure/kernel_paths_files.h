/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The files that the module memmapctl_paths has in debugfs, as text (lib/kmod/paths_main.c describes them). What the
 * module's later versions add is passed over.
 */
#ifndef MEMMAPCTL_MEASURE_KERNEL_PATHS_FILES_H
#define MEMMAPCTL_MEASURE_KERNEL_PATHS_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vocab.h"

#define PATHS_DIR "/sys/kernel/debug/memmapctl_paths"

struct paths_routine {
	char *name;
	enum memmap_path path;
	unsigned int kinds; /* bit (1u << kind) for each page kind it can do */
	bool usable;        /* this CPU has the instructions */
	bool needs_fpu;
};

/* Zero-initialise; free with paths_module_free. */
struct paths_module {
	struct paths_routine *routines; /* the first of a kind is its baseline */
	size_t nr_routines;
	char *version;     /* whose struct page writes are this kernel's: "7.3" */
	char *compiler;    /* that built the module */
	char *memcpy_is;   /* what a copy of 64 bytes by memcpy became: "64-bit stores" */
	char *memcpy_code; /* its machine code in hexadecimal */
	uint64_t text_bytes;
};

struct paths_pass {
	uint64_t ns;
	int node;
	bool verified;
	uint64_t first_wrong; /* index of a struct page; 0 when verified */
};

/* From the texts of "about" and "routines": 0 and *out; -EINVAL (not of this form, or of a newer one); -ENOMEM. */
int paths_module_parse(const char *about, const char *routines, struct paths_module *out);
void paths_module_free(struct paths_module *module);
#define _cleanup_paths_module_ _cleanup_(paths_module_free)

/* From the text of "run": 0 and *out, or -EINVAL. */
int paths_pass_parse(const char *text, struct paths_pass *out);

#endif
