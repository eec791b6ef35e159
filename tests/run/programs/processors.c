// SPDX-License-Identifier: GPL-2.0 OR MIT
/* A program that asks for processors, and requests to run on them. Prints the results. */
#define _GNU_SOURCE
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 5

static int processor[THREADS];

/* A system call without the C library, as in run-time systems that do not use it. */
static int own_affinity(void)
{
	unsigned long mask[16] = {0};
	long result = SYS_sched_getaffinity;
	int count = 0;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(0), "S"(sizeof(mask)), "d"(mask)
			 : "rcx", "r11", "memory");
	for (size_t i = 0; result > 0 && i < sizeof(mask) / sizeof(mask[0]); i++)
		count += __builtin_popcountl(mask[i]);
	return count;
}

static void *ask(void *argument)
{
	int *at = argument;

	*at = sched_getcpu();
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	pthread_attr_t attributes;
	int members = 0, error = 0;
	cpu_set_t set;

	printf("%ld %ld %d %d %d\n", sysconf(_SC_NPROCESSORS_ONLN), sysconf(_SC_NPROCESSORS_CONF),
	       get_nprocs(), get_nprocs_conf(), omp_get_num_procs());
#pragma omp parallel reduction(+ : members)
	members++;
	printf("%d members\n", members);

	if (sched_getaffinity(0, sizeof(set), &set))
		return 1;
	printf("%d", CPU_COUNT(&set));
	if (pthread_getaffinity_np(pthread_self(), sizeof(set), &set))
		return 1;
	printf(" %d %d", CPU_COUNT(&set), CPU_ISSET(CPU_COUNT(&set) - 1, &set));
	printf(" %d %s\n", own_affinity(),
	       sched_getaffinity(0, 1, &set) ? strerror(errno) : "no error");

	/* A program may request any processor of the machine, and no other. */
	CPU_ZERO(&set);
	CPU_SET(get_nprocs() - 1, &set);
	printf("%d %d", sched_setaffinity(0, sizeof(set), &set),
	       pthread_setaffinity_np(pthread_self(), sizeof(set), &set));
	pthread_attr_init(&attributes);
	printf(" %d", pthread_attr_setaffinity_np(&attributes, sizeof(set), &set));
	for (int i = 0; i < THREADS; i++)
		error |= pthread_create(&threads[i], &attributes, ask, &processor[i]);
	for (int i = 0; i < THREADS && !error; i++)
		pthread_join(threads[i], NULL);
	CPU_ZERO(&set);
	CPU_SET(get_nprocs(), &set);
	printf(" %d", error);
	error = pthread_setaffinity_np(pthread_self(), sizeof(set), &set);
	printf(" %d\n", error == EINVAL);

	printf("%d:", sched_getcpu());
	for (int i = 0; i < THREADS; i++)
		printf(" %d", processor[i]);
	fflush(stdout);
	if (fork() == 0) {
		printf(" %d\n", sched_getcpu());
		return 0;
	}
	wait(NULL);
	return 0;
}
