/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of the QEMU device: captures through character devices.
 *
 * What lives here: every kind of character device that can carry a capture, and both paces. The
 * records are compared with those of a card in this process.
 */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/qemu/cases.h"
#include "tests/qemu/driver.h"

/* Enough frames to fill the ring many times. */
#define MANY 40000U
/* A few frames more than the device buffers; the socket holds the rest, whatever its accounting. */
#define SOME 7000U

static char *option(const char *format, const char *path)
{
	char *text;

	if (asprintf(&text, format, path) < 0)
		err(1, "%s", format);
	return text;
}

static void finish_whole(struct driver *driver, const struct setup *setup,
			 const struct traffic *traffic)
{
	struct records expected;

	driver_finish(driver, traffic->count);
	expect("events lost", driver_get_64(driver, SMILE_REG_COUNT_LOST), 0);
	records_expect(&expected, setup, traffic);
	records_compare("records", &driver->records, &expected);
}

static bool link_is_up(struct driver *driver)
{
	return driver_get(driver, SMILE_REG_STATUS) & SMILE_STATUS_LINK;
}

/* The sender ends while the card does not count yet. Its frames must not be lost. */
static void await_sender(pid_t pid)
{
	int status;

	qemu_waits("the sender's end", NULL);
	if (waitpid(pid, &status, 0) != pid || status)
		errx(1, "the sender ended with status 0x%x", (unsigned int)status);
}

