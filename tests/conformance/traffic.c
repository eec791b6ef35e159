/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's traffic: see traffic.h. May use fixture.h, naive.h and the public API.
 */
#include <math.h>

#include "tests/conformance/traffic.h"

const unsigned int type_command[SMILE_TYPE_COUNT] = {0, BLINK_READSB, BLINK_WRITESB, BLINK_LOCKSB};

struct smile_config config_default(void)
{
	struct smile_config config;

	Monitor_config_default(&config);
	return config;
}

/* Send a request and add it to @naive. */
void access_add(struct conformance *c, struct naive *naive, unsigned int source, unsigned int home,
		unsigned int type, uint64_t address, unsigned int phase)
{
	conformance_frame_add(c, type_command[type] + address % 4, source, home, c->fed % 64,
			      address);
	naive_add(naive, source, home, type, address, phase);
}

static unsigned int random_below(uint64_t *seed, unsigned int below)
{
	*seed = *seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return (*seed >> 33) % below;
}

const uint64_t pages[PAGES] = {0, 1, 40, 41, 0xffff, 0x10000, 0xfffffffffULL};

/*
 * Add random accesses of nodes 0 to 4 to some pages at homes 0 to 2, most of them near one another.
 */
void traffic_add(struct conformance *c, struct naive *naive, uint64_t seed, unsigned int count,
		 unsigned int phase)
{
	for (unsigned int i = 0; i < count; i++) {
		unsigned int source = random_below(&seed, NODES);
		unsigned int home = random_below(&seed, 3);
		unsigned int type = 1 + random_below(&seed, 3);
		uint64_t page = pages[random_below(&seed, PAGES)];
		unsigned int offset = random_below(&seed, random_below(&seed, 3) ? 128 : 4096);

		access_add(c, naive, source, home, type, page * SMILE_PAGE_BYTES + offset, phase);
	}
}

void step_access(struct conformance *c, struct naive *naive, struct naive_steps *steps,
		 unsigned int source, const struct naive_step *access, bool answered)
{
	struct naive_step step = *access;
	unsigned int transaction = c->frame_count % BLINK_TRANSACTIONS;

	conformance_frame_add(c, type_command[step.type] + step.address % 4, source, step.home,
			      transaction, step.address);
	naive_add(naive, source, step.home, step.type, step.address, step.phase);
	naive_steps_add(steps, &step);
	if (!answered)
		return;
	conformance_frame_add(c, BLINK_RESPONSE16, step.home, source, transaction, 0);
	step.response = true;
	naive_steps_add(steps, &step);
}

void step_event(struct conformance *c, struct naive_steps *steps, unsigned int event,
		unsigned int phase)
{
	struct naive_step step = {.global = true, .event = event, .phase = phase};

	conformance_frame_add(c, BLINK_EVENT00, 1, 0, 0, event);
	naive_steps_add(steps, &step);
}

void step_traffic(struct conformance *c, struct naive *naive, struct naive_steps *steps,
		  uint64_t seed, unsigned int count, unsigned int phase)
{
	for (unsigned int i = 0; i < count; i++) {
		unsigned int source = random_below(&seed, NODES);
		unsigned int offset = random_below(&seed, random_below(&seed, 3) ? 128 : 4096);
		struct naive_step step = {.phase = phase};

		step.home = random_below(&seed, 3);
		step.type = 1 + random_below(&seed, 3);
		step.address = pages[random_below(&seed, PAGES)] * SMILE_PAGE_BYTES + offset;
		step_access(c, naive, steps, source, &step, random_below(&seed, 2));
	}
}

void expect_static(struct conformance *c, const struct naive_steps *steps,
		   const struct naive_counter *counters, size_t count, unsigned int phases)
{
	uint64_t counts[8][SMILE_STATIC_COUNTERS];
	struct Monitor_loss loss;
	uint64_t sum = 0;

	assert_in_range(phases, 1, 8);
	assert_int_equal(Monitor_static_counts(c->mon, &counts[0][0], 8), phases);
	for (unsigned int phase = 0; phase < 8; phase++) {
		for (size_t i = 0; i < SMILE_STATIC_COUNTERS; i++) {
			uint64_t naive = i < count && phase < phases
						 ? naive_static_count(steps, &counters[i], phase)
						 : 0;

			if (counts[phase][i] != naive)
				fail_msg("counter %zu has counted %llu in phase %u, not %llu", i,
					 (unsigned long long)counts[phase][i], phase,
					 (unsigned long long)naive);
			sum += naive;
		}
	}
	assert_true(sum > 0);
	assert_int_equal(Monitor_loss(c->mon, &loss), 0);
	assert_int_equal(loss.static_counted, sum);
	assert_int_equal(loss.static_delivered, sum);
	assert_int_equal(loss.balanced, 1);
}

struct naive_access any_at(uint64_t home, uint64_t page)
{
	return (struct naive_access){NAIVE_ANY, home, NAIVE_ANY, page, NAIVE_ANY};
}

/*
 * Check that every row of the histogram and every number of the transfer matrix agree with the sent
 * accesses.
 */
void expect_histogram(struct conformance *c, const struct naive *naive, bool typed)
{
	struct Monitor_histogram_row rows[512];
	uint64_t transfers[NODES + 2][NODES + 2];
	uint64_t accesses = 0;
	int count = Monitor_histogram_info(c->mon, rows, 512);

	assert_in_range(count, 1, 512);
	for (int i = 0; i < count; i++) {
		const struct Monitor_histogram_row *row = &rows[i];
		struct naive_access like = any_at(row->home, row->page);
		uint64_t all = naive_page_count(naive, &like);

		if (i > 0) {
			const struct Monitor_histogram_row *last = &rows[i - 1];

			assert_true(last->page < row->page ||
				    (last->page == row->page &&
				     (last->home < row->home ||
				      (last->home == row->home && last->source < row->source))));
		}
		like.source = row->source;
		assert_true(row->accesses > 0);
		assert_int_equal(row->accesses, naive_page_count(naive, &like));
		assert_true(fabs(row->ratio - (double)row->accesses / (double)all) < 1e-9);
		like.type = SMILE_TYPE_READ;
		assert_int_equal(row->reads, typed ? naive_page_count(naive, &like) : 0);
		like.type = SMILE_TYPE_WRITE;
		assert_int_equal(row->writes, typed ? naive_page_count(naive, &like) : 0);
		like.type = SMILE_TYPE_LOCK;
		assert_int_equal(row->locks, typed ? naive_page_count(naive, &like) : 0);
		accesses += row->accesses;
	}
	/* Nothing is missing. */
	assert_int_equal(accesses, naive->count);

	assert_in_range(Monitor_get_packets(c->mon, &transfers[0][0], NODES + 2), 1, NODES + 2);
	for (unsigned int source = 0; source < NODES + 2; source++) {
		for (unsigned int home = 0; home < NODES + 2; home++) {
			struct naive_access like = {source, home, NAIVE_ANY, NAIVE_ANY, NAIVE_ANY};

			assert_int_equal(transfers[source][home], naive_page_count(naive, &like));
		}
	}
}

void expect_balanced(struct conformance *c, uint64_t accepted)
{
	struct Monitor_loss loss;

	assert_int_equal(Monitor_loss(c->mon, &loss), 0);
	assert_int_equal(loss.known, 1);
	assert_int_equal(loss.accepted, accepted);
	assert_int_equal(loss.delivered, accepted);
	assert_int_equal(loss.lost, 0);
	assert_int_equal(loss.pending, 0);
	assert_int_equal(loss.marks_lost, 0);
	assert_int_equal(loss.balanced, 1);
}
