/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The card as a QEMU device, tried without a guest.
 *
 *	qtest_smoke make BIOS CAPTURE		write what the runs need
 *	qtest_smoke run COUNT [connect PATH | listen PATH] CAPTURE -- QEMU ARGUMENTS...
 *
 * What lives here: a driver of a hundred lines that finds the card, drains its ring and adds up the
 * records, in place of a guest, over QEMU's qtest protocol; QEMU runs a BIOS that halts. COUNT is
 * how many packets the card must see. QEMU reads the capture itself, or a child of this process
 * sends it: "connect" to a socket of QEMU's, "listen" on one for QEMU. The child closes the socket
 * as soon as it has written all, without waiting for QEMU to read it. Exit: 0 all is well, 1 not.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <hw/blink.h>
#include <hw/smile_regs.h>

#define SLOT 4 /* -device smile-monitor,addr=4 */
#define NODE 3 /* -device smile-monitor,node=3 */
#define REGS 0xe0000000U
#define RING 0xe0010000U
#define PCI_COMMAND 0x04
#define PCI_BAR(n) (0x10 + 4 * (n))

#define BIOS_BYTES 65536
#define BIOS_RESET_VECTOR 0xfff0
#define FRAMES 40000 /* enough to fill the ring many times */

static FILE *to_qemu, *from_qemu;
static pid_t qemu_pid, feeder_pid;

/* ---- qtest ---- */

static char answer[65536];

__attribute__((format(printf, 1, 2))) static const char *qtest_ask(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(to_qemu, format, args);
	va_end(args);
	fputc('\n', to_qemu);
	fflush(to_qemu);
	do {
		if (!fgets(answer, sizeof(answer), from_qemu))
			errx(1, "QEMU has gone");
	} while (!strncmp(answer, "IRQ", 3));
	if (strncmp(answer, "OK", 2))
		errx(1, "qtest: %s", answer);
	return answer[2] ? answer + 3 : answer + 2;
}

static uint32_t pci_get(unsigned int offset)
{
	qtest_ask("outl 0xcf8 0x%x", 0x80000000U | SLOT << 11 | offset);
	return strtoul(qtest_ask("inl 0xcfc"), NULL, 0);
}

static void pci_put(unsigned int offset, uint32_t value)
{
	qtest_ask("outl 0xcf8 0x%x", 0x80000000U | SLOT << 11 | offset);
	qtest_ask("outl 0xcfc 0x%x", value);
}

static uint32_t reg_get(uint32_t offset)
{
	return strtoul(qtest_ask("readl 0x%x", REGS + offset), NULL, 0);
}

static uint64_t reg_get_64(uint32_t offset)
{
	uint64_t low = reg_get(offset);

	return low | (uint64_t)reg_get(offset + 4) << 32;
}

static void reg_put(uint32_t offset, uint32_t value)
{
	qtest_ask("writel 0x%x 0x%x", REGS + offset, value);
}

static void expect(const char *what, uint64_t found, uint64_t expected)
{
	if (found != expected)
		errx(1, "%s: found 0x%" PRIx64 ", expected 0x%" PRIx64, what, found, expected);
}

/* ---- the driver ---- */

