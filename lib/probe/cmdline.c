// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel command line: only what is about memory is looked at, and nothing else ever leaves this file. */
#include <string.h>

#include "probe/prober.h"

/* In front of '=' or the end; one that ends in '.' is the prefix of a module's parameters. */
static const char *const about_memory[] = {
	"hugepages",
	"hugepagesz",
	"default_hugepagesz",
	"hugetlb_free_vmemmap",
	"hugetlb_cma",
	"hugetlb_cma_only",
	"hugepage_alloc_threads",
	"memmap",
	"mem",
	"movable_node",
	"movablecore",
	"kernelcore",
	"memory_hotplug.",
	"memhp_default_state",
	"init_on_alloc",
	"init_on_free",
	"page_poison",
	"debug_pagealloc",
	"page_owner",
	"page_reporting.",
	"deferred_init",
	"crashkernel",
	"cma",
	"numa",
	"numa_balancing",
	"efi_fake_mem",
	"kfence.",
	"rodata",
	"transparent_hugepage",
	"nd_pmem.",
	"libnvdimm.",
	"nfit.",
	"dax_hmem.",
	"device_hmem.",
	"amdgpu.",
	"nvidia.",
	"nvidia_uvm.",
	"nr_cpus",
	"maxcpus",
};

/* An argument ends at a blank outside of double quotes, as in lib/cmdline.c: next_arg. */
static size_t arg_length(const char *arg)
{
	bool quoted = false;
	size_t len = 0;

	for (; arg[len] && (quoted || (arg[len] != ' ' && arg[len] != '\n')); len++)
		quoted ^= arg[len] == '"';
	return len;
}

/* Dashes and underscores are the same to the kernel. */
static bool same_name(const char *a, const char *b, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (a[i] != b[i] && !(a[i] == '-' && b[i] == '_'))
			return false;
	}
	return true;
}

static bool is_about_memory(const char *arg, size_t arg_len)
{
	for (size_t i = 0; i < ARRAY_SIZE(about_memory); i++) {
		size_t len = strlen(about_memory[i]);

		if (len > arg_len || !same_name(arg, about_memory[i], len))
			continue;
		if (len == arg_len || arg[len] == '=' || about_memory[i][len - 1] == '.')
			return true;
	}
	return false;
}

void cmdline_keep(char *cmdline)
{
	char *to = cmdline;

	for (const char *arg = cmdline; *arg;) {
		size_t len = arg_length(arg);
		bool keep = is_about_memory(arg, len);

		if (len == 2 && !strncmp(arg, "--", 2))
			break; /* what follows is for init */
		if (keep && to != cmdline)
			*to++ = ' ';
		if (keep) {
			memmove(to, arg, len);
			to += len;
		}
		arg += len;
		arg += *arg != 0;
	}
	*to = 0;
}

void probe_options(struct prober *p)
{
	const struct host *h = p->host;

	if (p->cmdline && cmdline_parse(p->cmdline, page_sizes_of(h->arch, h->page_size_bytes), NULL, 0,
					p->option_doubts, p->options))
		p->err = -ENOMEM;
}
