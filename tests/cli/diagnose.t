# SPDX-License-Identifier: GPL-2.0-or-later
# What check tells before it happens; each case is a field report, or a rule of the kernel's.

# pmem/ndctl#167 and intel/pmem-csi#933: 1500G with map=dev leave 1476.56 GiB, 24002 MiB less; what to ask for instead,
# and what map=mem costs in RAM.
$ memmapctl check configs/hosts/optane-node.yaml --want-usable 1500G
configs/hosts/optane-node.yaml: ok: optane-node, 2 namespaces
pmem0: fsdax, align 2MiB: 1500GiB usable
  MAP  -s TO GIVE   LEAVES       LOST         RAM          JUST THAT GIVEN LEAVES
  dev  1560384MiB   1500.00 GiB  23.81 GiB    1.00 MiB     1476.56 GiB (24002MiB less)
  mem  1536016MiB   1500.01 GiB  2.00 MiB     23.44 GiB    1500.00 GiB (2MiB less)
       its RAM is 36.6 % of node 0's 64 GiB
dax1.0: devdax, align 2MiB: 1500GiB usable
  MAP  -s TO GIVE   LEAVES       LOST         RAM          JUST THAT GIVEN LEAVES
  dev  1560384MiB   1500.00 GiB  23.81 GiB    1.00 MiB     1476.56 GiB (24002MiB less)
  mem  1536016MiB   1500.01 GiB  2.00 MiB     5.91 GiB     1500.00 GiB (2MiB less)
       its RAM is 9.2 % of node 1's 64 GiB
$ memmapctl check configs/hosts/optane-node.yaml --want-usable 1500G -f json | jq -c '.files[].want_usable[] | [.device, .map, .request, .usable, .lost, .want - .usable_when_asked_as_wanted]'
["pmem0","dev",1636181213184,1610614833152,25566380032,25167921152]
["pmem0","mem",1610629513216,1610627416064,2097152,2097152]
["dax1.0","dev",1636181213184,1610614833152,25566380032,25167921152]
["dax1.0","mem",1610629513216,1610627416064,2097152,2097152]

# A size asked for does leave what is said, by the check of a description that states both.
$ memmapctl check configs/hosts/gpu-8x-node.yaml --want-usable 1500G -f json | jq -r '.files[].want_usable[] | "memmapctl: 1\nhost: {name: \(.map), arch: x86_64, memory: 64GiB}\nnamespaces:\n  - {name: pmem0, mode: fsdax, map: \(.map), size: \(.request), usable: \(.usable)}" | @base64' | while read -r y; do echo $y | base64 -d | memmapctl check -; done
<stdin>: ok: dev, 1 namespace
<stdin>:4:48: warning: pmem0: its memmap needs 12000 free blocks of order 9, 36 % of RAM: on a host that has run for a while the kernel logs "vmemmap alloc failure: order:9"
<stdin>: ok: mem, 1 namespace, 1 warning

# align=1G rounds the metadata up to whole GiB: 17408 MiB of 1 TiB are lost. With 64 KiB pages, 16 times less.
$ memmapctl check configs/hosts/arm64-64k-node.yaml --want-usable 100G
configs/hosts/arm64-64k-node.yaml: ok: arm64-64k-node, 1 namespace, 1 hugepage pool
dax0.0: devdax, align 512MiB: 100GiB usable
  MAP  -s TO GIVE   LEAVES       LOST         RAM          JUST THAT GIVEN LEAVES
  dev  102912MiB    100.00 GiB   512.00 MiB   0.06 MiB     99.50 GiB (512MiB less)
  mem  102912MiB    100.00 GiB   512.00 MiB   100.56 MiB   99.50 GiB (512MiB less)
       its RAM is 0.0 % of node 0's 256 GiB
$ printf 'memmapctl: 1\nhost: {name: a, arch: x86_64, memory: 64GiB}\nnamespaces:\n  - {name: dax0.0, mode: devdax, align: 1GiB, size: 64GiB}\n' | memmapctl check - --want-usable 1024G
<stdin>: ok: a, 1 namespace
dax0.0: devdax, align 1GiB: 1TiB usable
  MAP  -s TO GIVE   LEAVES       LOST         RAM          JUST THAT GIVEN LEAVES
  dev  1041GiB      1024.00 GiB  17.00 GiB    0.00 MiB     1007.00 GiB (17GiB less)
  mem  1025GiB      1024.00 GiB  1024.00 MiB  40.04 MiB    1023.00 GiB (1GiB less)
       its RAM is 0.1 % of 64 GiB
