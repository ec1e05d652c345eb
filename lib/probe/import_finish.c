// SPDX-License-Identifier: GPL-2.0-or-later
/* Put together what was found: the kernel, RAM and nodes. */
#include "probe/import_finish.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "geometry/raw_size.h"
#include "probe/import.h"

void finish_warn(struct finish *f, const struct found_at *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(f->diags, DIAG_WARNING, at ? at->file : NULL, at ? at->line : 0, at ? at->col : 0, fmt, ap);
	va_end(ap);
}

void finish_note(struct finish *f, const struct found_at *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(f->diags, DIAG_NOTE, at ? at->file : NULL, at ? at->line : 0, at ? at->col : 0, fmt, ap);
	va_end(ap);
}

/* Takes text over; NULL is out of memory. */
static void add_origin(struct finish *f, const void *field, const struct found_at *at, bool is_unknown,
		       char *text)
{
	int err = text ? 0 : -ENOMEM;

	if (!err && is_unknown)
		err = host_unknown(f->host, field, "%s", text);
	else if (!err && at)
		err = host_origin(f->host, field, "%s:%u%s%s", at->file, at->line, *text ? ", " : "", text);
	else if (!err)
		err = host_origin(f->host, field, "%s", text);
	free(text);
	if (err)
		f->err = err;
}

void finish_from(struct finish *f, const void *field, const struct found_at *at, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_origin(f, field, at, false, text_formatv(fmt, ap));
	va_end(ap);
}

void finish_unknown(struct finish *f, const void *field, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	add_origin(f, field, NULL, true, text_formatv(fmt, ap));
	va_end(ap);
}

char *finish_name(struct finish *f, const char *fmt, ...)
{
	char *name;
	va_list ap;

	va_start(ap, fmt);
	name = text_formatv(fmt, ap);
	va_end(ap);
	if (!name)
		f->err = -ENOMEM;
	return name;
}

struct host_node *finish_node(struct finish *f, uint32_t id)
{
	struct host *h = f->host;
	struct host_node *node;
	size_t at = 0;

	while (at < h->nr_nodes && h->nodes[at].id < id)
		at++;
	if (at < h->nr_nodes && h->nodes[at].id == id)
		return &h->nodes[at];
	node = array_grow(&h->nodes, &h->nr_nodes, sizeof(*node));
	if (!node) {
		f->err = -ENOMEM;
		return NULL;
	}
	memmove(&h->nodes[at + 1], &h->nodes[at], (h->nr_nodes - 1 - at) * sizeof(*node));
	h->nodes[at] = (struct host_node){.id = id};
	return &h->nodes[at];
}

const struct klog_record *finish_next_record(const struct finish *f, enum klog_type type,
					     struct klog_cursor *c, struct found_at *at)
{
	const struct import *import = f->import;

	for (; c->log < import->nr_logs; c->log++, c->record = 0) {
		const struct found_log *log = &import->logs[c->log];

		while (c->record < log->klog->nr) {
			const struct klog_record *r = &log->klog->records[c->record++];

			if (r->type != type)
				continue;
			*at = (struct found_at){log->file, r->line, 0};
			return r;
		}
	}
	return NULL;
}

static bool ends_like(const char *release, const char *const *words)
{
	for (; *words; words++) {
		if (strstr(release, *words))
			return true;
	}
	return false;
}

/* Distributions put the architecture into the release; only x86 logs its memory block size. */
static bool tell_arch(struct finish *f, enum arch_id *arch)
{
	static const char *const x86[] = {"amd64", "x86_64", NULL};
	static const char *const arm[] = {"arm64", "aarch64", NULL};
	const char *release = f->host->kernel.release;
	struct klog_cursor c = {0};
	struct found_at at;

	if (finish_next_record(f, KLOG_BLOCK_SIZE, &c, &at) || (release && ends_like(release, x86))) {
		*arch = ARCH_X86_64;
		return true;
	}
	if (release && ends_like(release, arm)) {
		*arch = ARCH_AARCH64;
		return true;
	}
	return false;
}

