/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Answers system calls about nodes for programs on the emulated machine: about the node on which a
 * thread runs, and about the node for memory. Some programs and libraries, such as libnuma, use
 * these system calls instead of functions of libc. This file may use preload.h.
 *
 * If a program has placed memory, this library knows which homes the program requested for the
 * pages, and answers queries about them. Only the replay knows the homes of all other pages, so the
 * library reports that those pages are on the calling thread's node.
 */
#include <errno.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/preload/base/preload.h"

/* Other architectures have other system call numbers, but this library does not run on them. */
#ifdef __x86_64__

#define PAGE 4096UL
#define NODES_MAX 64U
#define WORD_BITS (8 * sizeof(unsigned long))
#define PLACED_MAX 1024U

/**
 * struct placed - Memory that the program has placed.
 *
 * @start: address of the first byte
 * @end: one past the address of the last byte
 * @mode: the mode of the memory's policy, MPOL_*
 * @nodes: the nodes that the program requested, with one bit for each node
 */
struct placed {
	uint64_t start;
	uint64_t end;
	int mode;
	uint64_t nodes;
};

static struct placed placed[PLACED_MAX];
static _Atomic unsigned int placed_count;
static pthread_mutex_t placed_lock = PTHREAD_MUTEX_INITIALIZER;

/*
 * The policy that the thread has set for memory without a separate policy. The library only returns
 * it to the program. The placement on the emulated machine does not depend on it.
 */
static __thread int own_mode;
static __thread uint64_t own_nodes;

static long raw(long number, const unsigned long *a)
{
	register unsigned long fourth __asm__("r10") = a[3];
	register unsigned long fifth __asm__("r8") = a[4];
	register unsigned long sixth __asm__("r9") = a[5];
	long result = number;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(a[0]), "S"(a[1]), "d"(a[2]), "r"(fourth), "r"(fifth), "r"(sixth)
			 : "rcx", "r11", "memory");
	return result;
}

/* Read the set of nodes at @mask. Return: 0 or -errno. */
static long nodes_read(const unsigned long *mask, unsigned long bits, unsigned int nodes,
		       uint64_t *set)
{
	*set = 0;
	if (!mask || bits <= 1)
		return 0;
	/* The kernel reads one bit fewer than the argument specifies. */
	for (unsigned long i = 0; i < bits - 1; i++) {
		if (!(mask[i / WORD_BITS] >> i % WORD_BITS & 1))
			continue;
		if (i >= nodes)
			return -EINVAL;
		*set |= 1ULL << i;
	}
	return 0;
}

static long nodes_write(unsigned long *mask, unsigned long bits, uint64_t set)
{
	unsigned long words = (bits + WORD_BITS - 1) / WORD_BITS;

	if (!mask)
		return 0;
	if (bits < NODES_MAX)
		return -EINVAL;
	memset(mask, 0, words * sizeof(*mask));
	mask[0] = set;
	return 0;
}

static uint64_t nodes_all(unsigned int nodes)
{
	return nodes == NODES_MAX ? UINT64_MAX : (1ULL << nodes) - 1;
}

/* Get the node at position @index of a set, counted from 0. */
static unsigned int nodes_nth(uint64_t set, unsigned int index)
{
	while (index--)
		set &= set - 1;
	return (unsigned int)__builtin_ctzll(set);
}

/* Get the node for a page of memory that the program has placed. */
static unsigned int node_of(const struct placed *p, uint64_t address, unsigned int nodes)
{
	if (p->mode == MPOL_INTERLEAVE)
		return nodes_nth(p->nodes,
				 (unsigned int)((address - p->start) / PAGE %
						(uint64_t)__builtin_popcountll(p->nodes)));
	if (p->nodes >> trace_node(nodes) & 1)
		return trace_node(nodes);
	return nodes_nth(p->nodes, 0);
}

static unsigned int node_known(uint64_t address, unsigned int nodes)
{
	unsigned int node = trace_node(nodes), i;

	pthread_mutex_lock(&placed_lock);
	for (i = placed_count; i-- > 0;) {
		if (address < placed[i].start || address >= placed[i].end)
			continue;
		/*
		 * If the last entry for this memory has no nodes, the program has removed the
		 * policy, so no earlier entry applies.
		 */
		if (placed[i].nodes)
			node = node_of(&placed[i], address, nodes);
		break;
	}
	pthread_mutex_unlock(&placed_lock);
	return node;
}

static void placed_note(const struct placed *p)
{
	pthread_mutex_lock(&placed_lock);
	/*
	 * Remove the oldest entry. Its memory stays on its nodes, but queries no longer find its
	 * policy.
	 */
	if (placed_count == PLACED_MAX)
		memmove(placed, placed + 1, --placed_count * sizeof(*placed));
	placed[placed_count++] = *p;
	pthread_mutex_unlock(&placed_lock);
}

/*
 * Handle memory that the program unmaps. If other memory is mapped at the same addresses later, the
 * old policy must not apply to it.
 */
