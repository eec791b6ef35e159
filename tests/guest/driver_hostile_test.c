/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test of a hostile owner of the stream. Whatever it writes to its page or tries to read, it must
 * affect only its own ring, and not the next owner.
 *
 * What lives here: one thread writes random data to the consumer's page. Meanwhile, other threads
 * read, poll, call and map, the card writes records, and a correct process uses another card. The
 * test runs with either ring. With an IOMMU (driver_iommu_test.sh), wrong writes of the card are
 * detected, too. driver_full_test.c tests single wrong values. In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define PAGE 4096
#define WORDS (PAGE / sizeof(uint64_t))
#define DRAIN_MS "/sys/module/smile_monitor/parameters/drain_ms"
#define SENT 20000U /* while random data is written to the page */
#define HONEST 5000U /* afterwards */
#define GUARD 0xa5

/*
 * Only the first thread may use cmocka. The other threads store their errors here, and the first
 * thread fails.
 */
static struct {
	struct driver_ring ring;
	int fd, neighbour;
	bool end;
	unsigned int scribbled, reads, records, calls, attempts, events;
	char wrong[256];
	pthread_t actors[5];
	size_t acting;
} play;

#define wrong_unless(condition) play_wrong_unless(condition, #condition, __LINE__)

static void play_wrong_unless(bool right, const char *what, int line)
{
	int error = errno;

	if (!right && !*play.wrong)
		snprintf(play.wrong, sizeof(play.wrong), "line %d: not %s (%s)", line, what,
			 strerror(error));
}

static bool goes_on(void)
{
	return !__atomic_load_n(&play.end, __ATOMIC_RELAXED);
}

static void count(unsigned int *counter)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_RELAXED);
}

/* ---- the threads ---- */

static uint64_t lie(unsigned int turn, unsigned int *seed)
{
	uint64_t head = driver_ring_head(&play.ring), ring = play.ring.records;
	const uint64_t lies[] = {
		0,
		head,
		head + 1,
		head - 1,
		head - ring,
		head - ring - 1,
		head + ring,
		head / 2,
		UINT64_MAX,
		1ULL << 63,
		1ULL << 32,
		head ^ (1ULL << 32),
		(uint64_t)rand_r(seed) << 33 ^ (uint64_t)rand_r(seed),
		head - (uint64_t)rand_r(seed) % (2 * ring),
	};

	return lies[turn % (sizeof(lies) / sizeof(lies[0]))];
}

static void *scribbler_main(void *unused)
{
	uint64_t *page = (uint64_t *)play.ring.consumer;
	unsigned int seed = 1;

	for (unsigned int turn = 0; goes_on(); turn++) {
		uint64_t value = lie(turn, &seed);

		/* Overwrite the whole page; then only the tail, with higher and lower values. */
		for (size_t i = 0; i < WORDS; i++)
			__atomic_store_n(&page[i], value, __ATOMIC_RELAXED);
		for (unsigned int i = 0; i < 64; i++)
			driver_ring_set_tail(&play.ring, lie(turn + i * 5, &seed));
		count(&play.scribbled);
	}
	return NULL;
}

/* read() must return whole records, at most as many as fit, and must write no byte after them. */
static void *reader_main(void *unused)
{
	enum { ROOM = 64 };
	struct smile_record records[ROOM + 1], guard;

	memset(&guard, GUARD, sizeof(guard));
	while (goes_on()) {
		ssize_t got;

		records[ROOM] = guard;
		got = read(play.fd, records, ROOM * SMILE_RECORD_BYTES);
		wrong_unless(!memcmp(&records[ROOM], &guard, sizeof(guard)));
		if (got < 0) {
			wrong_unless(errno == EAGAIN);
			continue;
		}
		wrong_unless(got > 0 && got % SMILE_RECORD_BYTES == 0);
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
			uint32_t kind = record_kind(&records[i]);

			wrong_unless(kind >= SMILE_KIND_DYNAMIC && kind <= SMILE_KIND_LOST);
			count(&play.records);
		}
		count(&play.reads);
	}
	return NULL;
}

