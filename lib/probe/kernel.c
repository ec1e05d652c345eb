// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel: release, command line, how it was built and what it was told. */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <string.h>

#include "base/units.h"
#include "probe/prober.h"

enum { MAX_HOST_NAME = 63 }; /* of the format; the kernel's own limit is one more */

/* "Linux version 5.3.0-rc7 (...": the release; NULL: no such text. */
static char *release_of_version(const char *version)
{
	static const char start[] = "Linux version ";

	if (strncmp(version, start, strlen(start)))
		return NULL;
	version += strlen(start);
	return strndup(version, strcspn(version, " "));
}

/* What may also say who built the kernel and where: only the release is kept. */
static void keep_release(char *version)
{
	char *end = strchr(version, '(');

	if (end)
		*end = 0;
}

static char *read_release(const struct prober *p, const char **from)
{
	_cleanup_free_ char *version = NULL;

	*from = "/proc/sys/kernel/osrelease";
	char *release = attr_text(p, "proc/sys/kernel", "osrelease");

	if (release)
		return release;
	*from = "/" NO_FILE_INFO;
	release = no_file_info(p, "OSRelease");
	if (release)
		return release;
	*from = "/proc/version";
	return root_read_part(p->root, &version, keep_release, "proc/version") ? NULL
									       : release_of_version(version);
}

static void probe_release(struct prober *p)
{
	struct host *h = p->host;
	const char *from;

	h->kernel.release = read_release(p, &from);
	if (!h->kernel.release) {
		prober_unknown(p, &h->kernel.release, "kernel release", "the newest rules are used");
	} else if (kver_parse(h->kernel.release, &h->kernel.version)) {
		prober_unknown(p, &h->kernel.release, "kernel release",
			       "\"%s\" is not one that can be read: the newest rules are used",
			       h->kernel.release);
		free(h->kernel.release);
		h->kernel.release = NULL;
	} else {
		prober_found(p, &h->kernel.release, "%s", from);
	}
}

static void add_options(struct prober *p)
{
	const char *end = p->cmdline + strlen(p->cmdline), *arg;
	size_t len;

	for (const char *at = p->cmdline; (arg = cmdline_next(at, end, &len)); at = arg + len) {
		const char *value = memchr(arg, '=', len);
		struct fact_option *option = prober_add(p, p->facts->options, p->facts->nr_options);

		if (!option)
			return;
		option->name = prober_text(p, "%.*s", (int)(value ? (size_t)(value - arg) : len), arg);
		if (value)
			option->value = prober_text(p, "%.*s", (int)(arg + len - value - 1), value + 1);
	}
}

void probe_names(struct prober *p)
{
	struct host *h = p->host;
	const char *from = "/proc/sys/kernel/hostname";
	char *name = attr_text(p, "proc/sys/kernel", "hostname");

	if (!name) {
		from = "/" NO_FILE_INFO;
		name = no_file_info(p, "HostName");
	}
	if (name) {
		free(h->name);
		h->name = name;
		h->name[strcspn(h->name, "\n")] = 0;
		if (strlen(h->name) > MAX_HOST_NAME)
			h->name[MAX_HOST_NAME] = 0;
	}
	prober_found(p, &h->name, "%s", name ? from : "a stand-in: the host's own name was not seen");
	probe_release(p);
	if (root_read_part(p->root, &p->cmdline, cmdline_keep, "proc/cmdline")) {
		prober_note(p, "kernel command line not known: nothing is taken from it");
		p->cmdline = prober_text(p, "%s", "");
	}
	if (p->cmdline)
		add_options(p);
}

/* A file that gzip made, as text; NULL: it is none, or too large to be a configuration. */
static char *gunzip(const char *data, size_t len)
{
	enum { MAX_CONFIG = 4 << 20 };
	struct archive *archive = archive_read_new();
	struct archive_entry *entry;
	char *text = malloc(MAX_CONFIG + 1);
	la_ssize_t got = -1;

	if (archive && text) {
		archive_read_support_filter_gzip(archive);
		archive_read_support_format_raw(archive);
		if (archive_read_open_memory(archive, data, len) == ARCHIVE_OK &&
		    archive_read_next_header(archive, &entry) == ARCHIVE_OK)
			got = archive_read_data(archive, text, MAX_CONFIG);
	}
	archive_read_free(archive);
	if (got < 0) {
		free(text);
		return NULL;
	}
	text[got] = 0;
	return text;
}

