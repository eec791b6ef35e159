/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the ring in host memory where it differs from the ring in the card, and of the change
 * from one ring to the other.
 *
 * What lives here: tests for a ring of RING records, the size with which the module was loaded; in
 * the guest, see driver_fixture.h. The tests for both rings are in the other files, which are run
 * with each ring.
 */
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define RING 256U

static int configure(int fd, uint32_t entries, uint32_t mode)
{
	struct smile_config config = driver_info(fd).config;

	config.entries = entries;
	config.mode = SMILE_MODE_DEFAULT | mode;
	return ioctl(fd, SMILE_IOC_CONFIGURE, &config);
}

static int tracing(uint32_t entries, uint32_t mode)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);

	assert_int_equal(driver_info(fd).ring_records, RING);
	assert_errno(configure(fd, entries, mode), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	return fd;
}

static void assert_mode(const char *mode)
{
	char text[64];

	driver_attribute_text(CARD_DRAIN, "ring_mode", text);
	assert_string_equal(text, mode);
}

/* Read packets @page to @end - 1. There must be no other records. */
static void read_packets(int fd, unsigned int page, unsigned int end)
{
	struct smile_record records[100];

	while (page < end) {
		unsigned int most = end - page < 100 ? end - page : 100;
		ssize_t got = read(fd, records, most * sizeof(records[0]));

		if (got < 0) {
			assert_errno(got, EAGAIN);
			assert_int_equal(driver_poll(fd, POLLIN, PATIENCE_MS), POLLIN);
			continue;
		}
		for (ssize_t i = 0; i < got / SMILE_RECORD_BYTES; i++)
			assert_record_is_packet(&records[i], page++);
	}
}

static void assert_nothing_to_read(int fd)
{
	struct smile_record record;

	assert_errno(read(fd, &record, sizeof(record)), EAGAIN);
}

/* With two entries, one packet stays in the array. */
static void swap_with_a_full_ring_eagain_until_consumed(void **state)
{
	int fd = tracing(2, SMILE_MODE_HOST_RING);
	struct smile_config before = driver_info(fd).config, after;
	struct smile_static tables = {.size = sizeof(tables)};
	struct smile_record mark;
	uint32_t event = 1;

	driver_send(CARD_DRAIN, 0, RING + 1);
	assert_soon(driver_statistics(fd).packets_seen == RING + 1 &&
		    driver_statistics(fd).records_drained == RING);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_EVENT, &event), EAGAIN);
	assert_int_equal(driver_suspend(), EBUSY);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_errno(configure(fd, 7, SMILE_MODE_HOST_RING), EAGAIN);
	assert_errno(configure(fd, 2, 0), EAGAIN);
	assert_errno(ioctl(fd, SMILE_IOC_STATIC, &tables), EAGAIN);
	after = driver_info(fd).config;
	assert_memory_equal(&before, &after, sizeof(before));
	assert_mode("host");
	assert_int_equal(driver_statistics(fd).records_written, RING);
	assert_int_equal(driver_statistics(fd).ring_full, 1);
	/*
	 * There must be room for the waiting records, including the mark of the failed suspend, and
	 * for one more record. Without this room, the swap cannot detect its own end.
	 */
	read_packets(fd, 0, 3);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_statistics(fd).records_drained, RING + 2);
	assert_errno(configure(fd, 7, 0), 0);
	assert_mode("card");
	read_packets(fd, 3, RING + 1);
	assert_int_equal(read(fd, &mark, sizeof(mark)), sizeof(mark));
	assert_int_equal(record_kind(&mark), SMILE_KIND_EVENT);
	assert_int_equal(record_count(&mark), SMILE_EVENT_ASLEEP);
	assert_nothing_to_read(fd);
}

/* Change the ring several times. There are always unread records. */
static void switching_keeps_unread_records_and_their_order(void **state)
{
	const unsigned int sent = 60, turns = 40;
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_statistics statistics;
	unsigned int page = 0, seen = 0;

	for (unsigned int turn = 0; turn < turns; turn++) {
		assert_errno(configure(fd, 1 + turn % 3, turn % 2 ? 0 : SMILE_MODE_HOST_RING), 0);
		assert_mode(turn % 2 ? "card" : "host");
		assert_errno(ioctl(fd, SMILE_IOC_START), 0);
		driver_send(CARD_DRAIN, seen, sent);
		seen += sent;
		assert_soon(driver_statistics(fd).packets_seen == seen);
		assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
		/* The next configuration swaps the counters of the array out. */
		if (turn < 2)
			continue;
		while (page < (turn - 1) * sent) {
			assert_record_is_packet(&ring.data[page % RING], page);
			driver_ring_set_tail(&ring, ++page);
		}
	}
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_ring_head(&ring), seen);
	read_packets(fd, page, seen);
	assert_nothing_to_read(fd);
	statistics = driver_statistics(fd);
	assert_int_equal(statistics.events_delivered, seen);
	assert_int_equal(statistics.events_lost, 0);
	assert_int_equal(statistics.records_written, seen);
}

