// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine: architecture, page size, CPUs and their caches, and whether it is a virtual one. */
#include <inttypes.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/units.h"
#include "host/pages.h"
#include "probe/prober.h"

#define CPU_DIR "sys/devices/system/cpu"

/* The first processor's paragraph: the others say the same. */
static void keep_first_cpu(char *cpuinfo)
{
	char *end = strstr(cpuinfo, "\n\n");

	if (end)
		*end = 0;
}

static char *read_cpuinfo(const struct prober *p)
{
	char *text;

	if (root_read_part(p->root, &text, keep_first_cpu, "proc/cpuinfo"))
		return NULL;
	clean_text(text);
	return text;
}

/* "model name	: X": "X", which the caller frees; NULL: no such line. */
static char *cpuinfo_value(const char *cpuinfo, const char *name)
{
	size_t len = strlen(name);

	for (const char *line = cpuinfo; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, len) || !strchr("\t :", line[len]))
			continue;
		const char *colon = strchr(line, ':');

		if (!colon)
			return NULL;
		colon += 1 + strspn(colon + 1, " \t");
		return strndup(colon, strcspn(colon, "\n"));
	}
	return NULL;
}

static bool has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = words; at && (at = strstr(at, word)); at += len) {
		if ((at == words || at[-1] == ' ') && (!at[len] || at[len] == ' '))
			return true;
	}
	return false;
}

/*
 * What /proc/cpuinfo looks like tells the architecture of the kernel: "fdiv_bug" is a line of 32-bit x86
 * kernels (arch/x86/kernel/cpu/proc.c), "CPU implementer" one of arm64, and of arm, which has no "CPU
 * architecture: 8".
 */
static const char *arch_of_cpuinfo(const char *cpuinfo)
{
	_cleanup_free_ char *flags = cpuinfo_value(cpuinfo, "flags"),
			    *fdiv = cpuinfo_value(cpuinfo, "fdiv_bug"),
			    *implementer = cpuinfo_value(cpuinfo, "CPU implementer"),
			    *version = cpuinfo_value(cpuinfo, "CPU architecture");

	if (flags && has_word(flags, "lm") && !fdiv)
		return "x86_64";
	if (flags && fdiv)
		return "i386";
	return implementer && version && !strcmp(version, "8") ? "aarch64" : NULL;
}

/* /proc/sys/kernel/arch is there from Linux 6.1 on. */
static char *read_arch(struct prober *p, const char **from)
{
	_cleanup_free_ char *cpuinfo = NULL;
	struct utsname uts;
	char *name;

	*from = "/proc/sys/kernel/arch";
	if ((name = attr_text(p, "proc/sys/kernel", "arch")))
		return name;
	*from = "/" NO_FILE_INFO;
	if ((name = no_file_info(p, "Architecture")))
		return name;
	*from = "what /proc/cpuinfo looks like";
	cpuinfo = read_cpuinfo(p);
	if (cpuinfo && arch_of_cpuinfo(cpuinfo))
		return prober_text(p, "%s", arch_of_cpuinfo(cpuinfo));
	*from = "uname";
	return p->root->is_this_system && !uname(&uts) ? prober_text(p, "%s", uts.machine) : NULL;
}

