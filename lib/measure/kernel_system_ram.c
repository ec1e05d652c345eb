// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_system_ram.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/units.h"
#include "measure/kernel_log_tail.h"

#define KMEM        "/sys/bus/dax/drivers/kmem"
#define MEMORY      "/sys/devices/system/memory"
#define AUTO_ONLINE MEMORY "/auto_online_blocks"

/* What is timed; a row of runs each. */
enum step {
	STEP_ADD,          /* kmem's bind */
	STEP_ADD_STAGE,    /* add_memory in it */
	STEP_ONLINE,       /* one block */
	STEP_OFFLINE,      /* one block */
	STEP_REMOVE,       /* kmem's unbind */
	STEP_REMOVE_STAGE, /* remove_memory in it */
	NR_STEPS,
};

static const struct {
	enum event_id event;
	enum stage_id stage;
	enum unit_id unit;
	const char *note;
} step_rows[NR_STEPS] = {
	[STEP_ADD] = {EVENT_BIND,   STAGE_TOTAL,         UNIT_ONCE,          "bound to kmem: memory added, no block online yet"},
	[STEP_ADD_STAGE] = {EVENT_BIND,   STAGE_ADD_MEMORY,    UNIT_ONCE,          NULL                                              },
	[STEP_ONLINE] = {EVENT_ONLINE, STAGE_ONLINE_PAGES,  UNIT_MEMORY_BLOCKS,
                      "each sample is one memory block"									},
	[STEP_OFFLINE] = {EVENT_UNBIND, STAGE_TOTAL,         UNIT_MEMORY_BLOCKS,
                      "each sample is one memory block taken offline, movable and empty"                                       },
	[STEP_REMOVE] = {EVENT_UNBIND, STAGE_TOTAL,         UNIT_ONCE,          "unbound from kmem: memory removed"               },
	[STEP_REMOVE_STAGE] = {EVENT_UNBIND, STAGE_REMOVE_MEMORY, UNIT_ONCE,          NULL                                              },
};

struct system_ram {
	const struct kernel_device *device;
	const struct kernel_rebind_options *o;
	struct diags *diags;
	struct observations *obs;
	char *bind_file, *unbind_file; /* of the driver it had */
	char *label;                   /* "dax0.0 as system-ram" */
	size_t runs[NR_STEPS];         /* index in obs plus 1; 0: nothing timed yet */
	double last_cycle_ns;
	size_t block_mark; /* undo steps before those of the blocks */
	char **blocks;     /* state files of its memory blocks */
	size_t nr_blocks;
	uint64_t lost_events;
	int kmsg;
};

static void free_blocks(struct system_ram *s)
{
	for (size_t i = 0; i < s->nr_blocks; i++)
		free(s->blocks[i]);
	free(s->blocks);
	s->blocks = NULL;
	s->nr_blocks = 0;
}

static struct obs_run *run_of(struct system_ram *s, enum step step)
{
	struct obs_run *run;

	if (s->runs[step])
		return &s->obs->runs[s->runs[step] - 1];
	run = observations_add_run(s->obs);
	if (!run)
		return NULL;
	s->runs[step] = s->obs->nr_runs;
	run->event = step_rows[step].event;
	run->stage = step_rows[step].stage;
	run->unit = step_rows[step].unit;
	run->units = run->measured_units = 1;
	run->device = strdup(s->label);
	run->note = step_rows[step].note ? strdup(step_rows[step].note) : NULL;
	return run->device && (run->note || !step_rows[step].note) ? run : NULL;
}

/* The first cycle's own sample is kept apart; a block's is as good as another's. */
static int add_sample(struct system_ram *s, enum step step, unsigned int cycle, double ns)
{
	struct obs_run *run = run_of(s, step);

	if (!run)
		return -ENOMEM;
	s->last_cycle_ns += ns;
	if (cycle || run->unit == UNIT_MEMORY_BLOCKS)
		return obs_run_add_sample(run, ns);
	run->first_ns = ns;
	return 0;
}

static int summarize(struct system_ram *s)
{
	int err = 0;

	for (int step = 0; !err && step < NR_STEPS; step++) {
		if (s->runs[step])
			err = obs_run_summarize(&s->obs->runs[s->runs[step] - 1]);
	}
	return err;
}

