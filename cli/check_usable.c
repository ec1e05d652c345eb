// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/check_usable.h"

#include <errno.h>
#include <inttypes.h>

#include "base/units.h"
#include "geometry/usable.h"
#include "host/pages.h"

/* Where what was computed goes: lines or JSON, one call a namespace and map. */
struct sink {
	const struct host *host;
	uint64_t want_bytes;
	struct diags *diags;
	FILE *out;
	json_object *list; /* NULL: text */
};

static const struct host_node *node_of(const struct host *host, const struct host_namespace *ns)
{
	for (size_t i = 0; i < host->nr_nodes; i++) {
		if (ns->node != NODE_ANY && host->nodes[i].id == (uint32_t)ns->node &&
		    host->nodes[i].memory_bytes)
			return &host->nodes[i];
	}
	return NULL;
}

/* As ndctl list -u has it, "1476.56 GiB": people compare the two. */
static const char *size_ndctl(char buf[UNITS_STR], uint64_t bytes)
{
	bool gib = bytes >= 2 * GIB;

	snprintf(buf, UNITS_STR, "%.2f %s", (double)bytes / (double)(gib ? GIB : MIB), gib ? "GiB" : "MiB");
	return buf;
}

static void print_header(const struct sink *s, const struct host_namespace *ns)
{
	char align[UNITS_STR], want[UNITS_STR];

	if (s->list)
		return;
	fprintf(s->out, "%s: %s, align %s: %s usable\n", ns->name, namespace_mode_name(ns->mode),
		size_exact(align, ns->align_bytes), size_exact(want, s->want_bytes));
	fprintf(s->out, "  %-4s %-12s %-12s %-12s %-12s %s\n", "MAP", "-s TO GIVE", "LEAVES", "LOST", "RAM",
		"JUST THAT GIVEN LEAVES");
}

static void print_plan(const struct sink *s, const struct host_namespace *ns, enum namespace_map map,
		       const struct usable_plan *p)
{
	char request[UNITS_STR], usable[UNITS_STR], lost[UNITS_STR], ram[UNITS_STR], as_wanted[UNITS_STR];
	char less[UNITS_STR];
	const struct host_node *node = node_of(s->host, ns);
	uint64_t memory = node ? node->memory_bytes : s->host->memory_bytes;

	fprintf(s->out, "  %-4s %-12s %-12s %-12s %-12s %s (%s less)\n", namespace_map_name(map),
		size_exact(request, p->request_bytes), size_ndctl(usable, p->usable_bytes),
		size_ndctl(lost, p->request_bytes - p->usable_bytes), size_ndctl(ram, p->ram_bytes),
		size_ndctl(as_wanted, p->as_wanted_bytes),
		size_exact(less, s->want_bytes - MIN(p->as_wanted_bytes, s->want_bytes)));
	if (map != MAP_MEM || !memory)
		return;
	fprintf(s->out, "       its RAM is %.1f %% of ", 100.0 * (double)p->ram_bytes / (double)memory);
	if (node)
		fprintf(s->out, "node %" PRIu32 "'s ", node->id);
	fprintf(s->out, "%s%s\n", size_human(ram, memory), p->ram_bytes > memory ? ": it does not fit" : "");
}

static void add_number(json_object *o, const char *key, uint64_t value)
{
	json_object_object_add(o, key, json_object_new_uint64(value));
}

static void add_plan(const struct sink *s, const struct host_namespace *ns, enum namespace_map map,
		     const struct usable_plan *p)
{
	json_object *o = json_object_new_object();

	json_object_object_add(o, "device", json_object_new_string(ns->name));
	json_object_object_add(o, "mode", json_object_new_string(namespace_mode_name(ns->mode)));
	json_object_object_add(o, "map", json_object_new_string(namespace_map_name(map)));
	add_number(o, "align", ns->align_bytes);
	add_number(o, "want", s->want_bytes);
	add_number(o, "request", p->request_bytes);
	add_number(o, "usable", p->usable_bytes);
	add_number(o, "lost", p->request_bytes - p->usable_bytes);
	add_number(o, "memmap_ram_bytes", p->ram_bytes);
	add_number(o, "usable_when_asked_as_wanted", p->as_wanted_bytes);
	json_object_array_add(s->list, o);
}

static int plan_map(const struct sink *s, const struct host_namespace *ns, enum namespace_map map)
{
	struct usable_plan plan;
	int err = usable_plan_for(s->host, ns, map, s->want_bytes, &plan);
	char want[UNITS_STR];

	if (err && err != -ENOMEM) {
		struct host_place at = host_place_of(s->host, &ns->size_bytes);

		diag_add(s->diags, DIAG_ERROR, s->host->file, at.line, at.col,
			 "%s: no raw size leaves %s: beyond the largest physical address", ns->name,
			 size_exact(want, s->want_bytes));
		return -EINVAL;
	}
	if (err)
		return err;
	if (s->list)
		add_plan(s, ns, map, &plan);
	else
		print_plan(s, ns, map, &plan);
	return 0;
}

static int plan_namespace(const struct sink *s, const struct host_namespace *ns)
{
	int err;

	print_header(s, ns);
	err = plan_map(s, ns, MAP_DEV);
	return err ? err : plan_map(s, ns, MAP_MEM);
}

static int plan_all(const struct sink *s)
{
	const struct host *h = s->host;
	const struct page_sizes *sizes = page_sizes_of(h->arch, h->page_size_bytes);
	char name[] = "a new namespace";
	const struct host_namespace new = {.name = name,
					   .mode = NS_FSDAX,
					   .align_bytes = sizes ? sizes->pmd_bytes : 2 * MIB,
					   .node = NODE_ANY};
	bool has_any = false;
	int err = 0;

	for (size_t i = 0; i < h->nr_namespaces && !err; i++) {
		if (!namespace_is_mapped(&h->namespaces[i]))
			continue;
		has_any = true;
		err = plan_namespace(s, &h->namespaces[i]);
	}
	return has_any ? err : plan_namespace(s, &new);
}

int usable_print(const struct host *host, uint64_t want_bytes, struct diags *diags, FILE *out)
{
	const struct sink s = {.host = host, .want_bytes = want_bytes, .diags = diags, .out = out};

	return plan_all(&s);
}

int usable_json(const struct host *host, uint64_t want_bytes, struct diags *diags, json_object **out)
{
	const struct sink s = {
		.host = host, .want_bytes = want_bytes, .diags = diags, .list = json_object_new_array()};
	int err = s.list ? plan_all(&s) : -ENOMEM;

	if (err)
		json_object_put(s.list);
	else
		*out = s.list;
	return err;
}
