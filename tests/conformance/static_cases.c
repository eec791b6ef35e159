/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: the static counters, compared with counters that are computed from the whole
 * list of sent steps. May use fixture.h, traffic.h and the public API.
 */
#include <errno.h>
#include <string.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define REQUESTS (SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST)
#define ALL (SMILE_FILTER_TYPES | SMILE_FILTER_PACKETS)

/* Addresses of the accessed pages. */
#define PAGE_0 0
#define PAGE_1 0x1000
#define PAGE_40 0x28000
#define PAGE_41 0x29000

#define ACCESS(home_, address_, bytes_, filter_)                                                   \
	{                                                                                          \
		.home = (home_), .address = (address_), .bytes = (bytes_), .filter = (filter_)     \
	}
#define EVENT(event_)                                                                              \
	{                                                                                          \
		.global = true, .event = (event_)                                                  \
	}

static struct smile_config with_static(unsigned int phase_events)
{
	struct smile_config config = config_default();

	config.mode |= SMILE_MODE_STATIC;
	config.phase_events = phase_events;
	return config;
}

/* Send three phases of traffic and events for these counters; the dynamic array also counts. */
static void static_case(struct conformance *c, const struct naive_counter *counters, size_t count,
			uint64_t seed)
{
	struct smile_static tables = naive_static_tables(counters, count);
	struct smile_config config = with_static(1 << 0 | 1 << 7);
	struct naive_steps steps = {0};
	struct naive naive = {0};

	config.max_range_bytes = 64;
	c->tables = &tables;
	conformance_open(c, &config);
	for (unsigned int phase = 0; phase < 3; phase++) {
		step_traffic(c, &naive, &steps, seed + phase, 600, phase);
		step_event(c, &steps, 3, phase);
		step_traffic(c, &naive, &steps, seed + 10 + phase, 300, phase);
		step_event(c, &steps, 15, phase);
		step_traffic(c, &naive, &steps, seed + 20 + phase, 100, phase);
		step_event(c, &steps, 300, phase); /* no counter counts it */
		if (phase < 2)
			step_event(c, &steps, phase ? 7 : 0, phase);
	}
	conformance_feed(c);
	conformance_finish(c);
	expect_static(c, &steps, counters, count, 3);
	expect_histogram(c, &naive, true);
	expect_balanced(c, naive.count);
	naive_steps_free(&steps);
	naive_free(&naive);
}

void Monitor_static_counts_rangesAndFlags_areExact(void **state)
{
	static const struct naive_counter counters[] = {
		{.counts = ACCESS(1, PAGE_40, 4096, REQUESTS)},
		{.counts = ACCESS(1, PAGE_40, 4096, ALL)},
		{.counts = ACCESS(1, PAGE_40, 4096, SMILE_FILTER_TYPES | SMILE_FILTER_RESPONSE)},
		{.counts = ACCESS(1, PAGE_40, 4096, SMILE_FILTER_READ | SMILE_FILTER_REQUEST)},
		{.counts = ACCESS(1, PAGE_40, 4096, SMILE_FILTER_WRITE | SMILE_FILTER_REQUEST)},
		{.counts = ACCESS(1, PAGE_40, 4096, SMILE_FILTER_LOCK | SMILE_FILTER_PACKETS)},
		{.counts = ACCESS(2, PAGE_40, 4096, REQUESTS)},
		{.counts = ACCESS(1, PAGE_40 + 64, 32, REQUESTS)}, /* within counter 0's range */
		{.counts = ACCESS(1, PAGE_40 + 92, 8, ALL)}, /* overlaps the range of counter 7 */
		{.counts = ACCESS(0, PAGE_0, 4, ALL)}, /* the first word */
		{.counts = ACCESS(0, PAGE_1 + 4092, 4, ALL)}, /* the last word of a page */
		{.counts = ACCESS(0, 0x10000000, 4096, REQUESTS)}, /* page 0x10000 */
		{.counts = ACCESS(0, 0x5000, 4096, ALL)}, /* never accessed */
		{.counts = ACCESS(4, PAGE_40, 4096, ALL)}, /* no memory at this address */
		{.counts = EVENT(3)},
		{.counts = EVENT(7)}, /* a phase mark counts in the phase that it ends */
	};

	static_case(*state, counters, COUNT(counters), 100);
}

