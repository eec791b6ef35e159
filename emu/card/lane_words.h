/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The short cut of the fast lane: decoded requests with ranges of one word.
 *
 * What lives here: the range table while words follow one another and nothing else happens. Each
 * event then either finds its word, or takes the only free entry and evicts the least recently used
 * one. The table is copied from the entries and the index and written back at the end, so other
 * code sees no difference: tags and entry numbers are in three vectors, in the order of their use,
 * and an entry is kept as the request that filled it. For up to 16 entries that requests have
 * filled; any other entry is soon the least recently used one. Included by search_avx2.c.
 */
#include <immintrin.h>

#include <base/field.h>

#include "emu/card/card_inside.h"

#define WORDS_ENTRIES 16U

/* The word that contains an address. */
#define WORDS_ADDRESS (~(uint64_t)(SMILE_WORD_BYTES - 1))

/*
 * The first half of an entry's record without the fields that its request gives: the count, and
 * fixed fields.
 */
#define WORDS_COUNT_ONE SMILE_PUT(SMILE_RECORD_COUNT, 1U)
#define WORDS_FIRST                                                                                \
	(SMILE_PUT(SMILE_RECORD_KIND, SMILE_KIND_DYNAMIC) |                                        \
	 SMILE_PUT(SMILE_RECORD_CAUSE, SMILE_CAUSE_CAPACITY) | WORDS_COUNT_ONE)

/**
 * struct words - The entries, by number.
 * @key: the bits of requests that are compared: words_compared()
 * @count: the first 32 bits of each one's record, without the type
 */
struct words {
	uint64_t key[WORDS_ENTRIES];
	uint32_t count[WORDS_ENTRIES];
};

/**
 * struct words_order - The order of their use, the most recently used first.
 * @low: low bytes of their tags, which are not those of the index: words_tag()
 * @high: high bytes
 * @slot: the entries' numbers; after the least recently used entry comes the free one
 */
struct words_order {
	__m128i low;
	__m128i high;
	__m128i slot;
};