static void *caller_main(void *unused)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_info info = {.size = sizeof(info)};
	uint64_t last = 0;

	for (uint32_t turn = 0; goes_on(); turn++) {
		struct pollfd pollfd = {.fd = play.fd, .events = POLLIN | POLLPRI};
		uint32_t event = turn % 1000;
		uint64_t head;

		wrong_unless(poll(&pollfd, 1, 1) >= 0);
		wrong_unless(!(pollfd.revents & (POLLHUP | POLLNVAL)));
		wrong_unless(!ioctl(play.fd, SMILE_IOC_SWAP) || errno == EAGAIN);
		wrong_unless(!ioctl(play.fd, SMILE_IOC_EVENT, &event) || errno == EAGAIN);
		wrong_unless(!ioctl(play.fd, SMILE_IOC_INFO, &info));
		wrong_unless(!ioctl(play.fd, SMILE_IOC_STATISTICS, &statistics));
		/*
		 * The driver's page must have only values of the driver, whatever the consumer's
		 * page contains.
		 */
		head = driver_ring_head(&play.ring);
		wrong_unless(head >= last);
		last = head;
		wrong_unless(play.ring.producer->abi == SMILE_ABI_VERSION);
		wrong_unless(play.ring.producer->ring_records == play.ring.records);
		wrong_unless(play.ring.producer->ring_lost == 0);
		count(&play.calls);
	}
	return NULL;
}

static bool refused(const void *memory, int error)
{
	if (memory != MAP_FAILED)
		return false;
	return errno == error;
}

/* Try all ways to map a page that is not part of the ring, or that the user must not write. */
static void attempt_mappings(int fd, size_t bytes)
{
	const int shared = MAP_SHARED, both = PROT_READ | PROT_WRITE;
	char *all, *own, *page;

	wrong_unless(refused(mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE, fd, 0), EINVAL));
	wrong_unless(refused(mmap(NULL, PAGE, both, MAP_PRIVATE, fd, PAGE), EINVAL));
	wrong_unless(refused(mmap(NULL, bytes + PAGE, PROT_READ, shared, fd, 0), EINVAL));
	wrong_unless(refused(mmap(NULL, PAGE, PROT_READ, shared, fd, (off_t)bytes), EINVAL));
	wrong_unless(refused(mmap(NULL, bytes, both, shared, fd, 0), EPERM));
	wrong_unless(refused(mmap(NULL, PAGE, both, shared, fd, PAGE), EPERM));
	all = mmap(NULL, bytes, PROT_READ, shared, fd, 0);
	own = mmap(NULL, PAGE, both, shared, fd, 0);
	wrong_unless(all != MAP_FAILED && own != MAP_FAILED);
	if (all == MAP_FAILED || own == MAP_FAILED)
		return;
	for (size_t at = 0; at < bytes; at += bytes / 8) {
		wrong_unless(mprotect(all + at / PAGE * PAGE, PAGE, both) < 0 && errno == EACCES);
		wrong_unless(mprotect(all + at / PAGE * PAGE, PAGE, PROT_WRITE) < 0);
	}
	wrong_unless(refused(mremap(own, PAGE, 2 * PAGE, MREMAP_MAYMOVE), EFAULT));
	wrong_unless(refused(mremap(own, 0, 2 * PAGE, MREMAP_MAYMOVE), EFAULT));
	wrong_unless(refused(mremap(all, bytes, 2 * bytes, MREMAP_MAYMOVE), EFAULT));
	/* If one page of a mapping could be discarded, the mapping would have a hole. */
	wrong_unless(madvise(all, bytes, MADV_DONTNEED) < 0 && errno == EINVAL);
	wrong_unless(madvise(own, PAGE, MADV_DONTNEED) < 0 && errno == EINVAL);
	/* A page keeps its access rights when it is moved to the place of the consumer's page. */
	page = mremap(all + PAGE, PAGE, PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, own);
	wrong_unless(page == own);
	wrong_unless(mprotect(own, PAGE, both) < 0 && errno == EACCES);
	wrong_unless(((const struct smile_producer *)own)->abi == SMILE_ABI_VERSION);
	/*
	 * The rest of a mapping, after a part was unmapped, does not count as a mapping of only the
	 * consumer's page.
	 */
	wrong_unless(!munmap(all + 2 * PAGE, PAGE));
	wrong_unless(mprotect(all, PAGE, both) < 0 && errno == EACCES);
	/* Do not unmap the two holes: other mappings may use their addresses by now. */
	wrong_unless(!munmap(all, PAGE) && !munmap(own, PAGE));
	if (bytes > 3 * PAGE)
		wrong_unless(!munmap(all + 3 * PAGE, bytes - 3 * PAGE));
}

