/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an operator can change about a host, one thing at a time: enumerated from its description, with what it costs
 * in words and how much work that is. No I/O, no clock.
 */
#ifndef MEMMAPCTL_MODEL_CHANGE_H
#define MEMMAPCTL_MODEL_CHANGE_H

#include "geometry/geometry.h"

enum change_kind {
	CHANGE_AT_ONCE,          /* devices bound side by side */
	CHANGE_HVO,              /* HugeTLB vmemmap optimisation on */
	CHANGE_HUGEPAGE_SIZE,    /* a boot-time pool in pages of another size */
	CHANGE_MEMMAP_ON_MEMORY, /* system-ram with its memmap in itself, or not */
	CHANGE_NAMESPACE,        /* a namespace with another align, another map or both */
	CHANGE_DEFERRED,         /* deferred struct page initialisation on */
	CHANGE_DAX_OPTIMIZATION, /* DAX vmemmap optimisation on */
	CHANGE_PATH,             /* another init path */
	NR_CHANGE_KINDS,
};

/* How much work a change is: the order by which one set of changes is cheaper than another. */
enum effort {
	EFFORT_NONE,     /* nothing is moved and nothing restarted */
	EFFORT_REBOOT,   /* a kernel parameter, a pool: at the next boot */
	EFFORT_RECREATE, /* a namespace created again and its data moved */
	EFFORT_USERS,    /* its users get other, mostly smaller, pages: whether they can is theirs to say */
	EFFORT_KERNEL,   /* a kernel that the host does not have */
	NR_EFFORTS,
};

const char *effort_name(enum effort effort); /* "none", "reboot", "recreate", "users", "kernel": static */

struct change {
	enum change_kind kind;
	enum effort effort;
	size_t group;       /* changes of one group exclude each other */
	const char *device; /* belongs to the host; NULL: the whole host */
	size_t index;       /* of the namespace, device or pool */
	uint64_t align_bytes;
	enum namespace_map map;
	uint64_t hugepage_bytes;
	enum memmap_path path;
	char text[64];   /* "align=1GiB" */
	char price[160]; /* what it costs the operator, in words */
};

struct changes {
	struct change *items; /* by group */
	size_t nr, nr_groups;
};

/* What a forecast is asked for beside the host: changes act on both. */
struct ways {
	enum memmap_path path;
	bool at_once; /* all devices bound side by side */
};

/*
 * Every change to a host with these rules and ways; whether the kernel takes it is for host_check and work_new to
 * tell. 0 and *out, whose device names belong to the host, freed with changes_free; -EINVAL: a page
 * size that the architecture does not have; -ENOMEM.
 */
int changes_new(const struct host *host, const struct kernel_rules *rules, const struct ways *ways,
		struct changes *out);
void changes_free(struct changes *changes);
#define _cleanup_changes_ _cleanup_(changes_free)

void change_apply(const struct change *change, struct host *host, struct ways *ways);

#endif
