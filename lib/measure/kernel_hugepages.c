// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_hugepages.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/root.h"
#include "base/units.h"
#include "measure/kernel_log_tail.h"

struct pool {
	const struct hugepage_growth *growth;
	const struct kernel_hugepages_options *o;
	struct diags *diags;
	char *file;     /* its nr_hugepages */
	uint64_t start; /* pages it had */
	uint64_t count; /* pages to grow by: what the first cycle obtained */
	double *alloc_ns, *free_ns;
	size_t nr;
};

static void free_pool(struct pool *p)
{
	free(p->file);
	free(p->alloc_ns);
	free(p->free_ns);
}
#define _cleanup_pool_ _cleanup_(free_pool)

static int read_number(const char *path, uint64_t *out)
{
	struct root root;
	int err = root_open("/", &root);

	if (err)
		return err;
	err = root_read_u64(&root, out, "%s", path);
	root_close(&root);
	return err;
}

static int write_number(const char *path, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return write_file(path, text);
}

/* Note how a file is now, to be written back. */
static int note_number(struct undo *undo, const char *path, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	return undo_write(undo, path, text);
}

static int pool_open(struct pool *p)
{
	const struct hugepage_growth *g = p->growth;
	char size[UNITS_STR], node[64] = "kernel/mm";
	int err;

	if (g->node >= 0)
		snprintf(node, sizeof(node), "devices/system/node/node%d", g->node);
	if (asprintf(&p->file, "%s/sys/%s/hugepages/hugepages-%" PRIu64 "kB/nr_hugepages", p->o->sysroot,
		     node, (uint64_t)(g->size_bytes / KIB)) < 0) {
		p->file = NULL;
		return -ENOMEM;
	}
	p->alloc_ns = calloc(p->o->cycles, sizeof(*p->alloc_ns));
	p->free_ns = calloc(p->o->cycles, sizeof(*p->free_ns));
	if (!p->alloc_ns || !p->free_ns)
		return -ENOMEM;
	err = read_number(p->file, &p->start);
	if (err == -ENOENT)
		return diag_error(p->diags, -EINVAL, "this kernel has no hugepages of %s%s",
				  size_exact(size, g->size_bytes),
				  g->node >= 0 ? " there, or no such node" : "");
	if (err)
		return diag_error(p->diags, err, "%s: %s", p->file, strerror(-err));
	p->count = g->count;
	return note_number(p->o->undo, p->file, p->start);
}

/* How many more pages the pool has than at the start. */
static int grown(const struct pool *p, uint64_t *out)
{
	uint64_t now;
	int err = read_number(p->file, &now);

	if (!err)
		*out = now > p->start ? now - p->start : 0;
	return err;
}

static int timed_write(struct pool *p, uint64_t value, double *ns)
{
	uint64_t start = clock_now_ns(p->o->clock);
	int err = write_number(p->file, value);

	*ns = (double)(clock_now_ns(p->o->clock) - start);
	return err ? diag_error(p->diags, err, "%s: %s", p->file, strerror(-err)) : 0;
}

static int short_of(struct pool *p, uint64_t obtained)
{
	char size[UNITS_STR];

	size_exact(size, p->growth->size_bytes);
	if (!obtained)
		return diag_error(p->diags, -ENOMEM,
				  "not one hugepage of %s could be had: memory is full or fragmented", size);
	diag_add(p->diags, DIAG_WARNING, NULL, 0, 0,
		 "only %" PRIu64 " of %" PRIu64 " hugepages of %s could be had", obtained, p->count, size);
	return 0;
}

static bool stopped(const struct pool *p)
{
	return p->o->stop && *p->o->stop;
}

/* Samples are of one number of pages: when a cycle gets fewer, the earlier ones are no longer of the same. */
static int run_cycle(struct pool *p)
{
	double alloc_ns, free_ns;
	uint64_t obtained;
	int err = timed_write(p, p->start + p->count, &alloc_ns);

	if (!err)
		err = grown(p, &obtained);
	if (!err)
		err = timed_write(p, p->start, &free_ns);
	if (err)
		return err;
	if (obtained < p->count && stopped(p)) /* the kernel ends the growth of a pool at a signal */
		return -EINTR;
	if (obtained < p->count) {
		err = short_of(p, obtained);
		if (err)
			return err;
		p->count = obtained;
		p->nr = 0;
	}
	p->alloc_ns[p->nr] = alloc_ns;
	p->free_ns[p->nr] = free_ns;
	p->nr++;
	return 0;
}

