/* SPDX-License-Identifier: MIT */
/*
 * Sources "dev:" and "read:": read the records of a card through its driver.
 *
 * What lives here: the consumer's part of the protocol in <uapi/smile_monitor.h>. "dev:" uses the
 * memory that the driver shares by mmap(2). "read:" uses read(2), for comparison, and for systems
 * on which mmap(2) of the device is not possible.
 */
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/base/deadline.h"
#include "lib/base/error.h"
#include "lib/source/config_check.h"
#include "lib/source/source.h"

/**
 * struct chardev_source - An open device file.
 * @base: base of every source; it must be the first member
 * @fd: descriptor of the file
 * @path: path of the file
 * @consumer: page 0 of the mapping; NULL for "read:"
 * @producer: page 1 of the mapping
 * @ring: the records in the mapping
 * @ring_records: number of records in the ring
 * @page_bytes: size of a page of the mapping
 * @map_bytes: length of the read-only mapping, which has @producer and @ring
 * @taken: number of records that were returned
 * @last: the card's statistics, as the driver last reported them
 * @before: the card's statistics at the time when it last lost its state
 */
struct chardev_source {
	struct smile_source base;
	int fd;
	char path[256];
	struct smile_consumer *consumer;
	const struct smile_producer *producer;
	const struct smile_record *ring;
	uint32_t ring_records;
	uint32_t page_bytes;
	size_t map_bytes;
	uint64_t taken;
	struct smile_statistics last, before;
};

static struct chardev_source *chardev_of(struct smile_source *source)
{
	return (struct chardev_source *)source;
}

static int driver_is_older(const struct chardev_source *chardev, const char *what)
{
	return smile_error(EOPNOTSUPP,
			   "%s: %s: the driver is older than this library and does not support "
			   "this: install both from the same release",
			   chardev->path, what);
}

/*
 * Report that another program is using the card. If a recorder has started this process, an
 * environment variable names the recorder, and the message says that the recorder is using the
 * card.
 */
static int busy(const char *path, const char *what)
{
	const char *recorder = getenv("SMILE_RECORDER");

	if (recorder)
		return smile_error(EBUSY,
				   "%s: %s: %s records this card: do not record it, since the "
				   "program uses the card itself",
				   path, what, recorder);
	return smile_error(
		EBUSY,
		"%s: %s: another program uses this card's stream: end it, or wait; smile "
		"doctor names it",
		path, what);
}

/* Set the message for a system call on the device that failed, with the remedy. */
static int device_error(const struct chardev_source *chardev, const char *what)
{
	int error = errno;

	switch (error) {
	case ENODEV:
		return smile_error(error, "%s: the card is gone; see smile list", chardev->path);
	case EBUSY:
		return busy(chardev->path, what);
	case EIO:
		return smile_error(
			error,
			"%s: %s: the card's answer is impossible: close it and open it again; "
			"see the kernel's log",
			chardev->path, what);
	case EAGAIN:
		return smile_error(error, "%s: %s: no room: take records in first", chardev->path,
				   what);
	case EOPNOTSUPP:
		return smile_error(error,
				   "%s: %s: the card or its driver does not support this; smile "
				   "doctor reports what they support",
				   chardev->path, what);
	case E2BIG:
		return driver_is_older(chardev, what);
	default:
		return smile_error(error, "%s: %s: %s", chardev->path, what, strerror(error));
	}
}

static int open_error(const char *path, int error)
{
	switch (error) {
	case ENOENT:
		return smile_error(
			error,
			"%s does not exist: is the card plugged in and smile_monitor loaded "
			"(modprobe smile_monitor)? smile doctor reports",
			path);
	case EACCES:
	case EPERM:
		return smile_error(error,
				   "%s may not be opened by this user: join its group or use sudo; "
				   "smile doctor reports",
				   path);
	case EBUSY:
		return busy(path, "open");
	case ENXIO:
	case ENODEV:
		return smile_error(error, "%s belongs to no card: see smile list", path);
	default:
		return smile_error(error, "cannot open %s: %s", path, strerror(error));
	}
}

static int chardev_ioctl(struct smile_source *source, unsigned long request, void *argument,
			 const char *what)
{
	struct chardev_source *chardev = chardev_of(source);

	if (ioctl(chardev->fd, request, argument) < 0)
		return device_error(chardev, what);
	return 0;
}

