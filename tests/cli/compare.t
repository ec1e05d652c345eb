# Two kernels on one machine: first binds and rebinds apart, an interval for what was measured 30 times, none for once.
$ memmapctl compare tests/cli/compare/base.json tests/cli/compare/patched.json | sed '/^$/d'
A  tests/cli/compare/base.json: Linux 7.3.4, path baseline, mode kernel, made up
B  tests/cli/compare/patched.json: Linux 7.3.4 with the series, path template-nt, mode kernel, made up
WHAT                                STAGE                    SAMPLES        A        B   CHANGE  95 %                  P  SHOWS FROM  VERDICT
dax0.0 100 GiB devdax 2MiB map=dev  memmap_init, rebind      n=30      314 ms   117 ms  -62.7 %  -62.9 .. -62.4  <0.0001       1.6 %  faster
                                    memmap_init, first bind  n=1       1.51 s   1.29 s  -15.1 %                                       one sample, no interval
                                    add_memory, rebind       n=30     79.9 ms  80.0 ms  +0.08 %  -0.39 .. +0.68     0.57       1.4 %  no change shown
                                    remove_memory            n=30     89.5 ms  90.9 ms   +1.6 %  -2.7 .. +5.0       0.39       9.4 %  no change shown
4 rows: 1 faster, 0 slower, 2 without a change shown, 1 that cannot tell
A and B are medians; 95 % is the bootstrap interval of their ratio; P is the
rank test's, corrected (Holm) for 3 rows; a change is called one at 0.01 or
less. SHOWS FROM: a change so large would have shown in 95 of 100 such
measurements.

# To be pasted into a patch mail.
$ memmapctl compare tests/cli/compare/base.json tests/cli/compare/patched.json -f markdown | sed '/^$/d'
| device | stage | base | patched | change (95 % CI) |
|:--|:--|--:|--:|:--|
| dax0.0 100 GiB devdax 2MiB map=dev | memmap_init, rebind (n=30) | 314.0 ms | 117.2 ms | **-62.7 %** (-62.9 .. -62.4) |
| | memmap_init, first bind (n=1) | 1515 ms | 1286 ms | -15.1 % (one sample, no interval) |
| | add_memory, rebind (n=30) | 79.89 ms | 79.95 ms | +0.08 % (-0.39 .. +0.68) |
| | remove_memory (n=30) | 89.51 ms | 90.95 ms | +1.6 % (-2.7 .. +5.0) |
base: Linux 7.3.4, path baseline; patched: Linux 7.3.4 with the series, path template-nt; made up, mode kernel, timed by function_graph, +-100 ns.
Medians; interval: 95 %, bootstrap of the ratio. Bold: rank test with Holm's correction over 3 rows, p <= 0.01.

# The other way around it is a regression, of 168 %.
$ memmapctl compare tests/cli/compare/patched.json tests/cli/compare/base.json --fail-on-regression 100 >"$TMP/out"
? 1

$ memmapctl compare tests/cli/compare/patched.json tests/cli/compare/base.json --fail-on-regression 200% >"$TMP/out"

$ memmapctl compare tests/cli/compare/base.json tests/cli/compare/patched.json --fail-on-regression 0 >"$TMP/out"

# With itself nothing is found; the same files give the same figures.
$ memmapctl compare tests/cli/compare/base.json tests/cli/compare/base.json -f json | jq -c '[.rows[].verdict]'
["no-change","one-sample","no-change","no-change"]

$ memmapctl compare tests/cli/compare/base.json tests/cli/compare/patched.json -f json >"$TMP/1"; memmapctl compare tests/cli/compare/base.json tests/cli/compare/patched.json -f json | cmp - "$TMP/1"

# The published result: 273.52 against 104.59 ms and 313.45 against 116.93 ms, first binds 1486/1272 and 1515/1286 ms.
$ memmapctl compare configs/observations/published-zone-device-template{,-patched}.json -f csv
device,event,first,stage,page_kind,path_a,path_b,routine,codegen,window,n_a,n_b,median_a_ms,median_b_ms,ratio,ratio_low,ratio_high,p,p_holm,detectable_pct,verdict
pmem0,bind,false,memmap_init,zd-base,baseline,template-nt,,,memory,1,1,273.52,104.59,0.382385,,,,,,one-sample
pmem0,bind,true,memmap_init,zd-base,baseline,template-nt,,,memory,1,1,1486,1272,0.855989,,,,,,one-sample
dax0.0,bind,false,memmap_init,zd-compound,baseline,template-nt,,,memory,1,1,313.45,116.93,0.373042,,,,,,one-sample
dax0.0,bind,true,memmap_init,zd-compound,baseline,template-nt,,,memory,1,1,1515,1286,0.848845,,,,,,one-sample

