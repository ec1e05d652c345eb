// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/clock.h"

#include <time.h>

#include "base/units.h"

enum { RESOLUTION_READINGS = 1000 };

static uint64_t read_clock(clockid_t id)
{
	struct timespec t;

	clock_gettime(id, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

static uint64_t system_now_ns(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_MONOTONIC_RAW);
}

static uint64_t thread_cpu_now_ns(void *ctx)
{
	(void)ctx;
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

const struct clock_source clock_system = {"CLOCK_MONOTONIC_RAW", system_now_ns, NULL};
const struct clock_source clock_thread_cpu = {"CLOCK_THREAD_CPUTIME_ID", thread_cpu_now_ns, NULL};

double clock_resolution_ns(const struct clock_source *clock)
{
	uint64_t smallest = 0, last = clock_now_ns(clock);

	for (int i = 0; i < RESOLUTION_READINGS; i++) {
		uint64_t now = clock_now_ns(clock), step = now - last;

		last = now;
		if (step && (!smallest || step < smallest))
			smallest = step;
	}
	return (double)smallest;
}
