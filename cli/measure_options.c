// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of measure, with what is wrong about them. */
#include "cli/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"

#define BASE_PAGE_BYTES 4096ULL
enum { DEFAULT_REPS = 7, MAX_REPS = 100000, MAX_THREADS = 1024 };

static const char *const mode_names[] = {"simulated", "kernel", "guest", NULL};
_Static_assert(ARRAY_SIZE(mode_names) == NR_MODES + 1, "a name for every mode");

struct measure_options measure_defaults(void)
{
	return (struct measure_options){
		.simulated = {.kinds = (1u << NR_KINDS) - 1,
			      .paths = (1u << NR_PATHS) - 1,
			      .codegens = 1u << CODEGEN_DEFAULT,
			      .reps = DEFAULT_REPS,
			      .threads = 1,
			      .node = -1,
			      .cpu = -1},
		.kernel = kernel_defaults(),
	};
}

enum {
	KEY_MODE = 0x2000,
	KEY_PAGES,
	KEY_SIZE,
	KEY_REPS,
	KEY_KIND,
	KEY_PATH,
	KEY_ROUTINE,
	KEY_CODEGEN,
	KEY_ORDER,
	KEY_SIMULATED_VERSION,
	KEY_NODE,
	KEY_CPU,
	KEY_THREADS,
	KEY_MEMORY,
	KEY_LIST,
};

static const struct argp_option option_rows[] = {
	{"mode",							       KEY_MODE, "MODE", 0,
	 "simulated: user space, on a replica of struct page; kernel: the running kernel; guest: a kernel of "
	 "choice in a virtual machine "
	 "(--mode guest --help tells its options)", 0},
	{0,							      0, 0, 0, "What to simulate:", 1},
	{"pages",			    KEY_PAGES, "N", 0, "struct pages to initialise (default 2097152, of 8 GiB)", 1},
	{"size",								    KEY_SIZE, "SIZE", 0, "the same as the size of the memory they describe: 100GiB", 1},
	{"kind",      KEY_KIND, "LIST", 0, "page kinds: zd-base, zd-compound, hugetlb, ordinary (default all)", 1},
	{"path",								   KEY_PATH, "LIST", 0, "init paths: baseline, template, template-nt (default all)", 1},
	{"routine",								   KEY_ROUTINE, "LIST", 0, "copy routines by name (default all that this CPU has)", 1},
	{"codegen",							      KEY_CODEGEN, "LIST", 0, "builds of the same source: default, all, or names from --list",
	 1},
	{"order",								 KEY_ORDER, "9|18", 0,
	 "compound pages of 2 MiB or 1 GiB (default: zd-compound 9, hugetlb 18)", 1},
	{"kernel-version",            KEY_SIMULATED_VERSION, "VERSION", 0,
	 "kernel whose struct page writes to follow (default: newest)", 1},
	{"list",								    KEY_LIST, NULL, 0, "list the routines and what each needs, and exit", 1},
	{0,0, 0, 0, "How to measure:", 2},
	{"reps",								   KEY_REPS, "N", 0, "repetitions after the first, which is kept apart (default 7)", 2},
	{"node",								   KEY_NODE, "N", 0, "memory on this NUMA node, and a CPU of it", 2},
	{"cpu",							       KEY_CPU, "N", 0, "run on this CPU (default: the one the program is on)", 2},
	{"threads",							      KEY_THREADS, "N", 0, "share the range among N threads as padata does (default 1)", 2},
	{"memory", KEY_MEMORY, "SIZE", 0,
	 "memory to use at most; a larger memmap is run through a window of that size and scaled (default: a "
	 "quarter of what is free, and no more than twice the last-level cache)", 2},
	{0								   },
};

