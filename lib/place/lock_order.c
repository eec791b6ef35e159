/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Waiting for a turn. May use lock_order.h.
 */
#include "lib/place/lock_order.h"

#include <stdbool.h>
#include <stdint.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Turns are few: one word for all of them, and a futex that changes with each. */
static uint32_t turns_busy;
static uint32_t turns_count;

static void enter(void)
{
	while (__atomic_exchange_n(&turns_busy, 1, __ATOMIC_ACQUIRE))
		syscall(SYS_sched_yield);
}

static void leave(void)
{
	__atomic_store_n(&turns_busy, 0, __ATOMIC_RELEASE);
}

static bool had(const struct turns *turns, unsigned number)
{
	return number >= TURNS_THREADS || turns->had[number / 64] >> (number % 64) & 1;
}

/* The index of a thread that still waits for its turn; @order->count: none. */
static size_t turn_of(const struct turns *turns, unsigned number)
{
	for (size_t i = turns->next; i < turns->count; i++)
		if (turns->threads[i] == number)
			return i;
	return turns->count;
}

static void advance(struct turns *turns)
{
	while (turns->next < turns->count && had(turns, turns->threads[turns->next]))
		turns->next++;
	__atomic_fetch_add(&turns_count, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &turns_count, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

static uint64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec;
}

void turns_wait(struct turns *turns, unsigned number)
{
	const struct timespec nap = {.tv_nsec = 100000000};
	uint64_t end = now_s() + turns->patience_s + 1;

	for (;;) {
		uint32_t seen = __atomic_load_n(&turns_count, __ATOMIC_ACQUIRE);
		bool waits;

		enter();
		waits = !*turns->given_up && !had(turns, number) &&
			turn_of(turns, number) > turns->next &&
			turn_of(turns, number) < turns->count;
		if (waits && now_s() >= end) {
			*turns->given_up = 1;
			advance(turns);
			waits = false;
		}
		leave();
		if (!waits)
			return;
		syscall(SYS_futex, &turns_count, FUTEX_WAIT, seen, &nap, NULL, 0);
	}
}

void turns_took(struct turns *turns, unsigned number)
{
	if (number >= TURNS_THREADS)
		return;
	enter();
	if (!had(turns, number)) {
		turns->had[number / 64] |= 1ULL << (number % 64);
		advance(turns);
	}
	leave();
}
