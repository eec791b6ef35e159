/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Random traffic: the frequencies of a shape's operations. See traffic.h. May use the C library.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/reference/traffic.h"

#include <base/field.h>
#include <hw/smile_regs.h>

/* The relative frequencies of a shape's operations. */
struct habits {
	const char *name;
	uint32_t frame;
	uint32_t event;
	uint32_t swap;
	uint32_t drain;
	uint32_t drain_all;
	uint32_t tick;
	uint32_t machine;
	uint32_t bus;
	uint32_t configure;
	uint32_t wild;
	uint32_t rare; /* reset, link, copy, a lone read, stop and start, interrupt registers */
};

static const struct habits habits[TRAFFIC_SHAPES] = {
	[TRAFFIC_UNIFORM] = {"uniform", 3000, 4, 3, 30, 10, 20, 5, 1, 3, 4, 20},
	[TRAFFIC_FEW] = {"few pages", 3000, 4, 3, 20, 10, 20, 5, 1, 3, 4, 20},
	[TRAFFIC_DENSE] = {"dense", 3000, 2, 2, 20, 10, 5, 5, 1, 6, 2, 10},
	[TRAFFIC_BURST] = {"bursts", 200, 4, 12, 8, 1, 4, 2, 6, 2, 6, 8},
	[TRAFFIC_BOUNDARY] = {"boundaries", 3000, 4, 3, 30, 10, 20, 5, 1, 5, 4, 20},
	[TRAFFIC_COLLIDING] = {"colliding ids", 3000, 4, 3, 30, 10, 20, 5, 1, 5, 4, 20},
	[TRAFFIC_BROKEN] = {"broken frames", 3000, 4, 3, 20, 10, 20, 5, 1, 3, 4, 20},
	[TRAFFIC_EVENTS] = {"event storms", 1000, 200, 20, 40, 5, 50, 5, 1, 2, 4, 20},
	[TRAFFIC_FULL] = {"full ring", 3000, 10, 10, 15, 1, 20, 5, 1, 2, 4, 10},
	[TRAFFIC_TIMER] = {"timer", 500, 4, 3, 30, 10, 300, 20, 1, 3, 4, 20},
	[TRAFFIC_BUS] = {"refusing bus", 1000, 10, 10, 40, 10, 20, 10, 40, 3, 4, 20},
	[TRAFFIC_REGISTERS] = {"registers", 400, 10, 10, 20, 5, 20, 10, 5, 10, 300, 60},
};

const char *traffic_name(enum traffic_shape shape)
{
	return habits[shape].name;
}

uint32_t traffic_random(struct traffic *traffic, uint32_t below)
{
	uint64_t state = traffic->random;

	/* xorshift64*: the state is never zero. */
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	traffic->random = state;
	return (uint32_t)(state * 2685821657736338717ULL >> 32) % below;
}

bool traffic_one_in(struct traffic *traffic, uint32_t of)
{
	return traffic_random(traffic, of) == 0;
}

struct operation *traffic_push(struct traffic *traffic, enum operation_kind kind, uint64_t value)
{
	struct operation *operation = &traffic->queue[traffic->tail];

	/* The queue has room for several of the longest setup. */
	if (traffic->tail == TRAFFIC_QUEUE)
		abort();
	traffic->tail++;
	operation->kind = kind;
	operation->value = value;
	operation->offset = 0;
	operation->repeat = 1;
	operation->bytes = 0;
	return operation;
}

void traffic_write(struct traffic *traffic, uint32_t offset, uint64_t value)
{
	traffic_push(traffic, OPERATION_WRITE, value)->offset = offset;
}

uint64_t traffic_page(struct traffic *traffic)
{
	return traffic->page[traffic_random(traffic, TRAFFIC_PAGES)];
}

uint32_t traffic_node(struct traffic *traffic)
{
	return traffic->node[traffic_random(traffic, traffic->nodes)];
}

/* A small number, so that it is reached; or all records that a ring holds. */
uint32_t traffic_watermark(struct traffic *traffic)
{
	return traffic_one_in(traffic, 6) ? 256U << 2 * traffic_random(traffic, 2)
					  : traffic_random(traffic, 40);
}

