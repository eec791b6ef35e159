/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A card on the test bench: see card_fixture.h. It may use cmocka, emu/card/card.h, include/ and
 * the C library.
 */
#include <endian.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/card_fixture.h"

static void fixture_interrupt(void *opaque, bool level)
{
	struct fixture *fx = opaque;

	fx->edges++;
	fx->repeats += level == fx->level;
	fx->level = level;
}

static const struct card_ops fixture_ops = {
	.interrupt = fixture_interrupt,
};

int fixture_setup(void **state)
{
	struct fixture *fx = calloc(1, sizeof(*fx));

	if (!fx)
		return -1;
	/* card_init() takes a card of any contents, so it gets the worst. */
	memset(&fx->card, 0xa5, sizeof(fx->card));
	memset(fx->ram, 0xa5, sizeof(fx->ram));
	card_init(&fx->card, fx->ram, &fixture_ops, fx);
	*state = fx;
	return 0;
}

int fixture_teardown(void **state)
{
	struct fixture *fx = *state;

	stream_free(&fx->drained);
	free(fx);
	return 0;
}

struct smile_config fixture_defaults(void)
{
	return (struct smile_config){
		.size = sizeof(struct smile_config),
		.filter = SMILE_FILTER_DEFAULT,
		.mode = SMILE_MODE_DEFAULT,
		.max_range_bytes = SMILE_MAX_RANGE_DEFAULT,
		.entries = SMILE_ENTRIES_DEFAULT,
	};
}

void fixture_configure(struct fixture *fx, const struct smile_config *config)
{
	fixture_set(fx, SMILE_REG_NODE, config->node);
	fixture_set(fx, SMILE_REG_FILTER, config->filter);
	fixture_set(fx, SMILE_REG_MODE, config->mode);
	fixture_set(fx, SMILE_REG_MAX_RANGE, config->max_range_bytes);
	fixture_set(fx, SMILE_REG_ENTRIES, config->entries);
	fixture_set(fx, SMILE_REG_PHASE_EVENTS, config->phase_events);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
}