static void placed_end(uint64_t start, uint64_t bytes)
{
	const struct placed p = {start, start + bytes, MPOL_DEFAULT, 0};
	bool any = false;

	/*
	 * Nearly all programs place no memory. In this case, avoid the lock, because the tracer
	 * would see it as a lock of the program.
	 */
	if (!placed_count)
		return;
	pthread_mutex_lock(&placed_lock);
	for (unsigned int i = 0; i < placed_count; i++)
		any |= placed[i].start < p.end && placed[i].end > p.start && placed[i].nodes;
	pthread_mutex_unlock(&placed_lock);
	if (any)
		placed_note(&p);
}

/*
 * Report that the program places memory. @node: the node, or STREAM_NO_NODE. @moves: whether pages
 * that already have a home must move.
 */
static void place(uint64_t start, uint64_t bytes, uint64_t node, bool moves)
{
	trace_call(STREAM_CALL_PLACE, start, bytes, node, moves, 0);
}

static long bind_memory(const unsigned long *a, unsigned int nodes)
{
	int mode = (int)(a[2] & ~(unsigned long)MPOL_MODE_FLAGS);
	bool moves = a[5] & (MPOL_MF_MOVE | MPOL_MF_MOVE_ALL);
	struct placed p = {a[0], (a[0] + a[1] + PAGE - 1) & ~(PAGE - 1), mode, 0};
	long err = nodes_read((const unsigned long *)a[3], a[4], nodes, &p.nodes);

	if (err)
		return err;
	if (a[0] % PAGE || p.end < p.start || mode < 0 || mode >= MPOL_MAX)
		return -EINVAL;
	if (mode == MPOL_DEFAULT || mode == MPOL_LOCAL || (mode == MPOL_PREFERRED && !p.nodes))
		p.nodes = 0;
	else if (!p.nodes)
		return -EINVAL;
	if (p.end == p.start)
		return 0;
	placed_note(&p);
	if (!p.nodes) {
		place(p.start, p.end - p.start, STREAM_NO_NODE, moves);
		return 0;
	}
	if (mode != MPOL_INTERLEAVE || !(p.nodes & (p.nodes - 1))) {
		place(p.start, p.end - p.start, node_of(&p, p.start, nodes), moves);
		return 0;
	}
	for (uint64_t page = p.start; page < p.end; page += PAGE)
		place(page, PAGE, node_of(&p, page, nodes), moves);
	return 0;
}

static long policy_get(const unsigned long *a, unsigned int nodes)
{
	int *mode = (int *)a[0];
	unsigned long flags = a[4];
	uint64_t set = own_nodes;

	if (flags & MPOL_F_MEMS_ALLOWED) {
		if (flags != MPOL_F_MEMS_ALLOWED)
			return -EINVAL;
		if (mode)
			*mode = MPOL_DEFAULT;
		return nodes_write((unsigned long *)a[1], a[2], nodes_all(nodes));
	}
	if (mode)
		*mode = own_mode;
	if (mode && flags & MPOL_F_NODE)
		*mode = (int)(flags & MPOL_F_ADDR ? node_known(a[3], nodes) : trace_node(nodes));
	if (flags & MPOL_F_ADDR)
		set = 1ULL << node_known(a[3], nodes);
	return nodes_write((unsigned long *)a[1], a[2], set);
}

static long policy_set(const unsigned long *a, unsigned int nodes)
{
	int mode = (int)(a[0] & ~(unsigned long)MPOL_MODE_FLAGS);
	uint64_t set;
	long err = nodes_read((const unsigned long *)a[1], a[2], nodes, &set);

	if (err)
		return err;
	if (mode < 0 || mode >= MPOL_MAX)
		return -EINVAL;
	/*
	 * Report nothing before trace_start(). At that time, the constructor of libnuma only tries
	 * which policies exist.
	 */
	if (trace_on && mode != MPOL_DEFAULT && mode != MPOL_LOCAL && set)
		trace_emit(STREAM_CALL_NOTE, STREAM_NOTE_POLICY, 0);
	own_mode = mode;
	own_nodes = set;
	return 0;
}

static long move_pages(const unsigned long *a, unsigned int nodes)
{
	const uint64_t *pages = (const uint64_t *)a[2];
	const int *to = (const int *)a[3];
	int *status = (int *)a[4];

	if (a[0] && a[0] != trace_ask_id(SYS_getpid))
		return -EPERM;
	for (unsigned long i = 0; i < a[1]; i++) {
		uint64_t page = pages[i] & ~(PAGE - 1);
		struct placed p = {page, page + PAGE, MPOL_BIND, 0};

		if (to && (to[i] < 0 || (unsigned int)to[i] >= nodes))
			return -ENODEV;
		if (to) {
			p.nodes = 1ULL << to[i];
			placed_note(&p);
			place(page, PAGE, (unsigned int)to[i], true);
		}
		if (status)
			status[i] = (int)node_known(page, nodes);
	}
	return 0;
}

