/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of batches of packets: card_blink_packets() and card_blink_requests() must give the same
 * result as single calls.
 *
 * What lives here: a pair of cards that receive the same frames. The first card receives single
 * frames, on the general path and with the plain search. The second card receives batches, or
 * single frames on the fast path. A test runs with each search that this processor supports. Both
 * cards must stop at the same frame. Their registers, their rings and their calls to the fixture
 * must be equal. May use emu/card/card_inside.h and cmocka.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/field.h>

#include "emu/card/card_inside.h"

#define FRAMES 4000U
#define FRAME_WORDS 5U
#define HOST_RECORDS 256U
#define HOST_BASE 0x10000ULL

/**
 * struct side - A card, its memory, and a summary of its calls.
 * @card: the card
 * @ram: the dual-ported RAM of the card
 * @host: the ring in host memory
 * @digest: a hash of all calls of the card, and of the number of records at each call
 * @writes: number of writes to host memory, including refused ones
 */
struct side {
	struct card card;
	uint32_t ram[SMILE_RING_WORDS];
	uint8_t host[HOST_RECORDS * SMILE_RECORD_BYTES];
	uint64_t digest;
	unsigned int writes;
};

/**
 * struct pair - The two cards.
 * @single: receives single frames, and uses the plain search
 * @bunch: receives frames in batches
 * @words: the words of the frames
 * @frames: the frames
 * @requests: the decoded frames; valid if all frames are requests
 * @times_ns: the times of the frames
 * @random: state of the random numbers
 */
struct pair {
	struct side single;
	struct side bunch;
	uint64_t words[FRAMES][FRAME_WORDS];
	struct card_frame frames[FRAMES];
	uint64_t requests[FRAMES];
	uint64_t times_ns[FRAMES];
	uint64_t random;
};

static uint32_t draw(struct pair *pair, uint32_t below)
{
	pair->random ^= pair->random << 13;
	pair->random ^= pair->random >> 7;
	pair->random ^= pair->random << 17;
	return (uint32_t)(pair->random >> 20) % below;
}

/* ---- surroundings ---- */

static void digest_add(struct side *side, uint64_t what)
{
	side->digest = (side->digest ^ what ^ side->card.count.records << 32) * 0x100000001b3ULL;
}

static void interrupt(void *opaque, bool level)
{
	digest_add(opaque, 2U + level);
}

static void latency(void *opaque, uint32_t us)
{
	digest_add(opaque, 4U + us);
}

static bool dma_write(void *opaque, uint64_t address, const void *data, size_t bytes)
{
	struct side *side = opaque;

	if (++side->writes % 500 == 0)
		return false;
	assert_true(address >= HOST_BASE && bytes == SMILE_RECORD_BYTES);
	assert_true(address - HOST_BASE <= sizeof(side->host) - bytes);
	memcpy(side->host + (address - HOST_BASE), data, bytes);
	return true;
}

static const struct card_ops ops = {
	.interrupt = interrupt, .dma_write = dma_write, .latency = latency};

/* ---- the pair ---- */

static void write_both(struct pair *pair, uint32_t offset, uint32_t value)
{
	card_mmio_write(&pair->single.card, offset, value);
	card_mmio_write(&pair->bunch.card, offset, value);
}

static uint32_t draw_filter(struct pair *pair)
{
	switch (draw(pair, 4)) {
	case 0:
		return draw(pair, SMILE_FILTER_ALL + 1);
	case 1:
		return SMILE_FILTER_ALL;
	default:
		return SMILE_FILTER_DEFAULT;
	}
}

