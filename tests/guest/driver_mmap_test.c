/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver's shared mapping: which file may map which pages, and that the mapping
 * contains the records that read() returns.
 *
 * What lives here: mappings by well-behaved consumers; in the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define PAGE 4096
#define MANY 50000

static size_t ring_bytes(int fd)
{
	return 2 * PAGE + (size_t)driver_info(fd).ring_records * SMILE_RECORD_BYTES;
}

static long try_map(int fd, size_t bytes, int protection, int flags, off_t offset)
{
	void *memory = mmap(NULL, bytes, protection, flags, fd, offset);

	if (memory == MAP_FAILED)
		return -1;
	munmap(memory, bytes);
	return 0;
}

static void mmap_private_refused(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);

	assert_errno(try_map(fd, PAGE, PROT_READ, MAP_PRIVATE, 0), EINVAL);
	assert_errno(try_map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE, 0), EINVAL);
	assert_errno(try_map(fd, ring_bytes(fd), PROT_READ, MAP_PRIVATE, 0), EINVAL);
}

static void mmap_writable_beyond_the_consumers_page_eperm(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	size_t bytes = ring_bytes(fd);

	assert_errno(try_map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0), 0);
	assert_errno(try_map(fd, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0), EPERM);
	assert_errno(try_map(fd, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, 0), EPERM);
	assert_errno(try_map(fd, bytes, PROT_WRITE, MAP_SHARED, 0), EPERM);
	for (off_t offset = PAGE; offset < (off_t)bytes; offset += PAGE)
		assert_errno(try_map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, offset), EPERM);
}

static void mmap_beyond_the_end_einval(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	size_t bytes = ring_bytes(fd);

	assert_errno(try_map(fd, bytes, PROT_READ, MAP_SHARED, 0), 0);
	assert_errno(try_map(fd, bytes - PAGE, PROT_READ, MAP_SHARED, PAGE), 0);
	assert_errno(try_map(fd, PAGE, PROT_READ, MAP_SHARED, (off_t)bytes - PAGE), 0);
	assert_errno(try_map(fd, bytes + 1, PROT_READ, MAP_SHARED, 0), EINVAL);
	assert_errno(try_map(fd, bytes, PROT_READ, MAP_SHARED, PAGE), EINVAL);
	assert_errno(try_map(fd, 2 * PAGE, PROT_READ, MAP_SHARED, (off_t)bytes - PAGE), EINVAL);
	assert_errno(try_map(fd, PAGE, PROT_READ, MAP_SHARED, (off_t)bytes), EINVAL);
	assert_errno(try_map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, (off_t)bytes), EINVAL);
	assert_errno(try_map(fd, PAGE, PROT_READ, MAP_SHARED, (off_t)1 << 40), EINVAL);
	assert_errno(try_map(fd, PAGE, PROT_READ, MAP_SHARED, INT64_MAX & -PAGE), EINVAL);
}

