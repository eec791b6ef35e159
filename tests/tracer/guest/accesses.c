/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Programs each of whose accesses is known, selected by name. The accesses that count are written
 * in assembly, to memory at a fixed address. May use POSIX.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/tracer/guest/guest.h"
#include "run/stream.h"

#define STORE8(at) __asm__ volatile("movq %%rax, (%0)" : : "r"(at) : "memory")
#define LOAD8(at) __asm__ volatile("movq (%0), %%rax" : : "r"(at) : "rax", "memory")

static void stores(uint64_t at, unsigned int count)
{
	while (count--)
		STORE8(at);
}

static void map(uint64_t start, uint64_t bytes, int flags)
{
	void *at = mmap((void *)start, bytes, PROT_READ | PROT_WRITE,
			flags | MAP_ANONYMOUS | MAP_FIXED, -1, 0);

	if (at == MAP_FAILED)
		exit(99);
}

static int plain(void)
{
	__asm__ volatile("movb %%al, (%0)\n movw %%ax, 8(%0)\n movl %%eax, 16(%0)\n"
			 "movq %%rax, 24(%0)\n"
			 "movb (%0), %%al\n movw 8(%0), %%ax\n movl 16(%0), %%eax\n"
			 "movq 24(%0), %%rax\n"
			 /* A read and a write; only a read; no access; on the stack. */
			 "addq %%rax, 4096(%0)\n cmpq %%rax, 4096(%0)\n leaq 4096(%0), %%rax\n"
			 "nopw 4096(%0)\n prefetcht0 4096(%0)\n"
			 "pushq %%rax\n popq %%rax\n"
			 "pushq 8192(%0)\n popq 8192(%0)\n"
			 :
			 : "r"(ARENA)
			 : "rax", "memory");
	return 0;
}

static int vector(void)
{
	__asm__ volatile("movaps %%xmm0, (%0)\n movaps (%0), %%xmm0\n movups 1(%0), %%xmm1\n"
			 "movsd %%xmm0, 64(%0)\n movss 64(%0), %%xmm0\n addpd (%0), %%xmm1\n"
			 "mulsd 64(%0), %%xmm1\n"
			 :
			 : "r"(ARENA)
			 : "xmm0", "xmm1", "memory");
	return 0;
}

static int avx(void)
{
	__asm__ volatile("vmovaps %%ymm0, (%0)\n vmovups 32(%0), %%ymm0\n"
			 "vaddpd 64(%0), %%ymm0, %%ymm0\n vmovsd 128(%0), %%xmm0\n vzeroupper\n"
			 :
			 : "r"(ARENA)
			 : "xmm0", "memory");
	return 0;
}

static int string(void)
{
	uint64_t from = ARENA, to = ARENA_AT(1, 0), count = 100;

	__asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
	to = ARENA_AT(2, 0);
	count = 16;
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(1ULL) : "memory");
	count = 0;
	__asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(1ULL) : "memory");
	from = ARENA_AT(2, 0);
	__asm__ volatile("lodsl" : "+S"(from) : : "rax", "memory");
	return 0;
}

static void atomics(uint64_t at)
{
	__asm__ volatile("lock addl $1, (%0)\n lock incq 8(%0)\n xchgq %%rax, 16(%0)\n"
			 "xorl %%eax, %%eax\n lock cmpxchgq %%rcx, 24(%0)\n"
			 "movl $77, %%eax\n lock cmpxchgq %%rcx, 24(%0)\n"
			 "lock xaddw %%cx, 32(%0)\n lock btsl $3, 40(%0)\n lock notb 48(%0)\n"
			 "lock cmpxchg8b 56(%0)\n"
			 "xorl %%eax, %%eax\n xorl %%edx, %%edx\n lock cmpxchg16b 64(%0)\n"
			 "movl $77, %%eax\n lock cmpxchg16b 64(%0)\n"
			 /* Not atomic: each is a read and a write. */
			 "xaddq %%rcx, 4096(%0)\n incq 4096(%0)\n xchgq %%rax, %%rcx\n"
			 :
			 : "r"(at)
			 : "rax", "rbx", "rcx", "rdx", "memory");
}

static void *nothing(void *argument)
{
	return argument;
}

static int atomic_alone(void)
{
	atomics(ARENA);
	return 0;
}

/* QEMU translates atomic instructions differently after there were two threads. */
static int atomic_parallel(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, nothing, NULL);
	pthread_join(thread, NULL);
	atomics(ARENA);
	return 0;
}

static int misaligned(void)
{
	STORE8(ARENA + 1);
	STORE8(ARENA + 4092);
	LOAD8(ARENA_AT(2, 0) - 1);
	__asm__ volatile("movups %%xmm0, (%0)" : : "r"(ARENA_AT(3, 0) - 8) : "memory");
	__asm__ volatile("lock addq $1, (%0)" : : "r"(ARENA_AT(4, 0) + 4) : "memory");
	return 0;
}

