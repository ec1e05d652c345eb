// SPDX-License-Identifier: GPL-2.0
/* Versions of the kernel and comparing arrays: the very file that user space has. */
#include "initpath/shared.c"
