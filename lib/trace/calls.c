// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/calls.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <tracefs.h>
#include <unistd.h>

#include "base/util.h"
#include "trace/symbols.h"

static const char group[] = "memmapctl_calls";
/* Of an event: kprobe_profile lists everybody's, without their groups. */
#define EVENT "memmapctl_f%zu"

struct probe {
	size_t symbol; /* in symbols */
	size_t name;   /* in names */
};

struct calls {
	const struct root *root;
	const char *const *names;
	size_t nr;
	char *tracefs;
	struct symbols symbols;
	struct probe *probes;
	size_t nr_probes;
	struct undo *undo;
	size_t undo_mark;
};

static void free_calls(struct calls *c)
{
	free(c->tracefs);
	free(c->probes);
	symbols_free(&c->symbols);
	free(c);
}

static bool is_copy_of(const char *symbol, const char *name)
{
	size_t len = strlen(name);

	return !strncmp(symbol, name, len) && (!symbol[len] || symbol[len] == '.');
}

static int find_tracefs(struct calls *c, struct diags *diags)
{
	const char *dir;

	if (tracefs_tracing_dir_is_mounted(false, &dir) <= 0 || !dir || !*dir)
		return diag_error(diags, -ENOENT, "tracefs is not mounted");
	c->tracefs = strdup(dir);
	return c->tracefs ? 0 : -ENOMEM;
}

static int find_functions(struct calls *c, struct diags *diags)
{
	struct traced_function *wanted = calloc(c->nr + 1, sizeof(*wanted));
	int err;

	if (!wanted)
		return -ENOMEM;
	for (size_t i = 0; i < c->nr; i++)
		wanted[i].name = c->names[i];
	err = symbols_find(c->root, c->tracefs, wanted, &c->symbols);
	free(wanted);
	return err == -ENOENT ? diag_error(diags, err, "this kernel shows no function that could be counted")
			      : err;
}

/* Noted before it is made: a probe of a killed process would count for ever. */
static int define(struct calls *c, const char *kprobe_events, size_t symbol)
{
	_cleanup_free_ char *definition = NULL, *removal = NULL, *event = NULL;
	int err;

	if (asprintf(&definition, "p:%s/" EVENT " %s\n", group, symbol, c->symbols.items[symbol].name) < 0 ||
	    asprintf(&removal, "-:%s/" EVENT "\n", group, symbol) < 0 ||
	    asprintf(&event, "%s/events/%s/" EVENT, c->tracefs, group, symbol) < 0)
		return -ENOMEM;
	err = undo_write_if(c->undo, event, kprobe_events, removal);
	return err ? err : write_file(kprobe_events, definition);
}

static int add_probe(struct calls *c, size_t symbol)
{
	for (size_t i = 0; i < c->nr; i++) {
		struct probe *p;

		if (!is_copy_of(c->symbols.items[symbol].name, c->names[i]))
			continue;
		p = array_grow(&c->probes, &c->nr_probes, sizeof(*p));
		if (!p)
			return -ENOMEM;
		*p = (struct probe){symbol, i};
	}
	return 0;
}

/* One that cannot be probed (6.1 forbids it for __meminit functions) is left out. */
static int define_all(struct calls *c, struct diags *diags)
{
	_cleanup_free_ char *kprobe_events = NULL;
	int first = 0;

	if (asprintf(&kprobe_events, "%s/kprobe_events", c->tracefs) < 0) {
		kprobe_events = NULL;
		return -ENOMEM;
	}
	for (size_t i = 0; i < c->symbols.nr; i++) {
		int err = define(c, kprobe_events, i);

		if (err == -ENOMEM)
			return err;
		first = first ? first : err;
		if (!err && add_probe(c, i))
			return -ENOMEM;
	}
	if (c->nr_probes)
		return 0;
	return diag_error(diags, first ? first : -ENOENT, "no kprobe can be set here: %s", strerror(-first));
}

/* With tracing off in the instance, a hit costs its count and no more. */
static int enable_all(struct calls *c)
{
	_cleanup_free_ char *instance = NULL, *on = NULL, *enable = NULL;
	int err;

	if (asprintf(&instance, "%s/instances/%s", c->tracefs, group) < 0 ||
	    asprintf(&on, "%s/instances/%s/tracing_on", c->tracefs, group) < 0 ||
	    asprintf(&enable, "%s/instances/%s/events/%s/enable", c->tracefs, group, group) < 0)
		return -ENOMEM;
	err = undo_rmdir(c->undo, instance);
	if (!err && mkdir(instance, 0700) && errno != EEXIST)
		err = -errno;
	if (!err)
		err = write_file(on, "0");
	return err ? err : write_file(enable, "1");
}

static int set_up(struct calls *c, struct diags *diags)
{
	int err = find_tracefs(c, diags);

	if (!err)
		err = find_functions(c, diags);
	if (!err)
		err = define_all(c, diags);
	if (err)
		return err;
	err = enable_all(c);
	return err ? diag_error(diags, err, "a trace instance of our own: %s", strerror(-err)) : 0;
}

int calls_open(const struct root *root, struct undo *undo, const char *const *names, size_t nr,
	       struct diags *diags, struct calls **out)
{
	struct calls *c = calloc(1, sizeof(*c));
	int err;

	if (!c)
		return -ENOMEM;
	*c = (struct calls){
		.root = root,
		.names = names,
		.nr = nr,
		.undo = undo,
		.undo_mark = undo_pending(undo),
	};
	err = set_up(c, diags);
	if (err) {
		calls_close(c, diags);
		return err;
	}
	*out = c;
	return 0;
}

int calls_close(struct calls *calls, struct diags *diags)
{
	int err;

	if (!calls)
		return 0;
	err = undo_to(calls->undo, calls->undo_mark, diags);
	free_calls(calls);
	return err;
}

const char *calls_symbol(const struct calls *calls, size_t i)
{
	for (size_t p = 0; p < calls->nr_probes; p++) {
		if (calls->probes[p].name == i)
			return calls->symbols.items[calls->probes[p].symbol].name;
	}
	return NULL;
}

/* A line of kprobe_profile: the event's name, hits, misses. */
static void add_line(const struct calls *c, const char *line, struct call_count *out)
{
	uint64_t hits, missed;
	size_t symbol;

	if (sscanf(line, " " EVENT " %" SCNu64 " %" SCNu64, &symbol, &hits, &missed) != 3)
		return;
	for (size_t p = 0; p < c->nr_probes; p++) {
		if (c->probes[p].symbol != symbol)
			continue;
		out[c->probes[p].name].hits += hits;
		out[c->probes[p].name].missed += missed;
	}
}

int calls_read(const struct calls *calls, struct call_count *out)
{
	_cleanup_free_ char *text = NULL;
	int err = root_read(calls->root, &text, "%s/kprobe_profile", calls->tracefs);

	if (err)
		return err;
	memset(out, 0, calls->nr * sizeof(*out));
	for (const char *line = text; *line;) {
		const char *end = strchrnul(line, '\n');

		add_line(calls, line, out);
		line = *end ? end + 1 : end;
	}
	return 0;
}
