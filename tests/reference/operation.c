/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Steps of a test: printing steps, and constructing frames. See operation.h. May use the C library.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/reference/operation.h"

static void frame_print(const struct operation *operation, char text[OPERATION_TEXT_BYTES])
{
	uint64_t word[2] = {0, 0};

	memcpy(word, operation->frame,
	       operation->bytes < sizeof(word) ? operation->bytes : sizeof(word));
	word[0] = le64toh(word[0]);
	word[1] = le64toh(word[1]);
	snprintf(text, OPERATION_TEXT_BYTES,
		 "frame of %" PRIu32 " bytes, %" PRIu32 " times: command 0x%02" PRIx64
		 " source %" PRIu64 " target %" PRIu64 " id %" PRIu64 " bd2 0x%" PRIx64,
		 operation->bytes, operation->repeat, word[0] >> 16 & 0x7f, word[0] & 0xffff,
		 word[0] >> 32 & 0xffff, word[0] >> 48 & 0x3f, word[1]);
}

void operation_print(const struct operation *operation, char text[OPERATION_TEXT_BYTES])
{
	static const char *const names[] = {
		[OPERATION_WRITE] = "write",
		[OPERATION_READ] = "read",
		[OPERATION_FRAME] = "frame",
		[OPERATION_SEND] = "send",
		[OPERATION_TICK] = "tick",
		[OPERATION_ADVANCE] = "advance",
		[OPERATION_MACHINE] = "machine time",
		[OPERATION_EXPIRE] = "expire",
		[OPERATION_LINK] = "link",
		[OPERATION_BUS] = "bus accepts",
		[OPERATION_DRAIN] = "drain",
		[OPERATION_COPY] = "copy",
		[OPERATION_COMPARE] = "compare",
	};

	switch (operation->kind) {
	case OPERATION_QUEUE:
	case OPERATION_FRAME:
		frame_print(operation, text);
		break;
	case OPERATION_WRITE:
		snprintf(text, OPERATION_TEXT_BYTES, "write 0x%03" PRIx32 " = 0x%" PRIx64,
			 operation->offset, operation->value);
		break;
	case OPERATION_READ:
		snprintf(text, OPERATION_TEXT_BYTES, "read 0x%03" PRIx32, operation->offset);
		break;
	default:
		snprintf(text, OPERATION_TEXT_BYTES, "%s %" PRIu64, names[operation->kind],
			 operation->value);
	}
}

void operation_frame(struct operation *operation, uint32_t command, uint32_t source,
		     uint32_t target, uint32_t id, uint64_t bd2)
{
	uint64_t word[3] = {
		htole64((uint64_t)id << 48 | (uint64_t)target << 32 | (uint64_t)command << 16 |
			source),
		htole64(bd2),
		0,
	};

	operation->kind = OPERATION_FRAME;
	operation->repeat = 1;
	operation->bytes = sizeof(word);
	memcpy(operation->frame, word, sizeof(word));
}
