// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/units.h"
#include "trace/boot_trace.h"

static const char *const accel_names[] = {
	[ACCEL_AUTO] = "auto",
	[ACCEL_KVM] = "kvm",
	[ACCEL_TCG] = "tcg",
};
_Static_assert(ARRAY_SIZE(accel_names) == NR_ACCELS, "a name for every accelerator");

/* What differs between the two machines. */
struct machine_kind {
	const char *program;
	const char *machine;
	const char *cpu;
	const char *cpu_kvm;
	const char *console;
	const char *earlycon;           /* so that a kernel that dies early does not die silently */
	unsigned int default_phys_bits; /* of the CPU above under TCG; 0: not an option of it */
};

static const struct machine_kind kinds[] = {
	[ARCH_X86_64] = {.program = "qemu-system-x86_64",
			 .machine = "q35,nvdimm=on",
			 .cpu = "max",
			 .cpu_kvm = "host",
			 .console = "ttyS0",
			 .earlycon = "uart8250,io,0x3f8,115200",
			 .default_phys_bits = 40},
 /* The architected pointer authentication is by far the slowest thing that TCG emulates. */
	[ARCH_AARCH64] = {.program = "qemu-system-aarch64",
                         .machine = "virt,nvdimm=on,gic-version=max",
                         .cpu = "max,pauth-impdef=on",
                         .cpu_kvm = "host",
                         .console = "ttyAMA0",
                         .earlycon = "pl011,0x9000000"                  },
};
_Static_assert(ARRAY_SIZE(kinds) == NR_ARCHES, "a machine for every architecture");

/* What boot is timed by: the kernel's own log, with each initcall in it, all of it kept until it is read. */
static const char boot_log[] = "initcall_debug log_buf_len=4M";

/*
 * An instruction takes 2^0 ns of the guest's clock, and a halted guest sleeps no longer than it takes to say so: what
 * the guest measures depends on what it does, not on how busy this machine is.
 */
static const char instruction_clock[] = "shift=0,sleep=off";

int guest_accel_from_name(const char *name, enum guest_accel *out)
{
	for (int i = 0; i < NR_ACCELS; i++) {
		if (strcmp(name, accel_names[i]))
			continue;
		*out = (enum guest_accel)i;
		return 0;
	}
	return -EINVAL;
}

void guest_argv_free(struct guest_argv *args)
{
	for (size_t i = 0; i < args->nr; i++)
		free(args->argv[i]);
	free(args->argv);
	*args = (struct guest_argv){0};
}

/* Errors stick: the vector's NULL end is only put there by argv_finish. */
static void argv_add(struct guest_argv *args, int *err, const char *fmt, ...) _printf_(3, 4);
static void argv_add(struct guest_argv *args, int *err, const char *fmt, ...)
{
	char **slot = *err ? NULL : array_grow(&args->argv, &args->nr, sizeof(*slot));
	va_list ap;

	if (!slot) {
		*err = -ENOMEM;
		return;
	}
	va_start(ap, fmt);
	*slot = text_formatv(fmt, ap);
	va_end(ap);
	if (!*slot)
		*err = -ENOMEM;
}

static int argv_finish(struct guest_argv *args, int err)
{
	if (!err && !array_grow(&args->argv, &args->nr, sizeof(*args->argv)))
		err = -ENOMEM;
	if (!err)
		args->nr--; /* the end is not counted */
	return err;
}

static uint32_t nodes_with_cpus(const struct host *host)
{
	uint32_t nr = 0;

	for (size_t i = 0; i < host->nr_nodes; i++)
		nr += host->nodes[i].cpus > 0;
	return nr;
}

uint32_t guest_machine_cpus(const struct host *host, uint32_t max_cpus)
{
	uint32_t least = MAX(nodes_with_cpus(host), 1);

	return MAX(MIN(MAX(host->cpus, 1), max_cpus), least);
}

/* RAM as QEMU gets it: what the nodes have, or the whole where there are none. */
static uint64_t ram_bytes(const struct host *host)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < host->nr_nodes; i++) {
		if (add_u64(sum, host->nodes[i].memory_bytes, &sum))
			return UINT64_MAX;
	}
	return sum ? sum : host->memory_bytes;
}