static void *mapper_main(void *unused)
{
	size_t bytes = 2 * PAGE + play.ring.records * SMILE_RECORD_BYTES;

	while (goes_on()) {
		attempt_mappings(play.fd, bytes);
		count(&play.attempts);
	}
	return NULL;
}

/* The owner of another card must receive each event that it raises, and nothing else. */
static void *neighbour_main(void *unused)
{
	struct smile_record record;

	for (uint32_t event = 0; goes_on(); event = (event + 1) % 60000) {
		uint64_t end_ms = driver_now_ms() + PATIENCE_MS;
		ssize_t got;

		wrong_unless(!ioctl(play.neighbour, SMILE_IOC_EVENT, &event));
		do {
			got = read(play.neighbour, &record, sizeof(record));
		} while (got < 0 && errno == EAGAIN && driver_now_ms() < end_ms);
		wrong_unless(got == sizeof(record));
		wrong_unless(record_kind(&record) == SMILE_KIND_EVENT);
		wrong_unless(record_count(&record) == event);
		wrong_unless(record_cause(&record) == SMILE_RAISED_SOFTWARE);
		count(&play.events);
	}
	return NULL;
}

/* ---- the play ---- */

static void act(void *(*actor)(void *))
{
	assert_int_equal(pthread_create(&play.actors[play.acting], NULL, actor, NULL), 0);
	play.acting++;
}

static void curtain(void)
{
	__atomic_store_n(&play.end, true, __ATOMIC_RELAXED);
	while (play.acting)
		pthread_join(play.actors[--play.acting], NULL);
}

/* Stop the threads before the pages to which they write are freed. */
static int curtain_and_teardown(void **state)
{
	curtain();
	return driver_teardown(state);
}

static bool all_have_acted(void)
{
	return __atomic_load_n(&play.scribbled, __ATOMIC_RELAXED) >= 1000 &&
	       __atomic_load_n(&play.reads, __ATOMIC_RELAXED) >= 100 &&
	       __atomic_load_n(&play.records, __ATOMIC_RELAXED) >= 1000 &&
	       __atomic_load_n(&play.calls, __ATOMIC_RELAXED) >= 50 &&
	       __atomic_load_n(&play.attempts, __ATOMIC_RELAXED) >= 20 &&
	       __atomic_load_n(&play.events, __ATOMIC_RELAXED) >= 50;
}

static void play_scene(int card)
{
	uint64_t end_ms = driver_now_ms() + 5 * PATIENCE_MS;

	memset(&play, 0, sizeof(play));
	play.fd = driver_open(card, O_NONBLOCK);
	play.neighbour = driver_open(CARD_LINK, O_NONBLOCK);
	driver_configure_trace(play.fd);
	driver_configure_trace(play.neighbour);
	play.ring = driver_map_ring(play.fd);
	assert_errno(ioctl(play.fd, SMILE_IOC_START), 0);
	driver_send(card, 0, SENT);
	act(scribbler_main);
	act(reader_main);
	act(caller_main);
	act(mapper_main);
	act(neighbour_main);
	while (goes_on() && !*play.wrong) {
		driver_sleep_ms(20);
		if (driver_now_ms() > end_ms || (all_have_acted() && !driver_sending()))
			__atomic_store_n(&play.end, true, __ATOMIC_RELAXED);
	}
	curtain();
	if (*play.wrong)
		fail_msg("%s", play.wrong);
	if (!all_have_acted())
		fail_msg("no play: %u scribbled, %u reads of %u records, %u calls, %u attempts, "
			 "%u events",
			 play.scribbled, play.reads, play.records, play.calls, play.attempts,
			 play.events);
	print_message("           %u pages scribbled, %u reads of %u records, %u calls, "
		      "%u attempts, %u events next door\n",
		      play.scribbled, play.reads, play.records, play.calls, play.attempts,
		      play.events);
}

