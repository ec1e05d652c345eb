// SPDX-License-Identifier: GPL-2.0-or-later
/* Who uses a device: a file for each kind of user, as the kernel would show it. */
#include "support/check.h"
#include "support/tree.h"

#include <errno.h>

#include "base/util.h"
#include "measure/kernel_device.h"

static char pmem0[] = "pmem0", dax00[] = "dax0.0";
static const struct kernel_device fsdax = {.name = pmem0, .node_name = pmem0, .kind = KERNEL_FSDAX};
static const struct kernel_device devdax = {.name = dax00, .node_name = dax00, .kind = KERNEL_DEVDAX};

/* The rest of a machine on which nobody uses them. */
static const char quiet_mounts[] = "22 1 0:21 / / rw shared:1 - tmpfs tmpfs rw\n"
				   "30 22 259:9 / /data rw - ext4 /dev/pmem01 rw\n";

static const struct {
	const char *what;
	const struct kernel_device *device;
	const char *path, *content; /* content starting with '>': a link */
	const char *message;        /* NULL: not in use */
} rows[] = {
	{"nothing",			      &fsdax,  "x",				     "",							 NULL                                      },
	{"nothing",			      &devdax, "x",				     "",							 NULL                                      },
	{"mounted",			      &fsdax,  "proc/self/mountinfo",                   "40 22 259:0 / /mnt rw,dax - xfs /dev/pmem0 rw\n",
	 "pmem0 is mounted on /mnt: umount /mnt first"																		   },
	{"mounted with shared and slave fields", &fsdax,  "proc/self/mountinfo",
	 "40 22 259:0 / /mnt rw shared:3 master:1 - xfs /dev/pmem0 rw\n",										      "is mounted on /mnt"                      },
	{"mounted by another name",              &fsdax,  "proc/self/mountinfo",
	 "40 22 259:0 / /srv rw - ext4 /dev/disk/by-uuid/1234 rw\n",											   "is mounted on /srv"                      },
	{"a partition is mounted",               &fsdax,  "proc/self/mountinfo",
	 "40 22 259:1 / /mnt rw - xfs /dev/pmem0p1 rw\n",												      "is mounted on /mnt"                      },
	{"swap",				 &fsdax,  "proc/swaps",                            "Filename\tType\tSize\n/dev/pmem0p1 partition 1024 0 -2\n",
	 "pmem0 is swap space: swapoff /dev/pmem0p1 first"																	       },
	{"device-mapper",                        &fsdax,  "sys/class/block/pmem0/holders/dm-0",    "",
	 "pmem0 is part of dm-0 (device-mapper)"																			 },
	{"MD on a partition",                    &fsdax,  "sys/class/block/pmem0p1/holders/md127", "",
	 "pmem0 is part of md127 (MD)"																				   },
	{"open",				 &fsdax,  "proc/4242/fd/7",                        ">/dev/pmem0",                                              "pmem0 is open in process 4242 (kvm)"     },
	{"open",				 &devdax, "proc/4242/fd/7",                        ">/dev/dax0.0",                                             "dax0.0 is open in process 4242 (kvm)"    },
	{"mapped",			       &devdax, "proc/4242/maps",
	 "7f0000000000-7f0040000000 rw-s 00000000 00:06 77   /dev/dax0.0\n",										   "dax0.0 is mapped into process 4242 (kvm)"},
	{"another is open",                      &devdax, "proc/4242/fd/7",                        ">/dev/dax0.01",                                            NULL                                      },
	{"another is mapped",                    &devdax, "proc/4242/maps",
	 "7f0000000000-7f0040000000 rw-s 00000000 00:06 77  /dev/dax0.0x\n",										   NULL                                      },
	{"a file of the same name",              &devdax, "proc/4242/fd/7",                        ">/srv/dev/dax0.0",                                         NULL                                      },
};

static void fill(const struct tree *t)
{
	tree_put(t, "proc/self/mountinfo", quiet_mounts);
	tree_put(t, "proc/swaps", "Filename\tType\tSize\n/dev/sda2 partition 1024 0 -2\n");
	tree_put(t, "proc/4242/comm", "kvm\n");
	tree_put(t, "sys/class/block/pmem0/dev", "259:0\n");
	tree_put(t, "sys/class/block/pmem0/pmem0p1/partition", "1\n");
	tree_put(t, "sys/class/block/pmem0p1/dev", "259:1\n");
	tree_put(t, "sys/class/block/sda/holders/dm-0", "");
	tree_link(t, "proc/1/fd/0", "/dev/null");
	tree_put(t, "proc/meminfo", "");
}

static void each_user(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		_cleanup_tree_ struct tree t;
		_cleanup_diags_ struct diags diags = {0};
		struct root root;

		tree_make(&t);
		fill(&t);
		if (*rows[i].content == '>')
			tree_link(&t, rows[i].path, rows[i].content + 1);
		else
			tree_put(&t, rows[i].path, rows[i].content);
		assert_int_equal(root_open(t.dir, &root), 0);
		int err = kernel_device_unused(&root, rows[i].device, &diags);

		root_close(&root);
		check_int(err, rows[i].message ? -EBUSY : 0, "%s", rows[i].what);
		check_u64(diags.nr_errors, rows[i].message ? 1 : 0, "%s: messages", rows[i].what);
		if (rows[i].message && !strstr(diags.items[0].text, rows[i].message))
			check_str(diags.items[0].text, rows[i].message, "%s", rows[i].what);
	}
}

/* Everything is said in one go. */
static void several_users(void **state)
{
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags diags = {0};
	struct root root;

	(void)state;
	tree_make(&t);
	fill(&t);
	tree_put(&t, "sys/class/block/pmem0/holders/dm-0", "");
	tree_link(&t, "proc/4242/fd/7", "/dev/pmem0");
	tree_link(&t, "proc/77/fd/7", "/dev/pmem0p1");
	assert_int_equal(root_open(t.dir, &root), 0);
	check_int(kernel_device_unused(&root, &fsdax, &diags), -EBUSY, "in use");
	root_close(&root);
	check_u64(diags.nr_errors, 3, "messages");
}

static void system_ram(void **state)
{
	struct kernel_device device = {.name = dax00,
				       .node_name = dax00,
				       .kind = KERNEL_SYSTEM_RAM,
				       .nr_blocks = 512,
				       .nr_online_blocks = 3};
	_cleanup_diags_ struct diags diags = {0};

	(void)state;
	check_int(kernel_device_unused(NULL, &device, &diags), -EBUSY, "blocks online");
	check_str(diags.items[0].text,
		  "dax0.0 is system-ram with 3 of 512 memory blocks in use: it cannot be unbound. Free it "
		  "with: "
		  "daxctl offline-memory dax0.0 (may fail while pages are pinned)",
		  "message");
	device.nr_online_blocks = 0;
	check_int(kernel_device_unused(NULL, &device, &diags), 0, "all offline");
}

/* What cannot be looked at is not taken for unused. */
static void cannot_tell(void **state)
{
	_cleanup_tree_ struct tree t;
	_cleanup_diags_ struct diags diags = {0};
	struct root root;

	(void)state;
	tree_make(&t);
	assert_int_equal(root_open(t.dir, &root), 0);
	check_int(kernel_device_unused(&root, &fsdax, &diags), -ENOENT, "no /proc");
	root_close(&root);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_user),
		cmocka_unit_test(several_users),
		cmocka_unit_test(system_ram),
		cmocka_unit_test(cannot_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