/* The records in the card's RAM must be delivered first. There is no room for them. */
static void switching_with_records_left_in_the_ram_eagain(void **state)
{
	const unsigned int more = 100;
	int fd = tracing(1, 0);

	driver_send(CARD_DRAIN, 0, RING + more);
	assert_soon(driver_statistics(fd).records_written == RING + more &&
		    driver_statistics(fd).records_drained == RING);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_errno(configure(fd, 1, SMILE_MODE_HOST_RING), EAGAIN);
	assert_mode("card");
	read_packets(fd, 0, more - 1);
	assert_errno(configure(fd, 1, SMILE_MODE_HOST_RING), EAGAIN);
	read_packets(fd, more - 1, more);
	assert_errno(configure(fd, 1, SMILE_MODE_HOST_RING), 0);
	assert_mode("host");
	/* The ring is full from the beginning. */
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, RING + more, 1000);
	read_packets(fd, more, RING + more + 1000);
	assert_int_equal(driver_statistics(fd).events_lost, 0);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), 0);
	assert_errno(configure(fd, 1, 0), 0);
}

/* The tail moves back, to a position to which the card may already write. It must be ignored. */
static void tail_that_goes_back_is_not_believed(void **state)
{
	int fd = tracing(1, SMILE_MODE_HOST_RING);
	struct driver_ring ring = driver_map_ring(fd);

	for (unsigned int turn = 0; turn < 5; turn++) {
		unsigned int begin = turn * RING;

		driver_send(CARD_DRAIN, begin, 200);
		assert_soon(driver_ring_head(&ring) == begin + 200);
		driver_ring_set_tail(&ring, begin + 200);
		/*
		 * The swap drains, so the card receives the tail. poll() does not wait for the
		 * lock.
		 */
		assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
		assert_int_equal(driver_poll(fd, POLLIN, 0), 0);
		driver_ring_set_tail(&ring, begin + 150);
		assert_int_equal(driver_poll(fd, POLLIN, 0), 0);
		assert_nothing_to_read(fd);
		driver_send(CARD_DRAIN, begin + 200, RING - 200);
		assert_soon(driver_ring_head(&ring) == begin + RING);
		driver_ring_set_tail(&ring, begin + 100);
		assert_int_equal(driver_poll(fd, POLLIN, 0), POLLIN);
		read_packets(fd, begin + 200, begin + RING);
		assert_nothing_to_read(fd);
	}
	/* The stream is still correct. */
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), 0);
	assert_int_equal(driver_poll(fd, POLLIN, 0), 0);
}

/* Open the kernel's log at its end. Later reads return only newer messages. */
static int log_open(void)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	assert_errno(log, 0);
	assert_errno(lseek(log, 0, SEEK_END), 0);
	return log;
}

static bool log_has(int log, const char *text)
{
	char line[1024];
	ssize_t got;

	while ((got = read(log, line, sizeof(line) - 1)) > 0) {
		line[got] = '\0';
		if (strstr(line, text))
			return true;
	}
	return false;
}

/*
 * The card may no longer write. The records that it has written can be read, and the log reports
 * why no more arrive.
 */
static void card_that_is_no_bus_master_breaks_the_stream(void **state)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};
	int log = log_open(), fd = tracing(1, SMILE_MODE_HOST_RING);
	struct smile_config config = driver_info(fd).config;
	struct smile_record record;

	driver_send(CARD_DRAIN, 0, 10);
	assert_soon(driver_statistics(fd).records_drained == 10);
	driver_pci_command(CARD_DRAIN, PCI_COMMAND_MASTER, 0);
	driver_send(CARD_DRAIN, 10, 1);
	/* The interrupt of the card (MSI) is also a write, and is refused. */
	assert_soon(driver_poll(fd, POLLIN, 0) == (POLLIN | POLLERR));
	assert_true(log_has(log, "bus mastering"));
	assert_errno(ioctl(fd, SMILE_IOC_STATISTICS, &statistics), EIO);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EIO);
	assert_errno(ioctl(fd, SMILE_IOC_STOP), EIO);
	assert_errno(ioctl(fd, SMILE_IOC_CONFIGURE, &config), EIO);
	driver_pci_command(CARD_DRAIN, 0, PCI_COMMAND_MASTER);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EIO);
	read_packets(fd, 0, 10);
	assert_errno(read(fd, &record, sizeof(record)), EIO);
	driver_close(fd);
	/* When the stream ends, the records that the card could not write are discarded. */
	fd = tracing(1, SMILE_MODE_HOST_RING);
	assert_int_equal(driver_statistics(fd).events_accepted, 0);
	driver_send(CARD_DRAIN, 11, 5);
	read_packets(fd, 11, 16);
	close(log);
}

