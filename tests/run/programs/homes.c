/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with pages that are released, moved, mapped a second time, placed, or first written by
 * the kernel, for the tests of `smile run`. There are two nodes, with placement by first touch.
 * Thread 0 runs on node 0, and each thread that writes() creates runs on node 1. A line "home PAGE
 * HOME" is printed for each page that node 1 has written 100 times while its home was HOME.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <numa.h>
#include <numaif.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define PAGE 4096UL

static char data[8 * PAGE] __attribute__((aligned(4096)));

static void store(volatile char *at, unsigned int count)
{
	while (count--)
		*at = 1;
}

static void *store_100(void *at)
{
	store(at, 100);
	return NULL;
}

static void *nothing(void *argument)
{
	return argument;
}

static void in_thread(void *(*run)(void *), void *argument)
{
	pthread_t thread;

	pthread_create(&thread, NULL, run, argument);
	pthread_join(thread, NULL);
}

/* Print the node of a page that no longer has a policy. */
static void *ask(void *page)
{
	int status = -1;

	move_pages(0, 1, &page, NULL, &status, 0);
	if (status != 1)
		printf("a page of node %d\n", status);
	return NULL;
}

/* Let node 1 write the page of @at. Report it as the page of @as with the home @home. */
static void writes_as(void *at, void *as, int home)
{
	in_thread(store_100, at);
	/* Create a thread on node 0, so that the next one is on node 1. */
	in_thread(nothing, NULL);
	printf("home %lu %d\n", (unsigned long)((uintptr_t)as / PAGE), home);
}

static void writes(void *at, int home)
{
	writes_as(at, at, home);
}

static char *map(void *at, size_t pages, int flags, int fd)
{
	return mmap(at, pages * PAGE, PROT_READ | PROT_WRITE, flags | (at ? MAP_FIXED : 0), fd, 0);
}

static char *map_private(void *at, size_t pages)
{
	return map(at, pages, MAP_PRIVATE | MAP_ANONYMOUS, -1);
}

static int file(void)
{
	int fd = memfd_create("homes", 0);

	return ftruncate(fd, 8 * PAGE) ? -1 : fd;
}

/* Private memory at addresses where memory was shared before. */
static void shared_replaced(void)
{
	char *memory = map(NULL, 2, MAP_SHARED | MAP_ANONYMOUS, -1);

	store(memory, 1);
	munmap(memory, 2 * PAGE);
	writes(map_private(memory, 2), 1);
	memory = map(NULL, 2, MAP_SHARED, file());
	store(memory, 1);
	munmap(memory, 2 * PAGE);
	writes(map(memory, 2, MAP_SHARED, file()), 1);
}

/* Pages of a file stay on their nodes, wherever they are mapped. */
static void shared_again(void)
{
	int fd = file();
	char *memory = map(NULL, 2, MAP_SHARED, fd), *second, *moved;

	store(memory, 1);
	munmap(memory, 2 * PAGE);
	writes(map(memory, 2, MAP_SHARED, fd), 0);
	second = map(NULL, 2, MAP_SHARED, fd);
	munmap(memory, 2 * PAGE);
	writes(second, 0);
	/* This page makes the mapping move. */
	map_private(second + 2 * PAGE, 1);
	moved = mremap(second, 2 * PAGE, 4 * PAGE, MREMAP_MAYMOVE);
	writes(moved, 0);
	writes(moved + 2 * PAGE, 1);
	writes(map_private(second, 2), 1);
}

/* Mappings of parts of the same file. */
static void overlapping(void)
{
	int fd = file();
	char *first = map(NULL, 1, MAP_SHARED, fd), *all = map(NULL, 4, MAP_SHARED, fd);
	char *last = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 2 * PAGE);

	store(first, 1);
	writes_as(all, first, 0);
	store(last, 1);
	writes_as(all + 2 * PAGE, all + 2 * PAGE, 0);
	writes_as(last + PAGE, all + 3 * PAGE, 1);
	writes(last + 2 * PAGE, 1);
	store(all + PAGE, 1);
	writes(all + PAGE, 0);
}

