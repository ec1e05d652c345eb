/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One YAML document as a tree that is safe to walk: UTF-8 text without control characters, exactly one document,
 * no alias that leads back to itself, aliases that expand to a bounded size, no tags but YAML's own. Every node
 * keeps its line and column (libyaml's start_mark). What the keys mean is the business of base/keys.h.
 */
#ifndef MEMMAPCTL_BASE_YAMLDOC_H
#define MEMMAPCTL_BASE_YAMLDOC_H

#include <stdbool.h>
#include <stddef.h>
#include <yaml.h>

#include "base/diag.h"

struct yamldoc {
	char *name; /* of the file, for messages */
	yaml_document_t tree;
};

/*
 * Read a file ("-": standard input, named "<stdin>" in messages) or a text (name is used in messages). 0 and
 * *out freed by yamldoc_free; -EINVAL when it is not one well-formed document, the error of opening or reading
 * (-ENOENT, -EISDIR...), -EFBIG past 4 MiB, -ENOMEM; each with a diagnostic, *out untouched.
 */
int yamldoc_load(const char *path, struct diags *diags, struct yamldoc **out);
int yamldoc_parse(const char *text, size_t len, const char *name, struct diags *diags, struct yamldoc **out);
void yamldoc_free(struct yamldoc *doc);

/* The document's top node; never NULL. Children: yaml_document_get_node(&doc->tree, index). */
const yaml_node_t *yamldoc_root(const struct yamldoc *doc);

/* A child by its index; never NULL for an index that the tree holds. */
static inline const yaml_node_t *yamldoc_node(const struct yamldoc *doc, int index)
{
	return doc->tree.nodes.start + index - 1;
}

/*
 * Whether the i-th byte of a text of the tree, which a NUL ends, is part of a control character. Escapes ("\\e[2J" in
 * quotes, %1b in a tag) bring in what is kept out of the file itself; printed, a terminal would obey.
 */
bool yamldoc_is_control(const unsigned char *text, size_t i);

enum { ECHO_MAX = 48 };

/* A text of the tree as a message can show it: no control characters, and short. Returns buf. */
const char *yamldoc_echo(const unsigned char *text, size_t len, char buf[ECHO_MAX]);

static inline void yamldoc_free_ptr(struct yamldoc **doc)
{
	yamldoc_free(*doc);
}
#define _cleanup_yamldoc_ _cleanup_(yamldoc_free_ptr)

#endif
