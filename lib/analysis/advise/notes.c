// SPDX-License-Identifier: MIT
/*
 * Advise: the notes, which describe the limits of an advice. See lib/analysis/advise/advise.h.
 */
#include "lib/analysis/advise/advise.h"

#include <inttypes.h>

#include "lib/analysis/text.h"

/* Count the pages that have the flag @flag. */
static size_t flagged(const struct Monitor_advise *advise, uint32_t flag)
{
	size_t count = 0;

	for (size_t i = 0; i < advise->count; i++)
		count += (advise->rows[i].flags & flag) != 0;
	return count;
}

static int note_local(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	size_t count = flagged(advise, MONITOR_ADVICE_LOCAL_UNKNOWN);

	if (count)
		snprintf(text, bytes,
			 "cards do not see a node's accesses to its own memory, and for %zu pages "
			 "no tracer has counted these accesses: the gain is an upper bound, from "
			 "which the home's own accesses must be subtracted",
			 count);
	return count != 0;
}

static int note_seen(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	size_t count = flagged(advise, MONITOR_ADVICE_PARTLY_SEEN);

	if (count)
		snprintf(text, bytes,
			 "the recordings of the home nodes of %zu pages are not given: other "
			 "nodes' accesses to these pages are missing; give the recordings of all "
			 "nodes",
			 count);
	return count != 0;
}

static int note_lost(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	struct Monitor_loss loss;

	if (Monitor_loss(advise->mon, &loss) < 0 || loss.balanced)
		return 0;
	if (!loss.lost)
		return 0;
	snprintf(text, bytes, "%" PRIu64 " accesses were lost, and their cost is not included",
		 loss.lost);
	return 1;
}

static int note_types(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	for (size_t i = 0; i < advise->count; i++) {
		const struct Monitor_advice *row = &advise->rows[i];

		if (row->reads + row->writes + row->locks == row->accesses)
			continue;
		snprintf(text, bytes,
			 "reads and writes were not distinguished: all count as reads");
		return 1;
	}
	return 0;
}

static int note_filter(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	const unsigned all = SMILE_FILTER_READ | SMILE_FILTER_WRITE | SMILE_FILTER_LOCK;
	struct smile_info info;

	if (Monitor_info(advise->mon, &info) < 0 || (info.config.filter & all) == all)
		return 0;
	snprintf(text, bytes,
		 "the cards did not count all types of accesses: the cost of the other types "
		 "is not included");
	return 1;
}

static int note_cache(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	if (!advise->run.cache.bytes)
		return 0;
	snprintf(text, bytes,
		 "the machine has caches, and the recordings do not have the accesses that the "
		 "caches served; the prediction assumes that caches serve the same share of the "
		 "reads that become remote as of other remote reads");
	return 1;
}

/* The note on transfers is written only if transfers are at least this share of all misses. */
#define TRANSFERS_NOTED 0.1

static int note_transfers(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	double misses = (double)advise->run.cache_misses, transfers = 0;

	if (!advise->run.caches.at || !advise->sums.moved)
		return 0;
	for (size_t i = 0; i < advise->run.by_node.count; i++)
		transfers += (double)advise->run.by_node.at[i].transfers;
	if (misses <= 0 || transfers < TRANSFERS_NOTED * misses)
		return 0;
	snprintf(text, bytes,
		 "%.0f%% of the lines that the caches had to fetch had just been modified by "
		 "another node, and fetching such a line takes the same time wherever its page "
		 "lies: placements save less on these lines than predicted",
		 100 * transfers / misses);
	return 1;
}

static int note_queue(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	const struct Monitor_advise_role *queue = advise_queue(advise);

	if (!queue || !advise->sums.moved)
		return 0;
	snprintf(text, bytes,
		 "the work %s at %s: in another run, or with this placement, other threads can "
		 "take these parts of the work, and a placement may then not apply",
		 advise_queue_is(queue), advise_queue_place(queue));
	return 1;
}

static int note_waits(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	return advise_lock_waits(advise, text, bytes);
}

/*
 * Linux places pages by first touch. If the recorded run used another policy, a gain over this
 * policy has no meaning for users of Linux.
 */
static int note_policy(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	const char *policy = advise->run.placement;

	if (!policy || !advise->sums.moved || advise_recorded_first_touch(advise) ||
	    advise->run.placement_file)
		return 0;
	snprintf(text, bytes,
		 "the gain is against pages placed %s, as recorded; Linux places by first touch: "
		 "record with --place first-touch to see the gain over first touch",
		 policy);
	return 1;
}

/*
 * The note on constants is written only if accesses to constants have at least this share of the
 * cycles of all accesses.
 */
#define CONSTANTS_NOTED 0.1

