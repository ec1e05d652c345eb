// SPDX-License-Identifier: GPL-2.0
/* The init paths as user space runs them, here on the kernel's own struct page. */
#define INITPATH_BUILD   default
#define INITPATH_CODEGEN CODEGEN_DEFAULT
#include "initpath/routines.c"
