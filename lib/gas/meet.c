/* SPDX-License-Identifier: MIT */
/*
 * libsmile-gas: the functions by which nodes meet: barriers, reductions and locks.
 *
 * At a meeting, each node stores the fact that it has arrived in the memory of each other node.
 * While it waits, it reads only its own memory. For this reason, the number of transactions of a
 * barrier does not depend on how long the nodes wait.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "lib/gas/gas.h"

/* number of checks without sleep; after these checks, the node sleeps between two checks */
#define LOOKS_AT_ONCE 1000
#define SLEEP_NS 50000

static const char *const meeting_names[] = {
	[MEETING_SHARE] = "Gas_share()",     [MEETING_SHARED] = "Gas_share()",
	[MEETING_BARRIER] = "Gas_barrier()", [MEETING_SUM] = "Gas_sum()",
	[MEETING_MAX] = "Gas_max()",	     [MEETING_MOVE] = "Gas_move()",
	[MEETING_MOVED] = "Gas_move()",	     [MEETING_CLOSE] = "Gas_close()",
};

/* Wait for a short time. @looks: the number of checks that the caller has already made */
static void wait_a_little(unsigned int looks)
{
	const struct timespec sleep = {.tv_nsec = SLEEP_NS};

	if (looks >= LOOKS_AT_ONCE)
		nanosleep(&sleep, NULL);
}

bool gas_late(const struct timespec *start, int timeout_ms)
{
	struct timespec now;

	if (timeout_ms < 0)
		return false;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (now.tv_sec - start->tv_sec) * 1000 + (now.tv_nsec - start->tv_nsec) / 1000000 >=
	       timeout_ms;
}

/* Check whether accesses to a node have failed. If so, set gas->failed. */
static int accesses_check(struct Gas *gas, unsigned int node)
{
	sci_sequence_status_t status;
	sci_error_t error;

	if (gas->failed)
		return gas->failed;
	status = SCICheckSequence(gas->peer[node].sequence, 0, &error);
	if (status == SCI_SEQ_OK)
		return 0;
	if (status == SCI_SEQ_NOT_RETRIABLE)
		gas->failed = gas_fail(-EHOSTUNREACH, "node %u has ended, or is lost", node);
	else
		gas->failed = gas_fail(
			-EIO, "accesses to node %u have failed: its memory is not what was stored",
			node);
	return gas->failed;
}

/* Check all nodes. If the program runs on only one node, there is nothing to check. */
static int check_all(struct Gas *gas)
{
	unsigned int node;
	int ret = 0;

	for (node = 0; gas->sd && node < gas->nodes && !ret; node++)
		ret = accesses_check(gas, node);
	return ret;
}

/* Wait for the arrival of one node. Return: 0; the error of a failure. */
static int arrival_wait(struct Gas *gas, unsigned int node, enum meeting meeting, int timeout_ms)
{
	volatile struct slot *slot = &gas->control->slot[gas->step % 2][node];
	struct timespec start;
	unsigned int looks, other;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (looks = 0; slot->arrival >> 8 != gas->step; looks++) {
		wait_a_little(looks);
		if (looks < LOOKS_AT_ONCE)
			continue;
		ret = accesses_check(gas, node);
		/* If the node ended only after it had arrived, it has not failed. */
		if (ret == -EHOSTUNREACH && slot->arrival >> 8 == gas->step) {
			gas->failed = 0;
			break;
		}
		if (ret)
			return ret;
		if (gas_late(&start, timeout_ms))
			return gas->failed = gas_fail(-ETIMEDOUT,
						      "node %u has not reached %s within %d ms",
						      node, meeting_names[meeting], timeout_ms);
	}
	atomic_thread_fence(memory_order_seq_cst);
	other = slot->arrival & 0xff;
	if (other == meeting)
		return 0;
	return gas->failed = gas_fail(
		       -EPROTO,
		       "this node is in %s, and node %u in %s: all nodes must make the same calls",
		       meeting_names[meeting], node,
		       other && other <= MEETING_CLOSE ? meeting_names[other] : "no call");
}

