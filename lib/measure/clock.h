/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock a measurement reads. A test puts one of its own in its place, so that no result there depends on time. */
#ifndef MEMMAPCTL_MEASURE_CLOCK_H
#define MEMMAPCTL_MEASURE_CLOCK_H

#include <stdint.h>

struct clock_source {
	const char *name; /* "CLOCK_MONOTONIC_RAW" */
	uint64_t (*now_ns)(void *ctx);
	void *ctx;
};

/* CLOCK_MONOTONIC_RAW: not slewed by NTP while a measurement runs. */
extern const struct clock_source clock_system;

/* CLOCK_THREAD_CPUTIME_ID: how long the calling thread has had a CPU. */
extern const struct clock_source clock_thread_cpu;

static inline uint64_t clock_now_ns(const struct clock_source *clock)
{
	return clock->now_ns(clock->ctx);
}

/*
 * The smallest step seen between readings one right after the other: what the clock can tell apart, the cost of
 * reading it included. 0 when it never moved.
 */
double clock_resolution_ns(const struct clock_source *clock);

#endif
