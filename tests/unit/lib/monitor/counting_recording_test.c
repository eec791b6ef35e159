/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/monitor/counting_recording.c: random traffic is recorded as a card's records, as
 * exact counts of its requests, and as counts of the caller. All three must give the same results.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <base/field.h>
#include <hw/blink.h>

#include "tests/unit/lib_fixture.h"

#define REQUESTS 30000U
#define PAGES 5U
#define NODES 4U
#define WORDS (SMILE_PAGE_BYTES / SMILE_WORD_BYTES)
#define TYPES SMILE_TYPE_COUNT
#define PHASE 4U
/* The number of sums: one for each phase, source, destination, type, page and block. */
#define SUMS (3U * NODES * NODES * TYPES * PAGES * WORDS)

static uint64_t state = 3;

static uint32_t random_below(uint32_t limit)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(state >> 33) % limit;
}

static uint64_t requests[REQUESTS];

static void make_requests(void)
{
	for (unsigned i = 0; i < REQUESTS; i++) {
		unsigned page = random_below(PAGES);
		unsigned home = page % NODES, source = (home + 1 + random_below(NODES - 1)) % NODES;
		unsigned offset = random_below(random_below(2) ? 64 : SMILE_PAGE_BYTES);

		requests[i] = Monitor_request(source, home, SMILE_TYPE_READ + random_below(3),
					      page * SMILE_PAGE_BYTES + offset);
	}
}

enum how {
	AS_RECORDS,
	AS_SUMS,
	AS_COUNTS,
};

static struct Monitor *begin(const char *name, const struct smile_config *config, enum how how)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_config_set(mon, config), 0);
	if (how == AS_COUNTS)
		assert_int_equal(Monitor_record_only(mon), 0);
	if (how == AS_RECORDS)
		assert_int_equal(Monitor_save(mon, scratch_path(name), "test"), 0);
	else
		assert_int_equal(Monitor_save_counts(mon, scratch_path(name), "test"), 0);
	assert_int_equal(Monitor_start(mon), 0);
	return mon;
}

static void end(struct Monitor *mon)
{
	struct Monitor_loss loss;

	assert_int_equal(Monitor_stop(mon), 0);
	assert_true(Monitor_swap(mon) >= 0);
	assert_int_equal(Monitor_loss(mon, &loss), 0);
	assert_true(loss.known && loss.balanced && !loss.lost);
	assert_int_equal(Monitor_close(mon), 0);
}

/*
 * Pass the counts of a page, with several adjacent blocks in one call. @request: a request for the
 * first byte.
 */
static void pass_page(struct Monitor *mon, unsigned block_bytes, uint64_t request,
		      const uint32_t *counts, uint64_t time_ns)
{
	unsigned blocks = SMILE_PAGE_BYTES / block_bytes, some;

	for (unsigned block = 0; block < blocks; block += some) {
		some = 1 + random_below(blocks - block);
		assert_int_equal(Monitor_counted(mon, request + block * block_bytes, counts + block,
						 some, time_ns),
				 0);
	}
}

/* First add up the counts of each block, and then pass them. */
static void pass_counts(struct Monitor *mon, const struct smile_config *config, unsigned first,
			unsigned last, uint64_t time_ns)
{
	static uint32_t counts[NODES][TYPES][PAGES][WORDS];

	memset(counts, 0, sizeof(counts));
	for (unsigned i = first; i < last; i++) {
		uint64_t address = SMILE_GET(BLINK_REQUEST_ADDRESS, requests[i]);

		counts[SMILE_GET(BLINK_REQUEST_SOURCE, requests[i])]
		      [SMILE_GET(BLINK_REQUEST_TYPE, requests[i])][address / SMILE_PAGE_BYTES]
		      [address % SMILE_PAGE_BYTES / config->max_range_bytes]++;
	}
	for (unsigned source = 0; source < NODES; source++)
		for (unsigned page = 0; page < PAGES; page++)
			for (unsigned type = SMILE_TYPE_READ; type < TYPES; type++)
				pass_page(mon, config->max_range_bytes,
					  Monitor_request(source, page % NODES, type,
							  page * SMILE_PAGE_BYTES),
					  counts[source][type][page], time_ns);
}

