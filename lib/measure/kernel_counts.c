// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_counts.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/util.h"

/*
 * One call of the function is one unit of the stage. 6.1 lets nobody probe sparse_add_section: it is __meminit, as are
 * all functions of the vmemmap there.
 */
static const struct counted {
	const char *function;
	enum event_id event;
	enum stage_id stage;
	enum unit_id unit;
} counted[] = {
	{"__init_zone_device_page", EVENT_BIND,   STAGE_MEMMAP_INIT,   UNIT_STRUCT_PAGES},
	{"sparse_add_section",      EVENT_BIND,   STAGE_ADD_MEMORY,    UNIT_SECTIONS    },
	{"sparse_remove_section",   EVENT_UNBIND, STAGE_REMOVE_MEMORY, UNIT_SECTIONS    },
};

struct kernel_counts {
	struct calls *calls;                /* NULL once they are read */
	char *symbols[ARRAY_SIZE(counted)]; /* NULL: not counted here */
	struct call_count counts[ARRAY_SIZE(counted)];
};

void kernel_counts_free(struct kernel_counts *counts)
{
	_cleanup_diags_ struct diags unheard = {0};

	if (!counts)
		return;
	calls_close(counts->calls, &unheard);
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++)
		free(counts->symbols[i]);
	free(counts);
}

static int keep_symbols(struct kernel_counts *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++) {
		const char *symbol = calls_symbol(c->calls, i);

		if (symbol && !(c->symbols[i] = strdup(symbol)))
			return -ENOMEM;
	}
	return 0;
}

int kernel_counts_open(const struct root *root, struct undo *undo, struct diags *diags,
		       struct kernel_counts **out)
{
	_cleanup_kernel_counts_ struct kernel_counts *c = calloc(1, sizeof(*c));
	static const char *names[ARRAY_SIZE(counted)];
	int err;

	if (!c)
		return -ENOMEM;
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++)
		names[i] = counted[i].function;
	err = calls_open(root, undo, names, ARRAY_SIZE(names), diags, &c->calls);
	if (!err)
		err = keep_symbols(c);
	if (!err)
		*out = take_ptr(c);
	return err;
}

int kernel_counts_end(struct kernel_counts *counts, struct diags *diags)
{
	int err = calls_read(counts->calls, counts->counts), closed;

	if (err)
		diag_error(diags, err, "the probes' hits cannot be read: %s", strerror(-err));
	closed = calls_close(counts->calls, diags);
	counts->calls = NULL;
	return err ? err : closed;
}

static int note(struct obs_run *run, const char *symbol, uint64_t calls)
{
	_cleanup_free_ char *before = run->note;

	run->note = NULL;
	return obs_run_set_note(run, "%s%s%" PRIu64 " calls of %s counted in one more rebind",
				before ? before : "", before ? "; " : "", calls, symbol);
}

int kernel_counts_apply(const struct kernel_counts *counts, struct diags *diags, struct obs_run *run)
{
	for (size_t i = 0; i < ARRAY_SIZE(counted); i++) {
		const struct counted *c = &counted[i];
		uint64_t calls = counts->counts[i].hits + counts->counts[i].missed;
		int err;

		if (run->event != c->event || run->stage != c->stage || run->unit != c->unit ||
		    !counts->symbols[i])
			continue;
		run->counted_units = calls;
		err = note(run, counts->symbols[i], calls);
		if (err || calls == run->units)
			return err;
		return diag_error(diags, -EBADMSG,
				  "%s: %s: geometry says %" PRIu64 " %s, the kernel called %s %" PRIu64
				  " times",
				  run->device, stage_name(run->stage), run->units, unit_name(run->unit),
				  counts->symbols[i], calls);
	}
	return 0;
}
