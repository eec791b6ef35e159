/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: events of the card's clock; historic widths. May use fixture.h, traffic.h and
 * the public API.
 */
#include <stdlib.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

#define PERIOD_US 10
#define PERIOD_NS (1000ULL * PERIOD_US)

/* The timer marks phases: each access is in the phase of its time stamp, in both arrays. */
void Monitor_phases_markedByTheTimer_areTimeSlices(void **state)
{
	struct conformance *c = *state;
	static const struct naive_counter counters[] = {
		{.counts = {.home = 1,
			    .bytes = 4096,
			    .filter = SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST}},
		{.counts = {.global = true, .event = 6}},
	};
	struct smile_static tables = naive_static_tables(counters, 2);
	struct smile_config config = config_default();
	struct naive_steps steps = {0};
	struct Monitor_phase phases[8];
	struct naive naive = {0};
	uint64_t first_ns = 0;

	config.mode |= SMILE_MODE_STATIC;
	config.phase_events = 1 << 6;
	config.timer_us = PERIOD_US;
	config.timer_event = 6;
	c->tables = &tables;
	conformance_open(c, &config);
	for (unsigned int i = 0; i < 500; i++) {
		uint64_t time_ns = c->now_ns + 100;
		struct naive_step step = {
			.home = i % 3 % 2, .type = 1 + i % 3, .address = i % 7 * 4};

		if (!i)
			first_ns = time_ns;
		/* A timer event precedes a frame with the same time. */
		step.phase = (unsigned int)((time_ns - first_ns) / PERIOD_NS);
		if (i && (time_ns - first_ns) % PERIOD_NS == 0)
			naive_steps_add(&steps, &(struct naive_step){.global = true,
								     .event = 6,
								     .phase = step.phase - 1});
		step_access(c, &naive, &steps, 2, &step, false);
	}
	conformance_feed(c);
	conformance_finish(c);

	assert_int_equal(Monitor_phases(c->mon, phases, 8), 5);
	for (unsigned int i = 0; i < 5; i++) {
		struct naive_access like = any_at(NAIVE_ANY, NAIVE_ANY);

		like.phase = i;
		assert_int_equal(phases[i].accesses, naive_page_count(&naive, &like));
		assert_int_equal(phases[i].accesses, 100);
		assert_int_equal(phases[i].open, i == 4);
		assert_int_equal(phases[i].event, i == 4 ? 0 : 6);
		assert_int_equal(phases[i].end_ns, i == 4 ? 0 : first_ns + (i + 1) * PERIOD_NS);
	}
	expect_static(c, &steps, counters, 2, 5);
	expect_histogram(c, &naive, true);
	expect_balanced(c, naive.count);
	naive_steps_free(&steps);
	naive_free(&naive);
}

/*
 * TIME records, and timer events that are no phase marks; records with the same time are in a
 * defined order.
 */
void Monitor_records_read_timeRecords_comeOnTime(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	unsigned int times = 0, events = 0;
	uint64_t first_ns, last_ns = 0;

	config.node = 9;
	config.timer_us = 3 * PERIOD_US;
	config.timer_event = 15;
	config.time_us = 2 * PERIOD_US;
	conformance_open(c, &config);
	first_ns = c->now_ns + 100;
	for (unsigned int i = 0; i <= 1200; i++)
		access_add(c, &naive, 1, 0, SMILE_TYPE_READ, 0x1000, 0);
	conformance_feed(c);
	conformance_records_await(c, 10);
	conformance_finish(c);
	/*
	 * 120 us: six records of one kind, four of the other kind; a recording also has the
	 * counter's record.
	 */
	assert_int_equal(c->record_count, c->source->recording ? 11 : 10);
	for (unsigned int i = 0; i < 10; i++) {
		struct Monitor_record record;

		assert_int_equal(Monitor_record_decode(&c->records[i], &record), 0);
		assert_true(record.time_ns >= last_ns);
		last_ns = record.time_ns;
		if (record.kind == SMILE_KIND_TIME) {
			assert_int_equal(record.time_ns, first_ns + ++times * 2 * PERIOD_NS);
			/* Of two records with the same time, the TIME record is first. */
			assert_int_equal(events, (times * 2 - 1) / 3);
			continue;
		}
		assert_int_equal(record.kind, SMILE_KIND_EVENT);
		assert_int_equal(record.cause, SMILE_RAISED_TIMER);
		assert_int_equal(record.event, 15);
		assert_int_equal(record.source, 9);
		assert_int_equal(record.phase, 0);
		assert_int_equal(record.time_ns, first_ns + ++events * 3 * PERIOD_NS);
	}
	assert_int_equal(times, 6);
	assert_int_equal(events, 4);
	expect_balanced(c, 1201);
	naive_free(&naive);
}