static bool nodes_have_memory(const struct host *host)
{
	for (size_t i = 0; i < host->nr_nodes; i++) {
		if (host->nodes[i].memory_bytes)
			return true;
	}
	return false;
}

/* CPUs are dealt evenly to the nodes that have any; all to the first node where the description does not say. */
static uint32_t node_cpus(const struct host *host, uint32_t total, size_t node)
{
	uint32_t with = nodes_with_cpus(host), rank = 0;

	if (!with)
		return node ? 0 : total;
	if (!host->nodes[node].cpus)
		return 0;
	for (size_t i = 0; i < node; i++)
		rank += host->nodes[i].cpus > 0;
	return total / with + (rank < total % with);
}

static void add_ram(struct guest_argv *args, int *err, const char *id, uint64_t bytes)
{
	argv_add(args, err, "-object");
	argv_add(args, err, "memory-backend-ram,id=%s,size=%" PRIu64 ",reserve=off", id, bytes);
}

static void add_nodes(struct guest_argv *args, int *err, const struct guest_machine *m)
{
	uint32_t total = guest_machine_cpus(m->host, m->max_cpus), first = 0;
	bool own_memory = nodes_have_memory(m->host);

	for (size_t i = 0; i < m->host->nr_nodes; i++) {
		uint64_t bytes = own_memory ? m->host->nodes[i].memory_bytes : i ? 0 : ram_bytes(m->host);
		uint32_t cpus = node_cpus(m->host, total, i);
		char id[32], memory[48] = "", range[48] = "";

		snprintf(id, sizeof(id), "ram%zu", i);
		if (bytes) {
			add_ram(args, err, id, bytes);
			snprintf(memory, sizeof(memory), ",memdev=%s", id);
		}
		if (cpus)
			snprintf(range, sizeof(range), ",cpus=%u-%u", first, first + cpus - 1);
		first += cpus;
		argv_add(args, err, "-numa");
		argv_add(args, err, "node,nodeid=%zu%s%s", i, range, memory);
	}
}

static void add_nvdimms(struct guest_argv *args, int *err, const struct host *host,
			const struct guest_nvdimms *nvdimms)
{
	for (size_t i = 0; i < nvdimms->nr; i++) {
		const struct guest_nvdimm *nvdimm = &nvdimms->items[i];
		char id[32], node[32] = "";

		snprintf(id, sizeof(id), "pmem%zu", i);
		if (host->nr_nodes)
			snprintf(node, sizeof(node), ",node=%d", nvdimm->node);
		add_ram(args, err, id, nvdimm->size_bytes + GUEST_LABEL_BYTES);
		argv_add(args, err, "-device");
		argv_add(args, err, "nvdimm,id=nvdimm%zu,memdev=%s,label-size=%d%s", i, id, GUEST_LABEL_BYTES,
			 node);
	}
}

static uint64_t nvdimm_bytes(const struct guest_nvdimms *nvdimms)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < nvdimms->nr; i++) {
		if (add_u64(sum, nvdimms->items[i].size_bytes + GUEST_LABEL_BYTES, &sum))
			return UINT64_MAX;
	}
	return sum;
}

/* Bits of the highest physical address: below it lie 4 GiB of holes, RAM, and a GiB of slack for each NVDIMM. */
static unsigned int phys_bits(uint64_t ram, uint64_t nvdimm, size_t nr_nvdimms)
{
	uint64_t top = 8 * GIB + ram + nvdimm + nr_nvdimms * GIB;
	unsigned int bits = 0;

	while (bits < 63 && (1ULL << bits) < top)
		bits++;
	return bits;
}

static int check_sizes(const struct host *host, const struct guest_nvdimms *nvdimms, struct diags *diags)
{
	const uint64_t most =
		1ULL << 46; /* what QEMU's x86-64 machine and the kernels' four-level tables take */
	uint64_t ram = ram_bytes(host), pmem = nvdimm_bytes(nvdimms);

	if (!ram)
		return diag_error(diags, -EINVAL, "%s: a guest needs memory: host.memory is not stated",
				  host->file);
	if (ram > most || pmem > most - ram)
		return diag_error(
			diags, -EINVAL,
			"%s: RAM and namespaces together are more than the 64 TiB that a guest can have",
			host->file);
	return 0;
}

