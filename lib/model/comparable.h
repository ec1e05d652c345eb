/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may be compared with what. For lib/model only. */
#ifndef MEMMAPCTL_MODEL_COMPARABLE_H
#define MEMMAPCTL_MODEL_COMPARABLE_H

#include "geometry/geometry.h"
#include "measure/observations.h"

/* A run and the work behind it, where a host description tells. */
struct described_run {
	const struct obs_run *run;
	const struct work *work;          /* NULL: no description, or one that cannot be read */
	const struct device_work *device; /* NULL: not about a device */
	bool used;
};

/*
 * Tell in diags, as errors (with force as warnings), what makes the two sets incomparable; differences that only need
 * to be known are warnings. 0 or -EINVAL.
 */
int check_comparable(const struct observations *a, const struct observations *b, bool force,
		     struct diags *diags);

/*
 * The same work? Where both have a description: the same device or the same RAM and pools, so that two kernels which
 * go about it differently compare. Else the same units. If not, *why says what differs (the caller frees it; NULL:
 * no memory).
 */
bool same_work(const struct described_run *a, const struct described_run *b, char **why);

#endif