/*
 * Get the properties of the card. An older driver has a shorter structure. It leaves the remaining
 * bytes of this library's structure unchanged, and rejects the request if they are not zero.
 */
static int chardev_info(struct smile_source *source, struct smile_info *info)
{
	int error;

	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	error = chardev_ioctl(source, SMILE_IOC_INFO, info, "reading the card's properties");
	info->size = sizeof(*info);
	info->config.size = sizeof(info->config);
	return error;
}

/*
 * The members of the statistics that begin at 0 again if the card loses its state. The clock and
 * the number of records do not.
 */
static const size_t card_counts[] = {
	offsetof(struct smile_statistics, packets_seen),
	offsetof(struct smile_statistics, packets_malformed),
	offsetof(struct smile_statistics, packets_unmatched),
	offsetof(struct smile_statistics, packets_filtered),
	offsetof(struct smile_statistics, packets_event),
	offsetof(struct smile_statistics, events_accepted),
	offsetof(struct smile_statistics, events_lost),
	offsetof(struct smile_statistics, events_delivered),
	offsetof(struct smile_statistics, marks_lost),
	offsetof(struct smile_statistics, extensions),
	offsetof(struct smile_statistics, static_counted),
	offsetof(struct smile_statistics, static_delivered),
};

/*
 * After a bus error, the card's counts begin at 0 again. Add the counts from before the error, so
 * that no count decreases.
 */
static void continue_counts(struct chardev_source *chardev, struct smile_statistics *statistics)
{
	int reset = statistics->resets != chardev->last.resets;
	size_t i;

	for (i = 0; i < sizeof(card_counts) / sizeof(card_counts[0]); i++) {
		uint64_t *count = (uint64_t *)((char *)statistics + card_counts[i]);
		uint64_t *last = (uint64_t *)((char *)&chardev->last + card_counts[i]);
		uint64_t *before = (uint64_t *)((char *)&chardev->before + card_counts[i]);

		if (reset)
			*before += *last;
		*last = *count;
		*count += *before;
	}
	chardev->last.resets = statistics->resets;
}

static int chardev_statistics(struct smile_source *source, struct smile_statistics *statistics)
{
	int error;

	memset(statistics, 0, sizeof(*statistics));
	statistics->size = sizeof(*statistics);
	error = chardev_ioctl(source, SMILE_IOC_STATISTICS, statistics, "reading the statistics");
	statistics->size = sizeof(*statistics);
	if (!error)
		continue_counts(chardev_of(source), statistics);
	return error;
}

static int chardev_time(struct smile_source *source, struct smile_time *time)
{
	*time = (struct smile_time){.size = sizeof(*time)};
	return chardev_ioctl(source, SMILE_IOC_TIME, time, "reading the clocks");
}

static void chardev_close(struct smile_source *source)
{
	struct chardev_source *chardev = chardev_of(source);

	if (chardev->producer)
		munmap((void *)(uintptr_t)chardev->producer, chardev->map_bytes);
	if (chardev->consumer)
		munmap(chardev->consumer, chardev->page_bytes);
	close(chardev->fd);
	free(chardev);
}

static int map_ring(struct chardev_source *chardev)
{
	size_t bytes = chardev->page_bytes + (size_t)chardev->ring_records * SMILE_RECORD_BYTES;
	void *page;

	page = mmap(NULL, chardev->page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, chardev->fd, 0);
	if (page == MAP_FAILED)
		return device_error(chardev, "mapping the consumer's page");
	chardev->consumer = page;

	page = mmap(NULL, bytes, PROT_READ, MAP_SHARED, chardev->fd, chardev->page_bytes);
	if (page == MAP_FAILED)
		return device_error(chardev, "mapping the ring");
	chardev->producer = page;
	chardev->map_bytes = bytes;
	chardev->ring = (const struct smile_record *)((const char *)page + chardev->page_bytes);
	return 0;
}

