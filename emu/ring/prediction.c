/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Compute waits by formula: see prediction.h.
 */
#include "emu/ring/prediction.h"

#include <errno.h>
#include <string.h>

/*
 * The largest share of the clocks for which a link of a ringlet carries symbols. It is below 1,
 * since go bits prevent a full load. The number was found by simulations (docs/ring.md, sections 10
 * and 11). In a ringlet of two nodes no symbols pass through a node, so this limit does not apply.
 */
#define CAPACITY 0.77
#define CAPACITY_OF_TWO 1.0
/*
 * The times of the nodes are approximated in at most this number of steps. Each step changes a time
 * by this fraction of the remaining difference.
 */
#define STEPS 80U
#define STEP 0.15
/* The approximation ends when the step of every node is shorter than this fraction of its time. */
#define NEAR 1e-5
/*
 * The largest share of an interval that counts as used. With a share of 1, the computed waits would
 * be infinite.
 */
#define FULLEST 0.999
/* If there are at least this many other packets, their number has no effect on the result. */
#define ROW_MAX 256.0

int prediction_init(struct prediction *predict, const struct network_config *config)
{
	int count = network_rings(config);

	if (count < 0 || config->nodes > PREDICTION_NODES_MAX)
		return -EINVAL;
	memset(predict, 0, sizeof(*predict));
	predict->config = *config;
	predict->ring_count = (unsigned int)count;
	for (unsigned int ring = 0; ring < predict->ring_count; ring++) {
		predict->first[ring] = (uint16_t)predict->link_count;
		for (unsigned int at = 0; at < route_ring_nodes(config, ring); at++) {
			if (predict->link_count == PREDICTION_LINKS_MAX)
				return -EINVAL;
			predict->capacity[predict->link_count++] =
				route_ring_nodes(config, ring) > 2 ? CAPACITY : CAPACITY_OF_TWO;
		}
	}
	return 0;
}

void prediction_clear(struct prediction *predict)
{
	memset(predict->links, 0, sizeof(predict->links));
	for (unsigned int node = 0; node < predict->config.nodes; node++) {
		memset(predict->caused[node], 0,
		       predict->link_count * sizeof(predict->caused[node][0]));
		memset(predict->transactions[node], 0,
		       predict->config.nodes * sizeof(predict->transactions[node][0]));
	}
	memset(predict->idle, 0, sizeof(predict->idle));
}

static void load_add(struct prediction_load *load, bool own, double clocks, double count)
{
	*(own ? &load->own : &load->passing) += clocks * count;
	*(own ? &load->own_squares : &load->passing_squares) += clocks * clocks * count;
}

/*
 * Add the load of a packet on the links of a ringlet, and of its echo on the other links of this
 * ringlet.
 */
static void part_add(struct prediction *predict, unsigned int source, const struct route_part *part,
		     unsigned int symbols, double count)
{
	unsigned int nodes = route_ring_nodes(&predict->config, part->ring);
	unsigned int gap = predict->config.ring.gap, at = part->entry;
	double clocks = symbols + gap;

	do {
		unsigned int link = predict->first[part->ring] + at;
		bool own = at == part->entry;

		if (at == part->exit)
			clocks = CABLE_ECHO_SYMBOLS + gap;
		load_add(&predict->links[link], own, clocks, count);
		load_add(&predict->caused[source][link], own, clocks, count);
		at = (at + 1) % nodes;
	} while (at != part->entry);
}

static unsigned int hops(const struct network_config *config, const struct route_part *part)
{
	unsigned int nodes = route_ring_nodes(config, part->ring);

	return (part->exit + nodes - part->entry) % nodes;
}

/*
 * Compute the clocks that a packet needs on its route through an idle network. The clocks of the
 * work at the end of each ringlet are included.
 */
