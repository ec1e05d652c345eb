/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts by hand and the work they make, for the geometry tests. */
#ifndef MEMMAPCTL_TESTS_GEOMETRY_H
#define MEMMAPCTL_TESTS_GEOMETRY_H

#include "base/units.h"
#include "base/util.h"
#include "geometry/parts.h"
#include "support/check.h"

/* A host of 512 GiB and 64 CPUs with 4K pages; v is "6.1.192" or "7.3.4". */
static inline struct host plain_host(enum arch_id arch, const char *release)
{
	struct host host = {
		.name = (char *)"host",
		.file = (char *)"host.yaml",
		.arch = arch,
		.page_size_bytes = 4 * KIB,
		.struct_page_bytes = 64,
		.memory_bytes = 512 * GIB,
		.cpus = 64,
		.kernel = {.release = (char *)release,
			   .deferred_struct_page_init = true,
			   .dax_vmemmap_optimization = true,
			   .init_on_alloc = true},
		.hvo_supported = true,
	};

	if (release)
		assert_int_equal(kver_parse(release, &host.kernel.version), 0);
	return host;
}

static inline struct work *must_work(const struct host *host, struct diags *diags)
{
	struct work *work = NULL;
	int err = work_new(host, diags, &work);

	if (err && diags)
		diags_print(diags, stderr);
	assert_int_equal(err, 0);
	return work;
}

/* The term of a stage and unit, of any kind; NULL when there is none. Each may be there once only. */
static inline const struct work_term *find_term(const struct work_terms *terms, enum stage_id stage,
						enum unit_id unit)
{
	const struct work_term *found = NULL;

	for (size_t i = 0; i < terms->nr; i++) {
		if (terms->items[i].stage != stage || terms->items[i].unit != unit)
			continue;
		assert_null(found);
		found = &terms->items[i];
	}
	return found;
}

static inline uint64_t term_units(const struct work_terms *terms, enum stage_id stage, enum unit_id unit)
{
	const struct work_term *term = find_term(terms, stage, unit);

	return term ? term->units : 0;
}

static inline bool diags_mention(const struct diags *diags, enum diag_level level, const char *text)
{
	for (size_t i = 0; i < diags->nr; i++) {
		if (diags->items[i].level == level && strstr(diags->items[i].text, text))
			return true;
	}
	return false;
}

#endif
