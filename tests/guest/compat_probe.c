// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * A program that calls all functions of the device file, compiled for 32 and for 64 bits.
 *
 * What lives here: the program, which uses no C library, since one for 32 bits may be missing. It
 * makes the system calls itself (int 0x80 or syscall): each ioctl, read, poll and the three
 * mappings. It prints the results in hexadecimal, except those that may differ between two runs.
 * Each step also checks its result, because both programs could fail in the same way. Exits 1 if a
 * result is wrong. May use: the uapi header and the compiler's own headers.
 */
#include <linux/errno.h>
#include <linux/poll.h>

#include <uapi/smile_adapter.h>

#include "tests/guest/compat_layout.h"

#define DEVICE "/dev/smile_monitor0"
#define ADAPTER "/dev/smile_adapter0"
#define PAGE 4096UL /* x86 */
#define READ_WRITE_NONBLOCK 04002 /* O_RDWR | O_NONBLOCK */
#define PROT_R 1UL
#define PROT_RW 3UL
#define SHARED 1UL
#define PRIVATE 2UL
#define EVENT_ID 5U

#ifdef __i386__
enum { CALL_EXIT = 1, CALL_READ = 3, CALL_WRITE = 4, CALL_OPEN = 5, CALL_CLOSE = 6 };
enum { CALL_IOCTL = 54, CALL_MMAP = 90, CALL_POLL = 168 };

static long call(long number, unsigned long a, unsigned long b, unsigned long c)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "a"(number), "b"(a), "c"(b), "d"(c)
			 : "memory");
	return result;
}

/*
 * The old mmap() takes its arguments in memory, because there are too few registers for six
 * arguments.
 */
static long map(unsigned long bytes, unsigned long protection, unsigned long flags, long fd,
		unsigned long offset)
{
	unsigned long arguments[6] = {0, bytes, protection, flags, (unsigned long)fd, offset};

	return call(CALL_MMAP, (unsigned long)arguments, 0, 0);
}

__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %esp\n\tcall probe_main\n");
#else
enum { CALL_READ = 0, CALL_WRITE = 1, CALL_OPEN = 2, CALL_CLOSE = 3, CALL_POLL = 7 };
enum { CALL_MMAP = 9, CALL_IOCTL = 16, CALL_EXIT = 60 };

static long call6(long number, unsigned long a, unsigned long b, unsigned long c, unsigned long d,
		  unsigned long e, unsigned long f)
{
	register unsigned long r10 __asm__("r10") = d;
	register unsigned long r8 __asm__("r8") = e;
	register unsigned long r9 __asm__("r9") = f;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
}

static long call(long number, unsigned long a, unsigned long b, unsigned long c)
{
	return call6(number, a, b, c, 0, 0, 0);
}

static long map(unsigned long bytes, unsigned long protection, unsigned long flags, long fd,
		unsigned long offset)
{
	return call6(CALL_MMAP, 0, bytes, protection, flags, (unsigned long)fd, offset);
}

__asm__(".globl _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, %rsp\n\tcall probe_main\n");
#endif

/* Functions that the compiler may call by itself. */
void *memset(void *to, int value, size_t bytes);
void *memset(void *to, int value, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		((volatile unsigned char *)to)[i] = (unsigned char)value;
	return to;
}

void *memcpy(void *to, const void *from, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		((volatile unsigned char *)to)[i] = ((const unsigned char *)from)[i];
	return to;
}

static int failed;

static void say(const char *text)
{
	size_t length = 0;

	while (text[length])
		length++;
	call(CALL_WRITE, 1, (unsigned long)text, length);
}

