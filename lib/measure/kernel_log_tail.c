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

/* The next message of what klog_drain read; false at the end. Properties of records, indented, are left out. */
static bool next_message(const char **text, size_t *len, struct klog_line *out)
{
	while (*len) {
		const char *line = *text, *newline = memchr(line, '\n', *len);
		size_t n = newline ? (size_t)(newline - line) : *len;

		*text += n + (newline != NULL);
		*len -= n + (newline != NULL);
		if (*line == ' ')
			continue;
		klog_peel(line, n, out);
		if (out->len)
			return true;
	}
	return false;
}

static bool contains(const struct klog_line *line, const char *word)
{
	return memmem(line->message, line->len, word, strlen(word)) != NULL;
}

/* At the start, or after a blank: not the end of "DEBUG: ". */
static bool has_word(const struct klog_line *line, const char *word)
{
	const char *at = memmem(line->message, line->len, word, strlen(word));

	return at && (at == line->message || at[-1] == ' ');
}

char *kernel_log_tail(int fd, const char *device)
{
	_cleanup_free_ char *text = NULL;
	struct klog_line best = {0}, line;
	bool best_names = false;
	const char *at;
	size_t len = 0;

	if (fd < 0 || klog_drain(fd, &text, &len))
		return NULL;
	at = text;
	while (next_message(&at, &len, &line)) {
		bool names = contains(&line, device);

		if (best_names && !names)
			continue;
		best = line;
		best_names = names;
	}
	return best.len ? strndup(best.message, best.len) : NULL;
}

void kernel_log_complaints(int fd, struct diags *diags)
{
	static const char *const words[] = {"BUG: ", "WARNING: ", "Oops: "};
	_cleanup_free_ char *text = NULL;
	struct klog_line line;
	const char *at;
	size_t len = 0;

	if (fd < 0 || klog_drain(fd, &text, &len))
		return;
	at = text;
	while (next_message(&at, &len, &line)) {
		for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
			if (has_word(&line, words[i]))
				diag_add(diags, DIAG_WARNING, NULL, 0, 0,
					 "the kernel complained meanwhile: %.*s", (int)line.len,
					 line.message);
		}
	}
}
