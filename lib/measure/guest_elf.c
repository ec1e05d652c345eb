// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs and their libraries: which shared objects an ELF file needs, found without running it. */
#include <elf.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "measure/guest_files.h"

#if __BYTE_ORDER != __LITTLE_ENDIAN
#error "the ELF reader takes files of this machine's byte order"
#endif

struct image {
	const char *data;
	size_t len;
};

int guest_files_add(struct guest_files *files, const char *name, const char *path)
{
	struct guest_file *file;

	for (size_t i = 0; i < files->nr; i++) {
		if (!strcmp(files->items[i].name, name))
			return 0;
	}
	file = array_grow(&files->items, &files->nr, sizeof(*file));
	if (!file)
		return -ENOMEM;
	file->name = strdup(name);
	file->path = strdup(path);
	return file->name && file->path ? 0 : -ENOMEM;
}

void guest_files_free(struct guest_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		free(files->items[i].name);
		free(files->items[i].path);
	}
	free(files->items);
	*files = (struct guest_files){0};
}

void guest_elf_free(struct guest_elf *elf)
{
	free(elf->interp);
	for (size_t i = 0; i < elf->nr_needed; i++)
		free(elf->needed[i]);
	free(elf->needed);
	*elf = (struct guest_elf){0};
}

/* len bytes at offset, or NULL when the file does not have them. */
static const void *at(const struct image *image, uint64_t offset, uint64_t len)
{
	if (offset > image->len || len > image->len - offset)
		return NULL;
	return image->data + offset;
}

/* The string at offset, or NULL when it does not end within the file. */
static const char *string_at(const struct image *image, uint64_t offset)
{
	const char *s = at(image, offset, 1);

	return s && memchr(s, '\0', image->len - offset) ? s : NULL;
}

/* Headers are copied out: a damaged file need not align them. */
static int program_header(const struct image *image, const Elf64_Ehdr *ehdr, size_t i, Elf64_Phdr *out)
{
	const void *p;

	if (ehdr->e_phentsize != sizeof(*out))
		return -ENOEXEC;
	p = at(image, ehdr->e_phoff + i * sizeof(*out), sizeof(*out));
	if (!p)
		return -ENOEXEC;
	memcpy(out, p, sizeof(*out));
	return 0;
}

static int find_segment(const struct image *image, const Elf64_Ehdr *ehdr, uint32_t type, Elf64_Phdr *out)
{
	for (size_t i = 0; i < ehdr->e_phnum; i++) {
		int err = program_header(image, ehdr, i, out);

		if (err)
			return err;
		if (out->p_type == type)
			return 0;
	}
	return -ENOENT;
}

/* Dynamic entries hold addresses; the file has what is loaded there. */
static int file_offset(const struct image *image, const Elf64_Ehdr *ehdr, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < ehdr->e_phnum; i++) {
		Elf64_Phdr phdr;
		int err = program_header(image, ehdr, i, &phdr);

		if (err)
			return err;
		if (phdr.p_type != PT_LOAD || address < phdr.p_vaddr ||
		    address - phdr.p_vaddr >= phdr.p_filesz)
			continue;
		*offset = phdr.p_offset + (address - phdr.p_vaddr);
		return 0;
	}
	return -ENOEXEC;
}

static int dynamic_entry(const struct image *image, const Elf64_Phdr *dynamic, size_t i, Elf64_Dyn *out)
{
	const void *p;

	if ((i + 1) * sizeof(*out) > dynamic->p_filesz)
		return -ENOENT;
	p = at(image, dynamic->p_offset + i * sizeof(*out), sizeof(*out));
	if (!p)
		return -ENOEXEC;
	memcpy(out, p, sizeof(*out));
	return out->d_tag == DT_NULL ? -ENOENT : 0;
}

static int add_needed(struct guest_elf *elf, const char *name)
{
	char **slot;

	if (!name)
		return -ENOEXEC;
	slot = array_grow(&elf->needed, &elf->nr_needed, sizeof(*slot));
	if (!slot)
		return -ENOMEM;
	*slot = strdup(name);
	return *slot ? 0 : -ENOMEM;
}

static int read_needed(const struct image *image, const Elf64_Ehdr *ehdr, struct guest_elf *elf)
{
	Elf64_Phdr dynamic;
	Elf64_Dyn entry;
	uint64_t strings = 0;
	int err = find_segment(image, ehdr, PT_DYNAMIC, &dynamic);

	if (err)
		return err == -ENOENT ? 0 : err; /* statically linked */
	for (size_t i = 0; !(err = dynamic_entry(image, &dynamic, i, &entry)); i++) {
		if (entry.d_tag == DT_STRTAB)
			err = file_offset(image, ehdr, entry.d_un.d_ptr, &strings);
		if (err)
			return err;
	}
	for (size_t i = 0; !(err = dynamic_entry(image, &dynamic, i, &entry)); i++) {
		if (entry.d_tag == DT_NEEDED)
			err = add_needed(elf, string_at(image, strings + entry.d_un.d_val));
		if (err)
			return err;
	}
	return err == -ENOENT ? 0 : err;
}