static void mmap_of_a_file_opened_for_reading_refused(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	char path[64];

	driver_close(fd);
	driver_path(CARD_DRAIN, path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_errno(fd, 0);
	assert_errno(try_map(fd, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, 0), EACCES);
	assert_errno(try_map(fd, ring_bytes(fd), PROT_READ, MAP_SHARED, 0), EBADF);
	close(fd);
}

static void mapping_cannot_become_writable_or_grow(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	size_t bytes = ring_bytes(fd);
	char *all = driver_map(fd, bytes, PROT_READ, 0);
	char *consumer = driver_map(fd, PAGE, PROT_READ | PROT_WRITE, 0);

	for (size_t offset = 0; offset < bytes; offset += PAGE)
		assert_errno(mprotect(all + offset, PAGE, PROT_READ | PROT_WRITE), EACCES);
	assert_errno(mprotect(all, bytes, PROT_WRITE), EACCES);
	assert_int_equal((intptr_t)mremap(consumer, PAGE, 2 * PAGE, MREMAP_MAYMOVE), -1);
	assert_int_equal((intptr_t)mremap(consumer, 0, PAGE, MREMAP_MAYMOVE), -1);
	/*
	 * This is the consumer's page. The consumer may remove and restore its own right to write.
	 */
	assert_errno(mprotect(consumer, PAGE, PROT_READ), 0);
	assert_errno(mprotect(consumer, PAGE, PROT_READ | PROT_WRITE), 0);
}

static void mapping_read_only_cannot_be_written(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct driver_ring ring = driver_map_ring(fd);
	int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC), status;
	uint64_t value = 1;
	pid_t child;

	/* Write in the way of a debugger. */
	assert_errno(memory, 0);
	assert_int_equal(pwrite(memory, &value, 8, (off_t)(uintptr_t)&ring.producer->head), -1);
	assert_int_equal(pwrite(memory, &value, 8, (off_t)(uintptr_t)ring.data), -1);
	close(memory);
	child = fork();
	assert_errno(child, 0);
	if (!child) {
		signal(SIGSEGV, SIG_DFL);
		memset((void *)(uintptr_t)ring.producer, 1, sizeof(*ring.producer));
		_exit(0);
	}
	waitpid(child, &status, 0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	assert_int_equal(driver_ring_head(&ring), 0);
}

/* Otherwise, a process could read the next owner's records and move its tail. */
static void mapped_pages_cannot_be_held_beyond_the_mapping(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0), ends[2];
	struct driver_ring ring = driver_map_ring(fd);
	const void *pages[] = {ring.consumer, ring.producer, ring.data};

	assert_errno(pipe2(ends, O_CLOEXEC), 0);
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
		struct iovec page = {.iov_base = (void *)(uintptr_t)pages[i], .iov_len = PAGE};

		assert_errno(vmsplice(ends[1], &page, 1, 0), EFAULT);
		/* A copy of the page does no harm. */
		assert_int_equal(write(ends[1], pages[i], PAGE), PAGE);
	}
	close(ends[0]);
	close(ends[1]);
}

static void mapping_shows_what_read_gives(void **state)
{
	struct smile_record records[100];
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct driver_ring ring = driver_map_ring(fd);

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 100);
	assert_soon(driver_ring_head(&ring) == 100);
	assert_int_equal(read(fd, records, 60 * SMILE_RECORD_BYTES), 60 * SMILE_RECORD_BYTES);
	/* read() and the mapping use the same tail. */
	assert_int_equal(driver_ring_tail(&ring), 60);
	assert_memory_equal(ring.data, records, 60 * SMILE_RECORD_BYTES);
	for (unsigned int i = 0; i < 60; i++)
		assert_record_is_packet(&records[i], i);
	driver_ring_set_tail(&ring, 90);
	assert_int_equal(read(fd, records, sizeof(records)), 10 * SMILE_RECORD_BYTES);
	assert_memory_equal(&ring.data[90], records, 10 * SMILE_RECORD_BYTES);
	assert_record_is_packet(&records[0], 90);
	assert_int_equal(driver_ring_tail(&ring), 100);
	assert_errno(read(fd, records, sizeof(records)), EAGAIN);
	assert_int_equal(driver_poll(fd, POLLIN, 0), 0);
}

static void mapping_while_filling_gives_each_record_once_in_order(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record record;
	unsigned int page = 0;

	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, MANY);
	while (page < MANY) {
		assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
		while (driver_ring_take(&ring, &record))
			assert_record_is_packet(&record, page++);
	}
	assert_int_equal(driver_ring_head(&ring), MANY);
	assert_int_equal(ring.producer->card_lost, 0);
	assert_int_equal(ring.producer->ring_lost, 0);
}

int driver_mmap_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(mmap_private_refused),
		driver_test(mmap_writable_beyond_the_consumers_page_eperm),
		driver_test(mmap_beyond_the_end_einval),
		driver_test(mmap_of_a_file_opened_for_reading_refused),
		driver_test(mapping_cannot_become_writable_or_grow),
		driver_test(mapping_read_only_cannot_be_written),
		driver_test(mapped_pages_cannot_be_held_beyond_the_mapping),
		driver_test(mapping_shows_what_read_gives),
		driver_test(mapping_while_filling_gives_each_record_once_in_order),
	};

	return cmocka_run_group_tests_name("mmap", tests, NULL, NULL);
}
