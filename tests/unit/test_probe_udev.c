// SPDX-License-Identifier: GPL-2.0-or-later
/* Which udev rule puts memory online, and that no other rule is recorded. */
#include "support/memory_tree.h"

#include <errno.h>

#include "base/util.h"
#include "probe/live.h"

static bool is_noted(const struct diags *notes)
{
	for (size_t i = 0; i < notes->nr; i++) {
		if (strstr(notes->items[i].text, "udev puts hot-added memory online"))
			return true;
	}
	return false;
}

/*
 * redhat-plumbers/systemd-rhel8#173: memory went online although auto_online_blocks was offline. Of a rules file only the
 * rule that does it is recorded, of the others nothing; a file of the same name in /etc hides that of a package.
 */
static void udev_rules(void **state)
{
	(void)state;
	static const char rule[] = "SUBSYSTEM==\"memory\", ACTION==\"add\", ATTR{state}==\"offline\", "
				   "ATTR{state}=\"online\"";
	static const char secret[] = "RUN+=\"/opt/secret\"\n", dir[] = "usr/lib/udev/rules.d";
	static const struct {
		const char *packaged, *own, *policy;
		bool is_found, is_noted;
	} cases[] = {
		{rule,							 NULL, "offline", true,  true },
		{rule,							 NULL, "online",  true,  false},
		{rule,							 "",   "offline", false, false},
		{"# a comment, ATTR{state}=\"online\"",                        NULL, "offline", false, false},
		{"SUBSYSTEM==\"cpu\", ATTR{online}=\"1\"",                     NULL, "offline", false, false},
		{"SUBSYSTEM==\"memory\", ATTR{state}==\"online\", RUN+=\"x\"", NULL, "offline", false, false},
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		_cleanup_tree_ struct tree tree = {0}, record = {0};
		_cleanup_diags_ struct diags notes = {0};
		_cleanup_probed_ struct probed probed = {0};
		_cleanup_free_ char *saved = NULL;
		char text[512];
		struct root root, again;

		snprintf(text, sizeof(text), "%s%s", secret, cases[i].packaged);
		tree_put(&tree, "usr/lib/udev/rules.d/40-redhat.rules", text);
		tree_put(&tree, "usr/lib/udev/rules.d/99-secret.rules", secret);
		if (cases[i].own)
			tree_put(&tree, "etc/udev/rules.d/40-redhat.rules", cases[i].own);
		tree_put(&tree, "sys/devices/system/memory/auto_online_blocks", cases[i].policy);
		root = tree_root(&tree);
		root.record = &record;
		check_int(probe_host(&root, &notes, &probed), 0, "probe %zu", i);
		check_int(probed.facts.udev_onlines != NULL, cases[i].is_found, "rule %zu", i);
		check_int(is_noted(&notes), cases[i].is_noted, "note %zu", i);
		again = tree_root(&record);
		assert_false(root_exists(&again, "%s/99-secret.rules", dir));
		check_int(root_read(&again, &saved, "%s/40-redhat.rules", dir),
			  cases[i].is_found ? 0 : -ENOENT, "record %zu", i);
		if (saved)
			check_str(saved, rule, "what is recorded");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(udev_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
