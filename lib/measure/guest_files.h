/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What goes into an initramfs: which files of this machine (or of a tree for another architecture), and under which names. */
#ifndef MEMMAPCTL_MEASURE_GUEST_FILES_H
#define MEMMAPCTL_MEASURE_GUEST_FILES_H

#include <stddef.h>

#include "base/diag.h"
#include "base/vocab.h"

/* Where kernel modules are in the initramfs; they stand in the archive in an order that they can be loaded in. */
#define GUEST_MODULES_DIR "modules"

struct guest_file {
	char *name; /* in the initramfs, without a leading '/' */
	char *path; /* here */
};

/* Zero-initialise; free with guest_files_free. Names are unique: a second one of the same name is not added. */
struct guest_files {
	struct guest_file *items;
	size_t nr;
};

int guest_files_add(struct guest_files *files, const char *name, const char *path); /* 0 or -ENOMEM */
void guest_files_free(struct guest_files *files);
#define _cleanup_guest_files_ _cleanup_(guest_files_free)

/* A dynamically linked program or library. Zero-initialise; free with guest_elf_free. */
struct guest_elf {
	enum arch_id arch;
	char *interp;  /* the dynamic loader's whole path; NULL: not a program, or statically linked */
	char **needed; /* DT_NEEDED, in order */
	size_t nr_needed;
};

/*
 * Read an ELF file's dynamic section. 0; -ENOEXEC: not a 64-bit little-endian ELF file of an architecture known here,
 * or damaged; or the error of reading. *out untouched on failure.
 */
int guest_elf_read(const char *path, struct guest_elf *out);
void guest_elf_free(struct guest_elf *elf);
#define _cleanup_guest_elf_ _cleanup_(guest_elf_free)

/* "init" and "lib/...": this program and the libraries that it is running with. 0 or a negative errno (in diags). */
int guest_files_add_running(struct guest_files *files, struct diags *diags);

/*
 * The same from a tree of another architecture: memmapctl in its bin, usr/bin, usr/local/bin or top folder, libraries
 * in the folders that a dynamic loader searches. -ENOENT names what is not there, -ENOEXEC what is not for arch.
 */
int guest_files_add_tree(struct guest_files *files, const char *root, enum arch_id arch, struct diags *diags);

/*
 * "modules/...": the named modules of a modules folder (lib/modules/RELEASE) and what they depend on, in an order
 * that they can be loaded in. wanted is NULL-ended. One that is built in is passed over; so is one that is not there
 * when the folder does not say what is built in, with a note. -ENOENT names all that are missing.
 */
int guest_files_add_modules(struct guest_files *files, const char *dir, const char *const *wanted,
			    struct diags *diags);

#endif
