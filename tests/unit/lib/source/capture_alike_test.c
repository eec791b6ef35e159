/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the two readers of captures, lib/source/capture.c and emu/qemu/pcap_stream.c. From the
 * same bytes, both must read the same frames and time stamps, or refuse the bytes after the same
 * frame.
 *
 * What lives here: a writer of unusual captures, and both readers. May use lib_fixture.h and
 * emu/qemu/pcap_stream.h.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/random.h>
#include <hw/blink.h>

#include "emu/qemu/pcap_stream.h"
#include "tests/unit/lib_fixture.h"

#define MICROSECONDS 0xa1b2c3d4U
#define NANOSECONDS 0xa1b23c4dU
#define PATCHED 0xa1b2cd34U /* longer headers, of an old tcpdump */
#define CAPTURE_BYTES (3U << 18)
#define FRAMES_MAX 16U

static struct {
	uint8_t bytes[CAPTURE_BYTES];
	size_t used;
	bool big;
} made;

static void put(uint32_t value, unsigned int bytes)
{
	for (unsigned int i = 0; i < bytes; i++)
		made.bytes[made.used++] = (uint8_t)(value >> 8 * (made.big ? bytes - 1 - i : i));
}

static void begin_version(bool big, uint32_t magic, uint32_t minor, uint32_t snaplen)
{
	made.used = 0;
	made.big = big;
	put(magic, 4);
	put(2, 2);
	put(minor, 2);
	put(0, 4);
	put(0, 4);
	put(snaplen, 4);
	put(BLINK_LINKTYPE, 4);
}

static void begin(bool big, uint32_t magic, uint32_t snaplen)
{
	begin_version(big, magic, 4, snaplen);
}

static void frame(uint32_t seconds, uint32_t fraction, uint32_t stored, uint32_t original)
{
	put(seconds, 4);
	put(fraction, 4);
	put(stored, 4);
	put(original, 4);
	for (uint32_t i = 0; i < stored && made.used < CAPTURE_BYTES; i++)
		made.bytes[made.used++] = (uint8_t)(seconds + i);
}

/* ---- both readers --------------------------------------------------------------------------- */

/**
 * struct heard - The frames that a reader has read from a capture.
 * @frames: number of frames
 * @bytes: length of each frame
 * @sum: checksum of each frame's bytes
 * @time_ns: time stamp of each frame
 * @error: 0 or -errno; 0 if the capture was cut off
 */
struct heard {
	unsigned int frames;
	size_t bytes[FRAMES_MAX];
	uint64_t sum[FRAMES_MAX];
	uint64_t time_ns[FRAMES_MAX];
	int error;
	char message[512];
};

static void hear_frame(struct heard *heard, const void *data, size_t bytes, uint64_t time_ns)
{
	uint64_t sum = 0;

	if (heard->frames == FRAMES_MAX)
		fail_msg("more than %u frames", FRAMES_MAX);
	for (size_t i = 0; i < bytes; i++)
		sum = sum * 31 + ((const uint8_t *)data)[i];
	heard->bytes[heard->frames] = bytes;
	heard->sum[heard->frames] = sum;
	heard->time_ns[heard->frames++] = time_ns;
}

static struct heard hear_library(void)
{
	const char *path = scratch_path("alike.pcap");
	struct Monitor_capture *capture;
	struct heard heard = {0};
	FILE *file = fopen(path, "w");
	const void *data;
	uint64_t time_ns;
	size_t bytes;

	assert_non_null(file);
	assert_int_equal(fwrite(made.bytes, 1, made.used, file), made.used);
	assert_int_equal(fclose(file), 0);
	heard.error = Monitor_capture_open(&capture, path);
	if (!heard.error) {
		while ((heard.error = Monitor_capture_read(capture, &data, &bytes, &time_ns)) > 0)
			hear_frame(&heard, data, bytes, time_ns);
		Monitor_capture_close(capture);
	}
	if (heard.error)
		snprintf(heard.message, sizeof(heard.message), "%s", Monitor_error_message());
	if (strstr(heard.message, "cut off"))
		heard.error = 0;
	return heard;
}

static struct heard hear_stream(void)
{
	struct pcap_stream stream;
	struct pcap_frame found;
	struct heard heard = {0};
	size_t at = 0;
	int ret;

