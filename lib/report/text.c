// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/text.h"

#include <math.h>
#include <string.h>

#include "base/util.h"

static const char *const looks[NR_LOOKS] = {
	[LOOK_PLAIN] = "",         [LOOK_STRONG] = "\033[1m",
	[LOOK_GOOD] = "\033[32m",  [LOOK_DOUBTFUL] = "\033[33m",
	[LOOK_BAD] = "\033[1;31m", [LOOK_FAINT] = "\033[2m",
};

const char *look_on(const struct style *style, enum look look)
{
	return style->color ? looks[look] : "";
}

const char *look_off(const struct style *style, enum look look)
{
	return style->color && look != LOOK_PLAIN ? "\033[0m" : "";
}

const char *bar_text(char buf[BAR_STR], const struct style *style, double share, unsigned int cells)
{
	static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	const char *full = style->utf8 ? "█" : "#";
	unsigned int steps = style->utf8 ? 8 : 1, nr;
	char *end = buf;

	cells = MIN(cells, (unsigned int)BAR_MAX);
	share = fmin(fmax(share, 0), 1);
	nr = (unsigned int)lround(share * cells * steps);
	if (share > 0)
		nr = MAX(nr, 1u);
	*end = '\0';
	for (unsigned int i = 0; i < nr / steps; i++)
		end = stpcpy(end, full);
	if (style->utf8)
		stpcpy(end, eighths[nr % steps]);
	return buf;
}

/* "1.54-13.9 s": the unit once where both have the same, and none for 0. */
static void range_text(char buf[INTERVAL_STR], const struct style *style, double low_ns, double high_ns)
{
	char low[UNITS_STR], high[UNITS_STR];
	char *low_unit = strchr(duration_human(low, low_ns), ' ');
	const char *high_unit = strchr(duration_human(high, high_ns), ' ');

	if (low_unit && (low_ns <= 0 || (high_unit && !strcmp(low_unit, high_unit))))
		*low_unit = '\0';
	snprintf(buf, INTERVAL_STR, "%s%s%s", low, style->utf8 ? "–" : "-", high);
}

const char *interval_text(char buf[INTERVAL_STR], const struct style *style, const struct estimate *e)
{
	double down = e->mid_ns - e->low_ns, up = e->high_ns - e->mid_ns, percent;

	*buf = '\0';
	if (e->high_ns <= 0)
		return buf;
	percent = e->mid_ns > 0 ? 100 * MAX(down, up) / e->mid_ns : (double)INFINITY;
	if (percent <= 50 && fabs(up - down) <= 0.2 * MAX(down, up))
		snprintf(buf, INTERVAL_STR, "%s%.*f%%", style->utf8 ? "±" : "+-", percent < 0.95, percent);
	else
		range_text(buf, style, e->low_ns, e->high_ns);
	return buf;
}

const char *estimate_text(char buf[TEXT_STR], const struct style *style, const struct estimate *e)
{
	char mid[UNITS_STR], interval[INTERVAL_STR];
	bool is_range = strchr(interval_text(interval, style, e), ' ');

	snprintf(buf, TEXT_STR,
		 is_range    ? "%s (%s)"
		 : *interval ? "%s %s"
			     : "%s%s",
		 duration_human(mid, e->mid_ns), interval);
	return buf;
}

const char *estimate_cell(char buf[TEXT_STR], const struct style *style, const struct estimate *e)
{
	char mid[UNITS_STR], interval[INTERVAL_STR];

	interval_text(interval, style, e);
	snprintf(buf, TEXT_STR, "%s%s%s", duration_human(mid, e->mid_ns), *interval ? "\n" : "", interval);
	return buf;
}

enum look verdict_look(const struct window_verdict *window)
{
	if (!window->fits)
		return LOOK_BAD;
	return window->sure ? LOOK_GOOD : LOOK_DOUBTFUL;
}

/* A limit as its owner wrote it: "2 s", "1.5 s", "300 ms". */
static const char *limit_text(char buf[UNITS_STR], uint64_t ns)
{
	if (ns >= NS_PER_S)
		snprintf(buf, UNITS_STR, "%.6g s", (double)ns / NS_PER_S);
	else
		snprintf(buf, UNITS_STR, "%.6g ms", (double)ns / NS_PER_MS);
	return buf;
}

const char *verdict_text(char buf[TEXT_STR], const struct style *style, const struct window_verdict *window,
			 const char *word)
{
	char limit[UNITS_STR], over[UNITS_STR];

	limit_text(limit, window->limit_ns);
	if (window->nr_missing && window->forecast.mid_ns <= (double)window->limit_ns)
		snprintf(buf, TEXT_STR, "%s costs missing for %s%s", style->utf8 ? "✗" : "!", limit, word);
	else if (!window->fits)
		snprintf(buf, TEXT_STR, "%s %s over %s%s", style->utf8 ? "✗" : "!",
			 duration_human(over, window->forecast.mid_ns - (double)window->limit_ns), limit,
			 word);
	else if (!window->sure)
		snprintf(buf, TEXT_STR, "%s may miss %s%s", style->utf8 ? "≈" : "?", limit, word);
	else
		snprintf(buf, TEXT_STR, "%s fits %s%s", style->utf8 ? "✓" : "ok", limit, word);
	return buf;
}

unsigned int text_columns(const char *text)
{
	unsigned int columns = 0;

	for (; *text; text++)
		columns += ((unsigned char)*text & 0xc0) != 0x80;
	return columns;
}

void print_wrapped(FILE *out, const struct style *style, const char *first, unsigned int indent,
		   const char *text)
{
	unsigned int column = indent;
	bool at_start = true;

	fputs(first, out);
	while (*text) {
		size_t len = strcspn(text, " \n");
		char word[TEXT_STR];

		snprintf(word, sizeof(word), "%.*s", (int)MIN(len, sizeof(word) - 1), text);
		if (!at_start && column + 1 + text_columns(word) > style->width) {
			fprintf(out, "\n%*s", (int)indent, "");
			column = indent;
			at_start = true;
		}
		column += text_columns(word) + !at_start;
		fprintf(out, "%s%.*s", at_start ? "" : " ", (int)len, text);
		at_start = false;
		text += len + (text[len] != '\0');
	}
	putc('\n', out);
}