static void record(const char *name, const struct smile_config *config, enum how how)
{
	struct Monitor *mon = begin(name, config, how);

	for (unsigned phase = 0; phase < 3; phase++) {
		unsigned first = phase * (REQUESTS / 3), last = first + REQUESTS / 3;
		uint64_t times_ns[1];

		for (unsigned i = first; i < last && how != AS_COUNTS; i++) {
			times_ns[0] = i;
			assert_int_equal(Monitor_requests(mon, &requests[i], times_ns, 1), 1);
			if (!random_below(1000))
				assert_true(Monitor_poll(mon, 0) >= 0);
		}
		if (how == AS_COUNTS)
			pass_counts(mon, config, first, last, last - 1);
		if (phase < 2)
			assert_int_equal(Monitor_event(mon, PHASE), 0);
	}
	end(mon);
}

/* The sums of a recording for each phase, pair of nodes, type and block. */
static uint64_t *sums_of(const char *name, const struct smile_config *config, unsigned kind)
{
	uint64_t *sums = calloc(SUMS, sizeof(*sums));
	struct smile_record records[100];
	struct Monitor_record record;
	struct Monitor *mon;
	unsigned phase = 0, found = 0;
	int got;

	assert_int_equal(Monitor_open(&mon, scratch_path(name)), 0);
	assert_int_equal(Monitor_counting(mon), kind == MONITOR_KIND_COUNT);
	while ((got = Monitor_records_read(mon, records, 100, 0)) > 0) {
		for (int i = 0; i < got; i++) {
			uint64_t at;

			assert_int_equal(Monitor_record_decode(&records[i], &record), 0);
			phase += record.phase;
			if (record.kind != kind)
				continue;
			at = phase * NODES + record.source;
			at = (at * NODES + record.destination) * TYPES + record.type;
			at = at * PAGES + record.address / SMILE_PAGE_BYTES;
			at = at * WORDS +
			     record.address % SMILE_PAGE_BYTES / config->max_range_bytes;
			assert_true(at < SUMS);
			sums[at] += record.count;
			found++;
		}
	}
	assert_int_equal(got, 0);
	assert_true(found > 50 && phase == 2);
	assert_int_equal(Monitor_close(mon), 0);
	return sums;
}

static void compare(const struct smile_config *config)
{
	uint64_t *records, *sums, *counts;

	record("records.rec", config, AS_RECORDS);
	record("sums.rec", config, AS_SUMS);
	record("counts.rec", config, AS_COUNTS);
	records = sums_of("records.rec", config, SMILE_KIND_DYNAMIC);
	sums = sums_of("sums.rec", config, MONITOR_KIND_COUNT);
	counts = sums_of("counts.rec", config, MONITOR_KIND_COUNT);
	assert_memory_equal(records, sums, SUMS * sizeof(*sums));
	assert_memory_equal(records, counts, SUMS * sizeof(*sums));
	free(records);
	free(sums);
	free(counts);
}

static void counting_is_the_sum_of_the_records(void **state_)
{
	static const struct {
		uint32_t range, entries, filter, mode;
	} rows[] = {
		{4, 16, SMILE_FILTER_DEFAULT, SMILE_MODE_TYPED_TAGS},
		{4, 1, SMILE_FILTER_DEFAULT, SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED},
		{64, 8, SMILE_FILTER_DEFAULT, SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED},
		{4096, 64, SMILE_FILTER_DEFAULT, SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED},
		{4, 16, SMILE_FILTER_DEFAULT, 0},
		{256, 16, SMILE_FILTER_DEFAULT & ~SMILE_FILTER_READ, SMILE_MODE_ALIGNED},
		{4, 16, SMILE_FILTER_DEFAULT & ~SMILE_FILTER_FOREIGN, SMILE_MODE_TYPED_TAGS},
		{16, 16, SMILE_FILTER_DEFAULT & ~SMILE_FILTER_OUTGOING,
		 SMILE_MODE_ALIGNED | SMILE_MODE_NARROW},
	};
	struct smile_config config;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		Monitor_config_default(&config);
		config.node = 1;
		config.max_range_bytes = rows[i].range;
		config.entries = rows[i].entries;
		config.filter = rows[i].filter;
		config.mode = rows[i].mode;
		config.phase_events = 1U << PHASE;
		make_requests();
		compare(&config);
	}
}

