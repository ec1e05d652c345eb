# The dispatcher.
$ memmapctl chekc
memmapctl: unknown command "chekc"; did you mean "check"?
Try 'memmapctl --help'.
? 2

$ memmapctl frobnicate
memmapctl: unknown command "frobnicate"
Try 'memmapctl --help'.
? 2

$ memmapctl help chekc
memmapctl: unknown command "chekc"; did you mean "check"?
Try 'memmapctl --help'.
? 2

# Every command of the list has a help with an example.
$ for c in $(memmapctl --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do memmapctl $c --help | grep -q "memmapctl $c .*" && memmapctl help $c | grep -qi example || echo "$c: no example"; done

# A full disk is an error, not half an answer.
$ memmapctl --help >/dev/full
memmapctl: cannot write: No space left on device
? 2

# It is one message in every form, and not the status of a window that does not fit.
$ for f in table json yaml csv; do memmapctl predict configs/hosts/gpu-pmem-node.yaml -f $f >/dev/full; echo $?; done
memmapctl: cannot write: No space left on device
2
memmapctl: cannot write: No space left on device
2
memmapctl: cannot write: No space left on device
2
memmapctl: cannot write: No space left on device
2
$ memmapctl predict configs/hosts/gpu-pmem-node.yaml -f yaml -o /dev/full
memmapctl: cannot write /dev/full: No space left on device
? 2

# Help names the formats that a command has, with its default, and calls it by its name.
$ for c in $(memmapctl --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do echo "$c: $(memmapctl help $c | tr -s ' \n' ' ' | sed 's/.*--format=FORMAT \([^)]*)\).*/\1/')"; done
probe: table, json and yaml (default: yaml)
snapshot: (not of this command: its result has one form)
check: table and json (default: table)
predict: table, json, yaml and csv (default: table)
advise: table, json and yaml (default: table)
measure: table, json, yaml and csv (default: table)
calibrate: table, json and yaml (default: yaml)
validate: table, json, yaml and csv (default: table)
compare: table, json, yaml, csv and markdown (default: table)
$ memmapctl help predict | head -n 1
Usage: memmapctl predict [OPTION...] [HOST.yaml...]

# -o writes into a device or a pipe instead of replacing it, and into the file that a link leads to.
$ mkfifo $TMP/pipe && { timeout 10 head -n 2 <$TMP/pipe & memmapctl predict tests/cli/predict/plain.yaml -f json -o $TMP/pipe; wait; test -p $TMP/pipe; }
{
  "schema": "memmapctl.forecast/1",

$ echo old >$TMP/target && ln -s target $TMP/link && memmapctl predict tests/cli/predict/plain.yaml -f json -o $TMP/link && test -L $TMP/link && head -n 2 $TMP/target; ls $TMP | grep target
{
  "schema": "memmapctl.forecast/1",
target

$ memmapctl predict tests/cli/predict/plain.yaml -o tests/cli
memmapctl: cannot write tests/cli: Is a directory
? 2

# What has one form only does not take another for it, and obeys -o.
$ for c in 'check --reference' 'calibrate --reference' 'measure --list' 'snapshot -o x.tar'; do memmapctl $c -f json 2>&1 | head -n 1; done
memmapctl check: --reference prints text only: it has no --format json
memmapctl calibrate: --reference prints text only: it has no --format json
memmapctl measure: --list prints text only: it has no --format json
memmapctl snapshot: --format: snapshot has one form only
$ for c in 'check --reference' 'calibrate --reference' 'measure --list'; do memmapctl $c -o $TMP/text && head -n 1 $TMP/text; rm $TMP/text; done
memmapctl: a version, required
memmapctl-profile: a version, required
Routines (--routine), init path (--path), page kinds (--kind). Each writes all
