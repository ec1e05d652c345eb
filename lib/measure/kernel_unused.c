// SPDX-License-Identifier: GPL-2.0-or-later
/* Who uses a device: everything that would lose memory under its hands if it were unbound. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/util.h"
#include "measure/kernel_device.h"

/* The device and its partitions, as they are called in /dev. */
struct nodes {
	char **names;
	size_t nr;
};

static void free_nodes(struct nodes *n)
{
	for (size_t i = 0; i < n->nr; i++)
		free(n->names[i]);
	free(n->names);
}

static int add_node(struct nodes *n, const char *name)
{
	char **slot = array_grow(&n->names, &n->nr, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = strdup(name);
	return *slot ? 0 : -ENOMEM;
}

static int list_nodes(const struct root *root, const struct kernel_device *d, struct nodes *out)
{
	_cleanup_(root_names_free) char **names = NULL;
	size_t len = strlen(d->node_name);
	int err = len ? add_node(out, d->node_name) : 0;

	if (err || !len || root_list(root, &names, "sys/class/block/%s", d->node_name))
		return err;
	for (char **name = names; !err && *name; name++) {
		if (!strncmp(*name, d->node_name, len) && (*name)[len] == 'p' &&
		    isdigit((unsigned char)(*name)[len + 1]))
			err = add_node(out, *name);
	}
	return err;
}

static bool is_node(const struct nodes *n, const char *path, size_t len)
{
	static const char dev[] = "/dev/";

	if (len < sizeof(dev) || strncmp(path, dev, sizeof(dev) - 1))
		return false;
	for (size_t i = 0; i < n->nr; i++) {
		if (strlen(n->names[i]) == len - (sizeof(dev) - 1) &&
		    !strncmp(n->names[i], path + sizeof(dev) - 1, len - (sizeof(dev) - 1)))
			return true;
	}
	return false;
}

/* "43:0 " of /sys/class/block/NAME/dev, for mounts whose source has another name. */
static bool has_number(const struct root *root, const struct nodes *n, const char *number, size_t len)
{
	for (size_t i = 0; i < n->nr; i++) {
		_cleanup_free_ char *dev = NULL;

		if (!root_read(root, &dev, "sys/class/block/%s/dev", n->names[i]) && strlen(dev) == len &&
		    !strncmp(dev, number, len))
			return true;
	}
	return false;
}

/* mountinfo: "36 35 259:0 / /mnt rw,noatime shared:1 - ext4 /dev/pmem0 rw" */
static int check_mounts(const struct root *root, const struct kernel_device *d, const struct nodes *n,
			struct diags *diags)
{
	_cleanup_free_ char *text = NULL;
	int err = root_read(root, &text, "proc/self/mountinfo"), found = 0;

	if (err)
		return diag_error(diags, err, "/proc/self/mountinfo: %s", strerror(-err));
	for (char *line = text, *rest; line && *line; line = rest) {
		char number[32], where[PATH_MAX], source[PATH_MAX];

		rest = strchr(line, '\n');
		if (rest)
			*rest++ = 0;
		const char *tail = strstr(line, " - ");

		if (sscanf(line, "%*s %*s %31s %*s %4095s", number, where) != 2 || !tail ||
		    sscanf(tail, " - %*s %4095s", source) != 1)
			continue;
		if (!is_node(n, source, strlen(source)) && !has_number(root, n, number, strlen(number)))
			continue;
		found = diag_error(diags, -EBUSY, "%s is mounted on %s: umount %s first", d->name, where,
				   where);
	}
	return found;
}

static int check_swap(const struct root *root, const struct kernel_device *d, const struct nodes *n,
		      struct diags *diags)
{
	_cleanup_free_ char *text = NULL;
	int found = 0;

	if (root_read(root, &text, "proc/swaps")) /* a kernel without swap */
		return 0;
	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		size_t len = strcspn(line, " \t\n");

		end = strchrnul(line, '\n');
		if (is_node(n, line, len))
			found = diag_error(diags, -EBUSY, "%s is swap space: swapoff %.*s first", d->name,
					   (int)len, line);
	}
	return found;
}

static int check_holders(const struct root *root, const struct kernel_device *d, const struct nodes *n,
			 struct diags *diags)
{
	int found = 0;

	for (size_t i = 0; i < n->nr; i++) {
		_cleanup_(root_names_free) char **holders = NULL;

		if (root_list(root, &holders, "sys/class/block/%s/holders", n->names[i]))
			continue;
		for (char **holder = holders; *holder; holder++)
			found = diag_error(diags, -EBUSY, "%s is part of %s (%s): take it out first", d->name,
					   *holder, strncmp(*holder, "md", 2) ? "device-mapper" : "MD");
	}
	return found;
}

