/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between the files that make one host's page. */
#ifndef MEMMAPCTL_REPORT_FORECAST_PARTS_H
#define MEMMAPCTL_REPORT_FORECAST_PARTS_H

#include "report/forecast_report.h"

/* A device's forecast is for one of so many. */
static inline double forecast_copies(const struct device_forecast *device)
{
	return device->work->count;
}

/* The comparison of report->paths; prints nothing for a single one. 0 or -ENOMEM. */
int forecast_print_paths(FILE *out, const struct style *style, const struct forecast_report *report);

#endif
