/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Waits by formula: see predict.h.
 */
#include "emu/ring/predict.h"

#include <errno.h>
#include <string.h>

/*
 * Go bits prevent the links of a ringlet from being full. This is the largest share of its clocks
 * for which a link carries symbols, as found by simulations (docs/ring.md, sections 10 and 11).
 * With two nodes no symbols pass, so there is no such limit.
 */
#define CAPACITY 0.77
#define CAPACITY_OF_TWO 1.0
/*
 * The times of nodes are computed in this many steps, each by this part of the missing difference.
 */
#define STEPS 80U
#define STEP 0.15
/* The search ends when no step is longer than this part of a time. */
#define NEAR 1e-5
/* Limit on the used share of an interval, so that no packet waits for ever. */
#define FULLEST 0.999
/* With this many other packets or more, their number makes no difference. */
#define ROW_MAX 256.0

int predict_init(struct predict *predict, const struct network_config *config)
{
	int count = network_rings(config);

	if (count < 0 || config->nodes > PREDICT_NODES_MAX)
		return -EINVAL;
	memset(predict, 0, sizeof(*predict));
	predict->config = *config;
	predict->ring_count = (unsigned int)count;
	for (unsigned int ring = 0; ring < predict->ring_count; ring++) {
		predict->first[ring] = (uint16_t)predict->link_count;
		for (unsigned int at = 0; at < route_ring_nodes(config, ring); at++) {
			if (predict->link_count == PREDICT_LINKS_MAX)
				return -EINVAL;
			predict->capacity[predict->link_count++] =
				route_ring_nodes(config, ring) > 2 ? CAPACITY : CAPACITY_OF_TWO;
		}
	}
	return 0;
}

void predict_clear(struct predict *predict)
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

static void load_add(struct predict_load *load, bool own, double clocks, double count)
{
	*(own ? &load->own : &load->passing) += clocks * count;
	*(own ? &load->own_squares : &load->passing_squares) += clocks * clocks * count;
}

