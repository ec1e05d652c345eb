/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel's log, read for what it says of memory maps: lines of every form that dmesg, journalctl -k, /dev/kmsg,
 * a serial console, a bug tracker or a mail leave of them, to typed records. No I/O but klog_read_live.
 */
#ifndef MEMMAPCTL_TRACE_KLOG_H
#define MEMMAPCTL_TRACE_KLOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

enum klog_type {
	KLOG_ZONE_DEVICE,        /* memmap_init_zone_device: pages in ms */
	KLOG_DEFERRED,           /* deferred init of a node: ms, pages where the wording has them */
	KLOG_HUGETLB_TOOK,       /* boot-time allocation from the buddy allocator: ms, threads */
	KLOG_HUGETLB_REGISTERED, /* a page size and how many of it were allocated at boot */
	KLOG_HUGETLB_FREEABLE,   /* what HVO can free of one page; 0: nothing here */
	KLOG_HUGETLB_SHORT,      /* fewer hugepages than asked for */
	KLOG_HUGETLB_CROSS_ZONE, /* hugepages given back because they crossed a zone's border */
	KLOG_HUGETLB_CMA,        /* no boot-time allocation */
	KLOG_MEMORY, /* "Memory: x/y available": after deferred init from 6.12 on, before it in 6.1 */
	KLOG_MEM_INIT, /* just before boot memory is handed to the buddy allocator; name: init_on_alloc, "on" or "off" */
	KLOG_BLOCK_SIZE,       /* of a memory block */
	KLOG_VMEMMAP_FAILED,   /* no huge page for the vmemmap of added memory */
	KLOG_UNALIGNED_RANGE,  /* hot-plug refused: not whole memory blocks */
	KLOG_MISALIGNED_PAGES, /* hot-plug refused: not whole subsections */
	KLOG_DEVICE_MEMORY,    /* a driver registered its memory: bytes */
	KLOG_DEVICE_RESERVED,  /* amdkfd: RAM reserved for the struct pages of VRAM */
	KLOG_INITCALL_BEGIN,   /* initcall_debug: name */
	KLOG_INITCALL_END,     /* initcall_debug: name, us */
	KLOG_INIT_STARTED,     /* the kernel starts the first program */
	KLOG_VERSION,          /* name: the release */
	KLOG_COMMAND_LINE,     /* name: all of it */
	KLOG_CPUS,             /* count of those brought up */
	NR_KLOG_TYPES,
};

/* "zone-device", "deferred"... */
const char *klog_type_name(enum klog_type type);

enum klog_stamp {
	KLOG_STAMP_NONE,
	KLOG_STAMP_BOOT,  /* since the kernel started */
	KLOG_STAMP_DELTA, /* since the first such line: sums of the printed differences */
	KLOG_STAMP_WALL, /* since 1970 or, where the form has no year, since that year began; no better than its second */
};

/* Which values a record has. */
enum klog_has {
	KLOG_HAS_NODE = 1 << 0,
	KLOG_HAS_PAGES = 1 << 1,
	KLOG_HAS_MS = 1 << 2,
	KLOG_HAS_US = 1 << 3,
	KLOG_HAS_BYTES = 1 << 4,
	KLOG_HAS_TOTAL = 1 << 5,
	KLOG_HAS_PAGE_SIZE = 1 << 6,
	KLOG_HAS_COUNT = 1 << 7,
	KLOG_HAS_WANTED = 1 << 8,
	KLOG_HAS_THREADS = 1 << 9,
	KLOG_HAS_START = 1 << 10,
	KLOG_HAS_END = 1 << 11,
	KLOG_HAS_NAME = 1 << 12,
};

struct klog_record {
	enum klog_type type;
	enum klog_stamp stamp;
	uint64_t stamp_ns;
	unsigned int line; /* from 1 */
	unsigned int has;  /* enum klog_has */
	uint32_t node;
	uint64_t pages;
	uint64_t ms; /* counted in jiffies: see klog_jiffy_ms */
	uint64_t us;
	uint64_t bytes;
	uint64_t total_bytes;
	uint64_t page_size_bytes;
	uint64_t count;
	uint64_t wanted;
	uint32_t threads;
	uint64_t start, end;
	char *name; /* device, initcall, release, program; NULL: none */
};

struct klog {
	struct klog_record *records; /* in the log's order */
	size_t nr;
	size_t nr_lines; /* all of them, also those that are of no interest here */
};

/*
 * Parse len bytes of a log; NUL bytes in it end nothing (serial captures have them). 0 and *out, freed with
 * klog_free; -ENOMEM. A line that is not known is no error: a log is full of them.
 */
int klog_parse(const char *text, size_t len, struct klog **out);
void klog_free(struct klog *klog);

static inline void klog_free_ptr(struct klog **klog)
{
	klog_free(*klog);
}
#define _cleanup_klog_ _cleanup_(klog_free_ptr)

/*
 * How far apart two neighbouring "ms" values of this log are: the kernel counts them in jiffies. hz > 0 gives the
 * answer (1000 / hz); else it is the coarsest of 10, 4, 10/3 and 1 ms that all values of the log are multiples of,
 * so that the uncertainty is never understated. 10 where the log has no such value.
 */
double klog_jiffy_ms(const struct klog *klog, unsigned int hz);

/* HZ of the running kernel, from the resolution of its coarse clock. 0: not known. */
unsigned int klog_running_hz(void);

/*
 * This boot's log from /dev/kmsg, as text that klog_parse takes; the caller frees. 0, -EPERM or -ENOENT and the
 * like with the reason in diags.
 */
int klog_read_live(struct diags *diags, char **text, size_t *len);

/* What is left to read of a /dev/kmsg opened with O_NONBLOCK. 0 and *text (NULL when nothing is), or a negative errno. */
int klog_drain(int fd, char **text, size_t *len);

#endif