static void configure(struct pair *pair, const struct search *search)
{
	static const uint32_t ranges[] = {4, 4, 64, 60, 4096};
	uint32_t mode = draw(pair, SMILE_MODE_ALL + 1);

	/* Prefer modes in which the fast path is possible. */
	if (draw(pair, 3))
		mode &= SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED | SMILE_MODE_HOST_RING;
	if (draw(pair, 2))
		mode &= ~SMILE_MODE_HOST_RING;
	card_init(&pair->single.card, pair->single.ram, &ops, &pair->single);
	card_init(&pair->bunch.card, pair->bunch.ram, &ops, &pair->bunch);
	dynamic_search_by(&pair->single.card.dynamic, &search_plain);
	dynamic_search_by(&pair->bunch.card.dynamic, search);
	write_both(pair, SMILE_REG_NODE, 1);
	write_both(pair, SMILE_REG_FILTER, draw_filter(pair));
	write_both(pair, SMILE_REG_MAX_RANGE, ranges[draw(pair, 5)]);
	write_both(pair, SMILE_REG_ENTRIES,
		   draw(pair, 2) ? SMILE_ENTRIES_DEFAULT : 1 + draw(pair, SMILE_ENTRIES_MAX));
	write_both(pair, SMILE_REG_PHASE_EVENTS, draw(pair, 16));
	write_both(pair, SMILE_REG_TIMER_PERIOD, draw(pair, 2) * draw(pair, 500));
	write_both(pair, SMILE_REG_TIME_PERIOD, draw(pair, 2) * draw(pair, 500));
	write_both(pair, SMILE_REG_STATIC_PAGE, SMILE_STATIC_PAGE_VALID | 1);
	write_both(pair, SMILE_REG_STATIC_EVENT, 0xbff003e0);
	write_both(pair, SMILE_REG_STATIC_COUNTER, SMILE_STATIC_COUNTER_COUNT_VALID);
	write_both(pair, SMILE_REG_DMA_BASE_LOW, HOST_BASE);
	write_both(pair, SMILE_REG_DMA_SIZE, HOST_RECORDS);
	write_both(pair, SMILE_REG_MODE, mode);
	write_both(pair, SMILE_REG_RING_WATERMARK, draw(pair, 2) * draw(pair, 1100));
	write_both(pair, SMILE_REG_RING_LATENCY, draw(pair, 2) * 100);
	write_both(pair, SMILE_REG_INT_ENABLE, SMILE_INT_ALL);
	write_both(pair, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	assert_int_equal(pair->single.card.config.mode, mode);
}

static uint32_t draw_command(struct pair *pair)
{
	switch (draw(pair, 40)) {
	case 0:
		return BLINK_EVENT00;
	case 1:
		return draw(pair, BLINK_COMMANDS);
	default:
		return draw(pair, 2) ? BLINK_RESPONSE00 + draw(pair, 4) : draw(pair, 3) * 16 + 3;
	}
}

/* Some node ids have the same low five bits. */
static uint32_t draw_node(struct pair *pair)
{
	return draw(pair, 3) + (draw(pair, 20) ? 0 : SMILE_NARROW_NODE + 1);
}

static void make_frames(struct pair *pair)
{
	uint32_t pages = 1 + draw(pair, 40);
	uint64_t time_ns = 1000;

	for (unsigned int i = 0; i < FRAMES; i++) {
		struct card_frame *frame = &pair->frames[i];

		pair->words[i][0] = SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)draw_node(pair)) |
				    SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)draw_command(pair)) |
				    SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)draw_node(pair)) |
				    SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)draw(pair, 8));
		pair->words[i][1] = (uint64_t)draw(pair, pages) * SMILE_PAGE_BYTES +
				    draw(pair, draw(pair, 2) ? 64 : SMILE_PAGE_BYTES);
		time_ns += draw(pair, 2000);
		frame->frame = pair->words[i];
		frame->bytes = draw(pair, 100) ? 8 * (2 + draw(pair, 4)) : draw(pair, 40);
		/* The time stamps of a capture may decrease; the card's clock does not. */
		frame->time_ns = draw(pair, 50) ? time_ns : time_ns - 1000;
	}
}

/* Send single frames, on the general path or with the public function. */
static size_t one_by_one(struct card *card, const struct card_frame *frames, size_t count,
			 void (*pass)(struct card *card, const void *frame, size_t bytes))
{
	for (size_t i = 0; i < count; i++) {
		if (!card_ready(card) || !card_advance(card, frames[i].time_ns) ||
		    !card_ready(card))
			return i;
		pass(card, frames[i].frame, frames[i].bytes);
	}
	return count;
}

static void check_alike(struct pair *pair)
{
	struct side *a = &pair->single, *b = &pair->bunch;

	for (uint32_t offset = 0; offset < SMILE_REGS_BYTES; offset += 4) {
		uint32_t expected = card_mmio_read(&a->card, offset);
		uint32_t found = card_mmio_read(&b->card, offset);

		if (found != expected)
			fail_msg("register %#x is %#x instead of %#x (entries %u, mode %#x)",
				 offset, found, expected, a->card.config.entries,
				 a->card.config.mode);
	}
	assert_memory_equal(a->ram, b->ram, sizeof(a->ram));
	assert_memory_equal(a->host, b->host, sizeof(a->host));
	assert_true(a->digest == b->digest);
	assert_int_equal(a->writes, b->writes);
}

