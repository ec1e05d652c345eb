// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/profile_edit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"

int profile_set_text(char **text, const char *value)
{
	char *copy = value ? strdup(value) : NULL;

	if (value && !copy)
		return -ENOMEM;
	free(*text);
	*text = copy;
	return 0;
}

/* "prior NAME: SOURCE", once: a source that already names a prior keeps its own. */
static char *taken_over(const char *source, const char *from)
{
	char *text;

	if (!source)
		source = "no source";
	if (!strncmp(source, "prior ", strlen("prior ")))
		return strdup(source);
	if (asprintf(&text, "prior %s: %s", from, source) < 0)
		return NULL;
	return text;
}

int profile_copy_cost(struct profile *profile, const struct cost *cost, const char *from)
{
	struct cost *copy = array_grow(&profile->costs, &profile->nr_costs, sizeof(*copy));

	if (!copy)
		return -ENOMEM;
	*copy = *cost;
	copy->prior = true;
	copy->se_ns = 0; /* without its correlations it says too much */
	copy->source = taken_over(cost->source, from);
	return copy->source ? 0 : -ENOMEM;
}

static int copy_ratio(struct profile *profile, const struct path_ratio *ratio, const char *from)
{
	struct path_ratio *copy;

	if (profile_find_ratio(profile, ratio->kind, ratio->path))
		return 0;
	copy = array_grow(&profile->ratios, &profile->nr_ratios, sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	*copy = *ratio;
	copy->source = taken_over(ratio->source, from);
	return copy->source ? 0 : -ENOMEM;
}

static int copy_cpu(struct profile *profile, const struct cpu_cost *cpu, const char *from)
{
	struct cpu_cost *copy;

	if (profile_find_cpu(profile, cpu->kind, cpu->path))
		return 0;
	copy = array_grow(&profile->cpu, &profile->nr_cpu, sizeof(*copy));
	if (!copy)
		return -ENOMEM;
	*copy = *cpu;
	copy->source = taken_over(cpu->source, from);
	return copy->source ? 0 : -ENOMEM;
}

int profile_copy_paths(struct profile *profile, const struct profile *from, const char *from_name)
{
	int err = 0;

	for (size_t i = 0; !err && i < from->nr_ratios; i++)
		err = copy_ratio(profile, &from->ratios[i], from_name);
	for (size_t i = 0; !err && i < from->nr_cpu; i++)
		err = copy_cpu(profile, &from->cpu[i], from_name);
	if (profile->store_gbps <= 0)
		profile->store_gbps = from->store_gbps;
	if (profile->nt_store_gbps <= 0)
		profile->nt_store_gbps = from->nt_store_gbps;
	return err;
}

static int compare_int(int a, int b)
{
	return a < b ? -1 : a > b;
}

static int compare_costs(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;
	int order = compare_int(x->stage, y->stage);

	order = order ? order : compare_int(x->unit, y->unit);
	order = order ? order : compare_int(x->kind, y->kind);
	return order ? order : compare_int(x->path, y->path);
}

void profile_sort(struct profile *profile)
{
	if (profile->nr_costs)
		qsort(profile->costs, profile->nr_costs, sizeof(*profile->costs), compare_costs);
}

static void round_to(double *x, int digits)
{
	char text[64];

	snprintf(text, sizeof(text), "%.*g", digits, *x);
	*x = strtod(text, NULL);
}

void profile_round(struct profile *profile)
{
	enum { DIGITS = 4, CORRELATION_DIGITS = 9 };

	for (size_t i = 0; i < profile->nr_costs; i++) {
		round_to(&profile->costs[i].ns, DIGITS);
		round_to(&profile->costs[i].low_ns, DIGITS);
		round_to(&profile->costs[i].high_ns, DIGITS);
		round_to(&profile->costs[i].se_ns, DIGITS);
	}
	for (size_t i = 0; i < profile->nr_fits; i++) {
		round_to(&profile->fits[i].dof, DIGITS);
		round_to(&profile->fits[i].residual_pct, DIGITS);
	}
	/* costs that nearly cancel do so in the last digits */
	for (size_t i = 0; i < profile->nr_correlations; i++)
		round_to(&profile->correlations[i].r, CORRELATION_DIGITS);
	for (size_t i = 0; i < profile->nr_ratios; i++) {
		round_to(&profile->ratios[i].ratio, DIGITS);
		round_to(&profile->ratios[i].low, DIGITS);
		round_to(&profile->ratios[i].high, DIGITS);
	}
	for (size_t i = 0; i < profile->nr_cpu; i++)
		round_to(&profile->cpu[i].ns, DIGITS);
	round_to(&profile->residual_pct, DIGITS);
	round_to(&profile->store_gbps, DIGITS);
	round_to(&profile->nt_store_gbps, DIGITS);
}
