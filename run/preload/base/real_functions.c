/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Finds the real functions that this library replaces. This file may use dlsym(3). */
#include <dlfcn.h>
#include <string.h>
#include <sys/types.h>

#include "run/preload/base/real_functions.h"

struct next next_libc;
bool next_found;
bool next_searching;

void next_find(void)
{
	next_searching = true;
#define NEXT_FIND(function) *(void **)&next_libc.function = dlsym(RTLD_NEXT, #function);
	NEXT_LIBC(NEXT_FIND)
#undef NEXT_FIND
	next_searching = false;
	__atomic_store_n(&next_found, true, __ATOMIC_RELEASE);
}

/*
 * Report that a function is missing, and end the process. This function does not use stdio, because
 * the program's stdio may be unusable if a function is missing.
 */
static void next_missing(const char *name)
{
	static const char text[] =
		": the program calls this function, but no library that it loaded has it\n";

	if (write(STDERR_FILENO, name, strlen(name)) < 0 ||
	    write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
		_exit(127);
	_exit(127);
}

void *next_lookup(void **known, const char *name, const char *library)
{
	void *found = __atomic_load_n(known, __ATOMIC_ACQUIRE);
	void *handle;

	if (found)
		return found;
	next_search_begins();
	found = dlsym(RTLD_NEXT, name);
	if (!found) {
		handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
		found = handle ? dlsym(handle, name) : NULL;
	}
	if (!found)
		next_missing(name);
	next_search_ended();
	__atomic_store_n(known, found, __ATOMIC_RELEASE);
	return found;
}
