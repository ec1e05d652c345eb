/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rebinding a device of the running kernel: its memory map torn down and built again, each stage timed. */
#ifndef MEMMAPCTL_MEASURE_KERNEL_REBIND_H
#define MEMMAPCTL_MEASURE_KERNEL_REBIND_H

#include <signal.h>

#include "geometry/geometry.h"
#include "measure/clock.h"
#include "measure/kernel_device.h"
#include "measure/observations.h"
#include "trace/timing.h"
#include "trace/undo.h"

struct kernel_rebind_options {
	const struct root *root;          /* this system */
	const struct clock_source *clock; /* for the whole of a bind */
	struct timing *timing;            /* for its stages */
	struct timing *log; /* a second opinion: the kernel's own debug line (TIMING_DYNDBG); NULL: none */
	bool count;         /* rebind once more, untimed, and count what the kernel does */
	struct undo *undo;  /* never NULL: how to bind again is noted before the first unbind */
	const struct device_work *work; /* what geometry says of the device; NULL: times without units */
	unsigned int cycles;            /* of unbind and bind, the first one included; at least 1 */
	const volatile sig_atomic_t
		*stop; /* NULL: cannot be stopped. Looked at between cycles, with the device bound. */
	void (*progress)(void *ctx, unsigned int done, unsigned int total, double cycle_ns);
	void *progress_ctx;
};

/*
 * Unbind and bind `cycles` times (and once more to count) and add a run for each stage, with the first bind apart, to obs: add_memory,
 * move_zone, memmap_init and driver (all the rest of the bind, its parts named in the run's note), remove_memory
 * (all of the unbind but what the note names), and the total of each. A stage that cannot be timed here is a note in
 * diags, and so are lost trace records.
 *
 * The caller has made sure that nobody uses the device. 0; -EINTR when stopped (obs then has what was measured, and
 * is marked incomplete); -EIO when the kernel refused a bind or unbind (diags has its words); others. Whatever happens,
 * binding again is tried before returning and stays in undo where it did not work. -EBADMSG: the kernel's own calls
 * say otherwise than options->work; obs is complete all the same.
 */
int kernel_rebind(const struct kernel_device *device, const struct kernel_rebind_options *options,
		  struct diags *diags, struct observations *obs);

#endif
