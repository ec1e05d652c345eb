// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/buffer.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/mman.h> /* MAP_HUGE_2MB */
#include <numa.h>
#include <numaif.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/root.h"
#include "base/units.h"

#define HUGE_PAGE (2 * MIB)

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23 /* Linux 5.14 */
#endif

static void *map(size_t bytes, int flags)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void bind_to_node(const struct buffer *b, int node)
{
	if (node >= 0 && numa_available() >= 0)
		numa_tonode_memory(b->data, b->mapped_bytes, node);
}

/*
 * Fault everything in. MADV_POPULATE_WRITE fails cleanly where a store would be killed (a hugepage pool that is
 * empty on this node); older kernels get the stores.
 */
static int touch(const struct buffer *b)
{
	if (!madvise(b->data, b->mapped_bytes, MADV_POPULATE_WRITE))
		return 0;
	if (errno != EINVAL)
		return -errno;
	memset(b->data, 0, b->mapped_bytes);
	return 0;
}

static bool map_hugetlb(struct buffer *b, int node)
{
	b->data = map(b->mapped_bytes, MAP_HUGETLB | MAP_HUGE_2MB);
	if (!b->data)
		return false;
	bind_to_node(b, node);
	/* Without populate a pool too small for this node would kill the program at a store. */
	if (madvise(b->data, b->mapped_bytes, MADV_POPULATE_WRITE)) {
		munmap(b->data, b->mapped_bytes);
		return false;
	}
	return true;
}

/* A mapping starts where the kernel likes: map one huge page more and give back what sticks out. */
static void *map_aligned(size_t bytes)
{
	char *p = map(bytes + HUGE_PAGE, MAP_NORESERVE);
	size_t before;

	if (!p)
		return NULL;
	before = round_up_pow2((uintptr_t)p, HUGE_PAGE) - (uintptr_t)p;
	if (before)
		munmap(p, before);
	if (before < HUGE_PAGE)
		munmap(p + before + bytes, HUGE_PAGE - before);
	return p + before;
}

static int map_transparent(struct buffer *b, int node)
{
	int err;

	b->data = map_aligned(b->mapped_bytes);
	if (!b->data)
		return -errno;
	madvise(b->data, b->mapped_bytes, MADV_HUGEPAGE);
	bind_to_node(b, node);
	err = touch(b);
	if (err)
		munmap(b->data, b->mapped_bytes);
	return err;
}

/* The value in KiB of "Key:   123 kB" before end; 0: not there. */
static uint64_t smaps_kib(const char *from, const char *end, const char *key)
{
	const char *at = strstr(from, key);

	return at && at < end ? strtoull(at + strlen(key), NULL, 10) : 0;
}

void buffer_backing(const char *smaps, uint64_t address, char *text, size_t size)
{
	const char *entry = smaps, *next;

	snprintf(text, size, "pages of a size not known");
	for (; entry; entry = next) {
		uint64_t start, end, size_kib, page_kib, huge_kib;
		char page[UNITS_STR];

		/* The next mapping starts at the next line of the form "start-end rwxp". */
		next = strstr(entry, "\nVmFlags:");
		next = next ? strchr(next + 1, '\n') : NULL;
		next = next ? next + 1 : NULL;
		if (sscanf(entry, "%" SCNx64 "-%" SCNx64, &start, &end) != 2 || address < start ||
		    address >= end)
			continue;

		const char *limit = next ? next : entry + strlen(entry);

		size_kib = smaps_kib(entry, limit, "\nSize:");
		page_kib = smaps_kib(entry, limit, "\nKernelPageSize:");
		huge_kib = smaps_kib(entry, limit, "\nAnonHugePages:");
		size_human(page, page_kib * KIB);
		if (page_kib > 64)
			snprintf(text, size, "%s pages (hugetlb)", page);
		else if (huge_kib * 100 >= size_kib * 99)
			snprintf(text, size, "2 MiB pages (transparent)");
		else if (huge_kib && size_kib)
			snprintf(text, size, "%s pages, %" PRIu64 " %% on 2 MiB", page,
				 huge_kib * 100 / size_kib);
		else if (page_kib)
			snprintf(text, size, "%s pages", page);
		return;
	}
}

static void describe(struct buffer *b)
{
	_cleanup_free_ char *smaps = NULL;
	struct root root;

	if (!root_open("/", &root)) {
		if (root_read(&root, &smaps, "proc/self/smaps"))
			smaps = NULL;
		root_close(&root);
	}
	buffer_backing(smaps ? smaps : "", (uintptr_t)b->data, b->backing, sizeof(b->backing));
	if (get_mempolicy(&b->node, NULL, 0, b->data, MPOL_F_NODE | MPOL_F_ADDR))
		b->node = -1;
}

int buffer_map(uint64_t bytes, int node, struct diags *diags, struct buffer *out)
{
	struct buffer b = {.bytes = bytes, .mapped_bytes = round_up_pow2(bytes, HUGE_PAGE)};
	char text[UNITS_STR];
	int err = 0;

	if (!map_hugetlb(&b, node))
		err = map_transparent(&b, node);
	if (err)
		return diag_error(diags, err, "cannot map %s of memory: %s", size_human(text, bytes),
				  strerror(-err));
	describe(&b);
	*out = b;
	return 0;
}

void buffer_unmap(struct buffer *buffer)
{
	if (buffer->data)
		munmap(buffer->data, buffer->mapped_bytes);
	*buffer = (struct buffer){0};
}