/* If nothing was sent, only SWAP detects the error, and must return it in time. */
static void swap_to_a_bus_that_refuses_eio(void **state)
{
	int fd = tracing(16, SMILE_MODE_HOST_RING);

	driver_send(CARD_DRAIN, 0, 5);
	assert_soon(driver_statistics(fd).packets_seen == 5);
	assert_int_equal(driver_statistics(fd).records_written, 0);
	driver_pci_command(CARD_DRAIN, PCI_COMMAND_MASTER, 0);
	assert_errno(ioctl(fd, SMILE_IOC_SWAP), EIO);
	assert_int_equal(driver_poll(fd, POLLIN, 0), POLLERR);
	/* Suspend does not fail because of the error. */
	assert_int_equal(driver_suspend(), 0);
	driver_pci_command(CARD_DRAIN, 0, PCI_COMMAND_MASTER);
}

int driver_host_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(swap_with_a_full_ring_eagain_until_consumed),
		driver_test(switching_keeps_unread_records_and_their_order),
		driver_test(switching_with_records_left_in_the_ram_eagain),
		driver_test(tail_that_goes_back_is_not_believed),
		driver_test(card_that_is_no_bus_master_breaks_the_stream),
		driver_test(swap_to_a_bus_that_refuses_eio),
	};

	return cmocka_run_group_tests_name("host", tests, NULL, NULL);
}

/* ---- a ring that is too large for one block of memory ---- */

#define LARGE (1U << 20)

static void ring_in_pieces_has_no_host_mode(void **state)
{
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct smile_info info = driver_info(fd);

	assert_int_equal(info.ring_records, LARGE);
	assert_int_equal(info.features, SMILE_FEATURE_TIMER);
	assert_int_equal(driver_attribute(CARD_DRAIN, "host_ring"), 0);
	assert_errno(configure(fd, 1, SMILE_MODE_HOST_RING), EOPNOTSUPP);
	/* An impossible configuration is refused with another error. */
	assert_errno(configure(fd, 0, SMILE_MODE_HOST_RING), EINVAL);
}

static void ring_in_pieces_works_otherwise(void **state)
{
	const unsigned int sent = 20000;
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record record;

	assert_errno(configure(fd, 1, 0), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, sent);
	for (unsigned int page = 0; page < sent; page++) {
		assert_soon(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
	/* The whole ring is mapped, up to its last page. */
	assert_int_equal(ring.data[LARGE - 1].word[0], 0);
}

/*
 * With an IOMMU, the blocks have contiguous bus addresses. A block has at most 4 MB; the card fills
 * more than one.
 */
static void ring_in_pieces_behind_an_iommu_has_host_mode(void **state)
{
	const unsigned int sent = driver_less(300000);
	int fd = driver_open(CARD_DRAIN, O_NONBLOCK);
	struct driver_ring ring = driver_map_ring(fd);
	struct smile_record record;

	assert_int_equal(ring.records, LARGE);
	assert_int_equal(driver_attribute(CARD_DRAIN, "host_ring"), 1);
	assert_errno(configure(fd, 1, SMILE_MODE_HOST_RING), 0);
	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, sent);
	for (unsigned int page = 0; page < sent; page++) {
		assert_soon(driver_ring_take(&ring, &record));
		assert_record_is_packet(&record, page);
	}
	assert_int_equal(driver_statistics(fd).events_lost, 0);
}

int driver_mapped_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(ring_in_pieces_behind_an_iommu_has_host_mode),
	};

	return cmocka_run_group_tests_name("mapped", tests, NULL, NULL);
}

int driver_pieces_tests(void)
{
	const struct CMUnitTest tests[] = {
		driver_test(ring_in_pieces_has_no_host_mode),
		driver_test(ring_in_pieces_works_otherwise),
	};

	return cmocka_run_group_tests_name("pieces", tests, NULL, NULL);
}
