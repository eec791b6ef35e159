/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Sends known frames, for perf_guest.sh and stat_guest.sh:
 *
 * 	perf_send CARD [for:MS] KIND:PAGE:WORD:COUNT[:HOME]...
 *
 * Sends COUNT frames for each argument, in this order, and returns when the card has received all
 * frames. KIND is read, write, lock, answered (a read and its response) or event (a global event,
 * whose id is PAGE). HOME is the page's home node; the default is 3. With for:MS the program sends
 * all frames repeatedly until MS milliseconds have passed, and prints the number of repetitions.
 *
 * What lives here: the program for the guest. May use: the files that the driver's tests share.
 * Exit status: 0; 2 for a mistake in the arguments; another status if the frames do not
 * arrive.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hw/blink.h>

#include "tests/guest/driver_fixture.h"

#define KINDS_MAX 32

static const struct {
	const char *name;
	uint32_t command;
	bool answered;
} names[] = {
	{"read", BLINK_READSB, false},	 {"write", BLINK_WRITESB, false},
	{"lock", BLINK_LOCKSB, false},	 {"answered", BLINK_NREAD64, true},
	{"event", BLINK_EVENT00, false},
};

static bool parse(const char *text, struct driver_frames *frames)
{
	unsigned int page, word, count, home = 3;
	char name[16];

	if (sscanf(text, "%15[a-z]:%u:%u:%u:%u", name, &page, &word, &count, &home) < 4)
		return false;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(name, names[i].name))
			continue;
		*frames = (struct driver_frames){
			.command = names[i].command,
			.source = 7,
			.target = home,
			.address = names[i].command == BLINK_EVENT00
					   ? page
					   : (uint64_t)page * SMILE_PAGE_BYTES +
						     word * SMILE_WORD_BYTES,
			.count = count,
			.answered = names[i].answered,
		};
		return true;
	}
	return false;
}

int main(int argc, char **argv)
{
	struct driver_frames kinds[KINDS_MAX];
	int card, count = argc - 2, first = 2;
	unsigned int for_ms = 0, rounds = 0;
	uint64_t frames = 0, end_ms;

	if (count > 0 && sscanf(argv[2], "for:%u", &for_ms) == 1) {
		first++;
		count--;
	}
	if (count < 1 || count > KINDS_MAX)
		return 2;
	card = atoi(argv[1]);
	for (int i = 0; i < count; i++) {
		if (!parse(argv[first + i], &kinds[i])) {
			fprintf(stderr, "perf_send: what is %s?\n", argv[first + i]);
			return 2;
		}
		frames += kinds[i].answered ? 2 * kinds[i].count : kinds[i].count;
	}
	end_ms = driver_now_ms() + for_ms;
	do {
		uint64_t goal = driver_counter(card, "packets_seen") + frames;

		driver_send_frames(card, kinds, (size_t)count);
		driver_sent();
		assert_soon(driver_counter(card, "packets_seen") >= goal);
		rounds++;
	} while (driver_now_ms() < end_ms);
	if (for_ms)
		printf("%u\n", rounds);
	return 0;
}
