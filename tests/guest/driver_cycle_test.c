/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test that removes and adds the card a thousand times. Meanwhile, several processes use the card
 * in random ways and are killed.
 *
 * What lives here: the processes that use the card, the process that removes the card and kills
 * them, and counts of all events. The test fails if an event happened too rarely. lifetime_guest.sh
 * checks that nothing is left behind in the kernel. In the guest, see driver_fixture.h.
 *
 * DRIVER_CYCLES in the environment is the number of cycles. DRIVER_SEED repeats the order of a run,
 * but not its timing.
 */
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
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

#define PAGE 4096
#define WORKERS 5
#define CYCLES 1000U
#define NUMBERS 6U /* a card has a new number while its old number is in use */
#define DRIVER "/sys/bus/pci/drivers/smile_monitor"

enum deed {
	OPENED,
	ABSENT,
	OWNED,
	OWNED_HOST,
	BUSY,
	RECORDS,
	READ_GONE,
	READ_GONE_LATE,
	POLL_GONE,
	POLL_GONE_LATE,
	CALLED,
	CALL_GONE,
	MAPPED,
	MAP_GONE,
	MAP_OUTLIVES,
	MAP_ALONE,
	FORKED,
	CHILD_KILLED,
	KILLED,
	KILLED_IN_READ,
	KILLED_IN_POLL,
	UNLOAD_REFUSED,
	UNBOUND,
	REMOVED,
	DEED_COUNT,
};

/* The events that are counted, and the least number of each in a thousand cycles. */
static const struct {
	unsigned int least;
	const char *words;
} deeds[DEED_COUNT] = {
	[OPENED] = {1000, "files opened"},
	[ABSENT] = {50, "no card there, or none any more"},
	[OWNED] = {300, "streams taken over"},
	[OWNED_HOST] = {100, "of these with the ring in host memory"},
	[BUSY] = {100, "refused to those who do not own it"},
	[RECORDS] = {1000, "records read"},
	[READ_GONE] = {50, "reads ended by ENODEV"},
	[READ_GONE_LATE] = {20, "of these after a while"},
	[POLL_GONE] = {50, "polls ended by POLLHUP"},
	[POLL_GONE_LATE] = {20, "of these after a while"},
	[CALLED] = {500, "ioctls that succeeded"},
	[CALL_GONE] = {50, "ioctls ended by ENODEV"},
	[MAPPED] = {100, "rings mapped"},
	[MAP_GONE] = {50, "mappings refused by ENODEV"},
	[MAP_OUTLIVES] = {15, "mappings looked at without a card"},
	[MAP_ALONE] = {50, "mappings looked at without a file"},
	[FORKED] = {50, "children with all of that"},
	[CHILD_KILLED] = {20, "of these killed"},
	[KILLED] = {200, "processes killed"},
	[KILLED_IN_READ] = {5, "of these asleep in read()"},
	[KILLED_IN_POLL] = {5, "of these asleep in poll()"},
	[UNLOAD_REFUSED] = {10, "unloads refused"},
	[UNBOUND] = {950, "cards unbound and bound"},
	[REMOVED] = {50, "cards removed and found again"},
};

/*
 * Shared by all processes. Only the first process may use cmocka; the others store their errors
 * here.
 */
struct account {
	unsigned int done[DEED_COUNT];
	char wrong[200];
};

static struct account *account;

static void note(enum deed deed)
{
	__atomic_add_fetch(&account->done[deed], 1, __ATOMIC_RELAXED);
}

static void wrong(const char *what, int error)
{
	if (!*account->wrong)
		snprintf(account->wrong, sizeof(account->wrong), "%s: %s", what, strerror(error));
}

/* ---- what a process does with an open file ---- */

struct visit {
	int fd;
	bool mapped;
	struct driver_ring ring;
	unsigned int seed;
	uint64_t head; /* the last head that was read */
};

static unsigned int dice(struct visit *visit, unsigned int sides)
{
	return (unsigned int)rand_r(&visit->seed) / 7 % sides;
}

/* Whether any call may return this error at any time. */
static bool is_usual(int error)
{
	if (error == EBUSY)
		note(BUSY);
	return error == EBUSY || error == EAGAIN || error == EBADF || error == EINTR;
}

