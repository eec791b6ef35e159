/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Shared by the driver's tests: cards, open files, mappings, B-Link traffic, waits.
 *
 * What lives here: helpers for a program that runs as root in the guest and reaches the driver
 * through <uapi/smile_monitor.h> alone. driver_teardown() closes, unmaps or drains whatever was
 * opened, mapped or sent through them, also after a failed assertion. May use: cmocka, POSIX
 * threads, the uapi and B-Link headers; not the library.
 */
#ifndef TESTS_GUEST_DRIVER_FIXTURE_H
#define TESTS_GUEST_DRIVER_FIXTURE_H

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <cmocka.h>

#include <uapi/smile_monitor.h>

/* The guest's cards in the order of their PCI addresses, which is that of run.sh's --card. */
#define CARD_DRAIN 0 /* its link waits while it cannot take a packet */
#define CARD_REALTIME 1 /* its link does not wait: what it cannot take is lost */
#define CARD_LINK 2 /* its link comes and goes as driver_link() says */
#define CARDS 3

#define NODE_DRAIN 3U /* the node ids that the boards say */
#define NODE_REALTIME 1U

#define PATIENCE_MS 120000 /* a guest without hardware help, on a busy machine */
/* Any test; it is over before the guest is, see --timeout in the scripts. */
#define TEST_PATIENCE_S 900

