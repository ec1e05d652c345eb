// SPDX-License-Identifier: GPL-2.0-or-later
/* The debug line that memmap_init_zone_device ends with: pages and milliseconds, counted in jiffies. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "trace/klog.h"
#include "trace/timing_internal.h"

static const char function[] = "memmap_init_zone_device";

/* Its line in the control file: "mm/mm_init.c:1103 [mm_init]memmap_init_zone_device =_ "..."". */
static bool find_line(const char *control, bool *enabled)
{
	const char *at = strstr(control, "]memmap_init_zone_device =");

	if (!at)
		return false;
	at = strchr(at, '=');
	const char *flags_end = at + strcspn(at, " ");

	*enabled = memchr(at, 'p', (size_t)(flags_end - at)) != NULL;
	return true;
}

static int switch_on(struct timing *t, const char *control_path)
{
	_cleanup_free_ char *on = NULL, *off = NULL;
	int err;

	if (asprintf(&on, "func %s +p", function) < 0 || asprintf(&off, "func %s -p", function) < 0)
		return -ENOMEM;
	err = undo_write(t->undo, control_path, off);
	return err ? err : write_file(control_path, on);
}

static int dyndbg_open(struct timing *t, struct diags *diags)
{
	static const char *const controls[] = {"/proc/dynamic_debug/control",
					       "/sys/kernel/debug/dynamic_debug/control"};
	_cleanup_free_ char *text = NULL;
	const char *path = NULL;
	bool enabled = false;
	int err = -ENOENT;
	unsigned int hz;

	for (size_t i = 0; err && i < ARRAY_SIZE(controls); i++) {
		path = controls[i];
		err = root_read(t->root, &text, "%s", path);
	}
	if (err)
		return diag_error(diags, err, "dynamic debug's control file cannot be read: %s",
				  strerror(-err));
	if (!find_line(text, &enabled))
		return diag_error(diags, -ENOENT, "this kernel has no debug line in %s", function);
	t->kmsg = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (t->kmsg < 0)
		return diag_error(diags, -errno, "/dev/kmsg: %s", strerror(errno));
	err = enabled ? 0 : switch_on(t, path);
	if (err)
		return diag_error(diags, err, "%s: %s", path, strerror(-err));
	hz = klog_running_hz();
	t->resolution_ns = (double)NS_PER_S / (hz ? hz : 100);
	t->roles = 1U << ROLE_MEMMAP_INIT;
	t->description = strdup("the kernel's debug line, in jiffies");
	return t->description ? 0 : -ENOMEM;
}

static int dyndbg_begin(struct timing *t)
{
	return lseek(t->kmsg, 0, SEEK_END) < 0 ? -errno : 0;
}

static int dyndbg_end(struct timing *t)
{
	struct role_time *init = &t->result->roles[ROLE_MEMMAP_INIT];
	_cleanup_klog_ struct klog *klog = NULL;
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	int err = klog_drain(t->kmsg, &text, &len);

	if (!err)
		err = klog_parse(text, len, &klog);
	for (size_t i = 0; !err && i < klog->nr; i++) {
		if (klog->records[i].type != KLOG_ZONE_DEVICE)
			continue;
		init->ns += klog->records[i].ms * NS_PER_MS;
		init->calls++;
	}
	return err;
}

const struct timing_backend timing_dyndbg = {dyndbg_open, dyndbg_begin, dyndbg_end};
