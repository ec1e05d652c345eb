// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ndctl, daxctl, cxl and lsmem nest the same objects in many ways (one object, an array, under regions, buses,
 * decoders...): every object is visited, and what it is shows from its keys.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "probe/import_found.h"

enum { PATH_MAX_LEN = 512, MAX_NODE_ID = 1023 };

struct visit {
	struct import *import;
	const struct json_doc *doc;
	const char *file;
	char path[PATH_MAX_LEN];
	size_t path_len;
	/* Inherited from the objects around this one. */
	int node;
	uint64_t region_bytes; /* of an NVDIMM region that its one namespace fills */
	enum dax_origin dax_origin;
	size_t cxl_region; /* index + 1 of the CXL region around; 0: none */
};

static int visit_value(const struct visit *outer, struct json_object *value, const char *fmt, ...)
	_printf_(3, 4);

static struct found_at here(const struct visit *v)
{
	struct found_at at = {.file = v->file};

	json_doc_place(v->doc, v->path, &at.line, &at.col);
	return at;
}

static int bad(const struct visit *v, const char *key, const char *fmt, ...) _printf_(3, 4);

static int bad(const struct visit *v, const char *key, const char *fmt, ...)
{
	_cleanup_free_ char *path = NULL, *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	text = text_formatv(fmt, ap);
	va_end(ap);
	if (!text || asprintf(&path, "%s.%s", v->path, key) < 0)
		return -ENOMEM;
	return json_doc_error(v->doc, path, "%s", text);
}

