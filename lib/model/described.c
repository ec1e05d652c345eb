// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/described.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"

static char *beside(const char *file, const char *name)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	char *path;

	if (*name == '/' || !slash)
		return strdup(name);
	if (asprintf(&path, "%.*s/%s", (int)(slash - file), file, name) < 0)
		return NULL;
	return path;
}

/* The rules are those of the kernel that was observed, where the description leaves it open. */
static int take_release(struct described *d)
{
	struct host_kernel *kernel = &d->host->kernel;

	if (kernel->release || kver_parse(d->release, &kernel->version))
		return 0;
	kernel->release = strdup(d->release);
	return kernel->release ? 0 : -ENOMEM;
}

int described_host(struct described_hosts *hosts, const struct observations *obs, const char *name,
		   struct diags *diags, struct described *out)
{
	_cleanup_free_ char *path = beside(obs->file, name);
	const char *release = obs->env.kernel ? obs->env.kernel : "";
	struct described *d;
	int err;

	if (!path)
		return -ENOMEM;
	for (size_t i = 0; i < hosts->nr; i++) {
		if (!strcmp(hosts->items[i].path, path) && !strcmp(hosts->items[i].release, release)) {
			*out = hosts->items[i];
			return out->work ? 0 : -EINVAL; /* told the first time */
		}
	}
	d = array_grow(&hosts->items, &hosts->nr, sizeof(*d));
	if (!d)
		return -ENOMEM;
	d->path = take_ptr(path);
	d->release = release;
	err = host_load(d->path, diags, &d->host);
	if (!err)
		err = take_release(d);
	if (!err)
		err = work_new(d->host, diags, &d->work);
	if (!err)
		*out = *d;
	return err;
}

void described_hosts_free(struct described_hosts *hosts)
{
	for (size_t i = 0; i < hosts->nr; i++) {
		work_free(hosts->items[i].work);
		host_free(hosts->items[i].host);
		free(hosts->items[i].path);
	}
	free(hosts->items);
	*hosts = (struct described_hosts){0};
}

const struct device_work *described_device(const struct work *work, const char *name)
{
	for (size_t i = 0; i < work->nr_devices; i++) {
		if (!strcmp(work->devices[i].name, name))
			return &work->devices[i];
	}
	return NULL;
}
