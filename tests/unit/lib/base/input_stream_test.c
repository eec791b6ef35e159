/* SPDX-License-Identifier: MIT */
/* Tests of lib/base/input_stream.h. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/input_stream.h"

#define BYTES 100000

static char path[] = "/tmp/input_stream_test.XXXXXX";

static unsigned char byte_at(size_t at)
{
	return (unsigned char)(at % 251);
}

static int file_made(void **state)
{
	int fd = mkstemp(path);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");

	if (!file)
		return -1;
	for (size_t at = 0; at < BYTES; at++)
		fputc(byte_at(at), file);
	return fclose(file);
}

static int file_removed(void **state)
{
	return unlink(path);
}

/* Read the bytes from @at to @end. */
static void read_bytes(FILE *file, size_t at, size_t end)
{
	for (; at < end; at++)
		assert_int_equal(fgetc(file), byte_at(at));
}

/* A child process ends by exit(3), which flushes and closes all streams. */
static void child_ends(void)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child)
		exit(0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void test_child_does_not_move_the_stream(void **state)
{
	int fd;
	FILE *file = smile_input_stream_open(path, &fd);

	assert_non_null(file);
	for (size_t at = 0; at < BYTES; at += BYTES / 20) {
		read_bytes(file, at, at + BYTES / 20);
		child_ends();
	}
	assert_int_equal(fgetc(file), EOF);
	assert_int_equal(ferror(file), 0);
	assert_int_equal(fclose(file), 0);
}

static void test_seeks(void **state)
{
	int fd;
	FILE *file = smile_input_stream_open(path, &fd);

	assert_non_null(file);
	assert_int_equal(fseeko(file, BYTES - 10, SEEK_SET), 0);
	read_bytes(file, BYTES - 10, BYTES - 5);
	assert_int_equal(fseeko(file, -(BYTES - 105), SEEK_CUR), 0);
	read_bytes(file, 100, 200);
	assert_int_equal(fseeko(file, -1, SEEK_END), 0);
	read_bytes(file, BYTES - 1, BYTES);
	assert_int_equal(fgetc(file), EOF);
	assert_int_equal(ftello(file), BYTES);
	assert_int_equal(fseeko(file, 0, SEEK_SET), 0);
	read_bytes(file, 0, 10);
	assert_int_equal(fclose(file), 0);
}

static void test_pipe_cannot_seek(void **state)
{
	int ends[2], fd;
	char name[64];
	FILE *file;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], "abc", 3), 3);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	file = smile_input_stream_open(name, &fd);
	assert_non_null(file);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(fgetc(file), 'a');
	assert_int_equal(fseeko(file, 1000, SEEK_SET), -1);
	assert_int_equal(errno, ESPIPE);
	assert_int_equal(fclose(file), 0);
	close(ends[0]);
	close(ends[1]);
}

static void test_missing_file(void **state)
{
	int fd;

	assert_null(smile_input_stream_open("/not/there", &fd));
	assert_int_equal(errno, ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_child_does_not_move_the_stream),
		cmocka_unit_test(test_seeks),
		cmocka_unit_test(test_pipe_cannot_seek),
		cmocka_unit_test(test_missing_file),
	};

	return cmocka_run_group_tests(tests, file_made, file_removed);
}
