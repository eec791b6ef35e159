/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The table of keys is a hash table with open addressing. A thread claims an entry by an atomic
 * compare and swap.
 */
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "run/preload/base/preload.h"
#include "run/preload/base/thread_table.h"

#define KEYS_COUNT 4096U /* a power of two */
#define KEYS_FREED 1ULL /* the name of an entry that can be used again */
#define KEYS_NUMBER 0xffffffU
/*
 * In a key, the process id is above the number, and has 22 bits. A key has 46 bits in all; a record
 * has space for 48.
 */
#define KEYS_PROCESS_SHIFT 24

static struct {
	_Atomic uint64_t name; /* 0: the entry was never used */
	_Atomic uint64_t key;
} keys[KEYS_COUNT];
static _Atomic uint32_t keys_last;

uint64_t keys_new(void)
{
	uint64_t number = atomic_fetch_add(&keys_last, 1) + 1U;

	return ((uint64_t)trace_ask_id(SYS_getpid) << KEYS_PROCESS_SHIFT) | (number & KEYS_NUMBER);
}

uint32_t keys_number(uint64_t key)
{
	return (uint32_t)key & KEYS_NUMBER;
}

static uint32_t keys_first(uint64_t name)
{
	return (uint32_t)((name * 0x9e3779b97f4a7c15ULL) >> 52) & (KEYS_COUNT - 1);
}

/*
 * Find the entry of a name. Return: the index of the entry; KEYS_COUNT if the table does not have
 * the name.
 */
static uint32_t keys_at(uint64_t name)
{
	uint32_t first = keys_first(name);

	for (uint32_t i = 0; i < KEYS_COUNT; i++) {
		uint32_t at = (first + i) & (KEYS_COUNT - 1);
		uint64_t there = atomic_load(&keys[at].name);

		if (there == name)
			return at;
		if (!there)
			break;
	}
	return KEYS_COUNT;
}

void keys_enter(uint64_t name, uint64_t key)
{
	uint32_t at = keys_at(name), first = keys_first(name);

	if (at < KEYS_COUNT) {
		atomic_store(&keys[at].key, key);
		return;
	}
	for (uint32_t i = 0; i < KEYS_COUNT; i++) {
		uint64_t there;

		at = (first + i) & (KEYS_COUNT - 1);
		there = atomic_load(&keys[at].name);
		if (there > KEYS_FREED ||
		    !atomic_compare_exchange_strong(&keys[at].name, &there, name))
			continue;
		/*
		 * Before this store, a concurrent reader finds the key 0, which means that the key
		 * is not known.
		 */
		atomic_store(&keys[at].key, key);
		return;
	}
}

uint64_t keys_find(uint64_t name)
{
	uint32_t at = keys_at(name);

	return at < KEYS_COUNT ? atomic_load(&keys[at].key) : 0;
}

uint64_t keys_remove(uint64_t name)
{
	uint32_t at = keys_at(name);
	uint64_t key;

	if (at == KEYS_COUNT)
		return 0;
	key = atomic_exchange(&keys[at].key, 0);
	atomic_store(&keys[at].name, KEYS_FREED);
	return key;
}

void keys_clear(void)
{
	for (size_t i = 0; i < KEYS_COUNT; i++) {
		atomic_store(&keys[i].key, 0);
		atomic_store(&keys[i].name, 0);
	}
}
