# The dispatcher.
$ memmapctl chekc
memmapctl: unknown command "chekc"
Try 'memmapctl --help'.
? 2
