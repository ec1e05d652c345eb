/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ELF files of a few hundred bytes, with just what a dynamic loader or a module loader would read. */
#ifndef MEMMAPCTL_TESTS_ELF_FIXTURE_H
#define MEMMAPCTL_TESTS_ELF_FIXTURE_H

#include <elf.h>
#include <stdio.h>
#include <string.h>

#include "base/util.h"

static inline Elf64_Ehdr fixture_ehdr(uint16_t type, uint16_t machine)
{
	Elf64_Ehdr ehdr = {.e_type = type,
			   .e_machine = machine,
			   .e_version = EV_CURRENT,
			   .e_ehsize = sizeof(Elf64_Ehdr)};

	memcpy(ehdr.e_ident, ELFMAG, SELFMAG);
	ehdr.e_ident[EI_CLASS] = ELFCLASS64;
	ehdr.e_ident[EI_DATA] = ELFDATA2LSB;
	ehdr.e_ident[EI_VERSION] = EV_CURRENT;
	return ehdr;
}

static inline int fixture_write(const char *path, const void *data, size_t len)
{
	FILE *f = fopen(path, "w");
	int err;

	if (!f)
		return -1;
	err = fwrite(data, 1, len, f) != len;
	return fclose(f) || err ? -1 : 0;
}

/*
 * A shared object, or with interp a program, that needs up to four libraries. Loaded at 0x10000, so that an address
 * is not by chance an offset. *len: its size.
 */
struct fixture_object {
	Elf64_Ehdr ehdr;
	Elf64_Phdr phdrs[3];
	Elf64_Dyn dynamic[6];
	char interp[64];
	char strings[256];
};

static inline struct fixture_object fixture_object(uint16_t machine, const char *interp,
						   const char *const *needed)
{
	const uint64_t base = 0x10000;
	struct fixture_object o = {.ehdr = fixture_ehdr(ET_DYN, machine)};
	size_t nr = 0, at = 1;

	o.ehdr.e_phoff = offsetof(struct fixture_object, phdrs);
	o.ehdr.e_phentsize = sizeof(Elf64_Phdr);
	o.ehdr.e_phnum = interp ? 3 : 2;
	o.phdrs[0] =
		(Elf64_Phdr){.p_type = PT_LOAD, .p_vaddr = base, .p_filesz = sizeof(o), .p_memsz = sizeof(o)};
	o.phdrs[1] = (Elf64_Phdr){.p_type = PT_DYNAMIC,
				  .p_offset = offsetof(struct fixture_object, dynamic),
				  .p_vaddr = base + offsetof(struct fixture_object, dynamic),
				  .p_filesz = sizeof(o.dynamic)};
	o.phdrs[2] = (Elf64_Phdr){.p_type = PT_INTERP,
				  .p_offset = offsetof(struct fixture_object, interp),
				  .p_filesz = interp ? strlen(interp) + 1 : 0};
	for (; *needed; needed++) {
		o.dynamic[nr++] = (Elf64_Dyn){.d_tag = DT_NEEDED, .d_un = {.d_val = at}};
		at += (size_t)snprintf(o.strings + at, sizeof(o.strings) - at, "%s", *needed) + 1;
	}
	o.dynamic[nr] = (Elf64_Dyn){.d_tag = DT_STRTAB,
				    .d_un = {.d_ptr = base + offsetof(struct fixture_object, strings)}};
	if (interp)
		snprintf(o.interp, sizeof(o.interp), "%s", interp);
	return o;
}

/* A kernel module as far as its .modinfo goes: "depends=a,b". */
struct fixture_module {
	Elf64_Ehdr ehdr;
	Elf64_Shdr shdrs[3];
	char names[24];
	char modinfo[128];
};

static inline struct fixture_module fixture_module(const char *depends)
{
	static const char names[] = "\0.shstrtab\0.modinfo";
	struct fixture_module m = {.ehdr = fixture_ehdr(ET_REL, EM_X86_64)};

	m.ehdr.e_shoff = offsetof(struct fixture_module, shdrs);
	m.ehdr.e_shentsize = sizeof(Elf64_Shdr);
	m.ehdr.e_shnum = 3;
	m.ehdr.e_shstrndx = 1;
	memcpy(m.names, names, sizeof(names));
	m.shdrs[1] = (Elf64_Shdr){.sh_name = 1,
				  .sh_type = SHT_STRTAB,
				  .sh_offset = offsetof(struct fixture_module, names),
				  .sh_size = sizeof(names)};
	m.shdrs[2] = (Elf64_Shdr){
		.sh_name = 11,
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct fixture_module, modinfo),
		.sh_size = (uint64_t)snprintf(m.modinfo, sizeof(m.modinfo), "depends=%s", depends) + 1};
	return m;
}

#endif
