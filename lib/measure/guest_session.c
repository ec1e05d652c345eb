// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_session.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "base/root.h"
#include "base/units.h"
#include "measure/guest_initramfs.h"
#include "measure/guest_run.h"
#include "measure/machine.h"

static const char *const firmware_paths[] = {
	"/usr/share/qemu-efi-aarch64/QEMU_EFI.fd",
	"/usr/share/edk2/aarch64/QEMU_EFI.fd",
	"/usr/share/qemu/edk2-aarch64-code.fd",
};

/* NVDIMMs of an arm64 machine are described by ACPI tables, which come through UEFI. */
static int find_firmware(const struct guest_session *s, struct diags *diags, const char **out)
{
	if (s->host->arch != ARCH_AARCH64)
		return 0;
	if (s->firmware) {
		*out = s->firmware;
		return 0;
	}
	for (size_t i = 0; i < ARRAY_SIZE(firmware_paths); i++) {
		if (!access(firmware_paths[i], R_OK)) {
			*out = firmware_paths[i];
			return 0;
		}
	}
	return diag_error(diags, -ENOENT,
			  "no UEFI firmware for aarch64 guests here: install it (Debian: qemu-efi-aarch64), "
			  "or name it with --firmware");
}

static uint32_t online_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) ? 1 : (uint32_t)CPU_COUNT(&set);
}

static int describe(const struct guest_session *s, struct diags *diags, struct guest_machine *out)
{
	*out = (struct guest_machine){
		.host = s->host,
		.accel = s->accel == ACCEL_KVM ? ACCEL_KVM : ACCEL_TCG,
		.instruction_clock = s->instruction_clock,
		.max_cpus = s->instruction_clock ? 1
			    : s->max_cpus        ? s->max_cpus
						 : online_cpus(),
		.kernel = s->kernel,
		.append = s->append,
	};
	if (access(s->kernel, R_OK))
		return diag_error(diags, -EINVAL, "%s: cannot read the kernel image: %s", s->kernel,
				  strerror(errno));
	/* All CPUs would take turns on the one clock, and what they do side by side would look serial. */
	if (s->instruction_clock && guest_machine_cpus(s->host, 1) > 1)
		return diag_error(
			diags, -EINVAL,
			"%s: a clock that counts instructions is for one CPU: more than one node has "
			"CPUs",
			s->host->file);
	return find_firmware(s, diags, &out->firmware);
}

int guest_session_command(const struct guest_session *session, struct diags *diags, struct guest_argv *out)
{
	struct guest_machine machine;
	int err = describe(session, diags, &machine);

	if (err)
		return err;
	machine.initramfs = "INITRAMFS";
	machine.channel_fd = 3;
	return guest_machine_argv(&machine, diags, out);
}

static bool has_own_arch(const struct guest_session *s)
{
	return s->host->arch == guest_initramfs_own_arch();
}

/* KVM that was asked for must be there: QEMU's own words for that come on a console, after everything was built. */
static int check_kvm(const struct guest_session *s, struct diags *diags)
{
	if (s->accel != ACCEL_KVM)
		return 0;
	if (!has_own_arch(s))
		return diag_error(diags, -ENODEV, "--accel kvm: KVM here runs guests of %s only, not of %s",
				  arch_name(guest_initramfs_own_arch()), arch_name(s->host->arch));
	if (access("/dev/kvm", R_OK | W_OK))
		return diag_error(diags, -ENODEV, "--accel kvm: /dev/kvm: %s", strerror(errno));
	return 0;
}

/* A guest that outgrows this machine would be killed in the middle, or something else would. */
static int check_memory(const struct guest_session *s, struct diags *diags)
{
	uint64_t need = guest_machine_memory_bytes(s->host);
	struct machine_memory have = {0};
	struct root root;
	char need_text[UNITS_STR], have_text[UNITS_STR];

	if (root_open("/", &root))
		return 0;
	machine_memory_read(&root, 0, &have);
	root_close(&root);
	if (!have.available_bytes || need <= have.available_bytes)
		return 0;
	return diag_error(diags, -ENOMEM,
			  "the guest would need up to %s of real memory (its memory maps, and what its "
			  "kernel clears); %s is available here",
			  size_human(need_text, need), size_human(have_text, have.available_bytes));
}

