/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host: what an operator describes in YAML, what probing a machine finds, what forecasts start from.
 *
 * The format is the table of keys in host/keys.c; the loader, the writer, the reference text and the JSON
 * Schema's test are driven by it.
 */
#ifndef MEMMAPCTL_HOST_HOST_H
#define MEMMAPCTL_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/kver.h"
#include "base/vocab.h"

enum {
	NODE_ANY = -1,
	MAX_NODE = 1023, /* MAX_NUMNODES - 1 with the largest NODES_SHIFT */
};

enum namespace_mode {
	NS_FSDAX,
	NS_DEVDAX,
	NS_RAW,    /* no struct pages on an NFIT region */
	NS_SECTOR, /* BTT: no struct pages */
};

enum namespace_map {
	MAP_DEV, /* memmap in an altmap on the device; ndctl's default */
	MAP_MEM, /* memmap in RAM */
};

enum device_type {
	DEV_PRIVATE,    /* device-private: no direct map, memmap in RAM */
	DEV_COHERENT,   /* coherent: with a direct map */
	DEV_P2PDMA,     /* a PCI BAR */
	DEV_SYSTEM_RAM, /* hot-added and onlined as memory blocks (kmem, CXL, virtio-mem, coherent GPUs) */
};

enum hugepage_when {
	HUGEPAGES_BOOT,
	HUGEPAGES_RUNTIME,
};

struct key_places;
struct key_origins;

/* Where a value stood in its file; line 0: it did not (a default, or a probed host). */
struct host_place {
	unsigned int line;
	unsigned int col;
};

struct host_node {
	struct host_place place;
	uint32_t id;
	uint64_t memory_bytes; /* 0 for a node without memory */
	uint32_t cpus;         /* 0 for a memory-only node */
	bool has_free, has_free_order9;
	uint64_t free_bytes;  /* now, of memory_bytes */
	uint64_t free_order9; /* blocks of 512 pages that are free, larger ones split: /proc/buddyinfo */
};

struct host_hugepages {
	struct host_place place;
	uint64_t size_bytes;
	uint64_t count;
	enum hugepage_when when;
	int node; /* or NODE_ANY */
};

struct host_namespace {
	struct host_place place;
	char *name;
	enum namespace_mode mode;
	enum namespace_map map;
	uint64_t align_bytes;
	uint64_t size_bytes; /* raw: what ndctl create-namespace --size is given */
	bool has_usable;
	uint64_t usable_bytes; /* as stated, to be checked */
	bool has_start;
	uint64_t start_bytes; /* physical address; without it the start is taken as aligned */
	int node;             /* or NODE_ANY */
	bool is_bound;        /* seen with its driver: what its memmap takes is no longer free */
};

struct host_device {
	struct host_place place;
	char *name;
	enum device_type type;
	uint64_t size_bytes; /* of one */
	uint32_t count;
	bool memmap_on_memory; /* system-ram: the memmap of each block at the block's start */
	uint64_t block_bytes;  /* system-ram: memory block size; 0: what the kernel would choose */
	bool has_start;
	uint64_t start_bytes;
	int node;
	bool is_bound; /* as of a namespace */
};

struct host_kernel {
	char *release; /* NULL: not stated; then the newest rules known are used, and the forecast says so */
	struct kver version;
	bool deferred_struct_page_init;
	bool dax_vmemmap_optimization;
	bool init_on_alloc;
	enum memmap_path memmap_path;
};

struct host {
	char *file; /* where it came from, for messages: a path, or "this host" */
	char *name;
	enum arch_id arch;
	uint64_t page_size_bytes;
	uint64_t struct_page_bytes;
	uint64_t memory_bytes; /* RAM; 0: not known */
	uint32_t cpus;
	struct host_kernel kernel;
	bool hvo_supported;
	bool hvo_enabled;
	struct host_node *nodes;
	size_t nr_nodes;
	struct host_hugepages *hugepages;
	size_t nr_hugepages;
	struct host_namespace *namespaces;
	size_t nr_namespaces;
	struct host_device *devices;
	size_t nr_devices;
	bool has_hotplug_window, has_per_device_window, has_boot_window;
	uint64_t hotplug_window_ns, per_device_window_ns, boot_window_ns;
	char *profile; /* a file, or a name under configs/profiles; NULL: none */
	bool is_this_system;
	struct key_places *places;   /* of every value; NULL: not from a file. See host_place_of */
	struct key_origins *origins; /* of what was probed; NULL: not probed. See host_origin */
};

