/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of emu/qemu/pcap_stream.c, which reads captures that arrive in pieces of any size.
 *
 * What lives here: a writer of pcap files in both byte orders and resolutions, and a reader that,
 * like the device, keeps the bytes that are not consumed. The memory of the bytes ends with the
 * last byte, so that a sanitizer detects every read beyond it. May use cmocka and
 * emu/qemu/pcap_stream.h.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/random.h>
#include <hw/blink.h>

#include "emu/qemu/pcap_stream.h"

#define FRAMES 6
#define CAPTURE_BYTES 2048
#define SECONDS 4000000000U /* beyond 31 bits */
#define MAGIC_MICROSECONDS 0xa1b2c3d4U
#define MAGIC_NANOSECONDS 0xa1b23c4dU

/* ---- a capture, byte by byte ---- */

struct capture {
	uint8_t bytes[CAPTURE_BYTES];
	size_t used;
	bool big;
};

static void put_16(struct capture *capture, uint16_t value)
{
	capture->bytes[capture->used++] = (uint8_t)(capture->big ? value >> 8 : value);
	capture->bytes[capture->used++] = (uint8_t)(capture->big ? value : value >> 8);
}

static void put_32(struct capture *capture, uint32_t value)
{
	put_16(capture, (uint16_t)(capture->big ? value >> 16 : value));
	put_16(capture, (uint16_t)(capture->big ? value : value >> 16));
}

static void put_header(struct capture *capture, bool big, uint32_t magic, uint32_t linktype)
{
	memset(capture, 0, sizeof(*capture));
	capture->big = big;
	put_32(capture, magic);
	put_16(capture, 2);
	put_16(capture, 4);
	put_32(capture, 0);
	put_32(capture, 0);
	put_32(capture, 65535);
	put_32(capture, linktype);
}

/* The first byte of a frame is its number. Each further byte is one more than the byte before. */
static void put_frame(struct capture *capture, uint32_t number, uint32_t stored, uint32_t original)
{
	put_32(capture, SECONDS + number);
	put_32(capture, 7 + number);
	put_32(capture, stored);
	put_32(capture, original);
	for (uint32_t i = 0; i < stored; i++)
		capture->bytes[capture->used++] = (uint8_t)(number + i);
}

/* The sample has frames of whole words, of an odd number of bytes, and of no bytes. */
static uint32_t sample_length(uint32_t number)
{
	static const uint32_t length[FRAMES] = {24, 16, 0, 296, 7, 24};

	return length[number];
}

static void put_sample(struct capture *capture, bool big, uint32_t magic)
{
	put_header(capture, big, magic, BLINK_LINKTYPE);
	for (uint32_t i = 0; i < FRAMES; i++)
		put_frame(capture, i, sample_length(i), sample_length(i));
}

/* ---- reading like the device ---- */

/* Call pcap_stream_next() with memory that ends after the last byte. */
static int next_of(struct pcap_stream *stream, const uint8_t *data, size_t bytes,
		   struct pcap_frame *frame)
{
	uint8_t *exact = malloc(bytes ? bytes : 1);
	int ret;

	assert_non_null(exact);
	memcpy(exact, data, bytes);
	ret = pcap_stream_next(stream, exact, bytes, frame);
	if (ret > 0) {
		assert_true((size_t)ret <= bytes);
		if (frame->data) {
			assert_true(frame->data >= exact);
			assert_true(frame->data + frame->bytes == exact + ret);
			frame->data = data + (frame->data - exact);
		}
	}
	free(exact);
	return ret;
}

/*
 * Offer @chunk more bytes at a time, and consume the frames. Return: the last result of
 * pcap_stream_next(). @frames: receives the number of frames. @left: receives the number of bytes
 * that were not consumed.
 */
