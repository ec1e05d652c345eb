/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMMAPCTL_REPORT_CSV_H
#define MEMMAPCTL_REPORT_CSV_H

#include <stdio.h>

/* A field of CSV (RFC 4180): quoted where it must be. NULL is an empty field. */
void csv_text(FILE *out, const char *text);

#endif
