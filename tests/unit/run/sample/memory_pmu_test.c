// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Tests of run/sample/memory_pmu.c: the events of processors that this machine does not have, from
 * trees like those of Linux in /sys.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/sample/memory_pmu.h"
#include "run/sample/perf_ring.h"
#include "tests/unit/run/sample/host_tree.h"

static struct sample_plan plan;
static char why[512];

/* Write a file below the directory of PMUs. */
static void file(const char *path, const char *text)
{
	char whole[PATH_MAX];

	snprintf(whole, sizeof(whole), "/sys/bus/event_source/devices/%s", path);
	tree_file(whole, text);
}

/* A PMU as Linux reports it for Skylake. */
static void intel(const char *pmu, const char *type)
{
	char path[64];
	static const char *const files[][2] = {
		{"format/event", "config:0-7"},
		{"format/umask", "config:8-15"},
		{"format/ldlat", "config1:0-15"},
		{"caps/max_precise", "3"},
		{"events/mem-loads", "event=0xcd,umask=0x1,ldlat=3"},
		{"events/mem-stores", "event=0xd0,umask=0x82"},
	};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", pmu, files[i][0]);
		file(path, files[i][1]);
	}
	snprintf(path, sizeof(path), "%s/type", pmu);
	file(path, type);
}

static void is(const struct sample_planned *event, const char *name, uint32_t type, uint64_t config,
	       uint64_t config1, uint32_t precise, bool leads)
{
	assert_string_equal(event->name, name);
	assert_int_equal(event->type, type);
	assert_int_equal(event->config, config);
	assert_int_equal(event->config1, config1);
	assert_int_equal(event->precise, precise);
	assert_int_equal(event->leads, leads);
}

static void plan_memory_intel(void **state)
{
	intel("cpu", "4");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.source, SAMPLE_MEMORY);
	assert_int_equal(plan.sample_type, SAMPLE_TYPE_MEMORY);
	assert_int_equal(plan.count, 2);
	assert_false(plan.kernel_too);
	/* Loads of at least 30 cycles must be sampled. The event's own limit is 3 cycles. */
	is(&plan.list[0], "cpu/mem-loads/", 4, 0x1cd, 30, 3, false);
	is(&plan.list[1], "cpu/mem-stores/", 4, 0x82d0, 0, 3, false);
}

/* A PMU as on Sapphire Rapids: it counts loads only if another event is counted as well. */
static void plan_memory_intel_with_an_event_beside(void **state)
{
	char names[64];

	intel("cpu", "4");
	file("cpu/events/mem-loads-aux", "event=0x03,umask=0x82");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.count, 3);
	is(&plan.list[0], "cpu/mem-loads-aux/", 4, 0x8203, 0, 0, true);
	is(&plan.list[1], "cpu/mem-loads/", 4, 0x1cd, 30, 3, false);
	sample_plan_names(&plan, names, sizeof(names));
	assert_string_equal(names, "cpu/mem-loads/, cpu/mem-stores/");
}

/* The machine has two kinds of processors. One bit of a term is not next to its other bits. */
static void plan_memory_intel_cores(void **state)
{
	intel("cpu_core", "10");
	file("cpu_core/format/umask", "config:8-14,40");
	file("cpu_core/caps/max_precise", "2");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.count, 2);
	is(&plan.list[1], "cpu_core/mem-stores/", 10, 0x02d0 | 1ULL << 40, 0, 2, false);
}

static void plan_memory_amd(void **state)
{
	file("ibs_op/type", "11");
	file("ibs_op/format/cnt_ctl", "config:19");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.count, 1);
	is(&plan.list[0], "ibs_op//", 11, 1 << 19, 0, 0, false);
	assert_true(plan.kernel_too);
	/* Newer kernels remove their own samples. */
	file("ibs_op/format/swfilt", "config2:0");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.list[0].config2, 1);
	assert_false(plan.kernel_too);
}

static void refused(void)
{
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), -ENODEV);
	assert_non_null(strstr(why, "mem-loads"));
}

static void plan_memory_without_events_refused(void **state)
{
	refused();
	/* A virtual machine without PEBS has only events that are not for memory. */
	file("cpu/type", "4");
	file("cpu/events/cycles", "event=0x3c");
	refused();
	/* The PMU has no valid bits for the terms. */
	file("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3");
	refused();
	file("cpu/format/event", "config:0-7");
	file("cpu/format/umask", "config3:8-15");
	file("cpu/format/ldlat", "config1:0-15");
	refused();
	file("cpu/format/umask", "config:8-99");
	refused();
	file("cpu/format/umask", "config:x");
	refused();
	file("cpu/format/umask", "config:8-15");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.count, 1);
	assert_int_equal(plan.list[0].precise, 2);
}

static void plan_memory_budget(void **state)
{
	intel("cpu", "4");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.frequency, 1000);
	assert_int_equal(sample_plan_memory(&plan, 0.001, why, sizeof(why)), 0);
	assert_int_equal(plan.frequency, 1);
	/* The kernel does not permit a higher rate. */
	tree_file("/proc/sys/kernel/perf_event_max_sample_rate", "700");
	assert_int_equal(sample_plan_memory(&plan, 2, why, sizeof(why)), 0);
	assert_int_equal(plan.frequency, 700);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(plan_memory_intel, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(plan_memory_intel_with_an_event_beside, tree_make,
						tree_remove),
		cmocka_unit_test_setup_teardown(plan_memory_intel_cores, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(plan_memory_amd, tree_make, tree_remove),
		cmocka_unit_test_setup_teardown(plan_memory_without_events_refused, tree_make,
						tree_remove),
		cmocka_unit_test_setup_teardown(plan_memory_budget, tree_make, tree_remove),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
