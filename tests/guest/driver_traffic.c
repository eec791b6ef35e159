/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * B-Link frames that are made in the guest.
 *
 * What lives here: the writer of pcap streams to the virtio-serial ports whose other ends are the
 * cards' links (run.sh's --loop), and its background thread: a link that waits for its card makes
 * the writer wait, too.
 *
 * As long as a card exists, its port carries one pcap stream, which may have several writers. The
 * header is written once for each card; a file in /tmp shows that it was written. All time stamps
 * are zero, so a card whose link does not wait receives its packets immediately, even if it is not
 * ready.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <base/field.h>
#include <hw/blink.h>

#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_traffic.h"

#define FRAMES_PER_WRITE 128
#define FRAME_KINDS_MAX 32
#define MARK_EVENT 0xfeedU /* no test raises it */
#define LINK_PATIENCE_S 120 /* longer than any link takes, even on the slowest kernel */

struct packet {
	uint32_t header[4]; /* seconds, nanoseconds, stored bytes, bytes on the link */
	uint64_t frame[3];
};

static const char *const ports[CARDS] = {
	[CARD_DRAIN] = "/dev/virtio-ports/org.smile.blink",
	[CARD_REALTIME] = "/dev/virtio-ports/org.smile.blink1",
};

static struct {
	pthread_t thread;
	bool running; /* a thread must be joined */
	bool used[CARDS]; /* the link may hold packets */
	int card;
	unsigned int first, count;
	unsigned int step; /* from a packet's page to the next packet's page */
	struct driver_frames kinds[FRAME_KINDS_MAX];
	size_t kind_count;
} traffic;

static bool write_all(int fd, const void *data, size_t bytes)
{
	const char *at = data;

	while (bytes) {
		ssize_t done = write(fd, at, bytes);

		if (done <= 0)
			return false;
		at += done;
		bytes -= (size_t)done;
	}
	return true;
}

static const uint32_t header[6] = {0xa1b23c4d, 0x00040002, 0, 0, 65535, BLINK_LINKTYPE};

static void mark_path(int card, char path[64])
{
	snprintf(path, 64, "/tmp/driver-traffic-%d", card);
}

static int port_open(int card)
{
	static int fds[CARDS];
	char mark[64];
	int begun;

	if (fds[card])
		return fds[card];
	fds[card] = open(ports[card], O_WRONLY | O_CLOEXEC);
	if (fds[card] < 0) {
		print_error("%s: %s\n", ports[card], strerror(errno));
		fds[card] = 0;
		return -1;
	}
	mark_path(card, mark);
	begun = open(mark, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (begun >= 0) {
		close(begun);
		write_all(fds[card], header, sizeof(header));
	}
	return fds[card];
}

void traffic_begin(int card)
{
	char mark[64];
	bool begun;
	int fd;

	mark_path(card, mark);
	begun = !access(mark, F_OK);
	fd = port_open(card);
	assert_true(fd >= 0);
	if (begun)
		assert_true(write_all(fd, header, sizeof(header)));
	traffic.used[card] = false;
}

static struct packet packet_make(uint32_t command, uint32_t source, uint64_t address)
{
	struct packet packet = {
		.header = {0, 0, sizeof(packet.frame), sizeof(packet.frame)},
		.frame = {SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)source) |
				  SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command) |
				  SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)TRAFFIC_TARGET),
			  address, 0},
	};

	return packet;
}

static void *traffic_main(void *unused)
{
	struct packet packets[FRAMES_PER_WRITE];
	unsigned int page = traffic.first, left = traffic.count, count;
	int fd = port_open(traffic.card);

	while (fd >= 0 && left) {
		for (count = 0; count < FRAMES_PER_WRITE && left;
		     count++, left--, page += traffic.step)
			packets[count] = packet_make(BLINK_READSB, TRAFFIC_SOURCE(page),
						     (uint64_t)page * SMILE_PAGE_BYTES);
		if (!write_all(fd, packets, count * sizeof(packets[0])))
			break;
	}
	if (left)
		print_error("traffic broke off at page %u: %s\n", page, strerror(errno));
	return NULL;
}

static void send_pages(int card, unsigned int first, unsigned int count, unsigned int step)
{
	driver_sent();
	traffic.card = card;
	traffic.first = first;
	traffic.count = count;
	traffic.step = step;
	traffic.used[card] = true;
	assert_int_equal(pthread_create(&traffic.thread, NULL, traffic_main, NULL), 0);
	traffic.running = true;
}

void driver_send(int card, unsigned int first, unsigned int count)
{
	send_pages(card, first, count, 1);
}

void driver_send_one_page(int card, unsigned int page, unsigned int count)
{
	send_pages(card, page, count, 0);
}

