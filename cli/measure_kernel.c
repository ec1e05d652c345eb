// SPDX-License-Identifier: GPL-2.0-or-later
/* memmapctl measure --mode kernel: the running kernel, stage by stage. */
#include "cli/measure_kernel.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>

#include "base/read_text.h"
#include "base/units.h"
#include "base/util.h"
#include "cli/inputs.h"
#include "measure/kernel_boot.h"
#include "measure/kernel_paths.h"
#include "measure/kernel_session.h"
#include "measure/kmod_load.h"
#include "measure/machine.h"
#include "probe/live.h"

enum { DEFAULT_CYCLES = 30, DEFAULT_HUGEPAGE_CYCLES = 7, MAX_CYCLES = 100000, MAX_HZ = 10000 };

enum {
	KEY_DEVICE = 0x3000,
	KEY_CYCLES,
	KEY_SYSTEM_RAM,
	KEY_HUGEPAGES,
	KEY_HVO,
	KEY_TIMING,
	KEY_VERIFY,
	KEY_DRY_RUN,
	KEY_YES,
	KEY_RECOVER,
	KEY_BOOT,
	KEY_LOG,
	KEY_HZ,
	KEY_IN_KERNEL_PATHS,
	KEY_MODULE_DIR,
	KEY_HEADERS,
};

/* clang-format off */
static const struct argp_option option_rows[] = {
	{0, 0, 0, 0, "The running kernel (--mode kernel):", 3},
	{"device", KEY_DEVICE, "NAME", 0, "unbind and bind this namespace, pmem or dax device; may be repeated", 3},
	{"system-ram", KEY_SYSTEM_RAM, NULL, 0, "--device: a dax device to system RAM and back, block by block", 3},
	{"cycles", KEY_CYCLES, "N", 0, "how often, the first one kept apart (default 30; 7 for hugepages)", 3},
	{"hugepages", KEY_HUGEPAGES, "SIZE=COUNT[@NODE]", 0, "grow this pool by COUNT pages and shrink it again; may be repeated", 3},
	{"hvo", KEY_HVO, "LIST", 0, "--hugepages: with the vmemmap optimisation off, on or off,on (default: as it is)", 3},
	{"timing", KEY_TIMING, "SOURCE", 0, "graph, kprobe, dyndbg, clock or auto: the best that works (default)", 3},
	{"verify", KEY_VERIFY, NULL, 0, "--device: hold memmap_init to the kernel's own line, and count struct pages in one more rebind", 3},
	{"in-kernel-paths", KEY_IN_KERNEL_PATHS, NULL, 0, "the race of simulated mode in the kernel, on its own struct page, by a module that is built, loaded and unloaded again; takes the options of simulated mode", 3},
	{"module-dir", KEY_MODULE_DIR, "DIR", 0, "--in-kernel-paths: where the built module is (default: installed by DKMS, else built now)", 3},
	{"headers", KEY_HEADERS, "DIR", 0, "--in-kernel-paths: kernel headers to build with (default /lib/modules/RELEASE/build)", 3},
	{"dry-run", KEY_DRY_RUN, NULL, 0, "print what would be done to devices or pools, and do nothing", 3},
	{"yes", KEY_YES, NULL, 0, "do not ask before unbinding", 3},
	{"recover", KEY_RECOVER, NULL, 0, "put back what a killed measurement left changed, and exit", 3},
	{"boot", KEY_BOOT, NULL, 0, "this boot's stages, from the kernel's log", 3},
	{"log", KEY_LOG, "FILE", 0, "--boot: a saved log instead (dmesg, journalctl -k, a console, a boot's function trace; '-': standard input)", 3},
	{"hz", KEY_HZ, "HZ", 0, "--log: ticks a second of the kernel that wrote it (default: what fits the log)", 3},
	{0},
};
/* clang-format on */

struct kernel_options kernel_defaults(void)
{
	return (struct kernel_options){.timing = TIMING_AUTO};
}

static unsigned int parse_count(const char *option, const char *arg, unsigned int max,
				struct argp_state *state)
{
	uint64_t value = 0;

	if (count_parse(arg, &value) || !value || value > max)
		argp_error(state, "%s: want a whole number from 1 to %u, found '%s'", option, max, arg);
	return (unsigned int)value;
}

