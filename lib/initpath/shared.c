// SPDX-License-Identifier: GPL-2.0-or-later
/* Versions of the kernel, and comparing what routines left: of initpath.h what the kernel module has too. */
#include <string.h>

#include "initpath/accessors.h"
#include "initpath/initpath.h"

/* From 7.3 on the tails' mask needs HUGETLB_PAGE_OPTIMIZE_VMEMMAP, which arm64 does not have. */
#if defined(__x86_64__) || defined(__riscv)
#define NEW_TAILS_HOLD_MASK true
#else
#define NEW_TAILS_HOLD_MASK false
#endif

const struct initpath_version initpath_versions[] = {
	{
         .name = "6.1",
         .tail_private_written = true,
         .hugetlb_two_passes = true,
         .hugetlb_freezes = true,
	 },
	{
         .name = "6.12",
         .tail_private_written = true,
         .hugetlb_freezes = true,
	 },
	{
         .name = "7.3",
         .tail_info_is_mask = NEW_TAILS_HOLD_MASK,
         .fsdax_refcount_zero = true,
	 },
};
const size_t nr_initpath_versions = sizeof(initpath_versions) / sizeof(initpath_versions[0]);

uint64_t initpath_compare(const struct page *a, const struct page *b, uint64_t nr_pages)
{
	const uint64_t chunk = 1024;
	uint64_t i = 0;

	while (nr_pages - i >= chunk && !memcmp(a + i, b + i, chunk * sizeof(*a)))
		i += chunk;
	while (i < nr_pages && !memcmp(a + i, b + i, sizeof(*a)))
		i++;
	return i;
}
