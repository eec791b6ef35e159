/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Causes many page faults while perf's rings are not read: more faults than the rings can hold.
 *
 * usage: touch_pages PAGES
 *
 * Prints "ready", waits for a line, accesses PAGES pages for the first time, prints "touched", and
 * waits for another line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PAGE 4096

int main(int argc, char **argv)
{
	size_t pages = argc == 2 ? (size_t)atol(argv[1]) : 0;
	char *memory = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);
	char line[64];

	if (memory == MAP_FAILED)
		return 1;
	/* A huge page would have one fault. */
	madvise(memory, pages * PAGE, MADV_NOHUGEPAGE);
	setvbuf(stdout, NULL, _IOLBF, 0);
	puts("ready");
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (size_t page = 0; page < pages; page++)
		memory[page * PAGE] = 1;
	puts("touched");
	return !fgets(line, sizeof(line), stdin);
}