/* ---- and after it ---- */

/* If the owner writes valid tails from now on, its counts must be correct from now on. */
static void assert_honest_again(int card)
{
	struct smile_statistics before, after;
	struct driver_sums rest = {0}, sums = {0};

	driver_ring_set_tail(&play.ring, driver_ring_head(&play.ring));
	driver_sent();
	/* The card has not yet received all frames that were sent. */
	do
		driver_sum_up(play.fd, &rest);
	while (driver_statistics(play.fd).packets_seen < SENT);
	driver_sum_up(play.fd, &rest);
	before = driver_statistics(play.fd);
	assert_int_equal(before.packets_seen, SENT);
	assert_int_equal(before.events_delivered + before.events_lost, before.events_accepted);
	/* The driver has read the records that the owner did not read. */
	assert_int_equal(play.ring.producer->card_lost, before.events_lost);
	assert_int_equal(before.records_drained, before.records_written);
	assert_int_equal(driver_ring_head(&play.ring), before.records_drained);

	driver_send(card, 0, HONEST);
	driver_sent();
	do {
		driver_sum_up(play.fd, &sums);
		after = driver_statistics(play.fd);
	} while (after.packets_seen < before.packets_seen + HONEST);
	driver_sum_up(play.fd, &sums);
	after = driver_statistics(play.fd);
	assert_int_equal(after.packets_seen - before.packets_seen, HONEST);
	assert_int_equal(after.events_accepted - before.events_accepted, HONEST);
	assert_int_equal(sums.counts, after.events_delivered - before.events_delivered);
	assert_int_equal(sums.lost, after.events_lost - before.events_lost);
	assert_int_equal(sums.counts + sums.lost, HONEST);
	assert_int_equal(sums.events, 0);
	assert_int_equal(play.ring.producer->card_lost, after.events_lost);
	if (card == CARD_DRAIN)
		assert_int_equal(sums.lost, 0);
}

