// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/units.h"
#include "measure/machine.h"

/* "MemAvailable:   24412345 kB" */
static uint64_t meminfo_bytes(const struct root *root, const char *key)
{
	_cleanup_free_ char *text = NULL;
	size_t len = strlen(key);
	uint64_t kib = 0;

	if (root_read(root, &text, "proc/meminfo"))
		return 0;
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ':') {
			kib = strtoull(line + len + 1, NULL, 10);
			break;
		}
	}
	return kib * KIB;
}

/* What the program's control group (version 2) may still use; UINT64_MAX: no limit, or no such group. */
static uint64_t cgroup_bytes(const struct root *root)
{
	_cleanup_free_ char *text = NULL;
	const char *group;
	uint64_t max, current;

	if (root_read(root, &text, "proc/self/cgroup"))
		return UINT64_MAX;
	group = strstr(text, "0::");
	if (!group)
		return UINT64_MAX;
	group += strlen("0::");

	int len = (int)strcspn(group, "\n");

	if (root_read_u64(root, &max, "sys/fs/cgroup%.*s/memory.max", len, group) ||
	    root_read_u64(root, &current, "sys/fs/cgroup%.*s/memory.current", len, group))
		return UINT64_MAX; /* "max" is no number */
	return max > current ? max - current : 0;
}

static void read_cache(const struct root *root, unsigned int cpu, const char *index,
		       struct machine_memory *out)
{
	_cleanup_free_ char *type = NULL, *size = NULL;
	uint64_t level, bytes;

	if (root_read(root, &type, "sys/devices/system/cpu/cpu%u/cache/%s/type", cpu, index) ||
	    !strcmp(type, "Instruction"))
		return;
	if (root_read_u64(root, &level, "sys/devices/system/cpu/cpu%u/cache/%s/level", cpu, index) ||
	    root_read(root, &size, "sys/devices/system/cpu/cpu%u/cache/%s/size", cpu, index) ||
	    size_parse(size, &bytes))
		return;
	if (level == 2)
		out->l2_bytes = bytes;
	out->llc_bytes = MAX(out->llc_bytes, bytes);
}

void machine_memory_read(const struct root *root, unsigned int cpu, struct machine_memory *out)
{
	uint64_t host_bytes = meminfo_bytes(root, "MemAvailable"), group_bytes = cgroup_bytes(root);
	char **indexes;

	*out = (struct machine_memory){.available_bytes = MIN(host_bytes, group_bytes)};
	if (root_list(root, &indexes, "sys/devices/system/cpu/cpu%u/cache", cpu))
		return;
	for (char **index = indexes; *index; index++)
		read_cache(root, cpu, *index, out);
	root_names_free(&indexes);
}
