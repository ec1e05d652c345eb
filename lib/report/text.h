/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How values look in tables: intervals, bars, verdicts, wrapped notes; UTF-8 with an ASCII fallback. */
#ifndef MEMMAPCTL_REPORT_TEXT_H
#define MEMMAPCTL_REPORT_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/units.h"
#include "model/forecast.h"

struct style {
	bool utf8;
	bool color;
	unsigned int width; /* columns to fill, about */
};

enum {
	BAR_MAX = 40, /* cells */
	BAR_STR = BAR_MAX * 3 + 1,
	INTERVAL_STR = 2 * UNITS_STR + 8,
	TEXT_STR = 256,
};

enum look {
	LOOK_PLAIN,
	LOOK_STRONG,
	LOOK_GOOD,
	LOOK_DOUBTFUL,
	LOOK_BAD,
	LOOK_FAINT,
	NR_LOOKS,
};

/* The escape sequence that starts a look, and the one that ends it; "" without colour. Static. */
const char *look_on(const struct style *style, enum look look);
const char *look_off(const struct style *style, enum look look);

/*
 * A bar of share (0 to 1) of `cells` columns, in eighths of a column with UTF-8 and in whole '#' without. A share above
 * 0 shows something. Returns buf.
 */
const char *bar_text(char buf[BAR_STR], const struct style *style, double share, unsigned int cells);

/*
 * "±6%", or "370 ms-3.30 s" where the interval is lopsided or wider than half of mid; "" where all of it is 0.
 * Returns buf.
 */
const char *interval_text(char buf[INTERVAL_STR], const struct style *style, const struct estimate *e);

/* The middle and the interval: "1.10 s ±6%", "1.10 s (370 ms–3.30 s)". Returns buf. */
const char *estimate_text(char buf[TEXT_STR], const struct style *style, const struct estimate *e);

/* The same as two lines of a cell: "1.10 s\n±6%", "0 ms" alone where all of it is 0. Returns buf. */
const char *estimate_cell(char buf[TEXT_STR], const struct style *style, const struct estimate *e);

/*
 * "✓ fits 2 s window", "≈ may miss 2 s window", "✗ 2.62 s over 2 s window"; or "≈ fits, costs missing"; with `word` for " window" ("" where a
 * heading says it). Returns buf.
 */
const char *verdict_text(char buf[TEXT_STR], const struct style *style, const struct window_verdict *window,
			 const char *word);
enum look verdict_look(const struct window_verdict *window);

/*
 * Print text behind `first`, which takes `indent` columns, wrapped at style->width with further lines indented as
 * much.
 */
void print_wrapped(FILE *out, const struct style *style, const char *first, unsigned int indent,
		   const char *text);

/* Columns that UTF-8 text takes on a terminal, for the characters that reports use (none is wide). */
unsigned int text_columns(const char *text);

#endif
