/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel releases, compared the way kernels are released: 7.1-rc3 comes before 7.1, 6.12.97 after 6.12. */
#ifndef MEMMAPCTL_BASE_KVER_H
#define MEMMAPCTL_BASE_KVER_H

#include <stdint.h>

struct kver {
	uint16_t major;
	uint16_t minor;
	uint16_t patch;
	uint16_t rc; /* 0: a release */
};

/*
 * Parse "7.3.4", "v7.1-rc3", "6.1.0-53-amd64", "6.12.117+deb13". What follows the numbers is a local version and
 * is ignored. Debian's "6.1.0-NN" hides the stable patch level: it reads as 6.1.0. 0, or -EINVAL (no MAJOR.MINOR).
 */
int kver_parse(const char *release, struct kver *out);

/* Negative, 0 or positive as a is older than, the same as or newer than b. */
int kver_cmp(struct kver a, struct kver b);

#define KVER(major_, minor_, patch_) ((struct kver){(major_), (minor_), (patch_), 0})

#endif