/* The next owner must find no trace of the hostile owner. */
static void assert_clean(int card)
{
	uint64_t *page = (uint64_t *)play.ring.consumer;
	struct smile_record record;
	struct driver_ring ring;
	struct driver_sums sums = {0};
	unsigned int sent;
	int fd;

	memset(page, 0xff, PAGE);
	driver_unmap(play.ring.consumer);
	driver_unmap((void *)(uintptr_t)play.ring.producer);
	driver_close(play.fd);
	fd = driver_open(card, O_NONBLOCK);
	driver_configure_trace(fd);
	ring = driver_map_ring(fd);
	page = (uint64_t *)ring.consumer;
	for (size_t i = 0; i < WORDS; i++)
		assert_int_equal(page[i], 0);
	for (uint64_t i = 0; i < ring.records; i++)
		assert_int_equal(record_kind(&ring.data[i]), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	sent = 200;
	driver_send(card, 0, sent);
	assert_soon(driver_ring_head(&ring) == sent);
	for (unsigned int i = 0; i < sent; i++) {
		assert_true(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, i);
	}
	/*
	 * Send more records than there is room for, without a reader. The driver must report the
	 * loss of the card whose link does not wait.
	 */
	if (card == CARD_DRAIN)
		return;
	sent += (unsigned int)ring.records + 3000;
	driver_send(card, 0, (unsigned int)ring.records + 3000);
	assert_soon(driver_statistics(fd).packets_seen == sent);
	driver_sum_up(fd, &sums);
	assert_true(sums.lost > 0);
	assert_int_equal(200 + sums.counts + sums.lost, sent);
	assert_int_equal(driver_statistics(fd).events_lost, sums.lost);
	assert_int_equal(ring.producer->card_lost, sums.lost);
}

static void scribbled_page_harms_its_owner_alone(void **state)
{
	play_scene(CARD_DRAIN);
	assert_honest_again(CARD_DRAIN);
	assert_clean(CARD_DRAIN);
}

static void scribbled_page_does_not_hide_a_loss(void **state)
{
	play_scene(CARD_REALTIME);
	assert_honest_again(CARD_REALTIME);
	assert_clean(CARD_REALTIME);
}

static int drain_ms_restore(void **state)
{
	driver_write_file(DRAIN_MS, "20");
	return curtain_and_teardown(state);
}

/*
 * The same when the card is removed. In every other cycle, the page is correct until the last drain
 * before the unbind; otherwise, drains may have treated all records as read.
 */
static void scribbled_page_of_a_card_that_goes(void **state)
{
	struct smile_record record;
	unsigned int got = 0;

	driver_write_file(DRAIN_MS, "10000");
	for (int cycle = 0; cycle < 6; cycle++) {
		unsigned int least = cycle % 2 ? 200 : 1;

		memset(&play, 0, sizeof(play));
		play.fd = driver_open(CARD_DRAIN, O_NONBLOCK);
		driver_configure_trace(play.fd);
		play.ring = driver_map_ring(play.fd);
		assert_errno(ioctl(play.fd, SMILE_IOC_START), 0);
		if (least == 1)
			act(scribbler_main);
		driver_send(CARD_DRAIN, 0, 200);
		assert_soon(driver_statistics(play.fd).records_drained >= least);
		if (least > 1)
			act(scribbler_main);
		driver_bind(CARD_DRAIN, false);
		/*
		 * Read from a ring that is no longer filled, until the owner's tail says that the
		 * ring is empty.
		 */
		for (int i = 0; i < 1000; i++) {
			ssize_t bytes = read(play.fd, &record, sizeof(record));

			if (bytes < 0) {
				assert_int_equal(errno, ENODEV);
				continue;
			}
			assert_int_equal(bytes, sizeof(record));
			assert_int_equal(record_kind(&record), SMILE_KIND_DYNAMIC);
			got++;
		}
		curtain();
		driver_sent();
		assert_int_equal(play.ring.producer->abi, SMILE_ABI_VERSION);
		driver_teardown(state);
	}
	assert_true(got > 0);
}

static void attempts_to_map_more_refused(void **state)
{
	void *own;

	memset(&play, 0, sizeof(play));
	play.fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	attempt_mappings(play.fd,
			 2 * PAGE + (size_t)driver_info(play.fd).ring_records * SMILE_RECORD_BYTES);
	if (*play.wrong)
		fail_msg("%s", play.wrong);
	/*
	 * Map the page at another offset, with the rights of this mapping. No other thread may map
	 * anything at this time, because the call may remove another mapping.
	 */
	own = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, play.fd, 0);
	assert_errno(own, 0);
	assert_int_equal(remap_file_pages(own, PAGE, 0, 1, 0), -1);
	munmap(own, PAGE);
}

/* If the tail is before the first record of the stream, no record may be read a second time. */
static void tail_before_the_first_record_gives_none(void **state)
{
	struct smile_record records[8];
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct driver_ring ring;

	driver_configure_trace(fd);
	ring = driver_map_ring(fd);
	driver_ring_set_tail(&ring, UINT64_MAX);
	assert_int_equal(driver_poll(fd, POLLIN, 0), 0);
	assert_errno(read(fd, records, sizeof(records)), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 3);
	assert_soon(driver_ring_head(&ring) == 3);
	for (uint64_t back = 1; back <= ring.records; back *= 2) {
		driver_ring_set_tail(&ring, 0 - back);
		assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
	}
	assert_int_equal(read(fd, records, sizeof(records)), 3 * SMILE_RECORD_BYTES);
	for (unsigned int page = 0; page < 3; page++)
		assert_record_is_packet(&records[page], page);
}

/* ---- memory that is not present ---- */

/* struct absent - A page whose first use waits until absent_page_comes() is called. */
struct absent {
	int faults;
	char *page;
};

static void absent_page(struct absent *absent, char *page)
{
	struct uffdio_api api = {.api = UFFD_API};
	struct uffdio_register range = {
		.range = {.start = (uintptr_t)page, .len = PAGE},
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	*absent = (struct absent){.page = page};
	absent->faults = (int)syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK);
	/* Some kernels do not have this function. */
	if (absent->faults < 0 && errno == ENOSYS)
		skip();
	assert_errno(absent->faults, 0);
	driver_keep(absent->faults);
	assert_errno(ioctl(absent->faults, UFFDIO_API, &api), 0);
	assert_errno(ioctl(absent->faults, UFFDIO_REGISTER, &range), 0);
}

