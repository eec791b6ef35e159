/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Random traffic: B-Link frames. See traffic.h. May use include/.
 */
#include "tests/reference/traffic.h"

#include <hw/smile_regs.h>

#define ROW(command, number, name, class, type, payload, mark) {command, number, BLINK_ROW_##class},
enum {
	BLINK_ROW_REQUEST,
	BLINK_ROW_RESPONSE,
	BLINK_ROW_EVENT,
};

static const struct {
	uint32_t first;
	uint32_t number;
	uint32_t class;
} rows[] = {BLINK_COMMAND_TABLE(ROW)};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

/* A random command of a class. */
static uint32_t random_command(struct traffic *traffic, uint32_t class)
{
	uint32_t row;

	do
		row = traffic_random(traffic, ROWS);
	while (rows[row].class != class);
	return rows[row].first + traffic_random(traffic, rows[row].number);
}

/* A random word of a page: anywhere, near a few places, or on the edges of blocks and pages. */
static uint32_t random_word(struct traffic *traffic)
{
	uint32_t block = traffic->max_range / SMILE_WORD_BYTES;
	uint32_t edge;

	switch (traffic->shape) {
	case TRAFFIC_UNIFORM:
		return traffic_random(traffic, 1024);
	case TRAFFIC_BOUNDARY:
		edge = block * traffic_random(traffic, 1024 / block + 2);
		if (traffic_one_in(traffic, 3))
			edge = 1024 * traffic_random(traffic, 2);
		return (edge + traffic_random(traffic, 3) - 1) % 1024;
	case TRAFFIC_DENSE:
		return 200 + traffic_random(traffic, 80);
	case TRAFFIC_BURST:
		return 100 + 2 * traffic_random(traffic, 2);
	default:
		return traffic_random(traffic, 4) * 200 + traffic_random(traffic, 24);
	}
}

static uint64_t random_address(struct traffic *traffic)
{
	uint64_t page = traffic_page(traffic);

	if (traffic->shape == TRAFFIC_UNIFORM && !traffic_one_in(traffic, 4))
		page = (uint64_t)traffic_random(traffic, 65536) << 20 |
		       traffic_random(traffic, 1 << 20);
	if (traffic->shape == TRAFFIC_BURST)
		page = traffic->page[0];
	return page * SMILE_PAGE_BYTES + random_word(traffic) * SMILE_WORD_BYTES +
	       traffic_random(traffic, SMILE_WORD_BYTES);
}

static uint32_t random_id(struct traffic *traffic)
{
	return traffic_random(traffic,
			      traffic->shape == TRAFFIC_COLLIDING ? 3 : BLINK_TRANSACTIONS);
}

static void request(struct traffic *traffic, struct operation *operation)
{
	uint32_t *recent = traffic->recent[traffic_random(traffic, TRAFFIC_RECENT)];
	uint32_t command = random_command(traffic, BLINK_ROW_REQUEST);

	recent[0] = traffic_node(traffic);
	recent[1] = traffic_node(traffic);
	recent[2] = random_id(traffic);
	/* For TRAFFIC_DENSE, most frames have one type, so that the entries compete. */
	if (traffic->shape == TRAFFIC_DENSE && !traffic_one_in(traffic, 20))
		command = BLINK_READSB;
	operation_frame(operation, command, recent[0], recent[1], recent[2],
			random_address(traffic));
}

/* A response, in most cases to an earlier request. */
static void response(struct traffic *traffic, struct operation *operation)
{
	const uint32_t *recent = traffic->recent[traffic_random(traffic, TRAFFIC_RECENT)];
	uint32_t source = recent[1];
	uint32_t target = recent[0];
	uint32_t id = recent[2];

	if (traffic_one_in(traffic, 6))
		id = random_id(traffic);
	if (traffic_one_in(traffic, 6))
		target = traffic_node(traffic);
	operation_frame(operation, random_command(traffic, BLINK_ROW_RESPONSE), source, target, id,
			(uint64_t)traffic_random(traffic, 16) << 44);
}

static void event00(struct traffic *traffic, struct operation *operation)
{
	uint64_t id = traffic_random(traffic, 17);

	if (traffic_one_in(traffic, 8))
		id = traffic_random(traffic, 1 << 20);
	operation_frame(operation, BLINK_EVENT00, traffic_node(traffic), traffic_node(traffic), 0,
			id);
}

/* A frame of any length and contents. */
static void broken(struct traffic *traffic, struct operation *operation)
{
	uint32_t filler = traffic_random(traffic, 256);

	request(traffic, operation);
	for (uint32_t i = operation->bytes; i < OPERATION_FRAME_BYTES; i++)
		operation->frame[i] = (uint8_t)filler;
	switch (traffic_random(traffic, 5)) {
	case 0:
		operation->bytes = traffic_random(traffic, OPERATION_FRAME_BYTES + 1);
		break;
	case 1: /* around the shortest and the longest */
		operation->bytes =
			(traffic_one_in(traffic, 2) ? BLINK_WORDS_MIN : BLINK_WORDS_MAX) *
				BLINK_WORD_BYTES +
			8 * traffic_random(traffic, 3) - 8;
		break;
	case 2: /* any command */
		operation->frame[2] = (uint8_t)filler;
		break;
	case 3: /* a whole frame of any bits */
		for (uint32_t i = 0; i < operation->bytes; i++)
			operation->frame[i] = (uint8_t)traffic_random(traffic, 256);
		break;
	}
}

/* Set bits that the card must ignore. */
static void dirt(struct traffic *traffic, struct operation *operation)
{
	operation->frame[3] = (uint8_t)traffic_random(traffic, 256);
	operation->frame[7] = (uint8_t)traffic_random(traffic, 256);
	operation->frame[6] |= (uint8_t)(traffic_random(traffic, 4) << 6);
	operation->frame[2] |= (uint8_t)(traffic_random(traffic, 2) << 7);
	operation->frame[14] = (uint8_t)traffic_random(traffic, 256);
	operation->frame[15] = (uint8_t)traffic_random(traffic, 256);
}

static uint32_t burst_length(struct traffic *traffic)
{
	static const uint32_t lengths[] = {1,	  2,	 100,	3000,  32767,  32768,
					   65534, 65535, 65536, 66000, 131070, 200};

	if (traffic->shape != TRAFFIC_BURST)
		return traffic_one_in(traffic, 200) ? 1 + traffic_random(traffic, 40) : 1;
	if (!traffic_one_in(traffic, 8))
		return 1 + traffic_random(traffic, 3);
	return lengths[traffic_random(traffic, sizeof(lengths) / sizeof(lengths[0]))];
}

void traffic_frame(struct traffic *traffic)
{
	struct operation *operation = traffic_push(traffic, OPERATION_FRAME, 0);
	uint32_t repeat = burst_length(traffic);

	if (traffic_one_in(traffic, traffic->shape == TRAFFIC_BROKEN ? 3 : 200))
		broken(traffic, operation);
	else if (traffic_one_in(traffic, traffic->shape == TRAFFIC_EVENTS ? 4 : 300))
		event00(traffic, operation);
	else if (traffic_one_in(traffic, traffic->shape == TRAFFIC_COLLIDING ? 2 : 5))
		response(traffic, operation);
	else
		request(traffic, operation);
	if (operation->bytes >= 2 * BLINK_WORD_BYTES && traffic_one_in(traffic, 3))
		dirt(traffic, operation);
	operation->repeat = repeat;
}
