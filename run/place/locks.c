/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Lock functions that replace those of libc. They make threads take a lock in the order of the
 * plan. Each thread then gets the same part of the work (role) as in the recorded run. This file
 * may use place.h, lock_order.h and real_functions.h.
 */
#include <pthread.h>
#include <threads.h>

#include "run/place/place.h"
#include "run/place/lock_order.h"
#include "run/preload/base/real_functions.h"

static struct lock_order *lock_orders;
static uint32_t lock_count;

bool locks_start(const uint64_t *biases)
{
	struct plan_order *orders =
		(struct plan_order *)((char *)place_plan + place_plan->orders_at);
	const uint32_t *threads = (const uint32_t *)((char *)place_plan + place_plan->threads_at);

	if (!place_plan->orders)
		return true;
	lock_orders = place_memory(place_plan->orders * sizeof(*lock_orders));
	if (!lock_orders)
		return false;
	for (uint32_t i = 0; i < place_plan->orders; i++) {
		struct lock_order *order = &lock_orders[lock_count];

		if (biases[orders[i].object] == MATCH_NOWHERE)
			continue;
		order->lock = (const void *)(uintptr_t)(biases[orders[i].object] + orders[i].link);
		order->threads = threads + orders[i].first;
		order->count = orders[i].count;
		order->patience_s = LOCK_ORDER_PATIENCE_S;
		order->given_up = &orders[i].given_up;
		lock_count++;
	}
	return true;
}

void locks_left(uint32_t number)
{
	for (uint32_t i = 0; place_on && i < lock_count; i++)
		lock_order_took(&lock_orders[i], number);
}

/*
 * Get the order of a lock; NULL if the plan has no order for the lock, which is the case for nearly
 * all locks.
 */
static struct lock_order *order_find(const void *lock)
{
	for (uint32_t i = 0; i < lock_count; i++)
		if (place_on && lock_orders[i].lock == lock)
			return &lock_orders[i];
	return NULL;
}

EXPORT int pthread_mutex_lock(pthread_mutex_t *lock)
{
	struct lock_order *order = order_find(lock);
	int error;

	if (order)
		lock_order_wait(order, bind_number);
	error = NEXT(pthread_mutex_lock)(lock);
	if (order)
		lock_order_took(order, bind_number);
	return error;
}

EXPORT int mtx_lock(mtx_t *lock)
{
	struct lock_order *order = order_find(lock);
	int error;

	if (order)
		lock_order_wait(order, bind_number);
	error = NEXT(mtx_lock)(lock);
	if (order)
		lock_order_took(order, bind_number);
	return error;
}
