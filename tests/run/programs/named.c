/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Processes that share a named semaphore, for the tests of `smile run`.
 *
 * share: four children inherit the semaphore, and each of them first tries to take it. Prints how
 * often they had it. open: a child opens the semaphore by its name as soon as it exists, and posts
 * it twice. Before the parent creates it, the parent computes for some time. Prints how often the
 * parent has waited.
 */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 4
#define ROUNDS 25
#define CELLS 200000

static sem_t *semaphore;
static volatile long *times;

static void work(int me)
{
	for (int i = 0; i < ROUNDS; i++) {
		if (sem_trywait(semaphore))
			sem_wait(semaphore);
		/* Some processes hold the semaphore while they sleep in the kernel. */
		if ((i + me) % 5 == 0)
			usleep(100);
		++*times;
		sem_post(semaphore);
	}
	_exit(0);
}

static int share(void)
{
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0)
			work(i);
	while (wait(NULL) > 0)
		;
	return (int)*times;
}

static void compute(void)
{
	static volatile long cells[CELLS];

	for (int i = 0; i < CELLS; i++)
		cells[i] += i;
}

static int open_by_name(const char *name)
{
	int waits = 0;

	if (fork() == 0) {
		while ((semaphore = sem_open(name, 0)) == SEM_FAILED)
			usleep(1000);
		sem_post(semaphore);
		sem_post(semaphore);
		_exit(0);
	}
	compute();
	semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 0);
	while (waits < 2 && semaphore != SEM_FAILED && sem_wait(semaphore) == 0)
		waits++;
	while (wait(NULL) > 0)
		;
	return waits;
}

int main(int argc, char **argv)
{
	char name[64];
	int result = -1;

	snprintf(name, sizeof(name), "/smile-named-%d", (int)getpid());
	times = mmap(NULL, sizeof(*times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (argc != 2 || times == MAP_FAILED)
		return 2;
	if (!strcmp(argv[1], "open")) {
		result = open_by_name(name);
	} else {
		semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
		if (semaphore != SEM_FAILED)
			result = share();
	}
	sem_unlink(name);
	printf("%d\n", result);
	return 0;
}