static long where(const unsigned long *a, unsigned int nodes)
{
	unsigned int *cpu = (unsigned int *)a[0], *node = (unsigned int *)a[1];

	if (cpu)
		*cpu = trace_node(nodes);
	if (node)
		*node = trace_node(nodes);
	return 0;
}

/* Like the kernel, return the number of bytes that were written. */
static long affinity(const unsigned long *a)
{
	if (sched_getaffinity((pid_t)a[0], a[1], (cpu_set_t *)a[2]) < 0)
		return -errno;
	return a[1] < NODES_MAX / 8 ? (long)a[1] : NODES_MAX / 8;
}

/* Answer a system call. Return: the result in the form that the kernel uses. */
static long answer(long number, const unsigned long *a, unsigned int nodes)
{
	switch (number) {
	case SYS_getcpu:
		return where(a, nodes);
	case SYS_sched_getaffinity:
		return affinity(a);
	case SYS_sched_setaffinity:
		return sched_setaffinity((pid_t)a[0], a[1], (const cpu_set_t *)a[2]) < 0 ? -errno
											 : 0;
	case SYS_get_mempolicy:
		return policy_get(a, nodes);
	case SYS_set_mempolicy:
		return policy_set(a, nodes);
	case SYS_mbind:
		return bind_memory(a, nodes);
	case SYS_move_pages:
		return move_pages(a, nodes);
	default:
		return raw(number, a);
	}
}

static bool asks(long number)
{
	return number == SYS_getcpu || number == SYS_sched_getaffinity ||
	       number == SYS_sched_setaffinity || number == SYS_get_mempolicy ||
	       number == SYS_set_mempolicy || number == SYS_mbind || number == SYS_move_pages;
}

EXPORT long syscall(long number, ...)
{
	unsigned int nodes = 0;
	unsigned long a[6];
	va_list list;
	long result;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, unsigned long);
	va_end(list);
	/*
	 * Add MCL_ONFAULT, which makes the kernel lock a page only when the page is first touched.
	 * Without it, the kernel would lock the tracer's table of pages, which occupies 32 GB of
	 * addresses.
	 */
	if (number == SYS_mlockall) {
		if (trace_on && !(a[0] & MCL_ONFAULT))
			trace_emit(STREAM_CALL_NOTE, STREAM_NOTE_LOCKED, 0);
		a[0] |= MCL_ONFAULT;
	}
	if (number == SYS_munmap)
		placed_end(a[0], a[1]);
	/* The constructor of libnuma can call this function before trace_start(). */
	if (asks(number))
		nodes = trace_processors();
	result = nodes ? answer(number, a, nodes) : raw(number, a);
	if (result >= 0 || result < -4095)
		return result;
	errno = (int)-result;
	return -1;
}

/*
 * Write the set of all nodes, either as a list such as "0-3" or as a mask such as
 * "00000000,0000000f".
 */
static void all_write(FILE *to, bool list, unsigned int nodes)
{
	uint64_t set = nodes_all(nodes);

	if (list)
		fprintf(to, nodes > 1 ? "0-%u\n" : "0\n", nodes - 1);
	else
		fprintf(to, "%08x,%08x\n", (unsigned int)(set >> 32), (unsigned int)set);
}

/*
 * Open a copy of /proc/self/status that contains the emulated machine's processors and nodes.
 * Return: the copy; NULL if the copy cannot be made, so that the program reads the original.
 */
static FILE *status_open(unsigned int nodes)
{
	static const char *const names[] = {
		"Cpus_allowed:", "Cpus_allowed_list:", "Mems_allowed:", "Mems_allowed_list:"};
	FILE *from = NEXT(fopen)("/proc/self/status", "re"), *to;
	char line[8192];
	int fd;

	if (!from)
		return NULL;
	fd = memfd_create("status", MFD_CLOEXEC);
	to = fd < 0 ? NULL : fdopen(fd, "r+");
	while (to && fgets(line, sizeof(line), from)) {
		size_t i, length = strcspn(line, "\t");

		for (i = 0; i < 4; i++)
			if (strlen(names[i]) == length && !strncmp(line, names[i], length))
				break;
		if (i == 4) {
			fputs(line, to);
			continue;
		}
		fprintf(to, "%s\t", names[i]);
		all_write(to, i % 2, nodes);
	}
	fclose(from);
	if (to)
		rewind(to);
	else if (fd >= 0)
		close(fd);
	return to;
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
	unsigned int nodes = 0;
	FILE *file = NULL;

	if (path && mode && mode[0] == 'r' && !strcmp(path, "/proc/self/status"))
		nodes = trace_processors();
	if (nodes)
		file = status_open(nodes);
	return file ? file : NEXT(fopen)(path, mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
	return fopen(path, mode);
}

EXPORT int getcpu(unsigned int *cpu, unsigned int *node)
{
	return (int)syscall(SYS_getcpu, cpu, node, 0UL, 0UL, 0UL, 0UL);
}

#endif /* __x86_64__ */
