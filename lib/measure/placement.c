// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/placement.h"

#include <errno.h>
#include <numa.h>
#include <sched.h>

enum { MAX_CPUS = 8192 };

static bool is_picked(const unsigned int *picked, size_t nr, unsigned int cpu)
{
	for (size_t i = 0; i < nr; i++) {
		if (picked[i] == cpu)
			return true;
	}
	return false;
}

static size_t index_of_cpu(const struct cpu_place *cpus, size_t nr, unsigned int cpu)
{
	for (size_t i = 0; i < nr; i++) {
		if (cpus[i].cpu == cpu)
			return i;
	}
	return 0;
}

size_t placement_pick(const struct cpu_place *cpus, size_t nr, unsigned int first, size_t want,
		      unsigned int *out)
{
	size_t start = index_of_cpu(cpus, nr, first), found = 0;

	for (int same_node = 1; same_node >= 0; same_node--) {
		for (size_t i = 0; i < nr && found < want; i++) {
			const struct cpu_place *c = &cpus[(start + i) % nr];

			if (same_node && c->node != cpus[start].node)
				continue;
			if (!is_picked(out, found, c->cpu))
				out[found++] = c->cpu;
		}
	}
	return found;
}

/* The CPUs this thread may use, with their nodes. */
static int list_cpus(struct cpu_place **cpus, size_t *nr)
{
	size_t size = CPU_ALLOC_SIZE(MAX_CPUS);
	cpu_set_t *set = CPU_ALLOC(MAX_CPUS);
	int err = 0;

	if (!set)
		return -ENOMEM;
	CPU_ZERO_S(size, set);
	if (sched_getaffinity(0, size, set))
		err = -errno;
	for (unsigned int cpu = 0; !err && cpu < MAX_CPUS; cpu++) {
		struct cpu_place *place;

		if (!CPU_ISSET_S(cpu, size, set))
			continue;
		place = array_grow(cpus, nr, sizeof(**cpus));
		if (!place)
			err = -ENOMEM;
		else
			*place = (struct cpu_place){cpu,
						    numa_available() < 0 ? -1 : numa_node_of_cpu((int)cpu)};
	}
	CPU_FREE(set);
	return err;
}

static int check_node(int node, struct diags *diags)
{
	if (node < 0)
		return 0;
	if (numa_available() < 0)
		return diag_error(diags, -ENODEV, "--node %d: this kernel has no NUMA support", node);
	if (node > numa_max_node() || !numa_bitmask_isbitset(numa_get_mems_allowed(), (unsigned int)node))
		return diag_error(diags, -ENODEV,
				  "--node %d: no such node with memory here (the highest is node %d)", node,
				  numa_max_node());
	return 0;
}

/* The CPU asked for, else one of the node asked for, else the one this runs on. */
static int first_cpu(const struct cpu_place *cpus, size_t nr, int node, int cpu, struct diags *diags)
{
	int current = sched_getcpu();

	for (size_t i = 0; cpu >= 0 && i < nr; i++) {
		if (cpus[i].cpu == (unsigned int)cpu)
			return cpu;
	}
	if (cpu >= 0)
		return diag_error(diags, -ENODEV,
				  "--cpu %d: not a CPU this program may run on (CPU %u to %u)", cpu,
				  cpus[0].cpu, cpus[nr - 1].cpu);
	for (size_t i = 0; node >= 0 && i < nr; i++) {
		if (cpus[i].node == node)
			return (int)cpus[i].cpu;
	}
	return MAX(current, 0); /* a node of memory alone is written from here */
}

int placement_choose(int node, int cpu, unsigned int threads, struct diags *diags, struct placement *out)
{
	_cleanup_free_ struct cpu_place *cpus = NULL;
	_cleanup_free_ unsigned int *picked = NULL;
	size_t nr = 0;
	int err = list_cpus(&cpus, &nr);
	int first;

	if (!err)
		err = check_node(node, diags);
	if (err || !nr)
		return err ? err : -ENODEV;
	first = first_cpu(cpus, nr, node, cpu, diags);
	if (first < 0)
		return first;
	picked = calloc(threads, sizeof(*picked));
	if (!picked)
		return -ENOMEM;
	out->pinned = placement_pick(cpus, nr, (unsigned int)first, threads, picked) == threads;
	out->node = node;
	out->cpus = take_ptr(picked);
	return 0;
}

void placement_free(struct placement *placement)
{
	free(placement->cpus);
	*placement = (struct placement){0};
}
