// SPDX-License-Identifier: MIT
/*
 * Sweep: the cards. Uses the public library alone, so that what a sweep says is what a card of this
 * configuration would have delivered, checked by the library's own account.
 */
#include "tools/sweep/sweep.h"

#include <inttypes.h>

#include "tools/common/progress.h"
#include "tools/common/signals.h"
#include "tools/common/tool.h"

/* Packets between two looks at what has gathered, and at signals. */
#define CARD_BATCH 4096

static struct Monitor *card_failed(struct Monitor *mon)
{
	tool_error("%s", Monitor_error_message());
	Monitor_close(mon);
	return NULL;
}

struct Monitor *sweep_card_new(unsigned int node, unsigned int mode, unsigned int counters,
			       unsigned int range_bytes)
{
	struct smile_config config;
	struct Monitor *mon;

	if (Monitor_open(&mon, "emu:") < 0)
		return card_failed(NULL);
	Monitor_config_default(&config);
	config.node = node;
	config.mode = mode;
	config.entries = counters;
	config.max_range_bytes = range_bytes;
	config.phase_events = 0;
	if (Monitor_config_set(mon, &config) < 0 || Monitor_start(mon) < 0)
		return card_failed(mon);
	return mon;
}

/* Take in what is there. */
static int card_take_in(struct Monitor *mon)
{
	int got;

	do
		got = Monitor_poll(mon, 0);
	while (got > 0);
	return got;
}

static int card_feed(struct Monitor *mon, const struct sweep_traffic *traffic)
{
	for (size_t i = 0; i < traffic->count; i++) {
		if (i % CARD_BATCH == 0) {
			if (signals_count())
				return tool_error("interrupted");
			if (card_take_in(mon) < 0)
				return tool_error("%s", Monitor_error_message());
		}
		if (Monitor_packet(mon, &traffic->events[i], sizeof(traffic->events[i]), 0) < 0)
			return tool_error("%s", Monitor_error_message());
	}
	return TOOL_OK;
}

int sweep_card_pass(struct Monitor *mon, const struct sweep_traffic *traffic,
		    struct sweep_point *point)
{
	struct smile_statistics running, drained;
	struct Monitor_loss loss;

	if (card_feed(mon, traffic) != TOOL_OK)
		return TOOL_ERROR;
	if (Monitor_stop(mon) < 0 || Monitor_statistics(mon, &running) < 0 ||
	    Monitor_swap(mon) < 0 || Monitor_statistics(mon, &drained) < 0 ||
	    Monitor_loss(mon, &loss) < 0)
		return tool_error("%s", Monitor_error_message());
	if (!loss.balanced || loss.delivered != traffic->count)
		return tool_error("a card has counted %" PRIu64 " of %zu events and lost %" PRIu64
				  ": this is a fault of smile; please report it",
				  loss.delivered, traffic->count, loss.lost);
	if (point) {
		point->flushes = drained.records_written;
		point->drained = drained.records_written - running.records_written;
		point->extensions = drained.extensions;
	}
	return TOOL_OK;
}

double sweep_bytes_per_second(const struct sweep *sweep, const struct sweep_point *point)
{
	if (!(sweep->seconds > 0))
		return 0;
	return (double)(point->flushes * SMILE_RECORD_BYTES) / sweep->seconds;
}
