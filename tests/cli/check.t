# SPDX-License-Identifier: GPL-2.0-or-later
# Every kind of mistake in a host description, with the message it gets.
$ memmapctl check tests/cli/broken/empty.yaml
tests/cli/broken/empty.yaml:1:1: the file is empty
1 mistake in tests/cli/broken/empty.yaml
? 2
$ memmapctl check tests/cli/broken/only-comments.yaml
tests/cli/broken/only-comments.yaml:1:1: the file is empty
1 mistake in tests/cli/broken/only-comments.yaml
? 2
$ memmapctl check tests/cli/broken/only-a-dash.yaml
tests/cli/broken/only-a-dash.yaml:2:1: the file holds no keys: "memmapctl" belongs here first
1 mistake in tests/cli/broken/only-a-dash.yaml
? 2
$ memmapctl check tests/cli/broken/not-a-map.yaml
tests/cli/broken/not-a-map.yaml:1:1: the file is not a map of keys: "memmapctl" belongs here first
1 mistake in tests/cli/broken/not-a-map.yaml
? 2
$ memmapctl check tests/cli/broken/a-word.yaml
tests/cli/broken/a-word.yaml:1:1: the file is not a map of keys: "memmapctl" belongs here first
1 mistake in tests/cli/broken/a-word.yaml
? 2
$ memmapctl check tests/cli/broken/second-document.yaml
tests/cli/broken/second-document.yaml:6:1: a second document starts here: a file holds one
1 mistake in tests/cli/broken/second-document.yaml
? 2
$ memmapctl check tests/cli/broken/not-utf8.yaml
tests/cli/broken/not-utf8.yaml:3:12: byte 0xe9 is not UTF-8: save the file as UTF-8 text
1 mistake in tests/cli/broken/not-utf8.yaml
? 2
$ memmapctl check tests/cli/broken/utf16.yaml
tests/cli/broken/utf16.yaml:1:1: byte 0xff is not UTF-8: save the file as UTF-8 text
1 mistake in tests/cli/broken/utf16.yaml
? 2
$ memmapctl check tests/cli/broken/nul-byte.yaml
tests/cli/broken/nul-byte.yaml:3:10: byte 0x00 is a control character: only text, tabs and line ends belong here
1 mistake in tests/cli/broken/nul-byte.yaml
? 2
$ memmapctl check tests/cli/broken/control-character.yaml
tests/cli/broken/control-character.yaml:3:10: byte 0x1b is a control character: only text, tabs and line ends belong here
1 mistake in tests/cli/broken/control-character.yaml
? 2
$ memmapctl check tests/cli/broken/tab-indent.yaml
tests/cli/broken/tab-indent.yaml:3:1: not YAML: found character that cannot start any token, while scanning for the next token
1 mistake in tests/cli/broken/tab-indent.yaml
? 2
$ memmapctl check tests/cli/broken/unclosed-flow.yaml
tests/cli/broken/unclosed-flow.yaml:8:1: not YAML: did not find expected ',' or '}', while parsing a flow mapping that starts at line 7
1 mistake in tests/cli/broken/unclosed-flow.yaml
? 2
$ memmapctl check tests/cli/broken/unclosed-quote.yaml
tests/cli/broken/unclosed-quote.yaml:6:1: not YAML: found unexpected end of stream, while scanning a quoted scalar that starts at line 3
1 mistake in tests/cli/broken/unclosed-quote.yaml
? 2
$ memmapctl check tests/cli/broken/bad-indent.yaml
tests/cli/broken/bad-indent.yaml:4:2: not YAML: did not find expected key, while parsing a block mapping that starts at line 1
1 mistake in tests/cli/broken/bad-indent.yaml
? 2
$ memmapctl check tests/cli/broken/alias-cycle.yaml
tests/cli/broken/alias-cycle.yaml:2:7: this value contains itself: an alias in it refers back to it
1 mistake in tests/cli/broken/alias-cycle.yaml
? 2
$ memmapctl check tests/cli/broken/alias-unknown.yaml
tests/cli/broken/alias-unknown.yaml:6:10: not YAML: found undefined alias
1 mistake in tests/cli/broken/alias-unknown.yaml
? 2
$ memmapctl check tests/cli/broken/alias-bomb.yaml
tests/cli/broken/alias-bomb.yaml:7:4: this value grows past a million values when its aliases are written out
1 mistake in tests/cli/broken/alias-bomb.yaml
? 2
$ memmapctl check tests/cli/broken/deep-nesting.yaml
tests/cli/broken/deep-nesting.yaml:6:210: byte 0x5b opens one more bracket: nested too deeply
1 mistake in tests/cli/broken/deep-nesting.yaml
? 2
$ memmapctl check tests/cli/broken/tag.yaml
tests/cli/broken/tag.yaml:3:9: tag "!include" has no meaning here: leave it out
1 mistake in tests/cli/broken/tag.yaml
? 2
$ memmapctl check tests/cli/broken/merge-key.yaml
tests/cli/broken/merge-key.yaml:8:6: merge keys ("<<") are not taken: write the keys out
1 mistake in tests/cli/broken/merge-key.yaml
? 2
$ memmapctl check tests/cli/broken/list-as-key.yaml
tests/cli/broken/list-as-key.yaml:6:3: a key is a list: keys are plain words here
1 mistake in tests/cli/broken/list-as-key.yaml
? 2
$ memmapctl check tests/cli/broken/no-version.yaml
tests/cli/broken/no-version.yaml:1:1: key "memmapctl" is missing: version of this format
1 mistake in tests/cli/broken/no-version.yaml
? 2
$ memmapctl check tests/cli/broken/version-2.yaml
tests/cli/broken/version-2.yaml:1:12: memmapctl 2: version 1 is the one this program reads
1 mistake in tests/cli/broken/version-2.yaml
? 2
$ memmapctl check tests/cli/broken/version-quoted.yaml
tests/cli/broken/version-quoted.yaml:1:12: memmapctl is the text "1": write it without quotes
1 mistake in tests/cli/broken/version-quoted.yaml
? 2
$ memmapctl check tests/cli/broken/unknown-key.yaml
tests/cli/broken/unknown-key.yaml:6:1: unknown key "colour"; keys here: memmapctl, host, hugepages, namespaces, devices, windows, profile
1 mistake in tests/cli/broken/unknown-key.yaml
? 2
$ memmapctl check tests/cli/broken/misspelt-key.yaml
tests/cli/broken/misspelt-key.yaml:7:32: unknown key "aling"; did you mean "align"?
1 mistake in tests/cli/broken/misspelt-key.yaml
? 2
$ memmapctl check tests/cli/broken/misspelt-section.yaml
tests/cli/broken/misspelt-section.yaml:6:1: unknown key "namespace"; did you mean "namespaces"?
1 mistake in tests/cli/broken/misspelt-section.yaml
? 2
$ memmapctl check tests/cli/broken/repeated-key.yaml
tests/cli/broken/repeated-key.yaml:7:44: key "size" is repeated: it was given in line 7
1 mistake in tests/cli/broken/repeated-key.yaml
? 2
$ memmapctl check tests/cli/broken/repeated-section.yaml
tests/cli/broken/repeated-section.yaml:8:1: key "devices" is repeated: it was given in line 6
1 mistake in tests/cli/broken/repeated-section.yaml
? 2
$ memmapctl check tests/cli/broken/missing-host.yaml
tests/cli/broken/missing-host.yaml:1:1: key "host" is missing: the machine
1 mistake in tests/cli/broken/missing-host.yaml
? 2
$ memmapctl check tests/cli/broken/missing-keys.yaml
tests/cli/broken/missing-keys.yaml:2:7: key "name" is missing: what tables call the host
tests/cli/broken/missing-keys.yaml:2:7: key "arch" is missing: x86_64 or aarch64
tests/cli/broken/missing-keys.yaml:2:7: key "memory" is missing: RAM at boot, which the boot-time memmap covers
tests/cli/broken/missing-keys.yaml:4:5: key "name" is missing: name of the device, such as pmem0 or dax0.0
tests/cli/broken/missing-keys.yaml:4:5: key "size" is missing: raw size, as given to ndctl create-namespace --size
5 mistakes in tests/cli/broken/missing-keys.yaml
? 2
$ memmapctl check tests/cli/broken/empty-host.yaml
tests/cli/broken/empty-host.yaml:2:6: host has no value: a map such as {key: value} belongs here
1 mistake in tests/cli/broken/empty-host.yaml
? 2
$ memmapctl check tests/cli/broken/list-for-map.yaml
tests/cli/broken/list-for-map.yaml:2:7: host is a list: a map such as {key: value} belongs here
1 mistake in tests/cli/broken/list-for-map.yaml
? 2
$ memmapctl check tests/cli/broken/map-for-list.yaml
tests/cli/broken/map-for-list.yaml:6:13: namespaces is a map: a list such as [{key: value}] belongs here
1 mistake in tests/cli/broken/map-for-list.yaml
? 2
$ memmapctl check tests/cli/broken/list-for-size.yaml
tests/cli/broken/list-for-size.yaml:5:11: memory is a list: a size such as 100GiB belongs here
1 mistake in tests/cli/broken/list-for-size.yaml
? 2
$ memmapctl check tests/cli/broken/text-item.yaml
tests/cli/broken/text-item.yaml:6:11: an item of devices is a text: a map such as {name: ...} belongs here
1 mistake in tests/cli/broken/text-item.yaml
? 2
$ memmapctl check tests/cli/broken/no-value.yaml
tests/cli/broken/no-value.yaml:5:10: memory has no value: a size such as 100GiB belongs here
1 mistake in tests/cli/broken/no-value.yaml
? 2
$ memmapctl check tests/cli/broken/null-list.yaml
tests/cli/broken/null-list.yaml:6:9: devices has no value: a list such as [{key: value}] belongs here
1 mistake in tests/cli/broken/null-list.yaml
? 2
$ memmapctl check tests/cli/broken/not-a-size.yaml
tests/cli/broken/not-a-size.yaml:5:11: memory "64 gigs" is not a size: write one such as 100GiB
1 mistake in tests/cli/broken/not-a-size.yaml
? 2
$ memmapctl check tests/cli/broken/size-fraction.yaml
tests/cli/broken/size-fraction.yaml:5:11: memory "1.3K" is not a size: write one such as 100GiB
1 mistake in tests/cli/broken/size-fraction.yaml
? 2
$ memmapctl check tests/cli/broken/negative-size.yaml
tests/cli/broken/negative-size.yaml:5:11: memory "-64GiB" is negative: write a size such as 100GiB
1 mistake in tests/cli/broken/negative-size.yaml
? 2
$ memmapctl check tests/cli/broken/size-zero.yaml
tests/cli/broken/size-zero.yaml:5:11: memory 0 is too small: at least 1
1 mistake in tests/cli/broken/size-zero.yaml
? 2
$ memmapctl check tests/cli/broken/size-too-large.yaml
tests/cli/broken/size-too-large.yaml:5:11: memory 8192TiB is too large: at most 4PiB
1 mistake in tests/cli/broken/size-too-large.yaml
? 2
$ memmapctl check tests/cli/broken/size-overflow.yaml
tests/cli/broken/size-overflow.yaml:5:11: memory 99999999999999999999999GiB is too large: at most 4PiB
1 mistake in tests/cli/broken/size-overflow.yaml
? 2
$ memmapctl check tests/cli/broken/size-leading-zero.yaml
tests/cli/broken/size-leading-zero.yaml:5:11: memory "0644" has a leading zero, which some read as octal: write a size such as 100GiB
1 mistake in tests/cli/broken/size-leading-zero.yaml
? 2
$ memmapctl check tests/cli/broken/quoted-count.yaml
tests/cli/broken/quoted-count.yaml:7:51: count is the text "8": write it without quotes
1 mistake in tests/cli/broken/quoted-count.yaml
? 2
$ memmapctl check tests/cli/broken/count-zero.yaml
tests/cli/broken/count-zero.yaml:7:51: count 0 is too small: at least 1
1 mistake in tests/cli/broken/count-zero.yaml
? 2
$ memmapctl check tests/cli/broken/count-not-whole.yaml
tests/cli/broken/count-not-whole.yaml:7:51: count "1.5" is not a whole number: write one such as 1
1 mistake in tests/cli/broken/count-not-whole.yaml
? 2
$ memmapctl check tests/cli/broken/count-hexadecimal.yaml
tests/cli/broken/count-hexadecimal.yaml:7:25: count "0x10" is hexadecimal: write a whole number such as 500
1 mistake in tests/cli/broken/count-hexadecimal.yaml
? 2
$ memmapctl check tests/cli/broken/count-overflow.yaml
tests/cli/broken/count-overflow.yaml:7:25: count 18446744073709551616 is too large: at most 18446744073709551615
1 mistake in tests/cli/broken/count-overflow.yaml
? 2
$ memmapctl check tests/cli/broken/cpus-overflow.yaml
tests/cli/broken/cpus-overflow.yaml:6:9: cpus 4294967297 is too large: at most 65536
1 mistake in tests/cli/broken/cpus-overflow.yaml
? 2
$ memmapctl check tests/cli/broken/not-a-bool.yaml
tests/cli/broken/not-a-bool.yaml:6:20: supported "yes" is neither true nor false
1 mistake in tests/cli/broken/not-a-bool.yaml
? 2
$ memmapctl check tests/cli/broken/bool-quoted.yaml
tests/cli/broken/bool-quoted.yaml:6:20: supported is the text "true": write it without quotes
1 mistake in tests/cli/broken/bool-quoted.yaml
? 2
$ memmapctl check tests/cli/broken/name-a-bool.yaml
tests/cli/broken/name-a-bool.yaml:3:9: name on reads as true or false in YAML: write it as "on"
1 mistake in tests/cli/broken/name-a-bool.yaml
? 2
$ memmapctl check tests/cli/broken/name-empty.yaml
tests/cli/broken/name-empty.yaml:3:9: name is empty
1 mistake in tests/cli/broken/name-empty.yaml
? 2
$ memmapctl check tests/cli/broken/name-too-long.yaml
tests/cli/broken/name-too-long.yaml:3:9: name is 64 bytes long: at most 63
1 mistake in tests/cli/broken/name-too-long.yaml
? 2
$ memmapctl check tests/cli/broken/name-control.yaml
tests/cli/broken/name-control.yaml:3:9: name holds a control character: only text belongs here
1 mistake in tests/cli/broken/name-control.yaml
? 2

