/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Building profiles row by row; for this directory. Each function returns 0 or -ENOMEM. */
#ifndef MEMMAPCTL_MODEL_PROFILE_EDIT_H
#define MEMMAPCTL_MODEL_PROFILE_EDIT_H

#include "model/profile.h"

/* Replace a text by a copy of value (NULL: by none). */
int profile_set_text(char **text, const char *value);

/* Add a copy of a cost that another profile has, marked as taken over from it. */
int profile_copy_cost(struct profile *profile, const struct cost *cost, const char *from);

/* Add copies of another profile's ratios, CPU costs and bandwidths where this one has none of its own. */
int profile_copy_paths(struct profile *profile, const struct profile *from, const char *from_name);

/* Costs in the order of the stage and unit tables, so that a profile made again is the same file. */
void profile_sort(struct profile *profile);

/* Round every figure to four significant digits: what a profile means, and what two compilers agree on. */
void profile_round(struct profile *profile);

#endif
