// SPDX-License-Identifier: GPL-2.0-or-later
/* What the kernel's type information tells: the size of struct page, and which functions were not inlined. */
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <inttypes.h>
#include <string.h>

#include "probe/prober.h"

#define BTF_FILE "sys/kernel/btf/vmlinux"

/* Those that time the stages of a memory map: facts of a kernel that decide what can be measured on it. */
static const char *const functions[] = {
	"memremap_pages",
	"memunmap_pages",
	"memmap_init_zone_device",
	"__add_pages",
	"arch_add_memory",
	"arch_remove_memory",
	"move_pfn_range_to_zone",
	"memmap_init_range",
	"online_pages",
	"__create_pgd_mapping_locked",
	"hugetlb_vmemmap_optimize_folios",
	"hugetlb_bootmem_struct_page_init",
};

/* Members of anonymous unions and structs are one entry, without a name. */
static char *members_text(const struct btf *btf, const struct btf_type *type)
{
	const struct btf_member *m = btf_members(type);
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	for (uint32_t i = 0; i < btf_vlen(type); i++) {
		const char *name = btf__name_by_offset(btf, m[i].name_off);

		fprintf(out, "%s%s %" PRIu32, i ? ", " : "", name && *name ? name : "(union)",
			btf_member_bit_offset(type, i) / 8);
	}
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

static void read_functions(struct prober *p, const struct btf *btf)
{
	for (size_t i = 0; i < ARRAY_SIZE(functions); i++) {
		struct fact_function *f = prober_add(p, p->facts->functions, p->facts->nr_functions);

		if (!f)
			return;
		f->name = prober_text(p, "%s", functions[i]);
		f->present = btf__find_by_name_kind(btf, functions[i], BTF_KIND_FUNC) > 0;
	}
}

void probe_struct_page(struct prober *p)
{
	_cleanup_free_ char *data = NULL;
	struct btf *btf = NULL;
	size_t len;
	int id = -1;

	libbpf_set_print(NULL);
	if (!root_read_bytes(p->root, &data, &len, BTF_FILE))
		btf = btf__new(data, (uint32_t)len);
	if (btf && !libbpf_get_error(btf))
		id = btf__find_by_name_kind(btf, "page", BTF_KIND_STRUCT);
	if (id > 0) {
		const struct btf_type *type = btf__type_by_id(btf, (uint32_t)id);

		p->host->struct_page_bytes = type->size;
		p->facts->page_members = members_text(btf, type);
		prober_found(p, &p->host->struct_page_bytes, "/" BTF_FILE);
		read_functions(p, btf);
	} else {
		prober_unknown(p, &p->host->struct_page_bytes, "size of struct page",
			       "taken as 64: %s /" BTF_FILE, data ? "no struct page in" : "no BTF in");
	}
	if (btf && !libbpf_get_error(btf))
		btf__free(btf);
}