$ memmapctl check tests/cli/broken/name-two-lines.yaml
tests/cli/broken/name-two-lines.yaml:3:9: name is more than one line of text
1 mistake in tests/cli/broken/name-two-lines.yaml
? 2
$ memmapctl check tests/cli/broken/duration-no-unit.yaml
tests/cli/broken/duration-no-unit.yaml:6:20: hotplug "2" has no unit: write a duration such as 500ms or 2s
1 mistake in tests/cli/broken/duration-no-unit.yaml
? 2
$ memmapctl check tests/cli/broken/duration-wrong-unit.yaml
tests/cli/broken/duration-wrong-unit.yaml:6:17: boot "2 fortnights" is not a duration: write one such as 500ms or 2s
1 mistake in tests/cli/broken/duration-wrong-unit.yaml
? 2
$ memmapctl check tests/cli/broken/duration-zero.yaml
tests/cli/broken/duration-zero.yaml:6:23: per_device 0 is too small: at least 1ns
1 mistake in tests/cli/broken/duration-zero.yaml
? 2
$ memmapctl check tests/cli/broken/arch-unknown.yaml
tests/cli/broken/arch-unknown.yaml:4:9: arch "riscv64" is not one of x86_64, aarch64
1 mistake in tests/cli/broken/arch-unknown.yaml
? 2
$ memmapctl check tests/cli/broken/arch-misspelt.yaml
tests/cli/broken/arch-misspelt.yaml:4:9: arch "x86-64" is not one of x86_64, aarch64; did you mean "x86_64"?
1 mistake in tests/cli/broken/arch-misspelt.yaml
? 2
$ memmapctl check tests/cli/broken/mode-misspelt.yaml
tests/cli/broken/mode-misspelt.yaml:7:25: mode "fsdx" is not one of fsdax, devdax, raw, sector; did you mean "fsdax"?
1 mistake in tests/cli/broken/mode-misspelt.yaml
? 2
$ memmapctl check tests/cli/broken/when-unknown.yaml
tests/cli/broken/when-unknown.yaml:7:34: when "later" is not one of boot, runtime
1 mistake in tests/cli/broken/when-unknown.yaml
? 2
$ memmapctl check tests/cli/broken/memmap-path-unknown.yaml
tests/cli/broken/memmap-path-unknown.yaml:6:25: memmap_path "template_nt" is not one of baseline, template, template-nt; did you mean "template-nt"?
1 mistake in tests/cli/broken/memmap-path-unknown.yaml
? 2
$ memmapctl check tests/cli/broken/page-size-x86.yaml
tests/cli/broken/page-size-x86.yaml:6:14: page_size 64KiB is not one that x86_64 kernels are built with: use 4KiB
1 mistake in tests/cli/broken/page-size-x86.yaml
? 2
$ memmapctl check tests/cli/broken/page-size-arm64.yaml
tests/cli/broken/page-size-arm64.yaml:6:14: page_size 8KiB is not one that aarch64 kernels are built with: use 4KiB, 16KiB or 64KiB
1 mistake in tests/cli/broken/page-size-arm64.yaml
? 2
$ memmapctl check tests/cli/broken/struct-page-size.yaml
tests/cli/broken/struct-page-size.yaml:6:21: struct_page_size 68 is not a multiple of 8
1 mistake in tests/cli/broken/struct-page-size.yaml
? 2
$ memmapctl check tests/cli/broken/struct-page-too-large.yaml
tests/cli/broken/struct-page-too-large.yaml:6:21: struct_page_size 128 is too large: at most 96
1 mistake in tests/cli/broken/struct-page-too-large.yaml
? 2
$ memmapctl check tests/cli/broken/memory-not-pages.yaml
tests/cli/broken/memory-not-pages.yaml:5:11: memory 1048580KiB is not a whole number of 64KiB pages
1 mistake in tests/cli/broken/memory-not-pages.yaml
? 2
$ memmapctl check tests/cli/broken/release-unreadable.yaml
tests/cli/broken/release-unreadable.yaml:6:21: release "newest" is not a kernel release: write what uname -r prints, such as 6.12.117
1 mistake in tests/cli/broken/release-unreadable.yaml
? 2
$ memmapctl check tests/cli/broken/hvo-not-supported.yaml
tests/cli/broken/hvo-not-supported.yaml:6:36: hvo.enabled: HVO is not supported here, so the kernel cannot have it on
1 mistake in tests/cli/broken/hvo-not-supported.yaml
? 2
$ memmapctl check tests/cli/broken/hvo-on-arm64.yaml
tests/cli/broken/hvo-on-arm64.yaml:6:18: hvo.enabled: HVO is not supported here, so the kernel cannot have it on (aarch64 lost it in Linux 6.3 and 6.1.16)
1 mistake in tests/cli/broken/hvo-on-arm64.yaml
? 2
$ memmapctl check tests/cli/broken/hvo-odd-struct-page.yaml
tests/cli/broken/hvo-odd-struct-page.yaml:7:18: hvo.enabled: the kernel leaves HVO off with struct pages of 80 bytes, which is not a power of two
1 mistake in tests/cli/broken/hvo-odd-struct-page.yaml
? 2
$ memmapctl check tests/cli/broken/node-twice.yaml
tests/cli/broken/node-twice.yaml:8:12: node 0 is listed twice, first in line 7
1 mistake in tests/cli/broken/node-twice.yaml
? 2
$ memmapctl check tests/cli/broken/node-unknown.yaml
tests/cli/broken/node-unknown.yaml:8:50: node 2 is not one of this host's: add it to host.nodes, or use one that is there
1 mistake in tests/cli/broken/node-unknown.yaml
? 2
$ memmapctl check tests/cli/broken/node-without-nodes.yaml
tests/cli/broken/node-without-nodes.yaml:7:50: node 1: a host without host.nodes has node 0 only
1 mistake in tests/cli/broken/node-without-nodes.yaml
? 2
$ memmapctl check tests/cli/broken/node-negative.yaml
tests/cli/broken/node-negative.yaml:7:50: node "-1" is negative: write a whole number such as 0
1 mistake in tests/cli/broken/node-negative.yaml
? 2
$ memmapctl check tests/cli/broken/node-memory-sum.yaml
tests/cli/broken/node-memory-sum.yaml:5:11: memory is 64GiB, but the nodes add up to 48GiB
1 mistake in tests/cli/broken/node-memory-sum.yaml
? 2
$ memmapctl check tests/cli/broken/node-cpu-sum.yaml
tests/cli/broken/node-cpu-sum.yaml:6:9: cpus is 8, but the nodes add up to 16
1 mistake in tests/cli/broken/node-cpu-sum.yaml
? 2
$ memmapctl check tests/cli/broken/hugepage-size-x86.yaml
tests/cli/broken/hugepage-size-x86.yaml:7:12: hugepages of 512MiB do not exist with 4KiB pages on x86_64: use 2MiB or 1GiB
1 mistake in tests/cli/broken/hugepage-size-x86.yaml
? 2
$ memmapctl check tests/cli/broken/hugepage-size-arm64-64k.yaml
tests/cli/broken/hugepage-size-arm64-64k.yaml:8:12: hugepages of 1GiB do not exist with 64KiB pages on aarch64: use 2MiB, 512MiB or 16GiB
1 mistake in tests/cli/broken/hugepage-size-arm64-64k.yaml
? 2
$ memmapctl check tests/cli/broken/hugepages-do-not-fit.yaml
tests/cli/broken/hugepages-do-not-fit.yaml:7:25: 500 hugepages of 1GiB do not fit in 64GiB of RAM
1 mistake in tests/cli/broken/hugepages-do-not-fit.yaml
? 2
$ memmapctl check tests/cli/broken/hugepages-do-not-fit-together.yaml
tests/cli/broken/hugepages-do-not-fit-together.yaml:8:25: with these, hugepages take 72GiB: more than the 64GiB of RAM
1 mistake in tests/cli/broken/hugepages-do-not-fit-together.yaml
? 2
$ memmapctl check tests/cli/broken/hugepages-do-not-fit-node.yaml
tests/cli/broken/hugepages-do-not-fit-node.yaml:8:25: 40 hugepages of 1GiB do not fit in 32GiB of node 1
1 mistake in tests/cli/broken/hugepages-do-not-fit-node.yaml
? 2
$ memmapctl check tests/cli/broken/hugepages-overflow.yaml
tests/cli/broken/hugepages-overflow.yaml:7:25: 18446744073709551615 hugepages of this size are more than 64 bits hold
1 mistake in tests/cli/broken/hugepages-overflow.yaml
? 2
$ memmapctl check tests/cli/broken/hugepages-twice.yaml
tests/cli/broken/hugepages-twice.yaml:8:12: boot hugepages of 1GiB are listed twice, first in line 7
1 mistake in tests/cli/broken/hugepages-twice.yaml
? 2
$ memmapctl check tests/cli/broken/align-x86.yaml
tests/cli/broken/align-x86.yaml:7:41: align 3MiB is not one the kernel takes here: use 4KiB, 2MiB or 1GiB
1 mistake in tests/cli/broken/align-x86.yaml
? 2
$ memmapctl check tests/cli/broken/align-1g-arm64.yaml
tests/cli/broken/align-1g-arm64.yaml:7:41: align 1GiB is not one the kernel takes here ("unsupported align": aarch64 maps no PUD for devdax): use 4KiB or 2MiB
1 mistake in tests/cli/broken/align-1g-arm64.yaml
? 2
$ memmapctl check tests/cli/broken/align-2m-arm64-64k.yaml
tests/cli/broken/align-2m-arm64-64k.yaml:8:41: align 2MiB is not one the kernel takes here: use 64KiB or 512MiB
1 mistake in tests/cli/broken/align-2m-arm64-64k.yaml
? 2
$ memmapctl check tests/cli/broken/size-not-align.yaml
tests/cli/broken/size-not-align.yaml:7:53: size 1536MiB is not a multiple of 1GiB, its align: use 1GiB or 2GiB
1 mistake in tests/cli/broken/size-not-align.yaml
? 2
$ memmapctl check tests/cli/broken/size-not-subsection.yaml
tests/cli/broken/size-not-subsection.yaml:7:53: size 33MiB is not a multiple of 2MiB, the kernel's subsection: use 32MiB or 34MiB
1 mistake in tests/cli/broken/size-not-subsection.yaml
? 2
$ memmapctl check tests/cli/broken/size-too-small.yaml
tests/cli/broken/size-too-small.yaml:7:40: size 8MiB is too small to host a namespace: the kernel wants 16MiB
1 mistake in tests/cli/broken/size-too-small.yaml
? 2
$ memmapctl check tests/cli/broken/start-misaligned.yaml
tests/cli/broken/start-misaligned.yaml:7:53: start 0x100020000 is not a multiple of 2MiB: the kernel says "misaligned"
1 mistake in tests/cli/broken/start-misaligned.yaml
? 2
$ memmapctl check tests/cli/broken/map-dev-large-struct-page.yaml
tests/cli/broken/map-dev-large-struct-page.yaml:8:51: map dev takes struct pages of 64 bytes, not 80 ("Memory debug options prevent using pmem for the page map"): use mem
1 mistake in tests/cli/broken/map-dev-large-struct-page.yaml
? 2
$ memmapctl check tests/cli/broken/end-beyond-physical.yaml
tests/cli/broken/end-beyond-physical.yaml:7:53: start 0x10000000000000 plus the size is more than 52 bits of physical address reach
1 mistake in tests/cli/broken/end-beyond-physical.yaml
? 2
$ memmapctl check tests/cli/broken/name-taken.yaml
tests/cli/broken/name-taken.yaml:8:12: name "pmem0" is taken: it was given in line 7
tests/cli/broken/name-taken.yaml:10:12: name "pmem0" is taken: it was given in line 7
2 mistakes in tests/cli/broken/name-taken.yaml
? 2
$ memmapctl check tests/cli/broken/ranges-overlap.yaml
tests/cli/broken/ranges-overlap.yaml:8:51: start 0x140000000: the range overlaps that of pmem0, given in line 7
1 mistake in tests/cli/broken/ranges-overlap.yaml
? 2
$ memmapctl check tests/cli/broken/devices-overflow.yaml
tests/cli/broken/devices-overflow.yaml:7:54: count times size is more than 52 bits of physical address reach
1 mistake in tests/cli/broken/devices-overflow.yaml
? 2
$ memmapctl check tests/cli/broken/p2pdma-not-subsection.yaml
tests/cli/broken/p2pdma-not-subsection.yaml:7:38: size 1MiB is not a multiple of 2MiB ("Misaligned __add_pages")
1 mistake in tests/cli/broken/p2pdma-not-subsection.yaml
? 2
$ memmapctl check tests/cli/broken/system-ram-no-block.yaml
tests/cli/broken/system-ram-no-block.yaml:7:41: size 64MiB is less than a memory block of 128MiB: nothing can be added
1 mistake in tests/cli/broken/system-ram-no-block.yaml
? 2
$ memmapctl check tests/cli/broken/block-not-section.yaml
tests/cli/broken/block-not-section.yaml:7:54: block 192MiB is not a memory block size: a power of two, at least a section (128MiB)
1 mistake in tests/cli/broken/block-not-section.yaml
? 2
$ memmapctl check tests/cli/broken/block-not-system-ram.yaml
tests/cli/broken/block-not-system-ram.yaml:7:51: block is for type system-ram, not private
tests/cli/broken/block-not-system-ram.yaml:7:77: memmap_on_memory is for type system-ram, not private
2 mistakes in tests/cli/broken/block-not-system-ram.yaml
? 2
$ memmapctl check tests/cli/broken/usable-not-mapped.yaml
tests/cli/broken/usable-not-mapped.yaml:7:52: usable is for modes fsdax and devdax, which set aside room for a memmap, not raw
tests/cli/broken/usable-not-mapped.yaml:8:55: usable is for modes fsdax and devdax, which set aside room for a memmap, not sector
2 mistakes in tests/cli/broken/usable-not-mapped.yaml
? 2
# Nothing is concluded from a word that is itself a mistake.
$ memmapctl check tests/cli/broken/words-misspelt.yaml
tests/cli/broken/words-misspelt.yaml:7:25: mode "rw" is not one of fsdax, devdax, raw, sector; did you mean "raw"?
tests/cli/broken/words-misspelt.yaml:8:5: key "mode" is missing: fsdax and devdax have struct pages
tests/cli/broken/words-misspelt.yaml:10:23: type "system_ram" is not one of private, coherent, p2pdma, system-ram; did you mean "system-ram"?
3 mistakes in tests/cli/broken/words-misspelt.yaml
? 2
$ memmapctl check tests/cli/broken/private-not-pages.yaml
tests/cli/broken/private-not-pages.yaml:7:39: size 1000000000 is not a whole number of pages
1 mistake in tests/cli/broken/private-not-pages.yaml
? 2
$ memmapctl check tests/cli/broken/several.yaml
tests/cli/broken/several.yaml:6:3: unknown key "cpu"; did you mean "cpus"?
tests/cli/broken/several.yaml:8:25: 500 hugepages of 1GiB do not fit in 64GiB of RAM
tests/cli/broken/several.yaml:10:49: align 3MiB is not one the kernel takes here: use 4KiB, 2MiB or 1GiB
tests/cli/broken/several.yaml:11:34: unknown key "aling"; did you mean "align"?
4 mistakes in tests/cli/broken/several.yaml
? 2
$ memmapctl check tests/cli/broken/arch-missing.yaml
tests/cli/broken/arch-missing.yaml:3:3: key "arch" is missing: x86_64 or aarch64
1 mistake in tests/cli/broken/arch-missing.yaml
? 2
$ memmapctl check tests/cli/broken/page-size-wrong.yaml
tests/cli/broken/page-size-wrong.yaml:6:14: page_size "64XB" is not a size: write one such as 4KiB
1 mistake in tests/cli/broken/page-size-wrong.yaml
? 2
$ memmapctl check tests/cli/broken/misspelt-required.yaml
tests/cli/broken/misspelt-required.yaml:2:8: unknown key "nam"; did you mean "name"?
1 mistake in tests/cli/broken/misspelt-required.yaml
? 2