/* Where distributions and kernels keep it. from: which it was. */
static char *read_config(const struct prober *p, char from[160])
{
	static const char *const places[] = {"boot/config-%s", "lib/modules/%s/config",
					     "usr/lib/modules/%s/config"};
	const char *release = p->host->kernel.release;
	_cleanup_free_ char *packed = NULL;
	char *text;
	size_t len;

	for (size_t i = 0; release && i < ARRAY_SIZE(places); i++) {
		const char *marker = strstr(places[i], "%s");

		snprintf(from, 160, "/%.*s%s%s", (int)(marker - places[i]), places[i], release, marker + 2);
		if (!root_read(p->root, &text, "%s", from))
			return text;
	}
	snprintf(from, 160, "/proc/config.gz");
	return root_read_bytes(p->root, &packed, &len, "proc/config.gz") ? NULL : gunzip(packed, len);
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

static void probe_init_on_alloc(struct prober *p, const char *from)
{
	struct host_kernel *k = &p->host->kernel;
	int flag = config_has(p, "INIT_ON_ALLOC_DEFAULT_ON");

	if (p->options->has_init_on_alloc) {
		k->init_on_alloc = p->options->init_on_alloc;
		prober_found(p, &k->init_on_alloc, "/proc/cmdline: init_on_alloc=%d", k->init_on_alloc);
	} else if (flag >= 0) {
		k->init_on_alloc = flag;
		prober_found(p, &k->init_on_alloc, "%s: CONFIG_INIT_ON_ALLOC_DEFAULT_ON", from);
	} else {
		prober_unknown(p, &k->init_on_alloc, "init_on_alloc", "taken as on");
	}
}

void probe_config(struct prober *p)
{
	struct host_kernel *k = &p->host->kernel;
	char from[160];
	int flag;

	p->config = read_config(p, from);
	flag = config_has(p, "DEFERRED_STRUCT_PAGE_INIT");
	if (flag >= 0) {
		k->deferred_struct_page_init = flag;
		prober_found(p, &k->deferred_struct_page_init, "%s: CONFIG_DEFERRED_STRUCT_PAGE_INIT", from);
	} else if (log_tells_deferred_init(p)) {
		k->deferred_struct_page_init = true;
		prober_found(p, &k->deferred_struct_page_init,
			     "the kernel's log: deferred pages initialised");
	} else {
		prober_unknown(p, &k->deferred_struct_page_init, "deferred struct page init",
			       "taken as built in: no kernel configuration in /boot, /lib/modules or "
			       "/proc/config.gz, and no word of it in a log");
	}
	flag = config_has(p, "ARCH_WANT_OPTIMIZE_DAX_VMEMMAP");
	if (flag >= 0 && kver_cmp(k->version, KVER(6, 6, 0)) >= 0) { /* the option's name since 6.6 */
		k->dax_vmemmap_optimization = flag;
		prober_found(p, &k->dax_vmemmap_optimization, "%s: CONFIG_ARCH_WANT_OPTIMIZE_DAX_VMEMMAP",
			     from);
	}
	flag = config_has(p, "DEVICE_PRIVATE");
	p->facts->has_device_private = flag >= 0;
	p->facts->device_private = flag > 0;
	probe_init_on_alloc(p, from);
}

static void hvo_unknown(struct prober *p, const char *why)
{
	struct host *h = p->host;

	prober_unknown(p, &h->hvo_supported, "HVO", "taken as %s and off: there is no %s",
		       h->hvo_supported ? "supported" : "not supported", why);
	if (host_unknown(h, &h->hvo_enabled, "taken as off"))
		p->err = -ENOMEM;
}

/* CONFIG_HUGETLB_PAGE_FREE_VMEMMAP was its name first: mm/hugetlb_vmemmap.c. */
static int config_has_hvo(const struct prober *p, const char *suffix)
{
	char first[64], later[64];

	snprintf(first, sizeof(first), "HUGETLB_PAGE_FREE_VMEMMAP%s", suffix);
	snprintf(later, sizeof(later), "HUGETLB_PAGE_OPTIMIZE_VMEMMAP%s", suffix);
	return MAX(config_has(p, first), config_has(p, later));
}

/* HVO came with Linux 5.14, the sysctl with 5.19: in between tells how the kernel was built and what it was told. */
static void hvo_without_sysctl(struct prober *p)
{
	struct host *h = p->host;
	int is_built = config_has_hvo(p, "");

	if (is_built < 0) {
		hvo_unknown(p, "kernel configuration, and before Linux 5.19 no sysctl");
		return;
	}
	h->hvo_supported = is_built && __builtin_popcountll(h->struct_page_bytes) == 1;
	prober_found(p, &h->hvo_supported, "the kernel's configuration: CONFIG_HUGETLB_PAGE_FREE_VMEMMAP");
	h->hvo_enabled = h->hvo_supported &&
			 (p->options->has_hvo ? p->options->hvo : config_has_hvo(p, "_DEFAULT_ON") > 0);
	prober_found(p, &h->hvo_enabled,
		     p->options->has_hvo ? "/proc/cmdline: hugetlb_free_vmemmap="
					 : "the kernel's configuration");
}

/* The sysctl is registered only where some hugepage size can be optimised. */
void probe_hvo(struct prober *p)
{
	static const char sysctl[] = "/proc/sys/vm/hugetlb_optimize_vmemmap";
	struct host *h = p->host;

	p->facts->hvo_sysctl = attr_text(p, "proc/sys/vm", "hugetlb_optimize_vmemmap");
	if (p->options->has_hvo)
		p->facts->hvo_option = prober_text(p, "%s", p->options->hvo ? "on" : "off");
	if (p->facts->hvo_sysctl) {
		h->hvo_supported = true;
		h->hvo_enabled = strcmp(p->facts->hvo_sysctl, "0") != 0;
		prober_found(p, &h->hvo_supported, "%s is there", sysctl);
		prober_found(p, &h->hvo_enabled, "%s", sysctl);
	} else if (kver_cmp(h->kernel.version, KVER(5, 14, 0)) >= 0 &&
		   kver_cmp(h->kernel.version, KVER(5, 19, 0)) < 0) {
		hvo_without_sysctl(p);
	} else if (root_exists(p->root, "proc/sys/vm")) {
		h->hvo_supported = false;
		prober_found(p, &h->hvo_supported, "there is no %s", sysctl);
	} else {
		hvo_unknown(p, "/proc/sys/vm");
	}
}