/*
 * There are 10 instructions between the first two accesses, 2 x 3000 + 1 between the next two, and
 * none between the last two.
 */
static int work(void)
{
	__asm__ volatile("movq %%rax, (%0)\n"
			 "nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n"
			 "movq %%rax, 8(%0)\n"
			 "movl $3000, %%ecx\n1: decl %%ecx\n jnz 1b\n"
			 "movq %%rax, 16(%0)\n movq %%rax, 24(%0)\n"
			 :
			 : "r"(ARENA)
			 : "rcx", "memory");
	return 0;
}

static void *store_thread(void *argument)
{
	uint64_t number = (uint64_t)argument;

	stores(ARENA_AT(number, 0), 1000 * (unsigned int)(number + 1));
	return NULL;
}

static int threads(void)
{
	pthread_t thread[4];
	uint64_t i;

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, store_thread, (void *)i);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	return 0;
}

static void *short_thread(void *argument)
{
	uint64_t number = (uint64_t)argument;

	stores(ARENA_AT(number, 0), (unsigned int)number + 1);
	return NULL;
}

static int reuse(void)
{
	pthread_t thread;
	uint64_t i;

	for (i = 0; i < 100; i++) {
		pthread_create(&thread, NULL, short_thread, (void *)i);
		pthread_join(thread, NULL);
	}
	return 0;
}

static int forks(void)
{
	int status;
	pid_t pid;

	map(ARENA_AT(8, 0), ARENA_PAGE, MAP_SHARED);
	stores(ARENA_AT(8, 0), 5);
	pid = fork();
	if (!pid) {
		/* Page 0 is a copy that only the child has. */
		stores(ARENA_AT(0, 0), 3);
		stores(ARENA_AT(8, 0), 7);
		_exit(4);
	}
	waitpid(pid, &status, 0);
	stores(ARENA_AT(0, 0), 2);
	LOAD8(ARENA_AT(8, 0));
	return WEXITSTATUS(status);
}

/* The same memory at two addresses. */
static int aliases(void)
{
	int fd = memfd_create("alias", 0);
	uint64_t first = ARENA_AT(16, 0), second = ARENA_AT(24, 0);

	if (fd < 0 || ftruncate(fd, 2 * ARENA_PAGE) < 0)
		return 99;
	if (mmap((void *)first, 2 * ARENA_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		 0) == MAP_FAILED ||
	    mmap((void *)second, ARENA_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd,
		 ARENA_PAGE) == MAP_FAILED)
		return 99;
	stores(first, 2);
	stores(second + 8, 3);
	munmap((void *)second, ARENA_PAGE);
	return 0;
}

static int maps(void)
{
	uint64_t to = ARENA_AT(60, 0);

	stores(ARENA_AT(1, 0), 3);
	munmap((void *)ARENA_AT(1, 0), ARENA_PAGE);
	/* Mapped again as a stack: accesses do not count. */
	map(ARENA_AT(1, 0), ARENA_PAGE, MAP_PRIVATE | MAP_STACK);
	stores(ARENA_AT(1, 0), 10);
	stores(ARENA_AT(2, 0), 1);
	if (mremap((void *)ARENA_AT(2, 0), ARENA_PAGE, 2 * ARENA_PAGE,
		   MREMAP_MAYMOVE | MREMAP_FIXED, (void *)to) == MAP_FAILED)
		return 99;
	stores(to + ARENA_PAGE, 4);
	return 0;
}

static int crash(void)
{
	stores(ARENA, 10);
	__asm__ volatile("movq %%rax, (%0)" : : "r"(16ULL) : "memory");
	return 0;
}

static void *exit_all(void *argument)
{
	stores(ARENA, 6);
	syscall(SYS_exit_group, 5);
	return argument;
}

static int exit_thread(void)
{
	pthread_t thread;

	stores(ARENA_AT(1, 0), 1);
	pthread_create(&thread, NULL, exit_all, NULL);
	pause();
	return 99;
}

static _Atomic int storing;

static void *store_always(void *argument)
{
	static volatile int always = 1;

	stores((uint64_t)argument, 1000);
	storing++;
	while (always)
		stores((uint64_t)argument, 1000);
	return NULL;
}

/* The other threads store while this thread exits. */
static int exit_busy(void)
{
	pthread_t thread;
	uint64_t i;

	for (i = 0; i < 3; i++)
		pthread_create(&thread, NULL, store_always, (void *)ARENA_AT(i, 0));
	while (storing < 3)
		usleep(1000);
	stores(ARENA_AT(3, 0), 5);
	return 6;
}

