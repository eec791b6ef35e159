/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench of the ways through the driver: by its mapping or by read(), with the card's ring in host
 * memory or in the card's RAM.
 *
 * What lives here: the calls that a user of <uapi/smile_monitor.h> makes, and no others. May use:
 * the uapi.
 */
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/bench/guest_bench.h"

#define CLOCK_TRIES 20
#define READ_RECORDS 4096

static struct {
	int fd;
	uint64_t tail, records;
	_Atomic uint64_t *mapped_tail;
	const _Atomic uint64_t *mapped_head;
	const struct smile_record *data;
} ring;

static void open_mode(const struct options *options, uint32_t mode)
{
	struct smile_info info = {.size = sizeof(info)};
	struct smile_config config;

	ring.fd = card_open(options->card, "smile_monitor");
	/* The first of these calls takes the card, and sets its reset values. */
	if (ring.fd < 0 || ioctl(ring.fd, SMILE_IOC_STOP) || ioctl(ring.fd, SMILE_IOC_INFO, &info))
		fail("cannot take the card over");
	config = info.config;
	config.mode |= mode;
	config.entries = 1;
	config.watermark_records = options->watermark_records;
	config.latency_us = options->latency_us;
	if (ioctl(ring.fd, SMILE_IOC_CONFIGURE, &config))
		fail("SMILE_IOC_CONFIGURE");
	ring.records = info.ring_records;
	ring.tail = 0;
}

static void *map(int protection, size_t bytes, off_t offset)
{
	void *memory = mmap(NULL, bytes, protection, MAP_SHARED, ring.fd, offset);

	if (memory == MAP_FAILED)
		fail("mmap of the ring");
	return memory;
}

static void begin(void)
{
	if (ioctl(ring.fd, SMILE_IOC_START))
		fail("SMILE_IOC_START");
}

static void open_mapped(const struct options *options, uint32_t mode)
{
	long page = sysconf(_SC_PAGESIZE);
	struct smile_consumer *consumer;
	struct smile_producer *producer;

	open_mode(options, mode);
	consumer = map(PROT_READ | PROT_WRITE, (size_t)page, 0);
	producer = map(PROT_READ, (size_t)page, page);
	ring.data = map(PROT_READ, ring.records * SMILE_RECORD_BYTES, 2 * page);
	ring.mapped_tail = (_Atomic uint64_t *)&consumer->tail;
	ring.mapped_head = (_Atomic uint64_t *)&producer->head;
	begin();
}

static void open_host_mapped(const struct options *options)
{
	open_mapped(options, SMILE_MODE_HOST_RING);
}

static void open_card_mapped(const struct options *options)
{
	open_mapped(options, 0);
}

static void open_host_read(const struct options *options)
{
	open_mode(options, SMILE_MODE_HOST_RING);
	begin();
}

static void open_card_read(const struct options *options)
{
	open_mode(options, 0);
	begin();
}

static struct smile_statistics statistics(void)
{
	struct smile_statistics answer = {.size = sizeof(answer)};

	if (ioctl(ring.fd, SMILE_IOC_STATISTICS, &answer))
		fail("SMILE_IOC_STATISTICS");
	return answer;
}

static void take_mapped(struct consumer *consumer)
{
	struct pollfd wait = {.fd = ring.fd, .events = POLLIN};
	uint64_t head, began;

	while ((head = atomic_load_explicit(ring.mapped_head, memory_order_acquire)) == ring.tail) {
		if (poll(&wait, 1, -1) < 0 || wait.revents & (POLLHUP | POLLNVAL))
			fail("poll");
		/* There is a loss. Until it is acknowledged, poll() does not sleep. */
		if (wait.revents & POLLERR)
			statistics();
	}
	began = now_ns();
	while (ring.tail != head) {
		uint64_t slot = ring.tail % ring.records, count = head - ring.tail;

		if (count > ring.records - slot)
			count = ring.records - slot;
		consume(consumer, &ring.data[slot], count);
		ring.tail += count;
	}
	consumer->looking_ns += now_ns() - began;
	atomic_store_explicit(ring.mapped_tail, ring.tail, memory_order_release);
}

static void take_read(struct consumer *consumer)
{
	static struct smile_record buffer[READ_RECORDS];
	ssize_t got = read(ring.fd, buffer, sizeof(buffer));

	if (got <= 0)
		fail("read");
	consume(consumer, buffer, (size_t)got / SMILE_RECORD_BYTES);
}

static void driver_close(void)
{
	/* The mappings are removed when the process ends. */
	ioctl(ring.fd, SMILE_IOC_STOP);
}

static uint64_t driver_interrupts(void)
{
	return statistics().interrupts;
}

/*
 * The driver reads the clock late in the call, after eleven of thirteen counters. Of many calls,
 * the shortest one gives the most precise time.
 */
static struct arrival driver_clock(void)
{
	struct arrival best = {0};
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = now_ns(), clock = statistics().clock_ns,
			 width = now_ns() - before;

		if (width < shortest) {
			shortest = width;
			best = (struct arrival){clock, before + width * 23 / 27};
		}
	}
	return best;
}

const struct way driver_ways[] = {
	{"host-mmap", open_host_mapped, take_mapped, driver_close, driver_interrupts, driver_clock},
	{"card-mmap", open_card_mapped, take_mapped, driver_close, driver_interrupts, driver_clock},
	{"host-read", open_host_read, take_read, driver_close, driver_interrupts, driver_clock},
	{"card-read", open_card_read, take_read, driver_close, driver_interrupts, driver_clock},
	{0},
};
