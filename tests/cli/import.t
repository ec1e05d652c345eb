# SPDX-License-Identifier: GPL-2.0-or-later
# probe --import: what people paste, rebuilt from the facts of the reports that the comments name; exact outputs.

# pmem/ndctl#260: one object, -u, a devdax region in it: 126 GiB raw, since 124.03 GiB are left.
$ memmapctl probe --import tests/cli/import/ndctl-260.json | sed 's/^#/+/'
+ Imported from tests/cli/import/ndctl-260.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  # unknown: host.struct_page_size: taken as 64 (BTF has it: memmapctl probe on the machine)
  # unknown: host.memory: no forecast without it (lsmem -J, or a log's "Memory:" line)
  # unknown: host.cpus: taken as 1 (nproc)
  # unknown: host.kernel.release: the newest rules are used (uname -r, or a log's first line, tells it)
  # unknown: host.kernel.deferred_struct_page_init: taken as built in (a log with "deferred pages initialised")
  # unknown: host.kernel.init_on_alloc: taken as on (the kernel's configuration)
  # unknown: host.hvo.supported: taken as supported, and off (the kernel command line, or a log's "HugeTLB:" lines)
  # unknown: host.nodes: taken as one (lsmem -J -o +NODE)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: dax0.0                     # tests/cli/import/ndctl-260.json:1, namespace0.0
    mode: devdax
    align: 2MiB
    size: 126GiB                     # tests/cli/import/ndctl-260.json:1, raw, the roundest from 129022MiB to 129028MiB that leaves what is listed
    # unknown: start: taken as aligned (/proc/iomem as root)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# The same device by daxctl, in bytes and without a node of its own: it cannot become RAM.
$ tests/cli/import/show daxctl-260.json
daxctl-260.json:2:3: warning: dax0.0 has no target_node: daxctl reconfigure-device --mode=system-ram says "No such device"
+ Imported from daxctl-260.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: dax0.0                     # daxctl-260.json:2
    mode: devdax
    align: 2MiB
    size: 126GiB                     # daxctl-260.json:2, raw, the roundest that leaves what is listed, with map=dev (ndctl list tells both)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# pmem/ndctl#28: ndctl of 2017: mode memory, no map, no align. 64M asked for.
$ tests/cli/import/show ndctl-28.json
+ Imported from ndctl-28.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  nodes:
    - id: 0
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: pmem0                      # ndctl-28.json:1, namespace0.0
    mode: fsdax
    # unknown: map: taken as dev, ndctl's default (a newer ndctl list)
    # unknown: align: taken as 2MiB (ndctl list -v)
    align: 2MiB
    size: 64MiB                      # ndctl-28.json:1, raw, of what is left to use
    # unknown: start: taken as aligned (/proc/iomem as root)
    node: 0
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# pmem/ndctl#243: 256M asked for, in an array; BTT, raw, and one that is disabled.
$ tests/cli/import/show ndctl-243.json
+ Imported from ndctl-243.json.
+ ndctl-243.json:24: namespace0.3 is disabled or empty: left out
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: pmem0                      # ndctl-243.json:2, namespace0.0
    mode: fsdax
    align: 2MiB
    size: 256MiB                     # ndctl-243.json:2, raw, the roundest from 254MiB to 256MiB that leaves what is listed
    # unknown: start: taken as aligned (/proc/iomem as root)
  - name: pmem0.1s                   # ndctl-243.json:12, namespace0.1
    mode: sector
    align: 2MiB
    size: 256MiB
  - name: pmem0.2                    # ndctl-243.json:18, namespace0.2
    mode: raw
    align: 2MiB
    size: 256MiB
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# pmem/ndctl#115: devdax with map=mem, then used as RAM: 31 whole blocks of 128 MiB in 4094 MiB.
$ tests/cli/import/show ndctl-115.json
+ Imported from ndctl-115.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: dax1.0                     # ndctl-115.json:2, namespace1.0
    mode: devdax
    map: mem
    align: 2MiB
    size: 4GiB                       # ndctl-115.json:2, raw, of what is left to use
    # unknown: start: taken as aligned (/proc/iomem as root)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
