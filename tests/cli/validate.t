# A profile against what it was fitted to, and against what it was not.
$ memmapctl calibrate -q tests/cli/calibrate/sections.json -o "$TMP/p.yaml" && memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/sections.json | sed '/^$/d'
WHAT      STAGE       FORECAST  MEASURED  ERROR
sections  add_memory  100 us     99.0 us  +1.0 %
          baseline    +-3%                inside
sections  add_memory  400 us      400 us  +0.0 %
          baseline    +-3%                inside
sections  add_memory  800 us      808 us  -1.0 %
          baseline    +-3%                inside
3 rows: median error 1.0 %, worst 1.0 %; 100 % of measurements inside the 90 %
interval

$ memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/sections.json -f csv
scenario,what,event,stage,path,profile,forecast_ms,forecast_ms_low,forecast_ms_high,measured_ms,error_pct,inside
,sections,bind,add_memory,baseline,sections,0.1,0.0966282,0.103372,0.099,1.0101,true
,sections,bind,add_memory,baseline,sections,0.4,0.386513,0.413487,0.4,0,true
,sections,bind,add_memory,baseline,sections,0.8,0.773026,0.826974,0.808,-0.990099,true

$ memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/sections.json -f json | jq -c '[.schema, (.rows | length), .rows[2].what, .rows[2].stage, (.rows[2].forecast_ms | keys), .rows[2].measured_ms, .summary.within_interval_pct]'
["memmapctl.validation/1",3,"sections","add_memory",["high","low","mid"],0.808,100]

# The limit decides the exit status.
$ memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/sections.json --max-error 5 >"$TMP/out"

$ memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/sections.json --max-error 0.5% >"$TMP/out"
? 1

# A clock with steps of 4 ms reads 0 of a short stage: no error can be told, and the row does not count as a perfect one.
$ sed 's/400000/0/' tests/cli/calibrate/sections.json >"$TMP/jiffies.json"; memmapctl validate "$TMP/p.yaml" "$TMP/jiffies.json" -f json | jq -c '[.rows[].error_pct], .summary.median_abs_pct'
[1.0101,null,-0.990099]
1.0001

$ memmapctl validate "$TMP/p.yaml" "$TMP/jiffies.json" -f csv | sed -n 3p
,sections,bind,add_memory,baseline,sections,0.4,0.386513,0.413487,0,,false

# A cost that the profile does not have is not forecast as nothing.
$ memmapctl validate "$TMP/p.yaml" configs/observations/published-compound-tail-template.json --max-error 200 >"$TMP/out"
? 1

$ memmapctl validate "$TMP/p.yaml" configs/observations/published-compound-tail-template.json --max-error 200 | tail -n +2 | sed '/^$/d'
dax0.0  memmap_init  0 ms        191 ms  -100.0 %
        baseline                         2 costs missing
1 row: median error 100.0 %, worst 100.0 %; 0 % of measurements inside the 90 %
interval

# The published results: every patched row is forecast, with the profile of the unpatched ones.
$ memmapctl validate --published -f json | jq -c '.rows[] | [.scenario, .what, .stage, .path, .measured_ms, .profile == .scenario, .forecast_ms.mid > 0]'
["zone-device-template","pmem0","memmap_init","template-nt",104.59,true,true]
["zone-device-template","dax0.0","memmap_init","template-nt",116.93,true,true]
["zone-device-template","pmem0","first_touch","template-nt",1167.41,true,true]
["zone-device-template","dax0.0","first_touch","template-nt",1169.07,true,true]
["compound-tail-template","dax0.0","memmap_init","template",176.87,true,true]
["hugetlb-bootmem-template","hugetlb-bootmem-template","hugetlb_tails","template",202.4,true,true]
["hvo-skip-tail-init","hvo-skip-tail-init","total","baseline",1320,true,true]
["hvo-skip-tail-init","hvo-skip-tail-init-hvo-off","total","baseline",2150,true,true]

$ memmapctl validate --published -f json | jq -c '[.summary.rows, .summary.within_interval_pct >= 85]'
[8,true]

# What a model of the memory map cannot say, it does not.
$ memmapctl validate --published | grep -c '^forced-inlining: published are UnixBench scores'
1

# Mistakes.
$ memmapctl validate generic-x86_64
memmapctl validate: name a profile and at least one file of observations, or --published
Try `memmapctl validate --help' or `memmapctl validate --usage' for more
information.
? 2

$ memmapctl validate --published generic-x86_64
memmapctl validate: --published takes no files: profiles and observations are the program's own
Try `memmapctl validate --help' or `memmapctl validate --usage' for more
information.
? 2

$ memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/sections.json --max-error many
memmapctl validate: --max-error: 'many' is not a percentage (try 15)
Try `memmapctl validate --help' or `memmapctl validate --usage' for more
information.
? 2

$ memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/emulated.json
memmapctl validate: emulated times and a machine's do not compare: sections is a machine's, the observations are emulated
? 2

$ memmapctl validate "$TMP/p.yaml" tests/cli/calibrate/sections.json --path template
memmapctl validate: no observations to hold the profile against
? 2