void probe_arch(struct prober *p)
{
	struct host *h = p->host;
	const char *from;
	_cleanup_free_ char *name = read_arch(p, &from);

	if (!name)
		prober_unknown(p, &h->arch, "architecture",
			       "nothing here tells it: write x86_64 or aarch64 before a forecast");
	else if (arch_from_name(name, &h->arch))
		prober_unknown(p, &h->arch, "architecture",
			       "\"%s\" (%s) is not supported: only x86_64 and aarch64 are", name, from);
	else
		p->arch_known = true;
	if (p->arch_known)
		prober_found(p, &h->arch, "%s", from);
	/* Defaults that the architecture decides. */
	h->hvo_supported = h->kernel.dax_vmemmap_optimization = h->arch == ARCH_X86_64;
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

/*
 * Of a process's mappings only this line, which is the same in all of them; addresses are nobody's
 * business.
 */
static void keep_page_size(char *smaps)
{
	static const char key[] = "KernelPageSize:";
	char *line = strstr(smaps, key);

	if (!line)
		*smaps = 0;
	else
		memmove(smaps, line, strcspn(line, "\n") + 1);
	smaps[strcspn(smaps, "\n")] = 0;
}

static uint64_t read_page_size(const struct prober *p, const char **from)
{
	_cleanup_free_ char *smaps = NULL, *info = NULL;
	uint64_t kib;

	*from = "/proc/self/smaps: KernelPageSize";
	if (!root_read_part(p->root, &smaps, keep_page_size, "proc/self/smaps") &&
	    sscanf(smaps, "KernelPageSize: %" SCNu64, &kib) == 1 && kib && kib <= 64)
		return kib * KIB;
	*from = "/" NO_FILE_INFO;
	info = no_file_info(p, "PageSize");
	if (info)
		return strtoull(info, NULL, 10);
	*from = "this system";
	return p->root->is_this_system ? (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* A tree that holds no page size: the hugepage sizes tell it where an architecture has several. */
static uint64_t page_size_of_hugepages(const struct prober *p)
{
	for (unsigned int i = 0; page_size_nr(p->host->arch, i); i++) {
		uint64_t bytes = page_size_nr(p->host->arch, i);

		if (has_all_hugepage_sizes(p, page_sizes_of(p->host->arch, bytes)))
			return bytes;
	}
	return 0;
}

void probe_page_size(struct prober *p)
{
	struct host *h = p->host;
	const char *from;
	uint64_t bytes = read_page_size(p, &from);

	if (!bytes && p->arch_known && !page_size_nr(h->arch, 1)) {
		from = "the only one of the architecture";
		bytes = page_size_nr(h->arch, 0);
	}
	if (!bytes && p->arch_known) {
		from = "/sys/kernel/mm/hugepages: the sizes there";
		bytes = page_size_of_hugepages(p);
	}
	if (!bytes) {
		prober_unknown(p, &h->page_size_bytes, "page size",
			       "taken as 4KiB: nothing in /proc or /sys tells it");
		return;
	}
	h->page_size_bytes = bytes;
	prober_found(p, &h->page_size_bytes, "%s", from);
}

static uint32_t count_cpu_folders(const struct prober *p)
{
	_cleanup_(root_names_free) char **names = NULL;
	uint32_t count = 0;
	uint64_t nr;

	if (root_list(p->root, &names, CPU_DIR))
		return 0;
	for (char **name = names; *name; name++)
		count += numbered(*name, "cpu", &nr);
	return count;
}

void probe_cpus(struct prober *p)
{
	_cleanup_free_ char *list = attr_text(p, CPU_DIR, "online");
	struct host *h = p->host;
	const char *from = "the nodes' CPUs";
	uint32_t nr = 0;

	for (size_t i = 0; i < h->nr_nodes; i++)
		nr += h->nodes[i].cpus;
	if (!nr && list) {
		from = "/" CPU_DIR "/online";
		nr = cpulist_count(list);
	}
	if (!nr) {
		from = "/" CPU_DIR "/cpu*";
		nr = count_cpu_folders(p);
	}
	if (!nr && p->root->is_this_system) {
		from = "this system";
		nr = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	}
	h->cpus = MAX(nr, 1u);
	if (nr)
		prober_found(p, &h->cpus, "%s", from);
	else
		prober_unknown(p, &h->cpus, "number of CPUs", "taken as 1");
}

static void read_caches(struct prober *p)
{
	_cleanup_(root_names_free) char **names = NULL;
	uint64_t nr, bytes;
	char dir[96];

	if (root_list(p->root, &names, CPU_DIR "/cpu0/cache"))
		return;
	for (char **name = names; *name; name++) {
		struct fact_cache *cache;

		if (!numbered(*name, "index", &nr))
			continue;
		snprintf(dir, sizeof(dir), CPU_DIR "/cpu0/cache/index%" PRIu64, nr);
		_cleanup_free_ char *size = attr_text(p, dir, "size");

		if (!size || size_parse(size, &bytes) ||
		    !(cache = prober_add(p, p->facts->caches, p->facts->nr_caches)))
			continue;
		cache->size_bytes = bytes;
		cache->has_level = attr_u64(p, dir, "level", &cache->level);
		cache->type = attr_text(p, dir, "type");
		cache->shared_cpus = attr_text(p, dir, "shared_cpu_list");
	}
}

/* Arm's cpuinfo has numbers only. */
static char *cpu_model(struct prober *p, const char *cpuinfo)
{
	char *name = cpuinfo_value(cpuinfo, "model name");
	_cleanup_free_ char *implementer = NULL, *part = NULL;

	if (name)
		return name;
	implementer = cpuinfo_value(cpuinfo, "CPU implementer");
	part = cpuinfo_value(cpuinfo, "CPU part");
	return implementer && part ? prober_text(p, "implementer %s part %s", implementer, part) : NULL;
}

/* CPUID's hypervisor bit is x86's; on arm64 the firmware's tables name the vendor. */
static char *read_virtualization(struct prober *p, const char *cpuinfo)
{
	static const char *const vendors[] = {"QEMU",   "VMware",     "Xen",          "Microsoft Corporation",
					      "Google", "Amazon EC2", "innotek GmbH", "KVM"};
	_cleanup_free_ char *type = attr_text(p, "sys/hypervisor", "type"),
			    *vendor = attr_text(p, "sys/class/dmi/id", "sys_vendor"),
			    *flags = cpuinfo ? cpuinfo_value(cpuinfo, "flags") : NULL;
	bool is_virtual = flags && has_word(flags, "hypervisor");

	if (type)
		return prober_text(p, "%s", type);
	for (size_t i = 0; vendor && i < ARRAY_SIZE(vendors); i++) {
		/* The same vendors make real machines, which then have no hypervisor bit. */
		if (!strcmp(vendor, vendors[i]) && (is_virtual || !flags))
			return prober_text(p, "%s", vendor);
	}
	if (is_virtual)
		return prober_text(p, "%s", "a hypervisor that does not say its name");
	return flags ? prober_text(p, "%s", "none") : NULL;
}

void probe_machine(struct prober *p)
{
	_cleanup_free_ char *cpuinfo = read_cpuinfo(p);

	p->facts->virtualization = read_virtualization(p, cpuinfo);
	p->facts->has_kvm = root_exists(p->root, "dev");
	p->facts->kvm = p->facts->has_kvm && root_exists(p->root, "dev/kvm");
	if (cpuinfo)
		p->facts->cpu = cpu_model(p, cpuinfo);
	read_caches(p);
}
