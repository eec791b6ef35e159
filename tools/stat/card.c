// SPDX-License-Identifier: MIT
/*
 * Card. See tools/stat/card.h. At the end of an interval, the card is stopped, its counters are
 * read, and the tables for the next set of events are loaded. The card does this in the same way
 * with the library, with the driver and in the emulator. Frames that pass while the card is stopped
 * are not counted. The time during which the card is stopped is therefore recorded as an interval
 * without readings. The length of this interval is measured by the card's clock. If frames wait for
 * the card, as with pace=drain of the emulated card, this clock is stopped, and the next set counts
 * the waiting frames.
 */
#include "tools/stat/card.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include <smile/monitor.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/stat/program.h"
#include "tools/stat/rotation.h"

#define CLOCK_UNKNOWN UINT64_MAX

/**
 * struct card_counting - A card that counts sets of events in rotation.
 * @request: the events to count, and the options
 * @mon: the card
 * @capture: the capture whose frames are sent to the card; NULL: the card is connected to a B-Link
 * @config: configuration of the card
 * @rotation: rotation of the sets of events
 * @set: events that are counted in the current interval, shape [@set_count]
 * @set_count: number of events in @set
 * @stayed: number of intervals for which the current set was counted so far
 * @before: values of the counters at the start of the interval
 * @begin_ns: start of the current interval
 * @end_ns: end of the previous interval
 * @begin_clock_ns: value of the card's clock at @begin_ns, or CLOCK_UNKNOWN
 * @end_clock_ns: value of the card's clock at @end_ns, or CLOCK_UNKNOWN
 * @now_ns: current time of the capture
 * @taken: number of intervals whose counts were read
 * @counted: number of events that were counted in these intervals
 */
struct card_counting {
	const struct card_request *request;
	struct Monitor *mon;
	struct Monitor_capture *capture;
	struct smile_config config;
	struct rotation rotation;
	size_t set[SMILE_STATIC_COUNTERS];
	size_t set_count;
	unsigned int stayed;
	uint64_t before[SMILE_STATIC_COUNTERS];
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t begin_clock_ns;
	uint64_t end_clock_ns;
	uint64_t now_ns;
	size_t taken;
	double counted;
};

/*
 * Get the current time: for a capture, the time of its last frame; otherwise the time of this
 * machine.
 */
static uint64_t card_now(const struct card_counting *card)
{
	return card->capture ? card->now_ns : tool_now_ns();
}

/* Read the card's own clock. Return: CLOCK_UNKNOWN if it cannot be read. */
static uint64_t card_clock(const struct card_counting *card)
{
	struct smile_statistics statistics;

	if (card->capture || Monitor_statistics(card->mon, &statistics) < 0)
		return CLOCK_UNKNOWN;
	return statistics.clock_ns;
}

/*
 * Check whether one set contains all events, so that the card is never stopped to load another set.
 */
static int is_one_set(const struct card_counting *card)
{
	return card->rotation.at_once == card->rotation.events;
}

static int counts_read(struct card_counting *card, uint64_t *counts)
{
	uint64_t phases[SMILE_STATIC_COUNTERS];

	if (tool_result(Monitor_static_counts(card->mon, phases, 1)) != TOOL_OK)
		return TOOL_ERROR;
	memcpy(counts, phases, sizeof(phases));
	return TOOL_OK;
}

static int set_begin(struct card_counting *card)
{
	struct static_spec specs[SMILE_STATIC_COUNTERS];
	struct smile_static tables;

	card->stayed = 0;
	card->set_count = rotation_next(&card->rotation, card->set);
	for (size_t k = 0; k < card->set_count; k++)
		specs[k] = card->request->specs[card->set[k]];
	if (static_specs_apply(specs, (unsigned int)card->set_count, &card->config, &tables) !=
		    TOOL_OK ||
	    tool_result(Monitor_static_set(card->mon, &tables)) != TOOL_OK ||
	    counts_read(card, card->before) != TOOL_OK)
		return TOOL_ERROR;
	card->begin_clock_ns = card_clock(card);
	card->begin_ns = card_now(card);
	return tool_result(Monitor_start(card->mon));
}

/* Read the counts of the set since the last call. */
static int counts_take(struct card_counting *card, double *values)
{
	uint64_t counts[SMILE_STATIC_COUNTERS];

	if (tool_result(Monitor_swap(card->mon)) != TOOL_OK || counts_read(card, counts) != TOOL_OK)
		return TOOL_ERROR;
	for (size_t k = 0; k < card->set_count; k++)
		values[card->set[k]] = (double)(counts[k] - card->before[k]);
	for (size_t k = 0; k < card->set_count; k++)
		card->counted += values[card->set[k]];
	card->taken++;
	memcpy(card->before, counts, sizeof(counts));
	return TOOL_OK;
}