static void visit_take(struct visit *visit)
{
	struct smile_info info = {.size = sizeof(info)};
	bool host = dice(visit, 2);

	if (ioctl(visit->fd, SMILE_IOC_STOP) || ioctl(visit->fd, SMILE_IOC_INFO, &info))
		goto error;
	info.config.entries = 1 + dice(visit, 4);
	if (host)
		info.config.mode |= SMILE_MODE_HOST_RING;
	if (ioctl(visit->fd, SMILE_IOC_CONFIGURE, &info.config) ||
	    ioctl(visit->fd, SMILE_IOC_START))
		goto error;
	note(OWNED);
	if (host)
		note(OWNED_HOST);
	return;
error:
	if (errno == ENODEV)
		note(CALL_GONE);
	else if (!is_usual(errno))
		wrong("taking over", errno);
}

static void visit_read(struct visit *visit)
{
	struct smile_record records[32];
	uint64_t begin_ms = driver_now_ms();
	ssize_t got = read(visit->fd, records, sizeof(records));

	for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++) {
		uint32_t kind = record_kind(&records[i]);

		note(RECORDS);
		if (kind < SMILE_KIND_DYNAMIC || kind > SMILE_KIND_LOST)
			wrong("a record of no kind", 0);
	}
	if (got >= 0)
		return;
	if (errno == ENODEV) {
		note(READ_GONE);
		if (driver_now_ms() - begin_ms > 2)
			note(READ_GONE_LATE);
	} else if (!is_usual(errno)) {
		wrong("read()", errno);
	}
}

static void visit_poll(struct visit *visit)
{
	struct pollfd pollfd = {.fd = visit->fd, .events = POLLIN};
	uint64_t begin_ms = driver_now_ms();

	if (poll(&pollfd, 1, (int)dice(visit, 300)) < 0 || pollfd.revents & POLLNVAL)
		wrong("poll()", errno);
	if (!(pollfd.revents & POLLHUP))
		return;
	note(POLL_GONE);
	if (driver_now_ms() - begin_ms > 2)
		note(POLL_GONE_LATE);
}

static void visit_call(struct visit *visit)
{
	struct smile_info info = {.size = sizeof(info)};
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	struct smile_static tables = {.size = sizeof(tables)};
	uint32_t event = dice(visit, 1000);
	const struct {
		unsigned long command;
		void *argument;
	} calls[] = {
		{SMILE_IOC_INFO, &info},     {SMILE_IOC_STATISTICS, &statistics},
		{SMILE_IOC_SWAP, NULL},	     {SMILE_IOC_START, NULL},
		{SMILE_IOC_STOP, NULL},	     {SMILE_IOC_EVENT, &event},
		{SMILE_IOC_STATIC, &tables}, {SMILE_IOC_STATIC_INFO, &tables},
	};
	unsigned int which = dice(visit, sizeof(calls) / sizeof(calls[0]));

	if (!ioctl(visit->fd, calls[which].command, calls[which].argument))
		note(CALLED);
	else if (errno == ENODEV)
		note(CALL_GONE);
	else if (!is_usual(errno))
		wrong("ioctl()", errno);
}

static void visit_look(struct visit *visit)
{
	uint64_t head = driver_ring_head(&visit->ring), tail = driver_ring_tail(&visit->ring);

	if (visit->ring.producer->abi != SMILE_ABI_VERSION || head < visit->head)
		wrong("the producer's page", 0);
	visit->head = head;
	/* Usually set a correct tail, at times a random one. */
	driver_ring_set_tail(&visit->ring, dice(visit, 3) ? head : tail * dice(visit, 1 << 20));
}

static void visit_map(struct visit *visit)
{
	const size_t bytes = 2 * PAGE; /* the producer's page, and the first records */

	if (visit->mapped) {
		visit_look(visit);
		return;
	}
	visit->ring.consumer = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, visit->fd, 0);
	if ((void *)visit->ring.consumer != MAP_FAILED) {
		visit->ring.producer = mmap(NULL, bytes, PROT_READ, MAP_SHARED, visit->fd, PAGE);
		if ((const void *)visit->ring.producer != MAP_FAILED) {
			visit->mapped = true;
			visit->head = 0;
			note(MAPPED);
			return;
		}
		munmap(visit->ring.consumer, PAGE);
	}
	if (errno == ENODEV)
		note(MAP_GONE);
	else if (!is_usual(errno) && errno != EACCES)
		wrong("mmap()", errno);
}

