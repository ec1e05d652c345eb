// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/style.h"

#include <langinfo.h>
#include <locale.h>
#include <string.h>
#include <sys/ioctl.h>

#include "base/util.h"

enum { MIN_WIDTH = 80, MAX_WIDTH = 120 };

struct style style_for(const struct common_options *options, FILE *out)
{
	struct style style = {.color = want_color(options, out), .width = MIN_WIDTH};
	struct winsize size;

	style.utf8 = setlocale(LC_CTYPE, "") && !strcmp(nl_langinfo(CODESET), "UTF-8");
	if (!ioctl(fileno(out), TIOCGWINSZ, &size))
		style.width =
			MIN(MAX((unsigned int)size.ws_col, (unsigned int)MIN_WIDTH), (unsigned int)MAX_WIDTH);
	return style;
}
