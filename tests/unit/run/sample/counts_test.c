// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of run/sample/counts.c: which page faults are samples, and for which home node each of them
 * counts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run/sample/counts.h"

#define PAGE 0x7f0123456ULL
#define ADDRESS (PAGE * COUNTS_PAGE_BYTES)

static void counts_fault_first_at_a_page_is_no_sample(void **state)
{
	struct counts counts = {0};

	assert_int_equal(counts_fault(&counts, ADDRESS, 1, 0, 0), 0);
	assert_int_equal(counts.first, 1);
	assert_int_equal(counts.samples, 0);
	assert_int_equal(counts.asked_count, 1);
	assert_int_equal(counts.asked[0], PAGE);
	/* The kernel has not yet reported the home of the page. */
	assert_int_equal(counts_fault(&counts, ADDRESS + 8, 1, 0, 0), 0);
	assert_int_equal(counts.homeless, 1);
	assert_int_equal(counts.asked_count, 1);
	counts_home(&counts, PAGE, COUNTS_NODE_UNKNOWN, 0);
	counts_answered(&counts);
	assert_int_equal(counts_home_of(&counts, PAGE), COUNTS_NODE_UNKNOWN);
	assert_int_equal(counts_fault(&counts, ADDRESS, 1, 0, 0), 0);
	assert_int_equal(counts.homeless, 2);
	assert_int_equal(counts.asked_count, 1);
	counts_free(&counts);
}

static int thread_access(struct counts *counts, uint32_t tid, uint64_t page, uint32_t node,
			 bool behind)
{
	const struct counts_access access = {
		.address = page * COUNTS_PAGE_BYTES,
		.node = node,
		.home = COUNTS_NODE_UNKNOWN,
		.behind = behind,
	};

	counts->thread = threads_sampled(&counts->threads, tid);
	assert_true(counts->thread > 0);
	return counts_access(counts, &access);
}

/*
 * A thread must have all samples that count, including those that waited for a home, and no others.
 */
static void counts_threads_have_all_samples(void **state)
{
	struct counts counts = {0};
	struct counts_threads *list;
	uint64_t all = 0;
	size_t count;

	assert_int_equal(thread_access(&counts, 7, PAGE, 1, true), 0);
	assert_int_equal(thread_access(&counts, 7, PAGE, 1, false), 0);
	/* The home of this page is never reported. */
	assert_int_equal(thread_access(&counts, 7, PAGE + 1, 1, true), 0);
	counts_home(&counts, PAGE, 0, 0);
	assert_int_equal(thread_access(&counts, 8, PAGE, 0, true), 0);
	assert_int_equal(thread_access(&counts, 8, PAGE, 1, true), 0);
	assert_int_equal(thread_access(&counts, 9, PAGE, 1, true), 0);
	threads_named(&counts.threads, 7, "pool-7");
	threads_named(&counts.threads, 8, "pool-12");
	assert_int_equal(counts_settle(&counts, false), 0);
	assert_int_equal(counts.homeless, 1);
	list = counts_threads(&counts, &count);
	assert_non_null(list);
	assert_int_equal(count, 2);
	assert_string_equal(list[0].name, "pool");
	assert_int_equal(list[0].threads, 2);
	assert_int_equal(list[0].samples[0], 1);
	assert_int_equal(list[0].samples[1], 3);
	assert_int_equal(list[0].behind, 3);
	assert_int_equal(list[0].remote, 2);
	assert_int_equal(list[0].pages, 1);
	assert_string_equal(list[1].name, "");
	assert_int_equal(list[1].remote, 1);
	for (size_t i = 0; i < count; i++)
		all += list[i].all;
	assert_int_equal(all, counts.samples);
	free(list);
	counts_free(&counts);
	/*
	 * A sample of remote memory waits for the home. It is dropped if the home is the thread's
	 * own node.
	 */
	assert_int_equal(thread_access(&counts, 7, PAGE, 1, true), 0);
	assert_int_equal(thread_access(&counts, 7, PAGE, 1, false), 0);
	counts_home(&counts, PAGE, 1, 0);
	assert_int_equal(counts_settle(&counts, true), 0);
	list = counts_threads(&counts, &count);
	assert_true(list && count == 1 && list[0].all == 1 && counts.samples == 1 &&
		    !list[0].behind);
	free(list);
	counts_free(&counts);
	list = counts_threads(&counts, &count);
	assert_true(list && !count);
	free(list);
}

