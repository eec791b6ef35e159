/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Prints the nodes of another process's pages, by move_pages(2): a node or -errno for each page.
 * With NODE, the pages are first moved to that node.
 *
 * usage: page_nodes PID START PAGES [NODE]
 */
#include <errno.h>
#include <numaif.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096UL

int main(int argc, char **argv)
{
	int pid = argc > 3 ? atoi(argv[1]) : 0;
	unsigned long start = argc > 3 ? strtoul(argv[2], NULL, 0) : 0;
	unsigned long pages = argc > 3 ? strtoul(argv[3], NULL, 0) : 0;

	for (unsigned long i = 0; i < pages; i++) {
		void *address = (void *)((start / PAGE + i) * PAGE);
		int status = 0, node = argc > 4 ? atoi(argv[4]) : 0;

		if ((argc > 4 && move_pages(pid, 1, &address, &node, &status, MPOL_MF_MOVE) < 0) ||
		    move_pages(pid, 1, &address, NULL, &status, 0) < 0) {
			fprintf(stderr, "page_nodes: %s\n", strerror(errno));
			return 1;
		}
		printf("%d%c", status, i + 1 < pages ? ' ' : '\n');
	}
	return pages == 0;
}
