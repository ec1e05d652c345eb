// SPDX-License-Identifier: GPL-2.0-or-later
/* A udev rule that puts hot-added memory online, whatever the kernel's policy is: distributions have had such. */
#include <string.h>

#include "probe/prober.h"

/* As udev(7) has them: a file in one hides those of the same name in the next. */
static const char *const folders[] = {"etc/udev/rules.d", "run/udev/rules.d", "usr/lib/udev/rules.d",
				      "lib/udev/rules.d"};

/* The assignment; a comparison has two '=', and CPUs have another attribute. */
static const char assignment[] = "ATTR{state}=\"online";

static bool is_comment(const char *line)
{
	return line[strspn(line, " \t")] == '#';
}

/* The first line that does it, and nothing else of the file. */
static void keep_rule(char *rules)
{
	for (const char *line = rules; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		if (!is_comment(line) && memmem(line, len, assignment, strlen(assignment))) {
			memmove(rules, line, len);
			rules[len] = 0;
			return;
		}
		line += len;
	}
	*rules = 0;
}

static bool is_hidden(const struct root *root, size_t folder, const char *name)
{
	for (size_t i = 0; i < folder; i++) {
		if (root_exists(root, "%s/%s", folders[i], name))
			return true;
	}
	return false;
}

/* Which rules a system has is nobody's business: recorded is only the one that was looked for. */
static bool has_rule(const struct prober *p, const char *path)
{
	struct root unrecorded = *p->root;
	_cleanup_free_ char *rule = NULL;

	unrecorded.record = NULL;
	if (root_read(&unrecorded, &rule, "%s", path))
		return false;
	keep_rule(rule);
	if (!*rule)
		return false;
	root_record_as(p->root, path, rule);
	return true;
}

static void find_rule(struct prober *p, size_t folder)
{
	_cleanup_(root_names_free) char **names = NULL;
	struct root unrecorded = *p->root;

	unrecorded.record = NULL;
	if (root_list(&unrecorded, &names, "%s", folders[folder]))
		return;
	for (char **name = names; *name && !p->facts->udev_onlines; name++) {
		_cleanup_free_ char *path = prober_text(p, "%s/%s", folders[folder], *name);

		if (path && !is_hidden(&unrecorded, folder, *name) && has_rule(p, path))
			p->facts->udev_onlines = prober_text(p, "/%s", path);
	}
}

void probe_udev(struct prober *p)
{
	const struct facts *facts = p->facts;

	for (size_t i = 0; i < ARRAY_SIZE(folders) && !facts->udev_onlines; i++)
		find_rule(p, i);
	if (facts->udev_onlines && facts->auto_online && !strcmp(facts->auto_online, "offline"))
		prober_note(p,
			    "udev puts hot-added memory online (%s), although auto_online_blocks is offline",
			    facts->udev_onlines);
}
