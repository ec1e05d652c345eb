// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_boot.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "measure/kernel_boot_trace.h"

struct boot {
	const struct klog *klog;
	struct boot_trace trace; /* all zero: there is none */
	bool is_traced;
	struct boot_pools pools;
	struct observations *obs;
	double jiffy_ms;
};

static const struct klog_record *last_of(const struct boot *b, enum klog_type type)
{
	for (size_t i = b->klog->nr; i-- > 0;) {
		if (b->klog->records[i].type == type)
			return &b->klog->records[i];
	}
	return NULL;
}

/* Time from a to b by their stamps. Stamps of before the clock runs are all zero: they tell nothing. */
static bool elapsed(const struct klog_record *a, const struct klog_record *b, double *ns)
{
	if (!a || !b || a->stamp != b->stamp || (a->stamp != KLOG_STAMP_BOOT && a->stamp != KLOG_STAMP_DELTA))
		return false;
	if (!a->stamp_ns || b->stamp_ns <= a->stamp_ns)
		return false;
	*ns = (double)(b->stamp_ns - a->stamp_ns);
	return true;
}

static struct obs_run *add_run(struct boot *b, enum event_id event, enum stage_id stage, enum unit_id unit,
			       uint64_t units)
{
	struct obs_run *run = observations_add_run(b->obs);

	if (!run)
		return NULL;
	run->event = event;
	run->stage = stage;
	run->unit = units ? unit : UNIT_ONCE;
	run->units = run->measured_units = units ? units : 1;
	return run;
}

/* A number of jiffies: true to one of them, and 0 means less than one, not nothing. */
static int note_jiffies(const struct boot *b, struct obs_run *run, const char *more)
{
	return obs_run_set_note(run, "counted in jiffies: each time is true to %.3g ms%s", b->jiffy_ms, more);
}

static struct obs_run *find_bind(struct boot *b, const struct klog_record *r)
{
	for (size_t i = 0; i < b->obs->nr_runs; i++) {
		struct obs_run *run = &b->obs->runs[i];

		if (run->event == EVENT_BIND && run->units == r->pages &&
		    (run->device && r->name ? !strcmp(run->device, r->name) : run->device == r->name))
			return run;
	}
	return NULL;
}

/* Lines of the same number of pages are taken for binds of the same, or of equal, devices: newer lines name none. */
static int observe_bind(struct boot *b, const struct klog_record *r)
{
	struct obs_run *run = r->pages ? find_bind(b, r) : NULL;

	if (run)
		return obs_run_add_sample(run, (double)r->ms * NS_PER_MS);
	run = add_run(b, EVENT_BIND, STAGE_MEMMAP_INIT, UNIT_STRUCT_PAGES, r->pages);
	if (!run)
		return -ENOMEM;
	if (r->name && !(run->device = strdup(r->name)))
		return -ENOMEM;
	int err = note_jiffies(b, run,
			       "; pages as the kernel prints them, the ones really initialised may be fewer");

	return err ? err : obs_run_add_sample(run, (double)r->ms * NS_PER_MS);
}

static int observe_deferred(struct boot *b, const struct klog_record *r)
{
	struct obs_run *run = add_run(b, EVENT_BOOT, STAGE_MEMMAP_DEFERRED, UNIT_STRUCT_PAGES, r->pages);

	if (!run || asprintf(&run->device, "node%u", r->node) < 0)
		return -ENOMEM;
	int err = note_jiffies(b, run,
			       r->pages ? "; nodes run side by side"
					: "; nodes run side by side; the line does not say how many pages");

	return err ? err : obs_run_add_sample(run, (double)r->ms * NS_PER_MS);
}

/* Hugepages allocated at boot: gigantic ones come from memblock, the smaller from the buddy allocator. */
static uint64_t boot_hugepages(const struct boot *b, bool gigantic)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < b->klog->nr; i++) {
		const struct klog_record *r = &b->klog->records[i];

		if (r->type == KLOG_HUGETLB_REGISTERED && (r->page_size_bytes >= GIB) == gigantic)
			nr += r->count;
	}
	return nr;
}

static const char own_count[] = "initcall_debug's own count";

/*
 * hugetlb_init's time: by the trace of its first and last call, else by the stamps of its two lines, as its own count of
 * microseconds can lose ticks in a VM.
 */
