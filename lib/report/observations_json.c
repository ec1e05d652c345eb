// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <math.h>
#include <string.h>

#include <json-c/json.h>

#include "measure/observations_fields.h"
#include "report/observations_report.h"

static void put_object(struct json_object **object)
{
	json_object_put(*object);
}
#define _cleanup_object_ _cleanup_(put_object)

/* Add value, which the object takes over; NULL (no memory) is an error. */
static int add(struct json_object *object, const char *key, struct json_object *value)
{
	if (value && !json_object_object_add(object, key, value))
		return 0;
	json_object_put(value);
	return -ENOMEM;
}

/* The fewest digits that read back as the same number; whole ones without a fraction. */
static struct json_object *new_real(double value)
{
	char text[32];

	if (value == floor(value) && value < 9e15)
		return json_object_new_uint64((uint64_t)value);
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return json_object_new_double_s(value, text);
}

static struct json_object *new_field(const struct obs_field *field, const void *at)
{
	switch (field->type) {
	case OBS_STRING:
		return json_object_new_string(*(char *const *)at);
	case OBS_BOOL:
		return json_object_new_boolean(*(const bool *)at);
	case OBS_U32:
		return json_object_new_uint64(*(const uint32_t *)at);
	case OBS_U64:
		return json_object_new_uint64(*(const uint64_t *)at);
	case OBS_REAL:
		return new_real(*(const double *)at);
	case OBS_ENUM:
		return json_object_new_string(field->names->name(*(const unsigned int *)at));
	}
	return NULL;
}

static int add_fields(struct json_object *object, const struct obs_field *fields, const void *source)
{
	for (; fields->key; fields++) {
		const void *at = (const char *)source + fields->offset;
		int err;

		if (fields->type == OBS_STRING && !*(char *const *)at)
			continue;
		err = add(object, fields->key, new_field(fields, at));
		if (err)
			return err;
	}
	return 0;
}

static int add_samples(struct json_object *object, const struct obs_run *run)
{
	struct json_object *samples = json_object_new_array();
	int err = add(object, OBS_KEY_SAMPLES, samples);

	for (size_t i = 0; !err && i < run->nr_samples; i++) {
		struct json_object *sample = new_real(run->samples_ns[i]);

		if (!sample || json_object_array_add(samples, sample))
			err = -ENOMEM;
	}
	return err;
}

static int add_summary(struct json_object *object, const struct summary *summary)
{
	struct json_object *s = json_object_new_object();
	int err = add(object, OBS_KEY_SUMMARY, s);

	if (!err)
		err = add(s, "n", json_object_new_uint64(summary->n));
	if (!err && summary->n)
		err = add_fields(s, obs_summary_fields, summary);
	if (!err && summary->has_interval)
		err = add(s, "median_low_ns", new_real(summary->median_low));
	if (!err && summary->has_interval)
		err = add(s, "median_high_ns", new_real(summary->median_high));
	return err;
}

static int add_runs(struct json_object *root, const struct observations *obs)
{
	struct json_object *runs = json_object_new_array();
	int err = add(root, OBS_KEY_RUNS, runs);

	for (size_t i = 0; !err && i < obs->nr_runs; i++) {
		struct json_object *run = json_object_new_object();

		if (!run || json_object_array_add(runs, run))
			return -ENOMEM;
		err = add_fields(run, obs_run_fields, &obs->runs[i]);
		if (!err)
			err = add_samples(run, &obs->runs[i]);
		if (!err)
			err = add_summary(run, &obs->runs[i].summary);
	}
	return err;
}

static int add_part(struct json_object *root, const char *key, const struct obs_field *fields,
		    const void *source)
{
	struct json_object *part = json_object_new_object();
	int err = add(root, key, part);

	return err ? err : add_fields(part, fields, source);
}

static int build(struct json_object *root, const struct observations *obs)
{
	int err = add(root, OBS_KEY_SCHEMA, json_object_new_string(OBSERVATIONS_SCHEMA));

	if (!err)
		err = add_fields(root, obs_document_fields, obs);
	if (!err)
		err = add_part(root, OBS_KEY_ENVIRONMENT, obs_environment_fields, &obs->env);
	if (!err && obs->has_limits)
		err = add_part(root, OBS_KEY_LIMITS, obs_limits_fields, obs);
	return err ? err : add_runs(root, obs);
}

int observations_write_json(const struct observations *obs, FILE *out)
{
	_cleanup_object_ struct json_object *root = json_object_new_object();
	const char *text;
	int err;

	if (!root)
		return -ENOMEM;
	err = build(root, obs);
	if (err)
		return err;
	text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED |
							    JSON_C_TO_STRING_NOSLASHESCAPE);
	if (!text)
		return -ENOMEM;
	return fputs(text, out) < 0 || fputc('\n', out) < 0 ? -EIO : 0;
}
