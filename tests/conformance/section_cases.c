/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Conformance cases: accesses within a page, and queries that cannot be answered. May use
 * fixture.h, traffic.h and the public API.
 */
#include <errno.h>
#include <string.h>

#include "tests/conformance/cases.h"
#include "tests/conformance/traffic.h"

typedef int sections_function(struct Monitor *mon, unsigned int home, uint64_t page,
			      unsigned int section_bytes, uint64_t *counts, uint64_t *straddling,
			      size_t nodes);

static const struct {
	sections_function *function;
	uint64_t type;
} section_views[] = {
	{Monitor_sections_info, NAIVE_ANY},
	{Monitor_sections_read, SMILE_TYPE_READ},
	{Monitor_sections_write, SMILE_TYPE_WRITE},
};

/*
 * Check that the counts of all sections of at least @smallest bytes are those of the sent accesses,
 * and that no range straddles a border.
 */
static void expect_sections(struct conformance *c, const struct naive *naive, unsigned int smallest)
{
	static uint64_t counts[1024][NODES];
	uint64_t straddling[NODES];

	for (size_t view = 0; view < 3; view++) {
		for (unsigned int bytes = smallest; bytes <= SMILE_PAGE_BYTES; bytes *= 2) {
			unsigned int sections = SMILE_PAGE_BYTES / bytes;

			assert_int_equal(section_views[view].function(c->mon, 1, 40, bytes,
								      &counts[0][0], straddling,
								      NODES),
					 sections);
			for (unsigned int node = 0; node < NODES; node++) {
				struct naive_access like = {node, 1, section_views[view].type, 40,
							    NAIVE_ANY};

				assert_int_equal(straddling[node], 0);
				for (unsigned int s = 0; s < sections; s++)
					assert_int_equal(
						counts[s][node],
						naive_section_count(naive, &like, bytes, s));
			}
		}
	}
}

static void sections_case(struct conformance *c, unsigned int max_range_bytes, unsigned int mode)
{
	struct smile_config config = config_default();
	struct naive naive = {0};

	config.max_range_bytes = max_range_bytes;
	config.mode = mode;
	conformance_open(c, &config);
	traffic_add(c, &naive, 77, 3000, 0);
	conformance_feed(c);
	conformance_finish(c);
	expect_sections(c, &naive, max_range_bytes);
	naive_free(&naive);
}

void Monitor_sections_info_oneWordRanges_isExactForEverySize(void **state)
{
	sections_case(*state, 4, SMILE_MODE_DEFAULT);
}

void Monitor_sections_info_alignedRanges_isExactFromMaxRangeUp(void **state)
{
	sections_case(*state, 64, SMILE_MODE_DEFAULT | SMILE_MODE_ALIGNED);
}

void Monitor_sections_info_rangeOverBorder_straddles(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	uint64_t counts[1024][NODES];
	uint64_t straddling[NODES];

	config.max_range_bytes = 16;
	conformance_open(c, &config);
	/*
	 * Node 2's range is bytes 12 to 19: it straddles borders of sections of 4, 8 and 16 bytes,
	 * and lies within a section of 32 bytes.
	 */
	access_add(c, &naive, 2, 0, SMILE_TYPE_READ, 0x500c, 0);
	access_add(c, &naive, 2, 0, SMILE_TYPE_READ, 0x5010, 0);
	access_add(c, &naive, 2, 0, SMILE_TYPE_READ, 0x5010, 0);
	/*
	 * Node 3's range is bytes 2040 to 2055: it straddles the border of every size, up to the
	 * middle of the page.
	 */
	access_add(c, &naive, 3, 0, SMILE_TYPE_WRITE, 0x57f8, 0);
	access_add(c, &naive, 3, 0, SMILE_TYPE_WRITE, 0x5804, 0);
	/* Node 4's range is bytes 64 to 79: exactly one section of 16 bytes. */
	access_add(c, &naive, 4, 0, SMILE_TYPE_READ, 0x5040, 0);
	access_add(c, &naive, 4, 0, SMILE_TYPE_READ, 0x504c, 0);
	conformance_feed(c);
	conformance_finish(c);
	expect_histogram(c, &naive, true);

	for (unsigned int bytes = 4; bytes <= SMILE_PAGE_BYTES; bytes *= 2) {
		unsigned int sections = SMILE_PAGE_BYTES / bytes;
		uint64_t placed = 0;

		assert_int_equal(Monitor_sections_info(c->mon, 0, 5, bytes, &counts[0][0],
						       straddling, NODES),
				 sections);
		for (unsigned int s = 0; s < sections; s++)
			for (unsigned int node = 0; node < NODES; node++)
				placed += counts[s][node];
		assert_int_equal(straddling[0], 0);
		assert_int_equal(straddling[1], 0);
		assert_int_equal(straddling[2], bytes < 32 ? 3 : 0);
		assert_int_equal(straddling[3], bytes < 4096 ? 2 : 0);
		assert_int_equal(straddling[4], bytes < 16 ? 2 : 0);
		assert_int_equal(placed + straddling[2] + straddling[3] + straddling[4],
				 naive.count);
		if (bytes >= 32)
			assert_int_equal(counts[0][2], 3);
		if (bytes == 16)
			assert_int_equal(counts[4][4], 2);
	}
	/* Reads and writes separately; the array of straddling counts may be NULL. */
	assert_int_equal(Monitor_sections_read(c->mon, 0, 5, 16, &counts[0][0], straddling, NODES),
			 256);
	assert_int_equal(straddling[2], 3);
	assert_int_equal(straddling[3], 0);
	assert_int_equal(Monitor_sections_write(c->mon, 0, 5, 16, &counts[0][0], straddling, NODES),
			 256);
	assert_int_equal(straddling[2], 0);
	assert_int_equal(straddling[3], 2);
	assert_int_equal(counts[4][4], 0);
	assert_int_equal(Monitor_sections_info(c->mon, 0, 5, 4096, &counts[0][0], NULL, NODES), 1);
	assert_int_equal(counts[0][3], 2);
	naive_free(&naive);
}

void Monitor_views_badQuestion_leaveOutputsAlone(void **state)
{
	struct conformance *c = *state;
	struct smile_config config = config_default();
	struct naive naive = {0};
	uint64_t before[1024];
	uint64_t counts[1024];
	static const unsigned int sizes[] = {0, 1, 2, 3, 12, 8192, 0x80000000};

	conformance_open(c, &config);
	access_add(c, &naive, 1, 0, SMILE_TYPE_READ, 0x1000, 0);
	conformance_feed(c);
	conformance_finish(c);
	memset(before, 0x5a, sizeof(before));
	memcpy(counts, before, sizeof(counts));
	for (size_t view = 0; view < 3; view++) {
		sections_function *sections = section_views[view].function;

		/* A page that does not exist; a page that is not at this home. */
		assert_int_equal(sections(c->mon, 0, 2, 4096, counts, counts + 8, 2), -ENOENT);
		assert_int_equal(sections(c->mon, 1, 1, 4096, counts, counts + 8, 2), -ENOENT);
		for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
			assert_int_equal(sections(c->mon, 0, 1, sizes[i], counts, counts + 8, 2),
					 -EINVAL);
	}
	assert_int_equal(Monitor_phase_info(c->mon, 0, 2, counts, 4, 2), -ENOENT);
	assert_int_equal(Monitor_page_home(c->mon, 2), -ENOENT);
	assert_memory_equal(counts, before, sizeof(counts));
	naive_free(&naive);
}