struct boot {
	const struct guest_session *session;
	struct guest_machine machine;
	int initramfs_fd;
	uint64_t initramfs_bytes;
	char initramfs[48];
};

static int boot_once(struct boot *b, bool only_hello, uint64_t silence_ns, struct diags *diags,
		     struct guest_result *result)
{
	_cleanup_guest_argv_ struct guest_argv args = {0};
	_cleanup_fd_ int ours = -1;
	int ends[2];
	int err;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		return -errno;
	ours = ends[0];
	fcntl(ours, F_SETFL, O_NONBLOCK);
	b->machine.channel_fd = ends[1];
	err = guest_machine_argv(&b->machine, only_hello ? NULL : diags, &args);
	if (err) {
		close(ends[1]);
		return err;
	}
	const struct guest_run run = {
		.argv = args.argv,
		.initramfs_fd = b->initramfs_fd,
		.qemu_channel_fd = ends[1],
		.channel_fd = ours,
		.silence_ns = silence_ns,
		.only_hello = only_hello,
		.interrupted = b->session->interrupted,
		.progress = b->session->progress,
		.ctx = b->session->ctx,
	};
	return guest_run(&run, diags, result);
}

/* Why a boot failed, in a line: its first error; the console's last lines come after it. */
static const char *reason(const struct diags *said, int err)
{
	for (size_t i = 0; i < said->nr; i++) {
		if (said->items[i].level == DIAG_ERROR)
			return said->items[i].text;
	}
	return err == -EINTR ? "stopped, and the guest ended" : strerror(-err);
}

/* A kernel that boots at all under KVM says its first word within a second or two. */
static const uint64_t kvm_silence_ns = 8 * NS_PER_S;

/* KVM where the guest's own agent came up with it: a device node alone says nothing. */
static int choose_accel(struct boot *b, struct diags *diags)
{
	_cleanup_guest_result_ struct guest_result result = {0};
	_cleanup_diags_ struct diags trial = {0};
	int err;

	if (b->session->accel != ACCEL_AUTO || b->session->instruction_clock)
		return 0;
	if (!has_own_arch(b->session) || access("/dev/kvm", R_OK | W_OK))
		return 0;
	if (b->session->progress)
		b->session->progress(b->session->ctx, "trying KVM");
	b->machine.accel = ACCEL_KVM;
	err = boot_once(b, true, kvm_silence_ns, &trial, &result);
	if (err == -EINTR)
		return err;
	if (err) {
		b->machine.accel = ACCEL_TCG;
		diag_add(diags, DIAG_NOTE, NULL, 0, 0,
			 "KVM is here but did not boot this kernel (%s): emulated instead",
			 reason(&trial, err));
	}
	return 0;
}

/* A device's stage that geometry has no units for was timed all the same; there is nothing in a description to hold it to. */
static bool has_known_work(const struct obs_run *run)
{
	return run->event == EVENT_BOOT || run->stage == STAGE_TOTAL || run->unit != UNIT_ONCE ||
	       stages[run->stage].unit == UNIT_ONCE;
}

/*
 * What only this side knows. The description's path is whole: observations are read where they are, not where they
 * were made.
 */
static int finish_environment(const struct boot *b, struct observations *obs)
{
	const char *file = b->session->host->file;
	_cleanup_free_ char *path = file ? realpath(file, NULL) : NULL;

	obs->env.virtualized = true;
	obs->env.emulated = b->machine.accel == ACCEL_TCG;
	obs->env.instruction_clock = b->machine.instruction_clock;
	for (size_t i = 0; path && i < obs->nr_runs; i++) {
		if (!has_known_work(&obs->runs[i]))
			continue;
		free(obs->runs[i].host);
		obs->runs[i].host = strdup(path);
		if (!obs->runs[i].host)
			return -ENOMEM;
	}
	return 0;
}

/* The loader reads files; this one never was on a disk. */
static int parse_observations(const char *text, struct diags *diags, struct observations **out)
{
	_cleanup_fd_ int fd = memfd_create("observations", MFD_CLOEXEC);
	size_t len = strlen(text);
	char path[48];

	if (fd < 0)
		return -errno;
	if (write(fd, text, len) != (ssize_t)len)
		return -EIO;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return observations_load(path, diags, out);
}

