// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of lines that are known, and the little matcher behind it. */
#include "trace/klog_match.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "base/util.h"

/*
 * Patterns match from the start of a message; what follows their end is of no interest. In them, %X takes a value:
 *   n node   p pages   m ms     u us   c count   w wanted   t threads     decimal
 *   K KiB to bytes     T KiB to total bytes     M MiB to bytes            decimal
 *   x start  X end                              hexadecimal, with or without 0x
 *   s a page size, "2.00 MiB"       N a name: up to where the pattern goes on
 *   d a decimal number, g anything up to where the pattern goes on: not kept
 * and a space matches one space or more.
 */
static const struct known_line {
	enum klog_type type;
	const char *pattern;
} known_lines[] = {
	{KLOG_ZONE_DEVICE,        "memmap_init_zone_device initialised %p pages in %mms"                      },
	{KLOG_ZONE_DEVICE,        "memmap_init_zone_device initialised, %p pages in %mms"                     },
	{KLOG_DEFERRED,           "node %n deferred pages initialised in %mms"                                },
	{KLOG_DEFERRED,           "node %n initialised, %p pages in %mms"                                     }, /* before 5.8 */
	{KLOG_DEFERRED,           "kswapd %n initialised deferred memory in %mms"                             }, /* the first series */
	{KLOG_DEFERRED,           "kswapd %n initialised %p pages in %mms"                                    }, /* 4.2 */
	{KLOG_HUGETLB_TOOK,       "HugeTLB: allocation took %mms with hugepage_allocation_threads=%t"         },
	{KLOG_HUGETLB_REGISTERED, "HugeTLB: registered %s page size, pre-allocated %c pages"                  },
	{KLOG_HUGETLB_REGISTERED,
	 "HugeTLB registered %s page size, pre-allocated %c pages"                                            }, /* before 5.17 */
	{KLOG_HUGETLB_FREEABLE,   "HugeTLB: %K KiB vmemmap can be freed for a %s page"                        },
	{KLOG_HUGETLB_SHORT,
	 "HugeTLB: allocating %w of page size %s failed node%n. Only allocated %c hugepages"                  },
	{KLOG_HUGETLB_SHORT,      "HugeTLB: allocating %w of page size %s failed. Only allocated %c hugepages"},
	{KLOG_HUGETLB_CROSS_ZONE, "HugeTLB: freed %c cross-zone hugepages of size %s on node %n"              },
	{KLOG_HUGETLB_CMA,        "HugeTLB: hugetlb_cma is enabled, skip boot time allocation"                },
	{KLOG_MEMORY,             "Memory: %KK/%TK available"						 },
	{KLOG_MEM_INIT,           "mem auto-init: %gheap alloc:%N, heap free:"                                },
	{KLOG_MEM_INIT,           "mem auto-init: "							   },
	{KLOG_MEM_INIT,           "software IO TLB: area num "                                                },
	{KLOG_BLOCK_SIZE,         "x86/mm: Memory block size: %MMB"                                           },
	{KLOG_VMEMMAP_FAILED,     "%N: vmemmap alloc failure: order:%c"                                       },
	{KLOG_UNALIGNED_RANGE,    "Block size [%X] unaligned hotplug range: start %x, size"                   },
	{KLOG_UNALIGNED_RANGE,    "Block size [%X] unaligned hotplug range"                                   },
	{KLOG_MISALIGNED_PAGES,   "Misaligned __add_pages start: %x end: %X"                                  },
	{KLOG_MISALIGNED_PAGES,   "Misaligned __add_pages start: %x end: #%X"                                 }, /* a slip of old kernels */
	{KLOG_DEVICE_MEMORY,      "amdgpu: HMM registered %MMB device memory"                                 },
	{KLOG_DEVICE_MEMORY,      "amdgpu %N: amdgpu: HMM registered %MMB device memory"                      },
	{KLOG_DEVICE_MEMORY,      "HMM registered %MMB device memory"                                         },
	{KLOG_DEVICE_MEMORY,      "nouveau %N: DRM: DMEM: registered %MMB of"                                 },
	{KLOG_DEVICE_MEMORY,      "nouveau %N: DMEM: registered %MMB of"                                      },
	{KLOG_DEVICE_MEMORY,      "DMEM: registered %MMB of"                                                  },
	{KLOG_DEVICE_MEMORY,      "added new %M MB chunk (total %d chunks, %d MB) PFNs [%x %X)"               },
	{KLOG_DEVICE_RESERVED,    "%greserve %MMB system memory for VRAM pages struct"                        },
	{KLOG_INITCALL_BEGIN,     "calling %N @ %d"							   },
	{KLOG_INITCALL_END,       "initcall %N returned %g after %u usecs"                                    },
	{KLOG_INIT_STARTED,       "Run %N as init process"						    },
	{KLOG_VERSION,            "Linux version %N "							 },
	{KLOG_COMMAND_LINE,       "Kernel command line: %N"                                                   },
	{KLOG_CPUS,               "smp: Brought up %d nodes, %c CPU"                                          },
	{KLOG_CPUS,               "smp: Brought up %d node, %c CPU"                                           },
	{KLOG_COMMAND_LINE,       "Command line: %N"							  },
 /* Zone device, before mid-2019: the device's name comes first, so any name does. Keep it last. */
	{KLOG_ZONE_DEVICE,        "%N initialised, %p pages in %mms"                                          },
};

struct text {
	const char *at, *end;
};

