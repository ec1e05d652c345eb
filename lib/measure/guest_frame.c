// SPDX-License-Identifier: GPL-2.0-or-later
#include "measure/guest_frame.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

/* The header has a checksum of its own: a damaged length must not make the reader wait for what never comes. */
struct header {
	uint32_t magic;
	uint32_t type;
	uint32_t len;
	uint32_t payload_crc;
	uint32_t header_crc; /* of all before it */
};

static const uint32_t frame_magic = 0x314d4d47; /* "GMM1" */

/* CRC-32 of IEEE 802.3, reflected. */
static uint32_t crc32_of(const void *data, size_t len)
{
	const unsigned char *p = data;
	uint32_t crc = ~0U;

	while (len--) {
		crc ^= *p++;
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320U : 0);
	}
	return ~crc;
}

static int write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int guest_frame_write(int fd, enum guest_message type, const void *payload, size_t len)
{
	struct header header = {.magic = htole32(frame_magic), .type = htole32((uint32_t)type)};
	int err;

	if (len > GUEST_FRAME_MAX)
		return -EMSGSIZE;
	header.len = htole32((uint32_t)len);
	header.payload_crc = htole32(crc32_of(payload, len));
	header.header_crc = htole32(crc32_of(&header, offsetof(struct header, header_crc)));
	err = write_all(fd, &header, sizeof(header));
	return err ? err : write_all(fd, payload, len);
}

int guest_frames_add(struct guest_frames *frames, const void *data, size_t len)
{
	if (frames->start) {
		memmove(frames->data, frames->data + frames->start, frames->len - frames->start);
		frames->len -= frames->start;
		frames->start = 0;
	}
	if (len > frames->room - frames->len) {
		size_t room = MAX(frames->room * 2, frames->len + len);
		char *bigger = realloc(frames->data, room);

		if (!bigger)
			return -ENOMEM;
		frames->data = bigger;
		frames->room = room;
	}
	if (len)
		memcpy(frames->data + frames->len, data, len);
	frames->len += len;
	return 0;
}

static int check_header(const struct header *header)
{
	if (le32toh(header->magic) != frame_magic ||
	    le32toh(header->header_crc) != crc32_of(header, offsetof(struct header, header_crc)))
		return -EBADMSG;
	if (le32toh(header->type) >= NR_GUEST_MESSAGES || le32toh(header->len) > GUEST_FRAME_MAX)
		return -EBADMSG;
	return 0;
}

int guest_frames_next(struct guest_frames *frames, enum guest_message *type, char **payload, size_t *len)
{
	size_t pending = guest_frames_pending(frames);
	struct header header;
	const char *body;
	char *copy;
	int err;

	if (pending < sizeof(header))
		return 0;
	memcpy(&header, frames->data + frames->start, sizeof(header));
	err = check_header(&header);
	if (err)
		return err;
	header.len = le32toh(header.len);
	if (pending - sizeof(header) < header.len)
		return 0;
	body = frames->data + frames->start + sizeof(header);
	if (crc32_of(body, header.len) != le32toh(header.payload_crc))
		return -EBADMSG;
	copy = malloc((size_t)header.len + 1);
	if (!copy)
		return -ENOMEM;
	memcpy(copy, body, header.len);
	copy[header.len] = '\0';
	frames->start += sizeof(header) + header.len;
	*type = (enum guest_message)le32toh(header.type);
	*payload = copy;
	*len = header.len;
	return 1;
}

size_t guest_frames_pending(const struct guest_frames *frames)
{
	return frames->len - frames->start;
}

void guest_frames_free(struct guest_frames *frames)
{
	free(frames->data);
	*frames = (struct guest_frames){0};
}
