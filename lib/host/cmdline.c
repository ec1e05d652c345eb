// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/cmdline.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/units.h"

enum { WORD_MAX = 256 };

const char cmdline_movable_node[] =
	"movable_node: nodes that can be unplugged have movable memory only, which holds "
	"neither memmaps of devices nor gigantic pages";

struct parser {
	struct cmdline *out;
	const struct page_sizes *sizes;
	const char *file;
	unsigned int line;
	struct diags *diags;
	uint64_t named[MAX_HUGEPAGE_SIZES]; /* by hugepagesz= and default_hugepagesz= */
	unsigned int nr_named;
	bool has_default;       /* a default_hugepagesz= was taken */
	uint64_t default_bytes; /* of hugepages= before any size */
	uint64_t size_bytes;    /* of the next hugepages=; 0: the default, whichever that will be */
	bool size_is_bad;
	bool size_is_used; /* a hugepages= has followed it */
	int err;
};

static void doubt(struct parser *p, const char *fmt, ...) _printf_(2, 3);

static void doubt(struct parser *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(p->diags, DIAG_WARNING, p->file, p->line, 0, fmt, ap);
	va_end(ap);
}

/* lib/cmdline.c: memparse: a C number and a binary suffix. Returns what follows, NULL when there is no number. */
static const char *memparse(const char *text, uint64_t *out)
{
	static const char suffixes[] = "KMGTPE";
	uint64_t value;
	char *end;

	if (!isdigit((unsigned char)*text))
		return NULL;
	value = strtoull(text, &end, 0);
	const char *suffix = *end ? strchr(suffixes, toupper((unsigned char)*end)) : NULL;

	if (suffix) {
		unsigned int shift = 10 * (unsigned int)(suffix - suffixes + 1);

		if (value > UINT64_MAX >> shift)
			return NULL;
		value <<= shift;
		end++;
	}
	*out = value;
	return end;
}

/* lib/kstrtox.c: kstrtobool. */
static bool is_on(const char *text)
{
	return *text == 'y' || *text == 'Y' || *text == 't' || *text == 'T' || *text == '1' ||
	       !strncasecmp(text, "on", 2);
}

static bool has_hugepages_of(const struct parser *p, uint64_t bytes)
{
	if (!p->sizes)
		return true;
	for (int i = 0; i < MAX_HUGEPAGE_SIZES; i++) {
		if (bytes && p->sizes->hugepage_bytes[i] == bytes)
			return true;
	}
	return false;
}

static bool is_named(const struct parser *p, uint64_t bytes)
{
	for (unsigned int i = 0; i < p->nr_named; i++) {
		if (p->named[i] == bytes)
			return true;
	}
	return false;
}

static bool has_pool_of(const struct cmdline *c, uint64_t bytes)
{
	for (size_t i = 0; i < c->nr_pools; i++) {
		if (c->pools[i].size_bytes == bytes)
			return true;
	}
	return false;
}

/* A size may be named once; the default's a second time, as long as it has no pages. */
static bool is_named_again(const struct parser *p, uint64_t bytes, bool is_default)
{
	if (is_default)
		return p->has_default;
	return is_named(p, bytes) &&
	       (!p->has_default || bytes != p->default_bytes || has_pool_of(p->out, bytes));
}

/* mm/hugetlb.c: hugepagesz_setup, default_hugepagesz_setup: of the hugepages= that follows. */
static void take_size(struct parser *p, const char *option, const char *value, bool is_default)
{
	uint64_t bytes = 0;
	bool is_there = memparse(value, &bytes) && has_hugepages_of(p, bytes);

	p->size_is_bad = !is_there || is_named_again(p, bytes, is_default);
	if (p->size_is_bad) {
		doubt(p, "%s=%s: %s (\"%s%s\"): the kernel ignores it, and the hugepages= after it", option,
		      value, is_there ? "named before" : "no hugepages of this size here",
		      is_there ? "previously specified" : "unsupported ", is_there ? "" : option);
		return;
	}
	p->size_bytes = bytes;
	p->size_is_used = false;
	if (!is_named(p, bytes) && p->nr_named < ARRAY_SIZE(p->named))
		p->named[p->nr_named++] = bytes;
}

/*
 * Pages that were asked for before any size are of the default one, and win over those that are asked for with that
 * size: "hugepages=256 hugepagesz=2M hugepages=512" are 256 (Documentation/admin-guide/mm/hugetlbpage.rst).
 */
static void settle_default(struct parser *p)
{
	struct cmdline *c = p->out;
	size_t nr = 0;
	char size[UNITS_STR];

	if (!has_pool_of(c, 0))
		return;
	for (size_t i = 0; i < c->nr_pools; i++) {
		struct cmdline_pool pool = c->pools[i];

		if (pool.size_bytes == p->default_bytes) {
			doubt(p,
			      "hugepages=%" PRIu64
			      " of %s, the default size, for which an earlier hugepages= asks: "
			      "the kernel ignores this one",
			      pool.count, size_exact(size, pool.size_bytes));
			continue;
		}
		if (!pool.size_bytes)
			pool.size_bytes = p->default_bytes;
		c->pools[nr++] = pool;
	}
	c->nr_pools = nr;
}