static void parse_mode(struct measure_options *o, const char *arg, struct argp_state *state)
{
	const char *near;

	for (int i = 0; i < NR_MODES; i++) {
		if (strcmp(arg, mode_names[i]))
			continue;
		o->mode = (enum measure_mode)i;
		o->has_mode = true;
		return;
	}
	near = suggest(arg, mode_names);
	argp_error(state, "--mode: unknown mode '%s'%s%s%s: simulated, kernel or guest", arg,
		   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

static uint64_t parse_number(const char *option, const char *arg, uint64_t min, uint64_t max,
			     struct argp_state *state)
{
	uint64_t value = 0;

	if (count_parse(arg, &value) || value < min || value > max)
		argp_error(state, "%s: want a whole number from %" PRIu64 " to %" PRIu64 ", found '%s'",
			   option, min, max, arg);
	return value;
}

static uint64_t parse_size(const char *option, const char *arg, struct argp_state *state)
{
	uint64_t bytes = 0;
	int err = size_parse(arg, &bytes);

	if (err == -ERANGE)
		argp_error(state, "%s: '%s' is 2^64 bytes or more", option, arg);
	else if (err || !bytes)
		argp_error(state, "%s: want a size such as 100GiB, found '%s'", option, arg);
	return bytes;
}

/* Names of one list option: its values count from 0. */
struct choice {
	const char *option;
	unsigned int nr;
	const char *(*name)(unsigned int value);
};

static const char *kind_at(unsigned int i)
{
	return kind_name((enum page_kind)i);
}

static const char *path_at(unsigned int i)
{
	return path_name((enum memmap_path)i);
}

static const char *codegen_at(unsigned int i)
{
	return codegen_name((enum initpath_codegen)i);
}

static const struct choice kind_choice = {"--kind", NR_KINDS, kind_at};
static const struct choice path_choice = {"--path", NR_PATHS, path_at};
static const struct choice codegen_choice = {"--codegen", NR_CODEGENS, codegen_at};

static unsigned int choice_bit(const struct choice *choice, const char *word, struct argp_state *state)
{
	const char *names[16] = {NULL}, *near;

	if (!strcmp(word, "all"))
		return (1u << choice->nr) - 1;
	for (unsigned int i = 0; i < choice->nr; i++) {
		names[i] = choice->name(i);
		if (!strcmp(word, names[i]))
			return 1u << i;
	}
	names[choice->nr] = "all";
	near = suggest(word, names);
	argp_error(state, "%s: unknown name '%s'%s%s%s", choice->option, word,
		   near ? "; did you mean '" : " (--list shows all)", near ? near : "", near ? "'?" : "");
	return 0;
}

static unsigned int parse_choices(const struct choice *choice, char *arg, struct argp_state *state)
{
	unsigned int bits = 0;
	char *rest = arg, *word;

	while ((word = strsep(&rest, ",")))
		bits |= choice_bit(choice, word, state);
	return bits;
}

static bool is_routine(const char *name)
{
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(routines[i].name, name))
			return true;
	}
	return false;
}

static const char *suggest_routine(const char *name)
{
	const char *names[256] = {NULL};
	size_t nr;
	const struct initpath_routine *routines = initpath_routines(&nr);

	for (size_t i = 0; i < MIN(nr, ARRAY_SIZE(names) - 1); i++)
		names[i] = routines[i].name;
	return suggest(name, names);
}

static void parse_routines(struct measure_options *o, char *arg, struct argp_state *state)
{
	char *rest = arg, *word;

	while ((word = strsep(&rest, ","))) {
		const char *near;

		if (!is_routine(word)) {
			near = suggest_routine(word);
			argp_error(state, "--routine: unknown routine '%s'%s%s%s", word,
				   near ? "; did you mean '" : " (--list shows all)", near ? near : "",
				   near ? "'?" : "");
		}
		if (o->nr_routines == MEASURE_MAX_ROUTINES)
			argp_error(state, "--routine: more than %d names", MEASURE_MAX_ROUTINES);
		else
			o->routines[o->nr_routines++] = word;
	}
	o->simulated.routines = o->routines;
}

static const struct initpath_version *parse_version(const char *arg, struct argp_state *state)
{
	char known[64] = "";

	for (size_t i = 0; i < nr_initpath_versions; i++) {
		if (!strcmp(arg, initpath_versions[i].name))
			return &initpath_versions[i];
		snprintf(known + strlen(known), sizeof(known) - strlen(known), "%s%s", i ? ", " : "",
			 initpath_versions[i].name);
	}
	argp_error(state, "--kernel-version: want one of %s, found '%s'", known, arg);
	return NULL;
}

