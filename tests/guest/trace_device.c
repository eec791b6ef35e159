/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The deep trace instrument's device file, in the guest: permissions, data by read() and by mmap(),
 * and the state after the instrument is removed.
 *
 * usage: trace_device NUMBER	prints "armed" when packets may be sent
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <base/field.h>
#include <uapi/smile_monitor.h>
#include <uapi/smile_trace.h>

#include "tests/harness/test.h"

#define MEMORY 65536U
#define WAIT_MS 120000

static unsigned int passed, failed;
static char path[64];
static sigjmp_buf after_fault;

static void check(const char *name, int holds)
{
	*(holds ? &passed : &failed) += 1;
	printf("%s %s\n", holds ? "ok" : "not ok", name);
	fflush(stdout);
}

/* Has a call failed with this error? */
static int fails(long result, int error)
{
	return result == -1 && errno == error;
}

static void bus_error(int number)
{
	siglongjmp(after_fault, 1);
}

static int touching_faults(const volatile unsigned char *byte)
{
	if (sigsetjmp(after_fault, 1))
		return 1;
	(void)*byte;
	return 0;
}

static void check_permissions(int owner, const struct smile_trace_config *config)
{
	struct smile_trace_config wrong = *config;
	struct smile_trace_info info;
	char bytes[64];
	int guest = open(path, O_RDONLY | O_NONBLOCK);

	check("a second owner is refused", fails(open(path, O_RDWR), EBUSY));
	check("a reader is not", guest >= 0);
	check("it gets information", !ioctl(guest, SMILE_TRACE_IOC_INFO, &info) &&
					     info.abi == SMILE_TRACE_ABI && info.memory_bytes);
	check("it cannot arm", fails(ioctl(guest, SMILE_TRACE_IOC_ARM), EBADF));
	check("it cannot read", fails(read(guest, bytes, sizeof(bytes)), EBADF));
	check("an unknown request is refused",
	      fails(ioctl(owner, _IO(SMILE_TRACE_IOC_TYPE, 0x7f)), ENOTTY));
	wrong.position_percent = 101;
	check("a configuration that is impossible is refused",
	      fails(ioctl(owner, SMILE_TRACE_IOC_CONFIGURE, &wrong), EINVAL));
	check("a bad address is refused",
	      fails(ioctl(owner, SMILE_TRACE_IOC_CONFIGURE, NULL), EFAULT));
	close(guest);
}

static const unsigned char *check_mappings(int owner)
{
	void *map;

	map = mmap(NULL, MEMORY, PROT_READ | PROT_WRITE, MAP_SHARED, owner, 0);
	check("no mapping for writing", map == MAP_FAILED && errno == EPERM);
	map = mmap(NULL, MEMORY, PROT_READ, MAP_PRIVATE, owner, 0);
	check("no private mapping", map == MAP_FAILED && errno == EINVAL);
	map = mmap(NULL, MEMORY, PROT_READ, MAP_SHARED, owner, 0x7f000000);
	check("no mapping beyond the memory", map == MAP_FAILED && errno == EINVAL);
	map = mmap(NULL, MEMORY, PROT_READ, MAP_SHARED, owner, 0);
	check("a mapping", map != MAP_FAILED);
	check("it stays read-only", fails(mprotect(map, 4096, PROT_READ | PROT_WRITE), EACCES));
	return map;
}

/* Count whole entries of a stream. Return: the number of remaining bytes. */
static size_t count_entries(const unsigned char *data, size_t bytes, uint64_t *entries)
{
	size_t at = 0, whole;
	uint64_t word;

	while (bytes - at >= SMILE_TRACE_ENTRY_HEAD_BYTES) {
		memcpy(&word, data + at + 8, sizeof(word));
		whole = SMILE_TRACE_ENTRY_HEAD_BYTES +
			(SMILE_GET(SMILE_TRACE_ENTRY_BYTES, word) + 7) / 8 * 8;
		if (bytes - at < whole)
			break;
		at += whole;
		*entries += 1;
	}
	return bytes - at;
}

