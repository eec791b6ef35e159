/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the searches of the range table: each search must give the same result as the plain
 * search.
 *
 * What lives here: pairs of tables that receive the same events. The first table uses the plain
 * search, the second one the index. Both must always return the same results and contain the same
 * entries, and the index must match the entries. The random traffic lets ranges meet, counters
 * become full, and hashes collide. The test skips a search that this processor does not support.
 * May use emu/card/card_inside.h and cmocka.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "emu/card/card_inside.h"

#define EVENTS 800U /* with each configuration */
#define COLLIDING 96U /* addresses with the same hash */
#define COLLIDING_NODES 4U /* nodes with this hash for one address */

/* The kinds of traffic. */
enum traffic {
	TRAFFIC_RANDOM, /* few nodes, pages and words; all types */
	TRAFFIC_WALK, /* consecutive words, up and down, with jumps */
	TRAFFIC_MISSES, /* rising addresses, each word once */
	TRAFFIC_COLLIDING, /* all addresses have the same hash */
	TRAFFICS,
};

/**
 * struct pair - Two tables that must be equal.
 * @plain: uses the plain search
 * @other: uses the index
 * @forced: the search of @other, for any number of entries
 * @config: configuration of both tables
 * @extensions: numbers of extensions of @plain and of @other
 * @event: the last event
 * @number: number of events
 * @random: state of the random numbers
 * @place: current word of TRAFFIC_WALK
 * @hashed: an index with the same configuration, to compute hashes
 * @colliding: addresses for TRAFFIC_COLLIDING
 * @nodes: source and destination nodes for @colliding
 */
struct pair {
	struct dynamic_array plain;
	struct dynamic_array other;
	struct search forced;
	struct smile_config config;
	uint64_t extensions[2];
	struct blink_event event;
	unsigned int number;
	uint64_t random;
	uint64_t place;
	struct dynamic_index hashed;
	uint64_t colliding[COLLIDING];
	uint32_t nodes[COLLIDING_NODES];
};

static uint32_t draw(struct pair *pair, uint32_t below)
{
	pair->random ^= pair->random << 13;
	pair->random ^= pair->random >> 7;
	pair->random ^= pair->random << 17;
	return (uint32_t)(pair->random >> 20) % below;
}

