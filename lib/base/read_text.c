// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/read_text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>

#include "base/util.h"

int read_fd(int fd, size_t max_bytes, char **text, size_t *len)
{
	_cleanup_free_ char *data = NULL;
	size_t used = 0, room = 0;

	for (;;) {
		if (room - used < 2) {
			char *bigger = realloc(data, room = room ? room * 2 : 8192);

			if (!bigger)
				return -ENOMEM;
			data = bigger;
		}
		ssize_t got = read(fd, data + used, room - used - 1);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		if (!got)
			break;
		used += (size_t)got;
		if (used > max_bytes)
			return -EFBIG;
	}
	data[used] = 0;
	*text = take_ptr(data);
	*len = used;
	return 0;
}

int read_text(const char *path, size_t max_bytes, char **text, size_t *len)
{
	_cleanup_fd_ int fd = -1;

	if (!strcmp(path, "-"))
		return read_fd(STDIN_FILENO, max_bytes, text, len);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd < 0 ? -errno : read_fd(fd, max_bytes, text, len);
}
