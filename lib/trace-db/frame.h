/* SPDX-License-Identifier: MIT */
/*
 * Frame: splits a frame of the B-Link, or a packet of the cable, into the parts that a database
 * stores, and restores the frame from its parts.
 *
 * What lives here: the types of packets, the faults of frames, and a table of the fields of frames.
 * This code does no I/O, and allocates no memory. May use include/hw and emu/cable.
 *
 * BD1 and BD2, the first two words of a B-Link frame, contain the command symbol and the control
 * symbol of the cable. For this reason, BD1 and BD2 can represent packets of both links.
 * lib/trace-db/cable_frame.h has the code that applies only to packets of the cable.
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
 * @FRAME_SHORT: the frame ends before the end of BD1 and BD2
 * @FRAME_RAGGED: the length of the frame is not a whole number of words
 * @FRAME_LONG: the frame has more words than any frame can have
 * @FRAME_UNKNOWN: the command of the frame does not exist
 * @FRAME_LENGTH: the length of the frame differs from the length for its command
 * @FRAME_CABLE: the fault of a packet of the cable is this number plus enum cable_fault. No fault
 *               has this number itself
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
 * @name: name of the command; NULL: the command does not exist
 * @mark: origin of the definition, as in <hw/blink.h>
 * @class: enum frame_class
 * @payload: number of bytes of payload
 */
struct frame_command {
	const char *name;
	const char *mark;
	uint8_t class;
	uint16_t payload;
};

extern const struct frame_command frame_commands[BLINK_COMMANDS];

/*
 * frame_fault_text() gets the text for an enum frame_fault. frame_type_text() gets the text for a
 * type of packet; NULL if the type is invalid.
 */
const char *frame_fault_text(unsigned int fault);
const char *frame_type_text(unsigned int type);

/**
 * struct frame - A frame in parts.
 * @bd1: first word; 0 if the frame is short. For a packet of the cable, it has the target, the
 *       command symbol, the source and the transaction id, in their positions on the B-Link
 * @bd2: second word. For a packet of the cable, it has one of these: the control symbol and the
 *       address; the control symbol and, in bits 32 to 47, the status; an idle symbol and, from bit
 *       16 on, the number of idles
 * @trailer: last word of a whole frame. For a packet of the cable, it has the CRC in bits 48 to 63
 * @body: the bytes between BD2 and the trailer. If the frame is not whole, all bytes after BD2. If
 *        the frame is short, all bytes. For a packet of the cable, the extended header and the
 *        data. If such a packet cannot be decoded to its end, the symbols after the decoded
 *        symbols; if no symbol can be decoded, all bytes
 * @body_bytes: length of @body
 * @type: type of the packet, 1 to 36; 0: no type
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
 * frame_parse_cable() - Split a packet of the cable into its parts. The parts point into @bytes.
 */
void frame_parse_cable(struct frame *frame, const void *bytes, size_t count);

/**
 * frame_build() - Restore the bytes that were passed to frame_parse().
 * @bytes: receives the bytes
 * @room: size of @bytes
 *
 * Return: the number of bytes of the frame, even if @bytes is too small for them.
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

/* Return whether the frame has BD1, which contains the nodes and the transaction id. */
static inline bool frame_has_nodes(const struct frame *frame)
{
	if (frame_is_cable(frame))
		return frame->type ? frame->type < CABLE_TYPE_IDLES
				   : frame->fault == FRAME_CABLE_COMMAND;
	return frame->fault != FRAME_SHORT;
}

/*
 * Get the enum frame_class of the frame; FRAME_NONE if the frame is short, or if its command is
 * unknown.
 */
unsigned int frame_class_of(const struct frame *frame);

/*
 * frame_has_bd2() returns whether the frame has BD2; frame_has_trailer() returns whether it has a
 * trailer.
 */
bool frame_has_bd2(const struct frame *frame);
bool frame_has_trailer(const struct frame *frame);

/* Return whether the frame has a command. Echoes, idles and sync packets have no command. */
bool frame_has_command(const struct frame *frame);

/*
 * Get the name of the command; NULL if the frame has no command, or if the command does not exist.
 */
const char *frame_command_name(const struct frame *frame);

/* Return whether the frame can have a payload. The payload can be empty. */
bool frame_has_payload(const struct frame *frame);

/**
 * frame_address() - Get the address of a request, or the id of an event.
 *
 * Return: true; false if the frame has neither an address nor an id.
 */
bool frame_address(const struct frame *frame, uint64_t *address);

/* Get the number of bytes of the extended header that are in the frame. */
size_t frame_extended_bytes(const struct frame *frame);

/* Get the payload; for a damaged frame, the bytes at the position of the payload. */
const uint8_t *frame_payload(const struct frame *frame, size_t *bytes);

/**
 * struct frame_field - A row of a table of fields.
 * @name: name of the column in the database, and of the JSON key
 * @title: name of the field in texts
 * @mark: origin of the definition, as in <hw/blink.h>
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

/* The table of the fields of the B-Link. */
extern const struct frame_field frame_fields[];
extern const size_t frame_field_count;

/**
 * frame_fields_of() - Get the table of fields for a frame: the table of the B-Link, or the table of
 * the cable.
 * @count: receives the number of rows
 */
const struct frame_field *frame_fields_of(const struct frame *frame, size_t *count);

/**
 * frame_field_get() - Get the value of a field. The field must be in the table for the frame.
 * @value: receives the value
 *
 * Return: 1; 0 if the frame has no such field.
 */
int frame_field_get(const struct frame *frame, const struct frame_field *field, uint64_t *value);

/**
 * frame_field_byte() - Get the offset in the frame, in bytes, of the word or symbol that contains a
 * field.
 */
size_t frame_field_byte(const struct frame *frame, const struct frame_field *field);

/*
 * frame_field_bit() gets the lowest bit of a field in its word or symbol; frame_field_word() gets
 * the name of this word or symbol.
 */
unsigned int frame_field_bit(const struct frame *frame, const struct frame_field *field);
const char *frame_field_word(const struct frame *frame, const struct frame_field *field);

#endif /* LIB_TRACE_DB_FRAME_H */
