// SPDX-License-Identifier: MIT
/*
 * smile run: the cards.
 *
 * What lives here: one emulated card a node, fed with the frames of its B-Link, and its recording.
 * Whatever goes wrong with one of them is told once; the others, and the program, go on.
 */
#include "tools/run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/smile.h"

/* Frames after which the records of a card are taken in: so many records can wait, at worst. */
#define CARDS_FRAMES_MAX 16384

static void card_fail(struct run *run)
{
	tool_error("%s", Monitor_error_message());
	run->failed = 1;
}

static int card_open(struct run *run, unsigned node)
{
	struct run_card *card = &run->cards[node];
	struct config_options options = run->options.card;

	if (asprintf(&card->file, "%s-node%u.rec", run->options.prefix, node) < 0) {
		card->file = NULL;
		return tool_error("no memory");
	}
	options.config.node = node;
	options.node_given = 1;
	if (Monitor_open(&card->mon, "emu:") < 0)
		return tool_error("%s", Monitor_error_message());
	if (config_options_apply(&options, card->mon) != TOOL_OK)
		return TOOL_ERROR;
	if (Monitor_record_only(card->mon) < 0 ||
	    Monitor_save(card->mon, card->file, run->command_line) < 0 ||
	    Monitor_start(card->mon) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}

int run_cards_open(struct run *run)
{
	for (unsigned n = 0; n < run->options.nodes; n++)
		if (card_open(run, n) != TOOL_OK)
			return TOOL_ERROR;
	return TOOL_OK;
}

/* Take in all that a card has. An error is told, and what comes behind it is taken in. */
static void card_poll(struct run *run, struct run_card *card)
{
	int failures = 0, got;

	do {
		got = Monitor_poll(card->mon, 0);
		if (got > 0)
			card->records += (uint64_t)got;
		else if (got < 0 && !failures++)
			card_fail(run);
	} while (got > 0 || (got < 0 && failures < 2));
	card->waiting = 0;
}

void run_cards_frames(void *opaque, unsigned node, const struct machine_frame *frames, size_t count)
{
	struct Monitor_frame batch[MACHINE_BATCH];
	struct run *run = opaque;
	struct run_card *card = &run->cards[node];
	size_t i;
	int err;

	while (count) {
		for (i = 0; i < count && i < MACHINE_BATCH; i++) {
			batch[i] = (struct Monitor_frame){
				.frame = frames[i].bytes,
				.bytes = frames[i].length,
				.time_ns = frames[i].time_ns,
			};
			err = captures_write(&run->captures, node, frames[i].bytes,
					     frames[i].length, frames[i].time_ns);
			if (err < 0)
				card_fail(run);
		}
		err = Monitor_packets(card->mon, batch, i);
		if (err != (int)i) {
			if (err < 0)
				card_fail(run);
			machine_fail(run->machine, err < 0 ? err : -ENOMEM);
			return;
		}
		card->passed += i;
		card->waiting += i;
		frames += i;
		count -= i;
	}
	if (card->waiting >= CARDS_FRAMES_MAX)
		card_poll(run, card);
}

void run_cards_poll(struct run *run)
{
	for (unsigned n = 0; n < run->options.nodes; n++)
		card_poll(run, &run->cards[n]);
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
	/* Each call says one thing that went wrong, if anything did. */
	while ((got = Monitor_swap(card->mon)) > 0)
		card->records += (uint64_t)got;
	if (got < 0)
		card_fail(run);
	card->known = Monitor_statistics(card->mon, &card->statistics) >= 0 &&
		      Monitor_loss(card->mon, &card->loss) >= 0;
	if (!card->known)
		card_fail(run);
}

void run_cards_stop(struct run *run)
{
	for (unsigned n = 0; n < run->options.nodes; n++)
		card_stop(run, &run->cards[n]);
}

void run_cards_close(struct run *run)
{
	for (unsigned n = 0; n < run->options.nodes; n++) {
		struct run_card *card = &run->cards[n];

		if (card->mon && Monitor_close(card->mon) < 0)
			card_fail(run);
		card->mon = NULL;
	}
}
