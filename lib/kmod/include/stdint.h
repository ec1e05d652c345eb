/* SPDX-License-Identifier: GPL-2.0 */
/* The kernel has no <stdint.h>; what lib/initpath takes from it is here. */
#include <linux/types.h>