void Monitor_static_counts_fromAndUntil_areExact(void **state)
{
	static const struct naive_counter counters[] = {
		{.counts = ACCESS(1, PAGE_40, 4096, ALL), .from = EVENT(3)},
		{.counts = ACCESS(1, PAGE_40, 4096, ALL), .until = EVENT(3)},
		{.counts = ACCESS(1, PAGE_40, 4096, ALL), .from = EVENT(3), .until = EVENT(15)},
		{.counts = ACCESS(1, PAGE_40, 4096, ALL), .from = EVENT(15), .until = EVENT(3)},
		/* from one access until another */
		{.counts = ACCESS(0, PAGE_0, 4096, REQUESTS),
		 .from = ACCESS(1, PAGE_41, 64, SMILE_FILTER_LOCK | SMILE_FILTER_REQUEST),
		 .until = ACCESS(1, PAGE_41, 64, SMILE_FILTER_WRITE | SMILE_FILTER_REQUEST)},
		/* the events that begin and end the counting are also counted */
		{.counts = ACCESS(1, PAGE_41, 64, REQUESTS),
		 .from = ACCESS(1, PAGE_41, 64, REQUESTS),
		 .until = EVENT(3)},
		{.counts = ACCESS(1, PAGE_41, 64, REQUESTS),
		 .from = EVENT(3),
		 .until = ACCESS(1, PAGE_41, 64, REQUESTS)},
		{.counts = EVENT(3), .from = EVENT(3), .until = EVENT(3)},
		/*
		 * the same event begins and ends the counting: only one access is counted each time
		 */
		{.counts = ACCESS(2, PAGE_40, 4096, SMILE_FILTER_READ | SMILE_FILTER_REQUEST),
		 .from = ACCESS(2, PAGE_40, 128, SMILE_FILTER_READ | SMILE_FILTER_REQUEST),
		 .until = ACCESS(2, PAGE_40, 128, SMILE_FILTER_READ | SMILE_FILTER_REQUEST)},
		/* a phase mark begins the counting, a response ends it */
		{.counts = ACCESS(0, PAGE_1, 4096, REQUESTS),
		 .from = EVENT(0),
		 .until = ACCESS(2, PAGE_41, 4096, SMILE_FILTER_TYPES | SMILE_FILTER_RESPONSE)},
		/* events are counted between accesses */
		{.counts = EVENT(15), .from = ACCESS(0, PAGE_0, 4096, REQUESTS), .until = EVENT(0)},
		/* the counting never begins */
		{.counts = ACCESS(1, PAGE_40, 4096, ALL), .from = EVENT(9)},
	};

	static_case(*state, counters, COUNT(counters), 200);
}

void Monitor_static_counts_beyondTheCountersWidth_areExact(void **state)
{
	struct conformance *c = *state;
	static const struct naive_counter counters[] = {
		{.counts = ACCESS(1, PAGE_40, 4096, REQUESTS)},
		{.counts = ACCESS(1, PAGE_40, 4096, REQUESTS), .from = EVENT(1)},
		{.counts = ACCESS(1, PAGE_40, 4, REQUESTS)},
	};
	struct smile_static tables = naive_static_tables(counters, COUNT(counters));
	struct smile_config config = with_static(1);
	struct naive_steps steps = {0};
	struct naive naive = {0};
	const struct naive_step access = {.home = 1, .type = SMILE_TYPE_READ, .address = PAGE_40};
	unsigned int overflows = 0;

	config.mode |= SMILE_MODE_NO_DYNAMIC;
	c->tables = &tables;
	conformance_open(c, &config);
	for (unsigned int i = 0; i < 70000; i++) {
		if (i == 4464)
			step_event(c, &steps, 1, 0); /* then 65536 are left: 65535 and one */
		step_access(c, &naive, &steps, 0, &access, false);
	}
	conformance_feed(c);
	conformance_records_await_all(c);
	conformance_finish(c);
	expect_static(c, &steps, counters, COUNT(counters), 1);
	for (size_t i = 0; i < c->record_count; i++) {
		struct Monitor_record record;

		assert_int_equal(Monitor_record_decode(&c->records[i], &record), 0);
		overflows += record.kind == SMILE_KIND_OVERFLOW;
	}
	assert_int_equal(overflows, 3);
	naive_steps_free(&steps);
	naive_free(&naive);
}

