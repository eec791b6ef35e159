/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Messages of the kernel about devices (uevents), for the driver's tests.
 *
 * What lives here: see driver_uevent.h.
 */
#include <linux/netlink.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tests/guest/driver_uevent.h"

int uevent_open(void)
{
	struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = 1};
	int fd = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);

	assert_errno(fd, 0);
	driver_keep(fd);
	assert_errno(bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

/* A message is a list of zero-terminated strings. */
static bool message_has(const char *message, size_t bytes, const char *string)
{
	for (const char *at = message; at < message + bytes; at += strlen(at) + 1) {
		if (!strcmp(at, string))
			return true;
	}
	return false;
}

void uevent_wait(int fd, int card, const char *variable)
{
	char device[64], name[96], message[4096];
	ssize_t got;

	driver_path(card, device);
	snprintf(name, sizeof(name), "DEVNAME=%s", device + strlen("/dev/"));
	do {
		if (driver_poll(fd, POLLIN, PATIENCE_MS) != POLLIN)
			fail_msg("no uevent of %s with %s", device, variable);
		got = recv(fd, message, sizeof(message) - 1, 0);
		assert_true(got > 0);
		message[got] = '\0';
	} while (!message_has(message, (size_t)got, "ACTION=change") ||
		 !message_has(message, (size_t)got, name) ||
		 !message_has(message, (size_t)got, variable));
}
