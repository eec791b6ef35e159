/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * C++'s operators new. They call malloc(), and the block's caller is that of the operator. A
 * program with its own operators does not use them. May use place.h.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "run/place/place.h"

_Thread_local const void *operator_caller;

static void *operator_find(void **known, const char *name)
{
	void *found = __atomic_load_n(known, __ATOMIC_ACQUIRE), *library;

	if (found)
		return found;
	found = dlsym(RTLD_NEXT, name);
	if (!found) {
		library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_NOLOAD);
		found = library ? dlsym(library, name) : NULL;
	}
	if (!found)
		__builtin_trap();
	__atomic_store_n(known, found, __ATOMIC_RELEASE);
	return found;
}

/*
 * One operator calls another: the outermost one's caller is meant. If the operator throws,
 * malloc() was called before that, and has taken the caller.
 */
#define OPERATOR(name, parameters, ...)                                                            \
	EXPORT void *name parameters;                                                              \
	EXPORT void *name parameters                                                               \
	{                                                                                          \
		static void *known;                                                                \
		__typeof__(&name) next =                                                           \
			__extension__(__typeof__(&name)) operator_find(&known, #name);             \
		void *block;                                                                       \
                                                                                                   \
		if (place_on && bytes >= PLACE_LARGE && !operator_caller)                          \
			operator_caller = __builtin_return_address(0);                             \
		block = next(__VA_ARGS__);                                                         \
		operator_caller = NULL;                                                            \
		return block;                                                                      \
	}

/* operator new and new[]: plain, std::nothrow, std::align_val_t, and both. */
OPERATOR(_Znwm, (size_t bytes), bytes)
OPERATOR(_Znam, (size_t bytes), bytes)
OPERATOR(_ZnwmRKSt9nothrow_t, (size_t bytes, const void *nothrow), bytes, nothrow)
OPERATOR(_ZnamRKSt9nothrow_t, (size_t bytes, const void *nothrow), bytes, nothrow)
OPERATOR(_ZnwmSt11align_val_t, (size_t bytes, size_t alignment), bytes, alignment)
OPERATOR(_ZnamSt11align_val_t, (size_t bytes, size_t alignment), bytes, alignment)
OPERATOR(_ZnwmSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, const void *nothrow),
	 bytes, alignment, nothrow)
OPERATOR(_ZnamSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, const void *nothrow),
	 bytes, alignment, nothrow)
