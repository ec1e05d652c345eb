// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_rebind.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <time.h>

#include "base/units.h"

struct binding {
	int driver; /* its folder in sysfs */
	const char *device;
	struct diags *diags;
};

/* The driver that has the device now: it is the one to give it back to. */
static int open_driver(const struct guest_device *device, struct diags *diags)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/nd/devices/%s/driver", device->name);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return diag_error(diags, -errno, "%s (%s) is bound to no driver", device->ns->name,
				  device->name);
	return fd;
}

/* Write the device's name to the driver's "bind" or "unbind"; returns when the driver is done. ns: how long it took. */
static int write_name(const struct binding *b, const char *file, double *ns)
{
	_cleanup_fd_ int fd = openat(b->driver, file, O_WRONLY | O_CLOEXEC);
	struct timespec begin, end;
	ssize_t n;

	if (fd < 0)
		return diag_error(b->diags, -errno, "%s: cannot open the driver's %s: %s", b->device, file,
				  strerror(errno));
	clock_gettime(CLOCK_MONOTONIC, &begin);
	n = write(fd, b->device, strlen(b->device));
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (n < 0)
		return diag_error(b->diags, -errno, "%s: %s failed: %s", b->device, file, strerror(errno));
	*ns = (double)(end.tv_sec - begin.tv_sec) * NS_PER_S + (double)(end.tv_nsec - begin.tv_nsec);
	return 0;
}

static struct obs_run *add_run(struct observations *obs, const struct guest_device *device,
			       enum event_id event)
{
	struct obs_run *run = observations_add_run(obs);

	if (!run)
		return NULL;
	run->device = strdup(device->ns->name);
	run->path = PATH_BASELINE;
	run->kind = KIND_NONE;
	run->event = event;
	run->stage = STAGE_TOTAL;
	run->unit = UNIT_ONCE;
	run->units = run->measured_units = 1;
	run->threads = run->nr_averaged = 1;
	return run->device ? run : NULL;
}

static int cycle(const struct binding *b, double *unbind_ns, double *bind_ns)
{
	int err = write_name(b, "unbind", unbind_ns);

	return err ? err : write_name(b, "bind", bind_ns);
}

int guest_rebind_measure(const struct guest_device *device, const struct guest_job *job,
			 struct observations *obs, struct diags *diags)
{
	_cleanup_fd_ int driver = open_driver(device, diags);
	struct binding b = {.driver = driver, .device = device->name, .diags = diags};
	size_t bind = obs->nr_runs, unbind = bind + 1;
	int err = MIN(driver, 0);

	if (err)
		return err;
	if (!add_run(obs, device, EVENT_BIND) || !add_run(obs, device, EVENT_UNBIND))
		return -ENOMEM;
	obs->runs[bind].first_ns = device->first_bind_ns;
	for (uint64_t i = 0; i < job->reps; i++) {
		double unbind_ns, bind_ns;

		err = cycle(&b, &unbind_ns, &bind_ns);
		if (!err)
			err = obs_run_add_sample(&obs->runs[unbind], unbind_ns);
		if (!err)
			err = obs_run_add_sample(&obs->runs[bind], bind_ns);
		if (err)
			return err;
	}
	err = obs_run_summarize(&obs->runs[bind]);
	return err ? err : obs_run_summarize(&obs->runs[unbind]);
}
