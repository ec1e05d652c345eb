# probe and snapshot. The saved host is made of tests/trees/pmem-node.
$ tests/support/make-tree tests/trees/pmem-node $TMP/pmem-node

$ memmapctl probe -q --sysroot $TMP/pmem-node | sed '/^$/d; s/^#/ #/'
memmapctl: 1
host:
  name: pmem-node                    # /proc/sys/kernel/hostname
  arch: x86_64                       # /proc/sys/kernel/arch
  page_size: 4KiB                    # the only one of the architecture
  # unknown: host.struct_page_size: taken as 64: no BTF in /sys/kernel/btf/vmlinux
  memory: 4GiB                       # the nodes' memory
  cpus: 8                            # the nodes' CPUs
  kernel:
    release: "7.3.4"                 # /proc/sys/kernel/osrelease
    deferred_struct_page_init: true  # /boot/config-7.3.4: CONFIG_DEFERRED_STRUCT_PAGE_INIT
    dax_vmemmap_optimization: true   # /boot/config-7.3.4: CONFIG_ARCH_WANT_OPTIMIZE_DAX_VMEMMAP
    init_on_alloc: false             # /proc/cmdline: init_on_alloc=0
  hvo:
    supported: true                  # /proc/sys/vm/hugetlb_optimize_vmemmap is there
    enabled: true                    # /proc/sys/vm/hugetlb_optimize_vmemmap
  nodes:
    - id: 0                          # /sys/devices/system/node/node0
      memory: 4GiB                   # /sys/devices/system/node/node0/memory*: 2 blocks online
      cpus: 8                        # /sys/devices/system/node/node0/cpulist
    - id: 2                          # /sys/devices/system/node/node2
      memory: 0                      # /sys/devices/system/node/node2, without what a device brought after boot
      cpus: 0                        # /sys/devices/system/node/node2/cpulist
hugepages:
  - size: 1GiB
    count: 2                         # /sys/devices/system/node/node0/hugepages/hugepages-1048576kB/nr_hugepages
    when: boot                       # hugepages= of this size is on the kernel command line
    node: 0                          # the pool's folder
namespaces:
  # namespace0.0 of region0, sectors of 512, in use: mounted on /srv/db
  - name: pmem0
    mode: fsdax                      # /sys/bus/nd/devices/namespace0.0/mode
    map: dev                         # /sys/bus/nd/devices/pfn0.0/mode
    align: 2MiB                      # /sys/bus/nd/devices/pfn0.0/align
    size: 4GiB                       # /sys/bus/nd/devices/namespace0.0/size
    start: 9GiB                      # /sys/bus/nd/devices/namespace0.0/resource
    node: 0                          # /sys/bus/nd/devices/namespace0.0/numa_node
  # namespace0.1 of region0
  - name: dax0.0
    mode: devdax                     # /sys/bus/nd/devices/namespace0.1/mode
    map: mem                         # /sys/bus/nd/devices/dax0.1/mode
    align: 1GiB                      # /sys/bus/nd/devices/dax0.1/align
    size: 2GiB                       # /sys/bus/nd/devices/namespace0.1/size
    start: 13GiB                     # /sys/bus/nd/devices/namespace0.1/resource
    node: 0                          # /sys/bus/nd/devices/namespace0.1/numa_node