$ tests/cli/import/show daxctl-115.json
imported: warning: dax1.0: size 4094MiB is not a multiple of 128MiB: kmem leaves the rest out ("truncated")
+ Imported from daxctl-115.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  nodes:
    - id: 2
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
devices:
  - name: dax1.0                     # daxctl-115.json:2
    type: system-ram
    size: 4094MiB
    block: 128MiB
    node: 2
$ tests/cli/import/show ndctl-115.json daxctl-115.json
imported: warning: dax1.0: size 4094MiB is not a multiple of 128MiB: kmem leaves the rest out ("truncated")
+ Imported from ndctl-115.json, daxctl-115.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  nodes:
    - id: 2
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
devices:
  - name: dax1.0                     # daxctl-115.json:2
    type: system-ram
    size: 4094MiB
    block: 128MiB
    node: 2

# pmem/ndctl#274: 8 GiB fsdax map=mem, without an align.
$ tests/cli/import/show ndctl-274.json
+ Imported from ndctl-274.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  nodes:
    - id: 0
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: pmem0                      # ndctl-274.json:1, namespace0.0
    mode: fsdax
    map: mem
    # unknown: align: taken as 2MiB (ndctl list -v)
    align: 2MiB
    size: 8GiB                       # ndctl-274.json:1, raw, the roundest from 8190MiB to 8198MiB that leaves what is listed
    # unknown: start: taken as aligned (/proc/iomem as root)
    node: 0
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# pmem/ndctl#211 and #162: buses > regions > namespaces, -v. Region 1 is full, so its size is the raw size; of 1008
# GiB in region 0 ndctl made 496.12 GiB.
$ tests/cli/import/show ndctl-buses.json
+ Imported from ndctl-buses.json.
+ ndctl-buses.json:38: region0: 512 GiB are free, the largest piece 512 GiB: a namespace there leaves 504.0 GiB with map=dev, 512.0 GiB with map=mem
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  nodes:
    - id: 0
    - id: 1
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: pmem1                      # ndctl-buses.json:23, namespace1.0
    mode: fsdax
    align: 2MiB
    size: 1008GiB                    # ndctl-buses.json:23, its region's, which it fills
    # unknown: start: taken as aligned (/proc/iomem as root)
    node: 1
  - name: dax0.0                     # ndctl-buses.json:47, namespace0.0
    mode: devdax
    align: 2MiB
    size: 504GiB                     # ndctl-buses.json:47, raw, the roundest from 516092MiB to 516098MiB that leaves what is listed
    # unknown: start: taken as aligned (/proc/iomem as root)
    node: 0
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# pmem/ndctl#162: AppDirect in two regions of 504 GiB: no namespace of 1000 GiB, and what each may hold.
$ tests/cli/import/show ndctl-162.json
+ Imported from ndctl-162.json.
+ ndctl-162.json:3: region1: 504.0 GiB are free, the largest piece 504.0 GiB: a namespace there leaves 496.1 GiB with map=dev, 504.0 GiB with map=mem
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: pmem0                      # ndctl-162.json:5, namespace0.0
    mode: fsdax
    # unknown: align: taken as 2MiB (ndctl list -v)
    align: 2MiB
    size: 504GiB                     # ndctl-162.json:5, its region's, which it fills
    # unknown: start: taken as aligned (/proc/iomem as root)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# daxctl list -RDM: regions say what they lie on: soft-reserved memory as it is, pmem under an info block.
$ tests/cli/import/show daxctl-regions.json
+ Imported from daxctl-regions.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: dax0.0                     # daxctl-regions.json:9
    mode: devdax
    map: mem
    align: 2MiB
    size: 16GiB
    start: 9GiB
  - name: dax1.0                     # daxctl-regions.json:26
    mode: devdax
    # unknown: align: taken as 2MiB (a newer daxctl list)
    align: 2MiB
    size: 4GiB                       # daxctl-regions.json:26, raw, the roundest that leaves what is listed, with map=dev (ndctl list tells both)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# cxl list with memdevs, decoders and regions nested; one region has its DAX device, one has none, one is pmem.
