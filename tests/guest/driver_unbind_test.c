/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver when its card is removed, and of the module when it is still in use.
 *
 * What lives here: tests that unbind a card many times while processes read, poll and map; tests
 * that unload the module; and checks that nothing is left behind. In the guest, see
 * driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

static void assert_gone(int fd)
{
	struct smile_info info = {.size = sizeof(info)};
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_config config = {.size = sizeof(config)};
	struct smile_static tables = {.size = sizeof(tables)};
	uint32_t event = 1;

	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC_INFO, &tables), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_INFO, &info), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_STATISTICS, &statistics), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_START), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), ENODEV);
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), ENODEV);
	assert_errno(mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0), ENODEV);
	assert_int_equal(driver_poll(fd, POLLIN | POLLPRI, 0) & POLLHUP, POLLHUP);
}

/* No record may be left in the ring. */
static void assert_gone_and_empty(int fd)
{
	struct smile_record record;

	assert_gone(fd);
	assert_errno(read(fd, &record, sizeof(record)), ENODEV);
	assert_int_equal(driver_poll(fd, POLLIN | POLLPRI, 0), POLLHUP);
}

static void unbind_wakes_a_blocked_reader_with_enodev(void **state)
{
	struct driver_sleeper sleeper = {.fd = driver_tracing(0)};

	driver_sleeper_start(&sleeper);
	driver_bind(CARD_DRAIN, false);
	driver_sleeper_join(&sleeper);
	assert_int_equal(sleeper.result, -1);
	assert_int_equal(sleeper.error, ENODEV);
	assert_gone_and_empty(sleeper.fd);
}

static void unbind_wakes_a_poller_with_pollhup(void **state)
{
	struct driver_sleeper sleeper = {.fd = driver_tracing(0), .polls = true};
	struct driver_sleeper other = {.fd = driver_watch(CARD_DRAIN), .polls = true};

	driver_sleeper_start(&sleeper);
	driver_sleeper_start(&other);
	driver_bind(CARD_DRAIN, false);
	driver_sleeper_join(&sleeper);
	driver_sleeper_join(&other);
	assert_int_equal(sleeper.result, 1);
	assert_int_equal(sleeper.revents, POLLHUP);
	assert_int_equal(other.result, 1);
	assert_int_equal(other.revents, POLLHUP);
}

