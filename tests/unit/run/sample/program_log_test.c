/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of run/sample/program_log.c, which reads the entries that a program logs for `smile
 * sample`: allocations, named regions and phases. Other tests use a log that is full, and entries
 * that no library writes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "run/sample/program_log.h"

#define BEGAN_NS 1000

#define PROCESS 77

static struct log_file file;

static int log_make(void **state)
{
	struct program_log *log = malloc(sizeof(*log));

	if (!log || log_file_make(&file, NULL, 0, true) < 0)
		return -1;
	program_log_begin(log, BEGAN_NS);
	log_file_begin(&file, PROCESS);
	log->memory = log_file_find(&file, PROCESS);
	*state = log;
	return log->memory ? 0 : -1;
}

static int log_free(void **state)
{
	program_log_free(*state);
	log_file_free(&file);
	free(*state);
	return 0;
}

/* Write an entry as the library does. */
static struct sample_log_entry *entry(struct program_log *log, enum sample_log_kind kind,
				      uint64_t time_ns)
{
	uint64_t head = atomic_fetch_add(&log->memory->head, 1);
	struct sample_log_entry *next = &log->memory->entries[head % SAMPLE_LOG_ENTRIES];

	next->kind = kind;
	next->time_ns = time_ns;
	memset(next->callers, 0, sizeof(next->callers));
	return next;
}

static void ready(struct program_log *log)
{
	uint64_t head = atomic_load(&log->memory->head);

	atomic_store(&log->memory->entries[(head - 1) % SAMPLE_LOG_ENTRIES].ready, head);
}

static void block(struct program_log *log, uint64_t caller, uint64_t address, uint64_t bytes)
{
	struct sample_log_entry *next =
		entry(log, bytes ? SAMPLE_LOG_BLOCK : SAMPLE_LOG_FREED, BEGAN_NS + 10);

	next->address = address;
	next->bytes = bytes;
	next->callers[0] = caller;
	ready(log);
}

static void phase(struct program_log *log, const char *name, uint64_t time_ns)
{
	struct sample_log_entry *next = entry(log, SAMPLE_LOG_PHASE, time_ns);

	snprintf(next->name, sizeof(next->name), "%s", name);
	ready(log);
}

static void program_log_blocks_become_rows(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};
	struct allocations_rows rows;

	block(log, 0x100, 0x10000, 8192);
	block(log, 0x200, 0x20000, 4096);
	block(log, 0, 0x10000, 0);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_non_null(log->allocations);
	assert_int_equal(allocations_all(log->allocations), 2);
	assert_int_equal(allocations_rows(log->allocations, &rows), 0);
	assert_int_equal(rows.count, 2);
	assert_int_equal(rows.list[0].address, 0x10000);
	assert_int_equal(rows.list[0].begin_ns, 10);
	assert_int_equal(rows.list[0].end_ns, 10);
	assert_int_equal(rows.list[1].bytes, 4096);
	assert_true(rows.list[1].end_ns == UINT64_MAX);
	free(rows.list);
}

static void program_log_waits_for_an_entry_that_is_being_written(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};

	entry(log, SAMPLE_LOG_PHASE, BEGAN_NS);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(atomic_load(&log->memory->tail), 0);
	ready(log);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(atomic_load(&log->memory->tail), 1);
}

static void program_log_goes_on_behind_its_end(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};

	for (unsigned i = 0; i < 3 * SAMPLE_LOG_ENTRIES; i++) {
		block(log, 0x100, 0x10000 + 4096ULL * i, 4096);
		if (i % SAMPLE_LOG_ENTRIES == SAMPLE_LOG_ENTRIES - 1)
			assert_int_equal(program_log_read(log, &mapped), 0);
	}
	assert_int_equal(allocations_all(log->allocations), 3 * SAMPLE_LOG_ENTRIES);
}

static void program_log_forgets_what_another_program_had(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};

	block(log, 0x100, 0x10000, 8192);
	phase(log, "one", BEGAN_NS + 1);
	entry(log, SAMPLE_LOG_PROGRAM, BEGAN_NS + 2);
	ready(log);
	block(log, 0x100, 0x20000, 8192);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(allocations_all(log->allocations), 1);
	assert_int_equal(log->phase_count, 1);
	assert_int_equal(log->programs, 1);
}

static void program_log_regions_have_names(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};
	struct sample_log_entry *next = entry(log, SAMPLE_LOG_REGION, BEGAN_NS);

	next->address = 0x40000;
	next->bytes = 0x2000;
	strcpy(next->name, "board");
	ready(log);
	/* The end of this region would be before its start. No library writes such an entry. */
	next = entry(log, SAMPLE_LOG_REGION, BEGAN_NS);
	next->address = UINT64_MAX - 4095;
	next->bytes = 0x2000;
	memset(next->name, 'x', sizeof(next->name));
	ready(log);
	/* The second thread has the stack that the first thread had before. */
	for (unsigned i = 0; i < 2; i++) {
		next = entry(log, SAMPLE_LOG_STACK, BEGAN_NS);
		next->address = 0x50000;
		next->bytes = 0x8000;
		memset(next->name, 'x', sizeof(next->name));
		ready(log);
	}
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(mapped.count, 2);
	assert_int_equal(mapped.list[1].kind, MONITOR_REGION_STACK);
	assert_int_equal(mapped.list[1].start, 0x50000);
	assert_int_equal(mapped.list[1].end, 0x58000);
	assert_string_equal(mapped.list[1].name, "");
	assert_string_equal(mapped.list[0].name, "board");
	assert_int_equal(mapped.list[0].kind, MONITOR_REGION_NAMED);
	assert_int_equal(mapped.list[0].end, 0x42000);
	mapped_free(&mapped);
}

