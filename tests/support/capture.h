/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function prints to a FILE, as a string. */
#ifndef MEMMAPCTL_TESTS_CAPTURE_H
#define MEMMAPCTL_TESTS_CAPTURE_H

#include <stdio.h>
#include <stdlib.h>

struct capture {
	FILE *file;
	char *text;
	size_t len;
};

static inline FILE *capture_start(struct capture *c)
{
	c->file = open_memstream(&c->text, &c->len);
	return c->file;
}

/* The text so far; valid until capture_end. */
static inline const char *capture_text(struct capture *c)
{
	fflush(c->file);
	return c->text;
}

static inline void capture_end(struct capture *c)
{
	fclose(c->file);
	free(c->text);
}

#endif
