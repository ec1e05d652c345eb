/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports of forecasts, one file a form. All are built from the typed results, never from each other's text, and all
 * print one host at a time, so that a call over thousands of hosts holds one.
 */
#ifndef MEMMAPCTL_REPORT_FORECAST_REPORT_H
#define MEMMAPCTL_REPORT_FORECAST_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "model/forecast.h"
#include "model/lever.h"
#include "report/doc.h"
#include "report/text.h"

/* One host's results; nothing in it is owned. */
struct forecast_report {
	const struct host_forecast *const *paths; /* [0] is the one that windows are judged on */
	size_t nr_paths;                          /* more than one with --path all */
	const struct levers *levers;              /* NULL: not asked for */
	const struct diags *diags;                /* warnings and notes about the host; may be NULL */
	bool explain;                             /* documents: with terms, facts and sources */
};

/*
 * "memmapctl.forecast/1": begin, each host, end, then doc_finish. An estimate is {mid, low, high}; keys end in their
 * unit. With several paths hotplug[] has a row for each device and path (each with its `path`), boot and windows[]
 * stay those of the first path, and paths[] has totals, boot and windows of all of them.
 */
void forecast_doc_begin(struct doc *doc);
void forecast_doc_host(struct doc *doc, const struct forecast_report *report);
void forecast_doc_end(struct doc *doc);

/* One change as an element of an array: levers[] here, changes[] of advice. */
void lever_doc(struct doc *doc, const struct lever *lever);

/* One row a stage (device, boot or pool, each path), and a row "total" for each event. */
void forecast_csv_header(FILE *out);
void forecast_csv_host(FILE *out, const struct forecast_report *report);

/* The page for one host: the answer first, then where it comes from. 0 or -ENOMEM. */
int forecast_table_host(FILE *out, const struct style *style, const struct forecast_report *report);

/* For every number its formula, inputs, kernel rule, cost and the source of the cost. */
void forecast_explain_host(FILE *out, const struct style *style, const struct forecast_report *report);

/* Several hosts in one table: a small row is kept of each, and the worst is printed first. */
struct fleet {
	struct fleet_row *rows;
	size_t nr;
};
int fleet_add(struct fleet *fleet, const struct forecast_report *report); /* 0 or -ENOMEM */
int fleet_print(struct fleet *fleet, FILE *out, const struct style *style);
void fleet_free(struct fleet *fleet);
#define _cleanup_fleet_ _cleanup_(fleet_free)

/* What a reader must know to take the numbers as they are meant; free with notes_free. 0 or -ENOMEM. */
struct notes {
	char **items;
	size_t nr;
};
int forecast_notes(const struct forecast_report *report, struct notes *out);
void notes_free(struct notes *notes);
#define _cleanup_notes_ _cleanup_(notes_free)

/* "100 GiB devdax 2MiB map=mem", "141 GiB private": what a device is. Returns buf. */
const char *device_text(char buf[TEXT_STR], const struct style *style, const struct device_work *work,
			const char *separator);

/* How a cost was arrived at: by "profile" (a row of it), "ratio", "roofline"; or "missing". Static. */
const char *cost_basis_name(enum cost_basis basis);

#endif
