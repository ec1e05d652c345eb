# predict: the published scenarios' geometry (facts of the kernels, not figures of this program), windows and exit
# status, several hosts, mistakes, profiles, --explain. predict/round.yaml has costs to be worked out by hand.

# 100 GiB: 26214400 struct pages; map=dev leaves 25804288 and 410110 of the altmap; a quarter of devdax 2M map=mem.
$ memmapctl predict configs/hosts/zone-device-template.yaml -p tests/cli/predict/round.yaml -f json | jq -c '.schema, (.hosts[].hotplug[] | [.device, .struct_pages, .struct_pages_initialized, .struct_pages_altmap, .usable, .memmap_location])'
"memmapctl.forecast/1"
["pmem0",26214400,25804288,410110,105694363648,"device"]
["dax0.0",26214400,25804288,410110,105694363648,"device"]
["dax1.0",26214400,6553600,0,107372085248,"ram"]

# The memmap of 100 GiB is 1600 MiB, wherever it is.
$ memmapctl predict configs/hosts/zone-device-template.yaml -p tests/cli/predict/round.yaml -f json | jq -c '.hosts[].hotplug[0] | [.memmap_bytes, .memmap_ram_bytes, .memmap_device_bytes]'
[1677721600,0,1677721600]

# The optimised memmap is 400 MiB of 1600, with a table for each of 800 sections.
$ memmapctl predict configs/hosts/zone-device-template.yaml -p tests/cli/predict/round.yaml -f json | jq -c '.hosts[].hotplug[2] | [.memmap_bytes, .memmap_saved_bytes, .page_table_bytes, .sections]'
[419430400,1258291200,3276800,800]

# arm64 maps hot-added memory by base pages: with 64K pages a table for each 512 MiB, 192 of them. The vmemmap of 96 MiB
# needs one table, which is counted apart.
$ memmapctl predict configs/hosts/coherent-gpu-node.yaml -f json | jq -c '.hosts[].hotplug[] | [.size, .page_table_bytes, .direct_map_table_bytes]'
[103079215104,65536,12582912]

# Times follow: 25804288 struct pages at 10 ns, half of that with template-nt; nothing is known of template.
$ memmapctl predict configs/hosts/zone-device-template.yaml -p tests/cli/predict/round.yaml --path all -f json | jq -c '.hosts[] | .boot.path, [.paths[].path], (.hotplug[] | select(.device == "pmem0") | [.path, (.stages[] | select(.stage == "memmap_init").ms.mid)])'
"baseline"
["baseline","template","template-nt"]
["baseline",258.043]
["template",0]
["template-nt",129.021]

# A 1G page has 262144 struct pages; HVO leaves 64 of them to initialise: 262080 saved, and 16380 KiB. (The published
# text says 262081: it counts 63 tails and forgets the head.)
$ memmapctl predict configs/hosts/hvo-skip-tail-init.yaml -p tests/cli/predict/round.yaml -f json | jq -c '.hosts[].hugepages[] | [.struct_pages_per_hugepage, .struct_pages_initialized_per_hugepage, .struct_pages_saved_by_hvo, .saved_bytes / .count]'
[262144,64,262080,16773120]
$ memmapctl predict configs/hosts/hvo-skip-tail-init-hvo-off.yaml -p tests/cli/predict/round.yaml -f json | jq -c '.hosts[].hugepages[] | [.struct_pages_initialized_per_hugepage, .struct_pages_saved_by_hvo, .saveable_bytes / .count]'
[262144,0,16773120]

# arm64 has no HVO.
$ memmapctl predict configs/hosts/hugetlb-bootmem-template.yaml -p tests/cli/predict/round.yaml -f json | jq -c '.hosts[].hugepages[] | [.count, .struct_pages_initialized_per_hugepage, .saveable_bytes]'
[64,262144,0]

# What if the host ran 6.1: every struct page of a boot-time 1G page is written twice, with HVO or without.
$ memmapctl predict configs/hosts/hvo-skip-tail-init.yaml -p tests/cli/predict/round.yaml --kernel 6.1.0-53-amd64 -f json | jq -c '.hosts[] | .kernel, .hugepages[0].struct_pages_initialized_per_hugepage, .notes[0]'
"6.1.0-53-amd64"
524288
"what if: kernel 6.1.0-53-amd64 instead of 6.7"