static void take_release(struct finish *f)
{
	struct host_kernel *kernel = &f->host->kernel;
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;

	while ((r = finish_next_record(f, KLOG_VERSION, &c, &at))) {
		if (kernel->release) {
			if (strcmp(kernel->release, r->name))
				finish_warn(f, &at, "kernel %s here, %s before: the first is taken", r->name,
					    kernel->release);
			continue;
		}
		if (kver_parse(r->name, &kernel->version)) {
			finish_warn(f, &at, "kernel release \"%s\" cannot be read", r->name);
			continue;
		}
		kernel->release = finish_name(f, "%s", r->name);
		finish_from(f, &kernel->release, &at, "%s", "");
	}
	if (!kernel->release)
		finish_unknown(f, &kernel->release,
			       "the newest rules are used (uname -r, or a log's first line, tells it)");
}

static bool has_all_registered(const struct finish *f, const struct page_sizes *sizes)
{
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;

	while ((r = finish_next_record(f, KLOG_HUGETLB_REGISTERED, &c, &at))) {
		bool is_there = false;

		for (int i = 0; i < MAX_HUGEPAGE_SIZES; i++)
			is_there = is_there || sizes->hugepage_bytes[i] == r->page_size_bytes;
		if (!is_there)
			return false;
	}
	return true;
}

/* Where an architecture has several page sizes, the hugepage sizes in the log tell it. */
static void take_page_size(struct finish *f)
{
	struct host *h = f->host;
	struct klog_cursor c = {0};
	struct found_at at;

	f->sizes = page_sizes_of(h->arch, h->page_size_bytes);
	if (!page_size_nr(h->arch, 1))
		return;
	for (unsigned int i = 0; page_size_nr(h->arch, i); i++) {
		const struct page_sizes *sizes = page_sizes_of(h->arch, page_size_nr(h->arch, i));

		if (!has_all_registered(f, sizes))
			continue;
		h->page_size_bytes = sizes->page_bytes;
		f->sizes = sizes;
		break;
	}
	if (!finish_next_record(f, KLOG_HUGETLB_REGISTERED, &c, &at))
		finish_unknown(f, &h->page_size_bytes, "taken as 4KiB (getconf PAGESIZE)");
}

void finish_kernel(struct finish *f)
{
	struct klog_cursor c = {0};
	struct host *h = f->host;
	struct found_at at;

	take_release(f);
	if (!tell_arch(f, &h->arch))
		finish_from(f, &h->arch, NULL, "not known, taken as this (uname -m)");
	h->hvo_supported = h->kernel.dax_vmemmap_optimization = h->arch == ARCH_X86_64;
	take_page_size(f);
	if (finish_next_record(f, KLOG_DEFERRED, &c, &at))
		f->has_deferred = h->kernel.deferred_struct_page_init = true;
}

/* How many lines the first lsmem has: of several, that one is taken. */
static size_t first_list(struct finish *f)
{
	const struct found_range *ranges = f->import->ranges;
	size_t nr = 0;

	while (nr < f->import->nr_ranges && ranges[nr].list == ranges[0].list)
		nr++;
	if (nr < f->import->nr_ranges)
		finish_note(f, &ranges[nr].at, "another lsmem: that of %s:%u is taken", ranges[0].at.file,
			    ranges[0].at.line);
	return nr;
}

/* What lsmem shows: RAM is what is online; what is offline was not part of the boot's. */
static void take_ranges(struct finish *f)
{
	const struct import *import = f->import;
	size_t nr = first_list(f);
	char size[UNITS_STR];

	for (size_t i = 0; i < nr; i++) {
		const struct found_range *r = &import->ranges[i];
		uint64_t bytes = roundest_size(r->size.min, r->size.max);
		struct host_node *node = r->node == NODE_ANY ? NULL : finish_node(f, (uint32_t)r->node);

		if (r->size.min != r->size.max)
			finish_note(f, &r->at,
				    "size is rounded, taken as %s: lsmem -b, or its RANGE column, is exact",
				    size_exact(size, bytes));
		if (r->nr_blocks && bytes % r->nr_blocks == 0)
			f->block_bytes = bytes / r->nr_blocks;
		if (!r->is_online)
			continue;
		f->host->memory_bytes += bytes;
		if (node)
			node->memory_bytes += bytes;
		f->has_memory_from_blocks = true;
	}
	if (f->has_memory_from_blocks)
		finish_from(f, &f->host->memory_bytes, &import->ranges[0].at, "blocks that are online");
}

