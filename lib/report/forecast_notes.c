// SPDX-License-Identifier: GPL-2.0-or-later
/* What a reader must know to take the numbers as they are meant, in one place for every form of report. */
#include "report/forecast_report.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "base/util.h"

void notes_free(struct notes *notes)
{
	for (size_t i = 0; i < notes->nr; i++)
		free(notes->items[i]);
	free(notes->items);
	*notes = (struct notes){0};
}

static int note(struct notes *notes, const char *fmt, ...) _printf_(2, 3);
static int note(struct notes *notes, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	char **slot;
	va_list ap;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	slot = text ? array_grow(&notes->items, &notes->nr, sizeof(*slot)) : NULL;
	if (!slot)
		return -ENOMEM;
	*slot = take_ptr(text);
	return 0;
}

static int note_profile(struct notes *notes, const struct host_forecast *forecast)
{
	const struct profile *profile = forecast->profile;
	int err = 0;

	if (profile->obtained && !strcmp(profile->obtained, "uncalibrated"))
		err = note(notes,
			   "profile %s is not calibrated on any machine: times are an order of magnitude",
			   profile->name);
	if (!err && profile->instruction_clock)
		err = note(notes,
			   "profile %s comes from an emulated machine whose clock counts instructions: its "
			   "times "
			   "are not a machine's",
			   profile->name);
	else if (!err && profile->emulated)
		err = note(notes, "profile %s comes from an emulated machine: its times are not a machine's",
			   profile->name);
	if (!err && profile->has_arch && profile->arch != forecast->host->arch)
		err = note(notes, "profile %s is of %s, the host is %s", profile->name,
			   arch_name(profile->arch), arch_name(forecast->host->arch));
	return err;
}

static int note_missing(struct notes *notes, const struct host_forecast *forecast)
{
	if (!forecast->nr_missing)
		return 0;
	return note(notes,
		    "profile %s has no cost on the %s path for %zu terms, left out of every time: %s by %s%s",
		    forecast->profile->name, path_name(forecast->path), forecast->nr_missing,
		    stage_name(forecast->missing_stage), unit_name(forecast->missing_unit),
		    forecast->nr_missing > 1 ? ", ..." : "");
}

static int note_path(struct notes *notes, const struct host_forecast *forecast)
{
	enum memmap_path described = forecast->host->kernel.memmap_path;

	if (forecast->path == described)
		return 0;
	return note(notes, "forecast for a kernel with the %s path; the description's has %s",
		    path_name(forecast->path), path_name(described));
}

/* Each device alone may still have room: which one fails is decided by the order they are bound in. */
static int note_no_room(struct notes *notes, const struct host_forecast *forecast)
{
	char memmaps[UNITS_STR], ram[UNITS_STR];

	if (!forecast->host->memory_bytes || forecast->memmap_ram_bytes <= forecast->host->memory_bytes)
		return 0;
	return note(notes,
		    "the memmaps need %s of RAM and there are %s: not all of these devices can be bound",
		    size_human(memmaps, forecast->memmap_ram_bytes),
		    size_human(ram, forecast->host->memory_bytes));
}

static void mark_extrapolated(const struct stage_forecasts *list, bool *which)
{
	for (size_t i = 0; i < list->nr; i++)
		which[list->items[i].stage] |= list->items[i].extrapolated;
}

static int note_extrapolated(struct notes *notes, const struct host_forecast *forecast)
{
	bool which[NR_STAGES] = {false};
	char names[TEXT_STR] = "", *end = names;

	for (size_t i = 0; i < forecast->nr_devices; i++)
		mark_extrapolated(&forecast->devices[i].stages, which);
	for (size_t i = 0; i < forecast->nr_pools; i++)
		mark_extrapolated(&forecast->pools[i].stages, which);
	mark_extrapolated(&forecast->boot.stages, which);
	for (int i = 0; i < NR_STAGES; i++) {
		const char *name = stage_name((enum stage_id)i);

		if (which[i] && (size_t)(end - names) + strlen(name) + 3 < sizeof(names))
			end += sprintf(end, "%s%s", end == names ? "" : ", ", name);
	}
	if (end == names)
		return 0;
	return note(notes, "extrapolated beyond the sizes that profile %s was fitted on: %s",
		    forecast->profile->name, names);
}

static int note_diags(struct notes *notes, const struct diags *diags)
{
	int err = 0;

	for (size_t i = 0; diags && i < diags->nr && !err; i++) {
		const struct diag *d = &diags->items[i];

		if (d->file && d->line)
			err = note(notes, "%s:%u:%u: %s", d->file, d->line, d->col, d->text);
		else
			err = note(notes, "%s", d->text);
	}
	return err;
}

int forecast_notes(const struct forecast_report *report, struct notes *out)
{
	_cleanup_notes_ struct notes notes = {0};
	const struct host_forecast *own = report->paths[0];
	int err = note_diags(&notes, report->diags);

	if (!err)
		err = note_no_room(&notes, own);
	if (!err)
		err = note_profile(&notes, own);
	for (size_t i = 0; i < report->nr_paths && !err; i++)
		err = note_missing(&notes, report->paths[i]);
	if (!err)
		err = note_path(&notes, own);
	if (!err)
		err = note_extrapolated(&notes, own);
	if (err)
		return err;
	*out = notes;
	notes = (struct notes){0};
	return 0;
}

const char *cost_basis_name(enum cost_basis basis)
{
	static const char *const names[] = {
		[COST_MEASURED] = "profile",
		[COST_RATIO] = "ratio",
		[COST_ROOFLINE] = "roofline",
		[COST_MISSING] = "missing",
	};

	return names[basis];
}

const char *device_text(char buf[TEXT_STR], const struct style *style, const struct device_work *work,
			const char *separator)
{
	char size[UNITS_STR], align[UNITS_STR], count[32] = "";

	size_human(size, work->raw_bytes);
	if (work->count > 1)
		snprintf(count, sizeof(count), "%u %s ", work->count, style->utf8 ? "×" : "x");
	if (!work->ns)
		snprintf(buf, TEXT_STR, "%s%s%s%s%s%s", count, size, separator,
			 device_type_name(work->dev->type), work->dev->memmap_on_memory ? separator : "",
			 work->dev->memmap_on_memory ? "memmap on it" : "");
	else if (work->ns->mode == NS_FSDAX || work->ns->mode == NS_DEVDAX)
		snprintf(buf, TEXT_STR, "%s%s %s%s%s map=%s", count, size,
			 namespace_mode_name(work->ns->mode), separator,
			 size_exact(align, work->ns->align_bytes), namespace_map_name(work->ns->map));
	else
		snprintf(buf, TEXT_STR, "%s%s %s", count, size, namespace_mode_name(work->ns->mode));
	return buf;
}