/* Open a view without ranges except those of page 2, or only with sums by nodes. */
static struct Monitor *whole_opened(const char *name, int nodes_only)
{
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, scratch_path(name)), 0);
	if (nodes_only)
		assert_int_equal(Monitor_nodes_only(mon), 0);
	else
		assert_int_equal(Monitor_ranges_only(mon, 2, 1), 0);
	return mon;
}

static int range_count(const struct Monitor_count *count, void *opaque)
{
	uint64_t *sum = opaque;

	*sum += count->accesses;
	return 0;
}

static int range_sum(const struct Monitor_count *count, void *opaque)
{
	uint64_t *sum = opaque;

	*sum += count->accesses * (1 + count->page * 31 + count->source * 7 + count->type * 3 +
				   count->offset + count->bytes);
	return 0;
}

/*
 * If the view does not distinguish the ranges of a page, its records may be added up. All results
 * must stay equal.
 */
static void whole_compare(const char *name, int nodes_only)
{
	struct Monitor *one = whole_opened(name, nodes_only);
	struct Monitor *each = whole_opened(name, nodes_only);
	struct Monitor_histogram_row rows[2][64];
	struct smile_record records[100];
	struct Monitor_phase phases[2][3];
	struct Monitor_loss loss[2];
	uint64_t matrix[2][NODES * NODES], ranges[2] = {0}, polled = 0, read = 0;
	int got;

	while ((got = Monitor_poll(one, 0)) > 0)
		polled += (uint64_t)got;
	while ((got = Monitor_records_read(each, records, 100, 0)) > 0)
		read += (uint64_t)got;
	assert_true(polled < read);
	memset(loss, 0, sizeof(loss));
	memset(phases, 0, sizeof(phases));
	assert_int_equal(Monitor_loss(one, &loss[0]), 0);
	assert_int_equal(Monitor_loss(each, &loss[1]), 0);
	assert_memory_equal(&loss[0], &loss[1], sizeof(loss[0]));
	assert_true(loss[0].records == read);
	assert_int_equal(Monitor_phases(one, phases[0], 3), 3);
	assert_int_equal(Monitor_phases(each, phases[1], 3), 3);
	assert_memory_equal(phases[0], phases[1], sizeof(phases[0]));
	assert_int_equal(Monitor_get_packets(one, matrix[0], NODES), NODES);
	assert_int_equal(Monitor_get_packets(each, matrix[1], NODES), NODES);
	assert_memory_equal(matrix[0], matrix[1], sizeof(matrix[0]));
	if (!nodes_only) {
		int count = Monitor_histogram_info(one, rows[0], 64);

		assert_in_range(count, PAGES, 64);
		assert_int_equal(Monitor_histogram_info(each, rows[1], 64), count);
		assert_memory_equal(rows[0], rows[1], (size_t)count * sizeof(rows[0][0]));
		assert_int_equal(Monitor_walk_ranges(one, range_sum, &ranges[0]), 0);
		assert_int_equal(Monitor_walk_ranges(each, range_sum, &ranges[1]), 0);
		assert_true(ranges[0] && ranges[0] == ranges[1]);
	}
	assert_int_equal(Monitor_close(one), 0);
	assert_int_equal(Monitor_close(each), 0);
}

