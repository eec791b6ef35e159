/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Lazy library: load a shared library only when the program first calls one of its functions.
 *
 * What lives here: a function that loads a shared library and looks up its functions by name. If a
 * program were linked with the library, the dynamic linker would load it at every start of the
 * program, together with all libraries that it depends on. For example, libpcap loads D-Bus and
 * systemd's library, and libmicrohttpd loads GnuTLS. Loading all of these libraries takes two
 * thirds of the time that a program needs to start. This file may use libc.
 *
 * The caller writes a list of the library's functions: a macro LIST(X) with X(prefix, name) for
 * each function. From this list, the caller defines a table of function pointers, which have the
 * types that the library's header declares, and an array of names in the same order.
 *
 *	struct table {
 *		LIST(LAZY_LIBRARY_MEMBER)
 *	};
 *	static const char *const names[] = {LIST(LAZY_LIBRARY_NAME)};
 */
#ifndef BASE_LAZY_LIBRARY_H
#define BASE_LAZY_LIBRARY_H

#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>

#define LAZY_LIBRARY_MEMBER(prefix, name) __typeof__(prefix##name) *name;
#define LAZY_LIBRARY_NAME(prefix, name) #prefix #name,

/**
 * lazy_library_open() - Load a library, which stays loaded until the program ends.
 * @file: name of the library with its version, as the dynamic linker uses it
 * @names: names of the functions, shape [@count]
 * @count: number of functions
 * @table: structure of function pointers; receives the addresses of the functions, in the order of
 *         @names
 *
 * Several threads must not call this function at the same time. Use pthread_once(3) to call it.
 *
 * Return: 0; -ELIBACC if the library or one of the functions does not exist.
 */
static inline int lazy_library_open(const char *file, const char *const *names, size_t count,
				    void *table)
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

#endif /* BASE_LAZY_LIBRARY_H */
