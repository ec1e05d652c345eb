// SPDX-License-Identifier: GPL-2.0-or-later
/* Observations as a document: the rows of observations_fields.h, then the samples and their summary. */
#include <errno.h>

#include "measure/observations_fields.h"
#include "report/doc.h"
#include "report/observations_report.h"

static void put_field(struct doc *doc, const struct obs_field *field, const void *at)
{
	switch (field->type) {
	case OBS_STRING:
		if (*(char *const *)at)
			doc_str(doc, field->key, *(char *const *)at);
		break;
	case OBS_BOOL:
		doc_bool(doc, field->key, *(const bool *)at);
		break;
	case OBS_U32:
		doc_u64(doc, field->key, *(const uint32_t *)at);
		break;
	case OBS_U64:
		doc_u64(doc, field->key, *(const uint64_t *)at);
		break;
	case OBS_REAL:
		doc_number(doc, field->key, *(const double *)at);
		break;
	case OBS_ENUM:
		doc_str(doc, field->key, field->names->name(*(const unsigned int *)at));
		break;
	}
}

static void put_fields(struct doc *doc, const struct obs_field *fields, const void *source)
{
	for (; fields->key; fields++)
		put_field(doc, fields, (const char *)source + fields->offset);
}

static void put_summary(struct doc *doc, const struct summary *summary)
{
	doc_object_row(doc, OBS_KEY_SUMMARY);
	doc_u64(doc, "n", summary->n);
	if (summary->n)
		put_fields(doc, obs_summary_fields, summary);
	if (summary->has_interval) {
		doc_number(doc, "median_low_ns", summary->median_low);
		doc_number(doc, "median_high_ns", summary->median_high);
	}
	doc_end(doc);
}

static void put_run(struct doc *doc, const struct obs_run *run)
{
	doc_object(doc, NULL);
	put_fields(doc, obs_run_fields, run);
	doc_array_row(doc, OBS_KEY_SAMPLES);
	for (size_t i = 0; i < run->nr_samples; i++)
		doc_number(doc, NULL, run->samples_ns[i]);
	doc_end(doc);
	put_summary(doc, &run->summary);
	doc_end(doc);
}

static int write_document(const struct observations *obs, enum doc_format format, FILE *out)
{
	_cleanup_doc_ struct doc *doc = doc_new(format, out);

	if (!doc)
		return -ENOMEM;
	doc_object(doc, NULL);
	doc_str(doc, OBS_KEY_SCHEMA, OBSERVATIONS_SCHEMA);
	put_fields(doc, obs_document_fields, obs);
	doc_object(doc, OBS_KEY_ENVIRONMENT);
	put_fields(doc, obs_environment_fields, &obs->env);
	doc_end(doc);
	if (obs->has_limits) {
		doc_object_row(doc, OBS_KEY_LIMITS);
		put_fields(doc, obs_limits_fields, obs);
		doc_end(doc);
	}
	doc_array(doc, OBS_KEY_RUNS);
	for (size_t i = 0; i < obs->nr_runs; i++)
		put_run(doc, &obs->runs[i]);
	doc_end(doc);
	doc_end(doc);
	return doc_finish(doc);
}

int observations_write_json(const struct observations *obs, FILE *out)
{
	return write_document(obs, DOC_JSON, out);
}

int observations_write_yaml(const struct observations *obs, FILE *out)
{
	return write_document(obs, DOC_YAML, out);
}