static void program_log_phases_by_name(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};

	phase(log, "work", BEGAN_NS + 100);
	phase(log, "check", BEGAN_NS + 400);
	/* Two threads write entries. The order of the entries is not the order of their times. */
	phase(log, "work", BEGAN_NS + 600);
	phase(log, "end", BEGAN_NS + 550);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(log->phase_count, 4);
	assert_int_equal(program_log_phase(log, BEGAN_NS + 99), 0);
	assert_int_equal(program_log_phase(log, BEGAN_NS + 100), 1);
	assert_int_equal(program_log_phase(log, BEGAN_NS + 399), 1);
	assert_int_equal(program_log_phase(log, BEGAN_NS + 400), 2);
	assert_int_equal(program_log_phase(log, BEGAN_NS + 560), 3);
	assert_int_equal(program_log_phase(log, BEGAN_NS + 5000), 1);
	program_log_ends(log, BEGAN_NS + 1000);
	assert_int_equal(log->phases[0].elapsed_ns, 100);
	assert_int_equal(log->phases[1].elapsed_ns, 300 + 400);
	assert_int_equal(log->phases[2].elapsed_ns, 150);
	assert_int_equal(log->phases[3].elapsed_ns, 50);
}

static void program_log_more_phases_count_for_the_last(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};
	char name[16];

	for (unsigned i = 0; i < COUNTS_PHASES_MAX + 4; i++) {
		snprintf(name, sizeof(name), "%u", i);
		phase(log, name, BEGAN_NS + 10 * (i + 1));
	}
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(log->phase_count, COUNTS_PHASES_MAX);
	assert_int_equal(log->phases_lost, 5);
	assert_int_equal(program_log_phase(log, BEGAN_NS + 100000), COUNTS_PHASES_MAX - 1);
}

static void program_log_kinds_that_are_none(void **state)
{
	struct program_log *log = *state;
	struct mapped mapped = {0};

	entry(log, SAMPLE_LOG_PHASE, BEGAN_NS)->kind = UINT64_MAX;
	ready(log);
	phase(log, "work", 0);
	memset(entry(log, SAMPLE_LOG_PHASE, UINT64_MAX)->name, 'x', SAMPLE_LOG_NAME_BYTES);
	ready(log);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(log->phase_count, 3);
	assert_int_equal(strlen(log->phases[2].name), SAMPLE_LOG_NAME_BYTES - 1);
	program_log_ends(log, BEGAN_NS + 100);
	assert_int_equal(log->phases[1].elapsed_ns, 100);
}

static void program_log_fork_has_blocks_that_are_there_and_the_phase(void **state)
{
	struct program_log *log = *state, child;
	struct mapped mapped = {0};
	struct allocations_rows rows;

	entry(log, SAMPLE_LOG_PROGRAM, BEGAN_NS);
	ready(log);
	block(log, 0x100, 0x10000, 8192);
	block(log, 0x200, 0x20000, 4096);
	block(log, 0, 0x10000, 0);
	phase(log, "work", BEGAN_NS + 100);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_int_equal(program_log_fork(&child, log, BEGAN_NS + 500), 0);
	/* Entries that the parent writes later must not change the child. */
	block(log, 0x300, 0x30000, 4096);
	phase(log, "later", BEGAN_NS + 600);
	assert_int_equal(program_log_read(log, &mapped), 0);
	assert_null(child.memory);
	assert_int_equal(child.programs, 1);
	assert_int_equal(program_log_phase(&child, BEGAN_NS + 700), 1);
	assert_string_equal(child.phases[1].name, "work");
	program_log_ends(&child, BEGAN_NS + 900);
	assert_int_equal(child.phases[0].elapsed_ns, 0);
	assert_int_equal(child.phases[1].elapsed_ns, 400);
	assert_int_equal(allocations_rows(child.allocations, &rows), 0);
	assert_int_equal(rows.count, 1);
	assert_int_equal(rows.list[0].address, 0x20000);
	assert_int_equal(rows.list[0].begin_ns, 0);
	free(rows.list);
	program_log_free(&child);
}

#define LOG_TEST(test) cmocka_unit_test_setup_teardown(test, log_make, log_free)

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOG_TEST(program_log_blocks_become_rows),
		LOG_TEST(program_log_waits_for_an_entry_that_is_being_written),
		LOG_TEST(program_log_goes_on_behind_its_end),
		LOG_TEST(program_log_forgets_what_another_program_had),
		LOG_TEST(program_log_regions_have_names),
		LOG_TEST(program_log_phases_by_name),
		LOG_TEST(program_log_more_phases_count_for_the_last),
		LOG_TEST(program_log_kinds_that_are_none),
		LOG_TEST(program_log_fork_has_blocks_that_are_there_and_the_phase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
