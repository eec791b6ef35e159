/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The pcap format of a capture that arrives as a stream of bytes.
 *
 * A file header of 24 bytes (magic, version, two unused words, the longest frame, link type) is
 * followed by the frames, each with a header of 16 bytes (seconds, fraction, stored bytes, original
 * bytes). All words are unsigned, in the byte order of the host that wrote them. The magic shows
 * this order. The library also reads captures (lib/source/capture.c), and must refuse the same
 * files as this file.
 */
#include <errno.h>
#include <string.h>

#include <hw/blink.h>

#include "emu/qemu/pcap_stream.h"

#define MAGIC_MICROSECONDS 0xa1b2c3d4U
#define MAGIC_NANOSECONDS 0xa1b23c4dU
#define MAGIC_BYTES 4U
#define VERSION_MAJOR 2U
#define VERSION_MINOR 4U
#define LINKTYPE_MASK 0x03ffffffU /* The upper bits describe check sums. */

/* Other formats that users mistake for captures, identified by their first bytes. */
static const struct {
	uint8_t magic[MAGIC_BYTES];
	uint8_t bytes;
	const char *error;
} foreign[] = {
	{{0x0a, 0x0d, 0x0d, 0x0a},
	 4,
	 "this is pcapng; convert it to pcap: editcap -F nsecpcap IN OUT"},
	{{0xfd, '7', 'z', 'X'}, 4, "this is compressed; decompress it: xz -dc IN > OUT"},
	{{0x1f, 0x8b}, 2, "this is compressed; decompress it: gzip -dc IN > OUT"},
	{{'B', 'Z', 'h'}, 3, "this is compressed; decompress it: bzip2 -dc IN > OUT"},
	{{0x28, 0xb5, 0x2f, 0xfd}, 4, "this is compressed; decompress it: zstd -dc IN > OUT"},
};

static uint32_t stream_word(const struct pcap_stream *stream, const uint8_t *at)
{
	uint32_t word;

	memcpy(&word, at, sizeof(word));
	return stream->swapped ? __builtin_bswap32(word) : word;
}

static uint16_t stream_half(const struct pcap_stream *stream, const uint8_t *at)
{
	uint16_t half;

	memcpy(&half, at, sizeof(half));
	return stream->swapped ? __builtin_bswap16(half) : half;
}

static int stream_fail(struct pcap_stream *stream, const char *error)
{
	stream->error = error;
	return -EPROTO;
}

static int stream_magic(struct pcap_stream *stream, const uint8_t *data)
{
	uint32_t magic;
	size_t i;

	stream->swapped = false;
	magic = stream_word(stream, data);
	if (magic != MAGIC_MICROSECONDS && magic != MAGIC_NANOSECONDS) {
		stream->swapped = true;
		magic = stream_word(stream, data);
	}
	stream->nanoseconds = magic == MAGIC_NANOSECONDS;
	if (stream->nanoseconds || magic == MAGIC_MICROSECONDS)
		return 0;
	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++) {
		if (!memcmp(data, foreign[i].magic, foreign[i].bytes))
			return stream_fail(stream, foreign[i].error);
	}
	return stream_fail(
		stream,
		"this is not a capture; a pcap stream with link type 147 (USER0) is expected");
}

static int stream_start(struct pcap_stream *stream, const uint8_t *data, size_t bytes)
{
	uint32_t snaplen;
	int ret;

	if (bytes < MAGIC_BYTES)
		return 0;
	/*
	 * A stream in another format may be shorter than a header, so refuse it as early as
	 * possible.
	 */
	ret = stream_magic(stream, data);
	if (ret < 0 || bytes < PCAP_STREAM_FILE_HEADER_BYTES)
		return ret;
	if (stream_half(stream, data + 4) != VERSION_MAJOR ||
	    stream_half(stream, data + 6) != VERSION_MINOR)
		return stream_fail(stream, "unknown pcap version; convert it: editcap -F nsecpcap "
					   "IN OUT");
	if ((stream_word(stream, data + 20) & LINKTYPE_MASK) != BLINK_LINKTYPE)
		return stream_fail(stream,
				   "the capture's link type is not 147 (USER0), so it has no "
				   "B-Link traffic; record it with smile or editcap -T user0");
	snaplen = stream_word(stream, data + 16);
	stream->frame_bytes = snaplen && snaplen < PCAP_STREAM_FRAME_BYTES_MAX
				      ? snaplen
				      : PCAP_STREAM_FRAME_BYTES_MAX;
	stream->started = true;
	return PCAP_STREAM_FILE_HEADER_BYTES;
}

void pcap_stream_reset(struct pcap_stream *stream)
{
	memset(stream, 0, sizeof(*stream));
}

int pcap_stream_next(struct pcap_stream *stream, const uint8_t *data, size_t bytes,
		     struct pcap_frame *frame)
{
	uint32_t length;

	frame->data = NULL;
	frame->bytes = 0;
	frame->time_ns = 0;
	if (stream->error)
		return -EPROTO;
	if (!stream->started)
		return stream_start(stream, data, bytes);
	if (bytes < PCAP_STREAM_RECORD_HEADER_BYTES)
		return 0;
	length = stream_word(stream, data + 8);
	if (length > PCAP_STREAM_FRAME_BYTES_MAX)
		return stream_fail(stream,
				   "damaged: a frame longer than 64 KiB; record or copy the "
				   "capture again");
	if (length > stream->frame_bytes)
		return stream_fail(stream,
				   "damaged: a frame longer than the capture's snap length; record "
				   "or copy the capture again");
	if (length > stream_word(stream, data + 12))
		return stream_fail(stream,
				   "damaged: a frame has more bytes than it had on the link; "
				   "record or copy the capture again");
	if (bytes - PCAP_STREAM_RECORD_HEADER_BYTES < length)
		return 0;
	frame->data = data + PCAP_STREAM_RECORD_HEADER_BYTES;
	frame->bytes = length;
	frame->time_ns = stream_word(stream, data) * 1000000000ULL +
			 stream_word(stream, data + 4) * (stream->nanoseconds ? 1ULL : 1000ULL);
	return (int)(PCAP_STREAM_RECORD_HEADER_BYTES + length);
}