# What shows when a namespace is laid out as the kernel does it. 105694363648 is what ndctl reports for such a one.
$ memmapctl check tests/cli/broken/usable-wrong.yaml
tests/cli/broken/usable-wrong.yaml:8:77: pmem0: usable is stated as 100GiB, but 100798MiB are left to use
1 mistake in tests/cli/broken/usable-wrong.yaml
? 2
# Not only the first of them, and not only one kind.
$ memmapctl check tests/cli/broken/layouts-wrong.yaml
tests/cli/broken/layouts-wrong.yaml:8:64: pmem0: usable is stated as 100GiB, but 100798MiB are left to use
tests/cli/broken/layouts-wrong.yaml:9:50: dax0.0: 1GiB holds no data at align 1GiB beside its memmap: "unable to satisfy requested alignment"
tests/cli/broken/layouts-wrong.yaml:10:64: pmem1: usable is stated as 99GiB, but 100798MiB are left to use
tests/cli/broken/layouts-wrong.yaml:12:57: cxl: holds no whole memory block of 2GiB: kmem has nothing to add
4 mistakes in tests/cli/broken/layouts-wrong.yaml
? 2
$ sed 's/usable: 100GiB/usable: 105694363648/' tests/cli/broken/usable-wrong.yaml | memmapctl check -
<stdin>: ok: a, 1 namespace
$ memmapctl check tests/cli/broken/no-room-for-memmap.yaml
tests/cli/broken/no-room-for-memmap.yaml:8:63: dax0.0: 1GiB holds no data at align 1GiB beside its memmap: "unable to satisfy requested alignment"
1 mistake in tests/cli/broken/no-room-for-memmap.yaml
? 2

