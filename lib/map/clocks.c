// SPDX-License-Identifier: MIT
/*
 * Clocks. See lib/map/clocks.h.
 */
#include <stdlib.h>
#include <string.h>

#include <hw/smile_regs.h>
#include <base/array.h>
#include <base/search.h>

#include "lib/base/error.h"
#include "lib/map/clocks.h"
#include "lib/map/map.h"

/*
 * Limits that keep sums of times below 2^63: 146 years for a host's clock, 36 years for other
 * times.
 */
#define HOST_MAX (UINT64_MAX / 4)
#define CARD_MAX (UINT64_MAX / 16)

static const char several_boots[] = "its recordings are from several boots",
		  several_clocks[] = "its recordings use several clocks";

void smile_clocks_free(struct clocks *clocks)
{
	for (size_t i = 0; i < clocks->count; i++)
		free(clocks->nodes[i].pairs);
	free(clocks->nodes);
	*clocks = (struct clocks){0};
}

const struct node_clock *smile_clocks_of(const struct clocks *clocks, uint32_t node)
{
	for (size_t i = 0; i < clocks->count; i++)
		if (clocks->nodes[i].node == node)
			return &clocks->nodes[i];
	return NULL;
}

/* Find or add the clock of a node. Return: the clock; NULL if memory is missing. */
static struct node_clock *node_clock(struct clocks *clocks, uint32_t node,
				     const unsigned char *boot)
{
	struct node_clock *clock;

	for (size_t i = 0; i < clocks->count; i++)
		if (clocks->nodes[i].node == node)
			return &clocks->nodes[i];
	if (array_reserve(&clocks->nodes, &clocks->size, clocks->count, sizeof(*clocks->nodes)) < 0)
		return NULL;
	clock = &clocks->nodes[clocks->count++];
	*clock = (struct node_clock){.node = node};
	memcpy(clock->boot, boot, sizeof(clock->boot));
	return clock;
}

static int is_possible(const struct clock_pair *pair)
{
	return pair->card_ns <= CARD_MAX && pair->raw_ns <= HOST_MAX && pair->real_ns <= HOST_MAX &&
	       pair->raw_bound_ns <= CARD_MAX &&
	       (pair->real_bound_ns <= CARD_MAX || pair->real_bound_ns == CLOCKS_UNKNOWN);
}

/*
 * A pair has a time of the card and the host's time at the same moment. From a pair, compute the
 * host's time at another time of the card. The result is a range. The further apart the two times
 * of the card are, the wider is the range.
 */
static struct clock_span span_of(const struct clock_pair *pair, uint64_t card_ns, int real)
{
	int64_t at = (int64_t)(real ? pair->real_ns : pair->raw_ns);
	int64_t bound = (int64_t)(real ? pair->real_bound_ns : pair->raw_bound_ns);
	uint64_t drift = real ? CLOCKS_DRIFT_REAL : CLOCKS_DRIFT_RAW;
	int64_t away = (int64_t)(card_ns - pair->card_ns);
	uint64_t distance = (uint64_t)(away < 0 ? -away : away);

	bound += (int64_t)(distance / 1000000000U * drift +
			   distance % 1000000000U * drift / 1000000000U + 1);
	return (struct clock_span){at + away - bound, at + away + bound};
}

/*
 * Return whether the card's clock can have run without a stop from the pair @before to the pair
 * @pair. If an emulated card reads a capture, its clock stops until the next packet, so the later
 * pair says nothing about the time before it.
 */
static int runs_on(const struct clock_pair *before, const struct clock_pair *pair)
{
	struct clock_span span = span_of(before, pair->card_ns, 0);
	int64_t bound = (int64_t)pair->raw_bound_ns;

	return (int64_t)pair->raw_ns + bound >= span.first_ns &&
	       (int64_t)pair->raw_ns - bound <= span.last_ns;
}

int smile_clocks_add(struct clocks *clocks, uint32_t node, const unsigned char *boot,
		     const struct clock_pair *pair)
{
	const struct clock_pair *last;
	struct node_clock *clock;

	if (node & ~SMILE_NODE_ID || !is_possible(pair))
		return smile_error(EINVAL, "a pair of times of node %u is out of range", node);
	clock = node_clock(clocks, node, boot);
	if (!clock)
		return smile_map_no_memory();
	last = clock->pairs_count ? &clock->pairs[clock->pairs_count - 1] : NULL;
	if (memcmp(clock->boot, boot, sizeof(clock->boot)) != 0)
		clock->wrong = several_boots;
	else if (clock->is_host)
		clock->wrong = several_clocks;
	else if (last && pair->card_ns < last->card_ns)
		clock->wrong = "its card's clock has restarted";
	else if (last && !runs_on(last, pair))
		clock->wrong = "its card's clock does not run at the rate of its host's clock";
	clock->not_synchronised |= pair->real_bound_ns == CLOCKS_UNKNOWN;
	if (clock->pairs_count == CLOCKS_PAIRS_MAX)
		clock->pairs_count--;
	if (array_reserve(&clock->pairs, &clock->pairs_size, clock->pairs_count,
			  sizeof(*clock->pairs)) < 0)
		return smile_map_no_memory();
	clock->pairs[clock->pairs_count++] = *pair;
	return 0;
}

