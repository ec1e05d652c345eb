/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Profiles from observations: one cost for each unit of each stage, by weighted non-negative least squares. */
#ifndef MEMMAPCTL_MODEL_FIT_H
#define MEMMAPCTL_MODEL_FIT_H

#include "model/profile.h"
#include "model/rows.h"

/*
 * Fit the costs of all units that the rows have. Stages are fitted one at a time, except those that only a total
 * was timed of: these together.
 *
 * prior (or NULL) is what was believed before: its costs go in as Gaussians as wide as their intervals, so that
 * few rows move what they say something about and leave the rest; its rows, ratios and bandwidths that the
 * observations say nothing about are taken over, marked. A cost it does not have is free to be anything.
 * Without a prior, costs that the rows cannot tell apart are named in diags as warnings, and so is a stage with
 * fewer rows than costs.
 *
 * provenance is copied. 0 and *out freed by profile_free; -EINVAL when there are no rows (in diags); -ENOMEM.
 */
int fit_profile(const struct obs_rows *rows, const char *name, const char *provenance,
		const struct profile *prior, struct diags *diags, struct profile **out);

/*
 * What a race (simulated, or in the kernel) says about the paths a kernel does not have: for each page kind and path the time of
 * the best verified routine as a share of the baseline's; CPU costs from runs in a cache-sized window; store
 * bandwidths. Replaces what the profile had of these, but for what a race in the kernel has none of: the last two. 0, -EINVAL (no such runs: in diags), -ENOMEM.
 */
int fit_ratios(struct profile *profile, const struct observations *race, struct diags *diags);

/*
 * A profile for machines that were not observed. Real rows are fitted; every cost that only emulated rows have is
 * carried over as a multiple of what initialising a struct page costs; what neither has is taken from a cost it
 * is like, from the other profile (or NULL), or estimated. Each cost's source says which. Intervals are at least
 * a factor of two wide either way. The result is "uncalibrated".
 *
 * simulated (or NULL) is a race for ratios and store bandwidths: clearing memory is taken to run at the latter,
 * because emulators exaggerate it. 0; -EINVAL (no struct page cost to carry over by: in diags); -ENOMEM.
 */
int fit_generic(const struct obs_rows *real, const struct obs_rows *emulated, const char *name,
		const char *provenance, const struct observations *simulated, const struct profile *other,
		struct diags *diags, struct profile **out);

#endif