# A window that does not fit: exit status 1, and it can be seen at once. 65536 us of struct pages, 80 ms of sections,
# 20 ms for the driver; one of the first touched pages costs 1 us (400 MiB have 102400).
$ memmapctl predict tests/cli/predict/slow.yaml | grep .; exit ${PIPESTATUS[0]}
slow  x86_64, Linux 7.3.4, 64 GiB RAM, 8 CPUs
path baseline, profile round: simulated
HOT-PLUG     166 ms  +-6%  ! 65.5 ms over 100 ms window  1 device rebound
  at first   268 ms  +-5%                                bound after boot
  of each    166 ms  +-6%  ? may miss 170 ms window      worst: dax0.0
...
DEVICE            REBIND  FIRST BIND  WHERE THE REBIND GOES
dax0.0            166 ms  268 ms      add_memory   ########### 48%
  100 GiB devdax  +-6%    +-5%        memmap_init  ######### 40%
  2MiB map=mem                        driver       ### 12%
...
? 1
$ memmapctl predict tests/cli/predict/slow.yaml -f json | jq -c '.hosts[].windows[] | [.name, .limit_ms, .forecast_ms.mid, .fits, .sure]'
["hotplug",100,165.536,false,false]
["per_device",170,165.536,true,false]
$ memmapctl predict tests/cli/predict/slow.yaml -f json >/dev/null
? 1
$ memmapctl predict tests/cli/predict/slow.yaml -f yaml >/dev/null
? 1
$ memmapctl predict tests/cli/predict/slow.yaml -f csv >/dev/null
? 1
$ memmapctl predict tests/cli/predict/fast.yaml >/dev/null

# The biggest lever: with align=1GiB 12800 of 6553600 struct pages are initialised, and 51100 x 8 KiB come back.
$ memmapctl predict tests/cli/predict/slow.yaml | grep -A 3 ^LEVER
LEVER       dax0.0 align=1GiB: hot-plug 100 ms +-8% instead of 166 ms +-6%,
            399.2 MiB of RAM back, 1022 MiB of capacity taken; needs the
            namespace created again and its data moved; its users map it in
            steps of 1GiB
$ memmapctl predict tests/cli/predict/slow.yaml --lever -f json | jq -c '.hosts[].levers[] | select(.ram_saved_bytes > 0) | [.device, .change, .ram_saved_bytes, .new_kernel]'
["dax0.0","align=1GiB",418611200,false]
...

# A saving inside the forecast's error is none: of two fitted costs that differ by less than their intervals the smaller
# one is not named, and neither is anything that takes huge mappings from its users.
$ memmapctl predict configs/hosts/optane-node.yaml | grep -c 'align=4KiB'
0
? 1
$ memmapctl predict configs/hosts/hypervisor-1g-hvo.yaml | grep -A 1 ^LEVER
LEVER       no single change that the forecast knows saves 10 % of the time or
            of the memmaps' RAM
$ memmapctl predict configs/hosts/optane-node.yaml --lever -f json | jq -r '.hosts[].levers[] | select(.change == "align=4KiB") | .effort, .price'
users
needs the namespace created again and its data moved; its users get faults and folios of 4KiB, no huge mappings

# YAML says what JSON says.
$ memmapctl predict tests/cli/predict/slow.yaml -f yaml | grep -A 5 'windows:'
  windows:
  - {name: hotplug, path: baseline, limit_ms: 100, forecast_ms: {mid: 165.536, low: 155.003, high: 176.069}, fits: false, sure: false}
  - {name: per_device, device: dax0.0, path: baseline, limit_ms: 170, forecast_ms: {mid: 165.536, low: 155.003, high: 176.069}, fits: true, sure: false}
  notes: []
$ memmapctl predict tests/cli/predict/fast.yaml -f csv | grep -E '^host|memmap_init'
host,arch,kernel,profile,path,device,count,event,stage,units,unit,mid_ms,low_ms,high_ms,extrapolated
fast,x86_64,7.3.4,round,baseline,gpu,1,bind,memmap_init,32768,struct pages,0.32768,0.294912,0.360448,false

# Several hosts: one row each, the worst first. Notes have no place there and go to standard error.
$ memmapctl predict tests/cli/predict/fast.yaml tests/cli/predict/plain.yaml tests/cli/predict/slow.yaml 2>$TMP/err | grep .; echo "${PIPESTATUS[0]}"; cat $TMP/err
1 of 3 hosts miss a window, 0 more may; some have none
HOST   HOT-PLUG  BOOT     MEMMAP RAM  TIGHTEST WINDOW
slow   166 ms    28.1 ms   1.394 GiB  ! 65.5 ms over 100 ms
       +-6%      +-8%                 hotplug
