/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Observations in the forms they are printed in. */
#ifndef MEMMAPCTL_REPORT_OBSERVATIONS_REPORT_H
#define MEMMAPCTL_REPORT_OBSERVATIONS_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "measure/observations.h"

/* The whole record, "memmapctl.observations/1"; observations_load reads it back. 0, -ENOMEM or -EIO. */
int observations_write_json(const struct observations *obs, FILE *out);

/* One line a run, with its summary; a header line first. 0 or -EIO. */
int observations_write_csv(const struct observations *obs, FILE *out);

struct table_style {
	bool color;
	bool unicode;       /* bars of block characters; else of '#' */
	unsigned int width; /* columns */
};

/* For people: each page kind's race, fastest first. 0 or -ENOMEM. */
int observations_write_table(const struct observations *obs, const struct table_style *style, FILE *out);

#endif
