/* SPDX-License-Identifier: MIT */
/*
 * Frame: one B-Link frame, or packet of the cable, split into the parts that a database stores, and
 * joined again.
 *
 * What lives here: the types of packets, the faults of frames, and their fields by name. Pure: no
 * I/O, no allocation. It may use include/hw and emu/cable.
 *
 * The command and the control symbol of the cable are parts of BD1 and BD2 of the B-Link. So the
 * words of a frame hold packets of both. lib/trace-db/cable_frame.h has what packets of the
 * cable have apart.
 */
#ifndef LIB_TRACE_DB_FRAME_H
#define LIB_TRACE_DB_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink_fields.h>
#include <hw/cable_fields.h>

#include "emu/cable/cable.h"

/**
 * enum frame_fault - The fault of a frame. The table `faults` has the same numbers.
 * @FRAME_WHOLE: nothing
 * @FRAME_SHORT: it ends before BD1 and BD2 do
 * @FRAME_RAGGED: its length is no whole number of words
 * @FRAME_LONG: it has more words than any frame
 * @FRAME_UNKNOWN: its command does not exist
 * @FRAME_LENGTH: it has another length than its command calls for
 * @FRAME_CABLE: enum cable_fault follows, for packets of the cable; none has this number itself
 */
enum frame_fault {
	FRAME_WHOLE,
	FRAME_SHORT,
	FRAME_RAGGED,
	FRAME_LONG,
	FRAME_UNKNOWN,
	FRAME_LENGTH,
	FRAME_CABLE = FRAME_LENGTH,
	FRAME_CABLE_COMMAND = FRAME_CABLE + CABLE_COMMAND_UNKNOWN,
	FRAME_CABLE_CRC = FRAME_CABLE + CABLE_CRC_WRONG,
	FRAME_CABLE_IDLE = FRAME_CABLE + CABLE_IDLE_WRONG,
	FRAME_FAULTS = FRAME_CABLE + CABLE_SYNC_WRONG + 1,
};

enum frame_class {
	FRAME_NONE,
	FRAME_REQUEST,
	FRAME_RESPONSE,
	FRAME_EVENT,
	FRAME_ECHO,
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

/* Text for each enum frame_fault, and for each type of packet; NULL for an invalid type. */
const char *frame_fault_text(unsigned int fault);
const char *frame_type_text(unsigned int type);

/**
 * struct frame - A frame in parts.
 * @bd1: first word; 0 if the frame is short. Of the cable: target, command symbol, source, and the
 *       transaction id, in the places that they have on the B-Link
 * @bd2: second word. Of the cable: control symbol and address; control symbol and status, which
 *       takes bits 32 to 47; or an idle symbol and how many there are, from bit 16 on
 * @trailer: last word of a whole frame. Of the cable: the CRC, in its bits 48 to 63
 * @body: the bytes between BD2 and the trailer; of a frame that is not whole, all bytes after BD2;
 *        of a short one, all bytes. Of the cable: extended header and data; of a packet that cannot
 *        be decoded to its end, the symbols behind those that can; without any, all bytes
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
 * frame_parse() - Take a frame of the B-Link apart. The parts point into @bytes.
 */
void frame_parse(struct frame *frame, const void *bytes, size_t count);

/**
 * frame_parse_cable() - The same with a packet of the cable.
 */
void frame_parse_cable(struct frame *frame, const void *bytes, size_t count);

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

static inline bool frame_is_cable(const struct frame *frame)
{
	return frame->fault > FRAME_CABLE || (frame->type && frame->type <= CABLE_TYPE_SYNC);
}

/* Has it BD1: nodes and a transaction id? */
static inline bool frame_has_nodes(const struct frame *frame)
{
	if (frame_is_cable(frame))
		return frame->type ? frame->type < CABLE_TYPE_IDLES
				   : frame->fault == FRAME_CABLE_COMMAND;
	return frame->fault != FRAME_SHORT;
}

/* enum frame_class; FRAME_NONE of a short frame and of an unknown command. */
unsigned int frame_class_of(const struct frame *frame);

/* Which parts of a frame are there, other than the body. */
bool frame_has_bd2(const struct frame *frame);
bool frame_has_trailer(const struct frame *frame);

/* An echo has none, nor have idles and sync. */
bool frame_has_command(const struct frame *frame);

/* Name of the command; NULL: it has none, or it does not exist. */
const char *frame_command_name(const struct frame *frame);

/* Has it a place for payload, of 0 bytes and more? */
bool frame_has_payload(const struct frame *frame);

/**
 * frame_address() - The address of a request, or the id of an event.
 *
 * Return: false if it has none.
 */
bool frame_address(const struct frame *frame, uint64_t *address);

/* Bytes of the extended header that are there. */
size_t frame_extended_bytes(const struct frame *frame);

/* The payload; of a damaged frame, the bytes in its place. */
const uint8_t *frame_payload(const struct frame *frame, size_t *bytes);

/**
 * struct frame_field - A row of a table of fields.
 * @name: of a column and of a JSON key
 * @title: its name for people
 * @mark: confidence
 * @word: BLINK_IN_*; CABLE_IN_*
 * @shift: lowest bit
 * @bits: how many
 * @of: BLINK_OF_*; CABLE_OF_*
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

/* The table of the B-Link; frame_fields_of() gives the table of a frame. */
extern const struct frame_field frame_fields[];
extern const size_t frame_field_count;

/**
 * frame_fields_of() - The table of fields for a frame: the table of the B-Link or of the cable.
 * @count: receives its length
 */
const struct frame_field *frame_fields_of(const struct frame *frame, size_t *count);

/**
 * frame_field_get() - The value of a field of the frame's table.
 * @value: receives it
 *
 * Return: 1; 0 if the frame has no such field.
 */
int frame_field_get(const struct frame *frame, const struct frame_field *field, uint64_t *value);

/**
 * frame_field_byte() - Offset in the frame of the word or symbol of a field, in bytes.
 */
size_t frame_field_byte(const struct frame *frame, const struct frame_field *field);

/* Lowest bit of a field in that, and its name. */
unsigned int frame_field_bit(const struct frame *frame, const struct frame_field *field);
const char *frame_field_word(const struct frame *frame, const struct frame_field *field);

#endif /* LIB_TRACE_DB_FRAME_H */
