/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A cost profile: what one unit of each stage costs, how sure that is, and where it came from. YAML,
 * "memmapctl-profile: 1"; configs/profiles has the built-in ones.
 */
#ifndef MEMMAPCTL_MODEL_PROFILE_H
#define MEMMAPCTL_MODEL_PROFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "base/vocab.h"

/* A cost per unit with its 90 % interval. low <= ns <= high. */
struct cost {
	enum stage_id stage;
	enum unit_id unit;
	enum page_kind kind;   /* for UNIT_STRUCT_PAGES, else KIND_NONE */
	enum memmap_path path; /* or PATH_ANY */
	double ns, low_ns, high_ns;
	double se_ns; /* standard error, the stage's other costs free to be off the other way; 0: not known */
	uint32_t n;   /* observations behind it; 0: none */
	double units_min, units_max; /* range fitted on; both 0: not fitted */
	char *source;                /* a sentence: where the figure comes from */
	bool prior;                  /* taken over from another profile (or an estimate), not fitted here */
};

/* A path's cost as a share of the baseline's, for paths that a kernel does not have. */
struct path_ratio {
	enum page_kind kind;
	enum memmap_path path;
	double ratio, low, high;
	char *source;
};

/* Cache-resident cost of one struct page: the roofline's CPU side. */
struct cpu_cost {
	enum page_kind kind;
	enum memmap_path path;
	double ns;
	char *source;
};

/* Two costs that were fitted together are off together: their correlation, by their places among the costs. */
struct cost_correlation {
	uint32_t a, b; /* a < b */
	double r;      /* 0 to 1 */
	bool opposite; /* one is too high where the other is too low */
};

/* How well the costs of a stage say what was observed of it. */
struct stage_fit {
	enum stage_id stage;
	uint32_t n;          /* observations of the stage alone; 0: it was only seen in totals */
	double dof;          /* of the fit that the stage was part of; less than 1: the noise was assumed */
	double residual_pct; /* 90 % half-width of what is left unexplained, % of the stage's time */
};

struct profile {
	char *name;
	char *file;
	enum arch_id arch;
	bool has_arch;
	char *machine;  /* "Intel Ice Lake server, VM" */
	char *kernel;   /* release the observations were of; NULL: several or none */
	char *obtained; /* "uncalibrated" | "fitted" | "simulated" */
	char *provenance;
	bool emulated;
	bool instruction_clock;           /* of emulated guests whose clock counts instructions */
	double store_gbps, nt_store_gbps; /* 0: not known */
	double residual_pct;    /* 90 % half-width of what the fit leaves unexplained, % of a stage's time */
	struct stage_fit *fits; /* of the stages fitted here */
	size_t nr_fits;
	struct cost *costs;
	size_t nr_costs;
	struct cost_correlation *correlations; /* those that are not 0 */
	size_t nr_correlations;
	struct path_ratio *ratios;
	size_t nr_ratios;
	struct cpu_cost *cpu;
	size_t nr_cpu;
};

/*
 * Find and read a profile by name or path: a path when it contains '/' or ends in .yaml, else
 * profiles/NAME.yaml under the first that has it of $MEMMAPCTL_CONFIGS, the configs of the source tree that the
 * program was built from, and the installed ones. Mistakes go to diags with file, line and column. 0 and *out freed by profile_free;
 * -EINVAL, -ENOENT, -ENOMEM.
 */
int profile_load(const char *name_or_path, struct diags *diags, struct profile **out);
/* Write as YAML that profile_load reads back to an equal profile. 0, -EIO or -ENOMEM. */
int profile_save(const struct profile *profile, FILE *out);
/* The format's reference: every key with type, default and meaning, from the table that the loader uses. */
void profile_print_reference(FILE *out);
struct profile *profile_new(const char *name);
void profile_free(struct profile *profile);

/* The name of the generic, uncalibrated profile of an architecture: "generic-x86_64". */
const char *profile_generic_name(enum arch_id arch);

static inline void profile_free_ptr(struct profile **profile)
{
	profile_free(*profile);
}
#define _cleanup_profile_ _cleanup_(profile_free_ptr)

/*
 * The cost of a unit on a path, and how it was arrived at. Looked up in this order: a cost row for exactly this
 * path; for struct pages the baseline's cost times the profile's ratio for the path; the roofline
 * max(cpu_ns, bytes / bandwidth) where the profile has both; a row for any path.
 */
enum cost_basis {
	COST_MEASURED, /* a row of the profile for this path */
	COST_RATIO,    /* baseline times ratio */
	COST_ROOFLINE,
	COST_MISSING, /* nothing in the profile: not part of the forecast, which says so */
};

struct cost_answer {
	enum cost_basis basis;
	double ns, low_ns, high_ns;
	const struct cost *row;         /* for MEASURED and RATIO; else NULL */
	const struct path_ratio *ratio; /* for RATIO */
	const struct cpu_cost *cpu;     /* for ROOFLINE */
};

void profile_cost(const struct profile *profile, enum stage_id stage, enum unit_id unit, enum page_kind kind,
		  enum memmap_path path, double bytes_per_struct_page, struct cost_answer *out);

/* The row for exactly this, or NULL. It belongs to the profile. */
const struct cost *profile_find_cost(const struct profile *profile, enum stage_id stage, enum unit_id unit,
				     enum page_kind kind, enum memmap_path path);
/* How a stage was fitted, or NULL: not here. It belongs to the profile. */
const struct stage_fit *profile_find_fit(const struct profile *profile, enum stage_id stage);
const struct path_ratio *profile_find_ratio(const struct profile *profile, enum page_kind kind,
					    enum memmap_path path);
const struct cpu_cost *profile_find_cpu(const struct profile *profile, enum page_kind kind,
					enum memmap_path path);

#endif
