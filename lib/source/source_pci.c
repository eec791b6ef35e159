/* SPDX-License-Identifier: MIT */
/*
 * Source "pci:": drives a card without its driver, through its mapped BARs.
 *
 * What lives here: code that maps the registers and the dual-ported RAM of a card that libpci has
 * found, and polls them. It uses neither interrupts nor DMA. It is meant for the first tests of a
 * new card, and for machines on which no kernel module may be loaded. A card that has a driver is
 * rejected. Records are moved to a backlog, so that a swap or an event never waits for space in the
 * ring. May use registers.h, lib/base/ and Monitor_card_list().
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <base/field.h>

#include "lib/base/deadline.h"
#include "lib/base/error.h"
#include "lib/source/backlog.h"
#include "lib/source/registers.h"
#include "lib/source/source.h"

/* The interval between two checks of an empty ring, and between two checks of a running swap. */
#define POLL_NS 500000
#define SWAP_NS 50000
/*
 * If the ring of a card has space, the card swaps out within microseconds. A card that takes as
 * long as this time-out has failed.
 */
#define SWAP_TIMEOUT_MS 2000

#define POINTER_MASK (2 * SMILE_RING_WORDS - 1)

/**
 * struct pci_source - A card.
 * @base: base of every source; it must be the first member
 * @registers: functions that access the card's registers
 * @address: slot of the card, for messages
 * @fd: resource file of the registers. It is locked, so that no other process can drive the card
 * @mapped: the registers; only volatile 32-bit accesses are allowed
 * @ram: the dual-ported RAM
 * @taken: number of records that were taken from the card since it was opened
 * @backlog: records that were taken and not returned yet
 */
struct pci_source {
	struct smile_source base;
	struct smile_registers registers;
	char address[16];
	int fd;
	volatile uint32_t *mapped;
	const volatile uint32_t *ram;
	uint64_t taken;
	struct backlog backlog;
};

static struct pci_source *pci_of(struct smile_source *source)
{
	return (struct pci_source *)source;
}

/* ---- registers ---- */

static uint32_t mapped_read(void *opaque, uint32_t offset)
{
	const struct pci_source *pci = opaque;

	return pci->mapped[offset / 4];
}

static void mapped_write(void *opaque, uint32_t offset, uint32_t value)
{
	struct pci_source *pci = opaque;

	pci->mapped[offset / 4] = value;
}

static uint32_t get(struct pci_source *pci, uint32_t offset)
{
	return mapped_read(pci, offset);
}

static void set(struct pci_source *pci, uint32_t offset, uint32_t value)
{
	mapped_write(pci, offset, value);
}

/*
 * Check that the card is present. If a card was removed, every register reads as all ones. The
 * register that is read here is never all ones in a present card. Return: 0; -ENODEV.
 */
static int pci_present(struct pci_source *pci)
{
	if (get(pci, SMILE_REG_ID) == SMILE_ID_VALUE)
		return 0;
	return smile_error(ENODEV, "pci:%s: the card no longer responds: was it removed?",
			   pci->address);
}

/* ---- open and close ---- */

static int resource_open(const struct pci_source *pci, const char *name, int flags)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/%s", pci->address, name);
	fd = open(path, flags | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	if (errno == EACCES || errno == EPERM)
		return smile_error(errno,
				   "%s: permission denied: only root can map a card; with the "
				   "driver, members of the group smile can use \"dev:N\"",
				   path);
	return smile_error(errno, "%s: %s", path, strerror(errno));
}

/* Enable the card in sysfs. The card decodes its addresses only after that. */
static int device_enable(const struct pci_source *pci)
{
	int fd = resource_open(pci, "enable", O_WRONLY);
	int error = 0;

	if (fd < 0)
		return fd;
	if (write(fd, "1", 1) != 1)
		error = smile_error(errno, "pci:%s: the card cannot be enabled: %s", pci->address,
				    strerror(errno));
	close(fd);
	return error;
}

