// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/kernel_log_tail.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "base/util.h"
#include "trace/klog.h"
#include "trace/klog_match.h"

int kernel_log_tail_open(void)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) < 0)
		close_fd(&fd);
	return fd;
}

char *kernel_log_tail(int fd, const char *device)
{
	_cleanup_free_ char *text = NULL;
	struct klog_line best = {0};
	bool best_names = false;
	size_t len = 0;

	if (fd < 0 || klog_drain(fd, &text, &len))
		return NULL;
	for (const char *line = text, *end; len; line = end) {
		const char *newline = memchr(line, '\n', len);
		size_t n = newline ? (size_t)(newline - line) : len;
		struct klog_line peeled;

		end = line + n + (newline != NULL);
		len -= (size_t)(end - line);
		if (*line == ' ') /* a property of the record before it */
			continue;
		klog_peel(line, n, &peeled);
		bool names = memmem(peeled.message, peeled.len, device, strlen(device)) != NULL;

		if (!peeled.len || (best_names && !names))
			continue;
		best = peeled;
		best_names = names;
	}
	return best.len ? strndup(best.message, best.len) : NULL;
}
