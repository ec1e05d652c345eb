// SPDX-License-Identifier: GPL-2.0-or-later
/* The end of a console: what is shown when a guest died. */
#include "support/check.h"

#include <stdlib.h>

#include "measure/guest_console.h"

static struct guest_console *console_with(const char *text)
{
	struct guest_console *console = calloc(1, sizeof(*console));

	assert_non_null(console);
	guest_console_add(console, text, strlen(text));
	return console;
}

static void tails(void **state)
{
	static const struct {
		const char *text;
		size_t lines;
		const char *want;
	} rows[] = {
		{"",                   3, ""            },
		{"one",                3, "one\n"       },
		{"one\ntwo\nthree\n",  2, "two\nthree\n"},
		{"one\r\n\r\ntwo\r\n", 2, "one\ntwo\n"  },
		{"\033[2Jred\a\n",     1, "[2Jred\n"    },
		{"a\nb\nc",            2, "b\nc\n"      },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct guest_console *console = console_with(rows[i].text);
		char *tail = guest_console_tail(console, rows[i].lines);

		check_str(tail, rows[i].want, "row %zu", i);
		free(tail);
		free(console);
	}
}

static void ring_keeps_the_end(void **state)
{
	struct guest_console *console = console_with("first\n");
	char *tail;

	(void)state;
	for (int i = 0; i < GUEST_CONSOLE_BYTES / 8; i++)
		guest_console_add(console, "filling\n", 8);
	guest_console_add(console, "last\n", 5);
	tail = guest_console_tail(console, GUEST_CONSOLE_BYTES);
	assert_null(strstr(tail, "first"));
	check_str(tail + strlen(tail) - 13, "filling\nlast\n", "the end");
	free(tail);
	free(console);
}

static void panics(void **state)
{
	struct guest_console *dead =
		console_with("[ 4.8] Kernel panic - not syncing: VFS: no root\n[ 4.8] CPU: 1\n");
	struct guest_console *alive = console_with("[ 4.8] Run /init as init process\n");
	char *panic = guest_console_panic(dead);

	(void)state;
	check_str(panic, "Kernel panic - not syncing: VFS: no root", "panic");
	assert_null(guest_console_panic(alive));
	free(panic);
	free(dead);
	free(alive);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tails),
		cmocka_unit_test(ring_keeps_the_end),
		cmocka_unit_test(panics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