static void absent_page_is_waited_for(const struct absent *absent)
{
	assert_int_equal(driver_poll(absent->faults, POLLIN, PATIENCE_MS), POLLIN);
}

static void absent_page_comes(const struct absent *absent)
{
	struct uffdio_zeropage range = {.range = {.start = (uintptr_t)absent->page, .len = PAGE}};

	assert_errno(ioctl(absent->faults, UFFDIO_ZEROPAGE, &range), 0);
}

struct patient {
	pthread_t thread;
	int fd;
	void *memory;
	long result;
};

static void *patient_reads(void *argument)
{
	struct patient *patient = argument;

	patient->result = read(patient->fd, patient->memory, SMILE_RECORD_BYTES);
	return NULL;
}

static void *patient_asks(void *argument)
{
	struct patient *patient = argument;

	patient->result = ioctl(patient->fd, SMILE_IOC_INFO, patient->memory);
	return NULL;
}

/* While the kernel waits for the memory of one process, other processes must not wait. */
static void memory_that_does_not_come_keeps_nobody_waiting(void **state)
{
	char *pages =
		mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = driver_open(CARD_DRAIN, 0), fresh;
	struct patient reader = {.fd = fd}, asker = {.fd = fd};
	struct absent of_reader, of_asker;
	struct smile_info info = {.size = sizeof(info)};
	struct smile_record record;

	assert_errno(pages, 0);
	driver_configure_trace(fd);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, 2);
	assert_soon(driver_statistics(fd).records_drained == 2);
	absent_page(&of_reader, pages + PAGE);
	absent_page(&of_asker, pages + 3 * PAGE);
	reader.memory = pages + PAGE;
	/* The size is present; the driver reads it first. */
	asker.memory = pages + 3 * PAGE - 8;
	memcpy(asker.memory, &info.size, sizeof(info.size));
	assert_int_equal(pthread_create(&reader.thread, NULL, patient_reads, &reader), 0);
	assert_int_equal(pthread_create(&asker.thread, NULL, patient_asks, &asker), 0);
	absent_page_is_waited_for(&of_reader);
	absent_page_is_waited_for(&of_asker);

	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_statistics(fd).records_drained, 2);
	assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
	assert_errno(fcntl(fd, F_SETFL, O_NONBLOCK), 0);
	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	driver_bind(CARD_DRAIN, false);
	assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN | POLLHUP);
	driver_bind(CARD_DRAIN, true);
	fresh = driver_open(CARD_DRAIN, 0);
	assert_errno(ioctl(fresh, SMILE_IOC_START), 0);

	absent_page_comes(&of_reader);
	absent_page_comes(&of_asker);
	pthread_join(reader.thread, NULL);
	pthread_join(asker.thread, NULL);
	assert_int_equal(reader.result, SMILE_RECORD_BYTES);
	memcpy(&record, reader.memory, sizeof(record));
	assert_record_is_packet(&record, 0);
	assert_int_equal(asker.result, 0);
	memcpy(&info, asker.memory, sizeof(info));
	assert_int_equal(info.abi, SMILE_ABI_VERSION);
	assert_int_equal(read(fd, &record, sizeof(record)), SMILE_RECORD_BYTES);
	assert_record_is_packet(&record, 1);
	munmap(pages, 4 * PAGE);
}

#define hostile_test(name) cmocka_unit_test_teardown(name, curtain_and_teardown)

int driver_hostile_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(attempts_to_map_more_refused),
		driver_test(tail_before_the_first_record_gives_none),
		driver_test(memory_that_does_not_come_keeps_nobody_waiting),
		hostile_test(scribbled_page_harms_its_owner_alone),
		hostile_test(scribbled_page_does_not_hide_a_loss),
		cmocka_unit_test_teardown(scribbled_page_of_a_card_that_goes, drain_ms_restore),
	};

	return cmocka_run_group_tests_name("hostile", tests, NULL, NULL);
}
