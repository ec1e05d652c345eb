// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_paths.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/root.h"
#include "base/units.h"
#include "base/util.h"
#include "measure/budget.h"
#include "measure/kernel_paths_files.h"
#include "measure/kmod_build.h"
#include "measure/kmod_load.h"
#include "measure/simulated_internal.h"
#include "trace/undo.h"

struct kernel_race {
	const struct simulated_options *options;
	const struct simulated_hooks *hooks;
	struct diags *diags;
	struct root root;
	struct placement placement;
	struct machine_memory memory;
	struct paths_module module;
	uint64_t window_pages;
	int node; /* where the module's memory was; -1: nothing ran */
	const char *version;
	struct observations *obs;
	struct lane *lanes;
	size_t nr_lanes;
};

/* A routine on a page kind. */
struct lane {
	struct kernel_race *race;
	const struct paths_routine *routine;
	enum page_kind kind;
	unsigned int order;
	uint64_t nr_pages;
	double scale; /* units described / units run */
	struct obs_run *run;
	bool verify; /* in the coming pass */
	int err;     /* of the last one */
	bool differs;
};

/* ---- one pass ---- */

static int ask(const struct lane *lane)
{
	char request[256];

	snprintf(request, sizeof(request),
		 "routine=%s kind=%s pages=%" PRIu64 " order=%u version=%s verify=%d", lane->routine->name,
		 kind_name(lane->kind), lane->nr_pages, lane->order, lane->race->version, lane->verify);
	return write_file(PATHS_DIR "/run", request);
}

/* The first pass starts on poisoned memory and is compared with the baseline. */
static int before(void *ctx, unsigned int pass)
{
	struct lane *lane = ctx;

	lane->verify = !pass;
	return 0;
}

static void run_pass(void *ctx)
{
	struct lane *lane = ctx;

	lane->err = ask(lane);
}

static int failed_pass(const struct lane *lane)
{
	char size[UNITS_STR];

	if (lane->err == -ENOMEM)
		return diag_error(
			lane->race->diags, lane->err,
			"%s does not take %s for struct pages: that is more than half of what the kernel has "
			"free; take fewer with --pages or --memory",
			KERNEL_PATHS_MODULE, size_human(size, lane->nr_pages * STRUCT_PAGE_BYTES));
	if (lane->err == -EPERM)
		return diag_error(lane->race->diags, lane->err,
				  PATHS_DIR
				  "/run cannot be written: a locked-down kernel allows no use of debugfs");
	return diag_error(lane->race->diags, lane->err, "%s, routine %s: %s", kind_name(lane->kind),
			  lane->routine->name, strerror(-lane->err));
}

static void check_first(struct lane *lane, const struct paths_pass *pass)
{
	lane->run->verified = pass->verified;
	lane->differs = !pass->verified;
	if (lane->differs)
		diag_error(lane->race->diags, 0,
			   "%s, %s, routine %s in the kernel: struct page %" PRIu64 " of %" PRIu64
			   " is not what the baseline writes",
			   kind_name(lane->kind), path_name(lane->routine->path), lane->routine->name,
			   pass->first_wrong, lane->nr_pages);
}

/* By the kernel's own clock, around the routine alone; ns has the way there and back in it. */
static int result(void *ctx, unsigned int pass, uint64_t ns)
{
	struct lane *lane = ctx;
	struct paths_pass took = {0};
	_cleanup_free_ char *text = NULL;
	double scaled;

	(void)ns;
	if (lane->err)
		return failed_pass(lane);
	if (root_read(&lane->race->root, &text, PATHS_DIR "/run") || paths_pass_parse(text, &took))
		return diag_error(lane->race->diags, -EIO, PATHS_DIR "/run: not the form that is known here");
	lane->race->node = took.node;
	scaled = (double)took.ns * lane->scale;
	if (pass)
		return obs_run_add_sample(lane->run, scaled);
	lane->run->first_ns = scaled;
	check_first(lane, &took);
	return 0;
}

/* ---- what to run ---- */

static bool is_named(const struct simulated_options *o, const char *routine)
{
	if (!o->routines)
		return true;
	for (const char *const *name = o->routines; *name; name++) {
		if (!strcmp(*name, routine))
			return true;
	}
	return false;
}

static bool is_wanted(const struct simulated_options *o, const struct paths_routine *r, enum page_kind kind)
{
	return r->usable && o->kinds & (1u << kind) && o->paths & (1u << r->path) &&
	       r->kinds & (1u << kind) && is_named(o, r->name);
}

