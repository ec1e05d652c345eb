// SPDX-License-Identifier: GPL-2.0-or-later
/* Life of a host: made, loaded, copied, saved, freed; and where its values stood. */
#include "host/host.h"

#include <errno.h>
#include <string.h>

#include "host/keys.h"
#include "host/pages.h"

static struct host *host_alloc(const char *file)
{
	_cleanup_host_ struct host *host = calloc(1, sizeof(*host));

	if (!host || !(host->file = strdup(file)))
		return NULL;
	return take_ptr(host);
}

struct host *host_new(const char *name)
{
	_cleanup_host_ struct host *host = host_alloc(name);

	if (!host || keys_defaults(host_keys, host, true) || !(host->name = strdup(name)))
		return NULL;
	return take_ptr(host);
}

void host_free(struct host *host)
{
	if (!host)
		return;
	keys_free(host_keys, host);
	free(host->file);
	if (host->places)
		free(host->places->items);
	free(host->places);
	if (host->origins)
		key_origins_free(host->origins);
	free(host->origins);
	free(host);
}

static int copy_places(struct host *host, const struct key_places *from)
{
	if (!from)
		return 0;
	host->places = calloc(1, sizeof(*host->places));
	if (!host->places)
		return -ENOMEM;
	if (!from->nr)
		return 0;
	host->places->items = malloc(from->nr * sizeof(*from->items));
	if (!host->places->items)
		return -ENOMEM;
	memcpy(host->places->items, from->items, from->nr * sizeof(*from->items));
	host->places->nr = from->nr;
	return 0;
}

struct host *host_copy(const struct host *host)
{
	_cleanup_host_ struct host *copy = malloc(sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *host;
	copy->file = NULL;
	copy->places = NULL;
	copy->origins = NULL;
	if (keys_copy(host_keys, copy, host) || !(copy->file = strdup(host->file)) ||
	    copy_places(copy, host->places))
		return NULL;
	return take_ptr(copy);
}

int host_save(const struct host *host, FILE *out)
{
	return keys_write(host_keys, host, out);
}

void host_print_reference(FILE *out)
{
	keys_print_reference(host_keys, out);
}

/* The list whose array holds the field, its row and the item's index; NULL for a member of host itself. */
static const struct key *list_of(const struct key *keys, const struct host *host, const char *field,
				 size_t *item)
{
	for (const struct key *k = keys; k->name; k++) {
		if (k->type == KEY_MAP) {
			const struct key *found = list_of(k->keys, host, field, item);

			if (found)
				return found;
		}
		if (k->type != KEY_LIST)
			continue;
		const char *array = *(char *const *)((const char *)host + k->offset);
		size_t nr = *(const size_t *)((const char *)host + k->nr_offset);

		if (field < array || field >= array + nr * k->item_size)
			continue;
		*item = (size_t)(field - array) / k->item_size;
		return k;
	}
	return NULL;
}

/* The array item, or the host, that field is a member of, and which it is. */
static const char *base_of(const struct host *host, const void *field, const struct key **list, size_t *item)
{
	*item = 0;
	*list = list_of(host_keys, host, field, item);
	if (!*list)
		return (const char *)host;
	return *(char *const *)((const char *)host + (*list)->offset) + *item * (*list)->item_size;
}

struct host_place host_place_of(const struct host *host, const void *field)
{
	const struct key *list;
	size_t item;
	const char *base = base_of(host, field, &list, &item);
	const struct key_place *found;
	struct host_place place = {0};

