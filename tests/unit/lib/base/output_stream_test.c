/* SPDX-License-Identifier: MIT */
/*
 * Tests of lib/base/output_stream.h. A write to a regular file is never interrupted here, so this
 * program replaces write(2): the replacement returns EINTR as often as a test requests.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/output_stream.h"

static int interruptions;
static size_t most;

/* Replaces the function of the C library. */
ssize_t write(int fd, const void *bytes, size_t count)
{
	if (interruptions > 0) {
		interruptions--;
		errno = EINTR;
		return -1;
	}
	return syscall(SYS_write, fd, bytes, most && count > most ? most : count);
}

static char path[] = "/tmp/written_file_test.XXXXXX";

static int temporary(void **state)
{
	int fd = mkstemp(path);

	close(fd);
	return fd < 0;
}

static int removed(void **state)
{
	strcpy(path + strlen(path) - 6, "XXXXXX");
	return 0;
}

static void reads(const char *expected)
{
	char text[100] = "";
	FILE *file = fopen(path, "re");

	assert_non_null(file);
	assert_int_equal(fread(text, 1, sizeof(text) - 1, file), strlen(expected));
	assert_string_equal(text, expected);
	fclose(file);
	unlink(path);
}

static void a_signal_does_not_end_a_write(void **state)
{
	FILE *file = smile_output_stream_open(path, NULL);

	assert_non_null(file);
	interruptions = 3;
	fputs("written", file);
	assert_int_equal(fflush(file), 0);
	assert_int_equal(interruptions, 0);
	interruptions = 2;
	fputs(" twice", file);
	assert_int_equal(fclose(file), 0);
	reads("written twice");
}

static void parts_are_written_one_after_another(void **state)
{
	int fd;
	FILE *file = smile_output_stream_open(path, &fd);

	most = 3;
	fputs("in many parts", file);
	assert_int_equal(fseek(file, 3, SEEK_SET), 0);
	fputs("four", file);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fclose(file), 0);
	most = 0;
	assert_int_equal(fcntl(fd, F_GETFD), -1);
	reads("in four parts");
}

static void a_pipe_ends_with_a_signal(void **state)
{
	int ends[2];
	FILE *file;

	assert_int_equal(pipe(ends), 0);
	file = smile_output_stream(ends[1]);
	interruptions = 1;
	fputs("text", file);
	errno = 0;
	/* stdio calls the write() of the C library, which is not interrupted here. */
	assert_int_equal(fflush(file), 0);
	assert_int_equal(interruptions, 1);
	interruptions = 0;
	fclose(file);
	close(ends[0]);
}

static void errors_are_reported(void **state)
{
	FILE *file = smile_output_stream_open("/dev/full", NULL);

	assert_non_null(file);
	fputs("text", file);
	assert_int_equal(fclose(file), EOF);
	assert_null(smile_output_stream_open("/no/such/folder", NULL));
	assert_int_equal(errno, ENOENT);
	assert_null(smile_output_stream(-1));
	assert_int_equal(errno, EBADF);
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_signal_does_not_end_a_write, temporary, removed),
		cmocka_unit_test_setup_teardown(parts_are_written_one_after_another, temporary,
						removed),
		cmocka_unit_test_setup_teardown(a_pipe_ends_with_a_signal, temporary, removed),
		cmocka_unit_test_setup_teardown(errors_are_reported, temporary, removed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