static int resource_map(const struct pci_source *pci, int fd, size_t bytes, int access,
			void **mapped)
{
	*mapped = mmap(NULL, bytes, access, MAP_SHARED, fd, 0);
	if (*mapped != MAP_FAILED)
		return 0;
	*mapped = NULL;
	return smile_error(errno,
			   "pci:%s: the card's memory cannot be mapped: %s: a locked-down kernel "
			   "does not allow it; load smile_monitor and use \"dev:N\"",
			   pci->address, strerror(errno));
}

static int bars_map(struct pci_source *pci)
{
	void *mapped;
	int fd, error;

	pci->fd = resource_open(pci, "resource0", O_RDWR);
	if (pci->fd < 0)
		return pci->fd;
	if (flock(pci->fd, LOCK_EX | LOCK_NB) < 0)
		return smile_error(EBUSY, "pci:%s: another process uses this card: end it first",
				   pci->address);
	error = resource_map(pci, pci->fd, SMILE_REGS_BYTES, PROT_READ | PROT_WRITE, &mapped);
	if (error < 0)
		return error;
	pci->mapped = mapped;
	fd = resource_open(pci, "resource2", O_RDWR);
	if (fd < 0)
		return fd;
	error = resource_map(pci, fd, SMILE_RING_BYTES, PROT_READ, &mapped);
	close(fd);
	if (!error)
		pci->ram = mapped;
	return error;
}

