// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_measure.h"

#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/units.h"
#include "measure/guest_machine.h"
#include "measure/kernel_boot.h"
#include "measure/kernel_session.h"

static int replace_text(char **field, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*field);
	*field = copy;
	return 0;
}

static int add_boot_total(struct observations *obs, double ns)
{
	struct obs_run *run = observations_add_run(obs);

	if (!run)
		return -ENOMEM;
	run->path = PATH_BASELINE;
	run->kind = KIND_NONE;
	run->event = EVENT_BOOT;
	run->stage = STAGE_TOTAL;
	run->unit = UNIT_ONCE;
	run->units = run->measured_units = 1;
	run->threads = run->nr_averaged = 1;
	run->note = strdup("the kernel's start to /init, by its clock");
	return run->note && !obs_run_add_sample(run, ns) ? obs_run_summarize(run) : -ENOMEM;
}

int guest_measure_boot(const struct root *root, double init_ns, struct diags *diags, struct observations *obs)
{
	_cleanup_klog_ struct klog *klog = NULL;
	_cleanup_free_ char *text = NULL;
	struct boot_trace trace = {0};
	size_t len = 0;
	int err = klog_read_live(diags, &text, &len);

	if (!err)
		err = klog_parse(text, len, &klog);
	if (!err)
		err = boot_trace_read_live(root, diags, &trace);
	if (!err)
		err = kernel_boot_observe(klog, &trace, klog_running_hz(), NULL, diags, obs);
	if (err != -ENODATA)
		return err;
	return add_boot_total(obs, init_ns);
}

/* Devices as kernel mode finds them, with the namespaces they come from. */
struct found {
	struct kernel_device *devices;
	const struct guest_device **sources;
	size_t nr;
};

static void found_free(struct found *found)
{
	for (size_t i = 0; i < found->nr; i++)
		kernel_device_free(&found->devices[i]);
	free(found->devices);
	free(found->sources);
}

static int find_devices(const struct guest_devices *devices, struct diags *diags, struct found *found)
{
	found->devices = calloc(devices->nr + 1, sizeof(*found->devices));
	found->sources = calloc(devices->nr + 1, sizeof(*found->sources));
	if (!found->devices || !found->sources)
		return -ENOMEM;
	for (size_t i = 0; i < devices->nr; i++) {
		const struct guest_device *device = &devices->items[i];
		int err;

		if (device->ns->mode != NS_FSDAX && device->ns->mode != NS_DEVDAX)
			continue; /* no memory map */
		err = kernel_device_find(device->name, diags, &found->devices[found->nr]);
		if (err)
			return err;
		found->sources[found->nr++] = device;
	}
	return 0;
}

static struct host_namespace *namespace_of(struct host *host, const char *name)
{
	for (size_t i = 0; i < host->nr_namespaces; i++) {
		if (!strcmp(host->namespaces[i].name, name))
			return &host->namespaces[i];
	}
	return NULL;
}

/* The description as it came true: this kernel's release, the devices' own names and addresses. */
static struct host *real_host(const struct host *described, const struct found *found)
{
	_cleanup_host_ struct host *host = host_copy(described);
	struct host_namespace *places[found->nr + 1];
	struct utsname uts;

	if (!host || uname(&uts) || replace_text(&host->kernel.release, uts.release))
		return NULL;
	kver_parse(uts.release, &host->kernel.version);
	/* all are looked up before one is renamed: names may change places */
	for (size_t i = 0; i < found->nr; i++)
		places[i] = namespace_of(host, found->sources[i]->ns->name);
	for (size_t i = 0; i < found->nr; i++) {
		if (!places[i] || replace_text(&places[i]->name, found->devices[i].node_name))
			return NULL;
		places[i]->has_start = true;
		places[i]->start_bytes = found->sources[i]->start_bytes;
	}
	return take_ptr(host);
}

/* Runs carry the devices' names in the guest; the reader knows those of the description. */
static int rename_runs(struct observations *obs, size_t first, const struct found *found)
{
	for (size_t i = first; i < obs->nr_runs; i++) {
		for (size_t d = 0; d < found->nr; d++) {
			const char *name = obs->runs[i].device;

			if (!name || (strcmp(name, found->devices[d].node_name) &&
				      strcmp(name, found->devices[d].name)))
				continue;
			if (replace_text(&obs->runs[i].device, found->sources[d]->ns->name))
				return -ENOMEM;
			break;
		}
	}
	return 0;
}

static int prepend_sample(struct obs_run *run, double ns)
{
	if (obs_run_add_sample(run, ns))
		return -ENOMEM;
	memmove(run->samples_ns + 1, run->samples_ns, (run->nr_samples - 1) * sizeof(*run->samples_ns));
	run->samples_ns[0] = ns;
	return 0;
}

static const struct guest_device *source_of(const struct found *found, const char *device)
{
	for (size_t i = 0; device && i < found->nr; i++) {
		if (!strcmp(found->sources[i]->ns->name, device))
			return found->sources[i];
	}
	return NULL;
}

/*
 * On a running kernel the first cycle is kept apart. Here it is a rebind like the others: the first bind of all was the
 * one that made the device, timed as a whole.
 */
