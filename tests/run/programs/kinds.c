/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with instructions of all kinds, each with known accesses, for the tests of `smile run`.
 * Each kind has two pages; thread t of four executes each kind t + 1 times. The known numbers are
 * of transactions: an access has one transaction for each block of 16 bytes that it touches.
 */
#include <pthread.h>
#include <string.h>

#include "known.h"

#define THREADS 4
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static char arena[2 * 16 * KNOWN_PAGE] KNOWN_ALIGNED;
static pthread_barrier_t barrier;
static volatile size_t copied = 256, filled = 128;

static void plain(char *p)
{
	__asm__ volatile("movb %%al, (%0)\n movw %%ax, 8(%0)\n movl %%eax, 16(%0)\n"
			 "movq %%rax, 24(%0)\n movb (%0), %%al\n movw 8(%0), %%ax\n"
			 "movl 16(%0), %%eax\n movq 24(%0), %%rax\n"
			 :
			 : "r"(p)
			 : "rax", "memory");
}

static void modify(char *p)
{
	__asm__ volatile("addq %%rax, (%0)\n incl 8(%0)\n cmpq %%rax, (%0)\n"
			 :
			 : "r"(p)
			 : "cc", "memory");
}

/* 16 bytes are accessed as two words of 8. */
static void sse(char *p)
{
	__asm__ volatile("movaps %%xmm0, (%0)\n movaps (%0), %%xmm0\n movups 8(%0), %%xmm1\n"
			 "addpd (%0), %%xmm1\n movsd %%xmm0, 64(%0)\n movss 64(%0), %%xmm0\n"
			 :
			 : "r"(p)
			 : "xmm0", "xmm1", "memory");
}

/* 32 bytes are accessed as four words of 8. */
static void avx(char *p)
{
	__asm__ volatile("vmovaps %%ymm0, (%0)\n vmovups 32(%0), %%ymm0\n"
			 "vaddpd 64(%0), %%ymm0, %%ymm0\n vmovsd 128(%0), %%xmm0\n vzeroupper\n"
			 :
			 : "r"(p)
			 : "xmm0", "memory");
}

/*
 * These instructions have operands for which QEMU reads more bytes: numbers, half a vector, and the
 * distance of a shift. The instructions of the loop read parts of an array in sequence.
 */
static void numbers(char *p)
{
	char *at = p, *end = p + 80;

	__asm__ volatile("1: vfmadd231sd (%0), %%xmm0, %%xmm1\n add $8, %0\n cmp %1, %0\n jb 1b\n"
			 "vfnmsub132ss (%2), %%xmm0, %%xmm1\n"
			 "vfmadd213sd 4088(%2), %%xmm0, %%xmm1\n cvtdq2pd (%2), %%xmm0\n"
			 "vcvtdq2pd (%2), %%ymm0\n vpsllw (%2), %%ymm0, %%ymm0\n"
			 "vpsrad (%2), %%ymm0, %%ymm0\n vzeroupper\n"
			 : "+&r"(at)
			 : "r"(end), "r"(p)
			 : "xmm0", "xmm1", "cc", "memory");
}

static void movs(char *p)
{
	char *from = p, *to = p + KNOWN_PAGE;
	size_t count = 100;

	__asm__ volatile("rep movsb" : "+S"(from), "+D"(to), "+c"(count) : : "memory");
}

static void stos(char *p)
{
	char *to = p, *in = p + KNOWN_PAGE;
	size_t count = 16;

	__asm__ volatile("rep stosq" : "+D"(to), "+c"(count) : "a"(1UL) : "memory");
	count = 10;
	__asm__ volatile("repne scasb" : "+D"(in), "+c"(count) : "a"(1UL) : "cc", "memory");
}

