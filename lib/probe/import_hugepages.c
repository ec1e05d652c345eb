// SPDX-License-Identifier: GPL-2.0-or-later
/* Command lines, and what the log says became of the hugepages they asked for. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "host/cmdline.h"
#include "probe/import_finish.h"

/* Legacy pmem (drivers/nvdimm/e820.c): one raw namespace, all of it with struct pages, as fsdax with map=mem has. */
static void add_memmap_pmem(struct finish *f, const struct found_at *at, const struct cmdline_range *range,
			    unsigned int nr)
{
	struct host *h = f->host;
	struct host_namespace *ns;

	if (f->import->nr_namespaces)
		return; /* ndctl knows better */
	ns = array_grow(&h->namespaces, &h->nr_namespaces, sizeof(*ns));
	if (!ns) {
		f->err = -ENOMEM;
		return;
	}
	*ns = (struct host_namespace){
		.name = finish_name(f, "pmem%u", nr),
		.mode = NS_FSDAX,
		.map = MAP_MEM,
		.align_bytes = f->sizes->pmd_bytes,
		.size_bytes = range->size_bytes,
		.has_start = true,
		.start_bytes = range->start_bytes,
		.node = NODE_ANY,
	};
	finish_from(f, &ns->name, at, "set aside as pmem");
	finish_from(f, &ns->map, at,
		    "raw, with struct pages as fsdax with map=mem has, unless a namespace was made on it");
}

static void take_ranges(struct finish *f, const struct found_at *at, const struct cmdline *c)
{
	unsigned int nr = 0;
	char size[UNITS_STR];

	for (size_t i = 0; i < c->nr_ranges; i++) {
		if (c->ranges[i].kind == '!')
			add_memmap_pmem(f, at, &c->ranges[i], nr++);
		else if (c->ranges[i].kind == '$')
			finish_note(f, at, "memmap=%s$...: reserved, and not RAM for the kernel",
				    size_exact(size, c->ranges[i].size_bytes));
	}
	if (c->mem_bytes && !f->host->memory_bytes) {
		f->host->memory_bytes = c->mem_bytes;
		finish_from(f, &f->host->memory_bytes, at, "mem=, which is where RAM ends: it may be less");
	}
}

static void take_cmdline(struct finish *f, const struct found_cmdline *line)
{
	_cleanup_cmdline_ struct cmdline c = {0};

	f->err = cmdline_parse(line->text, f->sizes, line->at.file, line->at.line, f->diags, &c);
	if (!f->err)
		f->err = cmdline_apply(&c, f->host);
	if (f->err)
		return;
	for (size_t i = 0; i < c.nr_pools; i++) {
		if (c.pools[i].node != NODE_ANY)
			finish_node(f, (uint32_t)c.pools[i].node);
	}
	for (size_t i = 0; i < f->host->nr_hugepages; i++)
		finish_from(f, &f->host->hugepages[i].size_bytes, &line->at, "%s", "");
	if (c.has_hvo)
		finish_from(f, &f->host->hvo_enabled, &line->at, "%s", "");
	if (c.has_init_on_alloc)
		finish_from(f, &f->host->kernel.init_on_alloc, &line->at, "%s", "");
	f->has_pools = true;
	f->has_hvo = f->has_hvo || c.has_hvo;
	f->has_init_on_alloc = f->has_init_on_alloc || c.has_init_on_alloc;
	f->memmap_on_memory = f->memmap_on_memory || c.memmap_on_memory;
	if (c.movable_node)
		finish_note(f, &line->at, "%s", cmdline_movable_node);
	take_ranges(f, &line->at, &c);
}

/* x86 logs its command line twice, and /proc/cmdline is the same again. */
static bool is_known_line(const struct finish *f, size_t i)
{
	const struct import *import = f->import;

	for (size_t j = 0; j < i; j++) {
		if (!strcmp(import->cmdlines[j].text, import->cmdlines[i].text))
			return true;
	}
	return false;
}

static void take_cmdlines(struct finish *f)
{
	const struct import *import = f->import;
	const struct found_cmdline *first = NULL;

	for (size_t i = 0; i < import->nr_cmdlines && !f->err; i++) {
		const struct found_cmdline *line = &import->cmdlines[i];

		if (is_known_line(f, i))
			continue;
		if (first) {
			finish_warn(f, &line->at, "another command line: that of %s:%u is taken",
				    first->at.file, first->at.line);
			continue;
		}
		first = line;
		take_cmdline(f, line);
	}
}