static int put_first_binds_right(struct observations *obs, size_t first, const struct found *found)
{
	for (size_t i = first; i < obs->nr_runs; i++) {
		struct obs_run *run = &obs->runs[i];
		const struct guest_device *source = source_of(found, run->device);

		if (run->first_ns > 0 && prepend_sample(run, run->first_ns))
			return -ENOMEM;
		run->first_ns = 0;
		if (source && run->event == EVENT_BIND && run->stage == STAGE_TOTAL) {
			run->first_ns = source->first_bind_ns;
			if (!run->note &&
			    !(run->note = strdup(
				      "the first bind made the namespace: it also wrote its info block")))
				return -ENOMEM;
		}
		if (obs_run_summarize(run))
			return -ENOMEM;
	}
	return 0;
}

/* What a reader may take for what was described, and is not. */
static void note_starts(const struct found *found, struct diags *diags)
{
	char start[UNITS_STR], align[UNITS_STR];

	for (size_t i = 0; i < found->nr; i++) {
		const struct guest_device *device = found->sources[i];

		if (device->start_bytes % device->ns->align_bytes)
			diag_add(diags, DIAG_NOTE, NULL, 0, 0,
				 "%s starts at %s, which is no multiple of its align, %s", device->ns->name,
				 size_exact(start, device->start_bytes),
				 size_exact(align, device->ns->align_bytes));
	}
}

struct progress {
	const struct guest_measure *m;
	const struct found *found; /* NULL: pools */
	size_t device;
};

static void on_cycle(void *ctx, unsigned int done, unsigned int total, double cycle_ns)
{
	struct progress *p = ctx;
	char text[128];

	(void)cycle_ns;
	snprintf(text, sizeof(text), "%s: %u of %u rebinds", p->found->sources[p->device]->ns->name, done,
		 total);
	p->m->progress(p->m->ctx, text);
	if (done == total && p->device + 1 < p->found->nr)
		p->device++;
}

static int rebind(const struct guest_measure *m, const struct found *found, struct diags *diags,
		  struct observations *obs)
{
	_cleanup_host_ struct host *host = real_host(m->host, found);
	_cleanup_work_ struct work *work = NULL;
	_cleanup_diags_ struct diags doubts = {0}; /* of the description: said before the guest was started */
	struct progress progress = {.m = m, .found = found};
	struct kernel_session_options options = {
		.root = m->root,
		.timing = TIMING_AUTO,
		.cycles = (unsigned int)m->job->reps,
		.verify = m->job->verify,
		.progress = m->progress ? on_cycle : NULL,
		.progress_ctx = &progress,
	};

	if (!host)
		return -ENOMEM;
	if (m->job->timing && timing_source_from_name(m->job->timing, &options.timing))
		return diag_error(diags, -EINVAL, "no timing source is called %s", m->job->timing);
	if (work_new(host, &doubts, &work))
		diag_add(diags, DIAG_NOTE, NULL, 0, 0,
			 "units are not known: geometry has no rules for this guest");
	options.work = work;
	return kernel_session_rebind(found->devices, found->nr, &options, diags, obs);
}

int guest_measure_devices(const struct guest_measure *m, const struct guest_devices *devices,
			  struct diags *diags, struct observations *obs)
{
	_cleanup_(found_free) struct found found = {0};
	size_t first = obs->nr_runs;
	int err = find_devices(devices, diags, &found);

	if (err || !found.nr)
		return err;
	note_starts(&found, diags);
	err = rebind(m, &found, diags, obs);
	if (!err)
		err = rename_runs(obs, first, &found);
	return err ? err : put_first_binds_right(obs, first, &found);
}

static void on_pool_cycle(void *ctx, unsigned int done, unsigned int total, double cycle_ns)
{
	const struct progress *p = ctx;
	char text[64];

	(void)cycle_ns;
	snprintf(text, sizeof(text), "hugepages: %u of %u cycles", done, total);
	p->m->progress(p->m->ctx, text);
}

/* HVO is as the kernel's command line set it: as described. */
int guest_measure_hugepages(const struct guest_measure *m, struct diags *diags, struct observations *obs)
{
	struct progress progress = {.m = m};
	const struct kernel_session_options options = {
		.root = m->root,
		.cycles = (unsigned int)m->job->reps + 1,
		.progress = m->progress ? on_pool_cycle : NULL,
		.progress_ctx = &progress,
	};
	_cleanup_free_ struct hugepage_growth *growths = calloc(m->host->nr_hugepages + 1, sizeof(*growths));
	size_t nr = 0;

	if (!growths)
		return -ENOMEM;
	for (size_t i = 0; i < m->host->nr_hugepages; i++) {
		const struct host_hugepages *pool = &m->host->hugepages[i];

		if (pool->when != HUGEPAGES_RUNTIME)
			continue;
		growths[nr++] = (struct hugepage_growth){
			.size_bytes = pool->size_bytes,
			.count = pool->count,
			.node = pool->node == NODE_ANY ? -1 : guest_node_index(m->host, pool->node),
		};
	}
	return nr ? kernel_session_hugepages(growths, nr, 1U << HVO_AS_IS, &options, diags, obs) : 0;
}