/* Each instruction is one lock access, even if its comparison fails. */
static void atomics(char *p)
{
	__asm__ volatile("lock addl $1, (%0)\n lock incq 8(%0)\n xchgq %%rax, 16(%0)\n"
			 "movq $-1, %%rax\n lock cmpxchgq %%rcx, 24(%0)\n"
			 "movq 24(%1), %%rax\n"
			 "lock xaddw %%cx, 32(%0)\n lock btsl $3, 40(%0)\n lock cmpxchg8b 56(%0)\n"
			 "lock cmpxchg16b 64(%0)\n movl $77, %%eax\n lock cmpxchg16b 64(%0)\n"
			 :
			 : "r"(p), "r"(p + KNOWN_PAGE)
			 : "rax", "rbx", "rcx", "rdx", "cc", "memory");
}

static void misaligned(char *p)
{
	__asm__ volatile("movq %%rax, 1(%0)\n movl 3(%0), %%eax\n lock addl $1, 17(%0)\n"
			 :
			 : "r"(p)
			 : "rax", "cc", "memory");
}

/*
 * Accesses across the end of a block of 16 bytes. The second word of the store at 44 is in one
 * block.
 */
static void blocks(char *p)
{
	__asm__ volatile("movq %%rax, 12(%0)\n movq 9(%0), %%rax\n movups %%xmm0, 44(%0)\n"
			 "lock addq $1, 76(%0)\n"
			 :
			 : "r"(p)
			 : "rax", "cc", "memory");
}

static void pages(char *p)
{
	__asm__ volatile("movq %%rax, 4092(%0)\n movq 4095(%0), %%rax\n movups %%xmm0, 4088(%0)\n"
			 "lock addq $1, 4090(%0)\n"
			 :
			 : "r"(p)
			 : "rax", "cc", "memory");
}

/* libc's functions copy in words of 8 bytes. */
static void copies(char *p)
{
	memcpy(p + KNOWN_PAGE, p, copied);
	memset(p + KNOWN_PAGE, 1, filled);
}

/* For each kind: the reads, writes and locks of the first page, and of the second page. */
static const struct kind {
	void (*run)(char *p);
	unsigned long first[3], second[3];
} kinds[] = {
	{plain, {4, 4, 0}, {0, 0, 0}},
	{modify, {3, 2, 0}, {0, 0, 0}},
	{sse, {2 + 2 + 2 + 1, 2 + 1, 0}, {0, 0, 0}},
	{avx, {4 + 4 + 1, 4, 0}, {0, 0, 0}},
	{numbers, {10 + 1 + 1 + 1 + 2 + 2 + 2, 0, 0}, {0, 0, 0}},
	{movs, {100, 0, 0}, {0, 100, 0}},
	{stos, {0, 16, 0}, {10, 0, 0}},
	{atomics, {0, 0, 9}, {1, 0, 0}},
	{misaligned, {1, 1, 1}, {0, 0, 0}},
	{blocks, {2, 2 + 3, 2}, {0, 0, 0}},
	{pages, {1, 2, 1}, {1, 2, 1}},
	{copies, {32, 0, 0}, {0, 32 + 16, 0}},
};

/*
 * All threads use the same pages at the same time. With most of these instructions, the stored
 * values depend on which thread is faster. The number of accesses does not depend on the values.
 */
static void *work(void *opaque)
{
	uintptr_t thread = (uintptr_t)opaque;

	pthread_barrier_wait(&barrier);
	for (uintptr_t i = 0; i <= thread; i++)
		for (size_t k = 0; k < KINDS; k++)
			kinds[k].run(arena + 2 * k * KNOWN_PAGE);
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];

	if (pthread_barrier_init(&barrier, NULL, THREADS))
		return 2;
	for (uintptr_t t = 1; t < THREADS; t++)
		if (pthread_create(&threads[t], NULL, work, (void *)t))
			return 2;
	work(NULL);
	for (size_t t = 1; t < THREADS; t++)
		pthread_join(threads[t], NULL);
	for (size_t k = 0; k < KINDS; k++) {
		for (int t = 0; t < THREADS; t++) {
			unsigned long n = (unsigned long)t + 1;
			const unsigned long *a = kinds[k].first, *b = kinds[k].second;

			known(arena + 2 * k * KNOWN_PAGE, t, n * a[0], n * a[1], n * a[2]);
			known(arena + (2 * k + 1) * KNOWN_PAGE, t, n * b[0], n * b[1], n * b[2]);
		}
	}
	return 0;
}
