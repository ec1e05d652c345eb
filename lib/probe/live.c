// SPDX-License-Identifier: GPL-2.0-or-later
#include "probe/live.h"

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/units.h"
#include "host/pages.h"
#include "probe/prober.h"

void prober_note(struct prober *p, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	diag_addv(p->notes, DIAG_NOTE, p->host->file, 0, 0, fmt, ap);
	va_end(ap);
}

bool cmdline_value(const char *cmdline, const char *name, char *value, size_t room)
{
	size_t len = strlen(name);
	bool found = false;

	for (const char *p = cmdline; *p; p += strcspn(p, " ")) {
		p += strspn(p, " ");
		if (strncmp(p, name, len) || p[len] != '=')
			continue;
		snprintf(value, room, "%.*s", (int)strcspn(p + len + 1, " "), p + len + 1);
		found = true;
	}
	return found;
}

int config_has(const struct prober *p, const char *name)
{
	size_t len = strlen(name);

	if (!p->config)
		return -1;
	for (const char *line = p->config; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, "CONFIG_", 7) && !strncmp(line + 7, name, len) &&
		    !strncmp(line + 7 + len, "=y", 2) && (!line[len + 9] || line[len + 9] == '\n'))
			return 1;
	}
	return 0;
}

uint32_t cpulist_count(const char *list)
{
	uint32_t count = 0;

	while (*list) {
		unsigned long first, last;
		char *end;

		if (!isdigit((unsigned char)*list))
			return 0;
		first = last = strtoul(list, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (last < first || last - first >= 1u << 20 || (*end && *end != ','))
			return 0;
		count += (uint32_t)(last - first) + 1;
		list = *end ? end + 1 : end;
	}
	return count;
}

/* /proc/sys/kernel/arch is there from Linux 6.1 on. */
static int probe_arch(struct prober *p)
{
	_cleanup_free_ char *name = NULL;
	struct utsname uts;

	if (root_read(p->root, &name, "proc/sys/kernel/arch") && p->root->is_this_system && !uname(&uts))
		name = strdup(uts.machine);
	if (!name) {
		diag_add(p->notes, DIAG_ERROR, p->host->file, 0, 0,
			 "the architecture cannot be told: there is no /proc/sys/kernel/arch");
		return -ENOTSUP;
	}
	if (arch_from_name(name, &p->host->arch)) {
		diag_add(p->notes, DIAG_ERROR, p->host->file, 0, 0,
			 "architecture \"%s\" is not known: only x86_64 and aarch64 are", name);
		return -ENOTSUP;
	}
	return 0;
}

static bool has_all_hugepage_sizes(const struct prober *p, const struct page_sizes *sizes)
{
	for (int i = 0; i < MAX_HUGEPAGE_SIZES && sizes->hugepage_bytes[i]; i++) {
		unsigned long long kib = sizes->hugepage_bytes[i] / KIB;

		if (!root_exists(p->root, "sys/kernel/mm/hugepages/hugepages-%llukB", kib))
			return false;
	}
	return true;
}

/* A saved tree holds no page size: the hugepage sizes tell it where an architecture has several. */
static void probe_page_size(struct prober *p)
{
	struct host *h = p->host;

	if (p->root->is_this_system) {
		h->page_size_bytes = (uint64_t)sysconf(_SC_PAGESIZE);
		return;
	}
	if (!page_size_nr(h->arch, 1))
		return; /* there is one, the default */
	for (unsigned int i = 0; page_size_nr(h->arch, i); i++) {
		if (!has_all_hugepage_sizes(p, page_sizes_of(h->arch, page_size_nr(h->arch, i))))
			continue;
		h->page_size_bytes = page_size_nr(h->arch, i);
		return;
	}
	prober_note(p, "page size not known: taken as 4KiB");
}

/* libbpf opens files by name; /proc/self/fd leads it through the root. */
static void probe_struct_page(struct prober *p)
{
	char path[64];
	struct btf *btf;
	int id;

	libbpf_set_print(NULL);
	snprintf(path, sizeof(path), "/proc/self/fd/%d/sys/kernel/btf/vmlinux", p->root->fd);
	btf = btf__parse(path, NULL);
	id = libbpf_get_error(btf) ? -1 : btf__find_by_name_kind(btf, "page", BTF_KIND_STRUCT);
	if (id > 0)
		p->host->struct_page_bytes = btf__type_by_id(btf, (uint32_t)id)->size;
	else
		prober_note(p,
			    "size of struct page not known (no BTF in /sys/kernel/btf/vmlinux): taken as 64");
	if (!libbpf_get_error(btf))
		btf__free(btf);
}

static int probe_names(struct prober *p)
{
	struct host *h = p->host;
	char *name = NULL;

	if (!root_read(p->root, &name, "proc/sys/kernel/hostname") && *name) {
		free(h->name);
		h->name = name;
	} else {
		free(name);
	}
	if (root_read(p->root, &h->kernel.release, "proc/sys/kernel/osrelease")) {
		prober_note(p, "kernel release not known: the newest rules are used");
		h->kernel.release = NULL;
	} else if (kver_parse(h->kernel.release, &h->kernel.version)) {
		prober_note(p, "kernel release \"%s\" is not one that can be read: the newest rules are used",
			    h->kernel.release);
		free(h->kernel.release);
		h->kernel.release = NULL;
	}
	if (root_read(p->root, &p->cmdline, "proc/cmdline")) {
		prober_note(p, "kernel command line not known: nothing is taken from it");
		p->cmdline = strdup("");
	}
	return p->cmdline ? 0 : -ENOMEM;
}

/* What the kernel was built with, from the file that distributions put beside it. */
static void probe_config(struct prober *p)
{
	struct host *h = p->host;
	char value[32];
	int flag;

	if (!h->kernel.release || root_read(p->root, &p->config, "boot/config-%s", h->kernel.release))
		p->config = NULL;
	flag = config_has(p, "DEFERRED_STRUCT_PAGE_INIT");
	if (flag >= 0)
		h->kernel.deferred_struct_page_init = flag;
	else
		prober_note(p,
			    "no kernel configuration in /boot: deferred struct page init taken as built in");
	flag = config_has(p, "ARCH_WANT_OPTIMIZE_DAX_VMEMMAP");
	if (flag >= 0 && kver_cmp(h->kernel.version, KVER(6, 6, 0)) >= 0) /* the option's name since 6.6 */
		h->kernel.dax_vmemmap_optimization = flag;
	flag = config_has(p, "INIT_ON_ALLOC_DEFAULT_ON");
	if (cmdline_value(p->cmdline, "init_on_alloc", value, sizeof(value)))
		h->kernel.init_on_alloc = !strcmp(value, "1") || !strcmp(value, "on") || !strcmp(value, "y");
	else if (flag >= 0)
		h->kernel.init_on_alloc = flag;
	else
		prober_note(p, "init_on_alloc not known: taken as on");
}

/* The sysctl is registered only where some hugepage size can be optimised. */
static void probe_hvo(struct prober *p)
{
	struct host *h = p->host;
	uint64_t value;

	if (!root_read_u64(p->root, &value, "proc/sys/vm/hugetlb_optimize_vmemmap")) {
		h->hvo_supported = true;
		h->hvo_enabled = value;
	} else if (root_exists(p->root, "proc/sys/vm")) {
		h->hvo_supported = false;
	} else {
		prober_note(p, "HVO not known (no /proc/sys/vm): taken as %s and off",
			    h->hvo_supported ? "supported" : "not supported");
	}
}

static void probe_cpus(struct prober *p)
{
	_cleanup_free_ char *list = NULL;
	struct host *h = p->host;
	uint32_t of_nodes = 0, online = 0;

	for (size_t i = 0; i < h->nr_nodes; i++)
		of_nodes += h->nodes[i].cpus;
	if (!root_read(p->root, &list, "sys/devices/system/cpu/online"))
		online = cpulist_count(list);
	if (!online && p->root->is_this_system)
		online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	h->cpus = of_nodes ? of_nodes : MAX(online, 1u);
	if (!of_nodes && !online)
		prober_note(p, "number of CPUs not known: taken as 1");
}

static int probe_parts(struct prober *p)
{
	int err = probe_arch(p);

	if (err)
		return err;
	/* Defaults that the architecture decides. */
	p->host->hvo_supported = p->host->kernel.dax_vmemmap_optimization = p->host->arch == ARCH_X86_64;
	err = probe_names(p);
	if (err)
		return err;
	probe_page_size(p);
	probe_struct_page(p);
	probe_config(p);
	probe_hvo(p);
	err = probe_memory(p);
	if (!err)
		err = probe_hugepages(p);
	if (!err)
		err = probe_namespaces(p);
	if (!err)
		err = probe_dax(p);
	if (err)
		return err;
	probe_cpus(p);
	prober_note(p, "memory that GPU drivers hot-plug is not looked for: describe it under devices");
	return 0;
}

int probe_live(const struct root *root, struct diags *notes, struct host **out)
{
	struct prober p = {.root = root, .notes = notes};
	_cleanup_host_ struct host *host = host_new("this host");
	int err;

	if (!host)
		return -ENOMEM;
	host->is_this_system = root->is_this_system;
	if (!root->is_this_system) {
		free(host->file);
		host->file = strdup("the probed host");
		if (!host->file)
			return -ENOMEM;
	}
	p.host = host;
	err = probe_parts(&p);
	free(p.cmdline);
	free(p.config);
	if (err)
		return err;
	*out = take_ptr(host);
	return 0;
}
