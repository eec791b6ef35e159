// SPDX-License-Identifier: MIT
/*
 * run/session: runs the emulated cards.
 *
 * What lives here: one emulated card for each node, which receives the packets of the node's
 * B-Link, and the card's recording. If a card fails, the error is reported once, and the other
 * cards and the program continue.
 */
#include "run/session/session_inside.h"
#include "run/session/migration.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Interval in nanoseconds at which a card is polled and its recording is written to disk. */
#define CARDS_LOOK_NS 100000000U

/*
 * The interval at the end of a phase. This interval is shorter, because the program may stay in the
 * next phase for a long time.
 */
#define CARDS_SHOW_NS 10000000U

static void card_fail(struct run *run)
{
	run_message("%s", Monitor_error_message());
	run->failed = 1;
}

/*
 * After the recording has failed, report the error, and the time up to which the recording is
 * complete.
 */
static void card_fail_until(struct run *run, const struct run_card *card)
{
	card_fail(run);
	run_message("%s has the counts up to %.6f s of simulated time", card->file,
		    (double)card->until_ns / 1e9);
}

static int card_open(struct run *run, unsigned node)
{
	struct run_card *card = &run->cards[node];
	const struct run_config *config = &run->config;
	int err;

	if (asprintf(&card->file, "%s-node%u.rec", config->prefix, node) < 0) {
		card->file = NULL;
		return run_error(-ENOMEM, "no memory");
	}
	err = Monitor_open(&card->mon, "emu:");
	if (err < 0)
		return run_error(err, "%s", Monitor_error_message());
	err = config->ops->configure(config->opaque, node, card->mon);
	if (err < 0)
		return err;
	err = Monitor_record_only(card->mon);
	return err < 0 ? run_error(err, "%s", Monitor_error_message()) : 0;
}

int run_cards_open(struct run *run)
{
	int err = 0;

	for (unsigned n = 0; run->config.prefix && n < run->config.nodes && !err; n++)
		err = card_open(run, n);
	return err;
}

static int card_save(struct run *run, struct run_card *card)
{
	const struct run_config *config = &run->config;
	int err;

	card->created = access(card->file, F_OK) < 0;
	if (config->records)
		err = Monitor_save(card->mon, card->file, config->command_line);
	else
		err = Monitor_save_counts(card->mon, card->file, config->command_line);
	if (err == -EBUSY)
		return run_error(err, "%s; runs at the same time need different names (-o)",
				 Monitor_error_message());
	return err < 0 ? run_error(err, "%s", Monitor_error_message()) : 0;
}

int run_cards_save(struct run *run)
{
	int err = 0;

	for (unsigned n = 0; run->config.prefix && n < run->config.nodes && !err; n++)
		err = card_save(run, &run->cards[n]);
	return err;
}

void run_cards_remove(struct run *run)
{
	run_cards_close(run);
	for (unsigned n = 0; n < run->config.nodes; n++)
		if (run->cards[n].created)
			unlink(run->cards[n].file);
}

int run_cards_begin(struct run *run)
{
	int err = 0;

	for (unsigned n = 0; run->config.prefix && n < run->config.nodes && err >= 0; n++) {
		err = Monitor_start(run->cards[n].mon);
		if (err < 0)
			return run_error(err, "%s", Monitor_error_message());
	}
	if (run->config.prefix)
		run_leftovers_remove(run);
	return 0;
}

/*
 * Update the number of records that were read from the card. Return: true if the number is known.
 */
static bool card_account(struct run *run, struct run_card *card)
{
	if (Monitor_loss(card->mon, &card->loss) < 0) {
		card_fail(run);
		return false;
	}
	card->records = card->loss.records;
	return true;
}

/* Read all records that the card still has. Report only the first error, and continue after it. */
static void card_poll(struct run *run, struct run_card *card)
{
	int failures = 0, got;

	do {
		got = Monitor_poll(card->mon, 0);
		if (got < 0 && !failures++)
			card_fail(run);
	} while (got > 0 || (got < 0 && failures < 2));
	card->looked_ns = run_now_ns();
	card->looked_passed = card->passed;
	card_account(run, card);
}

