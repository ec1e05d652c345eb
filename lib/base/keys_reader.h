/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the walk over a tree and the reading of one value share. For base/keys*.c. */
#ifndef MEMMAPCTL_BASE_KEYS_READER_H
#define MEMMAPCTL_BASE_KEYS_READER_H

#include "base/keys.h"
#include "base/keys_value.h"

struct reader {
	const struct yamldoc *doc;
	struct key_places *places;
	struct diags *diags;
	bool mistakes;
	bool no_memory;
};

/* An error at a node's place. */
void key_mistake(struct reader *r, const yaml_node_t *node, const char *fmt, ...) _printf_(3, 4);

/* "a list", "a map", "a text". */
const char *key_node_noun(const yaml_node_t *node);

/* Plain and empty, "~" or "null". */
bool key_is_null(const yaml_node_t *node);

static inline const char *scalar_text(const yaml_node_t *node)
{
	return (const char *)node->data.scalar.value;
}

/* The text of a scalar as a message can show it. Returns buf. */
static inline const char *key_echo(const yaml_node_t *scalar, char buf[ECHO_MAX])
{
	return yamldoc_echo(scalar->data.scalar.value, scalar->data.scalar.length, buf);
}

/* A node that cannot hold what the row takes: a mistake that says what belongs there. */
void key_wrong_node(struct reader *r, const struct key *key, const yaml_node_t *node);

/* The value of a node that is a scalar and a good value of the row; false after a mistake. */
bool key_scan_node(struct reader *r, const struct key *key, const yaml_node_t *node, struct key_value *v);

#endif