	pcap_stream_reset(&stream);
	while ((ret = pcap_stream_next(&stream, made.bytes + at, made.used - at, &found)) > 0) {
		at += (size_t)ret;
		if (found.data)
			hear_frame(&heard, found.data, found.bytes, found.time_ns);
	}
	heard.error = ret;
	if (stream.error)
		snprintf(heard.message, sizeof(heard.message), "%s", stream.error);
	return heard;
}

static struct heard expect_alike(void)
{
	struct heard library = hear_library(), stream = hear_stream();

	if (library.error != stream.error)
		fail_msg("the library: %d \"%s\"; the device: %d \"%s\"", library.error,
			 library.message, stream.error, stream.message);
	assert_int_equal(library.frames, stream.frames);
	for (unsigned int i = 0; i < library.frames; i++) {
		assert_int_equal(library.bytes[i], stream.bytes[i]);
		assert_int_equal(library.sum[i], stream.sum[i]);
		assert_int_equal(library.time_ns[i], stream.time_ns[i]);
	}
	return library;
}

/* Both readers must read one frame, and then refuse the capture. The message must contain @why. */
static void expect_refused(const char *why)
{
	struct heard library = expect_alike(), stream = hear_stream();

	assert_int_equal(library.error, -EPROTO);
	assert_int_equal(library.frames, 1);
	if (!strstr(library.message, why) || !strstr(stream.message, why))
		fail_msg("not \"%s\": \"%s\" and \"%s\"", why, library.message, stream.message);
}

/* ---- the cases ------------------------------------------------------------------------------ */

static void alike_stamps_of_32_bits_have_no_sign(void **state)
{
	static const uint32_t seconds[] = {0, 1, INT32_MAX, 1U << 31, UINT32_MAX};
	static const uint32_t fractions[] = {0, 999999999, INT32_MAX, 1U << 31, UINT32_MAX};
	struct heard heard;

	for (unsigned int kind = 0; kind < 4; kind++) {
		for (size_t s = 0; s < 5; s++) {
			begin(kind & 1, kind & 2 ? NANOSECONDS : MICROSECONDS, 65535);
			for (size_t f = 0; f < 5; f++)
				frame(seconds[s], fractions[f], 16, 16);
			heard = expect_alike();
			assert_int_equal(heard.error, 0);
			assert_int_equal(heard.frames, 5);
			for (size_t f = 0; f < 5; f++)
				assert_int_equal(heard.time_ns[f],
						 seconds[s] * 1000000000ULL +
							 fractions[f] *
								 (kind & 2 ? 1ULL : 1000ULL));
		}
	}
}

static void alike_frame_above_snap_length_is_damage(void **state)
{
	static const uint32_t snaplen[] = {16, 24, 1000, 65535};

	for (unsigned int kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < 4; i++) {
			begin(kind, NANOSECONDS, snaplen[i]);
			/*
			 * The stored length is the snap length, which is less than the original
			 * length.
			 */
			frame(1, 0, snaplen[i], snaplen[i] + 8);
			assert_int_equal(expect_alike().frames, 1);
			assert_int_equal(expect_alike().error, 0);
			frame(2, 0, snaplen[i] + 1, snaplen[i] + 8);
			frame(3, 0, 16, 16);
			expect_refused("snap length");
		}
	}
}

static void alike_snap_length_may_be_none_or_any(void **state)
{
	static const uint32_t snaplen[] = {0, 65536, 262144, INT32_MAX, 1U << 31, UINT32_MAX};

	for (unsigned int kind = 0; kind < 2; kind++) {
		for (size_t i = 0; i < 6; i++) {
			begin(kind, MICROSECONDS, snaplen[i]);
			frame(1, 0, PCAP_STREAM_FRAME_BYTES_MAX, PCAP_STREAM_FRAME_BYTES_MAX);
			assert_int_equal(expect_alike().frames, 1);
			assert_int_equal(expect_alike().error, 0);
			frame(2, 0, PCAP_STREAM_FRAME_BYTES_MAX + 1, UINT32_MAX);
			expect_refused("64 KiB");
		}
	}
}

static void alike_frame_above_64_KiB_is_damage(void **state)
{
	static const uint32_t stored[] = {65537, 262144};

	for (size_t i = 0; i < 2; i++) {
		begin(false, NANOSECONDS, 65535);
		frame(1, 0, 24, 24);
		frame(2, 0, stored[i], stored[i]);
		frame(3, 0, 24, 24);
		expect_refused("64 KiB");
	}
	/* The length is above libpcap's limit, so libpcap makes the message. */
	begin(false, NANOSECONDS, 65535);
	frame(1, 0, 24, 24);
	frame(2, 0, UINT32_MAX, UINT32_MAX);
	assert_int_equal(hear_library().frames, 1);
	assert_non_null(strstr(hear_library().message, "damaged"));
	assert_int_equal(hear_stream().error, -EPROTO);
}

