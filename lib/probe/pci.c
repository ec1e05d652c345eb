// SPDX-License-Identifier: GPL-2.0-or-later
/* GPUs and other accelerators on the PCI bus, and what their drivers register as device memory. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "probe/prober.h"

#define PCI "sys/bus/pci/devices"

static const struct class
{
	uint64_t id, mask; /* of the 24 bits: base class, subclass, interface */
	const char *name;
} classes[] = {
	{0x030000, 0xffff00, "VGA controller"        },
        {0x030200, 0xffff00, "3D controller"         },
	{0x030000, 0xff0000, "display controller"    },
        {0x120000, 0xff0000, "processing accelerator"},
	{0x0b4000, 0xffff00, "co-processor"          },
};

static const struct vendor {
	const char *id, *name;
} vendors[] = {
	{"0x10de", "NVIDIA"  },
        {"0x1002", "AMD"     },
        {"0x8086", "Intel"   },
        {"0x1da3", "Habana"  },
	{"0x1e0f", "Kioxia"  },
        {"0x1a03", "ASPEED"  },
        {"0x102b", "Matrox"  },
        {"0x1234", "QEMU"    },
	{"0x1af4", "virtio"  },
        {"0x15b3", "Mellanox"}
};

/*
 * What drivers do with ZONE_DEVICE, and when: drivers/gpu/drm/amd/amdkfd/kfd_migrate.c:
 * kgd2kfd_init_zone_device, drivers/gpu/drm/nouveau/nouveau_dmem.c, drivers/gpu/drm/xe/xe_svm.c, NVIDIA's
 * open uvm_pmm_gpu.c.
 */
static const struct registers {
	const char *driver, *text;
	bool at_load;      /* of all its VRAM, whose size the driver shows: a device of the description */
	bool not_in_sysfs; /* the size is: it has to be added by hand */
} drivers[] = {
	{"amdgpu",               "all VRAM as device-private memory when the driver is loaded",                  true,  false},
	{"nvidia",
	 "a range as large as its memory when nvidia-uvm first uses it: device-private (HMM), or coherent "
	 "(CDMM)",											       false, true },
	{"nouveau",              "device-private chunks of 128 to 256 MiB on demand",                            false, false},
	{"xe",		   "device-private memory of a tile's VRAM when the first fault-mode VM needs it", false, true },
	{"vfio-pci",             "nothing: it is for a guest",						   false, false},
	{"nvgrace_gpu_vfio_pci", "nothing: it is for a guest, and mapped without struct pages",                  false, false},
	{"ast",		  "nothing",								      false, false},
	{"mgag200",              "nothing",								      false, false},
	{"bochs-drm",            "nothing",								      false, false},
	{"virtio-pci",           "nothing",								      false, false},
	{"i915",		 "nothing",								      false, false},
	{"mic",		  "nothing",								      false, false},
};

static const char *class_name(uint64_t class)
{
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		if ((class & classes[i].mask) == classes[i].id)
			return classes[i].name;
	}
	return NULL;
}

static const char *vendor_name(const char *id)
{
	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++) {
		if (!strcmp(vendors[i].id, id))
			return vendors[i].name;
	}
	return id;
}

static const struct registers *registers_of(const char *driver)
{
	for (size_t i = 0; driver && i < ARRAY_SIZE(drivers); i++) {
		if (!strcmp(drivers[i].driver, driver))
			return &drivers[i];
	}
	return NULL;
}