static int read_capture(struct pcap_stream *stream, const struct capture *capture, size_t chunk,
			uint32_t unit_ns, uint32_t *frames, size_t *left)
{
	size_t at = 0, arrived = 0;
	struct pcap_frame frame;
	int ret = 0;

	*frames = 0;
	while (arrived < capture->used) {
		arrived += chunk < capture->used - arrived ? chunk : capture->used - arrived;
		while ((ret = next_of(stream, capture->bytes + at, arrived - at, &frame)) > 0) {
			at += (size_t)ret;
			if (!frame.data) {
				assert_int_equal(at, PCAP_STREAM_FILE_HEADER_BYTES);
				continue;
			}
			for (size_t i = 0; i < frame.bytes; i++)
				assert_int_equal(frame.data[i], (uint8_t)(*frames + i));
			assert_true(frame.time_ns == (SECONDS + *frames) * 1000000000ULL +
							     (7ULL + *frames) * unit_ns);
			++*frames;
		}
		if (ret < 0)
			break;
	}
	*left = arrived - at;
	return ret;
}

/*
 * The parser must refuse @capture, with a message that contains @remedy. Later calls must find no
 * frame.
 */
static void assert_refused(const struct capture *capture, const char *remedy)
{
	struct pcap_stream stream;
	struct pcap_frame frame;
	uint32_t frames;
	size_t left;

	for (size_t chunk = 1; chunk <= capture->used; chunk++) {
		pcap_stream_reset(&stream);
		assert_int_equal(read_capture(&stream, capture, chunk, 1, &frames, &left), -EPROTO);
		assert_non_null(stream.error);
		if (!strstr(stream.error, remedy))
			fail_msg("\"%s\" does not say \"%s\"", stream.error, remedy);
		assert_int_equal(next_of(&stream, capture->bytes, capture->used, &frame), -EPROTO);
	}
}

static void assert_foreign(const void *head, size_t bytes, const char *remedy)
{
	struct capture capture = {.used = bytes};

	memcpy(capture.bytes, head, bytes);
	assert_refused(&capture, remedy);
}

/* ---- the cases ---- */

static void every_chunking_of(bool big, uint32_t magic, uint32_t unit_ns)
{
	struct pcap_stream stream;
	struct capture capture;
	uint32_t frames;
	size_t left;

	put_sample(&capture, big, magic);
	for (size_t chunk = 1; chunk <= capture.used; chunk++) {
		pcap_stream_reset(&stream);
		assert_int_equal(read_capture(&stream, &capture, chunk, unit_ns, &frames, &left),
				 0);
		assert_int_equal(frames, FRAMES);
		assert_int_equal(left, 0);
		assert_null(stream.error);
	}
}

static void stream_little_endian_nanoseconds_every_chunking(void **state)
{
	every_chunking_of(false, MAGIC_NANOSECONDS, 1);
}

static void stream_little_endian_microseconds_every_chunking(void **state)
{
	every_chunking_of(false, MAGIC_MICROSECONDS, 1000);
}

static void stream_big_endian_nanoseconds_every_chunking(void **state)
{
	every_chunking_of(true, MAGIC_NANOSECONDS, 1);
}

static void stream_big_endian_microseconds_every_chunking(void **state)
{
	every_chunking_of(true, MAGIC_MICROSECONDS, 1000);
}

static void stream_cut_off_anywhere_gives_whole_frames_and_a_rest(void **state)
{
	struct pcap_stream stream;
	struct capture capture;
	size_t left, whole, end;
	uint32_t frames, expected;

	put_sample(&capture, false, MAGIC_NANOSECONDS);
	for (end = capture.used; capture.used-- > 1;) {
		whole = capture.used < PCAP_STREAM_FILE_HEADER_BYTES
				? 0
				: PCAP_STREAM_FILE_HEADER_BYTES;
		for (expected = 0; whole && expected < FRAMES; expected++) {
			size_t item = PCAP_STREAM_RECORD_HEADER_BYTES + sample_length(expected);

			if (whole + item > capture.used)
				break;
			whole += item;
		}
		pcap_stream_reset(&stream);
		assert_int_equal(read_capture(&stream, &capture, 5, 1, &frames, &left), 0);
		assert_int_equal(frames, expected);
		assert_int_equal(left, capture.used - whole);
	}
	assert_true(end > PCAP_STREAM_FILE_HEADER_BYTES);
}

