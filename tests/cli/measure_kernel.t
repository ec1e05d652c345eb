# measure --mode kernel: what needs neither privilege nor devices. tests/guest/check-kernel has the rest.
$ memmapctl measure --mode kernel
memmapctl measure: --mode kernel: what to measure is missing: --device NAME (rebind it), --hugepages SIZE=COUNT, --in-kernel-paths, --boot or --recover
? 2
$ memmapctl measure --mode kernel --device dax0.0 --hugepages 2MiB=4
memmapctl measure: --device and --hugepages: one at a time
? 2
$ memmapctl measure --mode kernel host.yaml --boot
memmapctl measure: --mode kernel measures this machine: 'host.yaml' is one argument too many
? 2
$ memmapctl measure --mode kernel --device dax0.0,
memmapctl measure: --device: a name is missing in 'dax0.0'
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
$ memmapctl measure --mode kernel --timing kprobes
memmapctl measure: --timing: unknown source 'kprobes'; did you mean 'kprobe'?: graph, kprobe, dyndbg, clock or auto
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
$ memmapctl measure --mode kernel --cycles 0
memmapctl measure: --cycles: want a whole number from 1 to 100000, found '0'
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
$ memmapctl measure --mode kernel --hugepages 2MiB
memmapctl measure: --hugepages: want SIZE=COUNT or SIZE=COUNT@NODE, such as 2MiB=512 or 1GiB=2@0
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
$ memmapctl measure --mode kernel --hugepages 2MiB=4@x
memmapctl measure: --hugepages: want SIZE=COUNT or SIZE=COUNT@NODE, such as 2MiB=512 or 1GiB=2@0
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
$ memmapctl measure --mode kernel --hvo of
memmapctl measure: --hvo: want off, on or off,on, found 'of'
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
$ memmapctl measure --mode kernel --verify --hugepages 2MiB=4
memmapctl measure: --verify holds rebinds to the kernel's own word: it wants --device NAME, and no --system-ram
? 2
# Nothing is done, to pools neither.
$ memmapctl measure --mode kernel --hugepages 2MiB=4 --hugepages 1GiB=2@1 --hvo off,on --dry-run
2MiB hugepages: would grow the pool by 4 and shrink it again, 7 times with HVO off and on each
1GiB hugepages, node 1: would grow the pool by 2 and shrink it again, 7 times with HVO off and on each
$ memmapctl measure --mode kernel --hugepages 2MiB=4 --cycles 3 --dry-run
2MiB hugepages: would grow the pool by 4 and shrink it again, 3 times
$ memmapctl measure --recover --dry-run
memmapctl measure: --recover and --dry-run: one at a time
? 2
# Saved logs: of whatever machine, so nothing is said of this one.
$ memmapctl measure --mode kernel --boot --log tests/unit/logs/gigantic-7.3.log | sed '/^$/d'
kernel  Linux 7.3.4-amd64, unknown, unknown CPU
timing: kernel log, resolution 4.00 ms
node0
EVENT  STAGE            FIRST  MEDIAN     P95  UNITS  PER UNIT  SHARE
boot   memmap_deferred         712 ms
  boot memmap_deferred: counted in jiffies: each time is true to 4 ms; nodes run
                        side by side; the line does not say how many pages
EVENT  STAGE          FIRST   MEDIAN     P95         UNITS  PER UNIT  SHARE
boot   hugetlb_alloc         60.0 ms           8 hugepages   7.50 ms  #
boot   hugetlb_tails          1.85 s          48 hugepages   38.5 ms  #####
boot   total                  4.50 s
  boot hugetlb_alloc: counted in jiffies: each time is true to 4 ms
  boot hugetlb_tails: from the last "deferred pages initialised" to "Memory:",
                      by their stamps
  boot total: kernel start to /init, by its stamp



