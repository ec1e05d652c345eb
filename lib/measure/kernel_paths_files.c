// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_paths_files.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"

/* What stands behind "KEY " at the start of a line; the caller frees. NULL: no such line, or no memory. */
static char *value_of(const char *text, const char *key)
{
	size_t len = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, key, len) && line[len] == ' ')
			return strndup(line + len + 1, strcspn(line + len + 1, "\n"));
	}
	return NULL;
}

static int number_of(const char *text, const char *key, uint64_t *out)
{
	_cleanup_free_ char *value = value_of(text, key);

	return value && !count_parse(value, out) ? 0 : -EINVAL;
}

static int parse_kinds(char *list, unsigned int *out)
{
	unsigned int kinds = 0;
	char *word;

	while ((word = strsep(&list, ","))) {
		unsigned int before = kinds;

		for (int kind = 0; kind < NR_KINDS; kind++) {
			if (!strcmp(word, kind_name((enum page_kind)kind)))
				kinds |= 1u << kind;
		}
		if (kinds == before)
			return -EINVAL;
	}
	*out = kinds;
	return 0;
}

/* "movnti template-nt zd-base,ordinary usable nofpu" */
static int parse_routine(char *line, struct paths_routine *out)
{
	const char *name = strsep(&line, " "), *path = strsep(&line, " ");
	char *kinds = strsep(&line, " ");
	const char *usable = strsep(&line, " "), *fpu = strsep(&line, " ");

	if (!fpu || !*name || path_from_name(path, &out->path) || out->path == PATH_ANY ||
	    parse_kinds(kinds, &out->kinds))
		return -EINVAL;
	out->usable = !strcmp(usable, "usable");
	out->needs_fpu = !strcmp(fpu, "fpu");
	out->name = strdup(name);
	return out->name ? 0 : -ENOMEM;
}

static int parse_routines(const char *text, struct paths_module *module)
{
	_cleanup_free_ char *copy = strdup(text);
	char *rest = copy, *line;

	if (!copy)
		return -ENOMEM;
	while ((line = strsep(&rest, "\n"))) {
		struct paths_routine *routine;
		int err;

		if (!*line)
			continue;
		routine = array_grow(&module->routines, &module->nr_routines, sizeof(*routine));
		if (!routine)
			return -ENOMEM;
		err = parse_routine(line, routine);
		if (err)
			return err;
	}
	return module->nr_routines ? 0 : -EINVAL;
}

static int parse_about(const char *text, struct paths_module *module)
{
	uint64_t format = 0;

	if (number_of(text, "format", &format) || format != 1 ||
	    number_of(text, "text_bytes", &module->text_bytes))
		return -EINVAL;
	module->version = value_of(text, "version");
	module->compiler = value_of(text, "compiler");
	module->memcpy_is = value_of(text, "memcpy");
	module->memcpy_code = value_of(text, "memcpy_code");
	return module->version && module->compiler && module->memcpy_is && module->memcpy_code ? 0 : -EINVAL;
}

int paths_module_parse(const char *about, const char *routines, struct paths_module *out)
{
	struct paths_module module = {0};
	int err = parse_about(about, &module);

	if (!err)
		err = parse_routines(routines, &module);
	if (err)
		paths_module_free(&module);
	else
		*out = module;
	return err;
}

void paths_module_free(struct paths_module *module)
{
	for (size_t i = 0; i < module->nr_routines; i++)
		free(module->routines[i].name);
	free(module->routines);
	free(module->version);
	free(module->compiler);
	free(module->memcpy_is);
	free(module->memcpy_code);
	*module = (struct paths_module){0};
}

int paths_pass_parse(const char *text, struct paths_pass *out)
{
	_cleanup_free_ char *verified = value_of(text, "verified");
	struct paths_pass pass = {0};
	uint64_t node = 0;

	if (!verified || number_of(text, "ns", &pass.ns) || number_of(text, "node", &node) ||
	    node > INT32_MAX)
		return -EINVAL;
	pass.node = (int)node;
	pass.verified = !strcmp(verified, "yes");
	if (!strcmp(verified, "no") && number_of(text, "first_wrong", &pass.first_wrong))
		return -EINVAL;
	*out = pass;
	return 0;
}