static void parse_devices(struct kernel_options *o, char *arg, struct argp_state *state)
{
	char *rest = arg, *word;

	while ((word = strsep(&rest, ","))) {
		if (!*word)
			argp_error(state, "--device: a name is missing in '%s'", arg);
		else if (o->nr_devices == KERNEL_MAX_DEVICES)
			argp_error(state, "--device: more than %d names", KERNEL_MAX_DEVICES);
		else
			o->devices[o->nr_devices++] = word;
	}
}

/* "1GiB=2@0" */
static void parse_growth(struct kernel_options *o, char *arg, struct argp_state *state)
{
	struct hugepage_growth g = {.node = -1};
	char *count = strchr(arg, '='), *node = count ? strchr(count, '@') : NULL;
	uint64_t node_id = 0;

	if (count)
		*count++ = 0;
	if (node)
		*node++ = 0;
	if (o->nr_growths == KERNEL_MAX_GROWTHS)
		argp_error(state, "--hugepages: more than %d pools", KERNEL_MAX_GROWTHS);
	else if (!count || size_parse(arg, &g.size_bytes) || !g.size_bytes || count_parse(count, &g.count) ||
		 !g.count || g.count > INT32_MAX || (node && (count_parse(node, &node_id) || node_id > 1023)))
		argp_error(state,
			   "--hugepages: want SIZE=COUNT or SIZE=COUNT@NODE, such as 2MiB=512 or 1GiB=2@0");
	if (node)
		g.node = (int)node_id;
	o->growths[o->nr_growths++ % KERNEL_MAX_GROWTHS] = g;
}

static void parse_hvo(struct kernel_options *o, char *arg, struct argp_state *state)
{
	char *rest = arg, *word;

	while ((word = strsep(&rest, ","))) {
		if (!strcmp(word, "on"))
			o->hvo_settings |= 1U << HVO_ON;
		else if (!strcmp(word, "off"))
			o->hvo_settings |= 1U << HVO_OFF;
		else
			argp_error(state, "--hvo: want off, on or off,on, found '%s'", word);
	}
}

