/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Test of the driver when the kernel has no memory, or cannot access user memory. Each call is
 * repeated: the first time, its first request for memory fails; the second time, its second
 * request; and so on, until no request fails.
 *
 * What lives here: fault injection by /proc/thread-self/fail-nth. Only a debug kernel has this file
 * (debug_kernel.sh); with other kernels, the test is skipped. kmemleak reports lost memory when the
 * guest ends (init). In the guest, see driver_fixture.h.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/guest/driver_event.h"
#include "tests/guest/driver_fixture.h"
#include "tests/guest/driver_test.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define FAULTS "/sys/kernel/debug/"
#define NTH_MAX 5000
#define LOST_KB_MAX 16384
#define RECORDS 5

/* struct fault_call - A use of the driver. The functions return the same as system calls. */
struct fault_call {
	const char *name;
	void (*before)(void); /* prepares the call, without injected faults */
	long (*call)(void); /* the call that must fail: one system call */
	void (*after)(void); /* checks that the call has worked, and undoes it */
	/*
	 * The error with which the call may fail, in addition to ENOMEM, and to EFAULT if it copies
	 * user memory. If the kernel cannot record the owner of a BAR, it returns EBUSY.
	 */
	int error;
};

static struct {
	int nth, bind, fd;
	char address[16], path[64];
	struct smile_config config;
	struct smile_static tables;
	struct smile_info info;
	struct smile_statistics statistics;
	struct smile_record records[RECORDS + 1];
	struct pollfd pollfd;
	struct perf_event_attr attr;
	int cpu;
	void *memory;
	size_t bytes;
	long result;
	bool avoids;
} fault;

/* ---- failing ---- */

static void fault_setting(const char *file, const char *text)
{
	char path[128];

	snprintf(path, sizeof(path), FAULTS "%s", file);
	driver_write_file(path, text);
}

/*
 * Requests that may sleep fail, too. The kernel must not log stack traces, because the check of the
 * log would report them as errors.
 */
static int fault_begin(void **state)
{
	fault.nth = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	assert_errno(fault.nth, 0);
	fault_setting("failslab/verbose", "0");
	fault_setting("failslab/ignore-gfp-wait", "N");
	fault_setting("failslab/cache-filter", "N");
	fault_setting("fail_page_alloc/verbose", "0");
	fault_setting("fail_page_alloc/ignore-gfp-wait", "N");
	fault_setting("fail_page_alloc/ignore-gfp-highmem", "N");
	fault_setting("fail_page_alloc/min-order", "0");
	fault_setting("fail_usercopy/verbose", "0");
	return 0;
}

static int fault_end(void **state)
{
	close(fault.nth);
	return 0;
}

/*
 * Make the call, and let its request number @nth fail. Return: whether the call has made @nth
 * requests.
 */
static bool fault_inject(const struct fault_call *call, unsigned int nth)
{
	char text[16];
	bool injected;
	int error;

	snprintf(text, sizeof(text), "%u", nth);
	assert_int_equal(pwrite(fault.nth, text, strlen(text), 0), strlen(text));
	fault.result = call->call();
	error = errno;
	memset(text, 0, sizeof(text));
	/*
	 * pread() and pwrite() also make requests. A fault in one of them is no fault of the call.
	 */
	injected = pread(fault.nth, text, sizeof(text) - 1, 0) > 0 && atoi(text) == 0;
	/* Remove a fault that is still pending, because it would hit another test. */
	while (pwrite(fault.nth, "0", 1, 0) != 1)
		continue;
	errno = error;
	return injected;
}

static long memory_free_kb(void)
{
	FILE *file = fopen("/proc/meminfo", "re");
	long kb = 0;
	char line[128];

	assert_non_null(file);
	while (!kb && fgets(line, sizeof(line), file))
		sscanf(line, "MemFree: %ld kB", &kb);
	fclose(file);
	return kb;
}

static void fault_test(const struct fault_call *call)
{
	unsigned int nth, failures = 0;
	long free_kb = memory_free_kb();

	for (nth = 1; nth < NTH_MAX; nth++) {
		bool injected;

		call->before();
		injected = fault_inject(call, nth);
		if (fault.result < 0) {
			if (!injected)
				fail_msg("%s fails by itself: %s", call->name, strerror(errno));
			if (errno != ENOMEM && errno != EFAULT && errno != call->error)
				fail_msg("%s, request %u failed: %s", call->name, nth,
					 strerror(errno));
			failures++;
			/* After the failed call, the next call must succeed. */
			fault.result = call->call();
			if (fault.result < 0)
				fail_msg("%s, after request %u failed: %s", call->name, nth,
					 strerror(errno));
		}
		call->after();
		if (!injected)
			break;
	}
	free_kb -= memory_free_kb();
	print_message("%s: %u requests, %u failures, %ld KB less\n", call->name, nth - 1, failures,
		      free_kb);
	assert_true(nth < NTH_MAX);
	assert_true(failures > 0);
	/*
	 * kmemleak does not track whole pages. If each failed probe lost a ring, far more memory
	 * would be missing.
	 */
	assert_true(free_kb < LOST_KB_MAX);
}

