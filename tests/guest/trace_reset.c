/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The deep trace instrument when it loses its state, in the guest: by a reset, suspend, bus errors,
 * or a time without a response. A lost trace is never reported as complete.
 *
 * What lives here: the tests for a guest with a card and an instrument behind one port, and only an
 * instrument behind another port, see trace_reset_test.sh. May use: driver_monitor.h,
 * <uapi/smile_trace.h>.
 */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <uapi/smile_trace.h>

#include "tests/guest/driver_monitor.h"

#define MEMORY 65536U
#define TRACE_WAIT "/sys/module/smile_trace/parameters/reset_wait_s"
#define NEIGHBOUR "0000:01:00.1" /* beside the card */
#define ALONE "0000:02:00.0"

struct trace {
	int fd;
	const volatile unsigned char *map;
	char buffer[64];
	ssize_t got;
	int error;
	bool back;
	pthread_t reader;
};

static sigjmp_buf after_fault;

static void bus_error(int number)
{
	siglongjmp(after_fault, 1);
}

static bool touching_faults(const volatile unsigned char *byte)
{
	if (sigsetjmp(after_fault, 1))
		return true;
	(void)*byte;
	return false;
}

/* Open the device file of the instrument at a PCI address. */
static int trace_open(const char *address, int flags)
{
	char link[96], target[256], path[64];

	for (unsigned int number = 0; number < 8; number++) {
		ssize_t length;

		snprintf(link, sizeof(link), "/sys/class/smile_trace/smile_trace%u/device", number);
		length = readlink(link, target, sizeof(target) - 1);
		if (length < 0)
			continue;
		target[length] = '\0';
		if (!strstr(target, address))
			continue;
		snprintf(path, sizeof(path), "/dev/smile_trace%u", number);
		return open(path, flags | O_CLOEXEC);
	}
	errno = ENOENT;
	return -1;
}

static void *reader_main(void *opaque)
{
	struct trace *trace = opaque;

	trace->got = read(trace->fd, trace->buffer, sizeof(trace->buffer));
	trace->error = trace->got < 0 ? errno : 0;
	__atomic_store_n(&trace->back, true, __ATOMIC_RELEASE);
	return NULL;
}

static void reader_start(struct trace *trace)
{
	trace->back = false;
	assert_int_equal(pthread_create(&trace->reader, NULL, reader_main, trace), 0);
}

static void reader_ends(struct trace *trace, ssize_t got, int error)
{
	assert_soon(__atomic_load_n(&trace->back, __ATOMIC_ACQUIRE));
	pthread_join(trace->reader, NULL);
	assert_int_equal(trace->error, error);
	assert_int_equal(trace->got, got);
}

static unsigned int trace_state(const struct trace *trace)
{
	struct smile_trace_status status;

	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_STATUS, &status), 0);
	return status.state;
}

/*
 * Arm the instrument, and start a reader that waits. With POSITION 100 a trigger ends the trace;
 * with the default position it does not.
 */
static void trace_begin(struct trace *trace, const char *address)
{
	struct smile_trace_config config = {.memory_bytes = MEMORY, .position_percent = 100};

	for (unsigned int i = 0; i < SMILE_TRACE_LEVELS; i++)
		config.level[i].count = 1;
	signal(SIGBUS, bus_error);
	trace->fd = trace_open(address, O_RDWR);
	assert_errno(trace->fd, 0);
	driver_keep(trace->fd);
	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_CONFIGURE, &config), 0);
	trace->map = mmap(NULL, MEMORY, PROT_READ, MAP_SHARED, trace->fd, 0);
	assert_true(trace->map != MAP_FAILED);
	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_ARM), 0);
	assert_int_equal(trace_state(trace), SMILE_TRACE_ARMED);
	assert_false(touching_faults(trace->map));
	reader_start(trace);
}

/* Check that the trace continues: a trigger ends it, and the reader is notified. */
static void trace_is_whole(struct trace *trace)
{
	assert_int_equal(trace_state(trace), SMILE_TRACE_ARMED);
	assert_false(touching_faults(trace->map));
	assert_false(__atomic_load_n(&trace->back, __ATOMIC_ACQUIRE));
	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_TRIGGER), 0);
	assert_int_equal(trace_state(trace), SMILE_TRACE_DONE);
	reader_ends(trace, 0, 0);
	munmap((void *)trace->map, MEMORY);
	driver_close(trace->fd);
}

