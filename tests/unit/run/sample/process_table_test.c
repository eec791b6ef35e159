/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the table of sampled processes. It finds a running process by its number. If there are
 * too many processes, it keeps some of them. A forked process starts with a copy of its parent's
 * data.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/sample/process_table.h"

#define ORDER_OF(pid) ((uint64_t)(pid)-1000)

static const struct sample_host host = {.nodes = {0, 1}, .count = 2, .of_cpu = {0, 1}};

static struct sampled_process *made(struct process_table *table, pid_t pid)
{
	struct sampled_process *process = sampled_process_new(pid, SAMPLE_FAULTS, &host);

	assert_non_null(process);
	process->order = ORDER_OF(pid);
	assert_int_equal(process_table_add(table, process), 0);
	return process;
}

static void process_table_finds_those_that_run(void **state)
{
	struct process_table table = {.kept_count = 0};
	struct sampled_process *first = made(&table, 1000), *second = made(&table, 1001);
	size_t position = 0, count = 0;

	assert_ptr_equal(process_table_find(&table, 1000), first);
	assert_ptr_equal(process_table_find(&table, 1001), second);
	assert_null(process_table_find(&table, 1002));
	process_table_take_out(&table, first);
	assert_null(process_table_find(&table, 1000));
	while (process_table_next(&table, &position))
		count++;
	assert_int_equal(count, 1);
	/* A new process has this number now. */
	made(&table, 1000);
	assert_ptr_not_equal(process_table_find(&table, 1000), first);
	sampled_process_free(first);
	process_table_free(&table);
}

/* Process 1000 + n has n samples; the first process has none. */
static void process_table_keeps_the_first_and_those_with_most_samples(void **state)
{
	struct process_table table = {.kept_count = 0};
	struct sampled_process *process, *dropped;

	for (pid_t pid = 1000; pid < 1000 + (pid_t)SAMPLE_PROCESSES_MAX + 10; pid++) {
		process = made(&table, pid);
		process->counts.samples = ORDER_OF(pid);
		process_table_take_out(&table, process);
		assert_int_equal(process_table_keep(&table, process, &dropped), 0);
		if (pid < 1000 + (pid_t)SAMPLE_PROCESSES_MAX) {
			assert_null(dropped);
			continue;
		}
		assert_int_equal(dropped->counts.samples, ORDER_OF(pid) - SAMPLE_PROCESSES_MAX + 1);
		sampled_process_free(dropped);
	}
	assert_int_equal(table.kept_count, SAMPLE_PROCESSES_MAX);
	process_table_sort(&table);
	assert_int_equal(table.kept[0]->pid, 1000);
	for (size_t i = 1; i < table.kept_count; i++)
		assert_int_equal(table.kept[i]->order, i + 10);
	process_table_free(&table);
}

static void sampled_process_fork_is_a_copy_with_samples_of_its_own(void **state)
{
	struct process_table table = {.kept_count = 0};
	struct sampled_process *parent = made(&table, 1000), *child = made(&table, 1001);
	const struct Monitor_region region = {
		.start = 0x10000, .end = 0x20000, .kind = MONITOR_REGION_NAMED, .name = "board"};
	struct sample sample = {.pid = 1001, .tid = 1001, .address = 0x10000, .cpu = 1};

	assert_int_equal(mapped_add(&parent->mapped, &region), 0);
	assert_int_equal(mapped_build_add(&parent->mapped, "/a", "b"), 0);
	parent->counts.samples = 5;
	assert_int_equal(sampled_process_fork(child, parent), 0);
	assert_true(child->copy);
	assert_int_equal(child->mapped.count, 1);
	assert_string_equal(child->mapped.list[0].name, "board");
	assert_ptr_not_equal(child->mapped.list[0].name, parent->mapped.list[0].name);
	assert_int_equal(child->mapped.build_count, 1);
	assert_false(sampled_process_has_samples(child));
	/* The first fault at an address in known memory, and the first one in unknown memory. */
	assert_int_equal(sampled_process_take(child, &sample), 0);
	assert_false(child->missed);
	sample.address = 0x90000;
	sample.tid = 1002;
	assert_int_equal(sampled_process_take(child, &sample), 0);
	assert_true(child->missed);
	assert_true(child->several);
	assert_false(sampled_process_has_samples(child));
	counts_home(&child->counts, 0x90, 1, 1);
	sample.time_ns = 2;
	assert_int_equal(sampled_process_take(child, &sample), 0);
	assert_true(sampled_process_has_samples(child));
	assert_int_equal(child->taken, 3);
	assert_int_equal(parent->taken, 0);
	process_table_free(&table);
}

/* Each sample of a process must be in exactly one of the sums of its account. */
static void sampled_process_account_is_complete(void **state)
{
	struct sampled_process *process = sampled_process_new(1000, SAMPLE_FAULTS, &host);
	const struct log_file none = {.fd = -1};
	const struct sample samples[] = {
		{.pid = 1000, .tid = 1000, .address = 0x10000},
		{.pid = 1000, .tid = 1000, .address = 0x10000},
		{.pid = 1000, .tid = 1000, .address = 1ULL << 50},
		{.pid = 1000, .tid = 1000, .address = UINT64_MAX},
		{.pid = 1000, .tid = 1000, .address = 0x10000, .cpu = SAMPLE_CPUS_MAX},
	};
	struct sample_reason reasons[SAMPLE_REASONS];
	uint64_t left_out = 0;

	assert_non_null(process);
	for (size_t i = 0; i < sizeof(samples) / sizeof(samples[0]); i++)
		assert_int_equal(sampled_process_take(process, &samples[i]), 0);
	assert_int_equal(sampled_process_finish(process, &none, sample_now_ns()), 0);
	sample_reasons(&process->result, reasons);
	for (size_t i = 0; i < SAMPLE_REASONS; i++)
		left_out += reasons[i].samples;
	assert_int_equal(process->result.all, 5);
	assert_int_equal(process->result.samples, 0);
	assert_int_equal(left_out, 5);
	assert_int_equal(process->result.first, 1);
	assert_int_equal(process->result.homeless, 1);
	sampled_process_free(process);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(process_table_finds_those_that_run),
		cmocka_unit_test(process_table_keeps_the_first_and_those_with_most_samples),
		cmocka_unit_test(sampled_process_fork_is_a_copy_with_samples_of_its_own),
		cmocka_unit_test(sampled_process_account_is_complete),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
