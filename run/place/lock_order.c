/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Makes a thread wait until the threads that precede it in the order of a lock have taken the lock.
 * This file may use lock_order.h.
 */
#include "run/place/lock_order.h"

#include <stdbool.h>
#include <stdint.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <base/clock.h>

/*
 * turns_busy and turns_count are used for all locks, because threads rarely wait for their turn.
 * turns_count is a futex word. It changes each time that the turn passes to another thread.
 */
static uint32_t turns_busy;
static uint32_t turns_count;

#define NAP_NS 100000000ULL

static void enter(void)
{
	while (__atomic_exchange_n(&turns_busy, 1, __ATOMIC_ACQUIRE))
		syscall(SYS_sched_yield);
}

static void leave(void)
{
	__atomic_store_n(&turns_busy, 0, __ATOMIC_RELEASE);
}

static bool had(const struct lock_order *order, unsigned number)
{
	return number >= LOCK_ORDER_THREADS || order->had[number / 64] >> (number % 64) & 1;
}

/*
 * Get the index in @order->threads of a thread whose turn is still to come; @order->count if it has
 * no further turn.
 */
static size_t turn_of(const struct lock_order *order, unsigned number)
{
	for (size_t i = order->next; i < order->count; i++)
		if (order->threads[i] == number)
			return i;
	return order->count;
}

static void advance(struct lock_order *order)
{
	while (order->next < order->count && had(order, order->threads[order->next]))
		order->next++;
	__atomic_fetch_add(&turns_count, 1, __ATOMIC_RELEASE);
	syscall(SYS_futex, &turns_count, FUTEX_WAKE, INT32_MAX, NULL, NULL, 0);
}

/*
 * Of each sleep, at most twice the requested length counts as waiting time. If the whole machine
 * stalls, a sleep can last much longer. During that time, the thread whose turn it is makes no
 * progress either.
 */
void lock_order_wait(struct lock_order *order, unsigned number)
{
	const struct timespec nap = {.tv_nsec = NAP_NS};
	uint64_t last = clock_now_ns(), waited = 0;

	for (;;) {
		uint32_t seen = __atomic_load_n(&turns_count, __ATOMIC_ACQUIRE);
		uint64_t now = clock_now_ns();
		bool waits;

		waited += now - last < 2 * NAP_NS ? now - last : 2 * NAP_NS;
		last = now;
		enter();
		waits = !*order->given_up && !had(order, number) &&
			turn_of(order, number) > order->next &&
			turn_of(order, number) < order->count;
		if (waits && waited >= order->patience_s * 1000000000ULL) {
			*order->given_up = 1;
			advance(order);
			waits = false;
		}
		leave();
		if (!waits)
			return;
		syscall(SYS_futex, &turns_count, FUTEX_WAIT, seen, &nap, NULL, 0);
	}
}

void lock_order_took(struct lock_order *order, unsigned number)
{
	if (number >= LOCK_ORDER_THREADS)
		return;
	enter();
	if (!had(order, number)) {
		order->had[number / 64] |= 1ULL << (number % 64);
		advance(order);
	}
	leave();
}
