/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Thread table: finds the key of a thread or process by the handle that the program has for it.
 *
 * What lives here: the table of keys. The table has no lock, because a signal handler that
 * interrupts code of this file may wait for children, and then uses the table. If the table is
 * full, a key is not entered. In this case, the tracer treats the join of the thread as an ordinary
 * system call that waits.
 */
#ifndef RUN_PRELOAD_BASE_THREAD_TABLE_H
#define RUN_PRELOAD_BASE_THREAD_TABLE_H

#include <stdint.h>

/**
 * keys_new() - Create a key that is unique in the run. It consists of the process id and a counter.
 */
uint64_t keys_new(void);

/**
 * keys_number() - Get the number of keys that the process had created when it created @key,
 * including @key itself.
 */
uint32_t keys_number(uint64_t key);

/**
 * keys_enter() - Enter the key of a new thread or child. If the table has an entry with this name,
 * the entry is replaced.
 * @name: the pthread_t of the thread, or the process id
 * @key: the key
 */
void keys_enter(uint64_t name, uint64_t key);

/**
 * keys_find() - Find the key of a thread or child. Return: the key; 0 if the key is not in the
 * table.
 */
uint64_t keys_find(uint64_t name);

/**
 * keys_remove() - Remove the key of a thread or child. Return: the key; 0 if the key is not in the
 * table.
 */
uint64_t keys_remove(uint64_t name);

/**
 * keys_clear() - Remove all keys in a forked process, because the keys belong to its parent.
 */
void keys_clear(void);

#endif /* RUN_PRELOAD_BASE_THREAD_TABLE_H */
