/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A writer of the one archive form that a kernel unpacks as its initramfs: cpio "newc". The archive libraries
 * at hand write it too, but whatever memmapctl is linked with goes into the initramfs as well, and theirs brings 40 MB.
 */
#ifndef MEMMAPCTL_MEASURE_GUEST_CPIO_H
#define MEMMAPCTL_MEASURE_GUEST_CPIO_H

#include <stdint.h>
#include <stdio.h>

/* Zero-initialise but for out. Errors stick; cpio_finish returns the first. */
struct cpio {
	FILE *out;
	uint32_t inode;
	uint64_t offset_bytes;
	int err;
};

/* Names have no leading '/'; their directories must have been added before. */
void cpio_directory(struct cpio *cpio, const char *name);
void cpio_device(struct cpio *cpio, const char *name, unsigned int major,
		 unsigned int minor); /* a character device */
void cpio_bytes(struct cpio *cpio, const char *name, unsigned int mode, const void *data, size_t len);

/* The contents of the file at path. 0 or a negative errno, which also sticks. */
int cpio_file(struct cpio *cpio, const char *name, unsigned int mode, const char *path);

/* Write the end of the archive and flush. 0 or the first error. */
int cpio_finish(struct cpio *cpio);

#endif