static void note_differences(const struct guest_machine *m, struct diags *diags)
{
	uint32_t cpus = guest_machine_cpus(m->host, m->max_cpus);

	if (cpus < m->host->cpus)
		diag_add(diags, DIAG_NOTE, NULL, 0, 0, "the guest has %u of the %u CPUs described", cpus,
			 m->host->cpus);
	for (size_t i = 0; i < m->host->nr_devices; i++)
		diag_add(diags, DIAG_NOTE, NULL, 0, 0,
			 "device %s (%s) is not in the guest: QEMU has no such device",
			 m->host->devices[i].name, device_type_name(m->host->devices[i].type));
}

static void add_machine(struct guest_argv *args, int *err, const struct guest_machine *m,
			const struct guest_nvdimms *nvdimms)
{
	const struct machine_kind *kind = &kinds[m->host->arch];
	uint64_t ram = ram_bytes(m->host), pmem = nvdimm_bytes(nvdimms);
	unsigned int bits = phys_bits(ram, pmem, nvdimms->nr);
	uint64_t most = ram + pmem + nvdimms->nr * GIB;
	bool wide = kind->default_phys_bits && bits > kind->default_phys_bits;

	argv_add(args, err, "%s", kind->program);
	argv_add(args, err, "-nodefaults");
	argv_add(args, err, "-no-user-config");
	argv_add(args, err, "-display");
	argv_add(args, err, "none");
	argv_add(args, err, "-no-reboot");
	argv_add(args, err, "-machine");
	argv_add(args, err, "%s%s", kind->machine, m->host->nr_nodes ? "" : ",memory-backend=ram");
	argv_add(args, err, "-accel");
	argv_add(args, err, "%s", accel_names[m->accel]);
	if (m->instruction_clock) {
		argv_add(args, err, "-icount");
		argv_add(args, err, "%s", instruction_clock);
	}
	argv_add(args, err, "-cpu");
	if (wide)
		argv_add(args, err, "%s,phys-bits=%u", m->accel == ACCEL_KVM ? kind->cpu_kvm : kind->cpu,
			 bits);
	else
		argv_add(args, err, "%s", m->accel == ACCEL_KVM ? kind->cpu_kvm : kind->cpu);
	argv_add(args, err, "-smp");
	argv_add(args, err, "%u", guest_machine_cpus(m->host, m->max_cpus));
	argv_add(args, err, "-m");
	if (nvdimms->nr)
		argv_add(args, err, "size=%" PRIu64 "B,slots=%zu,maxmem=%" PRIu64 "B", ram, nvdimms->nr,
			 most);
	else
		argv_add(args, err, "size=%" PRIu64 "B", ram);
	if (!m->host->nr_nodes)
		add_ram(args, err, "ram", ram);
	add_nodes(args, err, m);
	add_nvdimms(args, err, m->host, nvdimms);
	if (m->firmware) {
		argv_add(args, err, "-bios");
		argv_add(args, err, "%s", m->firmware);
	}
}

static void add_console_and_channel(struct guest_argv *args, int *err, const struct guest_machine *m)
{
	argv_add(args, err, "-chardev");
	argv_add(args, err, "stdio,id=console,signal=off");
	argv_add(args, err, "-serial");
	argv_add(args, err, "chardev:console");
	argv_add(args, err, "-device");
	argv_add(args, err, "virtio-serial-pci");
	argv_add(args, err, "-chardev");
	argv_add(args, err, "socket,id=channel,fd=%d", m->channel_fd);
	argv_add(args, err, "-device");
	argv_add(args, err, "virtserialport,chardev=channel,name=" GUEST_CHANNEL);
}

