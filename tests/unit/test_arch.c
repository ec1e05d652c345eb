// SPDX-License-Identifier: GPL-2.0-or-later
/* Streams: they write their pattern, all of it and nothing else; CPU features and name against the kernel's own list. */
#include "support/check.h"

#include <stdlib.h>

#include "arch/arch.h"
#include "base/util.h"

static const size_t sizes_bytes[] = {0, 64, 128, 192, 4032, 4096, 4160, 8192, 12352, 640000};

static void check_fill(const struct arch_stream *stream, size_t bytes, const unsigned char *pattern)
{
	enum { REDZONE_BYTES = 256 };
	_cleanup_free_ unsigned char *all = aligned_alloc(64, bytes + 2 * REDZONE_BYTES);
	unsigned char *dst;

	assert_non_null(all);
	memset(all, 0xa5, bytes + 2 * REDZONE_BYTES);
	dst = all + REDZONE_BYTES;
	stream->fill(dst, bytes, pattern);
	for (size_t i = 0; i < bytes; i++)
		check_u64(dst[i], pattern[i % 64], "%s, %zu bytes: byte %zu", stream->name, bytes, i);
	for (size_t i = 0; i < REDZONE_BYTES; i++) {
		check_u64(all[i], 0xa5, "%s, %zu bytes: before the range", stream->name, bytes);
		check_u64(dst[bytes + i], 0xa5, "%s, %zu bytes: after the range", stream->name, bytes);
	}
}

static void fills(void **state)
{
	unsigned char patterns[3][65] = {{0}};

	(void)state;
	for (int i = 0; i < 64; i++) {
		patterns[0][i + 1] = (unsigned char)(i * 37 + 1);
		patterns[1][i + 1] =
			i >= 16 && i < 32 ? 0xee : 0; /* what is mostly zero takes another way on arm64 */
	}
	for (size_t s = 0; s < arch_ops.nr_streams; s++) {
		const struct arch_stream *stream = &arch_ops.streams[s];

		if (!arch_stream_usable(stream)) {
			print_message("not on this CPU: %s\n", stream->name);
			continue;
		}
		for (size_t i = 0; i < ARRAY_SIZE(sizes_bytes); i++) {
			for (size_t p = 0; p < ARRAY_SIZE(patterns); p++)
				check_fill(stream, sizes_bytes[i],
					   patterns[p] + 1); /* a pattern at an odd address */
		}
	}
}

static void plain_stores_everywhere(void **state)
{
	(void)state;
	check_str(arch_ops.streams[0].name, "stores", "the first stream");
	assert_true(arch_stream_usable(&arch_ops.streams[0]));
	assert_false(arch_ops.streams[0].nontemporal);
}

#if defined(__x86_64__) && !defined(ARCH_GENERIC)
/* The value of the first "KEY : value" line of /proc/cpuinfo. */
static char *cpuinfo(const char *key)
{
	_cleanup_file_ FILE *file = fopen("/proc/cpuinfo", "re");
	_cleanup_free_ char *line = NULL;
	size_t size = 0;

	while (file && getline(&line, &size, file) > 0) {
		char *colon = strchr(line, ':');

		line[strcspn(line, "\n")] = '\0';
		if (colon && !strncmp(line, key, strlen(key)))
			return strdup(colon + 2);
	}
	return NULL;
}

static void cpu_as_the_kernel_says(void **state)
{
	static const struct {
		const char *stream, *flag;
	} rows[] = {
		{"avx2-nt",   " avx2 "     },
		{"avx512-nt", " avx512f "  },
		{"movdir64b", " movdir64b "},
	};
	_cleanup_free_ char *flags = cpuinfo("flags");
	_cleanup_free_ char *model = cpuinfo("model name");
	char name[64];

	(void)state;
	if (!flags || !model)
		check_skip("/proc/cpuinfo has no flags or no model name to compare with");
	check_str(arch_ops.cpu_name(name, sizeof(name)), model, "model name");
	assert_null(arch_ops.cpu_name(name, 4));
	for (size_t s = 0; s < arch_ops.nr_streams; s++) {
		for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
			if (strcmp(arch_ops.streams[s].name, rows[i].stream))
				continue;
			check_int(arch_stream_usable(&arch_ops.streams[s]),
				  strstr(flags, rows[i].flag) != NULL, "%s usable", rows[i].stream);
		}
	}
}
#endif

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fills),
		cmocka_unit_test(plain_stores_everywhere),
#if defined(__x86_64__) && !defined(ARCH_GENERIC)
		cmocka_unit_test(cpu_as_the_kernel_says),
#endif
	};

	return cmocka_run_group_tests_name("arch", tests, NULL, NULL);
}
