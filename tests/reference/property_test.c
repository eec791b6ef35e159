/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Properties that hold after every step, whatever operation is executed on the card.
 *
 * What lives here: random traffic through the emulated card, without the reference. Checks after
 * each operation: the three identities of the datasheet's section 3, where the counts in the card
 * are found by swapping out a copy of the card; every loss is reported; no range is longer than
 * allowed, and no two entries could have been merged; no unread record is overwritten; each count
 * belongs to exactly one phase. May use cmocka, bench.h and traffic.h.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <base/field.h>

#include "tests/reference/bench.h"
#include "tests/reference/traffic.h"

#ifdef __SANITIZE_ADDRESS__
#define STEPS 1000U
#else
#define STEPS 15000U
#endif

#define RING_POINTERS (2 * SMILE_RING_WORDS)

/* Sums of the values that the records of a stream report. */
struct sums {
	uint64_t records;
	uint64_t delivered;
	uint64_t static_delivered;
	uint64_t lost;
	uint64_t marks_lost;
};

static void add(struct sums *sums, const struct bench_record *record)
{
	const uint32_t *word = record->word;

	sums->records++;
	switch (SMILE_GET(SMILE_RECORD_KIND, word[0])) {
	case SMILE_KIND_DYNAMIC:
		sums->delivered += SMILE_GET(SMILE_RECORD_COUNT, word[0]);
		break;
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		sums->static_delivered += SMILE_GET(SMILE_RECORD_COUNT, word[0]);
		break;
	case SMILE_KIND_LOST:
		sums->marks_lost += word[1];
		sums->lost += word[2] | (uint64_t)word[3] << 32;
		break;
	}
}

/* ---- ranges -------------------------------------------------------------------------------- */

/* The range of a DYNAMIC record, in words of its page, and its tag. */
struct range {
	uint32_t tag;
	uint32_t nodes;
	uint64_t page;
	uint32_t first;
	uint32_t last;
};

static struct range range_of(const struct bench_record *record)
{
	const uint32_t *word = record->word;
	uint64_t address = word[2] | (uint64_t)SMILE_GET(SMILE_RECORD_ADDRESS_HIGH, word[3]) << 32;
	struct range range = {
		.tag = word[0] & (SMILE_RECORD_TYPE | SMILE_RECORD_RESPONSE),
		.nodes = word[1],
		.page = address / SMILE_PAGE_BYTES,
		.first = address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES,
	};

	range.last = range.first + SMILE_GET(SMILE_RECORD_LENGTH_LESS_1, word[3]);
	return range;
}

/* May one entry count the words @first to @last? */
static bool allowed(struct bench *bench, uint32_t first, uint32_t last)
{
	uint32_t words = bench_get(bench, SMILE_REG_MAX_RANGE) / SMILE_WORD_BYTES;
	bool aligned = bench_get(bench, SMILE_REG_MODE) & SMILE_MODE_ALIGNED;

	return last < SMILE_PAGE_BYTES / SMILE_WORD_BYTES && last - first < words &&
	       (!aligned || first / words == last / words);
}

static bool is_dynamic(const struct bench_record *record)
{
	return SMILE_GET(SMILE_RECORD_KIND, record->word[0]) == SMILE_KIND_DYNAMIC;
}

static void check_ranges(struct bench *bench)
{
	for (size_t i = 0; i < bench->records; i++) {
		struct range range = range_of(&bench->record[i]);

		if (is_dynamic(&bench->record[i]))
			assert_true(allowed(bench, range.first, range.last));
	}
}

/*
 * Check the entries of the table, as @swapped reports them: two entries with the same tag in one
 * page could not have been merged. The reason: since both existed, no event has matched both so
 * that one could have grown over the other. When the second was filled, their common range was too
 * long or crossed a block's border, and ranges only grow. It follows that they have no word in
 * common, and no entry exists twice.
 */
