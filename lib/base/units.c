// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"

struct unit_row {
	const char *name;
	uint64_t factor;
};

static const struct unit_row size_units[] = {
	{"",    1		  },
	{"B",   1		  },
	{"K",   KIB                },
	{"KiB", KIB                },
	{"M",   MIB                },
	{"MiB", MIB                },
	{"G",   GIB                },
	{"GiB", GIB                },
	{"T",   TIB                },
	{"TiB", TIB                },
	{"P",   1024 * TIB         },
	{"PiB", 1024 * TIB         },
	{"kB",  1000ULL            },
	{"MB",  1000000ULL         },
	{"GB",  1000000000ULL      },
	{"TB",  1000000000000ULL   },
	{"PB",  1000000000000000ULL},
};

static const struct unit_row duration_units[] = {
	{"ns", 1              },
        {"us", NS_PER_US      },
        {"ms", NS_PER_MS      },
	{"s",  NS_PER_S       },
        {"m",  60 * NS_PER_S  },
        {"h",  3600 * NS_PER_S},
};

/* Digits with an optional fraction, as a whole number of 10^-places. */
static int parse_decimal(const char **text, unsigned __int128 *value, uint64_t *scale)
{
	const char *p = *text;
	unsigned __int128 v = 0;
	uint64_t s = 1;
	bool fraction = false;

	if (!isdigit((unsigned char)*p))
		return -EINVAL;
	for (; isdigit((unsigned char)*p) || (*p == '.' && !fraction); p++) {
		if (*p == '.') {
			if (!isdigit((unsigned char)p[1]))
				return -EINVAL;
			fraction = true;
			continue;
		}
		v = v * 10 + (unsigned int)(*p - '0');
		if (fraction) {
			if (s >= 1000000000000ULL)
				return -EINVAL;
			s *= 10;
		}
		if (v >> 100)
			return -ERANGE;
	}
	*text = p;
	*value = v;
	*scale = s;
	return 0;
}

static int parse_with_unit(const char *text, const struct unit_row *units, size_t nr_units, uint64_t *out)
{
	unsigned __int128 value;
	uint64_t scale;
	int err = parse_decimal(&text, &value, &scale);

	if (err)
		return err;
	if (*text == ' ' && text[1])
		text++;
	for (size_t i = 0; i < nr_units; i++) {
		if (strcmp(text, units[i].name))
			continue;
		if (value > ((unsigned __int128)UINT64_MAX) * scale)
			return -ERANGE;
		/* value < 2^64 * 10^12 and a factor below 2^53 can pass 2^128: split off the whole part. */
		unsigned __int128 whole = value / scale * units[i].factor;
		unsigned __int128 part = value % scale * units[i].factor;

		if (part % scale)
			return -EINVAL;
		whole += part / scale;
		if (whole > UINT64_MAX)
			return -ERANGE;
		*out = (uint64_t)whole;
		return 0;
	}
	return -EINVAL;
}

int size_parse(const char *text, uint64_t *bytes)
{
	return parse_with_unit(text, size_units, ARRAY_SIZE(size_units), bytes);
}

int duration_parse(const char *text, uint64_t *ns)
{
	if (!strcmp(text, "0")) {
		*ns = 0;
		return 0;
	}
	return parse_with_unit(text, duration_units, ARRAY_SIZE(duration_units), ns);
}

int count_parse(const char *text, uint64_t *count)
{
	unsigned __int128 value;
	uint64_t scale;
	const char *p = text;
	int err = parse_decimal(&p, &value, &scale);

	if (err)
		return err;
	if (*p || scale != 1)
		return -EINVAL;
	if (value > UINT64_MAX)
		return -ERANGE;
	*count = (uint64_t)value;
	return 0;
}

static const char binary_prefix[] = "KMGTP";

const char *size_exact(char buf[UNITS_STR], uint64_t bytes)
{
	unsigned int steps = 0;

	while (bytes && bytes % KIB == 0 && steps < 5) {
		bytes /= KIB;
		steps++;
	}
	if (steps)
		snprintf(buf, UNITS_STR, "%" PRIu64 "%ciB", bytes, binary_prefix[steps - 1]);
	else
		snprintf(buf, UNITS_STR, "%" PRIu64, bytes);
	return buf;
}

/* The decimals that leave the given number of significant digits. */
static int decimals_for(double value, int digits)
{
	int before = value >= 1 ? (int)floor(log10(value)) + 1 : 1;

	return MAX(digits - before, 0);
}

const char *size_human(char buf[UNITS_STR], uint64_t bytes)
{
	double value = (double)bytes;
	unsigned int steps = 0;

	while (value >= 1024 && steps < 5) {
		value /= 1024;
		steps++;
	}
	if (!steps)
		snprintf(buf, UNITS_STR, "%" PRIu64 " B", bytes);
	else if (value == floor(value))
		snprintf(buf, UNITS_STR, "%.0f %ciB", value, binary_prefix[steps - 1]);
	else
		snprintf(buf, UNITS_STR, "%.*f %ciB", decimals_for(value, 4), value,
			 binary_prefix[steps - 1]);
	return buf;
}

const char *duration_human(char buf[UNITS_STR], double ns)
{
	static const struct unit_row rows[] = {
		{"ns", 1        },
                {"us", NS_PER_US},
                {"ms", NS_PER_MS},
                {"s",  NS_PER_S }
        };
	size_t i = 0;

	if (ns >= 100.0 * (double)NS_PER_S) {
		double seconds = round(ns / (double)NS_PER_S);

		snprintf(buf, UNITS_STR, "%.0fm %02.0fs", floor(seconds / 60), fmod(seconds, 60));
		return buf;
	}
	/* 999.6 would print as "1000": step up where rounding reaches the next unit. */
	while (i + 1 < ARRAY_SIZE(rows) && ns >= 999.5 * (double)rows[i].factor)
		i++;
	double value = ns / (double)rows[i].factor;

	if (value == 0)
		snprintf(buf, UNITS_STR, "0 ms");
	else
		snprintf(buf, UNITS_STR, "%.*f %s", decimals_for(value, 3), value, rows[i].name);
	return buf;
}

const char *count_human(char buf[UNITS_STR], uint64_t count)
{
	char digits[UNITS_STR];
	int len = snprintf(digits, sizeof(digits), "%" PRIu64, count);
	char *out = buf;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			*out++ = ',';
		*out++ = digits[i];
	}
	*out = 0;
	return buf;
}
