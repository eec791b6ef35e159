/* SPDX-License-Identifier: MIT */
/*
 * Locks: a node takes a ticket by fetch and increment, and has the lock when its ticket is served.
 */
#include <errno.h>
#include <stdatomic.h>

#include "lib/gas/gas.h"

static int lock_number(unsigned int number)
{
	if (number < GAS_LOCKS)
		return 0;
	return gas_fail(-EINVAL, "lock %u does not exist: there are %d locks", number, GAS_LOCKS);
}

/* Get the address of the word with the ticket that holds the lock. */
static volatile uint32_t *serving(struct Gas *gas, unsigned int number)
{
	unsigned int node = number % gas->nodes;
	volatile struct control *control =
		node == gas->node ? gas->control : gas->peer[node].control;

	return &control->serving[number];
}

/*
 * Take a ticket by fetch and increment. A failed load returns all ones, which can also be a valid
 * ticket.
 */
static int ticket_take(struct Gas *gas, unsigned int number, uint32_t *ticket)
{
	unsigned int node = number % gas->nodes;

	if (!gas->sd) {
		*ticket = __atomic_fetch_add(&gas->control->ticket[number], 1, __ATOMIC_SEQ_CST);
		return 0;
	}
	*ticket = gas->peer[node].ticket[number];
	return *ticket == UINT32_MAX ? gas_access_check(gas, node) : 0;
}

int Gas_lock(struct Gas *gas, unsigned int number)
{
	uint32_t ticket;
	int ret = gas_usable(gas);

	ret = ret ? ret : lock_number(number);
	ret = ret ? ret : ticket_take(gas, number, &ticket);
	if (ret)
		return ret;
	while (*serving(gas, number) != ticket) {
		gas_sleep();
		/* The holder of the lock can be any node, so check all of them. */
		ret = gas_access_check_all(gas);
		if (ret)
			return ret;
	}
	gas->held[number] = ticket;
	atomic_thread_fence(memory_order_seq_cst);
	return 0;
}

int Gas_unlock(struct Gas *gas, unsigned int number)
{
	int ret = gas_usable(gas);

	ret = ret ? ret : lock_number(number);
	if (ret)
		return ret;
	atomic_thread_fence(memory_order_seq_cst);
	*serving(gas, number) = gas->held[number] + 1;
	return 0;
}