static bool take_decimal(struct text *t, uint64_t *out)
{
	const char *start = t->at;
	uint64_t value = 0;

	while (t->at < t->end && isdigit((unsigned char)*t->at)) {
		if (mul_u64(value, 10, &value) || add_u64(value, (uint64_t)(*t->at - '0'), &value))
			return false;
		t->at++;
	}
	*out = value;
	return t->at > start;
}

static bool take_hex(struct text *t, uint64_t *out)
{
	uint64_t value = 0;

	if (t->end - t->at > 2 && t->at[0] == '0' && (t->at[1] | 0x20) == 'x')
		t->at += 2;
	const char *start = t->at;

	while (t->at < t->end && isxdigit((unsigned char)*t->at)) {
		int c = tolower((unsigned char)*t->at++);

		if (value >> 60)
			return false;
		value = value << 4 | (uint64_t)(isdigit(c) ? c - '0' : c - 'a' + 10);
	}
	*out = value;
	return t->at > start;
}

/* "2.00 MiB", "1.00 GiB", "2048 kB": the kernel prints kB for 1024 bytes. */
static bool take_page_size(struct text *t, uint64_t *out)
{
	char number[UNITS_STR];
	size_t len = 0;

	while (t->at < t->end && len + 1 < sizeof(number) &&
	       (isalnum((unsigned char)*t->at) || *t->at == '.' ||
		(*t->at == ' ' && t->at + 1 < t->end && strchr("KMGTk", t->at[1]))))
		number[len++] = *t->at++;
	number[len] = 0;
	char *kb = strstr(number, "kB");

	if (kb)
		memcpy(kb, "K", 2);
	return !size_parse(number, out);
}

/* Up to where the pattern goes on, or to the end of the message where the pattern ends. */
static bool take_until(struct text *t, const char *rest, struct text *taken)
{
	size_t literal = strcspn(rest, "%");
	const char *stop = literal ? memmem(t->at, (size_t)(t->end - t->at), rest, literal) : t->end;

	if (!stop)
		return false;
	*taken = (struct text){t->at, stop};
	t->at = stop;
	return true;
}

/* Names are single words, but for a command line, which is the rest of its line. */
static bool is_name(const struct text *name, const char *rest)
{
	size_t len = (size_t)(name->end - name->at);

	return len && (!*rest || !memchr(name->at, ' ', len));
}

static bool scaled(uint64_t value, uint64_t by, uint64_t *out)
{
	return !mul_u64(value, by, out);
}

static bool take_number(char what, struct text *t, struct klog_record *r)
{
	uint64_t v;

	if (what == 's') {
		r->has |= KLOG_HAS_PAGE_SIZE;
		return take_page_size(t, &r->page_size_bytes);
	}
	if (what == 'x' || what == 'X') {
		r->has |= what == 'x' ? KLOG_HAS_START : KLOG_HAS_END;
		return take_hex(t, what == 'x' ? &r->start : &r->end);
	}
	if (!take_decimal(t, &v))
		return false;
	switch (what) {
	case 'n':
		r->has |= KLOG_HAS_NODE;
		r->node = (uint32_t)v;
		return v <= UINT32_MAX;
	case 't':
		r->has |= KLOG_HAS_THREADS;
		r->threads = (uint32_t)v;
		return v <= UINT32_MAX;
	case 'p':
		r->has |= KLOG_HAS_PAGES;
		r->pages = v;
		return true;
	case 'm':
		r->has |= KLOG_HAS_MS;
		r->ms = v;
		return true;
	case 'u':
		r->has |= KLOG_HAS_US;
		r->us = v;
		return true;
	case 'c':
		r->has |= KLOG_HAS_COUNT;
		r->count = v;
		return true;
	case 'w':
		r->has |= KLOG_HAS_WANTED;
		r->wanted = v;
		return true;
	case 'K':
		r->has |= KLOG_HAS_BYTES;
		return scaled(v, KIB, &r->bytes);
	case 'M':
		r->has |= KLOG_HAS_BYTES;
		return scaled(v, MIB, &r->bytes);
	case 'T':
		r->has |= KLOG_HAS_TOTAL;
		return scaled(v, KIB, &r->total_bytes);
	default:
		return what == 'd';
	}
}

static bool match_literal(char c, struct text *t)
{
	if (t->at >= t->end || *t->at != c)
		return false;
	while (t->at < t->end && *t->at == c) {
		t->at++;
		if (c != ' ')
			break;
	}
	return true;
}

static bool match_pattern(const char *pattern, struct text t, struct klog_record *r, struct text *name)
{
	for (const char *p = pattern; *p; p++) {
		if (*p != '%') {
			if (!match_literal(*p, &t))
				return false;
			continue;
		}
		p++;
		if (*p == 'N' || *p == 'g') {
			struct text taken;

			if (!take_until(&t, p + 1, &taken) || (*p == 'N' && !is_name(&taken, p + 1)))
				return false;
			if (*p == 'N')
				*name = taken;
		} else if (!take_number(*p, &t, r)) {
			return false;
		}
	}
	return true;
}

int klog_match(const char *message, size_t len, struct klog_record *record)
{
	for (size_t i = 0; i < ARRAY_SIZE(known_lines); i++) {
		struct klog_record r = {.type = known_lines[i].type};
		struct text name = {0};

		if (!match_pattern(known_lines[i].pattern, (struct text){message, message + len}, &r, &name))
			continue;
		if (name.at) {
			r.name = strndup(name.at, (size_t)(name.end - name.at));
			if (!r.name)
				return -ENOMEM;
			r.has |= KLOG_HAS_NAME;
		}
		r.line = record->line;
		r.stamp = record->stamp;
		r.stamp_ns = record->stamp_ns;
		*record = r;
		return 1;
	}
	return 0;
}