static void threads_have_the_name_of_a_group(void **state)
{
	const char *const names[][2] = {
		{"worker-3", "worker"},
		{"io_pool:12", "io_pool"},
		{"Thread 7", "Thread"},
		{"kworker/0:1", "kworker/0"},
		{"sor", "sor"},
		{"12", "12"},
		{"x2y", "x2y"},
		{"-1", "-1"},
		{"", ""},
	};
	struct threads threads = {0};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char name[THREADS_NAME_BYTES];

		snprintf(name, sizeof(name), "%s", names[i][0]);
		threads_group(name);
		assert_string_equal(name, names[i][1]);
	}
	/* All threads above the limit are counted as one thread without a name. */
	for (uint32_t tid = 1; tid < THREADS_MAX; tid++)
		assert_int_equal(threads_sampled(&threads, tid), tid);
	assert_int_equal(threads_sampled(&threads, THREADS_MAX), 0);
	assert_int_equal(threads_sampled(&threads, 5), 5);
	threads_free(&threads);
}

/*
 * The homes of pages at the start, in each phase and now. The pages that moved are reported as
 * runs.
 */
static void counts_homes_by_time(void **state)
{
	struct counts counts = {0};
	struct counts_moved *moved;
	size_t count;

	for (uint64_t i = 0; i < 6; i++) {
		counts_fault(&counts, ADDRESS + i * COUNTS_PAGE_BYTES, 0, 0, 0);
		counts_home(&counts, PAGE + i, 0, 0);
	}
	counts_phase_seen(&counts, 0);
	for (uint64_t i = 0; i < 5; i++)
		counts_home(&counts, PAGE + i, i < 3 ? 1 : 2, 1);
	counts_phase_seen(&counts, 4);
	/* The page moves back to its first home. */
	counts_home(&counts, PAGE + 1, 0, 2);
	counts_home(&counts, PAGE + 2, COUNTS_NODE_UNKNOWN, 2);
	counts_phase_seen(&counts, 0);
	assert_int_equal(counts.start.pages[0], 6);
	assert_int_equal(counts.phases[4].pages[0], 1);
	assert_int_equal(counts.phases[4].pages[1], 3);
	assert_int_equal(counts.phases[4].pages[2], 2);
	assert_int_equal(counts.phases[4].moves, 5);
	assert_int_equal(counts.phases[0].pages[0], 2);
	assert_int_equal(counts.phases[0].pages[1], 2);
	assert_int_equal(counts.phases[0].moves, 1);
	assert_int_equal(counts.now.pages[1], 2);
	assert_int_equal(counts.moves, 6);
	moved = counts_moved(&counts, &count);
	assert_non_null(moved);
	assert_int_equal(count, 3);
	assert_int_equal(moved[0].first, PAGE);
	assert_int_equal(moved[0].pages, 1);
	assert_int_equal(moved[1].first, PAGE + 2);
	assert_int_equal(moved[1].to, 1);
	assert_int_equal(moved[2].first, PAGE + 3);
	assert_int_equal(moved[2].pages, 2);
	assert_int_equal(moved[2].from, 0);
	assert_int_equal(moved[2].to, 2);
	free(moved);
	counts_free(&counts);
}

/* A fault counts for the home that the page had just before it. */
static void counts_fault_counts_for_the_home_before(void **state)
{
	struct counts counts = {0};
	struct counts_entry *entries;
	size_t count;

	counts_fault(&counts, ADDRESS, 0, 0, 0);
	counts_home(&counts, PAGE, 0, 0);
	counts_answered(&counts);
	counts_fault(&counts, ADDRESS + 4092, 2, 0, 0);
	counts_home(&counts, PAGE, 2, 0);
	counts_answered(&counts);
	counts_fault(&counts, ADDRESS + 4092, 2, 0, 0);
	/* The kernel does not report a home, so the home stays the same until a fault. */
	counts_home(&counts, PAGE, COUNTS_NODE_UNKNOWN, 0);
	counts_answered(&counts);
	counts_fault(&counts, ADDRESS + 4095, 2, 0, 0);
	assert_int_equal(counts.moves, 1);
	assert_int_equal(counts.samples, 3);
	assert_int_equal(counts_home_of(&counts, PAGE), 2);

	entries = counts_sorted(&counts, &count);
	assert_int_equal(count, 2);
	assert_int_equal(counts_entry_word(&entries[0]), (ADDRESS + 4092) / 4);
	assert_int_equal(counts_entry_node(&entries[0]), 2);
	assert_int_equal(counts_entry_home(&entries[0]), 0);
	assert_int_equal(entries[0].behind[0], 1);
	assert_int_equal(counts_entry_home(&entries[1]), 2);
	assert_int_equal(entries[1].behind[0], 2);
	free(entries);
	counts_free(&counts);
}