static void segment(void)
{
	int id = shmget(IPC_PRIVATE, 2 * PAGE, 0600 | IPC_CREAT);
	char *first = shmat(id, NULL, 0), *second = shmat(id, NULL, 0);

	shmctl(id, IPC_RMID, NULL);
	store(first, 1);
	shmdt(first);
	writes(second, 0);
	shmdt(second);
	writes(map_private(second, 2), 1);
}

static void moved(void)
{
	char *memory = map_private(NULL, 4), *to = map_private(NULL, 4);

	for (size_t page = 0; page < 4; page++)
		store(memory + page * PAGE, 1);
	if (mremap(memory, 4 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, to) != to)
		return;
	map_private(memory, 4);
	writes(to, 0);
	writes(memory, 1);
	/* The page was in the part that mremap(2) has unmapped. */
	writes(memory + 3 * PAGE, 1);
}

/* A policy ends with the mapping or when it is replaced. It moves with the mapping. */
static void placed(void)
{
	struct bitmask *zero = numa_parse_nodestring("0");
	char *memory = map_private(NULL, 4), *to;

	mbind(memory, 4 * PAGE, MPOL_BIND, zero->maskp, zero->size + 1, 0);
	writes(memory, 0);
	mbind(memory, 4 * PAGE, MPOL_DEFAULT, NULL, 0, 0);
	writes(memory + PAGE, 1);
	mbind(memory, 4 * PAGE, MPOL_BIND, zero->maskp, zero->size + 1, 0);
	map_private(memory + 4 * PAGE, 1);
	to = mremap(memory, 4 * PAGE, 8 * PAGE, MREMAP_MAYMOVE);
	writes(to + 2 * PAGE, 0);
	writes(map_private(memory, 4) + 2 * PAGE, 1);
	munmap(to, 8 * PAGE);
	writes(map_private(to, 4) + 3 * PAGE, 1);
	/* Without a policy, move_pages(2) returns the node of the thread. */
	in_thread(ask, to);
	in_thread(nothing, NULL);
	/* libnuma's constructor reads its node mask from files. */
	memory = numa_alloc_interleaved(4 * PAGE);
	writes(memory, 0);
	writes(memory + PAGE, 1);
}

/* The kernel writes a page first. */
static void written(const char *name)
{
	struct iovec part = {data + PAGE, 10};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	int sockets[2], fd = open(name, O_RDONLY);
	char *memory;

	if (fd < 0 || read(fd, data, 10) != 10 || readv(fd, &part, 1) != 10 ||
	    pread(fd, data + 2 * PAGE, 10, 0) != 10)
		return;
	writes(data, 0);
	writes(data + PAGE, 0);
	writes(data + 2 * PAGE, 0);
	part.iov_base = data + 3 * PAGE;
	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets) || send(sockets[0], "a", 1, 0) != 1 ||
	    recvmsg(sockets[1], &message, 0) != 1)
		return;
	writes(data + 3 * PAGE, 0);
	/* Here, the kernel writes nothing. */
	if (read(fd, data + 4 * PAGE, 0))
		return;
	writes(data + 4 * PAGE, 1);
	memory = map(NULL, 1, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1);
	writes(memory, 0);
	memory = map_private(NULL, 1);
	if (mlock(memory, PAGE) == 0)
		writes(memory, 0);
}

/* Requests that have no effect. */
static void ignored(void)
{
	struct bitmask *one = numa_parse_nodestring("1");

	set_mempolicy(MPOL_BIND, one->maskp, one->size + 1);
	numa_run_on_node(1);
	mlockall(MCL_CURRENT | MCL_FUTURE);
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "";

	if (!strcmp(name, "replaced"))
		shared_replaced();
	else if (!strcmp(name, "again"))
		shared_again();
	else if (!strcmp(name, "overlapping"))
		overlapping();
	else if (!strcmp(name, "segment"))
		segment();
	else if (!strcmp(name, "moved"))
		moved();
	else if (!strcmp(name, "placed"))
		placed();
	else if (!strcmp(name, "written"))
		written(argv[0]);
	else if (!strcmp(name, "ignored"))
		ignored();
	else
		return 2;
	return 0;
}
