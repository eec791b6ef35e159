/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that uses the heap, without stdio: so only its own calls allocate memory.
 */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <string.h>

#include "tests/preload/named.h"

static void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(1);
}

extern const char __executable_start[], etext[];

int main(void)
{
	volatile size_t huge = SIZE_MAX / 2; /* the compiler must not know the values */
	char *volatile block, *volatile grown;
	void *aligned = NULL;

	named(__executable_start, "code");
	named(etext, "code_end");
	block = malloc(100);
	memset(block, 1, 100);
	grown = realloc(block, 100000);
	say(grown[99] == 1 ? "kept\n" : "not kept\n");
	say(!realloc(grown, huge) && errno == ENOMEM ? "refused\n" : "not refused\n");
	free(grown);
	block = calloc(3, 50);
	say(!block[149] ? "zero\n" : "not zero\n");
	free(block);
	free(NULL);
	errno = 0;
	say(!calloc(huge, 8) && errno == ENOMEM ? "refused\n" : "not refused\n");
	say(posix_memalign(&aligned, 3, 10) == EINVAL ? "refused\n" : "not refused\n");
	say(!posix_memalign(&aligned, 256, 10) && !((uintptr_t)aligned % 256) ? "ok\n" : "not\n");
	free(aligned);
	aligned = aligned_alloc(64, 128);
	free(aligned);
	aligned = memalign(64, 129);
	free(aligned);
	block = reallocarray(NULL, 10, 13);
	block = reallocarray(block, 20, 13);
	say(!reallocarray(block, huge, 8) ? "refused\n" : "not refused\n");
	block = realloc(block, 0);
	say(!block ? "freed\n" : "not freed\n");
	return 0;
}