static void parse_timing(struct kernel_options *o, const char *arg, struct argp_state *state)
{
	const char *names[NR_TIMING_SOURCES + 2] = {NULL}, *near;

	if (!timing_source_from_name(arg, &o->timing))
		return;
	for (int i = 0; i <= NR_TIMING_SOURCES; i++)
		names[i] = timing_source_name((enum timing_source)i);
	near = suggest(arg, names);
	argp_error(state, "--timing: unknown source '%s'%s%s%s: graph, kprobe, dyndbg, clock or auto", arg,
		   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct kernel_options *o = state->input;

	switch (key) {
	case KEY_DEVICE:
		parse_devices(o, arg, state);
		return 0;
	case KEY_CYCLES:
		o->cycles = parse_count("--cycles", arg, MAX_CYCLES, state);
		return 0;
	case KEY_SYSTEM_RAM:
		o->system_ram = true;
		return 0;
	case KEY_HUGEPAGES:
		parse_growth(o, arg, state);
		return 0;
	case KEY_HVO:
		parse_hvo(o, arg, state);
		return 0;
	case KEY_TIMING:
		parse_timing(o, arg, state);
		return 0;
	case KEY_VERIFY:
		o->verify = true;
		return 0;
	case KEY_DRY_RUN:
		o->dry_run = true;
		return 0;
	case KEY_YES:
		o->yes = true;
		return 0;
	case KEY_RECOVER:
		o->recover = true;
		return 0;
	case KEY_BOOT:
		o->boot = true;
		return 0;
	case KEY_LOG:
		o->log = arg;
		return 0;
	case KEY_HZ:
		o->hz = parse_count("--hz", arg, MAX_HZ, state);
		return 0;
	case KEY_IN_KERNEL_PATHS:
		o->in_kernel_paths = true;
		return 0;
	case KEY_MODULE_DIR:
		o->module_dir = arg;
		return 0;
	case KEY_HEADERS:
		o->headers = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp kernel_argp = {option_rows, parse_option, NULL, NULL, NULL, NULL, NULL};

/* What one call needs, from one place to the other. */
struct session {
	const struct kernel_options *o;
	const struct common_options *common;
	const char *argv0;
	const volatile sig_atomic_t *stop;
	struct root root;
	struct diags diags;
	struct observations *obs;
};

static int exit_of(int err)
{
	switch (err) {
	case 0:
		return EXIT_DONE;
	case -EINTR:
	case -EIO:
	case -EBADMSG:
		return EXIT_MEASURE_FAILED;
	case -EINVAL:
		return EXIT_USAGE;
	default:
		return EXIT_NOT_POSSIBLE;
	}
}

static void flush_diags(struct session *s)
{
	struct diags shown = {0};

	for (size_t i = 0; i < s->diags.nr; i++) {
		if (s->common->quiet && s->diags.items[i].level != DIAG_ERROR)
			continue;
		shown = (struct diags){.items = &s->diags.items[i], .nr = 1};
		print_diags(s->argv0, &shown);
	}
	diags_free(&s->diags);
	s->diags = (struct diags){0};
}

static int failed(struct session *s, int err)
{
	if (!s->diags.nr_errors)
		diag_error(&s->diags, err, "%s", strerror(-err));
	return exit_of(err);
}

/* Boot: from a log, this kernel's or a saved one. */

static int read_log(struct session *s, char **text, size_t *len)
{
	int err;

	if (!s->o->log)
		return klog_read_live(&s->diags, text, len);
	err = read_text(s->o->log, SIZE_MAX, text, len);
	return err ? diag_error(&s->diags, -EINVAL, "%s: %s", s->o->log, strerror(-err)) : 0;
}

/* A saved log may be another machine's: what is known of this one does not belong to it. */
static int forget_this_machine(struct obs_environment *env)
{
	free(env->cpu);
	free(env->date);
	free(env->kernel);
	free(env->arch);
	*env = (struct obs_environment){.arch = strdup("unknown"), .kernel = strdup("unknown")};
	return env->arch && env->kernel ? 0 : -ENOMEM;
}

static int measure_boot(struct session *s)
{
	_cleanup_klog_ struct klog *klog = NULL;
	_cleanup_free_ char *text = NULL;
	const char *name = s->o->log ? s->o->log : "the kernel's log";
	struct boot_trace trace = {0};
	unsigned int hz = s->o->hz ? s->o->hz : s->o->log ? 0 : klog_running_hz();
	size_t len = 0;
	int err = s->o->log ? forget_this_machine(&s->obs->env) : 0;

	if (!err)
		err = read_log(s, &text, &len);
	if (!err)
		err = klog_parse(text, len, &klog);
	if (!err && s->o->log)
		boot_trace_parse(text, len, &trace);
	else if (!err)
		err = boot_trace_read_live(&s->root, &s->diags, &trace);
	if (!err)
		err = kernel_boot_observe(klog, &trace, hz, s->o->log, &s->diags, s->obs);
	if (err == -ENODATA)
		diag_error(&s->diags, err,
			   "%s times no stage of the memory map (%zu lines read, %zu of them known)", name,
			   klog->nr_lines, klog->nr);
	return err ? failed(s, err) : EXIT_DONE;
}

/* Rebind. */

static unsigned int cycles_of(const struct session *s)
{
	unsigned int standard = s->o->nr_growths ? DEFAULT_HUGEPAGE_CYCLES : DEFAULT_CYCLES;

	return s->o->cycles ? s->o->cycles : standard;
}

static bool is_system_ram(const struct session *s, const struct kernel_device *d)
{
	return s->o->system_ram || d->kind == KERNEL_SYSTEM_RAM;
}

static void print_device(struct session *s, const struct kernel_device *d, FILE *out)
{
	char size[UNITS_STR], align[UNITS_STR];

	fprintf(out, "%s: %s %s", d->name, kernel_device_kind_name(d->kind), size_exact(size, d->size_bytes));
	if (d->align_bytes)
		fprintf(out, " align %s", size_exact(align, d->align_bytes));
	if (d->map)
		fprintf(out, " map=%s", d->map);
	if (d->node >= 0)
		fprintf(out, ", node %d", d->node);
	fprintf(out, ", not in use. %u cycles of %s.\n", cycles_of(s),
		is_system_ram(s, d) ? "system-ram and back" : "unbind and bind");
}

static void print_dry_run(struct session *s, const struct kernel_device *d)
{
	print_device(s, d, stdout);
	if (d->kind == KERNEL_SYSTEM_RAM)
		printf("  would unbind \"%s\" from %s, bind it again, and take each memory block online and "
		       "offline, %u times\n",
		       d->bound, d->driver_dir, cycles_of(s));
	else if (s->o->system_ram)
		printf("  would unbind \"%s\" from %s, bind it to kmem, take each memory block online and "
		       "offline, and "
		       "go back, %u times\n",
		       d->bound, d->driver_dir, cycles_of(s));
	else
		printf("  would write \"%s\" to %s/unbind and %s/bind, %u times\n", d->bound, d->driver_dir,
		       d->driver_dir, cycles_of(s));
}

/* A signal that comes while we wait has been caught: reading would go on waiting, poll does not. */
static bool is_answered_yes(void)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	char answer[16];

	return poll(&in, 1, -1) > 0 && fgets(answer, sizeof(answer), stdin) &&
	       (*answer == 'y' || *answer == 'Y');
}

/* The way back is printed before anything is touched. */
static bool confirmed(struct session *s, const struct kernel_device *devices, size_t nr)
{
	if (!s->common->quiet) {
		for (size_t i = 0; i < nr; i++)
			print_device(s, &devices[i], stderr);
		fprintf(stderr,
			"undo: memmapctl measure --recover     (saved in %s before the first unbind)\n",
			UNDO_FILE);
	}
	if (s->o->yes)
		return true;
	if (!isatty(STDIN_FILENO)) {
		fprintf(stderr, "%s: unbinding needs a yes: give --yes, or answer on a terminal\n", s->argv0);
		return false;
	}
	fprintf(stderr, "Go on? [y/N] ");
	return is_answered_yes();
}

static void show_progress(void *ctx, unsigned int done, unsigned int total, double cycle_ns)
{
	char cycle[UNITS_STR];

	(void)ctx;
	if (done == total)
		fputs("\r\033[K", stderr);
	else if (!done)
		fprintf(stderr, "\r0/%u\033[K", total);
	else
		fprintf(stderr, "\r%u/%u   %s a cycle\033[K", done, total, duration_human(cycle, cycle_ns));
}

/* What geometry says of this host, for the units. Without it there are times all the same. */
static struct work *work_of_host(struct session *s, struct host **host)
{
	_cleanup_diags_ struct diags unheard = {0};
	struct work *work = NULL;

	if (probe_live(&s->root, &unheard, host) || work_new(*host, &unheard, &work))
		diag_add(&s->diags, DIAG_NOTE, NULL, 0, 0,
			 "units are not known: this host could not be described");
	return work;
}

static int rebind_all(struct session *s, const struct kernel_device *devices, size_t nr)
{
	_cleanup_host_ struct host *host = NULL;
	_cleanup_work_ struct work *work = work_of_host(s, &host);
	struct kernel_session_options options = {
		.root = &s->root,
		.timing = s->o->timing,
		.work = work,
		.cycles = cycles_of(s),
		.verify = s->o->verify,
		.system_ram = s->o->system_ram,
		.stop = s->stop,
		.progress = want_progress(s->common) ? show_progress : NULL,
	};
	int err = kernel_session_rebind(devices, nr, &options, &s->diags, s->obs);

	if (err == -EINTR)
		diag_error(&s->diags, err,
			   "stopped: the devices are bound as before; what was measured until then follows");
	return err;
}

/* What a killed measurement left comes first: a device may be unbound because of it. */
static int recover_first(struct session *s)
{
	size_t nr = 0;
	int err = kernel_session_recover(NULL, &s->diags, &nr);

	if (!err && nr)
		diag_add(&s->diags, DIAG_WARNING, NULL, 0, 0,
			 "a measurement was killed: put back what it had left changed");
	return err;
}

static int find_all(struct session *s, struct kernel_device *devices)
{
	int first = s->o->dry_run ? 0 : recover_first(s);

	if (first)
		return first;

	for (size_t i = 0; i < s->o->nr_devices; i++) {
		int err = kernel_device_find(s->o->devices[i], &s->diags, &devices[i]);

		if (!err)
			err = kernel_device_unused(&s->root, &devices[i], &s->diags);
		first = first ? first : err;
	}
	return first;
}

static int measure_devices(struct session *s)
{
	struct kernel_device devices[KERNEL_MAX_DEVICES] = {0};
	int err = geteuid() ? diag_error(&s->diags, -EPERM, "rebinding devices needs root")
			    : find_all(s, devices);
	int status = EXIT_DONE;

	if (!err && s->o->dry_run) {
		for (size_t i = 0; i < s->o->nr_devices; i++)
			print_dry_run(s, &devices[i]);
	} else if (!err && !confirmed(s, devices, s->o->nr_devices)) {
		status = *s->stop ? EXIT_MEASURE_FAILED : EXIT_USAGE;
	} else if (!err) {
		err = rebind_all(s, devices, s->o->nr_devices);
	}
	for (size_t i = 0; i < s->o->nr_devices; i++)
		kernel_device_free(&devices[i]);
	return err ? failed(s, err) : status;
}

static void print_growth(const struct session *s, const struct hugepage_growth *g)
{
	/* by the bits of HVO_OFF and HVO_ON */
	static const char *const hvo[] = {"", " with HVO off", " with HVO on", " with HVO off and on each"};
	char size[UNITS_STR], node[32] = "";

	if (g->node >= 0)
		snprintf(node, sizeof(node), ", node %d", g->node);
	printf("%s hugepages%s: would grow the pool by %" PRIu64 " and shrink it again, %u times%s\n",
	       size_exact(size, g->size_bytes), node, g->count, cycles_of(s),
	       hvo[s->o->hvo_settings >> HVO_OFF]);
}

static int measure_hugepages(struct session *s)
{
	struct kernel_session_options options = {
		.root = &s->root,
		.cycles = cycles_of(s),
		.stop = s->stop,
		.progress = want_progress(s->common) ? show_progress : NULL,
	};
	unsigned int hvo = s->o->hvo_settings ? s->o->hvo_settings : 1U << HVO_AS_IS;
	int err;

	if (s->o->dry_run) {
		for (size_t i = 0; i < s->o->nr_growths; i++)
			print_growth(s, &s->o->growths[i]);
		return EXIT_DONE;
	}
	if (geteuid())
		return failed(s, diag_error(&s->diags, -EPERM, "changing hugepage pools needs root"));
	err = kernel_session_hugepages(s->o->growths, s->o->nr_growths, hvo, &options, &s->diags, s->obs);
	if (err == -EINTR)
		diag_error(&s->diags, err,
			   "stopped: pools are as before; what was measured until then follows");
	return err ? failed(s, err) : EXIT_DONE;
}

/* Modules that a killed measurement may have left loaded. */
static const char *const kernel_modules[] = {KERNEL_PATHS_MODULE, NULL};

static int recover(struct session *s)
{
	size_t nr = 0;
	int err = geteuid() ? diag_error(&s->diags, -EPERM, "putting things back needs root")
			    : kernel_session_recover(NULL, &s->diags, &nr);

	if (!err)
		err = kmod_unload_left(kernel_modules, &s->diags, &nr);

	if (!err && !s->common->quiet)
		fprintf(stderr, nr ? "%s: %zu changes put back\n" : "%s: nothing to put back\n", s->argv0,
			nr);
	if (!err)
		return EXIT_DONE;
	return nr ? EXIT_MEASURE_FAILED : failed(s, err);
}

static int run(struct session *s)
{
	if (s->o->recover && s->o->dry_run) {
		diag_error(&s->diags, -EINVAL, "--recover and --dry-run: one at a time");
		return EXIT_USAGE;
	}
	if (s->o->recover)
		return recover(s);
	if (s->o->boot || s->o->log)
		return measure_boot(s);
	if (s->o->nr_devices && s->o->nr_growths) {
		diag_error(&s->diags, -EINVAL, "--device and --hugepages: one at a time");
		return EXIT_USAGE;
	}
	if (s->o->verify && (!s->o->nr_devices || s->o->system_ram)) {
		diag_error(&s->diags, -EINVAL,
			   "--verify holds rebinds to the kernel's own word: it wants --device NAME, and no "
			   "--system-ram");
		return EXIT_USAGE;
	}
	if (s->o->nr_devices)
		return measure_devices(s);
	if (s->o->nr_growths)
		return measure_hugepages(s);
	diag_error(&s->diags, -EINVAL,
		   "--mode kernel: what to measure is missing: --device NAME (rebind it), --hugepages "
		   "SIZE=COUNT, --in-kernel-paths, --boot or --recover");
	return EXIT_USAGE;
}

int measure_kernel(const struct kernel_options *options, const struct common_options *common,
		   const char *argv0, const volatile sig_atomic_t *stop, struct observations **out)
{
	struct session s = {.o = options, .common = common, .argv0 = argv0, .stop = stop};
	int err = root_open("/", &s.root), status;

	*out = NULL;
	s.obs = err ? NULL : observations_new("kernel");
	if (!err && (!s.obs || machine_environment(&s.root, &s.obs->env)))
		err = -ENOMEM;
	status = err ? failed(&s, err) : run(&s);
	flush_diags(&s);
	root_close(&s.root);
	if (s.obs && s.obs->nr_runs && s.obs->env.timing_source)
		*out = s.obs;
	else
		observations_free(s.obs);
	return status;
}
