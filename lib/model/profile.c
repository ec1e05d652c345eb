// SPDX-License-Identifier: GPL-2.0-or-later
/* Cost profiles in memory: making, freeing, and the cost of a unit on a path. */
#include "model/profile.h"

#include <math.h>
#include <string.h>

#include "base/util.h"

struct profile *profile_new(const char *name)
{
	struct profile *profile = calloc(1, sizeof(*profile));

	if (!profile)
		return NULL;
	profile->name = strdup(name);
	profile->obtained = strdup("uncalibrated");
	if (!profile->name || !profile->obtained) {
		profile_free(profile);
		return NULL;
	}
	return profile;
}

void profile_free(struct profile *profile)
{
	if (!profile)
		return;
	for (size_t i = 0; i < profile->nr_costs; i++)
		free(profile->costs[i].source);
	for (size_t i = 0; i < profile->nr_ratios; i++)
		free(profile->ratios[i].source);
	for (size_t i = 0; i < profile->nr_cpu; i++)
		free(profile->cpu[i].source);
	free(profile->costs);
	free(profile->fits);
	free(profile->correlations);
	free(profile->ratios);
	free(profile->cpu);
	free(profile->name);
	free(profile->file);
	free(profile->machine);
	free(profile->kernel);
	free(profile->obtained);
	free(profile->provenance);
	free(profile);
}

const char *profile_generic_name(enum arch_id arch)
{
	static const char *const names[] = {
		[ARCH_X86_64] = "generic-x86_64",
		[ARCH_AARCH64] = "generic-aarch64",
	};

	_Static_assert(ARRAY_SIZE(names) == NR_ARCHES, "a generic profile for every architecture");
	return names[arch];
}

const struct cost *profile_find_cost(const struct profile *profile, enum stage_id stage, enum unit_id unit,
				     enum page_kind kind, enum memmap_path path)
{
	for (size_t i = 0; i < profile->nr_costs; i++) {
		const struct cost *cost = &profile->costs[i];

		if (cost->stage == stage && cost->unit == unit && cost->kind == kind && cost->path == path)
			return cost;
	}
	return NULL;
}

const struct stage_fit *profile_find_fit(const struct profile *profile, enum stage_id stage)
{
	for (size_t i = 0; i < profile->nr_fits; i++) {
		if (profile->fits[i].stage == stage)
			return &profile->fits[i];
	}
	return NULL;
}

const struct path_ratio *profile_find_ratio(const struct profile *profile, enum page_kind kind,
					    enum memmap_path path)
{
	for (size_t i = 0; i < profile->nr_ratios; i++) {
		if (profile->ratios[i].kind == kind && profile->ratios[i].path == path)
			return &profile->ratios[i];
	}
	return NULL;
}

const struct cpu_cost *profile_find_cpu(const struct profile *profile, enum page_kind kind,
					enum memmap_path path)
{
	for (size_t i = 0; i < profile->nr_cpu; i++) {
		if (profile->cpu[i].kind == kind && profile->cpu[i].path == path)
			return &profile->cpu[i];
	}
	return NULL;
}

/* How far apart two positive bounds are, as a logarithm; a lower bound of 0 is infinitely far. */
static double log_distance(double from, double to)
{
	return from > 0 ? log(to / from) : INFINITY;
}

/* A product's factors are uncertain independently: their relative widths, as logarithms, add in quadrature. */
static void answer_by_ratio(const struct cost *row, const struct path_ratio *ratio, struct cost_answer *out)
{
	double down = hypot(log_distance(row->low_ns, row->ns), log_distance(ratio->low, ratio->ratio));
	double up = hypot(log_distance(row->ns, row->high_ns), log_distance(ratio->ratio, ratio->high));

	*out = (struct cost_answer){.basis = COST_RATIO, .row = row, .ratio = ratio};
	out->ns = row->ns * ratio->ratio;
	if (out->ns <= 0) { /* the row found nothing: only its upper bound says something */
		out->high_ns = row->high_ns * ratio->high;
		return;
	}
	out->low_ns = out->ns * exp(-down);
	out->high_ns = out->ns * exp(up);
}

/* Nothing is faster than the slower of the two limits; at worst they do not overlap at all and add up. */
static void answer_by_roofline(const struct cpu_cost *cpu, double bytes, double gbps, struct cost_answer *out)
{
	double memory_ns = bytes / gbps; /* 10^9 bytes a second are bytes a nanosecond */

	*out = (struct cost_answer){.basis = COST_ROOFLINE, .cpu = cpu};
	out->ns = MAX(cpu->ns, memory_ns);
	out->low_ns = out->ns;
	out->high_ns = cpu->ns + memory_ns;
}

static void answer_by_row(const struct cost *row, struct cost_answer *out)
{
	*out = (struct cost_answer){.basis = COST_MEASURED, .row = row};
	out->ns = row->ns;
	out->low_ns = row->low_ns;
	out->high_ns = row->high_ns;
}

static bool answer_for_struct_pages(const struct profile *profile, enum stage_id stage, enum page_kind kind,
				    enum memmap_path path, double bytes_per_struct_page,
				    struct cost_answer *out)
{
	double gbps = path == PATH_TEMPLATE_NT ? profile->nt_store_gbps : profile->store_gbps;
	const struct path_ratio *ratio = profile_find_ratio(profile, kind, path);
	const struct cpu_cost *cpu = profile_find_cpu(profile, kind, path);
	const struct cost *baseline =
		profile_find_cost(profile, stage, UNIT_STRUCT_PAGES, kind, PATH_BASELINE);

	if (baseline && ratio) {
		answer_by_ratio(baseline, ratio, out);
		return true;
	}
	if (cpu && gbps > 0) {
		answer_by_roofline(cpu, bytes_per_struct_page, gbps, out);
		return true;
	}
	return false;
}

void profile_cost(const struct profile *profile, enum stage_id stage, enum unit_id unit, enum page_kind kind,
		  enum memmap_path path, double bytes_per_struct_page, struct cost_answer *out)
{
	const struct cost *row = profile_find_cost(profile, stage, unit, kind, path);

	if (row) {
		answer_by_row(row, out);
		return;
	}
	if (unit == UNIT_STRUCT_PAGES &&
	    answer_for_struct_pages(profile, stage, kind, path, bytes_per_struct_page, out))
		return;
	row = profile_find_cost(profile, stage, unit, kind, PATH_ANY);
	if (row) {
		answer_by_row(row, out);
		return;
	}
	*out = (struct cost_answer){.basis = COST_MISSING};
}
