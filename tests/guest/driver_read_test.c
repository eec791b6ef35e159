/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the driver's read() and poll().
 *
 * What lives here: tests that read records with these system calls; in the guest, see
 * driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"
#include "tests/guest/driver_uevent.h"

#define MANY 50000

/* Open a card with @count unread records in the ring. */
static int with_records(unsigned int count)
{
	int fd = driver_tracing(O_NONBLOCK);

	driver_send(CARD_DRAIN, 0, count);
	assert_soon(driver_statistics(fd).records_drained == count);
	return fd;
}

static void read_into_less_than_a_record_einval(void **state)
{
	char bytes[SMILE_RECORD_BYTES];
	int fd = with_records(1);

	for (size_t size = 0; size < sizeof(bytes); size++)
		assert_errno(read(fd, bytes, size), EINVAL);
	assert_int_equal(read(fd, bytes, sizeof(bytes)), SMILE_RECORD_BYTES);
}

static void read_gives_whole_records(void **state)
{
	struct smile_record records[4];
	int fd = with_records(5);

	memset(records, 0xee, sizeof(records));
	assert_int_equal(read(fd, records, 2 * SMILE_RECORD_BYTES + 15), 2 * SMILE_RECORD_BYTES);
	assert_record_is_packet(&records[0], 0);
	assert_record_is_packet(&records[1], 1);
	assert_int_equal(records[2].word[0], 0xeeeeeeee);
	assert_int_equal(read(fd, records, sizeof(records)), 3 * SMILE_RECORD_BYTES);
	assert_record_is_packet(&records[0], 2);
	assert_record_is_packet(&records[2], 4);
}

static void read_without_records_nonblocking_eagain(void **state)
{
	struct smile_record record;
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);

	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
}

static void read_into_nothing_efault_and_loses_nothing(void **state)
{
	/* These pointers are volatile, so that the compiler does not know their values. */
	void *volatile nothing = (void *)8;
	void *volatile kernel = (void *)0xffff888000000000UL;
	struct smile_record records[3];
	char *volatile pages =
		mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int fd = with_records(3);

	assert_errno(read(fd, nothing, sizeof(records)), EFAULT);
	assert_errno(read(fd, kernel, sizeof(records)), EFAULT);
	/* Room for one and a half records. */
	munmap(pages + 4096, 4096);
	assert_int_equal(read(fd, pages + 4096 - 24, sizeof(records)), SMILE_RECORD_BYTES);
	memcpy(&records[0], pages + 4096 - 24, sizeof(records[0]));
	assert_record_is_packet(&records[0], 0);
	assert_int_equal(read(fd, records, sizeof(records)), 2 * SMILE_RECORD_BYTES);
	assert_record_is_packet(&records[0], 1);
	assert_record_is_packet(&records[1], 2);
	munmap(pages, 4096);
}

static void read_blocked_is_woken_by_data(void **state)
{
	struct driver_sleeper reader = {.fd = driver_tracing(0)};

	driver_sleeper_start(&reader);
	driver_send(CARD_DRAIN, 5, 1);
	driver_sleeper_join(&reader);
	assert_int_equal(reader.result, SMILE_RECORD_BYTES);
	assert_record_is_packet(&reader.record, 5);
}

/* A card that does not count can still write a record. */
static void read_blocked_while_stopped_is_woken_by_an_event(void **state)
{
	struct driver_sleeper reader = {.fd = driver_open(CARD_DRAIN, 0)};
	uint32_t event = 9;

	driver_sleeper_start(&reader);
	assert_errno(ioctl(reader.fd, SMILE_IOC_EVENT, &event), 0);
	driver_sleeper_join(&reader);
	assert_int_equal(reader.result, SMILE_RECORD_BYTES);
	assert_int_equal(record_kind(&reader.record), SMILE_KIND_EVENT);
}

static void on_alarm(int signal)
{
}