static void visit_step(struct visit *visit)
{
	switch (dice(visit, 8)) {
	case 0:
	case 1:
		visit_read(visit);
		break;
	case 2:
	case 3:
		visit_poll(visit);
		break;
	case 4:
	case 5:
		visit_map(visit);
		break;
	default:
		visit_call(visit);
	}
}

/* Fork a child that has inherited everything. The parent continues or ends. */
static void visit_fork(struct visit *visit)
{
	pid_t child = fork();
	int status;

	if (child < 0) {
		wrong("fork()", errno);
		return;
	}
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		visit->seed ^= (unsigned int)getpid();
		for (unsigned int steps = 1 + dice(visit, 8); steps; steps--)
			visit_step(visit);
		_exit(0);
	}
	note(FORKED);
	/* The child may sleep in a read() until the card is removed. */
	for (unsigned int steps = dice(visit, 4); steps; steps--)
		visit_call(visit);
	if (dice(visit, 2))
		driver_sleep_ms(dice(visit, 20));
	kill(child, SIGKILL);
	if (waitpid(child, &status, 0) != child)
		wrong("waitpid()", errno);
	else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		note(CHILD_KILLED);
	else if (!WIFEXITED(status))
		wrong("a child died", 0);
}

static void visit_leave(struct visit *visit)
{
	struct pollfd pollfd = {.fd = visit->fd};
	/* Even if the card is present now, it may be removed a moment later. */
	bool gone = poll(&pollfd, 1, 0) == 1 && pollfd.revents & POLLHUP;

	if (visit->mapped && gone) {
		visit_look(visit);
		note(MAP_OUTLIVES);
	}
	close(visit->fd);
	if (!visit->mapped)
		return;
	visit_look(visit);
	note(MAP_ALONE);
	munmap(visit->ring.consumer, PAGE);
	munmap((void *)(uintptr_t)visit->ring.producer, 2 * PAGE);
}

static void worker_main(unsigned int seed)
{
	static const int flags[] = {O_RDWR, O_RDWR, O_RDWR | O_NONBLOCK, O_RDONLY};
	struct visit visit = {.seed = seed};
	char path[64];

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;) {
		snprintf(path, sizeof(path), "/dev/smile_monitor%u", dice(&visit, NUMBERS));
		visit.fd = open(path, flags[dice(&visit, 4)] | O_CLOEXEC);
		visit.mapped = false;
		if (visit.fd < 0) {
			if (errno == ENOENT || errno == ENXIO || errno == ENODEV)
				note(ABSENT);
			else if (!is_usual(errno))
				wrong(path, errno);
			sched_yield();
			continue;
		}
		note(OPENED);
		visit_take(&visit);
		for (unsigned int steps = dice(&visit, 12); steps; steps--)
			visit_step(&visit);
		if (!dice(&visit, 6))
			visit_fork(&visit);
		visit_leave(&visit);
	}
}

/* ---- removals and kills ---- */

static struct {
	pid_t workers[WORKERS];
	char addresses[CARDS][16];
	unsigned int seed;
	unsigned int serial;
	unsigned int sent;
} fate;

static unsigned int fate_dice(unsigned int sides)
{
	return (unsigned int)rand_r(&fate.seed) / 7 % sides;
}

static void fate_begets(int worker)
{
	unsigned int seed = fate.seed ^ ++fate.serial * 2654435761U;
	pid_t pid = fork();

	assert_errno(pid, 0);
	if (!pid)
		worker_main(seed);
	fate.workers[worker] = pid;
}

/* Choose a process to kill. Most processes sleep in poll(), so prefer one that sleeps in read(). */
static int fate_chooses(void)
{
	int first = (int)fate_dice(WORKERS);

	for (int i = 0; i < WORKERS && fate_dice(10); i++) {
		int worker = (first + i) % WORKERS;

		if (driver_sleeps_in(fate.workers[worker]) == SYS_read)
			return worker;
	}
	return first;
}

