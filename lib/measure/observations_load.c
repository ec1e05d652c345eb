// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading observations: strict about what is there, tolerant (with a warning) of keys it does not know. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json_read.h"
#include "measure/observations.h"
#include "measure/observations_fields.h"

enum { MAX_KEYS = 32 };

/* Where a value is, as jq writes it: ".runs[3].units". */
struct place {
	char path[256];
};

static struct place below(const char *path, const char *fmt, ...) _printf_(2, 3);

static struct place below(const char *path, const char *fmt, ...)
{
	struct place place;
	size_t len = MIN(strlen(path), sizeof(place.path) - 1);
	va_list ap;

	memcpy(place.path, path, len);
	va_start(ap, fmt);
	vsnprintf(place.path + len, sizeof(place.path) - len, fmt, ap);
	va_end(ap);
	return place;
}

static const char *const modes[] = {"simulated", "kernel", "guest", "kernel-paths", "published", NULL};

static const char *type_name(struct json_object *value)
{
	static const char *const names[] = {
		[json_type_null] = "null",        [json_type_boolean] = "a boolean",
		[json_type_double] = "a number",  [json_type_int] = "a number",
		[json_type_object] = "an object", [json_type_array] = "an array",
		[json_type_string] = "a string",
	};

	return names[json_object_get_type(value)];
}

static int want(const struct json_doc *doc, const char *path, const char *wanted, struct json_object *value)
{
	return json_doc_error(doc, path, "want %s, found %s", wanted, type_name(value));
}

static int read_string(const struct json_doc *doc, const char *path, struct json_object *value, char **out)
{
	if (!json_object_is_type(value, json_type_string))
		return want(doc, path, "a string", value);
	const char *text = json_object_get_string(value);

	if (strlen(text) != (size_t)json_object_get_string_len(value))
		return json_doc_error(doc, path, "a NUL character in a string");
	char *copy = strdup(text);

	if (!copy)
		return -ENOMEM;
	free(*out);
	*out = copy;
	return 0;
}

static int read_unsigned(const struct json_doc *doc, const char *path, struct json_object *value,
			 uint64_t max, uint64_t *out)
{
	if (!json_object_is_type(value, json_type_int))
		return json_doc_error(doc, path, "want a whole number from 0 to %" PRIu64 ", found %s", max,
				      json_object_is_type(value, json_type_double)
					      ? json_object_to_json_string(value)
					      : type_name(value));
	uint64_t number = json_object_get_uint64(value); /* a negative number reads as 0 */

	if (json_object_get_int64(value) < 0 || number > max)
		return json_doc_error(doc, path, "want a whole number from 0 to %" PRIu64 ", found %s", max,
				      json_object_to_json_string(value));
	*out = number;
	return 0;
}

static int read_real(const struct json_doc *doc, const char *path, struct json_object *value, double *out)
{
	if (!json_object_is_type(value, json_type_double) && !json_object_is_type(value, json_type_int))
		return want(doc, path, "a number", value);
	double number = json_object_get_double(value);

	if (!isfinite(number) || number < 0)
		return json_doc_error(doc, path, "want a finite number, 0 or more, found %s",
				      json_object_to_json_string(value));
	*out = number;
	return 0;
}

static int read_enum(const struct json_doc *doc, const char *path, struct json_object *value,
		     const struct obs_names *names, unsigned int *out)
{
	const char *candidates[MAX_KEYS + 1] = {NULL}, *text, *near;

	if (!json_object_is_type(value, json_type_string))
		return want(doc, path, "a name", value);
	text = json_object_get_string(value);
	for (unsigned int i = 0; i < names->nr; i++) {
		candidates[i] = names->name(i);
		if (strcmp(text, candidates[i]))
			continue;
		*out = i;
		return 0;
	}
	near = suggest(text, candidates);
	if (near)
		return json_doc_error(doc, path, "unknown name \"%s\"; did you mean \"%s\"?", text, near);
	return json_doc_error(doc, path, "unknown name \"%s\" (known: \"%s\" to \"%s\")", text, candidates[0],
			      candidates[names->nr - 1]);
}

static int read_bool(const struct json_doc *doc, const char *path, struct json_object *value, bool *out)
{
	if (!json_object_is_type(value, json_type_boolean))
		return want(doc, path, "true or false", value);
	*out = json_object_get_boolean(value);
	return 0;
}

