// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages out of a guest: whole ones come through, damaged and truncated ones never do. */
#include "support/check.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "measure/guest_frame.h"

enum { HEADER_BYTES = 20, STREAM_MAX = 4096 };

/* The bytes of a frame, as they go through the channel. */
static size_t bytes_of(enum guest_message type, const char *payload, char out[STREAM_MAX])
{
	int ends[2];
	ssize_t n;

	assert_int_equal(pipe(ends), 0);
	assert_int_equal(guest_frame_write(ends[1], type, payload, strlen(payload)), 0);
	close(ends[1]);
	n = read(ends[0], out, STREAM_MAX);
	close(ends[0]);
	assert_true(n > 0);
	return (size_t)n;
}

static void expect_message(struct guest_frames *frames, enum guest_message type, const char *text)
{
	_cleanup_free_ char *payload = NULL;
	enum guest_message got;
	size_t len;

	check_int(guest_frames_next(frames, &got, &payload, &len), 1, "a message (%s)", text);
	check_int(got, type, "type of %s", text);
	check_str(payload, text, "payload");
	check_u64(len, strlen(text), "length of %s", text);
}

static int next(struct guest_frames *frames)
{
	_cleanup_free_ char *payload = NULL;
	enum guest_message type;
	size_t len;

	return guest_frames_next(frames, &type, &payload, &len);
}

static void byte_by_byte(void **state)
{
	_cleanup_guest_frames_ struct guest_frames frames = {0};
	char stream[2 * STREAM_MAX];
	size_t first = bytes_of(GUEST_PROGRESS, "measuring pmem0", stream);
	size_t len = first + bytes_of(GUEST_DONE, "", stream + first);

	(void)state;
	for (size_t i = 0; i < len; i++) {
		if (i == first)
			expect_message(&frames, GUEST_PROGRESS, "measuring pmem0");
		check_int(next(&frames), 0, "before byte %zu", i);
		assert_int_equal(guest_frames_add(&frames, stream + i, 1), 0);
	}
	expect_message(&frames, GUEST_DONE, "");
	check_u64(guest_frames_pending(&frames), 0, "nothing left");
}

static void several_at_once(void **state)
{
	_cleanup_guest_frames_ struct guest_frames frames = {0};
	char stream[2 * STREAM_MAX];
	size_t len = bytes_of(GUEST_HELLO, "", stream);

	(void)state;
	len += bytes_of(GUEST_OBSERVATIONS, "{\"runs\": []}", stream + len);
	assert_int_equal(guest_frames_add(&frames, stream, len), 0);
	expect_message(&frames, GUEST_HELLO, "");
	expect_message(&frames, GUEST_OBSERVATIONS, "{\"runs\": []}");
	check_int(next(&frames), 0, "no third");
}

/* Whatever a bit flip does to a frame, no message comes out of it. */
static void damage(void **state)
{
	char stream[STREAM_MAX];
	size_t len = bytes_of(GUEST_OBSERVATIONS, "{\"first_ns\": 1000}", stream);

	(void)state;
	for (size_t bit = 0; bit < len * 8; bit++) {
		_cleanup_guest_frames_ struct guest_frames frames = {0};

		stream[bit / 8] ^= (char)(1 << bit % 8);
		assert_int_equal(guest_frames_add(&frames, stream, len), 0);
		check_int(next(&frames), -EBADMSG, "bit %zu flipped", bit);
		stream[bit / 8] ^= (char)(1 << bit % 8);
	}
}

static void truncation(void **state)
{
	char stream[STREAM_MAX];
	size_t len = bytes_of(GUEST_OBSERVATIONS, "{\"first_ns\": 1000}", stream);

	(void)state;
	for (size_t cut = 0; cut < len; cut++) {
		_cleanup_guest_frames_ struct guest_frames frames = {0};

		assert_int_equal(guest_frames_add(&frames, stream, cut), 0);
		check_int(next(&frames), 0, "cut at %zu", cut);
		check_u64(guest_frames_pending(&frames), cut, "pending at %zu", cut);
	}
}

/* CRC-32's published check value, that of "123456789", little-endian in the header's fourth word. */
static void checksum_is_crc32(void **state)
{
	static const unsigned char want[] = {0x26, 0x39, 0xf4, 0xcb};
	char stream[STREAM_MAX];

	(void)state;
	check_u64(bytes_of(GUEST_NOTE, "123456789", stream), HEADER_BYTES + 9, "frame length");
	assert_memory_equal(stream + 12, want, sizeof(want));
}

static void too_long(void **state)
{
	int null = open("/dev/null", O_WRONLY);

	(void)state;
	check_int(guest_frame_write(null, GUEST_NOTE, "", (size_t)GUEST_FRAME_MAX + 1), -EMSGSIZE,
		  "too long");
	close(null);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(byte_by_byte),
		cmocka_unit_test(several_at_once),
		cmocka_unit_test(damage),
		cmocka_unit_test(truncation),
		cmocka_unit_test(checksum_is_crc32),
		cmocka_unit_test(too_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
