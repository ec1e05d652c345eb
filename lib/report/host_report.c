// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/host_report.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/keys_value.h"
#include "host/keys.h"
#include "report/columns.h"
#include "report/keys_doc.h"

int host_json(const struct probed *probed, const struct diags *notes, FILE *out)
{
	_cleanup_doc_ struct doc *doc = doc_new(DOC_JSON, out);

	if (!doc)
		return -ENOMEM;
	doc_object(doc, NULL);
	doc_str(doc, "schema", "memmapctl.host/1");
	keys_doc(doc, host_keys, probed->host, probed->host->origins);
	doc_object(doc, "facts");
	keys_doc(doc, facts_keys, &probed->facts, NULL);
	doc_end(doc);
	doc_array(doc, "notes");
	for (size_t i = 0; i < notes->nr; i++)
		doc_str(doc, NULL, notes->items[i].text);
	doc_end(doc);
	doc_end(doc);
	return doc_finish(doc);
}

/* "key: value" for each value that was seen, separated by commas; false when there was none. */
static bool write_facts_row(const struct key *keys, const char *map, const char *before, FILE *out)
{
	bool any = false;

	for (const struct key *k = keys; k->name; k++) {
		struct key_value v;

		if (k->type == KEY_LIST || (k->has_offset && !*(const bool *)(map + k->has_offset)))
			continue;
		v = key_fetch(k, map + k->offset);
		if ((k->type == KEY_TEXT && !v.text) || (k->type == KEY_INDEX && key_is_zero(k, &v)))
			continue;
		fprintf(out, "%s%s: ", any ? ", " : before, k->name);
		if (k->type == KEY_TEXT) /* sysfs texts may have several lines, a comment has one */
			for (const char *c = v.text; *c; c++)
				fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
		else
			key_write(k, map + k->offset, out);
		any = true;
	}
	return any;
}

static void write_facts_list(const struct key *k, const char *map, FILE *out)
{
	const char *items = *(char *const *)(map + k->offset);
	size_t nr = *(const size_t *)(map + k->nr_offset);

	if (!nr)
		return;
	fprintf(out, "# %s:\n", k->name);
	for (size_t i = 0; i < nr; i++) {
		if (write_facts_row(k->keys, items + i * k->item_size, "#   - ", out))
			fputc('\n', out);
	}
}

int host_yaml(const struct probed *probed, FILE *out)
{
	const char *map = (const char *)&probed->facts;
	int err = host_save_origins(probed->host, out);

	if (err)
		return err;
	fputs("\n# What else was seen, for which a description has no keys:\n", out);
	for (const struct key *k = facts_keys; k->name; k++) {
		const struct key row[] = {*k, {0}};

		if (k->type == KEY_LIST)
			write_facts_list(k, map, out);
		else if (write_facts_row(row, map, "# ", out))
			fputc('\n', out);
	}
	return ferror(out) ? -EIO : 0;
}

static void print_heading(const struct probed *probed, const struct style *style, FILE *out)
{
	const struct host *h = probed->host;
	char memory[UNITS_STR];

	fprintf(out, "%s%s%s   %s, Linux %s, %s RAM, %" PRIu32 " CPUs in %zu node%s\n",
		look_on(style, LOOK_STRONG), h->name, look_off(style, LOOK_STRONG),
		host_is_unknown(h, &h->arch) ? "architecture unknown" : arch_name(h->arch),
		h->kernel.release ? h->kernel.release : "(release unknown)",
		h->memory_bytes ? size_human(memory, h->memory_bytes) : "unknown", h->cpus, h->nr_nodes,
		h->nr_nodes == 1 ? "" : "s");
	if (probed->facts.cpu || probed->facts.virtualization)
		fprintf(out, "%s%s%s\n", probed->facts.cpu ? probed->facts.cpu : "CPU unknown",
			probed->facts.virtualization ? "; virtualization: " : "",
			probed->facts.virtualization ? probed->facts.virtualization : "");
	fputc('\n', out);
}

static void add_row(struct columns *c, const char *name, const char *what, uint64_t bytes, uint64_t align,
		    int node, const char *more)
{
	char text[UNITS_STR];

	columns_row(c);
	columns_cell(c, 0, name, LOOK_STRONG);
	columns_cell(c, 1, what, LOOK_PLAIN);
	columns_cell(c, 2, size_exact(text, bytes), LOOK_PLAIN);
	columns_cell(c, 3, align ? size_exact(text, align) : "", LOOK_PLAIN);
	snprintf(text, sizeof(text), "%d", node);
	columns_cell(c, 4, node == NODE_ANY ? "" : text, LOOK_PLAIN);
	columns_cell(c, 5, more ? more : "", LOOK_PLAIN);
}

static const char *use_of(const struct probed *probed, const char *device)
{
	for (size_t i = 0; i < probed->facts.nr_namespaces; i++) {
		const struct fact_namespace *ns = &probed->facts.namespaces[i];

		if (ns->device && !strcmp(ns->device, device))
			return ns->in_use && strcmp(ns->in_use, "no") ? ns->in_use : NULL;
	}
	return NULL;
}

static void add_rows(struct columns *c, const struct probed *probed)
{
	const struct host *h = probed->host;
	char what[64];

	for (size_t i = 0; i < h->nr_namespaces; i++) {
		const struct host_namespace *ns = &h->namespaces[i];
		bool has_memmap = ns->mode == NS_FSDAX || ns->mode == NS_DEVDAX;

		snprintf(what, sizeof(what), "%s%s%s", namespace_mode_name(ns->mode),
			 has_memmap ? " map=" : "", has_memmap ? namespace_map_name(ns->map) : "");
		add_row(c, ns->name, what, ns->size_bytes, has_memmap ? ns->align_bytes : 0, ns->node,
			use_of(probed, ns->name));
	}
	for (size_t i = 0; i < h->nr_devices; i++) {
		const struct host_device *dev = &h->devices[i];

		add_row(c, dev->name, device_type_name(dev->type), dev->size_bytes, dev->block_bytes,
			dev->node, NULL);
	}
	for (size_t i = 0; i < h->nr_hugepages; i++) {
		const struct host_hugepages *pool = &h->hugepages[i];

		snprintf(what, sizeof(what), "%" PRIu64, pool->count);
		add_row(c, "hugepages", what, pool->size_bytes, 0, pool->node,
			hugepage_when_name(pool->when));
	}
}

int host_table(const struct probed *probed, const struct diags *notes, const struct style *style, FILE *out)
{
	static const struct column_spec specs[] = {
		{"DEVICE", false},
                {"KIND",   false},
                {"SIZE",   true },
		{"ALIGN",  true },
                {"NODE",   true },
                {"USE",    false},
	};
	_cleanup_columns_ struct columns columns = {0};
	const struct host *h = probed->host;
	int err;

	print_heading(probed, style, out);
	err = columns_open(&columns, style, specs, ARRAY_SIZE(specs));
	if (err)
		return err;
	if (h->nr_namespaces + h->nr_devices + h->nr_hugepages) {
		add_rows(&columns, probed);
		err = columns_print(&columns, out);
	} else {
		fputs("no namespaces, no devices, no hugepages\n", out);
	}
	for (size_t i = 0; i < notes->nr && !err; i++) {
		fputs(i ? "" : "\nNOT SEEN\n", out);
		print_wrapped(out, style, "  ", 2, notes->items[i].text);
	}
	return err;
}
