/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the owner of the stream: which file becomes the owner, what other files may do, and how
 * the ownership ends.
 *
 * What lives here: several open files and processes on one card; in the guest, see
 * driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define NOBODY 65534

/* A file that is open for reading must not be able to change the card by any call. */
static void assert_all_refused(int fd)
{
	struct smile_config config = driver_info(fd).config;
	struct smile_static tables = {.size = sizeof(tables)};
	struct smile_record record;
	uint32_t event = 1;

	assert_errno(ioctl(fd, SMILE_IOC_STATIC_INFO, &tables), 0);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), EBADF);
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), EBADF);
	assert_errno(ioctl(fd, SMILE_IOC_START), EBADF);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), EBADF);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EBADF);
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), EBADF);
	assert_errno(read(fd, &record, sizeof(record)), EBADF);
	assert_errno(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0), EBADF);
	assert_errno(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 4096), EBADF);
}

static void open_for_writing_twice_ebusy(void **state)
{
	int owner = driver_open(CARD_DRAIN, O_NONBLOCK), other;
	struct smile_record record;

	assert_errno(ioctl(owner, SMILE_IOC_START), 0);
	driver_refused(CARD_DRAIN, EBUSY);
	other = driver_watch(CARD_DRAIN);
	driver_send(CARD_DRAIN, 0, 20);
	assert_soon(driver_statistics(other).packets_seen == 20);
	assert_all_refused(other);
	driver_refused(CARD_DRAIN, EBUSY);
	assert_int_equal(driver_info(other).status,
			 SMILE_INFO_RUNNING | SMILE_INFO_LINK | SMILE_INFO_OWNED);
	assert_int_equal(driver_poll(owner, POLLIN, PATIENCE_MS), POLLIN);
	assert_int_equal(driver_poll(other, POLLIN | POLLPRI, 0), 0);
	/* None of these calls may have affected the owner. */
	assert_int_equal(driver_info(owner).status & SMILE_INFO_RUNNING, SMILE_INFO_RUNNING);
	assert_int_equal(read(owner, &record, sizeof(record)), sizeof(record));
}

/* To open the card for writing claims the stream. To open it for reading changes nothing. */
static void open_for_writing_owns_and_for_reading_asks(void **state)
{
	struct smile_static tables = {.size = sizeof(tables)};
	int other = driver_watch(CARD_DRAIN), fd;

	for (int turn = 0; turn < 2; turn++) {
		assert_int_equal(driver_info(other).status & SMILE_INFO_OWNED, 0);
		assert_int_equal(driver_attribute(CARD_DRAIN, "owned"), 0);
		driver_statistics(other);
		driver_poll(other, POLLIN, 0);
		assert_errno(ioctl(other, SMILE_IOC_STATIC_INFO, &tables), 0);
		assert_all_refused(other);
		assert_int_equal(driver_info(other).status & SMILE_INFO_OWNED, 0);
		fd = driver_open(CARD_DRAIN, O_NONBLOCK);
		assert_true(driver_info(other).status & SMILE_INFO_OWNED);
		assert_int_equal(driver_attribute(CARD_DRAIN, "owned"), 1);
		assert_all_refused(other);
		driver_close(fd);
	}
}

/* read() and mmap() must not change the card. */
static void read_and_mmap_do_not_reset(void **state)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_record record;

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send_one_page(CARD_DRAIN, 3, 7);
	assert_soon(driver_statistics(fd).packets_seen == 7);
	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	driver_map_ring(fd);
	assert_int_equal(driver_statistics(fd).packets_seen, 7);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
	assert_int_equal(record_count(&record), 7);
}

