// SPDX-License-Identifier: GPL-2.0
/*
 * memmapctl_paths: the init paths of lib/initpath in kernel context, on the kernel's own struct page, in scratch memory
 * that nothing else knows of. No page of the system is touched.
 *
 * /sys/kernel/debug/memmapctl_paths/
 *   about      what this build is, "KEY VALUE" a line: format 1; struct_page_bytes; version (whose writes are this
 *              kernel's); compiler (of this module); text_bytes (machine code of the routines); memcpy (what a copy of one
 *              struct page by memcpy became here) and memcpy_code, its bytes
 *   routines   "NAME PATH KINDS usable|unusable fpu|nofpu" a line, KINDS separated by commas; the first one of a kind is
 *              its baseline
 *   run        write "KEY=VALUE..." to run one pass: routine, kind, pages, and if wanted order (0), version (this
 *              kernel's), verify (0 or 1). Read what the last pass of all took, "KEY VALUE" a line: the same keys, then
 *              ns, node, verified yes|no|not-asked, and first_wrong where it is no
 * Keys are never renamed; new ones may come, after these.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/version.h>

#include "paths.h"

static ulong max_bytes = 1UL << 30;
module_param(max_bytes, ulong, 0444);
MODULE_PARM_DESC(max_bytes, "struct pages written at a time take so many bytes at most (default 1 GiB)");

static const char *const path_names[] = {PATH_NAMES};
static const char *const kind_names[] = {KIND_NAMES};

enum { MAX_REQUEST = 255 };

/* The module's only state: its files share one race, and one pass runs at a time. */
static struct {
	struct mutex lock;
	struct dentry *dir;
	struct race race;
	struct race_pass pass; /* the last one; routine NULL: none yet */
	struct race_result result;
} paths = {.lock = __MUTEX_INITIALIZER(paths.lock)};

/* The newest version that is not newer than this kernel. */
static const struct initpath_version *own_version(void)
{
	const struct initpath_version *version = &initpath_versions[0];

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 12, 0)
	version = &initpath_versions[1];
#endif
#if LINUX_VERSION_CODE >= KERNEL_VERSION(7, 0, 0)
	version = &initpath_versions[2];
#endif
	return version;
}