static void stream_same_frame_asked_twice_is_given_twice(void **state)
{
	struct pcap_frame first, second;
	struct pcap_stream stream;
	struct capture capture;
	int header, ret;

	put_sample(&capture, true, MAGIC_MICROSECONDS);
	pcap_stream_reset(&stream);
	header = next_of(&stream, capture.bytes, capture.used, &first);
	assert_int_equal(header, PCAP_STREAM_FILE_HEADER_BYTES);
	assert_null(first.data);
	ret = next_of(&stream, capture.bytes + header, capture.used - header, &first);
	assert_int_equal(ret, PCAP_STREAM_RECORD_HEADER_BYTES + sample_length(0));
	assert_int_equal(next_of(&stream, capture.bytes + header, capture.used - header, &second),
			 ret);
	assert_ptr_equal(first.data, second.data);
	assert_int_equal(first.bytes, second.bytes);
	assert_true(first.time_ns == second.time_ns);
}

static void stream_other_link_type_is_refused(void **state)
{
	struct capture capture;

	put_header(&capture, false, MAGIC_NANOSECONDS, 1);
	assert_refused(&capture, "147 (USER0)");
	put_header(&capture, true, MAGIC_MICROSECONDS, BLINK_LINKTYPE + 1);
	assert_refused(&capture, "editcap -T user0");
}

static void stream_check_sum_bits_of_link_type_are_ignored(void **state)
{
	struct pcap_stream stream;
	struct capture capture;
	uint32_t frames;
	size_t left;

	put_header(&capture, false, MAGIC_NANOSECONDS, 0x50000000U | BLINK_LINKTYPE);
	put_frame(&capture, 0, 24, 24);
	pcap_stream_reset(&stream);
	assert_int_equal(read_capture(&stream, &capture, 1, 1, &frames, &left), 0);
	assert_int_equal(frames, 1);
}

static void stream_other_version_is_refused(void **state)
{
	struct capture capture;

	put_header(&capture, false, MAGIC_NANOSECONDS, BLINK_LINKTYPE);
	capture.bytes[4] = 3;
	assert_refused(&capture, "editcap -F nsecpcap");
	capture.bytes[4] = 2;
	capture.bytes[6] = 3;
	assert_refused(&capture, "editcap -F nsecpcap");
}

static void stream_foreign_first_bytes_name_the_remedy(void **state)
{
	assert_foreign("\n\r\r\n\034\0\0\0", 8, "editcap -F nsecpcap");
	assert_foreign("\3757zXZ\0", 6, "xz -dc");
	assert_foreign("\037\213\010\0", 4, "gzip -dc");
	assert_foreign("BZh91AY", 7, "bzip2 -dc");
	assert_foreign("\x28\xb5\x2f\xfd", 4, "zstd -dc");
	assert_foreign("SMILEREC", 8, "link type 147");
	assert_foreign("no capture at all, but longer than a header", 43, "link type 147");
	assert_foreign("\0\0\0\0", 4, "link type 147");
}

/* These bytes are too few to detect the format. This is no error, since more may arrive. */
static void stream_three_bytes_need_more(void **state)
{
	struct pcap_stream stream;
	struct pcap_frame frame;

	pcap_stream_reset(&stream);
	assert_int_equal(next_of(&stream, (const uint8_t *)"\037\213\010", 3, &frame), 0);
	assert_int_equal(next_of(&stream, (const uint8_t *)"", 0, &frame), 0);
	assert_null(stream.error);
}

static void stream_frame_longer_than_the_limit_is_damage(void **state)
{
	struct capture capture;
	uint32_t number;

	for (number = 0; number < 2; number++) {
		put_header(&capture, number, MAGIC_NANOSECONDS, BLINK_LINKTYPE);
		put_frame(&capture, 0, 24, 24);
		put_32(&capture, 0);
		put_32(&capture, 0);
		put_32(&capture, number ? UINT32_MAX : PCAP_STREAM_FRAME_BYTES_MAX + 1);
		put_32(&capture, UINT32_MAX);
		assert_refused(&capture, "64 KiB");
	}
}

