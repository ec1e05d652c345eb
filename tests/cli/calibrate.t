# From observations to a profile.
$ memmapctl calibrate -q tests/cli/calibrate/sections.json
memmapctl-profile: 1
name: sections
arch: x86_64
kernel: "7.3.4"
obtained: fitted
provenance: "memmapctl calibrate sections.json --name sections"
residual_pct: 2.92
costs:
  - {stage: add_memory, unit: sections, ns: 1000, low: 983.1, high: 1017, se: 5.774, n: 3, units_min: 100, units_max: 800, source: "fitted: 3 observations of sections"}
fits:
  - {stage: add_memory, n: 3, dof: 2, residual_pct: 2.92}

# As a table, and as JSON.
$ memmapctl calibrate tests/cli/calibrate/sections.json -f table | sed '/^$/d'
sections   fitted; what the costs leave unexplained: 2.9 % of a stage
STAGE       UNIT      PATH  NS A UNIT  90 %           SOURCE
add_memory  sections             1000  983.1 to 1017  fitted: 3 observations of sections
                                       se 5.77
Left unexplained of a stage's time, 90 %: add_memory 2.9 % (of 3)

$ memmapctl calibrate tests/cli/calibrate/sections.json -f json | jq -c '[.schema, .obtained, .costs[0].stage, .costs[0].cost_ns.mid, .costs[0].n]'
["memmapctl.profile/1","fitted","add_memory",1000,3]

# With a prior what was not observed is kept, and says so.
$ memmapctl calibrate -q tests/cli/calibrate/sections.json --prior generic-x86_64 --name mine | grep -E "^name|sections|driver, unit: once" | sed 's/, ns.*prior: true/ ... prior: true/'
name: mine
provenance: "memmapctl calibrate sections.json --prior generic-x86_64 --name mine"
  - {stage: add_memory, unit: sections, ns: 998, low: 980.7, high: 1015, se: 5.936, n: 3, units_min: 100, units_max: 800, source: "fitted: 3 observations of sections; prior generic-x86_64"}
  - {stage: driver, unit: once ... prior: true, source: "prior generic-x86_64: estimate, not observed: probes and uevents of a bind; /4 to x4"}
  - {stage: remove_memory, unit: sections ... prior: true, source: "prior emulated kernels: 0 times the zd-base struct page there (not told apart from the stage's other costs by 11 observations of guest-lab-7.3.4-x86_64-tcg); at least /3 to x3"}

# The profiles that come with the program are what their observations give.
$ configs/profiles/regenerate memmapctl "$TMP/profiles" && diff -r -x regenerate configs/profiles "$TMP/profiles" && echo same
same

# A profile written to a file is one that predict takes.
$ memmapctl calibrate -q tests/cli/calibrate/sections.json --prior generic-x86_64 -o "$TMP/mine.yaml" && memmapctl predict configs/hosts/zone-device-template.yaml --profile "$TMP/mine.yaml" -f json | jq -r '.hosts[0].profile | if type == "object" then .name else . end'
sections

# The reference goes where data goes.
$ memmapctl calibrate --reference -o "$TMP/keys" && grep -c '^ *residual_pct' "$TMP/keys"
1

# Mistakes.
$ memmapctl calibrate
memmapctl calibrate: no observations: name at least one file
Try `memmapctl calibrate --help' or `memmapctl calibrate --usage' for more
information.
? 2

$ memmapctl calibrate --path fast tests/cli/calibrate/sections.json
memmapctl calibrate: --path: unknown path 'fast': baseline, template or template-nt
Try `memmapctl calibrate --help' or `memmapctl calibrate --usage' for more
information.
? 2

$ memmapctl calibrate -f csv tests/cli/calibrate/sections.json
memmapctl calibrate: --format: calibrate has table, json and yaml
Try `memmapctl calibrate --help' or `memmapctl calibrate --usage' for more
information.
? 2

$ memmapctl calibrate no-such.json
no-such.json: No such file or directory
? 2

$ memmapctl calibrate tests/cli/calibrate/sections.json --prior no-such
memmapctl calibrate: no profile "no-such" (looked for no-such.yaml in profiles under $MEMMAPCTL_CONFIGS and the program's configs)
? 2

$ memmapctl calibrate tests/cli/calibrate/sections.json tests/cli/calibrate/emulated.json
memmapctl calibrate: real and emulated observations do not mix: calibrate from one kind, or make a --generic profile
? 2

$ memmapctl calibrate tests/cli/calibrate/sections.json tests/cli/calibrate/arm64.json
memmapctl calibrate: observations of more than one architecture: x86_64 and aarch64
? 2

$ jq '.environment.arch = "aarch64"' tests/cli/calibrate/emulated.json >"$TMP/arm64.json"; memmapctl calibrate tests/cli/calibrate/emulated.json "$TMP/arm64.json"
memmapctl calibrate: observations of more than one architecture: x86_64 and aarch64
? 2

$ memmapctl calibrate tests/cli/calibrate/no-such-device.json
tests/cli/calibrate/no-such-device.json: .runs[0]: ../../../configs/hosts/zone-device-template.yaml has no device "pmem9"
? 2

$ memmapctl calibrate tests/cli/calibrate/total-without-host.json
tests/cli/calibrate/total-without-host.json: .runs[0]: a total needs the host's description to be told apart
? 2

$ memmapctl calibrate tests/cli/calibrate/sections.json --ratios tests/cli/calibrate/sections.json
memmapctl calibrate: tests/cli/calibrate/sections.json: its mode is "guest"; ratios come from `measure --mode simulated`, or `--mode kernel --in-kernel-paths`
? 2

$ memmapctl calibrate tests/cli/calibrate/sections.json --path template
memmapctl calibrate: no observations to fit
? 2

# The work is the geometry's, and a difference to what was stated is told.
$ memmapctl calibrate tests/cli/calibrate/other-units.json --prior generic-x86_64 -f table | grep -E "warning|zd-base  *baseline" | cut -c1-80
tests/cli/calibrate/other-units.json: warning: .runs[0]: states 1000 struct pages, but ../../../configs/hosts/zone-device-template.yaml has 25804288 there; that is taken
memmap_init      struct pages, zd-base      baseline         10.81  10.27 to 11.

# Time that counts instructions is no time: it mixes with none.
$ jq '.environment.instruction_clock = true' tests/cli/calibrate/emulated.json >"$TMP/counted.json"; memmapctl calibrate tests/cli/calibrate/emulated.json "$TMP/counted.json" 2>&1 | sed "s|$TMP/||"
memmapctl calibrate: time that counts instructions and real time do not mix: tests/cli/calibrate/emulated.json and counted.json

$ memmapctl calibrate -q "$TMP/counted.json" -o "$TMP/counted.yaml"; grep -E '^(emulated|instruction_clock)' "$TMP/counted.yaml"; memmapctl validate "$TMP/counted.yaml" tests/cli/calibrate/emulated.json
emulated: true
instruction_clock: true
memmapctl validate: time that counts instructions and real time do not compare: counted and tests/cli/calibrate/emulated.json
? 2

$ memmapctl validate -q "$TMP/counted.yaml" "$TMP/counted.json" | grep EMULATED; memmapctl validate "$TMP/counted.yaml" "$TMP/counted.json" -f json | jq -c '[.rows[].instruction_clock] | unique'
EMULATED (time counts instructions): what it says is how well times carry over, not how long they are.
[true]

$ memmapctl compare tests/cli/calibrate/emulated.json "$TMP/counted.json" 2>&1 | sed "s|$TMP/||" | head -n 1
memmapctl compare: machine differs: keeping real time against counting instructions (--force compares all the same)