/* Read some of the unread records, and clear the errors. */
static void read_rings(struct pair *pair)
{
	struct card *card = &pair->single.card;
	uint32_t read = card_mmio_read(card, SMILE_REG_RING_READ);
	uint32_t unread = (card_mmio_read(card, SMILE_REG_RING_WRITE) - read) & SMILE_RING_POINTER;
	uint32_t host_read = card_mmio_read(card, SMILE_REG_DMA_READ);
	uint32_t host_unread = card_mmio_read(card, SMILE_REG_DMA_WRITE) - host_read;

	write_both(pair, SMILE_REG_STATUS, SMILE_STATUS_DMA_ERROR);
	write_both(pair, SMILE_REG_INT_STATUS, SMILE_INT_ALL);
	unread = unread / SMILE_RECORD_WORDS * (1 + draw(pair, 4)) / 4 * SMILE_RECORD_WORDS;
	host_unread = host_unread * (1 + draw(pair, 4)) / 4;
	write_both(pair, SMILE_REG_RING_READ, (read + unread) & SMILE_RING_POINTER);
	write_both(pair, SMILE_REG_DMA_READ, host_read + host_unread);
}

/* Set the counters of all entries to almost full, as after 65,000 packets for each entry. */
static void wear_out(struct pair *pair)
{
	for (uint32_t i = 0; i < SMILE_ENTRIES_MAX; i++) {
		struct dynamic_entry *a = &pair->single.card.dynamic.entry[i];
		struct dynamic_entry *b = &pair->bunch.card.dynamic.entry[i];

		if (a->valid && a->count < SMILE_COUNT_MAX - 2)
			a->count = b->count = SMILE_COUNT_MAX - 2;
	}
}

static void run(struct pair *pair, const struct search *search)
{
	size_t done = 0, wanted, passed;

	configure(pair, search);
	make_frames(pair);
	while (done < FRAMES) {
		wanted = 1 + draw(pair, draw(pair, 4) ? 20 : FRAMES);
		if (wanted > FRAMES - done)
			wanted = FRAMES - done;
		passed = one_by_one(&pair->single.card, pair->frames + done, wanted, card_pass);
		if (draw(pair, 4))
			assert_int_equal(
				card_blink_packets(&pair->bunch.card, pair->frames + done, wanted),
				passed);
		else
			assert_int_equal(one_by_one(&pair->bunch.card, pair->frames + done, wanted,
						    card_blink_packet),
					 passed);
		done += passed;
		check_alike(pair);
		if (passed < wanted || !draw(pair, 4))
			read_rings(pair);
		if (!draw(pair, 4))
			wear_out(pair);
		if (!draw(pair, 100))
			write_both(pair, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	}
}

/* ---- requests that are already decoded ---- */

/*
 * Make requests for few words, many words, or consecutive words. Some requests have no type, so
 * their frames are invalid.
 */
static void make_requests(struct pair *pair)
{
	uint32_t pages = 1 + draw(pair, 40), bytes = draw(pair, 2) ? 64 : SMILE_PAGE_BYTES;
	bool rising = draw(pair, 3) == 0;
	uint64_t time_ns = 1000;

	for (unsigned int i = 0; i < FRAMES; i++) {
		uint64_t address = rising && draw(pair, 10)
					   ? i * 8ULL
					   : (uint64_t)draw(pair, pages) * SMILE_PAGE_BYTES +
						     draw(pair, bytes);
		uint64_t source = draw_node(pair) % BLINK_REQUEST_NODES;
		uint64_t target = draw_node(pair) % BLINK_REQUEST_NODES;
		uint64_t type = draw(pair, 500) ? 1 + draw(pair, 3) : 0, command;

		/* Let some requests have the same time. */
		time_ns += draw(pair, 5) ? draw(pair, 2000) : 0;
		if (!draw(pair, 200))
			address |= 0xabcdULL << 32;
		command = type ? (type - 1) * 16 + 7 : BLINK_DMOVE256 + 20;
		pair->words[i][0] = SMILE_PUT(BLINK_BD1_SOURCE, source) |
				    SMILE_PUT(BLINK_BD1_COMMAND, command) |
				    SMILE_PUT(BLINK_BD1_TARGET, target);
		pair->words[i][1] = address;
		pair->requests[i] = SMILE_PUT(BLINK_REQUEST_SOURCE, source) |
				    SMILE_PUT(BLINK_REQUEST_TARGET, target) |
				    SMILE_PUT(BLINK_REQUEST_TYPE, type) |
				    SMILE_PUT(BLINK_REQUEST_ADDRESS, address);
		/* The decoder ignores the bits above those of a request. */
		if (!draw(pair, 200))
			pair->requests[i] |= 3ULL << 62;
		pair->times_ns[i] = time_ns;
		pair->frames[i] = (struct card_frame){
			.frame = pair->words[i], .bytes = 24, .time_ns = time_ns};
	}
}

static void pass_event(struct pair *pair)
{
	const uint64_t words[2] = {SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)BLINK_EVENT00),
				   draw(pair, 20)};

	card_blink_packet(&pair->single.card, words, sizeof(words));
	card_blink_packet(&pair->bunch.card, words, sizeof(words));
}

