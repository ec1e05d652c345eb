// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Kernel modules and what they depend on, from the modules themselves: a folder unpacked from a package has no
 * modules.dep until somebody runs depmod on it.
 */
#include <errno.h>
#include <fts.h>
#include <libkmod.h>
#include <string.h>
#include <sys/stat.h>

#include "measure/guest_files.h"

struct module {
	char *name; /* as the kernel spells it: '_' for '-' */
	char *path;
	bool seen;
};

struct modules {
	const char *dir;
	struct module *items; /* sorted by name */
	size_t nr;
	char *builtin; /* text of modules.builtin; NULL: the folder does not say */
	struct kmod_ctx *kmod;
	struct guest_files *files;
	struct diags *diags;
	size_t nr_missing;
};

static void modules_free(struct modules *modules)
{
	for (size_t i = 0; i < modules->nr; i++) {
		free(modules->items[i].name);
		free(modules->items[i].path);
	}
	free(modules->items);
	free(modules->builtin);
	if (modules->kmod)
		kmod_unref(modules->kmod);
}

/* "nd_pmem" of "drivers/nvdimm/nd-pmem.ko.xz"; NULL: not a module, or no memory. The caller frees. */
static char *module_name(const char *file)
{
	static const char *const suffixes[] = {"", ".xz", ".zst", ".gz"};
	const char *dot = strstr(file, ".ko");
	bool known = false;
	char *name;

	for (size_t i = 0; dot && i < ARRAY_SIZE(suffixes); i++)
		known |= !strcmp(dot + strlen(".ko"), suffixes[i]);
	if (!known)
		return NULL;
	name = strndup(file, (size_t)(dot - file));
	for (char *p = name; p && *p; p++)
		*p = *p == '-' ? '_' : *p;
	return name;
}

static int add_module(struct modules *modules, const FTSENT *entry)
{
	_cleanup_free_ char *name = module_name(entry->fts_name);
	struct module *module;

	if (!name)
		return 0;
	module = array_grow(&modules->items, &modules->nr, sizeof(*module));
	if (!module)
		return -ENOMEM;
	module->name = take_ptr(name);
	module->path = strdup(entry->fts_path);
	return module->path ? 0 : -ENOMEM;
}

static int compare_modules(const void *a, const void *b)
{
	return strcmp(((const struct module *)a)->name, ((const struct module *)b)->name);
}

static int list_modules(struct modules *modules)
{
	char *dirs[] = {(char *)modules->dir, NULL};
	FTS *fts = fts_open(dirs, FTS_LOGICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;
	int err = 0;

	if (!fts)
		return -errno;
	while (!err && (entry = fts_read(fts))) {
		/* "build" and "source" lead out of the folder */
		if (entry->fts_info == FTS_D && entry->fts_level == 1 &&
		    (!strcmp(entry->fts_name, "build") || !strcmp(entry->fts_name, "source")))
			fts_set(fts, entry, FTS_SKIP);
		else if (entry->fts_info == FTS_F)
			err = add_module(modules, entry);
	}
	fts_close(fts);
	if (!err && modules->nr)
		qsort(modules->items, modules->nr, sizeof(*modules->items), compare_modules);
	return err;
}

static int read_builtin(struct modules *modules)
{
	_cleanup_free_ char *path = NULL;
	_cleanup_file_ FILE *file = NULL;
	size_t size = 0;

	if (asprintf(&path, "%s/modules.builtin", modules->dir) < 0)
		return -ENOMEM;
	file = fopen(path, "re");
	if (!file)
		return errno == ENOENT ? 0 : -errno;
	if (getdelim(&modules->builtin, &size, '\0', file) < 0 && ferror(file))
		return -EIO;
	return 0;
}

/* Lines are "kernel/drivers/nvdimm/libnvdimm.ko". */
static bool is_builtin(const struct modules *modules, const char *name)
{
	_cleanup_free_ char *text = modules->builtin ? strdup(modules->builtin) : NULL;
	char *save = NULL;

	for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
	     line = strtok_r(NULL, "\n", &save)) {
		const char *base = strrchr(line, '/');
		_cleanup_free_ char *found = module_name(base ? base + 1 : line);

		if (found && !strcmp(found, name))
			return true;
	}
	return false;
}

static int add_wanted(struct modules *modules, const char *name);

/* depends is "a,b,c", and may be empty. */
static int add_depends(struct modules *modules, const char *depends)
{
	_cleanup_free_ char *copy = strdup(depends);
	char *save = NULL;

	if (!copy)
		return -ENOMEM;
	for (char *name = strtok_r(copy, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
		int err = add_wanted(modules, name);

		if (err)
			return err;
	}
	return 0;
}

static int add_dependencies(struct modules *modules, const char *path)
{
	struct kmod_module *module = NULL;
	struct kmod_list *info = NULL, *item;
	int err = kmod_module_new_from_path(modules->kmod, path, &module);

	if (!err)
		err = kmod_module_get_info(module, &info); /* how many, or a negative errno */
	if (err < 0)
		diag_error(modules->diags, err, "%s: cannot be read as a kernel module: %s", path,
			   strerror(-err));
	kmod_list_foreach(item, info)
	{
		if (err >= 0 && !strcmp(kmod_module_info_get_key(item), "depends"))
			err = add_depends(modules, kmod_module_info_get_value(item));
	}
	kmod_module_info_free_list(info);
	if (module)
		kmod_module_unref(module);
	return MIN(err, 0);
}

static int note_absent(struct modules *modules, const char *name)
{
	if (is_builtin(modules, name))
		return 0;
	if (!modules->builtin) {
		diag_add(modules->diags, DIAG_NOTE, NULL, 0, 0,
			 "%s has neither the module %s nor a list of what is built in: taken as built in",
			 modules->dir, name);
		return 0;
	}
	modules->nr_missing++;
	diag_error(modules->diags, -ENOENT, "%s has no module %s, and this kernel does not have it built in",
		   modules->dir, name);
	return 0;
}

static int add_wanted(struct modules *modules, const char *name)
{
	struct module key = {.name = (char *)name};
	struct module *module = NULL;
	char in_archive[256];
	int err;

	if (modules->nr)
		module = bsearch(&key, modules->items, modules->nr, sizeof(key), compare_modules);
	if (!module)
		return note_absent(modules, name);
	if (module->seen)
		return 0;
	module->seen = true;
	snprintf(in_archive, sizeof(in_archive), GUEST_MODULES_DIR "/%s", strrchr(module->path, '/') + 1);
	err = add_dependencies(modules, module->path);
	return err ? err : guest_files_add(modules->files, in_archive, module->path);
}

int guest_files_add_modules(struct guest_files *files, const char *dir, const char *const *wanted,
			    struct diags *diags)
{
	_cleanup_(modules_free) struct modules modules = {.dir = dir, .files = files, .diags = diags};
	const char *no_config = NULL;
	int err = list_modules(&modules);

	if (!err)
		err = read_builtin(&modules);
	if (err)
		return diag_error(diags, err, "%s: %s", dir, strerror(-err));
	if (!modules.nr)
		return diag_error(diags, -ENOENT,
				  "%s: no kernel modules here (a folder like lib/modules/RELEASE is wanted)",
				  dir);
	modules.kmod = kmod_new(dir, &no_config);
	if (!modules.kmod)
		return -ENOMEM;
	for (; !err && *wanted; wanted++)
		err = add_wanted(&modules, *wanted);
	return !err && modules.nr_missing ? -ENOENT : err;
}