/* If the card was last polled at least @ns nanoseconds ago, poll it. */
static void card_look(struct run *run, struct run_card *card, uint64_t ns)
{
	if (card->mon && run_now_ns() - card->looked_ns >= ns)
		card_poll(run, card);
}

/*
 * If the node has a card, pass frames to it. Return: 0; -errno after a message if the card cannot
 * continue.
 */
static int card_pass(struct run *run, struct run_card *card, const struct Monitor_frame *frames,
		     size_t count)
{
	int passed = card->mon ? Monitor_packets(card->mon, frames, count) : (int)count;

	if (passed != (int)count) {
		card_fail(run);
		return passed < 0 ? passed : -ENOMEM;
	}
	card->passed += count;
	return 0;
}

static int frames_take(struct run *run, unsigned node, const struct machine_frame *frames,
		       size_t count)
{
	struct run_card *card = &run->cards[node];
	struct Monitor_frame batch[MACHINE_BATCH];
	bool captured = run->captures.node[node] != NULL;
	bool all = run->phases.counting;
	size_t in = 0;

	for (size_t i = 0; i < count; i++) {
		if (run->migrate && migrate_count(run->migrate, node, frames[i].bytes) < 0)
			return run_error(-ENOMEM,
					 "no memory for the counts of pages that may move");
		if (!all && !run_phases_pass(run, frames[i].bytes)) {
			card->left_out++;
			continue;
		}
		batch[in++] = (struct Monitor_frame){
			.frame = frames[i].bytes,
			.bytes = frames[i].length,
			.time_ns = frames[i].time_ns,
		};
		if (captured && captures_write(&run->captures, node, frames[i].bytes,
					       frames[i].length, frames[i].time_ns) < 0)
			card_fail(run);
	}
	return card_pass(run, card, batch, in);
}

void run_cards_rest(struct run *run)
{
	for (unsigned n = 0; n < run->config.nodes; n++)
		if (run->cards[n].passed != run->cards[n].looked_passed)
			card_look(run, &run->cards[n], CARDS_LOOK_NS);
}

/*
 * Handle the result of a batch of frames. If the card has failed, the machine stops, and the card
 * receives no further frames.
 */
static void card_took(struct run *run, struct run_card *card, int err)
{
	card_look(run, card, CARDS_LOOK_NS);
	card->refused = err < 0;
	if (err < 0)
		machine_fail(run->machine, err);
}

void run_cards_frames(void *opaque, unsigned node, const struct machine_frame *frames, size_t count)
{
	struct run *run = opaque;
	struct run_card *card = &run->cards[node];

	if (!card->refused)
		card_took(run, card, frames_take(run, node, frames, count));
}

/* ---- exact counts ---------------------------------------------------------------------------- */

/*
 * Check whether the machine can count the requests for this card. It cannot if the card's
 * configuration depends on the time of each request, or on events other than requests. In this case
 * the card receives each request, and the library adds up the card's records. @bytes: receives the
 * size of the blocks by which the card counts.
 */
static bool card_counts_apart(struct run *run, unsigned node, unsigned *bytes)
{
	const uint32_t modes = SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	struct smile_info info;

	if (Monitor_info(run->cards[node].mon, &info) < 0)
		return false;
	*bytes = info.config.max_range_bytes;
	return !(info.config.mode & modes) && !info.config.timer_us && !info.config.time_us &&
	       !(*bytes & (*bytes - 1));
}

unsigned run_counted_bytes(struct run *run)
{
	const struct run_config *config = &run->config;
	unsigned bytes = 0, first = 0;

	if (!config->prefix || config->records || config->capture || !run->no_responses ||
	    config->migrate_ns || config->migrate_phases)
		return 0;
	for (unsigned n = 0; n < config->nodes; n++) {
		if (!card_counts_apart(run, n, &bytes) || (n && bytes != first))
			return 0;
		first = bytes;
	}
	return first;
}

