/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program with a region that is larger than a node of the guest: 300 MB, each page written once.
 */
#include <stdio.h>

#include <smile/trace.h>

#define BYTES (300UL << 20)

int main(void)
{
	volatile char *large = smile_alloc(BYTES, "large");

	if (!large)
		return 1;
	for (unsigned long i = 0; i < BYTES; i += 4096)
		large[i] = 1;
	puts("written");
	return 0;
}