static void say_value(const char *name, unsigned long long value)
{
	char digits[2 + 16 + 2] = "0x";
	int i;

	for (i = 0; i < 16; i++)
		digits[2 + i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
	digits[18] = '\n';
	digits[19] = '\0';
	say(name);
	say(" ");
	say(digits);
}

static void expect(const char *name, long long value, long long wanted)
{
	say_value(name, (unsigned long long)value);
	if (value == wanted)
		return;
	failed = 1;
	say_value("  and not", (unsigned long long)wanted);
}

static void say_words(const char *name, const void *from, size_t bytes)
{
	const __u32 *word = from;
	size_t i;

	for (i = 0; i < bytes / sizeof(*word); i++)
		say_value(name, word[i]);
}

static long control(long fd, unsigned long command, const void *argument)
{
	return call(CALL_IOCTL, (unsigned long)fd, command, (unsigned long)argument);
}

static long poll_in(long fd)
{
	struct pollfd one = {.fd = (int)fd, .events = POLLIN};
	long ret = call(CALL_POLL, (unsigned long)&one, 1, 0);

	return ret < 0 ? ret : one.revents;
}

static int same(const void *left, const void *right, size_t bytes)
{
	const unsigned char *a = left, *b = right;

	for (size_t i = 0; i < bytes; i++) {
		if (a[i] != b[i])
			return 0;
	}
	return 1;
}

static void probe_configure(long fd, struct smile_info *info)
{
	struct smile_config config;

	info->size = sizeof(*info);
	expect("INFO", control(fd, SMILE_IOC_INFO, info), 0);
	expect("INFO.size", info->size, sizeof(*info));
	/* The configuration in @info is that of the last owner, so do not print it. */
	say_words("INFO", info, offsetof(struct smile_info, config));

	config = info->config;
	config.size = sizeof(config);
	config.entries = 8;
	config.mode = SMILE_MODE_DEFAULT | SMILE_MODE_STATIC;
	config.latency_us = 1000;
	expect("CONFIGURE", control(fd, SMILE_IOC_CONFIGURE, &config), 0);
	config.size = offsetof(struct smile_config, timer_us);
	expect("CONFIGURE of version 1", control(fd, SMILE_IOC_CONFIGURE, &config), 0);
	config.size = offsetof(struct smile_config, timer_us) - 4;
	expect("CONFIGURE below that", control(fd, SMILE_IOC_CONFIGURE, &config), -EINVAL);
	expect("INFO", control(fd, SMILE_IOC_INFO, info), 0);
	expect("INFO.config.entries", info->config.entries, 8);
	expect("INFO.config.latency_us", info->config.latency_us, 0);
	say_words("INFO", info, sizeof(*info));
}

static void probe_static(long fd)
{
	struct smile_static tables = {.size = sizeof(tables)}, answer = {.size = sizeof(answer)};
	unsigned int i;

	for (i = 0; i < SMILE_STATIC_PAGES; i++) {
		tables.page[i] = SMILE_STATIC_PAGE_VALID | (0x12345 + i);
		tables.node[i] = 0xfff0 - i;
	}
	tables.event[15] = SMILE_STATIC_EVENT_VALID | SMILE_STATIC_EVENT_READ |
			   SMILE_STATIC_EVENT_REQUEST | SMILE_STATIC_EVENT_TOP | 31;
	tables.counter[15] = SMILE_STATIC_COUNTER_COUNT_VALID | 15;
	/* Global event EVENT_ID. */
	tables.counter[0] = SMILE_STATIC_COUNTER_COUNT_VALID | (SMILE_STATIC_GLOBAL + EVENT_ID);
	expect("STATIC", control(fd, SMILE_IOC_STATIC, &tables), 0);
	expect("STATIC_INFO", control(fd, SMILE_IOC_STATIC_INFO, &answer), 0);
	expect("STATIC_INFO as set", same(&tables, &answer, sizeof(answer)), 1);
}

/* Raise two events. Read the first one with read(), and the second one in the mapping. */
static void probe_records(long fd, const struct smile_info *info)
{
	unsigned long ring_bytes = info->ring_records * sizeof(struct smile_record);
	volatile struct smile_consumer *consumer;
	volatile const struct smile_producer *producer;
	const struct smile_record *data;
	struct smile_record record;
	__u32 event = EVENT_ID;
	long memory;

	expect("read nothing", call(CALL_READ, (unsigned long)fd, (unsigned long)&record, 16),
	       -EAGAIN);
	expect("poll nothing", poll_in(fd), 0);
	expect("START", control(fd, SMILE_IOC_START, NULL), 0);
	expect("EVENT", control(fd, SMILE_IOC_EVENT, &event), 0);
	expect("EVENT", control(fd, SMILE_IOC_EVENT, &event), 0);
	event = 0x10000;
	expect("EVENT out of range", control(fd, SMILE_IOC_EVENT, &event), -EINVAL);
	expect("poll", poll_in(fd), POLLIN);
	expect("read", call(CALL_READ, (unsigned long)fd, (unsigned long)&record, 16), 16);
	expect("read kind", record.word[0] & SMILE_RECORD_KIND, SMILE_KIND_EVENT);
	say_words("read", &record, sizeof(record));

	memory = map(PAGE, PROT_RW, SHARED, fd, 0);
	expect("mmap consumer", memory < 0 && memory > -4096, 0);
	consumer = (void *)memory;
	memory = map(PAGE, PROT_R, SHARED, fd, PAGE);
	expect("mmap producer", memory < 0 && memory > -4096, 0);
	producer = (void *)memory;
	memory = map(ring_bytes, PROT_R, SHARED, fd, 2 * PAGE);
	expect("mmap ring", memory < 0 && memory > -4096, 0);
	data = (void *)memory;
	expect("mmap private", map(PAGE, PROT_R, PRIVATE, fd, 0), -EINVAL);
	expect("mmap producer writable", map(PAGE, PROT_RW, SHARED, fd, PAGE), -EPERM);
	expect("mmap beyond the end", map(ring_bytes + PAGE, PROT_R, SHARED, fd, 2 * PAGE),
	       -EINVAL);
	if (failed)
		return;
	expect("producer.abi", producer->abi, SMILE_ABI_VERSION);
	expect("producer.ring_records", producer->ring_records, info->ring_records);
	expect("producer.head", (long long)producer->head, 2);
	expect("consumer.tail", (long long)consumer->tail, 1);
	say_words("ring", &data[1], sizeof(data[1]));
	expect("ring as read", same(&data[0], &record, sizeof(record)), 1);
	consumer->tail = 2;
	expect("poll after the tail moved", poll_in(fd), 0);
	expect("STOP", control(fd, SMILE_IOC_STOP, NULL), 0);
	/* The static counter of the events. */
	expect("SWAP", control(fd, SMILE_IOC_SWAP, NULL), 0);
	expect("producer.head", (long long)producer->head, 3);
	expect("ring kind", data[2].word[0] & SMILE_RECORD_KIND, SMILE_KIND_STATIC);
	say_words("ring", &data[2], sizeof(data[2]));
}

static void probe_statistics(long fd)
{
	struct smile_statistics statistics = {.size = sizeof(statistics)};

	expect("STATISTICS", control(fd, SMILE_IOC_STATISTICS, &statistics), 0);
	expect("STATISTICS.records_drained", (long long)statistics.records_drained, 3);
	expect("STATISTICS.static_counted", (long long)statistics.static_counted, 2);
	/* The number of interrupts differs between runs. */
	statistics.interrupts = 0;
	say_words("STATISTICS", &statistics, sizeof(statistics));
	expect("unknown ioctl", control(fd, _IO(SMILE_IOC_MAGIC, 0x7f), NULL), -ENOTTY);
	expect("bad pointer", control(fd, SMILE_IOC_STATISTICS, (void *)8), -EFAULT);
}

/* The adapter supports only 64-bit programs, and reports this. */
static void probe_adapter(void)
{
	const long wanted = sizeof(long) == 4 ? -ENOTTY : 0;
	struct smile_adapter_info info;
	long fd = call(CALL_OPEN, (unsigned long)ADAPTER, READ_WRITE_NONBLOCK, 0);

	expect("open the adapter", fd < 0 ? fd : 0, 0);
	expect("the adapter answers 64 bits, and refuses 32",
	       control(fd, SMILE_ADAPTER_INFO, &info) == wanted, 1);
	expect("close", call(CALL_CLOSE, (unsigned long)fd, 0, 0), 0);
}

__attribute__((noreturn, used)) void probe_main(void);
__attribute__((noreturn, used)) void probe_main(void)
{
	struct smile_info info = {0};
	long fd = call(CALL_OPEN, (unsigned long)DEVICE, READ_WRITE_NONBLOCK, 0);

	expect("open", fd < 0 ? fd : 0, 0);
	if (!failed) {
		probe_configure(fd, &info);
		probe_static(fd);
		probe_records(fd, &info);
		probe_statistics(fd);
		expect("close", call(CALL_CLOSE, (unsigned long)fd, 0, 0), 0);
		probe_adapter();
	}
	call(CALL_EXIT, (unsigned long)failed, 0, 0);
	for (;;)
		continue;
}
