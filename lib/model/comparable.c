// SPDX-License-Identifier: GPL-2.0-or-later
#include "model/comparable.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"

enum severity {
	MUST_BE_SAME,
	BETTER_SAME,
};

/* Texts of the environment: a difference between two that are stated counts. */
static const struct {
	const char *what;
	size_t offset;
	enum severity severity;
} texts[] = {
	{"architecture",             offsetof(struct obs_environment, arch),              MUST_BE_SAME},
	{"CPU",		      offsetof(struct obs_environment, cpu),               MUST_BE_SAME},
	{"simulated kernel version", offsetof(struct obs_environment, simulated_version), MUST_BE_SAME},
	{"timing source",            offsetof(struct obs_environment, timing_source),     BETTER_SAME },
	{"memory",		   offsetof(struct obs_environment, memory),            BETTER_SAME },
};

static const struct {
	const char *yes, *no;
	size_t offset;
} switches[] = {
	{"emulated",              "not emulated",      offsetof(struct obs_environment, emulated)         },
	{"virtualized",           "not virtualized",   offsetof(struct obs_environment, virtualized)      },
	{"counting instructions", "keeping real time", offsetof(struct obs_environment, instruction_clock)},
};

struct checking {
	const struct observations *a, *b;
	bool force;
	struct diags *diags;
	bool failed;
};

static void differs(struct checking *c, enum severity severity, const char *what, const char *a,
		    const char *b)
{
	bool is_error = severity == MUST_BE_SAME && !c->force;

	c->failed |= is_error;
	diag_add(c->diags, is_error ? DIAG_ERROR : DIAG_WARNING, NULL, 0, 0, "%s differs: %s against %s%s",
		 what, a, b, is_error ? " (--force compares all the same)" : "");
}

static void check_texts(struct checking *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		const char *a = *(char *const *)((const char *)&c->a->env + texts[i].offset);
		const char *b = *(char *const *)((const char *)&c->b->env + texts[i].offset);

		if (!a != !b)
			differs(c, BETTER_SAME, texts[i].what, a ? a : "not stated", b ? b : "not stated");
		else if (a && strcmp(a, b))
			differs(c, texts[i].severity, texts[i].what, a, b);
	}
}

static void check_switches(struct checking *c)
{
	for (size_t i = 0; i < ARRAY_SIZE(switches); i++) {
		bool a = *(const bool *)((const char *)&c->a->env + switches[i].offset);
		bool b = *(const bool *)((const char *)&c->b->env + switches[i].offset);

		if (a != b)
			differs(c, MUST_BE_SAME, "machine", a ? switches[i].yes : switches[i].no,
				b ? switches[i].yes : switches[i].no);
	}
}

int check_comparable(const struct observations *a, const struct observations *b, bool force,
		     struct diags *diags)
{
	struct checking c = {.a = a, .b = b, .force = force, .diags = diags};

	if (strcmp(a->mode, b->mode))
		differs(&c, MUST_BE_SAME, "mode", a->mode, b->mode);
	check_texts(&c);
	check_switches(&c);
	return c.failed ? -EINVAL : 0;
}

static bool same_namespace(const struct host_namespace *a, const struct host_namespace *b)
{
	return a->mode == b->mode && a->map == b->map && a->align_bytes == b->align_bytes;
}

static bool same_kind_of_device(const struct host_device *a, const struct host_device *b)
{
	return a->type == b->type && a->memmap_on_memory == b->memmap_on_memory &&
	       a->block_bytes == b->block_bytes;
}

static bool same_device(const struct device_work *a, const struct device_work *b)
{
	if (a->raw_bytes != b->raw_bytes || !a->ns != !b->ns)
		return false;
	return a->ns ? same_namespace(a->ns, b->ns) : same_kind_of_device(a->dev, b->dev);
}

static bool same_pool(const struct host_hugepages *a, const struct host_hugepages *b)
{
	return a->size_bytes == b->size_bytes && a->count == b->count && a->when == b->when;
}

static bool same_boot(const struct host *a, const struct host *b)
{
	if (a->memory_bytes != b->memory_bytes || a->cpus != b->cpus || a->hvo_enabled != b->hvo_enabled ||
	    a->nr_hugepages != b->nr_hugepages)
		return false;
	for (size_t i = 0; i < a->nr_hugepages; i++) {
		if (!same_pool(&a->hugepages[i], &b->hugepages[i]))
			return false;
	}
	return true;
}

/* "100GiB devdax align=2MiB map=mem" */
static void device_words(char *buf, size_t size, const struct device_work *device)
{
	char raw[UNITS_STR], align[UNITS_STR];

	size_exact(raw, device->raw_bytes);
	if (device->ns)
		snprintf(buf, size, "%s %s align=%s map=%s", raw, namespace_mode_name(device->ns->mode),
			 size_exact(align, device->ns->align_bytes), namespace_map_name(device->ns->map));
	else
		snprintf(buf, size, "%s %s%s", raw, device_type_name(device->dev->type),
			 device->dev->memmap_on_memory ? " memmap_on_memory" : "");
}

static char *why_devices(const struct device_work *a, const struct device_work *b)
{
	char from[256], to[256], *why;

	device_words(from, sizeof(from), a);
	device_words(to, sizeof(to), b);
	return asprintf(&why, "%s: %s against %s", a->name, from, to) < 0 ? NULL : why;
}

static char *why_units(const struct obs_run *a, const struct obs_run *b)
{
	char *why;

	if (asprintf(&why, "%s%s%s: %" PRIu64 " %s against %" PRIu64 " %s", a->device ? a->device : "",
		     a->device ? " " : "", stage_name(a->stage), a->units, unit_name(a->unit), b->units,
		     unit_name(b->unit)) < 0)
		return NULL;
	return why;
}

bool same_work(const struct described_run *a, const struct described_run *b, char **why)
{
	if (a->device && b->device) {
		if (same_device(a->device, b->device))
			return true;
		*why = why_devices(a->device, b->device);
		return false;
	}
	if (a->work && b->work && !a->run->device && !b->run->device) {
		if (same_boot(a->work->host, b->work->host))
			return true;
		*why = strdup("boot: other RAM, CPUs, hugepages or HVO");
		return false;
	}
	if (a->run->units == b->run->units && a->run->unit == b->run->unit)
		return true;
	*why = why_units(a->run, b->run);
	return false;
}