/*
 * Check that all calls report the loss until the instrument is armed again; its configuration is
 * then unchanged.
 */
static void trace_is_lost(struct trace *trace)
{
	struct pollfd wait = {.fd = trace->fd, .events = POLLIN};
	struct smile_trace_status status;
	char byte[8];

	reader_ends(trace, -1, EIO);
	assert_errno(read(trace->fd, byte, sizeof(byte)), EIO);
	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_STATUS, &status), EIO);
	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_STOP), EIO);
	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_TRIGGER), EIO);
	assert_int_equal(poll(&wait, 1, 0), 1);
	assert_int_equal(wait.revents, POLLIN | POLLERR);
	assert_true(touching_faults(trace->map));
	assert_errno(ioctl(trace->fd, SMILE_TRACE_IOC_ARM), 0);
	reader_start(trace);
	trace_is_whole(trace);
}

static void reset_by_others_loses_the_trace(void **state)
{
	struct trace trace;

	for (unsigned int turn = 0; turn < 3; turn++) {
		trace_begin(&trace, ALONE);
		driver_write_file("/sys/bus/pci/devices/" ALONE "/reset", "1");
		trace_is_lost(&trace);
	}
}

static void reset_without_a_trace_disturbs_nobody(void **state)
{
	struct trace trace;

	driver_write_file("/sys/bus/pci/devices/" ALONE "/reset", "1");
	trace_begin(&trace, ALONE);
	trace_is_whole(&trace);
}

static void sleep_loses_the_trace(void **state)
{
	struct trace trace;

	trace_begin(&trace, ALONE);
	assert_int_equal(driver_suspend(), 0);
	trace_is_lost(&trace);
}

/*
 * The card beside the instrument also responds: neither device has prevented the recovery of the
 * other.
 */
static void neighbour_answers(void)
{
	struct smile_info info = {.size = sizeof(info)};
	int card = open("/dev/smile_monitor0", O_RDONLY | O_CLOEXEC);

	assert_errno(card, 0);
	assert_errno(ioctl(card, SMILE_IOC_INFO, &info), 0);
	close(card);
}

static void inject(const char *error)
{
	const char *said = driver_monitor("pcie_aer_inject_error card0 %s", error);

	if (!strstr(said, "OK id: card0"))
		fail_msg("%s: %s", error, said);
}

static void fatal_error_of_a_neighbour_loses_the_trace(void **state)
{
	struct trace trace;

	for (unsigned int turn = 0; turn < 2; turn++) {
		trace_begin(&trace, NEIGHBOUR);
		inject("MALF_TLP");
		trace_is_lost(&trace);
		neighbour_answers();
	}
}

static void nonfatal_error_of_a_neighbour_loses_nothing(void **state)
{
	unsigned long errors = 0;
	struct trace trace;
	FILE *file;

	for (unsigned int turn = 0; turn < 2; turn++) {
		trace_begin(&trace, NEIGHBOUR);
		inject("COMP_TIME");
		trace_is_whole(&trace);
		neighbour_answers();
	}
	/* The errors were reported to the kernel. */
	file = fopen("/sys/bus/pci/devices/0000:01:00.0/../aer_rootport_total_err_nonfatal", "re");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%lu", &errors), 1);
	fclose(file);
	assert_true(errors > 0);
}

/*
 * A device without a driver takes no part in a recovery. The kernel then gives up, and does not
 * notify drivers; the card continues nevertheless.
 */
static void card_goes_on_beside_a_device_without_a_driver(void **state)
{
	driver_write_file("/sys/module/smile_monitor/parameters/reset_wait_s", "3600");
	driver_write_file("/sys/bus/pci/drivers/smile_trace/unbind", NEIGHBOUR);
	inject("COMP_TIME");
	neighbour_answers();
	driver_write_file("/sys/bus/pci/drivers/smile_trace/bind", NEIGHBOUR);
	driver_write_file("/sys/module/smile_monitor/parameters/reset_wait_s", "90");
}