static uint64_t packet_idle(const struct network_config *config, unsigned int source,
			    unsigned int target, unsigned int symbols)
{
	struct route_part parts[ROUTE_PARTS_MAX];
	unsigned int count = route_find(config, source, target, parts);
	uint64_t clocks = 0;

	for (unsigned int i = 0; i < count; i++)
		clocks += (uint64_t)config->ring.hop_clocks * hops(config, &parts[i]) + symbols -
			  1 + config->ring.service_clocks;
	return clocks;
}

uint64_t prediction_idle(const struct network_config *config, unsigned int source,
			 unsigned int target, unsigned int command)
{
	int response = ring_response(command);
	uint64_t clocks = packet_idle(config, source, target,
				      cable_send_symbols(cable_send_type(command, false)));

	if (response < 0)
		return clocks;
	return clocks +
	       packet_idle(config, target, source,
			   cable_send_symbols(cable_send_type((unsigned int)response, false)));
}

static void packet_add(struct prediction *predict, unsigned int cause, unsigned int source,
		       unsigned int target, unsigned int command, double count)
{
	unsigned int symbols = cable_send_symbols(cable_send_type(command, false));
	struct route_part parts[ROUTE_PARTS_MAX];
	unsigned int part_count = route_find(&predict->config, source, target, parts);

	for (unsigned int i = 0; i < part_count; i++)
		part_add(predict, cause, &parts[i], symbols, count);
}

void prediction_add(struct prediction *predict, unsigned int source, unsigned int target,
		    unsigned int command, uint64_t count)
{
	int response = ring_response(command);

	packet_add(predict, source, source, target, command, (double)count);
	if (response >= 0)
		packet_add(predict, source, target, source, (unsigned int)response, (double)count);
	predict->transactions[source][target] += count;
	predict->idle[source] += count * prediction_idle(&predict->config, source, target, command);
}

/* ---- waits ---------------------------------------------------------------------------------- */

/**
 * struct link_wait - Waits at a link, in clocks.
 * @enters: wait of a packet that the node before the link sends
 * @passes: wait of a packet that arrives along the ringlet
 */
struct link_wait {
	double enters;
	double passes;
	double full;
};

/*
 * Compute the mean number of packets in a queue that is not empty, if the queue has at most @others
 * packets. Without this limit the mean is 1 / (1 - @full), because a queue of n + 1 packets is
 * @full times as frequent as a queue of n packets.
 */
static double row(double full, double others)
{
	double sum = 0, term = 1;

	if (!(others < ROW_MAX))
		return 1 / (1 - full);
	for (; others >= 1; others--, term *= full)
		sum += term;
	return sum;
}

/*
 * Compute the waits of a transaction at a link. They are caused by all traffic of the link, except
 * @part of the traffic of the transaction's own node.
 */
static struct link_wait link_wait(const struct prediction_load *all,
				  const struct prediction_load *own, double part, double capacity,
				  double others)
{
	double entering = all->own - part * own->own;
	double passing = all->passing - part * own->passing;
	double residual_own = (all->own_squares - part * own->own_squares) / 2;
	double residual = residual_own + (all->passing_squares - part * own->passing_squares) / 2;
	double full = (entering + passing) / capacity, passes = passing / capacity;

	/*
	 * At most one packet is on a link at a time, so the remaining time of more than one packet
	 * does not count.
	 */
	if (entering + passing > 1) {
		residual_own /= entering + passing;
		residual /= entering + passing;
	}
	if (full > FULLEST)
		full = FULLEST;
	if (passes > FULLEST)
		passes = FULLEST;
	return (struct link_wait){
		.enters = residual * (1 + passes) * row(full, others),
		.passes = residual_own * row(full, others),
		.full = full,
	};
}

/*
 * The node after the fullest link of a ringlet withholds go bits. The other nodes of the ringlet
 * therefore wait, too. The fuller the link is, the longer they wait.
 */