void run_cards_counted(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
		       size_t count, uint64_t time_ns)
{
	struct run *run = opaque;
	struct run_card *card = &run->cards[node];
	int err;

	if (!run->phases.counting) {
		for (size_t i = 0; i < count; i++)
			card->left_out += counts[i];
		return;
	}
	err = card->lost ? 0 : Monitor_counted(card->mon, request, counts, count, time_ns);
	card->lost |= err < 0;
	/* Only this recording ends; the other cards continue. */
	if (err < 0)
		card_fail_until(run, card);
}

/*
 * Get an upper limit on the size, in a file, of the counts of @blocks blocks in @pages pages. The
 * limit is too low only for extremely large counts.
 */
static uint64_t counted_file_bytes(uint64_t blocks, uint64_t pages)
{
	return 8 * blocks + 24 * pages;
}

/* Get the size of all recordings in bytes. */
static uint64_t cards_file_bytes(const struct run *run)
{
	uint64_t bytes = 0;
	struct stat status;

	for (unsigned n = 0; n < run->config.nodes; n++)
		if (stat(run->cards[n].file, &status) == 0)
			bytes += (uint64_t)status.st_size;
	return bytes;
}

void run_cards_checkpoint(struct run *run)
{
	uint64_t now = run_now_ns(), blocks, pages, before, after;

	if (!run->counted_bytes || !checkpoint_due(&run->checkpoint, now))
		return;
	/*
	 * Each block is written to two recordings, and the limit on their size applies to all
	 * recordings together.
	 */
	if (machine_counted_size(run->machine, &blocks, &pages) < 0 || !blocks ||
	    !checkpoint_may(&run->checkpoint, now, 2 * counted_file_bytes(blocks, pages),
			    2 * blocks))
		return;
	before = cards_file_bytes(run);
	machine_counted(run->machine);
	run_cards_until(run);
	/* The size may have decreased, because another process may have removed a recording. */
	after = cards_file_bytes(run);
	checkpoint_wrote(&run->checkpoint, now, run_now_ns(), after > before ? after - before : 0,
			 2 * blocks);
}

void run_cards_until(struct run *run)
{
	uint64_t time_ns = machine_time_ns(run->machine, schedule_now(run->schedule));

	for (unsigned n = 0; run->counted_bytes && n < run->config.nodes; n++) {
		struct run_card *card = &run->cards[n];

		if (card->lost)
			continue;
		card->lost = Monitor_counted_until(card->mon, time_ns) < 0;
		if (card->lost)
			card_fail_until(run, card);
		else
			card->until_ns = time_ns;
	}
}

void run_cards_show(struct run *run)
{
	for (unsigned n = 0; n < run->config.nodes; n++)
		card_look(run, &run->cards[n], CARDS_SHOW_NS);
}

static void card_stop(struct run *run, struct run_card *card)
{
	int got;

	if (!card->mon)
		return;
	card_poll(run, card);
	if (Monitor_stop(card->mon) < 0) {
		card_fail(run);
		return;
	}
	/* If several errors have occurred, each call reports one of them. */
	while ((got = Monitor_swap(card->mon)) > 0)
		;
	if (got < 0)
		card_fail(run);
	card->known = card_account(run, card);
	if (card->known && Monitor_statistics(card->mon, &card->statistics) < 0) {
		card->known = 0;
		card_fail(run);
	}
}

void run_cards_stop(struct run *run)
{
	for (unsigned n = 0; n < run->config.nodes; n++)
		card_stop(run, &run->cards[n]);
}

void run_cards_close(struct run *run)
{
	for (unsigned n = 0; n < run->config.nodes; n++) {
		struct run_card *card = &run->cards[n];

		if (card->mon && Monitor_close(card->mon) < 0)
			card_fail(run);
		card->mon = NULL;
	}
}
