/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver with many users: a card is removed while they use it, children inherit files
 * and mappings, and processes are killed at any time.
 *
 * What lives here: the tests of driver_unbind_test.c and driver_owner_test.c for many users at a
 * time; in the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"
#include "tests/guest/driver_traffic.h"

/* The next owner must find a reset card: it must read exactly the records of its own frames. */
static void assert_clean(unsigned int first)
{
	const unsigned int sent = 200;
	struct smile_statistics statistics;
	struct smile_record record;
	int fd = driver_tracing(O_NONBLOCK);
	struct driver_ring ring = driver_map_ring(fd);

	statistics = driver_statistics(fd);
	assert_int_equal(statistics.packets_seen, 0);
	assert_int_equal(statistics.records_drained, 0);
	assert_int_equal(driver_ring_head(&ring), 0);
	assert_int_equal(driver_ring_tail(&ring), 0);
	assert_int_equal(driver_poll(fd, POLLIN | POLLPRI, 0) & ~POLLPRI, 0);
	driver_send(CARD_DRAIN, first, sent);
	assert_soon(driver_ring_head(&ring) == sent);
	for (unsigned int page = first; page < first + sent; page++) {
		assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
		assert_record_is_packet(&record, page);
	}
	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.events_accepted, sent);
	assert_int_equal(statistics.events_delivered, sent);
	assert_int_equal(statistics.events_lost, 0);
	driver_unmap(ring.consumer);
	driver_unmap((void *)(uintptr_t)ring.producer);
	driver_close(fd);
}

/* ---- removed, or not, while in use ---- */

/* Queries the card repeatedly, until the call fails because there is no card. */
struct caller {
	pthread_t thread;
	int fd;
	unsigned long command;
	unsigned int done;
	int error;
};

static void *caller_main(void *argument)
{
	struct caller *caller = argument;
	struct smile_info info = {.size = sizeof(info)};

	while (!ioctl(caller->fd, caller->command, &info))
		__atomic_add_fetch(&caller->done, 1, __ATOMIC_RELAXED);
	caller->error = errno;
	return NULL;
}

static void caller_start(struct caller *caller, int fd, unsigned long command)
{
	*caller = (struct caller){.fd = fd, .command = command};
	assert_int_equal(pthread_create(&caller->thread, NULL, caller_main, caller), 0);
}

static bool caller_goes_on(struct caller *caller)
{
	unsigned int done = __atomic_load_n(&caller->done, __ATOMIC_RELAXED);
	uint64_t end_ms = driver_now_ms() + PATIENCE_MS;

	while (__atomic_load_n(&caller->done, __ATOMIC_RELAXED) < done + 3) {
		if (driver_now_ms() > end_ms)
			return false;
		driver_sleep_ms(1);
	}
	return true;
}

/*
 * struct crowd - All kinds of callers: an owner that reads, polls, calls and maps, and a reader
 * that queries.
 */
struct crowd {
	struct driver_sleeper reader, poller, stranger;
	struct caller swapper, asker;
	struct driver_ring ring;
	int other;
};

static void crowd_start(struct crowd *crowd)
{
	int fd = driver_tracing(0);

	*crowd = (struct crowd){
		.reader = {.fd = fd},
		.poller = {.fd = fd, .polls = true},
		.other = driver_watch(CARD_DRAIN),
		.ring = driver_map_ring(fd),
	};
	crowd->stranger = (struct driver_sleeper){.fd = crowd->other, .polls = true};
	driver_sleeper_start(&crowd->reader);
	driver_sleeper_start(&crowd->poller);
	driver_sleeper_start(&crowd->stranger);
	caller_start(&crowd->swapper, fd, SMILE_IOC_SWAP);
	caller_start(&crowd->asker, crowd->other, SMILE_IOC_INFO);
	assert_true(caller_goes_on(&crowd->swapper) && caller_goes_on(&crowd->asker));
	assert_true(driver_sleeper_asleep(&crowd->reader));
}

static void crowd_join(struct crowd *crowd)
{
	struct smile_record record;

	driver_sleeper_join(&crowd->reader);
	driver_sleeper_join(&crowd->poller);
	driver_sleeper_join(&crowd->stranger);
	pthread_join(crowd->swapper.thread, NULL);
	pthread_join(crowd->asker.thread, NULL);
	assert_int_equal(crowd->reader.result, -1);
	assert_int_equal(crowd->reader.error, ENODEV);
	assert_int_equal(crowd->poller.revents, POLLHUP);
	assert_int_equal(crowd->stranger.revents, POLLHUP);
	assert_int_equal(crowd->swapper.error, ENODEV);
	assert_int_equal(crowd->asker.error, ENODEV);
	/* The mapping must still be accessible. */
	assert_int_equal(driver_ring_head(&crowd->ring), 0);
	driver_ring_set_tail(&crowd->ring, 1);
	assert_errno(read(crowd->reader.fd, &record, sizeof(record)), ENODEV);
}