void Monitor_static_counts_withoutTheDynamicArray_areAllThereIs(void **state)
{
	struct conformance *c = *state;
	static const struct naive_counter counters[] = {
		{.counts = ACCESS(0, PAGE_0, 4096, ALL)},
		{.counts = EVENT(2)},
	};
	struct smile_static tables = naive_static_tables(counters, COUNT(counters));
	struct smile_config config = with_static(1 << 2);
	struct smile_statistics statistics;
	struct Monitor_phase phases[4];
	struct naive_steps steps = {0};
	struct naive naive = {0};

	config.mode |= SMILE_MODE_NO_DYNAMIC;
	c->tables = &tables;
	conformance_open(c, &config);
	step_traffic(c, &naive, &steps, 1, 500, 0);
	step_event(c, &steps, 2, 0);
	step_traffic(c, &naive, &steps, 2, 500, 1);
	conformance_feed(c);
	conformance_finish(c);
	/* The last phase is open and has no accesses, but it has counts. */
	assert_int_equal(Monitor_phases(c->mon, phases, 4), 2);
	assert_true(phases[0].accesses == 0 && !phases[0].open);
	assert_true(phases[1].accesses == 0 && phases[1].open);
	expect_static(c, &steps, counters, COUNT(counters), 2);
	assert_int_equal(Monitor_histogram_info(c->mon, NULL, 0), 0);
	conformance_statistics(c, &statistics);
	assert_int_equal(statistics.events_accepted, 0);
	assert_int_equal(statistics.packets_filtered, steps.count - 1);
	assert_int_equal(statistics.packets_event, 1);
	assert_int_equal(statistics.extensions, 0);
	naive_steps_free(&steps);
	naive_free(&naive);
}

/* With tables that are set, but not enabled, nothing is counted. */
void Monitor_static_counts_switchedOff_areZero(void **state)
{
	struct conformance *c = *state;
	static const struct naive_counter counters[] = {{.counts = ACCESS(0, PAGE_0, 4096, ALL)}};
	struct smile_static tables = naive_static_tables(counters, COUNT(counters));
	struct smile_config config = config_default();
	uint64_t counts[SMILE_STATIC_COUNTERS];
	struct naive naive = {0};

	c->tables = &tables;
	conformance_open(c, &config);
	traffic_add(c, &naive, 3, 500, 0);
	conformance_feed(c);
	conformance_finish(c);
	assert_int_equal(Monitor_static_counts(c->mon, counts, 1), 1);
	for (unsigned int i = 0; i < SMILE_STATIC_COUNTERS; i++)
		assert_int_equal(counts[i], 0);
	expect_histogram(c, &naive, true);
	expect_balanced(c, naive.count);
	naive_free(&naive);
}