static int chardev_open(struct smile_source **out, const char *rest,
			const struct smile_source_ops *ops)
{
	struct chardev_source *chardev = calloc(1, sizeof(*chardev));
	struct smile_info info;
	const char *format = *rest >= '0' && *rest <= '9' ? "/dev/smile_monitor%s" : "%s";
	int error, length;

	if (!chardev)
		return smile_error(ENOMEM, "no memory to open %s", rest);
	chardev->base.ops = ops;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	length = snprintf(chardev->path, sizeof(chardev->path), format,
			  *rest ? rest : "/dev/smile_monitor0");
#pragma GCC diagnostic pop
	if (length < 0 || (size_t)length >= sizeof(chardev->path)) {
		free(chardev);
		return smile_error(ENAMETOOLONG, "%.40s... is too long for a device file", rest);
	}
	chardev->fd = open(chardev->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (chardev->fd < 0) {
		error = open_error(chardev->path, errno);
		free(chardev);
		return error;
	}

	error = chardev_info(&chardev->base, &info);
	if (error < 0) {
		error = smile_error(-error, "%s is not a SMiLE Monitor: %s", chardev->path,
				    strerror(-error));
		goto failed;
	}
	if (info.abi != SMILE_ABI_VERSION) {
		error = smile_error(
			EPROTO,
			"%s: the driver has interface version %u, this library version %u: "
			"install both from the same release",
			chardev->path, info.abi, SMILE_ABI_VERSION);
		goto failed;
	}
	chardev->ring_records = info.ring_records;
	chardev->page_bytes = info.page_bytes;
	if (ops == &smile_source_dev) {
		error = map_ring(chardev);
		if (error < 0)
			goto failed;
	}
	*out = &chardev->base;
	return 0;

failed:
	chardev_close(&chardev->base);
	return error;
}

static int dev_open(struct smile_source **out, const char *rest)
{
	return chardev_open(out, rest, &smile_source_dev);
}

static int read_open(struct smile_source **out, const char *rest)
{
	return chardev_open(out, rest, &smile_source_read);
}

static int chardev_configure(struct smile_source *source, const struct smile_config *config)
{
	int error = smile_config_periods(config);

	if (error < 0)
		return error;
	return chardev_ioctl(source, SMILE_IOC_CONFIGURE, (void *)(uintptr_t)config, "configuring");
}

/* Call an ioctl of the static array. The first drivers did not support the static array. */
static int static_ioctl(struct smile_source *source, unsigned long request, void *argument,
			const char *what)
{
	int error = chardev_ioctl(source, request, argument, what);

	return error == -ENOTTY ? driver_is_older(chardev_of(source), what) : error;
}

static int chardev_static_set(struct smile_source *source, const struct smile_static *tables)
{
	return static_ioctl(source, SMILE_IOC_STATIC, (void *)(uintptr_t)tables,
			    "setting the static tables");
}

static int chardev_static_info(struct smile_source *source, struct smile_static *tables)
{
	memset(tables, 0, sizeof(*tables));
	tables->size = sizeof(*tables);
	return static_ioctl(source, SMILE_IOC_STATIC_INFO, tables, "reading the static tables");
}

static int chardev_static_swap(struct smile_source *source, unsigned int counter)
{
	__u32 index = counter;

	return static_ioctl(source, SMILE_IOC_STATIC_SWAP, &index, "resetting a static counter");
}

static int chardev_start(struct smile_source *source)
{
	return chardev_ioctl(source, SMILE_IOC_START, NULL, "starting");
}

static int chardev_stop(struct smile_source *source)
{
	return chardev_ioctl(source, SMILE_IOC_STOP, NULL, "stopping");
}

static int chardev_swap(struct smile_source *source)
{
	return chardev_ioctl(source, SMILE_IOC_SWAP, NULL, "swapping out");
}

static int chardev_event(struct smile_source *source, unsigned int event)
{
	__u32 id = event;

	return chardev_ioctl(source, SMILE_IOC_EVENT, &id, "raising an event");
}

/*
 * Copy records from the mapping. The two barriers are the barriers (B) and (A) that
 * <uapi/smile_monitor.h> describes.
 */
static size_t take_mapped(struct chardev_source *chardev, struct smile_record *records,
			  size_t capacity)
{
	uint64_t head = __atomic_load_n(&chardev->producer->head, __ATOMIC_ACQUIRE);
	uint64_t tail = chardev->consumer->tail;
	size_t count = (size_t)(head - tail);
	size_t slot = (size_t)(tail % chardev->ring_records);
	size_t first;

	if (count > capacity)
		count = capacity;
	first = chardev->ring_records - slot < count ? chardev->ring_records - slot : count;
	memcpy(records, &chardev->ring[slot], first * sizeof(*records));
	memcpy(records + first, chardev->ring, (count - first) * sizeof(*records));
	__atomic_store_n(&chardev->consumer->tail, tail + count, __ATOMIC_RELEASE);
	return count;
}

/* Take the available records. Return: the number of records; 0 if no record is available. */
static int take(struct chardev_source *chardev, struct smile_record *records, size_t capacity)
{
	ssize_t bytes;

	if (chardev->consumer)
		return (int)take_mapped(chardev, records, capacity);
	bytes = read(chardev->fd, records, capacity * sizeof(*records));
	if (bytes < 0 && errno == EAGAIN)
		return 0;
	if (bytes < 0)
		return device_error(chardev, "reading");
	return (int)((size_t)bytes / sizeof(*records));
}

/*
 * Wait for an event. Return: 1 if the caller must check again for records; 0 if the time limit has
 * passed, or the B-Link's clock has stopped.
 */
static int wait_event(struct chardev_source *chardev, int timeout_ms)
{
	struct pollfd pollfd = {.fd = chardev->fd, .events = POLLIN | POLLPRI};
	struct smile_statistics statistics;
	struct smile_info info;
	int ready = poll(&pollfd, 1, timeout_ms);

	if (ready < 0)
		return errno == EINTR ? smile_error(EINTR, "interrupted")
				      : device_error(chardev, "waiting");
	if (pollfd.revents & POLLHUP) {
		errno = ENODEV;
		return device_error(chardev, "waiting");
	}
	/*
	 * Acknowledge a loss of records. The LOST record that reports the loss is already in the
	 * ring.
	 */
	if (pollfd.revents & POLLERR) {
		ready = chardev_statistics(&chardev->base, &statistics);
		if (ready < 0)
			return ready;
	}
	/* Acknowledge that the B-Link's clock has started or stopped. */
	if (pollfd.revents & POLLPRI) {
		ready = chardev_info(&chardev->base, &info);
		if (ready < 0)
			return ready;
		return pollfd.revents & POLLIN || info.status & SMILE_INFO_LINK;
	}
	return ready > 0;
}

static int chardev_read(struct smile_source *source, struct smile_record *records, size_t capacity,
			int timeout_ms)
{
	struct chardev_source *chardev = chardev_of(source);
	int64_t deadline = smile_now_ms() + timeout_ms;
	int count, again;

	for (;;) {
		count = take(chardev, records, capacity);
		if (count) {
			if (count > 0)
				chardev->taken += (uint64_t)count;
			return count;
		}
		if (timeout_ms > 0) {
			timeout_ms = smile_left_ms(deadline);
			if (!timeout_ms)
				return 0;
		}
		again = wait_event(chardev, timeout_ms);
		if (again <= 0)
			return again;
	}
}

static int chardev_ended(struct smile_source *source)
{
	struct chardev_source *chardev = chardev_of(source);
	struct smile_statistics statistics;
	int error = chardev_statistics(source, &statistics);

	if (error < 0)
		return error;
	return !(statistics.status & SMILE_INFO_LINK) &&
	       statistics.records_written == chardev->taken;
}

#define CHARDEV_OPS(prefix_, open_)                                                                \
	{                                                                                          \
		.prefix = prefix_, .open = open_, .close = chardev_close, .info = chardev_info,    \
		.configure = chardev_configure, .static_set = chardev_static_set,                  \
		.static_info = chardev_static_info, .static_swap = chardev_static_swap,            \
		.start = chardev_start, .stop = chardev_stop, .swap = chardev_swap,                \
		.event = chardev_event, .read = chardev_read, .ended = chardev_ended,              \
		.statistics = chardev_statistics, .time = chardev_time,                            \
	}

const struct smile_source_ops smile_source_dev = CHARDEV_OPS("dev", dev_open);
const struct smile_source_ops smile_source_read = CHARDEV_OPS("read", read_open);
