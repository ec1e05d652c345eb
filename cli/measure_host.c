// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/measure.h"

#include <errno.h>
#include <inttypes.h>

#include "base/util.h"
#include "geometry/geometry.h"
#include "host/host.h"

static const struct device_work *largest_device(const struct work *work)
{
	const struct device_work *largest = NULL;

	for (size_t i = 0; i < work->nr_devices; i++) {
		const struct device_work *device = &work->devices[i];

		if (device->struct_pages && (!largest || device->struct_pages > largest->struct_pages))
			largest = device;
	}
	return largest;
}

/* The newest version of which we know the writes and that is not newer than the host's kernel. */
static const struct initpath_version *version_for(const struct host *host)
{
	const struct initpath_version *found = &initpath_versions[0];
	struct kver version;

	if (!host->kernel.release)
		return &initpath_versions[nr_initpath_versions - 1];
	for (size_t i = 0; i < nr_initpath_versions; i++) {
		if (!kver_parse(initpath_versions[i].name, &version) &&
		    kver_cmp(version, host->kernel.version) <= 0)
			found = &initpath_versions[i];
	}
	return found;
}

static int take_pages(const struct host *host, struct diags *diags, struct simulated_options *options)
{
	_cleanup_work_ struct work *work = NULL;
	const struct device_work *device;
	int err = work_new(host, diags, &work);

	if (err)
		return err;
	device = largest_device(work);
	options->nr_pages = device ? device->struct_pages : work->boot.struct_pages;
	if (!options->nr_pages)
		return diag_error(diags, -EINVAL, "%s describes no memory that has struct pages", host->file);
	diag_add(diags, DIAG_NOTE, NULL, 0, 0, "as many struct pages as %s has in %s: %" PRIu64, host->name,
		 device ? device->name : "its RAM", options->nr_pages);
	return 0;
}

int measure_from_host(const char *file, struct diags *diags, struct simulated_options *options)
{
	_cleanup_host_ struct host *host = NULL;
	int err = host_load(file, diags, &host);

	if (err)
		return err;
	if (!options->version)
		options->version = version_for(host);
	return options->nr_pages ? 0 : take_pages(host, diags, options);
}