/*
 * The kernel reported the home after a fault that was read later. The fault may have moved the
 * page.
 */
static void counts_fault_before_the_kernel_said_so(void **state)
{
	struct counts counts = {0};
	struct counts_entry *entries;
	size_t count;

	counts_fault(&counts, ADDRESS, 0, 0, 10);
	counts_home(&counts, PAGE, 0, 20);
	counts_answered(&counts);
	/* The home was requested at time 20, after this fault, and before the fault was read. */
	counts_fault(&counts, ADDRESS, 3, 0, 15);
	assert_int_equal(counts.homeless, 1);
	counts_home(&counts, PAGE, 3, 40);
	counts_answered(&counts);
	counts_fault(&counts, ADDRESS, 3, 0, 35);
	counts_fault(&counts, ADDRESS, 3, 0, 45);
	/* The kernel reports the same home a second time, so the page had it at the fault, too. */
	counts_home(&counts, PAGE, 3, 60);
	counts_answered(&counts);
	counts_fault(&counts, ADDRESS, 1, 0, 55);
	entries = counts_sorted(&counts, &count);
	assert_int_equal(count, 3);
	assert_int_equal(counts_entry_node(&entries[0]), 1);
	assert_int_equal(counts_entry_home(&entries[0]), 3);
	assert_int_equal(counts_entry_home(&entries[1]), 0);
	assert_int_equal(entries[1].behind[0], 1);
	assert_int_equal(counts_entry_home(&entries[2]), 3);
	assert_int_equal(entries[2].behind[0], 1);
	free(entries);
	counts_free(&counts);
}

/* The highest and the lowest numbers, which must be sorted by page, node, home and word. */
static void counts_sorted_by_page_node_home_word(void **state)
{
	static const uint64_t addresses[] = {0, 4, 4092, 4096, (1ULL << 48) - 4};
	struct counts counts = {0};
	struct counts_entry *entries;
	uint64_t *numbers;
	size_t count, at = 0;

	for (size_t i = 0; i < 5; i++)
		counts_fault(&counts, addresses[i], 0, 0, 0);
	assert_int_equal(counts.first, 3);
	numbers = counts_numbers(&counts, &count);
	assert_int_equal(count, 3);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 1);
	assert_int_equal(numbers[2], (1ULL << 36) - 1);
	for (size_t i = 0; i < count; i++)
		counts_home(&counts, numbers[i], 63, 0);
	free(numbers);
	for (size_t i = 5; i-- > 0;) {
		counts_fault(&counts, addresses[i], 63, 0, 0);
		counts_fault(&counts, addresses[i], 0, 0, 0);
	}
	entries = counts_sorted(&counts, &count);
	assert_int_equal(count, 10);
	for (size_t page = 0; page < 3; page++)
		for (uint32_t node = 0; node < 64; node += 63)
			for (size_t i = page ? page + 2 : 0; i <= page + 2; i++, at++) {
				assert_int_equal(counts_entry_word(&entries[at]), addresses[i] / 4);
				assert_int_equal(counts_entry_node(&entries[at]), node);
				assert_int_equal(counts_entry_home(&entries[at]), 63);
			}
	assert_int_equal(at, 10);
	free(entries);
	counts_free(&counts);
}

static void access_at(struct counts *counts, uint64_t address, uint64_t time_ns, uint32_t node,
		      uint32_t home, bool behind)
{
	const struct counts_access access = {
		.address = address,
		.time_ns = time_ns,
		.node = node,
		.home = home,
		.type = COUNTS_WRITE,
		.behind = behind,
	};

	assert_int_equal(counts_access(counts, &access), 0);
}

/*
 * An access counts for the home that it reports. If it reports none, it counts for the last
 * reported home.
 */
