/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program whose process executes one operation that few programs execute.
 *
 * usage: process_kinds KIND [PROGRAM]
 *
 * KIND is plain: no such operation; leader: the first thread ends before the other one, which does
 * the work; thread_exec: a thread other than the first executes PROGRAM, or this program, with
 * plain; again: the first thread does so when standard input has a line; closes: it closes all
 * files but the standard ones; user: it becomes user 65534; hidden: other processes may not read
 * its memory; remaps: it unmaps memory of a file, and maps another file there; collapses: its pages
 * become a huge page when standard input has a line (status 77: the kernel makes none); workers:
 * each of four children, on its own processor, writes private memory that it has first accessed on
 * processor 0, until standard input has a line; forks: a child does the work, with memory that its
 * parent has written before; thread_forks: the same, but a thread other than the first has started
 * the child; shares: as forks, with shared memory, which the parent also writes by faults when the
 * child has ended; daemon: a child of an ended child does the work, in its own session;
 * thread_ends: a thread other than the first starts a child that writes memory and ends when
 * standard input has a line; many: 500 children, one after another, each write a page and end
 * before standard input has a line.
 *
 * The work: prints "memory ADDRESS BYTES" and "ready" when all of the memory is written, waits for
 * a line, writes it again by faults, prints "touched", and waits for another line.
 */
#include <fcntl.h>
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
#include <sys/wait.h>
#include <unistd.h>

#define PAGE_BYTES 4096
#define PAGES 512
#define BYTES (PAGES * PAGE_BYTES)
#define WORKERS 4
#define COLLAPSE 25 /* MADV_COLLAPSE, from Linux 6.1 on */

static char **arguments;

static void touch(char *memory)
{
	for (size_t page = 0; page < PAGES; page++)
		*(volatile char *)(memory + page * PAGE_BYTES) = 1;
}

static void line_await(void)
{
	char line[64];

	if (!fgets(line, sizeof(line), stdin))
		exit(1);
}

static char *memory_make(void)
{
	char *memory =
		mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	/* A huge page would have one fault. */
	madvise(memory, BYTES, MADV_NOHUGEPAGE);
	return memory;
}

static void work(char *memory)
{
	touch(memory);
	printf("memory %ju %d\nready\n", (uintmax_t)(uintptr_t)memory, BYTES);
	line_await();
	madvise(memory, BYTES, MADV_DONTNEED);
	touch(memory);
	puts("touched");
	line_await();
}

static void *work_in_thread(void *opaque)
{
	/* After the join, the first thread has ended. */
	pthread_join(*(pthread_t *)opaque, NULL);
	work(memory_make());
	exit(0);
}

static void execute_again(void)
{
	execl(arguments[2] ? arguments[2] : "/proc/self/exe", arguments[0], "plain", NULL);
	exit(1);
}

static void *execute_in_thread(void *opaque)
{
	execute_again();
	return opaque;
}

static char *file_map(char *at)
{
	int file = memfd_create(at ? "second" : "first", MFD_CLOEXEC);
	char *memory;

	if (file < 0 || ftruncate(file, BYTES) < 0)
		exit(1);
	memory = mmap(at, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | (at ? MAP_FIXED : 0), file,
		      0);
	if (memory == MAP_FAILED)
		exit(1);
	return memory;
}

static void remap(void)
{
	char *memory = file_map(NULL);

	touch(memory);
	munmap(memory, BYTES);
	work(file_map(memory));
}

