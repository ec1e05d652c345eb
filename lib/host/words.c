// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/words.h"

#include "host/host.h"

static const char *const mode_words[] = {"fsdax", "devdax", "raw", "sector"};
static const char *const map_words[] = {"dev", "mem"};
static const char *const type_words[] = {"private", "coherent", "p2pdma", "system-ram"};
static const char *const when_words[] = {"boot", "runtime"};

static const char *word_nr(const char *const *words, size_t nr, int i)
{
	return i >= 0 && (size_t)i < nr ? words[i] : NULL;
}

const char *arch_word(int i)
{
	return i >= 0 && i < NR_ARCHES ? arch_name((enum arch_id)i) : NULL;
}

const char *memmap_path_word(int i)
{
	return i >= 0 && i < NR_PATHS ? path_name((enum memmap_path)i) : NULL;
}

const char *namespace_mode_word(int i)
{
	return word_nr(mode_words, ARRAY_SIZE(mode_words), i);
}

const char *namespace_map_word(int i)
{
	return word_nr(map_words, ARRAY_SIZE(map_words), i);
}

const char *device_type_word(int i)
{
	return word_nr(type_words, ARRAY_SIZE(type_words), i);
}

const char *hugepage_when_word(int i)
{
	return word_nr(when_words, ARRAY_SIZE(when_words), i);
}

static const char *known(const char *word)
{
	return word ? word : "?";
}

const char *namespace_mode_name(enum namespace_mode mode)
{
	return known(namespace_mode_word((int)mode));
}

const char *namespace_map_name(enum namespace_map map)
{
	return known(namespace_map_word((int)map));
}

const char *device_type_name(enum device_type type)
{
	return known(device_type_word((int)type));
}

const char *hugepage_when_name(enum hugepage_when when)
{
	return known(hugepage_when_word((int)when));
}