/*
 * "Memory: x/y available": y is RAM as firmware gives it. Blocks count a little more, holes included, and what was
 * hot-plugged since; a 16th is too much for holes.
 */
static void take_logged_memory(struct finish *f)
{
	struct host *h = f->host;
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;
	char shown[UNITS_STR], had[UNITS_STR];

	while ((r = finish_next_record(f, KLOG_MEMORY, &c, &at))) {
		if (!h->memory_bytes) {
			h->memory_bytes = r->total_bytes;
			finish_from(f, &h->memory_bytes, &at, "what firmware gives");
			continue;
		}
		if (r->total_bytes > h->memory_bytes ||
		    r->total_bytes < h->memory_bytes - h->memory_bytes / 16)
			finish_warn(f, &at, "RAM is %s here, %s %s: the latter is taken",
				    size_human(shown, r->total_bytes), size_human(had, h->memory_bytes),
				    f->has_memory_from_blocks ? "by lsmem" : "before");
	}
}

static void take_logged_blocks(struct finish *f)
{
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;
	char shown[UNITS_STR], had[UNITS_STR];

	while ((r = finish_next_record(f, KLOG_BLOCK_SIZE, &c, &at))) {
		if (f->block_bytes && f->block_bytes != r->bytes)
			finish_warn(f, &at, "memory blocks are of %s here, of %s before: the latter is taken",
				    size_exact(shown, r->bytes), size_exact(had, f->block_bytes));
		else
			f->block_bytes = r->bytes;
	}
}

static void take_logged_nodes(struct finish *f)
{
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;

	while ((r = finish_next_record(f, KLOG_DEFERRED, &c, &at))) {
		if ((r->has & KLOG_HAS_NODE) && r->node <= 1023)
			finish_node(f, r->node);
	}
}

/* The same zone in another /proc/buddyinfo; NULL: there is none before i. */
static const struct found_zone *zone_before(const struct import *import, size_t i)
{
	const struct buddy_zone *zone = &import->zones[i].zone;

	for (size_t j = 0; j < i; j++) {
		const struct buddy_zone *before = &import->zones[j].zone;

		if (before->node == zone->node && !strcmp(before->name, zone->name))
			return &import->zones[j];
	}
	return NULL;
}

static void take_free(struct finish *f)
{
	const struct import *import = f->import;
	uint64_t page = f->host->page_size_bytes;

	for (size_t i = 0; i < import->nr_zones; i++) {
		const struct found_zone *found = &import->zones[i], *first = zone_before(import, i);
		const struct buddy_zone *zone = &found->zone;
		struct host_node *node = zone->node <= 1023 ? finish_node(f, zone->node) : NULL;

		if (first && first->zone.free_pages != zone->free_pages)
			finish_warn(f, &found->at, "other free pages than in %s:%u: those are taken",
				    first->at.file, first->at.line);
		if (!node || first)
			continue;
		node->has_free = node->has_free_order9 = true;
		node->free_bytes += zone->free_pages * page;
		node->free_order9 += zone->order9_free;
	}
}

void finish_memory(struct finish *f)
{
	struct host *h = f->host;

	take_ranges(f);
	take_logged_memory(f);
	take_logged_blocks(f);
	take_logged_nodes(f);
	take_free(f);
	if (h->nr_nodes == 1 && !h->nodes[0].id && !h->nodes[0].memory_bytes)
		h->nodes[0].memory_bytes = h->memory_bytes;
}

static void take_cpus(struct finish *f)
{
	struct host *h = f->host;
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;

	while ((r = finish_next_record(f, KLOG_CPUS, &c, &at))) {
		if (f->has_cpus && h->cpus != r->count) {
			finish_warn(f, &at, "%" PRIu64 " CPUs here, %" PRIu32 " before: the latter are taken",
				    r->count, h->cpus);
		} else if (r->count && r->count <= UINT32_MAX) {
			h->cpus = (uint32_t)r->count;
			finish_from(f, &h->cpus, &at, "%s", "");
			f->has_cpus = true;
		}
	}
}