static void read_blocked_is_interrupted_by_a_signal(void **state)
{
	struct sigaction action = {.sa_handler = on_alarm}; /* without SA_RESTART */
	/* A periodic timer, because the first signal may arrive before the call. */
	struct itimerval timer = {.it_value = {.tv_usec = 100000},
				  .it_interval = {.tv_usec = 100000}};
	struct itimerval none = {0};
	struct smile_record record;
	int fd = driver_tracing(0);

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
	assert_errno(read(fd, &record, sizeof(record)), EINTR);
	/* A signal also interrupts poll(), and the stream does not change. */
	assert_errno(poll(&(struct pollfd){.fd = fd, .events = POLLIN}, 1, PATIENCE_MS), EINTR);
	setitimer(ITIMER_REAL, &none, NULL);
	driver_send(CARD_DRAIN, 0, 1);
	assert_int_equal(read(fd, &record, sizeof(record)), SMILE_RECORD_BYTES);
}

static void read_while_filling_gives_each_record_once_in_order(void **state)
{
	static struct smile_record records[1000];
	int fd = driver_tracing(0);
	unsigned int page = 0;

	driver_send(CARD_DRAIN, 0, MANY);
	while (page < MANY) {
		ssize_t got = read(fd, records, sizeof(records));

		assert_true(got > 0 && got % SMILE_RECORD_BYTES == 0);
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++)
			assert_record_is_packet(&records[i], page++);
	}
	assert_int_equal(driver_statistics(fd).events_lost, 0);
	assert_int_equal(driver_statistics(fd).events_accepted, MANY);
}

static void poll_reports_pollin_while_records_wait(void **state)
{
	struct smile_record record;
	int fd = driver_tracing(O_NONBLOCK);

	assert_int_equal(driver_poll(fd, POLLIN, 50), 0);
	driver_send(CARD_DRAIN, 0, 2);
	assert_int_equal(driver_poll(fd, POLLIN | POLLPRI, PATIENCE_MS), POLLIN);
	assert_soon(driver_statistics(fd).records_drained == 2);
	assert_int_equal(read(fd, &record, sizeof(record)), SMILE_RECORD_BYTES);
	assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
	assert_int_equal(read(fd, &record, sizeof(record)), SMILE_RECORD_BYTES);
	assert_int_equal(driver_poll(fd, POLLIN, 0), 0);
}

static void poll_reports_pollpri_until_info_when_the_link_changes(void **state)
{
	int fd = driver_open(CARD_LINK, 0), other = driver_watch(CARD_LINK);
	int uevents = uevent_open();

	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	for (int up = 1; up >= 0; up--) {
		driver_info(fd);
		assert_int_equal(driver_poll(fd, POLLPRI, 50), 0);
		driver_link(up);
		assert_int_equal(driver_poll(fd, POLLIN | POLLPRI, PATIENCE_MS), POLLPRI);
		/*
		 * POLLPRI is reported until the owner queries the link. If another file queries the
		 * link, POLLPRI is still reported.
		 */
		assert_int_equal(!!(driver_info(other).status & SMILE_INFO_LINK), up);
		assert_int_equal(driver_poll(fd, POLLPRI, 0), POLLPRI);
		assert_int_equal(driver_poll(other, POLLPRI, 0), 0);
		assert_int_equal(!!(driver_info(fd).status & SMILE_INFO_LINK), up);
		assert_int_equal(driver_poll(fd, POLLPRI, 0), 0);
		assert_int_equal(driver_attribute(CARD_LINK, "link_up"), up);
		uevent_wait(uevents, CARD_LINK, up ? "LINK=1" : "LINK=0");
	}
	assert_true(driver_statistics(fd).interrupts >= 2);
}

int driver_read_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(read_into_less_than_a_record_einval),
		driver_test(read_gives_whole_records),
		driver_test(read_without_records_nonblocking_eagain),
		driver_test(read_into_nothing_efault_and_loses_nothing),
		driver_test(read_blocked_is_woken_by_data),
		driver_test(read_blocked_while_stopped_is_woken_by_an_event),
		driver_test(read_blocked_is_interrupted_by_a_signal),
		driver_test(read_while_filling_gives_each_record_once_in_order),
		driver_test(poll_reports_pollin_while_records_wait),
		driver_test(poll_reports_pollpri_until_info_when_the_link_changes),
	};

	return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
