# measure --mode simulated: options and their mistakes.
$ memmapctl measure
memmapctl measure: --mode is missing: simulated, kernel or guest
? 2
$ memmapctl measure --mode simulatde
memmapctl measure: --mode: unknown mode 'simulatde'; did you mean 'simulated'?: simulated, kernel or guest
...
? 2
$ memmapctl measure --mode simulated --kind zd-bsae
memmapctl measure: --kind: unknown name 'zd-bsae'; did you mean 'zd-base'?
...
? 2
$ memmapctl measure --mode simulated --path fast
memmapctl measure: --path: unknown name 'fast' (--list shows all)
...
? 2
$ memmapctl measure --mode simulated --codegen default,outofline
memmapctl measure: --codegen: unknown name 'outofline'; did you mean 'out-of-line'?
...
? 2
$ memmapctl measure --mode simulated --routine feilds
memmapctl measure: --routine: unknown routine 'feilds'; did you mean 'fields'?
...
? 2
$ memmapctl measure --mode simulated --order 10
memmapctl measure: --order: want 9 (2 MiB) or 18 (1 GiB), found '10'
...
? 2
$ memmapctl measure --mode simulated --kernel-version 5.4
memmapctl measure: --kernel-version: want one of 6.1, 6.12, 7.3, found '5.4'
...
? 2
$ memmapctl measure --mode simulated --reps 0
memmapctl measure: --reps: want a whole number from 1 to 100000, found '0'
...
? 2
$ memmapctl measure --mode simulated --pages 1.5
memmapctl measure: --pages: want a whole number from 1 to 18446744073709551615, found '1.5'
...
? 2
$ memmapctl measure --mode simulated --size 100Gib
memmapctl measure: --size: want a size such as 100GiB, found '100Gib'
...
? 2
$ memmapctl measure --mode simulated --size 16EiB
memmapctl measure: --size: want a size such as 100GiB, found '16EiB'
...
? 2
$ memmapctl measure --mode simulated --size 16384PiB
memmapctl measure: --size: '16384PiB' is 2^64 bytes or more
...
? 2
$ memmapctl measure --mode simulated --size 10000
memmapctl measure: --size: 10000 is not a whole number of 4 KiB pages
...
? 2
$ memmapctl measure --mode simulated --size 1G --pages 7
memmapctl measure: --pages and --size: give one of them, once
...
? 2
$ memmapctl measure --mode simulated --pages 100
memmapctl measure: 100 struct pages are too few: a compound page has 512
? 2
$ memmapctl measure --mode simulated --kind zd-base --routine fields-split 2>/dev/null
? 2
$ memmapctl measure --mode simulated --kind zd-base --routine fields-split 2>&1 | grep -v last-level
memmapctl measure: no routine is left to run: --kind, --path, --routine and --codegen exclude each other (--list shows what there is)
$ memmapctl measure --mode simulated --cpu 8000 2>&1 | cut -d '(' -f 1
memmapctl measure: --cpu 8000: not a CPU this program may run on 
$ memmapctl measure --mode simulated --cpu 8000 2>/dev/null
? 3
$ memmapctl measure --mode simulated --memory 1K --pages 1024
memmapctl measure: 1 KiB of memory is too little: want at least 32 KiB
? 3
$ memmapctl measure --mode simulated --memory 1000T --size 1000P 2>/dev/null
? 3
$ memmapctl measure --mode simulated -f openmetrics
memmapctl measure: --format: measure has table, json, yaml and csv
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
$ memmapctl measure --mode simulated no/such/host.yaml
no/such/host.yaml: cannot read: No such file or directory
? 2

# JSON: what scripts depend on.
$ memmapctl measure --mode simulated --pages 65536 --reps 3 -q -f json -o "$TMP/m.json" 2>/dev/null
$ jq -c '[.schema, .mode, .incomplete, .environment.timing_source, .environment.simulated_version]' "$TMP/m.json"
["memmapctl.observations/1","simulated",false,"CLOCK_MONOTONIC_RAW","7.3"]
$ jq '[.runs[] | .verified] | all' "$TMP/m.json"
true
$ jq -c '[.runs[].page_kind] | unique' "$TMP/m.json"
["hugetlb","ordinary","zd-base","zd-compound"]
$ jq -c '[.runs[].samples_ns | length] | unique' "$TMP/m.json"
[3]
$ jq '[.runs[] | .samples_ns[] > 0 and .summary.min_ns <= .summary.median_ns] | all' "$TMP/m.json"
true
$ jq '[.runs[] | select(.window == "memory") | .units] | unique | .[]' "$TMP/m.json"
65536
$ jq -c '.runs[] | select(.page_kind == "zd-base" and .routine == "fields" and .window == "memory") | [.path, .codegen, .event, .stage, .unit, .threads, .measured_units]' "$TMP/m.json"
["baseline","default","bind","memmap_init","struct pages",1,65536]
$ jq -c '[.runs[] | select(.page_kind == "hugetlb" or .page_kind == "ordinary") | .stage] | unique' "$TMP/m.json"
["hugetlb_tails","memmap_deferred"]
$ jq '.limits.store_gbps > 0 and .environment.resolution_ns > 0 and .harness_ns_per_call > 0' "$TMP/m.json"
true

