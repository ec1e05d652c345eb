// SPDX-License-Identifier: GPL-2.0-or-later
/* The work of a whole host, put together from its parts. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/util.h"
#include "geometry/parts.h"

static void term_add(struct builder *b, struct work_terms *terms, struct work_term term)
{
	struct work_term *slot;

	if (!term.units || b->err)
		return;
	slot = array_grow(&terms->items, &terms->nr, sizeof(*slot));
	if (slot)
		*slot = term;
	else
		b->err = -ENOMEM;
}

void pages_add(struct builder *b, struct work_terms *terms, enum stage_id stage, enum page_kind kind,
	       uint64_t units, unsigned int threads, const char *formula, const char *rule)
{
	term_add(b, terms, (struct work_term){stage, UNIT_STRUCT_PAGES, kind, units, threads, formula, rule});
}

void units_add(struct builder *b, struct work_terms *terms, enum stage_id stage, enum unit_id unit,
	       uint64_t units, unsigned int threads, const char *formula, const char *rule)
{
	term_add(b, terms, (struct work_term){stage, unit, KIND_NONE, units, threads, formula, rule});
}

void fact_add(struct geometry_fact *facts, size_t *nr, const char *symbol, uint64_t value, const char *what)
{
	if (*nr < GEOMETRY_MAX_FACTS)
		facts[(*nr)++] = (struct geometry_fact){symbol, value, what};
}

void common_facts(struct builder *b, struct geometry_fact *facts, size_t *nr)
{
	uint64_t page = b->rules->page_bytes, sp = b->host->struct_page_bytes;

	fact_add(facts, nr, "P", page, "page size, bytes");
	fact_add(facts, nr, "SP", sp, "sizeof(struct page), bytes");
	fact_add(facts, nr, "K", page / sp, "P/SP: struct pages in a page");
	fact_add(facts, nr, "SEC", b->rules->section_bytes, "section, bytes");
	fact_add(facts, nr, "PMD", b->rules->pmd_bytes, "what one PMD leaf maps, also a pageblock, bytes");
}

int complain(struct builder *b, enum diag_level level, const void *field, int err, const char *fmt, ...)
{
	struct host_place at = host_place_of(b->host, field);
	va_list ap;

	va_start(ap, fmt);
	diag_addv(b->diags, level, b->host->file, at.line, at.col, fmt, ap);
	va_end(ap);
	return err;
}

/* Configurations known to lack what a description asks for. Only Debian's are. */
struct missing_config {
	enum arch_id arch;
	bool any_arch;
	struct kver until;
	enum device_type type;
	bool namespaces; /* and those with struct pages */
	const char *option;
};

static const struct missing_config missing_configs[] = {
	{ARCH_AARCH64, false, {6, 11, 0, 0}, DEV_COHERENT, true,  "CONFIG_ZONE_DEVICE"   },
	{ARCH_X86_64,  true,  {6, 13, 0, 0}, DEV_PRIVATE,  false, "CONFIG_DEVICE_PRIVATE"},
	{ARCH_X86_64,  true,  {6, 13, 0, 0}, DEV_P2PDMA,   false, "CONFIG_PCI_P2PDMA"    },
};

static bool is_debian(const char *release)
{
	size_t len = strlen(release);
	const char *const flavours[] = {"-amd64", "-arm64"};

	for (size_t i = 0; i < ARRAY_SIZE(flavours); i++) {
		size_t n = strlen(flavours[i]);

		if (len > n && !strcmp(release + len - n, flavours[i]))
			return true;
	}
	return strstr(release, "+deb") != NULL;
}

static const void *first_in_need(const struct host *host, const struct missing_config *m)
{
	for (size_t i = 0; m->namespaces && i < host->nr_namespaces; i++) {
		if (namespace_is_mapped(&host->namespaces[i]))
			return &host->namespaces[i].mode;
	}
	for (size_t i = 0; i < host->nr_devices; i++) {
		if (host->devices[i].type == m->type)
			return &host->devices[i].type;
	}
	return NULL;
}

static void warn_missing_configs(struct builder *b)
{
	const char *release = b->host->kernel.release;

	if (!release || !is_debian(release))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(missing_configs); i++) {
		const struct missing_config *m = &missing_configs[i];
		const void *field = first_in_need(b->host, m);

		if (!field || (!m->any_arch && b->host->arch != m->arch) ||
		    kver_cmp(b->host->kernel.version, m->until) >= 0)
			continue;
		complain(b, DIAG_WARNING, field, 0,
			 "Debian's %s kernels of this age are built without %s: nothing here gets struct "
			 "pages",
			 release, m->option);
	}
}

/* The first error is the one returned, and does not keep what follows from being looked at: all mistakes in one run. */
static void keep_first(int *first, int err)
{
	if (!*first)
		*first = err;
}

static int fill(struct builder *b, struct work *work)
{
	const struct host *host = b->host;
	int err = 0, pool_err = 0;

	for (size_t i = 0; i < host->nr_namespaces; i++)
		keep_first(&err, namespace_work(b, &host->namespaces[i], &work->devices[work->nr_devices++]));
	for (size_t i = 0; i < host->nr_devices; i++)
		keep_first(&err, host_device_work(b, &host->devices[i], &work->devices[work->nr_devices++]));
	for (size_t i = 0; i < host->nr_hugepages; i++)
		keep_first(&pool_err, pool_work_for(b, &host->hugepages[i], &work->pools[work->nr_pools++]));
	/* The boot's share of the pools relies on their sizes having been found right. */
	keep_first(&err, pool_err ? pool_err : boot_work_for(b, &work->boot));
	return err ? err : b->err;
}

int work_new(const struct host *host, struct diags *diags, struct work **out)
{
	_cleanup_work_ struct work *work = calloc(1, sizeof(*work));
	struct builder b = {.host = host, .diags = diags};
	size_t nr_devices = host->nr_namespaces + host->nr_devices;
	int err;

	if (!work)
		return -ENOMEM;
	work->host = host;
	err = kernel_rules_for(host, diags, &work->rules);
	if (err)
		return err;
	b.rules = &work->rules;
	/* Beyond what host_check lets pass; a page must hold one. */
	if (!host->struct_page_bytes || host->struct_page_bytes > host->page_size_bytes)
		return complain(&b, DIAG_ERROR, &host->struct_page_bytes, -EINVAL,
				"struct pages of %" PRIu64 " bytes do not exist", host->struct_page_bytes);
	work->devices = calloc(MAX(nr_devices, 1), sizeof(*work->devices));
	work->pools = calloc(MAX(host->nr_hugepages, 1), sizeof(*work->pools));
	if (!work->devices || !work->pools)
		return -ENOMEM;
	warn_missing_configs(&b);
	err = fill(&b, work);
	if (err)
		return err;
	*out = take_ptr(work);
	return 0;
}

void work_free(struct work *work)
{
	if (!work)
		return;
	for (size_t i = 0; i < work->nr_devices; i++)
		free(work->devices[i].terms.items);
	for (size_t i = 0; i < work->nr_pools; i++)
		free(work->pools[i].terms.items);
	free(work->boot.terms.items);
	free(work->devices);
	free(work->pools);
	free(work);
}
