/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: program phases.
 * May use fixture.h, traffic.h and the public API.
 */
#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

void Monitor_phase_info_marksOnTheLink_endPhases(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct Monitor_phase phases[8];
	uint64_t counts[8][NODES];
	uint64_t ends_ns[3];
	static const unsigned int events[] = {0, 5, 0};

	config.phase_events = 1 << 0 | 1 << 5;
	conformance_open(c, &config);
	for (unsigned int phase = 0; phase < 3; phase++) {
		traffic_add(c, &naive, 11 + phase, 400 * (phase + 1), phase);
		conformance_frame_add(c, BLINK_EVENT00, 1, 0, 0, 3); /* not a mark */
		traffic_add(c, &naive, 21 + phase, 100, phase);
		conformance_frame_add(c, BLINK_EVENT00, 1, 0, 0, events[phase]);
		ends_ns[phase] = c->now_ns;
	}
	traffic_add(c, &naive, 31, 50, 3);
	conformance_feed(c);
	conformance_finish(c);

	assert_int_equal(Monitor_phases(c->mon, NULL, 0), 4);
	assert_int_equal(Monitor_phases(c->mon, phases, 8), 4);
	for (unsigned int phase = 0; phase < 4; phase++) {
		struct naive_access like = any_at(NAIVE_ANY, NAIVE_ANY);

		like.phase = phase;
		assert_int_equal(phases[phase].open, phase == 3);
		assert_int_equal(phases[phase].accesses, naive_page_count(&naive, &like));
		if (phase < 3) {
			assert_int_equal(phases[phase].event, events[phase]);
			assert_int_equal(phases[phase].end_ns, ends_ns[phase]);
		} else {
			assert_int_equal(phases[phase].end_ns, 0);
		}
	}
	for (size_t page = 0; page < PAGES; page++) {
		assert_int_equal(
			Monitor_phase_info(c->mon, 2, pages[page], &counts[0][0], 8, NODES), 4);
		for (unsigned int phase = 0; phase < 8; phase++) {
			for (unsigned int node = 0; node < NODES; node++) {
				struct naive_access like = any_at(2, pages[page]);

				like.source = node;
				like.phase = phase;
				if (phase < 4)
					assert_int_equal(counts[phase][node],
							 naive_page_count(&naive, &like));
			}
		}
	}
	expect_histogram(c, &naive, true);
	naive_free(&naive);
}

void Monitor_event_phaseMark_endsAPhase(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	struct Monitor_phase phases[4];
	uint64_t counts[2][NODES];

	config.phase_events = 1 << 7;
	conformance_open(c, &config);
	access_add(c, &naive, 1, 0, SMILE_TYPE_READ, 0x1000, 0);
	access_add(c, &naive, 1, 0, SMILE_TYPE_READ, 0x1000, 0);
	conformance_feed(c);
	assert_int_equal(Monitor_event(c->mon, 7), 0);
	access_add(c, &naive, 1, 0, SMILE_TYPE_READ, 0x1000, 1);
	conformance_feed(c);
	assert_int_equal(Monitor_event(c->mon, 65533), 0); /* no mark */
	assert_int_equal(Monitor_event(c->mon, 7), 0);
	conformance_finish(c);

	/* The open phase after the last mark has no accesses: it is left out. */
	assert_int_equal(Monitor_phases(c->mon, phases, 4), 2);
	assert_int_equal(phases[0].event, 7);
	assert_int_equal(phases[0].accesses, 2);
	assert_int_equal(phases[1].event, 7);
	assert_int_equal(phases[1].accesses, 1);
	assert_int_equal(phases[1].open, 0);
	assert_int_equal(Monitor_phase_info(c->mon, 0, 1, &counts[0][0], 2, NODES), 2);
	assert_int_equal(counts[0][1], 2);
	assert_int_equal(counts[1][1], 1);
	naive_free(&naive);
}
