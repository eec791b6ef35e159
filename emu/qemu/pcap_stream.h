/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A capture as a stream of bytes that arrive bit by bit.
 *
 * What lives here: a parser that finds the next frame in the part of a pcap file that has arrived.
 * libpcap can only read files and would block. The caller owns the bytes; the parser keeps only the
 * contents of the file's header. May use <hw/blink.h> and the C library's string functions; it
 * knows neither QEMU nor files.
 */
#ifndef EMU_QEMU_PCAP_STREAM_H
#define EMU_QEMU_PCAP_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PCAP_STREAM_FILE_HEADER_BYTES 24U
#define PCAP_STREAM_RECORD_HEADER_BYTES 16U

/*
 * The longest frame passed on. That is far more than a B-Link frame has: to report a malformed
 * frame is the card's business, to report a damaged capture is ours.
 */
#define PCAP_STREAM_FRAME_BYTES_MAX 65536U

/* A buffer that holds this much holds whatever can come next. */
#define PCAP_STREAM_ITEM_BYTES_MAX (PCAP_STREAM_RECORD_HEADER_BYTES + PCAP_STREAM_FRAME_BYTES_MAX)

/**
 * struct pcap_stream - What is known of the stream.
 * @started: the file header was read
 * @swapped: its byte order is not this host's
 * @nanoseconds: time stamps count nanoseconds, not microseconds
 * @frame_bytes: no frame is longer: the file's snap length, or PCAP_STREAM_FRAME_BYTES_MAX
 * @error: what is wrong and what to do, a constant string; NULL if nothing is. Nothing more is
 *         found then.
 *
 * All but @error can be copied, saved and restored.
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
 * @data: its bytes, inside the caller's; NULL: none, only the file header was found
 * @bytes: how many
 * @time_ns: its time stamp
 */
struct pcap_frame {
	const uint8_t *data;
	size_t bytes;
	uint64_t time_ns;
};

/**
 * pcap_stream_reset() - A new stream begins.
 */
void pcap_stream_reset(struct pcap_stream *stream);

/**
 * pcap_stream_next() - Find the next frame.
 * @data: the bytes not yet consumed
 * @bytes: how many there are
 * @frame: filled in if the return value is positive
 *
 * Asking twice for the same frame gives it twice; the file header must be consumed when it is
 * found.
 *
 * Return: bytes to consume; 0 if more are needed; -EPROTO if this is no capture that can be read,
 * see @error.
 */
int pcap_stream_next(struct pcap_stream *stream, const uint8_t *data, size_t bytes,
		     struct pcap_frame *frame);

#endif /* EMU_QEMU_PCAP_STREAM_H */
