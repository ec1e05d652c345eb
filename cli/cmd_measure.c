// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl measure: how long the init paths take, here and now. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"
#include "cli/command.h"
#include "cli/measure.h"
#include "cli/measure_guest.h"
#include "cli/style.h"
#include "measure/simulated.h"
#include "report/observations_report.h"

/* 8 GiB of memory, 128 MiB of struct pages: more than most caches, and done in a few seconds. */
#define DEFAULT_PAGES 2097152ULL

/* A signal handler can reach nothing but a global. */
static volatile sig_atomic_t stop_requested;

static void request_stop(int signal)
{
	(void)signal;
	stop_requested = 1;
}

static void catch_signals(void)
{
	/*
	 * Not reset after the first: timeout(1) and terminals send a signal twice, and what is being put back or
	 * written must not be cut short by the second. SIGQUIT and SIGKILL still end it at once.
	 */
	struct sigaction action = {.sa_handler = request_stop, .sa_flags = SA_RESTART};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
}

int measure_begin(const struct common_options *common, const volatile sig_atomic_t **stop, struct output *out)
{
	/* In this order: a signal in between would leave the output's temporary file. */
	catch_signals();
	*stop = &stop_requested;
	return output_open(common, out);
}

struct progress {
	uint64_t start_ns, shown_ns;
};

/* Redrawn ten times a second at most. */
static void show_progress(void *ctx, size_t done, size_t total)
{
	struct progress *p = ctx;
	uint64_t now = clock_now_ns(&clock_system);
	char left[UNITS_STR];

	if (!p->start_ns)
		p->start_ns = now;
	if (done == total) {
		fputs("\r\033[K", stderr);
		return;
	}
	if (p->shown_ns && now - p->shown_ns < 100 * NS_PER_MS)
		return;
	p->shown_ns = now;
	if (!done)
		fprintf(stderr, "\rmeasuring: 0 of %zu runs\033[K", total);
	else
		fprintf(stderr, "\rmeasuring: %zu of %zu runs, %s left\033[K", done, total,
			duration_human(left,
				       (double)(now - p->start_ns) / (double)done * (double)(total - done)));
}

int measure_write(const struct common_options *common, const struct observations *obs, struct output *out)
{
	struct style style;
	int err;

	if (!obs) {
		output_abandon(out);
		return EXIT_DONE;
	}
	if (common->format == FORMAT_JSON) {
		err = observations_write_json(obs, out->file);
	} else if (common->format == FORMAT_YAML) {
		err = observations_write_yaml(obs, out->file);
	} else if (common->format == FORMAT_CSV) {
		err = observations_write_csv(obs, out->file);
	} else {
		style = style_for(common, out->file);
		err = observations_write_table(obs, &style, out->file);
	}
	return output_end(out, "memmapctl measure", err);
}

static int exit_of(int err)
{
	switch (err) {
	case 0:
		return EXIT_DONE;
	case -EINTR:
	case -EBADMSG:
		return EXIT_MEASURE_FAILED;
	case -EINVAL:
		return EXIT_USAGE;
	default:
		return EXIT_NOT_POSSIBLE;
	}
}

static int run_simulated(struct measure_options *o, const char *argv0)
{
	_cleanup_observations_ struct observations *obs = NULL;
	_cleanup_diags_ struct diags diags = {0};
	struct progress progress = {0};
	struct output out;
	struct simulated_hooks hooks = {
		.clock = &clock_system, .cpu_clock = &clock_thread_cpu, .progress_ctx = &progress};
	int err = o->host ? measure_from_host(o->host, &diags, &o->simulated) : 0, status;

	if (err) {
		print_diags(argv0, &diags);
		return EXIT_USAGE;
	}
	if (!o->simulated.nr_pages)
		o->simulated.nr_pages = DEFAULT_PAGES;
	if (!o->simulated.version)
		o->simulated.version = &initpath_versions[nr_initpath_versions - 1];
	if (want_progress(&o->common))
		hooks.progress = show_progress;
	/* Before the measurement: one that cannot be written is not worth the wait. */
	status = measure_begin(&o->common, &hooks.stop, &out);
	if (status)
		return status;
	err = simulated_measure(&o->simulated, &hooks, &diags, &obs);
	if (err == -EINTR)
		fprintf(stderr, "%s: stopped; what was measured until then follows\n", argv0);
	else if (err && !diags.nr_errors)
		fprintf(stderr, "%s: %s\n", argv0, strerror(-err));
	if (!o->common.quiet || diags.nr_errors)
		print_diags(argv0, &diags);
	status = measure_write(&o->common, obs, &out);
	return status ? status : exit_of(err);
}

static int run_kernel(const struct measure_options *o, const char *argv0)
{
	_cleanup_observations_ struct observations *obs = NULL;
	const volatile sig_atomic_t *stop = NULL;
	bool reads_log = !o->kernel.recover && (o->kernel.boot || o->kernel.log);
	struct output out = {0};
	int status, written;

	if (o->host) {
		fprintf(stderr, "%s: --mode kernel measures this machine: '%s' is one argument too many\n",
			argv0, o->host);
		return EXIT_USAGE;
	}
	/* Before anything is unbound. A log is only read: there is nothing to put back, and a signal ends it. */
	status = reads_log ? EXIT_DONE : measure_begin(&o->common, &stop, &out);
	if (status)
		return status;
	status = measure_kernel(&o->kernel, &o->common, argv0, stop, &obs);
	if (reads_log && obs && output_open(&o->common, &out))
		return EXIT_USAGE;
	written = measure_write(&o->common, obs, &out);
	return status ? status : written;
}

static int print_list(const void *data, FILE *out)
{
	(void)data;
	measure_list(out);
	return 0;
}

static int run_measure(int argc, char **argv)
{
	struct measure_options o = measure_defaults();

	if (measure_guest_is_wanted(argc, argv))
		return measure_guest_run(argc, argv);
	argp_parse(&measure_argp, argc, argv, 0, NULL, &o);
	if (o.list)
		return output_whole(&o.common, argv[0], print_list, NULL);
	if (o.kernel.recover)
		o.mode = MODE_KERNEL;
	else if (!o.has_mode) {
		fprintf(stderr, "%s: --mode is missing: simulated, kernel or guest\n", argv[0]);
		return EXIT_USAGE;
	}
	if (o.mode == MODE_KERNEL)
		return run_kernel(&o, argv[0]);
	if (o.mode == MODE_GUEST)
		return measure_guest_run(argc, argv);
	return run_simulated(&o, argv[0]);
}

const struct command cmd_measure = {
	.name = "measure",
	.summary = "time it: simulated, on the running kernel, or in a guest of any kernel",
	.argp = &measure_argp,
	.run = run_measure,
};