#define CHECK(pair, condition)                                                                     \
	do {                                                                                       \
		if (!(condition))                                                                  \
			differ(pair, #condition);                                                  \
	} while (0)

static _Noreturn void differ(const struct pair *pair, const char *condition)
{
	fail_msg("%s: %s does not hold with %u entries, range %u, mode %#x, after %u events, the "
		 "last one at %#llx",
		 pair->forced.name, condition, pair->config.entries, pair->config.max_range_bytes,
		 pair->config.mode, pair->number, (unsigned long long)pair->event.address);
	abort(); /* tells the compiler that fail_msg() does not return */
}

static void check_index(const struct pair *pair)
{
	static struct dynamic_array built;
	const struct dynamic_index *index = &pair->other.index, *anew = &built.index;
	uint32_t i = SMILE_ENTRIES_MAX;

	if (!index->count) {
		CHECK(pair, !pair->other.occupied);
		return;
	}
	built = pair->other;
	search_build(&built, &pair->config);
	CHECK(pair, index->count == anew->count);
	CHECK(pair, index->valid == anew->valid);
	CHECK(pair, index->saturated == anew->saturated);
	do {
		CHECK(pair, index->newer[i] == anew->newer[i]);
		i = index->newer[i];
		CHECK(pair, i <= SMILE_ENTRIES_MAX);
		CHECK(pair, index->older[i] == anew->older[i]);
		if (i == SMILE_ENTRIES_MAX)
			break;
		CHECK(pair, index->tag[i] == anew->tag[i]);
		CHECK(pair, index->how != SEARCH_RANGE || index->first[i] == anew->first[i]);
		CHECK(pair, index->how != SEARCH_RANGE || index->last[i] == anew->last[i]);
	} while (true);
}

static void check_entries(const struct pair *pair)
{
	CHECK(pair, pair->plain.clock == pair->other.clock);
	CHECK(pair, pair->plain.occupied == pair->other.occupied);
	for (uint32_t i = 0; i < SMILE_ENTRIES_MAX; i++) {
		const struct dynamic_entry *a = &pair->plain.entry[i], *b = &pair->other.entry[i];

		CHECK(pair, a->valid == b->valid);
		if (!a->valid)
			continue;
		CHECK(pair, a->used == b->used);
		CHECK(pair, a->page == b->page);
		CHECK(pair, a->first == b->first && a->last == b->last);
		CHECK(pair, a->source == b->source && a->destination == b->destination);
		CHECK(pair, a->count == b->count);
		CHECK(pair, a->type == b->type && a->response == b->response);
	}
}

/* Swap out an entry of both tables, and compare the records. */
static void take(struct pair *pair, int index, uint32_t cause)
{
	uint32_t a[SMILE_RECORD_WORDS], b[SMILE_RECORD_WORDS];

	CHECK(pair, dynamic_record(&pair->plain, index, cause, a) ==
			    dynamic_record(&pair->other, index, cause, b));
	CHECK(pair, !memcmp(a, b, sizeof(a)));
	dynamic_free(&pair->plain, index);
	dynamic_free(&pair->other, index);
}

/* If the ring has room, do the work that the card does after each event. */
static void settle(struct pair *pair, bool room)
{
	uint32_t entries = pair->config.entries;
	int saturated = dynamic_saturated(&pair->plain, entries);
	int victim = dynamic_victim(&pair->plain, entries);

	CHECK(pair, dynamic_saturated(&pair->other, entries) == saturated);
	CHECK(pair, dynamic_victim(&pair->other, entries) == victim);
	CHECK(pair, dynamic_first_valid(&pair->other, entries) ==
			    dynamic_first_valid(&pair->plain, entries));
	if (room && saturated >= 0) {
		take(pair, saturated, SMILE_CAUSE_OVERFLOW);
		settle(pair, room);
	} else if (room && victim >= 0) {
		take(pair, victim, SMILE_CAUSE_CAPACITY);
	}
}

static void empty(struct pair *pair)
{
	int index;

	while ((index = dynamic_first_valid(&pair->plain, pair->config.entries)) >= 0)
		take(pair, index, SMILE_CAUSE_SWAP);
	CHECK(pair, !pair->other.occupied && !pair->other.index.count);
}

/* Set the counter of an entry to almost full, as after 65,000 events. */
static void wear_out(struct pair *pair)
{
	uint32_t i = draw(pair, pair->config.entries);

	if (pair->plain.entry[i].valid && pair->plain.entry[i].count < SMILE_COUNT_MAX - 3)
		pair->plain.entry[i].count = pair->other.entry[i].count = SMILE_COUNT_MAX - 3;
}

static void count(struct pair *pair, const struct blink_event *event)
{
	bool plain, other;

	pair->event = *event;
	pair->number++;
	plain = dynamic_count(&pair->plain, &pair->config, event, &pair->extensions[0]);
	other = dynamic_count(&pair->other, &pair->config, event, &pair->extensions[1]);
	CHECK(pair, !pair->plain.index.count && pair->other.index.count);
	CHECK(pair, plain == other);
	CHECK(pair, pair->extensions[0] == pair->extensions[1]);
}

/* This event has the hash that all events of TRAFFIC_COLLIDING have. */
static const struct blink_event collided = {
	.class = BLINK_CLASS_REQUEST,
	.type = SMILE_TYPE_READ,
	.source = 1,
	.target = 2,
};

static bool collides(const struct pair *pair, const struct blink_event *event)
{
	const struct dynamic_index *hashed = &pair->hashed;
	uint32_t word = event->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES, kind = 0;

	if (pair->config.mode & SMILE_MODE_TYPED_TAGS)
		kind = search_kind(event->type, event->class == BLINK_CLASS_RESPONSE);
	return search_tag(hashed->how, event->address, search_block(hashed, word),
			  search_nodes(event->source, event->target), kind) ==
	       search_tag(hashed->how, 0, 0, search_nodes(collided.source, collided.target), kind);
}

/*
 * Find nodes and addresses with the hash of `collided`. The addresses differ in word, block or
 * page.
 */
static void collide(struct pair *pair)
{
	struct blink_event event = collided;
	uint32_t step = pair->config.max_range_bytes;
	unsigned int found = 0;

	if (pair->hashed.how == SEARCH_RANGE)
		step = SMILE_PAGE_BYTES;
	for (; found < COLLIDING; event.address += step) {
		if (collides(pair, &event))
			pair->colliding[found++] = event.address;
	}
	event = collided;
	for (found = 0; found < COLLIDING_NODES; event.source += !++event.target) {
		if (collides(pair, &event))
			pair->nodes[found++] = search_nodes(event.source, event.target);
	}
}

/*
 * Make an event at one of these addresses. It may have another source; then the address bits that
 * the hash combines with the source are inverted, so that the hash is the same.
 */
static struct blink_event colliding_event(struct pair *pair)
{
	struct blink_event event = collided;
	uint32_t nodes;

	if (!draw(pair, 3)) {
		nodes = pair->nodes[draw(pair, COLLIDING_NODES)];
		event.source = (uint16_t)nodes;
		event.target = (uint16_t)(nodes >> 16);
	} else {
		event.address = pair->colliding[draw(pair, COLLIDING)];
		if (draw(pair, 2)) {
			event.source ^= 8;
			event.address ^= 8ULL << 32 << (pair->hashed.how == SEARCH_RANGE ? 12 : 2);
		}
	}
	if (pair->hashed.how == SEARCH_RANGE)
		event.address += draw(pair, SMILE_PAGE_BYTES);
	CHECK(pair, collides(pair, &event));
	return event;
}

static struct blink_event next_event(struct pair *pair, enum traffic traffic)
{
	struct blink_event event = {
		.class = BLINK_CLASS_REQUEST, .type = SMILE_TYPE_READ, .source = 1, .target = 2};

	switch (traffic) {
	case TRAFFIC_RANDOM:
		event.class = draw(pair, 4) ? BLINK_CLASS_REQUEST : BLINK_CLASS_RESPONSE;
		event.type = (uint8_t)(SMILE_TYPE_READ + draw(pair, 3));
		event.source = (uint16_t)draw(pair, 2);
		event.target = (uint16_t)(draw(pair, 2) * 0x8000);
		event.address = draw(pair, 1 + pair->config.entries / 8) * 0xfffffff000ULL %
					(1ULL << SMILE_ADDRESS_BITS) +
				draw(pair, SMILE_PAGE_BYTES);
		break;
	case TRAFFIC_WALK:
		if (!draw(pair, 10))
			pair->place = draw(pair, 4 * SMILE_PAGE_BYTES);
		pair->place += draw(pair, 9);
		pair->place -= draw(pair, 9);
		event.type = (uint8_t)(SMILE_TYPE_READ + draw(pair, 2));
		event.address = pair->place % (4 * SMILE_PAGE_BYTES);
		break;
	case TRAFFIC_MISSES:
		event.address = pair->number * (draw(pair, 2) + 1ULL) * SMILE_PAGE_BYTES;
		break;
	default:
		event = colliding_event(pair);
	}
	return event;
}

/* Send traffic of one kind to the tables of one configuration. */
static void run(struct pair *pair, enum traffic traffic)
{
	bool room = true;

	for (unsigned int i = 0; i < EVENTS; i++) {
		struct blink_event event = next_event(pair, traffic);

		if (!draw(pair, 50))
			room = !room;
		if (!draw(pair, 20))
			wear_out(pair);
		count(pair, &event);
		settle(pair, room);
		if (!draw(pair, 40)) {
			check_entries(pair);
			check_index(pair);
		}
		if (!draw(pair, 200))
			dynamic_search_by(&pair->other, &pair->forced);
		if (!draw(pair, 200))
			empty(pair);
	}
	empty(pair);
}

static void run_everywhere(void **state, enum traffic traffic)
{
	static const uint32_t ranges[] = {4, 8, 12, 60, 64, 1024, 2048, 4092, 4096};
	static const uint32_t modes[] = {
		SMILE_MODE_TYPED_TAGS,
		SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED,
		0,
		SMILE_MODE_ALIGNED,
	};
	const struct search *search = *state;
	struct pair *pair = calloc(1, sizeof(*pair));

	assert_non_null(pair);
	pair->random = 88172645463325252ULL + traffic;
	pair->forced = *search;
	pair->forced.fewest = SMILE_ENTRIES_MIN;
	dynamic_reset(&pair->plain);
	dynamic_search_by(&pair->plain, &search_plain);
	dynamic_reset(&pair->other);
	dynamic_search_by(&pair->other, &pair->forced);
	for (unsigned int i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		for (unsigned int j = 0; j < 4; j++) {
			pair->config.max_range_bytes = ranges[i];
			pair->config.mode = modes[j];
			pair->config.entries = SMILE_ENTRIES_MAX;
			search_build(&pair->other, &pair->config);
			pair->hashed = pair->other.index;
			if (traffic == TRAFFIC_COLLIDING)
				collide(pair);
			for (uint32_t n = SMILE_ENTRIES_MIN + j; n <= SMILE_ENTRIES_MAX; n += 4) {
				pair->config.entries = n;
				dynamic_search_by(&pair->other, &pair->forced);
				run(pair, traffic);
			}
		}
	}
	assert_true(pair->extensions[0] != 0 || traffic == TRAFFIC_MISSES);
	free(pair);
}

static bool lacks(const struct search *search)
{
	if (search->available())
		return false;
	print_message("this processor cannot search by %s\n", search->name);
	return true;
}

static void search_random_traffic_countsAsThePlainOne(void **state)
{
	if (lacks(*state))
		skip();
	run_everywhere(state, TRAFFIC_RANDOM);
}

static void search_walk_through_pages_countsAsThePlainOne(void **state)
{
	if (lacks(*state))
		skip();
	run_everywhere(state, TRAFFIC_WALK);
}

static void search_misses_only_countsAsThePlainOne(void **state)
{
	if (lacks(*state))
		skip();
	run_everywhere(state, TRAFFIC_MISSES);
}

static void search_colliding_hashes_countsAsThePlainOne(void **state)
{
	if (lacks(*state))
		skip();
	run_everywhere(state, TRAFFIC_COLLIDING);
}

/* ---- the choice of a search ---- */

static void search_all_firstIsPlain_lastAvailableIsChosen(void **state)
{
	static struct dynamic_array array;
	const struct search *last = NULL;

	assert_ptr_equal(search_all[0], &search_plain);
	assert_true(search_plain.available());
	for (unsigned int i = 0; search_all[i]; i++) {
		if (search_all[i]->available())
			last = search_all[i];
	}
	assert_ptr_equal(search_fastest(), last);
	dynamic_reset(&array);
	assert_ptr_equal(array.index.search, last);
	dynamic_search_by(&array, &search_plain);
	dynamic_restore(&array);
	assert_ptr_equal(array.index.search, last);
}

static void search_fewEntries_areSearchedPlainly(void **state)
{
	static struct dynamic_array array;
	const struct blink_event event = {.class = BLINK_CLASS_REQUEST, .type = SMILE_TYPE_READ};
	struct smile_config config = {.max_range_bytes = 4, .mode = SMILE_MODE_DEFAULT};
	uint64_t extensions = 0;

	for (config.entries = 1; config.entries <= SMILE_ENTRIES_MAX; config.entries++) {
		dynamic_reset(&array);
		assert_true(dynamic_count(&array, &config, &event, &extensions));
		assert_int_equal(array.index.count != NULL,
				 config.entries >= array.index.search->fewest);
	}
	assert_int_equal(extensions, 0);
}

/* A table that was emptied can be used with another configuration. */
static void search_emptied_table_takesAnotherConfiguration(void **state)
{
	static struct dynamic_array array;
	struct blink_event event = {.class = BLINK_CLASS_REQUEST, .type = SMILE_TYPE_READ};
	struct smile_config config = {
		.entries = 64, .max_range_bytes = 64, .mode = SMILE_MODE_DEFAULT};
	uint64_t extensions = 0;

	dynamic_reset(&array);
	assert_true(dynamic_count(&array, &config, &event, &extensions));
	dynamic_free(&array, 0);
	config.max_range_bytes = 4;
	config.entries = 32;
	assert_true(dynamic_count(&array, &config, &event, &extensions));
	event.address = 4;
	assert_true(dynamic_count(&array, &config, &event, &extensions));
	assert_int_equal(array.occupied, 2);
	assert_int_equal(extensions, 0);
}

/* ---- blocks ---- */

/* The fast searches compare only tags, so all blocks must have different tags. */
static void search_tag_blocksOfOnePage_allDiffer(void **state)
{
	static const uint64_t addresses[] = {0, 0x28000, 0xfffffffff000ULL, 0x123456789000ULL};
	static bool seen[65536];
	uint32_t page_words = SMILE_PAGE_BYTES / SMILE_WORD_BYTES;

	for (unsigned int i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
		memset(seen, 0, sizeof(seen));
		for (uint32_t block = 0; block < page_words; block++) {
			uint16_t tag = search_tag(SEARCH_BLOCK, addresses[i], block, 0x20001 << i,
						  SMILE_TYPE_WRITE);

			assert_false(seen[tag]);
			seen[tag] = true;
		}
	}
}

/* For any two blocks, the products with the multiplier differ enough that the tags differ. */
static void search_tag_differenceOfBlocks_changesTheTag(void **state)
{
	for (uint64_t difference = 1; difference < SMILE_PAGE_BYTES / SMILE_WORD_BYTES;
	     difference++) {
		assert_true(difference * SEARCH_MULTIPLIER >= 1ULL << 48);
		assert_true(-(difference * SEARCH_MULTIPLIER) >= 1ULL << 48);
	}
}

static void search_block_everyWordAndRange_isTheQuotient(void **state)
{
	struct dynamic_index index = {0};
	uint32_t page_words = SMILE_PAGE_BYTES / SMILE_WORD_BYTES;

	for (uint32_t words = 1; words <= page_words; words++) {
		index.reciprocal = search_reciprocal(words);
		for (uint32_t word = 0; word < page_words; word++)
			assert_int_equal(search_block(&index, word), word / words);
	}
}

int main(void)
{
	static const struct CMUnitTest alone[] = {
		cmocka_unit_test(search_all_firstIsPlain_lastAvailableIsChosen),
		cmocka_unit_test(search_fewEntries_areSearchedPlainly),
		cmocka_unit_test(search_emptied_table_takesAnotherConfiguration),
		cmocka_unit_test(search_tag_blocksOfOnePage_allDiffer),
		cmocka_unit_test(search_tag_differenceOfBlocks_changesTheTag),
		cmocka_unit_test(search_block_everyWordAndRange_isTheQuotient),
	};
	static const struct CMUnitTest each[] = {
		cmocka_unit_test(search_random_traffic_countsAsThePlainOne),
		cmocka_unit_test(search_walk_through_pages_countsAsThePlainOne),
		cmocka_unit_test(search_misses_only_countsAsThePlainOne),
		cmocka_unit_test(search_colliding_hashes_countsAsThePlainOne),
	};
	enum { ALONE = sizeof(alone) / sizeof(alone[0]), EACH = sizeof(each) / sizeof(each[0]) };
	static struct CMUnitTest tests[64]; /* cmocka ignores an element without a name */
	static char names[64][96];
	size_t used = ALONE;

	memcpy(tests, alone, sizeof(alone));
	for (unsigned int i = 1; search_all[i] && used + EACH <= 64; i++) {
		for (unsigned int j = 0; j < EACH; j++) {
			tests[used] = each[j];
			tests[used].initial_state = (void *)search_all[i];
			snprintf(names[used], sizeof(names[used]), "%s (%s)", each[j].name,
				 search_all[i]->name);
			tests[used].name = names[used];
			used++;
		}
	}
	return cmocka_run_group_tests_name("search", tests, NULL, NULL);
}