/* The log says what came of the configuration and the command line. */
static void take_init_on_alloc(struct finish *f)
{
	struct host_kernel *kernel = &f->host->kernel;
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;
	bool is_on;

	while ((r = finish_next_record(f, KLOG_MEM_INIT, &c, &at))) {
		if (!r->name)
			continue;
		is_on = !strcmp(r->name, "on");
		if (f->has_init_on_alloc && kernel->init_on_alloc != is_on) {
			finish_warn(f, &at, "init_on_alloc is %s here, and not before: the latter is taken",
				    r->name);
			continue;
		}
		kernel->init_on_alloc = is_on;
		f->has_init_on_alloc = true;
		finish_from(f, &kernel->init_on_alloc, &at, "%s", "");
	}
}

static void trouble_in_logs(struct finish *f)
{
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at;
	char start[UNITS_STR];

	while ((r = finish_next_record(f, KLOG_VMEMMAP_FAILED, &c, &at)))
		finish_warn(f, &at,
			    "%s found no free block of order %" PRIu64
			    " for a section's memmap, took base pages "
			    "instead, or failed: memmap_on_memory avoids it",
			    r->name ? r->name : "a driver", r->count);
	c = (struct klog_cursor){0};
	while ((r = finish_next_record(f, KLOG_UNALIGNED_RANGE, &c, &at)))
		finish_warn(f, &at, "memory at %#" PRIx64 " was not added: not whole memory blocks (of %s)",
			    r->start,
			    (r->has & KLOG_HAS_END) ? size_exact(start, r->end) : "a size not told");
	c = (struct klog_cursor){0};
	while ((r = finish_next_record(f, KLOG_MISALIGNED_PAGES, &c, &at)))
		finish_warn(f, &at,
			    "pages from PFN %#" PRIx64 " were not added: not whole subsections of 2MiB",
			    r->start);
}

static void say_unknown(struct finish *f)
{
	struct host *h = f->host;

	if (!h->memory_bytes)
		finish_unknown(f, &h->memory_bytes,
			       "no forecast without it (lsmem -J, or a log's \"Memory:\" line)");
	if (!f->has_cpus)
		finish_unknown(f, &h->cpus, "taken as 1 (nproc)");
	if (!h->nr_nodes)
		finish_unknown(f, &h->nodes, "taken as one (lsmem -J -o +NODE)");
	finish_unknown(f, &h->struct_page_bytes, "taken as 64 (BTF has it: memmapctl probe on the machine)");
	if (!f->has_deferred)
		finish_unknown(f, &h->kernel.deferred_struct_page_init,
			       "taken as built in (a log with \"deferred pages initialised\")");
	if (!f->has_init_on_alloc)
		finish_unknown(f, &h->kernel.init_on_alloc, "taken as on (the kernel's configuration)");
	if (!f->has_hvo)
		finish_unknown(f, &h->hvo_supported,
			       "taken as %s, and off (the kernel command line, or a log's "
			       "\"HugeTLB:\" lines)",
			       h->hvo_supported ? "supported" : "not supported");
	if (!f->has_pools)
		finish_unknown(f, &h->hugepages,
			       "taken as none (the kernel command line, or a log's \"HugeTLB: "
			       "registered\" lines)");
	if (!h->nr_namespaces)
		finish_unknown(f, &h->namespaces, "taken as none (ndctl list -NRv, daxctl list)");
	if (!h->nr_devices)
		finish_unknown(f, &h->devices,
			       "taken as none (a log with the GPU driver's lines, cxl list -Rv)");
}

static void finish_parts(struct finish *f)
{
	finish_kernel(f);
	finish_memory(f);
	finish_hugepages(f);
	finish_namespaces(f);
	finish_dax(f);
	finish_logged_devices(f);
	take_cpus(f);
	take_init_on_alloc(f);
	trouble_in_logs(f);
	say_unknown(f);
}

int import_finish(const struct import *import, struct diags *diags, struct host **out)
{
	_cleanup_host_ struct host *host = host_new("imported");
	struct finish f = {.import = import, .host = host, .diags = diags};

	if (!host)
		return -ENOMEM;
	host->memory_bytes = 0;
	finish_parts(&f);
	if (f.err)
		return f.err;
	*out = take_ptr(host);
	return 0;
}
