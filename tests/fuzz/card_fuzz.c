/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Fuzzing the emulated card, compared with the reference.
 *
 * What lives here: bytes become a sequence of register accesses, frames, ticks, bus refusals and so
 * on, which both cards execute (tests/reference/pair.h). The cards must not differ in any visible
 * state, and at the end the account must be balanced. May use fuzz.h and pair.h.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/reference/pair.h"

/*
 * Limits, so that an input does not take too long: frames by repetition, timer events and TIME
 * records.
 */
#define FRAMES_MAX 70000U
#define CLOCK_MAX 2000000ULL
#define FEW_BITS 4U

static const uint32_t nodes[] = {0,  1,	  2,   3,   31,	  32,	 33,	64,
				 65, 127, 255, 256, 4096, 32768, 65534, 65535};
static const uint64_t pages[] = {
	0,	 1,	   40,	     41,	42,	 0xffff,  0x10000,    0x10028,
	0xfffff, 0x100000, 0x100028, 0xfffffff, 1 << 30, 1 << 28, 1ULL << 32, 0xfffffffffULL};

/* Configurations that fuzzing would hardly find, because they need many matching writes. */
static void setup(struct pair *pair, struct fuzz_input *input)
{
	uint8_t what = fuzz_byte(input);

	pair_write(pair, SMILE_REG_NODE, nodes[what & 3]);
	pair_write(pair, SMILE_REG_FILTER,
		   what & 4 ? SMILE_FILTER_ALL : fuzz_number(input, 2) & SMILE_FILTER_ALL);
	pair_write(pair, SMILE_REG_MAX_RANGE, 4U << (what >> 4 & 7));
	pair_write(pair, SMILE_REG_ENTRIES, 1 + (fuzz_byte(input) & 63));
	pair_write(pair, SMILE_REG_PHASE_EVENTS, fuzz_number(input, 2));
	pair_write(pair, SMILE_REG_TIMER_PERIOD, fuzz_byte(input));
	pair_write(pair, SMILE_REG_TIME_PERIOD, fuzz_byte(input));
	if (what & 8) {
		pair_write(pair, SMILE_REG_DMA_SIZE, SMILE_DMA_RECORDS_MIN);
		pair_write(pair, SMILE_REG_DMA_BASE_LOW, 0x1000);
		pair_write(pair, SMILE_REG_DMA_WRITE, fuzz_byte(input));
	}
	pair_write(pair, SMILE_REG_MODE, fuzz_byte(input) & SMILE_MODE_ALL);
	for (uint32_t i = 0; i < 4; i++) {
		pair_write(pair, SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE,
			   SMILE_STATIC_PAGE_VALID |
				   (pages[fuzz_byte(input) & 15] & SMILE_STATIC_PAGE_NUMBER));
		pair_write(pair, SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE,
			   nodes[fuzz_byte(input) & 15]);
		pair_write(pair, SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT,
			   SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_TOP |
				   (fuzz_number(input, 2) & 0x3fff));
		pair_write(pair, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER,
			   SMILE_STATIC_COUNTER_COUNT_VALID | fuzz_number(input, 3));
	}
	pair_write(pair, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
}

static void frame(struct fuzz_input *input, struct operation *operation)
{
	uint32_t command = fuzz_byte(input) & 0x7f;
	uint8_t who = fuzz_byte(input);
	uint8_t where = fuzz_byte(input);
	uint64_t offset = fuzz_number(input, 2) % SMILE_PAGE_BYTES;

	operation_frame(operation, command, nodes[who & 15], nodes[who >> 4], where >> FEW_BITS,
			pages[where & 15] * SMILE_PAGE_BYTES + offset);
}

static void raw_frame(struct fuzz_input *input, struct operation *operation)
{
	operation->kind = OPERATION_FRAME;
	operation->repeat = 1;
	operation->bytes = fuzz_number(input, 2) % (OPERATION_FRAME_BYTES + 1);
	for (uint32_t i = 0; i < operation->bytes; i++)
		operation->frame[i] = fuzz_byte(input);
}

static void any_write(struct operation *operation, uint32_t offset, uint64_t value)
{
	operation->kind = OPERATION_WRITE;
	operation->offset = offset;
	operation->value = value;
}

/* The next operation; @operation still holds the previous one. */
static void next(struct fuzz_input *input, struct operation *operation)
{
	static const enum operation_kind simple[] = {
		OPERATION_TICK, OPERATION_ADVANCE, OPERATION_MACHINE, OPERATION_LINK,
		OPERATION_COPY, OPERATION_COMPARE, OPERATION_EXPIRE,  OPERATION_SEND};
	uint8_t what = fuzz_byte(input);

	switch (what & 15) {
	case 0:
	case 1:
		frame(input, operation);
		/* Queue the frame, to pass it with others in one call. */
		if (what & 0x80) {
			operation->kind = OPERATION_QUEUE;
			operation->value = (what >> FEW_BITS & 7) * 100;
		}
		break;
	case 2:
		/*
		 * Repeat the same frame many times; other operations are also repeated, which does
		 * no harm.
		 */
		operation->repeat = fuzz_byte(input);
		if (operation->repeat == UINT8_MAX)
			operation->repeat = SMILE_COUNT_MAX - (what >> FEW_BITS);
		break;
	case 3:
		raw_frame(input, operation);
		break;
	case 4:
		any_write(operation, fuzz_number(input, 2) % (SMILE_REGS_BYTES / 4 + 4) * 4,
			  fuzz_number(input, 4));
		break;
	case 5:
		any_write(operation, fuzz_byte(input) % 64 * 4, fuzz_byte(input));
		break;
	case 6:
		operation->kind = OPERATION_READ;
		operation->offset = fuzz_byte(input) * 4;
		break;
	case 7:
		any_write(operation, SMILE_REG_COMMAND, what >> FEW_BITS & 7);
		break;
	case 8:
		any_write(operation, SMILE_REG_EVENT, what >> FEW_BITS);
		break;
	case 9:
		operation->kind = OPERATION_DRAIN;
		operation->value = fuzz_byte(input) << (what >> FEW_BITS);
		break;
	case 10:
		operation->kind = OPERATION_BUS;
		operation->value = what >> 7 ? UINT64_MAX : what >> FEW_BITS;
		break;
	case 11:
		any_write(operation, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
		break;
	case 12:
		any_write(operation, SMILE_REG_CONTROL, what >> 7);
		break;
	default:
		operation->kind = simple[(what >> FEW_BITS) % 8];
		operation->value = fuzz_number(input, 2);
	}
}

static void limit(struct operation *operation, const struct pair *pair)
{
	if (operation->kind == OPERATION_FRAME && pair->frames + operation->repeat > FRAMES_MAX)
		operation->repeat = 1;
	if ((operation->kind == OPERATION_TICK || operation->kind == OPERATION_ADVANCE) &&
	    pair->bench->clock_ns > CLOCK_MAX)
		operation->value = 0;
}

static void must(struct pair *pair, bool good, const char *what)
{
	if (good)
		return;
	pair_print(pair);
	fprintf(stderr, "card_fuzz: %s\n", what);
	abort();
}

static void check_end(struct pair *pair)
{
	struct bench *bench = pair->bench;

	must(pair, bench_empty(bench), "the card cannot be emptied");
	must(pair,
	     bench_counter(bench, SMILE_REG_COUNT_ACCEPTED) ==
		     bench_counter(bench, SMILE_REG_COUNT_DELIVERED) +
			     bench_counter(bench, SMILE_REG_COUNT_LOST),
	     "accepted is not delivered + lost");
	must(pair,
	     bench_counter(bench, SMILE_REG_COUNT_STATIC) ==
		     bench_counter(bench, SMILE_REG_COUNT_STATIC_DELIVERED),
	     "static counts are missing");
	must(pair, bench->strange == 0, "strange things were done");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input input = {.data = data, .left = size};
	struct pair *pair = pair_new();
	struct operation operation = {.kind = OPERATION_COMPARE};

	if (fuzz_byte(&input) & 1)
		setup(pair, &input);
	while (input.left > 0) {
		next(&input, &operation);
		limit(&operation, pair);
		must(pair, pair_do(pair, &operation), "card and reference differ");
	}
	must(pair, pair_compare(pair), "card and reference differ");
	check_end(pair);
	pair_free(pair);
	return 0;
}
