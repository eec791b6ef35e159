/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Defines the allocation operators of C++. See operator_new.h. A program that defines its own
 * operators does not use these operators. This file may use real_functions.h.
 */
#include "run/preload/base/operator_new.h"
#include "run/preload/base/real_functions.h"

_Thread_local const void *allocation_site;

/* NEW(function): get the operator of libstdc++ that @function replaces. */
#define NEW(function)                                                                              \
	(__extension__({                                                                           \
		static void *known;                                                                \
		(__typeof__(&function))next_lookup(&known, #function, "libstdc++.so.6");           \
	}))

/*
 * If one operator calls another operator, the allocation site is the caller of the outermost
 * operator. An exception from an operator needs no cleanup, because malloc() has already used and
 * reset the site. C code could not do any cleanup when an exception passes through it.
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

/*
 * All forms of operator new and operator new[]: the plain form, the forms with std::nothrow or
 * std::align_val_t, and the form with both.
 */
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
