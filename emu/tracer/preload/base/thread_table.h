/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Keys of threads and processes, by the handles that the program has for them.
 *
 * There is no lock, because a signal handler may wait for children while the thread that it
 * interrupted is in this file. If the table is full, a key is not entered; its join is then
 * reported only by its wait.
 */
#ifndef TRACER_PRELOAD_BASE_THREAD_TABLE_H
#define TRACER_PRELOAD_BASE_THREAD_TABLE_H

#include <stdint.h>

/**
 * keys_new() - A key that is unique in the run: the process's number, and one that counts.
 */
uint64_t keys_new(void);

/**
 * keys_enter() - A thread or child was made.
 * @name: pthread_t or process id; an old entry of the same name is replaced
 * @key: its key
 */
void keys_enter(uint64_t name, uint64_t key);

/**
 * keys_find() - Return: key, or 0 if there is none of this name.
 */
uint64_t keys_find(uint64_t name);

/**
 * keys_remove() - The key is not needed any more. Return: as keys_find().
 */
uint64_t keys_remove(uint64_t name);

/**
 * keys_clear() - In a new process: what its parent made is not its own.
 */
void keys_clear(void);

#endif /* TRACER_PRELOAD_BASE_THREAD_TABLE_H */
