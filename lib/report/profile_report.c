// SPDX-License-Identifier: GPL-2.0-or-later
/* A profile as a document, "memmapctl.profile/1", and as a table. (As YAML it is profile_save's.) */
#include <errno.h>

#include "base/util.h"
#include "report/columns.h"
#include "report/validation_report.h"

static void put_cost(struct doc *doc, const struct cost *cost)
{
	doc_object(doc, NULL);
	doc_str(doc, "stage", stage_name(cost->stage));
	doc_str(doc, "unit", unit_name(cost->unit));
	doc_str(doc, "page_kind", kind_name(cost->kind));
	doc_str(doc, "path", path_name(cost->path));
	doc_object_row(doc, "cost_ns");
	doc_number(doc, "mid", cost->ns);
	doc_number(doc, "low", cost->low_ns);
	doc_number(doc, "high", cost->high_ns);
	doc_end(doc);
	if (cost->se_ns > 0)
		doc_number(doc, "se_ns", cost->se_ns);
	doc_u64(doc, "n", cost->n);
	doc_number(doc, "units_min", cost->units_min);
	doc_number(doc, "units_max", cost->units_max);
	doc_bool(doc, "prior", cost->prior);
	doc_str(doc, "source", cost->source);
	doc_end(doc);
}

static void put_fits(struct doc *doc, const struct profile *profile)
{
	doc_array(doc, "fits");
	for (size_t i = 0; i < profile->nr_fits; i++) {
		const struct stage_fit *fit = &profile->fits[i];

		doc_object_row(doc, NULL);
		doc_str(doc, "stage", stage_name(fit->stage));
		doc_u64(doc, "n", fit->n);
		doc_number(doc, "dof", fit->dof);
		doc_number(doc, "residual_pct", fit->residual_pct);
		doc_end(doc);
	}
	doc_end(doc);
}

static void put_paths(struct doc *doc, const struct profile *profile)
{
	doc_array(doc, "ratios");
	for (size_t i = 0; i < profile->nr_ratios; i++) {
		const struct path_ratio *ratio = &profile->ratios[i];

		doc_object(doc, NULL);
		doc_str(doc, "page_kind", kind_name(ratio->kind));
		doc_str(doc, "path", path_name(ratio->path));
		doc_number(doc, "ratio", ratio->ratio);
		doc_number(doc, "low", ratio->low);
		doc_number(doc, "high", ratio->high);
		doc_str(doc, "source", ratio->source);
		doc_end(doc);
	}
	doc_end(doc);
	doc_array(doc, "cpu");
	for (size_t i = 0; i < profile->nr_cpu; i++) {
		const struct cpu_cost *cpu = &profile->cpu[i];

		doc_object(doc, NULL);
		doc_str(doc, "page_kind", kind_name(cpu->kind));
		doc_str(doc, "path", path_name(cpu->path));
		doc_number(doc, "ns", cpu->ns);
		doc_str(doc, "source", cpu->source);
		doc_end(doc);
	}
	doc_end(doc);
}

void profile_doc(struct doc *doc, const struct profile *profile)
{
	doc_object(doc, NULL);
	doc_str(doc, "schema", "memmapctl.profile/1");
	doc_str(doc, "name", profile->name);
	doc_str(doc, "arch", profile->has_arch ? arch_name(profile->arch) : NULL);
	doc_str(doc, "machine", profile->machine);
	doc_str(doc, "kernel", profile->kernel);
	doc_str(doc, "obtained", profile->obtained);
	doc_str(doc, "provenance", profile->provenance);
	doc_bool(doc, "emulated", profile->emulated);
	if (profile->instruction_clock)
		doc_bool(doc, "instruction_clock", true);
	doc_number(doc, "residual_pct", profile->residual_pct);
	doc_number(doc, "store_gbps", profile->store_gbps);
	doc_number(doc, "nt_store_gbps", profile->nt_store_gbps);
	doc_array(doc, "costs");
	for (size_t i = 0; i < profile->nr_costs; i++)
		put_cost(doc, &profile->costs[i]);
	doc_end(doc);
	put_fits(doc, profile);
	put_paths(doc, profile);
	doc_end(doc);
}

