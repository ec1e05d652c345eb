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