void fixture_start(struct fixture *fx, const struct smile_config *config)
{
	fixture_configure(fx, config);
	fixture_set(fx, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
}

uint32_t fixture_get(struct fixture *fx, uint32_t offset)
{
	return card_mmio_read(&fx->card, offset);
}

void fixture_set(struct fixture *fx, uint32_t offset, uint32_t value)
{
	card_mmio_write(&fx->card, offset, value);
}

uint64_t fixture_counter(struct fixture *fx, uint32_t offset)
{
	uint64_t low = fixture_get(fx, offset);

	return low | (uint64_t)fixture_get(fx, offset + 4) << 32;
}

size_t fixture_frame(uint64_t *words, unsigned int command, unsigned int source,
		     unsigned int target, unsigned int transaction, uint64_t bd2)
{
	words[0] = htole64((uint64_t)transaction << 48 | (uint64_t)target << 32 |
			   (uint64_t)command << 16 | source);
	words[1] = htole64(bd2);
	words[2] = 0;
	return 3 * BLINK_WORD_BYTES;
}

void fixture_packet(struct fixture *fx, unsigned int command, unsigned int source,
		    unsigned int target, unsigned int transaction, uint64_t bd2)
{
	uint64_t words[3];
	size_t bytes = fixture_frame(words, command, source, target, transaction, bd2);

	card_blink_packet(&fx->card, words, bytes);
}

void fixture_read(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address)
{
	fixture_packet(fx, BLINK_READSB + 3, source, target, 0, address);
}

void fixture_write(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address)
{
	fixture_packet(fx, BLINK_WRITESB + 3, source, target, 0, address);
}

void fixture_lock(struct fixture *fx, unsigned int source, unsigned int target, uint64_t address)
{
	fixture_packet(fx, BLINK_LOCKSB + 3, source, target, 0, address);
}

void fixture_event00(struct fixture *fx, unsigned int source, unsigned int event)
{
	fixture_packet(fx, BLINK_EVENT00, source, 0, 0, event);
}

unsigned int fixture_unread(struct fixture *fx)
{
	uint32_t words =
		fixture_get(fx, SMILE_REG_RING_WRITE) - fixture_get(fx, SMILE_REG_RING_READ);

	words %= 2 * SMILE_RING_WORDS;
	assert_true(words <= SMILE_RING_WORDS);
	assert_int_equal(words % SMILE_RECORD_WORDS, 0);
	return words / SMILE_RECORD_WORDS;
}

/* Reads up to @records records out of the RAM, and gives their room back in one write. */
unsigned int fixture_take(struct fixture *fx, unsigned int records)
{
	uint32_t read = fixture_get(fx, SMILE_REG_RING_READ);
	unsigned int unread = fixture_unread(fx);
	unsigned int taken;

	for (taken = 0; taken < records && taken < unread; taken++) {
		uint32_t words[SMILE_RECORD_WORDS];
		struct told told;

		for (unsigned int i = 0; i < SMILE_RECORD_WORDS; i++)
			words[i] = le32toh(fx->ram[(read + i) % SMILE_RING_WORDS]);
		told_decode(&told, words);
		stream_add(&fx->drained, &told);
		read = (read + SMILE_RECORD_WORDS) % (2 * SMILE_RING_WORDS);
	}
	fixture_set(fx, SMILE_REG_RING_READ, read);
	return taken;
}

/* Until nothing comes any more: what waited for room is written while the host reads. */
void fixture_drain(struct fixture *fx)
{
	while (fixture_take(fx, FIXTURE_RING_RECORDS) > 0)
		;
}

void fixture_swap(struct fixture *fx)
{
	fixture_set(fx, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
}

/*
 * Fills the ring up to @room records, by events on a new page each. The n-th page lies at index
 * n modulo ENTRIES of a table that was empty, since the entry freed last is the next one filled.
 */
void fixture_fill(struct fixture *fx, unsigned int room)
{
	while (fixture_unread(fx) < FIXTURE_RING_RECORDS - room)
		fixture_read(fx, FIXTURE_FILL_SOURCE, 0,
			     (FIXTURE_FILL_PAGE + fx->filled++) * SMILE_PAGE_BYTES);
}

/* Passes over records, which must be there. */
void fixture_skip(struct fixture *fx, size_t records)
{
	while (fx->drained.count - fx->checked < records)
		assert_int_equal(fixture_take(fx, 1), 1);
	fx->checked += records;
}

/* The next record is this one. It is read from the ring if none was read ahead. */
void fixture_expect(struct fixture *fx, const char *format, ...)
{
	char expected[FIXTURE_TEXT_BYTES];
	char actual[FIXTURE_TEXT_BYTES] = "no record";
	va_list args;

	va_start(args, format);
	vsnprintf(expected, sizeof(expected), format, args);
	va_end(args);

	if (fx->checked == fx->drained.count)
		fixture_take(fx, 1);
	if (fx->checked < fx->drained.count)
		told_print(&fx->drained.told[fx->checked++], actual);
	assert_string_equal(actual, expected);
}

/* No record comes any more. */
void fixture_expect_none(struct fixture *fx)
{
	char actual[FIXTURE_TEXT_BYTES] = "no record";

	fixture_drain(fx);
	if (fx->checked < fx->drained.count)
		told_print(&fx->drained.told[fx->checked], actual);
	assert_string_equal(actual, "no record");
}

void fixture_expect_counter(struct fixture *fx, uint32_t offset, uint64_t value)
{
	assert_int_equal(fixture_counter(fx, offset), value);
}

/* The write changes nothing but STATUS.BAD_WRITE, which is then cleared. */
void fixture_expect_refused(struct fixture *fx, uint32_t offset, uint32_t value)
{
	uint32_t before[SMILE_REGS_BYTES / 4];

	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
	for (uint32_t i = 0; i < SMILE_REGS_BYTES / 4; i++)
		before[i] = fixture_get(fx, i * 4);
	before[SMILE_REG_STATUS / 4] |= SMILE_STATUS_BAD_WRITE;

	fixture_set(fx, offset, value);
	for (uint32_t i = 0; i < SMILE_REGS_BYTES / 4; i++)
		assert_int_equal(fixture_get(fx, i * 4), before[i]);

	fixture_set(fx, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	assert_int_equal(fixture_get(fx, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
}

/*
 * Swaps out and drains, and then nothing may be missing: each frame has one fate, the records' sum
 * and the losses are what was accepted, and the losses told are the losses counted.
 */
void fixture_expect_account(struct fixture *fx)
{
	uint64_t delivered = 0;
	uint64_t lost = 0;
	uint64_t marks_lost = 0;

	fixture_swap(fx);
	fixture_drain(fx);
	/* A swap that came while another was under way may have been taken for the same. */
	fixture_swap(fx);
	fixture_drain(fx);
	assert_int_equal(
		fixture_get(fx, SMILE_REG_STATUS) &
			(SMILE_STATUS_SWAPPING | SMILE_STATUS_OCCUPIED | SMILE_STATUS_FULL),
		0);

	for (size_t i = 0; i < fx->drained.count; i++) {
		const struct told *told = &fx->drained.told[i];

		assert_int_equal(told->dirty, 0);
		if (told->kind == SMILE_KIND_DYNAMIC)
			delivered += told->count;
		lost += told->lost;
		marks_lost += told->marks_lost;
	}
	fixture_expect_counter(fx, SMILE_REG_COUNT_RECORDS, fx->drained.count);
	fixture_expect_counter(fx, SMILE_REG_COUNT_DELIVERED, delivered);
	fixture_expect_counter(fx, SMILE_REG_COUNT_LOST, lost);
	fixture_expect_counter(fx, SMILE_REG_COUNT_MARKS_LOST, marks_lost);
	fixture_expect_counter(fx, SMILE_REG_COUNT_ACCEPTED, delivered + lost);
	fixture_expect_counter(fx, SMILE_REG_COUNT_SEEN,
			       fixture_counter(fx, SMILE_REG_COUNT_MALFORMED) +
				       fixture_counter(fx, SMILE_REG_COUNT_UNMATCHED) +
				       fixture_counter(fx, SMILE_REG_COUNT_FILTERED) +
				       fixture_counter(fx, SMILE_REG_COUNT_EVENT) +
				       fixture_counter(fx, SMILE_REG_COUNT_ACCEPTED));
}

void fixture_expect_stream(const struct stream *actual, const struct stream *expected)
{
	for (size_t i = 0; i < actual->count && i < expected->count; i++) {
		char is[FIXTURE_TEXT_BYTES];
		char should[FIXTURE_TEXT_BYTES];

		if (memcmp(&actual->told[i], &expected->told[i], sizeof(struct told)) == 0)
			continue;
		told_print(&actual->told[i], is);
		told_print(&expected->told[i], should);
		print_error("record %zu:\n", i);
		assert_string_equal(is, should);
		fail_msg("records differ in what is not printed");
	}
	assert_int_equal(actual->count, expected->count);
}

void told_decode(struct told *told, const uint32_t words[SMILE_RECORD_WORDS])
{
	/* memset, not an initialiser: streams are compared with memcmp(). */
	memset(told, 0, sizeof(*told));
	told->kind = words[0] & 15;
	told->cause = words[0] >> 8 & 15;
	told->count = words[0] >> 16;
	told->dirty = words[0] >> 12 & 15;
	switch (told->kind) {
	case SMILE_KIND_DYNAMIC:
		told->type = words[0] >> 4 & 7;
		told->response = words[0] >> 7 & 1;
		told->source = words[1] & 0xffff;
		told->destination = words[1] >> 16;
		told->address = words[2] | (uint64_t)(words[3] & 0xffff) << 32;
		told->length = ((words[3] >> 16 & 0x3ff) + 1) * SMILE_WORD_BYTES;
		told->index = words[3] >> 26;
		break;
	case SMILE_KIND_EVENT:
		told->phase = words[0] >> 4 & 1;
		told->source = words[1] & 0xffff;
		told->time_ns = words[2] | (uint64_t)words[3] << 32;
		told->dirty |= (words[0] >> 5 & 7) | words[1] >> 16;
		break;
	case SMILE_KIND_LOST:
		told->marks_lost = words[1];
		told->lost = words[2] | (uint64_t)words[3] << 32;
		told->dirty |= words[0] >> 4;
		break;
	default:
		told->dirty = 1;
	}
}

void told_print(const struct told *told, char text[FIXTURE_TEXT_BYTES])
{
	static const char *const types[8] = {"any", "read", "write", "lock",
					     "4?",  "5?",   "6?",    "7?"};
	static const char *const causes[16] = {"0?", "capacity", "overflow", "swap"};
	static const char *const raised[16] = {"0?", "software", "timer", "blink"};
	const char *dirty = told->dirty ? " DIRTY" : "";

	switch (told->kind) {
	case SMILE_KIND_DYNAMIC:
		snprintf(text, FIXTURE_TEXT_BYTES,
			 "dynamic %s%s %s [%u] x%u %u>%u 0x%" PRIx64 "+%u%s", types[told->type & 7],
			 told->response ? "-response" : "",
			 told->cause <= 3 ? causes[told->cause] : "?", told->index, told->count,
			 told->source, told->destination, told->address, told->length, dirty);
		break;
	case SMILE_KIND_EVENT:
		snprintf(text, FIXTURE_TEXT_BYTES, "event %u%s %s node %u at %" PRIu64 "%s",
			 told->count, told->phase ? " phase" : "",
			 told->cause <= 3 ? raised[told->cause] : "?", told->source, told->time_ns,
			 dirty);
		break;
	case SMILE_KIND_LOST:
		snprintf(text, FIXTURE_TEXT_BYTES, "lost %" PRIu64 " marks %u%s", told->lost,
			 told->marks_lost, dirty);
		break;
	default:
		snprintf(text, FIXTURE_TEXT_BYTES, "kind %u?", told->kind);
	}
}

void stream_add(struct stream *stream, const struct told *told)
{
	if (stream->count == stream->capacity) {
		size_t capacity = stream->capacity ? 2 * stream->capacity : 1024;
		struct told *grown = realloc(stream->told, capacity * sizeof(*grown));

		assert_non_null(grown);
		stream->told = grown;
		stream->capacity = capacity;
	}
	stream->told[stream->count++] = *told;
}

void stream_free(struct stream *stream)
{
	free(stream->told);
	memset(stream, 0, sizeof(*stream));
}

/* ---- oracle -------------------------------------------------------------------------------- */

void oracle_init(struct oracle *oracle, const struct smile_config *config)
{
	memset(oracle, 0, sizeof(*oracle));
	oracle->config = *config;
}

static void oracle_write(struct oracle *oracle, uint32_t index, uint32_t cause)
{
	struct oracle_entry *entry = &oracle->entry[index];
	struct told told;

	memset(&told, 0, sizeof(told));
	told.kind = SMILE_KIND_DYNAMIC;
	told.type = entry->type;
	told.response = entry->response;
	told.cause = cause;
	told.index = index;
	told.count = entry->count;
	told.source = entry->source;
	told.destination = entry->destination;
	told.address = entry->low;
	told.length = entry->high - entry->low;
	stream_add(&oracle->stream, &told);
	entry->valid = false;
}

static bool oracle_matches(const struct oracle *oracle, const struct oracle_entry *entry,
			   const struct oracle_entry *event)
{
	uint64_t low = entry->low < event->low ? entry->low : event->low;
	uint64_t high = entry->high > event->high ? entry->high : event->high;
	uint64_t block = SMILE_PAGE_BYTES;

	if (!entry->valid || entry->source != event->source ||
	    entry->destination != event->destination || entry->type != event->type ||
	    entry->response != event->response || high - low > oracle->config.max_range_bytes)
		return false;
	if (low / SMILE_PAGE_BYTES != (high - 1) / SMILE_PAGE_BYTES)
		return false;
	if (oracle->config.mode & SMILE_MODE_ALIGNED)
		block = oracle->config.max_range_bytes;
	return low % SMILE_PAGE_BYTES / block == (high - 1) % SMILE_PAGE_BYTES / block;
}

void oracle_event(struct oracle *oracle, uint32_t source, uint32_t destination, uint32_t type,
		  uint32_t response, uint64_t address)
{
	bool typed = oracle->config.mode & SMILE_MODE_TYPED_TAGS;
	struct oracle_entry event = {
		.valid = true,
		.low = (address & 0xffffffffffffULL) / 4 * 4,
		.source = source,
		.destination = destination,
		.type = typed ? type : SMILE_TYPE_ANY,
		.response = typed ? response : 0,
		.count = 1,
	};
	int entries = oracle->config.entries;
	int found = -1;
	int oldest = -1;
	int valid = 0;

	event.high = event.low + 4;
	event.used = ++oracle->clock;
	/* From the top, so that the lowest index is what remains; the containing one in a second
	 * go. */
	for (int i = entries - 1; i >= 0; i--)
		if (oracle_matches(oracle, &oracle->entry[i], &event))
			found = i;
	for (int i = entries - 1; i >= 0; i--)
		if (oracle_matches(oracle, &oracle->entry[i], &event) &&
		    oracle->entry[i].low <= event.low && oracle->entry[i].high >= event.high)
			found = i;
	if (found >= 0) {
		struct oracle_entry *entry = &oracle->entry[found];

		if (event.low < entry->low || event.high > entry->high)
			oracle->extensions++;
		if (event.low < entry->low)
			entry->low = event.low;
		if (event.high > entry->high)
			entry->high = event.high;
		entry->used = event.used;
		if (++entry->count == SMILE_COUNT_MAX)
			oracle_write(oracle, found, SMILE_CAUSE_OVERFLOW);
		return;
	}
	for (int i = entries - 1; i >= 0; i--)
		if (!oracle->entry[i].valid)
			found = i;
	oracle->entry[found] = event;
	for (int i = 0; i < entries; i++) {
		valid += oracle->entry[i].valid;
		if (oracle->entry[i].valid && (i != found || entries == 1) &&
		    (oldest < 0 || oracle->entry[i].used < oracle->entry[oldest].used))
			oldest = i;
	}
	if (valid == entries)
		oracle_write(oracle, oldest, SMILE_CAUSE_CAPACITY);
}

void oracle_swap(struct oracle *oracle)
{
	for (uint32_t i = 0; i < oracle->config.entries; i++)
		if (oracle->entry[i].valid)
			oracle_write(oracle, i, SMILE_CAUSE_SWAP);
}

void oracle_mark(struct oracle *oracle, uint32_t event, uint32_t node, uint32_t raised,
		 uint64_t time_ns)
{
	struct told told;

	memset(&told, 0, sizeof(told));
	told.kind = SMILE_KIND_EVENT;
	told.phase = event < SMILE_EVENTS && oracle->config.phase_events >> event & 1;
	told.count = event;
	told.source = node;
	told.cause = raised;
	told.time_ns = time_ns;
	if (told.phase)
		oracle_swap(oracle);
	stream_add(&oracle->stream, &told);
}

uint32_t fixture_random(uint64_t *seed, uint32_t below)
{
	/* xorshift64*: the state must not be zero. */
	*seed ^= *seed >> 12;
	*seed ^= *seed << 25;
	*seed ^= *seed >> 27;
	return (*seed * 2685821657736338717ULL >> 32) % below;
}