devices:
  - name: dax4.0
    type: system-ram                 # bound to kmem: /sys/bus/dax/devices/dax4.0/driver
    size: 4GiB                       # /sys/bus/dax/devices/dax4.0/size
    memmap_on_memory: true           # /sys/bus/dax/devices/dax4.0/memmap_on_memory
    block: 2GiB                      # /sys/devices/system/memory/block_size_bytes
    start: 128GiB                    # /sys/bus/dax/devices/dax4.0/resource
    node: 2                          # /sys/bus/dax/devices/dax4.0/target_node
  - name: "0000:03:00.0"
    type: private                    # amdgpu registers all VRAM as device-private memory
    size: 196592MiB                  # /sys/bus/pci/devices/0000:03:00.0/mem_info_vram_total
    node: 0                          # /sys/bus/pci/devices/0000:03:00.0/numa_node
 # What else was seen, for which a description has no keys:
 # virtualization: none
 # cpu: A CPU of 2026
 # device_private: true
 # memory_block: 2GiB
 # blocks_online: 3
 # blocks_offline: 1
 # auto_online_blocks: online
 # hvo_option: on
 # hvo_sysctl: 1
 # caches:
 #   - level: 3, type: Unified, size: 32MiB, shared_cpus: 0-7
 # nodes:
 #   - id: 0, kind: CPUs and memory, distances: 10 20
 #   - id: 2, kind: memory only, distances: 20 10
 # options:
 #   - name: hugepagesz, value: 1G
 #   - name: hugepages, value: 2
 #   - name: hugetlb_free_vmemmap, value: on
 #   - name: init_on_alloc, value: 0
 # hugepage_pools:
 #   - size: 2MiB, node: 0, pages: 0
 #   - size: 1GiB, node: 0, pages: 2, free: 1
 # nd_buses:
 #   - name: ndbus0, provider: ACPI.NFIT
 # dimms:
 #   - name: nmem0, handle: 0x1, state: active
 # regions:
 #   - name: region0, type: pmem, size: 8GiB, available: 2GiB, align: 16MiB, node: 0, target_node: 3, start: 9GiB, mappings: 1
 # nd_namespaces:
 #   - name: namespace0.0, region: region0, device: pmem0, claim: pfn0.0, mode: fsdax, map: dev, raw_size: 4GiB, usable: 4030MiB, align: 2MiB, sector_size: 512, node: 0, target_node: 3, in_use: mounted on /srv/db
 #   - name: namespace0.1, region: region0, device: dax0.0, claim: dax0.1, mode: devdax, map: mem, raw_size: 2GiB, usable: 1GiB, align: 1GiB, node: 0
 # dax_devices:
 #   - name: dax0.0, driver: device_dax, size: 1GiB, align: 1GiB, target_node: 3
 #   - name: dax4.0, driver: kmem, size: 4GiB, align: 2MiB, target_node: 2, total_blocks: 2, online_blocks: 1, memmap_on_memory: true
 # accelerators:
 #   - address: 0000:03:00.0, class: display controller, vendor: AMD, device: 0x74a1, driver: amdgpu, node: 0, registers: all VRAM as device-private memory when the driver is loaded
$ memmapctl probe -q --sysroot $TMP/pmem-node -f table | sed '/^$/d'
pmem-node   x86_64, Linux 7.3.4, 4 GiB RAM, 8 CPUs in 2 nodes
A CPU of 2026; virtualization: none
DEVICE        KIND                 SIZE  ALIGN  NODE  USE
pmem0         fsdax map=dev        4GiB   2MiB     0  mounted on /srv/db
dax0.0        devdax map=mem       2GiB   1GiB     0
dax4.0        system-ram           4GiB   2GiB     2
0000:03:00.0  private         196592MiB            0
hugepages     2                    1GiB            0  boot
NOT SEEN
  size of struct page not known: taken as 64: no BTF in /sys/kernel/btf/vmlinux

# What will not work out is told beside it, as check tells it. Devices that are bound have their memmap; dax5.0 is not, and what
# is free on its node is in /proc/buddyinfo. It has no node to be RAM of.
$ memmapctl probe --sysroot $TMP/pmem-node -o /dev/null
$ cp -a $TMP/pmem-node $TMP/unbound && rm -r $TMP/unbound/sys/bus/pci && tests/support/make-tree tests/trees/unbound $TMP/unbound && memmapctl probe --sysroot $TMP/unbound -o /dev/null
memmapctl probe: the probed host: warning: dax5.0: memmaps on node 0 take 1.008 GiB of RAM, and 783.2 MiB are free there: the kernel takes the rest from other nodes, far from the memory; map=dev keeps it on the device
$ memmapctl probe -q --sysroot $TMP/unbound -f json | jq -r '.notes[] | select(test("dax5"))'
dax5.0 has no target_node: daxctl reconfigure-device --mode=system-ram says "No such device"
$ dax=$TMP/unbound/sys/bus/dax/devices/dax5.0; echo 4096 >$dax/align; echo 51539607552 >$dax/size; memmapctl probe --sysroot $TMP/unbound -o /dev/null
memmapctl probe: the probed host: warning: dax5.0: its memmap needs 384 free blocks of order 9, and 16 are free: the kernel logs "vmemmap alloc failure: order:9" and uses base pages, slower and more scattered
$ sed -i 's/ 2$/ 400/' $TMP/unbound/proc/buddyinfo; memmapctl probe --sysroot $TMP/unbound -o /dev/null
$ rm $TMP/unbound/proc/buddyinfo; echo 549755813888 >$TMP/unbound/sys/bus/dax/devices/dax5.0/size; memmapctl probe --sysroot $TMP/unbound -o /dev/null
memmapctl probe: the probed host: warning: dax5.0: its memmap takes 8 GiB of RAM, beside those of other devices; of 4 GiB its own memmap and hugepages leave 1.969 GiB: the bind fails with "vmemmap alloc failure" and -ENOMEM, or starves the host; map=dev keeps it on the device