static struct packet packet_of(const struct driver_frames *kind, bool response)
{
	struct packet packet = packet_make(response ? BLINK_RESPONSE00 : kind->command, 0,
					   response ? 0 : kind->address);
	uint64_t source = response ? kind->target : kind->source;
	uint64_t target = response ? kind->source : kind->target;

	packet.frame[0] &= ~(BLINK_BD1_SOURCE | BLINK_BD1_TARGET);
	packet.frame[0] |=
		SMILE_PUT(BLINK_BD1_SOURCE, source) | SMILE_PUT(BLINK_BD1_TARGET, target);
	return packet;
}

static void *frames_main(void *unused)
{
	struct packet packets[FRAMES_PER_WRITE];
	int fd = port_open(traffic.card);
	bool sent = fd >= 0;

	for (size_t i = 0; sent && i < traffic.kind_count; i++) {
		const struct driver_frames *kind = &traffic.kinds[i];
		unsigned int left = kind->answered ? 2 * kind->count : kind->count, count;

		while (sent && left) {
			for (count = 0; count < FRAMES_PER_WRITE && left; count++, left--)
				packets[count] = packet_of(kind, kind->answered && left % 2);
			sent = write_all(fd, packets, count * sizeof(packets[0]));
		}
	}
	if (!sent)
		print_error("traffic broke off: %s\n", strerror(errno));
	return NULL;
}

void driver_send_frames(int card, const struct driver_frames *kinds, size_t count)
{
	driver_sent();
	assert_true(count <= FRAME_KINDS_MAX);
	memcpy(traffic.kinds, kinds, count * sizeof(kinds[0]));
	traffic.kind_count = count;
	traffic.card = card;
	traffic.used[card] = true;
	assert_int_equal(pthread_create(&traffic.thread, NULL, frames_main, NULL), 0);
	traffic.running = true;
}

bool driver_sending(void)
{
	if (traffic.running && !pthread_tryjoin_np(traffic.thread, NULL))
		traffic.running = false;
	return traffic.running;
}

static void writer_join(void)
{
	if (traffic.running)
		pthread_join(traffic.thread, NULL);
	traffic.running = false;
}

void driver_sent(void)
{
	struct timespec end;

	if (!traffic.running)
		return;
	clock_gettime(CLOCK_REALTIME, &end);
	end.tv_sec += LINK_PATIENCE_S;
	if (pthread_timedjoin_np(traffic.thread, NULL, &end))
		fail_msg("card %d's link has taken no more for %d s: does the card wait for room, "
			 "or has QEMU lost a write to its port?",
			 traffic.card, LINK_PATIENCE_S);
	traffic.running = false;
}

static void *mark_main(void *card)
{
	struct packet mark = packet_make(BLINK_EVENT00, 0, MARK_EVENT);
	int fd = port_open(*(int *)card);

	/* No test may fail in this thread; swallow() fails instead. */
	writer_join();
	if (fd >= 0)
		write_all(fd, &mark, sizeof(mark));
	return NULL;
}

static bool mark_is_among(const struct smile_record *records, ssize_t count)
{
	while (count-- > 0) {
		if (record_kind(&records[count]) == SMILE_KIND_EVENT &&
		    record_count(&records[count]) == MARK_EVENT)
			return true;
	}
	return false;
}

/* After all other packets, send a mark. When it is read from the ring, the link is empty. */
static void swallow(int card)
{
	struct smile_record records[256];
	uint64_t end_ms = driver_now_ms() + PATIENCE_MS;
	int fd = driver_open(card, O_NONBLOCK);
	bool found = false;
	pthread_t marker;

	assert_errno(ioctl(fd, SMILE_IOC_START), 0);
	assert_int_equal(pthread_create(&marker, NULL, mark_main, &card), 0);
	while (!found && driver_now_ms() < end_ms) {
		ssize_t got = read(fd, records, sizeof(records));

		found = got > 0 && mark_is_among(records, got / SMILE_RECORD_BYTES);
		if (got <= 0)
			driver_sleep_ms(2);
	}
	if (!found)
		fail_msg("what was sent to card %d never came out", card);
	pthread_join(marker, NULL);
	driver_close(fd);
}

void traffic_swallow(void)
{
	for (int card = 0; card < CARDS; card++) {
		if (traffic.used[card])
			swallow(card);
		traffic.used[card] = false;
	}
}

void driver_link(bool up)
{
	int fd = open("/dev/virtio-ports/org.smile.link", O_WRONLY | O_CLOEXEC);

	assert_errno(fd, 0);
	assert_true(write_all(fd, up ? "u" : "d", 1));
	close(fd);
}
