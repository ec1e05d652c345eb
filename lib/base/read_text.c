// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/read_text.h"

#include <errno.h>
#include <string.h>

#include "base/util.h"

static int read_all(FILE *in, char **text, size_t *len)
{
	_cleanup_free_ char *data = NULL;
	size_t used = 0, room = 0;

	for (;;) {
		if (room - used < 2) {
			char *bigger = realloc(data, room = room ? room * 2 : 65536);

			if (!bigger)
				return -ENOMEM;
			data = bigger;
		}
		size_t got = fread(data + used, 1, room - used - 1, in);

		used += got;
		if (!got)
			break;
	}
	if (ferror(in))
		return -EIO;
	data[used] = 0;
	*text = take_ptr(data);
	*len = used;
	return 0;
}

int read_text(const char *path, char **text, size_t *len)
{
	_cleanup_file_ FILE *in = NULL;

	if (!strcmp(path, "-"))
		return read_all(stdin, text, len);
	in = fopen(path, "re");
	if (!in)
		return -errno;
	errno = 0;
	int err = read_all(in, text, len);

	return err == -EIO && errno ? -errno : err; /* a directory opens, and fails here */
}
