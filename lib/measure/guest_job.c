// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_job.h"

#include <errno.h>
#include <json-c/json.h>
#include <string.h>

static const char job_schema[] = "memmapctl.guest-job/1";

static void put_json(struct json_object **json)
{
	json_object_put(*json);
}
#define _cleanup_json_ _cleanup_(put_json)

int guest_job_add_module(struct guest_job *job, const char *path)
{
	char **slot = array_grow(&job->modules, &job->nr_modules, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = strdup(path);
	return *slot ? 0 : -ENOMEM;
}

void guest_job_free(struct guest_job *job)
{
	for (size_t i = 0; i < job->nr_modules; i++)
		free(job->modules[i]);
	free(job->modules);
	free(job->timing);
	*job = (struct guest_job){0};
}

char *guest_job_text(const struct guest_job *job)
{
	_cleanup_json_ struct json_object *root = json_object_new_object();
	struct json_object *modules = json_object_new_array();
	const char *text;

	if (!root || !modules)
		return NULL;
	json_object_object_add(root, "schema", json_object_new_string(job_schema));
	json_object_object_add(root, "reps", json_object_new_uint64(job->reps));
	if (job->timing)
		json_object_object_add(root, "timing", json_object_new_string(job->timing));
	json_object_object_add(root, "verify", json_object_new_boolean(job->verify));
	for (size_t i = 0; i < job->nr_modules; i++)
		json_object_array_add(modules, json_object_new_string(job->modules[i]));
	json_object_object_add(root, "modules", modules);
	text = json_object_to_json_string_ext(root, JSON_C_TO_STRING_PRETTY);
	return text ? strdup(text) : NULL;
}

static int read_modules(struct json_object *modules, struct guest_job *job)
{
	for (size_t i = 0; i < json_object_array_length(modules); i++) {
		struct json_object *path = json_object_array_get_idx(modules, i);
		int err;

		if (!json_object_is_type(path, json_type_string))
			return -EINVAL;
		err = guest_job_add_module(job, json_object_get_string(path));
		if (err)
			return err;
	}
	return 0;
}

static int read_job(struct json_object *root, struct guest_job *job)
{
	struct json_object *schema, *reps, *modules, *timing, *verify;

	if (!json_object_object_get_ex(root, "schema", &schema) ||
	    !json_object_is_type(schema, json_type_string) ||
	    strcmp(json_object_get_string(schema), job_schema))
		return -EINVAL;
	if (!json_object_object_get_ex(root, "reps", &reps) || !json_object_is_type(reps, json_type_int))
		return -EINVAL;
	if (!json_object_object_get_ex(root, "modules", &modules) ||
	    !json_object_is_type(modules, json_type_array))
		return -EINVAL;
	job->reps = json_object_get_uint64(reps);
	job->verify = json_object_object_get_ex(root, "verify", &verify) && json_object_get_boolean(verify);
	if (json_object_object_get_ex(root, "timing", &timing)) {
		if (!json_object_is_type(timing, json_type_string))
			return -EINVAL;
		job->timing = strdup(json_object_get_string(timing));
		if (!job->timing)
			return -ENOMEM;
	}
	return read_modules(modules, job);
}

int guest_job_parse(const char *text, const char *name, struct diags *diags, struct guest_job *out)
{
	_cleanup_json_ struct json_object *root = json_tokener_parse(text);
	struct guest_job job = {0};
	int err = root ? read_job(root, &job) : -EINVAL;

	if (err) {
		guest_job_free(&job);
		return diag_error(diags, err, "%s: not a job for a guest (%s is wanted)", name, job_schema);
	}
	*out = job;
	return 0;
}