/* Add the counts of the interval that has ended to the series. */
static int set_take(struct card_counting *card, struct series *series)
{
	double *values;
	int result;

	if (card->end_ns == card->begin_ns)
		return TOOL_OK;
	values = series_interval(series, (double)(card->end_ns - card->begin_ns) / 1e9);
	result = counts_take(card, values);
	if (result == TOOL_OK)
		series_end(series);
	return result;
}

static int set_stop(struct card_counting *card)
{
	if (tool_result(Monitor_stop(card->mon)) != TOOL_OK)
		return TOOL_ERROR;
	/*
	 * Read the clocks after the card was stopped, because all frames up to the stop are
	 * counted.
	 */
	card->end_ns = card_now(card);
	card->end_clock_ns = card_clock(card);
	return TOOL_OK;
}

static int set_end(struct card_counting *card, struct series *series)
{
	return set_stop(card) == TOOL_OK ? set_take(card, series) : TOOL_ERROR;
}

/* Get the time for which the B-Link carried frames while the card was stopped. */
static uint64_t gap_ns(const struct card_counting *card)
{
	uint64_t ns = card->begin_ns - card->end_ns;
	uint64_t clock_ns = card->begin_clock_ns - card->end_clock_ns;

	if (card->begin_clock_ns == CLOCK_UNKNOWN || card->end_clock_ns == CLOCK_UNKNOWN)
		return ns;
	/* After a suspend, the card's clock begins at 0 again and cannot be used. */
	if (card->begin_clock_ns < card->end_clock_ns || clock_ns > ns)
		return ns;
	return clock_ns;
}

/*
 * End an interval, and begin the next one. If the set has been counted for its number of intervals,
 * load the next set.
 */
static int set_change(struct card_counting *card, struct series *series)
{
	if (is_one_set(card) || ++card->stayed < card->request->stay) {
		card->end_ns = card_now(card);
		if (set_take(card, series) != TOOL_OK)
			return TOOL_ERROR;
		card->begin_ns = card->end_ns;
		return TOOL_OK;
	}
	if (set_end(card, series) != TOOL_OK || set_begin(card) != TOOL_OK)
		return TOOL_ERROR;
	if (card->begin_ns > card->end_ns && gap_ns(card)) {
		series_interval(series, (double)gap_ns(card) / 1e9);
		series_end(series);
	}
	return TOOL_OK;
}

static int capture_pass(struct card_counting *card, struct series *series)
{
	uint64_t time_ns, end_ns = 0;
	const void *frame;
	size_t bytes;
	int got;

	while ((got = Monitor_capture_read(card->capture, &frame, &bytes, &time_ns)) > 0) {
		if (signals_count())
			return tool_error("interrupted");
		if (!end_ns) {
			card->now_ns = time_ns;
			end_ns = time_ns + card->request->interval_ns;
			if (set_begin(card) != TOOL_OK)
				return TOOL_ERROR;
		}
		/*
		 * If no frame was sent for several intervals, end each of these intervals. A frame
		 * at the end of an interval belongs to it. Otherwise an interval without duration
		 * could follow, whose counts would be lost.
		 */
		while (time_ns > end_ns) {
			if (signals_count())
				return tool_error("interrupted");
			card->now_ns = end_ns;
			if (set_change(card, series) != TOOL_OK)
				return TOOL_ERROR;
			end_ns += card->request->interval_ns;
		}
		/* The time of the capture never decreases, as the clock of the card. */
		if (time_ns > card->now_ns)
			card->now_ns = time_ns;
		if (tool_result(Monitor_packet(card->mon, frame, bytes, card->now_ns)) != TOOL_OK)
			return TOOL_ERROR;
	}
	if (got < 0)
		return tool_result(got);
	if (!end_ns)
		return tool_error("%s has no frame", card->request->source);
	return set_end(card, series);
}

/*
 * Wait until the interval ends, but at most one second, because a signal that arrives just before
 * the wait does not interrupt it.
 */