$ tests/cli/import/show cxl-regions.json
+ Imported from cxl-regions.json.
+ cxl-regions.json:35: dax0.0: 120 of 128 memory blocks are online
+ cxl-regions.json:53: region2: persistent CXL memory: ndctl list -NRv tells its namespaces
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  nodes:
    - id: 1
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
devices:
  - name: dax0.0                     # cxl-regions.json:35
    type: system-ram
    size: 256GiB
    block: 2GiB
    node: 1
  - name: region1                    # cxl-regions.json:47
    type: system-ram                 # cxl-regions.json:47, without a DAX device: taken as this (cxl list -Rv)
    size: 64GiB
    start: 1280GiB
$ tests/cli/import/show cxl-memdevs.json
+ Imported from cxl-memdevs.json.
+ cxl-memdevs.json:2: mem0: cxl list -R and daxctl list tell what its 256.0 MiB are used for
+ cxl-memdevs.json:3: mem1: cxl list -R and daxctl list tell what its 256 GiB are used for
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# lsmem -J, as util-linux's test dumps have it: x86-64 with a hole, arm64 with 16 KiB pages, s390 with blocks offline.
$ tests/cli/import/show lsmem-x86.json
+ Imported from lsmem-x86.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  memory: 16GiB                      # lsmem-x86.json:3, blocks that are online
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
$ tests/cli/import/show lsmem-arm64.json
+ Imported from lsmem-arm64.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  memory: 16GiB                      # lsmem-arm64.json:3, blocks that are online
  nodes:
    - id: 0
      memory: 16GiB
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
$ tests/cli/import/show lsmem-s390.json
+ Imported from lsmem-s390.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  memory: 5GiB                       # lsmem-s390.json:3, blocks that are online
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
$ tests/cli/import/show lsmem-nodes.json
+ Imported from lsmem-nodes.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  memory: 496GiB                     # lsmem-nodes.json:3, blocks that are online
  nodes:
    - id: 0
      memory: 256GiB
    - id: 1
      memory: 240GiB
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
$ tests/cli/import/show lsmem-rounded.json
+ Imported from lsmem-rounded.json.
+ lsmem-rounded.json:3: size is rounded, taken as 16256MiB: lsmem -b, or its RANGE column, is exact
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  memory: 16256MiB                   # lsmem-rounded.json:3, blocks that are online
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# The same pasted twice counts once.
$ cat tests/cli/import/paste.txt tests/cli/import/paste.txt | memmapctl probe --import tests/cli/import/lsmem-nodes.json tests/cli/import/lsmem-nodes.json - | grep -E '^ +(memory|free|free_order9):|another' | sed 's:^#:+:'
+ tests/cli/import/lsmem-nodes.json:3: another lsmem: that of tests/cli/import/lsmem-nodes.json:3 is taken
  memory: 496GiB                     # tests/cli/import/lsmem-nodes.json:3, blocks that are online
      memory: 256GiB
      free: 2472072KiB
      free_order9: 1184
      memory: 240GiB

# This machine's lsmem agrees with itself (where there are memory blocks at all).
$ lsmem -J -b -o +NODE >$TMP/lsmem.json 2>/dev/null; [ ! -s $TMP/lsmem.json ] || [ "$(memmapctl probe --import $TMP/lsmem.json -f json | jq .host.memory)" = "$(lsmem -b --summary=only | sed -n 's/^Total online memory: *//p')" ] && echo the same
the same

# What is online of a CXL device was no RAM at boot.
$ tests/cli/import/show cxl-regions.json lsmem-nodes.json
+ Imported from cxl-regions.json, lsmem-nodes.json.
+ cxl-regions.json:35: dax0.0: 120 of 128 memory blocks are online
+ cxl-regions.json:35: dax0.0: its 120 memory blocks that are online (240GiB) are not counted as RAM at boot
+ cxl-regions.json:53: region2: persistent CXL memory: ndctl list -NRv tells its namespaces
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  memory: 256GiB                     # lsmem-nodes.json:3, blocks that are online
  nodes:
    - id: 0
      memory: 256GiB
    - id: 1
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
devices:
  - name: dax0.0                     # cxl-regions.json:35
    type: system-ram
    size: 256GiB
    block: 2GiB
    node: 1
  - name: region1                    # cxl-regions.json:47
    type: system-ram                 # cxl-regions.json:47, without a DAX device: taken as this (cxl list -Rv)
    size: 64GiB
    block: 2GiB
    start: 1280GiB