$ memmapctl check configs/hosts/gpu-8x-node.yaml --want-usable many 2>&1 | head -1
memmapctl check: --want-usable: 'many' is not a size: write one such as 1500GiB
$ memmapctl check configs/hosts/gpu-8x-node.yaml --want-usable 4090T
configs/hosts/gpu-8x-node.yaml: ok: gpu-8x-node, 8 devices
a new namespace: fsdax, align 2MiB: 4090TiB usable
  MAP  -s TO GIVE   LEAVES       LOST         RAM          JUST THAT GIVEN LEAVES
configs/hosts/gpu-8x-node.yaml: a new namespace: no raw size leaves 4090TiB: beyond the largest physical address
? 2

# pmem/ndctl#162: 1008 GiB of Optane at 128 GiB of RAM, here with map=mem; one node has 4 GiB free.
$ memmapctl check tests/cli/diagnose/map-mem-optane.yaml
tests/cli/diagnose/map-mem-optane.yaml:13:61: warning: pmem1: memmaps on node 1 take 7.875 GiB of RAM, and 4 GiB are free there: the kernel takes the rest from other nodes, far from the memory; map=dev keeps it on the device
tests/cli/diagnose/map-mem-optane.yaml: ok: a, 2 namespaces, 1 warning

# intel/pmem-csi#949: memmaps that RAM does not hold.
$ memmapctl check tests/cli/diagnose/map-mem-no-room.yaml
tests/cli/diagnose/map-mem-no-room.yaml:11:61: warning: pmem1: its memmap takes 7.875 GiB of RAM, beside those of other devices; of 32 GiB its own memmap and hugepages leave 11.50 GiB: the bind fails with "vmemmap alloc failure" and -ENOMEM, or starves the host; map=dev keeps it on the device
tests/cli/diagnose/map-mem-no-room.yaml: ok: a, 2 namespaces, 1 hugepage pool, 1 warning

# Eight GPUs of 192 GiB: 24 GiB of memmap.
$ memmapctl check tests/cli/diagnose/gpus-no-room.yaml
tests/cli/diagnose/gpus-no-room.yaml:8:38: warning: gpu: its memmap takes 24 GiB of RAM; of 16 GiB its own memmap and hugepages leave 15.75 GiB: the bind fails with "vmemmap alloc failure" and -ENOMEM, or starves the host
tests/cli/diagnose/gpus-no-room.yaml:8:38: warning: gpu: binding takes 30.6 s (up to 55.7 s, profile generic-x86_64): within udev's event_timeout, but a udevd that exits meanwhile (leaving the initramfs) kills it after 30 s
tests/cli/diagnose/gpus-no-room.yaml: ok: a, 8 devices, 2 warnings

# QubesOS/qubes-issues#7956: a guest of 400 MB that may grow to 4 GB.
$ memmapctl check tests/cli/diagnose/hotplug-small-guest.yaml
tests/cli/diagnose/hotplug-small-guest.yaml:8:45: warning: balloon: its memmap needs 29 free blocks of order 9, 14 % of RAM: on a host that has run for a while the kernel logs "vmemmap alloc failure: order:9"; memmap_on_memory=true needs none
tests/cli/diagnose/hotplug-small-guest.yaml: ok: a, 1 device, 1 warning

# A guest of 132 MB, virtio-mem of 256 MiB, one free block of order 9 (linux@7c3e5b6a98df).
$ memmapctl check tests/cli/diagnose/hotplug-order9.yaml
tests/cli/diagnose/hotplug-order9.yaml:10:48: warning: virtio-mem: its memmap needs 2 free blocks of order 9, and 1 are free: the kernel logs "vmemmap alloc failure: order:9" and uses base pages, slower and more scattered; memmap_on_memory=true needs none
tests/cli/diagnose/hotplug-order9.yaml: ok: a, 1 device, 1 warning

# The CXL memory-hotplug document: capacity lost to block rounding, as a number.
$ memmapctl check tests/cli/diagnose/block-rounding.yaml
tests/cli/diagnose/block-rounding.yaml:8:42: warning: cxl0: 1GiB are lost: memory blocks here are of 2GiB, and kmem adds whole ones ("truncated")
tests/cli/diagnose/block-rounding.yaml: ok: a, 1 device, 1 warning

# pmem/ndctl#28: sections on CentOS 7.
$ memmapctl check tests/cli/diagnose/sections-old-kernel.yaml
tests/cli/diagnose/sections-old-kernel.yaml:8:61: warning: pmem0: 3.10.0-693.2.1.el7.x86_64 hot-plugs whole sections of 128MiB only: a namespace that shares one with its neighbour fails to bind ("Conflicting mapping in same section") or loses the rest
tests/cli/diagnose/sections-old-kernel.yaml: ok: a, 1 namespace, 1 warning

