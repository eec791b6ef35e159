/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A library whose constructor creates a thread before the constructor of the tracer's own library
 * runs. Without LIBRARY, this file is a program that gives work to the thread, in the same way as
 * programs that use OpenBLAS. It prints the sum of the work.
 */
#include <pthread.h>
#include <stdio.h>

#define JOBS 5
#define WORDS 4096

int job_do(int job);

#ifdef LIBRARY
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int given, done, sum, words[WORDS];

static void *work(void *argument)
{
	pthread_mutex_lock(&lock);
	for (;;) {
		while (given == done)
			pthread_cond_wait(&changed, &lock);
		for (int i = 0; i < WORDS; i++)
			sum += words[i] += given;
		done = given;
		pthread_cond_broadcast(&changed);
	}
	return argument;
}

__attribute__((constructor)) static void start(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, work, NULL))
		pthread_detach(thread);
}

int job_do(int job)
{
	pthread_mutex_lock(&lock);
	given = job;
	pthread_cond_broadcast(&changed);
	while (done != job)
		pthread_cond_wait(&changed, &lock);
	pthread_mutex_unlock(&lock);
	return sum;
}
#else
int main(void)
{
	int sum = 0;

	for (int job = 1; job <= JOBS; job++)
		sum = job_do(job);
	printf("%d\n", sum);
	return 0;
}
#endif