static void waits_share(struct link_wait *waits, unsigned int nodes)
{
	const struct link_wait *fullest = waits;
	double share;

	for (unsigned int at = 1; at < nodes; at++)
		if (waits[at].full > fullest->full)
			fullest = &waits[at];
	share = fullest->full * fullest->full;
	share *= share;
	for (unsigned int at = 0; at < nodes; at++)
		if (waits[at].enters < fullest->enters)
			waits[at].enters += share * (fullest->enters - waits[at].enters);
}

/* Sum up the waits of a packet on its route. */
static double packet_wait(const struct prediction *predict, const struct link_wait *waits,
			  unsigned int source, unsigned int target)
{
	struct route_part parts[ROUTE_PARTS_MAX];
	unsigned int count = route_find(&predict->config, source, target, parts);
	double wait = 0;

	for (unsigned int i = 0; i < count; i++) {
		unsigned int nodes = route_ring_nodes(&predict->config, parts[i].ring);
		unsigned int at = parts[i].entry;

		wait += waits[predict->first[parts[i].ring] + at].enters;
		for (at = (at + 1) % nodes; at != parts[i].exit; at = (at + 1) % nodes)
			wait += waits[predict->first[parts[i].ring] + at].passes;
	}
	return wait;
}

/*
 * Compute the sum of the waits of all transactions of a node in a time of @clocks clocks. @rates:
 * traffic of each link per clock.
 */
static double node_wait(const struct prediction *predict, const struct prediction_load *rates,
			unsigned int node, double part, double others, double clocks)
{
	struct link_wait waits[PREDICTION_LINKS_MAX];
	double wait = 0;

	for (unsigned int link = 0; link < predict->link_count; link++)
		waits[link] = link_wait(&rates[link], &predict->caused[node][link], part / clocks,
					predict->capacity[link], others);
	for (unsigned int ring = 0; ring < predict->ring_count; ring++)
		waits_share(waits + predict->first[ring], route_ring_nodes(&predict->config, ring));
	for (unsigned int target = 0; target < predict->config.nodes; target++) {
		double count = (double)predict->transactions[node][target];

		if (count > 0)
			wait += count * (packet_wait(predict, waits, node, target) +
					 packet_wait(predict, waits, target, node));
	}
	return wait;
}

/* Compute the traffic of each link per clock, if each node takes the time in @clocks. */
static void rates_find(const struct prediction *predict, const double *clocks,
		       struct prediction_load *rates)
{
	memset(rates, 0, predict->link_count * sizeof(*rates));
	for (unsigned int node = 0; node < predict->config.nodes; node++)
		for (unsigned int link = 0; link < predict->link_count; link++) {
			const struct prediction_load *caused = &predict->caused[node][link];

			rates[link].own += caused->own / clocks[node];
			rates[link].own_squares += caused->own_squares / clocks[node];
			rates[link].passing += caused->passing / clocks[node];
			rates[link].passing_squares += caused->passing_squares / clocks[node];
		}
}

/*
 * Check whether the transactions of a node use the ringlet with the links from @first up to but not
 * including @last.
 */
static bool uses(const struct prediction *predict, unsigned int node, unsigned int first,
		 unsigned int last)
{
	for (unsigned int link = first; link < last; link++)
		if (predict->caused[node][link].own + predict->caused[node][link].passing > 0)
			return true;
	return false;
}

/*
 * If a link of the ringlet would be more than full, slow down the nodes that use the ringlet, until
 * the link can carry all packets. In the simulated ring, go bits have this effect.
 */
static void ringlet_slow(const struct prediction *predict, unsigned int ring,
			 const unsigned int *each, double *clocks, double *waits)
{
	struct prediction_load rates[PREDICTION_LINKS_MAX];
	unsigned int first = predict->first[ring];
	unsigned int last = first + route_ring_nodes(&predict->config, ring);
	double most = 1;

	rates_find(predict, clocks, rates);
	for (unsigned int link = first; link < last; link++) {
		double full = (rates[link].own + rates[link].passing) / predict->capacity[link];

		if (full > most)
			most = full;
	}
	for (unsigned int node = 0; most > 1 && node < predict->config.nodes; node++)
		if (each[node] && uses(predict, node, first, last)) {
			waits[node] += (most - 1) * clocks[node] * each[node];
			clocks[node] *= most;
		}
}

