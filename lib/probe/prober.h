/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of a probe share. For lib/probe only. */
#ifndef MEMMAPCTL_PROBE_PROBER_H
#define MEMMAPCTL_PROBE_PROBER_H

#include "base/diag.h"
#include "base/root.h"
#include "host/host.h"

struct prober {
	const struct root *root;
	struct diags *notes;
	struct host *host;
	char *cmdline;        /* "" when it cannot be read */
	char *config;         /* the kernel's .config; NULL when it cannot be read */
	uint64_t block_bytes; /* of memory; 0: not known */
};

/* "WHAT is not known: taken as ..." and the like. */
void prober_note(struct prober *p, const char *fmt, ...) _printf_(2, 3);

/*
 * The value of the last NAME=value on the kernel command line, copied to value (cut to room); false: not there.
 * The kernel takes the last one, too.
 */
bool cmdline_value(const char *cmdline, const char *name, char *value, size_t room);

/* 1: CONFIG_name=y, 0: not set, -1: there is no config to look in. */
int config_has(const struct prober *p, const char *name);

/* How many numbers a list like "0-63,128" holds; 0 for an empty or malformed one. */
uint32_t cpulist_count(const char *list);

/* Each fills its part of p->host. 0 or -ENOMEM; what cannot be read is a note. */
int probe_memory(struct prober *p);
int probe_hugepages(struct prober *p);
int probe_namespaces(struct prober *p);
int probe_dax(struct prober *p);

#endif
