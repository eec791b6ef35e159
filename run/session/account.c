// SPDX-License-Identifier: MIT
/*
 * run/session: makes the loss account.
 *
 * What lives here: the counts of each stage from the program to the recordings, and the equations
 * between the counts. If a stage has lost an event, one of the equations is not true.
 */
#include "run/session/session_inside.h"

#include <inttypes.h>
#include <stdio.h>

uint64_t run_types(const uint64_t *counts)
{
	uint64_t all = 0;

	for (unsigned type = 0; type < SMILE_TYPE_COUNT; type++)
		all += counts[type];
	return all;
}

const char *run_level_name(const struct run *run, unsigned level)
{
	const struct caches_shape *caches = &run->config.caches;

	return level < caches->count ? caches->levels[level].name : "neighbour";
}

void run_totals(const struct run *run, struct run_totals *totals)
{
	*totals = (struct run_totals){0};
	for (unsigned n = 0; n < run->config.nodes; n++) {
		struct machine_statistics node;

		if (machine_statistics(run->machine, n, &node) < 0)
			continue;
		totals->accesses += node.accesses;
		totals->local += run_types(node.local);
		totals->remote += run_types(node.remote);
		totals->made_local += run_types(node.made_local);
		totals->made_remote += run_types(node.made_remote);
		totals->hits += node.hits;
		totals->misses += run_types(node.misses);
		totals->backs += node.backs;
		totals->split += node.split;
		totals->frames += node.frames;
		if (node.cycles > totals->cycles)
			totals->cycles = node.cycles;
	}
}

/*
 * Get the number of threads that found no channel. The number can be higher than the number of
 * known threads, because the creation of some of these threads may not have been reported.
 */
static uint64_t refused(const struct schedule_statistics *replayed)
{
	return replayed->refused < replayed->threads ? replayed->refused : replayed->threads;
}

bool run_left(const struct run *run, size_t index, struct run_left *left)
{
	const struct run_config *config = &run->config;
	struct schedule_statistics replayed;

	schedule_statistics(run->schedule, &replayed);
	const struct run_left rows[] = {
		{"stacks and control blocks of threads",
		 config->stacks ? "until the tracer knows the stack" : "without --stacks", true,
		 replayed.left[STREAM_LEFT_STACK]},
		{"constants and linkage tables",
		 config->no_constants ? "--no-constants" : "of the library that smile run preloads",
		 true, replayed.left[STREAM_LEFT_CONSTANT]},
		{"private memory of forked processes",
		 "the process was forked when no number was left", true,
		 replayed.left[STREAM_LEFT_CHILD]},
		{"code of the C library and the loader before the program, or a thread, begins",
		 "the code belongs to no thread yet", true, replayed.left[STREAM_LEFT_START]},
		{"code of the C library, the loader and libgomp",
		 "not counted, by design, without --libc: it depends on the host", false, 0},
		{"memory that the tracer does not know", NULL, true, replayed.unknown},
	};
	const bool applies[] = {
		!config->stacks || replayed.left[STREAM_LEFT_STACK],
		config->no_constants || replayed.left[STREAM_LEFT_CONSTANT],
		replayed.left[STREAM_LEFT_CHILD] > 0,
		config->libc || replayed.left[STREAM_LEFT_START],
		!config->libc,
		replayed.unknown > 0,
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!applies[i] || index--)
			continue;
		*left = rows[i];
		return true;
	}
	return false;
}

