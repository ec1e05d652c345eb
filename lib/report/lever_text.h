/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How changes are worded. */
#ifndef MEMMAPCTL_REPORT_LEVER_TEXT_H
#define MEMMAPCTL_REPORT_LEVER_TEXT_H

#include "model/lever.h"
#include "report/text.h"

enum { EFFECT_STR = 2 * TEXT_STR };

/* "dax0.0 align=1GiB". Returns buf. */
const char *change_text(char buf[TEXT_STR], const struct change *change);

/* "hot-plug 140 ms ±9% instead of 1.10 s ±6%, 1.2 GiB of RAM back"; "no change". Returns buf. */
const char *lever_effect(char buf[EFFECT_STR], const struct style *style, const struct lever *lever,
			 const struct host_forecast *base);

#endif
