// SPDX-License-Identifier: GPL-2.0-or-later
/* A tree from a tar archive and back, by libarchive. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/tree.h"
#include "base/units.h"

/*
 * A host of 16384 CPUs has about 3 million files in a fully gathered tree, most of a few bytes; the largest
 * file that is worth reading is the kernel's BTF, of some MiB. What is larger is no saved host.
 */
enum { MAX_ENTRIES = 8000000 };
#define MAX_FILE_BYTES  (256 * MIB)
#define MAX_TOTAL_BYTES (2048 * MIB)

struct loader {
	const char *path;
	struct diags *diags;
	struct archive *archive;
	struct tree *tree;
	uint64_t total_bytes;
	size_t nr_left_out;
};

static int bad(struct loader *l, int err, const char *what)
{
	diag_add(l->diags, DIAG_ERROR, l->path, 0, 0, "%s", what ? what : "not an archive that can be read");
	return err;
}

/* "./a//b/" as "a/b"; false for a name with ".." and for one that is empty or too long. */
static bool clean_path(const char *name, char path[PATH_MAX])
{
	size_t len = 0;

	while (*name) {
		size_t part = strcspn(name, "/");

		if (part == 2 && !strncmp(name, "..", 2))
			return false;
		if (part && !(part == 1 && *name == '.')) {
			if (len + part + 2 > PATH_MAX)
				return false;
			if (len)
				path[len++] = '/';
			memcpy(path + len, name, part);
			len += part;
		}
		name += part;
		name += strspn(name, "/");
	}
	path[len] = 0;
	return len > 0;
}

/*
 * Sizes in the headers of saved /sys files are what the kernel claims (4096): what counts is what can be
 * read.
 */
static int load_file(struct loader *l, struct archive_entry *entry, const char *path)
{
	_cleanup_free_ char *data = NULL;
	size_t len = 0, room = 0;

	if (!(archive_entry_perm(entry) & 0444) && archive_entry_size(entry) == 0)
		return tree_add(l->tree, path, TREE_DENIED, "", 0);
	for (;;) {
		if (len == room) {
			char *bigger = realloc(data, room = room ? room * 2 : 4096);

			if (!bigger)
				return -ENOMEM;
			data = bigger;
		}
		la_ssize_t got = archive_read_data(l->archive, data + len, room - len);

		if (got == ARCHIVE_RETRY)
			continue;
		if (got < 0)
			return bad(l, -EINVAL, archive_error_string(l->archive));
		if (!got)
			break;
		len += (size_t)got;
		l->total_bytes += (uint64_t)got;
		if (len > MAX_FILE_BYTES || l->total_bytes > MAX_TOTAL_BYTES)
			return bad(l, -EINVAL, "far too large for a saved host");
	}
	return tree_add(l->tree, path, TREE_FILE, data, len);
}

/* A hard link is another name of a file of the archive: a link from the top leads there. */
static int load_hard_link(struct loader *l, const char *target, const char *path)
{
	char clean[PATH_MAX], link[PATH_MAX + 1];

	if (!clean_path(target, clean))
		return 0;
	snprintf(link, sizeof(link), "/%s", clean);
	return tree_add(l->tree, path, TREE_LINK, link, strlen(link));
}

static int load_entry(struct loader *l, struct archive_entry *entry)
{
	const char *name = archive_entry_pathname(entry), *target;
	char path[PATH_MAX];

	if (!name || !clean_path(name, path)) {
		l->nr_left_out += name && strstr(name, "..");
		return 0;
	}
	if (l->tree->nr >= MAX_ENTRIES)
		return bad(l, -EINVAL, "far too many files for a saved host");
	if ((target = archive_entry_hardlink(entry)))
		return load_hard_link(l, target, path);
	if (archive_entry_filetype(entry) == AE_IFDIR)
		return tree_add(l->tree, path, TREE_DIR, "", 0);
	if (archive_entry_filetype(entry) == AE_IFLNK && (target = archive_entry_symlink(entry)))
		return tree_add(l->tree, path, TREE_LINK, target, strlen(target));
	if (archive_entry_filetype(entry) == AE_IFREG)
		return load_file(l, entry, path);
	return 0;
}

static int load_entries(struct loader *l)
{
	struct archive_entry *entry;

	for (;;) {
		int got = archive_read_next_header(l->archive, &entry);

		if (got == ARCHIVE_EOF)
			return 0;
		if (got == ARCHIVE_RETRY)
			continue;
		if (got < ARCHIVE_WARN)
			return bad(l, -EINVAL, archive_error_string(l->archive));
		int err = load_entry(l, entry);

		if (err)
			return err;
	}
}

/* Length of the folder in front of the first "proc" or "sys" of a path; -1: there is none. */
static int top_length(const char *path)
{
	for (const char *part = path; part; part = strchr(part, '/')) {
		part += *part == '/';
		size_t len = strcspn(part, "/");

		if ((len == 4 && !strncmp(part, "proc", 4)) || (len == 3 && !strncmp(part, "sys", 3)))
			return (int)(part - path);
	}
	return -1;
}

static unsigned int depth(const char *path, int len)
{
	unsigned int nr = 0;

	for (int i = 0; i < len; i++)
		nr += path[i] == '/';
	return nr;
}

