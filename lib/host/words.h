/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the format's enums in order, NULL past the end: what struct key wants. */
#ifndef MEMMAPCTL_HOST_WORDS_H
#define MEMMAPCTL_HOST_WORDS_H

const char *arch_word(int i);
const char *memmap_path_word(int i);
const char *namespace_mode_word(int i);
const char *namespace_map_word(int i);
const char *device_type_word(int i);
const char *hugepage_when_word(int i);

#endif
