// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl measure --mode guest: boot a kernel in a virtual machine made from a host description, and measure there. */
#include "cli/measure_guest.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "cli/command.h"
#include "cli/measure.h"
#include "host/host.h"
#include "measure/guest_agent.h"
#include "measure/guest_machine.h"
#include "measure/guest_session.h"
#include "report/observations_report.h"
#include "trace/timing.h"

enum {
	DEFAULT_REPS = 10,
	MAX_REPS = 100000,
	MAX_CPUS = 255,
	DEFAULT_BOOTS = 5,
	MAX_BOOTS = 1000,
	DEFAULT_TIMEOUT_S = 180
};

struct guest_options {
	struct common_options common;
	const char *host;
	struct guest_session session;
	bool dry_run;
};

enum {
	KEY_MODE = 0x3000,
	KEY_KERNEL,
	KEY_MODULES,
	KEY_ACCEL,
	KEY_CLOCK,
	KEY_GUEST_ROOT,
	KEY_FIRMWARE,
	KEY_CPUS,
	KEY_REPS,
	KEY_BOOTS,
	KEY_TIMING,
	KEY_VERIFY,
	KEY_APPEND,
	KEY_TIMEOUT,
	KEY_DRY_RUN,
};

static const struct argp_option option_rows[] = {
	{"mode",							   KEY_MODE, "guest", 0, "this help is of this mode; measure --help tells of the others", 1},
	{"kernel",							 KEY_KERNEL, "IMAGE", 0, "the kernel to boot (vmlinuz, Image)", 1},
	{"modules", KEY_MODULES, "DIR", 0, "its modules (lib/modules/RELEASE, as installed or unpacked)", 1},
	{"append",								KEY_APPEND, "TEXT", 0, "more for its command line, last, so that it overrides", 1},
	{"accel",KEY_ACCEL, "auto|kvm|tcg", 0,
	 "auto: KVM where the kernel really boots with it, else emulated (TCG)", 2},
	{"clock",							       KEY_CLOCK, "time|instructions", 0,
	 "instructions: the guest's clock counts them, one a nanosecond: emulated, one CPU, the same on "
	 "every "
	 "machine however busy", 2},
	{"guest-root",							       KEY_GUEST_ROOT, "DIR", 0,
	 "a tree with memmapctl and its libraries for the guest; needed for another architecture", 2},
	{"firmware",							KEY_FIRMWARE, "FILE", 0,
	 "UEFI of an aarch64 guest (default: as distributions install it)", 2},
	{"cpus",							   KEY_CPUS, "N", 0, "CPUs of the guest at most (default: as many as this machine has)", 2},
	{"reps",   KEY_REPS, "N", 0, "rebinds of each device after its first bind (default 10)", 3},
	{"timing",								KEY_TIMING, "SOURCE", 0,
	 "graph, kprobe, dyndbg, clock or auto: the best that works (default)", 3},
	{"verify",KEY_VERIFY, NULL, 0,
	 "hold memmap_init to the kernel's own line, and count struct pages in one more rebind", 3},
	{"boots",							       KEY_BOOTS, "N", 0,
	 "boot so often, for boot's stages (default: once, or 5 times where the host has no namespaces)", 3},
	{"timeout",							       KEY_TIMEOUT, "DURATION", 0,
	 "give up when the guest says nothing for so long (default 180s)", 3},
	{"dry-run",							  KEY_DRY_RUN, NULL, 0, "print QEMU's command line and start nothing", 3},
	{0						 },
};

static uint64_t parse_number(const char *option, const char *arg, uint64_t max, struct argp_state *state)
{
	uint64_t value = 0;

	if (count_parse(arg, &value) || !value || value > max)
		argp_error(state, "%s: want a whole number from 1 to %" PRIu64 ", found '%s'", option, max,
			   arg);
	return value;
}

static uint64_t parse_timeout(const char *arg, struct argp_state *state)
{
	uint64_t ns = 0;

	if (duration_parse(arg, &ns) || !ns)
		argp_error(state, "--timeout: want a duration such as 180s, found '%s'", arg);
	return ns;
}

static void check_timing(const char *arg, struct argp_state *state)
{
	enum timing_source source;

	if (timing_source_from_name(arg, &source))
		argp_error(state, "--timing: want graph, kprobe, dyndbg, clock or auto, found '%s'", arg);
}

