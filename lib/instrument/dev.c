/* SPDX-License-Identifier: MIT */
/* Dev: the back-end for an instrument with a driver, which has a device file /dev/smile_traceN. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/base/error.h"
#include "lib/instrument/entry.h"
#include "lib/instrument/instrument.h"

#define BUFFER_BYTES 262144U

/**
 * struct dev - An instrument with a driver.
 * @fd: descriptor of its device file
 * @path: path of the device file
 * @first: index of the first byte of @buffer that was not returned yet
 * @end: one past the index of the last byte
 * @buffer: bytes of entries
 */
struct dev {
	int fd;
	char path[64];
	size_t first;
	size_t end;
	uint8_t buffer[BUFFER_BYTES];
};

static int dev_failed(const struct dev *dev, const char *what)
{
	int error = errno;

	if (error == ENODEV)
		return smile_error(ENODEV, "%s is gone: it was removed, or lost its bus",
				   dev->path);
	if (error == EIO)
		return smile_error(EIO,
				   "%s: %s: the trace is lost, by a reset, by sleep or by a bus "
				   "error: record again, and see the kernel's log",
				   dev->path, what);
	return smile_error(error, "%s: %s: %s", dev->path, what, strerror(error));
}

static int dev_open_failed(const struct dev *dev)
{
	int error = errno;

	switch (error) {
	case ENOENT:
		return smile_error(error,
				   "%s does not exist: is an instrument installed, and is the "
				   "module smile_trace loaded?",
				   dev->path);
	case EACCES:
		return smile_error(error, "%s: no permission: join the group smile-trace",
				   dev->path);
	case EBUSY:
		return smile_error(error, "%s: another program uses this instrument", dev->path);
	default:
		return smile_error(error, "cannot open %s: %s", dev->path, strerror(error));
	}
}

static int dev_configure(const struct dev *dev, const struct smile_trace_config *wanted)
{
	struct smile_trace_config config = *wanted;
	struct smile_trace_info info;

	if (ioctl(dev->fd, SMILE_TRACE_IOC_INFO, &info) < 0)
		return dev_failed(dev, "no information");
	if (info.abi != SMILE_TRACE_ABI)
		return smile_error(EPROTO,
				   "%s: the driver has version %u of its interface, %u is "
				   "needed: install the driver of this version",
				   dev->path, info.abi, SMILE_TRACE_ABI);
	if (!config.memory_bytes)
		config.memory_bytes = info.memory_bytes;
	if (config.memory_bytes > info.memory_bytes)
		return smile_error(EINVAL, "%s has a trace memory of %u bytes: %u are too many",
				   dev->path, info.memory_bytes, config.memory_bytes);
	/* Set a watermark, because otherwise read() would wait until the memory is full. */
	if (!(config.mode & SMILE_TRACE_MODE_WRAP) && !config.watermark_bytes)
		config.watermark_bytes = config.memory_bytes / 4;
	if (ioctl(dev->fd, SMILE_TRACE_IOC_CONFIGURE, &config) < 0)
		return dev_failed(dev, "the instrument cannot be configured so");
	return 0;
}

static int dev_open(struct Monitor_instrument *instrument, const char *name,
		    const struct smile_trace_config *config)
{
	struct dev *dev = malloc(sizeof(*dev));
	int error;

	if (!dev)
		return smile_error(ENOMEM, "no memory for the instrument dev:%s", name);
	dev->first = 0;
	dev->end = 0;
	snprintf(dev->path, sizeof(dev->path), *name == '/' ? "%s" : "/dev/smile_trace%s", name);
	dev->fd = open(dev->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (dev->fd < 0) {
		error = dev_open_failed(dev);
		free(dev);
		return error;
	}
	error = dev_configure(dev, config);
	if (error) {
		close(dev->fd);
		free(dev);
		return error;
	}
	instrument->state = dev;
	return 0;
}

static int dev_arm(struct Monitor_instrument *instrument)
{
	struct dev *dev = instrument->state;

	dev->first = 0;
	dev->end = 0;
	return ioctl(dev->fd, SMILE_TRACE_IOC_ARM) < 0 ? dev_failed(dev, "cannot be armed") : 0;
}

static int dev_stop(struct Monitor_instrument *instrument)
{
	struct dev *dev = instrument->state;

	return ioctl(dev->fd, SMILE_TRACE_IOC_STOP) < 0 ? dev_failed(dev, "cannot be stopped") : 0;
}

static int dev_wait(struct Monitor_instrument *instrument, int timeout_ms)
{
	struct dev *dev = instrument->state;
	struct pollfd wait = {.fd = dev->fd, .events = POLLIN};
	int ready = poll(&wait, 1, timeout_ms);

	if (ready < 0)
		return dev_failed(dev, "waiting failed");
	return ready > 0;
}

/*
 * Fill the rest of the buffer. Return: the number of added bytes; 0 if no bytes are available now;
 * -errno.
 */
static int dev_fill(struct dev *dev)
{
	ssize_t got;

	memmove(dev->buffer, dev->buffer + dev->first, dev->end - dev->first);
	dev->end -= dev->first;
	dev->first = 0;
	got = read(dev->fd, dev->buffer + dev->end, BUFFER_BYTES - dev->end);
	if (got < 0 && errno == EAGAIN)
		return 0;
	if (got < 0)
		return dev_failed(dev, "reading failed");
	dev->end += (size_t)got;
	return (int)got;
}

static int dev_read(struct Monitor_instrument *instrument, struct Monitor_trace_packet *packet)
{
	struct dev *dev = instrument->state;

	for (;;) {
		int bytes =
			smile_entry_decode(dev->buffer + dev->first, dev->end - dev->first, packet);
		int got;

		if (bytes > 0) {
			dev->first += (size_t)bytes;
			return 1;
		}
		if (bytes < 0)
			return smile_error(EPROTO, "%s: its memory does not hold packets",
					   dev->path);
		got = dev_fill(dev);
		if (got <= 0)
			return got;
	}
}

static int dev_status(struct Monitor_instrument *instrument, struct smile_trace_status *status)
{
	struct dev *dev = instrument->state;

	return ioctl(dev->fd, SMILE_TRACE_IOC_STATUS, status) < 0 ? dev_failed(dev, "no status")
								  : 0;
}

static void dev_close(struct Monitor_instrument *instrument)
{
	struct dev *dev = instrument->state;

	close(dev->fd);
	free(dev);
}

const struct smile_instrument_ops smile_instrument_dev = {
	.prefix = "dev:",
	.open = dev_open,
	.arm = dev_arm,
	.stop = dev_stop,
	.wait = dev_wait,
	.read = dev_read,
	.status = dev_status,
	.close = dev_close,
};
