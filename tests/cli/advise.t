# devdax of 2M pages with its memmap in RAM: align=1GiB first. Of 6553600 struct pages 12800 are left (65.5 ms to 0.128),
# 80 ms of sections and 20 ms of driver stay; 51100 x 8 KiB come back, and 99 of 100 GiB less 2 MiB are usable.
$ sed 's/hotplug: 100ms/hotplug: 101ms/' tests/cli/predict/slow.yaml >"$TMP/slow.yaml"; memmapctl advise "$TMP/slow.yaml" -p tests/cli/predict/round.yaml | sed -n '/^IN RAM/,$p' | grep -v '^$'
IN RAM FOR  dax0.0 100 GiB devdax 2MiB map=mem: 403.1 MiB (0.39 % of its size)
PLAN        The cheapest that meets everything:
            1. dax0.0 align=1GiB: needs the namespace created again and its data
            moved; its users map it in steps of 1GiB
  then      hotplug 100 ms +-8% ? may miss 101 ms window, per_device 100 ms +-8%
            ok fits 170 ms window, 1.004 GiB of RAM in memmaps
BY TIME SAVED
  1. dax0.0 align=1GiB: hot-plug 100 ms +-8% instead of 166 ms +-6%, 399.2 MiB
     of RAM back, 1022 MiB of capacity taken; needs the namespace created again
     and its data moved; its users map it in steps of 1GiB
BY TIME SAVED, WITH ANOTHER KERNEL
  1. memmap_path=template-nt: hot-plug 133 ms +-7% instead of 166 ms +-6%, boot
     14.1 ms +-8% instead of 28.1 ms +-8%; needs a kernel that has this path
BY MEMORY SAVED
  1. dax0.0 map=dev: hot-plug 358 ms +-8% instead of 166 ms +-6%, 403.1 MiB of
     RAM back, 1.562 GiB of capacity taken; needs the namespace created again
     and its data moved
  2. dax0.0 align=1GiB: hot-plug 100 ms +-8% instead of 166 ms +-6%, 399.2 MiB
     of RAM back, 1022 MiB of capacity taken; needs the namespace created again
     and its data moved; its users map it in steps of 1GiB
3 more tried that save next to nothing, or nothing more (-v lists them)

$ memmapctl advise "$TMP/slow.yaml" -p tests/cli/predict/round.yaml -f json | jq -c '[.plan.changes[].change], .plan.hotplug_ms.mid, (.plan.windows[] | [.name, .fits])'
["align=1GiB"]
100.128
["hotplug",true]
["per_device",true]

$ memmapctl advise configs/hosts/devdax-map-mem.yaml -f json | jq '.hotplug_ms.mid > 2 * .changes[0].hotplug_ms.mid'
true

$ memmapctl advise configs/hosts/devdax-map-mem.yaml -f json | jq -c '.schema, .plan.meets_all, .plan.exhaustive, .plan.effort, (.changes[0] | [.device, .change, .effort, .ram_saved_bytes, .usable_gained_bytes, .windows_fit])'
"memmapctl.advice/1"
true
true
{"none":0,"reboot":0,"recreate":1,"users":0,"kernel":0}
["dax0.0","align=1GiB","recreate",418611200,-1071644672,true]

$ memmapctl advise configs/hosts/devdax-map-mem.yaml -f yaml | grep -A 2 '^  changes:'
  changes:
  - {device: dax0.0, change: "align=1GiB", effort: recreate, price: "needs the namespace created again and its data moved; its users map it in steps of 1GiB"}
  effort: {none: 0, reboot: 0, recreate: 1, users: 0, kernel: 0}

# A hypervisor without HVO: 1400 x 16380 KiB of struct pages.
$ memmapctl advise configs/hosts/hypervisor-1g-no-hvo.yaml | grep -o '^BY.*\|^  1[^:]*'
BY TIME SAVED
  1. hugetlb_free_vmemmap=on
BY TIME SAVED, WITH ANOTHER KERNEL
  1. memmap_path=template-nt
BY MEMORY SAVED
  1. hugetlb_free_vmemmap=on

$ memmapctl advise configs/hosts/hypervisor-1g-no-hvo.yaml --max-ram 8GiB -f json | jq -c '[.plan.changes[] | [.change, .effort]], .plan.memmap_ram_bytes, (.changes[.by_ram_saved[0]].ram_saved_bytes == 1400 * 16380 * 1024)'
[["hugetlb_free_vmemmap=on","reboot"]]
2287435776
true

