/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * C++'s operators new: see operator_new.h. A program that defines its own operators does not use
 * these. May use real_functions.h.
 */
#include "run/preload/base/operator_new.h"
#include "run/preload/base/real_functions.h"

_Thread_local const void *allocation_site;

/* NEW(function): the original of libstdc++. */
#define NEW(function)                                                                              \
	(__extension__({                                                                           \
		static void *known;                                                                \
		(__typeof__(&function))next_lookup(&known, #function, "libstdc++.so.6");           \
	}))

/*
 * If one operator calls another, the outermost caller is the site. If the operator throws, malloc()
 * has already used the site. No cleanup is needed, and C code could not do one.
 */
#define NEW_OPERATOR(name, parameters, ...)                                                        \
	EXPORT void *name parameters;                                                              \
	EXPORT void *name parameters                                                               \
	{                                                                                          \
		__typeof__(&name) operator_new = NEW(name);                                        \
		void *block;                                                                       \
                                                                                                   \
		if (!allocation_site_wanted(bytes))                                                \
			return operator_new(__VA_ARGS__);                                          \
		if (!allocation_site)                                                              \
			allocation_site = __builtin_return_address(0);                             \
		block = operator_new(__VA_ARGS__);                                                 \
		allocation_site = NULL;                                                            \
		return block;                                                                      \
	}

/* operator new and new[]: plain, std::nothrow, std::align_val_t, and both. */
NEW_OPERATOR(_Znwm, (size_t bytes), bytes)
NEW_OPERATOR(_Znam, (size_t bytes), bytes)
NEW_OPERATOR(_ZnwmRKSt9nothrow_t, (size_t bytes, const void *nothrow), bytes, nothrow)
NEW_OPERATOR(_ZnamRKSt9nothrow_t, (size_t bytes, const void *nothrow), bytes, nothrow)
NEW_OPERATOR(_ZnwmSt11align_val_t, (size_t bytes, size_t alignment), bytes, alignment)
NEW_OPERATOR(_ZnamSt11align_val_t, (size_t bytes, size_t alignment), bytes, alignment)
NEW_OPERATOR(_ZnwmSt11align_val_tRKSt9nothrow_t,
	     (size_t bytes, size_t alignment, const void *nothrow), bytes, alignment, nothrow)
NEW_OPERATOR(_ZnamSt11align_val_tRKSt9nothrow_t,
	     (size_t bytes, size_t alignment, const void *nothrow), bytes, alignment, nothrow)