/* A file descriptor of a process: by the name it was opened by, or by its device number. */
static bool fd_is_node(const struct root *root, const struct nodes *n, const struct stat *device,
		       const char *pid, const char *fd)
{
	char path[64], target[PATH_MAX];
	struct stat st;

	snprintf(path, sizeof(path), "proc/%.20s/fd/%.20s", pid, fd);
	ssize_t len = readlinkat(root->fd, path, target, sizeof(target));

	if (len > 0 && is_node(n, target, (size_t)len))
		return true;
	return device->st_rdev && !fstatat(root->fd, path, &st, 0) && st.st_rdev == device->st_rdev &&
	       (st.st_mode & S_IFMT) == (device->st_mode & S_IFMT);
}

/* A mapping outlives the descriptor that it was made by. */
static bool maps_node(const struct root *root, const struct nodes *n, const char *pid)
{
	_cleanup_free_ char *maps = NULL;

	if (root_read(root, &maps, "proc/%s/maps", pid))
		return false;
	for (const char *line = maps, *end; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		const char *path = memchr(line, '/', (size_t)(end - line));

		if (path && is_node(n, path, (size_t)(end - path)))
			return true;
	}
	return false;
}

static int check_process(const struct root *root, const struct kernel_device *d, const struct nodes *n,
			 const struct stat *device, const char *pid, struct diags *diags)
{
	_cleanup_(root_names_free) char **fds = NULL;
	_cleanup_free_ char *comm = NULL;
	const char *how = NULL;

	if (!root_list(root, &fds, "proc/%s/fd", pid)) {
		for (char **fd = fds; *fd && !how; fd++)
			how = fd_is_node(root, n, device, pid, *fd) ? "open in" : NULL;
	}
	if (!how)
		how = maps_node(root, n, pid) ? "mapped into" : NULL;
	if (!how)
		return 0;
	if (root_read(root, &comm, "proc/%s/comm", pid))
		comm = NULL;
	return diag_error(diags, -EBUSY, "%s is %s process %s (%s): end it first", d->name, how, pid,
			  comm ? comm : "unknown");
}

static int check_processes(const struct root *root, const struct kernel_device *d, const struct nodes *n,
			   struct diags *diags)
{
	_cleanup_(root_names_free) char **pids = NULL;
	_cleanup_free_ char *path = NULL;
	struct stat device = {0};
	int err = root_list(root, &pids, "proc"), found = 0;

	if (err)
		return diag_error(diags, err, "/proc: %s", strerror(-err));
	if (asprintf(&path, "dev/%s", d->node_name) < 0) {
		path = NULL;
		return -ENOMEM;
	}
	if (fstatat(root->fd, path, &device, 0))
		device.st_rdev = 0;
	for (char **pid = pids; *pid; pid++) {
		if (!isdigit((unsigned char)**pid))
			continue;
		err = check_process(root, d, n, &device, *pid, diags);
		found = found ? found : err;
	}
	return found;
}

/* Mounted in another mount namespace, or claimed by something in the kernel: then nobody else may have it. */
static int check_exclusive(const struct root *root, const struct kernel_device *d, const struct nodes *n,
			   struct diags *diags)
{
	if (!root->is_this_system || d->kind == KERNEL_DEVDAX)
		return 0;
	for (size_t i = 0; i < n->nr; i++) {
		_cleanup_free_ char *path = NULL;

		if (asprintf(&path, "/dev/%s", n->names[i]) < 0) {
			path = NULL;
			return -ENOMEM;
		}
		_cleanup_fd_ int fd = open(path, O_RDONLY | O_EXCL | O_CLOEXEC);

		if (fd < 0 && errno == EBUSY)
			return diag_error(
				diags, -EBUSY,
				"%s is claimed by the kernel: mounted in another mount namespace, perhaps",
				d->name);
	}
	return 0;
}

static int check_blocks(const struct kernel_device *d, struct diags *diags)
{
	if (!d->nr_online_blocks)
		return 0;
	return diag_error(
		diags, -EBUSY,
		"%s is system-ram with %u of %u memory blocks in use: it cannot be unbound. Free it with: "
		"daxctl offline-memory %s (may fail while pages are pinned)",
		d->name, d->nr_online_blocks, d->nr_blocks, d->name);
}

int kernel_device_unused(const struct root *root, const struct kernel_device *device, struct diags *diags)
{
	typedef int (*check)(const struct root *, const struct kernel_device *, const struct nodes *,
			     struct diags *);
	static const check checks[] = {check_mounts, check_swap, check_holders, check_processes};
	_cleanup_(free_nodes) struct nodes nodes = {0};
	int err, found;

	if (device->kind == KERNEL_SYSTEM_RAM)
		return check_blocks(device, diags);
	err = list_nodes(root, device, &nodes);
	if (err)
		return err;
	found = 0;
	for (size_t i = 0; i < ARRAY_SIZE(checks); i++) {
		err = checks[i](root, device, &nodes, diags);
		found = found ? found : err;
	}
	return found ? found : check_exclusive(root, device, &nodes, diags);
}