static int build(const struct guest_machine *m, const struct guest_nvdimms *nvdimms, struct guest_argv *args)
{
	_cleanup_free_ char *cmdline = guest_machine_cmdline(m);
	int err = cmdline ? 0 : -ENOMEM;

	add_machine(args, &err, m, nvdimms);
	add_console_and_channel(args, &err, m);
	argv_add(args, &err, "-kernel");
	argv_add(args, &err, "%s", m->kernel);
	argv_add(args, &err, "-initrd");
	argv_add(args, &err, "%s", m->initramfs);
	argv_add(args, &err, "-append");
	argv_add(args, &err, "%s", cmdline ? cmdline : "");
	return argv_finish(args, err);
}

int guest_machine_argv(const struct guest_machine *machine, struct diags *diags, struct guest_argv *out)
{
	_cleanup_guest_nvdimms_ struct guest_nvdimms nvdimms = {0};
	struct guest_argv args = {0};
	int err = guest_nvdimms_plan(machine->host, &nvdimms);

	if (!err)
		err = check_sizes(machine->host, &nvdimms, diags);
	if (!err)
		err = build(machine, &nvdimms, &args);
	if (err) {
		guest_argv_free(&args);
		return err;
	}
	note_differences(machine, diags);
	*out = args;
	return 0;
}

static void hugepage_parameters(const struct host *host, FILE *out)
{
	for (size_t i = 0; i < host->nr_hugepages; i++) {
		const struct host_hugepages *pool = &host->hugepages[i];
		uint64_t size_kib = pool->size_bytes / KIB;

		if (pool->when != HUGEPAGES_BOOT)
			continue;
		fprintf(out, " hugepagesz=%" PRIu64 "K hugepages=", size_kib);
		if (pool->node != NODE_ANY)
			fprintf(out, "%d:", guest_node_index(host, pool->node));
		fprintf(out, "%" PRIu64, pool->count);
	}
	if (host->nr_hugepages && host->hvo_supported)
		fprintf(out, " hugetlb_free_vmemmap=%s", host->hvo_enabled ? "on" : "off");
}

char *guest_machine_cmdline(const struct guest_machine *machine)
{
	const struct host *host = machine->host;
	const struct machine_kind *kind = &kinds[host->arch];
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool failed;

	if (!out)
		return NULL;
	/* LD_LIBRARY_PATH goes to /init's environment: the kernel hands on what it does not know. */
	fprintf(out, "console=%s earlycon=%s panic=-1 LD_LIBRARY_PATH=/lib %s %s", kind->console,
		kind->earlycon, boot_log, boot_trace_parameters());
	fprintf(out, " init_on_alloc=%d", host->kernel.init_on_alloc);
	if (!host->kernel.deferred_struct_page_init)
		fputs(" early_page_ext", out); /* the one switch that turns deferral off at boot */
	hugepage_parameters(host, out);
	if (machine->boot_only)
		fputs(" " GUEST_BOOT_ONLY, out);
	if (machine->append)
		fprintf(out, " %s", machine->append);
	failed = ferror(out);
	failed |= fclose(out) != 0;
	if (failed) {
		free(text);
		return NULL;
	}
	return text;
}

/* What a kernel with an initramfs like ours, QEMU itself and its translated code take. */
static const uint64_t guest_base_bytes = 768 * MIB;

uint64_t guest_machine_memory_bytes(const struct host *host)
{
	uint64_t mapped = ram_bytes(host), cleared = 0, sum;

	for (size_t i = 0; i < host->nr_namespaces; i++) {
		if (add_u64(mapped, host->namespaces[i].size_bytes, &mapped))
			return UINT64_MAX;
	}
	for (size_t i = 0; i < host->nr_hugepages; i++) {
		const struct host_hugepages *pool = &host->hugepages[i];
		uint64_t bytes;

		/* Gigantic pages taken at boot are never cleared; all others are, and so become real. */
		if (pool->when == HUGEPAGES_BOOT && pool->size_bytes >= GIB)
			continue;
		if (!host->kernel.init_on_alloc)
			continue;
		if (mul_u64(pool->size_bytes, pool->count, &bytes) || add_u64(cleared, bytes, &cleared))
			return UINT64_MAX;
	}
	if (mul_u64(div_round_up(mapped, host->page_size_bytes), host->struct_page_bytes, &sum) ||
	    add_u64(sum, cleared, &sum) || add_u64(sum, guest_base_bytes, &sum))
		return UINT64_MAX;
	return sum;
}
