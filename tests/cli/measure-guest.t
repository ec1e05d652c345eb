# measure --mode guest: options and their mistakes; boots are tested under tests/guest.
$ memmapctl measure --mode guest
memmapctl measure: a host description is wanted: memmapctl measure HOST.yaml --mode guest ...
...
? 2
$ memmapctl measure host.yaml --mode guest
memmapctl measure: --kernel IMAGE is wanted: the kernel to boot
...
? 2
$ memmapctl measure host.yaml --mode=guest --kernel vmlinuz
memmapctl measure: --modules DIR is wanted: the kernel's modules (lib/modules/RELEASE)
...
? 2
$ memmapctl measure a.yaml b.yaml --mode guest --kernel k --modules m
memmapctl measure: one host description a guest: unexpected argument 'b.yaml'
...
? 2
$ memmapctl measure a.yaml --mode guest --kernel k --modules m --accel xen
memmapctl measure: --accel: want auto, kvm or tcg, found 'xen'
...
? 2
$ memmapctl measure a.yaml --mode guest --kernel k --modules m --reps 0
memmapctl measure: --reps: want a whole number from 1 to 100000, found '0'
...
? 2
$ memmapctl measure a.yaml --mode guest --kernel k --modules m --timeout 5
memmapctl measure: --timeout: want a duration such as 180s, found '5'
...
? 2
$ memmapctl measure a.yaml --mode guest --kernel k --modules m --timing sundial
memmapctl measure: --timing: want graph, kprobe, dyndbg, clock or auto, found 'sundial'
...
? 2
$ memmapctl measure tests/cli/broken/empty.yaml --mode guest --kernel k --modules m
tests/cli/broken/empty.yaml:1:1: the file is empty
? 2
$ memmapctl measure configs/hosts/gpu-pmem-node.yaml --mode guest --kernel /nonexistent --modules m --dry-run
memmapctl measure: /nonexistent: cannot read the kernel image: No such file or directory
? 2
$ memmapctl measure configs/hosts/gpu-pmem-node.yaml --mode guest --kernel /dev/null --modules m --cpus 2 --dry-run -q | head -n 2
qemu-system-x86_64 \
    -nodefaults \
$ memmapctl measure configs/hosts/gpu-pmem-node.yaml --mode guest --kernel /dev/null --modules m --cpus 2 --dry-run -f openmetrics
memmapctl measure: --format: measure has table, json, yaml and csv
Try `memmapctl measure --help' or `memmapctl measure --usage' for more
information.
? 2
# Other machines than this one are emulated; where this is one of an emulator's, that cannot be seen.
$ [ -n "${EMULATOR:-}" ] && echo 3 || { other=aarch64; [ "$(uname -m)" = x86_64 ] || other=x86_64; echo "{memmapctl: 1, host: {name: h, arch: $other, memory: 1GiB}}" >"$TMP/other.yaml"; memmapctl measure "$TMP/other.yaml" --mode guest --kernel /dev/null --modules m --firmware /dev/null --accel kvm 2>"$TMP/kvm"; echo $?; }
3
$ [ -n "${EMULATOR:-}" ] || grep -c -e '--accel kvm: KVM here runs guests of' "$TMP/kvm" | grep -qx 1

# A clock of instructions: one CPU, emulated, and QEMU told so.
$ memmapctl measure a.yaml --mode guest --kernel k --modules m --clock sundial
memmapctl measure: --clock: want time or instructions, found 'sundial'
...
? 2
$ memmapctl measure a.yaml --mode guest --kernel k --modules m --clock instructions --accel kvm
memmapctl measure: --clock instructions: KVM does not count instructions; use --accel tcg
...
? 2
$ memmapctl measure a.yaml --mode guest --kernel k --modules m --clock instructions --cpus 2
memmapctl measure: --clock instructions: CPUs would take turns on the one clock; use --cpus 1
...
? 2
$ echo '{memmapctl: 1, host: {name: h, arch: x86_64, memory: 2GiB, cpus: 4}}' >"$TMP/h.yaml"; memmapctl measure "$TMP/h.yaml" --mode guest --kernel /dev/null --modules m --clock instructions --dry-run -q | grep -E 'icount|smp|accel'
    -accel tcg \
    -icount 'shift=0,sleep=off' \
    -smp 1 \
$ echo '{memmapctl: 1, host: {name: h, arch: x86_64, memory: 2GiB, nodes: [{id: 0, memory: 1GiB, cpus: 1}, {id: 1, memory: 1GiB, cpus: 1}]}}' >"$TMP/n.yaml"; memmapctl measure "$TMP/n.yaml" --mode guest --kernel /dev/null --modules m --clock instructions --dry-run -q 2>&1 | sed "s|$TMP/||"; exit ${PIPESTATUS[0]}
memmapctl measure: n.yaml: a clock that counts instructions is for one CPU: more than one node has CPUs
? 2