int smile_clocks_host(struct clocks *clocks, uint32_t node, const unsigned char *boot)
{
	struct node_clock *clock = node_clock(clocks, node, boot);

	if (!clock)
		return smile_map_no_memory();
	clock->is_host = 1;
	if (memcmp(clock->boot, boot, sizeof(clock->boot)) != 0)
		clock->wrong = several_boots;
	else if (clock->pairs_count)
		clock->wrong = several_clocks;
	return 0;
}

int smile_clocks_join(struct clocks *clocks, const struct clocks *from)
{
	int error = 0;

	for (size_t i = 0; i < from->count; i++) {
		const struct node_clock *clock = &from->nodes[i];

		if (!error && clock->is_host)
			error = smile_clocks_host(clocks, clock->node, clock->boot);
		for (size_t j = 0; !error && j < clock->pairs_count; j++)
			error = smile_clocks_add(clocks, clock->node, clock->boot,
						 &clock->pairs[j]);
	}
	return error;
}

/* ---- conversion ----------------------------------------------------------------------------- */

const char *smile_clocks_convert(const struct node_clock *clock, uint64_t card_ns, int real,
				 struct clock_span *span)
{
	size_t after;

	if (clock->wrong)
		return clock->wrong;
	if (card_ns > CARD_MAX)
		return "its card's clock is out of range";
	if (clock->is_host && real)
		return "its card has its host's clock, but the other nodes' cards do not";
	if (clock->is_host) {
		span->first_ns = span->last_ns = (int64_t)card_ns;
		return NULL;
	}
	if (clock->pairs_count < 2)
		return "it has only one pair of times";
	if (real && clock->not_synchronised)
		return "its time of day is not synchronised (NTP, PTP)";
	/* Find the first pair whose time is @card_ns or later. */
	SEARCH_FIRST(after, clock->pairs_count, i, clock->pairs[i].card_ns >= card_ns);
	*span = span_of(&clock->pairs[after ? after - 1 : 0], card_ns, real);
	if (after && after < clock->pairs_count) {
		struct clock_span next = span_of(&clock->pairs[after], card_ns, real);

		span->first_ns = next.first_ns > span->first_ns ? next.first_ns : span->first_ns;
		span->last_ns = next.last_ns < span->last_ns ? next.last_ns : span->last_ns;
	}
	return span->first_ns > span->last_ns ? "its time of day has jumped" : NULL;
}

/* ---- field of the trailer ------------------------------------------------------------------- */

void smile_clocks_write(FILE *file, const struct clocks *clocks)
{
	for (size_t i = 0; i < clocks->count; i++) {
		const struct node_clock *clock = &clocks->nodes[i];
		size_t length = CLOCKS_HEAD_BYTES + clock->pairs_count * CLOCKS_PAIR_BYTES;

		smile_field_begin(file, CLOCKS_TAG, length);
		smile_field_put_number(file, clock->node, 4);
		smile_field_put_number(file, CLOCKS_PAIR_BYTES, 4);
		fwrite(clock->boot, 1, sizeof(clock->boot), file);
		for (size_t j = 0; j < clock->pairs_count; j++) {
			smile_field_put_number(file, clock->pairs[j].card_ns, 8);
			smile_field_put_number(file, clock->pairs[j].raw_ns, 8);
			smile_field_put_number(file, clock->pairs[j].raw_bound_ns, 8);
			smile_field_put_number(file, clock->pairs[j].real_ns, 8);
			smile_field_put_number(file, clock->pairs[j].real_bound_ns, 8);
		}
		smile_field_pad(file, length);
	}
}

/* Read a field without pairs, which means that the card uses the clock of its host. */
static int host_field(struct clocks *clocks, const struct field *field)
{
	uint32_t node = (uint32_t)smile_field_number(field->data, 4);

	if (node & ~SMILE_NODE_ID)
		return smile_error(EINVAL, "the clock of a node %u", node);
	return smile_clocks_host(clocks, node, field->data + 8);
}

const char *smile_clocks_field(struct clocks *clocks, const struct field *field)
{
	const unsigned char *at = field->data + CLOCKS_HEAD_BYTES;
	uint64_t bytes =
		field->length < CLOCKS_HEAD_BYTES ? 0 : smile_field_number(field->data + 4, 4);
	const char *wrong = NULL;

	if (bytes < CLOCKS_PAIR_BYTES || (field->length - CLOCKS_HEAD_BYTES) % bytes)
		return "its pairs of times are cut off";
	if (at == field->data + field->length)
		return smile_field_wrong(host_field(clocks, field), "its clock is invalid");
	for (; !wrong && at < field->data + field->length; at += bytes) {
		const struct clock_pair pair = {
			.card_ns = smile_field_number(at, 8),
			.raw_ns = smile_field_number(at + 8, 8),
			.raw_bound_ns = smile_field_number(at + 16, 8),
			.real_ns = smile_field_number(at + 24, 8),
			.real_bound_ns = smile_field_number(at + 32, 8),
		};

		wrong = smile_field_wrong(
			smile_clocks_add(clocks, (uint32_t)smile_field_number(field->data, 4),
					 field->data + 8, &pair),
			"its pairs of times are invalid");
	}
	return wrong;
}
