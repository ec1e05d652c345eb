// SPDX-License-Identifier: GPL-2.0-or-later
/* For people. The plan comes first; the changes below it say what they save and what they cost. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/util.h"
#include "report/advice_report.h"
#include "report/forecast_parts.h"
#include "report/lever_text.h"

/* Listed without --verbose: what saves so much of the whole time, or of the memmaps' RAM. */
static const double worth_listing = 0.01;

size_t *levers_by_ram(const struct levers *levers, size_t *nr)
{
	size_t *order = calloc(MAX(levers->nr, (size_t)1), sizeof(*order));

	*nr = 0;
	for (size_t i = 0; order && i < levers->nr; i++) {
		size_t at = *nr;

		if (levers->items[i].ram_saved_bytes <= 0)
			continue;
		for (; at && levers->items[order[at - 1]].ram_saved_bytes < levers->items[i].ram_saved_bytes;
		     at--)
			order[at] = order[at - 1];
		order[at] = i;
		(*nr)++;
	}
	return order;
}

static double time_share(const struct advice *advice, const struct lever *lever)
{
	double all = advice->before.hotplug.mid_ns + advice->before.boot.mid_ns;

	return all > 0 ? lever_time_saved_ns(lever) / all : 0;
}

static double ram_share(const struct advice *advice, const struct lever *lever)
{
	double all = (double)advice->before.memmap_ram_bytes;

	return all > 0 ? (double)lever->ram_saved_bytes / all : 0;
}

/*
 * Another align and another map are one change, too, since the namespace is created again once; it is listed where it
 * is worth more than the one or the other.
 */
static bool is_no_better_than_a_part(const struct advice *advice, const struct lever *lever)
{
	if (!strchr(lever->change.text, ' '))
		return false;
	for (size_t i = 0; i < advice->levers->nr; i++) {
		const struct lever *part = &advice->levers->items[i];

		if (part->change.group == lever->change.group && !strchr(part->change.text, ' ') &&
		    part->change.effort <= lever->change.effort &&
		    time_share(advice, part) >= time_share(advice, lever) - LEVER_WORTH_NAMING &&
		    part->ram_saved_bytes >= lever->ram_saved_bytes &&
		    part->usable_gained_bytes >= lever->usable_gained_bytes)
			return true;
	}
	return false;
}

static bool saves_time(const struct advice_report *report, const struct lever *lever)
{
	double share = time_share(report->advice, lever);

	if (report->all)
		return share > 0;
	return share >= worth_listing && !is_no_better_than_a_part(report->advice, lever);
}

static bool saves_ram(const struct advice_report *report, const struct lever *lever)
{
	double share = ram_share(report->advice, lever);

	if (report->all)
		return share > 0;
	return share >= worth_listing && !is_no_better_than_a_part(report->advice, lever);
}

/* What the memory of devices costs in RAM: it is often more than all else, and no line of a bill. */
static void print_device_ram(FILE *out, const struct style *style, const struct work *work)
{
	const char *label = "IN RAM FOR";

	for (size_t i = 0; i < work->nr_devices; i++) {
		const struct device_work *device = &work->devices[i];
		uint64_t bytes = device->count * (device->memmap_ram_bytes + device->page_table_bytes);
		char what[TEXT_STR], size[UNITS_STR], text[2 * TEXT_STR];

		if (!bytes)
			continue;
		snprintf(text, sizeof(text), "%s %s: %s (%.2g %% of its size)", device->name,
			 device_text(what, style, device, " "), size_human(size, bytes),
			 100 * (double)bytes / ((double)device->count * (double)device->raw_bytes));
		forecast_print_labelled(out, style, label, text);
		label = "";
	}
}

static void put_numbered(FILE *out, const struct style *style, size_t number, const char *text)
{
	char first[TEXT_STR];

	snprintf(first, sizeof(first), "%3zu. ", number);
	print_wrapped(out, style, first, 5, text);
}

static void print_heading(FILE *out, const struct style *style, const char *heading)
{
	fprintf(out, "\n%s%s%s\n", look_on(style, LOOK_STRONG), heading, look_off(style, LOOK_STRONG));
}

/* "hotplug 1.20 s ok fits 2 s window, boot ...; 3 GiB of RAM in memmaps, of at most 4 GiB" */
static void outcome_text(char *buf, size_t size, const struct style *style, const struct outcome *outcome,
			 const struct limits *limits)
{
	char text[TEXT_STR], ram[UNITS_STR], most[UNITS_STR];
	size_t len = 0;

	for (size_t i = 0; i < outcome->nr_windows && len < size; i++) {
		const struct window_verdict *window = &outcome->windows[i];
		char time[TEXT_STR];

		len += (size_t)snprintf(buf + len, size - len, "%s %s %s, ", window->name,
					estimate_text(time, style, &window->forecast),
					verdict_text(text, style, window, " window"));
	}
	if (len < size)
		len += (size_t)snprintf(buf + len, size - len, "%s of RAM in memmaps",
					size_human(ram, outcome->memmap_ram_bytes));
	if (limits->has_max_ram && len < size)
		len += (size_t)snprintf(buf + len, size - len, " (%s %s)",
					outcome->memmap_ram_bytes > limits->max_ram_bytes ? "over" : "within",
					size_human(most, limits->max_ram_bytes));
	if (outcome->small_device && len < size)
		snprintf(buf + len, size - len, ", %s %s usable of %s wanted", outcome->small_device,
			 size_human(ram, outcome->small_usable_bytes),
			 size_human(most, outcome->small_wanted_bytes));
}