/* Row k: the entry at place k moves to the front, and the entries before it move one place back. */
static const uint8_t words_to_front[WORDS_ENTRIES][16] = {
	{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{1, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{2, 0, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{3, 0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{4, 0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{5, 0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{6, 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15},
	{7, 0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 14, 15},
	{8, 0, 1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15},
	{9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15},
	{10, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15},
	{11, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 13, 14, 15},
	{12, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15},
	{13, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15},
	{14, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 15},
	{15, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14},
};

INLINE __m128i words_row(uint32_t place)
{
	return _mm_loadu_si128((const __m128i *)words_to_front[place]);
}

/* The bits in which a request differs from an entry. */
INLINE uint64_t words_compared(uint32_t kinds)
{
	return (BLINK_REQUEST_ADDRESS & WORDS_ADDRESS) | BLINK_REQUEST_TARGET |
	       BLINK_REQUEST_SOURCE | (SMILE_PUT(BLINK_REQUEST_TYPE, kinds) & BLINK_REQUEST_TYPE);
}

/* The tag of a key. The index has other tags, which take more instructions. */
INLINE uint32_t words_tag(uint64_t key)
{
	return (uint32_t)(key * SEARCH_MULTIPLIER >> 48);
}

/* The record of entry @i. */
INLINE void words_record(const struct words *words, uint32_t i, uint32_t *record)
{
	uint64_t key = words->key[i];
	uint64_t nodes = SMILE_PUT(SMILE_RECORD_SOURCE, SMILE_GET(BLINK_REQUEST_SOURCE, key)) |
			 SMILE_PUT(SMILE_RECORD_DESTINATION, SMILE_GET(BLINK_REQUEST_TARGET, key));
	uint64_t first = words->count[i] |
			 SMILE_PUT(SMILE_RECORD_TYPE, SMILE_GET(BLINK_REQUEST_TYPE, key)) |
			 nodes << 32;
	uint64_t second = (key & BLINK_REQUEST_ADDRESS) |
			  SMILE_PUT((uint64_t)SMILE_RECORD_INDEX << 32, (uint64_t)i);

	memcpy(record, &first, sizeof(first));
	memcpy(record + 2, &second, sizeof(second));
}

/* Can a request have filled it? */
INLINE bool words_possible(const struct dynamic_entry *entry, uint32_t kinds)
{
	return entry->first == entry->last && !entry->response && !(entry->type & ~kinds) &&
	       entry->type <= SMILE_GET(BLINK_REQUEST_TYPE, UINT64_MAX) &&
	       entry->source < BLINK_REQUEST_NODES && entry->destination < BLINK_REQUEST_NODES;
}

/* Return: whether requests can have filled the entries. */
INLINE bool words_take(struct words *words, struct words_order *order,
		       const struct dynamic_array *array, uint64_t *sum)
{
	const struct dynamic_index *index = &array->index;
	uint8_t low[16] = {0}, high[16] = {0}, slot[16] = {0};
	uint32_t place = 0, i = index->older[SMILE_ENTRIES_MAX];

	*sum = 0;
	for (; i != SMILE_ENTRIES_MAX; i = index->older[i], place++) {
		const struct dynamic_entry *entry = &array->entry[i];
		uint32_t tag;

		if (!words_possible(entry, index->kinds))
			return false;
		*sum += entry->count;
		words->key[i] = (entry->page * SMILE_PAGE_BYTES + entry->first * SMILE_WORD_BYTES) |
				SMILE_PUT(BLINK_REQUEST_TARGET, (uint64_t)entry->destination) |
				SMILE_PUT(BLINK_REQUEST_TYPE, (uint64_t)entry->type) |
				SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)entry->source);
		words->count[i] = WORDS_FIRST + (entry->count - 1U) * WORDS_COUNT_ONE;
		tag = words_tag(words->key[i]);
		low[place] = (uint8_t)tag;
		high[place] = (uint8_t)(tag >> 8);
		slot[place] = (uint8_t)i;
	}
	slot[place] = (uint8_t)search_lowest(~index->valid);
	order->low = _mm_loadu_si128((const __m128i *)low);
	order->high = _mm_loadu_si128((const __m128i *)high);
	order->slot = _mm_loadu_si128((const __m128i *)slot);
	return true;
}

/* Restore the contents of entry @i. Return: its count. */
INLINE uint32_t words_give_entry(const struct words *words, struct dynamic_array *array, uint32_t i,
				 uint64_t used)
{
	struct dynamic_entry *entry = &array->entry[i];
	uint64_t key = words->key[i], address = key & BLINK_REQUEST_ADDRESS;
	uint16_t word = (uint16_t)(address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES);

	*entry = (struct dynamic_entry){
		.used = used,
		.page = address / SMILE_PAGE_BYTES,
		.first = word,
		.last = word,
		.source = (uint16_t)SMILE_GET(BLINK_REQUEST_SOURCE, key),
		.destination = (uint16_t)SMILE_GET(BLINK_REQUEST_TARGET, key),
		.count = (uint16_t)SMILE_GET(SMILE_RECORD_COUNT, words->count[i]),
		.type = (uint8_t)SMILE_GET(BLINK_REQUEST_TYPE, key),
		.valid = 1,
	};
	array->index.tag[i] =
		search_tag(SEARCH_WORD, address, 0, search_nodes(entry->source, entry->destination),
			   search_kind(entry->type, entry->response));
	return entry->count;
}

/* Restore the array's clock. Return: the sum of all counts. */
INLINE uint64_t words_give(const struct words *words, const struct words_order *order,
			   struct dynamic_array *array)
{
	struct dynamic_index *index = &array->index;
	uint32_t count = array->occupied;
	uint8_t slot[16];
	uint64_t sum = 0;

	_mm_storeu_si128((__m128i *)slot, order->slot);
	array->entry[slot[count]].valid = 0;
	index->valid = 0;
	index->newer[SMILE_ENTRIES_MAX] = SMILE_ENTRIES_MAX;
	index->older[SMILE_ENTRIES_MAX] = SMILE_ENTRIES_MAX;
	for (uint32_t place = count; place-- > 0;) {
		uint32_t i = slot[place];

		/* The exact times are not needed, only their order. */
		sum += words_give_entry(words, array, i, array->clock - place);
		index->valid |= 1ULL << i;
		search_link(index, i);
	}
	return sum;
}

/* The number at @place. */
INLINE uint32_t words_slot(const struct words_order *order, uint32_t place)
{
	__m128i moved = _mm_shuffle_epi8(order->slot, _mm_cvtsi32_si128((int)place));

	return (uint32_t)_mm_cvtsi128_si32(moved) & 0xff;
}

/**
 * struct words_key - The key of an event.
 * @key: the compared bits of its request
 * @low: low byte of its tag, everywhere
 * @high: high byte
 */
struct words_key {
	uint64_t key;
	__m128i low;
	__m128i high;
};

INLINE struct words_key words_key(uint64_t request, uint64_t compared)
{
	uint32_t tag = words_tag(request & compared);

	return (struct words_key){
		.key = request & compared,
		.low = _mm_set1_epi8((char)tag),
		.high = _mm_set1_epi8((char)(tag >> 8)),
	};
}

/* The bits of the places that have its tag. */
INLINE uint32_t words_match(const struct words_order *order, const struct words_key *key)
{
	__m128i low = _mm_cmpeq_epi8(order->low, key->low);
	__m128i high = _mm_cmpeq_epi8(order->high, key->high);

	return (uint32_t)_mm_movemask_epi8(_mm_and_si128(low, high));
}

/* The place of its word among those of @match; WORDS_ENTRIES: there is none. */
INLINE uint32_t words_find(const struct words *words, const struct words_order *order,
			   uint32_t match, const struct words_key *key)
{
	for (; match; match &= match - 1) {
		uint32_t place = (uint32_t)search_lowest(match);

		if (words->key[words_slot(order, place)] == key->key)
			return place;
	}
	return WORDS_ENTRIES;
}

INLINE void words_use(struct words_order *order, uint32_t place)
{
	__m128i row = words_row(place);

	order->low = _mm_shuffle_epi8(order->low, row);
	order->high = _mm_shuffle_epi8(order->high, row);
	order->slot = _mm_shuffle_epi8(order->slot, row);
}

/*
 * The free entry takes a new word, and the least recently used entry, at the place before @last,
 * goes to @put. Return: its number: it is the free entry now.
 */
INLINE uint32_t words_replace(struct words *words, struct words_order *order, uint32_t free_slot,
			      uint32_t last, const struct words_key *key, uint32_t *put)
{
	const bool full = last == WORDS_ENTRIES - 1;
	uint32_t victim = full ? (uint32_t)_mm_extract_epi8(order->slot, WORDS_ENTRIES - 2)
			       : words_slot(order, last - 1);

	words->key[free_slot] = key->key;
	words->count[free_slot] = WORDS_FIRST;
	words_record(words, victim, put);
	order->low = _mm_alignr_epi8(order->low, key->low, 15);
	order->high = _mm_alignr_epi8(order->high, key->high, 15);
	order->slot = full ? _mm_alignr_epi8(order->slot, order->slot, 15)
			   : _mm_shuffle_epi8(order->slot, words_row(last));
	return victim;
}

/* Is the table in its state between two words, and can records be put? */
INLINE bool words_begin(const struct card *card)
{
	const struct dynamic_index *index = &card->dynamic.index;

	return card->dynamic.occupied + 1 == index->entries && !index->saturated &&
	       ring_quiet(card) != 0;
}

/* Does the filter refuse any request? */
INLINE bool words_refused(const struct card *card)
{
	const uint32_t all = SMILE_FILTER_REQUEST | SMILE_FILTER_TYPES | SMILE_FILTER_DIRECTIONS;

	return ~card->config.filter & all;
}

/* How many requests pass before the clock's next action. */
INLINE size_t words_early(const struct card *card, const uint64_t *times_ns, size_t count)
{
	size_t early = 0, end = count;

	if (!count || times_ns[count - 1] < card->timer.deadline)
		return count;
	while (early < end) {
		size_t middle = early + (end - early) / 2;

		if (times_ns[middle] < card->timer.deadline)
			early = middle + 1;
		else
			end = middle;
	}
	return early;
}

/*
 * How many records can be put one after the other in memory, without anything that concerns the
 * host.
 */
INLINE size_t words_room(const struct card *card, uint32_t aux, uint32_t quiet)
{
	uint32_t behind = (SMILE_RING_WORDS - aux % SMILE_RING_WORDS) / SMILE_RECORD_WORDS;

	return quiet < behind ? quiet : behind;
}

/*
 * Return: how many have passed; the lane handles the next one. @last, the entries in use, and
 * @refused, as words_refused(), are arguments so that the usual case is compiled separately.
 */
INLINE size_t words_loop(struct card *card, const uint64_t *requests, const uint64_t *times_ns,
			 size_t count, const uint32_t last, const bool refused)
{
	struct dynamic_array *array = &card->dynamic;
	const uint64_t *request = requests, *end = requests + count;
	const uint32_t mask = (1U << last) - 1;
	const uint64_t compared = words_compared(array->index.kinds);
	uint64_t filtered = 0, sum;
	uint32_t quiet = ring_quiet(card), aux = card->ring.aux, free_slot;
	struct words_order order;
	struct words words;
	bool left = false;

	end = requests + words_early(card, times_ns, count);
	if (end == requests || !words_take(&words, &order, array, &sum))
		return 0;
	free_slot = words_slot(&order, last);
	/*
	 * Handle the requests piece by piece: within a piece no request must check the room for its
	 * record.
	 */
	while (!left && quiet && request < end) {
		size_t piece = words_room(card, aux, quiet);
		uint32_t *first = &card->ring.ram[aux % SMILE_RING_WORDS], *record = first;
		const uint64_t *until = end;

		if (piece < (size_t)(end - request))
			until = request + piece;
		for (; request < until; request++) {
			const struct words_key key = words_key(*request, compared);
			uint32_t match, place;

			left = !lane_request_type(*request);
			if (left)
				break;
			if (refused && lane_request_refused(card, *request)) {
				filtered++;
				continue;
			}
			match = words_match(&order, &key) & mask;
			place = match ? words_find(&words, &order, match, &key) : WORDS_ENTRIES;
			if (place < WORDS_ENTRIES) {
				uint32_t i = words_slot(&order, place);

				left = SMILE_GET(SMILE_RECORD_COUNT, words.count[i]) + 1 >=
				       SMILE_COUNT_MAX;
				if (left)
					break;
				words.count[i] += WORDS_COUNT_ONE;
				words_use(&order, place);
				continue;
			}
			free_slot = words_replace(&words, &order, free_slot, last, &key, record);
			record += SMILE_RECORD_WORDS;
		}
		quiet -= (uint32_t)(record - first) / SMILE_RECORD_WORDS;
		aux = (aux + (uint32_t)(record - first)) & SMILE_RING_POINTER;
	}
	count = (size_t)(request - requests);
	card->count.records += ring_quiet(card) - quiet;
	card->ring.aux = aux;
	card->ring.write = aux;
	array->clock += count - filtered;
	if (count && times_ns[count - 1] > card->count.clock_ns)
		card->count.clock_ns = times_ns[count - 1];
	card->count.filtered += filtered;
	card->count.accepted += count - filtered;
	/* Each event counted has left the table in a record, or is still in it. */
	card->count.delivered += sum + (count - filtered) - words_give(&words, &order, array);
	return count;
}

/* Each is compiled separately, so that the data of the loop fits into registers. */
static __attribute__((noinline)) SEARCH_TARGET size_t words_run_usual(struct card *card,
								      const uint64_t *requests,
								      const uint64_t *times_ns,
								      size_t count)
{
	return words_loop(card, requests, times_ns, count, WORDS_ENTRIES - 1, false);
}

static __attribute__((noinline)) SEARCH_TARGET size_t words_run_any(struct card *card,
								    const uint64_t *requests,
								    const uint64_t *times_ns,
								    size_t count)
{
	return words_loop(card, requests, times_ns, count, card->dynamic.occupied,
			  words_refused(card));
}

/* Return: how many have passed; the lane handles the next one. */
SEARCH_TARGET static size_t words_run(struct card *card, const uint64_t *requests,
				      const uint64_t *times_ns, size_t count)
{
	if (!words_begin(card))
		return 0;
	if (card->dynamic.occupied == WORDS_ENTRIES - 1 && !words_refused(card))
		return words_run_usual(card, requests, times_ns, count);
	return words_run_any(card, requests, times_ns, count);
}
