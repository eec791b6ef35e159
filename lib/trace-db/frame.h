/* SPDX-License-Identifier: MIT */
/*
 * Frame: one B-Link frame, or packet of the cable, split into the parts that a database stores, and
 * joined again.
 *
 * What lives here: the types of packets, the faults of frames, and their fields by name. Pure: no
 * I/O, no allocation. It may use include/hw and emu/cable.
 *
 * The command and the control symbol of the cable are parts of BD1 and BD2 of the B-Link. So the
 * words of a frame can hold packets of both links. lib/trace-db/cable_frame.h has the code that is
 * special to packets of the cable.
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
 * @FRAME_WHOLE: no fault
 * @FRAME_SHORT: it ends before the end of BD1 and BD2
 * @FRAME_RAGGED: its length is not a whole number of words
 * @FRAME_LONG: it has more words than any frame
 * @FRAME_UNKNOWN: its command does not exist
 * @FRAME_LENGTH: its length differs from the length of its command
 * @FRAME_CABLE: the numbers of enum cable_fault follow, for packets of the cable; no fault has this
 *               number itself
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
 * @name: NULL: the command does not exist
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
 * @bd1: first word; 0 if the frame is short. For the cable: target, command symbol, source, and the
 *       transaction id, in their positions on the B-Link
 * @bd2: second word. For the cable: control symbol and address; control symbol and status, in bits
 *       32 to 47; or an idle symbol and the number of idles, from bit 16 on
 * @trailer: last word of a whole frame. For the cable: the CRC, in bits 48 to 63
 * @body: the bytes between BD2 and the trailer; in a frame that is not whole, all bytes after BD2;
 *        in a short frame, all bytes. For the cable: extended header and data; in a packet that
 *        cannot be decoded to its end, the symbols after the decoded symbols; if none can be
 *        decoded, all bytes
 * @body_bytes: length of @body
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
 * frame_parse() - Split a frame of the B-Link into its parts. The parts point into @bytes.
 */
void frame_parse(struct frame *frame, const void *bytes, size_t count);

/**
 * frame_parse_cable() - The same for a packet of the cable.
 */
void frame_parse_cable(struct frame *frame, const void *bytes, size_t count);

/**
 * frame_build() - Restore the bytes that were passed to frame_parse().
 * @bytes: receives the bytes
 * @room: number of bytes that fit
 *
 * Return: the number of bytes, even if they do not fit.
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

/* Whether the frame has BD1: nodes and a transaction id. */
static inline bool frame_has_nodes(const struct frame *frame)
{
	if (frame_is_cable(frame))
		return frame->type ? frame->type < CABLE_TYPE_IDLES
				   : frame->fault == FRAME_CABLE_COMMAND;
	return frame->fault != FRAME_SHORT;
}

/* The class, enum frame_class; FRAME_NONE for a short frame and for an unknown command. */
unsigned int frame_class_of(const struct frame *frame);

/* Whether the frame has BD2, and a trailer. */
bool frame_has_bd2(const struct frame *frame);
bool frame_has_trailer(const struct frame *frame);

/* Whether the frame has a command. Echoes, idles and sync have none. */
bool frame_has_command(const struct frame *frame);

/* Name of the command; NULL: the frame has no command, or the command does not exist. */
const char *frame_command_name(const struct frame *frame);

/* Whether the frame can have payload, even of 0 bytes. */
bool frame_has_payload(const struct frame *frame);

/**
 * frame_address() - The address of a request, or the id of an event.
 *
 * Return: false if the frame has none.
 */
bool frame_address(const struct frame *frame, uint64_t *address);

/* The number of bytes of the extended header that the frame contains. */
size_t frame_extended_bytes(const struct frame *frame);

/* The payload; for a damaged frame, the bytes where the payload would be. */
const uint8_t *frame_payload(const struct frame *frame, size_t *bytes);

/**
 * struct frame_field - A row of a table of fields.
 * @name: name of a column and of a JSON key
 * @title: its name in texts
 * @mark: confidence
 * @word: BLINK_IN_*; CABLE_IN_*
 * @shift: lowest bit
 * @bits: number of bits
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
 * @value: receives the value
 *
 * Return: 1; 0 if the frame has no such field.
 */
int frame_field_get(const struct frame *frame, const struct frame_field *field, uint64_t *value);

/**
 * frame_field_byte() - Offset in the frame of the word or symbol of a field, in bytes.
 */
size_t frame_field_byte(const struct frame *frame, const struct frame_field *field);

/* Lowest bit of a field in this word or symbol, and the name of the word or symbol. */
unsigned int frame_field_bit(const struct frame *frame, const struct frame_field *field);
const char *frame_field_word(const struct frame *frame, const struct frame_field *field);

#endif /* LIB_TRACE_DB_FRAME_H */
