/* SPDX-License-Identifier: MIT */
/*
 * Copy out: copies a list into an array of the caller. The functions of the public API that return
 * lists use it.
 *
 * What lives here: one function. Every file of lib/ may use it.
 */
#ifndef LIB_BASE_COPY_OUT_H
#define LIB_BASE_COPY_OUT_H

#include <stddef.h>
#include <string.h>

/**
 * smile_copy() - Copy items into the caller's array, up to the capacity of the array.
 * @to: the caller's array, with room for @capacity items; may be NULL if @capacity is 0
 * @from: shape [@count]; may be NULL if @count is 0
 *
 * Return: @count.
 */
static inline int smile_copy(void *to, size_t capacity, const void *from, size_t count,
			     size_t item_bytes)
{
	size_t copied = count < capacity ? count : capacity;

	if (copied)
		memcpy(to, from, copied * item_bytes);
	return (int)count;
}

#endif /* LIB_BASE_COPY_OUT_H */
