/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/gas/ without an adapter: the environment variables, layouts, and a program that runs
 * on one node. tests/guest/gas_nodes.c tests several nodes. May use <smile/gas.h> and POSIX.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <smile/gas.h>

#define THREADS 4
#define TURNS 5000
#define LOCK 511

static void environment(const char *node, const char *nodes)
{
	node ? setenv("SMILE_NODE", node, 1) : unsetenv("SMILE_NODE");
	nodes ? setenv("SMILE_NODES", nodes, 1) : unsetenv("SMILE_NODES");
}

static int reset(void **state)
{
	environment(NULL, NULL);
	return 0;
}

/* Open a global address space for node @node of @nodes. */
static struct Gas *space(const char *node, const char *nodes)
{
	struct Gas *gas = NULL;

	environment(node, nodes);
	assert_int_equal(Gas_open(&gas), 0);
	return gas;
}

static void *extent(struct Gas *gas, size_t pages, enum Gas_layout layout)
{
	void *memory = NULL;

	assert_int_equal(Gas_alloc(gas, pages * GAS_PAGE_BYTES, layout, &memory), 0);
	return memory;
}

static void environment_is_checked(void **state)
{
	static const struct {
		const char *node;
		const char *nodes;
		const char *word;
	} bad[] = {
		{"0", "0", "SMILE_NODES is '0'"},
		{"0", "65", "SMILE_NODES is '65'"},
		{"0", "two", "SMILE_NODES"},
		{"0", "4x", "SMILE_NODES"},
		{"0", "", "SMILE_NODES"},
		{"0", "-1", "SMILE_NODES"},
		{NULL, "4", "SMILE_NODE is ''"},
		{"4", "4", "SMILE_NODE is '4'"},
		{"-1", "4", "run the program by smile cluster"},
		{" 1", "4", "SMILE_NODE"},
	};
	struct Gas *gas = NULL;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		environment(bad[i].node, bad[i].nodes);
		assert_int_equal(Gas_open(&gas), -EINVAL);
		assert_non_null(strstr(Gas_error_message(), bad[i].word));
	}
	assert_null(gas);
	gas = space("63", "64");
	assert_int_equal(Gas_node(gas), 63);
	assert_int_equal(Gas_nodes(gas), 64);
	Gas_close(gas);
	/* Without the number of nodes, the node id is ignored, and the program runs on one node. */
	gas = space("3", NULL);
	assert_int_equal(Gas_node(gas), 0);
	assert_int_equal(Gas_nodes(gas), 1);
	assert_int_equal(Gas_close(gas), 0);
	assert_int_equal(Gas_close(NULL), 0);
}

static void layouts_deal_pages(void **state)
{
	static const int block[10] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2};
	struct Gas *gas = space("1", "3");
	uint8_t *first = extent(gas, 4, GAS_ROUND_ROBIN);
	uint8_t *second = extent(gas, 10, GAS_BLOCK);
	uint8_t *third = extent(gas, 2, GAS_ROUND_ROBIN);
	void *none = NULL;

	assert_int_equal(Gas_pages(gas), 16);
	assert_ptr_equal(second, first + 4 * GAS_PAGE_BYTES);
	assert_ptr_equal(third, second + 10 * GAS_PAGE_BYTES);
	for (int page = 0; page < 4; page++)
		assert_int_equal(Gas_home(gas, page), page % 3);
	for (int page = 0; page < 10; page++)
		assert_int_equal(Gas_home(gas, 4 + page), block[page]);
	assert_int_equal(Gas_home(gas, 14), 2);
	assert_int_equal(Gas_home(gas, 15), 0);
	/* Gas_place() places only the pages that contain some of the bytes. */
	assert_int_equal(Gas_place(gas, second + 1, 2 * GAS_PAGE_BYTES, 2), 0);
	assert_int_equal(Gas_home(gas, 3), 0);
	assert_int_equal(Gas_home(gas, 4), 2);
	assert_int_equal(Gas_home(gas, 6), 2);
	assert_int_equal(Gas_home(gas, 7), 0);
	assert_int_equal(Gas_place(gas, third + 2 * GAS_PAGE_BYTES - 1, 1, 1), 0);
	assert_int_equal(Gas_home(gas, 15), 1);
	assert_int_equal(Gas_place(gas, third + 2 * GAS_PAGE_BYTES - 1, 2, 1), -EINVAL);
	assert_int_equal(Gas_place(gas, first - 1, 1, 1), -EINVAL);
	assert_int_equal(Gas_place(gas, first, SIZE_MAX, 1), -EINVAL);
	assert_int_equal(Gas_place(gas, first, 0, 1), -EINVAL);
	assert_int_equal(Gas_place(gas, first, 1, 3), -EINVAL);
	assert_int_equal(Gas_home(gas, 16), -EINVAL);
	assert_int_equal(Gas_alloc(gas, 0, GAS_BLOCK, &none), -EINVAL);
	assert_int_equal(Gas_alloc(gas, 1, (enum Gas_layout)2, &none), -EINVAL);
	assert_int_equal(Gas_alloc(gas, SIZE_MAX, GAS_BLOCK, &none), -ENOMEM);
	assert_int_equal(Gas_alloc(gas, (size_t)1 << 32, GAS_BLOCK, &none), -ENOMEM);
	assert_null(none);
	assert_int_equal(Gas_pages(gas), 16);
	Gas_close(gas);
}

