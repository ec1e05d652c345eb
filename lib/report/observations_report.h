/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Observations in the forms they are printed in. */
#ifndef MEMMAPCTL_REPORT_OBSERVATIONS_REPORT_H
#define MEMMAPCTL_REPORT_OBSERVATIONS_REPORT_H

#include <stdio.h>

#include "measure/observations.h"
#include "report/text.h"

/*
 * The whole record, "memmapctl.observations/1"; observations_load reads the JSON back. Times are kept to the
 * nanosecond, or to six digits where that is finer. 0, -ENOMEM, -EIO, or -ERANGE (a value that is not finite).
 */
int observations_write_json(const struct observations *obs, FILE *out);
int observations_write_yaml(const struct observations *obs, FILE *out);

/* One line a run, with its summary; a header line first. 0 or -EIO. */
int observations_write_csv(const struct observations *obs, FILE *out);

/* For people: simulated, each page kind's race, fastest first, and the builds compared where there are several. 0 or -ENOMEM. */
int observations_write_table(const struct observations *obs, const struct style *style, FILE *out);

/* The table of a real kernel's stages, by device and event: what observations_write_table prints for all other modes. */
int observations_write_stages(const struct observations *obs, const struct style *style, FILE *out);

/* The part of the table that compares builds of the same routines. Prints nothing when there is but one. */
int observations_write_codegen(const struct observations *obs, const struct style *style, FILE *out);

/* Nanoseconds a unit took: the median, or the first pass where nothing came after it. */
static inline double obs_ns_per_unit(const struct obs_run *run)
{
	double ns = run->summary.n ? run->summary.median : run->first_ns;

	return run->units ? ns / (double)run->units : 0;
}

#endif
