/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Loaded: a shared library that few calls need. The first of these calls loads it.
 *
 * What lives here: the lookup of the library's functions by name. A linked library is loaded
 * whenever a program starts, together with its own dependencies: libpcap loads D-Bus and systemd's
 * library, libmicrohttpd loads GnuTLS, and all of them take two thirds of the start time. It may
 * use libc.
 *
 * A list of the library's functions, LIST(X), has X(prefix, name) for each function. From the list
 * are made the table, whose members have the types of the library's header, and the names in the
 * same order:
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
 * loaded_open() - Load a library. It stays loaded until the program ends.
 * @file: name of the library with its version, as the dynamic linker uses it
 * @names: names of the functions, shape [@count]
 * @count: number of functions
 * @table: receives the addresses of the functions, in the same order: a structure of pointers to
 *         functions
 *
 * Not for several threads at the same time: see pthread_once(3).
 *
 * Return: 0, or -ELIBACC: the library or one of the functions does not exist.
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