/* Only 5 bits of node ids and 28 bits of addresses are kept. */
void Monitor_histogram_info_narrowIds_dropTheRest(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct Monitor_histogram_row row[3];
	struct naive naive = {0};

	config.node = 1;
	config.mode |= SMILE_MODE_NARROW;
	config.filter = SMILE_FILTER_TYPES | SMILE_FILTER_REQUEST | SMILE_FILTER_INCOMING;
	conformance_open(c, &config);
	access_add(c, &naive, 0xffe2, 0x1001, SMILE_TYPE_READ, 0xabcdefff0004ULL, 0);
	access_add(c, &naive, 2, 1, SMILE_TYPE_READ, 0xfff0004, 0);
	access_add(c, &naive, 0x3f, 0x21, SMILE_TYPE_LOCK, 0x10001000, 0);
	access_add(c, &naive, 2, 0x22, SMILE_TYPE_READ, 0xfff0004, 0); /* not to node 1 */
	conformance_feed(c);
	conformance_finish(c);
	assert_int_equal(Monitor_histogram_info(c->mon, row, 3), 2);
	assert_int_equal(row[0].page, 1);
	assert_int_equal(row[0].home, 1);
	assert_int_equal(row[0].source, 31);
	assert_int_equal(row[0].locks, 1);
	assert_int_equal(row[1].page, 0xfff0);
	assert_int_equal(row[1].home, 1);
	assert_int_equal(row[1].source, 2);
	assert_int_equal(row[1].reads, 2);
	assert_int_equal(Monitor_nodes(c->mon), 32);
	expect_balanced(c, 3);
	naive_free(&naive);
}

/* ---- the two rings ------------------------------------------------------------------------- */

/* Traffic and events that cause all kinds of records, for either ring. */
static void mixture(struct conformance *c)
{
	static const struct naive_counter counters[] = {
		{.counts = {.home = 1,
			    .address = 0x28000,
			    .bytes = 4096,
			    .filter = SMILE_FILTER_TYPES | SMILE_FILTER_PACKETS}},
		{.counts = {.global = true, .event = 5}},
	};
	static struct smile_static tables;
	struct smile_config config = config_default();
	struct naive_steps steps = {0};
	struct naive naive = {0};

	tables = naive_static_tables(counters, 2);
	config.entries = 5;
	config.max_range_bytes = 32;
	config.mode |= SMILE_MODE_STATIC;
	config.filter = SMILE_FILTER_ALL;
	config.phase_events = 1 << 3;
	config.timer_us = 14;
	config.timer_event = 5;
	config.time_us = 10;
	c->tables = &tables;
	conformance_open(c, &config);
	for (unsigned int phase = 0; phase < 4; phase++) {
		step_traffic(c, &naive, &steps, phase, 700, phase);
		step_event(c, &steps, 3, phase);
	}
	naive_steps_free(&steps);
	naive_free(&naive);
}

void Monitor_records_read_otherRing_givesTheSameRecords(void **state)
{
	struct conformance *c = *state;
	struct Monitor_record *first = NULL, record;
	uint64_t begin_ns[2];
	size_t count = 0;

	for (unsigned int run = 0; run < 2; run++) {
		c->ring_mode ^= c->source->polled ? 0 : SMILE_MODE_HOST_RING;
		mixture(c);
		begin_ns[run] = c->frames[0].time_ns;
		conformance_feed(c);
		conformance_records_await_all(c);
		conformance_finish(c);
		assert_true(c->record_count > 2000); /* more than the card's memory holds */
		if (!run) {
			count = c->record_count;
			first = calloc(count, sizeof(*first));
			assert_non_null(first);
		}
		assert_int_equal(c->record_count, count);
		for (size_t i = 0; i < count; i++) {
			assert_int_equal(Monitor_record_decode(&c->records[i], &record), 0);
			/*
			 * Times are compared relative to the first frame: the card's clock may have
			 * started earlier.
			 */
			if (record.time_ns)
				record.time_ns -= begin_ns[run];
			if (!run)
				first[i] = record;
			else
				assert_memory_equal(&first[i], &record, sizeof(record));
		}
		conformance_close(c);
	}
	free(first);
}
