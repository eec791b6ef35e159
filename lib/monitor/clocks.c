/* SPDX-License-Identifier: MIT */
/*
 * Clocks: converts the times of the cards of all nodes to one time axis.
 *
 * What lives here: the function that reads a card's clock together with its host's clock, for the
 * recording that is being saved; and the function that gets the range of times at which a phase
 * began on the nodes of merged recordings.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timex.h>
#include <time.h>

#include "lib/base/error.h"
#include "lib/monitor/monitor.h"

/* ---- reading -------------------------------------------------------------------------------- */

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

/* Parse a UUID, in which a hyphen may precede each byte. Return: 1 if @text is a UUID. */
static int boot_take(unsigned char *boot, const char *text)
{
	unsigned int byte;
	int used = 0;

	for (size_t got = 0; got < CLOCKS_BOOT_BYTES; got++, text += used) {
		text += *text == '-';
		if (sscanf(text, "%2x%n", &byte, &used) != 1)
			return 0;
		boot[got] = (unsigned char)byte;
	}
	return 1;
}

/* Read the boot id of this machine. Return: 1 if the boot id is known. */
static int boot_id(unsigned char *boot)
{
	FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
	char text[64];
	int known;

	if (!file)
		return 0;
	known = fgets(text, sizeof(text), file) && boot_take(boot, text);
	fclose(file);
	return known;
}

/*
 * Return whether the card uses the clock of another machine, and store the boot id of that machine
 * in @boot. The emulated cards of `smile cluster` use the clock of the host, and `smile cluster`
 * passes the boot id of the host to the guests. A card with a period does not use it: the card
 * stops its clock while its ring has no space, unless its packets wait too (SMILE_MODE_HOLD).
 */
static int is_of_host(const struct Monitor *mon, unsigned char *boot)
{
	const struct smile_config *config = &mon->streams[0].context.config;
	const char *text = getenv("SMILE_CLOCK");

	int stands = (config->timer_us || config->time_us) && !(config->mode & SMILE_MODE_HOLD);

	return text && !stands && boot_take(boot, text);
}

/*
 * Get the error bound of the kernel's time of day in nanoseconds; CLOCKS_UNKNOWN if the time of day
 * is not synchronised.
 */
static uint64_t real_error(void)
{
	struct timex timex = {.modes = 0};
	int state = adjtimex(&timex);

	if (state < 0 || state == TIME_ERROR || timex.status & STA_UNSYNC || timex.maxerror < 0)
		return CLOCKS_UNKNOWN;
	return (uint64_t)timex.maxerror * 1000U;
}

void smile_clocks_read(struct Monitor *mon)
{
	struct smile_source *source = mon->streams[0].source;
	unsigned char boot[CLOCKS_BOOT_BYTES];
	struct smile_time time;
	struct clock_pair pair;
	uint64_t before, after;

	if ((!mon->writer && !mon->view) || !source->ops->time)
		return;
	if (is_of_host(mon, boot)) {
		smile_clocks_host(&mon->map.clocks, mon->streams[0].context.config.node, boot);
		smile_program_write(mon);
		return;
	}
	if (!boot_id(boot))
		return;
	before = clock_ns(CLOCK_MONOTONIC_RAW);
	pair.real_ns = clock_ns(CLOCK_REALTIME);
	after = clock_ns(CLOCK_MONOTONIC_RAW);
	pair.real_bound_ns = real_error();
	/* An older driver cannot report these times. The recording is complete without them. */
	if (source->ops->time(source, &time) < 0)
		return;
	pair.card_ns = time.clock_ns;
	pair.raw_ns = time.monotonic_raw_ns;
	pair.raw_bound_ns = time.uncertainty_ns;
	/*
	 * The time of day was read a little earlier. Advance it to the moment at which the driver
	 * read the clocks.
	 */
	pair.real_ns += pair.raw_ns - before;
	if (pair.real_bound_ns != CLOCKS_UNKNOWN)
		pair.real_bound_ns +=
			pair.raw_bound_ns + (after - before) + (pair.raw_ns - before) / 1000U + 1;
	smile_clocks_add(&mon->map.clocks, mon->streams[0].context.config.node, boot, &pair);
}

