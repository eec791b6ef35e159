/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A program that reports itself: regions, phases, placement.
 */
#include <errno.h>
#include <smile/trace.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>

#include "tests/preload/named.h"

/* Check that each page exists, is zero and can be written. */
static int usable(char *region, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (region[i])
			return 0;
	memset(region, 1, bytes);
	return 1;
}

int main(int argc, char **argv)
{
	char *first = smile_alloc(5000, "first"), *second, *child;
	int status;

	smile_phase("solve");
	smile_phase("a phase whose name is longer than thirty-nine bytes");
	second = smile_alloc(1, "a name of more than twenty-three bytes");
	printf("%d %d\n", usable(first, 5000), usable(second, 1));
	printf("%d\n", (uintptr_t)first % 4096 == 0 && (uintptr_t)second % 4096 == 0);
	printf("%d", smile_alloc(0, "none") == NULL && errno == EINVAL);
	errno = 0;
	printf(" %d", smile_alloc(1, NULL) == NULL && errno == EINVAL);
	errno = 0;
	printf(" %d\n", smile_alloc(SIZE_MAX, "all") == NULL && errno == ENOMEM);
	printf("%d", smile_place(first, 5000, 3));
	errno = 0;
	printf(" %d", smile_place(NULL, 1, 0) == -1 && errno == EINVAL);
	errno = 0;
	printf(" %d", smile_place(first, 0, 0) == -1 && errno == EINVAL);
	errno = 0;
	printf(" %d\n", smile_place(first, SIZE_MAX, 0) == -1 && errno == EINVAL);
	fflush(stdout);
	if (!fork()) {
		child = smile_alloc(4096, "child's");
		first[0] = usable(child, 4096) ? 5 : 6;
		_exit(child == second);
	}
	wait(&status);
	printf("%d %d\n", first[0], WEXITSTATUS(status));
	if (argc > 1)
		printf("traced %d at %p %p %p\n", smile_traced(), (void *)first, (void *)second,
		       smile_alloc(1, "last"));
	return 0;
}
