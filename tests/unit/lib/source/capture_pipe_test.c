/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/source/capture.c and lib/source/source_emu.c: a capture that arrives through a pipe.
 * A call returns at the latest at its time-out. The reader must receive every frame, however the
 * pipe splits the bytes.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/unit/lib_fixture.h"

static uint64_t accepted(struct Monitor *mon)
{
	struct Monitor_loss loss = {0};

	assert_int_equal(Monitor_loss(mon, &loss), 0);
	return loss.accepted;
}

static void pipe_header(int fd)
{
	const uint32_t header[6] = {0xa1b23c4d, 2 | 4 << 16, 0, 0, 65536, 147};

	assert_int_equal(write(fd, header, sizeof(header)), sizeof(header));
}

#define PIPE_FRAME_BYTES 40

/* Make a frame with a request for @address. */
static void pipe_frame_make(char *bytes, uint64_t address)
{
	const uint32_t header[4] = {0, (uint32_t)address, 24, 24};
	const uint64_t words[3] = {htole64(1ULL | 3ULL << 16), htole64(address), 0};

	memcpy(bytes, header, sizeof(header));
	memcpy(bytes + sizeof(header), words, sizeof(words));
}

/* Write bytes @from to @to of a frame. If @to is 0, write up to the end of the frame. */
static void pipe_frame(int fd, uint64_t address, size_t from, size_t to)
{
	char bytes[PIPE_FRAME_BYTES];

	pipe_frame_make(bytes, address);
	to = to ? to : sizeof(bytes);
	assert_int_equal(write(fd, bytes + from, to - from), (ssize_t)(to - from));
}

/* Open the pipe for reading and writing, so that neither side waits until the other opens it. */
static int pipe_open(const char *path)
{
	int fd;

	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	pipe_header(fd);
	return fd;
}

static struct Monitor *pipe_started(const char *path)
{
	struct smile_config config;
	struct Monitor *mon;
	char source[4200];

	snprintf(source, sizeof(source), "emu:%s", path);
	assert_int_equal(Monitor_open(&mon, source), 0);
	Monitor_config_default(&config);
	config.entries = 1;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_start(mon), 0);
	return mon;
}

/* If the card has one entry, it writes a record for each frame immediately. */
static void emu_pipe_that_is_silent_keeps_nobody_waiting(void **state)
{
	const char *path = scratch_path("silent");
	int fd = pipe_open(path), writer;
	struct Monitor *mon = pipe_started(path);

	alarm(60);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_poll(mon, 20), 0);
	for (uint64_t i = 0; i < 5; i++)
		pipe_frame(fd, 4096 * i, 0, 0);
	assert_int_equal(Monitor_poll(mon, 0), 5);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_false(Monitor_ended(mon));
	pipe_frame(fd, 4096 * 5, 0, 0);
	assert_int_equal(Monitor_poll(mon, -1), 1);
	writer = open(path, O_WRONLY | O_CLOEXEC);
	assert_true(writer >= 0);
	close(fd);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_false(Monitor_ended(mon));
	close(writer);
	assert_int_equal(Monitor_poll(mon, -1), 0);
	assert_true(Monitor_ended(mon));
	assert_int_equal(accepted(mon), 6);
	alarm(0);
	Monitor_close(mon);
}

/* The reader reads when only a part of a frame has arrived. */
static void emu_pipe_gives_every_frame_however_it_is_cut(void **state)
{
	const char *path = scratch_path("cut");
	int fd = pipe_open(path), taken = 0, got;
	struct Monitor *mon = pipe_started(path);

	alarm(60);
	for (uint64_t i = 0; i < 1500; i++)
		pipe_frame(fd, 4096 * i, 0, 0);
	pipe_frame(fd, 4096 * 1500, 0, 9);
	while ((got = Monitor_poll(mon, 0)) > 0)
		taken += got;
	assert_int_equal(got, 0);
	assert_int_equal(taken, 1500);
	pipe_frame(fd, 4096 * 1500, 9, 20);
	assert_int_equal(Monitor_poll(mon, 1), 0);
	pipe_frame(fd, 4096 * 1500, 20, 0);
	close(fd);
	while (!Monitor_ended(mon)) {
		got = Monitor_poll(mon, -1);
		assert_true(got >= 0);
		taken += got;
	}
	assert_int_equal(taken, 1501);
	assert_int_equal(accepted(mon), 1501);
	alarm(0);
	Monitor_close(mon);
}

/* A frame that is longer than the capture's limit is refused immediately, without its bytes. */
static void emu_pipe_is_damaged_and_says_so_at_once(void **state)
{
	static const uint32_t lengths[] = {65537, 100000, 262145, UINT32_MAX};
	char name[16];

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		const uint32_t header[4] = {0, 0, lengths[i], lengths[i]};
		struct Monitor *mon;
		int fd;

		snprintf(name, sizeof(name), "damaged%zu", i);
		fd = pipe_open(scratch_path(name));
		mon = pipe_started(scratch_path(name));
		alarm(60);
		pipe_frame(fd, 4096, 0, 0);
		assert_int_equal(write(fd, header, sizeof(header)), sizeof(header));
		assert_int_equal(Monitor_poll(mon, 0), 1);
		assert_int_equal(Monitor_poll(mon, 0), -EPROTO);
		assert_non_null(strstr(Monitor_error_message(), "is damaged"));
		assert_true(Monitor_ended(mon));
		alarm(0);
		close(fd);
		Monitor_close(mon);
	}
}

