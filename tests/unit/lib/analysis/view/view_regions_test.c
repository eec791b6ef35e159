/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/view/view_regions.c: the region of each page. Pages 4 to 10 are accessed.
 */
#include "tests/unit/view_fixture.h"

#define FIRST 4
#define LAST 10

static struct view_model loaded(const struct Monitor_region *regions, size_t count)
{
	struct smile_record records[LAST - FIRST + 1];
	struct Monitor *mon;

	for (unsigned int page = FIRST; page <= LAST; page++)
		records[page - FIRST] = record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(page), 1, 1);
	mon = recording_opened(records, LAST - FIRST + 1);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(Monitor_region_add(mon, &regions[i]), 0);
	return view_loaded(mon);
}

/* Index of a page's region in the model. */
static uint32_t region_of(const struct view_model *model, unsigned int page)
{
	return model->pages[page - FIRST].region;
}

static void pages_lie_in_the_region_of_their_first_byte(void **state)
{
	const struct Monitor_region regions[] = {
		{.start = PAGE(4), .end = PAGE(6), .kind = MONITOR_REGION_HEAP, .name = ""},
		/*
		 * This region begins in the middle of page 5, and ends 8 bytes after the start of
		 * page 7.
		 */
		{.start = PAGE(5) + 2048,
		 .end = PAGE(7) + 8,
		 .kind = MONITOR_REGION_NAMED,
		 .name = "grid"},
		/* The region starts inside page 9. */
		{.start = PAGE(9) + 100, .end = PAGE(10), .kind = MONITOR_REGION_HEAP, .name = "b"},
	};
	struct view_model model = loaded(regions, 3);

	assert_int_equal(model.region_count, 3);
	assert_string_equal(model.regions[region_of(&model, 4)].name, "");
	assert_string_equal(model.regions[region_of(&model, 5)].name, "");
	assert_string_equal(model.regions[region_of(&model, 6)].name, "grid");
	assert_string_equal(model.regions[region_of(&model, 7)].name, "grid");
	assert_int_equal(region_of(&model, 8), VIEW_NO_REGION);
	assert_string_equal(model.regions[region_of(&model, 9)].name, "b");
	assert_int_equal(region_of(&model, 10), VIEW_NO_REGION);
	view_closed(&model);
}

static void the_last_of_several_regions_holds(void **state)
{
	const struct Monitor_region regions[] = {
		{.start = PAGE(4), .end = PAGE(9), .kind = MONITOR_REGION_HEAP, .name = "old"},
		{.start = PAGE(5), .end = PAGE(6), .kind = MONITOR_REGION_HEAP, .name = "new"},
	};
	struct view_model model = loaded(regions, 2);

	assert_string_equal(model.regions[region_of(&model, 4)].name, "old");
	assert_string_equal(model.regions[region_of(&model, 5)].name, "new");
	assert_string_equal(model.regions[region_of(&model, 6)].name, "old");
	view_closed(&model);
}

/* Code contains no data, but the region that was there before did. */
static void code_is_no_region_of_the_model(void **state)
{
	const struct Monitor_region regions[] = {
		{.start = PAGE(4), .end = PAGE(5), .kind = MONITOR_REGION_HEAP, .name = "data"},
		{.start = PAGE(4), .end = PAGE(5), .kind = MONITOR_REGION_CODE, .name = "lib.so"},
		{.start = PAGE(6), .end = PAGE(7), .kind = MONITOR_REGION_CODE, .name = "lib.so"},
	};
	struct view_model model = loaded(regions, 3);

	assert_int_equal(model.region_count, 1);
	assert_string_equal(model.regions[region_of(&model, 4)].name, "data");
	assert_int_equal(region_of(&model, 6), VIEW_NO_REGION);
	view_closed(&model);
}

static void without_regions_no_page_has_one(void **state)
{
	struct view_model model = loaded(NULL, 0);

	assert_int_equal(model.region_count, 0);
	for (unsigned int page = FIRST; page <= LAST; page++)
		assert_int_equal(region_of(&model, page), VIEW_NO_REGION);
	view_closed(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_lie_in_the_region_of_their_first_byte),
		cmocka_unit_test(the_last_of_several_regions_holds),
		cmocka_unit_test(code_is_no_region_of_the_model),
		cmocka_unit_test(without_regions_no_page_has_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