static void stream_longest_frame_is_passed_on(void **state)
{
	uint8_t *data = calloc(1, PCAP_STREAM_ITEM_BYTES_MAX);
	struct pcap_stream stream = {
		.started = true, .nanoseconds = true, .frame_bytes = PCAP_STREAM_FRAME_BYTES_MAX};
	struct capture head = {.big = false};
	struct pcap_frame frame;

	assert_non_null(data);
	put_32(&head, 0);
	put_32(&head, 0);
	put_32(&head, PCAP_STREAM_FRAME_BYTES_MAX);
	put_32(&head, PCAP_STREAM_FRAME_BYTES_MAX);
	memcpy(data, head.bytes, head.used);
	stream.swapped = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;
	assert_int_equal(next_of(&stream, data, PCAP_STREAM_ITEM_BYTES_MAX - 1, &frame), 0);
	assert_int_equal(next_of(&stream, data, PCAP_STREAM_ITEM_BYTES_MAX, &frame),
			 PCAP_STREAM_ITEM_BYTES_MAX);
	assert_int_equal(frame.bytes, PCAP_STREAM_FRAME_BYTES_MAX);
	free(data);
}

/*
 * The capture stores only a part of the frame. The parser returns this part, and the card decides.
 */
static void stream_frame_cut_by_snaplen_is_passed_on(void **state)
{
	struct pcap_stream stream;
	struct capture capture;
	uint32_t frames;
	size_t left;

	put_header(&capture, false, MAGIC_NANOSECONDS, BLINK_LINKTYPE);
	capture.bytes[16] = 16;
	capture.bytes[17] = 0;
	put_frame(&capture, 0, 16, 280);
	put_frame(&capture, 1, 16, 16);
	pcap_stream_reset(&stream);
	assert_int_equal(read_capture(&stream, &capture, 3, 1, &frames, &left), 0);
	assert_int_equal(frames, 2);
	assert_int_equal(left, 0);
}

static void stream_frame_longer_than_snaplen_is_damage(void **state)
{
	struct capture capture;

	put_header(&capture, false, MAGIC_NANOSECONDS, BLINK_LINKTYPE);
	capture.bytes[16] = 16;
	capture.bytes[17] = 0;
	put_frame(&capture, 0, 16, 280);
	put_frame(&capture, 1, 17, 280);
	assert_refused(&capture, "snap length");
}

static void stream_frame_longer_than_on_the_link_is_damage(void **state)
{
	struct capture capture;

	put_header(&capture, true, MAGIC_NANOSECONDS, BLINK_LINKTYPE);
	put_frame(&capture, 0, 24, 23);
	assert_refused(&capture, "copy the capture again");
}

static void reset_between_streams_forgets_order_and_unit_and_error(void **state)
{
	struct pcap_stream stream;
	struct capture capture;
	uint32_t frames;
	size_t left;

	pcap_stream_reset(&stream);
	put_sample(&capture, true, MAGIC_MICROSECONDS);
	assert_int_equal(read_capture(&stream, &capture, 11, 1000, &frames, &left), 0);
	assert_int_equal(frames, FRAMES);

	pcap_stream_reset(&stream);
	put_sample(&capture, false, MAGIC_NANOSECONDS);
	assert_int_equal(read_capture(&stream, &capture, 11, 1, &frames, &left), 0);
	assert_int_equal(frames, FRAMES);

	put_header(&capture, false, MAGIC_NANOSECONDS, BLINK_LINKTYPE + 1);
	pcap_stream_reset(&stream);
	assert_int_equal(read_capture(&stream, &capture, 11, 1, &frames, &left), -EPROTO);
	assert_non_null(stream.error);

	put_sample(&capture, false, MAGIC_NANOSECONDS);
	assert_int_equal(read_capture(&stream, &capture, 11, 1, &frames, &left), -EPROTO);
	pcap_stream_reset(&stream);
	assert_null(stream.error);
	assert_int_equal(read_capture(&stream, &capture, CAPTURE_BYTES, 1, &frames, &left), 0);
	assert_int_equal(frames, FRAMES);
}