static void fate_kills(int worker)
{
	long call = driver_sleeps_in(fate.workers[worker]);
	int status;

	kill(fate.workers[worker], SIGKILL);
	assert_int_equal(waitpid(fate.workers[worker], &status, 0), fate.workers[worker]);
	/* Only the signal may have ended the process. */
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	fate.workers[worker] = 0;
	note(KILLED);
	if (call == SYS_read)
		note(KILLED_IN_READ);
	if (call == SYS_poll)
		note(KILLED_IN_POLL);
}

static void modprobe(void)
{
	const char *const command[] = {"modprobe", "smile_monitor", getenv("DRIVER_OPTION"), NULL};
	char output[1024];

	if (driver_run(0, command, output, sizeof(output)))
		fail_msg("modprobe smile_monitor: %s", output);
}

/* Usually some process has a file open, so the module cannot be unloaded. */
static void fate_unloads(void)
{
	if (!syscall(SYS_delete_module, "smile_monitor", O_NONBLOCK)) {
		modprobe();
		return;
	}
	assert_errno(-1, EWOULDBLOCK);
	note(UNLOAD_REFUSED);
}

static void fate_takes(int card, bool away)
{
	char path[64];

	if (!away) {
		driver_write_file(DRIVER "/unbind", fate.addresses[card]);
		driver_sleep_ms(fate_dice(4));
		driver_write_file(DRIVER "/bind", fate.addresses[card]);
		note(UNBOUND);
		return;
	}
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/remove", fate.addresses[card]);
	driver_write_file(path, "1");
	driver_write_file("/sys/bus/pci/rescan", "1");
	note(REMOVED);
}

static void fate_sends(void)
{
	if (driver_sending())
		return;
	driver_send(fate.sent & 1 ? CARD_REALTIME : CARD_DRAIN, 0, 2000);
	fate.sent++;
}

static int fate_ends(void **state)
{
	for (int i = 0; i < WORKERS; i++) {
		if (fate.workers[i])
			fate_kills(i);
	}
	/* Children of the killed processes have become children of this process. */
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	return driver_teardown(state);
}

static unsigned int cycles(void)
{
	const char *text = getenv("DRIVER_CYCLES");

	return text && *text ? (unsigned int)strtoul(text, NULL, 10) : CYCLES;
}

static unsigned int begin_seed(void)
{
	const char *text = getenv("DRIVER_SEED");

	return text && *text ? (unsigned int)strtoul(text, NULL, 10)
			     : (unsigned int)(driver_now_ms() * 2654435761U);
}

static void account_is_enough(void)
{
	bool enough = true;

	for (int i = 0; i < DEED_COUNT; i++) {
		unsigned int least = deeds[i].least * cycles() / CYCLES;

		print_message("           %7u %s\n", account->done[i], deeds[i].words);
		if (account->done[i] >= least)
			continue;
		enough = false;
		print_error("too few %s: at least %u\n", deeds[i].words, least);
	}
	print_message("           %7u packets sent\n", fate.sent * 2000);
	assert_true(enough);
	assert_true(fate.sent >= cycles() / 50);
}

static void cards_come_and_go_under_load(void **state)
{
	uint64_t begin_ms = driver_now_ms();

	account = mmap(NULL, sizeof(*account), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		       -1, 0);
	assert_errno(account, 0);
	fate.seed = begin_seed();
	print_message("           DRIVER_SEED=%u DRIVER_CYCLES=%u\n", fate.seed, cycles());
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	for (int card = 0; card < CARDS; card++)
		driver_pci(card, fate.addresses[card]);
	for (int i = 0; i < WORKERS; i++)
		fate_begets(i);
	for (unsigned int cycle = 0; cycle < cycles(); cycle++) {
		int worker;

		fate_sends();
		fate_takes((int)fate_dice(CARDS), cycle % 20 == 10);
		if (cycle % 5 == 1) {
			worker = fate_chooses();
			fate_kills(worker);
			fate_begets(worker);
		}
		if (cycle % 40 == 20)
			fate_unloads();
		driver_sleep_ms(fate_dice(10));
		if (*account->wrong)
			fail_msg("cycle %u: %s", cycle, account->wrong);
	}
	print_message("           %u cycles took %u ms\n", cycles(),
		      (unsigned int)(driver_now_ms() - begin_ms));
	account_is_enough();
}