static int fork_busy(void)
{
	pthread_t thread;
	int i, status;
	pid_t pid;

	map(ARENA_AT(8, 0), ARENA_PAGE, MAP_SHARED);
	pthread_create(&thread, NULL, store_always, (void *)ARENA);
	for (i = 0; i < 5; i++) {
		pid = fork();
		if (!pid) {
			stores(ARENA_AT(8, 0), 100);
			_exit(0);
		}
		waitpid(pid, &status, 0);
	}
	return 0;
}

static volatile int added;

static void *add(void *unused)
{
	uint64_t number = 0;

	for (int i = 0; i < 35; i++)
		__asm__ volatile("lock xaddq %%rax, (%0)" : : "r"(&number) : "rax", "memory");
	added = 1;
	return NULL;
}

/* Each addition waits for a turn; a fork ends these waits. */
static int fork_turns(void)
{
	pthread_t thread;
	int status;
	pid_t pid;

	pthread_create(&thread, NULL, add, NULL);
	while (!added) {
		pid = fork();
		if (!pid)
			_exit(0);
		waitpid(pid, &status, 0);
	}
	return 0;
}

/* Number of the host's processors on which the calling thread may run. */
static unsigned int host_processors(void)
{
	char text[8192], *at;
	unsigned int count = 0;
	int fd = open("/proc/thread-self/status", O_RDONLY);
	ssize_t got = read(fd, text, sizeof(text) - 1);

	close(fd);
	text[got < 0 ? 0 : got] = '\0';
	at = strstr(text, "Cpus_allowed:");
	for (at = at ? strchr(at, '\t') + 1 : text; *at && *at != '\n'; at++)
		if (*at != ',')
			count += (unsigned int)__builtin_popcount(
				(unsigned int)(*at <= '9' ? *at - '0' : *at - 'a' + 10));
	return count;
}

/* Compute without a turn. */
static void *without_turns(void *argument)
{
	unsigned int *processors = argument;

	stores(ARENA_AT(7, 0), 10000);
	*processors = host_processors();
	return NULL;
}

/*
 * Return: 0 if a thread that waits for its turn runs on one of the host's processors, and both a
 * thread without turns and a program that is executed run on all of them.
 */
static int gathered(void)
{
	static uint64_t number;
	unsigned int all = host_processors(), one, other = 0;
	pthread_t thread;
	char count[16];

	__asm__ volatile("lock xaddq %%rax, (%0)" : : "r"(&number) : "rax", "memory");
	one = host_processors();
	pthread_create(&thread, NULL, without_turns, &other);
	pthread_join(thread, NULL);
	if (one != 1 || other != all)
		return (int)(10 + 10 * one + other);
	snprintf(count, sizeof(count), "%u", all);
	execl("/proc/self/exe", "accesses", "processors", count, NULL);
	return 1;
}

static int segments(void)
{
	int id = shmget(IPC_PRIVATE, 2 * ARENA_PAGE, 0600);
	void *first = shmat(id, (void *)ARENA_AT(16, 0), SHM_REMAP);
	void *second = shmat(id, (void *)ARENA_AT(24, 0), SHM_REMAP);

	shmctl(id, IPC_RMID, NULL);
	if (first == (void *)-1 || second == (void *)-1)
		return 99;
	stores(ARENA_AT(16, 0), 4);
	stores(ARENA_AT(25, 0), 3);
	shmdt(second);
	shmdt(first);
	return 0;
}

static int pipes(void)
{
	char byte;
	int fd[2];

	if (pipe(fd) < 0 || write(fd[1], "x", 1) != 1)
		return 99;
	return read(fd[0], &byte, 1) == 1 ? 0 : 98;
}

/* Waits that end by their time-outs, and two waits that do not. */
static int waits(void)
{
	struct timespec time = {.tv_nsec = 3000000};
	struct pollfd fd = {.events = POLLIN};
	int pair[2], word = 0;

	if (pipe(pair) < 0)
		return 99;
	fd.fd = pair[0];
	if (nanosleep(&time, NULL) < 0 || poll(&fd, 1, 2) != 0)
		return 98;
	if (syscall(SYS_select, 0, NULL, NULL, NULL, &(struct timeval){.tv_usec = 1000}) != 0)
		return 97;
	if (syscall(SYS_futex, &word, FUTEX_WAIT, 0, &time, NULL, 0) != -1 || errno != ETIMEDOUT)
		return 96;
	clock_gettime(CLOCK_MONOTONIC, &time);
	time.tv_sec += 1;
	if (syscall(SYS_futex, &word, FUTEX_WAIT_BITSET, 0, &time, NULL, FUTEX_BITSET_MATCH_ANY) !=
		    -1 ||
	    errno != ETIMEDOUT)
		return 95;
	/* The word already has another value. */
	if (syscall(SYS_futex, &word, FUTEX_WAIT, 1, &time, NULL, 0) != -1 || errno != EAGAIN)
		return 94;
	/* An invalid pointer to the time. */
	if (syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, 8L, NULL) != -1 || errno != EFAULT)
		return 93;
	return write(pair[1], "x", 1) == 1 && poll(&fd, 1, 1000) == 1 ? 0 : 92;
}

