/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Pages on nodes: mbind() and move_pages(). It may use what place.h names.
 *
 * A range gets the policy "preferred": pages that are touched later come to the node while it has
 * memory, and the program goes on if it has none. Pages that are there are moved. Nothing is
 * touched, so nothing comes into being here. The kernel does not balance memory that has a policy
 * of its own.
 *
 * A call is for at most CHUNK pages: moving one takes some microseconds, so a call ends within 20
 * ms.
 *
 * The caller has the lock of regions.c.
 */
#include <errno.h>
#include <numaif.h>

#include "place/place.h"

#define CHUNK 1024U

/* A page's mark: enum plan_result + 1 of why it could not be moved, or one of these. */
#define MARK_NONE 0
#define MARK_SEEN 0xff /* on its node */

static void *chunk_address[CHUNK];
static int chunk_node[CHUNK];
static int chunk_status[CHUNK];

/* What an error of a call or of a page means. */
static enum plan_result result_of(int error)
{
	switch (error) {
	case ENOENT:
	case EFAULT: /* not mapped, or the page of zeros that memory has while it is only read */
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

/* Where the pages of a chunk lie, in chunk_status. Return: 0; -errno. */
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

/* Move those of a chunk that are there and lie elsewhere. Return: 0; -errno. */
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

static enum plan_result page_result(int status, unsigned node, unsigned char mark)
{
	if (status == (int)node)
		return PLAN_PLACED;
	if (status < 0)
		return result_of(-status);
	if (mark == MARK_SEEN)
		return PLAN_MOVED;
	/* It came into being elsewhere, although its node was preferred. */
	return mark == MARK_NONE ? PLAN_NO_MEMORY : (enum plan_result)(mark - 1);
}

void pages_look(uint64_t first, uint64_t last, unsigned node, const unsigned char *marks,
		uint64_t *results)
{
	while (first <= last) {
		uint64_t pages = chunk_pages(first, last);
		int error = chunk_query(first, pages);

		for (uint64_t i = 0; i < pages; i++)
			results[error ? result_of(-error)
				      : page_result(chunk_status[i], node,
						    marks ? marks[i] : MARK_NONE)]++;
		first += pages;
		if (marks)
			marks += pages;
	}
}