# JSON: an interval where there is one.
$ memmapctl compare tests/cli/compare/base.json tests/cli/compare/patched.json -f json | jq -c '.schema, .method.correction, .method.nr_tests, (.rows[] | [.device, .stage, .first, .a.n, (.ratio | keys), has("p_holm"), .verdict])'
"memmapctl.comparison/1"
"Holm"
3
["dax0.0","memmap_init",false,30,["high","low","mid"],true,"faster"]
["dax0.0","memmap_init",true,1,["mid"],false,"one-sample"]
["dax0.0","add_memory",false,30,["high","low","mid"],true,"no-change"]
["dax0.0","remove_memory",false,30,["high","low","mid"],true,"no-change"]

$ memmapctl compare tests/cli/compare/base.json tests/cli/compare/patched.json -f yaml | grep -c 'verdict: faster'
1

# What is not comparable is refused, all of it at once, unless told.
$ jq '.environment.cpu = "another" | .environment.emulated = true | del(.runs[].host)' tests/cli/compare/base.json >"$TMP/tcg.json"; memmapctl compare tests/cli/compare/base.json "$TMP/tcg.json"
memmapctl compare: CPU differs: made up against another (--force compares all the same)
memmapctl compare: machine differs: not emulated against emulated (--force compares all the same)
? 2

$ memmapctl compare tests/cli/compare/base.json "$TMP/tcg.json" --force -f markdown | tail -n 2
Note: CPU differs: made up against another.
Note: machine differs: not emulated against emulated.

# The same kernel on another geometry; without descriptions the units tell.
$ cp tests/cli/compare/base.json "$TMP/other.json"; sed 's/align: 2MiB/align: 1GiB/' tests/cli/compare/host.yaml >"$TMP/host.yaml"; memmapctl compare tests/cli/compare/base.json "$TMP/other.json" 2>&1 | head -n 1
memmapctl compare: work differs: dax0.0: 100GiB devdax align=2MiB map=dev against 100GiB devdax align=1GiB map=dev (--force compares all the same)

$ for f in base patched; do jq 'del(.runs[].host)' tests/cli/compare/$f.json >"$TMP/$f.json"; done; sed -i 's/25804288/25690112/' "$TMP/patched.json"; memmapctl compare "$TMP/base.json" "$TMP/patched.json"
memmapctl compare: work differs: dax0.0 memmap_init: 25804288 struct pages against 25690112 struct pages (--force compares all the same)
? 2

$ memmapctl compare configs/observations/field-reports-x86_64.json configs/observations/field-reports-aarch64.json 2>&1 | head -n 1
memmapctl compare: architecture differs: x86_64 against aarch64 (--force compares all the same)

$ cp tests/cli/compare/base.json "$TMP/lost.json"; rm "$TMP/host.yaml"; memmapctl compare "$TMP/lost.json" "$TMP/lost.json" 2>&1 | grep '^-' | sed "s,$TMP,TMP,"
- TMP/host.yaml: cannot read: No such file or directory

$ jq '.runs[].device = "dax9.9" | del(.runs[].host)' tests/cli/compare/base.json >"$TMP/9.json"; memmapctl compare tests/cli/compare/base.json "$TMP/9.json"
memmapctl compare: nothing to compare: no run of the one has a partner in the other
? 2

# Usage.
$ memmapctl compare tests/cli/compare/base.json
memmapctl compare: name two files of observations: what was before, and what is now
Try `memmapctl compare --help' or `memmapctl compare --usage' for more
information.
? 2

$ memmapctl compare tests/cli/compare/base.json no/such.json
no/such.json: No such file or directory
? 2

$ memmapctl compare a.json b.json -f openmetrics
memmapctl compare: --format: compare has table, json, yaml, csv and markdown
Try `memmapctl compare --help' or `memmapctl compare --usage' for more
information.
? 2

$ memmapctl compare a.json b.json -f markdwon
memmapctl compare: --format: unknown format 'markdwon'; did you mean 'markdown'?: table, json, yaml, csv and markdown
Try `memmapctl compare --help' or `memmapctl compare --usage' for more
information.
? 2

$ memmapctl predict -f markdown x.yaml
memmapctl predict: --format: predict has table, json, yaml and csv
Try `memmapctl predict --help' or `memmapctl predict --usage' for more
information.
? 2

$ memmapctl compare a.json b.json --fail-on-regression lots
memmapctl compare: --fail-on-regression: 'lots' is not a percentage (try 15)
Try `memmapctl compare --help' or `memmapctl compare --usage' for more
information.
? 2

$ memmapctl compare --help | grep -c 'memmapctl compare '
4