/* ---- spread --------------------------------------------------------------------------------- */

static uint32_t node_of(const struct Monitor *mon, size_t stream)
{
	return mon->streams[stream].context.config.node;
}

/*
 * Get the clock of a stream's card; NULL if this clock is not known. In a merged view, each card
 * has its own clock.
 */
static const struct node_clock *clock_of(const struct Monitor *mon, size_t stream)
{
	const struct node_clock *clock = smile_clocks_of(&mon->map.clocks, node_of(mon, stream));

	return clock || !mon->cards
		       ? clock
		       : smile_clocks_of(&mon->cards[stream]->map.clocks, node_of(mon, stream));
}

/* Return whether all cards share one clock, or all hosts share one raw clock. */
static int one_host(const struct Monitor *mon)
{
	const struct node_clock *first = clock_of(mon, 0);

	for (size_t i = 1; i < mon->streams_count; i++) {
		const struct node_clock *clock = clock_of(mon, i);

		if (first && clock &&
		    (memcmp(clock->boot, first->boot, CLOCKS_BOOT_BYTES) ||
		     clock->is_host != first->is_host))
			return 0;
	}
	return 1;
}

/*
 * Return whether all recordings were made by `smile run`. If so, all cards have the same clock: the
 * emulated cards of a run share the clock of the simulation, and recordings of different runs
 * cannot be merged.
 */
static int is_simulated(const struct Monitor *mon)
{
	for (size_t i = 0; i < mon->streams_count; i++) {
		struct smile_source *source = mon->streams[i].source;
		const struct map *map = source->ops->map ? source->ops->map(source) : NULL;

		if (!map || !map->parameters || !strstr(map->parameters, "\"smile.run/"))
			return 0;
	}
	return 1;
}

static int begin_of(const struct Monitor *mon, size_t stream, size_t phase, int simulated,
		    struct clock_span *span)
{
	const struct histogram_stream *context = &mon->streams[stream].context;
	const struct node_clock *clock = clock_of(mon, stream);
	const char *unknown;

	if (context->phase < phase)
		return smile_error(ENODATA, "node %u has no phase %zu", context->config.node,
				   phase);
	if (simulated) {
		span->first_ns = span->last_ns = (int64_t)context->marks[phase - 1];
		return 0;
	}
	if (!clock)
		return smile_error(
			ENODATA, "the recording of node %u has no times of its host%s",
			context->config.node,
			mon->streams[stream].followed ||
					(mon->cards && !Monitor_ended(mon->cards[stream]))
				? " yet: they are at its end"
				: ": `smile record` of a card writes them");
	unknown = smile_clocks_convert(clock, context->marks[phase - 1], !one_host(mon), span);
	if (unknown)
		return smile_error(ENODATA, "node %u: %s", context->config.node, unknown);
	return 0;
}

int Monitor_phase_spread(struct Monitor *mon, size_t phase, uint64_t *spread_ns)
{
	struct clock_span all = {0}, span;
	int simulated = is_simulated(mon), error;

	if (!phase || phase > mon->histogram.phases_count)
		return smile_error(EINVAL, "phase %zu begins with no mark", phase);
	if (mon->streams_count < 2)
		return smile_error(ENODATA, "only several cards or recordings have several clocks");
	for (size_t i = 0; i < mon->streams_count; i++)
		for (size_t j = 0; j < i; j++)
			if (node_of(mon, i) == node_of(mon, j))
				return smile_error(ENODATA, "two recordings are of node %u",
						   node_of(mon, i));
	for (size_t i = 0; i < mon->streams_count; i++) {
		error = begin_of(mon, i, phase, simulated, &span);
		if (error < 0)
			return error;
		if (!i || span.first_ns < all.first_ns)
			all.first_ns = span.first_ns;
		if (!i || span.last_ns > all.last_ns)
			all.last_ns = span.last_ns;
	}
	*spread_ns = (uint64_t)(all.last_ns - all.first_ns);
	return 0;
}
