/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that writes code while it runs, as just-in-time compilers do, for the tests of `smile
 * run`. It writes the code at the address at which it is executed, or at another address of the
 * same shared memory. Each line of the output has the sum of the numbers that the written functions
 * have returned.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 8192
#define TIMES 100
/* The constant of this function is in two pages. */
#define CROSSING 4093

typedef int (*function)(void);

static void *map(int protection, int flags, int fd)
{
	void *memory = mmap(NULL, BYTES, protection, flags, fd, 0);

	if (memory == MAP_FAILED) {
		perror("mmap");
		exit(1);
	}
	return memory;
}

static int file(void)
{
	int fd = memfd_create("code", 0);

	if (fd < 0 || ftruncate(fd, BYTES) < 0) {
		perror("memfd_create");
		exit(1);
	}
	return fd;
}

/* Write "mov $number, %eax; ret". */
static void emit(unsigned char *at, int number)
{
	at[0] = 0xb8;
	memcpy(at + 1, &number, sizeof(number));
	at[5] = 0xc3;
}

static long execute(unsigned char *written, unsigned char *code)
{
	long sum = 0;

	for (int i = 0; i < TIMES; i++) {
		emit(written, i);
		sum += ((function)(void *)code)();
		/* Change only one byte. */
		((volatile unsigned char *)written)[1] = 0;
		sum += ((function)(void *)code)();
	}
	return sum;
}

static void print(const char *name, unsigned char *written, unsigned char *code)
{
	printf("%s: %ld\n", name, execute(written, code));
	printf("%s, two pages: %ld\n", name, execute(written + CROSSING, code + CROSSING));
	fflush(stdout);
}

/* The code stays mapped. For each change, the memory is mapped once more, to write to it. */
static long execute_short(int fd, unsigned char *code)
{
	unsigned char *written;
	long sum = 0;

	for (int i = 0; i < TIMES; i++) {
		written = map(PROT_READ | PROT_WRITE, MAP_SHARED, fd);
		emit(written, i);
		munmap(written, BYTES);
		sum += ((function)(void *)code)();
	}
	return sum;
}

int main(void)
{
	const int data = PROT_READ | PROT_WRITE, code = PROT_READ | PROT_EXEC;
	unsigned char *written, *executed;
	int fd = file();

	executed = map(data | code, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	print("the same address", executed, executed);

	written = map(data, MAP_SHARED, fd);
	executed = map(code, MAP_SHARED, fd);
	print("first the data", written, executed);
	if (!fork()) {
		print("a child", written, executed);
		_exit(0);
	}
	wait(NULL);
	munmap(written, BYTES);
	printf("short: %ld\n", execute_short(fd, executed));

	fd = file();
	executed = map(code, MAP_SHARED, fd);
	written = map(data, MAP_SHARED, fd);
	print("first the code", written, executed);

	fd = file();
	executed = map(PROT_NONE, MAP_SHARED, fd);
	mprotect(executed, BYTES, code);
	written = map(data, MAP_SHARED, fd);
	print("made executable", written, executed);

	/* After the code was unmapped, this memory is data. */
	munmap(executed, BYTES);
	emit(written, 1);
	printf("data: %d\n", written[1]);
	return 0;
}
