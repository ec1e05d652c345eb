// SPDX-License-Identifier: GPL-2.0-or-later
/* A probe from start to end. */
#include "probe/live.h"

#include <errno.h>
#include <string.h>

#include "probe/prober.h"

/* In the order in which the later ones need the earlier. */
static void probe_parts(struct prober *p)
{
	probe_arch(p);
	probe_names(p);
	probe_page_size(p);
	probe_options(p);
	probe_struct_page(p);
	probe_config(p);
	probe_hvo(p);
	probe_memory(p);
	probe_free(p);
	probe_udev(p);
	probe_hugepages(p);
	probe_namespaces(p);
	probe_dax(p);
	probe_iomem(p);
	probe_pci(p);
	probe_cpus(p);
	probe_machine(p);
}

void probed_free(struct probed *probed)
{
	host_free(probed->host);
	facts_free(&probed->facts);
	cmdline_free(&probed->options);
	diags_free(&probed->option_doubts);
	free(probed->free);
	*probed = (struct probed){0};
}

static struct host *new_host(const struct root *root)
{
	_cleanup_host_ struct host *host = host_new(root->is_this_system ? "this host" : "saved-host");

	if (!host)
		return NULL;
	host->is_this_system = root->is_this_system;
	free(host->file);
	host->file = strdup(root->is_this_system ? "this host" : "the probed host");
	return host->file ? take_ptr(host) : NULL;
}

int probe_host(const struct root *root, struct diags *notes, struct probed *out)
{
	_cleanup_probed_ struct probed probed = {.host = new_host(root)};
	struct prober p = {.root = root,
			   .notes = notes,
			   .host = probed.host,
			   .facts = &probed.facts,
			   .options = &probed.options,
			   .option_doubts = &probed.option_doubts,
			   .out = &probed};

	if (!probed.host)
		return -ENOMEM;
	probe_parts(&p);
	free(p.cmdline);
	free(p.config);
	if (p.err)
		return p.err;
	*out = probed;
	probed = (struct probed){0};
	return 0;
}

int probe_live(const struct root *root, struct diags *notes, struct host **out)
{
	_cleanup_probed_ struct probed probed = {0};
	int err = probe_host(root, notes, &probed);

	if (err)
		return err;
	if (host_is_unknown(probed.host, &probed.host->arch)) {
		diag_add(notes, DIAG_ERROR, probed.host->file, 0, 0,
			 "without the architecture, x86_64 or aarch64, nothing can be computed");
		return -ENOTSUP;
	}
	*out = take_ptr(probed.host);
	return 0;
}
