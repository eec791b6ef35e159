/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/view/view_details.c: sections and phases of the pages with the highest
 * losses.
 *
 * All pages are on node 0. Node 1 reads the third word of page 5 ten times in the first phase and
 * twice in the second phase, page 6 once, and page 4 twice. Node 2 writes the last word of page 5
 * four times.
 */
#include <stdlib.h>

#include "lib/analysis/view/view_details.h"
#include "tests/unit/view_fixture.h"

/* The index of a word of 4 bytes in the binary tree of blocks. The words are the leaves. */
#define WORD(number) (1024 + (number))
#define ACCESSOR(node, type) ((node) << 2 | (type))

static struct Monitor *opened(void)
{
	const struct smile_record records[] = {
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5) + 8, 1, 10),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(6), 1, 1),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(4), 1, 2),
		record_mark(0, 1, 1000),
		record_dynamic(SMILE_TYPE_READ, 1, 0, PAGE(5) + 8, 1, 2),
		record_dynamic(SMILE_TYPE_WRITE, 2, 0, PAGE(5) + 4092, 1, 4),
	};

	return recording_opened(records, sizeof(records) / sizeof(records[0]));
}

static void detail_is(const struct view_detail *detail, uint32_t slot, uint32_t where,
		      uint32_t accessor, uint64_t accesses)
{
	assert_int_equal(detail->slot, slot);
	assert_int_equal(detail->where, where);
	assert_int_equal(detail->accessor, accessor);
	assert_int_equal(detail->accesses, accesses);
}

static void pages_that_lose_most_are_kept(void **state)
{
	struct view_model model = view_loaded(opened());
	struct view_details details = {0};

	assert_int_equal(view_details_load(&details, &model, 2), 0);
	assert_int_equal(details.slots, 2);
	assert_int_equal(model.pages[details.order[0]].number, 5);
	assert_int_equal(model.pages[details.order[1]].number, 4);
	view_details_free(&details);
	view_closed(&model);
}

static void ranges_are_blocks_of_a_page(void **state)
{
	struct view_model model = view_loaded(opened());
	struct view_details details = {0};
	struct view_detail *list;
	size_t count;

	assert_int_equal(view_details_load(&details, &model, 2), 0);
	assert_int_equal(view_details_list(&details, VIEW_DETAIL_RANGES, &list, &count), 0);
	assert_int_equal(count, 3);
	detail_is(&list[0], 0, WORD(2), ACCESSOR(1, SMILE_TYPE_READ), 12);
	detail_is(&list[1], 0, WORD(1023), ACCESSOR(2, SMILE_TYPE_WRITE), 4);
	detail_is(&list[2], 1, WORD(0), ACCESSOR(1, SMILE_TYPE_READ), 2);
	free(list);
	view_details_free(&details);
	view_closed(&model);
}

/*
 * The accesses of a node to its own pages are listed only by phase, since a run does not record
 * which word they accessed.
 */
static void phases_have_own_accesses(void **state)
{
	const struct Monitor_local own = {.page = 5, .node = 0, .phase = 1, .reads = 3};
	struct Monitor *mon = opened();
	struct view_details details = {0};
	struct view_detail *list;
	struct view_model model;
	size_t count;

	assert_int_equal(Monitor_local_add(mon, &own), 0);
	model = view_loaded(mon);
	assert_int_equal(view_details_load(&details, &model, 1), 0);
	assert_int_equal(view_details_list(&details, VIEW_DETAIL_PHASES, &list, &count), 0);
	assert_int_equal(count, 4);
	detail_is(&list[0], 0, 0, ACCESSOR(1, SMILE_TYPE_READ), 10);
	detail_is(&list[1], 0, 1, ACCESSOR(0, SMILE_TYPE_ANY), 3);
	detail_is(&list[2], 0, 1, ACCESSOR(1, SMILE_TYPE_READ), 2);
	detail_is(&list[3], 0, 1, ACCESSOR(2, SMILE_TYPE_WRITE), 4);
	free(list);
	assert_int_equal(view_details_list(&details, VIEW_DETAIL_RANGES, &list, &count), 0);
	assert_int_equal(count, 2);
	free(list);
	view_details_free(&details);
	view_closed(&model);
}

static void no_page_may_be_kept(void **state)
{
	struct view_model model = view_loaded(opened());
	struct view_details details = {0};
	struct view_detail *list;
	size_t count;

	assert_int_equal(view_details_load(&details, &model, 0), 0);
	assert_int_equal(details.slots, 0);
	assert_int_equal(view_details_list(&details, VIEW_DETAIL_PHASES, &list, &count), 0);
	assert_int_equal(count, 0);
	free(list);
	view_details_free(&details);
	view_closed(&model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_that_lose_most_are_kept),
		cmocka_unit_test(ranges_are_blocks_of_a_page),
		cmocka_unit_test(phases_have_own_accesses),
		cmocka_unit_test(no_page_may_be_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
