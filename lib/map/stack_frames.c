/* SPDX-License-Identifier: MIT */
/*
 * Stack frames: the functions that the program's threads executed. See stack_frames.h;
 * docs/recording.md describes the format.
 *
 *	FRAMES  u32 number of bytes of each frame, u32 zero; then frames: u64 ip, cfa, sp, bp;
 *	        u32 thread, u32 zero
 */
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/base/error.h"
#include "lib/map/map.h"

#define ADDRESSES ((uint64_t)1 << SMILE_ADDRESS_BITS)

void smile_frames_free(struct frames *frames)
{
	free(frames->items);
	*frames = (struct frames){0};
}

int smile_frames_add(struct frames *frames, const struct Monitor_stack_frame *frame)
{
	if (!frame->ip || frame->ip >= ADDRESSES || frame->cfa >= ADDRESSES ||
	    frame->sp >= frame->cfa || frame->flags)
		return smile_error(EINVAL, "a frame at 0x%llx of the function at 0x%llx is invalid",
				   (unsigned long long)frame->cfa, (unsigned long long)frame->ip);
	if (frames->count == FRAMES_MAX)
		return smile_error(
			ENOSPC,
			"there are more than the %u frames of functions that can be reported",
			FRAMES_MAX);
	if (array_reserve(&frames->items, &frames->size, frames->count, sizeof(*frames->items)) < 0)
		return smile_map_no_memory();
	frames->items[frames->count++] = *frame;
	return 0;
}

int smile_frames_agree(const struct frames *a, const struct frames *b)
{
	if (!a->count || !b->count)
		return 1;
	return a->count == b->count && !memcmp(a->items, b->items, a->count * sizeof(*a->items));
}

int smile_frames_sum(struct frames *sum, const struct frames *a, const struct frames *b)
{
	const struct frames *from = a->count ? a : b;
	int error = 0;

	for (size_t i = 0; !error && i < from->count; i++)
		error = smile_frames_add(sum, &from->items[i]);
	return error;
}

/* ---- trailer --------------------------------------------------------------------------------- */

static void put_frame(FILE *file, const struct Monitor_stack_frame *frame)
{
	smile_field_put_number(file, frame->ip, 8);
	smile_field_put_number(file, frame->cfa, 8);
	smile_field_put_number(file, frame->sp, 8);
	smile_field_put_number(file, frame->bp, 8);
	smile_field_put_number(file, frame->thread, 4);
	smile_field_put_number(file, 0, 4);
}

void smile_frames_trailer_write(FILE *file, const struct frames *frames)
{
	size_t length = FRAMES_HEAD_BYTES + frames->count * FRAMES_FRAME_BYTES;

	if (!frames->count)
		return;
	smile_field_begin(file, FRAMES_TAG, length);
	smile_field_put_number(file, FRAMES_FRAME_BYTES, 4);
	smile_field_put_number(file, 0, 4);
	for (size_t i = 0; i < frames->count; i++)
		put_frame(file, &frames->items[i]);
	smile_field_pad(file, length);
}

const char *smile_frames_trailer_field(struct frames *frames, const struct field *field)
{
	const unsigned char *at = field->data + FRAMES_HEAD_BYTES;
	const char *wrong = NULL;
	uint32_t each;

	if (field->length < FRAMES_HEAD_BYTES)
		return "its frames are cut off";
	each = (uint32_t)smile_field_number(field->data, 4);
	if (each < FRAMES_FRAME_BYTES || (field->length - FRAMES_HEAD_BYTES) % each)
		return "its frames end within an entry";
	for (; !wrong && at < field->data + field->length; at += each) {
		/*
		 * The last number of a frame is for flags of later versions. Ignore it, because the
		 * other members are valid without it.
		 */
		const struct Monitor_stack_frame frame = {
			.ip = smile_field_number(at, 8),
			.cfa = smile_field_number(at + 8, 8),
			.sp = smile_field_number(at + 16, 8),
			.bp = smile_field_number(at + 24, 8),
			.thread = (uint32_t)smile_field_number(at + 32, 4),
		};

		if (frames->count == FRAMES_MAX)
			return "it has more frames of functions than any recorder reports";
		wrong = smile_field_wrong(smile_frames_add(frames, &frame), "a frame is invalid");
	}
	return wrong;
}
