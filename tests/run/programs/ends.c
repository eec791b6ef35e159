/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that ends in many ways, for the tests of `smile run`.
 *
 * 	exit N | segv | abort | wait | fork | exec | leave | leave-child | descriptors | close | try
 * 	| stay
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile long data[1024];

/* Return: the number of open descriptors, except for the first three. */
static int descriptors(void)
{
	int count = 0;

	for (int fd = 3; fd < 4096; fd++)
		count += fcntl(fd, F_GETFD) >= 0;
	return count;
}

static void *store(void *opaque)
{
	for (size_t i = 0; i < 1024; i++)
		data[i]++;
	return opaque;
}

/* Close all descriptors, as daemons do; then create a thread and a process. */
static int close_all(void)
{
	pthread_t thread;
	int status;
	pid_t pid;

	closefrom(3);
	if (pthread_create(&thread, NULL, store, NULL) || pthread_join(thread, NULL))
		return 2;
	pid = fork();
	if (!pid)
		_exit(descriptors() + 1);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 1 << 8)
		return 2;
	return data[5] == 6 ? 0 : 2;
}

/*
 * Store to shared memory, in three parts. Between them, `smile run` has time to examine a process
 * whose first thread has ended.
 */
static void *work_on(void *opaque)
{
	volatile long *shared = opaque;

	for (size_t piece = 0; piece < 3; piece++) {
		usleep(400000);
		for (size_t i = 0; i < 300; i++)
			shared[i] = (long)i;
	}
	return opaque;
}

/*
 * The first thread ends, and another one continues. If @in_child, this happens in a child process.
 */
static int leave(int in_child)
{
	void *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pthread_t thread;
	pid_t pid;

	if (shared == MAP_FAILED)
		return 2;
	printf("%lu\n", (unsigned long)shared / 4096);
	fflush(stdout);
	pid = in_child ? fork() : 0;
	if (pid > 0)
		return waitpid(pid, NULL, 0) != pid;
	if (pid < 0 || pthread_create(&thread, NULL, work_on, shared))
		return 2;
	pthread_exit(NULL);
}

/* Try a semaphore that was never posted. */
static int try_semaphore(void)
{
	sem_t semaphore;

	return sem_init(&semaphore, 0, 0) || !sem_trywait(&semaphore);
}

static void stay_here(void)
{
	printf("staying %d\n", (int)getpid());
	fflush(stdout);
	for (;;)
		pause();
}

/*
 * Make four processes that ignore signals: this process, a child, a process whose parent has ended,
 * and a process that executes another program.
 */
static int stay(void)
{
	static char *const command[] = {"sleep", "1000", NULL};

	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	if (!fork()) {
		if (!fork())
			stay_here();
		_exit(0);
	}
	if (!fork())
		stay_here();
	if (!fork()) {
		printf("staying %d\n", (int)getpid());
		fflush(stdout);
		execvp(command[0], command);
		_exit(2);
	}
	stay_here();
	return 2;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "exit";

	for (size_t i = 0; i < 1024; i++)
		data[i] = (long)i;
	if (!strcmp(how, "segv"))
		*(volatile int *)(uintptr_t)(argc + 6) = 1;
	if (!strcmp(how, "abort"))
		abort();
	if (!strcmp(how, "descriptors"))
		return !!printf("%d\n", descriptors()) - 1;
	if (!strcmp(how, "close"))
		return close_all();
	if (!strcmp(how, "stay"))
		return stay();
	if (!strcmp(how, "try"))
		return try_semaphore();
	if (!strcmp(how, "leave") || !strcmp(how, "leave-child"))
		return leave(!strcmp(how, "leave-child"));
	if (!strcmp(how, "wait")) {
		puts("waiting");
		fflush(stdout);
		for (;;)
			data[7]++;
	}
	if (!strcmp(how, "fork")) {
		volatile long *shared =
			mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		pid_t pid;

		if (shared == MAP_FAILED || (pid = fork()) < 0)
			return 2;
		if (!pid) {
			for (size_t i = 0; i < 50; i++)
				shared[i] = 1;
			_exit(0);
		}
		if (waitpid(pid, NULL, 0) != pid)
			return 2;
		for (size_t i = 0; i < 50; i++)
			if (shared[i] != 1)
				return 2;
		printf("%lu\n", (unsigned long)shared / 4096);
		return 0;
	}
	if (!strcmp(how, "exec")) {
		execlp("echo", "echo", "executed", (char *)NULL);
		return 2;
	}
	return argc > 2 ? atoi(argv[2]) : 0;
}
