// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/yamldoc.h"

#include <errno.h>
#include <string.h>

#include "base/read_text.h"

enum {
	MAX_FILE_BYTES = 4 << 20,
	MAX_BRACKETS = 200, /* libyaml's time grows with the square of open brackets */
	MAX_DEPTH = 250,
	MAX_EXPANDED = 1000000, /* nodes, counting what an alias stands for each time it is used */
};

struct text {
	const char *name;
	const char *bytes;
	size_t len;
	struct diags *diags;
};

static int out_of_memory(const struct text *t)
{
	diag_add(t->diags, DIAG_ERROR, t->name, 0, 0, "out of memory");
	return -ENOMEM;
}

/* Bytes of the UTF-8 sequence at s, 0 when it is not one. Shortest form only, no surrogates, to U+10FFFF. */
static size_t utf8_len(const unsigned char *s, size_t left)
{
	static const unsigned int smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t len = s[0] < 0x80 ? 1 : s[0] >> 5 == 6 ? 2 : s[0] >> 4 == 14 ? 3 : s[0] >> 3 == 30 ? 4 : 0;
	unsigned int code;

	if (len == 1 || !len || len > left)
		return len == 1;
	code = s[0] & (0x7fu >> len);
	for (size_t i = 1; i < len; i++) {
		if (s[i] >> 6 != 2)
			return 0;
		code = code << 6 | (s[i] & 0x3f);
	}
	if (code < smallest[len] || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff)
		return 0;
	return len;
}

static bool is_control(unsigned char c)
{
	return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f;
}

static int bracket_step(unsigned char c)
{
	if (c == '[' || c == '{')
		return 1;
	return c == ']' || c == '}' ? -1 : 0;
}

/* What libyaml would take, refuse without a place, or take too long over. */
static int check_text(const struct text *t)
{
	const unsigned char *s = (const unsigned char *)t->bytes;
	unsigned int line = 1, col = 1;
	int brackets = 0;

	for (size_t i = 0; i < t->len;) {
		size_t len = utf8_len(s + i, t->len - i);
		const char *problem = NULL;

		brackets = MAX(brackets + bracket_step(s[i]), 0);
		if (!len)
			problem = "is not UTF-8: save the file as UTF-8 text";
		else if (is_control(s[i]))
			problem = "is a control character: only text, tabs and line ends belong here";
		else if (brackets > MAX_BRACKETS)
			problem = "opens one more bracket: nested too deeply";
		if (problem) {
			diag_add(t->diags, DIAG_ERROR, t->name, line, col, "byte 0x%02x %s", s[i], problem);
			return -EINVAL;
		}
		col++;
		if (s[i] == '\n') {
			line++;
			col = 1;
		}
		i += len;
	}
	return 0;
}

/* libyaml's message, at libyaml's place. */
static int parser_error(const struct text *t, const yaml_parser_t *parser)
{
	const yaml_mark_t *at = &parser->problem_mark, *context = &parser->context_mark;

	if (parser->error == YAML_MEMORY_ERROR)
		return out_of_memory(t);
	if (parser->error == YAML_READER_ERROR)
		diag_add(t->diags, DIAG_ERROR, t->name, (unsigned int)parser->mark.line + 1, 0,
			 "not YAML: %s (at byte %zu)", parser->problem, parser->problem_offset);
	else if (parser->context && context->line != at->line)
		diag_add(t->diags, DIAG_ERROR, t->name, (unsigned int)at->line + 1,
			 (unsigned int)at->column + 1, "not YAML: %s, %s that starts at line %zu",
			 parser->problem, parser->context, context->line + 1);
	else
		diag_add(t->diags, DIAG_ERROR, t->name, (unsigned int)at->line + 1,
			 (unsigned int)at->column + 1, "not YAML: %s%s%s", parser->problem,
			 parser->context ? ", " : "", parser->context ? parser->context : "");
	return -EINVAL;
}

bool yamldoc_is_control(const unsigned char *s, size_t i)
{
	if (s[i] < 0x20 || s[i] == 0x7f)
		return true;
	/* U+0080 to U+009f are two bytes, and the second cannot follow 0xc2 in any other character. */
	return (s[i] == 0xc2 && s[i + 1] < 0xa0) || (i && s[i - 1] == 0xc2 && s[i] < 0xa0);
}

const char *yamldoc_echo(const unsigned char *s, size_t len, char buf[ECHO_MAX])
{
	size_t n = 0;

	for (; n < len && n < ECHO_MAX - 4; n++)
		buf[n] = (char)(yamldoc_is_control(s, n) ? '?' : s[n]);
	if (n < len) {
		while (n && (s[n] & 0xc0) == 0x80) /* not in the middle of a character */
			n--;
		memcpy(buf + n, "...", 3);
		n += 3;
	}
	buf[n] = 0;
	return buf;
}

struct walk {
	const struct text *text;
	const struct yamldoc *doc;
	uint32_t *expanded; /* by node index: 0 not seen, else nodes with aliases written out */
	bool *open;         /* on the way from the root to here */
};

static int node_error(const struct walk *w, const yaml_node_t *node, const char *problem)
{
	diag_add(w->text->diags, DIAG_ERROR, w->text->name, (unsigned int)node->start_mark.line + 1,
		 (unsigned int)node->start_mark.column + 1, "%s", problem);
	return -EINVAL;
}