void prediction_time(const struct prediction *predict, const unsigned int *each, double *clocks,
		     double *waits)
{
	struct prediction_load rates[PREDICTION_LINKS_MAX];
	double alone[PREDICTION_NODES_MAX], others = -1, missing = 1;

	memcpy(alone, clocks, predict->config.nodes * sizeof(*alone));
	for (unsigned int node = 0; node < predict->config.nodes; node++)
		others += each[node] ? each[node] : ROW_MAX;
	/*
	 * If the nodes take longer, the waits become shorter. Shorter waits make the nodes faster.
	 * Small steps are needed for both to converge.
	 */
	for (unsigned int i = 0; i < STEPS && missing > NEAR; i++) {
		missing = 0;
		rates_find(predict, clocks, rates);
		for (unsigned int node = 0; node < predict->config.nodes; node++) {
			unsigned int under_way = each[node];
			double step;

			waits[node] =
				node_wait(predict, rates, node, under_way ? 1.0 / under_way : 0,
					  others, clocks[node]);
			if (!under_way)
				continue;
			step = STEP * (alone[node] + waits[node] / under_way - clocks[node]);
			clocks[node] += step;
			step = (step < 0 ? -step : step) / clocks[node];
			if (step > missing)
				missing = step;
		}
	}
	for (unsigned int ring = 0; ring < predict->ring_count; ring++)
		ringlet_slow(predict, ring, each, clocks, waits);
}

struct prediction_link prediction_link(const struct prediction *predict, unsigned int link)
{
	unsigned int ring = predict->ring_count, at, nodes;

	while (predict->first[--ring] > link)
		;
	at = link - predict->first[ring];
	nodes = route_ring_nodes(&predict->config, ring);
	return (struct prediction_link){
		.ringlet = ring,
		.from = route_node(&predict->config,
				   (struct network_place){(uint8_t)ring, (uint8_t)at}),
		.to = route_node(
			&predict->config,
			(struct network_place){(uint8_t)ring, (uint8_t)((at + 1) % nodes)}),
	};
}

unsigned int prediction_busiest(const struct prediction *predict)
{
	unsigned int busiest = 0;

	for (unsigned int link = 1; link < predict->link_count; link++)
		if (prediction_link_load(predict, link, 1) >
		    prediction_link_load(predict, busiest, 1))
			busiest = link;
	return busiest;
}

double prediction_link_load(const struct prediction *predict, unsigned int link, double clocks)
{
	return (predict->links[link].own + predict->links[link].passing) / clocks;
}

/* Compute the clocks for which a link carries a packet or its echo. */
static double packet_load(const struct prediction *predict, unsigned int link, unsigned int source,
			  unsigned int target, unsigned int command)
{
	struct route_part parts[ROUTE_PARTS_MAX];
	unsigned int count = route_find(&predict->config, source, target, parts);
	unsigned int symbols = cable_send_symbols(cable_send_type(command, false));
	double clocks = 0;

	for (unsigned int i = 0; i < count; i++) {
		unsigned int nodes = route_ring_nodes(&predict->config, parts[i].ring);
		unsigned int first = predict->first[parts[i].ring];

		if (link < first || link >= first + nodes)
			continue;
		clocks += predict->config.ring.gap;
		if ((link - first + nodes - parts[i].entry) % nodes <
		    hops(&predict->config, &parts[i]))
			clocks += symbols;
		else
			clocks += CABLE_ECHO_SYMBOLS;
	}
	return clocks;
}

double prediction_transaction_load(const struct prediction *predict, unsigned int link,
				   unsigned int source, unsigned int target, unsigned int command)
{
	int response = ring_response(command);
	double clocks = packet_load(predict, link, source, target, command);

	if (response >= 0)
		clocks += packet_load(predict, link, target, source, (unsigned int)response);
	return clocks;
}