/* ---- the calls ---- */

static void nothing(void)
{
}

/*
 * Some code of the kernel does not handle failures well. The interpreter of ACPI, which finds the
 * interrupt of a card that is enabled or disabled, then uses freed memory. The interrupt of an MSI
 * leaves files in /proc, and the kernel warns. So sysfs keeps the card enabled, and the card uses
 * INTx.
 */
static void weak_spots(bool avoid)
{
	char path[128];

	driver_bind(CARD_DRAIN, false);
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/enable", fault.address);
	driver_write_file(path, avoid ? "1" : "0");
	snprintf(path, sizeof(path), "/sys/bus/pci/devices/%s/msi_bus", fault.address);
	driver_write_file(path, avoid ? "0" : "1");
	driver_bind(CARD_DRAIN, true);
	fault.avoids = avoid;
}

static int restore(void **state)
{
	int ret = driver_teardown(state);

	if (fault.avoids)
		weak_spots(false);
	return ret;
}

static void before_bind(void)
{
	if (driver_bound(CARD_DRAIN))
		driver_bind(CARD_DRAIN, false);
}

static long call_bind(void)
{
	return write(fault.bind, fault.address, strlen(fault.address));
}

/* The card is usable: it has its attributes, its device and its ring. */
static void after_bind(void)
{
	int fd = driver_open(CARD_DRAIN, 0);

	assert_true(driver_attribute(CARD_DRAIN, "ring_records") > 0);
	driver_configure_trace(fd);
	driver_map_ring(fd);
	driver_teardown(NULL);
}

