// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of run/sample/host.c, which reads a machine from /sys and /proc. The tests use node ids
 * with gaps, a node without processors, and machines without anything to sample.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/unit/run/sample/host_tree.h"

static int make(void **state)
{
	tree_make(state);
	tree_file("/sys/devices/system/node/online", "0,2,5");
	tree_file("/sys/devices/system/node/node0/cpulist", "0-1,6");
	tree_file("/sys/devices/system/node/node2/cpulist", "");
	tree_file("/sys/devices/system/node/node5/cpulist", "3");
	tree_file("/proc/sys/kernel/numa_balancing", "1");
	return 0;
}

static struct sample_host host;
static char why[1024];

static void refused(const char *with)
{
	assert_true(sample_host_nodes(&host, why, sizeof(why)) == -ENODEV ||
		    sample_host_balances(why, sizeof(why)) == -ENODEV);
	if (!strstr(why, with))
		fail_msg("'%s' is not in '%s'", with, why);
}

static void host_find_nodes_with_gaps(void **state)
{
	assert_int_equal(sample_host_nodes(&host, why, sizeof(why)), 0);
	assert_int_equal(host.count, 3);
	assert_int_equal(host.nodes[0], 0);
	assert_int_equal(host.nodes[1], 2);
	assert_int_equal(host.nodes[2], 5);
	assert_int_equal(host.of_cpu[0], 0);
	assert_int_equal(host.of_cpu[1], 0);
	assert_int_equal(host.of_cpu[2], SAMPLE_NODE_NONE);
	assert_int_equal(host.of_cpu[3], 5);
	assert_int_equal(host.of_cpu[6], 0);
	assert_int_equal(host.of_cpu[7], SAMPLE_NODE_NONE);
}

static void host_find_balancing_off_refused(void **state)
{
	tree_file("/proc/sys/kernel/numa_balancing", "0");
	refused("kernel.numa_balancing=1");
	/* The kernel moves pages only between kinds of memory, not between nodes. */
	tree_file("/proc/sys/kernel/numa_balancing", "2");
	refused("kernel.numa_balancing=1");
	tree_file("/proc/sys/kernel/numa_balancing", "3");
	assert_int_equal(sample_host_balances(why, sizeof(why)), 0);
	tree_file("/proc/sys/kernel/numa_balancing", "");
	refused("does not balance");
}

static void host_find_one_node_refused(void **state)
{
	tree_file("/sys/devices/system/node/online", "0");
	refused("one node");
	/* A kernel without NUMA. */
	tree_file("/sys/devices/system/node/online", "");
	refused("one node");
}

static void host_find_odd_lists_refused(void **state)
{
	tree_file("/sys/devices/system/node/online", "0-64");
	refused("nodes cannot be read");
	tree_file("/sys/devices/system/node/online", "0,x");
	refused("nodes cannot be read");
	tree_file("/sys/devices/system/node/online", "0,2");
	tree_file("/sys/devices/system/node/node2/cpulist", "7-3");
	refused("nodes cannot be read");
}

static void list_numbers(void **state)
{
	static const struct {
		const char *text;
		int count;
	} lists[] = {
		{"0", 1},
		{"0-3", 4},
		{"0-1,3,5-7", 6},
		{"2,2", 1},
		{"7", 1},
		{"8", -EINVAL},
		{"", 0},
		{"-1", -EINVAL},
		{"1-", -EINVAL},
		{"1;2", -EINVAL},
		{"3-1", -EINVAL},
		{" 1", -EINVAL},
		{"99999999999999999999", -EINVAL},
	};
	bool set[8];

	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		assert_int_equal(sample_list(lists[i].text, set, 8), lists[i].count);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(host_find_nodes_with_gaps, make, tree_remove),
		cmocka_unit_test_setup_teardown(host_find_balancing_off_refused, make, tree_remove),
		cmocka_unit_test_setup_teardown(host_find_one_node_refused, make, tree_remove),
		cmocka_unit_test_setup_teardown(host_find_odd_lists_refused, make, tree_remove),
		cmocka_unit_test(list_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