static void card_unbound_under_everybody(void **state)
{
	struct crowd crowd;

	for (unsigned int cycle = 0; cycle < 3; cycle++) {
		crowd_start(&crowd);
		driver_bind(CARD_DRAIN, false);
		crowd_join(&crowd);
		driver_bind(CARD_DRAIN, true);
		/* This must hold whether or not the former owner still exists. */
		assert_clean(1000 * cycle);
		if (cycle & 1)
			driver_teardown(state);
	}
}

static void card_removed_under_everybody(void **state)
{
	struct crowd crowd;
	char address[16], path[64];

	driver_pci(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", address);
	for (unsigned int cycle = 0; cycle < 3; cycle++) {
		crowd_start(&crowd);
		driver_write_file(path, "1");
		crowd_join(&crowd);
		driver_write_file("/sys/bus/pci/rescan", "1");
		assert_true(driver_bound(CARD_DRAIN));
		assert_clean(1000 * cycle);
		if (cycle & 1)
			driver_teardown(state);
	}
}

static void unload_refused_under_everybody_disturbs_nobody(void **state)
{
	struct crowd crowd;

	crowd_start(&crowd);
	for (int attempt = 0; attempt < 20; attempt++) {
		assert_errno(syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK), EWOULDBLOCK);
		assert_true(caller_goes_on(&crowd.swapper) && caller_goes_on(&crowd.asker));
	}
	assert_true(driver_sleeper_asleep(&crowd.reader));
	assert_true(driver_sleeper_asleep(&crowd.poller));
	assert_true(driver_sleeper_asleep(&crowd.stranger));
	driver_send(CARD_DRAIN, 7, 1);
	driver_sleeper_join(&crowd.reader);
	assert_int_equal(crowd.reader.result, SMILE_RECORD_BYTES);
	assert_record_is_packet(&crowd.reader.record, 7);
	assert_int_equal(driver_ring_head(&crowd.ring), 1);
	/* The thread that polls may have started too late for the first record. */
	driver_send(CARD_DRAIN, 8, 1);
	driver_sleeper_join(&crowd.poller);
	assert_int_equal(crowd.poller.revents, POLLIN);
	assert_true(driver_sleeper_asleep(&crowd.stranger));
	driver_bind(CARD_DRAIN, false);
	driver_sleeper_join(&crowd.stranger);
	pthread_join(crowd.swapper.thread, NULL);
	pthread_join(crowd.asker.thread, NULL);
}

/* ---- fork and exec ---- */

