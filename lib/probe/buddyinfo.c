// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/buddyinfo.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/util.h"

bool buddy_zone_parse(const char *line, size_t len, struct buddy_zone *out)
{
	enum { PMD_ORDER = 9 };
	struct buddy_zone zone = {0};
	char copy[512], *at = copy;
	int header = 0;
	unsigned int order = 0;

	snprintf(copy, sizeof(copy), "%.*s", (int)MIN(len, sizeof(copy) - 1), line);
	if (sscanf(copy, " Node %" SCNu32 ", zone %31s %n", &zone.node, zone.name, &header) != 2 || !header)
		return false;
	for (at = copy + header; isdigit((unsigned char)*at) && order < 32; order++) {
		uint64_t blocks = strtoull(at, &at, 10);

		zone.free_pages += blocks << order;
		if (order >= PMD_ORDER)
			zone.order9_free += blocks << (order - PMD_ORDER);
		while (isspace((unsigned char)*at))
			at++;
	}
	if (order <= PMD_ORDER || *at)
		return false;
	*out = zone;
	return true;
}
