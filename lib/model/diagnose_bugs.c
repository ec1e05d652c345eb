// SPDX-License-Identifier: GPL-2.0-or-later
/* Crashes that certain kernels have in store for memory that is large, or lies far up. */
#include <inttypes.h>

#include "base/units.h"
#include "model/diagnose.h"
#include "model/diagnose_parts.h"

/* Stable releases that a fix went into, the oldest first: of a series, from that release on it is there. */
static bool is_fixed_in_series(const struct kver *fixed, size_t nr, struct kver version)
{
	for (size_t i = 0; i < nr; i++) {
		if (fixed[i].major == version.major && fixed[i].minor == version.minor)
			return kver_cmp(version, fixed[i]) >= 0;
	}
	return false;
}

/*
 * "x86/mm/64: define ARCH_PAGE_TABLE_SYNC_MASK and arch_sync_kernel_mappings()", of Linux 6.17, fixes what 5.13 brought
 * (8d400913c231). A distribution's kernel may hide its patch level, and have it.
 */
static bool has_pgd_bug(const struct host *h)
{
	static const struct kver fixed[] = {
		{5, 15, 192, 0},
                {6, 1,  151, 0},
                {6, 6,  105, 0},
                {6, 12, 46,  0},
                {6, 16, 6,   0},
	};
	struct kver version = h->kernel.version;

	return h->arch == ARCH_X86_64 && h->kernel.release && kver_cmp(version, KVER(5, 13, 0)) >= 0 &&
	       kver_cmp(version, KVER(6, 17, 0)) < 0 &&
	       !is_fixed_in_series(fixed, ARRAY_SIZE(fixed), version);
}

/*
 * With four-level paging one entry of the top table maps 512 GiB of struct pages. Where the kernel randomises its layout,
 * as it does by default, the first of them may be anywhere in such a stretch.
 */
static void check_pgd(const struct work *w, const struct device_work *d, struct diags *diags)
{
	const uint64_t stretch = 512 * GIB / w->host->struct_page_bytes * w->rules.page_bytes;
	uint64_t bytes = d->range_bytes * d->count;
	char size[UNITS_STR], each[UNITS_STR];

	if (!d->struct_pages || bytes < TIB || !has_pgd_bug(w->host))
		return;
	diagnose_warn(w->host, diags, diagnose_size_field(d),
		      "%s: the struct pages of its %s begin a new entry of the top page table, which maps "
		      "those of %s, "
		      "on about %" PRIu64 " of 100 boots with four-level paging: %s may then crash in "
		      "__init_single_page or vmemmap_set_pmd, unless it has the fix of Linux 6.17, 6.16.6, "
		      "6.12.46, "
		      "6.6.105, 6.1.151 and 5.15.192",
		      d->name, size_human(size, bytes), size_human(each, stretch),
		      MIN(bytes * 100 / stretch, UINT64_C(100)), w->host->kernel.release);
}

/* "arm64: Expose the end of the linear map in PHYSMEM_END", of Linux 6.12: amdgpu crashed without it. */
static void check_private_range(const struct work *w, const struct device_work *d, struct diags *diags)
{
	const struct host *h = w->host;

	if (h->arch != ARCH_AARCH64 || !d->dev || d->dev->type != DEV_PRIVATE || !h->kernel.release ||
	    kver_cmp(h->kernel.version, KVER(6, 12, 0)) >= 0)
		return;
	diagnose_warn(
		h, diags, &d->dev->size_bytes,
		"%s: %s looks for its range from the top of the physical addresses, where aarch64 may have "
		"no room for struct pages: memmap_init_zone_device crashes; Linux 6.12 keeps to what the "
		"linear map reaches",
		d->name, h->kernel.release);
}

void diagnose_bugs(const struct work *work, struct diags *diags)
{
	for (size_t i = 0; i < work->nr_devices; i++) {
		check_pgd(work, &work->devices[i], diags);
		check_private_range(work, &work->devices[i], diags);
	}
}
