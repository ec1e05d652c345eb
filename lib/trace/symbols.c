// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/symbols.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/util.h"

/* ftrace's call comes after ENDBR or BTI, at most so many bytes into a function. */
enum { PATCH_OFFSET = 16 };

/* A name and an address in a line of one of three files. */
struct line_form {
	const char *file; /* in tracefs; NULL: /proc/kallsyms */
	bool has_address; /* "ffffffff8123 name [module]" */
	bool has_type;    /* "ffffffff8123 t name	[module]" */
};

static const struct line_form forms[] = {
	{"available_filter_functions_addrs", true,  false}, /* 6.5 */
	{"available_filter_functions",       false, false},
	{NULL,			       true,  true },
};

static const struct traced_function *find_wanted(const struct traced_function *wanted, const char *name,
						 size_t len)
{
	const char *dot = memchr(name, '.', len);
	size_t base = dot ? (size_t)(dot - name) : len;

	if (dot && memmem(dot, len - base, ".cold", 5)) /* a part of a function, not one */
		return NULL;
	for (; wanted->name; wanted++) {
		if (!strncmp(wanted->name, name, base) && !wanted->name[base])
			return wanted;
	}
	return NULL;
}

/* The next field of a line; it ends at a blank or the line's end. */
static const char *field(const char **at, size_t *len)
{
	const char *start;

	while (**at == ' ' || **at == '\t')
		++*at;
	start = *at;
	while (**at && !isspace((unsigned char)**at))
		++*at;
	*len = (size_t)(*at - start);
	return start;
}

static int add_symbol(struct symbols *s, const char *name, size_t len, struct symbol symbol)
{
	struct symbol *slot = array_grow(&s->items, &s->nr, sizeof(*slot));

	if (!slot)
		return -ENOMEM;
	*slot = symbol;
	slot->name = strndup(name, len);
	return slot->name ? 0 : -ENOMEM;
}

static void set_address(struct symbols *s, const char *name, size_t len, uint64_t address)
{
	for (size_t i = 0; i < s->nr; i++) {
		if (!s->items[i].address && !strncmp(s->items[i].name, name, len) && !s->items[i].name[len])
			s->items[i].address = address;
	}
}

/* With only_addresses, fill in those of the symbols already found. */
static int read_form(const struct line_form *form, const char *text, const struct traced_function *wanted,
		     bool only_addresses, struct symbols *out)
{
	uint32_t index = 0;

	for (const char *line = text, *end; *line; line = *end ? end + 1 : end) {
		const char *at = line, *name;
		uint64_t address = 0;
		size_t len;

		end = strchrnul(line, '\n');
		index++;
		if (form->has_address)
			address = strtoull(field(&at, &len), NULL, 16);
		if (form->has_type && !strchr("tTwW", *field(&at, &len)))
			continue;
		name = field(&at, &len);
		const struct traced_function *f = len ? find_wanted(wanted, name, len) : NULL;

		if (!f)
			continue;
		if (only_addresses)
			set_address(out, name, len, address);
		else if (add_symbol(out, name, len,
				    (struct symbol){.address = address,
						    .index = form->file ? index : 0,
						    .role = f->role}))
			return -ENOMEM;
	}
	return 0;
}

int symbols_find(const struct root *root, const char *tracefs, const struct traced_function *wanted,
		 struct symbols *out)
{
	_cleanup_symbols_ struct symbols found = {0};
	bool has_addresses = false;
	int err = -ENOENT;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		_cleanup_free_ char *text = NULL;
		bool is_last = i + 1 == ARRAY_SIZE(forms);

		if (found.nr && (has_addresses || !is_last))
			continue;
		err = forms[i].file ? root_read(root, &text, "%s/%s", tracefs, forms[i].file)
				    : root_read(root, &text, "proc/kallsyms");
		if (err)
			continue;
		err = read_form(&forms[i], text, wanted, found.nr > 0, &found);
		if (err)
			return err;
		has_addresses = forms[i].has_address;
	}
	if (!found.nr)
		return err ? err : -ENOENT;
	*out = found;
	found = (struct symbols){0};
	return 0;
}

const struct symbol *symbols_at(const struct symbols *symbols, uint64_t address)
{
	const struct symbol *nearest = NULL;
	uint64_t least = PATCH_OFFSET + 1; /* two small functions may be as near each other */

	for (size_t i = 0; i < symbols->nr; i++) {
		uint64_t at = symbols->items[i].address,
			 distance = address >= at ? address - at : at - address;

		if (!at || distance >= least)
			continue;
		nearest = &symbols->items[i];
		least = distance;
	}
	return nearest;
}

void symbols_free(struct symbols *symbols)
{
	for (size_t i = 0; i < symbols->nr; i++)
		free(symbols->items[i].name);
	free(symbols->items);
	*symbols = (struct symbols){0};
}