static void counting_of_whole_pages_is_added_up(void **state_)
{
	static const uint32_t modes[] = {SMILE_MODE_TYPED_TAGS, 0};
	struct smile_config config;

	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		Monitor_config_default(&config);
		config.node = 1;
		config.max_range_bytes = 4;
		config.mode = modes[i];
		config.phase_events = 1U << PHASE;
		make_requests();
		record("whole.rec", &config, AS_SUMS);
		whole_compare("whole.rec", 0);
		whole_compare("whole.rec", 1);
	}
}

/* Open recordings of one run, in which one variable contains all pages. */
static struct Monitor *variable_opened(const char *const names[2], int variables_only)
{
	const struct Monitor_region all = {.start = 0,
					   .end = PAGES * SMILE_PAGE_BYTES,
					   .kind = MONITOR_REGION_NAMED,
					   .name = "all"};
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, scratch_path(names[0])), 0);
	if (names[1])
		assert_int_equal(Monitor_attach(mon, scratch_path(names[1])), 0);
	assert_int_equal(Monitor_region_add(mon, &all), 0);
	if (variables_only)
		assert_int_equal(Monitor_variables_only(mon), 0);
	while (!Monitor_ended(mon))
		assert_true(Monitor_poll(mon, 0) >= 0);
	return mon;
}

/* Get all results that are the same whether or not ranges are counted. */
static void all_get(struct Monitor *mon, struct Monitor_histogram_row rows[64], int *count,
		    struct Monitor_phase phases[3], struct Monitor_loss *loss)
{
	memset(rows, 0, 64 * sizeof(*rows));
	memset(phases, 0, 3 * sizeof(*phases));
	memset(loss, 0, sizeof(*loss));
	*count = Monitor_histogram_info(mon, rows, 64);
	assert_in_range(*count, PAGES, 64);
	assert_int_equal(Monitor_phases(mon, phases, 3), 3);
	assert_int_equal(Monitor_loss(mon, loss), 0);
}

/*
 * The ranges of pages 2 and 4 are counted later. They must equal those of a complete view; none may
 * be counted twice.
 */
