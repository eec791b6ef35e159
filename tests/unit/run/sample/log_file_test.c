/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the file of the logs. Each log belongs to one process, and is emptied for the next
 * process.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/sample/log_file.h"

static void log_file_has_a_log_for_each_process(void **state)
{
	struct sample_log *first, *second;
	struct log_file file;

	assert_int_equal(log_file_make(&file, (const uint8_t[]){3, 5}, 2, true), 0);
	assert_int_equal(file.header->node[1], 5);
	assert_null(log_file_find(&file, 10));
	log_file_begin(&file, 10);
	atomic_store(&file.header->process[200], 11);
	first = log_file_find(&file, 10);
	second = log_file_find(&file, 11);
	assert_non_null(first);
	assert_non_null(second);
	first->head = 7;
	assert_int_equal(second->head, 0);
	second->head = 8;
	assert_int_equal(first->head, 7);
	log_file_unmap(first);
	log_file_unmap(second);
	log_file_free(&file);
}

static void log_file_returned_is_empty_and_nobodys(void **state)
{
	struct sample_log *log;
	struct log_file file;

	assert_int_equal(log_file_make(&file, NULL, 0, true), 0);
	log_file_begin(&file, 10);
	log = log_file_find(&file, 10);
	assert_non_null(log);
	log->head = 7;
	log->entries[SAMPLE_LOG_ENTRIES - 1].ready = 8;
	log_file_unmap(log);
	log_file_return(&file, 12);
	assert_int_equal(file.header->process[0], 10);
	log_file_return(&file, 10);
	assert_int_equal(file.header->process[0], 0);
	assert_null(log_file_find(&file, 10));
	log_file_begin(&file, 11);
	log = log_file_find(&file, 11);
	assert_int_equal(log->head, 0);
	assert_int_equal(log->entries[SAMPLE_LOG_ENTRIES - 1].ready, 0);
	log_file_unmap(log);
	log_file_free(&file);
}

static bool is_known(void *opaque, pid_t pid)
{
	return pid == *(pid_t *)opaque;
}

static void log_file_sweep_returns_logs_of_those_that_are_gone(void **state)
{
	struct log_file file;
	pid_t nobody = 0, gone = fork();

	if (!gone)
		_exit(0);
	assert_true(gone > 0);
	assert_int_equal(waitpid(gone, NULL, 0), gone);
	assert_int_equal(log_file_make(&file, NULL, 0, true), 0);
	log_file_begin(&file, getpid());
	atomic_store(&file.header->process[1], (uint32_t)gone);
	log_file_sweep(&file, is_known, &gone);
	assert_int_equal(file.header->process[1], gone);
	log_file_sweep(&file, is_known, &nobody);
	assert_int_equal(file.header->process[0], getpid());
	assert_int_equal(file.header->process[1], 0);
	log_file_free(&file);
}

static void log_file_that_is_none_has_no_logs(void **state)
{
	struct log_file file = {.fd = -1};

	log_file_begin(&file, 10);
	log_file_sweep(&file, is_known, NULL);
	log_file_return(&file, 10);
	assert_null(log_file_find(&file, 10));
	log_file_free(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(log_file_has_a_log_for_each_process),
		cmocka_unit_test(log_file_returned_is_empty_and_nobodys),
		cmocka_unit_test(log_file_sweep_returns_logs_of_those_that_are_gone),
		cmocka_unit_test(log_file_that_is_none_has_no_logs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
