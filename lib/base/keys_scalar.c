// SPDX-License-Identifier: GPL-2.0-or-later
/* One value of a YAML tree against its row, and what can be wrong about it. */
#include "base/keys_reader.h"

#include <errno.h>
#include <string.h>

void key_mistake(struct reader *r, const yaml_node_t *node, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(r->diags, DIAG_ERROR, r->doc->name, (unsigned int)node->start_mark.line + 1,
		  (unsigned int)node->start_mark.column + 1, fmt, ap);
	va_end(ap);
	r->mistakes = true;
}

static bool is_plain(const yaml_node_t *node)
{
	return node->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static bool any_of(const char *text, const char *const *words)
{
	for (; *words; words++) {
		if (!strcmp(text, *words))
			return true;
	}
	return false;
}

bool key_is_null(const yaml_node_t *node)
{
	static const char *const words[] = {"", "~", "null", "Null", "NULL", NULL};

	return node->type == YAML_SCALAR_NODE && is_plain(node) && any_of(scalar_text(node), words);
}

/* Words that YAML readers turn into a truth value unless they are quoted. */
static bool is_truth_word(const char *text)
{
	static const char *const words[] = {"true", "True", "TRUE", "false", "False", "FALSE", "yes",
					    "Yes",  "YES",  "no",   "No",    "NO",    "on",    "On",
					    "ON",   "off",  "Off",  "OFF",   NULL};

	return any_of(text, words);
}

const char *key_node_noun(const yaml_node_t *node)
{
	return node->type == YAML_SEQUENCE_NODE  ? "a list"
	       : node->type == YAML_MAPPING_NODE ? "a map"
						 : "a text";
}

void key_wrong_node(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *example = key_example(key);
	const char *noun = key_type_noun(key->type);
	char shown[ECHO_MAX];

	if (key_is_null(node))
		key_mistake(r, node, "%s has no value: %s such as %s belongs here", key->name, noun, example);
	else if (node->type == YAML_SCALAR_NODE)
		key_mistake(r, node, "%s is \"%s\": %s such as %s belongs here", key->name,
			    key_echo(node, shown), noun, example);
	else
		key_mistake(r, node, "%s is %s: %s such as %s belongs here", key->name, key_node_noun(node),
			    noun, example);
}

static void unknown_word(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *words[KEYS_MAX + 1] = {0};
	char list[512] = "", shown[ECHO_MAX];
	const char *near;
	size_t len = 0;

	for (int i = 0; i < KEYS_MAX && (words[i] = key->word(i)); i++) {
		len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s", i ? ", " : "", words[i]);
		len = MIN(len, sizeof(list) - 1);
	}
	near = suggest(scalar_text(node), words);
	key_mistake(r, node, "%s \"%s\" is not one of %s%s%s%s", key->name, key_echo(node, shown), list,
		    near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
}

/* What is wrong with a number, where that can be told. */
static const char *number_fault(const struct key *key, const char *text)
{
	if (text[0] == '-')
		return "is negative";
	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return "is hexadecimal";
	if (text[0] == '0' && text[1] >= '0' && text[1] <= '9')
		return "has a leading zero, which some read as octal";
	if (key->type == KEY_DURATION && text[0] && !text[strspn(text, "0123456789.")])
		return "has no unit";
	return NULL;
}

static void unreadable(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *noun = key_type_noun(key->type), *example = key_example(key), *fault;
	char shown[ECHO_MAX];

	if (key->type == KEY_ENUM) {
		unknown_word(r, key, node);
		return;
	}
	key_echo(node, shown);
	fault = number_fault(key, scalar_text(node));
	if (key->type == KEY_BOOL)
		key_mistake(r, node, "%s \"%s\" is neither true nor false", key->name, shown);
	else if (fault)
		key_mistake(r, node, "%s \"%s\" %s: write %s such as %s", key->name, shown, fault, noun,
			    example);
	else
		key_mistake(r, node, "%s \"%s\" is not %s: write one such as %s", key->name, shown, noun,
			    example);
}

static void out_of_range(struct reader *r, const struct key *key, const yaml_node_t *node, bool too_large)
{
	char shown[ECHO_MAX], limit[UNITS_STR];

	if (key->type == KEY_NUMBER && too_large && !key->max) {
		key_mistake(r, node, "%s %s is too large: more than a floating-point number holds", key->name,
			    key_echo(node, shown));
		return;
	}
	key_mistake(r, node, "%s %s is too %s: at %s %s", key->name, key_echo(node, shown),
		    too_large ? "large" : "small", too_large ? "most" : "least",
		    key_format(key, too_large ? key_limit(key) : key->min, limit));
}

static bool check_range(struct reader *r, const struct key *key, const yaml_node_t *node,
			const struct key_value *v)
{
	bool small = v->number<key->min, large = v->number> key_limit(key);

	if (key->type == KEY_NUMBER) {
		small = v->real < (double)key->min;
		large = key->max && v->real > (double)key->max;
	}
	if (small || large)
		out_of_range(r, key, node, large);
	return !small && !large;
}

static bool has_control(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (yamldoc_is_control((const unsigned char *)text, i))
			return true;
	}
	return false;
}

static bool check_text(struct reader *r, const struct key *key, const yaml_node_t *node)
{
	const char *text = scalar_text(node);
	size_t len = node->data.scalar.length;

	if (!len)
		key_mistake(r, node, "%s is empty", key->name);
	else if (strpbrk(text, "\n\r"))
		key_mistake(r, node, "%s is more than one line of text", key->name);
	else if (has_control(text, len))
		key_mistake(r, node, "%s holds a control character: only text belongs here", key->name);
	else if (len > key_limit(key))
		key_mistake(r, node, "%s is %zu bytes long: at most %zu", key->name, len,
			    (size_t)key_limit(key));
	else if (is_plain(node) && is_truth_word(text))
		key_mistake(r, node, "%s %s reads as true or false in YAML: write it as \"%s\"", key->name,
			    text, text);
	else
		return true;
	return false;
}

static bool wants_plain(enum key_type type)
{
	return type == KEY_VERSION || type == KEY_COUNT || type == KEY_COUNT32 || type == KEY_INDEX ||
	       type == KEY_NUMBER || type == KEY_BOOL;
}

bool key_scan_node(struct reader *r, const struct key *key, const yaml_node_t *node, struct key_value *v)
{
	char shown[ECHO_MAX];
	int err;

	if (node->type != YAML_SCALAR_NODE || key_is_null(node)) {
		key_wrong_node(r, key, node);
		return false;
	}
	if (key->type == KEY_TEXT && !check_text(r, key, node))
		return false;
	err = key_scan(key, scalar_text(node), v);
	if (err == -ERANGE)
		out_of_range(r, key, node, true);
	else if (err || strlen(scalar_text(node)) != node->data.scalar.length)
		unreadable(r, key, node);
	else if (wants_plain(key->type) && !is_plain(node))
		key_mistake(r, node, "%s is the text \"%s\": write it without quotes", key->name,
			    key_echo(node, shown));
	else
		return key->type == KEY_TEXT || key->type == KEY_VERSION || check_range(r, key, node, v);
	return false;
}
