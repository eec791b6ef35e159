/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Bench of the ways without the driver, as a user would write them: the program maps the card's
 * registers and RAM from sysfs, and a loop reads the records from the RAM.
 *
 * What lives here: three loops. The first reads RING_WRITE all the time. The second does the same,
 * but sleeps for a millisecond whenever there is no record. The third waits for the card's
 * interrupt through uio_pci_generic. All loops copy in units of 16 bytes; each unit is one access
 * on PCI. They free the space of all copied records in one step, before they use the records. May
 * use: the register map.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <hw/smile_regs.h>

#include "tests/bench/guest_bench.h"

#define CLOCK_TRIES 20
#define NAP_NS 1000000
#define PCI_COMMAND 4
#define PCI_COMMAND_INTX_DISABLE 0x0400

/* As wide as the widest access that every x86-64 processor has. */
typedef uint64_t extent __attribute__((vector_size(16)));

static struct {
	volatile uint32_t *registers;
	const volatile extent *ram;
	uint32_t read;
	int uio, config;
	uint64_t interrupts;
} card;

static void *map(const char *file, int number, size_t bytes)
{
	char path[128];
	void *memory;
	int fd;

	card_path(number, file, path);
	fd = open(path, O_RDWR | O_SYNC | O_CLOEXEC);
	if (fd < 0)
		fail(path);
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		fail(path);
	close(fd);
	return memory;
}

static uint32_t get(uint32_t reg)
{
	return card.registers[reg / 4];
}

static void set(uint32_t reg, uint32_t value)
{
	card.registers[reg / 4] = value;
}

static void open_polled(const struct options *options)
{
	card.registers = map("resource0", options->card, SMILE_REGS_BYTES);
	card.ram = map("resource2", options->card, SMILE_RING_BYTES);
	if (get(SMILE_REG_ID) != SMILE_ID_VALUE)
		fail("the card does not answer");
	set(SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	set(SMILE_REG_ENTRIES, 1);
	card.read = get(SMILE_REG_RING_READ);
	set(SMILE_REG_RING_WATERMARK, options->watermark_records);
	set(SMILE_REG_RING_LATENCY, options->latency_us);
	set(SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	if (get(SMILE_REG_STATUS) & SMILE_STATUS_BAD_WRITE)
		fail("the card refuses its configuration");
}

static uint32_t waiting(void)
{
	return (get(SMILE_REG_RING_WRITE) - card.read) & SMILE_RING_POINTER;
}

static void drain(struct consumer *consumer, uint32_t words)
{
	static extent buffer[SMILE_RING_WORDS / SMILE_RECORD_WORDS];
	uint32_t count = words / SMILE_RECORD_WORDS;

	for (uint32_t i = 0; i < count; i++) {
		buffer[i] = card.ram[card.read % SMILE_RING_WORDS / SMILE_RECORD_WORDS];
		card.read = (card.read + SMILE_RECORD_WORDS) & SMILE_RING_POINTER;
	}
	set(SMILE_REG_RING_READ, card.read);
	consume(consumer, (const struct smile_record *)buffer, count);
}

static void take_busy(struct consumer *consumer)
{
	uint32_t words;

	do
		words = waiting();
	while (!words);
	drain(consumer, words);
}

static void take_napping(struct consumer *consumer)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	uint32_t words;

	while (!(words = waiting()))
		clock_nanosleep(CLOCK_MONOTONIC, 0, &nap, NULL);
	drain(consumer, words);
}

static void polled_close(void)
{
	set(SMILE_REG_CONTROL, 0);
	set(SMILE_REG_INT_ENABLE, 0);
	set(SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
}

static uint64_t peer_interrupts(void)
{
	return card.interrupts;
}

static struct arrival peer_clock(void)
{
	struct arrival best = {0};
	uint64_t shortest = UINT64_MAX;

	for (int i = 0; i < CLOCK_TRIES; i++) {
		uint64_t before = now_ns(), clock, width;

		clock = get(SMILE_REG_CLOCK);
		width = now_ns() - before;
		if (width < shortest) {
			clock |= (uint64_t)get(SMILE_REG_CLOCK + 4) << 32;
			shortest = width;
			best = (struct arrival){clock, before + width / 2};
		}
	}
	return best;
}

/* ---- uio_pci_generic ---- */

/*
 * The handler of uio_pci_generic disables the card's interrupt in configuration space. Enable it.
 * Write the whole word: if only the high byte is written, QEMU 7.2 does not notice that an
 * interrupt is pending.
 */
static void listen_again(void)
{
	uint16_t command;

	if (pread(card.config, &command, sizeof(command), PCI_COMMAND) != sizeof(command))
		fail("configuration space");
	command &= (uint16_t)~PCI_COMMAND_INTX_DISABLE;
	if (pwrite(card.config, &command, sizeof(command), PCI_COMMAND) != sizeof(command))
		fail("configuration space");
}

static void open_uio(const struct options *options)
{
	char path[128];

	card_path(options->card, "config", path);
	card.config = open(path, O_RDWR | O_CLOEXEC);
	card.uio = card_open(options->card, "uio");
	if (card.config < 0 || card.uio < 0)
		fail("the card is not bound to uio_pci_generic");
	open_polled(options);
	set(SMILE_REG_INT_STATUS, SMILE_INT_ALL);
	set(SMILE_REG_INT_ENABLE, SMILE_INT_WATERMARK | SMILE_INT_LATENCY | SMILE_INT_RING_FULL);
	listen_again();
}

static void take_uio(struct consumer *consumer)
{
	uint32_t words, number;

	while (!(words = waiting())) {
		if (read(card.uio, &number, sizeof(number)) != sizeof(number))
			fail("read of the uio device");
		card.interrupts++;
		set(SMILE_REG_INT_STATUS, get(SMILE_REG_INT_STATUS));
		listen_again();
	}
	drain(consumer, words);
}

const struct way peer_ways[] = {
	{"poll-busy", open_polled, take_busy, polled_close, peer_interrupts, peer_clock},
	{"poll-nap", open_polled, take_napping, polled_close, peer_interrupts, peer_clock},
	{"uio", open_uio, take_uio, polled_close, peer_interrupts, peer_clock},
	{0},
};