# Eight GPUs of 141 GiB: 64 bytes for each 4 KiB, 17.6 GiB of DRAM.
$ memmapctl advise configs/hosts/gpu-8x-node.yaml | grep '^IN RAM'
IN RAM FOR  gpu 8 x 141 GiB private: 17.62 GiB (1.6 % of its size)

$ memmapctl advise configs/hosts/gpu-8x-node.yaml -f json | jq -c '.devices[] | [.device, .count, .ram_bytes], .ram_bytes * 64 / .size_bytes'
["gpu",8,18924699648]
1

# None does: the nearest, and exit status 1.
$ memmapctl advise configs/hosts/gpu-pmem-node.yaml | grep -A 1 ^PLAN; exit ${PIPESTATUS[0]}
PLAN        No combination of changes meets everything. The nearest is:
            1. 10 devices at once: needs binds started side by side, and memory
? 1

$ memmapctl advise configs/hosts/gpu-pmem-node.yaml -f json | jq -c '[.plan.meets_all, .plan.exhaustive, .plan.hotplug_ms.mid < .hotplug_ms.mid]'
[false,true,true]

# Capacity that has to be left: 1 GiB pages take 1022 MiB of it, so a kernel with another path it is.
$ sed 's/hotplug: 100ms/hotplug: 140ms/' tests/cli/predict/slow.yaml >"$TMP/slow.yaml"; memmapctl advise "$TMP/slow.yaml" -p tests/cli/predict/round.yaml --want-usable dax0.0=99.5GiB -f json | jq -c '[.plan.changes[] | [.change, .effort]], .plan.hotplug_ms.mid'
[["memmap_path=template-nt","kernel"]]
132.768

$ memmapctl advise "$TMP/slow.yaml" -p tests/cli/predict/round.yaml --want-usable 200GiB | sed -n '/^PLAN/,/^BY/p' | grep usable; exit ${PIPESTATUS[0]}
            GiB usable of 200 GiB wanted
? 1

# Nothing to do.
$ memmapctl advise configs/hosts/gpu-8x-node.yaml | grep ^PLAN
PLAN        everything is met as it is: nothing has to be changed

$ memmapctl advise configs/hosts/compound-tail-template.yaml | grep ^PLAN
PLAN        no window and no limit is stated: nothing to meet

# A saving that may be none says so; -v lists them all.
$ memmapctl advise configs/hosts/optane-node.yaml | grep -c 'so small a saving'
1

$ memmapctl advise configs/hosts/optane-node.yaml | grep -c '^ *[0-9]*\. '; memmapctl advise configs/hosts/optane-node.yaml -v | grep -c '^ *[0-9]*\. '
5
7

# Mistakes and usage.
$ memmapctl advise configs/hosts/optane-node.yaml --want-usable pmem7=1GiB
memmapctl advise: --want-usable: optane-node has no namespace "pmem7"
? 2

$ memmapctl advise configs/hosts/optane-node.yaml --want-usable pmem0=lots
memmapctl advise: --want-usable: 'pmem0=lots' is not a size, with or without a namespace before it (try 98GiB or dax0.0=98GiB)
Try `memmapctl advise --help' or `memmapctl advise --usage' for more
information.
? 2

$ memmapctl advise configs/hosts/optane-node.yaml --max-ram -1
memmapctl advise: --max-ram: '-1' is not a size (try 8GiB)
Try `memmapctl advise --help' or `memmapctl advise --usage' for more
information.
? 2

$ memmapctl advise
memmapctl advise: name a host description: memmapctl advise HOST.yaml
Try `memmapctl advise --help' or `memmapctl advise --usage' for more
information.
? 2

$ memmapctl advise a.yaml b.yaml
memmapctl advise: one host description at a time
Try `memmapctl advise --help' or `memmapctl advise --usage' for more
information.
? 2

$ memmapctl advise -f csv a.yaml
memmapctl advise: --format: advise has table, json and yaml
Try `memmapctl advise --help' or `memmapctl advise --usage' for more
information.
? 2

$ memmapctl advise no/such.yaml
no/such.yaml: cannot read: No such file or directory
? 2

$ memmapctl advise tests/cli/predict/broken.yaml
tests/cli/predict/broken.yaml:3:36: unknown key "memroy"; did you mean "memory"?
tests/cli/predict/broken.yaml:4:17: boot "-1" is negative: write a duration such as 500ms or 2s
? 2

$ memmapctl advise --help | grep -c 'memmapctl advise '
4