/* Add a packet on a ringlet, and its echo on the rest of the ringlet. */
static void part_add(struct predict *predict, unsigned int source, const struct route_part *part,
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

/* Get the clocks of a packet on its way in an idle network, and of the work at each of its ends. */
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

uint64_t predict_idle(const struct network_config *config, unsigned int source, unsigned int target,
		      unsigned int command)
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

static void packet_add(struct predict *predict, unsigned int cause, unsigned int source,
		       unsigned int target, unsigned int command, double count)
{
	unsigned int symbols = cable_send_symbols(cable_send_type(command, false));
	struct route_part parts[ROUTE_PARTS_MAX];
	unsigned int part_count = route_find(&predict->config, source, target, parts);

	for (unsigned int i = 0; i < part_count; i++)
		part_add(predict, cause, &parts[i], symbols, count);
}

void predict_add(struct predict *predict, unsigned int source, unsigned int target,
		 unsigned int command, uint64_t count)
{
	int response = ring_response(command);

	packet_add(predict, source, source, target, command, (double)count);
	if (response >= 0)
		packet_add(predict, source, target, source, (unsigned int)response, (double)count);
	predict->transactions[source][target] += count;
	predict->idle[source] += count * predict_idle(&predict->config, source, target, command);
}

/*
 * ---- waits -------------------------------------------------------------------------------------
 */

/**
 * struct link_wait - Waits of a packet at a link.
 * @enters: wait of a packet of the node in front of the link
 * @passes: wait of a packet that arrives along the ringlet
 */
struct link_wait {
	double enters;
	double passes;
	double full;
};

/*
 * The number of packets in a queue that is not empty, if at most @others packets can be in it.
 * Without this limit it is 1 / (1 - @full), since each length of the queue is @full times as
 * frequent as the next shorter one.
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
 * The waits of a transaction at a link, caused by all traffic there except @part of its node's own
 * traffic.
 */
static struct link_wait link_wait(const struct predict_load *all, const struct predict_load *own,
				  double part, double capacity, double others)
{
	double entering = all->own - part * own->own;
	double passing = all->passing - part * own->passing;
	double residual_own = (all->own_squares - part * own->own_squares) / 2;
	double residual = residual_own + (all->passing_squares - part * own->passing_squares) / 2;
	double full = (entering + passing) / capacity, passes = passing / capacity;

	/* At most one packet is on a link at a time. */
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
 * The node behind the fullest link of a ringlet withholds go bits, so the other nodes wait, too:
 * the fuller the link is, the longer they wait.
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

/* Get the waits of a packet on its way. */
static double packet_wait(const struct predict *predict, const struct link_wait *waits,
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
 * Get the waits of all transactions of a node, which takes @clocks. @rates: traffic of links per
 * clock.
 */
static double node_wait(const struct predict *predict, const struct predict_load *rates,
			unsigned int node, double part, double others, double clocks)
{
	struct link_wait waits[PREDICT_LINKS_MAX];
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

/* Compute the traffic of links per clock, if each node takes its time. */
static void rates_find(const struct predict *predict, const double *clocks,
		       struct predict_load *rates)
{
	memset(rates, 0, predict->link_count * sizeof(*rates));
	for (unsigned int node = 0; node < predict->config.nodes; node++)
		for (unsigned int link = 0; link < predict->link_count; link++) {
			const struct predict_load *caused = &predict->caused[node][link];

			rates[link].own += caused->own / clocks[node];
			rates[link].own_squares += caused->own_squares / clocks[node];
			rates[link].passing += caused->passing / clocks[node];
			rates[link].passing_squares += caused->passing_squares / clocks[node];
		}
}

/* Does a node use the ringlet with links from @first to @last? */
static bool uses(const struct predict *predict, unsigned int node, unsigned int first,
		 unsigned int last)
{
	for (unsigned int link = first; link < last; link++)
		if (predict->caused[node][link].own + predict->caused[node][link].passing > 0)
			return true;
	return false;
}

/*
 * Slow down a ringlet with a link that is more than full: go bits slow down the nodes that send on
 * it, until the link carries all packets.
 */
static void ringlet_slow(const struct predict *predict, unsigned int ring, const unsigned int *each,
			 double *clocks, double *waits)
{
	struct predict_load rates[PREDICT_LINKS_MAX];
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

void predict_time(const struct predict *predict, const unsigned int *each, double *clocks,
		  double *waits)
{
	struct predict_load rates[PREDICT_LINKS_MAX];
	double alone[PREDICT_NODES_MAX], others = -1, missing = 1;

	memcpy(alone, clocks, predict->config.nodes * sizeof(*alone));
	for (unsigned int node = 0; node < predict->config.nodes; node++)
		others += each[node] ? each[node] : ROW_MAX;
	/*
	 * The longer the nodes take, the shorter the waits are: with steps that are small enough
	 * the two agree.
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

struct predict_link predict_link(const struct predict *predict, unsigned int link)
{
	unsigned int ring = predict->ring_count, at, nodes;

	while (predict->first[--ring] > link)
		;
	at = link - predict->first[ring];
	nodes = route_ring_nodes(&predict->config, ring);
	return (struct predict_link){
		.ringlet = ring,
		.from = route_node(&predict->config,
				   (struct network_place){(uint8_t)ring, (uint8_t)at}),
		.to = route_node(
			&predict->config,
			(struct network_place){(uint8_t)ring, (uint8_t)((at + 1) % nodes)}),
	};
}

unsigned int predict_busiest(const struct predict *predict)
{
	unsigned int busiest = 0;

	for (unsigned int link = 1; link < predict->link_count; link++)
		if (predict_link_load(predict, link, 1) > predict_link_load(predict, busiest, 1))
			busiest = link;
	return busiest;
}

double predict_link_load(const struct predict *predict, unsigned int link, double clocks)
{
	return (predict->links[link].own + predict->links[link].passing) / clocks;
}

/* Get the load of a packet and its echo. */
static double packet_load(const struct predict *predict, unsigned int link, unsigned int source,
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

double predict_transaction_load(const struct predict *predict, unsigned int link,
				unsigned int source, unsigned int target, unsigned int command)
{
	int response = ring_response(command);
	double clocks = packet_load(predict, link, source, target, command);

	if (response >= 0)
		clocks += packet_load(predict, link, target, source, (unsigned int)response);
	return clocks;
}
