// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One line a step: KIND TAB PATH TAB VALUE TAB WHEN, WHEN being empty, +PATH (only when it exists) or -PATH (only when
 * it does not). Tabs, newlines and backslashes in them are escaped, so that
 * a line that a kill cut short is the last one, has no newline, and is ignored: its change was not made yet.
 */
#include "trace/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>

enum kind {
	STEP_WRITE,
	STEP_RMDIR,
	STEP_CLEAR,
	STEP_SET,
	NR_KINDS_OF_STEP,
};

static const char *const kind_words[] = {"write", "rmdir", "clear", "set"};
_Static_assert(ARRAY_SIZE(kind_words) == NR_KINDS_OF_STEP, "a word for every kind of step");

static const char file_header[] = "memmapctl undo 1\n";

struct step {
	enum kind kind;
	char *path, *value, *when;
	off_t start; /* of its line in the file */
};

struct undo {
	int fd;
	char *path;
	off_t end; /* of the last whole line */
	struct step *steps;
	size_t nr;
};

static int write_flags(const char *path, const char *text, int flags)
{
	_cleanup_fd_ int fd = open(path, O_WRONLY | O_CLOEXEC | flags);
	size_t len = strlen(text);

	if (fd < 0)
		return -errno;
	ssize_t n = len ? write(fd, text, len) : 0;

	if (n < 0)
		return -errno;
	return (size_t)n == len ? 0 : -EIO;
}

int write_file(const char *path, const char *text)
{
	return write_flags(path, text, 0);
}

int clear_file(const char *path)
{
	return write_flags(path, "", O_TRUNC);
}

static void free_step(struct step *s)
{
	free(s->path);
	free(s->value);
	free(s->when);
}

static void put_escaped(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '\t')
			fputs("\\t", out);
		else if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\\')
			fputs("\\\\", out);
		else
			putc(*text, out);
	}
}

/* In place: the result is never longer. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *at = text; *at; at++) {
		if (*at == '\\' && at[1]) {
			at++;
			*to++ = *at == 't' ? '\t' : *at == 'n' ? '\n' : *at;
		} else {
			*to++ = *at;
		}
	}
	*to = 0;
}

static char *step_line(const struct step *s)
{
	char *line = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&line, &len);

	if (!out)
		return NULL;
	fprintf(out, "%s\t", kind_words[s->kind]);
	put_escaped(out, s->path);
	putc('\t', out);
	put_escaped(out, s->value);
	putc('\t', out);
	put_escaped(out, s->when);
	putc('\n', out);
	if (fclose(out)) {
		free(line);
		return NULL;
	}
	return line;
}

static int append(struct undo *u, const char *text)
{
	size_t len = strlen(text);
	ssize_t n = pwrite(u->fd, text, len, u->end);

	if (n == (ssize_t)len) {
		u->end += n;
		return 0;
	}
	int err = n < 0 ? -errno : -ENOSPC;

	if (ftruncate(u->fd, u->end)) /* a half line at the end would be ignored all the same */
		return err;
	return err;
}

/* Take the lines of all steps from `keep` on off the end in one go: at no moment is one missing that is still needed. */
static int cut(struct undo *u, size_t keep)
{
	off_t end = keep < u->nr ? u->steps[keep].start : u->end;

	if (ftruncate(u->fd, end))
		return -errno;
	u->end = end;
	return 0;
}

/* Write the lines of the steps from `keep` on, which have none. */
static int append_steps(struct undo *u, size_t keep)
{
	int err = 0;

	for (size_t i = keep; !err && i < u->nr; i++) {
		_cleanup_free_ char *line = step_line(&u->steps[i]);

		u->steps[i].start = u->end;
		err = line ? append(u, line) : -ENOMEM;
	}
	return err;
}