static void counts_access_for_the_home_that_is_said(void **state)
{
	struct counts counts = {0};
	struct counts_entry *entries;
	size_t count;

	access_at(&counts, ADDRESS, 10, 1, 1, true);
	access_at(&counts, ADDRESS, 20, 0, COUNTS_NODE_UNKNOWN, false);
	access_at(&counts, ADDRESS, 30, 0, 2, true);
	access_at(&counts, ADDRESS, 40, 0, COUNTS_NODE_UNKNOWN, false);
	assert_int_equal(counts.samples, 4);
	assert_int_equal(counts.behind, 2);
	assert_int_equal(counts.moves, 1);
	assert_int_equal(counts.pages, 1);
	entries = counts_sorted(&counts, &count);
	assert_int_equal(count, 3);
	assert_int_equal(counts_entry_home(&entries[0]), 1);
	assert_int_equal(counts_entry_node(&entries[0]), 0);
	assert_int_equal(entries[0].cached[COUNTS_WRITE], 1);
	assert_int_equal(counts_entry_home(&entries[1]), 2);
	assert_int_equal(entries[1].cached[COUNTS_WRITE], 1);
	assert_int_equal(entries[1].behind[COUNTS_WRITE], 1);
	assert_int_equal(counts_entry_behind(&entries[2]), 1);
	free(entries);
	counts_free(&counts);
}

/*
 * An access before the first report of the home waits, and counts for the home that is reported
 * later.
 */
static void counts_access_waits_for_a_home(void **state)
{
	struct counts counts = {0};

	access_at(&counts, ADDRESS, 10, 1, COUNTS_NODE_UNKNOWN, true);
	access_at(&counts, ADDRESS + 4, 11, 0, COUNTS_NODE_UNKNOWN, false);
	access_at(&counts, ADDRESS + COUNTS_PAGE_BYTES, 12, 0, COUNTS_NODE_UNKNOWN, true);
	assert_int_equal(counts.samples, 0);
	assert_int_equal(counts_waiting(&counts), 3);
	assert_int_equal(counts.asked_count, 2);
	counts_home(&counts, PAGE, 1, 20);
	assert_int_equal(counts_settle(&counts, false), 0);
	assert_int_equal(counts.samples, 2);
	assert_int_equal(counts.behind, 1);
	assert_int_equal(counts.homeless, 1);
	assert_int_equal(counts.pages, 1);
	assert_int_equal(counts_waiting(&counts), 0);
	counts_free(&counts);
}

/* If accesses to own memory are marked, an access without this mark is to another node's memory. */
static void counts_settle_own_memory_would_have_said_so(void **state)
{
	struct counts counts = {0};
	const struct counts_access other = {
		.address = ADDRESS,
		.time_ns = 30,
		.node = 1,
		.home = COUNTS_NODE_UNKNOWN,
		.behind = true,
		.not_own = true,
	};

	access_at(&counts, ADDRESS, 10, 1, COUNTS_NODE_UNKNOWN, true);
	access_at(&counts, ADDRESS, 11, 1, COUNTS_NODE_UNKNOWN, false);
	access_at(&counts, ADDRESS, 12, 2, COUNTS_NODE_UNKNOWN, true);
	access_at(&counts, ADDRESS, 20, 1, 1, true);
	/* The access shows that the page is on another node now. */
	assert_int_equal(counts_access(&counts, &other), 0);
	assert_int_equal(counts_settle(&counts, true), 0);
	assert_int_equal(counts.homeless, 2);
	assert_int_equal(counts.samples, 3);
	assert_int_equal(counts.behind, 2);
	counts_free(&counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_homes_by_time),
		cmocka_unit_test(counts_fault_first_at_a_page_is_no_sample),
		cmocka_unit_test(counts_fault_counts_for_the_home_before),
		cmocka_unit_test(counts_fault_before_the_kernel_said_so),
		cmocka_unit_test(counts_access_for_the_home_that_is_said),
		cmocka_unit_test(counts_access_waits_for_a_home),
		cmocka_unit_test(counts_threads_have_all_samples),
		cmocka_unit_test(threads_have_the_name_of_a_group),
		cmocka_unit_test(counts_settle_own_memory_would_have_said_so),
		cmocka_unit_test(counts_sorted_by_page_node_home_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