static void trace_absent(bool absent)
{
	driver_monitor("qom-set /machine/peripheral/trace1 absent %s", absent ? "true" : "false");
}

/*
 * The instrument no longer responds, and the driver has detected it. poll() checks, and does not
 * wait.
 */
static void trace_vanishes(const struct trace *trace)
{
	struct pollfd wait = {.fd = trace->fd, .events = POLLIN};

	trace_absent(true);
	assert_soon(poll(&wait, 1, 0) == 1 && wait.revents & POLLERR);
}

/*
 * The instrument reads as all ones, and no error is reported: the driver checks it again, and finds
 * it.
 */
static void moment_without_an_answer_loses_the_trace(void **state)
{
	struct trace trace;

	driver_write_file(TRACE_WAIT, "3600");
	trace_begin(&trace, ALONE);
	trace_vanishes(&trace);
	trace_absent(false);
	trace_is_lost(&trace);
}

static void end_without_an_answer_ends_all(void **state)
{
	struct pollfd wait;
	struct trace trace;

	driver_write_file(TRACE_WAIT, "1");
	trace_begin(&trace, ALONE);
	trace_vanishes(&trace);
	/* The call waits, and then returns with an error. */
	assert_errno(ioctl(trace.fd, SMILE_TRACE_IOC_ARM), ENODEV);
	assert_soon(__atomic_load_n(&trace.back, __ATOMIC_ACQUIRE));
	pthread_join(trace.reader, NULL);
	assert_int_equal(trace.got, -1);
	wait = (struct pollfd){.fd = trace.fd, .events = POLLIN};
	assert_int_equal(poll(&wait, 1, 0), 1);
	assert_true(wait.revents & POLLHUP);
	assert_true(touching_faults(trace.map));
	munmap((void *)trace.map, MEMORY);
	driver_close(trace.fd);
	trace_absent(false);
	driver_write_file("/sys/bus/pci/drivers/smile_trace/unbind", ALONE);
	driver_write_file("/sys/bus/pci/drivers/smile_trace/bind", ALONE);
	driver_write_file(TRACE_WAIT, "90");
	trace_begin(&trace, ALONE);
	trace_is_whole(&trace);
}

/*
 * The owner closes the file while the instrument does not respond: the next owner finds no trace of
 * the former one.
 */
static void close_without_an_answer_leaves_nothing_behind(void **state)
{
	struct trace trace;

	driver_write_file(TRACE_WAIT, "3600");
	trace_begin(&trace, ALONE);
	trace_vanishes(&trace);
	reader_ends(&trace, -1, EIO);
	munmap((void *)trace.map, MEMORY);
	driver_close(trace.fd);
	trace_absent(false);
	/* The call waits for the recovery. */
	trace.fd = trace_open(ALONE, O_RDWR);
	assert_errno(trace.fd, 0);
	driver_keep(trace.fd);
	assert_int_equal(trace_state(&trace), SMILE_TRACE_IDLE);
	/*
	 * The state is that after a reset: the trigger's position is the middle of the memory, and
	 * the trace continues after the trigger.
	 */
	assert_errno(ioctl(trace.fd, SMILE_TRACE_IOC_ARM), 0);
	assert_errno(ioctl(trace.fd, SMILE_TRACE_IOC_TRIGGER), 0);
	assert_int_equal(trace_state(&trace), SMILE_TRACE_TRIGGERED);
	driver_close(trace.fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reset_by_others_loses_the_trace),
		cmocka_unit_test(reset_without_a_trace_disturbs_nobody),
		cmocka_unit_test(sleep_loses_the_trace),
		cmocka_unit_test(fatal_error_of_a_neighbour_loses_the_trace),
		cmocka_unit_test(nonfatal_error_of_a_neighbour_loses_nothing),
		cmocka_unit_test(card_goes_on_beside_a_device_without_a_driver),
		cmocka_unit_test(moment_without_an_answer_loses_the_trace),
		cmocka_unit_test(end_without_an_answer_ends_all),
		cmocka_unit_test(close_without_an_answer_leaves_nothing_behind),
	};

	driver_watchdog();
	cmocka_set_test_filter(getenv("DRIVER_CASE"));
	return cmocka_run_group_tests_name("trace_reset", tests, NULL, NULL);
}