static bool child_is_well(pid_t child)
{
	int status;

	return waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

static bool is_packet(const struct smile_record *record, unsigned int page)
{
	return record_kind(record) == SMILE_KIND_DYNAMIC && record_page(record) == page &&
	       record_count(record) == 1;
}

/*
 * Consume the records of pages @first to @last - 1. A child calls this, so do not use cmocka.
 * Return: 0 if all have arrived.
 */
static int consume(int fd, struct driver_ring *ring, unsigned int first, unsigned int last)
{
	struct smile_record record;

	while (first < last) {
		struct pollfd pollfd = {.fd = fd, .events = POLLIN};

		if (poll(&pollfd, 1, PATIENCE_MS) != 1)
			return 1;
		/* In turn, consume a record by the inherited mapping and by the inherited file. */
		while (first < last && driver_ring_take(ring, &record)) {
			if (!is_packet(&record, first++))
				return 2;
			if (first == last)
				break;
			if (read(fd, &record, sizeof(record)) == sizeof(record) &&
			    !is_packet(&record, first++))
				return 3;
		}
	}
	return 0;
}

static void assert_owned(int other)
{
	driver_refused(CARD_DRAIN, EBUSY);
	assert_true(driver_info(other).status & SMILE_INFO_OWNED);
}

static void assert_free(int other)
{
	assert_soon(!(driver_info(other).status & SMILE_INFO_OWNED));
}

static void child_goes_on_when_the_parent_closes(void **state)
{
	int fd = driver_tracing(O_NONBLOCK), other = driver_watch(CARD_DRAIN), go[2];
	struct driver_ring ring = driver_map_ring(fd);
	pid_t child;
	char byte;

	assert_errno(pipe2(go, O_CLOEXEC), 0);
	child = fork();
	assert_errno(child, 0);
	if (!child) {
		/* Wait until the parent has closed its file and mapping. */
		close(go[1]);
		if (read(go[0], &byte, 1) != 0)
			_exit(4);
		_exit(consume(fd, &ring, 0, 500));
	}
	close(go[0]);
	driver_unmap(ring.consumer);
	driver_unmap((void *)(uintptr_t)ring.producer);
	driver_close(fd);
	assert_owned(other);
	close(go[1]);
	driver_send(CARD_DRAIN, 0, 500);
	assert_true(child_is_well(child));
	assert_free(other);
	assert_int_equal(driver_statistics(other).events_delivered, 500);
}

static void parent_goes_on_when_the_child_closes(void **state)
{
	int fd = driver_tracing(O_NONBLOCK), other = driver_watch(CARD_DRAIN);
	struct driver_ring ring = driver_map_ring(fd);
	pid_t child;

	driver_send(CARD_DRAIN, 0, 100);
	child = fork();
	assert_errno(child, 0);
	if (!child) {
		int ret = consume(fd, &ring, 0, 100);

		munmap(ring.consumer, 4096);
		close(fd);
		_exit(ret);
	}
	assert_true(child_is_well(child));
	assert_owned(other);
	/* Both processes share one tail. */
	assert_int_equal(driver_ring_tail(&ring), 100);
	driver_send(CARD_DRAIN, 100, 400);
	assert_int_equal(consume(fd, &ring, 100, 500), 0);
	assert_int_equal(driver_ring_head(&ring), 500);
	driver_unmap(ring.consumer);
	driver_unmap((void *)(uintptr_t)ring.producer);
	driver_close(fd);
	assert_free(other);
}

#define BOTH 20000U
#define BOTH_FIRST 100U /* the parent reads some of these records, then the child */

/*
 * Two processes read from one open file. Each must read its records in order, and none may be read
 * by both.
 */
struct both {
	unsigned int total;
	unsigned int got[2];
	unsigned int least[2];
	unsigned int go;
	unsigned char seen[BOTH];
};

static int both_read(int fd, struct both *both, int who, unsigned int until)
{
	struct smile_record records[16];

	while (__atomic_load_n(&both->total, __ATOMIC_RELAXED) < until) {
		struct pollfd pollfd = {.fd = fd, .events = POLLIN};
		ssize_t got = read(fd, records, sizeof(records));

		if (got < 0 && errno != EAGAIN)
			return 1;
		if (got < 0 && poll(&pollfd, 1, 100) < 0)
			return 2;
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
			unsigned int page = record_page(&records[i]);

			if (page < both->least[who] || page >= BOTH ||
			    !is_packet(&records[i], page))
				return 3;
			both->least[who] = page + 1;
			__atomic_add_fetch(&both->seen[page], 1, __ATOMIC_RELAXED);
			__atomic_add_fetch(&both->total, 1, __ATOMIC_RELAXED);
			__atomic_add_fetch(&both->got[who], 1, __ATOMIC_RELAXED);
		}
	}
	return 0;
}

static void parent_and_child_read_each_record_once(void **state)
{
	struct both *both = mmap(NULL, sizeof(*both), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int fd = driver_tracing(O_NONBLOCK), ret;
	pid_t child;

	assert_errno(both, 0);
	child = fork();
	assert_errno(child, 0);
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		while (!__atomic_load_n(&both->go, __ATOMIC_ACQUIRE))
			driver_sleep_ms(1);
		_exit(both_read(fd, both, 1, BOTH));
	}
	/* Each process reads some records. Meanwhile, the other process does not read. */
	driver_send(CARD_DRAIN, 0, BOTH_FIRST);
	assert_int_equal(both_read(fd, both, 0, 1), 0);
	__atomic_store_n(&both->go, 1, __ATOMIC_RELEASE);
	assert_soon(__atomic_load_n(&both->got[1], __ATOMIC_ACQUIRE) > 0);
	driver_send(CARD_DRAIN, BOTH_FIRST, BOTH - BOTH_FIRST);
	ret = both_read(fd, both, 0, BOTH);
	assert_true(child_is_well(child));
	assert_int_equal(ret, 0);
	for (unsigned int page = 0; page < BOTH; page++)
		assert_int_equal(both->seen[page], 1);
	assert_true(both->got[0] > 0 && both->got[1] > 0);
	assert_int_equal(both->got[0] + both->got[1], BOTH);
	assert_int_equal(driver_statistics(fd).events_delivered, BOTH);
	munmap(both, sizeof(*both));
}