static void later_compare(const char *const names[2])
{
	static const uint64_t later[] = {2, 4, PAGES + 7};
	struct Monitor *all = variable_opened(names, 0), *mon = variable_opened(names, 1);
	struct Monitor_histogram_row rows[2][64];
	struct Monitor_phase phases[2][3];
	struct Monitor_loss loss[2];
	int count[2];

	all_get(mon, rows[0], &count[0], phases[0], &loss[0]);
	assert_int_equal(Monitor_ranges_of(mon, later, 3), 0);
	/* If a range was already counted, it is not counted a second time. */
	assert_int_equal(Monitor_ranges_of(mon, later, 2), 0);
	all_get(mon, rows[1], &count[1], phases[1], &loss[1]);
	assert_int_equal(count[0], count[1]);
	assert_memory_equal(rows[0], rows[1], sizeof(rows[0]));
	assert_memory_equal(phases[0], phases[1], sizeof(phases[0]));
	assert_memory_equal(&loss[0], &loss[1], sizeof(loss[0]));
	for (uint64_t page = 0; page < PAGES; page++) {
		uint64_t sums[2] = {0}, counts[SMILE_PAGE_BYTES / 64 * NODES];
		unsigned home = (unsigned)page % NODES;
		bool is_later = page == 2 || page == 4;

		assert_int_equal(Monitor_walk_page_ranges(all, page, home, range_sum, &sums[0]), 0);
		assert_int_equal(Monitor_walk_page_ranges(mon, page, home, range_sum, &sums[1]), 0);
		assert_true(sums[0] && sums[1] && (sums[0] == sums[1]) == is_later);
		assert_int_equal(Monitor_sections_info(mon, home, page, 64, counts, NULL, NODES),
				 is_later ? 64 : -ENODATA);
	}
	assert_int_equal(Monitor_close(all), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

static void ranges_of_some_pages_are_counted_later(void **state_)
{
	static const char *const counted[] = {"later0.rec", "later1.rec"};
	static const char *const records[] = {"later2.rec", "later3.rec"};
	struct smile_config config;

	for (unsigned i = 0; i < 2; i++) {
		Monitor_config_default(&config);
		config.node = i;
		config.max_range_bytes = 4;
		config.mode = SMILE_MODE_TYPED_TAGS;
		config.phase_events = 1U << PHASE;
		make_requests();
		record(counted[i], &config, AS_SUMS);
		record(records[i], &config, AS_RECORDS);
		later_compare((const char *const[2]){counted[i]});
		later_compare((const char *const[2]){records[i]});
	}
	later_compare(counted);
	later_compare(records);
}

static void ranges_are_counted_later_in_recordings_alone(void **state_)
{
	static const char *const names[2] = {"refused.rec"};
	const uint64_t page = 2;
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_ranges_of(mon, &page, 1), -EOPNOTSUPP);
	assert_int_equal(Monitor_close(mon), 0);
	Monitor_config_default(&config);
	config.phase_events = 1U << PHASE;
	make_requests();
	record(names[0], &config, AS_RECORDS);
	assert_int_equal(Monitor_open(&mon, scratch_path(names[0])), 0);
	assert_int_equal(Monitor_ranges_of(mon, &page, 1), -EBUSY);
	assert_true(Monitor_poll(mon, 0) > 0);
	assert_int_equal(Monitor_ranges_of(mon, &page, 1), -EBUSY);
	assert_int_equal(Monitor_close(mon), 0);
	mon = variable_opened(names, 1);
	assert_int_equal(Monitor_save(mon, scratch_path("copy.rec"), "test"), -EBUSY);
	assert_int_equal(Monitor_ranges_of(mon, &page, 1), 0);
	assert_int_equal(Monitor_close(mon), 0);
}

/* The first reading has reported the damage. The second reading counts the undamaged records. */
static void ranges_of_a_recording_that_is_cut_off_are_counted_later(void **state_)
{
	static const char *const names[2] = {"cut.rec"};
	const uint64_t pages[] = {0, 1, 2, 3, 4};
	struct Monitor_histogram_row rows[64];
	struct smile_config config;
	struct Monitor *mon;
	uint64_t accesses = 0, ranges = 0;
	int count, errors = 0;
	struct stat status;

	Monitor_config_default(&config);
	config.phase_events = 1U << PHASE;
	make_requests();
	record(names[0], &config, AS_SUMS);
	assert_int_equal(stat(scratch_path(names[0]), &status), 0);
	/* The file ends within a group of the last phase. */
	assert_int_equal(truncate(scratch_path(names[0]), status.st_size - 3000), 0);
	assert_int_equal(Monitor_open(&mon, scratch_path(names[0])), 0);
	assert_int_equal(
		Monitor_region_add(mon,
				   &(const struct Monitor_region){.end = PAGES * SMILE_PAGE_BYTES,
								  .kind = MONITOR_REGION_NAMED,
								  .name = "all"}),
		0);
	assert_int_equal(Monitor_variables_only(mon), 0);
	while (!Monitor_ended(mon))
		errors += Monitor_poll(mon, 0) < 0;
	assert_true(errors > 0);
	assert_int_equal(Monitor_ranges_of(mon, pages, PAGES), 0);
	count = Monitor_histogram_info(mon, rows, 64);
	assert_in_range(count, 1, 64);
	for (int i = 0; i < count; i++)
		accesses += rows[i].accesses;
	assert_int_equal(Monitor_walk_ranges(mon, range_count, &ranges), 0);
	assert_true(accesses && ranges == accesses);
	assert_int_equal(Monitor_close(mon), 0);
}

static void counting_needs_aligned_ranges(void **state_)
{
	struct smile_config config;
	struct Monitor *mon;

	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	Monitor_config_default(&config);
	config.max_range_bytes = 64;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_save_counts(mon, scratch_path("no.rec"), "test"), -EINVAL);
	config.mode |= SMILE_MODE_ALIGNED;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_save_counts(mon, scratch_path("no.rec"), "test"), 0);
	/* From here on, the configuration must not change. */
	config.max_range_bytes = 32;
	assert_int_equal(Monitor_config_set(mon, &config), -EBUSY);
	assert_int_equal(Monitor_close(mon), 0);
}