static pthread_t first;

static void *last_thread(void *argument)
{
	pthread_join(first, NULL);
	stores(ARENA_AT(1, 0), 9);
	return argument;
}

static int main_exits(void)
{
	pthread_t thread;

	first = pthread_self();
	pthread_create(&thread, NULL, last_thread, NULL);
	stores(ARENA, 1);
	pthread_exit(NULL);
}

static int executes(void)
{
	stores(ARENA, 3);
	execl("/nowhere/to/be/found", "found", NULL);
	stores(ARENA, 1);
	execl("/bin/sh", "sh", "-c", "exit 7", NULL);
	return 99;
}

static int many(void)
{
	stores(ARENA, 400000);
	return 0;
}

static _Atomic int word;

static void *futex_wait(void *argument)
{
	syscall(SYS_futex, &word, FUTEX_WAIT, 0, NULL, NULL, 0);
	stores(ARENA_AT(1, 0), 1);
	return argument;
}

static int futex(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, futex_wait, NULL);
	stores(ARENA, 1);
	/* Repeat until the thread waits and can be woken. */
	while (syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0) != 1)
		usleep(10000);
	pthread_join(thread, NULL);
	return 0;
}

static long mark(long call, long a, long b, long c, long d, long e)
{
	return syscall(STREAM_CALL, call, a, b, c, d, e);
}

static int marks(void)
{
	long name[5] = {0};

	memcpy(name, "second half", 12);
	mark(STREAM_CALL_PHASE, name[0], name[1], name[2], name[3], name[4]);
	mark(STREAM_CALL_CREATE, 0x77, 1, 0, 0, 0);
	mark(STREAM_CALL_JOIN, 0x77, 0, 0, 0, 0);
	mark(STREAM_CALL_BARRIER, 0x1000, 4, 0, 0, 0);
	mark(STREAM_CALL_ACQUIRE, 0x2000, 1, 0, 0, 0);
	/* This wait is not reported, and does not count as work. */
	syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
	mark(STREAM_CALL_ACQUIRED, 0, 0, 0, 0, 0);
	STORE8(ARENA);
	mark(STREAM_CALL_RELEASE, 0x2000, 0, 0, 0, 0);
	mark(STREAM_CALL_PAUSE, 0, 0, 0, 0, 0);
	syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
	mark(STREAM_CALL_RESUME, 0, 0, 0, 0, 0);
	STORE8(ARENA);
	mark(STREAM_CALL_ALLOCATE, 0x3000, 64, 1, 0, 0);
	mark(STREAM_CALL_ALLOCATE, 0x3100, 64, 1, 0, 0);
	mark(STREAM_CALL_FREE, 0x3000, 0, 0, 0, 0);
	mark(STREAM_CALL_PLACE, (long)ARENA, 8192, 3, 0, 0);
	memcpy(name, "matrix", 7);
	mark(STREAM_CALL_NAME, (long)ARENA, 8192, name[0], 0, 0);
	STORE8(ARENA_AT(1, 0));
	return 0;
}

static int stack(void)
{
	volatile uint64_t local[2];

	STORE8((uint64_t)&local[0]);
	__asm__ volatile("pushq %%rax\n popq %%rax" : : : "memory");
	STORE8(ARENA);
	return 0;
}

static const struct {
	const char *name;
	int (*run)(void);
} cases[] = {
	{"plain", plain},
	{"vector", vector},
	{"avx", avx},
	{"string", string},
	{"atomic-alone", atomic_alone},
	{"atomic-parallel", atomic_parallel},
	{"misaligned", misaligned},
	{"work", work},
	{"threads", threads},
	{"reuse", reuse},
	{"fork", forks},
	{"aliases", aliases},
	{"maps", maps},
	{"crash", crash},
	{"exit-thread", exit_thread},
	{"exit-busy", exit_busy},
	{"fork-busy", fork_busy},
	{"fork-turns", fork_turns},
	{"gathered", gathered},
	{"segments", segments},
	{"pipe", pipes},
	{"waits", waits},
	{"main-exits", main_exits},
	{"exec", executes},
	{"many", many},
	{"futex", futex},
	{"marks", marks},
	{"stack", stack},
};

int main(int argc, char **argv)
{
	size_t i;

	if (argc == 3 && !strcmp(argv[1], "processors"))
		return host_processors() != (unsigned int)atoi(argv[2]);
	map(ARENA, ARENA_PAGES * ARENA_PAGE, MAP_PRIVATE);
	for (i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
		if (!strcmp(argv[1], cases[i].name))
			return cases[i].run();
	}
	return 98;
}
