/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/analysis/advise/figures.c: the values of an advice that a program reads with
 * smile/advise.h.
 */
#include <errno.h>
#include <string.h>

#include <smile/advise.h>

#include "tests/unit/lib_fixture.h"

#define PAGE(number) ((uint64_t)(number)*SMILE_PAGE_BYTES)
#define READ SMILE_TYPE_READ

static const struct Monitor_weights weights = {1, 1000, 20, 1000};

/* Pages 10 and 11 cost least on node 1, page 12 on node 2. */
static struct Monitor *opened(void)
{
	const struct smile_record records[] = {
		record_dynamic(READ, 1, 0, PAGE(10), 1, 100),
		record_dynamic(READ, 1, 0, PAGE(11), 1, 50),
		record_dynamic(READ, 2, 0, PAGE(12), 1, 10),
	};

	return recording_opened(records, 3);
}

/* Make an advice. Free the options before the advice is used. */
static struct Monitor_advise *advised(struct Monitor *mon, uint64_t min_gain)
{
	struct Monitor_advise_options *options;
	struct Monitor_advise *advise;

	assert_int_equal(Monitor_advise_options_new(&options), 0);
	Monitor_advise_options_machine(options, "test", &weights, 1000000000);
	Monitor_advise_options_min_gain(options, min_gain);
	assert_int_equal(Monitor_advise_new(mon, options, &advise), 0);
	Monitor_advise_options_free(options);
	return advise;
}

static void an_advice_has_its_sums(void **state)
{
	struct Monitor *mon = opened();
	struct Monitor_advise *advise = advised(mon, 1);

	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_PAGES), 3);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_MOVED), 3);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_WRONG), 3);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_SHARED), 0);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_ACCESSES), 160);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_CYCLES), 160000);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_ADVISED_CYCLES), 160);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_NODES), 3);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_FREQUENCY_HZ), 1000000000);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_RUNS), 2);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_DATA), 1);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_ROLES), 0);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_MACHINE_RECORDED), 0);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_FIRST_TOUCH), 0);
	/* The recording has no run time. Only roles have turns. */
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_TIME_NOW), 0);
	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_TURNS), 0);
	assert_string_equal(Monitor_advise_machine_name(advise), "test");
	assert_int_equal(Monitor_advise_page_at(advise, 2)->node, 2);
	assert_null(Monitor_advise_page_at(advise, 3));
	assert_null(Monitor_advise_role_at(advise, 0));
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void runs_have_their_pages(void **state)
{
	struct Monitor *mon = opened();
	struct Monitor_advise *advise = advised(mon, 1);
	const struct Monitor_advise_run *run = Monitor_advise_run_at(advise, 0);

	assert_int_equal(Monitor_advise_run_figure(run, MONITOR_FIGURE_FIRST), 0);
	assert_int_equal(Monitor_advise_run_figure(run, MONITOR_FIGURE_PAGES), 2);
	assert_int_equal(Monitor_advise_run_figure(run, MONITOR_FIGURE_ACCESSES), 150);
	assert_int_equal(Monitor_advise_run_figure(run, MONITOR_FIGURE_CYCLES), 150000);
	assert_int_equal(Monitor_advise_run_figure(run, MONITOR_FIGURE_ADVISED_CYCLES), 150);
	assert_int_equal(Monitor_advise_run_figure(run, MONITOR_FIGURE_OFFSET), 0);
	assert_int_equal(Monitor_advise_run_figure(run, MONITOR_FIGURE_MOVED), 0);
	assert_null(Monitor_advise_run_region(run));
	assert_true(Monitor_advise_run_share(run) == 1);
	assert_int_equal(
		Monitor_advise_run_figure(Monitor_advise_run_at(advise, 1), MONITOR_FIGURE_FIRST),
		2);
	assert_null(Monitor_advise_run_at(advise, 2));
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void variables_have_their_pages_and_parts(void **state)
{
	struct Monitor *mon = opened();
	struct Monitor_advise *advise = advised(mon, 1);
	const struct Monitor_advise_data *data = Monitor_advise_data_at(advise, 0);
	int64_t first, last;
	uint64_t pages;

	assert_null(Monitor_advise_data_variable(data));
	assert_int_equal(Monitor_advise_data_figure(data, MONITOR_FIGURE_PAGES), 3);
	assert_int_equal(Monitor_advise_data_figure(data, MONITOR_FIGURE_MOVED), 3);
	assert_int_equal(Monitor_advise_data_figure(data, MONITOR_FIGURE_START), PAGE(10));
	assert_int_equal(Monitor_advise_data_figure(data, MONITOR_FIGURE_BOUNDS), 1);
	assert_int_equal(Monitor_advise_data_figure(data, MONITOR_FIGURE_NODES), 0);
	assert_int_equal(Monitor_advise_data_page(data, 2), 2);
	assert_true(Monitor_advise_data_page(data, 3) == SIZE_MAX);
	assert_int_equal(Monitor_advise_data_layout(data), MONITOR_LAYOUT_BLOCKS);
	assert_int_equal(Monitor_advise_data_choice(data), MONITOR_CHOICE_PAGES);
	assert_string_equal(Monitor_advise_data_unit(data), "pages");
	assert_int_equal(Monitor_advise_data_figure(data, MONITOR_FIGURE_PARTS), 2);
	assert_int_equal(Monitor_advise_data_part(data, 0, &first, &last, &pages), 1);
	assert_int_equal(last - first, 1);
	assert_int_equal(pages, 2);
	assert_int_equal(Monitor_advise_data_part(data, 1, &first, &last, &pages), 2);
	assert_int_equal(last, first);
	assert_int_equal(pages, 1);
	assert_int_equal(Monitor_advise_data_part(data, 2, &first, &last, &pages), -EINVAL);
	assert_null(Monitor_advise_data_at(advise, 1));
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void pages_that_save_less_than_the_least_gain_stay(void **state)
{
	struct Monitor *mon = opened();
	struct Monitor_advise *advise = advised(mon, 60000);

	assert_int_equal(Monitor_advise_figure(advise, MONITOR_FIGURE_MOVED), 1);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

static void options_choose_machine_phase_and_share(void **state)
{
	struct Monitor_advise_options *options;
	struct Monitor_advise *advise = NULL;
	struct Monitor *mon = opened();

	assert_int_equal(Monitor_advise_options_new(&options), 0);
	/* The recording of a card contains no latency model. */
	assert_int_equal(Monitor_advise_new(mon, options, &advise), -ENODATA);
	Monitor_advise_options_fallback(options, "other", &weights, 1);
	Monitor_advise_options_phase(options, "sweep");
	assert_int_equal(Monitor_advise_new(mon, options, &advise), -ENODATA);
	assert_non_null(strstr(Monitor_error_message(), "no phase 'sweep'"));
	Monitor_advise_options_phase(options, NULL);
	assert_int_equal(Monitor_advise_options_shared_below(options, 1.5), -EINVAL);
	assert_int_equal(Monitor_advise_options_shared_below(options, 1), 0);
	assert_null(advise);
	assert_int_equal(Monitor_advise_new(mon, options, &advise), 0);
	assert_string_equal(Monitor_advise_machine_name(advise), "other");
	Monitor_advise_options_free(options);
	Monitor_advise_free(advise);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_advice_has_its_sums),
		cmocka_unit_test(runs_have_their_pages),
		cmocka_unit_test(variables_have_their_pages_and_parts),
		cmocka_unit_test(pages_that_save_less_than_the_least_gain_stay),
		cmocka_unit_test(options_choose_machine_phase_and_share),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