static void unbind_leaves_a_mapping_readable(void **state)
{
	int fd = driver_tracing(0), again;
	struct driver_ring ring = driver_map_ring(fd), fresh;
	struct smile_record record;

	driver_send(CARD_DRAIN, 0, 100);
	assert_soon(driver_ring_head(&ring) == 100);
	driver_bind(CARD_DRAIN, false);
	assert_gone(fd);
	assert_int_equal(driver_ring_head(&ring), 100);
	for (unsigned int page = 0; page < 50; page++) {
		assert_true(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
	/* A new card in the same slot must not be affected by the old one. */
	driver_bind(CARD_DRAIN, true);
	again = driver_tracing(0);
	assert_int_equal(driver_statistics(again).packets_seen, 0);
	fresh = driver_map_ring(again);
	driver_send(CARD_DRAIN, 700, 10);
	assert_soon(driver_ring_head(&fresh) == 10);
	assert_record_is_packet(&fresh.data[0], 700);
	assert_gone(fd);
	driver_close(fd);
	for (unsigned int page = 50; page < 100; page++) {
		assert_true(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
	driver_unmap((void *)(uintptr_t)ring.producer);
	driver_unmap(ring.consumer);
	assert_int_equal(driver_ring_head(&fresh), 10);
	assert_errno(ioctl(again, SMILE_IOC_SWAP), 0);
}

static void unbind_leaves_records_to_read(void **state)
{
	int fd = driver_tracing(0), other = driver_watch(CARD_DRAIN);
	struct smile_record record;

	driver_send(CARD_DRAIN, 0, 100);
	assert_soon(driver_statistics(fd).records_drained == 100);
	driver_bind(CARD_DRAIN, false);
	assert_gone_and_empty(other);
	for (unsigned int page = 0; page < 100; page++) {
		assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN | POLLHUP);
		assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
		assert_record_is_packet(&record, page);
	}
	assert_gone_and_empty(fd);
}

/* Each exclusive waiter must be woken, because there is no further event. */
static void unbind_wakes_all_exclusive_waiters(void **state)
{
	int fd = driver_tracing(0), queues[3];
	struct epoll_event event = {.events = EPOLLIN | EPOLLEXCLUSIVE};
	pid_t children[3];
	int status;

	for (int i = 0; i < 3; i++) {
		queues[i] = epoll_create1(EPOLL_CLOEXEC);
		assert_errno(queues[i], 0);
		assert_errno(epoll_ctl(queues[i], EPOLL_CTL_ADD, fd, &event), 0);
		children[i] = fork();
		if (!children[i])
			_exit(epoll_wait(queues[i], &event, 1, PATIENCE_MS) != 1 ||
			      !(event.events & EPOLLHUP));
	}
	for (int i = 0; i < 3; i++)
		assert_soon(driver_sleeps_in(children[i]) == SYS_epoll_wait);
	driver_bind(CARD_DRAIN, false);
	for (int i = 0; i < 3; i++) {
		waitpid(children[i], &status, 0);
		close(queues[i]);
		assert_int_equal(status, 0);
	}
}

static void unbind_while_traffic_comes(void **state)
{
	int fd = driver_tracing(O_NONBLOCK);
	struct smile_record record;

	driver_send(CARD_DRAIN, 0, 60000);
	assert_soon(driver_statistics(fd).packets_seen > 1000);
	driver_bind(CARD_DRAIN, false);
	for (unsigned int page = 0; read(fd, &record, sizeof(record)) > 0; page++)
		assert_record_is_packet(&record, page);
	assert_gone_and_empty(fd);
}

/* Consume all records until the card is removed, so that the card always has room. */
static void *consumer_main(void *argument)
{
	struct driver_ring *ring = argument;

	while (!__atomic_load_n(&ring->ended, __ATOMIC_RELAXED)) {
		driver_ring_set_tail(ring, driver_ring_head(ring));
		driver_poll(ring->fd, POLLIN, 1);
	}
	return NULL;
}

/*
 * After the unbind, neither the driver nor the card may write to the ring. With the ring in host
 * memory, driver_iommu_test.sh also detects such a write, by the IOMMU.
 */
static void unbind_while_the_ring_is_written_leaves_it_as_it_is(void **state)
{
	const unsigned int sent = 400000;
	unsigned int written = 0;

	for (int cycle = 0; written < 3; cycle++) {
		int fd = driver_open(CARD_REALTIME, O_NONBLOCK);
		struct smile_record *copy;
		struct driver_ring ring;
		pthread_t consumer;
		size_t bytes;
		uint64_t head;

		assert_true(cycle < 20);
		driver_configure_trace(fd);
		ring = driver_map_ring(fd);
		bytes = ring.records * sizeof(*copy);
		copy = malloc(bytes);
		assert_int_equal(pthread_create(&consumer, NULL, consumer_main, &ring), 0);
		assert_errno(ioctl(fd, SMILE_IOC_START), 0);
		driver_send(CARD_REALTIME, 0, sent);
		assert_soon(driver_ring_head(&ring) > 1000);
		driver_bind(CARD_REALTIME, false);
		/* The test says something only if records were still to be written. */
		written += driver_sending();
		head = driver_ring_head(&ring);
		memcpy(copy, ring.data, bytes);
		__atomic_store_n(&ring.ended, true, __ATOMIC_RELAXED);
		pthread_join(consumer, NULL);
		driver_sleep_ms(100);
		assert_int_equal(driver_ring_head(&ring), head);
		assert_memory_equal(copy, ring.data, bytes);
		free(copy);
		driver_unmap(ring.consumer);
		driver_unmap((void *)(uintptr_t)ring.producer);
		driver_close(fd);
		driver_bind(CARD_REALTIME, true);
	}
}

/* The number of rings in the kernel's list of virtual memory. There must be one for each card. */
static int rings_in_memory(void)
{
	FILE *file = fopen("/proc/vmallocinfo", "re");
	char line[512];
	int rings = 0;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		rings += strstr(line, "[smile_monitor]") && strstr(line, " vmap");
	fclose(file);
	return rings;
}

static void unbind_and_bind_many_times_leaks_nothing(void **state)
{
	int fd;

	assert_int_equal(rings_in_memory(), CARDS);
	for (unsigned int cycle = 0; cycle < driver_less(50); cycle++) {
		fd = -1;
		if (cycle % 4) {
			fd = driver_open(CARD_DRAIN, O_NONBLOCK);
			if (cycle % 4 > 1) {
				driver_configure_trace(fd);
				assert_errno(ioctl(fd, SMILE_IOC_START), 0);
			}
			if (cycle % 4 > 2)
				driver_map_ring(fd);
		}
		driver_bind(CARD_DRAIN, false);
		if (cycle & 1)
			driver_bind(CARD_DRAIN, true);
		driver_teardown(state);
	}
	assert_soon(rings_in_memory() == CARDS);
	fd = driver_tracing(0);
	driver_send(CARD_DRAIN, 0, 1);
	assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
}

static struct {
	bool end;
	unsigned int opened;
} opener;

/* The open may succeed or fail, but it must return. */
static void *opener_main(void *unused)
{
	struct smile_info info = {.size = sizeof(info)};
	struct smile_record records[16];
	char path[64];

	for (unsigned int turn = 0; !__atomic_load_n(&opener.end, __ATOMIC_RELAXED); turn++) {
		int fd;

		/*
		 * As long as the old file is open, the card gets a number after those of all other
		 * cards.
		 */
		snprintf(path, sizeof(path), "/dev/smile_monitor%u",
			 turn % 2 ? CARD_DRAIN : CARDS + turn / 2 % 3);
		fd = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);

		if (fd < 0)
			continue;
		__atomic_add_fetch(&opener.opened, 1, __ATOMIC_RELAXED);
		ioctl(fd, SMILE_IOC_INFO, &info);
		ioctl(fd, SMILE_IOC_START);
		if (read(fd, records, sizeof(records)) > 0)
			ioctl(fd, SMILE_IOC_SWAP);
		close(fd);
	}
	return NULL;
}

static void unbind_and_bind_while_others_open_and_close(void **state)
{
	pthread_t threads[2];

	opener.end = false;
	opener.opened = 0;
	for (int i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, opener_main, NULL), 0);
	for (unsigned int cycle = 0; cycle < driver_less(20); cycle++) {
		unsigned int opened = __atomic_load_n(&opener.opened, __ATOMIC_RELAXED);

		assert_soon(__atomic_load_n(&opener.opened, __ATOMIC_RELAXED) > opened);
		driver_bind(CARD_DRAIN, false);
		driver_bind(CARD_DRAIN, true);
	}
	__atomic_store_n(&opener.end, true, __ATOMIC_RELAXED);
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	assert_soon(rings_in_memory() == CARDS);
}

static long unload(void)
{
	return syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK);
}

