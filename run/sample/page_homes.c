// SPDX-License-Identifier: MIT
/*
 * run/sample: asks the kernel for the nodes of pages. This file may use move_pages(2) by its system
 * call number. In this file, move_pages(2) moves no pages.
 */
#include "run/sample/sample_inside.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The largest number of pages in one call of move_pages(2). While it runs, it blocks mmap(2) in the
 * program.
 */
#define CHUNK 512U

int homes_ask(struct counts *counts, pid_t pid, const uint64_t *numbers, size_t count)
{
	void *addresses[CHUNK];
	int homes[CHUNK];
	uint64_t told_ns;

	for (size_t at = 0, some; at < count; at += some) {
		some = count - at < CHUNK ? count - at : CHUNK;
		for (size_t i = 0; i < some; i++)
			addresses[i] = (void *)(uintptr_t)(numbers[at + i] * COUNTS_PAGE_BYTES);
		if (syscall(SYS_move_pages, pid, some, addresses, NULL, homes, 0) < 0)
			return -errno;
		told_ns = sample_now_ns();
		for (size_t i = 0; i < some; i++)
			counts_home(counts, numbers[at + i],
				    homes[i] >= 0 && homes[i] < (int)SAMPLE_NODES_MAX
					    ? (uint32_t)homes[i]
					    : COUNTS_NODE_UNKNOWN,
				    told_ns);
	}
	return 0;
}