# What the kernel makes of its command line, and what of it did not come.
$ cp -a $TMP/pmem-node $TMP/options && echo 'hugepagesz=1G hugepages=4 hugepagesz=3M hugepages=1 hugetlb_cma=1G' >$TMP/options/proc/cmdline; memmapctl probe --sysroot $TMP/options -o /dev/null
memmapctl probe: the probed host: warning: hugepagesz=3M: no hugepages of this size here ("unsupported hugepagesz"): the kernel ignores it, and the hugepages= after it
memmapctl probe: the probed host: warning: hugetlb_cma= with hugepages=4 of 1GiB: the kernel says "hugetlb_cma is enabled, skip boot time allocation" and makes none of them; use one of the two
memmapctl probe: the probed host: warning: 4 hugepages of 1GiB are asked for on the command line, and 2 are there

# HVO that is asked for and is not there, or was turned off again; what movable_node means.
$ echo 'hugetlb_free_vmemmap=on movable_node' >$TMP/options/proc/cmdline; echo 0 >$TMP/options/proc/sys/vm/hugetlb_optimize_vmemmap; memmapctl probe -v --sysroot $TMP/options -o /dev/null
the probed host: note: movable_node: nodes that can be unplugged have movable memory only, which holds neither memmaps of devices nor gigantic pages
the probed host: note: size of struct page not known: taken as 64: no BTF in /sys/kernel/btf/vmlinux
memmapctl probe: the probed host: warning: hugetlb_free_vmemmap=on is on the command line, and vm.hugetlb_optimize_vmemmap is 0: hugepages that were allocated since it was set save nothing
$ rm $TMP/options/proc/sys/vm/hugetlb_optimize_vmemmap; memmapctl probe --sysroot $TMP/options -o /dev/null
memmapctl probe: the probed host: warning: hugetlb_free_vmemmap=on is on the command line, and this kernel has no HVO: nothing is saved

# The YAML is a description: check and predict take it as it is.
$ memmapctl probe -q --sysroot $TMP/pmem-node -o $TMP/host.yaml; memmapctl check $TMP/host.yaml 2>&1 | sed "s:$TMP:TMP:"
TMP/host.yaml:56:11: warning: 0000:03:00.0: its memmap takes 3 GiB of RAM, beside those of other devices; of 4 GiB its own memmap and hugepages leave 1.969 GiB: the bind fails with "vmemmap alloc failure" and -ENOMEM, or starves the host
TMP/host.yaml: ok: pmem-node, 2 namespaces, 2 devices, 1 hugepage pool, 1 warning

$ memmapctl predict -f json $TMP/host.yaml | jq -c '.hosts[0].hotplug[] | [.device, .struct_pages]'
["pmem0",1048576]
["dax0.0",524288]
["dax4.0",1048576]
["0000:03:00.0",50331648]

# JSON: what was not seen is null, and the facts have what a description has no keys for.
$ memmapctl probe -q --sysroot $TMP/pmem-node -f json | jq -c '.schema, .host.struct_page_size, .namespaces[0], .facts.regions[0], .facts.nd_namespaces[0].in_use, .facts.dax_devices[1], .notes'
"memmapctl.host/1"
null
{"name":"pmem0","mode":"fsdax","map":"dev","align":2097152,"size":4294967296,"usable":null,"start":9663676416,"node":0}
{"name":"region0","type":"pmem","size":8589934592,"available":2147483648,"align":16777216,"node":0,"target_node":3,"start":9663676416,"mappings":1}
"mounted on /srv/db"
{"name":"dax4.0","driver":"kmem","size":4294967296,"align":2097152,"node":null,"target_node":2,"total_blocks":2,"online_blocks":1,"memmap_on_memory":true}
["size of struct page not known: taken as 64: no BTF in /sys/kernel/btf/vmlinux"]