static int note(struct undo *u, enum kind kind, const char *path, const char *value, const char *when)
{
	struct step s = {kind, strdup(path), strdup(value), strdup(when), u->end};
	_cleanup_free_ char *line = s.path && s.value && s.when ? step_line(&s) : NULL;
	struct step *slot = line ? array_grow(&u->steps, &u->nr, sizeof(*slot)) : NULL;
	int err = slot ? append(u, line) : -ENOMEM;

	if (slot && err)
		u->nr--;
	if (err) {
		free_step(&s);
		return err;
	}
	*slot = s;
	return 0;
}

int undo_write(struct undo *undo, const char *path, const char *value)
{
	return note(undo, STEP_WRITE, path, value, "");
}

int undo_set(struct undo *undo, const char *path, const char *value)
{
	return note(undo, STEP_SET, path, value, "");
}

int undo_clear(struct undo *undo, const char *path)
{
	return note(undo, STEP_CLEAR, path, "", "");
}

int undo_rmdir(struct undo *undo, const char *path)
{
	return note(undo, STEP_RMDIR, path, "", "");
}

static int note_when(struct undo *undo, char sign, const char *other, const char *path, const char *value)
{
	_cleanup_free_ char *when = NULL;

	if (asprintf(&when, "%c%s", sign, other) < 0) {
		when = NULL;
		return -ENOMEM;
	}
	return note(undo, STEP_WRITE, path, value, when);
}

int undo_write_if(struct undo *undo, const char *other, const char *path, const char *value)
{
	return note_when(undo, '+', other, path, value);
}

int undo_write_unless(struct undo *undo, const char *other, const char *path, const char *value)
{
	return note_when(undo, '-', other, path, value);
}

static bool exists(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

/* Does a file hold value and nothing more but a newline? */
static bool holds(const char *path, const char *value)
{
	_cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t len = strlen(value);
	char text[256];
	ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof(text));

	return n >= (ssize_t)len && !memcmp(text, value, len) && n - (ssize_t)len <= 1 &&
	       (n == (ssize_t)len || text[len] == '\n');
}

static int do_step(const struct step *s)
{
	if (*s->when && exists(s->when + 1) != (*s->when == '+'))
		return 0;
	switch (s->kind) {
	case STEP_RMDIR:
		return !rmdir(s->path) || errno == ENOENT ? 0 : -errno;
	case STEP_CLEAR:
		return clear_file(s->path);
	case STEP_SET:
		return !exists(s->path) || holds(s->path, s->value) ? 0 : write_file(s->path, s->value);
	default:
		return write_file(s->path, s->value);
	}
}

int undo_to(struct undo *undo, size_t keep, struct diags *diags)
{
	size_t failed = undo->nr; /* steps from here on are kept because they failed */
	int first = 0, err;

	for (size_t i = undo->nr; i-- > keep;) {
		struct step s = undo->steps[i];

		err = do_step(&s);
		if (!err) {
			free_step(&s);
			continue;
		}
		diag_add(diags, DIAG_ERROR, NULL, 0, 0, "cannot put back: %s %s %s: %s", kind_words[s.kind],
			 s.value, s.path, strerror(-err));
		first = first ? first : err;
		undo->steps[--failed] = s;
	}
	err = cut(undo, keep);
	if (failed < undo->nr)
		memmove(undo->steps + keep, undo->steps + failed, (undo->nr - failed) * sizeof(*undo->steps));
	undo->nr = keep + (undo->nr - failed);
	if (!err)
		err = append_steps(undo, keep);
	return first ? first : err;
}

int undo_forget(struct undo *undo, size_t keep)
{
	int err = cut(undo, keep);

	while (!err && undo->nr > keep)
		free_step(&undo->steps[--undo->nr]);
	return err;
}

size_t undo_pending(const struct undo *undo)
{
	return undo->nr;
}