void Monitor_static_set_running_isBusy(void **state)
{
	struct conformance *c = *state;
	static const struct naive_counter counters[] = {
		{.counts = ACCESS(3, PAGE_40, 8, REQUESTS)}};
	struct smile_static tables = naive_static_tables(counters, COUNT(counters));
	struct smile_static other, read;
	struct smile_config config = with_static(0);

	c->tables = &tables;
	conformance_open(c, &config);
	Monitor_static_default(&other);
	assert_int_equal(Monitor_static_set(c->mon, &other), -EBUSY);
	assert_int_equal(Monitor_static_info(c->mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	assert_int_equal(Monitor_stop(c->mon), 0);
	other.counter[0] = SMILE_STATIC_COUNTER_COUNT_VALID | 3; /* event 3 is not in the table */
	assert_int_equal(Monitor_static_set(c->mon, &other), -EINVAL);
	assert_true(strlen(Monitor_error_message()) > 10);
	assert_int_equal(Monitor_static_info(c->mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
	conformance_finish(c);
	/* A recording has its card's tables. */
	assert_int_equal(Monitor_static_info(c->mon, &read), 0);
	assert_memory_equal(&read, &tables, sizeof(read));
}

/*
 * New tables are set between two runs: the counts of the first run are delivered with its own
 * tables.
 */
void Monitor_static_set_countersInTheCard_areDeliveredFirst(void **state)
{
	struct conformance *c = *state;
	static const struct naive_counter counters[] = {
		{.counts = ACCESS(0, PAGE_0, 4096, REQUESTS)}};
	struct smile_static tables = naive_static_tables(counters, COUNT(counters)), none;
	struct smile_config config = with_static(0);
	uint64_t counts[SMILE_STATIC_COUNTERS];
	const struct naive_step access = {.type = SMILE_TYPE_WRITE, .address = PAGE_0 + 8};
	struct naive_steps steps = {0};
	struct naive naive = {0};

	c->tables = &tables;
	conformance_open(c, &config);
	for (unsigned int i = 0; i < 5; i++)
		step_access(c, &naive, &steps, 1, &access, true);
	conformance_feed(c);
	assert_int_equal(Monitor_stop(c->mon), 0);
	Monitor_static_default(&none);
	if (c->source->recording)
		assert_int_equal(Monitor_static_set(c->mon, &none), -EBUSY);
	else
		assert_int_equal(Monitor_static_set(c->mon, &none), 0);
	assert_int_equal(Monitor_static_counts(c->mon, counts, 1), 1);
	assert_int_equal(counts[0], 5);
	conformance_finish(c);
	assert_int_equal(Monitor_static_counts(c->mon, counts, 1), 1);
	assert_int_equal(counts[0], 5);
	naive_steps_free(&steps);
	naive_free(&naive);
}

/* One counter is read and reset repeatedly while the card runs; another counter continues. */
void Monitor_static_reset_running_readsOneAndLosesNothing(void **state)
{
	struct conformance *c = *state;
	static const struct naive_counter counters[] = {
		{.counts = ACCESS(0, PAGE_0, 4096, REQUESTS)},
		{.counts = ACCESS(0, PAGE_1, 4096, REQUESTS)}};
	struct smile_static tables = naive_static_tables(counters, COUNT(counters));
	struct smile_config config = with_static(1 << 0);
	const struct naive_step first = {.type = SMILE_TYPE_WRITE, .address = PAGE_0 + 8};
	const struct naive_step second = {.type = SMILE_TYPE_READ, .address = PAGE_1 + 8};
	uint64_t counts[2 * SMILE_STATIC_COUNTERS], count = 77;
	struct naive_steps steps = {0};
	struct naive naive = {0};
	unsigned int all = 0;

	c->tables = &tables;
	conformance_open(c, &config);
	for (unsigned int round = 1; round <= 3; round++) {
		for (unsigned int i = 0; i < 5 * round; i++)
			step_access(c, &naive, &steps, 1, &first, true);
		for (unsigned int i = 0; i < 2; i++)
			step_access(c, &naive, &steps, 1, &second, true);
		/*
		 * A phase mark between two readings: the counts that it swapped out are part of the
		 * reading.
		 */
		if (round == 2)
			step_event(c, &steps, 0, 0);
		conformance_feed(c);
		assert_int_equal(Monitor_static_reset(c->mon, 0, &count), 0);
		assert_int_equal(count, 5 * round);
		all += 5 * round;
	}
	assert_int_equal(Monitor_static_reset(c->mon, 0, &count), 0);
	assert_int_equal(count, 0);
	assert_int_equal(Monitor_static_reset(c->mon, 1, NULL), 0);
	for (unsigned int i = 0; i < 4; i++)
		step_access(c, &naive, &steps, 1, &second, true);
	conformance_feed(c);
	assert_int_equal(Monitor_static_reset(c->mon, 1, &count), 0);
	assert_int_equal(count, 4);

	count = 77;
	assert_int_equal(Monitor_static_reset(c->mon, 2, &count), -EINVAL);
	assert_int_equal(Monitor_static_reset(c->mon, SMILE_STATIC_COUNTERS, &count), -EINVAL);
	assert_non_null(strstr(Monitor_error_message(), "not in use"));
	assert_int_equal(count, 77);
	conformance_finish(c);
	assert_int_equal(Monitor_static_counts(c->mon, counts, 2), 2);
	assert_int_equal(counts[0] + counts[SMILE_STATIC_COUNTERS], all);
	assert_int_equal(counts[1] + counts[SMILE_STATIC_COUNTERS + 1], 3 * 2 + 4);
	if (c->source->recording)
		assert_int_equal(Monitor_static_reset(c->mon, 0, &count), -EOPNOTSUPP);
	naive_steps_free(&steps);
	naive_free(&naive);
}