static void open_resets_the_card(void **state)
{
	struct smile_record record, zero = {{0}};
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_config config = driver_config(fd);
	struct smile_static tables = {.size = sizeof(tables)}, empty = tables;
	struct smile_statistics statistics;
	struct driver_ring ring;
	uint64_t *page;

	tables.page[31] = SMILE_STATIC_PAGE_VALID | SMILE_STATIC_PAGE_NUMBER;
	tables.counter[0] = SMILE_STATIC_COUNTER_COUNT_VALID;
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), 0);
	config.node = 4711;
	config.entries = 1;
	config.max_range_bytes = 64;
	config.phase_events = 1;
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 30);
	assert_soon(driver_statistics(fd).records_drained == 30);
	page = driver_map(fd, 4096, PROT_READ | PROT_WRITE, 0);
	for (int i = 0; i < 512; i++)
		page[i] = UINT64_MAX;
	driver_unmap(page);
	driver_close(fd);

	/* The state after the last owner can be queried. */
	fd = driver_watch(CARD_DRAIN);
	assert_int_equal(driver_statistics(fd).events_accepted, 30);
	assert_int_equal(driver_info(fd).config.node, 4711);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC_INFO, &tables), 0);
	assert_int_equal(tables.counter[0], SMILE_STATIC_COUNTER_COUNT_VALID);
	assert_false(driver_info(fd).status & (SMILE_INFO_RUNNING | SMILE_INFO_OWNED));

	fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.events_accepted, 0);
	assert_int_equal(statistics.packets_seen, 0);
	assert_int_equal(statistics.records_drained, 0);
	assert_int_equal(statistics.records_written, 0);
	config = driver_info(fd).config;
	assert_int_equal(config.node, NODE_DRAIN);
	assert_int_equal(config.entries, SMILE_ENTRIES_DEFAULT);
	assert_int_equal(config.max_range_bytes, SMILE_MAX_RANGE_DEFAULT);
	assert_int_equal(config.phase_events, 0);
	assert_int_equal(config.mode, SMILE_MODE_DEFAULT);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC_INFO, &tables), 0);
	assert_memory_equal(&tables, &empty, sizeof(tables));
	/* No record of the last owner is visible. */
	ring = driver_map_ring(fd);
	assert_int_equal(driver_ring_head(&ring), 0);
	assert_int_equal(driver_ring_tail(&ring), 0);
	for (int i = 0; i < 30; i++)
		assert_memory_equal(&ring.data[i], &zero, sizeof(zero));
	page = (uint64_t *)ring.consumer;
	for (int i = 0; i < 512; i++)
		assert_int_equal(page[i], 0);
}

static void assert_free(int fd)
{
	assert_soon(!(driver_info(fd).status & SMILE_INFO_OWNED));
	driver_close(driver_open(CARD_DRAIN, 0));
}

static void close_of_the_last_duplicate_releases(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0), other = driver_watch(CARD_DRAIN);
	int duplicate = dup(fd);

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_close(fd);
	driver_refused(CARD_DRAIN, EBUSY);
	assert_errno(ioctl(duplicate, SMILE_IOC_START), 0);
	close(duplicate);
	assert_free(other);
}

static void close_with_a_mapping_releases_once_unmapped(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0), other = driver_watch(CARD_DRAIN);
	struct driver_ring ring = driver_map_ring(fd);

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_close(fd);
	/* The mapping keeps the stream open, as the file does: records still arrive. */
	driver_send(CARD_DRAIN, 0, 10);
	assert_soon(driver_ring_head(&ring) == 10);
	assert_record_is_packet(&ring.data[9], 9);
	driver_refused(CARD_DRAIN, EBUSY);
	driver_unmap(ring.consumer);
	driver_refused(CARD_DRAIN, EBUSY);
	driver_unmap((void *)(uintptr_t)ring.producer);
	assert_free(other);
}

static void fork_child_shares_the_stream_until_both_are_gone(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0), other = driver_watch(CARD_DRAIN), status;
	pid_t child;

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	child = fork();
	if (!child)
		_exit(ioctl(fd, SMILE_IOC_SWAP) ? 1 : 0);
	waitpid(child, &status, 0);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	/* The ownership must continue after the child's exit. */
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_info(fd).status & SMILE_INFO_RUNNING, SMILE_INFO_RUNNING);

	child = fork();
	if (!child) {
		for (;;)
			pause();
	}
	driver_close(fd);
	driver_sleep_ms(50);
	driver_refused(CARD_DRAIN, EBUSY);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	assert_free(other);
	assert_false(driver_info(other).status & SMILE_INFO_RUNNING);
}

/*
 * Start an owner in another process. If @maps, it maps the ring. Then it reads if @reads, else it
 * waits, until it is killed.
 */