static int collapse(void)
{
	char *memory =
		mmap(NULL, 2 * BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	bool failed;

	if (memory == MAP_FAILED)
		return 1;
	memory = (char *)(((uintptr_t)memory + BYTES - 1) & ~(uintptr_t)(BYTES - 1));
	madvise(memory, BYTES, MADV_NOHUGEPAGE);
	touch(memory);
	puts("ready");
	line_await();
	failed = madvise(memory, BYTES, MADV_HUGEPAGE) || madvise(memory, BYTES, COLLAPSE);
	puts("touched");
	line_await();
	return failed ? 77 : 0;
}

static void *wait_for_end(void *opaque)
{
	for (;;)
		pause();
	return opaque;
}

static void processor_set(int number)
{
	cpu_set_t processor;

	CPU_ZERO(&processor);
	CPU_SET(number, &processor);
	/* If there are fewer processors, the tests do not check the nodes. */
	sched_setaffinity(0, sizeof(processor), &processor);
}

static void worker(int number, pid_t parent)
{
	char *memory = memory_make();
	pthread_t waits;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/*
	 * If a process has one thread, the kernel hardly scans the pages on the process's own node.
	 */
	if (pthread_create(&waits, NULL, wait_for_end, NULL))
		_exit(1);
	processor_set(0);
	touch(memory);
	printf("worker %d %d %ju %d\n", number, getpid(), (uintmax_t)(uintptr_t)memory, BYTES);
	processor_set(number);
	while (getppid() == parent)
		touch(memory);
	_exit(0);
}

static int workers(void)
{
	pid_t parent = getpid(), list[WORKERS];

	for (int i = 0; i < WORKERS; i++) {
		list[i] = fork();
		if (list[i] < 0)
			return 1;
		if (!list[i])
			worker(i, parent);
	}
	line_await();
	for (int i = 0; i < WORKERS; i++)
		kill(list[i], SIGTERM);
	while (wait(NULL) > 0)
		;
	return 0;
}

/* Return: the child's status. */
static int child_works(char *memory)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		return 1;
	if (!child) {
		printf("child %d\n", getpid());
		work(memory);
		exit(5);
	}
	return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int forks(void)
{
	char *memory = memory_make();

	touch(memory);
	return child_works(memory);
}

/* Each of the two processes writes all of the memory by faults. */
static int shares(void)
{
	char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;

	if (memory == MAP_FAILED)
		return 1;
	touch(memory);
	status = child_works(memory);
	madvise(memory, BYTES, MADV_DONTNEED);
	touch(memory);
	return status;
}

/* The program ends after the daemon, whose end of the pipe is closed then. */
static int daemon_works(void)
{
	int ends[2];
	char byte;
	pid_t child;

	if (pipe(ends) < 0)
		return 1;
	child = fork();
	if (!child) {
		close(ends[0]);
		if (fork())
			_exit(0);
		setsid();
		printf("child %d\n", getpid());
		work(memory_make());
		exit(0);
	}
	close(ends[1]);
	return child < 0 || waitpid(child, NULL, 0) != child || read(ends[0], &byte, 1) ? 1 : 5;
}

static void *fork_in_thread(void *opaque)
{
	exit(child_works(opaque));
	return NULL;
}

static void *fork_that_ends(void *opaque)
{
	pid_t child;

	puts("ready");
	line_await();
	child = fork();
	if (!child) {
		touch(opaque);
		_exit(0);
	}
	if (child < 0 || waitpid(child, NULL, 0) != child)
		exit(1);
	puts("touched");
	line_await();
	exit(0);
	return NULL;
}

/* A thread other than the first starts a child. */
static int thread_forks(void *(*routine)(void *memory))
{
	char *memory = memory_make();
	pthread_t thread;

	touch(memory);
	if (pthread_create(&thread, NULL, routine, memory))
		return 1;
	pause();
	return 1;
}

static int many(void)
{
	char *memory = memory_make();

	for (int i = 0; i < 500; i++) {
		pid_t child = fork();

		if (child < 0)
			return 1;
		if (!child) {
			memory[0] = 1;
			_exit(0);
		}
		if (waitpid(child, NULL, 0) != child)
			return 1;
	}
	puts("ready");
	line_await();
	return 0;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	static pthread_t first, other;

	arguments = argv;
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (!strcmp(kind, "leader")) {
		first = pthread_self();
		if (pthread_create(&other, NULL, work_in_thread, &first))
			return 1;
		pthread_exit(NULL);
	}
	if (!strcmp(kind, "thread_exec")) {
		touch(memory_make());
		if (pthread_create(&other, NULL, execute_in_thread, NULL))
			return 1;
		pause();
	}
	if (!strcmp(kind, "again")) {
		puts("ready");
		line_await();
		execute_again();
	}
	if (!strcmp(kind, "collapses"))
		return collapse();
	if (!strcmp(kind, "workers"))
		return workers();
	if (!strcmp(kind, "forks"))
		return forks();
	if (!strcmp(kind, "shares"))
		return shares();
	if (!strcmp(kind, "daemon"))
		return daemon_works();
	if (!strcmp(kind, "thread_forks"))
		return thread_forks(fork_in_thread);
	if (!strcmp(kind, "thread_ends"))
		return thread_forks(fork_that_ends);
	if (!strcmp(kind, "many"))
		return many();
	if (!strcmp(kind, "closes")) {
		char *block;

		close_range(3, ~0U, 0);
		block = malloc(BYTES + PAGE_BYTES);
		if (!block)
			return 1;
		work((char *)(((uintptr_t)block + PAGE_BYTES - 1) & ~(uintptr_t)(PAGE_BYTES - 1)));
		return 0;
	}
	if (!strcmp(kind, "user") && (setgid(65534) || setuid(65534)))
		return 1;
	if (!strcmp(kind, "hidden"))
		prctl(PR_SET_DUMPABLE, 0);
	if (!strcmp(kind, "remaps"))
		remap();
	else
		work(memory_make());
	return 0;
}