/*
 * Pass a request and its response. The id of the requesting node may be too large for a decoded
 * request. Decoded requests never have responses.
 */
static void pass_foreign(struct pair *pair)
{
	const uint64_t stranger = draw(pair, 2) ? 100 : 50, id = 9;
	const uint64_t words[2][2] = {
		{SMILE_PUT(BLINK_BD1_SOURCE, stranger) |
			 SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)draw_node(pair)) |
			 SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)BLINK_READSB) |
			 SMILE_PUT(BLINK_BD1_TRANSACTION, id),
		 draw(pair, 2 * SMILE_PAGE_BYTES)},
		{SMILE_PUT(BLINK_BD1_TARGET, stranger) |
			 SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)BLINK_RESPONSE16) |
			 SMILE_PUT(BLINK_BD1_TRANSACTION, id),
		 0},
	};

	for (int i = 0; i < 2; i++) {
		card_blink_packet(&pair->single.card, words[i], sizeof(words[i]));
		card_blink_packet(&pair->bunch.card, words[i], sizeof(words[i]));
	}
}

static void run_requests(struct pair *pair, const struct search *search)
{
	size_t done = 0, wanted, passed;

	configure(pair, search);
	make_requests(pair);
	while (done < FRAMES) {
		wanted = 1 + draw(pair, draw(pair, 3) ? 200 : FRAMES);
		if (wanted > FRAMES - done)
			wanted = FRAMES - done;
		passed = one_by_one(&pair->single.card, pair->frames + done, wanted, card_pass);
		assert_int_equal(card_blink_requests(&pair->bunch.card, pair->requests + done,
						     pair->times_ns + done, wanted),
				 passed);
		done += passed;
		check_alike(pair);
		if (passed < wanted || !draw(pair, 4))
			read_rings(pair);
		if (!draw(pair, 10))
			pass_event(pair);
		if (!draw(pair, 6))
			pass_foreign(pair);
		if (!draw(pair, 4))
			wear_out(pair);
		if (!draw(pair, 100))
			write_both(pair, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	}
	/* Also compare the entries that remain in the two tables. */
	write_both(pair, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
	check_alike(pair);
}

static void run_often(const struct search *search,
		      void (*once)(struct pair *pair, const struct search *search))
{
	struct pair *pair = calloc(1, sizeof(*pair));

	assert_non_null(pair);
	if (!search->available()) {
		print_message("this processor cannot search by %s\n", search->name);
		free(pair);
		skip();
	}
	pair->random = 88172645463325252ULL;
	for (unsigned int i = 0; i < 300; i++)
		once(pair, search);
	free(pair);
}

static void packets_anyRequests_passAsTheirFrames(void **state)
{
	run_often(*state, run_requests);
}

static void packets_anyTraffic_passAsOneByOne(void **state)
{
	run_often(*state, run);
}

static void packets_disabledCard_passNone(void **state)
{
	static struct side side;
	static const uint64_t words[2];
	const struct card_frame frame = {.frame = words, .bytes = sizeof(words), .time_ns = 1};

	card_init(&side.card, side.ram, &ops, &side);
	assert_int_equal(card_blink_packets(&side.card, &frame, 1), 0);
	assert_int_equal(card_mmio_read(&side.card, SMILE_REG_COUNT_SEEN), 0);
	card_mmio_write(&side.card, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	assert_int_equal(card_blink_packets(&side.card, &frame, 0), 0);
	assert_int_equal(card_blink_packets(&side.card, &frame, 1), 1);
	assert_int_equal(card_mmio_read(&side.card, SMILE_REG_COUNT_SEEN), 1);
}

int main(void)
{
	static const struct {
		const char *name;
		CMUnitTestFunction function;
	} each[] = {
		{"packets_anyTraffic_passAsOneByOne", packets_anyTraffic_passAsOneByOne},
		{"packets_anyRequests_passAsTheirFrames", packets_anyRequests_passAsTheirFrames},
	};
	static struct CMUnitTest tests[16] = {
		cmocka_unit_test(packets_disabledCard_passNone),
	}; /* cmocka ignores an element without a name */
	static char names[16][96];
	unsigned int count = 1;

	for (unsigned int i = 0; search_all[i]; i++) {
		for (unsigned int j = 0; j < 2 && count < 16; j++, count++) {
			snprintf(names[count], sizeof(names[count]), "%s (%s)", each[j].name,
				 search_all[i]->name);
			tests[count] = (struct CMUnitTest)cmocka_unit_test(each[j].function);
			tests[count].name = names[count];
			tests[count].initial_state = (void *)search_all[i];
		}
	}
	return cmocka_run_group_tests_name("packets", tests, NULL, NULL);
}
