// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes as tools print them for people: rounded, and in two systems of units at once. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "probe/import_found.h"

/* "GiB", "G", "GB", "B" or nothing; *text moves past it. 0: none of them. */
static double take_unit(const char **text)
{
	static const char prefixes[] = "KMGTPE";
	const char *at = *text, *prefix = *at ? strchr(prefixes, toupper((unsigned char)*at)) : NULL;
	int power = prefix ? (int)(prefix - prefixes) + 1 : 0;
	double base = 1024;

	at += prefix != NULL;
	if (!strncmp(at, "iB", 2)) {
		at += 2;
	} else if (*at == 'B' || (prefix && *at == 'b')) {
		at++;
		base = 1000;
	}
	if (isalnum((unsigned char)*at))
		return 0;
	*text = at;
	return pow(base, power);
}

/* One number with its unit; half of the last printed digit either way. */
static const char *take_size(const char *text, struct found_size *out)
{
	const char *at, *point;
	char *end;
	double value, unit;
	int digits = 0;

	if (!isdigit((unsigned char)*text))
		return NULL;
	value = strtod(text, &end);
	at = end;
	point = memchr(text, '.', (size_t)(at - text));
	if (point)
		digits = (int)(at - point) - 1;
	while (*at == ' ')
		at++;
	unit = take_unit(&at);
	if (unit <= 0 || value * unit > 0x1p53)
		return NULL;
	double half = unit > 1 ? 0.5 * pow(10, -digits) * unit : 0;

	out->min = (uint64_t)ceil(fmax(value * unit - half, 0));
	out->max = (uint64_t)floor(value * unit + half);
	return at;
}

int found_size_parse(const char *text, struct found_size *out)
{
	struct found_size size, other;
	const char *at = take_size(text, &size);

	if (!at)
		return -EINVAL;
	if (!strncmp(at, " (", 2)) {
		at = take_size(at + 2, &other);
		if (!at || *at++ != ')' || MAX(size.min, other.min) > MIN(size.max, other.max))
			return -EINVAL;
		size.min = MAX(size.min, other.min);
		size.max = MIN(size.max, other.max);
	}
	if (*at)
		return -EINVAL;
	*out = size;
	return 0;
}