static const char *text_of(struct json_object *object, const char *key)
{
	struct json_object *value = json_object_object_get(object, key);

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

static bool has(struct json_object *o, const char *key)
{
	return json_object_object_get_ex(o, key, NULL);
}

static bool starts(const char *text, const char *with)
{
	return text && !strncmp(text, with, strlen(with));
}

/* A number, or a string as -u prints it. Missing: *out stays. */
static int read_size(const struct visit *v, struct json_object *object, const char *key,
		     struct found_size *out)
{
	struct json_object *value = json_object_object_get(object, key);

	if (!value)
		return 0;
	if (json_object_is_type(value, json_type_int) && json_object_get_int64(value) >= 0) {
		out->min = out->max = json_object_get_uint64(value);
		return 0;
	}
	if (json_object_is_type(value, json_type_string) &&
	    !found_size_parse(json_object_get_string(value), out))
		return 0;
	return bad(v, key, "%s is not a size: a number of bytes or \"124.03 GiB (133.18 GB)\" belongs here",
		   json_object_to_json_string(value));
}

/* Exact: an align, an address (a hexadecimal string with -u), a count. */
static int read_u64(const struct visit *v, struct json_object *object, const char *key, bool *has,
		    uint64_t *out)
{
	struct json_object *value = json_object_object_get(object, key);
	const char *text = text_of(object, key);
	struct found_size size = {0};
	char *end;
	int err;

	if (!value)
		return 0;
	if (starts(text, "0x")) {
		*out = strtoull(text, &end, 16);
		if (*end)
			return bad(v, key, "\"%s\" is not a number", text);
		*has = true;
		return 0;
	}
	err = read_size(v, object, key, &size);
	if (err)
		return err;
	*has = true;
	/* What is a power of two loses nothing to rounding. */
	*out = text ? size.min + (size.max - size.min) / 2 : size.min;
	return 0;
}

/* lsmem prints numbers as strings; -1 is no node. */
static int read_node(struct json_object *object, const char *key, int otherwise)
{
	struct json_object *value = json_object_object_get(object, key);
	int64_t node = value ? json_object_get_int64(value) : -1;

	return node >= 0 && node <= MAX_NODE_ID ? (int)node : otherwise;
}

static int copy_text(const char *text, char **out)
{
	if (!text)
		return 0;
	*out = strdup(text);
	return *out ? 0 : -ENOMEM;
}

/* The words of this and of older versions of ndctl. */
static int read_mode(const struct visit *v, const char *word, enum namespace_mode *out)
{
	static const struct {
		const char *word;
		enum namespace_mode mode;
	} words[] = {
		{"fsdax",  NS_FSDAX },
                {"memory", NS_FSDAX },
                {"devdax", NS_DEVDAX},
                {"dax",    NS_DEVDAX},
		{"raw",    NS_RAW   },
                {"safe",   NS_SECTOR},
                {"sector", NS_SECTOR},
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (strcmp(word, words[i].word))
			continue;
		*out = words[i].mode;
		return 0;
	}
	return bad(v, "mode", "mode \"%s\" is not one of ndctl's: fsdax, devdax, sector, raw", word);
}

/* "daxregion":{"devices":[{"chardev":"dax0.0", ...}]} */
static const char *chardev_of(struct json_object *namespace)
{
	const char *name = text_of(namespace, "chardev");
	struct json_object *region = json_object_object_get(namespace, "daxregion");
	struct json_object *devices = json_object_object_get(region, "devices");

	if (name || !json_object_is_type(devices, json_type_array))
		return name;
	return text_of(json_object_array_get_idx(devices, 0), "chardev");
}

static int fill_namespace(const struct visit *v, struct json_object *o, struct found_namespace *ns)
{
	const char *mode = text_of(o, "mode"), *map = text_of(o, "map"), *name = text_of(o, "blockdev");
	bool has_align = false;
	int err = copy_text(text_of(o, "dev"), &ns->dev);

	ns->mode = NS_RAW;
	if (!err && mode)
		err = read_mode(v, mode, &ns->mode);
	if (!err && map && strcmp(map, "dev") && strcmp(map, "mem"))
		err = bad(v, "map", "map \"%s\" is neither dev nor mem", map);
	ns->has_map = map != NULL;
	ns->map = map && !strcmp(map, "mem") ? MAP_MEM : MAP_DEV;
	ns->is_disabled = starts(text_of(o, "state"), "disabled");
	ns->node = read_node(o, "numa_node", v->node);
	ns->region_bytes = v->region_bytes;
	if (!err)
		err = copy_text(name ? name : chardev_of(o), &ns->name);
	if (!err)
		err = read_size(v, o, "size", &ns->size);
	if (!err)
		err = read_u64(v, o, "align", &has_align, &ns->align_bytes);
	if (!err)
		err = read_u64(v, o, "resource", &ns->has_start, &ns->start_bytes);
	return err;
}

static int add_namespace(struct visit *v, struct json_object *o)
{
	struct import *import = v->import;
	struct found_namespace *ns = array_grow(&import->namespaces, &import->nr_namespaces, sizeof(*ns));

	if (!ns)
		return -ENOMEM;
	ns->at = here(v);
	return fill_namespace(v, o, ns);
}

/* The start of a device of one range: -M lists them. */
static int read_mapping(const struct visit *v, struct json_object *o, struct found_dax *dax)
{
	struct json_object *mappings = json_object_object_get(o, "mappings");

	if (!json_object_is_type(mappings, json_type_array) || json_object_array_length(mappings) != 1)
		return 0;
	return read_u64(v, json_object_array_get_idx(mappings, 0), "start", &dax->has_start,
			&dax->start_bytes);
}

static int fill_dax(const struct visit *v, struct json_object *o, struct found_dax *dax)
{
	bool has_align = false, has_total = false, has_online = false;
	const char *mode = text_of(o, "mode");
	int err = copy_text(text_of(o, "chardev"), &dax->name);

	dax->origin = v->dax_origin;
	dax->has_mode = mode != NULL;
	dax->is_system_ram = starts(mode, "system-ram");
	dax->target = read_node(o, "target_node", NODE_ANY);
	dax->has_target = dax->target != NODE_ANY;
	if (!err)
		err = read_size(v, o, "size", &dax->size);
	if (!err)
		err = read_u64(v, o, "align", &has_align, &dax->align_bytes);
	if (!err)
		err = read_u64(v, o, "total_memblocks", &has_total, &dax->total_blocks);
	if (!err)
		err = read_u64(v, o, "online_memblocks", &has_online, &dax->online_blocks);
	dax->has_blocks = has_total && has_online;
	return err ? err : read_mapping(v, o, dax);
}

static int add_dax(struct visit *v, struct json_object *o)
{
	struct import *import = v->import;
	struct found_dax *dax = array_grow(&import->dax, &import->nr_dax, sizeof(*dax));

	if (!dax)
		return -ENOMEM;
	dax->at = here(v);
	if (v->cxl_region)
		import->cxl[v->cxl_region - 1].has_dax = true;
	return fill_dax(v, o, dax);
}

/* A CXL region, or the memory of a device that no region may be using. */
static int add_cxl(struct visit *v, struct json_object *o, bool is_memdev)
{
	struct import *import = v->import;
	struct found_cxl *cxl = array_grow(&import->cxl, &import->nr_cxl, sizeof(*cxl));
	struct found_size pmem = {0};
	int err;

	if (!cxl)
		return -ENOMEM;
	cxl->at = here(v);
	cxl->is_memdev = is_memdev;
	cxl->is_pmem = starts(text_of(o, "type"), "pmem");
	err = copy_text(text_of(o, is_memdev ? "memdev" : "region"), &cxl->name);
	if (!err)
		err = read_size(v, o, is_memdev ? "ram_size" : "size", &cxl->size);
	if (!err && is_memdev)
		err = read_size(v, o, "pmem_size", &pmem);
	cxl->size.min += pmem.min;
	cxl->size.max += pmem.max;
	if (!err && !is_memdev)
		err = read_u64(v, o, "resource", &cxl->has_start, &cxl->start_bytes);
	v->cxl_region = is_memdev ? 0 : import->nr_cxl;
	v->dax_origin = DAX_CXL;
	return err;
}

/* An NVDIMM region: its node is its namespaces', and one namespace in a full region is as large as that. */
static int enter_region(struct visit *v, struct json_object *o)
{
	struct import *import = v->import;
	struct json_object *namespaces = json_object_object_get(o, "namespaces");
	struct found_region *region = array_grow(&import->regions, &import->nr_regions, sizeof(*region));
	int err;

	if (!region)
		return -ENOMEM;
	region->at = here(v);
	err = copy_text(text_of(o, "dev"), &region->name);
	if (!err)
		err = read_size(v, o, "size", &region->size);
	if (!err)
		err = read_size(v, o, "available_size", &region->available);
	if (!err)
		err = read_size(v, o, "max_available_extent", &region->extent);
	v->node = read_node(o, "numa_node", v->node);
	v->dax_origin = DAX_NVDIMM;
	if (has(o, "available_size") && !region->available.max && region->size.min == region->size.max &&
	    json_object_is_type(namespaces, json_type_array) && json_object_array_length(namespaces) == 1)
		v->region_bytes = region->size.max;
	return err;
}

/* daxctl's regions say by their path what they are on. */
static void enter_dax_region(struct visit *v, const char *path)
{
	v->dax_origin = strstr(path, "ndbus") ? DAX_NVDIMM : strstr(path, "decoder") ? DAX_CXL : DAX_OTHER;
}

/* "0x0000000000000000-0x000000007fffffff" is exact where the size beside it is rounded. */
static int read_range(const struct visit *v, struct json_object *o, struct found_range *range)
{
	const char *text = text_of(o, "range");
	uint64_t first, last;

	if (!text)
		return read_size(v, o, "size", &range->size);
	if (sscanf(text, "%" SCNx64 "-%" SCNx64, &first, &last) != 2 || last < first || last == UINT64_MAX)
		return bad(v, "range", "\"%s\" is not an address range as lsmem prints it", text);
	range->size.min = range->size.max = last - first + 1;
	return 0;
}

static uint64_t blocks_in(struct json_object *value)
{
	const char *text = value ? json_object_get_string(value) : "";
	uint64_t first, last;
	int n = sscanf(text, "%" SCNu64 "-%" SCNu64, &first, &last);

	return n == 2 && last >= first && last - first < UINT32_MAX ? last - first + 1 : n == 1;
}

static int add_range(struct visit *v, struct json_object *o)
{
	struct import *import = v->import;
	struct found_range *range = array_grow(&import->ranges, &import->nr_ranges, sizeof(*range));
	const char *state = text_of(o, "state");
	int err;

	if (!range)
		return -ENOMEM;
	range->list = import->nr_lists;
	range->is_online = !starts(state, "offline");
	range->node = read_node(o, "node", NODE_ANY);
	range->nr_blocks = blocks_in(json_object_object_get(o, "block"));
	err = read_range(v, o, range);
	if (import->nr_ranges == 1 || range[-1].list != range->list || range->size.min != range->size.max)
		range->at = here(v);
	return err;
}

/*
 * One object: 0 to look into it as well, 1 when it is dealt with, or an error.
 * Keys that others nest under it (a namespace's daxregion) are its own.
 */
static int take_object(struct visit *v, struct json_object *o)
{
	const char *dev = text_of(o, "dev");
	int err = 0;

	v->import->nr_objects++;
	if (starts(dev, "namespace"))
		return (err = add_namespace(v, o)) ? err : 1;
	if (text_of(o, "chardev"))
		return (err = add_dax(v, o)) ? err : 1;
	if (starts(dev, "region"))
		return enter_region(v, o);
	if (text_of(o, "region") && has(o, "size"))
		return add_cxl(v, o, false);
	if (text_of(o, "memdev"))
		return (err = add_cxl(v, o, true)) ? err : 1;
	if (text_of(o, "path") && has(o, "id")) {
		enter_dax_region(v, text_of(o, "path"));
		return 0;
	}
	if (text_of(o, "range") || (has(o, "block") && has(o, "state")))
		return (err = add_range(v, o)) ? err : 1;
	v->import->nr_objects--;
	return 0;
}

static int visit_object(struct visit *v, struct json_object *object)
{
	int err = take_object(v, object);

	if (err)
		return MIN(err, 0);
	json_object_object_foreach(object, key, member)
	{
		err = visit_value(v, member, ".%s", key);
		if (err)
			break;
	}
	return err;
}

static int visit_value(const struct visit *outer, struct json_object *value, const char *fmt, ...)
{
	struct visit v = *outer;
	va_list ap;
	int n, err = 0;

	va_start(ap, fmt);
	n = vsnprintf(v.path + v.path_len, sizeof(v.path) - v.path_len, fmt, ap);
	va_end(ap);
	v.path_len = MIN(v.path_len + (size_t)MAX(n, 0), sizeof(v.path) - 1);
	if (json_object_is_type(value, json_type_object))
		return visit_object(&v, value);
	if (!json_object_is_type(value, json_type_array))
		return 0;
	for (size_t i = 0; i < json_object_array_length(value) && !err; i++)
		err = visit_value(&v, json_object_array_get_idx(value, i), "[%zu]", i);
	return err;
}

int import_json(struct import *import, const char *file, const struct json_doc *doc)
{
	struct visit v = {.import = import, .doc = doc, .file = file, .node = NODE_ANY};

	import->nr_lists++;
	/* What the tools print where there is nothing to list. */
	if (json_object_is_type(doc->root, json_type_array) && !json_object_array_length(doc->root))
		import->nr_objects++;
	return visit_value(&v, doc->root, "%s", "");
}
