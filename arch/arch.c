// SPDX-License-Identifier: GPL-2.0-or-later
/* The streams of arch/arch.h: each copy routine's fill, fenced, as a table. */
#include "arch/arch.h"
#include "arch/copy.h"
#include "arch/cpu.h"

#define FILL(id, name, what, nontemporal, usable)                                                            \
	static void stream_##id(void *dst, size_t bytes, const void *pattern)                                \
	{                                                                                                    \
		arch_fill_##id(dst, bytes, pattern);                                                         \
		arch_finish_##id();                                                                          \
	}
ARCH_COPIES(FILL)

#define ROW(id, name, what, nontemporal, usable) {name, what, nontemporal, usable, stream_##id},
static const struct arch_stream streams[] = {ARCH_COPIES(ROW)};

const struct arch_ops arch_ops = {
	.name = ARCH_NAME,
	.streams = streams,
	.nr_streams = sizeof(streams) / sizeof(streams[0]),
	.cpu_name = arch_cpu_name,
};

bool arch_stream_usable(const struct arch_stream *stream)
{
	return !stream->usable || stream->usable();
}
