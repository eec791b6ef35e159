/* SPDX-License-Identifier: MIT */
/*
 * Pool: stores strings that are later freed together.
 *
 * What lives here: copies of strings for tables that are built once. May use the C library.
 */
#ifndef LIB_BASE_POOL_H
#define LIB_BASE_POOL_H

#include <stddef.h>

struct pool_chunk;
struct count_table;

/**
 * struct pool - The pool. If all members are 0, the pool is empty.
 * @chunks: the chunks, the newest first
 */
struct pool {
	struct pool_chunk *chunks;
};

/*
 * Copy a string. Return: the copy, which is valid until smile_pool_free(); NULL if memory is
 * missing.
 */
const char *smile_pool_copy(struct pool *pool, const char *text);

/*
 * Copy a string, unless an equal string was already copied. Equal strings then have the same
 * address.
 * @known: all strings that this function has copied; the owner of the table must free it. Return:
 *         as smile_pool_copy().
 */
const char *smile_pool_once(struct pool *pool, struct count_table *known, const char *text);

void smile_pool_free(struct pool *pool);

#endif /* LIB_BASE_POOL_H */