static int run_cycles(struct pool *p)
{
	for (unsigned int i = 0; i < p->o->cycles; i++) {
		int err;

		if (stopped(p))
			return -EINTR;
		if (p->o->progress)
			p->o->progress(p->o->progress_ctx, i, p->o->cycles,
				       p->nr ? p->alloc_ns[p->nr - 1] + p->free_ns[p->nr - 1] : 0);
		err = run_cycle(p);
		if (err)
			return err;
	}
	if (p->o->progress)
		p->o->progress(p->o->progress_ctx, p->o->cycles, p->o->cycles, 0);
	return 0;
}

static int name_pool(const struct pool *p, const char *hvo, char **out)
{
	char size[UNITS_STR], node[24] = "";

	if (p->growth->node >= 0)
		snprintf(node, sizeof(node), ", node %d", p->growth->node);
	return asprintf(out, "%s hugepages%s, HVO %s", size_exact(size, p->growth->size_bytes), node, hvo) < 0
		       ? (*out = NULL, -ENOMEM)
		       : 0;
}

static int add_run(struct pool *p, struct observations *obs, enum stage_id stage, const double *ns,
		   const char *hvo)
{
	struct obs_run *run = observations_add_run(obs);
	int err;

	if (!run)
		return -ENOMEM;
	run->event = EVENT_HUGEPAGE;
	run->stage = stage;
	run->unit = UNIT_HUGEPAGES;
	run->units = run->measured_units = p->count;
	run->first_ns = ns[0];
	err = name_pool(p, hvo, &run->device);
	if (!err && p->count < p->growth->count)
		err = obs_run_set_note(run, "%" PRIu64 " hugepages asked for, %" PRIu64 " obtained",
				       p->growth->count, p->count);
	for (size_t i = 1; !err && i < p->nr; i++)
		err = obs_run_add_sample(run, ns[i]);
	return err ? err : obs_run_summarize(run);
}

/* HVO's switch is there only where some page size can be optimised. */
static int set_hvo(struct pool *p, enum hvo_setting hvo, const char **now)
{
	_cleanup_free_ char *path = NULL;
	uint64_t before;
	int err;

	if (asprintf(&path, "%s/proc/sys/vm/hugetlb_optimize_vmemmap", p->o->sysroot) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	err = read_number(path, &before);
	if (err == -ENOENT && hvo != HVO_ON) {
		*now = "not here";
		return 0;
	}
	if (err)
		return diag_error(p->diags, -ENOTSUP,
				  "HVO cannot be switched on here: vm.hugetlb_optimize_vmemmap: %s",
				  strerror(-err));
	*now = (hvo == HVO_AS_IS ? before != 0 : hvo == HVO_ON) ? "on" : "off";
	if (hvo == HVO_AS_IS || (before != 0) == (hvo == HVO_ON))
		return 0;
	err = note_number(p->o->undo, path, before);
	if (!err)
		err = write_number(path, hvo == HVO_ON);
	return err ? diag_error(p->diags, err, "%s: %s", path, strerror(-err)) : 0;
}

int kernel_hugepages_measure(const struct hugepage_growth *growth, enum hvo_setting hvo,
			     const struct kernel_hugepages_options *options, struct diags *diags,
			     struct observations *obs)
{
	_cleanup_pool_ struct pool pool = {.growth = growth, .o = options, .diags = diags};
	size_t mark = undo_pending(options->undo);
	const char *now = NULL;
	_cleanup_fd_ int kmsg = kernel_log_tail_open();
	int err = set_hvo(&pool, hvo, &now), added = 0, put_back;

	if (!err)
		err = pool_open(&pool);
	if (!err)
		err = run_cycles(&pool);
	if (pool.nr) {
		added = add_run(&pool, obs, STAGE_HUGEPAGE_ALLOC, pool.alloc_ns, now);
		if (!added)
			added = add_run(&pool, obs, STAGE_HUGEPAGE_FREE, pool.free_ns, now);
	}
	if (err)
		obs->incomplete = true;
	put_back = undo_to(options->undo, mark, diags);
	kernel_log_complaints(kmsg, diags);
	return err ? err : added ? added : put_back;
}