static void counted_is_checked(void **state_)
{
	const uint32_t counts[2] = {1, 1};
	struct smile_config config;
	struct Monitor *mon;

	Monitor_config_default(&config);
	assert_int_equal(Monitor_open(&mon, "emu:"), 0);
	assert_int_equal(Monitor_counted(mon, Monitor_request(1, 0, 1, 0), counts, 1, 0), -EINVAL);
	assert_int_equal(Monitor_counted_until(mon, 0), -EINVAL);
	assert_int_equal(Monitor_close(mon), 0);
	mon = begin("checked.rec", &config, AS_COUNTS);
	/* The second block would be on the following page. */
	assert_int_equal(Monitor_counted(mon, Monitor_request(1, 0, 1, 4092), counts, 2, 0),
			 -EINVAL);
	assert_int_equal(Monitor_counted(mon, Monitor_request(1, 0, 1, 4092), counts, 0, 0),
			 -EINVAL);
	assert_int_equal(Monitor_counted(mon, Monitor_request(1, 0, 1, 4092), counts, 1, 0), 0);
	end(mon);
}

/* The writer is killed after a checkpoint: the counts up to the checkpoint are complete. */
static void counting_that_was_not_closed_keeps_its_counts(void **state_)
{
	const uint32_t counts[2] = {7, 5};
	struct smile_config config;
	struct Monitor_origin origin;
	struct Monitor_loss loss;
	struct Monitor *mon, *reader;

	Monitor_config_default(&config);
	mon = begin("killed.rec", &config, AS_COUNTS);
	assert_int_equal(Monitor_counted(mon, Monitor_request(1, 0, 1, 0), counts, 2, 1000), 0);
	assert_int_equal(Monitor_counted_until(mon, 1234), 0);
	assert_int_equal(Monitor_open(&reader, scratch_path("killed.rec")), 0);
	while (Monitor_poll(reader, 0) > 0)
		;
	assert_int_equal(Monitor_origin(reader, &origin), 0);
	assert_true(!origin.complete && origin.until_ns == 1234);
	assert_int_equal(Monitor_loss(reader, &loss), 0);
	assert_true(!loss.known && loss.delivered == 12);
	assert_int_equal(Monitor_close(reader), 0);
	end(mon);
}

static uint64_t delivered(struct Monitor *reader)
{
	struct Monitor_loss loss;

	assert_int_equal(Monitor_loss(reader, &loss), 0);
	return loss.delivered;
}

/*
 * A reader that follows the file reads the counts at each checkpoint. At the end it has each count
 * once.
 */
static void counting_that_grows_is_followed(void **state_)
{
	const uint32_t counts[3] = {7, 0, 5};
	struct smile_config config;
	struct Monitor *mon, *reader;

	Monitor_config_default(&config);
	mon = begin("grows.rec", &config, AS_COUNTS);
	assert_int_equal(Monitor_open(&reader, scratch_path("grows.rec")), 0);
	assert_int_equal(Monitor_follow(reader), 0);
	for (uint64_t turn = 1; turn < 20; turn++) {
		assert_int_equal(
			Monitor_counted(mon, Monitor_request(1, 0, 1, 4 * turn), counts, 3, turn),
			0);
		assert_int_equal(Monitor_counted_until(mon, turn), 0);
		while (Monitor_poll(reader, 0) > 0)
			;
		assert_true(delivered(reader) == 12 * turn);
	}
	assert_int_equal(Monitor_counted(mon, Monitor_request(1, 0, 1, 0), counts, 1, 30), 0);
	end(mon);
	while (!Monitor_ended(reader))
		assert_true(Monitor_poll(reader, 1000) >= 0);
	assert_true(delivered(reader) == 12 * 19 + 7);
	assert_int_equal(Monitor_close(reader), 0);
}

