/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Loaded: a shared library that few calls need, and that the first of them loads.
 *
 * What lives here: its functions, found by name. A library that is linked is loaded whenever a
 * program starts, with all that it needs itself: libpcap brings D-Bus and systemd's library,
 * libmicrohttpd brings GnuTLS, and all of them take two thirds of a start. It may use libc.
 *
 * A list of its functions, LIST(X), is X(prefix, name) for each. The table, whose members have the
 * types of the library's header, and the names in the same order are made from it:
 *
 *	struct table {
 *		LIST(LOADED_MEMBER)
 *	};
 *	static const char *const names[] = {LIST(LOADED_NAME)};
 */
#ifndef BASE_LOADED_H
#define BASE_LOADED_H

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define LOADED_MEMBER(prefix, name) __typeof__(prefix##name) *name;
#define LOADED_NAME(prefix, name) #prefix #name,

/**
 * loaded_open() - Load a library, which stays until the program ends.
 * @file: its name with its version, as the dynamic linker has it
 * @names: of its functions, shape [@count]
 * @count: how many there are
 * @table: receives their addresses, in the same order: a structure of pointers to functions
 *
 * Not for several threads at once: see pthread_once(3).
 *
 * Return: 0, or -ELIBACC: the library or one of the functions is not there.
 */
static inline int loaded_open(const char *file, const char *const *names, size_t count, void *table)
{
	void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		return -ELIBACC;
	for (size_t i = 0; i < count; i++) {
		void *function = dlsym(library, names[i]);

		if (!function) {
			dlclose(library);
			return -ELIBACC;
		}
		memcpy((char *)table + i * sizeof(function), &function, sizeof(function));
	}
	return 0;
}

#endif /* BASE_LOADED_H */
