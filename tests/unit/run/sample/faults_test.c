// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Which faults are samples, and for which home of the page they count.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "run/sample/faults.h"

#define PAGE 0x7f0123456ULL
#define ADDRESS (PAGE * FAULTS_PAGE_BYTES)

static void faults_add_first_at_a_page_is_no_sample(void **state)
{
	struct faults faults = {0};

	assert_int_equal(faults_add(&faults, ADDRESS, 1, 0, 0), 0);
	assert_int_equal(faults.first, 1);
	assert_int_equal(faults.samples, 0);
	assert_int_equal(faults.asked_count, 1);
	assert_int_equal(faults.asked[0], PAGE);
	/* The kernel has not said where it lies. */
	assert_int_equal(faults_add(&faults, ADDRESS + 8, 1, 0, 0), 0);
	assert_int_equal(faults.homeless, 1);
	assert_int_equal(faults.asked_count, 1);
	faults_home(&faults, PAGE, FAULTS_NODE_UNKNOWN, 0);
	faults_answered(&faults);
	assert_int_equal(faults_home_of(&faults, PAGE), FAULTS_NODE_UNKNOWN);
	assert_int_equal(faults_add(&faults, ADDRESS, 1, 0, 0), 0);
	assert_int_equal(faults.homeless, 2);
	assert_int_equal(faults.asked_count, 1);
	faults_free(&faults);
}

/* A fault counts for the home that the page had before. */
static void faults_add_counts_for_the_home_before(void **state)
{
	struct faults faults = {0};
	struct faults_count *counts;
	size_t count;

	faults_add(&faults, ADDRESS, 0, 0, 0);
	faults_home(&faults, PAGE, 0, 0);
	faults_answered(&faults);
	faults_add(&faults, ADDRESS + 4092, 2, 0, 0);
	faults_home(&faults, PAGE, 2, 0);
	faults_answered(&faults);
	faults_add(&faults, ADDRESS + 4092, 2, 0, 0);
	/* It waits for a fault: the kernel does not say. */
	faults_home(&faults, PAGE, FAULTS_NODE_UNKNOWN, 0);
	faults_answered(&faults);
	faults_add(&faults, ADDRESS + 4095, 2, 0, 0);
	assert_int_equal(faults.moves, 1);
	assert_int_equal(faults.samples, 3);
	assert_int_equal(faults_home_of(&faults, PAGE), 2);

	counts = faults_sorted(&faults, &count);
	assert_int_equal(count, 2);
	assert_int_equal(faults_count_word(&counts[0]), (ADDRESS + 4092) / 4);
	assert_int_equal(faults_count_node(&counts[0]), 2);
	assert_int_equal(faults_count_home(&counts[0]), 0);
	assert_int_equal(counts[0].samples, 1);
	assert_int_equal(faults_count_home(&counts[1]), 2);
	assert_int_equal(counts[1].samples, 2);
	free(counts);
	faults_free(&faults);
}

/*
 * The kernel said where the page lies after a fault that was only read then, and which may have
 * moved it.
 */
static void faults_add_before_the_kernel_said_so(void **state)
{
	struct faults faults = {0};
	struct faults_count *counts;
	size_t count;

	faults_add(&faults, ADDRESS, 0, 0, 10);
	faults_home(&faults, PAGE, 0, 20);
	faults_answered(&faults);
	/* Of this one the page's home at 20 was asked before it was read. */
	faults_add(&faults, ADDRESS, 3, 0, 15);
	assert_int_equal(faults.homeless, 1);
	faults_home(&faults, PAGE, 3, 40);
	faults_answered(&faults);
	faults_add(&faults, ADDRESS, 3, 0, 35);
	faults_add(&faults, ADDRESS, 3, 0, 45);
	/* The answer was the same: so it was before. */
	faults_home(&faults, PAGE, 3, 60);
	faults_answered(&faults);
	faults_add(&faults, ADDRESS, 1, 0, 55);
	counts = faults_sorted(&faults, &count);
	assert_int_equal(count, 3);
	assert_int_equal(faults_count_node(&counts[0]), 1);
	assert_int_equal(faults_count_home(&counts[0]), 3);
	assert_int_equal(faults_count_home(&counts[1]), 0);
	assert_int_equal(counts[1].samples, 1);
	assert_int_equal(faults_count_home(&counts[2]), 3);
	assert_int_equal(counts[2].samples, 1);
	free(counts);
	faults_free(&faults);
}

/* All numbers that there can be, in the order of pages, nodes, homes and words. */
static void faults_sorted_by_page_node_home_word(void **state)
{
	static const uint64_t addresses[] = {0, 4, 4092, 4096, (1ULL << 48) - 4};
	struct faults faults = {0};
	struct faults_count *counts;
	uint64_t *numbers;
	size_t count, at = 0;

	for (size_t i = 0; i < 5; i++)
		faults_add(&faults, addresses[i], 0, 0, 0);
	assert_int_equal(faults.first, 3);
	numbers = faults_numbers(&faults, &count);
	assert_int_equal(count, 3);
	assert_int_equal(numbers[0], 0);
	assert_int_equal(numbers[1], 1);
	assert_int_equal(numbers[2], (1ULL << 36) - 1);
	for (size_t i = 0; i < count; i++)
		faults_home(&faults, numbers[i], 63, 0);
	free(numbers);
	for (size_t i = 5; i-- > 0;) {
		faults_add(&faults, addresses[i], 63, 0, 0);
		faults_add(&faults, addresses[i], 0, 0, 0);
	}
	counts = faults_sorted(&faults, &count);
	assert_int_equal(count, 10);
	for (size_t page = 0; page < 3; page++)
		for (uint32_t node = 0; node < 64; node += 63)
			for (size_t i = page ? page + 2 : 0; i <= page + 2; i++, at++) {
				assert_int_equal(faults_count_word(&counts[at]), addresses[i] / 4);
				assert_int_equal(faults_count_node(&counts[at]), node);
				assert_int_equal(faults_count_home(&counts[at]), 63);
			}
	assert_int_equal(at, 10);
	free(counts);
	faults_free(&faults);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(faults_add_first_at_a_page_is_no_sample),
		cmocka_unit_test(faults_add_counts_for_the_home_before),
		cmocka_unit_test(faults_add_before_the_kernel_said_so),
		cmocka_unit_test(faults_sorted_by_page_node_home_word),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