static int refused(struct system_ram *s, const char *file, const char *value, int err)
{
	_cleanup_free_ char *said = kernel_log_tail(s->kmsg, s->device->bound);

	return diag_error(s->diags, -EIO, "%s: the kernel refused \"%s\" in %s: %s%s%s", s->device->name,
			  value, file, strerror(-err), said ? "; it says: " : "", said ? said : "");
}

static int plain_write(struct system_ram *s, const char *file, const char *value)
{
	int err = write_file(file, value);

	return err ? refused(s, file, value, err) : 0;
}

static int timed_write(struct system_ram *s, unsigned int cycle, enum step step, const char *file,
		       const char *value)
{
	uint64_t start = clock_now_ns(s->o->clock);
	int err = write_file(file, value);
	uint64_t end = clock_now_ns(s->o->clock);

	return err ? refused(s, file, value, err) : add_sample(s, step, cycle, (double)(end - start));
}

/* The same with tracing: the stage is the role's time in it. */
static int traced_write(struct system_ram *s, unsigned int cycle, enum step step, const char *file,
			enum span_role role)
{
	struct timing_result result = {0};
	enum step stage = step == STEP_ADD ? STEP_ADD_STAGE : STEP_REMOVE_STAGE;
	int err = timing_begin(s->o->timing), ended;

	if (err)
		return diag_error(s->diags, err, "tracing cannot be started: %s", strerror(-err));
	err = timed_write(s, cycle, step, file, s->device->bound);
	ended = timing_end(s->o->timing, &result);
	if (err)
		return err;
	if (ended)
		return diag_error(s->diags, ended, "the trace cannot be read: %s", strerror(-ended));
	s->lost_events += result.lost_events;
	return timing_has(s->o->timing, role) ? add_sample(s, stage, cycle, (double)result.roles[role].ns)
					      : 0;
}

static bool is_block(const char *name)
{
	return !strncmp(name, "memory", 6) && name[6] >= '0' && name[6] <= '9';
}

static bool is_listed(char *const *names, const char *name)
{
	for (; *names; names++) {
		if (!strcmp(*names, name))
			return true;
	}
	return false;
}

/* The blocks that were not there before: ours. How to take each offline is noted before it goes online. */
static int find_blocks(struct system_ram *s, char *const *before)
{
	_cleanup_(root_names_free) char **names = NULL;
	int err = root_list(s->o->root, &names, MEMORY);

	for (char **name = names; !err && *name; name++) {
		char **slot;

		if (!is_block(*name) || is_listed(before, *name))
			continue;
		slot = array_grow(&s->blocks, &s->nr_blocks, sizeof(*slot));
		if (!slot || asprintf(slot, MEMORY "/%s/state", *name) < 0)
			return -ENOMEM;
		err = undo_set(s->o->undo, *slot, "offline");
	}
	return err;
}

static int cycle_blocks(struct system_ram *s, unsigned int cycle)
{
	int err = 0;

	for (size_t i = 0; !err && i < s->nr_blocks; i++)
		err = timed_write(s, cycle, STEP_ONLINE, s->blocks[i], "online_movable");
	for (size_t i = s->nr_blocks; !err && i-- > 0;)
		err = timed_write(s, cycle, STEP_OFFLINE, s->blocks[i], "offline");
	return err ? err : undo_forget(s->o->undo, s->block_mark);
}

/* Bound to kmem by this file, the device's blocks are those that were not there before. */
static int add_and_cycle(struct system_ram *s, unsigned int cycle, const char *bind_file)
{
	_cleanup_(root_names_free) char **before = NULL;
	int err = root_list(s->o->root, &before, MEMORY);

	if (!err)
		err = traced_write(s, cycle, STEP_ADD, bind_file, ROLE_ADD_MEMORY);
	if (!err)
		err = find_blocks(s, before);
	if (!err)
		err = cycle_blocks(s, cycle);
	free_blocks(s);
	return err;
}

static int remove_timed(struct system_ram *s, unsigned int cycle)
{
	return traced_write(s, cycle, STEP_REMOVE, KMEM "/unbind", ROLE_REMOVE_MEMORY);
}

/* A device that is kmem's anyway: away and back. */
static int run_cycle_at_home(struct system_ram *s, unsigned int cycle)
{
	int err = remove_timed(s, cycle);

	return err ? err : add_and_cycle(s, cycle, s->bind_file);
}

