// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a block device of persistent memory is in use. */
#include <string.h>

#include "probe/prober.h"

/* Where other file systems come from and where they are mounted is nobody's business. */
static void keep_pmem_lines(char *mounts)
{
	char *to = mounts;

	for (const char *line = mounts; *line;) {
		size_t len = strcspn(line, "\n");
		bool keep = !strncmp(line, "/dev/pmem", 9);

		if (keep) {
			memmove(to, line, len);
			to += len;
			*to++ = '\n';
		}
		line += len;
		line += *line == '\n';
	}
	*to = 0;
}

/* The line of a device or of one of its partitions ("pmem0p1", "pmem1s1"); NULL: there is none. */
static const char *line_of(const char *lines, const char *device)
{
	size_t len = strlen(device);

	for (const char *line = lines; *line; line += strcspn(line, "\n"), line += *line == '\n') {
		const char *rest = line + strlen("/dev/") + len;

		if (strncmp(line, "/dev/", 5) || strncmp(line + 5, device, len))
			continue;
		if (*rest == 'p')
			rest += 1 + strspn(rest + 1, "0123456789");
		if (*rest == ' ' || *rest == '\t')
			return line;
	}
	return NULL;
}

static char *first_holder(struct prober *p, const char *dir)
{
	_cleanup_(root_names_free) char **names = NULL;

	if (root_list(p->root, &names, "%s/holders", dir) || !*names)
		return NULL;
	return prober_text(p, "held by %s", *names);
}

/* Of the device, or of a partition, which is a folder in its folder. */
static char *holder_of(struct prober *p, const char *device, const char *dir)
{
	_cleanup_(root_names_free) char **names = NULL;
	char *holder = first_holder(p, dir);

	if (holder || root_list(p->root, &names, "%s", dir))
		return holder;
	for (char **name = names; *name && !holder; name++) {
		_cleanup_free_ char *part =
			strncmp(*name, device, strlen(device)) ? NULL : prober_text(p, "%s/%s", dir, *name);

		if (part)
			holder = first_holder(p, part);
	}
	return holder;
}

char *block_in_use(struct prober *p, const char *device, const char *dir)
{
	_cleanup_free_ char *mounts = NULL, *swaps = NULL;
	const char *line = NULL;
	char *holder = holder_of(p, device, dir);

	if (holder)
		return holder;
	if (!root_read_part(p->root, &swaps, keep_pmem_lines, "proc/swaps") && line_of(swaps, device))
		return prober_text(p, "swap");
	if (!root_read_part(p->root, &mounts, keep_pmem_lines, "proc/mounts"))
		line = line_of(mounts, device);
	if (!line)
		return swaps && mounts ? prober_text(p, "no") : NULL;
	line += strcspn(line, " ");
	line += *line == ' ';
	return prober_text(p, "mounted on %.*s", (int)strcspn(line, " "), line);
}
