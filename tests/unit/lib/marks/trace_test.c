/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Tests of lib/marks/marks.c, libsmile-trace, without a tracer. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "smile/trace.h"

static void alloc_gives_zeroed_pages_of_its_own(void **state)
{
	unsigned char *one = smile_alloc(4097, "one"), *other = smile_alloc(1, "other");

	assert_non_null(one);
	assert_non_null(other);
	assert_int_equal((uintptr_t)one % 4096, 0);
	assert_int_equal((uintptr_t)other % 4096, 0);
	assert_true(one + 8192 <= other || other + 4096 <= one);
	for (size_t i = 0; i < 8192; i++)
		assert_int_equal(one[i], 0);
	memset(one, 1, 8192);
	assert_int_equal(other[0], 0);
}

static void alloc_is_shared_with_children(void **state)
{
	int *shared = smile_alloc(sizeof(*shared), "shared");
	pid_t child = fork();

	if (child == 0) {
		*shared = 42;
		_exit(0);
	}
	assert_int_equal(waitpid(child, NULL, 0), child);
	assert_int_equal(*shared, 42);
}

static void alloc_without_bytes_or_name_is_refused(void **state)
{
	errno = 0;
	assert_null(smile_alloc(0, "none"));
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_null(smile_alloc(1, NULL));
	assert_int_equal(errno, EINVAL);
}

static void alloc_of_more_than_there_is_fails(void **state)
{
	errno = 0;
	assert_null(smile_alloc(SIZE_MAX, "all"));
	assert_int_equal(errno, ENOMEM);
	errno = 0;
	assert_null(smile_alloc((size_t)1 << 47, "half"));
	assert_int_equal(errno, ENOMEM);
}

static void phase_does_nothing(void **state)
{
	errno = 7;
	smile_phase("one");
	smile_phase(NULL);
	assert_int_equal(errno, 7);
}

static void place_checks_its_arguments(void **state)
{
	char data[64] = {0};

	errno = 7;
	assert_int_equal(smile_place(data, sizeof(data), 0), 0);
	assert_int_equal(smile_place(data, 1, 63), 0);
	assert_int_equal(errno, 7);
	assert_int_equal(smile_place(NULL, 1, 0), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(smile_place(data, 0, 0), -1);
	assert_int_equal(errno, EINVAL);
	errno = 0;
	assert_int_equal(smile_place(data, SIZE_MAX, 0), -1);
	assert_int_equal(errno, EINVAL);
}

static void traced_is_false(void **state)
{
	assert_int_equal(smile_traced(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alloc_gives_zeroed_pages_of_its_own),
		cmocka_unit_test(alloc_is_shared_with_children),
		cmocka_unit_test(alloc_without_bytes_or_name_is_refused),
		cmocka_unit_test(alloc_of_more_than_there_is_fails),
		cmocka_unit_test(phase_does_nothing),
		cmocka_unit_test(place_checks_its_arguments),
		cmocka_unit_test(traced_is_false),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
