// SPDX-License-Identifier: GPL-2.0-or-later
/* From a race, simulated or in the kernel: paths as shares of the baseline, and the two sides of the roofline. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "model/fit.h"
#include "model/profile_edit.h"

/*
 * How far the same ratio may be on another machine and in a real kernel, as a factor either way. Published ratios
 * of the plain template lie as far apart as the first: 0.64 (arm64), 0.90 and 0.93 (two x86 VMs). A
 * non-temporal path is bound by what one core can stream to memory and its baseline mostly is not, so that
 * one's ratio moves with the machine as bandwidth does: servers differ by more than that, twice being common.
 */
static double machine_allowance(enum memmap_path path)
{
	return path == PATH_TEMPLATE_NT ? 2 : 1.5;
}

/* What runs must have in common to be compared. */
struct race {
	enum page_kind kind;
	uint32_t order;
	enum obs_window window;
};

static bool takes_part(const struct obs_run *run, const struct race *race)
{
	return run->unit == UNIT_STRUCT_PAGES && run->kind == race->kind && run->order == race->order &&
	       run->window == race->window && run->threads <= 1 && run->verified && run->nr_samples &&
	       run->units && run->summary.median > 0 && (!run->codegen || !strcmp(run->codegen, "default"));
}

static double ns_per_page(const struct obs_run *run)
{
	return run->summary.median / (double)run->units;
}

/*
 * The run that stands for a path, or NULL: of the baseline the first, which is the kernel's own sequence; of a
 * template the fastest routine, which is what a kernel for this CPU would use.
 */
static const struct obs_run *best_run(const struct observations *obs, const struct race *race,
				      enum memmap_path path)
{
	const struct obs_run *best = NULL;

	for (size_t i = 0; i < obs->nr_runs; i++) {
		const struct obs_run *run = &obs->runs[i];

		if (run->path != path || !takes_part(run, race))
			continue;
		if (path == PATH_BASELINE)
			return run;
		if (!best || ns_per_page(run) < ns_per_page(best))
			best = run;
	}
	return best;
}

/* Logarithm of how far samples lie below (or above) their median: its interval, or all of them when they are few. */
static double spread_below(const struct obs_run *run)
{
	const struct summary *s = &run->summary;

	return log(s->median / (s->has_interval ? s->median_low : s->min));
}

static double spread_above(const struct obs_run *run)
{
	const struct summary *s = &run->summary;

	return log((s->has_interval ? s->median_high : s->max) / s->median);
}

static bool is_in_kernel(const struct observations *obs)
{
	return !strcmp(obs->mode, "kernel-paths");
}

static int add_ratio(struct profile *profile, const struct observations *obs, const struct obs_run *run,
		     const struct obs_run *base)
{
	struct path_ratio *ratio = array_grow(&profile->ratios, &profile->nr_ratios, sizeof(*ratio));
	double factor = machine_allowance(run->path), allowance = log(factor);

	if (!ratio)
		return -ENOMEM;
	ratio->kind = run->kind;
	ratio->path = run->path;
	ratio->ratio = ns_per_page(run) / ns_per_page(base);
	ratio->low = ratio->ratio * exp(-hypot(allowance, hypot(spread_below(run), spread_above(base))));
	ratio->high = ratio->ratio * exp(hypot(allowance, hypot(spread_above(run), spread_below(base))));
	if (asprintf(&ratio->source,
		     "%s on %s: %s against %s, %zu and %zu samples; interval from them and a factor of "
		     "%g either way for another machine%s",
		     is_in_kernel(obs) ? "in the kernel" : "simulated",
		     obs->env.cpu ? obs->env.cpu : obs->env.arch,
		     run->routine ? run->routine : "best routine", base->routine ? base->routine : "baseline",
		     run->nr_samples, base->nr_samples, factor,
		     is_in_kernel(obs) ? "" : " and a real kernel") < 0) {
		ratio->source = NULL;
		return -ENOMEM;
	}
	return 0;
}

static int add_cpu(struct profile *profile, const struct observations *obs, const struct obs_run *run)
{
	struct cpu_cost *cpu = array_grow(&profile->cpu, &profile->nr_cpu, sizeof(*cpu));

	if (!cpu)
		return -ENOMEM;
	cpu->kind = run->kind;
	cpu->path = run->path;
	cpu->ns = ns_per_page(run);
	if (asprintf(&cpu->source, "simulated on %s in a window that fits the cache: %s, %zu samples",
		     obs->env.cpu ? obs->env.cpu : obs->env.arch,
		     run->routine ? run->routine : "best routine", run->nr_samples) < 0) {
		cpu->source = NULL;
		return -ENOMEM;
	}
	return 0;
}

/* The order that a kind was raced with: the first one, where there are several. */
static uint32_t order_of(const struct observations *obs, enum page_kind kind, enum obs_window window)
{
	for (size_t i = 0; i < obs->nr_runs; i++) {
		if (obs->runs[i].kind == kind && obs->runs[i].window == window)
			return obs->runs[i].order;
	}
	return 0;
}

static int race_in_memory(struct profile *profile, const struct observations *obs, enum page_kind kind)
{
	struct race race = {kind, order_of(obs, kind, OBS_WINDOW_MEMORY), OBS_WINDOW_MEMORY};
	const struct obs_run *base = best_run(obs, &race, PATH_BASELINE);
	int err = 0;

	for (int path = PATH_TEMPLATE; !err && base && path < NR_PATHS; path++) {
		const struct obs_run *run = best_run(obs, &race, path);

		if (run)
			err = add_ratio(profile, obs, run, base);
	}
	return err;
}

static int race_in_cache(struct profile *profile, const struct observations *obs, enum page_kind kind)
{
	struct race race = {kind, order_of(obs, kind, OBS_WINDOW_CACHE), OBS_WINDOW_CACHE};
	int err = 0;

	for (int path = 0; !err && path < NR_PATHS; path++) {
		const struct obs_run *run = best_run(obs, &race, path);

		if (run)
			err = add_cpu(profile, obs, run);
	}
	return err;
}

/* In the kernel no window in the cache is raced: what a simulated race said of it stays. */
static void drop_paths(struct profile *profile, const struct observations *race)
{
	for (size_t i = 0; i < profile->nr_ratios; i++)
		free(profile->ratios[i].source);
	free(profile->ratios);
	profile->ratios = NULL;
	profile->nr_ratios = 0;
	if (is_in_kernel(race))
		return;
	for (size_t i = 0; i < profile->nr_cpu; i++)
		free(profile->cpu[i].source);
	free(profile->cpu);
	profile->cpu = NULL;
	profile->nr_cpu = 0;
}

int fit_ratios(struct profile *profile, const struct observations *race, struct diags *diags)
{
	int err = 0;

	if (!observations_are_race(race))
		return diag_error(diags, -EINVAL,
				  "%s: its mode is \"%s\"; ratios come from `measure --mode simulated`, or "
				  "`--mode kernel --in-kernel-paths`",
				  race->file ? race->file : "observations", race->mode);
	drop_paths(profile, race);
	for (int kind = 0; !err && kind < NR_KINDS; kind++) {
		err = race_in_memory(profile, race, kind);
		if (!err)
			err = race_in_cache(profile, race, kind);
	}
	if (err)
		return err;
	if (!profile->nr_ratios)
		return diag_error(diags, -EINVAL,
				  "%s: no page kind has both a verified baseline and a verified template run",
				  race->file ? race->file : "observations");
	if (race->has_limits) {
		profile->store_gbps = race->store_gbps;
		profile->nt_store_gbps = race->nt_store_gbps;
	}
	profile_round(profile);
	return 0;
}