static int read_field(const struct json_doc *doc, const char *path, struct json_object *value,
		      const struct obs_field *field, void *target)
{
	void *at = (char *)target + field->offset;
	uint64_t number = 0;
	int err;

	switch (field->type) {
	case OBS_STRING:
		return read_string(doc, path, value, at);
	case OBS_BOOL:
		return read_bool(doc, path, value, at);
	case OBS_REAL:
		return read_real(doc, path, value, at);
	case OBS_ENUM:
		return read_enum(doc, path, value, field->names, at);
	case OBS_U64:
		return read_unsigned(doc, path, value, UINT64_MAX, at);
	case OBS_U32:
		err = read_unsigned(doc, path, value, UINT32_MAX, &number);
		if (!err)
			*(uint32_t *)at = (uint32_t)number;
		return err;
	}
	return -EINVAL;
}

static void warn_unknown_keys(const struct json_doc *doc, const char *path, struct json_object *object,
			      const struct obs_field *fields, const char *const *others)
{
	const char *known[MAX_KEYS + 1] = {NULL};
	size_t nr = 0;

	for (; fields->key && nr < MAX_KEYS; fields++)
		known[nr++] = fields->key;
	for (; *others && nr < MAX_KEYS; others++)
		known[nr++] = *others;
	json_object_object_foreach(object, key, value)
	{
		const char *near;
		size_t i = 0;

		(void)value;
		while (known[i] && strcmp(known[i], key))
			i++;
		if (known[i])
			continue;
		near = suggest(key, known);
		json_doc_warning(doc, below(path, ".%s", key).path, "unknown key, ignored%s%s%s",
				 near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
	}
}

/* All mistakes of an object are reported; the first one's error is returned. */
static int read_fields(const struct json_doc *doc, const char *path, struct json_object *object,
		       const struct obs_field *fields, const char *const *others, void *target)
{
	int first = 0;

	if (!json_object_is_type(object, json_type_object))
		return want(doc, path, "an object", object);
	for (const struct obs_field *field = fields; field->key; field++) {
		struct place place = below(path, ".%s", field->key);
		struct json_object *value;
		int err = 0;

		if (json_object_object_get_ex(object, field->key, &value))
			err = read_field(doc, place.path, value, field, target);
		else if (field->required)
			err = json_doc_error(doc, place.path, "missing");
		if (err == -ENOMEM)
			return err;
		first = first ? first : err;
	}
	warn_unknown_keys(doc, path, object, fields, others);
	return first;
}

static int read_samples(const struct json_doc *doc, const char *run_path, struct json_object *object,
			struct obs_run *run)
{
	struct place place = below(run_path, "." OBS_KEY_SAMPLES);
	struct json_object *samples;

	if (!json_object_object_get_ex(object, OBS_KEY_SAMPLES, &samples))
		return json_doc_error(doc, place.path, "missing");
	if (!json_object_is_type(samples, json_type_array))
		return want(doc, place.path, "an array of numbers", samples);
	for (size_t i = 0; i < json_object_array_length(samples); i++) {
		double ns = 0;
		int err = read_real(doc, below(place.path, "[%zu]", i).path,
				    json_object_array_get_idx(samples, i), &ns);
		if (!err)
			err = obs_run_add_sample(run, ns);
		if (err)
			return err;
	}
	return obs_run_summarize(run);
}

/* What the values of one run must be to each other. */
static int check_run(const struct json_doc *doc, const char *run_path, struct json_object *object,
		     struct obs_run *run)
{
	if (!json_object_object_get_ex(object, "measured_units", NULL))
		run->measured_units = run->units;
	if (!json_object_object_get_ex(object, "event", NULL)) {
		if (run->stage == STAGE_TOTAL)
			return json_doc_error(doc, below(run_path, ".event").path,
					      "missing: the stage \"total\" does not tell it");
		run->event = stages[run->stage].event;
	}
	if (run->measured_units > run->units) {
		return json_doc_error(doc, below(run_path, ".measured_units").path,
				      "%" PRIu64 " of only %" PRIu64 " units", run->measured_units,
				      run->units);
	}
	if (!run->nr_averaged) {
		return json_doc_error(doc, below(run_path, ".nr_averaged").path, "want 1 or more, found 0");
	}
	return 0;
}

static int read_run(const struct json_doc *doc, const char *path, struct json_object *object,
		    struct obs_run *run)
{
	static const char *const others[] = {OBS_KEY_SAMPLES, OBS_KEY_SUMMARY, NULL};
	int err, samples_err;

	err = read_fields(doc, path, object, obs_run_fields, others, run);
	if (err == -ENOMEM || !json_object_is_type(object, json_type_object))
		return err;
	samples_err = read_samples(doc, path, object, run);
	if (err || samples_err)
		return err ? err : samples_err;
	return check_run(doc, path, object, run);
}

static int read_runs(const struct json_doc *doc, struct observations *obs)
{
	struct json_object *runs;
	int first = 0;

	if (!json_object_object_get_ex(doc->root, OBS_KEY_RUNS, &runs))
		return json_doc_error(doc, "." OBS_KEY_RUNS, "missing");
	if (!json_object_is_type(runs, json_type_array))
		return want(doc, "." OBS_KEY_RUNS, "an array", runs);
	for (size_t i = 0; i < json_object_array_length(runs); i++) {
		struct obs_run *run = observations_add_run(obs);
		int err = run ? read_run(doc, below("." OBS_KEY_RUNS, "[%zu]", i).path,
					 json_object_array_get_idx(runs, i), run)
			      : -ENOMEM;

		if (err == -ENOMEM)
			return err;
		first = first ? first : err;
	}
	return first;
}

static int read_limits(const struct json_doc *doc, struct observations *obs)
{
	static const char *const none[] = {NULL};
	struct json_object *limits;

	if (!json_object_object_get_ex(doc->root, OBS_KEY_LIMITS, &limits))
		return 0;
	obs->has_limits = true;
	return read_fields(doc, "." OBS_KEY_LIMITS, limits, obs_limits_fields, none, obs);
}

static int read_environment(const struct json_doc *doc, struct observations *obs)
{
	static const char *const none[] = {NULL};
	struct json_object *env;

	if (!json_object_object_get_ex(doc->root, OBS_KEY_ENVIRONMENT, &env))
		return json_doc_error(doc, "." OBS_KEY_ENVIRONMENT, "missing");
	return read_fields(doc, "." OBS_KEY_ENVIRONMENT, env, obs_environment_fields, none, &obs->env);
}

static int check_schema(const struct json_doc *doc)
{
	struct json_object *schema;
	const char *text;

	if (!json_object_is_type(doc->root, json_type_object))
		return json_doc_error(doc, "", "want an object with \"schema\": \"%s\", found %s",
				      OBSERVATIONS_SCHEMA, type_name(doc->root));
	if (!json_object_object_get_ex(doc->root, OBS_KEY_SCHEMA, &schema))
		return json_doc_error(doc, "." OBS_KEY_SCHEMA, "missing: want \"%s\"", OBSERVATIONS_SCHEMA);
	text = json_object_get_string(schema);
	if (!json_object_is_type(schema, json_type_string) || strcmp(text, OBSERVATIONS_SCHEMA))
		return json_doc_error(doc, "." OBS_KEY_SCHEMA, "want \"%s\", found %s", OBSERVATIONS_SCHEMA,
				      json_object_to_json_string_ext(schema, JSON_C_TO_STRING_NOSLASHESCAPE));
	return 0;
}

static int check_mode(const struct json_doc *doc, const struct observations *obs)
{
	for (size_t i = 0; modes[i]; i++) {
		if (!strcmp(obs->mode, modes[i]))
			return 0;
	}
	return json_doc_error(doc, ".mode",
			      "unknown mode \"%s\": simulated, kernel, guest, kernel-paths or published",
			      obs->mode);
}

static int read_document(const struct json_doc *doc, struct observations *obs)
{
	static const char *const others[] = {OBS_KEY_SCHEMA, OBS_KEY_ENVIRONMENT, OBS_KEY_LIMITS,
					     OBS_KEY_RUNS, NULL};
	int errs[5];

	errs[0] = check_schema(doc);
	if (errs[0])
		return errs[0]; /* another kind of document: its other mistakes say nothing */
	errs[0] = read_fields(doc, "", doc->root, obs_document_fields, others, obs);
	errs[1] = errs[0] ? 0 : check_mode(doc, obs);
	errs[2] = read_environment(doc, obs);
	errs[3] = read_limits(doc, obs);
	errs[4] = read_runs(doc, obs);
	for (size_t i = 0; i < ARRAY_SIZE(errs); i++) {
		if (errs[i])
			return errs[i];
	}
	return 0;
}

int observations_load(const char *path, struct diags *diags, struct observations **out)
{
	_cleanup_json_doc_ struct json_doc doc = {0};
	_cleanup_observations_ struct observations *obs = observations_new("");
	int err;

	if (!obs)
		return -ENOMEM;
	err = json_doc_load(path, diags, &doc);
	if (!err)
		err = read_document(&doc, obs);
	diags_sort(diags);
	if (err)
		return err;
	obs->file = strdup(doc.file);
	if (!obs->file)
		return -ENOMEM;
	*out = take_ptr(obs);
	return 0;
}