static void driver_probe(void)
{
	expect("vendor and device", pci_get(0x00),
	       (uint32_t)SMILE_PCI_DEVICE << 16 | SMILE_PCI_VENDOR);
	expect("class and revision", pci_get(0x08),
	       (uint32_t)SMILE_PCI_CLASS << 16 | SMILE_PCI_REVISION);
	expect("subsystem", pci_get(0x2c),
	       (uint32_t)SMILE_PCI_SUBDEVICE << 16 | SMILE_PCI_SUBVENDOR);
	pci_put(PCI_BAR(SMILE_BAR_REGS), 0xffffffffU);
	expect("BAR 0 size", ~pci_get(PCI_BAR(SMILE_BAR_REGS)) + 1, SMILE_REGS_BYTES);
	pci_put(PCI_BAR(SMILE_BAR_RING), 0xffffffffU);
	expect("BAR 2 size", ~pci_get(PCI_BAR(SMILE_BAR_RING)) + 1, SMILE_RING_BYTES);
	pci_put(PCI_BAR(SMILE_BAR_REGS), REGS);
	pci_put(PCI_BAR(SMILE_BAR_RING), RING);
	pci_put(PCI_COMMAND, 0x0006); /* memory, bus master */
	expect("ID", reg_get(SMILE_REG_ID), SMILE_ID_VALUE);
	expect("VERSION", reg_get(SMILE_REG_VERSION), SMILE_VERSION_VALUE);
	reg_put(SMILE_REG_NODE, 1);
	reg_put(SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	expect("NODE after reset", reg_get(SMILE_REG_NODE), NODE);
	qtest_ask("writel 0x%x 0x12345678", RING);
	expect("RAM after a write", strtoul(qtest_ask("readl 0x%x", RING), NULL, 0), 0);
	reg_put(SMILE_REG_INT_ENABLE, SMILE_INT_RING_FULL);
}

/* Read the ring's records. Return: the sum of their counts. */
static uint64_t driver_drain(uint64_t *records)
{
	uint32_t read = reg_get(SMILE_REG_RING_READ), write = reg_get(SMILE_REG_RING_WRITE);
	uint64_t counts = 0;
	char word_0[9] = "";
	const char *hex;
	uint32_t i, run, at;

	while (read != write) {
		at = read % SMILE_RING_WORDS;
		run = (write - read) % (2 * SMILE_RING_WORDS);
		if (run > SMILE_RING_WORDS - at)
			run = SMILE_RING_WORDS - at;
		hex = qtest_ask("read 0x%x 0x%x", RING + at * 4, run * 4) + 2;
		for (i = 0; i < run; i += SMILE_RECORD_WORDS) {
			memcpy(word_0, hex + i * 8, 8);
			uint32_t word = __builtin_bswap32(strtoul(word_0, NULL, 16));

			if (SMILE_GET(SMILE_RECORD_KIND, word) == SMILE_KIND_DYNAMIC)
				counts += SMILE_GET(SMILE_RECORD_COUNT, word);
			++*records;
		}
		read = (read + run) % (2 * SMILE_RING_WORDS);
	}
	reg_put(SMILE_REG_RING_READ, read);
	reg_put(SMILE_REG_INT_STATUS, SMILE_INT_RING_FULL);
	return counts;
}

static void driver_run(uint64_t expected)
{
	uint64_t counts = 0, records = 0, accepted, last = 0, now, quiet = 0;
	struct timespec start, end, pause = {0, 200000};

	if (feeder_pid) {
		/* Let the sender fill the buffers, and if it can, finish and close. */
		nanosleep(&(struct timespec){0, 300000000}, NULL);
	}
	clock_gettime(CLOCK_MONOTONIC, &start);
	reg_put(SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	while (last < expected && quiet < 20000) {
		counts += driver_drain(&records);
		now = reg_get_64(SMILE_REG_COUNT_SEEN);
		quiet = now == last ? quiet + 1 : 0;
		last = now;
		if (quiet)
			nanosleep(&pause, NULL);
	}
	clock_gettime(CLOCK_MONOTONIC, &end);
	while (reg_get(SMILE_REG_STATUS) & SMILE_STATUS_OCCUPIED) {
		reg_put(SMILE_REG_COMMAND, SMILE_COMMAND_SWAP);
		counts += driver_drain(&records);
	}
	accepted = reg_get_64(SMILE_REG_COUNT_ACCEPTED);
	expect("packets seen", reg_get_64(SMILE_REG_COUNT_SEEN), expected);
	expect("events lost", reg_get_64(SMILE_REG_COUNT_LOST), 0);
	expect("sum of the counts", counts, accepted);
	expect("records", records, reg_get_64(SMILE_REG_COUNT_RECORDS));
	printf("%" PRIu64 " packets, %" PRIu64 " events, %" PRIu64 " records in %.2f s, link %s\n",
	       last, accepted, records,
	       (double)(end.tv_sec - start.tv_sec) + (double)(end.tv_nsec - start.tv_nsec) / 1e9,
	       reg_get(SMILE_REG_STATUS) & SMILE_STATUS_LINK ? "up" : "down");
}

/* ---- what the runs need ---- */

static FILE *create(const char *path)
{
	FILE *file = fopen(path, "wb");

	if (!file)
		err(1, "%s", path);
	return file;
}

static void make(const char *bios, const char *capture)
{
	static const uint8_t halt[] = {0xfa, 0xf4, 0xeb, 0xfd}; /* cli; hlt; again */
	static const uint32_t header[] = {0xa1b23c4d, 0x00040002, 0, 0, 65535, BLINK_LINKTYPE};
	static uint8_t image[BIOS_BYTES];
	FILE *file = create(bios);
	uint32_t i;

	memcpy(image + BIOS_RESET_VECTOR, halt, sizeof(halt));
	fwrite(image, sizeof(image), 1, file);
	fclose(file);

	file = create(capture);
	fwrite(header, sizeof(header), 1, file);
	for (i = 0; i < FRAMES; i++) {
		uint64_t frame[3] = {
			SMILE_PUT(BLINK_BD1_SOURCE, (uint64_t)(i % 4)) |
				SMILE_PUT(BLINK_BD1_COMMAND, (uint64_t)BLINK_READSB) |
				SMILE_PUT(BLINK_BD1_TARGET, (uint64_t)NODE) |
				SMILE_PUT(BLINK_BD1_TRANSACTION, (uint64_t)(i % 64)),
			(uint64_t)(i % 997) * SMILE_PAGE_BYTES,
			0,
		};
		uint32_t record[4] = {0, i * 100, sizeof(frame), sizeof(frame)};

		fwrite(record, sizeof(record), 1, file);
		fwrite(frame, sizeof(frame), 1, file);
	}
	if (fclose(file))
		err(1, "%s", capture);
}

static void feed(bool listening, const char *path, const char *capture)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int link = socket(AF_UNIX, SOCK_STREAM, 0), file = open(capture, O_RDONLY), tries;
	char buffer[65536];
	ssize_t bytes;

	if (link < 0 || file < 0 || strlen(path) >= sizeof(address.sun_path))
		err(1, "%s or %s", path, capture);
	strcpy(address.sun_path, path);
	if (listening) {
		link = accept(3, NULL, NULL);
	} else {
		for (tries = 0; connect(link, (struct sockaddr *)&address, sizeof(address));
		     tries++) {
			if (tries == 500)
				err(1, "%s", path);
			nanosleep(&(struct timespec){0, 10000000}, NULL);
		}
	}
	while ((bytes = read(file, buffer, sizeof(buffer))) > 0) {
		if (write(link, buffer, bytes) != bytes)
			err(1, "feeding %s", path);
	}
	_exit(0);
}

/* The socket must be there before QEMU looks for it. It becomes file 3. */
static void listen_on(const char *path)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int link = socket(AF_UNIX, SOCK_STREAM, 0);

	strncpy(address.sun_path, path, sizeof(address.sun_path) - 1);
	unlink(path);
	if (link < 0 || bind(link, (struct sockaddr *)&address, sizeof(address)) ||
	    listen(link, 1) || dup2(link, 3) < 0)
		err(1, "%s", path);
}