static int interval_wait(struct card_counting *card, const struct stat_program *program,
			 uint64_t ns, const sigset_t *before)
{
	int timeout_ms = (int)((ns < TOOL_SECOND_NS ? ns + 999999 : TOOL_SECOND_NS) / 1000000), got;

	signals_release(before);
	got = Monitor_poll(card->mon, timeout_ms);
	signals_hold(NULL);
	if (got < 0 && !signals_count() && !program->started)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

static int card_wait(struct card_counting *card, struct series *series,
		     struct stat_program *program)
{
	sigset_t before;
	int result;

	/*
	 * Block signals except during the wait. Otherwise the calls at the end of an interval could
	 * fail with -EINTR.
	 */
	signals_hold(&before);
	result = set_begin(card);
	/* Start the program only when the card counts, so that its first accesses are counted. */
	if (result == TOOL_OK)
		program_go(program);
	while (result == TOOL_OK && !program_over(program)) {
		uint64_t end_ns = card->begin_ns + card->request->interval_ns;
		uint64_t now = tool_now_ns();

		if (now >= end_ns)
			result = set_change(card, series);
		else
			result = interval_wait(card, program, end_ns - now, &before);
	}
	if (result == TOOL_OK)
		result = set_end(card, series);
	signals_release(&before);
	return result;
}

static int source_open(struct card_counting *card, const char *source)
{
	int is_capture = !strncmp(source, "emu:", 4);
	struct smile_config *config = &card->config;
	struct smile_info info;

	if (is_capture && !source[4])
		return tool_usage("-d emu: needs a capture: emu:FILE");
	if (is_capture && tool_result(Monitor_capture_open(&card->capture, source + 4)) != TOOL_OK)
		return TOOL_ERROR;
	if (tool_result(Monitor_open(&card->mon, is_capture ? "emu:" : source)) != TOOL_OK ||
	    tool_result(Monitor_info(card->mon, &info)) != TOOL_OK)
		return TOOL_ERROR;
	Monitor_config_default(config);
	/*
	 * Use the card's own node id. An event that names no node then counts accesses to this
	 * node's memory.
	 */
	config->node = info.config.node;
	config->mode |= SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	/* Let no event mark the end of a phase, so that all counts are in one phase. */
	config->phase_events = 0;
	if (card->request->narrow)
		config->mode |= SMILE_MODE_NARROW;
	return tool_result(Monitor_config_set(card->mon, config));
}

int card_open(struct card_counting **out, const struct card_request *request, struct series *series)
{
	struct card_counting *card = tool_memory(1, sizeof(*card));

	*out = card;
	card->request = request;
	for (size_t i = 0; i < request->count; i++)
		series_event(series, request->texts[i]);
	rotation_init(&card->rotation, request->count, request->at_once,
		      tool_memory(request->count, sizeof(*card->rotation.order)));
	card->rotation.ordered = request->ordered;
	return source_open(card, request->source);
}

void card_seek(struct card_counting *card, uint64_t interval)
{
	rotation_seek(&card->rotation, interval);
}

int card_begin(struct card_counting *card)
{
	return set_begin(card);
}

/*
 * Scale the counts to the whole interval, because the card counted nothing in the gap at the start
 * of the interval.
 */
static void counts_scale(const struct card_counting *card, uint64_t gap, double *values)
{
	double counted_ns = (double)(card->end_ns - card->begin_ns);

	for (size_t k = 0; k < card->set_count && gap && counted_ns > 0; k++)
		values[card->set[k]] *= (counted_ns + (double)gap) / counted_ns;
}

int card_turn(struct card_counting *card, double *values, int last)
{
	int stays = is_one_set(card) || card->stayed + 1 < card->request->stay;
	uint64_t gap = card->end_ns ? gap_ns(card) : 0;

	if (stays && !last) {
		card->stayed++;
		card->end_ns = card_now(card);
		if (counts_take(card, values) != TOOL_OK)
			return TOOL_ERROR;
		counts_scale(card, gap, values);
		/*
		 * The card continues to count this set, so the next interval has no gap at its
		 * beginning.
		 */
		card->begin_ns = card->end_ns;
		card->begin_clock_ns = card->end_clock_ns = CLOCK_UNKNOWN;
		return TOOL_OK;
	}
	if (set_stop(card) != TOOL_OK || counts_take(card, values) != TOOL_OK)
		return TOOL_ERROR;
	counts_scale(card, gap, values);
	return last ? TOOL_OK : set_begin(card);
}

void card_close(struct card_counting *card)
{
	if (!card)
		return;
	if (card->taken && card->counted <= 0)
		tool_message("note: the card has counted nothing%s",
			     card->request->narrow
				     ? ""
				     : ". Static counters see addresses below 4 GB, and with wide "
				       "node ids the memory of other nodes than 0 is above: see "
				       "--node-ids narrow");
	if (card->capture)
		Monitor_capture_close(card->capture);
	if (card->mon)
		Monitor_close(card->mon);
	free(card->rotation.order);
	free(card);
}

int card_count(const struct card_request *request, struct series *series, int *status)
{
	struct card_counting *card;
	struct stat_program program = {0};
	int result;

	signals_catch();
	result = card_open(&card, request, series);
	if (result == TOOL_OK)
		result = series_learned(series);
	if (result == TOOL_OK && card->capture) {
		result = capture_pass(card, series);
	} else if (result == TOOL_OK) {
		if (request->program)
			result = program_start(&program, request->program);
		if (result == TOOL_OK)
			result = card_wait(card, series, &program);
		program_end(&program);
		*status = program.status;
	}
	card_close(card);
	return result;
}
