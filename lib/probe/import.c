// SPDX-License-Identifier: GPL-2.0-or-later
/* Recognise what a text is, part by part, and take from it what is known. */
#include "probe/import.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "host/cmdline.h"
#include "probe/import_found.h"

struct import *import_new(void)
{
	return calloc(1, sizeof(struct import));
}

static void free_lists(struct import *import)
{
	free(import->namespaces);
	free(import->regions);
	free(import->dax);
	free(import->cxl);
	free(import->ranges);
	free(import->logs);
	free(import->cmdlines);
	free(import->zones);
	free(import->files);
}

void import_free(struct import *import)
{
	if (!import)
		return;
	for (size_t i = 0; i < import->nr_namespaces; i++) {
		free(import->namespaces[i].dev);
		free(import->namespaces[i].name);
	}
	for (size_t i = 0; i < import->nr_regions; i++)
		free(import->regions[i].name);
	for (size_t i = 0; i < import->nr_dax; i++)
		free(import->dax[i].name);
	for (size_t i = 0; i < import->nr_cxl; i++)
		free(import->cxl[i].name);
	for (size_t i = 0; i < import->nr_logs; i++)
		klog_free(import->logs[i].klog);
	for (size_t i = 0; i < import->nr_cmdlines; i++)
		free(import->cmdlines[i].text);
	for (size_t i = 0; i < import->nr_files; i++)
		free(import->files[i]);
	free_lists(import);
	free(import);
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && isspace((unsigned char)*at))
		at++;
	return at;
}

/* A log's lines start with '[', too; JSON goes on with another bracket or a string. */
static bool starts_json(const char *line, const char *end)
{
	const char *at = line, *next;

	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	if (at >= end || (*at != '{' && *at != '['))
		return false;
	next = skip_blanks(at + 1, end);
	return *at == '{' || next == end || strchr("{[]\"", *next);
}

/* Past the bracket that closes the first one, or the end. */
static const char *end_of_json(const char *at, const char *end)
{
	bool in_string = false;
	int depth = 0;

	for (; at < end; at++) {
		if (in_string && *at == '\\') {
			at++;
		} else if (*at == '"') {
			in_string = !in_string;
		} else if (!in_string && (*at == '{' || *at == '[')) {
			depth++;
		} else if (!in_string && (*at == '}' || *at == ']') && --depth <= 0) {
			return at + 1;
		}
	}
	return end;
}

static void blank(char *from, const char *to)
{
	for (; from < to; from++) {
		if (*from != '\n')
			*from = ' ';
	}
}

/* Everything before the document becomes blanks, so that lines and columns are those of the file. */
static int take_json(struct import *import, const char *file, const char *text, const char *start,
		     const char *end, struct diags *diags)
{
	size_t len = (size_t)(end - text);
	_cleanup_json_doc_ struct json_doc doc = {0};
	_cleanup_free_ char *copy = malloc(len + 1);
	int err;

	if (!copy)
		return -ENOMEM;
	memcpy(copy, text, len);
	copy[len] = 0;
	blank(copy, copy + (start - text));
	err = json_doc_parse(file, copy, len, diags, &doc);
	return err ? err : import_json(import, file, &doc);
}

static int take_cmdline(struct import *import, struct found_at at, const char *text, size_t len)
{
	struct found_cmdline *line = array_grow(&import->cmdlines, &import->nr_cmdlines, sizeof(*line));

	if (!line)
		return -ENOMEM;
	line->at = at;
	line->text = strndup(text, len);
	return line->text ? 0 : -ENOMEM;
}

static int take_line(struct import *import, struct found_at at, const char *line, size_t len)
{
	struct found_zone *slot;
	struct buddy_zone zone;

	if (buddy_zone_parse(line, len, &zone)) {
		slot = array_grow(&import->zones, &import->nr_zones, sizeof(*slot));
		if (!slot)
			return -ENOMEM;
		*slot = (struct found_zone){at, zone};
		return 0;
	}
	return cmdline_recognise(line, len) ? take_cmdline(import, at, line, len) : 0;
}

/* What no log knows may be a command line, or a line of /proc/buddyinfo. */
static int take_lines(struct import *import, const struct klog *klog, const char *file, const char *text,
		      size_t len)
{
	struct found_at at = {.file = file, .line = 1, .col = 1};
	const char *end = text + len;
	size_t next = 0; /* record, which are in the order of their lines */
	int err = 0;

	for (; text < end && !err; at.line++) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t n = (size_t)((newline ? newline : end) - text);

		while (next < klog->nr && klog->records[next].line < at.line)
			next++;
		if (n && (next == klog->nr || klog->records[next].line != at.line))
			err = take_line(import, at, text, n);
		text += n + 1;
	}
	return err;
}

static int take_command_lines_of(struct import *import, const struct klog *klog, const char *file)
{
	for (size_t i = 0; i < klog->nr; i++) {
		const struct klog_record *r = &klog->records[i];
		struct found_at at = {file, r->line, 0};

		if (r->type == KLOG_COMMAND_LINE && take_cmdline(import, at, r->name, strlen(r->name)))
			return -ENOMEM;
	}
	return 0;
}

static int take_log(struct import *import, const char *file, const char *text, size_t len)
{
	struct found_log *log;
	struct klog *klog;
	int err = klog_parse(text, len, &klog);

	if (err)
		return err;
	log = array_grow(&import->logs, &import->nr_logs, sizeof(*log));
	if (!log) {
		klog_free(klog);
		return -ENOMEM;
	}
	*log = (struct found_log){file, klog};
	err = take_command_lines_of(import, klog, file);
	return err ? err : take_lines(import, klog, file, text, len);
}

/* JSON documents one by one; rest keeps what is between them. */
static int take_documents(struct import *import, const char *file, char *rest, size_t len,
			  struct diags *diags)
{
	const char *end = rest + len;
	_cleanup_free_ char *text = malloc(len + 1);
	int err = 0;

	if (!text)
		return -ENOMEM;
	memcpy(text, rest, len);
	text[len] = 0;
	for (char *line = rest; line < end && !err;) {
		const char *next = memchr(line, '\n', (size_t)(end - line));

		if (starts_json(line, end)) {
			next = end_of_json(line, end);
			err = take_json(import, file, text, text + (line - rest), text + (next - rest),
					diags);
			blank(line, next);
		}
		line = next ? (char *)next + (*next == '\n') : (char *)end;
	}
	return err;
}

static size_t nr_found(const struct import *import)
{
	size_t nr = import->nr_objects + import->nr_cmdlines + import->nr_zones;

	for (size_t i = 0; i < import->nr_logs; i++)
		nr += import->logs[i].klog->nr;
	return nr;
}

int import_add(struct import *import, const char *file, const char *text, size_t len, struct diags *diags)
{
	size_t before = nr_found(import);
	_cleanup_free_ char *rest = malloc(len + 1);
	char **slot = rest ? array_grow(&import->files, &import->nr_files, sizeof(*slot)) : NULL;
	int err;

	if (!slot)
		return -ENOMEM;
	*slot = strdup(file);
	if (!*slot)
		return -ENOMEM;
	memcpy(rest, text, len);
	rest[len] = 0;
	err = take_documents(import, *slot, rest, len, diags);
	if (!err)
		err = take_log(import, *slot, rest, len);
	if (err || nr_found(import) > before)
		return err;
	diag_add(diags, DIAG_ERROR, file, 0, 0,
		 "nothing in it that is known: ndctl, daxctl or cxl list, lsmem -J, a kernel command line, a "
		 "kernel log "
		 "and /proc/buddyinfo are");
	return -EINVAL;
}
