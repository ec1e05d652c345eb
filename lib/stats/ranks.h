/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rank sum's distribution when nothing differs. For lib/stats only. */
#ifndef MEMMAPCTL_STATS_RANKS_H
#define MEMMAPCTL_STATS_RANKS_H

#include <stddef.h>

/*
 * The smallest number of pairs with b the larger, of nr_a * nr_b without ties, at which the two-sided rank test is
 * at or below level. 0 and *pairs; -ERANGE: not even all pairs reach it; -ENOMEM.
 */
int rank_test_critical(size_t nr_a, size_t nr_b, double level, double *pairs);

#endif
