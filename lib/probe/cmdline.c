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

static bool is_about_memory(const char *arg, size_t arg_len)
{
	for (size_t i = 0; i < ARRAY_SIZE(about_memory); i++) {
		size_t len = strlen(about_memory[i]);

		if (len > arg_len || !cmdline_same_name(arg, about_memory[i], len))
			continue;
		if (len == arg_len || arg[len] == '=' || about_memory[i][len - 1] == '.')
			return true;
	}
	return false;
}

void cmdline_keep(char *cmdline)
{
	const char *end = cmdline + strlen(cmdline), *arg;
	char *to = cmdline;
	size_t len;

	for (const char *at = cmdline; (arg = cmdline_next(at, end, &len)); at = arg + len) {
		if (len == 2 && !strncmp(arg, "--", 2))
			break; /* what follows is for init */
		if (!is_about_memory(arg, len))
			continue;
		if (to != cmdline)
			*to++ = ' ';
		memmove(to, arg, len);
		to += len;
	}
	*to = 0;
}

void probe_options(struct prober *p)
{
	const struct host *h = p->host;

	if (p->cmdline && cmdline_parse(p->cmdline, page_sizes_of(h->arch, h->page_size_bytes), NULL, 0,
					p->option_doubts, p->options))
		p->err = -ENOMEM;
	if (p->options->movable_node)
		prober_note(p, "%s", cmdline_movable_node);
}
