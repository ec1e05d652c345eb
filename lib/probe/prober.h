/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of a probe share. For lib/probe only. */
#ifndef MEMMAPCTL_PROBE_PROBER_H
#define MEMMAPCTL_PROBE_PROBER_H

#include <errno.h>

#include "base/diag.h"
#include "base/root.h"
#include "host/cmdline.h"
#include "host/host.h"
#include "probe/facts.h"

struct prober {
	const struct root *root;
	struct diags *notes;
	struct host *host;
	struct facts *facts;
	bool arch_known;
	char *cmdline;           /* the options about memory; "" when it cannot be read */
	struct cmdline *options; /* what the kernel makes of them */
	struct diags *option_doubts;
	struct probed *out;   /* for what is in neither */
	char *config;         /* the kernel's .config; NULL when it cannot be read */
	uint64_t block_bytes; /* of memory; 0: not known */
	int err;              /* sticks: -ENOMEM */
};

/* The value of a member of p->host was read: from where. */
void prober_found(struct prober *p, const void *field, const char *fmt, ...) _printf_(3, 4);

/*
 * It could not be: a note "WHAT not known: TEXT" (what ends in "of NAME" for devices), and a comment in the
 * description.
 */
void prober_unknown(struct prober *p, const void *field, const char *what, const char *fmt, ...)
	_printf_(4, 5);

/* Something that is worth knowing, and no value of the description. */
void prober_note(struct prober *p, const char *fmt, ...) _printf_(2, 3);

/* A new zeroed item at the end of a list; NULL: out of memory, which sticks. */
#define prober_add(p, list, nr)                                                                              \
	({                                                                                                   \
		__typeof__(list) added_ = array_grow(&(list), &(nr), sizeof(*(list)));                       \
		if (!added_)                                                                                 \
			(p)->err = -ENOMEM;                                                                  \
		added_;                                                                                      \
	})

/*
 * Leave printable ASCII and line ends: what the kernel prints is, and a tree of any origin must not put
 * into a YAML or JSON document what is no text.
 */
void clean_text(char *text);

/* A copy, cleaned, for a fact or the host; NULL: out of memory, which sticks. */
char *prober_text(struct prober *p, const char *fmt, ...) _printf_(2, 3);

/*
 * An attribute of a folder: as text (NULL: not seen), as a number, as a node ("-1" and "not seen" are
 * NODE_ANY).
 */
char *attr_text(const struct prober *p, const char *dir, const char *attr);
bool attr_u64(const struct prober *p, const char *dir, const char *attr, uint64_t *value);
int attr_node(const struct prober *p, const char *dir, const char *attr);
/* The last part of where a link points: attr_link(p, dir, "driver"); NULL: there is none. */
char *attr_link(const struct prober *p, const char *dir, const char *attr);
/* "only root may read" or "there is no": why a file could not be read. */
const char *attr_why(const struct prober *p, const char *dir, const char *attr);

/*
 * A fact that is in no file, as hwloc-gather-topology saves it: "PageSize"; NULL: not there. The caller
 * frees.
 */
#define NO_FILE_INFO "proc/hwloc-nofile-info"
char *no_file_info(const struct prober *p, const char *name);

/* Leave on a command line only what is about memory: the rest may be secret. */
void cmdline_keep(char *cmdline);

/*
 * Does the kernel's log of this boot say that struct pages were initialised by all CPUs? false: or there is
 * no log.
 */
bool log_tells_deferred_init(const struct prober *p);

/* 1: CONFIG_name=y, 0: not set, -1: there is no config to look in. */
int config_has(const struct prober *p, const char *name);

/*
 * How many numbers a list like "0-63,128" holds; 0 for an empty or malformed one. A mask: "ff,00000001" is
 * 9.
 */
uint32_t cpulist_count(const char *list);
uint32_t cpumap_count(const char *mask);

/* "memory12": 12; "node3" with prefix "node": 3. false for anything else. */
bool numbered(const char *name, const char *prefix, uint64_t *out);

/* A node that is one of the host's, as an int; else NODE_ANY. */
int known_node(const struct prober *p, int node);

/* ndctl's default align: what one PMD maps. */
uint64_t default_align(const struct prober *p);

/* From the attributes `resource` and `align` of a folder, or unknown. */
void describe_start(struct prober *p, const char *name, const char *dir, bool *has_start, uint64_t *start);
void describe_align(struct prober *p, struct host_namespace *ns, const char *dir);

/* The kernel leaves out what lies past the last multiple of align (end_trunc): leave it out here, too. */
void trim_size(struct prober *p, struct host_namespace *ns);

/*
 * How a block device is used: "no", "mounted on /mnt", "swap", "held by dm-0". dir: its folder in /sys.
 * NULL: not seen.
 */
char *block_in_use(struct prober *p, const char *device, const char *dir);

/* Memory that a device brought, which is no RAM of the boot. */
void take_from_node(struct prober *p, uint64_t bytes, int node);

/* A dax device as system-ram in p->host, and the facts of one; dir: its folder, size_bytes above 0. */
void add_system_ram(struct prober *p, const char *name, const char *dir, uint64_t size_bytes);
bool dax_is_kmem(const struct prober *p, const char *dir);

/* Each fills its part of p->host and p->facts; what cannot be read is unknown. */
void probe_arch(struct prober *p);
void probe_page_size(struct prober *p);
void probe_options(struct prober *p);
void probe_cpus(struct prober *p);
void probe_machine(struct prober *p);
void probe_names(struct prober *p);
void probe_config(struct prober *p);
void probe_hvo(struct prober *p);
void probe_struct_page(struct prober *p);
void probe_memory(struct prober *p);
void probe_free(struct prober *p);
void probe_udev(struct prober *p);
void probe_hugepages(struct prober *p);
void probe_namespaces(struct prober *p);
void probe_dax(struct prober *p);
void probe_iomem(struct prober *p);
void probe_pci(struct prober *p);

#endif