static long call_open(void)
{
	fault.fd = open(fault.path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	return fault.fd;
}

static void after_open(void)
{
	assert_int_equal(driver_info(fault.fd).abi, SMILE_ABI_VERSION);
	close(fault.fd);
}

static void before_any(void)
{
	fault.fd = driver_open(CARD_DRAIN, O_NONBLOCK);
}

static void after_any(void)
{
	driver_close(fault.fd);
}

/* Before the call the stream has no owner, so the call also claims the stream. */
static void before_map(void)
{
	before_any();
	fault.bytes = (size_t)driver_info(fault.fd).page_bytes * 2 +
		      (size_t)driver_info(fault.fd).ring_records * SMILE_RECORD_BYTES;
}

static long call_map(void)
{
	fault.memory = mmap(NULL, fault.bytes, PROT_READ, MAP_SHARED, fault.fd, 0);
	return fault.memory == MAP_FAILED ? -1 : 0;
}

static void after_map(void)
{
	const struct smile_producer *producer =
		(const void *)((char *)fault.memory + driver_info(fault.fd).page_bytes);

	assert_int_equal(producer->abi, SMILE_ABI_VERSION);
	munmap(fault.memory, fault.bytes);
	after_any();
}

static void before_configure(void)
{
	before_any();
	fault.config = driver_config(fault.fd);
	fault.config.entries = 1;
}

static long call_configure(void)
{
	return ioctl(fault.fd, SMILE_IOC_CONFIGURE, &fault.config);
}

static void after_configure(void)
{
	struct smile_config config = driver_info(fault.fd).config;

	assert_memory_equal(&config, &fault.config, sizeof(config));
	after_any();
}

static void before_static(void)
{
	before_configure();
	memset(&fault.tables, 0, sizeof(fault.tables));
	fault.tables.size = sizeof(fault.tables);
	fault.tables.page[0] = SMILE_STATIC_PAGE_VALID | 5;
}

static long call_static(void)
{
	return ioctl(fault.fd, SMILE_IOC_STATIC, &fault.tables);
}

static long call_info(void)
{
	fault.info.size = sizeof(fault.info);
	return ioctl(fault.fd, SMILE_IOC_INFO, &fault.info);
}

static void after_info(void)
{
	assert_int_equal(fault.info.abi, SMILE_ABI_VERSION);
	after_any();
}

static long call_statistics(void)
{
	fault.statistics.size = sizeof(fault.statistics);
	return ioctl(fault.fd, SMILE_IOC_STATISTICS, &fault.statistics);
}

static void after_statistics(void)
{
	assert_true(fault.statistics.status & SMILE_INFO_LINK);
	after_any();
}

/* Prepare unread records. */
static void before_read(void)
{
	before_any();
	driver_configure_trace(fault.fd);
	assert_errno(ioctl(fault.fd, SMILE_IOC_START), 0);
	driver_send(CARD_DRAIN, 0, RECORDS);
	assert_soon(driver_statistics(fault.fd).records_drained == RECORDS);
}

static long call_read(void)
{
	return read(fault.fd, fault.records, sizeof(fault.records));
}

/* All records must be read, even after a failed read(). */
static void after_read(void)
{
	assert_int_equal(fault.result, RECORDS * SMILE_RECORD_BYTES);
	for (unsigned int i = 0; i < RECORDS; i++)
		assert_record_is_packet(&fault.records[i], i);
	after_any();
}

static long call_poll(void)
{
	fault.pollfd = (struct pollfd){.fd = fault.fd, .events = POLLIN};
	return poll(&fault.pollfd, 1, 0);
}

static void after_poll(void)
{
	assert_int_equal(fault.result, 1);
	assert_int_equal(fault.pollfd.revents, POLLIN);
	after_any();
}

static void before_event(void)
{
	fault.attr = event_attr(CARD_DRAIN, event_words(5, 0, TOP, READS));
	fault.cpu = event_cpu(CARD_DRAIN);
}

static long call_event(void)
{
	fault.fd = (int)event_open(&fault.attr, -1, fault.cpu, -1);
	return fault.fd;
}

/* The event must count. After it is closed, the card must be free. */
static void after_event(void)
{
	assert_int_equal(event_count(fault.fd), 0);
	close(fault.fd);
	before_any();
	driver_configure_trace(fault.fd);
	after_any();
}

/* ---- the tests ---- */

static void fault_run(const struct fault_call *call)
{
	driver_pci(CARD_DRAIN, fault.address);
	driver_path(CARD_DRAIN, fault.path);
	fault_test(call);
}

static void probe_without_memory_leaves_nothing(void **state)
{
	/* The probe does not depend on the ring in use, so test it with one ring only. */
	if (driver_host())
		skip();
	driver_pci(CARD_DRAIN, fault.address);
	weak_spots(true);
	fault.bind = open("/sys/bus/pci/drivers/smile_monitor/bind", O_WRONLY | O_CLOEXEC);
	assert_errno(fault.bind, 0);
	fault_run(&(struct fault_call){"bind", before_bind, call_bind, after_bind, EBUSY});
	close(fault.bind);
}

static void open_without_memory_fails(void **state)
{
	fault_run(&(struct fault_call){"open", nothing, call_open, after_open, ENOMEM});
}

static void map_without_memory_fails(void **state)
{
	fault_run(&(struct fault_call){"mmap", before_map, call_map, after_map, EAGAIN});
}

static void configure_without_memory_fails(void **state)
{
	fault_run(&(struct fault_call){"CONFIGURE", before_configure, call_configure,
				       after_configure, ENOMEM});
	fault_run(&(struct fault_call){"STATIC", before_static, call_static, after_any, ENOMEM});
}

static void info_without_memory_fails(void **state)
{
	fault_run(&(struct fault_call){"INFO", before_any, call_info, after_info, ENOMEM});
	fault_run(&(struct fault_call){"STATISTICS", before_any, call_statistics, after_statistics,
				       ENOMEM});
}

static void read_that_fails_loses_nothing(void **state)
{
	fault_run(&(struct fault_call){"read", before_read, call_read, after_read, ENOMEM});
	fault_run(&(struct fault_call){"poll", before_read, call_poll, after_poll, ENOMEM});
}

static void event_without_memory_fails(void **state)
{
	fault_run(&(struct fault_call){"perf_event_open", before_event, call_event, after_event,
				       ENOMEM});
}

int driver_fault_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(probe_without_memory_leaves_nothing, restore),
		driver_test(open_without_memory_fails),
		driver_test(map_without_memory_fails),
		driver_test(configure_without_memory_fails),
		driver_test(info_without_memory_fails),
		driver_test(read_that_fails_loses_nothing),
		driver_test(event_without_memory_fails),
	};

	/*
	 * Only debug kernels have fault injection. Print the reason in one line, for the totals of
	 * make check.
	 */
	if (access(FAIL_NTH, F_OK)) {
		printf("skipped %zu: no fault injection in this kernel (make check-debug-kernel)\n",
		       sizeof(tests) / sizeof(tests[0]));
		return 0;
	}
	return cmocka_run_group_tests_name("fault", tests, fault_begin, fault_end);
}
