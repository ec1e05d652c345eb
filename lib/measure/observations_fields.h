/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The keys of an observations document, once: the loader and the writer both go by these rows.
 */
#ifndef MEMMAPCTL_MEASURE_OBSERVATIONS_FIELDS_H
#define MEMMAPCTL_MEASURE_OBSERVATIONS_FIELDS_H

#include <stdbool.h>
#include <stddef.h>

#define OBSERVATIONS_SCHEMA "memmapctl.observations/1"

enum obs_field_type {
	OBS_STRING, /* char *, owned; NULL: left out */
	OBS_BOOL,   /* bool */
	OBS_U32,    /* uint32_t */
	OBS_U64,    /* uint64_t */
	OBS_REAL,   /* double, finite, not negative */
	OBS_ENUM,   /* any enum, by the names of the row */
};

/* Names of an enum's values, which count from 0. */
struct obs_names {
	const char *(*name)(unsigned int value);
	unsigned int nr;
};

struct obs_field {
	const char *key;
	enum obs_field_type type;
	size_t offset;
	bool required;
	const struct obs_names *names; /* of OBS_ENUM */
};

/* Each list ends with a row whose key is NULL. */
extern const struct obs_field obs_document_fields[];    /* of struct observations */
extern const struct obs_field obs_environment_fields[]; /* of struct obs_environment, under .environment */
extern const struct obs_field obs_limits_fields[];      /* of struct observations, under .limits */
extern const struct obs_field obs_run_fields[];         /* of struct obs_run, in .runs[] */
extern const struct obs_field obs_summary_fields[]; /* of struct summary: written, computed again when read */

/* Keys that are not simple values, and so have no row. */
#define OBS_KEY_SCHEMA      "schema"
#define OBS_KEY_ENVIRONMENT "environment"
#define OBS_KEY_LIMITS      "limits"
#define OBS_KEY_RUNS        "runs"
#define OBS_KEY_SAMPLES     "samples_ns"
#define OBS_KEY_SUMMARY     "summary"

#endif