int gas_meet(struct Gas *gas, enum meeting meeting, uint64_t value, uint64_t *values,
	     int timeout_ms)
{
	unsigned int node;
	int ret;

	/*
	 * All stores of this node must be visible before other nodes can see that it has arrived.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	gas->step++;
	ret = check_all(gas);
	if (ret)
		return ret;
	for (node = 0; node < gas->nodes; node++) {
		volatile struct slot *slot;

		if (node == gas->node)
			continue;
		slot = &gas->peer[node].control->slot[gas->step % 2][gas->node];
		slot->value = value;
		slot->arrival = gas->step << 8 | meeting;
	}
	for (node = 0; node < gas->nodes; node++) {
		if (node == gas->node) {
			values[node] = value;
			continue;
		}
		ret = arrival_wait(gas, node, meeting, timeout_ms);
		if (ret)
			return ret;
		values[node] = gas->control->slot[gas->step % 2][node].value;
	}
	return 0;
}

int gas_agree(struct Gas *gas, enum meeting meeting, int result)
{
	uint64_t results[GAS_NODES_MAX];
	unsigned int node;
	int ret = gas_meet(gas, meeting, (uint64_t)-result, results, GAS_NO_END);

	if (ret || result)
		return ret ? ret : result;
	for (node = 0; node < gas->nodes; node++) {
		if (results[node])
			return gas_fail(-(int)results[node],
					"node %u has failed: its own message has the reason", node);
	}
	return 0;
}

int Gas_barrier(struct Gas *gas)
{
	uint64_t values[GAS_NODES_MAX];
	int ret = gas_usable(gas);

	return ret ? ret : gas_meet(gas, MEETING_BARRIER, 0, values, GAS_NO_END);
}

/* Make a collective call that passes a floating-point number, and get the numbers of all nodes. */
static int reduce(struct Gas *gas, enum meeting meeting, double value, double *values)
{
	uint64_t bits, all[GAS_NODES_MAX];
	int ret = gas_usable(gas);

	if (ret)
		return ret;
	memcpy(&bits, &value, sizeof(bits));
	ret = gas_meet(gas, meeting, bits, all, GAS_NO_END);
	if (!ret)
		memcpy(values, all, gas->nodes * sizeof(*values));
	return ret;
}

int Gas_sum(struct Gas *gas, double value, double *sum)
{
	double values[GAS_NODES_MAX];
	unsigned int node;
	int ret = reduce(gas, MEETING_SUM, value, values);

	if (ret)
		return ret;
	*sum = values[0];
	for (node = 1; node < gas->nodes; node++)
		*sum += values[node];
	return 0;
}

int Gas_max(struct Gas *gas, double value, double *max)
{
	double values[GAS_NODES_MAX];
	unsigned int node;
	int ret = reduce(gas, MEETING_MAX, value, values);

	if (ret)
		return ret;
	*max = values[0];
	for (node = 1; node < gas->nodes; node++) {
		if (isnan(*max) || values[node] > *max)
			*max = values[node];
	}
	return 0;
}

/* ---- locks ---- */

static int lock_number(unsigned int number)
{
	if (number < GAS_LOCKS)
		return 0;
	return gas_fail(-EINVAL, "lock %u does not exist: there are %d locks", number, GAS_LOCKS);
}

/* Get the address of the word that contains the ticket of the lock's holder. */
static volatile uint32_t *serving(struct Gas *gas, unsigned int number)
{
	unsigned int node = number % gas->nodes;
	volatile struct control *control =
		node == gas->node ? gas->control : gas->peer[node].control;

	return &control->serving[number];
}

/*
 * Take a ticket by fetch and increment. A failed load returns all ones. Because this can be a valid
 * ticket, check for a failure.
 */
static int ticket_take(struct Gas *gas, unsigned int number, uint32_t *ticket)
{
	unsigned int node = number % gas->nodes;

	if (!gas->sd) {
		*ticket = __atomic_fetch_add(&gas->control->ticket[number], 1, __ATOMIC_SEQ_CST);
		return 0;
	}
	*ticket = gas->peer[node].ticket[number];
	return *ticket == UINT32_MAX ? accesses_check(gas, node) : 0;
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
		wait_a_little(LOOKS_AT_ONCE);
		/* Any node can hold the lock, so check all nodes. */
		ret = check_all(gas);
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