static void require_options(const struct guest_options *o, struct argp_state *state)
{
	if (!o->host)
		argp_error(state,
			   "a host description is wanted: memmapctl measure HOST.yaml --mode guest ...");
	if (!o->session.kernel)
		argp_error(state, "--kernel IMAGE is wanted: the kernel to boot");
	if (!o->session.modules_dir)
		argp_error(state, "--modules DIR is wanted: the kernel's modules (lib/modules/RELEASE)");
	if (!o->session.instruction_clock)
		return;
	if (o->session.accel == ACCEL_KVM)
		argp_error(state, "--clock instructions: KVM does not count instructions; use --accel tcg");
	if (o->session.max_cpus > 1)
		argp_error(state,
			   "--clock instructions: CPUs would take turns on the one clock; use --cpus 1");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct guest_options *o = state->input;
	struct guest_session *s = &o->session;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		return 0;
	case KEY_MODE:
		return 0;
	case KEY_KERNEL:
		s->kernel = arg;
		return 0;
	case KEY_MODULES:
		s->modules_dir = arg;
		return 0;
	case KEY_ACCEL:
		if (guest_accel_from_name(arg, &s->accel))
			argp_error(state, "--accel: want auto, kvm or tcg, found '%s'", arg);
		return 0;
	case KEY_CLOCK:
		s->instruction_clock = !strcmp(arg, "instructions");
		if (!s->instruction_clock && strcmp(arg, "time"))
			argp_error(state, "--clock: want time or instructions, found '%s'", arg);
		return 0;
	case KEY_GUEST_ROOT:
		s->guest_root = arg;
		return 0;
	case KEY_FIRMWARE:
		s->firmware = arg;
		return 0;
	case KEY_CPUS:
		s->max_cpus = (uint32_t)parse_number("--cpus", arg, MAX_CPUS, state);
		return 0;
	case KEY_REPS:
		s->reps = parse_number("--reps", arg, MAX_REPS, state);
		return 0;
	case KEY_TIMING:
		check_timing(arg, state);
		s->timing = arg;
		return 0;
	case KEY_VERIFY:
		s->verify = true;
		return 0;
	case KEY_BOOTS:
		s->boots = parse_number("--boots", arg, MAX_BOOTS, state);
		return 0;
	case KEY_APPEND:
		s->append = arg;
		return 0;
	case KEY_TIMEOUT:
		s->silence_ns = parse_timeout(arg, state);
		return 0;
	case KEY_DRY_RUN:
		o->dry_run = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->host)
			argp_error(state, "one host description a guest: unexpected argument '%s'", arg);
		o->host = arg;
		return 0;
	case ARGP_KEY_END:
		require_options(o, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp guest_argp = {
	option_rows,
	parse_option,
	"HOST.yaml --mode guest --kernel IMAGE --modules DIR",
	"Boot a kernel in a virtual machine made from a host description, and measure there: its boot, and "
	"the "
	"binds of its namespaces. Times of an emulated guest (TCG) only compare with each other.\v"
	"Example:\n"
	"  memmapctl measure configs/hosts/NAME.yaml --mode guest --kernel /boot/vmlinuz-6.1.0-57-amd64 \\\n"
	"      --modules /lib/modules/6.1.0-57-amd64\n",
	common_children,
	NULL,
	NULL,
};

static void show_progress(void *ctx, const char *text)
{
	const struct guest_options *o = ctx;

	if (want_progress(&o->common))
		fprintf(stderr, "\r\033[Kguest: %s", text);
}

static void clear_progress(const struct guest_options *o)
{
	if (want_progress(&o->common))
		fputs("\r\033[K", stderr);
}

static int print_command(const struct guest_options *o, const struct guest_argv *args)
{
	struct output out;

	if (output_open(&o->common, &out))
		return EXIT_USAGE;
	for (size_t i = 0; i < args->nr; i++) {
		const char *arg = args->argv[i];

		/* a word for a shell; options begin a line */
		fprintf(out.file, "%s%s%s%s", i ? (arg[0] == '-' ? " \\\n    " : " ") : "",
			strpbrk(arg, " ,") ? "'" : "", arg, strpbrk(arg, " ,") ? "'" : "");
	}
	fputc('\n', out.file);
	return output_commit(&out);
}

/* What the caller can mend is a usage error, what this machine lacks is not, the rest failed while it was measured. */
static int status_of(int err)
{
	switch (err) {
	case 0:
		return EXIT_DONE;
	case -EINVAL:
		return EXIT_USAGE;
	case -ENOENT:
	case -ENOEXEC:
	case -ENODEV:
	case -ENOMEM:
		return EXIT_NOT_POSSIBLE;
	default:
		return EXIT_MEASURE_FAILED;
	}
}

static int measure(struct guest_options *o, struct diags *diags)
{
	_cleanup_observations_ struct observations *obs = NULL;
	_cleanup_guest_argv_ struct guest_argv args = {0};
	_cleanup_host_ struct host *host = NULL;
	struct output out;
	int err = host_load(o->host, diags, &host), written;

	if (err)
		return EXIT_USAGE;
	o->session.host = host;
	o->session.verbose = o->common.verbose > 0;
	if (!o->session.boots)
		o->session.boots = host->nr_namespaces ? 1 : DEFAULT_BOOTS;
	if (o->dry_run) {
		err = guest_session_command(&o->session, diags, &args);
		return err ? status_of(err) : print_command(o, &args);
	}
	if (measure_begin(&o->common, &o->session.interrupted, &out))
		return EXIT_USAGE;
	err = guest_session_run(&o->session, diags, &obs);
	clear_progress(o);
	written = measure_write(&o->common, obs, &out);
	return err ? status_of(err) : written;
}

int measure_guest_run(int argc, char **argv)
{
	_cleanup_diags_ struct diags diags = {0};
	struct guest_options o = {
		.session = {.reps = DEFAULT_REPS,
			    .silence_ns = DEFAULT_TIMEOUT_S * NS_PER_S,
			    .progress = show_progress,
			    .ctx = &o},
	};
	int status;

	if (argp_parse(&guest_argp, argc, argv, 0, NULL, &o))
		return EXIT_USAGE;
	status = measure(&o, &diags);
	if (!o.common.quiet || diags.nr_errors)
		print_diags(argv[0], &diags);
	return status;
}

bool measure_guest_is_wanted(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strcmp(argv[i], "--mode=guest"))
			return true;
		if (!strcmp(argv[i], "--mode") && i + 1 < argc && !strcmp(argv[i + 1], "guest"))
			return true;
	}
	return false;
}

void measure_guest_init(void)
{
	if (guest_agent_is_wanted())
		guest_agent_main(observations_write_json);
}
