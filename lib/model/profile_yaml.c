// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles as YAML: the table of keys drives reading, writing and the reference text. */
#include <errno.h>
#include <string.h>

#include "base/configs.h"
#include "base/keys.h"
#include "base/util.h"
#include "model/profile.h"

#define COST(member)    offsetof(struct cost, member)
#define RATIO(member)   offsetof(struct path_ratio, member)
#define CPU(member)     offsetof(struct cpu_cost, member)
#define FIT(member)     offsetof(struct stage_fit, member)
#define CORR(member)    offsetof(struct cost_correlation, member)
#define PROFILE(member) offsetof(struct profile, member)

enum { SOURCE_MAX_BYTES = 1000, PROVENANCE_MAX_BYTES = 4000 };

static const char *arch_word(int i)
{
	return i < NR_ARCHES ? arch_name((enum arch_id)i) : NULL;
}

static const char *stage_word(int i)
{
	return i < NR_STAGES ? stage_name((enum stage_id)i) : NULL;
}

static const char *unit_word(int i)
{
	return i < NR_UNITS ? unit_name((enum unit_id)i) : NULL;
}

static const char *kind_word(int i)
{
	return i <= KIND_NONE ? kind_name((enum page_kind)i) : NULL;
}

static const char *path_word(int i)
{
	return i <= PATH_ANY ? path_name((enum memmap_path)i) : NULL;
}

/* Of rows that are about struct pages only, and about one path. */
static const char *own_kind_word(int i)
{
	return i < NR_KINDS ? kind_word(i) : NULL;
}

static const char *own_path_word(int i)
{
	return i < NR_PATHS ? path_word(i) : NULL;
}

static const char *const obtained_words[] = {"uncalibrated", "fitted", "simulated", NULL};

static const struct key cost_keys[] = {
	{.name = "stage",
	 .type = KEY_ENUM,
	 .required = true,
	 .offset = COST(stage),
	 .word = stage_word,
	 .help = "stage that pays it"},
	{.name = "unit",
	 .type = KEY_ENUM,
	 .required = true,
	 .offset = COST(unit),
	 .word = unit_word,
	 .help = "what it is paid for"},
	{.name = "kind",
	 .type = KEY_ENUM,
	 .offset = COST(kind),
	 .word = kind_word,
	 .default_text = "none",
	 .help = "page kind, for struct pages"},
	{.name = "path",
	 .type = KEY_ENUM,
	 .offset = COST(path),
	 .word = path_word,
	 .default_text = "any",
	 .help = "init path that it is the cost of; any: it does not depend on the path"},
	{.name = "ns",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = COST(ns),
	 .help = "nanoseconds a unit"},
	{.name = "low",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = COST(low_ns),
	 .help = "lower end of the 90 % interval, nanoseconds a unit"},
	{.name = "high",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = COST(high_ns),
	 .help = "upper end of the 90 % interval, nanoseconds a unit"},
	{.name = "se",
	 .type = KEY_NUMBER,
	 .offset = COST(se_ns),
	 .default_text = "0",
	 .help = "standard error, nanoseconds a unit, used with the correlations; 0: not known"},
	{.name = "n",
	 .type = KEY_COUNT32,
	 .offset = COST(n),
	 .default_text = "0",
	 .help = "observations behind it"},
	{.name = "units_min",
	 .type = KEY_NUMBER,
	 .offset = COST(units_min),
	 .default_text = "0",
	 .help = "fewest units that it was fitted on; 0: not fitted"},
	{.name = "units_max",
	 .type = KEY_NUMBER,
	 .offset = COST(units_max),
	 .default_text = "0",
	 .help = "most units that it was fitted on; far beyond, forecasts widen and say extrapolated"},
	{.name = "prior",
	 .type = KEY_BOOL,
	 .offset = COST(prior),
	 .default_text = "false",
	 .help = "taken over from another profile or estimated, not fitted here"},
	{.name = "source",
	 .type = KEY_TEXT,
	 .required = true,
	 .max = SOURCE_MAX_BYTES,
	 .offset = COST(source),
	 .help = "where the figure comes from"},
	{0},
};