static void check_no_duplicates(struct bench *swapped)
{
	for (size_t i = 0; i < swapped->records; i++) {
		struct range a = range_of(&swapped->record[i]);

		for (size_t k = 0; is_dynamic(&swapped->record[i]) && k < i; k++) {
			struct range b = range_of(&swapped->record[k]);

			if (!is_dynamic(&swapped->record[k]) || a.tag != b.tag ||
			    a.nodes != b.nodes || a.page != b.page)
				continue;
			assert_true(a.last < b.first || b.last < a.first);
			assert_false(allowed(swapped, a.first < b.first ? a.first : b.first,
					     a.last > b.last ? a.last : b.last));
		}
	}
}

/* ---- account ------------------------------------------------------------------------------- */

static void check_seen(struct bench *bench)
{
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_SEEN),
			 bench_counter(bench, SMILE_REG_COUNT_MALFORMED) +
				 bench_counter(bench, SMILE_REG_COUNT_UNMATCHED) +
				 bench_counter(bench, SMILE_REG_COUNT_FILTERED) +
				 bench_counter(bench, SMILE_REG_COUNT_EVENT) +
				 bench_counter(bench, SMILE_REG_COUNT_ACCEPTED));
}

static void check_sums(struct bench *bench, const struct sums *sums)
{
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_RECORDS), sums->records);
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_DELIVERED), sums->delivered);
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_STATIC_DELIVERED),
			 sums->static_delivered);
}

/*
 * The counts that a copy of the card still reports are the counts in the card: none may be missing.
 */
static void check_account(struct bench *bench, const struct sums *reported)
{
	struct bench *copy = bench_clone(bench);
	struct sums sums = *reported;

	assert_true(bench_empty(copy));
	for (size_t i = 0; i < copy->records; i++)
		add(&sums, &copy->record[i]);
	check_sums(copy, &sums);
	check_no_duplicates(copy);
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_ACCEPTED),
			 sums.delivered + bench_counter(bench, SMILE_REG_COUNT_LOST));
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_STATIC), sums.static_delivered);
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_LOST), sums.lost);
	assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_MARKS_LOST), sums.marks_lost);

	/* At rest, the card accepts a configuration. */
	bench_write(copy, SMILE_REG_NODE, 0x1234);
	assert_int_equal(bench_get(copy, SMILE_REG_NODE), 0x1234);
	assert_int_equal(bench_get(copy, SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE, 0);
	bench_free(copy);
}

/* ---- rings --------------------------------------------------------------------------------- */

/* The contents of the rings before an operation. */
struct rings {
	uint32_t ram[SMILE_RING_WORDS];
	uint32_t ram_write;
	uint32_t dma_write;
};

static void rings_before(struct rings *rings, struct bench *bench)
{
	memcpy(rings->ram, bench->ram, sizeof(rings->ram));
	rings->ram_write = bench_get(bench, SMILE_REG_RING_WRITE);
	rings->dma_write = bench_get(bench, SMILE_REG_DMA_WRITE);
}

/* Only words of the new records may have changed in the RAM; these follow all unread records. */
static void check_ram(const struct rings *rings, struct bench *bench)
{
	uint32_t write = bench_get(bench, SMILE_REG_RING_WRITE);
	uint32_t fresh = (write - rings->ram_write) % RING_POINTERS;

	for (uint32_t i = fresh; i < SMILE_RING_WORDS; i++) {
		uint32_t word = (rings->ram_write + i) % SMILE_RING_WORDS;

		assert_int_equal(bench->ram[word], rings->ram[word]);
	}
	assert_true((write - bench_get(bench, SMILE_REG_RING_READ)) % RING_POINTERS <=
		    SMILE_RING_WORDS);
}

