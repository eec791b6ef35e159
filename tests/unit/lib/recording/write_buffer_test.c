/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/recording/write_buffer.c, which appends to a file and reserves room in large pieces.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/recording/write_buffer.h"
#include "tests/unit/lib_fixture.h"

#define HEADER 704U
#define ALL (3U * WRITE_BUFFER_BYTES + 12345U)

static int file_new(const char *name, uint64_t length)
{
	int fd = open(scratch_path(name), O_RDWR | O_CREAT | O_TRUNC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)length), 0);
	return fd;
}

static unsigned char *noise(void)
{
	unsigned char *bytes = malloc(ALL);
	unsigned int seed = 7;

	assert_non_null(bytes);
	for (size_t i = 0; i < ALL; i++)
		bytes[i] = (unsigned char)rand_r(&seed);
	return bytes;
}

static void put_writes_whole_pieces_at_their_places(void **state)
{
	int fd = file_new("gathered", HEADER);
	unsigned char *bytes = noise(), *back = malloc(HEADER + ALL + 1);
	struct write_buffer buffer;
	unsigned int seed = 3;
	size_t put = 0;

	assert_non_null(back);
	assert_int_equal(smile_write_buffer_begin(&buffer, fd, HEADER), 0);
	while (put < ALL) {
		size_t some =
			(size_t)rand_r(&seed) % (put > ALL / 2 ? 2 * WRITE_BUFFER_BYTES : 999);

		if (some > ALL - put)
			some = ALL - put;
		assert_int_equal(smile_write_buffer_put(&buffer, bytes + put, some), 0);
		put += some;
		assert_true(buffer.at == HEADER || buffer.at % WRITE_BUFFER_BYTES == 0);
		assert_int_equal(buffer.at + buffer.used, HEADER + put);
		assert_true(buffer.used < WRITE_BUFFER_BYTES);
	}
	assert_true(buffer.used > 0);
	assert_int_equal(smile_write_buffer_flush(&buffer), 0);
	assert_int_equal(buffer.at, HEADER + ALL);
	assert_int_equal(pread(fd, back, HEADER + ALL + 1, 0), HEADER + ALL);
	assert_memory_equal(back + HEADER, bytes, ALL);
	smile_write_buffer_end(&buffer);
	close(fd);
	free(bytes);
	free(back);
}

static void flush_in_between_moves_no_extent(void **state)
{
	int fd = file_new("flushed", HEADER);
	unsigned char *bytes = noise();
	struct write_buffer buffer;

	assert_int_equal(smile_write_buffer_begin(&buffer, fd, HEADER), 0);
	assert_int_equal(smile_write_buffer_put(&buffer, bytes, 1000), 0);
	assert_int_equal(buffer.at, HEADER);
	assert_int_equal(smile_write_buffer_flush(&buffer), 0);
	assert_int_equal(buffer.at, HEADER + 1000);
	assert_int_equal(smile_write_buffer_put(&buffer, bytes, WRITE_BUFFER_BYTES), 0);
	assert_int_equal(buffer.at, WRITE_BUFFER_BYTES);
	assert_int_equal(buffer.used, HEADER + 1000);
	smile_write_buffer_end(&buffer);
	close(fd);
	free(bytes);
}