/* The folder that holds proc or sys becomes the top: the highest one. */
static int strip_top(struct loader *l)
{
	_cleanup_free_ char *top = NULL;
	unsigned int best = UINT_MAX;
	size_t kept = 0, len;

	for (size_t i = 0; i < l->tree->nr; i++) {
		const char *path = l->tree->items[i].path;
		int here = top_length(path);

		if (here < 0 || depth(path, here) >= best)
			continue;
		best = depth(path, here);
		free(top);
		top = strndup(path, (size_t)here);
		if (!top)
			return -ENOMEM;
	}
	if (!top)
		return bad(l, -EINVAL, "no saved host: there is neither a proc nor a sys folder in it");
	len = strlen(top);
	for (size_t i = 0; i < l->tree->nr; i++) {
		struct tree_entry *e = &l->tree->items[i];

		if (strncmp(e->path, top, len) || !e->path[len]) {
			free(e->path);
			free(e->data);
			continue;
		}
		memmove(e->path, e->path + len, strlen(e->path + len) + 1);
		if (e->kind == TREE_LINK && e->data[0] == '/' && !strncmp(e->data + 1, top, len))
			memmove(e->data + 1, e->data + 1 + len, strlen(e->data + 1 + len) + 1);
		l->tree->items[kept++] = *e;
	}
	l->tree->nr = kept;
	return tree_finish(l->tree);
}

int tree_load(const char *path, struct diags *diags, struct tree *out)
{
	_cleanup_tree_ struct tree tree = {0};
	struct loader l = {.path = path, .diags = diags, .tree = &tree, .archive = archive_read_new()};
	int err;

	if (!l.archive)
		return -ENOMEM;
	archive_read_support_filter_all(l.archive);
	archive_read_support_format_tar(l.archive);
	err = archive_read_open_filename(l.archive, path, 1 << 16);
	if (err != ARCHIVE_OK) {
		int reason = archive_errno(l.archive);
		bool is_format = reason <= 0 || reason == EILSEQ /* libarchive: no format that it knows */;

		err = bad(&l, is_format ? -EINVAL : -reason,
			  is_format ? archive_error_string(l.archive) : strerror(reason));
	} else {
		err = load_entries(&l);
	}
	archive_read_free(l.archive);
	if (!err)
		err = strip_top(&l);
	if (!err && l.nr_left_out)
		diag_add(diags, DIAG_WARNING, path, 0, 0,
			 "%zu files whose names lead out of the archive (\"..\") are left out",
			 l.nr_left_out);
	if (err)
		return err;
	*out = tree;
	tree = (struct tree){0};
	return 0;
}

struct ending {
	const char *text;
	int (*add_filter)(struct archive *archive);
};

static const struct ending endings[] = {
	{".tar",     archive_write_add_filter_none },
        {".tar.zst", archive_write_add_filter_zstd },
	{".tar.gz",  archive_write_add_filter_gzip },
        {".tgz",     archive_write_add_filter_gzip },
	{".tar.xz",  archive_write_add_filter_xz   },
        {".tar.bz2", archive_write_add_filter_bzip2},
};

static const struct ending *ending_of(const char *name)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < ARRAY_SIZE(endings); i++) {
		size_t end = strlen(endings[i].text);

		if (len > end && !strcmp(name + len - end, endings[i].text))
			return &endings[i];
	}
	return NULL;
}

bool tree_save_knows(const char *name)
{
	return ending_of(name) != NULL;
}

static int save_entry(struct archive *archive, struct archive_entry *entry, const struct tree_entry *e)
{
	static const struct {
		unsigned int type;
		mode_t perm;
	} kinds[] = {
		[TREE_DIR] = {AE_IFDIR, 0755},
		[TREE_LINK] = {AE_IFLNK, 0777},
		[TREE_FILE] = {AE_IFREG, 0444},
		[TREE_DENIED] = {AE_IFREG, 0   },
	};

	archive_entry_clear(entry);
	archive_entry_set_pathname(entry, e->path);
	archive_entry_set_filetype(entry, kinds[e->kind].type);
	archive_entry_set_perm(entry, kinds[e->kind].perm);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_size(entry, e->kind == TREE_FILE ? (la_int64_t)e->len : 0);
	if (e->kind == TREE_LINK)
		archive_entry_set_symlink(entry, e->data);
	if (archive_write_header(archive, entry) < ARCHIVE_WARN)
		return -EIO;
	if (e->kind == TREE_FILE && archive_write_data(archive, e->data, e->len) != (la_ssize_t)e->len)
		return -EIO;
	return 0;
}

int tree_save(const struct tree *tree, const char *name, FILE *out, struct diags *diags)
{
	const struct ending *ending = ending_of(name);
	struct archive *archive;
	struct archive_entry *entry;
	int err = 0;

	if (!ending)
		return diag_error(
			diags, -EINVAL,
			"%s: name it .tar, .tar.zst, .tar.gz, .tar.xz or .tar.bz2: the end tells how to "
			"compress",
			name);
	archive = archive_write_new();
	entry = archive_entry_new();
	if (!archive || !entry) {
		err = -ENOMEM;
	} else {
		archive_write_set_format_pax_restricted(archive);
		/* Blocks of a tape are no use, and the padding to them only costs. */
		archive_write_set_bytes_in_last_block(archive, 1);
		if (ending->add_filter(archive) < ARCHIVE_WARN || archive_write_open_FILE(archive, out))
			err = -EIO;
		for (size_t i = 0; i < tree->nr && !err; i++)
			err = save_entry(archive, entry, &tree->items[i]);
		if (archive_write_close(archive) && !err)
			err = -EIO;
	}
	if (err == -EIO)
		diag_add(diags, DIAG_ERROR, name, 0, 0, "%s", archive_error_string(archive));
	archive_entry_free(entry);
	archive_write_free(archive);
	return err;
}