/* The same for host memory: record n is written once, to its place, and only when there is room. */
static void check_host_memory(const struct rings *rings, struct bench *bench)
{
	uint64_t base = bench_get(bench, SMILE_REG_DMA_BASE_LOW) |
			(uint64_t)bench_get(bench, SMILE_REG_DMA_BASE_HIGH) << 32;
	uint32_t size = bench_get(bench, SMILE_REG_DMA_SIZE);
	uint32_t read = bench_get(bench, SMILE_REG_DMA_READ);
	uint32_t number = rings->dma_write;

	for (size_t i = 0; i < bench->records; i++) {
		if (!bench->record[i].host)
			continue;
		assert_int_equal(bench->record[i].place,
				 base + (uint64_t)(number % size) * SMILE_RECORD_BYTES);
		assert_true(number - read < size);
		number++;
	}
	assert_int_equal(bench_get(bench, SMILE_REG_DMA_WRITE), number);
}

/* ---- all checks ---------------------------------------------------------------------------- */

static bool is_write(const struct operation *operation, uint32_t offset)
{
	return operation->kind == OPERATION_WRITE && operation->offset == offset;
}

static bool is_reset(const struct operation *operation)
{
	return is_write(operation, SMILE_REG_COMMAND) && operation->value == SMILE_COMMAND_RESET;
}

/* A frame from a source that waits for room is not lost, and does not cause the loss of a mark. */
static void do_operation(struct bench *bench, const struct operation *operation)
{
	bool ready = operation->kind == OPERATION_FRAME && operation->repeat == 1 &&
		     card_ready(bench_card(bench));
	uint64_t lost = bench_counter(bench, SMILE_REG_COUNT_LOST);
	uint64_t marks_lost = bench_counter(bench, SMILE_REG_COUNT_MARKS_LOST);

	bench_do(bench, operation);
	bench_gather(bench);
	if (ready) {
		assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_LOST), lost);
		assert_int_equal(bench_counter(bench, SMILE_REG_COUNT_MARKS_LOST), marks_lost);
	}
}

static void check_steps(enum traffic_shape shape, uint64_t seed)
{
	struct traffic *traffic = malloc(sizeof(*traffic));
	struct rings *rings = malloc(sizeof(*rings));
	struct bench *bench = bench_new();
	struct sums sums = {0};

	assert_non_null(traffic);
	assert_non_null(rings);
	traffic_begin(traffic, shape, seed);
	for (uint32_t i = 0; i < STEPS; i++) {
		struct operation operation = *traffic_next(traffic);

		bench_resolve(bench, &operation);
		rings_before(rings, bench);
		do_operation(bench, &operation);
		if (is_reset(&operation)) {
			memset(&sums, 0, sizeof(sums));
		} else {
			check_ram(rings, bench);
			if (!is_write(&operation, SMILE_REG_DMA_WRITE))
				check_host_memory(rings, bench);
			for (size_t k = 0; k < bench->records; k++)
				add(&sums, &bench->record[k]);
		}
		check_ranges(bench);
		check_seen(bench);
		check_sums(bench, &sums);
		check_account(bench, &sums);
		assert_int_equal(bench->line, (bench_get(bench, SMILE_REG_INT_STATUS) &
					       bench_get(bench, SMILE_REG_INT_ENABLE)) != 0);
		assert_int_equal(bench->strange, 0);
		bench->records = 0;
	}
	bench_free(bench);
	free(rings);
	free(traffic);
}

static void property_everyStep_keepsTheAccountAndTheRings(void **state)
{
	for (enum traffic_shape shape = 0; shape < TRAFFIC_SHAPES; shape++)
		check_steps(shape, 100);
}

/* ---- phases -------------------------------------------------------------------------------- */

#define MARKS_MAX 4096U

/*
 * The events counted before each phase mark that the card kept, and the events its records report.
 */
struct phases {
	uint64_t accepted[MARKS_MAX];
	uint64_t statics[MARKS_MAX];
	uint32_t kept;
	uint32_t reported;
};

/*
 * The id of the global event that an operation raises; an id above all valid ones if it raises
 * none.
 */