static const struct key ratio_keys[] = {
	{.name = "kind",
	 .type = KEY_ENUM,
	 .required = true,
	 .offset = RATIO(kind),
	 .word = own_kind_word,
	 .help = "page kind"},
	{.name = "path",
	 .type = KEY_ENUM,
	 .required = true,
	 .offset = RATIO(path),
	 .word = own_path_word,
	 .help = "init path"},
	{.name = "ratio",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = RATIO(ratio),
	 .help = "its time as a share of the baseline's"},
	{.name = "low",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = RATIO(low),
	 .help = "lower end of the 90 % interval"},
	{.name = "high",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = RATIO(high),
	 .help = "upper end of the 90 % interval"},
	{.name = "source",
	 .type = KEY_TEXT,
	 .required = true,
	 .max = SOURCE_MAX_BYTES,
	 .offset = RATIO(source),
	 .help = "where the figure comes from"},
	{0  },
};

static const struct key cpu_keys[] = {
	{.name = "kind",
	 .type = KEY_ENUM,
	 .required = true,
	 .offset = CPU(kind),
	 .word = own_kind_word,
	 .help = "page kind"},
	{.name = "path",
	 .type = KEY_ENUM,
	 .required = true,
	 .offset = CPU(path),
	 .word = own_path_word,
	 .help = "init path"},
	{.name = "ns",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = CPU(ns),
	 .help = "nanoseconds a struct page that stays in the cache"},
	{.name = "source",
	 .type = KEY_TEXT,
	 .required = true,
	 .max = SOURCE_MAX_BYTES,
	 .offset = CPU(source),
	 .help = "where the figure comes from"},
	{0     },
};

static const struct key fit_keys[] = {
	{.name = "stage",
	 .type = KEY_ENUM,
	 .required = true,
	 .offset = FIT(stage),
	 .word = stage_word,
	 .help = "stage that was fitted"},
	{.name = "n",
	 .type = KEY_COUNT32,
	 .offset = FIT(n),
	 .default_text = "0",
	 .help = "observations of it alone; 0: it was only seen in totals"},
	{.name = "dof",
	 .type = KEY_NUMBER,
	 .offset = FIT(dof),
	 .default_text = "0",
	 .help = "degrees of freedom of the fit that it was part of"},
	{.name = "residual_pct",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = FIT(residual_pct),
	 .help = "90 % half-width of what its costs leave unexplained, % of its time"},
	{0},
};

static const struct key correlation_keys[] = {
	{.name = "a",
	 .type = KEY_COUNT32,
	 .required = true,
	 .offset = CORR(a),
	 .help = "a cost, counted from 0"},
	{.name = "b",                 .type = KEY_COUNT32, .required = true, .offset = CORR(b), .help = "a later one"},
	{.name = "r",
	 .type = KEY_NUMBER,
	 .required = true,
	 .offset = CORR(r),
	 .max = 1,
	 .help = "how much they are off together, up to 1"},
	{.name = "opposite",
	 .type = KEY_BOOL,
	 .offset = CORR(opposite),
	 .default_text = "false",
	 .help = "one is too high where the other is too low"},
	{0	       },
};

static const struct key bandwidth_keys[] = {
	{.name = "store_gbps",
	 .type = KEY_NUMBER,
	 .offset = PROFILE(store_gbps),
	 .default_text = "0",
	 .help = "plain stores to memory, 10^9 bytes a second; 0: not known"},
	{.name = "nt_store_gbps",
	 .type = KEY_NUMBER,
	 .offset = PROFILE(nt_store_gbps),
	 .default_text = "0",
	 .help = "non-temporal stores to memory, 10^9 bytes a second; 0: not known"},
	{0},
};