static int describe_run(const struct kernel_race *race, const struct lane *lane, struct obs_run *run)
{
	run->routine = strdup(lane->routine->name);
	run->path = lane->routine->path;
	run->kind = lane->kind;
	run->stage = simulated_stage(lane->kind);
	run->event = stages[run->stage].event;
	run->unit = UNIT_STRUCT_PAGES;
	run->order = lane->order;
	run->units = round_down_pow2(race->options->nr_pages, 1ULL << lane->order);
	run->measured_units = lane->nr_pages;
	run->threads = run->nr_averaged = 1;
	run->text_bytes = race->module.text_bytes;
	if (!run->routine)
		return -ENOMEM;
	if (strstr(lane->routine->name, "memcpy"))
		return obs_run_set_note(run, "memcpy is %s in this module (gcc %s): %s",
					race->module.memcpy_is, race->module.compiler,
					race->module.memcpy_code);
	return 0;
}

static int add_lane(struct kernel_race *race, const struct paths_routine *routine, enum page_kind kind)
{
	struct lane *lane = array_grow(&race->lanes, &race->nr_lanes, sizeof(*lane));
	struct obs_run *run = lane ? observations_add_run(race->obs) : NULL;

	if (!run)
		return -ENOMEM;
	lane->race = race;
	lane->routine = routine;
	lane->kind = kind;
	lane->order = simulated_order(race->options, kind, race->window_pages);
	lane->nr_pages = round_down_pow2(race->window_pages, 1ULL << lane->order);
	if (!lane->nr_pages)
		return diag_error(race->diags, -EINVAL,
				  "%" PRIu64 " struct pages are too few: a compound page has %llu",
				  race->window_pages, 1ULL << lane->order);
	if (describe_run(race, lane, run))
		return -ENOMEM;
	lane->scale = (double)run->units / (double)lane->nr_pages;
	return 0;
}

static int plan(struct kernel_race *race)
{
	for (int kind = 0; kind < NR_KINDS; kind++) {
		for (size_t i = 0; i < race->module.nr_routines; i++) {
			const struct paths_routine *routine = &race->module.routines[i];
			int err = is_wanted(race->options, routine, (enum page_kind)kind)
					  ? add_lane(race, routine, (enum page_kind)kind)
					  : 0;

			if (err)
				return err;
		}
	}
	if (!race->nr_lanes)
		return diag_error(race->diags, -EINVAL,
				  "no routine is left to run: --kind, --path and --routine exclude each "
				  "other (" PATHS_DIR "/routines lists what the module has)");
	for (size_t i = 0; i < race->nr_lanes; i++)
		race->lanes[i].run = &race->obs->runs[i];
	return 0;
}

static int choose_window(struct kernel_race *race)
{
	const struct simulated_options *o = race->options;
	uint64_t memmap;

	if (mul_u64(o->nr_pages, STRUCT_PAGE_BYTES, &memmap))
		return diag_error(race->diags, -EINVAL, "%" PRIu64 " struct pages are more than 2^64 bytes",
				  o->nr_pages);
	race->window_pages = budget_window_bytes(memmap, o->memory_bytes, &race->memory) / STRUCT_PAGE_BYTES;
	return 0;
}

/* ---- the module ---- */

static int read_module(struct kernel_race *race)
{
	_cleanup_free_ char *about = NULL, *routines = NULL;
	int err = root_read(&race->root, &about, PATHS_DIR "/about");

	if (!err)
		err = root_read(&race->root, &routines, PATHS_DIR "/routines");
	if (err == -ENOENT)
		return diag_error(race->diags, err,
				  "/sys/kernel/debug: debugfs is not mounted there (mount -t debugfs none "
				  "/sys/kernel/debug), or this kernel has none");
	if (err)
		return diag_error(race->diags, err, PATHS_DIR ": %s", strerror(-err));
	err = paths_module_parse(about, routines, &race->module);
	if (err)
		return diag_error(race->diags, err == -ENOMEM ? err : -EIO,
				  PATHS_DIR ": not the form that is known here: another version's module");
	race->version = race->options->version ? race->options->version->name : race->module.version;
	return 0;
}

static int describe_environment(struct kernel_race *race)
{
	struct obs_environment *env = &race->obs->env;
	char window[UNITS_STR];
	int err = machine_environment(&race->root, env);

	env->timing_source = strdup("ktime_get_raw_ns in the kernel");
	env->simulated_version = strdup(race->version);
	env->resolution_ns = clock_resolution_ns(race->hooks->clock);
	if (asprintf(&env->memory,
		     "%s of vmalloc memory, node %d, CPU %u; the kernel's memcpy of a struct page: %s",
		     size_human(window, race->window_pages * STRUCT_PAGE_BYTES), race->node,
		     race->placement.cpus[0], race->module.memcpy_is) < 0)
		env->memory = NULL;
	return !err && env->timing_source && env->simulated_version && env->memory ? 0 : -ENOMEM;
}

