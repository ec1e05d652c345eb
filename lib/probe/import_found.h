/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an import collects before anything is put together. For lib/probe only: others use probe/import.h. */
#ifndef MEMMAPCTL_PROBE_IMPORT_FOUND_H
#define MEMMAPCTL_PROBE_IMPORT_FOUND_H

#include <json-c/json.h>

#include "base/json_read.h"
#include "host/host.h"
#include "probe/buddyinfo.h"
#include "trace/klog.h"

/* A place in a text; file belongs to the import. */
struct found_at {
	const char *file;
	unsigned int line, col;
};

/* Between min and max bytes: printed sizes are rounded. max 0: not given. */
struct found_size {
	uint64_t min, max;
};

struct found_namespace {
	struct found_at at;
	char *dev;  /* "namespace0.0" */
	char *name; /* "pmem0", "dax0.0"; NULL: not given */
	enum namespace_mode mode;
	bool has_map, is_disabled;
	enum namespace_map map;
	struct found_size size; /* usable, but for raw mode */
	uint64_t align_bytes;   /* 0: not given */
	uint64_t region_bytes;  /* of a region that it fills alone; 0: not known to */
	bool has_start;
	uint64_t start_bytes;
	int node;
};

/* An NVDIMM region. */
struct found_region {
	struct found_at at;
	char *name;
	struct found_size size, available; /* max 0: not given, or nothing left */
	struct found_size extent;          /* largest free piece; max 0: not given */
};

enum dax_origin {
	DAX_UNKNOWN,
	DAX_NVDIMM, /* on a namespace */
	DAX_CXL,
	DAX_OTHER, /* soft-reserved memory (hmem) */
};

struct found_dax {
	struct found_at at;
	char *name;
	enum dax_origin origin;
	bool is_system_ram, has_target, has_mode;
	struct found_size size;
	uint64_t align_bytes;
	bool has_start;
	uint64_t start_bytes;
	int target;      /* node that its memory is, or becomes; NODE_ANY */
	bool has_blocks; /* both of them */
	uint64_t online_blocks, total_blocks;
};

/* A CXL region without a DAX device, or memory that no region uses. */
struct found_cxl {
	struct found_at at;
	char *name;
	bool is_memdev, is_pmem, has_dax;
	struct found_size size;
	bool has_start;
	uint64_t start_bytes;
};

/* A line of lsmem. */
struct found_range {
	unsigned int list;  /* which lsmem, 1 for the first */
	struct found_at at; /* of the first of a list, and of rounded sizes: finding a place takes time */
	struct found_size size;
	uint64_t nr_blocks; /* 0: not given */
	bool is_online;
	int node; /* NODE_ANY: no such column */
};

struct found_log {
	const char *file;
	struct klog *klog;
};

struct found_cmdline {
	struct found_at at;
	char *text;
};

/* A line of /proc/buddyinfo. */
struct found_zone {
	struct found_at at;
	struct buddy_zone zone;
};

struct import {
	char **files;
	size_t nr_files;
	struct found_namespace *namespaces;
	size_t nr_namespaces;
	struct found_region *regions;
	size_t nr_regions;
	struct found_dax *dax;
	size_t nr_dax;
	struct found_cxl *cxl;
	size_t nr_cxl;
	struct found_range *ranges;
	size_t nr_ranges;
	unsigned int nr_lists; /* JSON documents so far */
	struct found_log *logs;
	size_t nr_logs;
	struct found_cmdline *cmdlines;
	size_t nr_cmdlines;
	struct found_zone *zones;
	size_t nr_zones;
	size_t nr_objects; /* JSON objects that were of a kind known, whether they say anything or not */
};

/* Add what a JSON document holds. 0, -EINVAL with diagnostics, -ENOMEM. */
int import_json(struct import *import, const char *file, const struct json_doc *doc);

/* "124.03 GiB (133.18 GB)", "3G", "4096": 0 or -EINVAL. */
int found_size_parse(const char *text, struct found_size *out);

#endif