static int parse_step(struct undo *u, char *line, off_t start)
{
	char *fields[4] = {line};
	struct step *slot;
	size_t kind = 0;

	for (size_t i = 1; i < ARRAY_SIZE(fields); i++) {
		char *tab = strchr(fields[i - 1], '\t');

		if (!tab)
			return -EINVAL;
		*tab = 0;
		fields[i] = tab + 1;
	}
	while (kind < NR_KINDS_OF_STEP && strcmp(kind_words[kind], fields[0]))
		kind++;
	if (kind == NR_KINDS_OF_STEP || *fields[1] != '/' || (*fields[3] && !strchr("+-", *fields[3])))
		return -EINVAL;
	for (size_t i = 1; i < ARRAY_SIZE(fields); i++)
		unescape(fields[i]);
	slot = array_grow(&u->steps, &u->nr, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = (struct step){(enum kind)kind, strdup(fields[1]), strdup(fields[2]), strdup(fields[3]),
			      start};
	return slot->path && slot->value && slot->when ? 0 : -ENOMEM;
}

static int load(struct undo *u, const char *path, struct diags *diags)
{
	struct stat st;
	_cleanup_free_ char *text = NULL;
	unsigned int line_nr = 2;

	if (fstat(u->fd, &st))
		return -errno;
	if (!st.st_size)
		return append(u, file_header);
	text = calloc(1, (size_t)st.st_size + 1);
	if (!text)
		return -ENOMEM;
	if (pread(u->fd, text, (size_t)st.st_size, 0) != st.st_size)
		return -EIO;
	if (strncmp(text, file_header, sizeof(file_header) - 1)) {
		diag_add(diags, DIAG_ERROR, path, 1, 0, "not a list of steps that memmapctl wrote");
		return -EINVAL;
	}
	u->end = sizeof(file_header) - 1;
	for (char *line = text + u->end, *end; (end = strchr(line, '\n')); line = end + 1, line_nr++) {
		*end = 0;
		int err = parse_step(u, line, u->end);

		if (err == -EINVAL)
			diag_add(diags, DIAG_ERROR, path, line_nr, 0, "not a step that memmapctl wrote");
		if (err)
			return err;
		u->end = end + 1 - text;
	}
	return cut(u, u->nr); /* what was cut short is not to be written on */
}

/*
 * Open the file and lock it. Whoever held the lock may have removed the file after we opened it: a list without a name
 * would be found by nobody after a kill.
 */
static int open_locked(const char *path, struct stat *st)
{
	for (;;) {
		/* Steps are done as root: nobody else may write them, and no link may lead elsewhere. */
		_cleanup_fd_ int fd = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);

		if (fd < 0)
			return -errno;
		if (flock(fd, LOCK_EX | LOCK_NB))
			return errno == EWOULDBLOCK ? -EBUSY : -errno;
		if (fstat(fd, st))
			return -errno;
		if (!st->st_nlink)
			continue;
		int locked = fd;

		fd = -1;
		return locked;
	}
}

int undo_open(const char *path, struct diags *diags, struct undo **out)
{
	_cleanup_undo_ struct undo *u = calloc(1, sizeof(*u));
	struct stat st;
	int err;

	if (!u)
		return -ENOMEM;
	u->fd = open_locked(path, &st);
	if (u->fd == -EBUSY)
		return diag_error(diags, -EBUSY,
				  "another memmapctl is measuring on this machine (it holds %s)", path);
	if (u->fd < 0)
		return diag_error(diags, u->fd, "%s: %s", path, strerror(-u->fd));
	if (st.st_uid != geteuid() || (st.st_mode & 022))
		return diag_error(diags, -EPERM,
				  "%s belongs to or can be written by somebody else: remove it", path);
	err = load(u, path, diags);
	if (err)
		return err;
	u->path =
		strdup(path); /* not before: on an error the file is left as it is, for a person to look at */
	if (!u->path)
		return -ENOMEM;
	*out = take_ptr(u);
	return 0;
}

void undo_close(struct undo *undo)
{
	if (!undo)
		return;
	if (undo->path && !undo->nr && undo->fd >= 0)
		unlink(undo->path);
	for (size_t i = 0; i < undo->nr; i++)
		free_step(&undo->steps[i]);
	free(undo->steps);
	free(undo->path);
	if (undo->fd >= 0)
		close(undo->fd);
	free(undo);
}
