// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/measure.h"

#include <inttypes.h>

static void list_routine(FILE *out, const struct initpath_routine *r)
{
	bool usable = !r->usable || r->usable();

	fprintf(out, "  %-18s %-12s %s%s\n", r->name, path_name(r->path), r->what,
		usable ? "" : " [not on this CPU]");
	fprintf(out, "  %-18s %-12s", "", "");
	for (int kind = 0; kind < NR_KINDS; kind++) {
		if (r->kinds & (1u << kind))
			fprintf(out, " %s", kind_name((enum page_kind)kind));
	}
	fputc('\n', out);
}

void measure_list(FILE *out)
{
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);

	fprintf(out,
		"Routines (--routine), init path (--path), page kinds (--kind). Each writes all\n"
		"%d bytes of every struct page, some of them more than once:\n",
		STRUCT_PAGE_BYTES);
	for (size_t i = 0; i < nr && routines[i].codegen == routines[0].codegen; i++)
		list_routine(out, &routines[i]);
	fprintf(out, "Builds of each (--codegen):\n");
	for (size_t i = 0; i < nr; i++) {
		if (!i || routines[i].codegen != routines[i - 1].codegen)
			fprintf(out, "  %-28s %" PRIu64 " bytes of machine code\n",
				codegen_name(routines[i].codegen), routines[i].text_bytes);
	}
	fprintf(out, "Kernel versions whose writes can be simulated (--kernel-version):\n ");
	for (size_t i = 0; i < nr_initpath_versions; i++)
		fprintf(out, " %s", initpath_versions[i].name);
	fprintf(out, "\n");
}