void file_is_read_whole(void)
{
	const struct traffic traffic = {.count = MANY, .step_ns = 100};
	char *path = qemu_path("whole.pcap");
	struct driver driver = {.records = {0}};

	traffic_create(path, &traffic);
	qemu_start(&driver.qemu, "q35", "-chardev", option("pipe,id=b,path=%s", path), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	driver_begin(&driver, &setup_plain);
	finish_whole(&driver, &setup_plain, &traffic);
	expect("link", link_is_up(&driver), false);
	qemu_end(&driver.qemu);
}

void fifo_is_read_whole(void)
{
	const struct traffic traffic = {.count = MANY, .step_ns = 100};
	char *path = qemu_path("fifo");
	struct driver driver = {.records = {0}};
	int fd;

	if (mkfifo(path, 0600))
		err(1, "%s", path);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", path);
	traffic_send(fd, &traffic);
	qemu_start(&driver.qemu, "q35", "-chardev", option("pipe,id=b,path=%s", path), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	driver_begin(&driver, &setup_plain);
	finish_whole(&driver, &setup_plain, &traffic);
	expect("link", link_is_up(&driver), true);
	qemu_end(&driver.qemu);
}

void socket_that_closes_early_is_read_whole(void)
{
	const struct traffic traffic = {.count = SOME, .step_ns = 100};
	char *path = qemu_path("early");
	struct driver driver = {.records = {0}};

	qemu_start(&driver.qemu, "q35", "-chardev",
		   option("socket,id=b,path=%s,server=on,wait=off", path), "-device", DRIVER_DEVICE,
		   NULL);
	driver_probe(&driver);
	expect("link before the peer", link_is_up(&driver), false);
	await_sender(traffic_send(traffic_connect(path), &traffic));
	expect("link with frames left", link_is_up(&driver), true);
	driver_begin(&driver, &setup_plain);
	finish_whole(&driver, &setup_plain, &traffic);
	expect("link", link_is_up(&driver), false);
	qemu_end(&driver.qemu);
}

void socket_connected_to_is_read_whole(void)
{
	const struct traffic traffic = {.count = SOME, .step_ns = 100};
	char *path = qemu_path("server");
	struct driver driver = {.records = {0}};
	int server = traffic_listen(path);

	qemu_start(&driver.qemu, "q35", "-chardev", option("socket,id=b,path=%s", path), "-device",
		   DRIVER_DEVICE, NULL);
	driver_probe(&driver);
	await_sender(traffic_send(accept4(server, NULL, NULL, SOCK_CLOEXEC), &traffic));
	driver_begin(&driver, &setup_plain);
	finish_whole(&driver, &setup_plain, &traffic);
	qemu_end(&driver.qemu);
}

/* The second peer connects while frames of the first one still wait. */
void socket_peers_in_turn_make_one_stream(void)
{
	const struct traffic first = {.count = SOME, .step_ns = 100};
	const struct traffic second = {.first = SOME, .count = MANY - SOME, .step_ns = 100};
	const struct traffic both = {.count = MANY, .step_ns = 100};
	char *path = qemu_path("turns");
	struct driver driver = {.records = {0}};

	qemu_start(&driver.qemu, "q35", "-chardev",
		   option("socket,id=b,path=%s,server=on,wait=off", path), "-device", DRIVER_DEVICE,
		   NULL);
	driver_probe(&driver);
	await_sender(traffic_send(traffic_connect(path), &first));
	traffic_send(traffic_connect(path), &second);
	driver_begin(&driver, &setup_plain);
	finish_whole(&driver, &setup_plain, &both);
	expect("link", link_is_up(&driver), false);
	qemu_end(&driver.qemu);
}

void realtime_loses_and_says_so(void)
{
	const struct traffic traffic = {.count = 20000, .step_ns = 10000};
	const uint64_t span_ns = (uint64_t)(traffic.count - 1) * traffic.step_ns;
	char *path = qemu_path("realtime");
	struct driver driver = {.records = {0}};
	uint64_t start_ns;

	qemu_start(&driver.qemu, "q35", "-chardev",
		   option("socket,id=b,path=%s,server=on,wait=off", path), "-device",
		   DRIVER_DEVICE ",pace=realtime", NULL);
	driver_probe(&driver);
	driver_begin(&driver, &setup_plain);
	start_ns = driver_get_64(&driver, SMILE_REG_CLOCK);
	traffic_send(traffic_connect(path), &traffic);
	/* With pace=realtime the sender does not wait, although nothing is drained. */
	driver_await_count(&driver, SMILE_REG_COUNT_SEEN, traffic.count / 2);
	expect("ring full", driver_get(&driver, SMILE_REG_STATUS) & SMILE_STATUS_FULL,
	       SMILE_STATUS_FULL);
	driver_finish(&driver, traffic.count);
	if (!driver_get_64(&driver, SMILE_REG_COUNT_LOST))
		errx(1, "nothing was lost although the ring was not drained");
	if (driver_get_64(&driver, SMILE_REG_CLOCK) - start_ns < span_ns)
		errx(1, "the frames came before their time");
	qemu_end(&driver.qemu);
}

/* Two streams into one QEMU; each card is drained while the other one waits. */
void two_cards_count_apart(void)
{
	const struct traffic one = {.count = SOME, .step_ns = 100};
	const struct traffic other = {.first = 5, .count = SOME / 2, .step_ns = 100};
	char *path = qemu_path("one"), *other_path = qemu_path("other");
	struct driver driver = {.records = {0}}, second = {.card = 1};

	qemu_start(&driver.qemu, "q35", "-chardev",
		   option("socket,id=b,path=%s,server=on,wait=off", path), "-chardev",
		   option("socket,id=c,path=%s,server=on,wait=off", other_path), "-device",
		   DRIVER_DEVICE, "-device", "smile-monitor,addr=5,node=3,blink=c", NULL);
	second.qemu = driver.qemu;
	traffic_send(traffic_connect(path), &one);
	traffic_send(traffic_connect(other_path), &other);
	driver_probe(&driver);
	driver_probe(&second);
	driver_begin(&driver, &setup_plain);
	driver_begin(&second, &setup_plain);
	driver_await_full(&driver);
	driver_await_full(&second);
	finish_whole(&driver, &setup_plain, &one);
	finish_whole(&second, &setup_plain, &other);
	qemu_end(&driver.qemu);
}