# pmem/ndctl#107: two of 100M with a 4K align: the second's base.
$ memmapctl check tests/cli/diagnose/second-base.yaml
tests/cli/diagnose/second-base.yaml:8:51: warning: size 100MiB is not a multiple of 16MiB, a region's usual align: creating it will be refused unless it is a whole region or the region's align is smaller
tests/cli/diagnose/second-base.yaml:9:51: warning: size 100MiB is not a multiple of 16MiB, a region's usual align: creating it will be refused unless it is a whole region or the region's align is smaller
tests/cli/diagnose/second-base.yaml:9:66: warning: start 0x106400000 is "misaligned to 16M": ndctl wants --force for it
tests/cli/diagnose/second-base.yaml: ok: a, 2 namespaces, 3 warnings

# pmem/ndctl#42: align 16G and 2G.
$ memmapctl check tests/cli/diagnose/align-16g.yaml
tests/cli/diagnose/align-16g.yaml:8:41: align 16GiB is not one the kernel takes here: use 4KiB, 2MiB or 1GiB
tests/cli/diagnose/align-16g.yaml:9:41: align 2GiB is not one the kernel takes here: use 4KiB, 2MiB or 1GiB
2 mistakes in tests/cli/diagnose/align-16g.yaml
? 2

# 32 TB in 262144 blocks: registered before Linux 5.7 in hours, and uevents on any (systemd/systemd#16910).
$ memmapctl check tests/cli/diagnose/blocks-old-kernel.yaml
tests/cli/diagnose/blocks-old-kernel.yaml:5:11: warning: 262,144 memory blocks of RAM: as many uevents at coldplug, which delay every device behind them
tests/cli/diagnose/blocks-old-kernel.yaml:5:11: warning: 262,144 memory blocks: 5.4.0 registers them in about 151m 35s (memory_dev_init, as the 2273.7 s of 131072 blocks on POWER9), longer than the memory map's 2m 01s; Linux 5.7 made that short
tests/cli/diagnose/blocks-old-kernel.yaml: ok: a, 2 warnings
$ memmapctl check tests/cli/diagnose/blocks-new-kernel.yaml 2>&1 | grep blocks
tests/cli/diagnose/blocks-new-kernel.yaml:5:11: warning: 262,144 memory blocks of RAM: as many uevents at coldplug, which delay every device behind them
tests/cli/diagnose/blocks-new-kernel.yaml:9:42: warning: cxl0: 16,384 memory blocks: as many uevents when it is added
tests/cli/diagnose/blocks-new-kernel.yaml:9:42: warning: cxl0: binding takes 9m 39s (up to 26m 55s, profile generic-aarch64): longer than udev's event_timeout of 180 s, after which the worker is killed and the device is lost; raise it
tests/cli/diagnose/blocks-new-kernel.yaml: ok: a, 1 device, 3 warnings

# 128512 of 2M asked for on 256 GiB, 128074 came; 385920 on (here) 768 GiB, 385296 came. 500 of 1G on 512 GiB came.
$ memmapctl check tests/cli/diagnose/hugepages-95-percent.yaml
tests/cli/diagnose/hugepages-95-percent.yaml:10:25: warning: hugepages and the memmap leave 1 GiB for everything else: about 128060 of these 128512 come into being ("Only allocated ... hugepages"); what HVO frees, it frees too late for them
tests/cli/diagnose/hugepages-95-percent.yaml: ok: a, 1 hugepage pool, 1 warning
$ memmapctl check tests/cli/diagnose/hugepages-768.yaml
tests/cli/diagnose/hugepages-768.yaml:9:25: warning: hugepages and the memmap leave 2.250 GiB for everything else: about 384180 of these 385920 come into being ("Only allocated ... hugepages")
tests/cli/diagnose/hugepages-768.yaml: ok: a, 1 hugepage pool, 1 warning
$ memmapctl check configs/hosts/hvo-skip-tail-init.yaml
configs/hosts/hvo-skip-tail-init.yaml: ok: hvo-skip-tail-init, 1 hugepage pool

# p2pool-starter-stack/pithead#1045: 3072 of 2M on a small host.
$ memmapctl check tests/cli/diagnose/hugepages-small-host.yaml
tests/cli/diagnose/hugepages-small-host.yaml:8:25: warning: hugepages and the memmap leave 0 B for everything else: about 3001 of these 3072 come into being ("Only allocated ... hugepages")
tests/cli/diagnose/hugepages-small-host.yaml: ok: a, 1 hugepage pool, 1 warning

