/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The machine around the guest, for the driver's tests.
 *
 * What lives here: see driver_monitor.h.
 *
 * If a card is unplugged and plugged in, it has a new link: a new character device, without the
 * frames that were sent to the former card. DRIVER_LOOP in the environment is the socket at the
 * guest's end of this link.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tests/guest/driver_monitor.h"
#include "tests/guest/driver_traffic.h"

#define PORT "/dev/virtio-ports/org.smile.monitor"

static char output[65536];

/* The output of QEMU since @line was sent. NULL if QEMU has not yet printed its next prompt. */
static char *answer(const char *line)
{
	char *echo = strstr(output, line), *prompt = echo ? strstr(echo, "\n(qemu) ") : NULL;

	if (!prompt)
		return NULL;
	*prompt = '\0';
	return echo + strlen(line);
}

static char *read_answer(int fd, const char *line)
{
	uint64_t end_ms = driver_now_ms() + PATIENCE_MS;
	size_t length = 0;
	char *found = NULL;
	ssize_t got;

	while (!found) {
		got = read(fd, output + length, sizeof(output) - 1 - length);
		if (got < 0 && errno == EAGAIN) {
			if (driver_now_ms() > end_ms)
				fail_msg("QEMU's monitor said only: %s", output);
			driver_sleep_ms(1);
			continue;
		}
		assert_true(got > 0);
		length += (size_t)got;
		output[length] = '\0';
		assert_true(length < sizeof(output) - 1);
		found = answer(line);
	}
	return found;
}

const char *driver_monitor(const char *format, ...)
{
	int fd = open(PORT, O_RDWR | O_NONBLOCK | O_CLOEXEC), length;
	va_list arguments;
	char line[512], *said;

	assert_errno(fd, 0);
	va_start(arguments, format);
	length = vsnprintf(line, sizeof(line), format, arguments);
	va_end(arguments);
	assert_true((size_t)length < sizeof(line));
	output[0] = '\0';
	assert_int_equal(write(fd, line, (size_t)length), length);
	assert_int_equal(write(fd, "\n", 1), 1);
	said = read_answer(fd, line);
	close(fd);
	return said;
}

static void monitor_well(const char *said)
{
	if (strstr(said, "Error") || strstr(said, "unknown command"))
		fail_msg("QEMU's monitor: %s", said);
}

/* ---- slots ---- */

/* The root ports' buses are numbered in the order of the ports. */
void driver_slot(int card, char address[16])
{
	snprintf(address, 16, "0000:%02x:00.0", card + 1);
}

bool driver_present(int card)
{
	char address[16], path[64];

	driver_slot(card, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s", address);
	return !access(path, F_OK);
}

void driver_unplug(bool patient)
{
	static const char power[] = "/sys/bus/pci/slots/1/power";
	const char *slots = getenv("HOTPLUG_SLOTS");

	monitor_well(driver_monitor("device_del card0"));
	/* The attention button was pressed. For five seconds, the removal can be cancelled. */
	if (!patient && slots && !strcmp(slots, "native"))
		driver_write_file(power, "0");
	assert_soon(!driver_present(CARD_DRAIN));
}

void driver_pull(bool out)
{
	monitor_well(driver_monitor("qom-set /machine/peripheral/card0 absent %s",
				    out ? "true" : "false"));
}

/*
 * QEMU does not release the name that was used on the command line. All later devices are named
 * "blink".
 */
static bool link_removed(void)
{
	return !strstr(driver_monitor("chardev-remove blink0"), "busy") &&
	       !strstr(driver_monitor("chardev-remove blink"), "busy");
}

void driver_plug(void)
{
	const char *loop = getenv("DRIVER_LOOP");
	char address[16], path[64];
	int fd;

	assert_non_null(loop);
	/* The name is in use until the former card is completely removed. */
	assert_soon(link_removed());
	monitor_well(driver_monitor("chardev-add socket,id=blink,path=%s", loop));
	monitor_well(driver_monitor("device_add smile-monitor,bus=slot0,id=card0,blink=blink,"
				    "node=%u",
				    NODE_DRAIN));
	driver_slot(CARD_DRAIN, address);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/smile_monitor", address);
	assert_soon(!access(path, F_OK));
	assert_soon(driver_probed(CARD_DRAIN));
	traffic_begin(CARD_DRAIN);
	fd = driver_watch(CARD_DRAIN);
	assert_soon(driver_info(fd).status & SMILE_INFO_LINK);
	driver_close(fd);
}
