/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel has no <stdbool.h>; what lib/initpath takes from it is here. */
#include <linux/types.h>