# A list has at most 4096 items.
$ { head -5 tests/cli/broken/misspelt-section.yaml; echo devices:; for i in $(seq 4097); do echo "  - {name: gpu$i, type: private, size: 1GiB}"; done; } | memmapctl check -
<stdin>:4103:5: devices has too many items: at most 4096
1 mistake in <stdin>
? 2

# What a kernel takes, but should not be given, is a warning: the file is right.
$ memmapctl check tests/cli/doubtful/size-not-region-align.yaml
tests/cli/doubtful/size-not-region-align.yaml:7:38: warning: size 1026MiB is not a multiple of 16MiB, a region's usual align: creating it will be refused unless it is a whole region or the region's align is smaller
tests/cli/doubtful/size-not-region-align.yaml: ok: a, 1 namespace, 1 warning
$ memmapctl check tests/cli/doubtful/start-not-16m.yaml
tests/cli/doubtful/start-not-16m.yaml:7:51: warning: start 0x100200000 is "misaligned to 16M": ndctl wants --force for it
tests/cli/doubtful/start-not-16m.yaml: ok: a, 1 namespace, 1 warning
$ memmapctl check tests/cli/doubtful/dax-optimization-arm64.yaml
tests/cli/doubtful/dax-optimization-arm64.yaml:6:38: warning: no aarch64 kernel has the DAX vmemmap optimisation: this has no effect
tests/cli/doubtful/dax-optimization-arm64.yaml: ok: a, 1 warning
$ memmapctl check tests/cli/doubtful/system-ram-truncated.yaml
tests/cli/doubtful/system-ram-truncated.yaml:7:41: warning: size 8190MiB is not a multiple of 128MiB: kmem leaves the rest out ("truncated")
tests/cli/doubtful/system-ram-truncated.yaml: ok: a, 1 device, 1 warning
$ memmapctl check tests/cli/doubtful/dax-1g-start.yaml
tests/cli/doubtful/dax-1g-start.yaml:8:76: warning: dax0.0: start 4112MiB is not aligned to 1GiB: with map=mem the kernel counts compounds from the start, so their heads are misplaced and share vmemmap pages (7.3 warns in folio_set_order, 6.12 is silent); use map=dev, a smaller align or an aligned start
tests/cli/doubtful/dax-1g-start.yaml: ok: a, 1 namespace, 1 warning
$ memmapctl check -v tests/cli/doubtful/start-not-16m.yaml
tests/cli/doubtful/start-not-16m.yaml: note: kernel release not stated: the rules of Linux 7.3 are used
tests/cli/doubtful/start-not-16m.yaml:7:51: warning: start 0x100200000 is "misaligned to 16M": ndctl wants --force for it
tests/cli/doubtful/start-not-16m.yaml: ok: a, 1 namespace, 1 warning

