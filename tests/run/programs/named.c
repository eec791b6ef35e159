/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Processes that share a named semaphore, which each first tries to take, for the suite of
 * `smile run`. Prints the number of times that they had it.
 */
#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define PROCESSES 4
#define ROUNDS 25

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

int main(void)
{
	char name[64];

	snprintf(name, sizeof(name), "/smile-named-%d", (int)getpid());
	semaphore = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
	times = mmap(NULL, sizeof(*times), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		     0);
	if (semaphore == SEM_FAILED || times == MAP_FAILED)
		return 2;
	sem_unlink(name);
	for (int i = 0; i < PROCESSES; i++)
		if (fork() == 0)
			work(i);
	while (wait(NULL) > 0)
		;
	printf("%ld\n", *times);
	return 0;
}