/*
 * The library makes checkpoints without a call: the second follows soon after the first, even in
 * the first phase.
 */
static void counting_of_requests_writes_checkpoints(void **state_)
{
	const struct timespec nap = {.tv_nsec = 10000000};
	struct smile_config config;
	struct Monitor *mon, *reader;
	uint64_t passed = 0;

	Monitor_config_default(&config);
	mon = begin("checkpoints.rec", &config, AS_SUMS);
	assert_int_equal(Monitor_open(&reader, scratch_path("checkpoints.rec")), 0);
	assert_int_equal(Monitor_follow(reader), 0);
	/*
	 * Each request is for a new page, so that the card writes records. The first checkpoint may
	 * be due immediately.
	 */
	for (unsigned int seen = 0, tries = 0; seen < 2; tries++) {
		uint64_t request = Monitor_request(1, 0, 1, passed * SMILE_PAGE_BYTES);
		uint64_t before = delivered(reader);

		assert_true(tries < 30000);
		assert_int_equal(Monitor_requests(mon, &request, &passed, 1), 1);
		passed++;
		while (Monitor_poll(mon, 0) > 0)
			;
		while (Monitor_poll(reader, 0) > 0)
			;
		seen += delivered(reader) > before;
		nanosleep(&nap, NULL);
	}
	end(mon);
	while (!Monitor_ended(reader))
		assert_true(Monitor_poll(reader, 1000) >= 0);
	assert_true(delivered(reader) == passed);
	assert_int_equal(Monitor_close(reader), 0);
}

/* The file cannot grow. Its contents must remain, and the caller must get the error. */
static void counting_on_a_full_disk_keeps_what_is_there(void **state_)
{
	struct rlimit before, limit;
	uint32_t counts[WORDS];
	struct smile_config config;
	struct Monitor_loss loss;
	struct Monitor *mon, *reader;
	const uint64_t page_sum = WORDS * (WORDS + 1ULL) / 2;
	uint64_t passed = 0;
	int error = 0;

	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 100000;
	/* Different counts cannot be compressed, so they need room. */
	for (size_t i = 0; i < WORDS; i++)
		counts[i] = (uint32_t)(1 + i * 7919 % WORDS);
	Monitor_config_default(&config);
	mon = begin("full.rec", &config, AS_COUNTS);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (uint64_t page = 0; page < 100 && !error; page++) {
		error = Monitor_counted(mon, Monitor_request(1, 0, 1, page * SMILE_PAGE_BYTES),
					counts, WORDS, page);
		if (!error)
			error = Monitor_counted_until(mon, page);
		passed += error ? 0 : page_sum;
	}
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(error, -EFBIG);
	assert_int_equal(Monitor_counted(mon, Monitor_request(1, 0, 1, 0), counts, 1, 200), 0);
	assert_int_equal(Monitor_open(&reader, scratch_path("full.rec")), 0);
	while (Monitor_poll(reader, 0) > 0)
		;
	assert_int_equal(Monitor_loss(reader, &loss), 0);
	assert_true(passed > page_sum && loss.delivered >= passed);
	assert_int_equal(Monitor_close(reader), 0);
	assert_true(Monitor_close(mon) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counting_is_the_sum_of_the_records),
		cmocka_unit_test(counting_of_whole_pages_is_added_up),
		cmocka_unit_test(ranges_of_some_pages_are_counted_later),
		cmocka_unit_test(ranges_are_counted_later_in_recordings_alone),
		cmocka_unit_test(ranges_of_a_recording_that_is_cut_off_are_counted_later),
		cmocka_unit_test(counting_needs_aligned_ranges),
		cmocka_unit_test(counted_is_checked),
		cmocka_unit_test(counting_that_was_not_closed_keeps_its_counts),
		cmocka_unit_test(counting_that_grows_is_followed),
		cmocka_unit_test(counting_of_requests_writes_checkpoints),
		cmocka_unit_test(counting_on_a_full_disk_keeps_what_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
