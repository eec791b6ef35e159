/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Processes that share memory, for the tests of `smile run`: memory that was mapped before fork(2),
 * and a shared memory object. Parent and child map this object at different addresses, and
 * synchronise with semaphores in it. Process 0 is on node 0, its child on node 1. Private memory of
 * a child does not count.
 */
#include <fcntl.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "known.h"

#define WORDS (KNOWN_PAGE / sizeof(long))
#define ROUNDS 10

struct turns {
	sem_t here, there;
};

static volatile long private_words[WORDS] KNOWN_ALIGNED;

static void *map(int fd, size_t bytes, void *where)
{
	void *at = mmap(where, bytes, PROT_READ | PROT_WRITE,
			MAP_SHARED | (fd < 0 ? MAP_ANONYMOUS : 0), fd, 0);

	if (at == MAP_FAILED)
		_exit(2);
	return at;
}

static int child(struct turns *turns, volatile long *early, int fd)
{
	/* At a different address than in the parent. */
	volatile long *late = map(fd, 2 * KNOWN_PAGE, (void *)0x700000000000);

	for (int i = 0; i < ROUNDS; i++) {
		sem_wait(&turns->here);
		late[i] = early[i] + 1;
		late[WORDS + (size_t)i] = 7;
		private_words[i]++;
		sem_post(&turns->there);
	}
	return 42;
}

int main(void)
{
	struct turns *turns = map(-1, sizeof(*turns), NULL);
	volatile long *early = map(-1, KNOWN_PAGE, NULL), *late;
	int fd, status;
	char name[64];
	pid_t pid;

	snprintf(name, sizeof(name), "/smile-run-test-%ld", (long)getpid());
	fd = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
	if (fd < 0 || shm_unlink(name) || ftruncate(fd, 2 * KNOWN_PAGE))
		return 2;
	late = map(fd, 2 * KNOWN_PAGE, NULL);
	if (sem_init(&turns->here, 1, 0) || sem_init(&turns->there, 1, 0))
		return 2;
	pid = fork();
	if (pid < 0)
		return 2;
	if (!pid)
		_exit(child(turns, early, fd));
	for (int i = 0; i < ROUNDS; i++) {
		early[i] = i;
		private_words[i] = i;
		sem_post(&turns->here);
		sem_wait(&turns->there);
		if (late[i] != i + 1)
			return 1;
	}
	if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) || WEXITSTATUS(status) != 42)
		return 1;
	known(early, 0, 0, ROUNDS, 0);
	known(early, 1, ROUNDS, 0, 0);
	known(late, 0, ROUNDS, 0, 0);
	known(late, 1, 0, ROUNDS, 0);
	known(late + WORDS, 0, 0, 0, 0);
	known(late + WORDS, 1, 0, ROUNDS, 0);
	known(private_words, 0, 0, ROUNDS, 0);
	known(private_words, 1, 0, 0, 0);
	return 0;
}