static int run_lanes(struct kernel_race *race)
{
	_cleanup_free_ struct runner_job *jobs = calloc(race->nr_lanes, sizeof(*jobs));
	const struct runner runner = {
		.clock = race->hooks->clock,
		.passes = race->options->reps + 1,
		.stop = race->hooks->stop,
		.progress = race->hooks->progress,
		.progress_ctx = race->hooks->progress_ctx,
	};

	if (!jobs)
		return -ENOMEM;
	for (size_t i = 0; i < race->nr_lanes; i++)
		jobs[i] = (struct runner_job){
			.ctx = &race->lanes[i], .before = before, .run = run_pass, .result = result};
	return runner_run(&runner, jobs, race->nr_lanes);
}

static int sum_up(struct kernel_race *race)
{
	for (size_t i = 0; i < race->obs->nr_runs; i++) {
		if (obs_run_summarize(&race->obs->runs[i]))
			return -ENOMEM;
	}
	observations_drop_empty(race->obs);
	return 0;
}

static int verdict(const struct kernel_race *race)
{
	for (size_t i = 0; i < race->nr_lanes; i++) {
		if (race->lanes[i].differs)
			return -EBADMSG;
	}
	return 0;
}

/* With the module loaded. */
static int race_loaded(struct kernel_race *race)
{
	int err = read_module(race), stopped;

	if (!err)
		err = plan(race);
	if (err)
		return err;
	stopped = run_lanes(race);
	if (stopped && stopped != -EINTR)
		return stopped;
	race->obs->incomplete = stopped;
	err = describe_environment(race);
	if (!err)
		err = sum_up(race);
	return err ? err : stopped ? stopped : verdict(race);
}

static int load_and_race(struct kernel_race *race, const struct kernel_paths_options *options)
{
	struct utsname uts;
	struct kmod_request request = {
		.name = KERNEL_PATHS_MODULE,
		.module_dir = options->module_dir,
		.headers = options->headers,
		.stop = race->hooks->stop,
	};
	_cleanup_kmod_file_ struct kmod_file file = {0};
	struct kmod_loaded loaded = {0};
	char parameters[64];
	int err = uname(&uts) ? -errno : 0, unloaded;

	request.release = uts.release;
	if (!err)
		err = kmod_file_get(&request, race->diags, &file);
	if (err)
		return err;
	snprintf(parameters, sizeof(parameters), "max_bytes=%" PRIu64,
		 race->window_pages * STRUCT_PAGE_BYTES);
	err = kmod_load(file.path, parameters, race->diags, &loaded);
	if (err)
		return err;
	err = race_loaded(race);
	unloaded = kmod_unload(&loaded, race->diags);
	return err ? err : unloaded;
}

static int pin(struct kernel_race *race)
{
	cpu_set_t set;
	int err = placement_choose(race->options->node, race->options->cpu, 1, race->diags, &race->placement);

	if (err)
		return err;
	CPU_ZERO(&set);
	CPU_SET(race->placement.cpus[0], &set);
	return sched_setaffinity(0, sizeof(set), &set) ? -errno : 0;
}

static int check_options(const struct kernel_race *race)
{
	if (race->options->threads > 1 || race->options->codegens != 1u << CODEGEN_DEFAULT)
		return diag_error(
			race->diags, -EINVAL,
			"--in-kernel-paths runs one build on one CPU: --threads and --codegen are for "
			"--mode simulated");
	return 0;
}

int kernel_paths_measure(const struct kernel_paths_options *options, const struct simulated_hooks *hooks,
			 struct diags *diags, struct observations **out)
{
	struct kernel_race race = {.options = options->race, .hooks = hooks, .diags = diags, .node = -1};
	cpu_set_t affinity;
	bool had_affinity = !sched_getaffinity(0, sizeof(affinity), &affinity);
	int err = root_open("/", &race.root);

	race.obs = observations_new("kernel-paths");
	if (!race.obs)
		err = -ENOMEM;
	if (!err)
		err = check_options(&race);
	if (!err)
		err = pin(&race);
	if (!err) {
		machine_memory_read(&race.root, race.placement.cpus[0], &race.memory);
		err = choose_window(&race);
	}
	if (!err)
		err = load_and_race(&race, options);
	if (had_affinity)
		sched_setaffinity(0, sizeof(affinity), &affinity);
	if (race.obs && race.obs->env.memory && (!err || err == -EINTR || err == -EBADMSG))
		*out = take_ptr(race.obs);
	observations_free(race.obs);
	placement_free(&race.placement);
	paths_module_free(&race.module);
	free(race.lanes);
	root_close(&race.root);
	return err;
}
