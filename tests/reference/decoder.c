/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference's B-Link decoder and its two transaction tables. See section 4 of the datasheet.
 * May use reference.h.
 */
#include <base/field.h>

#include "tests/reference/reference.h"

#define REQUESTER_LOW 63U

/* One row of the table of commands. */
struct command {
	uint32_t first;
	uint32_t number;
	enum reference_class class;
	uint32_t type;
};

#define COMMAND_ROW(command, many, name, kind, kind_type, payload, mark)                           \
	{command, many, REFERENCE_##kind, SMILE_TYPE_##kind_type},

static const struct command commands[] = {BLINK_COMMAND_TABLE(COMMAND_ROW)};

#define COMMANDS (sizeof(commands) / sizeof(commands[0]))

/* Word @n of a frame. A frame is little-endian, independent of this machine's byte order. */
static uint64_t frame_word(const uint8_t *frame, unsigned int n)
{
	uint64_t word = 0;

	for (unsigned int i = 0; i < BLINK_WORD_BYTES; i++)
		word += (uint64_t)frame[n * BLINK_WORD_BYTES + i] << 8 * i;
	return word;
}

enum reference_class reference_decode(const struct reference *ref, const void *frame, size_t bytes,
				      struct reference_transaction *out)
{
	const struct command *row = NULL;
	uint64_t bd1, bd2;
	uint32_t command;

	if (bytes % BLINK_WORD_BYTES != 0 || bytes / BLINK_WORD_BYTES < BLINK_WORDS_MIN ||
	    bytes / BLINK_WORD_BYTES > BLINK_WORDS_MAX)
		return REFERENCE_MALFORMED;
	bd1 = frame_word(frame, 0);
	bd2 = frame_word(frame, 1);
	command = SMILE_GET(BLINK_BD1_COMMAND, bd1);
	for (size_t i = 0; i < COMMANDS; i++)
		if (command >= commands[i].first &&
		    command < commands[i].first + commands[i].number)
			row = &commands[i];
	if (!row)
		return REFERENCE_MALFORMED;

	out->response = row->class == REFERENCE_RESPONSE;
	out->type = row->type;
	out->source = SMILE_GET(BLINK_BD1_SOURCE, bd1);
	out->target = SMILE_GET(BLINK_BD1_TARGET, bd1);
	out->id = SMILE_GET(BLINK_BD1_TRANSACTION, bd1);
	out->address = SMILE_GET(BLINK_BD2_ADDRESS, bd2);
	if (reference_mode(ref, SMILE_MODE_NARROW)) {
		out->source &= SMILE_NARROW_NODE;
		out->target &= SMILE_NARROW_NODE;
		out->address &= SMILE_NARROW_ADDRESS;
	}
	return row->class;
}

/* The index is the "low 6 bits of the requester and transaction id". */
static int request_find(const struct reference_requests *list, uint32_t requester)
{
	for (unsigned int i = 0; i < list->number; i++)
		if ((list->request[i].requester & REQUESTER_LOW) == (requester & REQUESTER_LOW))
			return (int)i;
	return -1;
}

static void request_remove(struct reference_requests *list, int place)
{
	list->number--;
	for (unsigned int i = place; i < list->number; i++)
		list->request[i] = list->request[i + 1];
}

void reference_remember(struct reference *ref, const struct reference_transaction *request)
{
	struct reference_requests *list = &ref->pending[request->id];
	int old = request_find(list, request->source);

	/* "over whatever was there" */
	if (old >= 0)
		request_remove(list, old);
	list->request[list->number++] = (struct reference_request){
		.requester = request->source,
		.type = request->type,
		.address = request->address,
	};
	ref->faithful[request->id] = (struct reference_faithful){
		.address = request->address & BLINK_FAITHFUL_ADDRESS,
		.read_or_lock =
			request->type == SMILE_TYPE_READ || request->type == SMILE_TYPE_LOCK,
	};
}

void reference_forget(struct reference *ref)
{
	for (unsigned int id = 0; id < BLINK_TRANSACTIONS; id++) {
		ref->pending[id].number = 0;
		/* "which means a write at address 0" */
		ref->faithful[id] = (struct reference_faithful){.read_or_lock = false};
	}
}

bool reference_answer(struct reference *ref, struct reference_transaction *response)
{
	struct reference_requests *list = &ref->pending[response->id];
	int place = request_find(list, response->target);

	if (reference_mode(ref, SMILE_MODE_FAITHFUL_TABLE)) {
		response->address = ref->faithful[response->id].address;
		response->type = ref->faithful[response->id].read_or_lock ? SMILE_TYPE_READ
									  : SMILE_TYPE_WRITE;
		return true;
	}
	if (place < 0 || list->request[place].requester != response->target)
		return false;
	response->address = list->request[place].address;
	response->type = list->request[place].type;
	request_remove(list, place);
	return true;
}
