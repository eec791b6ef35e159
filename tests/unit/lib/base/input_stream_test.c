/* SPDX-License-Identifier: MIT */
/*
 * Tests of lib/base/input_stream.h. This program replaces read(2), which the stream uses for pipes.
 * If a test requests it, two of three calls return EINTR, and the others read few bytes.
 */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "lib/base/input_stream.h"

#define BYTES 100000

static int interrupting;
static unsigned int calls;

/* Replaces the function of the C library. */
ssize_t read(int fd, void *bytes, size_t count)
{
	if (interrupting && calls++ % 3) {
		errno = EINTR;
		return -1;
	}
	return syscall(SYS_read, fd, bytes, interrupting && count > 7 ? 7 : count);
}

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

/*
 * The leak sanitizer does not find the pointer to the memory of an open stream, because the
 * sanitizer's own fopencookie(3) stores this pointer in memory that it does not search. A child
 * ends with an open stream.
 */
const char *__lsan_default_suppressions(void);

const char *__lsan_default_suppressions(void)
{
	return "leak:smile_input_stream_open";
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

/* Open a pipe that has @bytes and then ends. */
static FILE *pipe_with(const void *bytes, size_t count)
{
	int ends[2], fd;
	char name[64];
	FILE *file;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	assert_int_equal(write(ends[1], bytes, count), count);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	file = smile_input_stream_open(name, &fd);
	assert_non_null(file);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(ends[0]);
	close(ends[1]);
	return file;
}

static void test_pipe_cannot_seek(void **state)
{
	FILE *file = pipe_with("abc", 3);

	assert_int_equal(fgetc(file), 'a');
	assert_int_equal(fseeko(file, 1000, SEEK_SET), -1);
	assert_int_equal(errno, ESPIPE);
	assert_int_equal(fclose(file), 0);
}

static void test_signals_lose_no_bytes(void **state)
{
	uint32_t sent[1000], got[1001] = {0};
	size_t count = 0, some, interrupted = 0;
	FILE *file;

	for (uint32_t i = 0; i < 1000; i++)
		sent[i] = i * 0x01020304;
	file = pipe_with(sent, sizeof(sent));
	interrupting = 1;
	for (;;) {
		some = smile_input_stream_read(file, got + count, sizeof(*got), 1000 - count + 1);
		count += some;
		interrupted += !some && errno == EINTR;
		if (!some && errno != EINTR)
			break;
	}
	interrupting = 0;
	assert_int_equal(count, 1000);
	assert_memory_equal(got, sent, sizeof(sent));
	assert_true(interrupted > 0);
	assert_true(feof(file));
	assert_int_equal(ferror(file), 0);
	fclose(file);
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
		cmocka_unit_test(test_signals_lose_no_bytes),
		cmocka_unit_test(test_missing_file),
	};

	return cmocka_run_group_tests(tests, file_made, file_removed);
}
