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
