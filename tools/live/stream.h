/* SPDX-License-Identifier: MIT */
/*
 * Stream: the format in which a `smile serve` sends recordings to another `smile serve`.
 *
 * What lives here: the body of the answer to GET /recordings. tools/serve sends it, and
 * remote_recordings.c receives it. docs/design/serve.md has the reasons for this format. All
 * numbers are little-endian.
 *
 *	offset 0   "SMILESTR"
 *	       8   u32 version: 1
 *	      12   u32 number of recordings
 *	      16   the instance of the sender: text, filled up with zeros
 *	      64   frames to the end: struct stream_frame, and its bytes
 *
 * A recording only grows, except for its header. When the header of a recording has changed, the
 * sender sends the header again. A header that marks the recording as complete is sent only after
 * all other bytes of the recording.
 */
#ifndef TOOLS_LIVE_STREAM_H
#define TOOLS_LIVE_STREAM_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include <base/recording_head.h>

#define STREAM_MAGIC "SMILESTR"
#define STREAM_VERSION 1U
#define STREAM_HEAD_BYTES 64U
#define STREAM_INSTANCE_BYTES 48U
#define STREAM_INSTANCE_AT 16U
#define STREAM_FRAME_BYTES 24U
/*
 * The largest number of recordings, and the largest number of bytes in a frame. The header of a
 * recording fits in one frame.
 */
#define STREAM_RECORDINGS_MAX 1024U
#define STREAM_BYTES_MAX RECORDING_HEADER_MAX
/* The longest time between two frames of a sender. */
#define STREAM_BEAT_NS 2000000000ULL

enum stream_kind {
	/*
	 * bytes of a recording: its header, or bytes that follow the bytes that were already sent
	 */
	STREAM_BYTES = 1,
	STREAM_OVER, /* a recording no longer grows, whether it is complete or not */
	/* all existing data was sent; also sent from time to time while nothing changes */
	STREAM_BEAT,
};

/**
 * struct stream_frame - The header of a frame. The bytes of the frame follow the header.
 * @kind: enum stream_kind
 * @recording: index of the recording
 * @offset: offset of the bytes in the recording
 * @bytes: number of bytes that follow
 */
struct stream_frame {
	uint32_t kind;
	uint32_t recording;
	uint64_t offset;
	uint32_t bytes;
};

static inline void stream_frame_put(unsigned char *to, const struct stream_frame *frame)
{
	const uint32_t words[] = {htole32(frame->kind), htole32(frame->recording)};
	const uint64_t offset = htole64(frame->offset);
	const uint32_t last[] = {htole32(frame->bytes), 0};

	memcpy(to, words, sizeof(words));
	memcpy(to + 8, &offset, sizeof(offset));
	memcpy(to + 16, last, sizeof(last));
}

static inline void stream_frame_get(struct stream_frame *frame, const unsigned char *from)
{
	uint32_t words[2], bytes;
	uint64_t offset;

	memcpy(words, from, sizeof(words));
	memcpy(&offset, from + 8, sizeof(offset));
	memcpy(&bytes, from + 16, sizeof(bytes));
	*frame = (struct stream_frame){le32toh(words[0]), le32toh(words[1]), le64toh(offset),
				       le32toh(bytes)};
}

#endif /* TOOLS_LIVE_STREAM_H */