	if (!host->places)
		return place;
	found = key_places_find(host->places, list, item, (size_t)((const char *)field - base));
	if (found)
		return (struct host_place){found->at.line, found->at.col};
	if (list)
		memcpy(&place, base + list->place_offset, sizeof(place));
	return place;
}

bool host_is_stated(const struct host *host, const void *field)
{
	const struct key *list;
	size_t item;
	const char *base = base_of(host, field, &list, &item);

	return !host->places ||
	       key_places_find(host->places, list, item, (size_t)((const char *)field - base));
}

static int add_origin(struct host *host, const void *field, bool is_unknown, bool whole_item, const char *fmt,
		      va_list ap)
{
	const struct key *list;
	char *text = NULL;
	size_t item;
	const char *base = base_of(host, field, &list, &item);
	size_t offset = whole_item ? KEY_WHOLE_ITEM : (size_t)((const char *)field - base);

	if (!host->origins && !(host->origins = calloc(1, sizeof(*host->origins))))
		return -ENOMEM;
	text = text_formatv(fmt, ap);
	return key_origins_add(host->origins, list, item, offset, is_unknown, text);
}

int host_origin(struct host *host, const void *field, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int err = add_origin(host, field, false, false, fmt, ap);
	va_end(ap);
	return err;
}

int host_unknown(struct host *host, const void *field, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int err = add_origin(host, field, true, false, fmt, ap);
	va_end(ap);
	return err;
}

int host_remark(struct host *host, const void *field, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	int err = add_origin(host, field, false, true, fmt, ap);
	va_end(ap);
	return err;
}

bool host_is_unknown(const struct host *host, const void *field)
{
	const struct key_origin *origin;
	const struct key *list;
	size_t item;
	const char *base = base_of(host, field, &list, &item);

	if (!host->origins)
		return false;
	origin = key_origins_find(host->origins, list, item, (size_t)((const char *)field - base));
	return origin && origin->is_unknown;
}

int host_save_origins(const struct host *host, FILE *out)
{
	static const struct key_origins none;

	return keys_write_origins(host_keys, host, host->origins ? host->origins : &none, out);
}

/* Defaults that depend on other lists than the key's own, which rows cannot say. */
static void finish(struct host *host)
{
	const struct page_sizes *sizes = page_sizes_of(host->arch, host->page_size_bytes);
	uint64_t cpus = 0;

	if (host->kernel.release && kver_parse(host->kernel.release, &host->kernel.version))
		host->kernel.version = (struct kver){0}; /* host_check says so */
	for (size_t i = 0; i < host->nr_nodes; i++)
		cpus += host->nodes[i].cpus;
	if (cpus && cpus <= UINT32_MAX && !host_place_of(host, &host->cpus).line)
		host->cpus = (uint32_t)cpus;
	for (size_t i = 0; sizes && i < host->nr_namespaces; i++) {
		if (!host->namespaces[i].align_bytes)
			host->namespaces[i].align_bytes = sizes->pmd_bytes;
	}
}

static int load_doc(const struct yamldoc *doc, struct diags *diags, struct host **out)
{
	_cleanup_host_ struct host *host = host_alloc(doc->name);
	int err, check_err;

	if (host)
		host->places = calloc(1, sizeof(*host->places));
	if (!host || !host->places) {
		diag_add(diags, DIAG_ERROR, doc->name, 0, 0, "out of memory");
		return -ENOMEM;
	}
	err = keys_read(doc, host_keys, host, host->places, diags);
	if (err == -ENOMEM)
		return err;
	finish(host);
	check_err = host_check(host, diags);
	if (err || check_err)
		return -EINVAL;
	*out = take_ptr(host);
	return 0;
}

/* Each file's mistakes in the order of its lines; what was in diags before stays first. */
static int load_sorted(int err, const struct yamldoc *doc, struct diags *diags, size_t before,
		       struct host **out)
{
	if (!err)
		err = load_doc(doc, diags, out);
	if (diags) {
		struct diags own = {.items = diags->items + before, .nr = diags->nr - before};

		diags_sort(&own);
	}
	return err;
}

int host_load(const char *path, struct diags *diags, struct host **out)
{
	_cleanup_yamldoc_ struct yamldoc *doc = NULL;
	size_t before = diags ? diags->nr : 0;
	int err = yamldoc_load(path, diags, &doc);

	return load_sorted(err, doc, diags, before, out);
}

int host_load_text(const char *text, size_t len, const char *name, struct diags *diags, struct host **out)
{
	_cleanup_yamldoc_ struct yamldoc *doc = NULL;
	size_t before = diags ? diags->nr : 0;
	int err = yamldoc_parse(text, len, name, diags, &doc);

	return load_sorted(err, doc, diags, before, out);
}

uint64_t host_hugepages_of_size(const struct host *host, uint64_t size_bytes)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < host->nr_hugepages; i++) {
		if (host->hugepages[i].size_bytes == size_bytes)
			sum += MIN(host->hugepages[i].count, UINT64_MAX - sum);
	}
	return sum;
}