static bool hugetlb_init_ns(const struct boot *b, double *ns, const char **how)
{
	static const char function[] = "hugetlb_init";
	const uint64_t *first_ns = b->trace.first_ns;
	const struct klog_record *begin = NULL;
	size_t len = strlen(function);

	if (b->trace.calls[CALL_HUGETLB_INIT] &&
	    first_ns[CALL_HUGETLB_CGROUP_INIT] > first_ns[CALL_HUGETLB_INIT]) {
		*how = "the boot's function trace";
		*ns = (double)(first_ns[CALL_HUGETLB_CGROUP_INIT] - first_ns[CALL_HUGETLB_INIT]);
		return true;
	}
	for (size_t i = 0; i < b->klog->nr; i++) {
		const struct klog_record *r = &b->klog->records[i];

		if ((r->type != KLOG_INITCALL_BEGIN && r->type != KLOG_INITCALL_END) ||
		    strncmp(r->name, function, len) || r->name[len] != '+')
			continue;
		if (r->type == KLOG_INITCALL_BEGIN) {
			begin = r;
			continue;
		}
		*how = "stamps of its initcall_debug lines";
		if (elapsed(begin, r, ns))
			return true;
		*how = own_count;
		*ns = (double)r->us * NS_PER_US;
		return true;
	}
	return false;
}

/*
 * Without gigantic pages, hugetlb_init is the allocation of the smaller ones, and its stamps tell it better than the line
 * that counts jiffies: in a virtual machine those may run too fast or too slow at that time.
 */
static bool hugetlb_init_tells(const struct boot *b, double *ns, const char **how)
{
	if (!b->pools.smaller || b->pools.gigantic || !hugetlb_init_ns(b, ns, how))
		return false;
	return *how != own_count || !last_of(b, KLOG_HUGETLB_TOOK);
}

static int observe_hugetlb_took(struct boot *b, const struct klog_record *r)
{
	struct obs_run *run;
	const char *how;
	double ns;

	if (hugetlb_init_tells(b, &ns, &how))
		return 0;
	run = add_run(b, EVENT_BOOT, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES, b->pools.smaller);
	if (!run)
		return -ENOMEM;
	run->threads = MAX(r->threads, 1U);
	int err = note_jiffies(b, run, "");

	return err ? err : obs_run_add_sample(run, (double)r->ms * NS_PER_MS);
}

/*
 * Struct pages of gigantic hugepages. From 6.12.114 on they are initialised between deferred init and the "Memory:"
 * line; before, that line comes first: then most were initialised while boot memory was freed, the rest in
 * hugetlb_init.
 */
static int observe_gigantic(struct boot *b)
{
	const struct klog_record *memory = last_of(b, KLOG_MEMORY), *deferred = last_of(b, KLOG_DEFERRED);
	const struct klog_record *mem_init = last_of(b, KLOG_MEM_INIT);
	uint64_t nr = b->pools.gigantic;
	double ns = 0, initcall = 0;
	const char *how = NULL;
	struct obs_run *run;
	int err;

	if (!nr || !memory || kernel_boot_trace_has(&b->trace, &b->pools, STAGE_HUGETLB_TAILS))
		return 0;
	bool late = deferred && memory > deferred;

	if (late ? !elapsed(deferred, memory, &ns) : !elapsed(mem_init, memory, &ns))
		ns = 0;
	if (!late && hugetlb_init_ns(b, &initcall, &how))
		ns += initcall;
	if (ns <= 0)
		return 0;
	run = add_run(b, EVENT_BOOT, STAGE_HUGETLB_TAILS, UNIT_HUGEPAGES, nr);
	if (!run)
		return -ENOMEM;
	if (late)
		err = obs_run_set_note(
			run, "from the last \"deferred pages initialised\" to \"Memory:\", by their stamps");
	else
		err = obs_run_set_note(
			run,
			"from \"mem auto-init\" or \"software IO TLB\" to \"Memory:\", with the freeing of "
			"all boot memory%s%s",
			how ? ", and hugetlb_init by " : "", how ? how : "");
	return err ? err : obs_run_add_sample(run, ns);
}

static int observe_hugetlb_init(struct boot *b)
{
	struct obs_run *run;
	const char *how;
	double ns;

	if (kernel_boot_trace_has(&b->trace, &b->pools, STAGE_HUGETLB_ALLOC) ||
	    !hugetlb_init_tells(b, &ns, &how))
		return 0;
	run = add_run(b, EVENT_BOOT, STAGE_HUGETLB_ALLOC, UNIT_HUGEPAGES, b->pools.smaller);
	if (!run)
		return -ENOMEM;
	int err = obs_run_set_note(run, "hugetlb_init, by %s", how);

	return err ? err : obs_run_add_sample(run, ns);
}

static int observe_total(struct boot *b)
{
	const struct klog_record *init = last_of(b, KLOG_INIT_STARTED);
	struct obs_run *run;

	if (!init || init->stamp != KLOG_STAMP_BOOT || !init->stamp_ns)
		return 0;
	run = add_run(b, EVENT_BOOT, STAGE_TOTAL, UNIT_ONCE, 1);
	if (!run)
		return -ENOMEM;
	int err = obs_run_set_note(run, "kernel start to %s, by its stamp", init->name);

	return err ? err : obs_run_add_sample(run, (double)init->stamp_ns);
}

