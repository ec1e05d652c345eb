// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/observations_fields.h"

#include "measure/observations.h"

#define VOCAB_NAMES(type, prefix, nr_)                                                                       \
	static const char *prefix##_of(unsigned int value)                                                   \
	{                                                                                                    \
		return prefix##_name((type)value);                                                           \
	}                                                                                                    \
	static const struct obs_names prefix##_names = {prefix##_of, nr_}

VOCAB_NAMES(enum memmap_path, path, PATH_ANY + 1);
VOCAB_NAMES(enum page_kind, kind, KIND_NONE + 1);
VOCAB_NAMES(enum event_id, event, NR_EVENTS);
VOCAB_NAMES(enum stage_id, stage, STAGE_TOTAL + 1);
VOCAB_NAMES(enum unit_id, unit, NR_UNITS);
VOCAB_NAMES(enum obs_window, obs_window, NR_OBS_WINDOWS);

#define DOC(member) offsetof(struct observations, member)
#define ENV(member) offsetof(struct obs_environment, member)
#define RUN(member) offsetof(struct obs_run, member)
#define SUM(member) offsetof(struct summary, member)

const struct obs_field obs_document_fields[] = {
	{"mode",       OBS_STRING, DOC(mode), true, NULL},
	{"incomplete",   OBS_BOOL, DOC(incomplete), false, NULL},
	{"harness_ns_per_call",        OBS_REAL, DOC(harness_ns_per_call), false, NULL},
	{0},
};

const struct obs_field obs_environment_fields[] = {
	{"arch",            OBS_STRING, ENV(arch), true, NULL},
	{"cpu",        OBS_STRING, ENV(cpu), false, NULL},
	{"kernel",             OBS_STRING, ENV(kernel), true, NULL},
	{"virtualized",             OBS_BOOL, ENV(virtualized), false, NULL},
	{"emulated",         OBS_BOOL, ENV(emulated), false, NULL},
	{"instruction_clock",             OBS_BOOL, ENV(instruction_clock), false, NULL},
	{"timing_source",          OBS_STRING, ENV(timing_source), true, NULL},
	{"resolution_ns",      OBS_REAL, ENV(resolution_ns), false, NULL},
	{"cpu_share",             OBS_REAL, ENV(cpu_share), false, NULL},
	{"simulated_version",     OBS_STRING, ENV(simulated_version), false, NULL},
	{"memory", OBS_STRING, ENV(memory), false, NULL},
	{"date",             OBS_STRING, ENV(date), false, NULL},
	{0       },
};

const struct obs_field obs_limits_fields[] = {
	{"nt_store_gbps",        OBS_REAL, DOC(nt_store_gbps), true, NULL},
	{"nt_store_routine",    OBS_STRING, DOC(nt_store_routine), false, NULL},
	{"store_gbps",                  OBS_REAL, DOC(store_gbps), true, NULL},
	{"store_routine",     OBS_STRING, DOC(store_routine), false, NULL},
	{0},
};

const struct obs_field obs_run_fields[] = {
	{"path",             OBS_ENUM, RUN(path), true, &path_names},
	{"page_kind",         OBS_ENUM, RUN(kind), true, &kind_names},
	{"routine",       OBS_STRING, RUN(routine), false, NULL},
	{"codegen",        OBS_STRING, RUN(codegen), false, NULL},
	{"text_bytes",         OBS_U64, RUN(text_bytes), false, NULL},
	{"window",       OBS_ENUM, RUN(window), false, &obs_window_names},
	{"order",          OBS_U32, RUN(order), false, NULL},
	{"device",      OBS_STRING, RUN(device), false, NULL},
	{"host",              OBS_STRING, RUN(host), false, NULL},
	{"note",          OBS_STRING, RUN(note), false, NULL},
	{"event",      OBS_ENUM, RUN(event), false, &event_names},
	{"stage",              OBS_ENUM, RUN(stage), true, &stage_names},
	{"unit",       OBS_ENUM, RUN(unit), true, &unit_names},
	{"units",   OBS_U64, RUN(units), true, NULL},
	{"measured_units",              OBS_U64, RUN(measured_units), false, NULL},
	{"counted_units",           OBS_U64, RUN(counted_units), false, NULL},
	{"log_lines",       OBS_U32, RUN(log_lines), false, NULL},
	{"log_lines_apart", OBS_U32, RUN(log_lines_apart), false, NULL},
	{"unnamed_ns",            OBS_REAL, RUN(unnamed_ns), false, NULL},
	{"threads",        OBS_U32, RUN(threads), false, NULL},
	{"nr_averaged",              OBS_U32, RUN(nr_averaged), false, NULL},
	{"verified",           OBS_BOOL, RUN(verified), false, NULL},
	{"first_ns",       OBS_REAL, RUN(first_ns), false, NULL},
	{0	     },
};

const struct obs_field obs_summary_fields[] = {
	{"min_ns",     OBS_REAL, SUM(min), false, NULL},
	{"median_ns",    OBS_REAL, SUM(median), false, NULL},
	{"mean_ns",        OBS_REAL, SUM(mean), false, NULL},
	{"stddev_ns",  OBS_REAL, SUM(stddev), false, NULL},
	{"p95_ns", OBS_REAL, SUM(p95), false, NULL},
	{"max_ns",        OBS_REAL, SUM(max), false, NULL},
	{0   },
};
