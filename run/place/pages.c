/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Places pages on nodes, with mbind() and move_pages(). This file may use place.h.
 *
 * The library gives a range of pages the policy "preferred". When the program touches a new page of
 * the range, the kernel allocates the page on the preferred node if that node has free memory, and
 * otherwise on another node. The library moves pages that already exist. It touches no page of the
 * range itself, so it causes no allocation. The kernel's automatic balancing does not move memory
 * that has such a policy.
 *
 * Under `smile sample`, however, the kernel must scan the memory, because otherwise it delivers no
 * samples. A policy with the flag MPOL_F_NUMA_BALANCING makes the kernel scan the memory. With this
 * flag, the kernel moves pages only to the nodes of the policy, so the pages stay where the plan
 * has put them. Linux 5.12 and later accept the flag with the policy "bind"; only Linux 6.10 and
 * later accept it with "preferred many". With "bind", the kernel cannot use another node when the
 * node is full. For this reason, the library uses "bind" only if the node's free memory is at least
 * twice the memory that the plan places on the node.
 *
 * One call handles at most CHUNK pages. Moving a page takes some microseconds, so a call ends
 * within 20 ms.
 *
 * A page that was allocated after the policy was set can be on another node for two reasons: the
 * kernel allocated it on that node, or the kernel moved it there later. For each node, the kernel
 * counts the pages that were intended for the node but were allocated on another node. If this
 * count has not changed since the beginning, the page was moved later.
 *
 * The caller must hold the lock of regions.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/place/place.h"

#define CHUNK 256U

/*
 * The marks of pages. If a page could not be moved, its mark is 1 + the enum plan_result.
 * Otherwise, it is one of these values.
 */
#define MARK_NONE 0
#define MARK_SEEN 0xff /* the page was on its node */

static void *chunk_address[CHUNK];
static int chunk_node[CHUNK];
static int chunk_status[CHUNK];

/*
 * For each node: the number of pages that were intended for the node but were allocated on another
 * node, before the library placed any page.
 */
static uint64_t foreign_before[PLAN_NODES_MAX];

/* For each node: the mode of the policy for memory that is placed on the node. */
static int node_mode[PLAN_NODES_MAX];

/*
 * Read the number after @name in the node's sysfs file @file. Return: the number; UINT64_MAX if the
 * kernel does not report it.
 */
static uint64_t node_number(unsigned node, const char *file, const char *name)
{
	char path[64], text[512];
	const char *found;
	ssize_t bytes = -1;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/%s", node, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		bytes = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[bytes < 0 ? 0 : bytes] = '\0';
	found = strstr(text, name);
	return found ? strtoull(found + strlen(name), NULL, 10) : UINT64_MAX;
}

static uint64_t foreign_now(unsigned node)
{
	return node_number(node, "numastat", "numa_foreign ");
}

/* ---- policies that the kernel scans ---------------------------------------------------------- */

static bool mode_works(void *page, int mode, unsigned node)
{
	unsigned long mask[2] = {1UL << node, 0};

	return !mbind(page, MATCH_PAGE, mode, mask, 8 * sizeof(mask), 0);
}

static uint64_t planned_pages(unsigned node)
{
	const struct plan_region *regions = place_regions();
	uint64_t pages = 0;

	for (uint32_t i = 0; i < place_plan->regions; i++) {
		const struct plan_run *runs = place_runs(&regions[i]);

		for (uint32_t run = 0; run < regions[i].runs; run++)
			if (!runs[run].refused && runs[run].node == node)
				pages += runs[run].last - runs[run].first + 1;
	}
	return pages;
}

/*
 * Find the mode of the policy for a node. The function tries which modes the kernel accepts for a
 * page.
 */
static int scanned_mode(void *page, unsigned node)
{
	const int many = MPOL_PREFERRED_MANY | MPOL_F_NUMA_BALANCING;
	const int bind = MPOL_BIND | MPOL_F_NUMA_BALANCING;
	uint64_t pages = planned_pages(node), free_kb;

	if (!pages)
		return MPOL_PREFERRED;
	if (mode_works(page, many, node))
		return many;
	free_kb = node_number(node, "meminfo", "MemFree:");
	if (free_kb != UINT64_MAX && pages <= free_kb * 1024 / MATCH_PAGE / 2 &&
	    mode_works(page, bind, node))
		return bind;
	log_unscanned(node);
	return MPOL_PREFERRED;
}

void pages_start(void)
{
	void *page = log_scans() ? place_memory(MATCH_PAGE) : NULL;

	for (uint32_t n = 0; n < PLAN_NODES_MAX; n++) {
		foreign_before[n] = foreign_now(n);
		node_mode[n] = page ? scanned_mode(page, n) : MPOL_PREFERRED;
	}
	if (page)
		syscall(SYS_munmap, page, MATCH_PAGE);
}

/* ---- results --------------------------------------------------------------------------------- */

/* Check whether the kernel has allocated all pages that were intended for a node on this node. */
static bool had_room(unsigned node)
{
	uint64_t now = foreign_now(node);

	return now != UINT64_MAX && now == foreign_before[node];
}

/* Convert the errno of a system call, or the error status of a page, to an enum plan_result. */
static enum plan_result result_of(int error)
{
	switch (error) {
	case ENOENT:
	/*
	 * The page is not mapped. Or it is the kernel's zero page, because the program has only
	 * read the memory.
	 */
	case EFAULT:
		return PLAN_ABSENT;
	case EACCES:
		return PLAN_SHARED;
	case ENODEV:
	case EINVAL:
		return PLAN_NO_NODE;
	case ENOMEM:
		return PLAN_NO_MEMORY;
	case EPERM:
	case ENOSYS:
		return PLAN_FORBIDDEN;
	default:
		return PLAN_BUSY;
	}
}