static void take_hugepagesz(struct parser *p, const char *value)
{
	take_size(p, "hugepagesz", value, false);
}

static void take_default_hugepagesz(struct parser *p, const char *value)
{
	take_size(p, "default_hugepagesz", value, true);
	if (p->size_is_bad)
		return;
	p->has_default = true;
	p->default_bytes = p->size_bytes;
	settle_default(p);
}

static void add_pool(struct parser *p, int node, uint64_t count)
{
	struct cmdline_pool *pool;

	if (!count)
		return;
	pool = array_grow(&p->out->pools, &p->out->nr_pools, sizeof(*pool));
	if (!pool) {
		p->err = -ENOMEM;
		return;
	}
	*pool = (struct cmdline_pool){p->size_bytes, count, node};
}

/* "N", or "node:N,node:N": mm/hugetlb.c: hugepages_setup. */
static void take_hugepages(struct parser *p, const char *value)
{
	const char *at = value;

	if (p->size_is_bad) {
		p->size_is_bad = false;
		return; /* told with the size */
	}
	if (p->size_is_used) {
		doubt(p,
		      "hugepages=%s: specified twice without interleaving hugepagesz=: the kernel ignores "
		      "this one",
		      value);
		return;
	}
	p->size_is_used = true;
	while (isdigit((unsigned char)*at)) {
		char *end;
		uint64_t first = strtoull(at, &end, 10), count = first;
		int node = NODE_ANY;

		if (*end == ':' && isdigit((unsigned char)end[1]) && first <= MAX_NODE) {
			node = (int)first;
			count = strtoull(end + 1, &end, 10);
		}
		add_pool(p, node, count);
		at = end;
		if (node == NODE_ANY || *at != ',')
			break;
		at++;
	}
	if (*at || at == value)
		doubt(p, "hugepages=%s: \"invalid parameter\": write a number, or node:number,...", value);
}

static void take_memmap(struct parser *p, const char *value)
{
	while (*value) {
		struct cmdline_range range = {0}, *slot;
		const char *at = memparse(value, &range.size_bytes);

		if (at && *at && strchr("!$#@", *at)) {
			range.kind = *at;
			at = memparse(at + 1, &range.start_bytes);
			slot = at ? array_grow(&p->out->ranges, &p->out->nr_ranges, sizeof(*slot)) : NULL;
			if (slot)
				*slot = range;
			else if (at)
				p->err = -ENOMEM;
		}
		value = strchr(value, ',');
		if (!value)
			break;
		value++;
	}
}

static void take_hugetlb_cma(struct parser *p, const char *value)
{
	uint64_t bytes = 0, sum = 0;

	/* "0:1G,1:1G" per node, or one size for all. */
	for (const char *at = value; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		const char *colon = strchr(at, ':'), *comma = strchr(at, ',');

		if (memparse(colon && (!comma || colon < comma) ? colon + 1 : at, &bytes))
			sum += MIN(bytes, UINT64_MAX - sum);
	}
	p->out->hugetlb_cma_bytes = sum;
}

static void take_hvo(struct parser *p, const char *value)
{
	p->out->has_hvo = true;
	p->out->hvo = is_on(value);
}

static void take_init_on_alloc(struct parser *p, const char *value)
{
	p->out->has_init_on_alloc = true;
	p->out->init_on_alloc = is_on(value);
}

static void take_memmap_on_memory(struct parser *p, const char *value)
{
	p->out->memmap_on_memory = is_on(value) || !strcmp(value, "force");
}

static void take_mem(struct parser *p, const char *value)
{
	memparse(value, &p->out->mem_bytes);
}

static void take_movable_node(struct parser *p, const char *value)
{
	(void)value;
	p->out->movable_node = true;
}

static const struct option {
	const char *name;
	bool has_value;
	void (*take)(struct parser *p, const char *value); /* NULL: only tells that this is a command line */
} options[] = {
	{"hugepagesz",                      true,  take_hugepagesz        },
	{"default_hugepagesz",              true,  take_default_hugepagesz},
	{"hugepages",		       true,  take_hugepages         },
	{"hugetlb_cma",                     true,  take_hugetlb_cma       },
	{"hugetlb_free_vmemmap",            true,  take_hvo               },
	{"init_on_alloc",                   true,  take_init_on_alloc     },
	{"memory_hotplug.memmap_on_memory", true,  take_memmap_on_memory  },
	{"memmap",			  true,  take_memmap            },
	{"mem",			     true,  take_mem               },
	{"movable_node",                    false, take_movable_node      },
	{"BOOT_IMAGE",                      true,  NULL                   },
	{"root",			    true,  NULL                   },
	{"ro",			      false, NULL                   },
	{"rw",			      false, NULL                   },
	{"quiet",			   false, NULL                   },
	{"console",			 true,  NULL                   },
	{"initrd",			  true,  NULL                   },
	{"rd.lvm.lv",		       true,  NULL                   },
	{"crashkernel",                     true,  NULL                   },
	{"hugepage_alloc_threads",          true,  NULL                   },
	{"memhp_default_state",             true,  NULL                   },
	{"numa",			    true,  NULL                   },
	{"iommu",			   true,  NULL                   },
};

