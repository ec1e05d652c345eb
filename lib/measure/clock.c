// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/clock.h"

#include <time.h>

#include "base/units.h"
#include "base/util.h"

enum { RESOLUTION_READINGS = 1000 };

static uint64_t system_now_ns(void *ctx)
{
	struct timespec t;

	(void)ctx;
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

const struct clock_source clock_system = {"CLOCK_MONOTONIC_RAW", system_now_ns, NULL};

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