static void load(const char *option)
{
	const char *const modprobe[] = {"modprobe", "smile_monitor", option, NULL};
	char output[1024];

	if (driver_run(0, modprobe, output, sizeof(output)))
		fail_msg("modprobe smile_monitor: %s", output);
}

static void unload_with_an_open_file_or_mapping_refused(void **state)
{
	int fd = driver_open(CARD_DRAIN, 0);
	void *page;

	assert_errno(unload(), EWOULDBLOCK);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	page = driver_map(fd, 4096, PROT_READ, 4096);
	driver_close(fd);
	assert_errno(unload(), EWOULDBLOCK);
	assert_int_equal(((const struct smile_producer *)page)->abi, SMILE_ABI_VERSION);
	driver_unmap(page);
	/* The same while the file's card is unbound. */
	fd = driver_open(CARD_DRAIN, 0);
	driver_bind(CARD_DRAIN, false);
	assert_errno(unload(), EWOULDBLOCK);
}

static void unload_and_load_many_times(void **state)
{
	char path[64];
	int number;

	for (unsigned int cycle = 0; cycle < driver_less(10); cycle++) {
		assert_errno(unload(), 0);
		assert_int_equal(rings_in_memory(), 0);
		load(cycle & 1 ? NULL : "ring_records=1024");
		/*
		 * The device numbers start from 0. A card that was pulled out earlier is found
		 * last.
		 */
		driver_path(CARD_DRAIN, path);
		assert_int_equal(sscanf(path, "/dev/smile_monitor%d", &number), 1);
		assert_true(number < CARDS);
		assert_int_equal(driver_attribute(CARD_DRAIN, "ring_records"),
				 cycle & 1 ? 65536 : 1024);
	}
	/* The card works normally. */
	driver_tracing(0);
}

/*
 * The owner closes the stream, and the driver is unloaded immediately, while many frames are on the
 * link.
 */
static void unload_while_traffic_comes(void **state)
{
	struct driver_ring ring;
	int fd;

	for (unsigned int cycle = 0; cycle < driver_less(5); cycle++) {
		fd = driver_open(CARD_REALTIME, O_NONBLOCK);
		driver_configure_trace(fd);
		ring = driver_map_ring(fd);
		assert_errno(ioctl(fd, SMILE_IOC_START), 0);
		driver_send(CARD_REALTIME, 0, 200000);
		assert_soon(driver_ring_head(&ring) > 0);
		driver_unmap(ring.consumer);
		driver_unmap((void *)(uintptr_t)ring.producer);
		driver_close(fd);
		assert_errno(unload(), 0);
		driver_sleep_ms(50);
		load(NULL);
	}
}

int driver_unbind_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(unbind_wakes_a_blocked_reader_with_enodev),
		driver_test(unbind_wakes_a_poller_with_pollhup),
		driver_test(unbind_leaves_a_mapping_readable),
		driver_test(unbind_leaves_records_to_read),
		driver_test(unbind_wakes_all_exclusive_waiters),
		driver_test(unbind_while_traffic_comes),
		driver_test(unbind_while_the_ring_is_written_leaves_it_as_it_is),
		driver_test(unbind_and_bind_many_times_leaks_nothing),
		driver_test(unbind_and_bind_while_others_open_and_close),
		driver_test(unload_with_an_open_file_or_mapping_refused),
		driver_test(unload_and_load_many_times),
		driver_test(unload_while_traffic_comes),
	};

	return cmocka_run_group_tests_name("unbind", tests, NULL, NULL);
}
