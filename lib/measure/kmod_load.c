// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kmod_load.h"

#include <errno.h>
#include <libkmod.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/root.h"
#include "base/units.h"
#include "base/util.h"

enum { UNLOAD_TRIES = 50 };

static const char *const no_config = NULL;

static int start(struct kmod_loaded *loaded)
{
	loaded->ctx = kmod_new("/", &no_config); /* a module comes by its path: no folder is looked through */
	return loaded->ctx ? 0 : -ENOMEM;
}

static void end(struct kmod_loaded *loaded)
{
	if (loaded->module)
		kmod_module_unref(loaded->module);
	if (loaded->ctx)
		kmod_unref(loaded->ctx);
	*loaded = (struct kmod_loaded){0};
}

/* Is the kernel locked down? The setting that is on stands in brackets: "none [integrity] confidentiality". */
static bool is_locked_down(void)
{
	_cleanup_(root_close) struct root root = {.fd = -1};
	_cleanup_free_ char *text = NULL;

	return !root_open("/", &root) && !root_read(&root, &text, "sys/kernel/security/lockdown") &&
	       !strstr(text, "[none]");
}

/* A value of the module's own description ("vermagic"); the caller frees. NULL: it has none. */
static char *info_of(struct kmod_module *module, const char *key)
{
	struct kmod_list *info = NULL, *item;
	char *value = NULL;

	if (kmod_module_get_info(module, &info) < 0)
		return NULL;
	kmod_list_foreach(item, info)
	{
		if (!value && !strcmp(kmod_module_info_get_key(item), key))
			value = strdup(kmod_module_info_get_value(item));
	}
	kmod_module_info_free_list(info);
	return value;
}

static int explain_format(struct kmod_module *module, const char *path, struct diags *diags)
{
	_cleanup_free_ char *vermagic = info_of(module, "vermagic");
	struct utsname uts = {0};

	uname(&uts);
	return diag_error(diags, -ENOEXEC,
			  "%s was built for \"%s\"; this kernel is %s %s and does not take it", path,
			  vermagic ? vermagic : "an unknown kernel", uts.release, uts.machine);
}

static int explain(struct kmod_module *module, const char *path, int err, struct diags *diags)
{
	const char *signing =
		"sign it with a key that the kernel knows (DKMS can do that; mokutil enrols its key), or "
		"measure in a guest: --mode guest --in-kernel-paths";

	switch (err) {
	case -ENOKEY:
	case -EKEYREJECTED:
	case -EBADMSG:
		return diag_error(diags, err,
				  "%s: this kernel loads signed modules only (secure boot, or "
				  "module.sig_enforce): %s",
				  path, signing);
	case -EPERM:
	case -EACCES:
		if (geteuid())
			return diag_error(diags, err, "%s: loading a kernel module needs root", path);
		if (is_locked_down())
			return diag_error(diags, err, "%s: this kernel is locked down (secure boot): %s",
					  path, signing);
		return diag_error(
			diags, err,
			"%s: this kernel loads no modules (CAP_SYS_MODULE is missing, as in a container, or "
			"kernel.modules_disabled is set)",
			path);
	case -ENOEXEC:
		return explain_format(module, path, diags);
	default:
		return diag_error(diags, err, "%s cannot be loaded: %s (the kernel's log may say more)", path,
				  strerror(-err));
	}
}

/* A module is busy for a moment after its files were closed. */
static int remove_module(struct kmod_module *module)
{
	const struct timespec pause = {.tv_nsec = 20 * NS_PER_MS};
	int err = -EAGAIN;

	for (int i = 0; i < UNLOAD_TRIES && (err == -EAGAIN || err == -EBUSY); i++) {
		if (i)
			nanosleep(&pause, NULL);
		err = kmod_module_remove_module(module, KMOD_REMOVE_NOWAIT);
	}
	return err;
}

static bool is_loaded(struct kmod_module *module)
{
	int state = kmod_module_get_initstate(module);

	return state == KMOD_MODULE_LIVE || state == KMOD_MODULE_COMING || state == KMOD_MODULE_GOING;
}

static int remove_left(struct kmod_module *module, struct diags *diags)
{
	const char *name = kmod_module_get_name(module);
	int err = remove_module(module);

	if (err)
		return diag_error(
			diags, -EBUSY,
			"%s is loaded already and cannot be unloaded (%s): another measurement runs, or see "
			"rmmod %s",
			name, strerror(-err), name);
	diag_add(diags, DIAG_WARNING, NULL, 0, 0, "a measurement was killed: unloaded %s, which it had left",
		 name);
	return 0;
}

static int load(struct kmod_loaded *loaded, const char *path, const char *parameters, struct diags *diags)
{
	int err = kmod_module_new_from_path(loaded->ctx, path, &loaded->module);

	if (err)
		return diag_error(diags, err, "%s: %s", path, strerror(-err));
	if (is_loaded(loaded->module))
		err = remove_left(loaded->module, diags);
	if (err)
		return err;
	err = kmod_module_insert_module(loaded->module, 0, parameters);
	return err ? explain(loaded->module, path, err, diags) : 0;
}

int kmod_load(const char *path, const char *parameters, struct diags *diags, struct kmod_loaded *out)
{
	struct kmod_loaded loaded = {0};
	int err = start(&loaded);

	if (!err)
		err = load(&loaded, path, parameters, diags);
	if (err)
		end(&loaded);
	else
		*out = loaded;
	return err;
}

int kmod_unload(struct kmod_loaded *loaded, struct diags *diags)
{
	int err = loaded->module ? remove_module(loaded->module) : 0;

	if (err)
		diag_error(diags, err, "%s cannot be unloaded: %s; see rmmod %s",
			   kmod_module_get_name(loaded->module), strerror(-err),
			   kmod_module_get_name(loaded->module));
	end(loaded);
	return err;
}

static int unload_left(struct kmod_ctx *ctx, const char *name, struct diags *diags, size_t *nr)
{
	struct kmod_module *module = NULL;
	int err = kmod_module_new_from_name(ctx, name, &module);

	if (err)
		return err;
	if (is_loaded(module)) {
		err = remove_left(module, diags);
		*nr += !err;
	}
	kmod_module_unref(module);
	return err;
}

int kmod_unload_left(const char *const *names, struct diags *diags, size_t *nr)
{
	struct kmod_loaded none = {0};
	int first = start(&none);

	for (; none.ctx && *names; names++) {
		int err = unload_left(none.ctx, *names, diags, nr);

		first = first ? first : err;
	}
	end(&none);
	return first;
}