static void put_cost_row(struct columns *table, const struct cost *cost)
{
	char text[TEXT_STR];
	bool pages = cost->unit == UNIT_STRUCT_PAGES;
	int len;

	columns_row(table);
	columns_cell(table, 0, stage_name(cost->stage), LOOK_PLAIN);
	snprintf(text, sizeof(text), "%s%s%s", unit_name(cost->unit), pages ? ", " : "",
		 pages ? kind_name(cost->kind) : "");
	columns_cell(table, 1, text, LOOK_PLAIN);
	columns_cell(table, 2, cost->path == PATH_ANY ? "" : path_name(cost->path), LOOK_PLAIN);
	snprintf(text, sizeof(text), "%.4g", cost->ns);
	columns_cell(table, 3, text, LOOK_STRONG);
	len = snprintf(text, sizeof(text), "%.4g to %.4g", cost->low_ns, cost->high_ns);
	if (cost->se_ns > 0)
		snprintf(text + len, sizeof(text) - (size_t)len, "\nse %.3g", cost->se_ns);
	columns_cell(table, 4, text, LOOK_PLAIN);
	columns_cell(table, 5, cost->source, cost->prior ? LOOK_FAINT : LOOK_PLAIN);
}

static void put_ratio_row(struct columns *table, const struct path_ratio *ratio)
{
	char text[TEXT_STR];

	columns_row(table);
	columns_cell(table, 0, "ratio", LOOK_PLAIN);
	snprintf(text, sizeof(text), "struct pages, %s", kind_name(ratio->kind));
	columns_cell(table, 1, text, LOOK_PLAIN);
	columns_cell(table, 2, path_name(ratio->path), LOOK_PLAIN);
	snprintf(text, sizeof(text), "x %.4g", ratio->ratio);
	columns_cell(table, 3, text, LOOK_STRONG);
	snprintf(text, sizeof(text), "%.4g to %.4g", ratio->low, ratio->high);
	columns_cell(table, 4, text, LOOK_PLAIN);
	columns_cell(table, 5, ratio->source, LOOK_PLAIN);
}

/* "left of a stage's time, 90 %: add_memory 0.5 % (14 observations), ..." */
static void print_fits(FILE *out, const struct style *style, const struct profile *profile)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	FILE *words = profile->nr_fits ? open_memstream(&text, &len) : NULL;

	if (!words)
		return;
	fputs("Left unexplained of a stage's time, 90 %:", words);
	for (size_t i = 0; i < profile->nr_fits; i++) {
		const struct stage_fit *fit = &profile->fits[i];

		fprintf(words, "%s %s %.2g %%", i ? "," : "", stage_name(fit->stage), fit->residual_pct);
		if (fit->n)
			fprintf(words, " (of %u)", fit->n);
		else
			fputs(" (seen in totals only)", words);
	}
	fclose(words);
	print_wrapped(out, style, "\n", 0, text);
}

int profile_table(FILE *out, const struct style *style, const struct profile *profile)
{
	static const struct column_spec specs[] = {
		{"STAGE",     false},
                {"UNIT",      false},
                {"PATH",      false},
		{"NS A UNIT", true },
                {"90 %",      false},
                {"SOURCE",    false},
	};
	_cleanup_columns_ struct columns table = {0};
	int err = columns_open(&table, style, specs, ARRAY_SIZE(specs));

	if (err)
		return err;
	fprintf(out, "%s   %s%s%s; what the costs leave unexplained: %.1f %% of a stage\n\n", profile->name,
		profile->obtained, profile->emulated ? ", emulated: only proportions mean anything" : "",
		profile->instruction_clock ? " (time counts instructions)" : "", profile->residual_pct);
	for (size_t i = 0; i < profile->nr_costs; i++)
		put_cost_row(&table, &profile->costs[i]);
	for (size_t i = 0; i < profile->nr_ratios; i++)
		put_ratio_row(&table, &profile->ratios[i]);
	err = columns_print(&table, out);
	if (!err)
		print_fits(out, style, profile);
	return err;
}
