/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Preload list: the environment of a library that LD_PRELOAD loads.
 *
 * What lives here: functions that remove the library from the environment, so that programs that
 * the current program executes run without the library. This file may use dladdr(3), <stdlib.h> and
 * <string.h>, does not allocate memory, and is not installed.
 */
#ifndef BASE_PRELOAD_LIST_H
#define BASE_PRELOAD_LIST_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Remove a library from a list, in place. Spaces or colons separate the libraries of the list. */
static inline void preload_list_remove(char *list, const char *library)
{
	char *from = list, *to = list;

	while (*from) {
		size_t length = strcspn(from, " :");

		if (strlen(library) != length || strncmp(from, library, length) != 0) {
			if (to != list)
				*to++ = ':';
			memmove(to, from, length);
			to += length;
		}
		from += length;
		from += strspn(from, " :");
	}
	*to = '\0';
}

/* Remove @variable, and the library that contains @address, from the environment. */
static inline void preload_list_leave(const void *address, const char *variable)
{
	char *list = getenv("LD_PRELOAD");
	Dl_info self;

	unsetenv(variable);
	if (!list || !dladdr(address, &self) || !self.dli_fname)
		return;
	preload_list_remove(list, self.dli_fname);
	if (!*list)
		unsetenv("LD_PRELOAD");
}

#endif /* BASE_PRELOAD_LIST_H */