# firedancer-io/firedancer#939: two sizes.
$ tests/cli/import/show cmdline-939.txt
+ Imported from cmdline-939.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
hugepages:
  - size: 1GiB                       # cmdline-939.txt:1
    count: 4
  - size: 2MiB                       # cmdline-939.txt:1
    count: 1024
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# Node by node, HVO, init_on_alloc.
$ tests/cli/import/show cmdline-nodes.txt
+ Imported from cmdline-nodes.txt.
+ cmdline-nodes.txt:1: movable_node: nodes that can be unplugged have movable memory only, which holds neither memmaps of devices nor gigantic pages
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  kernel:
    init_on_alloc: false             # cmdline-nodes.txt:1
  hvo:
    enabled: true                    # cmdline-nodes.txt:1
  nodes:
    - id: 0
    - id: 1
hugepages:
  - size: 1GiB                       # cmdline-nodes.txt:1
    count: 2
    node: 0
  - size: 1GiB                       # cmdline-nodes.txt:1
    count: 4
    node: 1
  - size: 2MiB                       # cmdline-nodes.txt:1
    count: 512
    node: 0
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# hugetlb_cma= wins over hugepages= of gigantic pages.
$ tests/cli/import/show cmdline-cma.txt
cmdline-cma.txt:1: warning: hugetlb_cma= with hugepages=16 of 1GiB: the kernel says "hugetlb_cma is enabled, skip boot time allocation" and makes none of them; use one of the two
+ Imported from cmdline-cma.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# A size that does not exist, hugepages= twice, the default size told last, what is after --.
$ tests/cli/import/show cmdline-mistakes.txt
cmdline-mistakes.txt:1: warning: hugepagesz=3M: no hugepages of this size here ("unsupported hugepagesz"): the kernel ignores it, and the hugepages= after it
cmdline-mistakes.txt:1: warning: hugepages=3: specified twice without interleaving hugepagesz=: the kernel ignores this one
cmdline-mistakes.txt:1: warning: hugepages=2 of 1GiB, the default size, for which an earlier hugepages= asks: the kernel ignores this one
+ Imported from cmdline-mistakes.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  hvo:
    enabled: true                    # cmdline-mistakes.txt:1
hugepages:
  - size: 1GiB                       # cmdline-mistakes.txt:1
    count: 64
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# memmap= as pmem and reserved, mem=, a quoted value.
$ tests/cli/import/show cmdline-memmap.txt
+ Imported from cmdline-memmap.txt.
+ cmdline-memmap.txt:1: memmap=2GiB$...: reserved, and not RAM for the kernel
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  memory: 64GiB                      # cmdline-memmap.txt:1, mem=, which is where RAM ends: it may be less
namespaces:
  - name: pmem0                      # cmdline-memmap.txt:1, set aside as pmem
    mode: fsdax
    map: mem                         # cmdline-memmap.txt:1, raw, with struct pages as fsdax with map=mem has, unless a namespace was made on it
    align: 2MiB
    size: 16GiB
    start: 16GiB
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# A fadump capture kernel that kept hugepages=200 of 1G: they cannot fit.
$ tests/cli/import/show dmesg-fadump.txt
imported: 200 hugepages of 1GiB do not fit in 60GiB of RAM
+ Imported from dmesg-fadump.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64
  memory: 60GiB                      # dmesg-fadump.txt:3, what firmware gives
  kernel:
    release: "6.12.0-55.el10.x86_64" # dmesg-fadump.txt:1
hugepages:
  - size: 1GiB                       # dmesg-fadump.txt:2
    count: 200
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
? 2

# 512 GiB, 500 pages of 1 GiB, two nodes: a journal's stamps; the command line, logged twice, is one.
$ tests/cli/import/show dmesg-500.txt
+ Imported from dmesg-500.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64
  memory: 536867888KiB               # dmesg-500.txt:7, what firmware gives
  kernel:
    release: "6.12.117+deb13-amd64"  # dmesg-500.txt:1
  hvo:
    supported: true                  # dmesg-500.txt:9
    enabled: true                    # dmesg-500.txt:2
  nodes:
    - id: 0
    - id: 1