static void start_qemu(char **argv)
{
	int in[2], out[2];

	if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC))
		err(1, "pipe");
	qemu_pid = fork();
	if (!qemu_pid) {
		/* A failed check ends us: QEMU must not stay behind. */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		dup2(in[0], 0);
		dup2(out[1], 1);
		execvp(argv[0], argv);
		err(1, "%s", argv[0]);
	}
	close(in[0]);
	close(out[1]);
	to_qemu = fdopen(in[1], "w");
	from_qemu = fdopen(out[0], "r");
}

int main(int argc, char **argv)
{
	const char *how = NULL, *path = NULL, *capture;
	uint64_t expected;
	int status, at = 3;

	if (argc == 4 && !strcmp(argv[1], "make")) {
		make(argv[2], argv[3]);
		return 0;
	}
	if (argc > 6 && (!strcmp(argv[3], "connect") || !strcmp(argv[3], "listen"))) {
		how = argv[3];
		path = argv[4];
		at = 5;
	}
	if (argc < at + 3 || strcmp(argv[1], "run") || strcmp(argv[at + 1], "--"))
		errx(2, "usage: see the first comment of this program's source");
	expected = strtoull(argv[2], NULL, 0);
	capture = argv[at];
	signal(SIGPIPE, SIG_IGN);
	if (how) {
		if (!strcmp(how, "listen"))
			listen_on(path);
		feeder_pid = fork();
		if (!feeder_pid)
			feed(!strcmp(how, "listen"), path, capture);
	}
	start_qemu(argv + at + 2);
	driver_probe();
	driver_run(expected);
	kill(qemu_pid, SIGTERM);
	waitpid(qemu_pid, &status, 0);
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		errx(1, "QEMU ended with status 0x%x", status);
	return 0;
}