static void check_data(int owner, const unsigned char *map)
{
	static unsigned char first[4096], seen[4096], data[1 << 16];
	struct pollfd wait = {.fd = owner, .events = POLLIN};
	struct smile_trace_status status;
	uint64_t entries = 0;
	size_t left = 0;
	ssize_t got;

	check("data comes", poll(&wait, 1, WAIT_MS) == 1 && wait.revents == POLLIN);
	memcpy(seen, map, sizeof(seen));
	got = read(owner, first, sizeof(first));
	check("read() gives what the mapping shows",
	      got == sizeof(first) && !memcmp(first, seen, sizeof(first)));
	memcpy(data, first, sizeof(first));
	left = count_entries(data, sizeof(first), &entries);
	memmove(data, data + sizeof(first) - left, left);
	check("it can be stopped", !ioctl(owner, SMILE_TRACE_IOC_STOP));
	while ((got = read(owner, data + left, sizeof(data) - left)) > 0) {
		size_t bytes = left + (size_t)got;

		left = count_entries(data, bytes, &entries);
		memmove(data, data + bytes - left, left);
	}
	check("its end is read, and nothing is left over", got == 0 && left == 0);
	check("the account adds up",
	      !ioctl(owner, SMILE_TRACE_IOC_STATUS, &status) && status.state == SMILE_TRACE_DONE &&
		      status.seen && status.stored == entries &&
		      status.seen == status.stored + status.missed && status.bytes == 0);
	printf("%llu packets seen, %llu stored, %llu missed\n", status.seen, status.stored,
	       status.missed);
}

static void driver_write(const char *file, const char *text)
{
	char name[96];
	int fd;

	snprintf(name, sizeof(name), "/sys/bus/pci/drivers/smile_trace/%s", file);
	fd = open(name, O_WRONLY);
	check(file, fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
}

static void check_removal(int owner, const unsigned char *map, unsigned int number)
{
	struct pollfd wait = {.fd = owner, .events = POLLIN};
	struct smile_trace_status status;
	char link[96], target[256] = "", bytes[64];
	const char *device;

	snprintf(link, sizeof(link), "/sys/class/smile_trace/smile_trace%u/device", number);
	check("it has a PCI device", readlink(link, target, sizeof(target) - 1) > 0);
	device = strrchr(target, '/') ? strrchr(target, '/') + 1 : target;
	signal(SIGBUS, bus_error);
	check("the mapping can be read", !touching_faults(map));
	driver_write("unbind", device);
	check("gone: the mapping faults", touching_faults(map));
	check("gone: no status", fails(ioctl(owner, SMILE_TRACE_IOC_STATUS, &status), ENODEV));
	check("gone: no data", fails(read(owner, bytes, sizeof(bytes)), ENODEV));
	check("gone: a hang-up", poll(&wait, 1, 0) == 1 && wait.revents & POLLHUP);
	check("gone: no mapping", mmap(NULL, 4096, PROT_READ, MAP_SHARED, owner, 0) == MAP_FAILED);
	check("gone: no file", fails(open(path, O_RDWR), ENOENT));
	/* The instrument's number is free when no file and no mapping is left. */
	munmap((void *)map, MEMORY);
	close(owner);
	driver_write("bind", device);
}

int main(int argc, char **argv)
{
	struct smile_trace_config config = {
		.memory_bytes = MEMORY, .position_percent = 50, .watermark_bytes = 8192};
	unsigned int number = argc > 1 ? (unsigned int)atoi(argv[1]) : 0;
	const unsigned char *map;
	char byte[8];
	int owner;

	for (unsigned int i = 0; i < SMILE_TRACE_LEVELS; i++)
		config.level[i].count = 1;
	snprintf(path, sizeof(path), "/dev/smile_trace%u", number);
	owner = open(path, O_RDWR | O_NONBLOCK);
	check("an owner", owner >= 0);
	check_permissions(owner, &config);
	map = check_mappings(owner);
	check("a configuration", !ioctl(owner, SMILE_TRACE_IOC_CONFIGURE, &config));
	check("it can be armed", !ioctl(owner, SMILE_TRACE_IOC_ARM));
	check("but once", fails(ioctl(owner, SMILE_TRACE_IOC_ARM), EBUSY));
	check("and not configured then",
	      fails(ioctl(owner, SMILE_TRACE_IOC_CONFIGURE, &config), EBUSY));
	check("there is no data yet", fails(read(owner, byte, sizeof(byte)), EAGAIN));
	puts("armed");
	fflush(stdout);
	check_data(owner, map);
	check_removal(owner, map, number);
	owner = open(path, O_RDWR);
	check("there again: a new owner", owner >= 0);
	check("whose trace is empty", read(owner, byte, sizeof(byte)) == 0);
	close(owner);
	return suite_end(passed, failed, 0);
}