# Pages without a node are spread evenly.
$ memmapctl check tests/cli/diagnose/hugepages-uneven.yaml
tests/cli/diagnose/hugepages-uneven.yaml:11:25: warning: each of 2 nodes is to hold 100GiB of these hugepages, and node 1 has 64GiB: the others get its share, or fewer are allocated
tests/cli/diagnose/hugepages-uneven.yaml: ok: a, 1 hugepage pool, 1 warning

# HVO asked for and not there: arm64 (ubicloud/ubicloud#284 wants it), and an old kernel.
$ memmapctl check tests/cli/diagnose/hvo-arm64.yaml
tests/cli/diagnose/hvo-arm64.yaml:7:35: warning: hvo.enabled: aarch64 6.12.117 has no HVO ("0 KiB vmemmap can be freed"): nothing is saved
tests/cli/diagnose/hvo-arm64.yaml: ok: a, 1 hugepage pool, 1 warning
$ memmapctl check tests/cli/diagnose/hvo-old.yaml
tests/cli/diagnose/hvo-old.yaml:7:18: warning: hvo.enabled: hugetlb_free_vmemmap= came with Linux 5.14: 5.10.0 has none
tests/cli/diagnose/hvo-old.yaml: ok: a, 1 hugepage pool, 1 warning

# systemd/systemd#13961, truenas/middleware#9095: 10 ns a struct page (and 1 us a page touched first): 12 TiB are half
# a udev timeout, 48 TiB two.
$ memmapctl check tests/cli/diagnose/bind-slow.yaml
tests/cli/diagnose/bind-slow.yaml:9:61: warning: pmem0: binding takes 91.9 s (up to 97.9 s, profile round): within udev's event_timeout, but a udevd that exits meanwhile (leaving the initramfs) kills it after 30 s
tests/cli/diagnose/bind-slow.yaml:10:61: warning: pmem1: binding takes 6m 08s (up to 6m 32s, profile round): longer than udev's event_timeout of 180 s, after which the worker is killed and the device is lost; raise it
tests/cli/diagnose/bind-slow.yaml: ok: a, 3 namespaces, 2 warnings

# Linux 6.6 stable, of which 6.6.105 has the fix: memremap_pages of large pmem crashes where its struct pages span two entries
# of the top page table; and arm64 with amdgpu, fixed in Linux 6.12. A kernel that has the fix is not blamed.
$ memmapctl check tests/cli/diagnose/top-table.yaml 2>&1 | grep crash
tests/cli/diagnose/top-table.yaml:9:63: warning: dax0.0: the struct pages of its 8 TiB begin a new entry of the top page table, which maps those of 32 TiB, on about 25 of 100 boots with four-level paging: 6.6.104 may then crash in __init_single_page or vmemmap_set_pmd, unless it has the fix of Linux 6.17, 6.16.6, 6.12.46, 6.6.105, 6.1.151 and 5.15.192
$ for r in 5.12.19 6.6.105 6.12.46 6.17 7.3.4; do sed "s/6.6.104/$r/" tests/cli/diagnose/top-table.yaml | memmapctl check - 2>&1 | grep -c crash; done | paste -sd' '
0 0 0 0 0
$ for r in 5.13 6.12.45 6.5.13 6.16.5; do sed "s/6.6.104/$r/" tests/cli/diagnose/top-table.yaml | memmapctl check - 2>&1 | grep -c crash; done | paste -sd' '
1 1 1 1
$ memmapctl check tests/cli/diagnose/private-arm64.yaml 2>&1 | grep crash
tests/cli/diagnose/private-arm64.yaml:9:38: warning: gpu: 6.11.2 looks for its range from the top of the physical addresses, where aarch64 may have no room for struct pages: memmap_init_zone_device crashes; Linux 6.12 keeps to what the linear map reaches
$ sed 's/6.11.2/6.12/' tests/cli/diagnose/private-arm64.yaml | memmapctl check - 2>&1 | grep -c crash
0
? 1

# A profile that cannot be used takes only the times away.
$ sed 's,profile:.*,profile: no-such-profile,' tests/cli/diagnose/bind-slow.yaml | memmapctl check -v - | tail -1
<stdin>: note: profile "no-such-profile" cannot be used: times are not looked at
<stdin>: ok: a, 3 namespaces

# What is imported is diagnosed, too.
$ printf 'root=/dev/sda1 hugepagesz=2M hugepages=32500 hugetlb_free_vmemmap=on\nMemory: 66000000K/67108864K available\n' | memmapctl probe --import - 2>&1 >$TMP/host.yaml
imported: warning: hugepages and the memmap leave 0 B for everything else: about 32015 of these 32500 come into being ("Only allocated ... hugepages"); what HVO frees, it frees too late for them
