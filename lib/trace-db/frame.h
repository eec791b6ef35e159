/* SPDX-License-Identifier: MIT */
/*
 * Frame: one B-Link frame split into the parts that a database stores, and joined again.
 *
 * What lives here: the types of packets, the faults of frames, and their fields by name. Pure: no
 * I/O, no allocation. It may use include/hw.
 */
#ifndef LIB_TRACE_DB_FRAME_H
#define LIB_TRACE_DB_FRAME_H

#include <stddef.h>
#include <stdint.h>

#include <hw/blink_fields.h>

/**
 * enum frame_fault - The fault of a frame. The numbers are those of the table `faults`.
 * @FRAME_WHOLE: nothing
 * @FRAME_SHORT: it ends before BD1 and BD2 do
 * @FRAME_RAGGED: its length is no whole number of words
 * @FRAME_LONG: it has more words than any frame
 * @FRAME_UNKNOWN: its command does not exist
 * @FRAME_LENGTH: it has another length than its command calls for
 */
enum frame_fault {
	FRAME_WHOLE,
	FRAME_SHORT,
	FRAME_RAGGED,
	FRAME_LONG,
	FRAME_UNKNOWN,
	FRAME_LENGTH,
	FRAME_FAULTS,
};

enum frame_class {
	FRAME_NONE,
	FRAME_REQUEST,
	FRAME_RESPONSE,
	FRAME_EVENT,
};

/**
 * struct frame_command - A row of the table of commands.
 * @name: NULL: there is no such command
 * @mark: confidence
 * @class: enum frame_class
 * @payload: bytes
 */
struct frame_command {
	const char *name;
	const char *mark;
	uint8_t class;
	uint16_t payload;
};

extern const struct frame_command frame_commands[BLINK_COMMANDS];

/* Text for each enum frame_fault, and for each type of packet; NULL for a type that is none. */
extern const char *const frame_faults[FRAME_FAULTS];
const char *frame_type_text(unsigned int type);

/**
 * struct frame - A frame in parts.
 * @bd1: first word; 0 if the frame is short
 * @bd2: second word
 * @trailer: last word of a whole frame
 * @body: the bytes between BD2 and the trailer; of a frame that is not whole, all bytes after BD2;
 *        of a short one, all bytes
 * @body_bytes: length of that
 * @type: 1 to 36; 0: none
 * @fault: enum frame_fault
 */
struct frame {
	uint64_t bd1;
	uint64_t bd2;
	uint64_t trailer;
	const uint8_t *body;
	size_t body_bytes;
	uint8_t type;
	uint8_t fault;
};

/**
 * frame_parse() - Take a frame apart. The parts point into @bytes.
 */
void frame_parse(struct frame *frame, const void *bytes, size_t count);

/**
 * frame_build() - Restore the bytes that frame_parse() was given.
 * @bytes: receives them
 * @room: how many fit
 *
 * Return: how many there are, even if they do not fit.
 */
size_t frame_build(const struct frame *frame, void *bytes, size_t room);

static inline unsigned int frame_command_of(const struct frame *frame)
{
	return (unsigned int)(frame->bd1 >> 16 & 0x7f);
}

static inline unsigned int frame_source(const struct frame *frame)
{
	return (unsigned int)(frame->bd1 & 0xffff);
}

static inline unsigned int frame_target(const struct frame *frame)
{
	return (unsigned int)(frame->bd1 >> 32 & 0xffff);
}

static inline unsigned int frame_transaction(const struct frame *frame)
{
	return (unsigned int)(frame->bd1 >> 48 & 0x3f);
}

/* enum frame_class; FRAME_NONE of a short frame and of an unknown command. */
static inline unsigned int frame_class_of(const struct frame *frame)
{
	return frame->fault == FRAME_SHORT ? (unsigned int)FRAME_NONE
					   : frame_commands[frame_command_of(frame)].class;
}

/* Bytes of the extended header that are there. */
size_t frame_extended_bytes(const struct frame *frame);

/* The payload; of a damaged frame, the bytes in its place. */
const uint8_t *frame_payload(const struct frame *frame, size_t *bytes);

/**
 * struct frame_field - A row of the table of fields.
 * @name: of a column and of a JSON key
 * @title: its name for people
 * @mark: confidence
 * @word: BLINK_IN_*
 * @shift: lowest bit
 * @bits: how many
 * @of: BLINK_OF_*
 */
struct frame_field {
	const char *name;
	const char *title;
	const char *mark;
	uint8_t word;
	uint8_t shift;
	uint8_t bits;
	uint8_t of;
};

extern const struct frame_field frame_fields[];
extern const size_t frame_field_count;

/**
 * frame_field_get() - The value of a field.
 * @value: receives it
 *
 * Return: 1; 0 if the frame has no such field.
 */
int frame_field_get(const struct frame *frame, const struct frame_field *field, uint64_t *value);

/**
 * frame_field_byte() - Offset in the frame of the word of a field, in bytes.
 */
size_t frame_field_byte(const struct frame *frame, const struct frame_field *field);

#endif /* LIB_TRACE_DB_FRAME_H */
