# The dispatcher.
$ memmapctl chekc
memmapctl: unknown command "chekc"; did you mean "check"?
Try 'memmapctl --help'.
? 2
