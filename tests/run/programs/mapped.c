/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Two processes that map the same shared memory by its name, and synchronise with an object in this
 * memory, for the tests of `smile run`. Prints how often they have met there.
 *
 * usage: mapped mutex|rwlock|barrier|semaphore|condition
 *
 * The first process computes before it creates the memory. So the second process uses the memory at
 * earlier cycles than that of its creation.
 */
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 30
#define CELLS 400000

struct memory {
	volatile int ready;
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	pthread_barrier_t barrier;
	pthread_rwlock_t rwlock;
	sem_t semaphore;
	volatile long turn;
	long times;
};

static volatile long cells[CELLS];

/* Return: NULL if the memory does not exist yet, or if its size is not set yet. */
static struct memory *memory_map(const char *name, int flags)
{
	int file = shm_open(name, flags, 0600);
	struct memory *memory = MAP_FAILED;
	struct stat stat;

	if (file < 0)
		return NULL;
	if (flags & O_CREAT && ftruncate(file, sizeof(*memory)))
		exit(2);
	if (!fstat(file, &stat) && stat.st_size >= (off_t)sizeof(*memory))
		memory = mmap(NULL, sizeof(*memory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	return memory == MAP_FAILED ? NULL : memory;
}

static void memory_init(struct memory *memory)
{
	pthread_mutexattr_t mutex;
	pthread_condattr_t condition;
	pthread_barrierattr_t barrier;
	pthread_rwlockattr_t rwlock;

	pthread_mutexattr_init(&mutex);
	pthread_mutexattr_setpshared(&mutex, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&memory->mutex, &mutex);
	pthread_condattr_init(&condition);
	pthread_condattr_setpshared(&condition, PTHREAD_PROCESS_SHARED);
	pthread_cond_init(&memory->condition, &condition);
	pthread_barrierattr_init(&barrier);
	pthread_barrierattr_setpshared(&barrier, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&memory->barrier, &barrier, 2);
	pthread_rwlockattr_init(&rwlock);
	pthread_rwlockattr_setpshared(&rwlock, PTHREAD_PROCESS_SHARED);
	pthread_rwlock_init(&memory->rwlock, &rwlock);
	sem_init(&memory->semaphore, 1, 1);
	memory->ready = 1;
}

/* Process @me and the other one take turns. */
static void turn_take(struct memory *memory, long me)
{
	pthread_mutex_lock(&memory->mutex);
	while (memory->turn != me)
		pthread_cond_wait(&memory->condition, &memory->mutex);
	memory->turn = !me;
	memory->times++;
	pthread_cond_signal(&memory->condition);
	pthread_mutex_unlock(&memory->mutex);
}

static void meet(struct memory *memory, long me, const char *how)
{
	if (!strcmp(how, "mutex")) {
		pthread_mutex_lock(&memory->mutex);
		memory->times++;
		pthread_mutex_unlock(&memory->mutex);
	} else if (!strcmp(how, "rwlock")) {
		pthread_rwlock_wrlock(&memory->rwlock);
		memory->times++;
		pthread_rwlock_unlock(&memory->rwlock);
	} else if (!strcmp(how, "semaphore")) {
		sem_wait(&memory->semaphore);
		memory->times++;
		sem_post(&memory->semaphore);
	} else if (!strcmp(how, "barrier")) {
		if (pthread_barrier_wait(&memory->barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
			memory->times += 2;
		pthread_barrier_wait(&memory->barrier);
	} else {
		turn_take(memory, me);
	}
}

int main(int argc, char **argv)
{
	struct memory *memory;
	char name[64];
	long me;

	if (argc != 2)
		return 2;
	snprintf(name, sizeof(name), "/smile-mapped-%d", (int)getpid());
	me = fork() == 0;
	for (int i = 0; me == 0 && i < CELLS; i++)
		cells[i] += i;
	while (!(memory = memory_map(name, me ? O_RDWR : O_RDWR | O_CREAT | O_EXCL)))
		usleep(500);
	if (!me)
		memory_init(memory);
	while (!memory->ready)
		usleep(500);
	for (int i = 0; i < ROUNDS; i++)
		meet(memory, me, argv[1]);
	if (me)
		_exit(0);
	wait(NULL);
	shm_unlink(name);
	printf("%ld\n", memory->times);
	return 0;
}
