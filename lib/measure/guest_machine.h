/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The virtual machine that a host description becomes: QEMU's arguments and the kernel's command line. Pure
 * functions of their arguments; nothing is opened or started here.
 */
#ifndef MEMMAPCTL_MEASURE_GUEST_MACHINE_H
#define MEMMAPCTL_MEASURE_GUEST_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "host/host.h"

enum guest_accel {
	ACCEL_AUTO, /* KVM where a guest really boots with it, else TCG; has no arguments of its own */
	ACCEL_KVM,
	ACCEL_TCG,
	NR_ACCELS,
};

/* "auto", "kvm", "tcg": 0 or -EINVAL */
int guest_accel_from_name(const char *name, enum guest_accel *out);

/* A NULL-ended vector of strings, as execv takes it. Zero-initialise; free with guest_argv_free. */
struct guest_argv {
	char **argv;
	size_t nr;
};
void guest_argv_free(struct guest_argv *args);
#define _cleanup_guest_argv_ _cleanup_(guest_argv_free)

/*
 * One NVDIMM a node that has namespaces. Its size is a multiple of 1 GiB, so that the next one starts at such a
 * multiple too; in it the namespaces follow each other, those whose size is a multiple of 1 GiB first, so that
 * as many as possible start at the multiple of their align that the description promises.
 */
struct guest_nvdimm {
	int node;            /* index of a node in the description; 0 where it has none */
	uint64_t size_bytes; /* what the guest sees; QEMU's backend is larger by the label area */
	size_t *namespaces;  /* indices into the host's namespaces, in the order to create them */
	size_t nr_namespaces;
};

struct guest_nvdimms {
	struct guest_nvdimm *items;
	size_t nr;
};

enum { GUEST_LABEL_BYTES = 128 << 10 };

/* The name of the virtio-serial port that results come out of. */
#define GUEST_CHANNEL "memmapctl"

/* On the kernel's command line, for the agent: measure boot only. */
#define GUEST_BOOT_ONLY "memmapctl.boot_only"

/* Nodes are numbered from 0 in a guest: the index of the described node, 0 for NODE_ANY, or -EINVAL. */
int guest_node_index(const struct host *host, int id);

/* 0, -EINVAL (a namespace on a node that the description does not have), -EOVERFLOW or -ENOMEM. */
int guest_nvdimms_plan(const struct host *host, struct guest_nvdimms *out);
void guest_nvdimms_free(struct guest_nvdimms *nvdimms);
#define _cleanup_guest_nvdimms_ _cleanup_(guest_nvdimms_free)

struct guest_machine {
	const struct host *host;
	enum guest_accel accel; /* KVM or TCG */
	bool instruction_clock; /* the guest's clock advances with its instructions; TCG, one CPU */
	uint32_t max_cpus;      /* the guest has no more CPUs than this, but one for each node with CPUs */
	const char *kernel;     /* the image's path */
	const char *firmware;   /* UEFI for aarch64; else NULL */
	const char *initramfs;  /* its path, as QEMU can open it */
	bool boot_only;         /* the agent is to measure boot, and leave devices alone */
	const char *append;     /* more for the kernel's command line; or NULL */
	int channel_fd; /* QEMU's end of a connected stream socket: the port GUEST_CHANNEL in the guest */
};

/* How many CPUs the guest gets: the description's, but no more than max_cpus allows. */
uint32_t guest_machine_cpus(const struct host *host, uint32_t max_cpus);

/*
 * QEMU's arguments, from its name on. The console is standard output. What the description has and a guest
 * cannot show is a note in diags. 0, -EINVAL (in diags) or -ENOMEM; *out untouched on failure, and freed by the caller.
 */
int guest_machine_argv(const struct guest_machine *machine, struct diags *diags, struct guest_argv *out);

/*
 * The kernel's command line: console, the huge pages of boot and HVO of the description, what boot is timed with,
 * machine->append last, so that it can override. NULL when out of memory; the caller frees.
 */
char *guest_machine_cmdline(const struct guest_machine *machine);

/*
 * Memory of this machine that the guest will really use, at most: the memmaps of its RAM and of its namespaces, what the
 * kernel clears, and the guest's own needs. Saturates.
 */
uint64_t guest_machine_memory_bytes(const struct host *host);

#endif