static const struct key profile_keys[] = {
	{.name = "memmapctl-profile",
	 .type = KEY_VERSION,
	 .required = true,
	 .max = 1,
	 .help = "version of this format"},
	{.name = "name",
	 .type = KEY_TEXT,
	 .required = true,
	 .offset = PROFILE(name),
	 .help = "what forecasts call it"},
	{.name = "arch",
	 .type = KEY_ENUM,
	 .offset = PROFILE(arch),
	 .has_offset = PROFILE(has_arch),
	 .word = arch_word,
	 .help = "architecture of the machine"},
	{.name = "machine",
	 .type = KEY_TEXT,
	 .offset = PROFILE(machine),
	 .max = SOURCE_MAX_BYTES,
	 .help = "the machine observed"},
	{.name = "kernel",                   .type = KEY_TEXT, .offset = PROFILE(kernel), .help = "kernel release observed"},
	{.name = "obtained",
	 .type = KEY_TEXT,
	 .required = true,
	 .offset = PROFILE(obtained),
	 .help = "uncalibrated, fitted or simulated"},
	{.name = "provenance",
	 .type = KEY_TEXT,
	 .required = true,
	 .offset = PROFILE(provenance),
	 .max = PROVENANCE_MAX_BYTES,
	 .help = "how it was made: the command and its observations"},
	{.name = "emulated",
	 .type = KEY_BOOL,
	 .offset = PROFILE(emulated),
	 .default_text = "false",
	 .help = "observed under emulation (TCG): only proportions mean anything"},
	{.name = "instruction_clock",
	 .type = KEY_BOOL,
	 .offset = PROFILE(instruction_clock),
	 .default_text = "false",
	 .help = "the emulated clock counted instructions: one is one nanosecond"},
	{.name = "residual_pct",
	 .type = KEY_NUMBER,
	 .offset = PROFILE(residual_pct),
	 .default_text = "0",
	 .help = "90 % half-width of what the costs leave unexplained, % of a stage's time"},
	{.name = "bandwidth",                   .type = KEY_MAP, .keys = bandwidth_keys, .help = "the roofline's memory side"},
	{.name = "costs",
	 .type = KEY_LIST,
	 .keys = cost_keys,
	 .item_size = sizeof(struct cost),
	 .offset = PROFILE(costs),
	 .nr_offset = PROFILE(nr_costs),
	 .help = "costs of units"},
	{.name = "fits",
	 .type = KEY_LIST,
	 .keys = fit_keys,
	 .item_size = sizeof(struct stage_fit),
	 .offset = PROFILE(fits),
	 .nr_offset = PROFILE(nr_fits),
	 .help = "how well each stage's costs say what was observed"},
	{.name = "correlations",
	 .type = KEY_LIST,
	 .keys = correlation_keys,
	 .item_size = sizeof(struct cost_correlation),
	 .offset = PROFILE(correlations),
	 .nr_offset = PROFILE(nr_correlations),
	 .help = "of costs that were fitted together"},
	{.name = "ratios",
	 .type = KEY_LIST,
	 .keys = ratio_keys,
	 .item_size = sizeof(struct path_ratio),
	 .offset = PROFILE(ratios),
	 .nr_offset = PROFILE(nr_ratios),
	 .help = "init paths as shares of the baseline, for paths that the kernel observed does not have"},
	{.name = "cpu",
	 .type = KEY_LIST,
	 .keys = cpu_keys,
	 .item_size = sizeof(struct cpu_cost),
	 .offset = PROFILE(cpu),
	 .nr_offset = PROFILE(nr_cpu),
	 .help = "the roofline's CPU side"},
	{0		  },
};

struct reading {
	const struct profile *profile;
	const struct key_places *places;
	struct diags *diags;
};

/* An error at a value: of an item of the list at list_offset, or of the profile itself (list_offset 0). */
static void wrong(const struct reading *r, size_t list_offset, size_t item, size_t offset, const char *fmt,
		  ...) _printf_(5, 6);

static void wrong(const struct reading *r, size_t list_offset, size_t item, size_t offset, const char *fmt,
		  ...)
{
	const struct key *list = NULL;
	const struct key_place *place;
	va_list ap;

	for (const struct key *key = profile_keys; list_offset && key->name; key++) {
		if (key->type == KEY_LIST && key->offset == list_offset)
			list = key;
	}
	place = key_places_find(r->places, list, item, offset);
	va_start(ap, fmt);
	diag_addv(r->diags, DIAG_ERROR, r->profile->file, place ? place->at.line : 0,
		  place ? place->at.col : 0, fmt, ap);
	va_end(ap);
}

static void check_cost(const struct reading *r, size_t i)
{
	const struct cost *cost = &r->profile->costs[i];
	bool has_kind = cost->kind != KIND_NONE;

	if (cost->low_ns > cost->ns || cost->ns > cost->high_ns)
		wrong(r, PROFILE(costs), i, COST(ns), "%g is not between low (%g) and high (%g)", cost->ns,
		      cost->low_ns, cost->high_ns);
	if (cost->units_min > cost->units_max)
		wrong(r, PROFILE(costs), i, COST(units_min), "units_min %g is more than units_max %g",
		      cost->units_min, cost->units_max);
	if (has_kind != (cost->unit == UNIT_STRUCT_PAGES))
		wrong(r, PROFILE(costs), i, has_kind ? COST(kind) : COST(unit),
		      has_kind ? "only struct pages have a kind, %s have none"
			       : "the unit %s needs a kind: zd-base, zd-compound, hugetlb or ordinary",
		      unit_name(cost->unit));
	if (profile_find_cost(r->profile, cost->stage, cost->unit, cost->kind, cost->path) != cost)
		wrong(r, PROFILE(costs), i, COST(stage),
		      "a second cost for the same stage, unit, kind and path");
}

