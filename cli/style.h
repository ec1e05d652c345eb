/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef MEMMAPCTL_CLI_STYLE_H
#define MEMMAPCTL_CLI_STYLE_H

#include "cli/command.h"
#include "report/text.h"

/*
 * How tables look on out: UTF-8 when the locale says so, colours as want_color, the terminal's width (80 to 120
 * columns; 80 without a terminal). Sets the program's LC_CTYPE from the environment.
 */
struct style style_for(const struct common_options *options, FILE *out);

#endif
