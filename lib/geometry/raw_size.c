// SPDX-License-Identifier: GPL-2.0-or-later
#include "geometry/raw_size.h"

#include <errno.h>

#include "base/units.h"
#include "base/util.h"
#include "geometry/parts.h"

/* What so many units leave; nothing where the layout finds no room. */
static int usable_of(const struct raw_layout *l, uint64_t units, uint64_t unit_bytes, uint64_t *usable)
{
	struct pfn_layout layout = {0};
	int err = pfn_layout_for(l->start_bytes, units * unit_bytes, l->align_bytes, l->map, l->page_bytes,
				 &layout);

	if (err && err != -ENXIO)
		return err;
	*usable = layout.usable_bytes;
	return 0;
}

/*
 * The fewest units that leave at least so much. Of sizes that are whole multiples of the align, a larger one never
 * leaves less: its memmap grows by a 64th of what it grows by itself.
 */
static int fewest_units(const struct raw_layout *l, uint64_t usable_bytes, uint64_t unit_bytes, uint64_t *out)
{
	uint64_t few = 0,
		 enough = (MAX_PHYSICAL_BYTES - MIN(l->start_bytes, MAX_PHYSICAL_BYTES)) / unit_bytes;
	uint64_t usable = 0;
	int err = enough ? usable_of(l, enough, unit_bytes, &usable) : -EOVERFLOW;

	if (!err && usable < usable_bytes)
		err = -EOVERFLOW;
	while (!err && enough - few > 1) {
		uint64_t middle = few + (enough - few) / 2;

		err = usable_of(l, middle, unit_bytes, &usable);
		if (usable >= usable_bytes)
			enough = middle;
		else
			few = middle;
	}
	if (!err)
		*out = enough;
	return err;
}

uint64_t roundest_size(uint64_t min, uint64_t max)
{
	for (int bit = 63; bit > 0; bit--) {
		uint64_t candidate = max >> bit << bit;

		if (candidate && candidate >= min)
			return candidate;
	}
	return max;
}

int raw_sizes_for(const struct raw_layout *layout, uint64_t usable_min, uint64_t usable_max,
		  struct raw_sizes *out)
{
	uint64_t unit = MAX(layout->align_bytes, 2 * MIB), first, past;
	int err;

	if (!usable_min || usable_max < usable_min)
		return -ENXIO;
	err = fewest_units(layout, usable_min, unit, &first);
	if (!err)
		err = fewest_units(layout, MIN(usable_max, MAX_PHYSICAL_BYTES) + 1, unit, &past);
	if (err)
		return err;
	if (past == first)
		return -ENXIO;
	out->min_bytes = first * unit;
	out->max_bytes = (past - 1) * unit;
	out->round_bytes = roundest_size(out->min_bytes, out->max_bytes);
	return 0;
}

int raw_size_to_request(const struct raw_layout *layout, uint64_t usable_bytes, uint64_t unit_bytes,
			uint64_t *out)
{
	uint64_t units;
	int err = fewest_units(layout, usable_bytes, unit_bytes, &units);

	if (!err)
		*out = units * unit_bytes;
	return err;
}
