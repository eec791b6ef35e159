/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Preload list: remove a preloaded library from the environment of a process.
 *
 * What lives here: functions that remove a library from LD_PRELOAD, so that the programs that this
 * process executes run without the library. This file may use dladdr(3), <stdlib.h> and <string.h>,
 * does not allocate memory, and is not installed.
 */
#ifndef BASE_PRELOAD_LIST_H
#define BASE_PRELOAD_LIST_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* Remove @library from @list, in place. In the list, spaces or colons separate the libraries. */
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

/*
 * Remove @variable from the environment, and remove the library that contains @address from
 * LD_PRELOAD.
 */
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
