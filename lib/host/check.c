// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a description says, against what kernels do. Values that are 0 where 0 is no value were mistakes already
 * (or are not known, in a host that was probed): rules that need them are left out. So are those that need a
 * word (arch, mode, type) that was a mistake.
 */
#include "host/check.h"

#include <errno.h>
#include <inttypes.h>

static void complain(struct checker *c, enum diag_level level, const void *field, const char *fmt, va_list ap)
{
	struct host_place at = host_place_of(c->host, field);
	_cleanup_free_ char *text = NULL;

	text = text_formatv(fmt, ap);
	if (!at.line && c->about)
		diag_add(c->diags, level, c->host->file, 0, 0, "%s: %s", c->about,
			 text ? text : "out of memory");
	else
		diag_add(c->diags, level, c->host->file, at.line, at.col, "%s",
			 text ? text : "out of memory");
}

void check_bad(struct checker *c, const void *field, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(c, DIAG_ERROR, field, fmt, ap);
	va_end(ap);
	c->failed = true;
}

void check_doubt(struct checker *c, const void *field, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	complain(c, DIAG_WARNING, field, fmt, ap);
	va_end(ap);
}

const char *check_where(const struct checker *c, const void *field, char buf[UNITS_STR])
{
	struct host_place at = host_place_of(c->host, field);

	if (at.line)
		snprintf(buf, UNITS_STR, "in line %u", at.line);
	else
		snprintf(buf, UNITS_STR, "before");
	return buf;
}

void check_node_index(struct checker *c, const int *node)
{
	const struct host *h = c->host;

	if (*node == NODE_ANY)
		return;
	for (size_t i = 0; i < h->nr_nodes; i++) {
		if (h->nodes[i].id == (uint32_t)*node)
			return;
	}
	if (h->nr_nodes)
		check_bad(c, node,
			  "node %d is not one of this host's: add it to host.nodes, or use one that is there",
			  *node);
	else if (*node)
		check_bad(c, node, "node %d: a host without host.nodes has node 0 only", *node);
}

const char *check_sizes(char buf[SIZES_STR], const uint64_t sizes[4])
{
	char size[UNITS_STR];
	size_t len = 0;

	for (int i = 0; i < 4 && sizes[i]; i++) {
		bool is_last = i == 3 || !sizes[i + 1];

		len += (size_t)snprintf(buf + len, SIZES_STR - len, "%s%s",
					!i        ? ""
					: is_last ? " or "
						  : ", ",
					size_exact(size, sizes[i]));
	}
	return buf;
}

static void check_page_size(struct checker *c)
{
	const struct host *h = c->host;
	char shown[UNITS_STR], all[SIZES_STR];
	uint64_t sizes[4] = {0};

	if (c->sizes || !c->arch_known || !h->page_size_bytes)
		return;
	for (unsigned int i = 0; i < 4; i++)
		sizes[i] = page_size_nr(h->arch, i);
	check_bad(c, &h->page_size_bytes, "page_size %s is not one that %s kernels are built with: use %s",
		  size_exact(shown, h->page_size_bytes), arch_name(h->arch), check_sizes(all, sizes));
}

static void check_struct_page(struct checker *c)
{
	const struct host *h = c->host;

	if (h->struct_page_bytes % 8)
		check_bad(c, &h->struct_page_bytes, "struct_page_size %" PRIu64 " is not a multiple of 8",
			  h->struct_page_bytes);
	else if (h->hvo_enabled && h->struct_page_bytes && !is_pow2(h->struct_page_bytes))
		check_bad(c, &h->hvo_enabled,
			  "hvo.enabled: the kernel leaves HVO off with struct pages of %" PRIu64
			  " bytes, which is not a power of two",
			  h->struct_page_bytes);
}

static void check_memory(struct checker *c)
{
	const struct host *h = c->host;
	char memory[UNITS_STR], page[UNITS_STR];

	if (c->sizes && h->memory_bytes % h->page_size_bytes)
		check_bad(c, &h->memory_bytes, "memory %s is not a whole number of %s pages",
			  size_exact(memory, h->memory_bytes), size_exact(page, h->page_size_bytes));
}

static void check_kernel(struct checker *c)
{
	const struct host *h = c->host;
	struct kver version;

	if (h->kernel.release && kver_parse(h->kernel.release, &version))
		check_bad(c, &h->kernel.release,
			  "release \"%s\" is not a kernel release: write what uname -r prints, such as "
			  "6.12.117",
			  h->kernel.release);
	if (c->arch_known && h->arch == ARCH_AARCH64 && h->kernel.dax_vmemmap_optimization)
		check_doubt(c, &h->kernel.dax_vmemmap_optimization,
			    "no aarch64 kernel has the DAX vmemmap optimisation: this has no effect");
	if (c->arch_known && h->hvo_enabled && !h->hvo_supported)
		check_bad(c, &h->hvo_enabled,
			  "hvo.enabled: HVO is not supported here, so the kernel cannot have it on%s",
			  h->arch == ARCH_AARCH64 ? " (aarch64 lost it in Linux 6.3 and 6.1.16)" : "");
}

static void check_node_rows(struct checker *c)
{
	const struct host *h = c->host;

	for (size_t i = 0; i < h->nr_nodes; i++) {
		const struct host_node *node = &h->nodes[i];
		char where[UNITS_STR];

		for (size_t j = 0; j < i; j++) {
			if (h->nodes[j].id != node->id)
				continue;
			check_bad(c, &node->id, "node %" PRIu32 " is listed twice, first %s", node->id,
				  check_where(c, &h->nodes[j].id, where));
			break;
		}
		if (c->sizes && node->memory_bytes % h->page_size_bytes)
			check_bad(c, &node->memory_bytes,
				  "memory of node %" PRIu32 " is not a whole number of pages", node->id);
	}
}

/* Nodes that say nothing about memory, or CPUs, leave it open; once one does, all together are the host's. */
static void check_node_sums(struct checker *c)
{
	const struct host *h = c->host;
	uint64_t memory = 0, cpus = 0;
	char sum[UNITS_STR], total[UNITS_STR];

	for (size_t i = 0; i < h->nr_nodes; i++) {
		memory += MIN(h->nodes[i].memory_bytes, UINT64_MAX - memory);
		cpus += h->nodes[i].cpus;
	}
	if (memory && h->memory_bytes && memory != h->memory_bytes)
		check_bad(c, &h->memory_bytes, "memory is %s, but the nodes add up to %s",
			  size_exact(total, h->memory_bytes), size_exact(sum, memory));
	if (cpus && h->cpus && cpus != h->cpus)
		check_bad(c, &h->cpus, "cpus is %" PRIu32 ", but the nodes add up to %" PRIu64, h->cpus,
			  cpus);
}

int host_check(const struct host *host, struct diags *diags)
{
	struct checker c = {.host = host, .diags = diags, .arch_known = host_is_stated(host, &host->arch)};

	if (c.arch_known)
		c.sizes = page_sizes_of(host->arch, host->page_size_bytes);
	check_page_size(&c);
	check_struct_page(&c);
	check_memory(&c);
	check_kernel(&c);
	check_node_rows(&c);
	check_node_sums(&c);
	check_hugepages(&c);
	check_namespaces(&c);
	check_devices(&c);
	return c.failed ? -EINVAL : 0;
}