/* The file cannot grow any more, as on a full disk. */
static void error_stays_and_what_was_before_is_there(void **state)
{
	int fd = file_new("full", HEADER);
	struct rlimit before, limit;
	unsigned char *bytes = noise(), first[WRITE_BUFFER_BYTES - HEADER];
	struct write_buffer buffer;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = WRITE_BUFFER_BYTES + 100;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(smile_write_buffer_begin(&buffer, fd, HEADER), 0);
	assert_int_equal(smile_write_buffer_put(&buffer, bytes, ALL), -EFBIG);
	assert_int_equal(smile_write_buffer_put(&buffer, bytes, 16), -EFBIG);
	assert_int_equal(smile_write_buffer_put(&buffer, bytes, WRITE_BUFFER_BYTES), -EFBIG);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(smile_write_buffer_flush(&buffer), -EFBIG);
	assert_int_equal(buffer.at, WRITE_BUFFER_BYTES + 100);
	assert_int_equal(lseek(fd, 0, SEEK_END), WRITE_BUFFER_BYTES + 100);
	assert_int_equal(pread(fd, first, sizeof(first), HEADER), sizeof(first));
	assert_memory_equal(first, bytes, sizeof(first));
	smile_write_buffer_end(&buffer);
	close(fd);
	free(bytes);
}

static blkcnt_t blocks(int fd)
{
	struct stat status;

	assert_int_equal(fstat(fd, &status), 0);
	return status.st_blocks;
}

/* st_blocks is in units of 512 bytes. A file system may use some blocks for its own data. */
static void room_is_asked_for_ahead_and_what_is_left_given_back(void **state)
{
	const uint64_t end =
		WRITE_BUFFER_RESERVE_FROM + WRITE_BUFFER_RESERVE + 3U * WRITE_BUFFER_BYTES;
	int fd = file_new("reserved", HEADER);
	unsigned char *bytes = noise();
	struct write_buffer buffer;
	bool ahead;

	assert_int_equal(smile_write_buffer_begin(&buffer, fd, HEADER), 0);
	while (buffer.at < WRITE_BUFFER_RESERVE_FROM) {
		assert_int_equal(buffer.reserved, 0);
		assert_int_equal(smile_write_buffer_put(&buffer, bytes, WRITE_BUFFER_BYTES), 0);
	}
	while (buffer.at < end)
		assert_int_equal(smile_write_buffer_put(&buffer, bytes, WRITE_BUFFER_BYTES), 0);
	assert_int_equal(smile_write_buffer_flush(&buffer), 0);
	assert_true(buffer.refused ||
		    buffer.reserved == WRITE_BUFFER_RESERVE_FROM + 2 * WRITE_BUFFER_RESERVE);
	/* Some file systems report success, but reserve nothing. */
	ahead = (uint64_t)blocks(fd) * 512 >= WRITE_BUFFER_RESERVE_FROM + 2 * WRITE_BUFFER_RESERVE;
	assert_int_equal(lseek(fd, 0, SEEK_END), buffer.at);
	smile_write_buffer_end(&buffer);
	assert_int_equal(lseek(fd, 0, SEEK_END), buffer.at);
	if (ahead)
		assert_true((uint64_t)blocks(fd) * 512 < buffer.at + WRITE_BUFFER_RESERVE / 2);
	close(fd);
	free(bytes);
}

/* The file may grow to a limit. On tmpfs, a reservation above the limit would end the process. */
static void room_beyond_the_limit_is_not_asked_for(void **state)
{
	const uint64_t end = WRITE_BUFFER_RESERVE_FROM + 4U * WRITE_BUFFER_BYTES;
	int fd = file_new("limited", 0);
	unsigned char *bytes = noise();
	struct rlimit before, limit;
	struct write_buffer buffer;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = end;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(smile_write_buffer_begin(&buffer, fd, 0), 0);
	while (buffer.at < end)
		assert_int_equal(smile_write_buffer_put(&buffer, bytes, WRITE_BUFFER_BYTES), 0);
	assert_int_equal(buffer.reserved, 0);
	smile_write_buffer_end(&buffer);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(lseek(fd, 0, SEEK_END), end);
	close(fd);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(put_writes_whole_pieces_at_their_places),
		cmocka_unit_test(flush_in_between_moves_no_extent),
		cmocka_unit_test(error_stays_and_what_was_before_is_there),
		cmocka_unit_test(room_is_asked_for_ahead_and_what_is_left_given_back),
		cmocka_unit_test(room_beyond_the_limit_is_not_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
