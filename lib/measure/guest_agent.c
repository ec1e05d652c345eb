// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_agent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libkmod.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <time.h>

#include "base/root.h"
#include "base/units.h"
#include "measure/guest_files.h"
#include "measure/guest_frame.h"
#include "measure/guest_machine.h"
#include "measure/guest_measure.h"
#include "measure/guest_namespaces.h"
#include "measure/machine.h"
#include "trace/undo.h"

struct agent {
	guest_agent_save save;
	double init_ns; /* kernel's clock at the start of /init */
	int channel;    /* -1 until it is there; then the console is all there is */
	struct root root;
	struct guest_job job;
	struct host *host;
	struct observations *obs;
	struct diags diags;
};

bool guest_agent_is_wanted(void)
{
	return getpid() == 1 && !access(GUEST_JOB_FILE, R_OK);
}

static void send_text(struct agent *a, enum guest_message type, const char *fmt, ...) _printf_(3, 4);
static void send_text(struct agent *a, enum guest_message type, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	if (!text)
		return;
	if (a->channel >= 0 && !guest_frame_write(a->channel, type, text, strlen(text)))
		return;
	fprintf(stderr, "memmapctl: %s\n", text);
}

/* Diagnostics become messages: the errors one, the last; notes and warnings one each. */
static void send_diags(struct agent *a)
{
	_cleanup_free_ char *errors = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&errors, &len);

	for (size_t i = 0; i < a->diags.nr; i++) {
		const struct diag *d = &a->diags.items[i];

		if (d->level != DIAG_ERROR)
			send_text(a, GUEST_NOTE, "%s", d->text);
		else if (out)
			fprintf(out, "%s%s", ftell(out) ? "; " : "", d->text);
	}
	if (out)
		fclose(out);
	if (a->diags.nr_errors)
		send_text(a, GUEST_ERROR, "%s", errors ? errors : "out of memory");
}

/* Without one of these the measurement may still work: what needs it will say so. */
static void mount_all(void)
{
	static const struct {
		const char *type, *target;
	} mounts[] = {
		{"proc",     "/proc"              },
		{"sysfs",    "/sys"               },
		{"devtmpfs", "/dev"               },
		{"debugfs",  "/sys/kernel/debug"  },
		{"tracefs",  "/sys/kernel/tracing"},
		{"tmpfs",    "/run"               },
	};

	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++)
		mount("none", mounts[i].target, mounts[i].type, 0, NULL);
}

/* It was for boot. From here on its lines would only make what is measured slower, and bury the console's last ones. */
static void end_initcall_debug(void)
{
	_cleanup_fd_ int fd = open("/sys/module/kernel/parameters/initcall_debug", O_WRONLY | O_CLOEXEC);

	if (fd >= 0 && write(fd, "N", 1) < 0)
		return;
}

static int insert_module(struct kmod_ctx *ctx, const char *path)
{
	struct kmod_module *module = NULL;
	int err = kmod_module_new_from_path(ctx, path, &module);

	if (err)
		return err;
	err = kmod_module_insert_module(module, 0, NULL);
	kmod_module_unref(module);
	return err == -EEXIST ? 0 : err;
}

/* All of them even when one fails: the channel's may be among those that work, and the reason must get out. */
static int load_modules(struct agent *a)
{
	const char *no_config = NULL;
	struct kmod_ctx *ctx = kmod_new("/" GUEST_MODULES_DIR, &no_config);
	int result = 0;

	if (!ctx)
		return -ENOMEM;
	for (size_t i = 0; i < a->job.nr_modules; i++) {
		int err = insert_module(ctx, a->job.modules[i]);

		if (err)
			result = diag_error(&a->diags, err, "module %s cannot be loaded: %s",
					    a->job.modules[i], strerror(-err));
	}
	kmod_unref(ctx);
	return result;
}

/* The port's device appears some time after its module is loaded. */
static int open_channel(struct agent *a)
{
	const struct timespec pause = {.tv_nsec = 10 * NS_PER_MS};
	char **ports = NULL;

	for (int tries = 0; tries < 1000; tries++) {
		if (!root_list(&a->root, &ports, "sys/class/virtio-ports")) {
			for (size_t i = 0; ports[i] && a->channel < 0; i++) {
				_cleanup_free_ char *name = NULL;
				char path[300];

				if (root_read(&a->root, &name, "sys/class/virtio-ports/%s/name", ports[i]) ||
				    strcmp(name, GUEST_CHANNEL))
					continue;
				snprintf(path, sizeof(path), "/dev/%s", ports[i]);
				a->channel = open(path, O_WRONLY | O_CLOEXEC);
			}
			root_names_free(&ports);
		}
		if (a->channel >= 0)
			return 0;
		nanosleep(&pause, NULL);
	}
	return diag_error(
		&a->diags, -ENODEV,
		"the channel to the host does not appear: has the kernel virtio_pci and virtio_console?");
}