static int about_show(struct seq_file *out, void *unused)
{
	seq_printf(out, "format 1\nstruct_page_bytes %zu\nversion %s\ncompiler  %s\ntext_bytes %llu\n",
		   sizeof(struct page), own_version()->name, __VERSION__, race_text_bytes());
	memcpy_describe(out);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(about);

static void show_kinds(struct seq_file *out, unsigned int kinds)
{
	const char *separator = "";

	for (unsigned int kind = 0; kind < NR_KINDS; kind++) {
		if (!(kinds & (1u << kind)))
			continue;
		seq_printf(out, "%s%s", separator, kind_names[kind]);
		separator = ",";
	}
}

static int routines_show(struct seq_file *out, void *unused)
{
	size_t nr;
	const struct initpath_routine *routines = race_routines(&nr);

	for (size_t i = 0; i < nr; i++) {
		seq_printf(out, "%s %s ", routines[i].name, path_names[routines[i].path]);
		show_kinds(out, routines[i].kinds);
		seq_printf(out, " %s %s\n", race_routine_usable(&routines[i]) ? "usable" : "unusable",
			   race_routine_needs_fpu(&routines[i]) ? "fpu" : "nofpu");
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(routines);

/* ---- run ---- */

static int set_routine(struct race_pass *pass, const char *value)
{
	size_t nr;
	const struct initpath_routine *routines = race_routines(&nr);

	for (size_t i = 0; i < nr; i++) {
		if (!strcmp(routines[i].name, value)) {
			pass->routine = &routines[i];
			return 0;
		}
	}
	return -EINVAL;
}

static int set_kind(struct race_pass *pass, const char *value)
{
	int kind = match_string(kind_names, NR_KINDS, value);

	if (kind < 0)
		return -EINVAL;
	pass->kind = kind;
	return 0;
}

static int set_version(struct race_pass *pass, const char *value)
{
	for (size_t i = 0; i < nr_initpath_versions; i++) {
		if (!strcmp(initpath_versions[i].name, value)) {
			pass->version = &initpath_versions[i];
			return 0;
		}
	}
	return -EINVAL;
}

/* Up to the order of the largest compound page, 1 GiB. */
static int set_order(struct race_pass *pass, const char *value)
{
	int err = kstrtouint(value, 10, &pass->order);

	return err ? err : pass->order > 18 ? -EINVAL : 0;
}

static int set_pages(struct race_pass *pass, const char *value)
{
	return kstrtou64(value, 10, &pass->nr_pages);
}

static int set_verify(struct race_pass *pass, const char *value)
{
	return kstrtobool(value, &pass->verify);
}

static const struct {
	const char *key;
	int (*set)(struct race_pass *pass, const char *value);
} keys[] = {
	{"routine", set_routine},
        {"kind",    set_kind   },
        {"pages",   set_pages  },
	{"order",   set_order  },
        {"version", set_version},
        {"verify",  set_verify },
};

static int set_key(struct race_pass *pass, char *word)
{
	char *value = strchr(word, '=');

	if (!value)
		return -EINVAL;
	*value++ = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		if (!strcmp(word, keys[i].key))
			return keys[i].set(pass, value);
	}
	return -EINVAL;
}

static int parse_request(char *text, struct race_pass *pass)
{
	char *rest = strim(text), *word;

	while ((word = strsep(&rest, " "))) {
		int err = *word ? set_key(pass, word) : 0;

		if (err)
			return err;
	}
	return pass->routine ? 0 : -EINVAL;
}

static ssize_t run_write(struct file *file, const char __user *from, size_t len, loff_t *pos)
{
	struct race_pass pass = {.version = own_version()};
	struct race_result result;
	char text[MAX_REQUEST + 1];
	int err;

	if (len > MAX_REQUEST)
		return -EINVAL;
	if (copy_from_user(text, from, len))
		return -EFAULT;
	text[len] = '\0';
	err = parse_request(text, &pass);
	if (err)
		return err;
	err = mutex_lock_killable(&paths.lock);
	if (err)
		return err;
	err = race_run(&paths.race, &pass, max_bytes, &result);
	if (!err) {
		paths.pass = pass;
		paths.result = result;
	}
	mutex_unlock(&paths.lock);
	return err ? err : (ssize_t)len;
}

static void show_pass(struct seq_file *out, const struct race_pass *pass, const struct race_result *result)
{
	const char *verified = !pass->verify ? "not-asked" : result->verified ? "yes" : "no";

	seq_printf(out, "routine %s\nkind %s\npages %llu\norder %u\nversion %s\nverify %d\n",
		   pass->routine->name, kind_names[pass->kind], pass->nr_pages, pass->order,
		   pass->version->name, pass->verify);
	seq_printf(out, "ns %llu\nnode %d\nverified %s\n", result->ns, paths.race.node, verified);
	if (pass->verify && !result->verified)
		seq_printf(out, "first_wrong %llu\n", result->first_wrong);
}

static int run_show(struct seq_file *out, void *unused)
{
	mutex_lock(&paths.lock);
	if (paths.pass.routine)
		show_pass(out, &paths.pass, &paths.result);
	mutex_unlock(&paths.lock);
	return 0;
}

static int run_open(struct inode *inode, struct file *file)
{
	return single_open(file, run_show, NULL);
}

static const struct file_operations run_fops = {
	.owner = THIS_MODULE,
	.open = run_open,
	.read = seq_read,
	.write = run_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int __init paths_init(void)
{
	paths.dir = debugfs_create_dir("memmapctl_paths", NULL);
	if (IS_ERR(paths.dir))
		return PTR_ERR(paths.dir);
	debugfs_create_file("about", 0400, paths.dir, NULL, &about_fops);
	debugfs_create_file("routines", 0400, paths.dir, NULL, &routines_fops);
	debugfs_create_file("run", 0600, paths.dir, NULL, &run_fops);
	return 0;
}

static void __exit paths_exit(void)
{
	debugfs_remove_recursive(paths.dir);
	race_free(&paths.race);
}

module_init(paths_init);
module_exit(paths_exit);
MODULE_LICENSE("GPL");
MODULE_AUTHOR("the memmapctl project");
MODULE_DESCRIPTION("Time how struct pages are initialised, path by path, on scratch memory");
