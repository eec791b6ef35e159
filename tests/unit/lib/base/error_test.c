/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/base/error.c: each thread has its own error message. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_fixture.h"
#include "lib/base/error.h"

static void error_returns_the_negative_and_keeps_the_message(void **state)
{
	assert_int_equal(smile_error(ENOENT, "no %s", "thing"), -ENOENT);
	assert_string_equal(Monitor_error_message(), "no thing");
}

static void error_longer_than_the_buffer_is_cut(void **state)
{
	char text[2000];

	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	smile_error(EINVAL, "%s", text);
	assert_true(strlen(Monitor_error_message()) < 1000);
	assert_true(strlen(Monitor_error_message()) > 100);
}

static void *other_thread(void *argument)
{
	smile_error(EIO, "elsewhere");
	return NULL;
}

static void error_of_another_thread_is_not_seen(void **state)
{
	pthread_t thread;

	smile_error(EIO, "here");
	assert_int_equal(pthread_create(&thread, NULL, other_thread, NULL), 0);
	pthread_join(thread, NULL);
	assert_string_equal(Monitor_error_message(), "here");
}

static void version_is_three_numbers(void **state)
{
	int a, b, c;

	assert_int_equal(sscanf(Monitor_version(), "%d.%d.%d", &a, &b, &c), 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(error_returns_the_negative_and_keeps_the_message),
		cmocka_unit_test(error_longer_than_the_buffer_is_cut),
		cmocka_unit_test(error_of_another_thread_is_not_seen),
		cmocka_unit_test(version_is_three_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