static void note_run(const struct boot *b, const struct guest_result *result, struct diags *diags)
{
	char hello[UNITS_STR], wall[UNITS_STR], rss[UNITS_STR], size[UNITS_STR];

	if (!b->session->verbose)
		return;
	diag_add(diags, DIAG_NOTE, NULL, 0, 0, "the agent ran %s after QEMU's start; the whole run took %s",
		 duration_human(hello, (double)result->hello_ns),
		 duration_human(wall, (double)result->wall_ns));
	diag_add(diags, DIAG_NOTE, NULL, 0, 0, "QEMU took up to %s of memory; the initramfs is %s",
		 size_human(rss, result->max_rss_bytes), size_human(size, b->initramfs_bytes));
}

static int boot_and_measure(struct boot *b, struct diags *diags, struct observations **out)
{
	_cleanup_guest_result_ struct guest_result result = {0};
	_cleanup_observations_ struct observations *obs = NULL;
	int err = boot_once(b, false, b->session->silence_ns, diags, &result);

	note_run(b, &result, diags);
	if (err)
		return err;
	if (!result.observations)
		return diag_error(diags, -EIO, "the guest sent no observations");
	err = parse_observations(result.observations, diags, &obs);
	if (!err)
		err = finish_environment(b, obs);
	if (!err)
		*out = take_ptr(obs);
	return err == -EINVAL ? -EIO : err;
}

static bool same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool same_run(const struct obs_run *a, const struct obs_run *b)
{
	return a->event == b->event && a->stage == b->stage && a->unit == b->unit && a->units == b->units &&
	       a->kind == b->kind && same_text(a->device, b->device);
}

/* Add another boot's samples to the first's. A stage that only one of them shows stays with the samples it has. */
static int add_boot(struct observations *obs, const struct observations *other)
{
	for (size_t i = 0; i < obs->nr_runs; i++) {
		struct obs_run *run = &obs->runs[i];

		if (run->event != EVENT_BOOT)
			continue;
		for (size_t j = 0; j < other->nr_runs; j++) {
			const struct obs_run *more = &other->runs[j];

			for (size_t k = 0; same_run(run, more) && k < more->nr_samples; k++) {
				if (obs_run_add_sample(run, more->samples_ns[k]))
					return -ENOMEM;
			}
		}
		if (obs_run_summarize(run))
			return -ENOMEM;
	}
	return 0;
}

/* Interrupted after the first boot: what that one measured is whole but for its repetitions. */
static int boot_again(struct boot *b, struct diags *diags, struct observations *obs)
{
	b->machine.boot_only = true;
	for (uint64_t i = 1; i < b->session->boots; i++) {
		_cleanup_observations_ struct observations *more = NULL;
		_cleanup_diags_ struct diags said = {0}; /* notes are the first boot's again */
		int err = boot_and_measure(b, &said, &more);

		if (!err)
			err = add_boot(obs, more);
		if (err) {
			obs->incomplete = true;
			return diag_error(diags, err, "boot %" PRIu64 " of %" PRIu64 ": %s", i + 1,
					  b->session->boots, reason(&said, err));
		}
	}
	return 0;
}

static int run_all(struct boot *b, struct diags *diags, struct observations **out)
{
	int err = choose_accel(b, diags);

	if (!err)
		err = boot_and_measure(b, diags, out);
	return err ? err : boot_again(b, diags, *out);
}

int guest_session_run(const struct guest_session *session, struct diags *diags, struct observations **out)
{
	const struct guest_initramfs spec = {
		.host = session->host,
		.modules_dir = session->modules_dir,
		.guest_root = session->guest_root,
		.reps = session->reps,
		.timing = session->timing,
		.verify = session->verify,
	};
	struct boot b = {.session = session, .initramfs_fd = -1};
	int err = describe(session, diags, &b.machine);

	if (!err)
		err = check_kvm(session, diags);
	if (!err)
		err = check_memory(session, diags);
	if (!err)
		err = guest_initramfs_build(&spec, diags, &b.initramfs_fd, &b.initramfs_bytes);
	if (err)
		return err;
	snprintf(b.initramfs, sizeof(b.initramfs), "/proc/self/fd/%d", b.initramfs_fd);
	b.machine.initramfs = b.initramfs;
	err = run_all(&b, diags, out);
	close(b.initramfs_fd);
	if (err && !diags->nr_errors)
		diag_error(diags, err, "%s", reason(diags, err));
	return err;
}