# Files that cannot be read.
$ memmapctl check tests/cli/broken/no-such-file.yaml
tests/cli/broken/no-such-file.yaml: cannot read: No such file or directory
? 2
$ memmapctl check tests/cli
memmapctl check: tests/cli: no *.yaml in this folder
? 2

# A folder stands for the descriptions in it, as in predict.
$ mkdir $TMP/fleet && cp tests/cli/predict/fast.yaml tests/cli/predict/slow.yaml $TMP/fleet && memmapctl check $TMP/fleet tests/cli/predict/plain.yaml | sed "s,$TMP,TMP,"
TMP/fleet/fast.yaml: ok: fast, 1 device
TMP/fleet/slow.yaml: ok: slow, 1 namespace
tests/cli/predict/plain.yaml: ok: plain
$ memmapctl check $TMP/fleet -f json | jq -c '.files[] | [.name, .ok]'
["fast",true]
["slow",true]
$ memmapctl check /proc/self/mem
/proc/self/mem: cannot read: Input/output error
? 2
$ head -c 5000000 /dev/zero | memmapctl check -
<stdin>: cannot read: larger than 4MiB
? 2

# Right files: a line each, none with -q. Mistakes in one do not hide the others.
$ memmapctl check configs/hosts/gpu-pmem-node.yaml configs/hosts/optane-node.yaml
configs/hosts/gpu-pmem-node.yaml: ok: gpu-pmem-node, 2 namespaces, 8 devices, 2 hugepage pools
configs/hosts/optane-node.yaml: ok: optane-node, 2 namespaces
$ memmapctl check -q configs/hosts/*.yaml
$ memmapctl check - <configs/hosts/cxl-expander.yaml
<stdin>: ok: cxl-expander, 1 device
$ memmapctl check configs/hosts/gpu-8x-node.yaml tests/cli/broken/misspelt-key.yaml configs/hosts/optane-node.yaml
configs/hosts/gpu-8x-node.yaml: ok: gpu-8x-node, 8 devices
tests/cli/broken/misspelt-key.yaml:7:32: unknown key "aling"; did you mean "align"?
1 mistake in tests/cli/broken/misspelt-key.yaml
configs/hosts/optane-node.yaml: ok: optane-node, 2 namespaces
? 2

# For programs.
$ memmapctl check -f json tests/cli/broken/several.yaml | jq -c '.schema, .files[0].ok, .files[0].errors, (.files[0].diagnostics[] | [.level, .line, .column, .message])'
"memmapctl.check/1"
false
4
["error",6,3,"unknown key \"cpu\"; did you mean \"cpus\"?"]
["error",8,25,"500 hugepages of 1GiB do not fit in 64GiB of RAM"]
["error",10,49,"align 3MiB is not one the kernel takes here: use 4KiB, 2MiB or 1GiB"]
["error",11,34,"unknown key \"aling\"; did you mean \"align\"?"]
$ memmapctl check -f json tests/cli/doubtful/start-not-16m.yaml | jq -c '.files[0] | [.ok, .name, .errors, .warnings]'
[true,"a",0,1]
$ memmapctl check -f json - <tests/cli/broken/empty.yaml | jq -r '.files[0].file'
<stdin>
$ memmapctl check -f json -o "$TMP/out.json" configs/hosts/optane-node.yaml && jq -r '.files[0].name' "$TMP/out.json"
optane-node

# Usage.
$ memmapctl check
memmapctl check: name a host description: memmapctl check HOST.yaml
Try `memmapctl check --help' or `memmapctl check --usage' for more
information.
? 2
$ memmapctl check -f csv configs/hosts/optane-node.yaml
memmapctl check: --format: check has table and json
Try `memmapctl check --help' or `memmapctl check --usage' for more
information.
? 2
$ memmapctl check --reference | grep -A1 '^namespaces\[\].align'
namespaces[].align: a size, default ndctl's: what one PMD maps, 2MiB at 4KiB pages
    alignment; of a devdax also the size of its compound pages
$ memmapctl check --help | sed -n '1,4p;/Example/,$p' | sed '/^$/d'
Usage: memmapctl check [OPTION...] HOST.yaml...
Check host descriptions: every mistake of a file in one run, as FILE:LINE:COL:
message.
Example:
  memmapctl check configs/hosts/gpu-pmem-node.yaml
  memmapctl check configs/hosts/optane-node.yaml --want-usable 400GiB
Warnings tell what a kernel takes and should not be given, and what will not
work out, with its reason. They do not count as mistakes.
Exit status: 0 all files are right, 2 mistakes, or a file that cannot be read.