static void swap(struct traffic *traffic)
{
	static const uint32_t commands[] = {
		SMILE_COMMAND_SWAP,
		SMILE_COMMAND_SWAP_STATIC,
		SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC,
	};

	/*
	 * Swap one counter; sometimes with another command, or with COUNTER but without ONE:
	 * refused.
	 */
	if (traffic_one_in(traffic, 4)) {
		uint32_t with = traffic_one_in(traffic, 8) ? commands[traffic_random(traffic, 3)]
							   : SMILE_COMMAND_SWAP_STATIC;
		uint32_t one = traffic_one_in(traffic, 8) ? 0 : SMILE_COMMAND_ONE;

		traffic_write(traffic, SMILE_REG_COMMAND,
			      with | one |
				      SMILE_PUT(SMILE_COMMAND_COUNTER,
						(uint32_t)traffic_random(traffic, 16)));
		return;
	}
	traffic_write(traffic, SMILE_REG_COMMAND, commands[traffic_random(traffic, 3)]);
}

static void raise(struct traffic *traffic)
{
	traffic_write(traffic, SMILE_REG_EVENT,
		      traffic_one_in(traffic, 8) ? traffic_random(traffic, 65536)
						 : traffic_random(traffic, 17));
}

static void tick(struct traffic *traffic)
{
	enum operation_kind kind = traffic_one_in(traffic, 2) ? OPERATION_TICK : OPERATION_ADVANCE;
	uint64_t ns = traffic_random(traffic, 5000);

	/* Several periods in one step; a step that ends with a period; no step at all. */
	if (traffic_one_in(traffic, 20))
		ns = traffic_random(traffic, 500000);
	else if (traffic_one_in(traffic, 4))
		ns = 1000 * traffic_random(traffic, 8);
	traffic_push(traffic, kind, ns);
}

