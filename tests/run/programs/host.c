/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that reads data of the host, for the tests of `smile run`. Argument 1 is the kind of
 * data: time, counter (rdtsc), random, process or file. With flag, pause or place, the program
 * waits for another thread by reading memory; with nothing, it has such loops but waits for no
 * thread. Argument 2 is the number of repetitions.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#define ITEMS 100000

static volatile int flag;
static volatile int flags[16];
static int items[ITEMS];
static unsigned char byte;

static void *work(void *argument)
{
	struct timespec while_others_wait = {.tv_nsec = 100000000};

	nanosleep(&while_others_wait, NULL);
	flags[3] = 1;
	flag = 1;
	return argument;
}

/* Return: whether the loop read so often that smile run can detect the wait. */
static int waits(const char *how)
{
	unsigned long times = 0;
	pthread_t thread;
	int place = 3;

	__asm__("" : "+r"(place));
	flag = flags[3] = 0;
	pthread_create(&thread, NULL, work, NULL);
	if (!strcmp(how, "flag"))
		while (!flag)
			times++;
	else if (!strcmp(how, "place"))
		while (!flags[place])
			times++;
	else
		for (; !flag; times++)
			__builtin_ia32_pause();
	pthread_join(thread, NULL);
	return times > 3;
}

/*
 * On a busy host the other thread can be faster. Print the number of waits that can be detected,
 * and of all waits.
 */
static void waits_often(const char *how, int often)
{
	int seen = 0, all = 0;

	for (; seen < often; all++)
		seen += waits(how);
	printf("%d %d\n", seen, all);
}

static void asks(const char *how)
{
	struct timespec now;
	unsigned int number;
	FILE *file;

	if (!strcmp(how, "time")) {
		clock_gettime(CLOCK_MONOTONIC, &now);
	} else if (!strcmp(how, "counter")) {
		__builtin_ia32_rdtsc();
	} else if (!strcmp(how, "random")) {
		if (getrandom(&number, sizeof(number), 0) != sizeof(number))
			exit(2);
	} else if (!strcmp(how, "process")) {
		getpid();
	} else if (!strcmp(how, "file")) {
		file = fopen("/proc/loadavg", "r");
		if (file)
			fclose(file);
	}
}

/* Read a word repeatedly until the kernel changes it: the first word of an ELF file. */
static int reads(const char *path)
{
	int fd = open(path, O_RDONLY);

	while (byte != 'F')
		if (read(fd, &byte, 1) != 1)
			return 2;
	return close(fd);
}

int main(int argc, char **argv)
{
	int sum = reads(argv[0]);

	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "flag") || !strcmp(argv[1], "place") || !strcmp(argv[1], "pause"))
		waits_often(argv[1], atoi(argv[2]));
	for (int i = 0; i < atoi(argv[2]); i++)
		asks(argv[1]);
	for (int i = 0; i < ITEMS; i++)
		sum += items[i];
	for (int i = 0; i < ITEMS; i++)
		items[7] += i;
	return sum;
}