/* Consume all frames. The parser must end, and must read only the bytes of the capture. */
static uint32_t random_read(const struct capture *capture, size_t chunk)
{
	size_t at = 0, arrived = 0;
	struct pcap_stream stream;
	struct pcap_frame frame;
	uint32_t found = 0;
	int ret = 0;

	pcap_stream_reset(&stream);
	while (arrived < capture->used && ret >= 0) {
		arrived += chunk < capture->used - arrived ? chunk : capture->used - arrived;
		while ((ret = next_of(&stream, capture->bytes + at, arrived - at, &frame)) > 0) {
			at += (size_t)ret;
			found++;
		}
		assert_true(ret == 0 || ret == -EPROTO);
		assert_int_equal(stream.error != NULL, ret < 0);
	}
	return found;
}

static void stream_random_bytes_are_refused(void **state)
{
	struct capture capture;
	uint64_t seed = 1998, round;

	for (round = 0; round < 2000; round++) {
		capture.used = 4 + random_below(&seed, 124);
		for (size_t i = 0; i < capture.used; i++)
			capture.bytes[i] = (uint8_t)random_below(&seed, 256);
		assert_int_equal(random_read(&capture, 1 + random_below(&seed, 40)), 0);
	}
}

static void stream_damaged_bytes_never_lead_astray(void **state)
{
	uint64_t seed = 2000, round, found, whole = 0, other = 0;
	struct capture capture;

	for (round = 0; round < 4000; round++) {
		put_sample(&capture, round & 1, round & 2 ? MAGIC_NANOSECONDS : MAGIC_MICROSECONDS);
		for (uint32_t i = random_below(&seed, 4); i > 0; i--) {
			size_t where = random_below(&seed, capture.used);

			capture.bytes[where] ^= (uint8_t)(1U << random_below(&seed, 8));
		}
		found = random_read(&capture, 1 + random_below(&seed, 200));
		if (found == FRAMES + 1)
			whole++;
		else
			other++;
	}
	/* Damage is detected in headers, but not in frames. Both cases must have occurred. */
	assert_true(whole > 100 && other > 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stream_little_endian_nanoseconds_every_chunking),
		cmocka_unit_test(stream_little_endian_microseconds_every_chunking),
		cmocka_unit_test(stream_big_endian_nanoseconds_every_chunking),
		cmocka_unit_test(stream_big_endian_microseconds_every_chunking),
		cmocka_unit_test(stream_cut_off_anywhere_gives_whole_frames_and_a_rest),
		cmocka_unit_test(stream_same_frame_asked_twice_is_given_twice),
		cmocka_unit_test(stream_other_link_type_is_refused),
		cmocka_unit_test(stream_check_sum_bits_of_link_type_are_ignored),
		cmocka_unit_test(stream_other_version_is_refused),
		cmocka_unit_test(stream_foreign_first_bytes_name_the_remedy),
		cmocka_unit_test(stream_three_bytes_need_more),
		cmocka_unit_test(stream_frame_longer_than_the_limit_is_damage),
		cmocka_unit_test(stream_longest_frame_is_passed_on),
		cmocka_unit_test(stream_frame_cut_by_snaplen_is_passed_on),
		cmocka_unit_test(stream_frame_longer_than_snaplen_is_damage),
		cmocka_unit_test(stream_frame_longer_than_on_the_link_is_damage),
		cmocka_unit_test(reset_between_streams_forgets_order_and_unit_and_error),
		cmocka_unit_test(stream_random_bytes_are_refused),
		cmocka_unit_test(stream_damaged_bytes_never_lead_astray),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