static int card_check(struct pci_source *pci)
{
	uint32_t id = get(pci, SMILE_REG_ID), version = get(pci, SMILE_REG_VERSION);

	if (id != SMILE_ID_VALUE)
		return smile_error(ENODEV, "pci:%s: not a SMiLE Monitor: its ID is 0x%08x",
				   pci->address, id);
	if ((version & SMILE_VERSION_MAJOR) != (SMILE_VERSION_VALUE & SMILE_VERSION_MAJOR))
		return smile_error(EPROTO,
				   "pci:%s: the card has register version %u.%u, this library "
				   "supports %u: install a matching library",
				   pci->address, version >> 16, version & SMILE_VERSION_MINOR,
				   SMILE_GET(SMILE_VERSION_MAJOR, SMILE_VERSION_VALUE));
	set(pci, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	return 0;
}

static void pci_close(struct smile_source *source)
{
	struct pci_source *pci = pci_of(source);

	if (pci->mapped) {
		set(pci, SMILE_REG_CONTROL, 0);
		munmap((void *)(uintptr_t)pci->mapped, SMILE_REGS_BYTES);
	}
	if (pci->ram)
		munmap((void *)(uintptr_t)pci->ram, SMILE_RING_BYTES);
	if (pci->fd >= 0)
		close(pci->fd);
	free(pci->backlog.records);
	free(pci);
}

/* Find a card by its slot. A slot without a domain, such as "00:04.0", is in domain 0. */
static int card_find(const char *rest, struct Monitor_card *card)
{
	int count = Monitor_card_list(NULL, 0), found = 0;
	struct Monitor_card *cards;
	char address[32];

	if (count < 0)
		return count;
	snprintf(address, sizeof(address), strlen(rest) == 7 ? "0000:%s" : "%s", rest);
	cards = calloc((size_t)count + 1, sizeof(*cards));
	if (!cards)
		return smile_error(ENOMEM, "no memory for a list of %d cards", count);
	count = Monitor_card_list(cards, (size_t)count);
	for (int i = 0; i < count && !found; i++) {
		found = !strcmp(cards[i].address, address);
		if (found)
			*card = cards[i];
	}
	free(cards);
	if (found)
		return 0;
	return smile_error(
		ENODEV,
		"pci:%s: this slot has no SMiLE Monitor: `smile list` shows the slots of all "
		"cards, as 0000:00:04.0",
		rest);
}

static int driver_refuse(const struct Monitor_card *card)
{
	return smile_error(EBUSY,
			   "pci:%s: the driver %s has this card: use \"dev:%s\", or take the card "
			   "from it: echo %s > /sys/bus/pci/drivers/%s/unbind",
			   card->address, card->driver,
			   strrchr(card->device, 'r') ? strrchr(card->device, 'r') + 1 : "N",
			   card->address, card->driver);
}

static int pci_open(struct smile_source **out, const char *rest)
{
	struct Monitor_card card;
	struct pci_source *pci;
	int error = card_find(rest, &card);

	if (error < 0)
		return error;
	if (*card.driver)
		return driver_refuse(&card);
	pci = calloc(1, sizeof(*pci));
	if (!pci)
		return smile_error(ENOMEM, "no memory to open pci:%s", rest);
	pci->base.ops = &smile_source_pci;
	pci->registers = (struct smile_registers){mapped_read, mapped_write, pci};
	snprintf(pci->address, sizeof(pci->address), "%.15s", card.address);
	pci->fd = -1;
	error = device_enable(pci);
	if (!error)
		error = bars_map(pci);
	if (!error)
		error = card_check(pci);
	if (error < 0) {
		pci_close(&pci->base);
		return error;
	}
	*out = &pci->base;
	return 0;
}

/* ---- records ---- */

/* Sleep for @ns nanoseconds. Return: 0; -EINTR if a signal arrived. */
static int nap(long ns)
{
	const struct timespec time = {.tv_nsec = ns};

	return nanosleep(&time, NULL) < 0 ? smile_error(EINTR, "interrupted") : 0;
}

static size_t waiting(struct pci_source *pci, uint32_t *read)
{
	uint32_t write = get(pci, SMILE_REG_RING_WRITE);

	*read = get(pci, SMILE_REG_RING_READ);
	return ((write - *read) & POINTER_MASK) / SMILE_RECORD_WORDS;
}

/*
 * Move all records from the card's ring to the backlog. If the pointers of the ring are all ones,
 * the card was removed, and no records must be counted. Return: 0; -errno.
 */
static int drain(struct pci_source *pci)
{
	uint32_t read;
	size_t count = waiting(pci, &read);
	struct smile_record *room;
	int error;

	if (read == SMILE_REG_ABSENT || count > SMILE_RING_WORDS / SMILE_RECORD_WORDS)
		return pci_present(pci) < 0
			       ? -ENODEV
			       : smile_error(EIO, "pci:%s: impossible ring pointers", pci->address);
	if (!count)
		return 0;
	room = backlog_room(&pci->backlog, count);
	if (!room)
		return smile_error(ENOMEM, "no memory for %zu records", pci->backlog.count + count);
	for (size_t i = 0; i < count; i++) {
		uint32_t word[SMILE_RECORD_WORDS];

		for (uint32_t w = 0; w < SMILE_RECORD_WORDS; w++)
			word[w] = pci->ram[(read + w) & (SMILE_RING_WORDS - 1)];
		memcpy(&room[i], word, sizeof(word));
		read = (read + SMILE_RECORD_WORDS) & POINTER_MASK;
	}
	error = pci_present(pci);
	if (error < 0)
		return error;
	/*
	 * After the store below, the card may overwrite these records. The loads above must be
	 * complete before it.
	 */
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
	set(pci, SMILE_REG_RING_READ, read);
	pci->backlog.count += count;
	pci->taken += count;
	return 0;
}

/* After a command, drain the ring until the card no longer waits for space in the ring. */
static int settle(struct pci_source *pci)
{
	int64_t deadline = smile_now_ms() + SWAP_TIMEOUT_MS;
	int error;

	for (;;) {
		uint32_t status = get(pci, SMILE_REG_STATUS);

		error = status == SMILE_REG_ABSENT ? pci_present(pci) : drain(pci);
		if (error < 0 || !(status & SMILE_STATUS_SWAPPING))
			return error;
		if (!smile_left_ms(deadline))
			return smile_error(EIO,
					   "pci:%s: the card does not finish a swap: open it "
					   "again",
					   pci->address);
		nap(SWAP_NS);
	}
}

static int swap_out(struct pci_source *pci, uint32_t command)
{
	int error = settle(pci);

	if (error < 0)
		return error;
	set(pci, SMILE_REG_COMMAND, command);
	return settle(pci);
}

static int pci_read(struct smile_source *source, struct smile_record *records, size_t capacity,
		    int timeout_ms)
{
	struct pci_source *pci = pci_of(source);
	int64_t deadline = smile_now_ms() + timeout_ms;

	for (;;) {
		int error = drain(pci);

		if (error < 0)
			return error;
		if (pci->backlog.count || (timeout_ms >= 0 && !smile_left_ms(deadline)))
			break;
		error = nap(POLL_NS);
		if (error < 0)
			return error;
	}
	return (int)backlog_take(&pci->backlog, records, capacity);
}

/* ---- the calls ---- */

/*
 * Get the properties of the card. This source uses no interrupts and no DMA, so the ring is in the
 * RAM of the card.
 */
static int pci_info(struct smile_source *source, struct smile_info *info)
{
	struct pci_source *pci = pci_of(source);
	int error = pci_present(pci);

	if (error < 0)
		return error;
	smile_registers_info(&pci->registers, info);
	info->features &= ~(uint32_t)SMILE_FEATURE_HOST_RING;
	return 0;
}

/*
 * Swap out all counts of the card. The card must be stopped, because configuration registers can be
 * written only while it is stopped.
 */
static int rest(struct pci_source *pci)
{
	int error = swap_out(pci, SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);

	if (!error)
		set(pci, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	return error;
}

static int pci_configure(struct smile_source *source, const struct smile_config *config)
{
	struct pci_source *pci = pci_of(source);
	int error = rest(pci);

	if (error < 0)
		return error;
	smile_registers_configure(&pci->registers, config);
	return smile_registers_refused(&pci->registers);
}

static int pci_static_set(struct smile_source *source, const struct smile_static *tables)
{
	struct pci_source *pci = pci_of(source);
	int error = rest(pci);

	if (error < 0)
		return error;
	smile_registers_static_set(&pci->registers, tables);
	return smile_registers_refused(&pci->registers);
}

static int pci_static_info(struct smile_source *source, struct smile_static *tables)
{
	struct pci_source *pci = pci_of(source);
	int error = pci_present(pci);

	if (!error)
		smile_registers_static_info(&pci->registers, tables);
	return error;
}

static int pci_static_swap(struct smile_source *source, unsigned int counter)
{
	return swap_out(pci_of(source), SMILE_COMMAND_SWAP_STATIC | SMILE_COMMAND_ONE |
						SMILE_PUT(SMILE_COMMAND_COUNTER, counter));
}

static int pci_start(struct smile_source *source)
{
	set(pci_of(source), SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	return pci_present(pci_of(source));
}

static int pci_stop(struct smile_source *source)
{
	set(pci_of(source), SMILE_REG_CONTROL, 0);
	return pci_present(pci_of(source));
}

static int pci_swap(struct smile_source *source)
{
	return swap_out(pci_of(source), SMILE_COMMAND_SWAP | SMILE_COMMAND_SWAP_STATIC);
}

static int pci_event(struct smile_source *source, unsigned int event)
{
	struct pci_source *pci = pci_of(source);
	int error = settle(pci);

	if (error < 0)
		return error;
	set(pci, SMILE_REG_EVENT, event);
	return settle(pci);
}

static int pci_statistics(struct smile_source *source, struct smile_statistics *statistics)
{
	struct smile_info info;
	int error = pci_info(source, &info);

	if (error < 0)
		return error;
	smile_registers_statistics(&pci_of(source)->registers, info.status, statistics);
	return 0;
}

static int pci_ended(struct smile_source *source)
{
	struct smile_statistics statistics;
	int error = pci_statistics(source, &statistics);

	if (error < 0)
		return error;
	return !(statistics.status & SMILE_INFO_LINK) && !pci_of(source)->backlog.count &&
	       statistics.records_written == pci_of(source)->taken;
}

const struct smile_source_ops smile_source_pci = {
	.prefix = "pci",
	.open = pci_open,
	.close = pci_close,
	.info = pci_info,
	.configure = pci_configure,
	.static_set = pci_static_set,
	.static_info = pci_static_info,
	.static_swap = pci_static_swap,
	.start = pci_start,
	.stop = pci_stop,
	.swap = pci_swap,
	.event = pci_event,
	.read = pci_read,
	.ended = pci_ended,
	.statistics = pci_statistics,
};
