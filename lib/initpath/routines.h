/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What each build of routines.c hands to initpath.c. */
#ifndef MEMMAPCTL_INITPATH_ROUTINES_H
#define MEMMAPCTL_INITPATH_ROUTINES_H

#include "arch/copy.h"
#include "initpath/initpath.h"

#define INITPATH_COUNT_COPY(...) +1

/* Fields, fields in two loops, and for each copy routine a page and a block at a time. */
enum { NR_ROUTINES_PER_BUILD = 2 + 2 * (0 ARCH_COPIES(INITPATH_COUNT_COPY)) };

struct initpath_build {
	const struct initpath_routine *routines; /* NR_ROUTINES_PER_BUILD, text_bytes not filled in */
	const char *text_start, *text_end;       /* its machine code */
};

extern const struct initpath_build initpath_build_default;
extern const struct initpath_build initpath_build_always_inline;
extern const struct initpath_build initpath_build_max_inline_400;
extern const struct initpath_build initpath_build_out_of_line;

#endif
