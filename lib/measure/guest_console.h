/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last of what a console printed: what a person wants to see when a guest died. */
#ifndef MEMMAPCTL_MEASURE_GUEST_CONSOLE_H
#define MEMMAPCTL_MEASURE_GUEST_CONSOLE_H

#include <stddef.h>

enum { GUEST_CONSOLE_BYTES = 64 << 10 };

/* Zero-initialise. A ring: what does not fit is forgotten, oldest first. */
struct guest_console {
	char ring[GUEST_CONSOLE_BYTES];
	size_t total; /* bytes ever added */
};

void guest_console_add(struct guest_console *console, const char *data, size_t len);

/*
 * The last nr_lines lines, without control characters and empty lines, each ending in '\n'. The caller
 * frees; NULL when out of memory.
 */
char *guest_console_tail(const struct guest_console *console, size_t nr_lines);

/* The line that says why the kernel gave up ("Kernel panic - not syncing: ..."); the caller frees. NULL: none. */
char *guest_console_panic(const struct guest_console *console);

#endif