hugepages:
  - size: 1GiB                       # dmesg-500.txt:2
    count: 500
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# arm64: the hugepage sizes tell the page size; 0 KiB can be freed: no HVO.
$ tests/cli/import/show dmesg-arm64.txt
dmesg-arm64.txt:4: warning: HVO is asked for (hugetlb_free_vmemmap=on) and not available here: 0 KiB can be freed
+ Imported from dmesg-arm64.txt.
memmapctl: 1
host:
  name: imported
  arch: aarch64
  page_size: 64KiB
  kernel:
    release: "7.3.4-arm64"           # dmesg-arm64.txt:1
  hvo:
    supported: false                 # dmesg-arm64.txt:4
    enabled: false                   # dmesg-arm64.txt:2
hugepages:
  - size: 512MiB                     # dmesg-arm64.txt:2
    count: 8
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# amdgpu and nouveau: the size that was registered, not the pages rounded up to sections; equal ones are counted.
$ tests/cli/import/show dmesg-gpus.txt
+ Imported from dmesg-gpus.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
devices:
  - name: gpu0                       # dmesg-gpus.txt:2
    type: private                    # dmesg-gpus.txt:2, taken as a discrete GPU's
    size: 32752MiB
    count: 2
  - name: "0000:01:00.0"             # dmesg-gpus.txt:7
    type: private                    # dmesg-gpus.txt:7, taken as a discrete GPU's
    size: 8GiB

# The forecast has the logged struct pages again: 8388608, of 32752 MiB.
$ memmapctl probe --import tests/cli/import/dmesg-gpus.txt | sed 's/^host:/&\n  memory: 64GiB/' | memmapctl predict - -p tests/cli/predict/round.yaml -f json | jq -c '.hosts[].hotplug[] | [.device, .count, .struct_pages]'
["gpu0",2,8388608]
["0000:01:00.0",1,2097152]

# 5.10-rc3, four devdax: 2063872 pages are what 8 GiB leave with map=dev. CRLF, mail, raw and old wordings.
$ tests/cli/import/show ../../unit/logs/four-devdax-5.10.log
+ Imported from ../../unit/logs/four-devdax-5.10.log.
+ a rebind in a log looks like another device (ndctl list -NRv tells what there is)
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  kernel:
    release: "5.10.0-rc3"            # ../../unit/logs/four-devdax-5.10.log:1
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: bind0                      # ../../unit/logs/four-devdax-5.10.log:2, 2063872 struct pages; mode, map and align are not in a log
    mode: fsdax
    align: 2MiB
    size: 8GiB                       # ../../unit/logs/four-devdax-5.10.log:2, the roundest raw size that logs so many
  - name: bind1                      # ../../unit/logs/four-devdax-5.10.log:3, 2063872 struct pages; mode, map and align are not in a log
    mode: fsdax
    align: 2MiB
    size: 8GiB                       # ../../unit/logs/four-devdax-5.10.log:3, the roundest raw size that logs so many
  - name: bind2                      # ../../unit/logs/four-devdax-5.10.log:4, 2063872 struct pages; mode, map and align are not in a log
    mode: fsdax
    align: 2MiB
    size: 8GiB                       # ../../unit/logs/four-devdax-5.10.log:4, the roundest raw size that logs so many
  - name: bind3                      # ../../unit/logs/four-devdax-5.10.log:5, 2063872 struct pages; mode, map and align are not in a log
    mode: fsdax
    align: 2MiB
    size: 8GiB                       # ../../unit/logs/four-devdax-5.10.log:5, the roundest raw size that logs so many
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
$ tests/cli/import/show dmesg-deltas.txt
+ Imported from dmesg-deltas.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
  nodes:
    - id: 0
    - id: 1
    - id: 3
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# Kata: a log in a log.
$ tests/cli/import/show ../../unit/logs/kata.log
+ Imported from ../../unit/logs/kata.log.
+ a rebind in a log looks like another device (ndctl list -NRv tells what there is)
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: bind0                      # ../../unit/logs/kata.log:1, 32768 struct pages; mode, map and align are not in a log
    mode: fsdax
    map: mem
    align: 2MiB
    size: 128MiB                     # ../../unit/logs/kata.log:1, the roundest raw size that logs so many
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# 128512 hugepages asked for, 128074 got.
$ tests/cli/import/show dmesg-short.txt
dmesg-short.txt:2: warning: the kernel had room for 128074 of 128512 hugepages of 2MiB
+ Imported from dmesg-short.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
hugepages:
  - size: 2MiB                       # dmesg-short.txt:1
    count: 128074                    # dmesg-short.txt:3, what came
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# QubesOS/qubes-issues#7956 and other hot-plug that was refused.
$ tests/cli/import/show dmesg-balloon.txt
dmesg-balloon.txt:1: warning: xen-balloon found no free block of order 9 for a section's memmap, took base pages instead, or failed: memmap_on_memory avoids it
dmesg-balloon.txt:2: warning: memory at 0x140100000 was not added: not whole memory blocks (of 128MiB)
dmesg-balloon.txt:3: warning: pages from PFN 0xfdd00 were not added: not whole subsections of 2MiB
+ Imported from dmesg-balloon.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# All of it in one paste: a prompt's lines, JSON, a log, buddyinfo. DMA: 3 blocks of order 10, 1 of 9; Normal: 587, 3.
$ memmapctl probe --import tests/cli/import/paste.txt | sed 's/^#/+/'
+ Imported from tests/cli/import/paste.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64
  # unknown: host.struct_page_size: taken as 64 (BTF has it: memmapctl probe on the machine)
  memory: 64GiB                      # tests/cli/import/paste.txt:6, blocks that are online
  cpus: 48                           # tests/cli/import/paste.txt:25
  kernel:
    release: "6.12.117+deb13-amd64"  # tests/cli/import/paste.txt:10
    # unknown: host.kernel.deferred_struct_page_init: taken as built in (a log with "deferred pages initialised")
    init_on_alloc: false             # tests/cli/import/paste.txt:24
  # unknown: host.hvo.supported: taken as supported, and off (the kernel command line, or a log's "HugeTLB:" lines)
  nodes:
    - id: 0
      memory: 64GiB
      free: 2472072KiB
      free_order9: 1184