/*
 * The writer is faster than the reader, and the card counts none of the frames. The call must
 * return at its time-out.
 */
static void emu_pipe_that_never_ends_has_a_time_out_too(void **state)
{
	const char *path = scratch_path("endless");
	int fd = pipe_open(path), status;
	struct Monitor *mon = pipe_started(path);
	struct smile_config config;
	pid_t writer;

	assert_int_equal(Monitor_stop(mon), 0);
	Monitor_config_default(&config);
	config.filter &= ~(uint32_t)SMILE_FILTER_PACKETS;
	config.filter |= SMILE_FILTER_RESPONSE;
	assert_int_equal(Monitor_config_set(mon, &config), 0);
	assert_int_equal(Monitor_start(mon), 0);
	writer = fork();
	assert_true(writer >= 0);
	if (!writer) {
		static char many[1600 * PIPE_FRAME_BYTES];

		for (size_t i = 0; i < 1600; i++)
			pipe_frame_make(many + i * PIPE_FRAME_BYTES, 4096);
		while (write(fd, many, sizeof(many)) == sizeof(many))
			continue;
		_exit(1);
	}
	alarm(60);
	assert_int_equal(Monitor_poll(mon, 0), 0);
	assert_int_equal(Monitor_poll(mon, 30), 0);
	assert_false(Monitor_ended(mon));
	alarm(0);
	kill(writer, SIGKILL);
	assert_int_equal(waitpid(writer, &status, 0), writer);
	close(fd);
	Monitor_close(mon);
}

static void nothing(int number)
{
}

/* Write the header of a capture byte by byte, in a child process. */
static pid_t slow_header(int fd)
{
	char header[24];
	int ends[2];
	pid_t child = fork();

	assert_true(child >= 0);
	if (child)
		return child;
	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pipe_header(ends[1]);
	assert_int_equal(read(ends[0], header, sizeof(header)), sizeof(header));
	for (size_t i = 0; i < sizeof(header); i++) {
		usleep(10000);
		assert_int_equal(write(fd, header + i, 1), 1);
	}
	_exit(0);
}

/* A signal before the first byte ends the call. A signal within the header loses nothing. */
static void capture_open_continues_after_a_signal(void **state)
{
	const struct sigaction action = {.sa_handler = nothing};
	const struct itimerval timer = {.it_value = {.tv_usec = 3000},
					.it_interval = {.tv_usec = 3000}};
	const struct itimerval none = {0};
	const char *path = scratch_path("slow");
	struct Monitor_capture *capture = NULL;
	struct sigaction before;
	int fd, status, error;
	pid_t child;

	assert_int_equal(mkfifo(path, 0600), 0);
	fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
	assert_int_equal(Monitor_capture_open(&capture, path), -EINTR);
	assert_null(capture);
	child = slow_header(fd);
	do
		error = Monitor_capture_open(&capture, path);
	while (error == -EINTR);
	assert_int_equal(setitimer(ITIMER_REAL, &none, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	assert_int_equal(error, 0);
	assert_int_equal(Monitor_capture_close(capture), 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	close(fd);
}

static void emu_pipe_is_waited_for_until_a_signal_comes(void **state)
{
	const struct sigaction action = {.sa_handler = nothing};
	/* The timer fires repeatedly, because the first signal may come before the call. */
	const struct itimerval timer = {.it_value = {.tv_usec = 100000},
					.it_interval = {.tv_usec = 100000}};
	const struct itimerval none = {0};
	const char *path = scratch_path("signal");
	int fd = pipe_open(path);
	struct Monitor *mon = pipe_started(path);
	struct sigaction before;

	assert_int_equal(sigaction(SIGALRM, &action, &before), 0);
	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0);
	assert_int_equal(Monitor_poll(mon, -1), -EINTR);
	assert_int_equal(setitimer(ITIMER_REAL, &none, NULL), 0);
	assert_int_equal(sigaction(SIGALRM, &before, NULL), 0);
	/* No frame may be lost because of the signal. */
	alarm(60);
	pipe_frame(fd, 0, 0, 0);
	pipe_frame(fd, 4096, 0, 0);
	assert_int_equal(Monitor_poll(mon, -1), 2);
	alarm(0);
	close(fd);
	Monitor_close(mon);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(emu_pipe_that_is_silent_keeps_nobody_waiting),
		cmocka_unit_test(emu_pipe_gives_every_frame_however_it_is_cut),
		cmocka_unit_test(emu_pipe_is_damaged_and_says_so_at_once),
		cmocka_unit_test(emu_pipe_that_never_ends_has_a_time_out_too),
		cmocka_unit_test(capture_open_continues_after_a_signal),
		cmocka_unit_test(emu_pipe_is_waited_for_until_a_signal_comes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
