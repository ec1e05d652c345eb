/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Observations: how long how many units took. One record for every way of measuring, so that predict,
 * calibrate, validate and compare take what any of them wrote. JSON: "memmapctl.observations/1".
 */
#ifndef MEMMAPCTL_MEASURE_OBSERVATIONS_H
#define MEMMAPCTL_MEASURE_OBSERVATIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/vocab.h"
#include "stats/summary.h"

/* Where the written memory was: in memory proper, or in the CPU's cache (what the CPU alone costs). */
enum obs_window {
	OBS_WINDOW_MEMORY,
	OBS_WINDOW_CACHE,
	NR_OBS_WINDOWS,
};

const char *obs_window_name(enum obs_window window); /* "memory", "cache" */

struct obs_run {
	char *routine; /* simulated: the copy routine ("movnti", "avx512-nt", "field stores"); else NULL */
	char *codegen; /* simulated: "default", "always-inline", "max-inline-insns-400"; else NULL */
	char *device;  /* NULL when simulated */
	char *host; /* host description the device belongs to, relative to the observations' file; or NULL */
	char *note; /* what a reader must know ("average of 30 rebinds, as published"); or NULL */
	enum memmap_path path;
	enum page_kind kind;
	enum event_id event;
	enum stage_id stage;
	enum unit_id unit;
	enum obs_window window; /* simulated; else OBS_WINDOW_MEMORY */
	uint32_t order; /* compound order of zd-compound and hugetlb struct pages; 0: not known or none */
	uint64_t units;
	uint64_t measured_units; /* fewer than units when a window was run and scaled */
	uint32_t threads;
	uint32_t nr_averaged;     /* each sample is the mean of so many; 1 when not an average */
	uint64_t counted_units;   /* kernel: of so many the kernel's own calls tell; 0: not counted */
	uint32_t log_lines;       /* kernel: samples for which the kernel logged a time of its own */
	uint32_t log_lines_apart; /* and how many of these are more than a jiffy from the sample */
	double unnamed_ns; /* kernel: median of what lies outside stages and named parts; 0: not known or nothing */
	bool verified;       /* simulated: the array equals the baseline's, byte for byte */
	uint64_t text_bytes; /* simulated: size of the routine's machine code; 0: not known */
	double *samples_ns;  /* in the order taken; scaled to units */
	size_t nr_samples;
	double first_ns;        /* the first one, kept apart; 0: there is none */
	struct summary summary; /* of samples_ns */
};

struct obs_environment {
	char *arch, *cpu, *kernel, *timing_source;
	char *simulated_version; /* simulated: whose struct page encoding ("7.3") */
	char *memory; /* simulated: what backs the array ("2 MiB pages", "4 KiB pages"), node, CPU */
	char *date;   /* ISO 8601, UTC */
	bool virtualized;
	bool emulated;
	bool instruction_clock; /* emulated, and the clock counts instructions: one is one nanosecond */
	double resolution_ns;
	double cpu_share; /* of the timed time, how much this program had the CPU; 0: not known */
};

/* NULL on a machine; else "EMULATED", with what its clock is where that is no real time. Static. */
const char *obs_emulation(const struct obs_environment *env);

struct observations {
	char *mode;      /* simulated | kernel | guest | kernel-paths | published */
	bool incomplete; /* interrupted */
	struct obs_environment env;
	struct obs_run *runs;
	size_t nr_runs;
	bool has_limits;
	double nt_store_gbps, store_gbps;       /* 10^9 bytes a second; 0: no such stores here */
	char *nt_store_routine, *store_routine; /* which stores reached that; or NULL */
	double harness_ns_per_call;             /* simulated: an empty path, per call; 0: not measured */
	char *file;                             /* where it was read from; NULL: nowhere */
};

/*
 * Read a JSON file ("-": standard input). What is wrong is in diags with line and column where the parser knows
 * them, else with the path of the value (".runs[3].units"). 0 and *out, freed with observations_free; -EINVAL,
 * -ENOENT and the like, -ENOMEM.
 */
int observations_load(const char *path, struct diags *diags, struct observations **out);
struct observations *observations_new(const char *mode);
/* Do its runs race routines against each other on scratch memory (in user space or in the kernel), and no device? */
bool observations_are_race(const struct observations *obs);
struct obs_run *
observations_add_run(struct observations *obs); /* NULL: no memory; invalidates earlier run pointers */
/* Take out runs that have neither samples nor a first one; invalidates run pointers. */
void observations_drop_empty(struct observations *obs);
/* 0 or -ENOMEM. The summary is left as it was: obs_run_summarize once all samples are in. */
int obs_run_add_sample(struct obs_run *run, double ns);
int obs_run_summarize(struct obs_run *run);
/* Replace the run's note by a formatted text. 0 or -ENOMEM, with no note then. */
int obs_run_set_note(struct obs_run *run, const char *fmt, ...) _printf_(2, 3);
void observations_free(struct observations *obs);

static inline void observations_free_ptr(struct observations **obs)
{
	observations_free(*obs);
}
#define _cleanup_observations_ _cleanup_(observations_free_ptr)

#endif