/* ---- and after it ---- */

static unsigned int entries(const char *path, const char *prefix)
{
	const struct dirent *entry;
	unsigned int count = 0;
	DIR *listing = opendir(path);

	assert_non_null(listing);
	while ((entry = readdir(listing)))
		count += !strncmp(entry->d_name, prefix, strlen(prefix));
	closedir(listing);
	return count;
}

static unsigned int lines(const char *path, const char *with, const char *and_with)
{
	FILE *file = fopen(path, "re");
	unsigned int count = 0;
	char line[1024];

	assert_non_null(file);
	while (fgets(line, sizeof(line), file))
		count += strstr(line, with) && strstr(line, and_with);
	fclose(file);
	return count;
}

static void nothing_is_left_but_the_cards(void **state)
{
	char path[64], expected[64];

	/* The numbers of removed cards must be free. */
	for (int card = 0; card < CARDS; card++)
		driver_bind(card, false);
	assert_int_equal(lines("/proc/interrupts", "smile_monitor", ""), 0);
	assert_soon(lines("/proc/vmallocinfo", "[smile_monitor]", "") == 0);
	assert_int_equal(entries("/sys/class/smile_monitor", "smile_monitor"), 0);
	assert_soon(entries("/dev", "smile_monitor") == 0);
	for (int card = 0; card < CARDS; card++)
		driver_bind(card, true);
	assert_soon(entries("/dev", "smile_monitor") == CARDS);
	assert_int_equal(entries("/sys/class/smile_monitor", "smile_monitor"), CARDS);
	/* For each number that was ever used, the PMU exists until the module is unloaded. */
	assert_true(entries("/sys/bus/event_source/devices", "smile_monitor") >= CARDS);
	assert_int_equal(lines("/proc/interrupts", "smile_monitor", ""), CARDS);
	assert_int_equal(lines("/proc/vmallocinfo", "[smile_monitor]", " vmap"), CARDS);
	for (int card = 0; card < CARDS; card++) {
		driver_path(card, path);
		snprintf(expected, sizeof(expected), "/dev/smile_monitor%d", card);
		assert_string_equal(path, expected);
	}
	assert_int_equal(lines("/sys/module/smile_monitor/refcnt", "0\n", ""), 1);
}

/* Each card must count like a new card. */
static void cards_count_exactly_as_ever(void **state)
{
	struct smile_record record;

	for (int card = 0; card < CARDS; card++) {
		for (int host = 0; host < 2; host++) {
			int fd = driver_open(card, O_NONBLOCK);
			struct smile_config config = driver_config(fd);
			uint32_t event;

			config.entries = 1;
			config.mode |= host ? SMILE_MODE_HOST_RING : 0;
			assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), 0);
			assert_errno(ioctl(fd, SMILE_IOC_START), 0);
			assert_int_equal(driver_statistics(fd).packets_seen, 0);
			/* The third card has no link. */
			if (card != CARD_LINK)
				driver_send(card, 0, 500);
			for (unsigned int page = 0; card != CARD_LINK && page < 500; page++) {
				assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
				assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
				assert_record_is_packet(&record, page);
			}
			for (event = 0; event < 100; event++) {
				assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), 0);
				assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
				assert_int_equal(read(fd, &record, sizeof(record)), sizeof(record));
				assert_int_equal(record_kind(&record), SMILE_KIND_EVENT);
				assert_int_equal(record_count(&record), event);
			}
			assert_int_equal(driver_statistics(fd).events_lost, 0);
			driver_close(fd);
		}
	}
}

int driver_cycle_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(cards_come_and_go_under_load, fate_ends),
		driver_test(nothing_is_left_but_the_cards),
		driver_test(cards_count_exactly_as_ever),
	};

	return cmocka_run_group_tests_name("cycle", tests, NULL, NULL);
}
