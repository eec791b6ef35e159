/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Functions for the driver's tests: cards, open files, mappings, B-Link traffic, and waits.
 *
 * What lives here: functions for a program that runs as root in the guest, and uses the driver only
 * through <uapi/smile_monitor.h>. driver_teardown() closes the files, removes the mappings and
 * drains the traffic of these functions, even after a failed assertion. May use: cmocka, POSIX
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

/*
 * The guest's cards, in the order of their PCI addresses. This is the order of the options --card
 * of run.sh.
 */
#define CARD_DRAIN 0 /* its link waits until the card can accept a packet */
#define CARD_REALTIME 1 /* its link does not wait, so packets can be lost */
#define CARD_LINK 2 /* driver_link() connects and disconnects its link */
#define CARDS 3

#define NODE_DRAIN 3U /* the node ids that the cards report */
#define NODE_REALTIME 1U

#define PATIENCE_MS 120000 /* also enough under emulation, on a busy machine */
/* The time limit of a test. It is shorter than the guest's limit; see --timeout in the scripts. */
#define TEST_PATIENCE_S 900

/* Check a call. It must fail with this error; if the error is 0, it must succeed. */
#define assert_errno(call, error)                                                                  \
	driver_assert_errno((long)(call), error, #call, __FILE__, __LINE__)
void driver_assert_errno(long result, int error, const char *call, const char *file, int line);

/* Wait until a condition is true. */
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
 * The number of repetitions, or of frames, in tests that repeat an action to find rare errors.
 * Return: @whole. On a slow kernel: @whole divided by DRIVER_LESS in the environment, but at least
 * 1.
 */
unsigned int driver_less(unsigned int whole);
/*
 * Start a time limit of TEST_PATIENCE_S, times DRIVER_SLOW in the environment. The program ends
 * with an error unless this function is called again before.
 */
void driver_watchdog(void);

/* ---- cards and files ---- */

void driver_pci(int card, char address[16]);
void driver_path(int card, char path[64]);
/*
 * Open a card for writing, which claims the stream. driver_open() must succeed; driver_refused()
 * must fail with @error.
 */
int driver_open(int card, int flags);
void driver_refused(int card, int error);
/* Open a card for reading: the file can only query the card. */
int driver_watch(int card);
void driver_close(int fd);
/* At the end of the test, also close this file, which the test has opened itself. */
void driver_keep(int fd);
/* Read an attribute of the class device, or a counter in debugfs. */
uint64_t driver_attribute(int card, const char *name);
uint64_t driver_counter(int card, const char *name);
void driver_attribute_text(int card, const char *name, char text[64]);
void driver_write_file(const char *path, const char *text);
/* How long the driver waits for a card that does not respond. The default is "90". */
#define RESET_WAIT "/sys/module/smile_monitor/parameters/reset_wait_s"
void driver_bind(int card, bool bind);
bool driver_bound(int card);
/*
 * Whether the driver has finished the probe of a card whose directory smile_monitor exists. If the
 * driver of the slot adds the card, a thread of the kernel makes the probe.
 */
bool driver_probed(int card);
/* Clear and set bits of the PCI register COMMAND. Return: the previous value. */
uint16_t driver_pci_command(int card, uint16_t clear, uint16_t set);
#define PCI_COMMAND_MASTER 0x0004
#define PCI_COMMAND_ALL 0xffff
/*
 * Suspend all devices and resume them. Return: 0, or the error with which a device refused to
 * suspend.
 */
int driver_suspend(void);
/* Write to a file in the directory power/ of the PCI device. */
void driver_power(int card, const char *name, const char *text);
/* Whether runtime power management has suspended the card. */
bool driver_asleep(int card);

struct smile_info driver_info(int fd);
struct smile_statistics driver_statistics(int fd);
short driver_poll(int fd, short events, int timeout_ms);
/*
 * Whether the tests use the ring in host memory (DRIVER_RING=host in the environment). Tests that
 * work with either ring are run with both.
 */
bool driver_host(void);
/* SMILE_MODE_HOST_RING if driver_host() is true, else 0. */
uint32_t driver_mode(void);
/* Configure the card with driver_mode(). Return: the configuration that is then set. */
struct smile_config driver_config(int fd);
/* Start or stop the trace of the driver's drains. */
void driver_watch_drains(bool watch);
/*
 * Whether @by (NULL: any drain) has run since driver_watch_drains(). With @records: whether it was
 * the first drain that found records. A drain is traced when it ends, and its records may already
 * have been read then.
 */
bool driver_drained(bool records, const char *by);
#define DRAIN_WORK "kworker/"
/* Configure one counter, so that each event becomes a record immediately. Use driver_mode(). */
void driver_configure_trace(int fd);
/*
 * Open CARD_DRAIN, configure it by driver_configure_trace(), and start it. Return: the open file.
 */
int driver_tracing(int flags);

/* ---- the shared mapping ---- */

struct driver_ring {
	struct smile_consumer *consumer;
	const struct smile_producer *producer;
	const struct smile_record *data;
	uint64_t records;
	int fd;
	bool ended; /* for a test's own threads */
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
/* The record must be of packet number @page of driver_send(), with a count of 1. */
void assert_record_is_packet(const struct smile_record *record, unsigned int page);

/* Sums over records. */
struct driver_sums {
	uint64_t counts; /* of counting records */
	uint64_t lost; /* of LOST records */
	uint64_t marks_lost;
	unsigned int events; /* EVENT records */
};

/* Swap out as the documentation says, and add up all records until none is left. */
void driver_sum_up(int fd, struct driver_sums *sums);

/* ---- traffic ---- */

/* Send, in the background, reads of pages @first to @first + @count - 1. */
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
/* Send the frames of a list, in its order. */
void driver_send_frames(int card, const struct driver_frames *kinds, size_t count);
/* Whether frames still wait to be sent on the link. */
bool driver_sending(void);
/* Wait until the link has accepted all frames. */
void driver_sent(void);
/* Connect or disconnect the B-Link of CARD_LINK. The host does this some time later. */
void driver_link(bool up);

/* ---- others ---- */

/* A thread that sleeps in poll() or read() until a record arrives. */
struct driver_sleeper {
	pthread_t thread;
	pid_t id; /* the thread's id; 0 before the thread has started */
	int fd;
	bool polls;
	long result;
	int error;
	short revents;
	struct smile_record record;
};

/*
 * driver_sleeper_start() starts the thread, and waits until it sleeps. driver_sleeper_asleep()
 * checks that the thread still sleeps. On a slow machine the check may miss a wake-up, but it never
 * fails in a correct run. driver_sleeper_join() waits until the thread has woken up.
 */
void driver_sleeper_start(struct driver_sleeper *sleeper);
bool driver_sleeper_asleep(struct driver_sleeper *sleeper);
void driver_sleeper_join(struct driver_sleeper *sleeper);

/* The system call in which a process or thread sleeps; -1 if it does not sleep. */
long driver_sleeps_in(pid_t pid);

/* Run a program as a user. @output receives its output. Return: its exit status. */
int driver_run(uid_t user, const char *const argv[], char *output, size_t size);

int driver_teardown(void **state);
#define driver_test(name) cmocka_unit_test_teardown(name, driver_teardown)

#endif /* TESTS_GUEST_DRIVER_FIXTURE_H */