# An emulated program knows that it is.
$ [ -z "${EMULATOR:-}" ] || jq .environment.emulated "$TMP/m.json" | grep -qx true

# A memmap that is larger than the memory it may use runs through a window and says so.
$ memmapctl measure --mode simulated --size 1GiB --memory 1MiB --kind zd-base --path baseline --reps 1 -q -f json 2>/dev/null | jq -c '.runs[] | select(.window == "memory") | [.units, .measured_units]'
[262144,16384]
$ memmapctl measure --mode simulated --size 1GiB --memory 1MiB --kind zd-base --path baseline --reps 1 -q 2>/dev/null | grep window
262,144 struct pages (16 MiB) run through a window of 1 MiB

# Other forms.
$ memmapctl measure --mode simulated --pages 4096 --kind zd-base --path baseline --reps 1 -q -f csv 2>/dev/null | cut -d, -f1-4,6 | grep -v cache
path,page_kind,routine,codegen,window
baseline,zd-base,fields,default,memory
$ memmapctl measure --mode simulated --pages 4096 --kind zd-base --path baseline --reps 2 -q 2>/dev/null | grep -c -e '^baseline *fields .*1.00x' -e '^fields wins' -e '^ceiling'
3
$ memmapctl measure --mode simulated --pages 4096 --kind zd-base --routine fields --codegen default,out-of-line --reps 1 -q 2>/dev/null | grep -c -e '^builds of the same source, against default' -e '^machine code'
2
$ memmapctl measure --list | grep -A1 '^  fields '
  fields             baseline     field by field, as the stock kernel does
                                  zd-base zd-compound hugetlb ordinary

# From a description: as many struct pages as the largest device has, as its kernel writes them.
$ memmapctl measure --mode simulated configs/hosts/zone-device-template.yaml --memory 1M --kind zd-base --path baseline --reps 1 -f json 2>/dev/null | jq -c '[.runs[0].units, .environment.simulated_version]'
[26214400,"6.12"]
$ memmapctl measure --mode simulated configs/hosts/zone-device-template.yaml --pages 4096 --kind zd-base --path baseline --reps 1 -f json 2>/dev/null | jq .runs[0].units
4096

# Interrupted: what was measured until then is written, marked incomplete.
$ timeout --preserve-status -s INT 4 memmapctl measure --mode simulated --pages 65536 --kind zd-base --path baseline --reps 100000 -f json -o "$TMP/i.json" 2>&1 | grep -v -e busy -e last-level
memmapctl measure: stopped; what was measured until then follows
$ timeout --preserve-status -s TERM 4 memmapctl measure --mode simulated --pages 65536 --kind zd-base --path baseline --reps 100000 -f json -o "$TMP/t.json" 2>/dev/null
? 4
$ jq '.incomplete and (.runs | length) > 0 and all(.runs[]; .verified and (.samples_ns | length) > 0)' "$TMP/i.json" "$TMP/t.json"
true
true

# Where the result cannot be written, the machine is not kept busy first: this would take hours.
$ timeout 20 memmapctl measure --mode simulated --pages 65536 --reps 100000 -o no-such-folder/m.json
memmapctl: cannot write no-such-folder/m.json: No such file or directory
? 2

# A signal that comes twice, as from timeout(1) and its process group, is one.
$ memmapctl measure --mode simulated --pages 2097152 --kind zd-base --path baseline --reps 100000 -q -f json -o "$TMP/twice.json" 2>/dev/null & sleep 4; for i in 1 2 3; do kill -TERM $!; sleep 0.002; done 2>/dev/null; wait $!; echo $?; jq .incomplete "$TMP/twice.json"
4
true

# JSON and YAML are the same document.
$ memmapctl measure --mode simulated --pages 4096 --kind zd-base --path baseline --reps 1 -q -f yaml 2>/dev/null | /usr/bin/python3 -c 'import json, sys, yaml; d = yaml.safe_load(sys.stdin); print(d["schema"], d["mode"], d["runs"][0]["units"], d["runs"][0]["summary"]["n"])'
memmapctl.observations/1 simulated 4096 1
