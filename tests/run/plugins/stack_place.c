/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * A library that cachegrind_test.sh preloads. It writes the offset of the initial stack in its page
 * to the file that STACK_PLACE names. The strings and the auxiliary values of the program are above
 * this address.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern char **environ;

__attribute__((constructor)) static void stack_place(void)
{
	const char *path = getenv("STACK_PLACE");
	FILE *file = path ? fopen(path, "w") : NULL;

	if (!file)
		return;
	fprintf(file, "%u\n", (unsigned int)((uintptr_t)environ % 4096));
	fclose(file);
}