$ memmapctl measure --mode kernel --log tests/unit/logs/gpu.log | sed '/^$/d'
tests/unit/logs/gpu.log:2: note: device memory of 32752MiB registered with struct pages
tests/unit/logs/gpu.log:4: note: 0000:01:00.0: device memory of 8GiB registered with struct pages
kernel  Linux unknown, unknown, unknown CPU
timing: kernel log, resolution 4.00 ms
EVENT  STAGE        FIRST   MEDIAN     P95                   UNITS  PER UNIT  SHARE
bind   memmap_init         64.0 ms          8,388,608 struct pages   7.63 ns
  bind memmap_init: counted in jiffies: each time is true to 4 ms; pages as the
                    kernel prints them, the ones really initialised may be fewer
0000:01:00.0
EVENT  STAGE        FIRST   MEDIAN     P95                   UNITS  PER UNIT  SHARE
bind   memmap_init         16.0 ms          2,097,152 struct pages   7.63 ns
  bind memmap_init: counted in jiffies: each time is true to 4 ms; pages as the
                    kernel prints them, the ones really initialised may be fewer



# Less than a jiffy is not nothing, and has no time a page.
$ memmapctl measure --mode kernel --log tests/unit/logs/apu-floor.log --hz 250 | grep 131,072
bind   memmap_init         < 4.00 ms          131,072 struct pages
$ memmapctl measure --mode kernel --log tests/unit/logs/gigantic-6.1.log --hz 250 -f json | jq -c '.mode, .environment.kernel, .environment.resolution_ns, (.runs[] | [.device, .event, .stage, .unit, .units, .samples_ns])'
"kernel"
"6.1.0-57-amd64"
4000000
["node0","boot","memmap_deferred","once",1,[708000000]]
[null,"boot","hugetlb_tails","hugepages",48,[8540200000]]
$ memmapctl measure --mode kernel --log tests/unit/logs/hugepages-short.log -q -f csv | cut -d, -f11-15,23-
event,stage,unit,units,measured_units,first_ns,min_ns,median_ns,mean_ns,stddev_ns,p95_ns,max_ns,median_low_ns,median_high_ns,n
boot,hugetlb_alloc,hugepages,128074,128074,0,712000000,712000000,712000000,0,712000000,712000000,,,1
$ cat tests/unit/logs/kata.log | memmapctl measure --mode kernel --log - | grep memmap_init
bind   memmap_init         12.0 ms          32,768 struct pages    366 ns
  bind memmap_init: counted in jiffies: each time is true to 4 ms; pages as the
$ memmapctl measure --mode kernel --log tests/unit/logs/none.log
memmapctl measure: tests/unit/logs/none.log: No such file or directory
? 2
$ memmapctl measure --mode kernel --log /dev/null
memmapctl measure: /dev/null times no stage of the memory map (0 lines read, 0 of them known)
? 3
# A log with the boot's function trace behind it, or the trace alone: what it times is taken from there.
$ memmapctl measure --mode kernel --log tests/unit/logs/traced-7.2.log -f json | jq -c '.environment.timing_source, (.runs[] | [.stage, .unit, .units, .samples_ns])'
"kernel log, boot-time function trace"
["memmap_deferred","once",1,[48678000]]
["hugetlb_tails","hugepages",2,[112915000]]
["total","once",1,[5975185000]]
$ memmapctl measure --mode kernel --log tests/unit/logs/traced-6.1.log -f json | jq -c '.runs[] | [.stage, .unit, .units, .samples_ns]'
["memmap_deferred","once",1,[80397000]]
["hugetlb_tails","hugepages",2,[28961000]]
["total","once",1,[6555049000]]
$ grep -v '^\[' tests/unit/logs/traced-7.2.log | memmapctl measure --mode kernel --log - -f json | jq -c '.runs[] | [.stage, .samples_ns]'
["memmap_deferred",[48678000]]
# Waiting for a log that does not come can be ended, and leaves no file.
$ mkfifo "$TMP/fifo"; timeout -k 5 --preserve-status -s INT 1 memmapctl measure --mode kernel --log - -o "$TMP/log.json" <>"$TMP/fifo"
? 130
$ ls "$TMP" | grep log
? 1
