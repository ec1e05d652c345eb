/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMMAPCTL_TESTS_SUPPORT_SAVED_TEXT_H
#define MEMMAPCTL_TESTS_SUPPORT_SAVED_TEXT_H

#include "support/check.h"

#include "host/host.h"

/* A host as its YAML; the caller frees. */
static inline char *saved_text(const struct host *host)
{
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	check_int(host_save(host, f), 0, "save");
	fclose(f);
	return text;
}

#endif