static uint64_t parse_pages_of_size(const char *arg, struct argp_state *state)
{
	uint64_t bytes = parse_size("--size", arg, state);

	if (bytes % BASE_PAGE_BYTES)
		argp_error(state, "--size: %s is not a whole number of 4 KiB pages", arg);
	return bytes / BASE_PAGE_BYTES;
}

static unsigned int parse_order(const char *arg, struct argp_state *state)
{
	if (!strcmp(arg, "9"))
		return 9;
	if (strcmp(arg, "18"))
		argp_error(state, "--order: want 9 (2 MiB) or 18 (1 GiB), found '%s'", arg);
	return 18;
}

static void set_pages(struct measure_options *o, uint64_t pages, struct argp_state *state)
{
	if (o->simulated.nr_pages)
		argp_error(state, "--pages and --size: give one of them, once");
	o->simulated.nr_pages = pages;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct measure_options *o = state->input;
	struct simulated_options *s = &o->simulated;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->common;
		state->child_inputs[1] = &o->kernel;
		return 0;
	case KEY_MODE:
		parse_mode(o, arg, state);
		return 0;
	case KEY_PAGES:
		set_pages(o, parse_number("--pages", arg, 1, UINT64_MAX, state), state);
		return 0;
	case KEY_SIZE:
		set_pages(o, parse_pages_of_size(arg, state), state);
		return 0;
	case KEY_REPS:
		s->reps = (unsigned int)parse_number("--reps", arg, 1, MAX_REPS, state);
		return 0;
	case KEY_KIND:
		s->kinds = parse_choices(&kind_choice, arg, state);
		return 0;
	case KEY_PATH:
		s->paths = parse_choices(&path_choice, arg, state);
		return 0;
	case KEY_CODEGEN:
		s->codegens = parse_choices(&codegen_choice, arg, state);
		return 0;
	case KEY_ROUTINE:
		parse_routines(o, arg, state);
		return 0;
	case KEY_ORDER:
		s->order = parse_order(arg, state);
		return 0;
	case KEY_SIMULATED_VERSION:
		s->version = parse_version(arg, state);
		return 0;
	case KEY_NODE:
		s->node = (int)parse_number("--node", arg, 0, INT32_MAX, state);
		return 0;
	case KEY_CPU:
		s->cpu = (int)parse_number("--cpu", arg, 0, INT32_MAX, state);
		return 0;
	case KEY_THREADS:
		s->threads = (unsigned int)parse_number("--threads", arg, 1, MAX_THREADS, state);
		return 0;
	case KEY_MEMORY:
		s->memory_bytes = parse_size("--memory", arg, state);
		return 0;
	case KEY_LIST:
		o->list = true;
		return 0;
	case ARGP_KEY_ARG:
		if (o->host)
			argp_error(state, "one host description at a time: '%s' is one too many", arg);
		o->host = arg;
		return 0;
	case ARGP_KEY_END:
		if (o->list)
			refuse_format(state, &o->common, "--list");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&common_argp,       0, "Common options:", 90},
	{&kernel_argp, 0, NULL, 0},
	{0		 },
};

const struct argp measure_argp = {
	option_rows,
	parse_option,
	"--mode simulated [HOST.yaml]\n--mode kernel --device NAME...\n--mode kernel --boot [--log "
	"FILE]\n--recover",
	"Measure how long struct pages take to initialise."
	"\vExample:\n"
	"  memmapctl measure --mode simulated --size 100GiB --kind zd-base\n"
	"  memmapctl measure --mode kernel --device dax0.0 -f json -o dax0.0.json\n\n"
	"With HOST.yaml: as many struct pages as its largest device has, written as its kernel does, "
	"measured on this machine.\n\n"
	"Formats: table, json, yaml, csv. Interrupted (Ctrl-C), it writes what it has, marked incomplete.\n\n"
	"Exit status: 0 measured, every routine wrote what the baseline writes; 2 usage; 3 not possible "
	"here (no such node, CPU or device, a device in use, not enough memory, no privilege); "
	"4 interrupted, a routine wrote something else, or the kernel refused a bind.",
	children,
	NULL,
	NULL,
};