static void names_are_checked(void **state)
{
	static const char *const bad[] = {"", " grid", "gr\nid", "gr\033id", "\x7f"};
	struct Gas *gas = space(NULL, NULL);
	uint8_t *first = extent(gas, 1, GAS_BLOCK), *second = extent(gas, 2, GAS_BLOCK);
	char longest[65];

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(Gas_name(gas, first, bad[i], 0), -EINVAL);
	memset(longest, 'a', 64);
	longest[64] = '\0';
	assert_int_equal(Gas_name(gas, first, longest, 0), -EINVAL);
	longest[63] = '\0';
	assert_int_equal(Gas_name(gas, first, longest, 0), 0);
	assert_int_equal(Gas_name(gas, second, "even steps", 2 * GAS_PAGE_BYTES), 0);
	assert_int_equal(Gas_name(gas, second, "grid", 2 * GAS_PAGE_BYTES + 1), -EINVAL);
	assert_int_equal(Gas_name(gas, second + 8, "grid", 0), -EINVAL);
	assert_int_equal(Gas_name(gas, NULL, "grid", 0), -EINVAL);
	assert_int_equal(Gas_share(gas, 0), 0);
	assert_int_equal(Gas_name(gas, second, "grid", 0), -EBUSY);
	assert_int_equal(Gas_close(gas), 0);
}

static void without_an_adapter_nodes_cannot_share(void **state)
{
	struct Gas *gas = space("0", "2");
	size_t page;

	assert_int_equal(Gas_share(gas, 0), -EINVAL);
	extent(gas, 1, GAS_BLOCK);
	assert_int_equal(Gas_share(gas, 0), -ENODEV);
	assert_int_equal(Gas_barrier(gas), -EINVAL);
	assert_int_equal(Gas_move(gas, NULL, 0), -EINVAL);
	assert_int_equal(Gas_lock(gas, 0), -EINVAL);
	assert_int_equal(Gas_unlock(gas, 0), -EINVAL);
	assert_int_equal(Gas_count_own(gas, 1), -EINVAL);
	assert_int_equal(Gas_card_page(gas, 0, &page), -ENOENT);
	assert_int_equal(Gas_close(gas), 0);
}

static void a_program_runs_alone(void **state)
{
	struct Gas *gas = space(NULL, NULL), *second;
	struct Gas_move moves[2] = {{0, 0}, {1, 0}};
	volatile uint64_t *memory = extent(gas, 2, GAS_ROUND_ROBIN);
	double result = 0;

	assert_int_equal(Gas_share(gas, 0), 0);
	assert_int_equal(Gas_share(gas, 0), -EBUSY);
	for (size_t i = 0; i < 2 * GAS_PAGE_BYTES / 8; i++) {
		assert_int_equal(memory[i], 0);
		memory[i] = i;
	}
	/* A process can share only one global address space. */
	second = space("0", "1");
	extent(second, 1, GAS_BLOCK);
	assert_int_equal(Gas_share(second, 0), -EBUSY);
	Gas_close(second);
	assert_int_equal(memory[1000], 1000);

	assert_int_equal(Gas_barrier(gas), 0);
	assert_int_equal(Gas_sum(gas, -0.1, &result), 0);
	assert_true(result == -0.1);
	assert_int_equal(Gas_max(gas, -INFINITY, &result), 0);
	assert_true(result == -INFINITY);
	assert_int_equal(Gas_max(gas, NAN, &result), 0);
	assert_true(isnan(result));
	assert_int_equal(Gas_move(gas, moves, 2), 0);
	moves[1].node = 1;
	assert_int_equal(Gas_move(gas, moves, 2), -EINVAL);
	assert_int_equal(Gas_count_own(gas, 1), 0);
	assert_int_equal(Gas_close(gas), 0);
	/* The memory of a new space contains zeros. */
	gas = space(NULL, NULL);
	memory = extent(gas, 2, GAS_ROUND_ROBIN);
	assert_int_equal(Gas_share(gas, 0), 0);
	assert_int_equal(memory[1000], 0);
	assert_int_equal(Gas_close(gas), 0);
}

struct counter {
	struct Gas *gas;
	volatile uint64_t *value;
};

static void *count(void *opaque)
{
	struct counter *counter = opaque;

	for (int i = 0; i < TURNS; i++) {
		if (Gas_lock(counter->gas, LOCK))
			return opaque;
		++*counter->value;
		if (Gas_unlock(counter->gas, LOCK))
			return opaque;
	}
	return NULL;
}

static void locks_exclude_threads(void **state)
{
	struct Gas *gas = space(NULL, NULL);
	struct counter counter = {gas, extent(gas, 1, GAS_BLOCK)};
	pthread_t threads[THREADS];
	void *failed;

	assert_int_equal(Gas_share(gas, 0), 0);
	assert_int_equal(Gas_lock(gas, GAS_LOCKS), -EINVAL);
	assert_int_equal(Gas_unlock(gas, GAS_LOCKS), -EINVAL);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, count, &counter), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	assert_int_equal(*counter.value, THREADS * TURNS);
	assert_int_equal(Gas_close(gas), 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(environment_is_checked, reset),
		cmocka_unit_test_teardown(layouts_deal_pages, reset),
		cmocka_unit_test_teardown(names_are_checked, reset),
		cmocka_unit_test_teardown(without_an_adapter_nodes_cannot_share, reset),
		cmocka_unit_test_teardown(a_program_runs_alone, reset),
		cmocka_unit_test_teardown(locks_exclude_threads, reset),
	};

	return cmocka_run_group_tests_name("gas", tests, NULL, NULL);
}