static pid_t owner_process(bool reads, bool maps)
{
	char path[64], ready;
	int ends[2];
	pid_t child;

	driver_path(CARD_DRAIN, path);
	assert_errno(pipe(ends), 0);
	child = fork();
	assert_errno(child, 0);
	if (!child) {
		struct smile_record record;
		int fd = open(path, O_RDWR);

		if (fd < 0 || ioctl(fd, SMILE_IOC_START))
			_exit(1);
		if (maps && mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED)
			_exit(1);
		if (write(ends[1], "r", 1) != 1)
			_exit(1);
		while (reads && read(fd, &record, sizeof(record)) > 0)
			continue;
		for (;;)
			pause();
	}
	close(ends[1]);
	assert_int_equal(read(ends[0], &ready, 1), 1);
	close(ends[0]);
	return child;
}

static void killed_owner_releases(void **state)
{
	for (int way = 0; way < 4; way++) {
		pid_t child = owner_process(way & 1, way & 2);
		int other = driver_watch(CARD_DRAIN), status;

		assert_soon(driver_sleeps_in(child) == (way & 1 ? SYS_read : SYS_pause));
		driver_refused(CARD_DRAIN, EBUSY);
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		assert_free(other);
		assert_false(driver_info(other).status & SMILE_INFO_RUNNING);
		driver_close(other);
	}
}

/*
 * Close the stream while frames arrive. Return: whether frames were left after the close; if not,
 * the test says nothing.
 */
static bool close_in_traffic(unsigned int sent)
{
	int fd = driver_open(CARD_REALTIME, 0), other = driver_watch(CARD_REALTIME);
	uint64_t seen;

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_REALTIME, 0, sent);
	assert_soon(driver_statistics(fd).packets_seen > 1000);
	driver_close(fd);
	assert_false(driver_info(other).status & (SMILE_INFO_RUNNING | SMILE_INFO_OWNED));
	seen = driver_statistics(other).packets_seen;
	driver_sleep_ms(100);
	assert_int_equal(driver_statistics(other).packets_seen, seen);
	driver_close(other);
	return seen < sent;
}

static void closed_while_traffic_comes_stops_the_card(void **state)
{
	unsigned int sent = 200000, tries = 0;

	/*
	 * A slow guest may close only after all frames have arrived. Then repeat with more frames.
	 */
	while (!close_in_traffic(sent) && ++tries < 4)
		sent *= 4;
	assert_true(tries < 4);
	/* The next owner consumes the remaining frames. */
}

static void open_without_permission_eacces_and_tools_name_the_remedy(void **state)
{
	static const char *const doctor[] = {"smile", "doctor", NULL};
	static const char *const record[] = {"smile", "record", "-o", "/tmp/nobody.rec", NULL};
	char output[8192], path[64];
	int status;
	pid_t child;

	driver_path(CARD_DRAIN, path);
	child = fork();
	assert_errno(child, 0);
	if (!child) {
		if (setgid(NOBODY) || setuid(NOBODY))
			_exit(1);
		_exit(open(path, O_RDWR) < 0 && errno == EACCES && open(path, O_RDONLY) < 0 &&
				      errno == EACCES
			      ? 0
			      : 2);
	}
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);

	assert_int_equal(driver_run(NOBODY, doctor, output, sizeof(output)), 1);
	if (!strstr(output, "no permission") || !strstr(output, "sudo"))
		fail_msg("smile doctor says:\n%s", output);
	assert_int_equal(driver_run(NOBODY, record, output, sizeof(output)), 2);
	if (!strstr(output, path) || !strstr(output, "sudo"))
		fail_msg("smile record says:\n%s", output);
	assert_int_not_equal(access("/tmp/nobody.rec", F_OK), 0);
}

int driver_owner_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(open_for_writing_twice_ebusy),
		driver_test(open_for_writing_owns_and_for_reading_asks),
		driver_test(read_and_mmap_do_not_reset),
		driver_test(open_resets_the_card),
		driver_test(close_of_the_last_duplicate_releases),
		driver_test(close_with_a_mapping_releases_once_unmapped),
		driver_test(fork_child_shares_the_stream_until_both_are_gone),
		driver_test(killed_owner_releases),
		driver_test(closed_while_traffic_comes_stops_the_card),
		driver_test(open_without_permission_eacces_and_tools_name_the_remedy),
	};

	return cmocka_run_group_tests_name("owner", tests, NULL, NULL);
}