static void add_pool(struct finish *f, const struct found_at *at, uint64_t size_bytes, uint64_t count)
{
	struct host *h = f->host;
	struct host_hugepages *pool = array_grow(&h->hugepages, &h->nr_hugepages, sizeof(*pool));

	if (!pool) {
		f->err = -ENOMEM;
		return;
	}
	*pool = (struct host_hugepages){
		.size_bytes = size_bytes, .count = count, .when = HUGEPAGES_BOOT, .node = NODE_ANY};
	finish_from(f, &pool->size_bytes, at, "%s", "");
}

static struct host_hugepages *only_pool_of(struct host *h, uint64_t size_bytes)
{
	struct host_hugepages *pool = NULL;

	for (size_t i = 0; i < h->nr_hugepages; i++) {
		if (h->hugepages[i].size_bytes != size_bytes)
			continue;
		if (pool)
			return NULL;
		pool = &h->hugepages[i];
	}
	return pool;
}

/* The log says itself that it is fewer. */
static bool is_short(const struct finish *f, uint64_t size_bytes)
{
	const struct klog_record *r;
	struct klog_cursor c = {0};
	struct found_at at;

	while ((r = finish_next_record(f, KLOG_HUGETLB_SHORT, &c, &at))) {
		if (r->page_size_bytes == size_bytes)
			return true;
	}
	return false;
}

/* What came of a size: the log's count is what the host has. */
static void take_registered(struct finish *f, const struct found_at *at, uint64_t size_bytes, uint64_t count)
{
	uint64_t asked = host_hugepages_of_size(f->host, size_bytes);
	struct host_hugepages *pool = only_pool_of(f->host, size_bytes);
	char size[UNITS_STR];

	f->has_pools = true;
	if (!asked && count) {
		add_pool(f, at, size_bytes, count);
	} else if (asked != count && pool) {
		if (!is_short(f, size_bytes))
			finish_warn(f, at,
				    "%" PRIu64 " hugepages of %s here, %" PRIu64
				    " asked for: those here are taken",
				    count, size_exact(size, size_bytes), asked);
		pool->count = count;
		finish_from(f, &pool->count, at, "what came");
	} else if (asked != count) {
		finish_warn(f, at, "%" PRIu64 " hugepages of %s here, %" PRIu64 " asked for on single nodes",
			    count, size_exact(size, size_bytes), asked);
	}
}

/* "0 KiB vmemmap can be freed" for every size: HVO is not there. */
static void take_hvo_lines(struct finish *f)
{
	struct host *h = f->host;
	struct klog_cursor c = {0};
	const struct klog_record *r;
	struct found_at at, first = {0};
	bool saves = false;

	while ((r = finish_next_record(f, KLOG_HUGETLB_FREEABLE, &c, &at))) {
		if (!first.line)
			first = at;
		saves = saves || r->bytes;
	}
	if (!first.line)
		return;
	f->has_hvo = true;
	h->hvo_supported = saves;
	finish_from(f, &h->hvo_supported, &first, "%s", "");
	if (saves || !h->hvo_enabled)
		return;
	finish_warn(f, &first,
		    "HVO is asked for (hugetlb_free_vmemmap=on) and not available here: 0 KiB can be freed");
	h->hvo_enabled = false;
}

/* Asked for, and none came. */
static void drop_empty_pools(struct host *h)
{
	size_t nr = 0;

	for (size_t i = 0; i < h->nr_hugepages; i++) {
		if (h->hugepages[i].count)
			h->hugepages[nr++] = h->hugepages[i];
	}
	h->nr_hugepages = nr;
}

void finish_hugepages(struct finish *f)
{
	const struct klog_record *r;
	struct klog_cursor c = {0};
	struct found_at at;
	char size[UNITS_STR];

	take_cmdlines(f);
	while (!f->err && (r = finish_next_record(f, KLOG_HUGETLB_REGISTERED, &c, &at)))
		take_registered(f, &at, r->page_size_bytes, r->count);
	drop_empty_pools(f->host);
	c = (struct klog_cursor){0};
	while ((r = finish_next_record(f, KLOG_HUGETLB_SHORT, &c, &at)))
		finish_warn(f, &at, "the kernel had room for %" PRIu64 " of %" PRIu64 " hugepages of %s",
			    r->count, r->wanted, size_exact(size, r->page_size_bytes));
	c = (struct klog_cursor){0};
	while ((r = finish_next_record(f, KLOG_HUGETLB_CMA, &c, &at)))
		finish_warn(f, &at, "hugetlb_cma= took the place of gigantic pages: none were made at boot");
	take_hvo_lines(f);
}
