/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an architecture offers: routines that stream a pattern over a range, and whether this CPU has them (arch/copy.h
 * has them inline, and those that copy one block). arch/ is a leaf: it knows nothing of pages, hosts or forecasts. No
 * stream may run before arch_stream_usable() said yes.
 */
#ifndef MEMMAPCTL_ARCH_ARCH_H
#define MEMMAPCTL_ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>

/* A way to write memory, as fast streaming code uses it. */
struct arch_stream {
	const char *name; /* "movnti", "avx512-nt", "stnp", "store"... stable: in JSON */
	const char *what; /* a line for help */
	bool nontemporal;
	bool (*usable)(void); /* NULL: always */
	/* Write the 64-byte pattern over and over; dst is 64-byte aligned, bytes a multiple of 64. Fenced at the end. */
	void (*fill)(void *dst, size_t bytes, const void *pattern);
};

struct arch_ops {
	const char *name; /* "x86_64", "aarch64", "generic" */
	const struct arch_stream *streams;
	size_t nr_streams;
	/* A human CPU model name for results, from registers alone, in buf; returns NULL when only the OS knows. */
	const char *(*cpu_name)(char *buf, size_t size);
};

/* The one this program was built for. */
extern const struct arch_ops arch_ops;

bool arch_stream_usable(const struct arch_stream *stream);

#endif
