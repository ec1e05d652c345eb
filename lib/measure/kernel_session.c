// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_session.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"
#include "measure/kernel_system_ram.h"

static const struct device_work *find_work(const struct work *work, const char *name)
{
	for (size_t i = 0; work && i < work->nr_devices; i++) {
		if (!strcmp(work->devices[i].name, name))
			return &work->devices[i];
	}
	return NULL;
}

static int open_undo(const char *file, struct diags *diags, struct undo **out)
{
	int err = undo_open(file ? file : UNDO_FILE, diags, out);

	if (err || !undo_pending(*out))
		return err;
	diag_add(diags, DIAG_WARNING, NULL, 0, 0,
		 "a measurement was killed: putting back what it left changed");
	return undo_all(*out, diags);
}

static int set_environment(struct observations *obs, const char *description, double resolution_ns)
{
	double clock_ns = clock_resolution_ns(&clock_system);
	char *source = strdup(description);

	if (!source)
		return -ENOMEM;
	free(obs->env.timing_source);
	obs->env.timing_source = source;
	obs->env.resolution_ns = MAX(resolution_ns, clock_ns);
	return 0;
}

static int rebind_one(const struct kernel_device *device, const struct kernel_session_options *o,
		      struct kernel_rebind_options *rebind, struct diags *diags, struct observations *obs)
{
	int err = kernel_device_unused(o->root, device, diags);

	if (err)
		return err;
	if (o->system_ram || device->kind == KERNEL_SYSTEM_RAM)
		return kernel_system_ram(device, rebind, diags, obs);
	rebind->work = find_work(o->work, device->node_name);
	return kernel_rebind(device, rebind, diags, obs);
}

/* That the kernel has no such line, or it cannot be read here, is worth knowing, but no error. */
static int open_log(const struct kernel_session_options *o, struct undo *undo, struct diags *diags,
		    struct timing **out)
{
	_cleanup_diags_ struct diags why = {0};
	int err = timing_open(o->root, TIMING_DYNDBG, undo, &why, out);

	for (size_t i = 0; err && i < why.nr; i++)
		diag_add(diags, DIAG_NOTE, NULL, 0, 0, "times cannot be held to the kernel's own line: %s",
			 why.items[i].text);
	return err == -ENOMEM ? err : 0;
}

int kernel_session_rebind(const struct kernel_device *devices, size_t nr,
			  const struct kernel_session_options *options, struct diags *diags,
			  struct observations *obs)
{
	_cleanup_undo_ struct undo *undo = NULL;
	struct kernel_rebind_options rebind = {
		.root = options->root,
		.clock = &clock_system,
		.cycles = options->cycles,
		.count = options->verify,
		.stop = options->stop,
		.progress = options->progress,
		.progress_ctx = options->progress_ctx,
	};
	int err = open_undo(options->undo_file, diags, &undo), miscounted = 0, log_closed, closed;

	if (err)
		return err;
	rebind.undo = undo;
	err = timing_open(options->root, options->timing, undo, diags, &rebind.timing);
	if (!err && options->verify)
		err = open_log(options, undo, diags, &rebind.log);
	if (err) {
		timing_close(rebind.timing, diags);
		return err;
	}
	err = set_environment(obs, timing_description(rebind.timing), timing_resolution_ns(rebind.timing));
	for (size_t i = 0; !err && i < nr; i++) {
		err = rebind_one(&devices[i], options, &rebind, diags, obs);
		if (err != -EBADMSG)
			continue;
		miscounted = err;
		err = 0;
	}
	log_closed = timing_close(rebind.log, diags);
	closed = timing_close(rebind.timing, diags);
	err = err ? err : closed ? closed : log_closed;
	return err ? err : miscounted;
}

int kernel_session_hugepages(const struct hugepage_growth *growths, size_t nr, unsigned int hvo_settings,
			     const struct kernel_session_options *options, struct diags *diags,
			     struct observations *obs)
{
	_cleanup_undo_ struct undo *undo = NULL;
	struct kernel_hugepages_options pool = {
		.sysroot = "",
		.clock = &clock_system,
		.cycles = options->cycles,
		.stop = options->stop,
		.progress = options->progress,
		.progress_ctx = options->progress_ctx,
	};
	int err = open_undo(options->undo_file, diags, &undo);

	pool.undo = undo;
	if (!err)
		err = set_environment(obs, "wall clock", 0);
	for (size_t i = 0; !err && i < nr; i++) {
		for (int hvo = HVO_AS_IS; !err && hvo <= HVO_ON; hvo++) {
			if (hvo_settings >> hvo & 1)
				err = kernel_hugepages_measure(&growths[i], (enum hvo_setting)hvo, &pool,
							       diags, obs);
		}
	}
	return err;
}

int kernel_session_recover(const char *undo_file, struct diags *diags, size_t *nr)
{
	_cleanup_undo_ struct undo *undo = NULL;
	int err = undo_open(undo_file ? undo_file : UNDO_FILE, diags, &undo);

	if (err)
		return err;
	if (nr)
		*nr = undo_pending(undo);
	return undo_all(undo, diags);
}
