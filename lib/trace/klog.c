// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/klog.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "base/units.h"
#include "trace/klog_match.h"

const char *klog_type_name(enum klog_type type)
{
	static const char *const names[] = {
		[KLOG_ZONE_DEVICE] = "zone-device",
		[KLOG_DEFERRED] = "deferred",
		[KLOG_HUGETLB_TOOK] = "hugetlb-took",
		[KLOG_HUGETLB_REGISTERED] = "hugetlb-registered",
		[KLOG_HUGETLB_FREEABLE] = "hugetlb-freeable",
		[KLOG_HUGETLB_SHORT] = "hugetlb-short",
		[KLOG_HUGETLB_CROSS_ZONE] = "hugetlb-cross-zone",
		[KLOG_HUGETLB_CMA] = "hugetlb-cma",
		[KLOG_MEMORY] = "memory",
		[KLOG_MEM_INIT] = "mem-init",
		[KLOG_BLOCK_SIZE] = "block-size",
		[KLOG_VMEMMAP_FAILED] = "vmemmap-failed",
		[KLOG_UNALIGNED_RANGE] = "unaligned-range",
		[KLOG_MISALIGNED_PAGES] = "misaligned-pages",
		[KLOG_DEVICE_MEMORY] = "device-memory",
		[KLOG_DEVICE_RESERVED] = "device-reserved",
		[KLOG_INITCALL_BEGIN] = "initcall-begin",
		[KLOG_INITCALL_END] = "initcall-end",
		[KLOG_INIT_STARTED] = "init-started",
		[KLOG_VERSION] = "version",
		[KLOG_COMMAND_LINE] = "command-line",
		[KLOG_CPUS] = "cpus",
	};

	_Static_assert(ARRAY_SIZE(names) == NR_KLOG_TYPES, "a name for every type");
	return (size_t)type < ARRAY_SIZE(names) ? names[type] : "?";
}

struct parser {
	struct klog *klog;
	uint64_t delta_ns; /* the printed differences, summed up */
};

static int parse_line(struct parser *p, const char *line, size_t len)
{
	struct klog_record record = {.line = (unsigned int)++p->klog->nr_lines};
	struct klog_line peeled;
	int matched;

	klog_peel(line, len, &peeled);
	record.stamp = peeled.stamp;
	record.stamp_ns = peeled.stamp_ns;
	if (peeled.stamp == KLOG_STAMP_DELTA) {
		p->delta_ns += peeled.stamp_ns;
		record.stamp_ns = p->delta_ns;
	}
	matched = klog_match(peeled.message, peeled.len, &record);
	if (matched <= 0)
		return matched;
	struct klog_record *slot = array_grow(&p->klog->records, &p->klog->nr, sizeof(*slot));

	if (!slot) {
		free(record.name);
		return -ENOMEM;
	}
	*slot = record;
	return 0;
}

int klog_parse(const char *text, size_t len, struct klog **out)
{
	_cleanup_klog_ struct klog *klog = calloc(1, sizeof(*klog));
	struct parser p = {.klog = klog};

	if (!klog)
		return -ENOMEM;
	while (len) {
		const char *newline = memchr(text, '\n', len);
		size_t n = newline ? (size_t)(newline - text) : len;
		int err = parse_line(&p, text, n);

		if (err)
			return err;
		n += newline != NULL;
		text += n;
		len -= n;
	}
	*out = take_ptr(klog);
	return 0;
}

void klog_free(struct klog *klog)
{
	if (!klog)
		return;
	for (size_t i = 0; i < klog->nr; i++)
		free(klog->records[i].name);
	free(klog->records);
	free(klog);
}

/* Is ms what jiffies_to_msecs makes of some number of jiffies? It truncates. */
static bool is_jiffies(uint64_t ms, unsigned int hz)
{
	uint64_t jiffies = div_round_up(ms * hz, 1000);

	return jiffies * 1000 / hz == ms;
}

static bool all_are_jiffies(const struct klog *klog, unsigned int hz)
{
	for (size_t i = 0; i < klog->nr; i++) {
		if ((klog->records[i].has & KLOG_HAS_MS) && !is_jiffies(klog->records[i].ms, hz))
			return false;
	}
	return true;
}

double klog_jiffy_ms(const struct klog *klog, unsigned int hz)
{
	static const unsigned int usual[] = {100, 250, 300, 1000};

	for (size_t i = 0; !hz && i < ARRAY_SIZE(usual); i++) {
		if (all_are_jiffies(klog, usual[i]))
			hz = usual[i];
	}
	return 1000.0 / (hz ? hz : 1000);
}

unsigned int klog_running_hz(void)
{
	struct timespec step;

	if (clock_getres(CLOCK_MONOTONIC_COARSE, &step) || step.tv_sec || step.tv_nsec <= 0)
		return 0;
	return (unsigned int)lround((double)NS_PER_S / (double)step.tv_nsec);
}

static int append(char **text, size_t *len, size_t *room, const char *bytes, size_t n)
{
	if (*len + n > *room) {
		size_t bigger = MAX(*room * 2, *len + n + 65536);
		char *moved = realloc(*text, bigger);

		if (!moved)
			return -ENOMEM;
		*text = moved;
		*room = bigger;
	}
	memcpy(*text + *len, bytes, n);
	*len += n;
	return 0;
}

/* A read gives one record; what was overwritten meanwhile is an EPIPE, after which the next one is there. */
int klog_drain(int fd, char **text, size_t *len)
{
	_cleanup_free_ char *all = NULL;
	size_t used = 0, room = 0;
	char record[8192];

	for (;;) {
		ssize_t n = read(fd, record, sizeof(record));

		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n < 0 && errno != EAGAIN)
			return -errno;
		if (n <= 0)
			break;
		int err = append(&all, &used, &room, record, (size_t)n);

		if (err)
			return err;
	}
	*text = take_ptr(all);
	*len = used;
	return 0;
}

int klog_read_live(struct diags *diags, char **text, size_t *len)
{
	_cleanup_fd_ int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int err = fd < 0 ? -errno : klog_drain(fd, text, len);

	if (err)
		return diag_error(
			diags, err,
			"the kernel's log cannot be read (/dev/kmsg: %s): run as root, or save it elsewhere "
			"and give it with --log FILE",
			strerror(-err));
	return 0;
}