static void check_ratio(const struct reading *r, size_t i)
{
	const struct path_ratio *ratio = &r->profile->ratios[i];

	if (ratio->low > ratio->ratio || ratio->ratio > ratio->high)
		wrong(r, PROFILE(ratios), i, RATIO(ratio), "%g is not between low (%g) and high (%g)",
		      ratio->ratio, ratio->low, ratio->high);
	if (ratio->path == PATH_BASELINE)
		wrong(r, PROFILE(ratios), i, RATIO(path), "a ratio is of template or template-nt, not of %s",
		      path_name(ratio->path));
	if (profile_find_ratio(r->profile, ratio->kind, ratio->path) != ratio)
		wrong(r, PROFILE(ratios), i, RATIO(kind), "a second ratio for the same kind and path");
}

static void check_cpu(const struct reading *r, size_t i)
{
	const struct cpu_cost *cpu = &r->profile->cpu[i];

	if (profile_find_cpu(r->profile, cpu->kind, cpu->path) != cpu)
		wrong(r, PROFILE(cpu), i, CPU(kind), "a second cost for the same kind and path");
}

static void check_obtained(const struct reading *r)
{
	const char *near;

	for (size_t i = 0; obtained_words[i]; i++) {
		if (!strcmp(r->profile->obtained, obtained_words[i]))
			return;
	}
	near = suggest(r->profile->obtained, obtained_words);
	wrong(r, 0, 0, PROFILE(obtained), "obtained \"%s\" is not uncalibrated, fitted or simulated%s%s%s",
	      r->profile->obtained, near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

static void check_correlation(const struct reading *r, size_t i)
{
	const struct cost_correlation *c = &r->profile->correlations[i];

	if (c->a >= c->b || c->b >= r->profile->nr_costs)
		wrong(r, PROFILE(correlations), i, CORR(b),
		      "%u and %u are not two of the %zu costs, in order", c->a, c->b, r->profile->nr_costs);
}

static int check_values(const struct reading *r)
{
	size_t before = r->diags->nr_errors;

	check_obtained(r);
	for (size_t i = 0; i < r->profile->nr_costs; i++)
		check_cost(r, i);
	for (size_t i = 0; i < r->profile->nr_ratios; i++)
		check_ratio(r, i);
	for (size_t i = 0; i < r->profile->nr_cpu; i++)
		check_cpu(r, i);
	for (size_t i = 0; i < r->profile->nr_correlations; i++)
		check_correlation(r, i);
	return r->diags->nr_errors == before ? 0 : -EINVAL;
}

static int load_file(const char *path, struct diags *diags, struct profile **out)
{
	_cleanup_profile_ struct profile *profile = calloc(1, sizeof(*profile));
	_cleanup_yamldoc_ struct yamldoc *doc = NULL;
	struct key_places places = {0};
	struct reading reading = {profile, &places, diags};
	int err;

	if (!profile)
		return -ENOMEM;
	err = yamldoc_load(path, diags, &doc);
	if (err)
		return err;
	profile->file = strdup(doc->name);
	if (!profile->file)
		return -ENOMEM;
	err = keys_read(doc, profile_keys, profile, &places, diags);
	if (!err)
		err = check_values(&reading);
	free(places.items);
	if (err)
		return err;
	*out = take_ptr(profile);
	return 0;
}

static bool is_path(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') || !strcmp(name, "-") || (len > 5 && !strcmp(name + len - 5, ".yaml"));
}

int profile_load(const char *name_or_path, struct diags *diags, struct profile **out)
{
	_cleanup_free_ char *name = NULL, *path = NULL;
	struct diags own = {0};
	int err;

	if (!diags) { /* the checks count errors */
		err = profile_load(name_or_path, &own, out);
		diags_free(&own);
		return err;
	}
	if (is_path(name_or_path))
		return load_file(name_or_path, diags, out);
	if (asprintf(&name, "profiles/%s.yaml", name_or_path) < 0) {
		name = NULL;
		return -ENOMEM;
	}
	err = configs_find(name, &path);
	if (!err)
		return load_file(path, diags, out);
	if (err != -ENOENT)
		return err;
	return diag_error(diags, -ENOENT,
			  "no profile \"%s\" (looked for %s.yaml in profiles under $MEMMAPCTL_CONFIGS and "
			  "the program's configs)",
			  name_or_path, name_or_path);
}

int profile_save(const struct profile *profile, FILE *out)
{
	return keys_write(profile_keys, profile, out);
}

void profile_print_reference(FILE *out)
{
	keys_print_reference(profile_keys, out);
}