# A snapshot holds what probe reads, whole and nothing else: the same probe, and nothing secret.
$ memmapctl snapshot --sysroot $TMP/pmem-node -o $TMP/host.tar.zst 2>&1 | sed "s:$TMP:TMP:"
memmapctl snapshot: TMP/host.tar.zst: 131 entries, 1.241 KiB before compression
memmapctl snapshot: it tells: host name, kernel release, configuration and types, memory options of the command line, CPU model, memory and device layout, free memory, mount points of persistent memory
$ memmapctl probe -q --sysroot $TMP/host.tar.zst | diff - $TMP/host.yaml && echo the same
the same
$ tar xOf $TMP/host.tar.zst | grep -cE 'not-for-you|c0ffee|server'
0
? 1
$ tar tf $TMP/host.tar.zst | grep -c serial
0
? 1

# An archive with a folder in front, and a folder of an unpacked archive.
$ tar cjf $TMP/old.tar.bz2 -C $TMP pmem-node && memmapctl probe -q --sysroot $TMP/old.tar.bz2 | diff - $TMP/host.yaml && echo the same
the same
$ mkdir $TMP/unpacked && tar xf $TMP/host.tar.zst -C $TMP/unpacked && memmapctl probe -q --sysroot $TMP/unpacked | diff - $TMP/host.yaml && echo the same
the same

# This machine: snapshot-then-probe equals the live probe.
$ memmapctl probe -q -o $TMP/live.yaml && memmapctl snapshot -q -o $TMP/live.tar.gz && memmapctl probe -q --sysroot $TMP/live.tar.gz 2>/dev/null | diff - $TMP/live.yaml && echo the same
the same

# A saved host leads nowhere else.
$ mkdir -p $TMP/evil/proc/sys/kernel && ln -s /etc/hostname $TMP/evil/proc/sys/kernel/hostname && memmapctl probe -q --sysroot $TMP/evil | grep name:
  name: saved-host                   # a stand-in: the host's own name was not seen
$ tar cf $TMP/evil.tar --transform 's:^:../../:' -P -C $TMP/evil proc 2>/dev/null; memmapctl probe -q --sysroot $TMP/evil.tar 2>&1 | sed "s:$TMP:TMP:"
TMP/evil.tar: no saved host: there is neither a proc nor a sys folder in it

# What is no saved host.
$ memmapctl probe --sysroot cli
memmapctl probe: --sysroot: cli: no saved host: there is neither a proc nor a sys folder in it
? 2
$ memmapctl probe --sysroot nowhere
memmapctl probe: --sysroot: nowhere: No such file or directory
? 2
$ memmapctl probe --sysroot cli/main.c
cli/main.c: Unrecognized archive format
? 2
$ memmapctl probe host.tar.zst
memmapctl probe: probe takes files after --import only; for a saved host: --sysroot host.tar.zst
Try `memmapctl probe --help' or `memmapctl probe --usage' for more
information.
? 2
$ memmapctl probe -f csv
memmapctl probe: --format: probe has table, json and yaml
Try `memmapctl probe --help' or `memmapctl probe --usage' for more
information.
? 2
$ memmapctl snapshot
memmapctl snapshot: name the archive: memmapctl snapshot -o host.tar.zst
Try `memmapctl snapshot --help' or `memmapctl snapshot --usage' for more
information.
? 2
$ memmapctl snapshot -o host.zip
memmapctl snapshot: -o: host.zip: name it .tar, .tar.zst, .tar.gz, .tar.xz or .tar.bz2: the end tells how to compress
Try `memmapctl snapshot --help' or `memmapctl snapshot --usage' for more
information.
? 2
$ memmapctl snapshot -o nowhere/host.tar
memmapctl: cannot write nowhere/host.tar: No such file or directory
? 2

# Stopped at any moment it leaves a whole archive or none, and no temporary file.
$ mkdir $TMP/stopped; for ms in 01 02 04 07 12 20; do timeout -s TERM 0.$ms memmapctl snapshot -q -o $TMP/stopped/host.tar.gz; done; ls $TMP/stopped | grep -vx host.tar.gz; [ ! -e $TMP/stopped/host.tar.gz ] || memmapctl probe --sysroot $TMP/stopped/host.tar.gz -o $TMP/stopped.yaml