/* Every call that can fail: what it must fail with, 0 if it must not. */
#define assert_errno(call, error)                                                                  \
	driver_assert_errno((long)(call), error, #call, __FILE__, __LINE__)
void driver_assert_errno(long result, int error, const char *call, const char *file, int line);

/* Wait until a condition holds. */
#define assert_soon(condition)                                                                     \
	do {                                                                                       \
		uint64_t soon_end_ms = driver_now_ms() + PATIENCE_MS;                              \
		while (!(condition)) {                                                             \
			if (driver_now_ms() > soon_end_ms)                                         \
				fail_msg("never: %s", #condition);                                 \
			driver_sleep_ms(5);                                                        \
		}                                                                                  \
	} while (0)
uint64_t driver_now_ms(void);
void driver_sleep_ms(unsigned int ms);
/*
 * How often to repeat, or how much to send, of what is repeated to find what is rare: @whole, or,
 * on a slow kernel, that divided by DRIVER_LESS in the environment, but at least 1.
 */
unsigned int driver_less(unsigned int whole);
/*
 * The program ends with an error unless this is called again within TEST_PATIENCE_S times the
 * environment's DRIVER_SLOW.
 */
void driver_watchdog(void);

/* ---- cards and files ---- */

void driver_pci(int card, char address[16]);
void driver_path(int card, char path[64]);
/* Open it for writing, which owns the stream; the open must succeed, or be refused so. */
int driver_open(int card, int flags);
void driver_refused(int card, int error);
/* Open it for reading: it can ask. */
int driver_watch(int card);
void driver_close(int fd);
/* Close at the test's end, too, what it has opened by itself. */
void driver_keep(int fd);
/* An attribute of the class device, and one of the counters in debugfs. */
uint64_t driver_attribute(int card, const char *name);
uint64_t driver_counter(int card, const char *name);
void driver_attribute_text(int card, const char *name, char text[64]);
void driver_write_file(const char *path, const char *text);
/* How long the driver waits for a card that does not answer; "90" if nothing is said. */
#define RESET_WAIT "/sys/module/smile_monitor/parameters/reset_wait_s"
void driver_bind(int card, bool bind);
bool driver_bound(int card);
/*
 * Has the driver finished the probe of a card whose directory smile_monitor exists? If the slot's
 * driver adds the card, the probe is in a thread of the kernel.
 */
bool driver_probed(int card);
/* Clear and set bits of PCI's COMMAND. Return: what it was. */
uint16_t driver_pci_command(int card, uint16_t clear, uint16_t set);
#define PCI_COMMAND_MASTER 0x0004
#define PCI_COMMAND_ALL 0xffff
/* Put all devices to sleep and wake them up. Return: 0, or the error that kept one awake. */
int driver_suspend(void);
/* Write to a file below the PCI device's power/. */
void driver_power(int card, const char *name, const char *text);
/* Has runtime power management put it to sleep? */
bool driver_asleep(int card);

struct smile_info driver_info(int fd);
struct smile_statistics driver_statistics(int fd);
short driver_poll(int fd, short events, int timeout_ms);
/*
 * Are the tests about the ring in host memory (DRIVER_RING=host in the environment)? Those that fit
 * either ring are run with both.
 */
bool driver_host(void);
/* SMILE_MODE_HOST_RING if they are. */
uint32_t driver_mode(void);
/* The configuration in force, with driver_mode(). */
struct smile_config driver_config(int fd);
/* Have the driver's drains written down, from now on, or no more. */
void driver_watch_drains(bool watch);
/*
 * Did @by (NULL: any drain) run since then? With @records: was it the first to find some? A drain
 * is written down at its end, when its records may have been read.
 */
bool driver_drained(bool records, const char *by);
#define DRAIN_WORK "kworker/"
/*
 * One counter, so that each event becomes a record at once, in the ring that the tests are about.
 */
void driver_configure_trace(int fd);
/* Open CARD_DRAIN, configure it so, and start it. Return: the open file. */
int driver_tracing(int flags);

/* ---- the shared mapping ---- */

struct driver_ring {
	struct smile_consumer *consumer;
	const struct smile_producer *producer;
	const struct smile_record *data;
	uint64_t records;
	int fd;
	bool ended; /* for threads of a test's own */
};

void *driver_map(int fd, size_t bytes, int protection, off_t offset);
void driver_unmap(void *memory);
struct driver_ring driver_map_ring(int fd);
uint64_t driver_ring_head(const struct driver_ring *ring);
uint64_t driver_ring_tail(const struct driver_ring *ring);
void driver_ring_set_tail(struct driver_ring *ring, uint64_t tail);
/* Consume one record, if there is one. */
bool driver_ring_take(struct driver_ring *ring, struct smile_record *record);

/* ---- records ---- */

uint32_t record_kind(const struct smile_record *record);
uint32_t record_type(const struct smile_record *record);
uint32_t record_cause(const struct smile_record *record);
uint32_t record_count(const struct smile_record *record);
uint32_t record_source(const struct smile_record *record);
uint32_t record_destination(const struct smile_record *record);
uint32_t record_page(const struct smile_record *record);
uint32_t record_bytes(const struct smile_record *record);
uint32_t record_index(const struct smile_record *record);
uint64_t record_clock(const struct smile_record *record);
uint64_t record_lost(const struct smile_record *record);
uint64_t record_marks_lost(const struct smile_record *record);
/* A record of driver_send()'s packet number @page, counted once. */
void assert_record_is_packet(const struct smile_record *record, unsigned int page);

/* What records hold, added up. */
struct driver_sums {
	uint64_t counts; /* of counting records */
	uint64_t lost; /* of LOST records */
	uint64_t marks_lost;
	unsigned int events; /* EVENT records */
};

/* Swap out as the contract says, and add up all that is read until nothing is left. */
void driver_sum_up(int fd, struct driver_sums *sums);

/* ---- traffic ---- */

/* Send reads of pages @first to @first + @count - 1, in the background. */
void driver_send(int card, unsigned int first, unsigned int count);
/* Send @count reads of page @page. */
void driver_send_one_page(int card, unsigned int page, unsigned int count);
/* @count frames of one kind, each followed by its response if @answered. */
struct driver_frames {
	uint32_t command;
	unsigned int source;
	unsigned int target;
	uint64_t address;
	unsigned int count;
	bool answered;
};
/* Send what a list says, in its order. */
void driver_send_frames(int card, const struct driver_frames *kinds, size_t count);
/* Is the link still waiting for some of it? */
bool driver_sending(void);
/* Wait until all was taken by the link. */
void driver_sent(void);
/* The B-Link of CARD_LINK, up or down; the host does it in its own time. */
void driver_link(bool up);

/* ---- others ---- */

/* A thread that sleeps in poll() or read() until a record comes. */
struct driver_sleeper {
	pthread_t thread;
	pid_t id; /* its thread's, 0 before it has begun */
	int fd;
	bool polls;
	long result;
	int error;
	short revents;
	struct smile_record record;
};

/*
 * Put to sleep, and wait until it does; see that it is still asleep, where a machine that is slow
 * may see less, and no test fails for it; and wait until it has woken up.
 */
void driver_sleeper_start(struct driver_sleeper *sleeper);
bool driver_sleeper_asleep(struct driver_sleeper *sleeper);
void driver_sleeper_join(struct driver_sleeper *sleeper);

/* The system call in which a process or thread sleeps, or -1. */
long driver_sleeps_in(pid_t pid);

/* Run a program as a user, its output in @output. Return: its exit status. */
int driver_run(uid_t user, const char *const argv[], char *output, size_t size);

int driver_teardown(void **state);
#define driver_test(name) cmocka_unit_test_teardown(name, driver_teardown)

#endif /* TESTS_GUEST_DRIVER_FIXTURE_H */