static void alike_frame_longer_than_on_the_link_is_damage(void **state)
{
	for (unsigned int kind = 0; kind < 2; kind++) {
		begin(kind, NANOSECONDS, 65535);
		frame(1, 0, 24, 24);
		frame(2, 0, 24, 23);
		frame(3, 0, 24, 24);
		expect_refused("on the link");
	}
}

static void alike_no_frame_but_a_head(void **state)
{
	begin(false, NANOSECONDS, 65535);
	assert_int_equal(expect_alike().error, 0);
	frame(1, 0, 0, 0);
	assert_int_equal(expect_alike().frames, 1);
}

static void alike_other_versions_and_magics_are_refused(void **state)
{
	for (uint32_t minor = 0; minor < 6; minor++) {
		begin_version(minor & 1, NANOSECONDS, minor, 65535);
		frame(1, 0, 24, 32);
		assert_int_equal(expect_alike().error, minor == 4 ? 0 : -EPROTO);
		assert_int_equal(expect_alike().frames, minor == 4);
	}
	begin(false, PATCHED, 65535);
	frame(1, 0, 24, 24);
	assert_int_equal(expect_alike().error, -EPROTO);
}

/*
 * For a pcap file, the library does not show all bytes to libpcap. For other formats, it shows all
 * bytes.
 */
static void capture_pcapng_is_read_whole(void **state)
{
	struct heard heard;

	made.used = 0;
	made.big = false;
	put(0x0a0d0d0a,
	    4); /* section header: its length, byte order, version 1.0, length unknown */
	put(28, 4);
	put(0x1a2b3c4d, 4);
	put(1, 4);
	put(UINT32_MAX, 4);
	put(UINT32_MAX, 4);
	put(28, 4);
	put(1, 4); /* interface description: link type, snap length */
	put(20, 4);
	put(BLINK_LINKTYPE, 4);
	put(65535, 4);
	put(20, 4);
	put(6, 4); /* enhanced packet: interface, stamp in us, stored, original */
	put(32 + 16, 4);
	put(0, 4);
	put(1, 4);
	put(5, 4);
	put(16, 4);
	put(16, 4);
	for (uint32_t i = 0; i < 4; i++)
		put(i, 4);
	put(32 + 16, 4);
	heard = hear_library();
	assert_int_equal(heard.error, 0);
	assert_int_equal(heard.frames, 1);
	assert_int_equal(heard.bytes[0], 16);
	assert_int_equal(heard.time_ns[0], ((1ULL << 32) + 5) * 1000);
}

static void alike_damaged_anywhere(void **state)
{
	uint64_t seed = 2002;
	unsigned int refused = 0, frames = 0;

	for (unsigned int round = 0; round < 2000; round++) {
		begin(round & 1, round & 2 ? NANOSECONDS : MICROSECONDS, round & 4 ? 32 : 65535);
		for (uint32_t i = 0; i < 4; i++)
			frame(i, i, 16 + 8 * (i % 3), 16 + 8 * (i % 3));
		for (uint32_t i = 1 + random_below(&seed, 3); i > 0; i--)
			made.bytes[random_below(&seed, made.used)] ^=
				(uint8_t)(1U << random_below(&seed, 8));
		/*
		 * If one reader reports that a frame is too long, the other may report that the
		 * capture is cut off.
		 */
		if (hear_stream().error && hear_library().error == 0)
			assert_non_null(strstr(hear_library().message, "cut off"));
		else
			refused += expect_alike().error != 0;
		assert_int_equal(hear_library().frames, hear_stream().frames);
		frames += hear_stream().frames;
	}
	assert_true(refused > 100 && frames > 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alike_stamps_of_32_bits_have_no_sign),
		cmocka_unit_test(alike_frame_above_snap_length_is_damage),
		cmocka_unit_test(alike_snap_length_may_be_none_or_any),
		cmocka_unit_test(alike_frame_above_64_KiB_is_damage),
		cmocka_unit_test(alike_frame_longer_than_on_the_link_is_damage),
		cmocka_unit_test(alike_no_frame_but_a_head),
		cmocka_unit_test(alike_other_versions_and_magics_are_refused),
		cmocka_unit_test(capture_pcapng_is_read_whole),
		cmocka_unit_test(alike_damaged_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
