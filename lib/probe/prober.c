// SPDX-License-Identifier: GPL-2.0-or-later
/* What the parts of a probe share: notes and origins, attributes of folders. */
#include "probe/prober.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

void clean_text(char *text)
{
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if ((c < ' ' && c != '\n' && c != '\t') || c >= 0x7f)
			*text = '?';
	}
}

char *prober_text(struct prober *p, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	if (text)
		clean_text(text);
	else
		p->err = -ENOMEM;
	return text;
}

void prober_note(struct prober *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(p->notes, DIAG_NOTE, p->host->file, 0, 0, fmt, ap);
	va_end(ap);
}

void prober_found(struct prober *p, const void *field, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	if (!text || host_origin(p->host, field, "%s", text))
		p->err = -ENOMEM;
}

void prober_unknown(struct prober *p, const void *field, const char *what, const char *fmt, ...)
{
	_cleanup_free_ char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	if (!text || host_unknown(p->host, field, "%s", text))
		p->err = -ENOMEM;
	prober_note(p, "%s not known: %s", what, text ? text : "");
}

char *attr_text(const struct prober *p, const char *dir, const char *attr)
{
	char *text;

	if (root_read(p->root, &text, "%s/%s", dir, attr))
		return NULL;
	clean_text(text);
	if (*text)
		return text;
	free(text);
	return NULL;
}

bool attr_u64(const struct prober *p, const char *dir, const char *attr, uint64_t *value)
{
	return !root_read_u64(p->root, value, "%s/%s", dir, attr);
}

int attr_node(const struct prober *p, const char *dir, const char *attr)
{
	uint64_t node;

	return attr_u64(p, dir, attr, &node) && node <= 1023 ? (int)node : NODE_ANY;
}

char *attr_link(const struct prober *p, const char *dir, const char *attr)
{
	_cleanup_free_ char *target = NULL;
	size_t len;

	if (root_readlink(p->root, &target, "%s/%s", dir, attr))
		return NULL;
	for (len = strlen(target); len > 1 && target[len - 1] == '/';)
		target[--len] = 0;
	return strdup(strrchr(target, '/') ? strrchr(target, '/') + 1 : target);
}

const char *attr_why(const struct prober *p, const char *dir, const char *attr)
{
	_cleanup_free_ char *text = NULL;
	int err = root_read(p->root, &text, "%s/%s", dir, attr);

	return err == -EACCES || err == -EPERM ? "only root may read" : "there is no";
}

char *no_file_info(const struct prober *p, const char *name)
{
	_cleanup_free_ char *text = NULL;
	size_t len = strlen(name);

	if (root_read(p->root, &text, NO_FILE_INFO))
		return NULL;
	clean_text(text);
	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, len) && line[len] == ':' && line[len + 1] == ' ')
			return strndup(line + len + 2, strcspn(line + len + 2, "\n"));
	}
	return NULL;
}

bool numbered(const char *name, const char *prefix, uint64_t *out)
{
	size_t len = strlen(prefix);
	char *end;

	if (strncmp(name, prefix, len) || !isdigit((unsigned char)name[len]))
		return false;
	*out = strtoull(name + len, &end, 10);
	return !*end;
}

int known_node(const struct prober *p, int node)
{
	for (size_t i = 0; i < p->host->nr_nodes; i++) {
		if (p->host->nodes[i].id == (uint32_t)node)
			return node;
	}
	return NODE_ANY;
}

uint32_t cpulist_count(const char *list)
{
	uint32_t count = 0;

	while (*list) {
		unsigned long first, last;
		char *end;

		if (!isdigit((unsigned char)*list))
			return 0;
		first = last = strtoul(list, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (last < first || last - first >= 1u << 20 || (*end && *end != ','))
			return 0;
		count += (uint32_t)(last - first) + 1;
		list = *end ? end + 1 : end;
	}
	return count;
}

uint32_t cpumap_count(const char *mask)
{
	uint32_t count = 0;

	for (; *mask; mask++) {
		const char digit[2] = {*mask, 0};

		if (*mask == ',')
			continue;
		if (!isxdigit((unsigned char)*mask))
			return 0;
		count += (uint32_t)__builtin_popcount((unsigned int)strtoul(digit, NULL, 16));
	}
	return count;
}
