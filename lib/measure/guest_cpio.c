// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_cpio.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/util.h"

static void put(struct cpio *cpio, const void *data, size_t len)
{
	if (cpio->err)
		return;
	if (len && fwrite(data, 1, len, cpio->out) != len)
		cpio->err = errno ? -errno : -EIO;
	cpio->offset_bytes += len;
}

static void align4(struct cpio *cpio)
{
	put(cpio, "\0\0\0", -cpio->offset_bytes & 3);
}

/* Thirteen fields of eight hexadecimal digits after the magic, then the name; name and data end on multiples of four. */
static void entry(struct cpio *cpio, const char *name, unsigned int mode, unsigned int major,
		  unsigned int minor, const void *data, size_t len)
{
	size_t name_len = strlen(name) + 1;
	char header[111];

	if (len > UINT32_MAX) {
		cpio->err = cpio->err ? cpio->err : -EFBIG;
		return;
	}
	snprintf(header, sizeof(header), "070701%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x%08x",
		 ++cpio->inode, mode, 0U, 0U, 1U, 0U, (uint32_t)len, 0U, 0U, major, minor, (uint32_t)name_len,
		 0U);
	put(cpio, header, sizeof(header) - 1);
	put(cpio, name, name_len);
	align4(cpio);
	put(cpio, data, len);
	align4(cpio);
}

void cpio_directory(struct cpio *cpio, const char *name)
{
	entry(cpio, name, S_IFDIR | 0755, 0, 0, NULL, 0);
}

void cpio_device(struct cpio *cpio, const char *name, unsigned int major, unsigned int minor)
{
	entry(cpio, name, S_IFCHR | 0600, major, minor, NULL, 0);
}

void cpio_bytes(struct cpio *cpio, const char *name, unsigned int mode, const void *data, size_t len)
{
	entry(cpio, name, S_IFREG | mode, 0, 0, data, len);
}

static int map_file(const char *path, void **data, size_t *len)
{
	_cleanup_fd_ int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	*len = (size_t)st.st_size;
	*data = NULL;
	if (!*len)
		return 0;
	*data = mmap(NULL, *len, PROT_READ, MAP_PRIVATE, fd, 0);
	return *data == MAP_FAILED ? -errno : 0;
}

int cpio_file(struct cpio *cpio, const char *name, unsigned int mode, const char *path)
{
	void *data;
	size_t len = 0;
	int err = map_file(path, &data, &len);

	if (err) {
		cpio->err = cpio->err ? cpio->err : err;
		return err;
	}
	cpio_bytes(cpio, name, mode, data, len);
	if (data)
		munmap(data, len);
	return cpio->err;
}

int cpio_finish(struct cpio *cpio)
{
	cpio->inode = UINT32_MAX; /* the trailer's is 0 */
	entry(cpio, "TRAILER!!!", 0, 0, 0, NULL, 0);
	if (!cpio->err && fflush(cpio->out))
		cpio->err = -errno;
	return cpio->err;
}