/*
 * Read and check a description. Every mistake in the file is appended to diags as an error with its place;
 * warnings (a trap that the kernel takes, but should not) as warnings. 0 and *out a new host that the
 * caller frees with host_free; or -EINVAL (mistakes), -ENOENT and the like (the file cannot be read, also
 * in diags), -ENOMEM; *out untouched.
 *
 * host_load reads a file, "-" standard input. host_load_text reads a string; name is used in messages.
 */
int host_load(const char *path, struct diags *diags, struct host **out);
int host_load_text(const char *text, size_t len, const char *name, struct diags *diags, struct host **out);

/*
 * Where the value of a member stood in the file: host_place_of(host, &ns->align_bytes). For a default the place of
 * the list item it belongs to; line 0 when there is none. field points into host or into one of its arrays.
 */
struct host_place host_place_of(const struct host *host, const void *field);

/*
 * Whether a member that every file must state was read: false where it is missing or was a mistake, and its value says
 * nothing. True for a host that is not from a file.
 */
bool host_is_stated(const struct host *host, const void *field);

/* The semantic checks alone, for a host that did not come from a file. Returns 0 or -EINVAL. */
int host_check(const struct host *host, struct diags *diags);

/* A host with the format's defaults and the given name; NULL when out of memory. */
struct host *host_new(const char *name);
/* A deep copy, for what-if changes; NULL when out of memory. */
struct host *host_copy(const struct host *host);
void host_free(struct host *host);

/*
 * Write as YAML that host_load reads back to an equal host. Values that equal the default are left out.
 * 0 or a negative errno.
 */
int host_save(const struct host *host, FILE *out);

/*
 * Where the value of a member was found, for host_save_origins: host_origin(host, &ns->align_bytes,
 * "/sys/%s", ...). field points into host or into one of its arrays, as for host_place_of. 0 or -ENOMEM.
 */
int host_origin(struct host *host, const void *field, const char *fmt, ...) _printf_(3, 4);

/*
 * The same for a value that could not be seen: why, and what is taken instead. field may also be a list:
 * &host->nodes.
 */
int host_unknown(struct host *host, const void *field, const char *fmt, ...) _printf_(3, 4);

/* A remark on the list item that has this member. */
int host_remark(struct host *host, const void *field, const char *fmt, ...) _printf_(3, 4);

/* Was host_unknown called, last of all, for this member? */
bool host_is_unknown(const struct host *host, const void *field);

/*
 * Like host_save, with where each value was found as a comment behind it, and "# unknown: ..." for what was
 * not seen. Reads back to an equal host unless a required value is unknown.
 */
int host_save_origins(const struct host *host, FILE *out);

/* Hugepages of one size in all pools, boot and run time; UINT64_MAX when they are more. */
uint64_t host_hugepages_of_size(const struct host *host, uint64_t size_bytes);

/* Stable names, as in the YAML: "fsdax", "mem", "private", "boot". */
const char *namespace_mode_name(enum namespace_mode mode);
const char *namespace_map_name(enum namespace_map map);
const char *device_type_name(enum device_type type);
const char *hugepage_when_name(enum hugepage_when when);

/* The format's reference: every key with type, default and meaning, from the same table the loader uses. */
void host_print_reference(FILE *out);

/* Namespaces that have struct pages; others lose nothing to a memmap. */
static inline bool namespace_is_mapped(const struct host_namespace *ns)
{
	return ns->mode == NS_FSDAX || ns->mode == NS_DEVDAX;
}

static inline void host_free_ptr(struct host **host)
{
	host_free(*host);
}
#define _cleanup_host_ _cleanup_(host_free_ptr)

#endif
