/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Keys of threads and processes, by the program's handles for them.
 *
 * The table has no lock, because a signal handler may wait for children while it interrupts code of
 * this file. If the table is full, a key is not entered, and its join is then reported only by the
 * system call that waits.
 */
#ifndef RUN_PRELOAD_BASE_THREAD_TABLE_H
#define RUN_PRELOAD_BASE_THREAD_TABLE_H

#include <stdint.h>

/**
 * keys_new() - Return a key that is unique in the run: the process's id and a counter.
 */
uint64_t keys_new(void);

/**
 * keys_number() - Return: the number of keys that the process had made when it made @key, including
 * @key.
 */
uint32_t keys_number(uint64_t key);

/**
 * keys_enter() - Enter the key of a new thread or child.
 * @name: pthread_t or process id; an old entry of the same name is replaced
 * @key: its key
 */
void keys_enter(uint64_t name, uint64_t key);

/**
 * keys_find() - Return: the key of @name, or 0.
 */
uint64_t keys_find(uint64_t name);

/**
 * keys_remove() - Remove a key. Return: as keys_find().
 */
uint64_t keys_remove(uint64_t name);

/**
 * keys_clear() - Remove all keys in a new process. They belong to its parent.
 */
void keys_clear(void);

#endif /* RUN_PRELOAD_BASE_THREAD_TABLE_H */
