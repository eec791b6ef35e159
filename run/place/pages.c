/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Pages on nodes: mbind() and move_pages(). May use place.h.
 *
 * A range gets the policy "preferred": pages that are touched later are allocated on the node if it
 * has memory, and elsewhere otherwise. Existing pages are moved. This library touches no page, so
 * it allocates none. The kernel's automatic balancing leaves memory with a policy alone.
 *
 * A call handles at most CHUNK pages: moving a page takes some microseconds, so a call ends within
 * 20 ms.
 *
 * A page that was allocated later and is elsewhere was either moved away or never on its node. The
 * kernel counts, for each node, the pages that were intended for it and allocated elsewhere: if
 * that count has not changed since the beginning, the page was moved.
 *
 * The caller holds the lock of regions.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/place/place.h"

#define CHUNK 256U

/* The state of a page: enum plan_result + 1 if it could not be moved, or one of these. */
#define MARK_NONE 0
#define MARK_SEEN 0xff /* on its node */

static void *chunk_address[CHUNK];
static int chunk_node[CHUNK];
static int chunk_status[CHUNK];

/* By node: number of pages intended for it but allocated elsewhere, at the beginning. */
static uint64_t foreign_before[PLAN_NODES_MAX];

/* The same number now; UINT64_MAX if the system does not report it. */
static uint64_t foreign_now(unsigned node)
{
	char path[64], text[512];
	const char *found;
	ssize_t bytes = -1;
	int fd;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/numastat", node);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		bytes = read(fd, text, sizeof(text) - 1);
		close(fd);
	}
	text[bytes < 0 ? 0 : bytes] = '\0';
	found = strstr(text, "numa_foreign ");
	return found ? strtoull(found + strlen("numa_foreign "), NULL, 10) : UINT64_MAX;
}

void pages_start(void)
{
	for (uint32_t n = 0; n < PLAN_NODES_MAX; n++)
		foreign_before[n] = foreign_now(n);
}

/* Were all pages that were intended for a node allocated there? */
static bool had_room(unsigned node)
{
	uint64_t now = foreign_now(node);

	return now != UINT64_MAX && now == foreign_before[node];
}

/* The result for an error of a call or of a page. */
static enum plan_result result_of(int error)
{
	switch (error) {
	case ENOENT:
	case EFAULT: /* not mapped, or the zero page of memory that was only read */
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

/* Get the nodes of a chunk's pages into chunk_status. Return: 0; -errno. */
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

/* Move the pages of a chunk that exist and lie on other nodes. Return: 0; -errno. */
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
	/* The kernel does not report each page that it could not move. */
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
		int error = policy_set(first, pages, MPOL_PREFERRED, node);

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
		error = policy_set(first, pages, MPOL_PREFERRED, node);
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

/* @room: result of had_room(), or negative if not called yet. */
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

void pages_look(uint64_t first, uint64_t last, unsigned node, const unsigned char *marks,
		uint64_t *results)
{
	int room = -1;

	while (first <= last) {
		uint64_t pages = chunk_pages(first, last);
		int error = chunk_query(first, pages);

		for (uint64_t i = 0; i < pages; i++)
			results[error ? result_of(-error)
				      : page_result(chunk_status[i], node,
						    marks ? marks[i] : MARK_NONE, &room)]++;
		first += pages;
		if (marks)
			marks += pages;
	}
}