hugepages:
  - size: 1GiB                       # tests/cli/import/paste.txt:2
    count: 8
namespaces:
  - name: pmem0                      # tests/cli/import/paste.txt:15, namespace0.0
    mode: fsdax
    align: 2MiB
    size: 4GiB                       # tests/cli/import/paste.txt:15, raw, the roundest from 4094MiB to 4GiB that leaves what is listed
    # unknown: start: taken as aligned (/proc/iomem as root)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)

# Sources that contradict each other: the first is believed, and it is said.
$ tests/cli/import/show ndctl-115.json conflict-115.json
conflict-115.json:1:1: warning: dax1.0: another map than in ndctl-115.json:2: that one is taken
+ Imported from ndctl-115.json, conflict-115.json.
memmapctl: 1
host:
  name: imported
  arch: x86_64                       # not known, taken as this (uname -m)
+ unknown: hugepages: taken as none (the kernel command line, or a log's "HugeTLB: registered" lines)
namespaces:
  - name: dax1.0                     # ndctl-115.json:2, namespace1.0
    mode: devdax
    map: mem
    align: 2MiB
    size: 4GiB                       # ndctl-115.json:2, raw, of what is left to use
    # unknown: start: taken as aligned (/proc/iomem as root)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
$ tests/cli/import/show dmesg-other.txt dmesg-500.txt ndctl-115.json lsmem-x86.json cmdline-939.txt
dmesg-500.txt:1: warning: kernel 6.12.117+deb13-amd64 here, 6.1.0-57-amd64 before: the first is taken
dmesg-other.txt:2: warning: RAM is 8.000 GiB here, 16 GiB by lsmem: the latter is taken
dmesg-500.txt:7: warning: RAM is 512.0 GiB here, 16 GiB by lsmem: the latter is taken
dmesg-500.txt:4: warning: memory blocks are of 2GiB here, of 128MiB before: the latter is taken
cmdline-939.txt:1:1: warning: another command line: that of dmesg-500.txt:2 is taken
dmesg-other.txt:3: warning: 262144 struct pages were initialised, and no device listed has so many
imported: 500 hugepages of 1GiB do not fit in 16GiB of RAM
+ Imported from dmesg-other.txt, dmesg-500.txt, ndctl-115.json, lsmem-x86.json, cmdline-939.txt.
memmapctl: 1
host:
  name: imported
  arch: x86_64
  memory: 16GiB                      # lsmem-x86.json:3, blocks that are online
  kernel:
    release: "6.1.0-57-amd64"        # dmesg-other.txt:1
  hvo:
    supported: true                  # dmesg-500.txt:9
    enabled: true                    # dmesg-500.txt:2
  nodes:
    - id: 0
    - id: 1
hugepages:
  - size: 1GiB                       # dmesg-500.txt:2
    count: 500
namespaces:
  - name: dax1.0                     # ndctl-115.json:2, namespace1.0
    mode: devdax
    map: mem
    align: 2MiB
    size: 4GiB                       # ndctl-115.json:2, raw, of what is left to use
    # unknown: start: taken as aligned (/proc/iomem as root)
+ unknown: devices: taken as none (a log with the GPU driver's lines, cxl list -Rv)
? 2

# A quiet import leaves out warnings, not mistakes.
$ memmapctl probe -q --import tests/cli/import/cmdline-mistakes.txt -o $TMP/quiet.yaml
$ memmapctl probe -q --import tests/cli/import/truncated.json
tests/cli/import/truncated.json:6:1: not JSON: unexpected end of data
? 2

# JSON with a mistake, with its line and column; also in the middle of a text.
$ memmapctl probe --import tests/cli/import/truncated.json
tests/cli/import/truncated.json:6:1: not JSON: unexpected end of data
? 2
$ memmapctl probe --import tests/cli/import/not-a-size.json tests/cli/import/not-a-mode.json tests/cli/import/units-disagree.json
tests/cli/import/not-a-size.json:5:12: [0].size: "much" is not a size: a number of bytes or "124.03 GiB (133.18 GB)" belongs here
tests/cli/import/not-a-mode.json:3:10: .mode: mode "fsdaks" is not one of ndctl's: fsdax, devdax, sector, raw
tests/cli/import/units-disagree.json:4:10: .size: "124.03 GiB (133.90 GB)" is not a size: a number of bytes or "124.03 GiB (133.18 GB)" belongs here
? 2
$ sed 's/"node":"0"/"node":/' tests/cli/import/paste.txt | memmapctl probe --import -
<stdin>:6:108: not JSON: unexpected character
? 2

# Nothing to list is something; what is not known is not; a file that is not there.
$ echo '[]' | memmapctl probe --import - | grep namespaces | sed 's/^#/+/'
+ unknown: namespaces: taken as none (ndctl list -NRv, daxctl list)
$ memmapctl probe --import tests/cli/import/unknown.txt
tests/cli/import/unknown.txt: nothing in it that is known: ndctl, daxctl or cxl list, lsmem -J, a kernel command line, a kernel log and /proc/buddyinfo are
? 2
$ memmapctl probe --import tests/cli/import/nowhere.txt
tests/cli/import/nowhere.txt: cannot read: No such file or directory
? 2
$ memmapctl probe --import
memmapctl probe: name what to read, and no other host: memmapctl probe --import FILE...
Try `memmapctl probe --help' or `memmapctl probe --usage' for more
information.
? 2
$ memmapctl probe tests/cli/import/paste.txt
memmapctl probe: probe takes files after --import only; for a saved host: --sysroot tests/cli/import/paste.txt
Try `memmapctl probe --help' or `memmapctl probe --usage' for more
information.
? 2
$ memmapctl probe --import tests/cli/import/paste.txt -f table
memmapctl probe: --format: probe --import has yaml (the default) and json
Try `memmapctl probe --help' or `memmapctl probe --usage' for more
information.
? 2

# JSON: what nothing told is null.
$ memmapctl probe --import tests/cli/import/paste.txt -f json | jq -c '.schema, .host.cpus, .host.struct_page_size, .namespaces[0], .notes'
"memmapctl.host/1"
48
null
{"name":"pmem0","mode":"fsdax","map":"dev","align":2097152,"size":4294967296,"usable":null,"start":null,"node":null}
[]

# What is imported is a description.
$ memmapctl probe --import tests/cli/import/dmesg-500.txt tests/cli/import/ndctl-115.json | memmapctl check -
<stdin>: ok: imported, 1 namespace, 1 hugepage pool