static int run_cycle_away(struct system_ram *s, unsigned int cycle)
{
	int err = plain_write(s, s->unbind_file, s->device->bound);

	/* A new id makes kmem probe the device. */
	if (!err)
		err = add_and_cycle(s, cycle, KMEM "/new_id");
	if (!err)
		err = remove_timed(s, cycle);
	if (!err)
		err = plain_write(s, KMEM "/remove_id", s->device->bound);
	return err ? err : plain_write(s, s->bind_file, s->device->bound);
}

static int run_cycles(struct system_ram *s)
{
	int err = 0;

	for (unsigned int i = 0; !err && i < s->o->cycles; i++) {
		if (s->o->stop && *s->o->stop)
			return -EINTR;
		if (s->o->progress)
			s->o->progress(s->o->progress_ctx, i, s->o->cycles, s->last_cycle_ns);
		s->last_cycle_ns = 0;
		err = s->device->kind == KERNEL_SYSTEM_RAM ? run_cycle_at_home(s, i) : run_cycle_away(s, i);
	}
	if (!err && s->o->progress)
		s->o->progress(s->o->progress_ctx, s->o->cycles, s->o->cycles, 0);
	return err;
}

/* Blocks must come up offline, or there is nothing to time. */
static int stop_auto_online(struct system_ram *s)
{
	_cleanup_free_ char *policy = NULL;
	int err = root_read(s->o->root, &policy, AUTO_ONLINE);

	if (err == -ENOENT || (!err && !strcmp(policy, "offline")))
		return 0;
	if (!err)
		err = undo_write(s->o->undo, AUTO_ONLINE, policy);
	return err ? err : plain_write(s, AUTO_ONLINE, "offline");
}

/* In the order in which they are to be undone, the last first. */
static int note_undo(struct system_ram *s)
{
	_cleanup_free_ char *driver = NULL, *at_kmem = NULL;
	const char *name = s->device->bound;
	int err;

	if (asprintf(&driver, "%s/driver", s->device->device_dir) < 0 ||
	    asprintf(&at_kmem, KMEM "/%s", name) < 0)
		return -ENOMEM;
	err = undo_write_unless(s->o->undo, driver, s->bind_file, name);
	if (s->device->kind == KERNEL_SYSTEM_RAM) {
		s->block_mark = undo_pending(s->o->undo);
		return err;
	}
	if (!err)
		err = undo_write(s->o->undo, KMEM "/remove_id", name);
	if (!err)
		err = undo_write_if(s->o->undo, at_kmem, KMEM "/unbind", name);
	s->block_mark = undo_pending(s->o->undo);
	return err;
}

static int prepare(struct system_ram *s)
{
	struct stat st;

	bool is_dax = s->device->kind == KERNEL_DEVDAX || s->device->kind == KERNEL_SYSTEM_RAM;

	if (!is_dax || strncmp(s->device->device_dir, "/sys/bus/dax/", 13))
		return diag_error(s->diags, -ENOTSUP,
				  "%s: only a dax device can become system-ram: give that of the namespace",
				  s->device->name);
	if (stat(KMEM, &st))
		return diag_error(s->diags, -ENOTSUP,
				  "the driver for system-ram is not loaded: modprobe kmem");
	if (asprintf(&s->bind_file, "%s/bind", s->device->driver_dir) < 0 ||
	    asprintf(&s->unbind_file, "%s/unbind", s->device->driver_dir) < 0 ||
	    asprintf(&s->label, "%s as system-ram", s->device->name) < 0)
		return -ENOMEM;
	return stop_auto_online(s);
}

int kernel_system_ram(const struct kernel_device *device, const struct kernel_rebind_options *options,
		      struct diags *diags, struct observations *obs)
{
	struct system_ram s = {.device = device, .o = options, .diags = diags, .obs = obs};
	size_t mark = undo_pending(options->undo);
	int err, summarized, put_back;

	s.kmsg = kernel_log_tail_open();
	err = prepare(&s);
	if (!err)
		err = note_undo(&s);
	if (!err)
		err = run_cycles(&s);
	if (err)
		obs->incomplete = true;
	summarized = summarize(&s);
	put_back = undo_to(options->undo, mark, diags);
	timing_tell_lost(device->name, s.lost_events, diags);
	kernel_log_complaints(s.kmsg, diags);
	free_blocks(&s);
	free(s.bind_file);
	free(s.unbind_file);
	free(s.label);
	close_fd(&s.kmsg);
	return err ? err : summarized ? summarized : put_back;
}