fast   20.4 ms   28.1 ms   1.002 GiB  ok fits 1 s
       +-10%     +-8%                 hotplug
plain            28.1 ms       1 GiB
                 +-8%
1
tests/cli/predict/plain.yaml: note: kernel release not stated: the rules of Linux 7.3 are used

# Paths side by side, in the page and as rows.
$ memmapctl predict tests/cli/predict/slow.yaml --path all | grep -A 6 ^PATH
PATH               baseline  template      template-nt
rebind all         166 ms    not known     133 ms       x0.80
                   +-6%                    +-7%
first bind of all  268 ms    not known     235 ms       x0.88
                   +-5%                    +-6%
boot               28.1 ms   not known     14.1 ms      x0.50
                   +-8%                    +-8%

# Mistakes: all of them reported, the other hosts printed whole, exit status 2.
$ memmapctl predict tests/cli/predict/fast.yaml tests/cli/predict/broken.yaml tests/cli/predict/lost.yaml no-such-file.yaml -f json 2>$TMP/err | jq -r '.hosts[].name'; echo "${PIPESTATUS[0]}"; cat $TMP/err
fast
2
tests/cli/predict/broken.yaml:3:36: unknown key "memroy"; did you mean "memory"?
tests/cli/predict/broken.yaml:4:17: boot "-1" is negative: write a duration such as 500ms or 2s
memmapctl predict: no profile "no-such-profile" (looked for no-such-profile.yaml in profiles under $MEMMAPCTL_CONFIGS and the program's configs)
tests/cli/predict/lost.yaml: its profile "no-such-profile" cannot be used: see above
no-such-file.yaml: cannot read: No such file or directory
memmapctl predict: 3 of 4 descriptions have mistakes and are left out

# Nothing good: nothing on standard output, and no file.
$ memmapctl predict tests/cli/predict/broken.yaml -f json -o $TMP/none.json 2>/dev/null; echo $?; ls $TMP | grep none
2
? 1

# A folder stands for the descriptions in it; standard input is one.
$ mkdir -p $TMP/fleet/empty; cp tests/cli/predict/{fast,plain,round}.yaml $TMP/fleet; rm $TMP/fleet/round.yaml; memmapctl predict $TMP/fleet -p tests/cli/predict/round.yaml -f json | jq -r '.hosts[].name'
fast
plain
$ memmapctl predict $TMP/fleet/empty 2>&1 | sed "s,$TMP,TMP,"; exit ${PIPESTATUS[0]}
memmapctl predict: TMP/fleet/empty: no *.yaml in this folder
? 2
$ memmapctl predict - -p tests/cli/predict/round.yaml -f json <tests/cli/predict/fast.yaml | jq -c '.hosts[] | [.name, .file]'
["fast","<stdin>"]

# Profiles: the command line's before the description's; one that is not there is said once.
$ memmapctl predict tests/cli/predict/fast.yaml tests/cli/predict/slow.yaml -p nowhere.yaml
nowhere.yaml: cannot read: No such file or directory
? 2

# --explain: facts, formula, rule, cost and its source, for every stage.
$ memmapctl predict tests/cli/predict/slow.yaml --explain | grep -A 8 '^  memmap_init'
  memmap_init  65.5 ms +-10%
    struct pages initialised, outside the hotplug lock
    6,553,600 struct pages (zd-compound) = ceil((M/P)/C) * min(C, 2*K), and C
    for a head in a boot-time section
      kernel  mm/mm_init.c: memmap_init_zone_device -> compound_nr_pages,
              memmap_init_compound
      cost    10.0 ns +-10% a unit, by profile
      source  made up
      time    65.5 ms +-10%
$ memmapctl predict tests/cli/predict/slow.yaml --explain -f json | jq -c '.hosts[].hotplug[].stages[] | select(.stage == "memmap_init").terms[0] | [.page_kind, .units, .cost_ns.mid, .basis, .source, .ms.mid]'
["zd-compound",6553600,10,"profile","made up",65.536]

# Usage.
$ memmapctl predict --path templat
memmapctl predict: --path: unknown path 'templat'; did you mean 'template'?: baseline, template, template-nt, all or kernel (what the description says)
...
? 2
$ memmapctl predict --kernel seven
memmapctl predict: --kernel: 'seven' is not a kernel release (try 6.12 or 7.3.4)
...
? 2
$ memmapctl predict -f openmetrics x.yaml
memmapctl predict: --format: predict has table, json, yaml and csv
...
? 2
$ memmapctl predict -f csv --explain x.yaml
memmapctl predict: --explain and --lever have no columns in CSV: use json or yaml
...
? 2
$ memmapctl predict --help | grep -c 'memmapctl predict gpu-node.yaml'
2

# A description's profile may be a file anywhere.
$ sed "s|\./round.yaml|$PWD/tests/cli/predict/round.yaml|" tests/cli/predict/plain.yaml >$TMP/absolute.yaml; memmapctl predict $TMP/absolute.yaml -f json | jq -r '.hosts[].profile'
round

# The changes that could be made to thousands of namespaces are not tried unasked: it would take hours.
$ { cat tests/cli/predict/plain.yaml; echo namespaces:; seq -f '  - {name: n%g, mode: devdax, size: 1GiB}' 2000; } >$TMP/many.yaml; timeout 60 memmapctl predict $TMP/many.yaml -p tests/cli/predict/round.yaml >$TMP/many.txt; echo $?; grep -A 1 'more than' $TMP/many.txt
0
- with more than 100 namespaces and devices no changes are tried: --lever does,
  and takes its time

# Eight GPUs of 141 GiB need 8 * 2256 MiB for their memmaps, and RAM its own 128 MiB: more than there is.
$ { sed 's/64GiB/8GiB/' tests/cli/predict/plain.yaml; echo 'devices: [{name: gpu, type: private, size: 141GiB, count: 8}]'; } | memmapctl predict - -p generic-x86_64 | grep -E '^MEMORY|memmaps need'
MEMORY      17.75 GiB of RAM holds memmaps (222 %)
- the memmaps need 17.75 GiB of RAM and there are 8 GiB: not all of these

# A stated usable size is of the namespace as it is: changing its map is tried all the same.
$ { cat tests/cli/predict/plain.yaml; echo 'namespaces: [{name: pmem0, mode: fsdax, map: dev, size: 100GiB, usable: 105694363648}]'; } | memmapctl predict - -p tests/cli/predict/round.yaml --lever -f json | jq -c '.hosts[].levers[] | select(.change == "map=mem") | [.device, .device_saved_bytes]'
["pmem0",1677721600]

# A profile without costs of the first touch does not say that a first bind takes no longer.
$ grep -v first_touch tests/cli/predict/round.yaml >$TMP/untouched.yaml; for profile in tests/cli/predict/round.yaml $TMP/untouched.yaml; do memmapctl predict tests/cli/predict/slow.yaml -p $profile | grep -A 1 '^DEVICE'; done
DEVICE            REBIND  FIRST BIND  WHERE THE REBIND GOES
dax0.0            166 ms  268 ms      add_memory   ########### 48%
DEVICE            REBIND  FIRST BIND  WHERE THE REBIND GOES
dax0.0            166 ms  not known   add_memory   ########### 48%

# A path that the profile has no cost of: nothing is said to fit.
$ memmapctl predict tests/cli/predict/slow.yaml -p tests/cli/predict/round.yaml --path template | grep -e HOT-PLUG -e 'of each'; echo "${PIPESTATUS[0]}"
HOT-PLUG    100 ms  +-8%  ! costs missing for 100 ms window  1 device rebound
  of each   100 ms  +-8%  ! costs missing for 170 ms window  worst: dax0.0
1
$ memmapctl predict tests/cli/predict/slow.yaml -p tests/cli/predict/round.yaml --path template -f json | jq -c '.hosts[0] | (.windows[] | [.name, .fits, .sure, .missing_costs]), (.hotplug[0].stages[] | select(.stage == "memmap_init") | .missing_costs)'
["hotplug",false,false,1]
["per_device",false,false,1]
1

# A window without devices is judged in the table as it is in JSON.
$ { cat tests/cli/predict/plain.yaml; echo 'windows: {hotplug: 2s, per_device: 1s}'; } >$TMP/none.yaml; memmapctl predict $TMP/none.yaml -p tests/cli/predict/round.yaml | grep -e HOT-PLUG -e each; memmapctl predict $TMP/none.yaml -p tests/cli/predict/round.yaml -f json | jq -c '.hosts[].windows[] | [.name, .fits]'
HOT-PLUG       0 ms        ok fits 2 s window  0 devices rebound
["hotplug",true]

# An assumption is said once.
$ memmapctl predict configs/hosts/forced-inlining.yaml | grep -i -A 1 release
forced-inlining  x86_64, Linux (release not stated), 64 GiB RAM, 8 CPUs
path baseline, profile generic-x86_64: uncalibrated, orders of magnitude only
--
- kernel release not stated: the rules of Linux 7.3 are used
- profile generic-x86_64 is not calibrated on any machine: times are an order of