const char *cmdline_next(const char *at, const char *end, size_t *len)
{
	bool quoted = false;

	while (at < end && isspace((unsigned char)*at))
		at++;
	for (*len = 0; at + *len < end && (quoted || !isspace((unsigned char)at[*len])); (*len)++)
		quoted ^= at[*len] == '"';
	return *len ? at : NULL;
}

bool cmdline_same_name(const char *text, const char *name, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != name[i] && !(text[i] == '-' && name[i] == '_'))
			return false;
	}
	return true;
}

/* An argument without its quotes. Returns what follows; NULL: there is none. */
static const char *next_word(const char *at, const char *end, char word[WORD_MAX])
{
	size_t len, kept = 0;

	at = cmdline_next(at, end, &len);
	for (size_t i = 0; at && i < len; i++) {
		if (at[i] != '"' && kept + 1 < WORD_MAX)
			word[kept++] = at[i];
	}
	word[kept] = 0;
	return at ? at + len : NULL;
}

/* *value is what follows the '='; empty for flags. */
static const struct option *find_option(const char *word, const char **value)
{
	size_t len = strcspn(word, "=");

	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		if ((word[len] == '=') != options[i].has_value || strlen(options[i].name) != len ||
		    !cmdline_same_name(word, options[i].name, len))
			continue;
		*value = word + len + (word[len] == '=');
		return &options[i];
	}
	return NULL;
}

bool cmdline_recognise(const char *text, size_t len)
{
	size_t known = 0, alike = 0, words = 0;
	const char *at = text, *value;
	char word[WORD_MAX];

	while ((at = next_word(at, text + len, word))) {
		bool is_known = find_option(word, &value) != NULL;

		words++;
		known += is_known;
		alike += is_known || strchr(word, '=');
	}
	return known && alike * 2 >= words;
}

/* The same once more: a node twice in one list; the default's pages, asked for before and after its size. */
static void settle_pools(struct parser *p)
{
	struct cmdline *c = p->out;
	char size[UNITS_STR];
	size_t nr = 0;

	for (size_t i = 0; i < c->nr_pools; i++) {
		struct cmdline_pool pool = c->pools[i];
		size_t j = 0;

		while (j < nr && (c->pools[j].size_bytes != pool.size_bytes || c->pools[j].node != pool.node))
			j++;
		if (j < nr) {
			doubt(p,
			      "hugepages of %s are asked for twice, %" PRIu64 " and %" PRIu64
			      ": the kernel keeps "
			      "the last",
			      size_exact(size, pool.size_bytes), c->pools[j].count, pool.count);
			c->pools[j] = pool;
			continue;
		}
		c->pools[nr++] = pool;
	}
	c->nr_pools = nr;
}

/* mm/hugetlb.c: hugetlb_hstate_alloc_pages: only gigantic pages come from the CMA area. */
static void check_cma(struct parser *p)
{
	const struct cmdline *c = p->out;
	char size[UNITS_STR];

	for (size_t i = 0; c->hugetlb_cma_bytes && p->sizes && i < c->nr_pools; i++) {
		if (c->pools[i].size_bytes <= p->sizes->pmd_bytes)
			continue;
		doubt(p,
		      "hugetlb_cma= with hugepages=%" PRIu64
		      " of %s: the kernel says \"hugetlb_cma is enabled, "
		      "skip boot time allocation\" and makes none of them; use one of the two",
		      c->pools[i].count, size_exact(size, c->pools[i].size_bytes));
	}
}

int cmdline_parse(const char *text, const struct page_sizes *sizes, const char *file, unsigned int line,
		  struct diags *diags, struct cmdline *out)
{
	struct cmdline cmdline = {0};
	struct parser p = {.out = &cmdline, .sizes = sizes, .file = file, .line = line, .diags = diags};
	const char *at = text, *end = text + strlen(text), *value;
	char word[WORD_MAX];

	p.default_bytes = sizes ? sizes->pmd_bytes : 2 * MIB;
	while (!p.err && (at = next_word(at, end, word))) {
		const struct option *option;

		if (!strcmp(word, "--"))
			break; /* the rest is init's */
		option = find_option(word, &value);
		if (option && option->take)
			option->take(&p, value);
	}
	if (p.err) {
		cmdline_free(&cmdline);
		return p.err;
	}
	settle_default(&p);
	settle_pools(&p);
	check_cma(&p);
	*out = cmdline;
	return 0;
}

void cmdline_free(struct cmdline *cmdline)
{
	free(cmdline->pools);
	free(cmdline->ranges);
	*cmdline = (struct cmdline){0};
}