static void bus(struct traffic *traffic)
{
	if (traffic_one_in(traffic, 2)) {
		traffic_push(traffic, OPERATION_BUS, traffic_random(traffic, 6));
	} else {
		traffic_push(traffic, OPERATION_BUS, UINT64_MAX);
		traffic_write(traffic, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	}
}

static void rare(struct traffic *traffic)
{
	switch (traffic_random(traffic, 13)) {
	case 0:
		if (traffic_one_in(traffic, 8))
			traffic_write(traffic, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
		break;
	case 1:
		traffic_push(traffic, OPERATION_LINK, traffic_random(traffic, 2));
		break;
	case 2:
		traffic_push(traffic, OPERATION_COPY, traffic_random(traffic, 16));
		break;
	case 3:
		traffic_write(traffic, SMILE_REG_CONTROL, 0);
		traffic_frame(traffic);
		/* The card refuses this if something waits for room. */
		if (traffic_one_in(traffic, 2)) {
			traffic_write(traffic, SMILE_REG_COMMAND,
				      SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
			traffic_write(traffic, SMILE_REG_NODE, traffic_node(traffic));
		}
		traffic_write(traffic, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
		break;
	case 4:
	case 5:
		traffic_write(traffic, SMILE_REG_INT_STATUS,
			      traffic_random(traffic, SMILE_INT_ALL + 1));
		break;
	case 6:
		traffic_write(traffic, SMILE_REG_INT_ENABLE,
			      traffic_random(traffic, SMILE_INT_ALL + 1));
		break;
	case 7:
		traffic_write(traffic, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
		break;
	case 8:
		traffic_write(traffic, SMILE_REG_RING_WATERMARK, traffic_watermark(traffic));
		break;
	case 9:
		traffic_write(traffic, SMILE_REG_RING_LATENCY, traffic_random(traffic, 30));
		break;
	case 10:
		traffic_push(traffic, OPERATION_EXPIRE, 0);
		break;
	default:
		traffic_push(traffic, OPERATION_READ, 0)->offset =
			4 * traffic_random(traffic, SMILE_REGS_BYTES / 4 + 8);
	}
}

/* Frames that pass in one call, some of them after a pause. */
static void batch(struct traffic *traffic)
{
	uint32_t frames = 1 + traffic_random(traffic, 60);

	for (uint32_t i = 0; i < frames; i++) {
		struct operation *operation = &traffic->queue[traffic->tail];

		traffic_frame(traffic);
		operation->kind = OPERATION_QUEUE;
		operation->value =
			traffic_one_in(traffic, 20) ? traffic_random(traffic, 5000) : i % 2;
	}
	traffic_push(traffic, OPERATION_SEND, 0);
	/* Send the remaining frames once there is room. */
	if (traffic_one_in(traffic, 3)) {
		traffic_push(traffic, OPERATION_DRAIN, traffic_random(traffic, 40));
		traffic_push(traffic, OPERATION_SEND, 0);
	}
}

/* Half of all frames are sent in batches, except for bursts. */
static void frames(struct traffic *traffic)
{
	if (traffic->shape != TRAFFIC_BURST && traffic_one_in(traffic, 30))
		batch(traffic);
	else
		traffic_frame(traffic);
}

static void choose(struct traffic *traffic)
{
	const struct habits *habit = &habits[traffic->shape];
	uint32_t sum = habit->frame + habit->event + habit->swap + habit->drain + habit->drain_all +
		       habit->tick + habit->machine + habit->bus + habit->configure + habit->wild +
		       habit->rare;
	uint32_t dice = traffic_random(traffic, sum);

/* Does the random number select this operation? If not, subtract its frequency for the next one. */
#define FALLS_ON(habit_of) (dice < habit->habit_of || (dice -= habit->habit_of, false))
	if (FALLS_ON(frame))
		frames(traffic);
	else if (FALLS_ON(event))
		raise(traffic);
	else if (FALLS_ON(swap))
		swap(traffic);
	else if (FALLS_ON(drain))
		traffic_push(traffic, OPERATION_DRAIN,
			     traffic_random(traffic, traffic->shape == TRAFFIC_BURST ? 4 : 100));
	else if (FALLS_ON(drain_all))
		traffic_push(traffic, OPERATION_DRAIN, UINT32_MAX);
	else if (FALLS_ON(tick))
		tick(traffic);
	else if (FALLS_ON(machine))
		traffic_push(traffic, OPERATION_MACHINE, traffic_random(traffic, 20));
	else if (FALLS_ON(bus))
		bus(traffic);
	else if (FALLS_ON(configure))
		traffic_configure(traffic);
	else if (FALLS_ON(wild))
		traffic_wild_write(traffic);
	else
		rare(traffic);
#undef FALLS_ON
}

const struct operation *traffic_next(struct traffic *traffic)
{
	while (traffic->head == traffic->tail) {
		traffic->head = traffic->tail = 0;
		choose(traffic);
	}
	return &traffic->queue[traffic->head++];
}

void traffic_begin(struct traffic *traffic, enum traffic_shape shape, uint64_t seed)
{
	static const uint64_t outermost[] = {0, 0xffff, 0x10000, 0xfffff, 0x100000, 0xfffffffff};
	static const uint32_t nodes[] = {0, 1, 2, 31, 32, 33, 64, 65535};
	bool extreme = shape == TRAFFIC_BOUNDARY || shape == TRAFFIC_UNIFORM;

	memset(traffic, 0, sizeof(*traffic));
	traffic->shape = shape;
	traffic->random = seed * 0x9e3779b97f4a7c15ULL + shape + 1;
	traffic->max_range = SMILE_MAX_RANGE_DEFAULT;
	traffic->nodes = 3;
	if (shape == TRAFFIC_BURST || shape == TRAFFIC_DENSE)
		traffic->nodes = shape == TRAFFIC_BURST ? 2 : 1;
	if (extreme || shape == TRAFFIC_COLLIDING)
		traffic->nodes = TRAFFIC_PAGES;
	for (uint32_t i = 0; i < TRAFFIC_PAGES; i++) {
		traffic->node[i] = shape == TRAFFIC_COLLIDING ? 5 + 64 * (i / 2) + i % 2 : nodes[i];
		traffic->page[i] = extreme && i < 6 ? outermost[i] : 40 + i;
		/* Bursts repeat a few pages, so that they also hit pages of the static tables. */
		if (shape == TRAFFIC_BURST)
			traffic->page[i] = 40 + i % 2;
		if (shape == TRAFFIC_DENSE)
			traffic->page[i] = 40;
	}
	traffic_configure(traffic);
}