static uint64_t chunk_pages(uint64_t first, uint64_t last)
{
	return last - first < CHUNK ? last - first + 1 : CHUNK;
}

static int policy_set(uint64_t first, uint64_t pages, int mode, unsigned node)
{
	unsigned long mask[2] = {1UL << node, 0};
	bool some = mode != MPOL_DEFAULT;
	long error = mbind((void *)(first * MATCH_PAGE), pages * MATCH_PAGE, mode,
			   some ? mask : NULL, some ? 8 * sizeof(mask) : 0, 0);

	return error ? -errno : 0;
}

/*
 * Store the node of each page of a chunk, or the error of the page, in chunk_status. Return: 0 or
 * -errno.
 */
static int chunk_query(uint64_t first, uint64_t pages)
{
	for (uint64_t i = 0; i < pages; i++)
		chunk_address[i] = (void *)((first + i) * MATCH_PAGE);
	return move_pages(0, pages, chunk_address, NULL, chunk_status, 0) ? -errno : 0;
}

static void marks_set(unsigned char *marks, uint64_t pages, unsigned char mark)
{
	for (uint64_t i = 0; marks && i < pages; i++)
		marks[i] = mark;
}

/* Move the pages of a chunk that exist and are on other nodes than @node. Return: 0 or -errno. */
static int chunk_move(uint64_t first, uint64_t pages, unsigned node, unsigned char *marks)
{
	static uint64_t page[CHUNK];
	uint64_t moves = 0;
	int error = chunk_query(first, pages);

	if (error)
		return error;
	for (uint64_t i = 0; i < pages; i++) {
		if (chunk_status[i] == (int)node && marks)
			marks[i] = MARK_SEEN;
		if (chunk_status[i] < 0 || chunk_status[i] == (int)node)
			continue;
		page[moves] = i;
		chunk_address[moves] = chunk_address[i];
		chunk_node[moves] = (int)node;
		chunk_status[moves++] = -EBUSY;
	}
	if (!moves)
		return 0;
	if (move_pages(0, moves, chunk_address, chunk_node, chunk_status, MPOL_MF_MOVE) < 0)
		return -errno;
	/*
	 * The kernel does not set the status of every page that it could not move. The status was
	 * set to -EBUSY before the call, so it is -EBUSY for such pages.
	 */
	for (uint64_t i = 0; marks && i < moves; i++)
		marks[page[i]] =
			chunk_status[i] == (int)node
				? MARK_SEEN
				: 1 + result_of(chunk_status[i] < 0 ? -chunk_status[i] : EBUSY);
	return 0;
}

int pages_put(uint64_t first, uint64_t last, unsigned node, unsigned char *marks)
{
	int failed = 0;

	while (first <= last) {
		uint64_t pages = chunk_pages(first, last);
		int error = policy_set(first, pages, node_mode[node], node);

		if (!error)
			error = chunk_move(first, pages, node, marks);
		if (error)
			marks_set(marks, pages, 1 + result_of(-error));
		failed = error ? error : failed;
		first += pages;
		if (marks)
			marks += pages;
	}
	return failed;
}

int pages_prefer(uint64_t first, uint64_t last, unsigned node)
{
	int failed = 0;

	for (uint64_t pages; first <= last; first += pages) {
		int error;

		pages = chunk_pages(first, last);
		error = policy_set(first, pages, node_mode[node], node);
		failed = error ? error : failed;
	}
	return failed;
}

void pages_forget(uint64_t first, uint64_t last)
{
	for (uint64_t pages; first <= last; first += pages) {
		pages = chunk_pages(first, last);
		policy_set(first, pages, MPOL_DEFAULT, 0);
	}
}

/*
 * Get the result of a page. @room: the result of had_room(); negative if had_room() was not called
 * yet.
 */
static enum plan_result page_result(int status, unsigned node, unsigned char mark, int *room)
{
	if (status == (int)node)
		return PLAN_PLACED;
	if (status < 0)
		return result_of(-status);
	if (mark == MARK_NONE && *room < 0)
		*room = had_room(node);
	if (mark == MARK_SEEN || (mark == MARK_NONE && *room))
		return PLAN_MOVED;
	return mark == MARK_NONE ? PLAN_NO_MEMORY : (enum plan_result)(mark - 1);
}

/*
 * Handle pages that wait for a hint fault. move_pages() reports such a page as absent, but
 * mincore() shows that it exists. The kernel has allocated the page on the node of the policy,
 * provided that the node had room.
 */
static void chunk_waiting(uint64_t first, uint64_t pages, unsigned node, const unsigned char *marks)
{
	static unsigned char there[CHUNK];

	if (node_mode[node] == MPOL_PREFERRED || !had_room(node) ||
	    mincore((void *)(first * MATCH_PAGE), pages * MATCH_PAGE, there))
		return;
	for (uint64_t i = 0; i < pages; i++)
		if (chunk_status[i] == -ENOENT && there[i] & 1 &&
		    (!marks || marks[i] == MARK_NONE || marks[i] == MARK_SEEN))
			chunk_status[i] = (int)node;
}

void pages_look(uint64_t first, uint64_t last, unsigned node, const unsigned char *marks,
		uint64_t *results)
{
	int room = -1;

	while (first <= last) {
		uint64_t pages = chunk_pages(first, last);
		int error = chunk_query(first, pages);

		if (!error)
			chunk_waiting(first, pages, node, marks);
		for (uint64_t i = 0; i < pages; i++)
			results[error ? result_of(-error)
				      : page_result(chunk_status[i], node,
						    marks ? marks[i] : MARK_NONE, &room)]++;
		first += pages;
		if (marks)
			marks += pages;
	}
}
