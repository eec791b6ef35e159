/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: frames and captures.
 */
#include <endian.h>
#include <err.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <base/field.h>
#include <hw/blink.h>

#include "tests/qemu/qemu.h"
#include "tests/qemu/traffic.h"

#define RESPONSE_DELAY 39U /* frames; odd, since requests are even and responses odd */
#define MARK_PERIOD 64U
#define BLOCK_FRAMES 1000U
#define PAGES 50U
/* The bits that SMILE_MODE_NARROW does not keep. */
#define WIDE_NODE (SMILE_NODE_ID & ~SMILE_NARROW_NODE)
#define WIDE_ADDRESS ((1ULL << SMILE_ADDRESS_BITS) - 1 - SMILE_NARROW_ADDRESS)

struct item {
	uint32_t header[4];
	uint64_t frame[TRAFFIC_FRAME_BYTES / 8];
};

/* ---- frames ---- */

static uint64_t first_word(uint32_t source, uint32_t target, uint32_t command, uint32_t transaction)
{
	return SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)source) |
	       SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)target) |
	       SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)command) |
	       SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)transaction);
}

void traffic_frame(const struct traffic *traffic, uint32_t number,
		   uint64_t frame[TRAFFIC_FRAME_BYTES / 8])
{
	uint32_t pages = traffic->pages ? traffic->pages : PAGES;
	bool response = number % 2;
	uint32_t request = response ? number - RESPONSE_DELAY : number;
	uint32_t source = request / 2 % 5, target = source == NODE ? 1 : NODE;
	uint32_t transaction = request / 2 % BLINK_TRANSACTIONS;
	uint64_t address = (uint64_t)(request * 7 % pages) * SMILE_PAGE_BYTES +
			   request * 12 % SMILE_PAGE_BYTES;

	if (number % MARK_PERIOD == MARK_PERIOD - 1) {
		frame[0] = first_word(source, target, BLINK_EVENT00, 0);
		frame[1] = number / MARK_PERIOD % SMILE_EVENTS;
	} else if (response) {
		frame[0] = first_word(target, source, BLINK_RESPONSE64, transaction);
		frame[1] = 0;
	} else {
		frame[0] = first_word(source, target,
				      request / 2 % 3 ? BLINK_READSB + 3 : BLINK_WRITESB + 3,
				      transaction);
		frame[1] = address;
	}
	if (traffic->wide) {
		frame[0] |= first_word(WIDE_NODE, WIDE_NODE, 0, 0);
		frame[1] |= response ? 0 : WIDE_ADDRESS;
	}
	frame[0] = htole64(frame[0]);
	frame[1] = htole64(frame[1]);
	frame[2] = 0;
}

uint64_t traffic_time(const struct traffic *traffic, uint32_t number)
{
	return 1000000000ULL + (uint64_t)number * traffic->step_ns;
}

/* ---- captures ---- */

static void write_all(int fd, const void *data, size_t bytes)
{
	const char *at = data;
	ssize_t done;

	for (; bytes; at += done, bytes -= (size_t)done) {
		done = write(fd, at, bytes);
		if (done <= 0)
			err(1, "writing a capture");
	}
}

void traffic_write(int fd, const struct traffic *traffic)
{
	static const uint32_t header[] = {0xa1b23c4d, 0x00040002, 0, 0, 65535, BLINK_LINKTYPE};
	static struct item block[BLOCK_FRAMES];
	uint32_t i, in_block = 0;
	uint64_t time_ns;

	_Static_assert(sizeof(struct item) == 16 + TRAFFIC_FRAME_BYTES, "no holes in the file");
	write_all(fd, header, sizeof(header));
	for (i = traffic->first; i < traffic->first + traffic->count; i++) {
		struct item *item = &block[in_block];

		time_ns = traffic_time(traffic, i);
		item->header[0] = (uint32_t)(time_ns / 1000000000);
		item->header[1] = (uint32_t)(time_ns % 1000000000);
		item->header[2] = TRAFFIC_FRAME_BYTES;
		item->header[3] = TRAFFIC_FRAME_BYTES;
		traffic_frame(traffic, i, item->frame);
		if (++in_block == BLOCK_FRAMES) {
			write_all(fd, block, sizeof(block));
			in_block = 0;
		}
	}
	write_all(fd, block, in_block * sizeof(block[0]));
}

void traffic_create(const char *path, const struct traffic *traffic)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		err(1, "%s", path);
	traffic_write(fd, traffic);
	close(fd);
}

pid_t traffic_send(int fd, const struct traffic *traffic)
{
	pid_t parent = getpid(), pid = fork();

	if (pid < 0)
		err(1, "fork");
	if (!pid) {
		qemu_end_with(parent);
		traffic_write(fd, traffic);
		_exit(0);
	}
	close(fd);
	return pid;
}

static int make_socket(const char *path, struct sockaddr_un *address)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	if (fd < 0 || strlen(path) >= sizeof(address->sun_path))
		err(1, "%s", path);
	strcpy(address->sun_path, path);
	return fd;
}

int traffic_listen(const char *path)
{
	struct sockaddr_un address;
	int fd = make_socket(path, &address);

	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) || listen(fd, 1))
		err(1, "%s", path);
	return fd;
}

int traffic_connect(const char *path)
{
	const struct timespec pause = {0, 5000000};
	struct sockaddr_un address;
	int fd = make_socket(path, &address), tries;

	for (tries = 0; connect(fd, (struct sockaddr *)&address, sizeof(address)); tries++) {
		if (tries == 20000)
			err(1, "%s", path);
		nanosleep(&pause, NULL);
	}
	return fd;
}
