/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files that make one host's page. */
#ifndef MEMMAPCTL_REPORT_FORECAST_PARTS_H
#define MEMMAPCTL_REPORT_FORECAST_PARTS_H

#include "report/forecast_report.h"

/* A device's forecast is for one of so many: a time of all of them, whose costs are the same and err together. */
static inline struct estimate forecast_of_all(const struct device_forecast *device,
					      const struct estimate *one)
{
	double count = device->work->count;

	return (struct estimate){count * one->mid_ns, count * one->low_ns, count * one->high_ns};
}

/* Host, profile, times, windows and memory. 0 or -ENOMEM. */
int forecast_print_summary(FILE *out, const struct style *style, const struct host_forecast *forecast);

/* "LEVER       text", wrapped behind the label. */
void forecast_print_labelled(FILE *out, const struct style *style, const char *label, const char *text);

/* In documents: members that tell the host; the arrays "windows" and "notes". */
void forecast_doc_identity(struct doc *doc, const struct host_forecast *forecast);
void forecast_doc_windows(struct doc *doc, const struct window_verdict *windows, size_t nr,
			  enum memmap_path path);
void forecast_doc_notes(struct doc *doc, const struct forecast_report *report);

/* The comparison of report->paths; prints nothing for a single one. 0 or -ENOMEM. */
int forecast_print_paths(FILE *out, const struct style *style, const struct forecast_report *report);

#endif
