// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/simulated_task.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/util.h"

enum { POISON = 0xa5 };

static struct page *page_at(const struct page *memmap, uint64_t i)
{
	return (struct page *)((uintptr_t)memmap + i * STRUCT_PAGE_BYTES);
}

static struct initpath_args part_of(const struct initpath_args *args, uint64_t start, uint64_t count)
{
	struct initpath_args part = *args;

	part.memmap = page_at(args->memmap, start);
	part.start_pfn += start;
	part.nr_pages = count;
	return part;
}

static void init_part(void *arg, uint64_t start, uint64_t count)
{
	const struct task *task = arg;
	struct initpath_args part = part_of(&task->args, start, count);

	for (unsigned int i = 0; i < task->loops; i++)
		task->routine->run(&part);
}

/* What a stream writes is of no interest, that it is a struct page's worth at a time is. */
static void stream_part(void *arg, uint64_t start, uint64_t count)
{
	static const uint64_t pattern[STRUCT_PAGE_BYTES / 8]
		__attribute__((aligned(64))) = {1, 2, 3, 4, 5, 6, 7, 8};
	const struct task *task = arg;

	for (unsigned int i = 0; i < task->loops; i++)
		task->stream->fill(page_at(task->args.memmap, start), count * STRUCT_PAGE_BYTES, pattern);
}

static void poison_part(void *arg, uint64_t start, uint64_t count)
{
	const struct task *task = arg;

	memset(page_at(task->args.memmap, start), POISON, count * STRUCT_PAGE_BYTES);
}

/* What an earlier task left may be what this one must write, and would hide that it wrote nothing. */
static int before(void *ctx, unsigned int pass)
{
	struct task *task = ctx;

	if (!pass && task->baseline) {
		workers_ready(task->workers, &task->split, poison_part, task);
		workers_go(task->workers);
	}
	workers_ready(task->workers, &task->split, task->routine ? init_part : stream_part, task);
	if (task->arena->cpu_clock)
		task->cpu_start_ns = clock_now_ns(task->arena->cpu_clock);
	return 0;
}

static void run(void *ctx)
{
	const struct task *task = ctx;

	workers_go(task->workers);
}

static int result(void *ctx, unsigned int pass, uint64_t ns)
{
	struct task *task = ctx;
	double scaled = (double)ns * task->scale;

	if (task->arena->cpu_clock) {
		task->arena->cpu_ns += clock_now_ns(task->arena->cpu_clock) - task->cpu_start_ns;
		task->arena->timed_ns += ns;
	}
	if (pass)
		return obs_run_add_sample(task->run, scaled);
	task->run->first_ns = scaled;
	return 0;
}

/*
 * The array is compared a piece at a time with what the baseline writes for the same PFNs, so that no second array of
 * the same size is needed.
 */
static uint64_t first_difference(const struct task *task)
{
	uint64_t piece = task->arena->scratch_bytes / STRUCT_PAGE_BYTES;

	for (uint64_t start = 0; start < task->args.nr_pages; start += piece) {
		uint64_t count = MIN(piece, task->args.nr_pages - start), same;
		struct initpath_args part = part_of(&task->args, start, count);
		const struct page *written = part.memmap;

		part.memmap = task->arena->scratch;
		memset(part.memmap, ~POISON, count * STRUCT_PAGE_BYTES);
		task->baseline->run(&part);
		same = initpath_compare(written, part.memmap, count);
		if (same < count)
			return start + same;
	}
	return task->args.nr_pages;
}

static int after(void *ctx, unsigned int pass)
{
	struct task *task = ctx;
	uint64_t at;

	if (pass || !task->baseline)
		return 0;
	at = first_difference(task);
	task->differs = at < task->args.nr_pages;
	task->run->verified = !task->differs;
	if (task->differs)
		diag_error(task->arena->diags, 0,
			   "%s, %s, routine %s (%s): struct page %" PRIu64 " of %" PRIu64
			   " is not what the baseline writes",
			   kind_name(task->args.kind), path_name(task->routine->path), task->routine->name,
			   codegen_name(task->routine->codegen), at, task->args.nr_pages);
	return 0;
}

struct runner_job task_job(struct task *task)
{
	return (struct runner_job){
		.ctx = task, .before = before, .run = run, .result = result, .after = after};
}