static uint32_t raised_id(const struct operation *operation)
{
	if (is_write(operation, SMILE_REG_EVENT))
		return (uint32_t)operation->value;
	if ((operation->kind == OPERATION_FRAME || operation->kind == OPERATION_QUEUE) &&
	    operation->bytes >= 2 * BLINK_WORD_BYTES &&
	    (operation->frame[2] & 0x7f) == BLINK_EVENT00)
		return operation->frame[8] | (uint32_t)operation->frame[9] << 8;
	return UINT32_MAX;
}

/* Skip operations that raise events invisible from outside, or that discard events. */
static bool phases_want(const struct operation *operation)
{
	return !is_reset(operation) && !is_write(operation, SMILE_REG_TIMER_PERIOD);
}

static void phases_do(struct phases *phases, struct bench *bench, struct operation *operation)
{
	uint32_t id = raised_id(operation);
	uint64_t events = bench_counter(bench, SMILE_REG_COUNT_EVENT);
	uint64_t marks_lost = bench_counter(bench, SMILE_REG_COUNT_MARKS_LOST);
	bool raised;

	/* One frame at a time, so that the test sees which frame raises an event. */
	if (operation->kind == OPERATION_QUEUE)
		operation->kind = OPERATION_FRAME;
	if (id != UINT32_MAX)
		operation->repeat = 1;
	bench_do(bench, operation);
	bench_gather(bench);
	raised = is_write(operation, SMILE_REG_EVENT)
			 ? id <= SMILE_EVENT_ID
			 : bench_counter(bench, SMILE_REG_COUNT_EVENT) != events;
	if (!raised || id >= SMILE_EVENTS ||
	    !(bench_get(bench, SMILE_REG_PHASE_EVENTS) >> id & 1) ||
	    bench_counter(bench, SMILE_REG_COUNT_MARKS_LOST) != marks_lost)
		return;
	assert_true(phases->kept < MARKS_MAX);
	phases->accepted[phases->kept] = bench_counter(bench, SMILE_REG_COUNT_ACCEPTED);
	phases->statics[phases->kept] = bench_counter(bench, SMILE_REG_COUNT_STATIC);
	phases->kept++;
}

/*
 * The records before the EVENT record of a phase mark must report exactly the events that were
 * counted before the mark.
 */
static void phases_check(struct phases *phases, struct bench *bench, struct sums *sums)
{
	for (size_t i = 0; i < bench->records; i++) {
		uint32_t word = bench->record[i].word[0];

		add(sums, &bench->record[i]);
		if (SMILE_GET(SMILE_RECORD_KIND, word) != SMILE_KIND_EVENT ||
		    !(word & SMILE_RECORD_PHASE))
			continue;
		assert_true(phases->reported < phases->kept);
		assert_int_equal(sums->delivered + sums->lost, phases->accepted[phases->reported]);
		assert_int_equal(sums->static_delivered, phases->statics[phases->reported]);
		phases->reported++;
	}
	bench->records = 0;
}

static void property_eachCount_belongsToOnePhase(void **state)
{
	uint32_t reported = 0;

	for (enum traffic_shape shape = 0; shape < TRAFFIC_SHAPES; shape++) {
		struct traffic *traffic = malloc(sizeof(*traffic));
		struct phases *phases = calloc(1, sizeof(*phases));
		struct bench *bench = bench_new();
		struct sums sums = {0};

		assert_non_null(traffic);
		assert_non_null(phases);
		traffic_begin(traffic, shape, 200);
		for (uint32_t i = 0; i < 2 * STEPS; i++) {
			struct operation operation = *traffic_next(traffic);

			if (!phases_want(&operation))
				continue;
			bench_resolve(bench, &operation);
			phases_do(phases, bench, &operation);
			phases_check(phases, bench, &sums);
		}
		reported += phases->reported;
		bench_free(bench);
		free(phases);
		free(traffic);
	}
	assert_true(reported > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(property_everyStep_keepsTheAccountAndTheRings),
		cmocka_unit_test(property_eachCount_belongsToOnePhase),
	};

	return cmocka_run_group_tests_name("property", tests, NULL, NULL);
}
