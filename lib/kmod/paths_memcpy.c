// SPDX-License-Identifier: GPL-2.0
/*
 * What a copy of one struct page by memcpy really is in this build: the machine code of a function that does nothing
 * else, read as it runs here, after the kernel has patched what it patches at load time.
 */
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/mm_types.h>
#include <linux/string.h>

#include "paths.h"

enum { MAX_CODE_BYTES = 128 };

static noinline __used notrace void copy_page_struct(struct page *to, const struct page *from)
{
	memcpy(to, from, sizeof(*to));
}

#ifdef CONFIG_X86
static bool has(const u8 *code, size_t len, const char *bytes, size_t nr)
{
	for (size_t i = 0; i + nr <= len; i++) {
		if (!memcmp(code + i, bytes, nr))
			return true;
	}
	return false;
}

/* CALL or JMP with a 32-bit displacement: the function that it leads to, or 0. */
static unsigned long target_of(const u8 *at)
{
	s32 displacement;

	if (at[0] != 0xe8 && at[0] != 0xe9)
		return 0;
	memcpy(&displacement, at + 1, sizeof(displacement));
	return (unsigned long)at + 5 + displacement;
}

static bool leads_to_memcpy(const u8 *code, size_t len)
{
	for (size_t i = 0; i + 5 <= len; i++) {
		unsigned long target = target_of(code + i);

		if (target && (target == (unsigned long)memcpy || target == (unsigned long)__memcpy))
			return true;
	}
	return false;
}

/* MOV from a 64-bit register to memory: 48 or 4c, 89, and an address by a register that is not a register itself. */
static unsigned int count_stores(const u8 *code, size_t len)
{
	unsigned int nr = 0;

	for (size_t i = 0; i + 3 <= len; i++)
		nr += (code[i] & 0xf8) == 0x48 && code[i + 1] == 0x89 && code[i + 2] < 0xc0;
	return nr;
}

static void name_code(struct seq_file *out, const u8 *code, size_t len)
{
	if (has(code, len, "\xf3\x48\xa5", 3))
		seq_puts(out, "rep movsq");
	else if (has(code, len, "\xf3\xa4", 2))
		seq_puts(out, "rep movsb");
	else if (leads_to_memcpy(code, len))
		seq_puts(out, "a call of memcpy");
	else if (count_stores(code, len) == sizeof(struct page) / 8)
		seq_puts(out, "64-bit stores");
	else
		seq_puts(out, "not recognised");
}
#elif defined(CONFIG_ARM64)
/* STP of two 64-bit registers, by any addressing; STR likewise; BL or B. */
static void name_code(struct seq_file *out, const u8 *code, size_t len)
{
	const __le32 *insn = (const __le32 *)code;
	unsigned int pairs = 0, words = 0, calls = 0;

	for (size_t i = 0; i < len / 4; i++) {
		u32 op = le32_to_cpu(insn[i]);

		pairs += (op & 0xfe400000) == 0xa8000000;
		words += (op & 0xffc00000) == 0xf9000000;
		calls += (op & 0x7c000000) == 0x14000000;
	}
	if (2 * pairs + words >= sizeof(struct page) / 8)
		seq_puts(out, pairs ? "store pairs (stp)" : "64-bit stores");
	else if (calls)
		seq_puts(out, "a call of memcpy");
	else
		seq_puts(out, "not recognised");
}
#else
static void name_code(struct seq_file *out, const u8 *code, size_t len)
{
	seq_puts(out, "not recognised");
}
#endif

/* The symbol table knows how long a function is: "NAME+0x0/0xLENGTH [MODULE]". */
static size_t code_bytes(const u8 *code)
{
	char symbol[KSYM_SYMBOL_LEN];
	const char *length;
	unsigned int bytes;

	sprint_symbol(symbol, (unsigned long)code);
	length = strchr(symbol, '/');
	if (!length || sscanf(length, "/0x%x", &bytes) != 1)
		return MAX_CODE_BYTES;
	return min_t(size_t, bytes, MAX_CODE_BYTES);
}

void memcpy_describe(struct seq_file *out)
{
	const u8 *code = (const u8 *)copy_page_struct;
	size_t len = code_bytes(code);

	seq_puts(out, "memcpy ");
	name_code(out, code, len);
	seq_puts(out, "\nmemcpy_code ");
	for (size_t i = 0; i < len; i++)
		seq_printf(out, "%02x", code[i]);
	seq_putc(out, '\n');
}
