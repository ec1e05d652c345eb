// SPDX-License-Identifier: GPL-2.0-or-later
/* What namespaces and dax devices have in common in a description. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "host/pages.h"
#include "probe/prober.h"

uint64_t default_align(const struct prober *p)
{
	const struct page_sizes *sizes = page_sizes_of(p->host->arch, p->host->page_size_bytes);

	return sizes ? sizes->pmd_bytes : 2 * MIB;
}

void describe_start(struct prober *p, const char *name, const char *dir, bool *has_start, uint64_t *start)
{
	_cleanup_free_ char *what = prober_text(p, "physical address of %s", name);

	*has_start = attr_u64(p, dir, "resource", start);
	if (*has_start)
		prober_found(p, start, "/%s/resource", dir);
	else if (what)
		prober_unknown(p, start, what, "taken as aligned: %s /%s/resource",
			       attr_why(p, dir, "resource"), dir);
}

void describe_align(struct prober *p, struct host_namespace *ns, const char *dir)
{
	_cleanup_free_ char *what = prober_text(p, "align of %s", ns->name);

	if (attr_u64(p, dir, "align", &ns->align_bytes) && ns->align_bytes) {
		prober_found(p, &ns->align_bytes, "/%s/align", dir);
		return;
	}
	ns->align_bytes = default_align(p);
	if (what)
		prober_unknown(p, &ns->align_bytes, what, "taken as the default");
}

void trim_size(struct prober *p, struct host_namespace *ns)
{
	uint64_t unit = MAX(ns->align_bytes, 2 * MIB), rest = ns->size_bytes % unit;

	if (!rest || ns->mode == NS_RAW || ns->mode == NS_SECTOR || rest == ns->size_bytes)
		return;
	prober_note(p, "%s: the last %" PRIu64 " bytes are less than its align and not used", ns->name, rest);
	ns->size_bytes -= rest;
}
