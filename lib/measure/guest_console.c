// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_console.h"

#include <stdbool.h>
#include <string.h>

#include "base/util.h"

void guest_console_add(struct guest_console *console, const char *data, size_t len)
{
	for (size_t i = 0; i < len; i++)
		console->ring[console->total++ % GUEST_CONSOLE_BYTES] = data[i];
}

/* All that is left, in order: control characters dropped, empty lines too, so that it can be printed anywhere. */
static char *clean_text(const struct guest_console *console)
{
	size_t len = MIN(console->total, (size_t)GUEST_CONSOLE_BYTES), out = 0;
	char *text = malloc(len + 2);

	if (!text)
		return NULL;
	for (size_t i = console->total - len; i < console->total; i++) {
		char c = console->ring[i % GUEST_CONSOLE_BYTES];

		if (c == '\n' && out && text[out - 1] != '\n')
			text[out++] = c;
		else if (c == '\t' || (c >= ' ' && c <= '~'))
			text[out++] = c;
	}
	if (out && text[out - 1] != '\n')
		text[out++] = '\n';
	text[out] = '\0';
	return text;
}

char *guest_console_tail(const struct guest_console *console, size_t nr_lines)
{
	char *text = clean_text(console);
	size_t len = text ? strlen(text) : 0, start = len;

	if (!text)
		return NULL;
	while (start) {
		if (start < len && text[start - 1] == '\n' && !--nr_lines)
			break;
		start--;
	}
	memmove(text, text + start, len - start + 1);
	return text;
}

char *guest_console_panic(const struct guest_console *console)
{
	static const char sign[] = "Kernel panic - not syncing";
	_cleanup_free_ char *text = clean_text(console);
	char *found = text ? strstr(text, sign) : NULL;

	return found ? strndup(found, strcspn(found, "\n")) : NULL;
}
