/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages out of the guest: frames on a byte stream of their own, each with its length and checksums, so that a
 * truncated or damaged result is never taken for one. Little-endian on every architecture.
 */
#ifndef MEMMAPCTL_MEASURE_GUEST_FRAME_H
#define MEMMAPCTL_MEASURE_GUEST_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include "base/util.h"

enum guest_message {
	GUEST_HELLO,        /* the agent runs; empty */
	GUEST_PROGRESS,     /* text: what is being done, for people */
	GUEST_NOTE,         /* text: what a reader of the result should know */
	GUEST_ERROR,        /* text: why the measurement failed; the last message */
	GUEST_OBSERVATIONS, /* JSON: memmapctl.observations/1 */
	GUEST_DONE,         /* all is sent; the last message; empty */
	NR_GUEST_MESSAGES,
};

enum { GUEST_FRAME_MAX = 64 << 20 }; /* bytes of a payload; more is taken for damage */

/* Write a frame, all of it. 0 or a negative errno (-EMSGSIZE: payload too long). */
int guest_frame_write(int fd, enum guest_message type, const void *payload, size_t len);

/* Collects bytes as they come and hands out frames. Zero-initialise; free with guest_frames_free. */
struct guest_frames {
	char *data;
	size_t len, room;
	size_t start; /* of what was not handed out yet */
};

int guest_frames_add(struct guest_frames *frames, const void *data, size_t len); /* 0 or -ENOMEM */

/*
 * The next frame: 1 with *type, *payload (NUL-terminated, not counted in *len; the caller frees) and *len set; 0:
 * no whole frame yet; -EBADMSG: damaged, and nothing after it can be trusted; -ENOMEM.
 */
int guest_frames_next(struct guest_frames *frames, enum guest_message *type, char **payload, size_t *len);

/* Bytes of a frame that has begun but is not whole: at the end of the stream, a truncated one. */
size_t guest_frames_pending(const struct guest_frames *frames);
void guest_frames_free(struct guest_frames *frames);
#define _cleanup_guest_frames_ _cleanup_(guest_frames_free)

#endif