static int check_tag(const struct walk *w, const yaml_node_t *node)
{
	static const char standard[] = "tag:yaml.org,2002:";
	char shown[ECHO_MAX];

	if (!node->tag || !strncmp((const char *)node->tag, standard, sizeof(standard) - 1))
		return 0;
	diag_add(w->text->diags, DIAG_ERROR, w->text->name, (unsigned int)node->start_mark.line + 1,
		 (unsigned int)node->start_mark.column + 1, "tag \"%s\" has no meaning here: leave it out",
		 yamldoc_echo(node->tag, strlen((const char *)node->tag), shown));
	return -EINVAL;
}

static int check_node(struct walk *w, int index, unsigned int depth);

static int check_child(struct walk *w, int child, unsigned int depth, uint64_t *sum)
{
	int err = check_node(w, child, depth);

	if (!err)
		*sum += w->expanded[child];
	return err;
}

static int check_children(struct walk *w, const yaml_node_t *node, unsigned int depth, uint64_t *sum)
{
	int err = 0;

	if (node->type == YAML_SEQUENCE_NODE) {
		const yaml_node_item_t *item = node->data.sequence.items.start;

		for (; !err && item < node->data.sequence.items.top; item++)
			err = check_child(w, *item, depth, sum);
	} else if (node->type == YAML_MAPPING_NODE) {
		const yaml_node_pair_t *pair = node->data.mapping.pairs.start;

		for (; !err && pair < node->data.mapping.pairs.top; pair++) {
			err = check_child(w, pair->key, depth, sum);
			if (!err)
				err = check_child(w, pair->value, depth, sum);
		}
	}
	return err;
}

static int check_node(struct walk *w, int index, unsigned int depth)
{
	const yaml_node_t *node = yamldoc_node(w->doc, index);
	uint64_t sum = 1;
	int err;

	if (w->open[index])
		return node_error(w, node, "this value contains itself: an alias in it refers back to it");
	if (w->expanded[index])
		return 0;
	if (depth > MAX_DEPTH)
		return node_error(w, node, "this value is nested too deeply");
	err = check_tag(w, node);
	if (err)
		return err;
	w->open[index] = true;
	err = check_children(w, node, depth + 1, &sum);
	w->open[index] = false;
	if (err)
		return err;
	if (sum > MAX_EXPANDED)
		return node_error(w, node,
				  "this value grows past a million values when its aliases are written out");
	w->expanded[index] = (uint32_t)sum;
	return 0;
}

static int check_tree(const struct text *t, const struct yamldoc *doc)
{
	size_t nr = (size_t)(doc->tree.nodes.top - doc->tree.nodes.start) + 1;
	_cleanup_free_ uint32_t *expanded = calloc(nr, sizeof(*expanded));
	_cleanup_free_ bool *open_nodes = calloc(nr, sizeof(*open_nodes));
	struct walk w = {t, doc, expanded, open_nodes};

	if (!expanded || !open_nodes)
		return out_of_memory(t);
	return check_node(&w, 1, 0);
}

static int check_no_more(const struct text *t, yaml_parser_t *parser)
{
	yaml_document_t second;
	const yaml_node_t *root;

	if (!yaml_parser_load(parser, &second))
		return parser_error(t, parser);
	root = yaml_document_get_root_node(&second);
	if (root)
		diag_add(t->diags, DIAG_ERROR, t->name, (unsigned int)second.start_mark.line + 1,
			 (unsigned int)second.start_mark.column + 1,
			 "a second document starts here: a file holds one");
	yaml_document_delete(&second);
	return root ? -EINVAL : 0;
}

static int load_tree(const struct text *t, struct yamldoc *doc)
{
	yaml_parser_t parser;
	int err = 0;

	if (!yaml_parser_initialize(&parser))
		return out_of_memory(t);
	yaml_parser_set_input_string(&parser, (const unsigned char *)t->bytes, t->len);
	if (!yaml_parser_load(&parser, &doc->tree))
		err = parser_error(t, &parser);
	else if (!yaml_document_get_root_node(&doc->tree)) {
		diag_add(t->diags, DIAG_ERROR, t->name, 1, 1, "the file is empty");
		err = -EINVAL;
	} else {
		err = check_tree(t, doc);
		if (!err)
			err = check_no_more(t, &parser);
	}
	yaml_parser_delete(&parser);
	return err;
}

int yamldoc_parse(const char *text, size_t len, const char *name, struct diags *diags, struct yamldoc **out)
{
	const struct text t = {name, text, len, diags};
	_cleanup_yamldoc_ struct yamldoc *doc = NULL;
	int err = check_text(&t);

	if (err)
		return err;
	doc = calloc(1, sizeof(*doc));
	if (!doc || !(doc->name = strdup(name)))
		return out_of_memory(&t);
	err = load_tree(&t, doc);
	if (err)
		return err;
	*out = take_ptr(doc);
	return 0;
}

int yamldoc_load(const char *path, struct diags *diags, struct yamldoc **out)
{
	const char *name = strcmp(path, "-") ? path : "<stdin>";
	_cleanup_free_ char *bytes = NULL;
	size_t len = 0;
	int err = read_text(path, MAX_FILE_BYTES, &bytes, &len);

	if (err) {
		diag_add(diags, DIAG_ERROR, name, 0, 0, "cannot read: %s",
			 err == -EFBIG ? "larger than 4MiB" : strerror(-err));
		return err;
	}
	return yamldoc_parse(bytes, len, name, diags, out);
}

void yamldoc_free(struct yamldoc *doc)
{
	if (!doc)
		return;
	yaml_document_delete(&doc->tree);
	free(doc->name);
	free(doc);
}

const yaml_node_t *yamldoc_root(const struct yamldoc *doc)
{
	return yamldoc_node(doc, 1);
}
