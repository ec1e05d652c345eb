// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/kver.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

/* One number below 2^16; false when there is none or it is too large. */
static bool number(const char **p, uint16_t *out)
{
	unsigned int value = 0;

	if (!isdigit((unsigned char)**p))
		return false;
	for (; isdigit((unsigned char)**p); (*p)++) {
		value = value * 10 + (unsigned int)(**p - '0');
		if (value > UINT16_MAX)
			return false;
	}
	*out = (uint16_t)value;
	return true;
}

int kver_parse(const char *release, struct kver *out)
{
	struct kver v = {0};
	const char *p = release;

	if (*p == 'v')
		p++;
	if (!number(&p, &v.major) || *p++ != '.' || !number(&p, &v.minor))
		return -EINVAL;
	if (*p == '.') {
		p++;
		if (!number(&p, &v.patch))
			return -EINVAL;
	}
	if (!strncmp(p, "-rc", 3)) {
		p += 3;
		if (!number(&p, &v.rc))
			return -EINVAL;
	}
	if (*p && !strchr("-+._~", *p))
		return -EINVAL;
	*out = v;
	return 0;
}

int kver_cmp(struct kver a, struct kver b)
{
	if (a.major != b.major)
		return a.major - b.major;
	if (a.minor != b.minor)
		return a.minor - b.minor;
	if (a.patch != b.patch)
		return a.patch - b.patch;
	/* A release candidate precedes its release. */
	return (a.rc ? a.rc : UINT16_MAX) - (b.rc ? b.rc : UINT16_MAX);
}