/* If accesses to constants have most of the cycles, write why no placement helps. */
static int note_constants(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	const struct Monitor_advise_data *most = NULL;
	double cycles = 0;

	for (size_t i = 0; i < advise->count; i++)
		if (advise->fixed[i] == ADVISE_CONSTANT)
			cycles += (double)advise->rows[i].cycles;
	if (cycles <= 0 || cycles < CONSTANTS_NOTED * (double)advise->sums.cycles)
		return 0;
	for (size_t i = 0; i < advise->data_count; i++) {
		const struct Monitor_advise_data *data = &advise->data[i];

		if (advise->fixed[data->rows[0]] == ADVISE_CONSTANT && data->variable &&
		    (!most || data->sums.cycles > most->sums.cycles))
			most = data;
	}
	snprintf(text, bytes,
		 "%.0f%% of the cycles of accesses are to constants of files%s%s, which no "
		 "placement moves: the kernel has one copy of them for all programs",
		 100 * cycles / (double)advise->sums.cycles, most ? ", most to " : "",
		 most ? most->variable->name : "");
	return 1;
}

/*
 * The note on a program's own allocator is written only for a block of at least this size. Accesses
 * to the block must have at least one in ARENA_SHARE of the cost.
 */
#define ARENA_BYTES (1U << 20)
#define ARENA_SHARE 4

/*
 * Return whether a variable is one large block of the heap whose accesses have much of the cost,
 * and whether less than half of the block was ever used. Such a block is probably the memory of a
 * program's own allocator, which has unused space. An array normally has only the size that the
 * program uses.
 */
static int is_arena(const struct Monitor_advise *advise, const struct Monitor_advise_data *data)
{
	const struct Monitor_variable *variable = data->variable;

	return variable && variable->kind == MONITOR_VARIABLE_HEAP && variable->blocks == 1 &&
	       variable->bytes >= ARENA_BYTES &&
	       data->count < variable->bytes / SMILE_PAGE_BYTES / 2 &&
	       data->sums.cycles >= advise->sums.cycles / ARENA_SHARE;
}

static int note_arena(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	const struct Monitor_advise_data *data = NULL;
	char all[TEXT_COUNT_BYTES], used[TEXT_COUNT_BYTES];

	/*
	 * If cards made the recording, the used part of a block is not known, because cards do not
	 * see all pages. For this reason, write the note only if the run time is known, because
	 * cards record no run time.
	 */
	for (size_t i = 0; advise->time.known && !advise->options.phase && i < advise->data_count;
	     i++)
		if (is_arena(advise, &advise->data[i]) &&
		    (!data || advise->data[i].sums.cycles > data->sums.cycles))
			data = &advise->data[i];
	if (data)
		snprintf(text, bytes,
			 "%s is one block of %s bytes, of which %s were used (whole pages): if the "
			 "program's own allocator divides this block, the advice has no names for "
			 "the parts; to get names, allocate the parts with smile_alloc() of "
			 "smile_trace(3)",
			 data->variable->name, text_count(all, data->variable->bytes),
			 text_count(used, data->count * SMILE_PAGE_BYTES));
	return data != NULL;
}

static int note_little(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	double part = advise->too_little;

	if (part > 0)
		snprintf(text, bytes,
			 "the best placement found would shorten the run by %.1f%%, less than 5%%: "
			 "all pages stay where they are",
			 100 * part);
	return part > 0;
}

/* Write the end points of a link to @text, which has 64 bytes. */
static const char *link_text(const struct advise_link *link, char *text)
{
	char from[24] = "the switch", to[24] = "the switch";

	if (link->from != ADVISE_SWITCH)
		snprintf(from, sizeof(from), "node %" PRIu32, link->from);
	if (link->to != ADVISE_SWITCH)
		snprintf(to, sizeof(to), "node %" PRIu32, link->to);
	snprintf(text, 64, "from %s to %s", from, to);
	return text;
}

static int note_network(const struct Monitor_advise *advise, char *text, size_t bytes)
{
	const struct advise_link *now = &advise->link_now, *then = &advise->link_then;
	char first[64], second[64];
	int length;

	if (!advise->topology)
		return 0;
	length = snprintf(text, bytes,
			  "network %s: the busiest link leads %s, and carries packets for %.1f%% "
			  "of the recorded time",
			  advise->topology, link_text(now, first), 100 * now->load);
	if (advise->sums.moved && length > 0 && (size_t)length < bytes)
		snprintf(text + length, bytes - (size_t)length,
			 "; with the placement it would lead %s, and carry packets for %.1f%%",
			 link_text(then, second), 100 * then->load);
	return 1;
}

const char *advise_nothing(const struct Monitor_advise *advise, char *text)
{
	if (advise->sums.moved)
		return NULL;
	for (size_t i = 0; i < advise->data_count; i++)
		if (advise->data[i].copies_gain)
			return NULL;
	if (!note_little(advise, text, 512))
		snprintf(text, 512, "%s",
			 advise->time.known ? "no placement was found with which the run is shorter"
					    : "no page was found that costs less on another node");
	return text;
}

const char *Monitor_advise_note(const struct Monitor_advise *advise, size_t index, char *text,
				size_t bytes)
{
	static int (*const notes[])(const struct Monitor_advise *, char *, size_t) = {
		note_local, note_seen,	    note_lost,	  note_types, note_filter,
		note_cache, note_transfers, note_queue,	  note_waits, note_policy,
		note_arena, note_constants, note_network, note_little};

	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i](advise, text, bytes) && !index--)
			return text;
	return NULL;
}
