/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose threads wait for their turn, and must stop waiting early, for the tests of `smile
 * run`.
 *
 * 	cancel   a thread that waits for a condition is cancelled
 * 	alarm    a signal's handler posts the semaphore that the thread waits for
 * 	interrupt  a signal's handler ends the wait for the semaphore
 * 	try      a lock is held after trylock while another thread waits for it
 * 	exit     the process ends, with status 3, while threads sleep
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static volatile long sum;
static int sleeping; /* with the mutex */
static _Atomic int comes;
static bool told; /* with the mutex */

static void unlock(void *opaque)
{
	pthread_mutex_unlock(opaque);
}

static void *sleeps(void *opaque)
{
	pthread_mutex_lock(&mutex);
	pthread_cleanup_push(unlock, &mutex);
	sleeping++;
	for (;;)
		pthread_cond_wait(&condition, &mutex);
	pthread_cleanup_pop(1);
	return opaque;
}

static void *works(void *opaque)
{
	for (long i = 0; i < 200000; i++)
		sum += i;
	return opaque;
}

/* Wait until @count threads sleep: they have then released the mutex. */
static void await_sleeping(int count)
{
	int now;

	do {
		pthread_mutex_lock(&mutex);
		now = sleeping;
		pthread_mutex_unlock(&mutex);
	} while (now < count && !usleep(1000));
}

static void *locks(void *opaque)
{
	comes = 1;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return opaque;
}

static void posts(int number)
{
	(void)number;
	sem_post(&semaphore);
}

static int run_cancel(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, sleeps, NULL);
	await_sleeping(1);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	/* The clean-up handler must have released the mutex. */
	return result != PTHREAD_CANCELED || pthread_mutex_lock(&mutex);
}

static int run_alarm(void)
{
	pthread_t thread;

	signal(SIGALRM, posts);
	pthread_create(&thread, NULL, works, NULL);
	alarm(1);
	while (sem_wait(&semaphore))
		;
	return pthread_join(thread, NULL);
}

/*
 * Take the mutex repeatedly, until another thread, which also needs it, says that this one must
 * stop.
 */
static void *until_told(void *opaque)
{
	bool now;

	do {
		pthread_mutex_lock(&mutex);
		now = told;
		pthread_mutex_unlock(&mutex);
	} while (!now);
	return opaque;
}

static void returns(int number)
{
	(void)number;
}

static int run_interrupt(void)
{
	struct sigaction action = {.sa_handler = returns};
	pthread_t thread;

	sigaction(SIGALRM, &action, NULL);
	pthread_create(&thread, NULL, until_told, NULL);
	alarm(1);
	if (!sem_wait(&semaphore) || errno != EINTR)
		return 1;
	pthread_mutex_lock(&mutex);
	told = true;
	pthread_mutex_unlock(&mutex);
	sem_post(&semaphore);
	return sem_wait(&semaphore) || pthread_join(thread, NULL);
}

static int run_try(void)
{
	pthread_t thread;

	if (pthread_mutex_trylock(&mutex))
		return 1;
	pthread_create(&thread, NULL, locks, NULL);
	while (!comes)
		usleep(1000);
	for (int i = 0; i < 100; i++) {
		pthread_mutex_lock(&other);
		pthread_mutex_unlock(&other);
	}
	pthread_mutex_unlock(&mutex);
	return pthread_join(thread, NULL);
}

static int run_exit(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, sleeps, NULL);
	await_sleeping(3);
	return 3;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";

	sem_init(&semaphore, 0, 0);
	if (!strcmp(how, "cancel"))
		return run_cancel();
	if (!strcmp(how, "alarm"))
		return run_alarm();
	if (!strcmp(how, "interrupt"))
		return run_interrupt();
	if (!strcmp(how, "try"))
		return run_try();
	return strcmp(how, "exit") ? 9 : run_exit();
}