static const char *plan_heading(const struct advice *advice)
{
	if (!advice->is_met)
		return advice->is_exhaustive
			       ? "No combination of changes meets everything. The nearest is:"
			       : "No combination that was tried meets everything. The nearest is:";
	return advice->is_exhaustive ? "The cheapest that meets everything:"
				     : "The cheapest found that meets everything (there are too many "
				       "combinations to try them all):";
}

static void print_plan(FILE *out, const struct style *style, const struct advice_report *report)
{
	const struct advice *advice = report->advice;
	const struct plan *plan = &advice->plan;
	char text[4 * TEXT_STR], name[TEXT_STR];

	if (!advice->before.nr_windows && !report->limits->has_max_ram && !report->limits->nr_usable) {
		forecast_print_labelled(out, style, "PLAN",
					"no window and no limit is stated: nothing to meet");
		return;
	}
	if (advice->met_already) {
		forecast_print_labelled(out, style, "PLAN",
					"everything is met as it is: nothing has to be changed");
		return;
	}
	forecast_print_labelled(out, style, "PLAN",
				plan->nr || advice->is_met ? plan_heading(advice)
							   : "No change brings it nearer to what is wanted:");
	for (size_t i = 0; i < plan->nr; i++) {
		snprintf(text, sizeof(text), "%zu. %s: %s", i + 1, change_text(name, plan->changes[i]),
			 plan->changes[i]->price);
		forecast_print_labelled(out, style, "", text);
	}
	outcome_text(text, sizeof(text), style, &plan->after, report->limits);
	forecast_print_labelled(out, style, "  then", text);
}

static void print_lever(FILE *out, const struct style *style, const struct advice *advice,
			const struct lever *lever, size_t number)
{
	bool is_small = time_share(advice, lever) < LEVER_WORTH_NAMING &&
			ram_share(advice, lever) < LEVER_WORTH_NAMING;
	char name[TEXT_STR], effect[EFFECT_STR], text[5 * TEXT_STR];

	snprintf(text, sizeof(text), "%s: %s%s; %s", change_text(name, &lever->change),
		 lever_effect(effect, style, lever, advice->base),
		 is_small ? " (so small a saving may be none)" : "", lever->change.price);
	put_numbered(out, style, number, text);
}

/* Those that save time, of this kernel's or of others. */
static void print_by_time(FILE *out, const struct style *style, const struct advice_report *report,
			  bool new_kernel, const char *heading)
{
	const struct advice *advice = report->advice;
	size_t number = 0;

	for (size_t i = 0; i < advice->levers->nr; i++) {
		const struct lever *lever = &advice->levers->items[i];

		if (lever_needs_kernel(lever) != new_kernel || !saves_time(report, lever))
			continue;
		if (!number)
			print_heading(out, style, heading);
		print_lever(out, style, advice, lever, ++number);
	}
}

static int print_by_ram(FILE *out, const struct style *style, const struct advice_report *report)
{
	const struct advice *advice = report->advice;
	size_t nr, number = 0;
	_cleanup_free_ size_t *order = levers_by_ram(advice->levers, &nr);

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < nr; i++) {
		const struct lever *lever = &advice->levers->items[order[i]];

		if (!saves_ram(report, lever))
			continue;
		if (!number)
			print_heading(out, style, "BY MEMORY SAVED");
		print_lever(out, style, advice, lever, ++number);
	}
	return 0;
}

/* What was tried and is not listed. */
static void print_rest(FILE *out, const struct advice_report *report)
{
	const struct advice *advice = report->advice;
	size_t nr = 0;

	for (size_t i = 0; i < advice->levers->nr; i++) {
		const struct lever *lever = &advice->levers->items[i];

		nr += !saves_time(report, lever) && !saves_ram(report, lever);
	}
	if (nr)
		fprintf(out, "\n%zu more tried that save%s %s%s\n", nr, nr == 1 ? "s" : "",
			report->all ? "neither time nor memory" : "next to nothing, or nothing more",
			report->all ? "" : " (-v lists them)");
}

static int print_notes(FILE *out, const struct style *style, const struct advice_report *report)
{
	const struct host_forecast *base = report->advice->base;
	const struct forecast_report forecast = {.paths = &base, .nr_paths = 1, .diags = report->diags};
	_cleanup_notes_ struct notes notes = {0};
	int err = forecast_notes(&forecast, &notes);

	for (size_t i = 0; !err && i < notes.nr; i++)
		print_wrapped(out, style, i ? "- " : "\n- ", 2, notes.items[i]);
	return err;
}

int advice_table(FILE *out, const struct style *style, const struct advice_report *report)
{
	int err = forecast_print_summary(out, style, report->advice->base);

	if (err)
		return err;
	print_device_ram(out, style, report->advice->base->work);
	print_plan(out, style, report);
	print_by_time(out, style, report, false, "BY TIME SAVED");
	print_by_time(out, style, report, true, "BY TIME SAVED, WITH ANOTHER KERNEL");
	err = print_by_ram(out, style, report);
	if (err)
		return err;
	print_rest(out, report);
	return print_notes(out, style, report);
}