static int read_image(const struct image *image, struct guest_elf *elf)
{
	Elf64_Ehdr ehdr;
	Elf64_Phdr interp;
	int err;

	if (image->len < sizeof(ehdr))
		return -ENOEXEC;
	memcpy(&ehdr, image->data, sizeof(ehdr));
	if (memcmp(ehdr.e_ident, ELFMAG, SELFMAG) || ehdr.e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr.e_ident[EI_DATA] != ELFDATA2LSB)
		return -ENOEXEC;
	if (ehdr.e_machine != EM_X86_64 && ehdr.e_machine != EM_AARCH64)
		return -ENOEXEC;
	elf->arch = ehdr.e_machine == EM_X86_64 ? ARCH_X86_64 : ARCH_AARCH64;
	err = find_segment(image, &ehdr, PT_INTERP, &interp);
	if (!err) {
		const char *path = string_at(image, interp.p_offset);

		if (!path || *path != '/')
			return -ENOEXEC;
		elf->interp = strdup(path);
		if (!elf->interp)
			return -ENOMEM;
	} else if (err != -ENOENT) {
		return err;
	}
	return read_needed(image, &ehdr, elf);
}

int guest_elf_read(const char *path, struct guest_elf *out)
{
	_cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct guest_elf elf = {0};
	struct image image;
	struct stat st;
	void *data;
	int err;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return -ENOEXEC;
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return -errno;
	image = (struct image){data, (size_t)st.st_size};
	err = read_image(&image, &elf);
	munmap(data, image.len);
	if (err) {
		guest_elf_free(&elf);
		return err;
	}
	*out = elf;
	return 0;
}

/* The loader stands where programs name it; all other libraries in one folder, which LD_LIBRARY_PATH names. */
static int add_library(struct guest_files *files, const char *interp, const char *path)
{
	const char *base = strrchr(path, '/');
	char name[256];

	if (interp && base && !strcmp(base, strrchr(interp, '/')))
		return guest_files_add(files, interp + 1, path);
	if (snprintf(name, sizeof(name), "lib/%s", base ? base + 1 : path) >= (int)sizeof(name))
		return -ENAMETOOLONG;
	return guest_files_add(files, name, path);
}

struct running {
	struct guest_files *files;
	const char *interp;
};

static int add_loaded(struct dl_phdr_info *info, size_t size, void *ctx)
{
	struct running *running = ctx;

	(void)size;
	if (!info->dlpi_name || info->dlpi_name[0] != '/') /* the program itself, the vDSO */
		return 0;
	return add_library(running->files, running->interp, info->dlpi_name);
}

int guest_files_add_running(struct guest_files *files, struct diags *diags)
{
	static const char self[] = "/proc/self/exe";
	_cleanup_guest_elf_ struct guest_elf elf = {0};
	struct running running = {.files = files};
	int err = guest_elf_read(self, &elf);

	if (err)
		return diag_error(diags, err, "cannot read %s: %s", self, strerror(-err));
	err = guest_files_add(files, "init", self);
	running.interp = elf.interp;
	return err ? err : dl_iterate_phdr(add_loaded, &running);
}

static const char *const library_dirs[] = {
	"lib/x86_64-linux-gnu",
	"usr/lib/x86_64-linux-gnu",
	"lib/aarch64-linux-gnu",
	"usr/lib/aarch64-linux-gnu",
	"lib64",
	"usr/lib64",
	"lib",
	"usr/lib",
	"usr/local/lib",
};
static const char *const program_dirs[] = {"bin", "usr/bin", "usr/local/bin", "."};

/* root/dir/name in the first of the folders that has it, for arch: the caller frees. NULL: none. */
static char *find_object(const char *root, const char *const *dirs, size_t nr_dirs, const char *name,
			 enum arch_id arch, struct guest_elf *elf)
{
	for (size_t i = 0; i < nr_dirs; i++) {
		char *path;

		if (asprintf(&path, "%s/%s/%s", root, dirs[i], name) < 0)
			return NULL;
		if (!guest_elf_read(path, elf)) {
			if (elf->arch == arch)
				return path;
			guest_elf_free(elf);
		}
		free(path);
	}
	return NULL;
}

/* Add what elf needs, and what that needs; a library that is already there has been walked. */
static int walk(struct guest_files *files, const char *root, const struct guest_elf *elf, const char *interp,
		enum arch_id arch, struct diags *diags)
{
	for (size_t i = 0; i < elf->nr_needed; i++) {
		_cleanup_guest_elf_ struct guest_elf library = {0};
		_cleanup_free_ char *path = find_object(root, library_dirs, ARRAY_SIZE(library_dirs),
							elf->needed[i], arch, &library);
		size_t before = files->nr;
		int err;

		if (!path)
			return diag_error(diags, -ENOENT, "%s has no library %s for %s", root, elf->needed[i],
					  arch_name(arch));
		err = add_library(files, interp, path);
		if (!err && files->nr > before)
			err = walk(files, root, &library, interp, arch, diags);
		if (err)
			return err;
	}
	return 0;
}

int guest_files_add_tree(struct guest_files *files, const char *root, enum arch_id arch, struct diags *diags)
{
	_cleanup_guest_elf_ struct guest_elf program = {0}, loader = {0};
	_cleanup_free_ char *path =
		find_object(root, program_dirs, ARRAY_SIZE(program_dirs), "memmapctl", arch, &program);
	_cleanup_free_ char *loader_path = NULL;
	int err;

	if (!path)
		return diag_error(diags, -ENOENT,
				  "%s has no memmapctl for %s (looked in bin, usr/bin, usr/local/bin and the "
				  "tree's top)",
				  root, arch_name(arch));
	err = guest_files_add(files, "init", path);
	if (err || !program.interp)
		return err;
	loader_path = find_object(root, library_dirs, ARRAY_SIZE(library_dirs),
				  strrchr(program.interp, '/') + 1, arch, &loader);
	if (!loader_path)
		return diag_error(diags, -ENOENT, "%s has no dynamic loader %s", root, program.interp);
	err = add_library(files, program.interp, loader_path);
	return err ? err : walk(files, root, &program, program.interp, arch, diags);
}