/* The first six lines of `resource` are the BARs: start, end, flags; IORESOURCE_MEM is 0x200. */
static void read_bars(struct prober *p, const char *dir, struct fact_accelerator *a)
{
	_cleanup_free_ char *text = attr_text(p, dir, "resource");
	const char *line = text;
	char all[6 * UNITS_STR] = "", size[UNITS_STR];
	size_t len = 0;

	for (int i = 0; line && *line && i < 6; i++) {
		uint64_t start, end, flags;

		if (sscanf(line, "%" SCNx64 " %" SCNx64 " %" SCNx64, &start, &end, &flags) != 3)
			break;
		if ((flags & 0x200) && end > start && end - start < UINT64_MAX) {
			a->bar_bytes = MAX(a->bar_bytes, end - start + 1);
			len += (size_t)snprintf(all + len, sizeof(all) - len, "%s%s", len ? ", " : "",
						size_exact(size, end - start + 1));
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
	a->has_bar = len > 0;
	if (len)
		a->bars = prober_text(p, "%s", all);
}

static struct host_device *add_device(struct prober *p, const char *address, const char *dir,
				      enum device_type type, uint64_t size_bytes)
{
	struct host_device *dev = prober_add(p, p->host->devices, p->host->nr_devices);

	if (!dev)
		return NULL;
	dev->name = prober_text(p, "%s", address);
	dev->type = type;
	dev->is_bound = true; /* both kinds are there by a driver's doing */
	dev->size_bytes = size_bytes;
	dev->count = 1;
	dev->node = known_node(p, attr_node(p, dir, "numa_node"));
	if (dev->node != NODE_ANY)
		prober_found(p, &dev->node, "/%s/numa_node", dir);
	return dev;
}

/* ALIGN(vram, 2M): svm_migrate_init, kgd2kfd_init_zone_device. */
static void add_vram(struct prober *p, const char *address, const char *dir, const char *driver)
{
	struct host_device *dev;
	uint64_t vram;

	if (p->facts->has_device_private && !p->facts->device_private)
		return;
	if (!attr_u64(p, dir, "mem_info_vram_total", &vram) || !vram || vram > UINT64_MAX - 2 * MIB) {
		prober_unknown(p, &p->host->devices, "GPU memory",
			       "%s (%s) registers its VRAM, and there is no /%s/mem_info_vram_total", address,
			       driver, dir);
		return;
	}
	dev = add_device(p, address, dir, DEV_PRIVATE, round_up_pow2(vram, 2 * MIB));
	if (!dev)
		return;
	prober_found(p, &dev->type, "%s registers all VRAM as device-private memory%s", driver,
		     p->facts->has_device_private ? "" : ", if the kernel has CONFIG_DEVICE_PRIVATE");
	prober_found(p, &dev->size_bytes, "/%s/mem_info_vram_total", dir);
}

/* The folder p2pmem is there once a driver has given a BAR to PCI peer-to-peer DMA. */
static void add_p2pdma(struct prober *p, const char *address, const char *dir)
{
	char name[64];
	struct host_device *dev;
	uint64_t size;

	if (!attr_u64(p, dir, "p2pmem/size", &size) || !size)
		return;
	snprintf(name, sizeof(name), "%.40s-p2pmem", address);
	dev = add_device(p, name, dir, DEV_P2PDMA, size);
	if (!dev)
		return;
	prober_found(p, &dev->type, "/%s/p2pmem is there", dir);
	prober_found(p, &dev->size_bytes, "/%s/p2pmem/size", dir);
}

static void add_accelerator(struct prober *p, const char *address, const char *dir, const char *class)
{
	struct fact_accelerator *a = prober_add(p, p->facts->accelerators, p->facts->nr_accelerators);
	_cleanup_free_ char *vendor = attr_text(p, dir, "vendor");
	const struct registers *registers;

	if (!a)
		return;
	a->address = prober_text(p, "%s", address);
	a->class = prober_text(p, "%s", class);
	a->vendor = vendor ? prober_text(p, "%s", vendor_name(vendor)) : NULL;
	a->device = attr_text(p, dir, "device");
	a->driver = attr_link(p, dir, "driver");
	a->node = attr_node(p, dir, "numa_node");
	read_bars(p, dir, a);
	registers = registers_of(a->driver);
	a->registers = prober_text(p, "%s",
				   registers   ? registers->text
				   : a->driver ? "not known of this driver"
					       : "nothing without a driver");
	if (registers && registers->at_load)
		add_vram(p, address, dir, a->driver);
	if (registers && registers->not_in_sysfs)
		prober_unknown(p, &p->host->devices, "GPU memory",
			       "%s (%s) registers %s: its size is not in /sys, add it by hand", address,
			       a->driver, registers->text);
}

void probe_pci(struct prober *p)
{
	_cleanup_(root_names_free) char **names = NULL;
	char dir[128];

	if (root_list(p->root, &names, PCI)) {
		prober_unknown(p, &p->host->devices, "GPU memory",
			       "there is no /" PCI ", so GPUs and other accelerators are not seen");
		return;
	}
	for (char **name = names; *name; name++) {
		uint64_t class;

		if (strlen(*name) > 40)
			continue;
		snprintf(dir, sizeof(dir), PCI "/%s", *name);
		add_p2pdma(p, *name, dir);
		if (attr_u64(p, dir, "class", &class) && class_name(class))
			add_accelerator(p, *name, dir, class_name(class));
	}
}
