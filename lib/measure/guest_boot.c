// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_boot.h"

#include <errno.h>
#include <string.h>

int guest_boot_measure(const struct root *root, const struct host *host, double init_ns,
		       struct observations *obs, struct diags *diags)
{
	struct obs_run *run = observations_add_run(obs);

	(void)root;
	(void)host;
	(void)diags;
	if (!run)
		return -ENOMEM;
	run->path = PATH_BASELINE;
	run->kind = KIND_NONE;
	run->event = EVENT_BOOT;
	run->stage = STAGE_TOTAL;
	run->unit = UNIT_ONCE;
	run->units = run->measured_units = 1;
	run->threads = run->nr_averaged = 1;
	run->note = strdup("the kernel's start to /init");
	if (!run->note || obs_run_add_sample(run, init_ns))
		return -ENOMEM;
	return obs_run_summarize(run);
}