static bool runs(pid_t child, const char *program)
{
	char path[64], name[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", child);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (!fgets(name, sizeof(name), file))
		*name = '\0';
	fclose(file);
	name[strcspn(name, "\n")] = '\0';
	return !strcmp(name, program);
}

static void exec_keeps_the_file_unless_it_is_closed_by_it(void **state)
{
	for (int inherits = 0; inherits < 2; inherits++) {
		int fd = driver_tracing(0), other = driver_watch(CARD_DRAIN), status;
		struct driver_ring ring = driver_map_ring(fd);
		pid_t child;

		assert_errno(fcntl(fd, F_SETFD, inherits ? 0 : FD_CLOEXEC), 0);
		child = fork();
		assert_errno(child, 0);
		if (!child) {
			execlp("sleep", "sleep", "1000", NULL);
			_exit(127);
		}
		assert_soon(runs(child, "sleep"));
		driver_unmap(ring.consumer);
		driver_unmap((void *)(uintptr_t)ring.producer);
		driver_close(fd);
		/* A program that is started by exec() must not inherit a mapping. */
		if (inherits)
			assert_owned(other);
		else
			driver_close(driver_open(CARD_DRAIN, 0));
		assert_true(runs(child, "sleep"));
		driver_close(other);
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		assert_clean(0);
	}
}

/* ---- killed in the middle ---- */

enum place { IN_READ, IN_POLL, IN_SWAP, IN_MAPPING, PLACES };

/* struct victim - Memory shared with the child that will be killed. */
struct victim {
	unsigned int turns;
	int error;
};

static void victim_main(const char *path, enum place place, struct victim *victim)
{
	struct smile_config config = {.size = sizeof(config)};
	struct smile_info info = {.size = sizeof(info)};
	int fd = open(path, O_RDWR);
	struct driver_ring ring = {.fd = fd};
	struct smile_record record;
	char *memory;

	if (fd < 0 || ioctl(fd, SMILE_IOC_STOP) || ioctl(fd, SMILE_IOC_INFO, &info))
		goto error;
	config = info.config;
	config.entries = 1;
	config.mode |= driver_mode();
	if (ioctl(fd, SMILE_IOC_CONFIGURE, &config) || ioctl(fd, SMILE_IOC_START))
		goto error;
	memory = mmap(NULL, info.page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ring.consumer = (struct smile_consumer *)memory;
	memory = mmap(NULL, 4096 + (size_t)info.ring_records * SMILE_RECORD_BYTES, PROT_READ,
		      MAP_SHARED, fd, info.page_bytes);
	if ((void *)ring.consumer == MAP_FAILED || memory == MAP_FAILED)
		goto error;
	ring.producer = (const struct smile_producer *)memory;
	ring.data = (const struct smile_record *)(memory + info.page_bytes);
	ring.records = info.ring_records;
	for (;; __atomic_add_fetch(&victim->turns, 1, __ATOMIC_RELAXED)) {
		struct pollfd pollfd = {.fd = fd, .events = POLLIN};

		if (place == IN_READ && read(fd, &record, sizeof(record)) != sizeof(record))
			goto error;
		if (place == IN_POLL && (poll(&pollfd, 1, -1) != 1 || pollfd.revents != POLLIN))
			goto error;
		if (place == IN_SWAP && ioctl(fd, SMILE_IOC_SWAP) && errno != EAGAIN)
			goto error;
		/*
		 * A process that uses only the mapping reads records and moves the tail. A process
		 * that polls reads all records, so that it sleeps.
		 */
		while ((place == IN_MAPPING || place == IN_POLL) &&
		       driver_ring_take(&ring, &record))
			__atomic_add_fetch(&victim->turns, 1, __ATOMIC_RELAXED);
	}
error:
	victim->error = errno ? errno : EPROTO;
	for (;;)
		pause();
}

/* Wait until the victim is where it is to be killed. */
static void victim_arrives(pid_t child, enum place place, struct victim *victim, bool streams)
{
	if (streams || place >= IN_SWAP)
		assert_soon(__atomic_load_n(&victim->turns, __ATOMIC_RELAXED) > 20);
	if (place == IN_READ && !streams)
		assert_soon(driver_sleeps_in(child) == SYS_read);
	if (place == IN_POLL && !streams)
		assert_soon(driver_sleeps_in(child) == SYS_poll);
}

/*
 * The next owner must receive the packets that are still on the link, in order and completely, and
 * no earlier ones.
 */
static void assert_heir_is_right(void)
{
	struct smile_record records[100];
	uint64_t end_ms = driver_now_ms() + PATIENCE_MS;
	unsigned int next = 0, count = 0;
	int fd = driver_tracing(O_NONBLOCK);
	ssize_t got;

	driver_sent();
	do {
		while ((got = read(fd, records, sizeof(records))) > 0) {
			for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++, count++, next++) {
				if (!count)
					next = record_page(&records[0]);
				assert_record_is_packet(&records[i], next);
			}
		}
		assert_errno(got, EAGAIN);
		/*
		 * On a slow machine, records may still follow after a time without any. Only the
		 * card's counters show this.
		 */
	} while (
		(driver_poll(fd, POLLIN, 100) || driver_statistics(fd).events_delivered != count) &&
		driver_now_ms() < end_ms);
	assert_int_equal(driver_statistics(fd).events_delivered, count);
	assert_int_equal(driver_statistics(fd).events_lost, 0);
	driver_close(fd);
}

static void kill_in(enum place place, bool streams)
{
	struct victim *victim = mmap(NULL, sizeof(*victim), PROT_READ | PROT_WRITE,
				     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	char path[64];

	assert_errno(victim, 0);
	driver_path(CARD_DRAIN, path);
	for (unsigned int turn = 0; turn < driver_less(4); turn++) {
		pid_t child;
		int status;

		*victim = (struct victim){0};
		child = fork();
		assert_errno(child, 0);
		if (!child)
			victim_main(path, place, victim);
		/* The ring stays full, since there is no reader. */
		if (streams) {
			int other = driver_watch(CARD_DRAIN);

			assert_soon(driver_info(other).status & SMILE_INFO_RUNNING);
			driver_close(other);
			driver_send(CARD_DRAIN, 0, driver_less(20000));
		}
		victim_arrives(child, place, victim, streams);
		driver_sleep_ms(7 * turn);
		assert_int_equal(victim->error, 0);
		kill(child, SIGKILL);
		waitpid(child, &status, 0);
		assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		if (streams) {
			assert_heir_is_right();
			traffic_swallow();
		}
		assert_clean(30000);
	}
	munmap(victim, sizeof(*victim));
}

static void killed_while_blocked_in_read_leaves_a_clean_card(void **state)
{
	kill_in(IN_READ, false);
}

static void killed_while_polling_leaves_a_clean_card(void **state)
{
	kill_in(IN_POLL, false);
}

static void killed_in_swap_leaves_a_clean_card(void **state)
{
	kill_in(IN_SWAP, false);
}

static void killed_in_any_place_while_streaming_leaves_a_clean_card(void **state)
{
	for (int place = 0; place < PLACES; place++)
		kill_in(place, true);
}

/*
 * A card that was removed and found is the last one in the kernel's list. Other tests expect it to
 * be the first.
 */
static int cards_in_order(void **state)
{
	char addresses[CARDS][16], path[128];

	for (int card = 0; card < CARDS; card++)
		driver_pci(card, addresses[card]);
	for (int card = 0; card < CARDS; card++) {
		snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", addresses[card]);
		driver_write_file(path, "1");
	}
	driver_write_file("/sys/bus/pci/rescan", "1");
	driver_path(CARD_DRAIN, path);
	assert_string_equal(path, "/dev/smile_monitor0");
	return 0;
}

int driver_life_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(card_unbound_under_everybody),
		driver_test(card_removed_under_everybody),
		driver_test(unload_refused_under_everybody_disturbs_nobody),
		driver_test(child_goes_on_when_the_parent_closes),
		driver_test(parent_goes_on_when_the_child_closes),
		driver_test(parent_and_child_read_each_record_once),
		driver_test(exec_keeps_the_file_unless_it_is_closed_by_it),
		driver_test(killed_while_blocked_in_read_leaves_a_clean_card),
		driver_test(killed_while_polling_leaves_a_clean_card),
		driver_test(killed_in_swap_leaves_a_clean_card),
		driver_test(killed_in_any_place_while_streaming_leaves_a_clean_card),
	};

	return cmocka_run_group_tests_name("life", tests, NULL, cards_in_order);
}
