/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of semantic checks share. For lib/host only. */
#ifndef MEMMAPCTL_HOST_CHECK_H
#define MEMMAPCTL_HOST_CHECK_H

#include "base/units.h"
#include "host/host.h"
#include "host/pages.h"

struct checker {
	const struct host *host;
	bool arch_known;
	const struct page_sizes
		*sizes; /* NULL: architecture or page size is wrong, checks that need it are left out */
	struct diags *diags;
	const char *about; /* device that is being checked: named where there is no line to point at */
	bool failed;
};

/* A mistake (or a warning) about the value of a member of host or of one of its lists, at its place. */
void check_bad(struct checker *c, const void *field, const char *fmt, ...) _printf_(3, 4);
void check_doubt(struct checker *c, const void *field, const char *fmt, ...) _printf_(3, 4);

/* A node that the host does not have. */
void check_node_index(struct checker *c, const int *node);

/* "in line 7"; "before" for hosts that are not from a file. Returns buf. */
const char *check_where(const struct checker *c, const void *field, char buf[UNITS_STR]);

/* "2MiB, 512MiB or 16GiB": up to four sizes, 0 ends. Returns buf. */
enum { SIZES_STR = 4 * UNITS_STR };
const char *check_sizes(char buf[SIZES_STR], const uint64_t sizes[4]);

void check_namespaces(struct checker *c);
void check_devices(struct checker *c);
void check_hugepages(struct checker *c);

#endif
