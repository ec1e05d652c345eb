/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sizes, durations and counts as people write them.
 *
 * Sizes: a decimal number, with or without a fraction, and a unit: K M G T P and KiB MiB GiB TiB PiB are
 * powers of 1024, kB MB GB TB PB powers of 1000, B or nothing bytes. Durations: ns us ms s m h.
 */
#ifndef MEMMAPCTL_BASE_UNITS_H
#define MEMMAPCTL_BASE_UNITS_H

#include <stdint.h>

#define KIB (1ULL << 10)
#define MIB (1ULL << 20)
#define GIB (1ULL << 30)
#define TIB (1ULL << 40)

#define NS_PER_US 1000ULL
#define NS_PER_MS 1000000ULL
#define NS_PER_S  1000000000ULL

enum { UNITS_STR = 48 }; /* room for any formatted value */

/*
 * Parse a size; one space is allowed before the unit. 0 and *bytes set; -EINVAL: not a size, or a fraction that
 * is not a whole number of bytes; -ERANGE: 2^64 bytes or more. *bytes is untouched on failure.
 */
int size_parse(const char *text, uint64_t *bytes);

/* Parse a duration into nanoseconds, the same way; a bare number is an error except 0. */
int duration_parse(const char *text, uint64_t *ns);

/* Parse a whole decimal number, nothing before or after it. 0, -EINVAL or -ERANGE. */
int count_parse(const char *text, uint64_t *count);

/* "100GiB", "1679818752": exact, with the largest binary unit that divides it. Returns buf. */
const char *size_exact(char buf[UNITS_STR], uint64_t bytes);

/* "98.44 GiB": four significant digits, for people. Returns buf. */
const char *size_human(char buf[UNITS_STR], uint64_t bytes);

/* "281 ms", "1.10 s", "4.2 us": three significant digits; at 100 s and more "1m 47s". Returns buf. */
const char *duration_human(char buf[UNITS_STR], double ns);

/* "26,214,400". Returns buf. */
const char *count_human(char buf[UNITS_STR], uint64_t count);

#endif
