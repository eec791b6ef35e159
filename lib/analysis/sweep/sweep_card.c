// SPDX-License-Identifier: MIT
/*
 * Sweep: passes traffic to cards. This file uses only the public API. For this reason, the result
 * is the result of a real card with the same configuration, and the library's loss account checks
 * the counts.
 */
#include "lib/analysis/sweep/sweep_card.h"

#include <errno.h>
#include <inttypes.h>

/* The number of packets after which the card's records are read and signals are checked. */
#define CARD_BATCH 4096

int sweep_card_new(struct Monitor **out, unsigned int node, unsigned int mode,
		   unsigned int counters, unsigned int range_bytes)
{
	struct smile_config config;
	int failed = Monitor_open(out, "emu:");

	if (failed)
		return failed;
	Monitor_config_default(&config);
	config.node = node;
	config.mode = mode;
	config.entries = counters;
	config.max_range_bytes = range_bytes;
	config.phase_events = 0;
	failed = Monitor_config_set(*out, &config);
	if (failed >= 0)
		failed = Monitor_start(*out);
	if (failed >= 0)
		return 0;
	Monitor_close(*out);
	*out = NULL;
	return failed;
}

/* Read the available records. */
static int card_take_in(struct Monitor *mon)
{
	int got;

	do
		got = Monitor_poll(mon, 0);
	while (got > 0);
	return got;
}

static int card_feed(struct Monitor *mon, const struct sweep_traffic *traffic,
		     const struct sweep_ops *ops)
{
	int failed;

	for (size_t i = 0; i < traffic->count; i++) {
		if (i % CARD_BATCH == 0) {
			failed = sweep_interrupted(ops);
			if (!failed)
				failed = card_take_in(mon);
			if (failed < 0)
				return failed;
		}
		failed = Monitor_packet(mon, &traffic->events[i], sizeof(traffic->events[i]), 0);
		if (failed < 0)
			return failed;
	}
	return 0;
}

/*
 * Get the card's statistics. @running: the statistics when the card stops; @drained: the statistics
 * after the card has swapped out its counters.
 */
static int card_end(struct Monitor *mon, struct smile_statistics *running,
		    struct smile_statistics *drained, struct Monitor_loss *loss)
{
	int failed = Monitor_stop(mon);

	if (failed >= 0)
		failed = Monitor_statistics(mon, running);
	if (failed >= 0)
		failed = Monitor_swap(mon);
	if (failed >= 0)
		failed = Monitor_statistics(mon, drained);
	if (failed >= 0)
		failed = Monitor_loss(mon, loss);
	return failed < 0 ? failed : 0;
}

int sweep_card_pass(struct Monitor *mon, const struct sweep_traffic *traffic,
		    const struct sweep_ops *ops, struct sweep_point *point)
{
	struct smile_statistics running, drained;
	struct Monitor_loss loss;
	int failed = card_feed(mon, traffic, ops);

	if (!failed)
		failed = card_end(mon, &running, &drained, &loss);
	if (failed)
		return failed;
	if (!loss.balanced || loss.delivered != traffic->count)
		return Monitor_error_set(EPROTO,
					 "a card has counted %" PRIu64
					 " of %zu events and lost %" PRIu64
					 ": this is a fault of smile; please report it",
					 loss.delivered, traffic->count, loss.lost);
	if (point) {
		point->flushes = drained.records_written;
		point->drained = drained.records_written - running.records_written;
		point->extensions = drained.extensions;
	}
	return 0;
}

double sweep_bytes_per_second(const struct sweep_point *point, double seconds)
{
	return seconds > 0 ? (double)(point->flushes * SMILE_RECORD_BYTES) / seconds : 0;
}
