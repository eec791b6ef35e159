/* SPDX-License-Identifier: MIT */
/*
 * Collective calls, which all nodes must make: barriers and reductions.
 *
 * In a collective call, each node stores its arrival in the memory of each other node, and then
 * reads only its own memory while it waits. A barrier therefore costs the same transactions in each
 * run, however long a node waits.
 */
#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "lib/gas/gas.h"

/* number of checks without sleep; after these checks, the node sleeps between two checks */
#define LOOKS_AT_ONCE 1000
#define SLEEP_NS 50000

static const char *const call_names[] = {
	[COLLECTIVE_SHARE] = "Gas_share()",	[COLLECTIVE_SHARED] = "Gas_share()",
	[COLLECTIVE_BARRIER] = "Gas_barrier()", [COLLECTIVE_SUM] = "Gas_sum()",
	[COLLECTIVE_MAX] = "Gas_max()",		[COLLECTIVE_MOVE] = "Gas_move()",
	[COLLECTIVE_MOVED] = "Gas_move()",	[COLLECTIVE_CLOSE] = "Gas_close()",
};

void gas_sleep(void)
{
	const struct timespec sleep = {.tv_nsec = SLEEP_NS};

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

int gas_access_check(struct Gas *gas, unsigned int node)
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

int gas_access_check_all(struct Gas *gas)
{
	unsigned int node;
	int ret = 0;

	for (node = 0; gas->sd && node < gas->nodes && !ret; node++)
		ret = gas_access_check(gas, node);
	return ret;
}

/* Wait for the arrival of one node. Return: 0; the failure. */
static int arrival_wait(struct Gas *gas, unsigned int node, enum collective call, int timeout_ms)
{
	volatile struct slot *slot = &gas->control->slot[gas->step % 2][node];
	struct timespec start;
	unsigned int looks, other;
	int ret;

	clock_gettime(CLOCK_MONOTONIC, &start);
	for (looks = 0; slot->arrival >> 8 != gas->step; looks++) {
		if (looks < LOOKS_AT_ONCE)
			continue;
		gas_sleep();
		ret = gas_access_check(gas, node);
		/* If the node has arrived and has ended after that, it has not failed. */
		if (ret == -EHOSTUNREACH && slot->arrival >> 8 == gas->step) {
			gas->failed = 0;
			break;
		}
		if (ret)
			return ret;
		if (gas_late(&start, timeout_ms))
			return gas->failed = gas_fail(-ETIMEDOUT,
						      "node %u has not reached %s within %d ms",
						      node, call_names[call], timeout_ms);
	}
	atomic_thread_fence(memory_order_seq_cst);
	other = slot->arrival & 0xff;
	if (other == call)
		return 0;
	return gas->failed = gas_fail(
		       -EPROTO,
		       "this node is in %s, and node %u in %s: all nodes must make the same calls",
		       call_names[call], node,
		       other && other <= COLLECTIVE_CLOSE ? call_names[other] : "no call");
}

int gas_collective(struct Gas *gas, enum collective call, uint64_t value, uint64_t *values,
		   int timeout_ms)
{
	unsigned int node;
	int ret;

	/*
	 * All stores of this node must be visible before other nodes can see that it has arrived.
	 */
	atomic_thread_fence(memory_order_seq_cst);
	gas->step++;
	ret = gas_access_check_all(gas);
	if (ret)
		return ret;
	for (node = 0; node < gas->nodes; node++) {
		volatile struct slot *slot;

		if (node == gas->node)
			continue;
		slot = &gas->peer[node].control->slot[gas->step % 2][gas->node];
		slot->value = value;
		slot->arrival = gas->step << 8 | call;
	}
	for (node = 0; node < gas->nodes; node++) {
		if (node == gas->node) {
			values[node] = value;
			continue;
		}
		ret = arrival_wait(gas, node, call, timeout_ms);
		if (ret)
			return ret;
		values[node] = gas->control->slot[gas->step % 2][node].value;
	}
	return 0;
}

int gas_agree(struct Gas *gas, enum collective call, int result)
{
	uint64_t results[GAS_NODES_MAX];
	unsigned int node;
	int ret = gas_collective(gas, call, (uint64_t)-result, results, GAS_NO_END);

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

	return ret ? ret : gas_collective(gas, COLLECTIVE_BARRIER, 0, values, GAS_NO_END);
}

/* Make a collective call that passes a number, and get the numbers of all nodes. */
static int reduce(struct Gas *gas, enum collective call, double value, double *values)
{
	uint64_t bits, all[GAS_NODES_MAX];
	int ret = gas_usable(gas);

	if (ret)
		return ret;
	memcpy(&bits, &value, sizeof(bits));
	ret = gas_collective(gas, call, bits, all, GAS_NO_END);
	if (!ret)
		memcpy(values, all, gas->nodes * sizeof(*values));
	return ret;
}

int Gas_sum(struct Gas *gas, double value, double *sum)
{
	double values[GAS_NODES_MAX];
	unsigned int node;
	int ret = reduce(gas, COLLECTIVE_SUM, value, values);

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
	int ret = reduce(gas, COLLECTIVE_MAX, value, values);

	if (ret)
		return ret;
	*max = values[0];
	for (node = 1; node < gas->nodes; node++) {
		if (isnan(*max) || values[node] > *max)
			*max = values[node];
	}
	return 0;
}
