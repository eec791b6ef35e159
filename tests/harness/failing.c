/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of tests: show that a helper that asserts can fail.
 */
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/harness/failing.h"

int failures_of(CMUnitTestFunction function, CMFixtureFunction setup, CMFixtureFunction teardown)
{
	int status = -1;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		const struct CMUnitTest tests[] = {
			cmocka_unit_test_setup_teardown(function, setup, teardown),
		};
		int null = open("/dev/null", O_WRONLY);

		if (null < 0 || dup2(null, 1) < 0 || dup2(null, 2) < 0)
			_exit(100);
		_exit(cmocka_run_group_tests_name("child", tests, NULL, NULL));
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_true(WEXITSTATUS(status) <= 1);
	return WEXITSTATUS(status);
}
