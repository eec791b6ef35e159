/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with memory of a kind that is sampled differently from most memory, or not at all.
 *
 * usage: memory KIND FAULTS
 *
 * KIND is anonymous, memfd or sysv: memory that main() and a child share; huge: memory in huge
 * pages; or threads: memory of which each of four threads, each on its own processor, uses a
 * quarter. These threads run for so short a time that each round has new threads. main() also has
 * its own array, and a waiting thread, since the kernel hardly scans the pages on a process's own
 * node if the process has only one thread. With alone, the waiting thread is missing. The program
 * makes rounds, at least one, until it has had FAULTS page faults since all memory was accessed for
 * the first time.
 *
 * Prints "memory ADDRESS BYTES" and "own ADDRESS BYTES". Ends with status 1 if something fails.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define PAGES 1024
#define OWN_PAGES 256
#define THREADS 4
#define QUARTER (PAGES / THREADS)
#define HUGE (2U << 20)

static _Alignas(PAGE_BYTES) char own[OWN_PAGES][PAGE_BYTES];
static char (*memory)[PAGE_BYTES];

/* Only write: a huge page that is read first is a huge page of zeros, which a write splits. */
static void touch(char (*pages)[PAGE_BYTES], size_t count)
{
	for (size_t i = 0; i < count; i++)
		*(volatile char *)&pages[i][0] = (char)i;
}

static void *quarter_touch(void *opaque)
{
	size_t me = (size_t)opaque;
	cpu_set_t processor;

	CPU_ZERO(&processor);
	CPU_SET(me, &processor);
	/* If the machine has fewer processors, the tests do not check the nodes. */
	pthread_setaffinity_np(pthread_self(), sizeof(processor), &processor);
	touch(memory + me * QUARTER, QUARTER);
	return NULL;
}

static void threads_run(void)
{
	pthread_t threads[THREADS];

	for (size_t t = 0; t < THREADS; t++)
		if (pthread_create(&threads[t], NULL, quarter_touch, (void *)t))
			exit(1);
	for (size_t t = 0; t < THREADS; t++)
		pthread_join(threads[t], NULL);
}

/* Access memory once, so that the thread's samples are visible; then wait. */
static void *wait_for_end(void *opaque)
{
	volatile char *page =
		mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if ((void *)page != MAP_FAILED)
		*page = 1;
	for (;;)
		pause();
	return NULL;
}

static void *memory_make(const char *kind)
{
	size_t bytes = PAGES * PAGE_BYTES;
	void *made;
	int file;

	if (!strcmp(kind, "anonymous"))
		return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!strcmp(kind, "memfd")) {
		file = memfd_create("shared", MFD_CLOEXEC);
		if (file < 0 || ftruncate(file, (off_t)bytes) < 0)
			return MAP_FAILED;
		return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	}
	if (!strcmp(kind, "sysv")) {
		file = shmget(IPC_PRIVATE, bytes, IPC_CREAT | 0600);
		made = file < 0 ? MAP_FAILED : shmat(file, NULL, 0);
		/* The segment exists as long as a process is attached. */
		if (file >= 0)
			shmctl(file, IPC_RMID, NULL);
		return made;
	}
	made = mmap(NULL, bytes + HUGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED || strcmp(kind, "huge") != 0)
		return made;
	made = (void *)(((uintptr_t)made + HUGE - 1) & ~(uintptr_t)(HUGE - 1));
	madvise(made, bytes, MADV_HUGEPAGE);
	return made;
}

/* Start a process that shares the memory, until it is ended. */
static pid_t child_make(void)
{
	pid_t parent = getpid(), child = fork();

	if (child)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	while (getppid() == parent)
		touch(memory, PAGES);
	_exit(0);
}

static long faults(void)
{
	struct rusage used;

	getrusage(RUSAGE_SELF, &used);
	return used.ru_minflt;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	bool threads = !strcmp(kind, "threads"), huge = !strcmp(kind, "huge");
	bool alone = !strcmp(kind, "alone");
	pthread_t waits;
	long begin, wanted = argc > 2 ? atol(argv[2]) : 0;
	pid_t child = 0;

	if (!alone && pthread_create(&waits, NULL, wait_for_end, NULL))
		return 1;
	memory = memory_make(kind);
	if ((void *)memory == MAP_FAILED)
		return 1;
	printf("memory %ju %d\nown %ju %zu\n", (uintmax_t)(uintptr_t)memory, PAGES * PAGE_BYTES,
	       (uintmax_t)(uintptr_t)own, sizeof(own));
	fflush(stdout);
	touch(memory, PAGES);
	touch(own, OWN_PAGES);
	if (!threads && !huge && !alone)
		child = child_make();
	begin = faults();
	do {
		if (threads)
			threads_run();
		else
			touch(memory, PAGES);
		touch(own, OWN_PAGES);
	} while (faults() - begin < wanted);
	if (child <= 0)
		return child < 0;
	kill(child, SIGKILL);
	return waitpid(child, NULL, 0) != child;
}
