/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A parser for a capture that arrives in parts, as a stream of bytes.
 *
 * What lives here: a parser that finds the next frame in the part of a pcap file that has arrived.
 * libpcap is not used, because it reads only files and would block. The caller owns the bytes, and
 * the parser keeps only the contents of the file's header. May use <hw/blink.h> and the C library's
 * string functions, but neither QEMU nor files.
 */
#ifndef EMU_QEMU_PCAP_STREAM_H
#define EMU_QEMU_PCAP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PCAP_STREAM_FILE_HEADER_BYTES 24U
#define PCAP_STREAM_RECORD_HEADER_BYTES 16U

/*
 * The length of the longest frame that is passed on. It is far longer than any B-Link frame: the
 * card reports malformed frames, and the parser reports only damaged captures.
 */
#define PCAP_STREAM_FRAME_BYTES_MAX 65536U

/* A buffer of this size can hold any item of a capture. */
#define PCAP_STREAM_ITEM_BYTES_MAX (PCAP_STREAM_RECORD_HEADER_BYTES + PCAP_STREAM_FRAME_BYTES_MAX)

/**
 * struct pcap_stream - The state of the parser.
 * @started: the file header has been read
 * @swapped: the stream's byte order differs from this host's
 * @nanoseconds: time stamps are in nanoseconds instead of microseconds
 * @frame_bytes: the longest possible frame: the file's snap length, or PCAP_STREAM_FRAME_BYTES_MAX
 * @error: the problem and its remedy, as a constant string; NULL: no error. After an error, the
 *         parser finds no more frames.
 *
 * All members except @error can be copied, saved and restored.
 */
struct pcap_stream {
	bool started;
	bool swapped;
	bool nanoseconds;
	uint32_t frame_bytes;
	const char *error;
};

/**
 * struct pcap_frame - One frame.
 * @data: the bytes of the frame, inside the caller's buffer; NULL if only the file header was found
 * @bytes: number of bytes
 * @time_ns: its time stamp
 */
struct pcap_frame {
	const uint8_t *data;
	size_t bytes;
	uint64_t time_ns;
};

/**
 * pcap_stream_reset() - Begin a new stream.
 */
void pcap_stream_reset(struct pcap_stream *stream);

/**
 * pcap_stream_next() - Find the next frame.
 * @data: the bytes that have not been consumed
 * @bytes: number of bytes at @data
 * @frame: filled in if the return value is positive
 *
 * A call with the same bytes returns the same frame. If only the file header is found, the caller
 * must consume the header, too.
 *
 * Return: the number of bytes to consume; 0 if more bytes are needed; -EPROTO if the stream is not
 * a readable capture (see @error).
 */
int pcap_stream_next(struct pcap_stream *stream, const uint8_t *data, size_t bytes,
		     struct pcap_frame *frame);

#endif /* EMU_QEMU_PCAP_STREAM_H */