size_t run_account(const struct run *run, struct run_check *checks)
{
	unsigned nodes = run->config.nodes;
	struct schedule_statistics replayed;
	struct run_totals totals;
	size_t count = 0;

	run_totals(run, &totals);
	schedule_statistics(run->schedule, &replayed);
	/* If the process was stopped, the tracer may have written more accesses than were read. */
	if (!run->interrupted && !run->failed)
		checks[count++] =
			(struct run_check){"accesses replayed = written by the tracer", -1,
					   run_types(replayed.accesses), replayed.traced};
	checks[count++] = (struct run_check){"accesses of the machine = replayed", -1,
					     totals.accesses, run_types(replayed.accesses)};
	checks[count++] = (struct run_check){
		run->config.caches.count
			? "local + remote + cache hits = accesses + parts of those across lines + "
			  "lines written back"
			: "local + remote + cache hits = accesses + parts of those across blocks",
		-1, totals.local + totals.remote + totals.hits,
		totals.accesses + totals.split + totals.backs};
	/*
	 * Each request has a frame at the requester and a frame at the home node. If there are
	 * responses, each response has a frame at both nodes too. The mark of each phase has a
	 * frame at every node.
	 */
	checks[count++] = (struct run_check){
		"frames = remote transactions, at both ends", -1, totals.frames,
		totals.remote * (run->no_responses ? 2 : 4) + (uint64_t)nodes * replayed.phases};
	if (run->config.caches.count)
		checks[count++] =
			(struct run_check){"accesses in front of the caches = accesses", -1,
					   totals.made_local + totals.made_remote, totals.accesses};
	checks[count++] =
		(struct run_check){"threads that were traced = threads", -1,
				   replayed.threads - refused(&replayed), replayed.threads};
	checks[count++] = (struct run_check){"accesses counted = those to memory that counts", -1,
					     run_types(replayed.accesses),
					     run_types(replayed.accesses) + replayed.unknown};
	for (unsigned n = 0; n < nodes; n++) {
		const struct run_card *card = &run->cards[n];
		struct machine_statistics node = {0};

		if (!card->known)
			continue;
		machine_statistics(run->machine, n, &node);
		checks[count++] = (struct run_check){
			card->left_out ? "packets seen by the card = frames but those left out"
				       : "packets seen by the card = frames",
			(int)n, card->statistics.packets_seen, node.frames - card->left_out};
		checks[count++] = (struct run_check){"events delivered + lost = accepted", (int)n,
						     card->loss.delivered + card->loss.lost,
						     card->loss.accepted};
	}
	return count;
}

uint64_t run_elapsed_ns(const struct run *run)
{
	return run_now_ns() - run->began_ns;
}

const char *run_place_text(const struct run *run)
{
	return run->config.place ? run->config.place : PLACEMENT_DEFAULT;
}

double run_speed_up(const struct run *run, uint64_t cycles)
{
	return cycles ? (double)machine_single_cycles(run->machine) / (double)cycles : 1;
}

bool run_complete(const struct run *run, char *text, size_t bytes)
{
	const struct stream_header *header = run->stream;
	struct schedule_statistics replayed;
	char none[1];

	if (!text) {
		text = none;
		bytes = sizeof(none);
	}
	schedule_statistics(run->schedule, &replayed);
	if (run->broken)
		snprintf(text, bytes, "the program was killed: its last accesses are missing");
	else if (run->failed)
		snprintf(text, bytes, "an error was reported");
	else if (run->interrupted)
		snprintf(text, bytes, "the program was killed");
	else if (replayed.untraced)
		snprintf(text, bytes, "%" PRIu64 " program%s that processes executed %s not traced",
			 replayed.untraced, replayed.untraced == 1 ? "" : "s",
			 replayed.untraced == 1 ? "was" : "were");
	else if (replayed.refused)
		snprintf(text, bytes, "%" PRIu64 " thread%s found no room to be traced",
			 replayed.refused, replayed.refused == 1 ? "" : "s");
	else if (replayed.unknown)
		snprintf(text, bytes,
			 "%" PRIu64 " accesses went to memory that the tracer does not know, the "
			 "first to 0x%" PRIx64,
			 replayed.unknown, atomic_load(&header->unknown_at));
	else if (atomic_load(&header->notes) & STREAM_NOTE_UNNUMBERED)
		snprintf(text, bytes,
			 "more than %u processes were forked: the private memory of later ones was "
			 "not counted",
			 STREAM_PROCESSES - 1);
	else if (run_beyond(run))
		snprintf(text, bytes, "the memory of the run's programs cannot be distinguished");
	else
		return true;
	return false;
}