static int read_job(struct agent *a)
{
	_cleanup_free_ char *text = NULL;
	int err = root_read(&a->root, &text, GUEST_JOB_FILE);

	if (err)
		return diag_error(&a->diags, err, "%s: %s", GUEST_JOB_FILE, strerror(-err));
	return guest_job_parse(text, GUEST_JOB_FILE, &a->diags, &a->job);
}

static int start_observations(struct agent *a)
{
	a->obs = observations_new("guest");
	if (!a->obs || machine_environment(&a->root, &a->obs->env))
		return -ENOMEM;
	return 0;
}

static void send_progress(void *ctx, const char *text)
{
	send_text(ctx, GUEST_PROGRESS, "%s", text);
}

static int measure_devices(struct agent *a, const struct guest_measure *m)
{
	struct guest_devices devices = {0};
	int err;

	if (!a->host->nr_namespaces)
		return 0;
	send_text(a, GUEST_PROGRESS, "making %zu namespaces", a->host->nr_namespaces);
	err = guest_namespaces_create(a->host, &a->diags, &devices);
	if (!err)
		err = guest_measure_devices(m, &devices, &a->diags, a->obs);
	free(devices.items);
	return err;
}

/* A word of the kernel's command line. */
static bool has_parameter(const struct root *root, const char *word)
{
	_cleanup_free_ char *line = NULL;
	char *save = NULL;

	if (root_read(root, &line, "proc/cmdline"))
		return false;
	for (char *p = strtok_r(line, " ", &save); p; p = strtok_r(NULL, " ", &save)) {
		if (!strcmp(p, word))
			return true;
	}
	return false;
}

/* Read, it is of no more use; and before 6.2 or so nobody else can trace functions meanwhile. */
static void end_boot_trace(void)
{
	write_file("/sys/kernel/tracing/current_tracer", "nop");
	clear_file("/sys/kernel/tracing/set_ftrace_filter");
	clear_file("/sys/kernel/tracing/trace");
}

static int measure(struct agent *a)
{
	const struct guest_measure m = {
		.root = &a->root,
		.host = a->host,
		.job = &a->job,
		.progress = send_progress,
		.ctx = a,
	};
	int err = guest_measure_boot(&a->root, a->init_ns, &a->diags, a->obs);

	end_boot_trace();
	if (err || has_parameter(&a->root, GUEST_BOOT_ONLY))
		return err;
	err = measure_devices(a, &m);
	return err ? err : guest_measure_hugepages(&m, &a->diags, a->obs);
}

static int send_observations(struct agent *a)
{
	_cleanup_free_ char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int err = out ? a->save(a->obs, out) : -ENOMEM;

	if (out && fclose(out) && !err)
		err = -errno;
	return err ? err : guest_frame_write(a->channel, GUEST_OBSERVATIONS, text, len);
}

static int run(struct agent *a)
{
	int err = root_open("/", &a->root);
	int loaded;

	if (!err)
		err = read_job(a);
	if (err)
		return err;
	loaded = load_modules(a);
	err = open_channel(a);
	if (err)
		return err;
	send_text(a, GUEST_HELLO, "%s", "");
	if (loaded)
		return loaded;
	err = host_load(GUEST_HOST_FILE, &a->diags, &a->host);
	if (!err)
		err = start_observations(a);
	if (!err)
		err = measure(a);
	return err ? err : send_observations(a);
}

void guest_agent_main(guest_agent_save save)
{
	struct agent a = {.save = save, .channel = -1};
	struct timespec now;
	int err;

	clock_gettime(CLOCK_MONOTONIC, &now);
	a.init_ns = (double)now.tv_sec * NS_PER_S + (double)now.tv_nsec;
	mount_all();
	end_initcall_debug();
	err = run(&a);
	if (err && !a.diags.nr_errors)
		diag_error(&a.diags, err, "%s", strerror(-err));
	send_diags(&a);
	if (!err)
		send_text(&a, GUEST_DONE, "%s", "");
	if (a.channel >= 0)
		close(a.channel);
	sync();
	reboot(RB_POWER_OFF);
	for (;;)
		pause();
}