static int observe_record(struct boot *b, const struct klog_record *r)
{
	switch (r->type) {
	case KLOG_ZONE_DEVICE:
		return observe_bind(b, r);
	case KLOG_DEFERRED:
		return kernel_boot_trace_has(&b->trace, &b->pools, STAGE_MEMMAP_DEFERRED)
			       ? 0
			       : observe_deferred(b, r);
	case KLOG_HUGETLB_TOOK:
		return kernel_boot_trace_has(&b->trace, &b->pools, STAGE_HUGETLB_ALLOC)
			       ? 0
			       : observe_hugetlb_took(b, r);
	default:
		return 0;
	}
}

/* What times nothing, but a reader of a boot's figures should know. */
static void tell(const struct klog_record *r, const char *file, struct diags *diags)
{
	char size[UNITS_STR], bytes[UNITS_STR];

	size_exact(size, r->page_size_bytes);
	size_exact(bytes, r->bytes);
	switch (r->type) {
	case KLOG_HUGETLB_SHORT:
		diag_add(diags, DIAG_WARNING, file, r->line, 0,
			 "only %llu of %llu hugepages of %s were allocated", (unsigned long long)r->count,
			 (unsigned long long)r->wanted, size);
		break;
	case KLOG_HUGETLB_CROSS_ZONE:
		diag_add(diags, DIAG_WARNING, file, r->line, 0,
			 "%llu hugepages of %s were given back: they crossed a zone's border",
			 (unsigned long long)r->count, size);
		break;
	case KLOG_HUGETLB_CMA:
		diag_add(diags, DIAG_NOTE, file, r->line, 0,
			 "hugetlb_cma is on: no gigantic pages were allocated at boot");
		break;
	case KLOG_VMEMMAP_FAILED:
		diag_add(diags, DIAG_WARNING, file, r->line, 0,
			 "no free block of order %llu for the vmemmap of added memory: hot-plug was slower "
			 "or failed",
			 (unsigned long long)r->count);
		break;
	case KLOG_UNALIGNED_RANGE:
		diag_add(diags, DIAG_WARNING, file, r->line, 0,
			 "memory was not added: its range is not a multiple of memory blocks of %llu MiB",
			 (unsigned long long)(r->end / MIB));
		break;
	case KLOG_MISALIGNED_PAGES:
		diag_add(diags, DIAG_WARNING, file, r->line, 0,
			 "memory was not added: pages 0x%llx to 0x%llx are not whole subsections of 2MiB",
			 (unsigned long long)r->start, (unsigned long long)r->end);
		break;
	case KLOG_DEVICE_MEMORY:
		diag_add(diags, DIAG_NOTE, file, r->line, 0,
			 "%s%sdevice memory of %s registered with struct pages", r->name ? r->name : "",
			 r->name ? ": " : "", bytes);
		break;
	case KLOG_DEVICE_RESERVED:
		diag_add(diags, DIAG_NOTE, file, r->line, 0,
			 "%s of RAM are reserved for struct pages of GPU memory", bytes);
		break;
	default:
		break;
	}
}

static int replace(char **field, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*field);
	*field = copy;
	return 0;
}

static int fill_environment(struct boot *b)
{
	const struct klog_record *version = last_of(b, KLOG_VERSION);

	b->obs->env.resolution_ns = b->jiffy_ms * NS_PER_MS;
	if (version && replace(&b->obs->env.kernel, version->name))
		return -ENOMEM;
	return replace(&b->obs->env.timing_source,
		       b->is_traced ? "kernel log, boot-time function trace" : "kernel log");
}

int kernel_boot_observe(const struct klog *klog, const struct boot_trace *trace, unsigned int hz,
			const char *file, struct diags *diags, struct observations *obs)
{
	struct boot b = {.klog = klog, .obs = obs, .jiffy_ms = klog_jiffy_ms(klog, hz)};
	size_t before = obs->nr_runs;
	int err;

	b.pools = (struct boot_pools){boot_hugepages(&b, true), boot_hugepages(&b, false)};
	if (trace)
		b.trace = *trace;
	err = kernel_boot_trace_observe(&b.trace, &b.pools, obs);
	b.is_traced = obs->nr_runs > before;
	for (size_t i = 0; !err && i < klog->nr; i++) {
		tell(&klog->records[i], file, diags);
		err = observe_record(&b, &klog->records[i]);
	}
	if (!err)
		err = observe_gigantic(&b);
	if (!err)
		err = observe_hugetlb_init(&b);
	if (!err)
		err = observe_total(&b);
	if (!err)
		err = fill_environment(&b);
	for (size_t i = before; !err && i < obs->nr_runs; i++)
		err = obs_run_summarize(&obs->runs[i]);
	if (!err && obs->nr_runs == before)
		err = -ENODATA;
	return err;
}
