// SPDX-License-Identifier: MIT
/*
 * smile top: act on keys.
 */
#include "tools/top/top.h"

static const uint64_t intervals_ms[] = {100, 200, 500, 1000, 2000, 5000, 10000, 30000, 60000};

#define INTERVALS (sizeof(intervals_ms) / sizeof(intervals_ms[0]))

static void interval_longer(struct top_state *state)
{
	for (size_t i = 0; i < INTERVALS; i++) {
		if (intervals_ms[i] * 1000000 > state->interval_ns) {
			state->interval_ns = intervals_ms[i] * 1000000;
			return;
		}
	}
}

static void interval_shorter(struct top_state *state)
{
	for (size_t i = INTERVALS; i-- > 0;) {
		if (intervals_ms[i] * 1000000 < state->interval_ns) {
			state->interval_ns = intervals_ms[i] * 1000000;
			return;
		}
	}
}

static void move_to(struct top_state *state, const struct top_snapshot *snapshot, size_t row)
{
	size_t last = top_rows(snapshot) ? top_rows(snapshot) - 1 : 0;

	state->selected = row < last ? row : last;
}

/*
 * Move the selection, if the key is one of the keys that move it. Return: whether it is one of
 * these keys.
 */
static int move(struct top_state *state, const struct top_snapshot *snapshot, unsigned int key,
		size_t rows)
{
	size_t at = state->selected;

	switch (key) {
	case TOP_KEY_UP:
	case 'k':
		move_to(state, snapshot, at ? at - 1 : 0);
		return 1;
	case TOP_KEY_DOWN:
	case 'j':
		move_to(state, snapshot, at + 1);
		return 1;
	case TOP_KEY_PAGE_UP:
		move_to(state, snapshot, at > rows ? at - rows : 0);
		return 1;
	case TOP_KEY_PAGE_DOWN:
		move_to(state, snapshot, at + rows);
		return 1;
	case TOP_KEY_HOME:
	case 'g':
		move_to(state, snapshot, 0);
		return 1;
	case TOP_KEY_END:
	case 'G':
		move_to(state, snapshot, top_rows(snapshot));
		return 1;
	default:
		return 0;
	}
}

static void section_toggle(struct top_state *state, const struct top_snapshot *snapshot)
{
	state->again = 1;
	if (state->section.open) {
		state->section.open = 0;
	} else if (state->selected < snapshot->pages_count) {
		const struct live_page *page = &snapshot->pages[state->selected].live;

		state->section.open = 1;
		state->section.page = page->page;
		state->section.home = page->home;
	}
}

void top_key(struct top_state *state, const struct top_snapshot *snapshot, unsigned int key,
	     size_t rows)
{
	/* While the help is shown, any key closes it, except the keys that quit. */
	if (state->help && key != 'q' && key != 'Q') {
		state->help = 0;
		return;
	}
	switch (key) {
	case 'q':
	case 'Q':
		state->quit = 1;
		return;
	case 'p':
	case ' ':
		state->paused = !state->paused;
		return;
	case 's':
		state->sort = (state->sort + 1) % TOP_SORTS;
		if (state->sort == TOP_SORT_COST && snapshot->sampled)
			state->sort = TOP_SORT_RATE;
		state->selected = 0;
		state->again = 1;
		return;
	case 't':
		state->totals = !state->totals;
		state->again = 1;
		return;
	case 'n':
		state->nodes = !state->nodes;
		return;
	case 'm':
		state->mark = 1;
		return;
	case 'r':
		state->reset = 1;
		return;
	case '+':
	case '=':
		interval_longer(state);
		return;
	case '-':
		interval_shorter(state);
		return;
	case 'h':
	case '?':
		state->help = 1;
		return;
	case TOP_KEY_ENTER:
		section_toggle(state, snapshot);
		return;
	case TOP_KEY_BACK:
		if (state->section.open)
			section_toggle(state, snapshot);
		return;
	default:
		if (!state->section.open)
			move(state, snapshot, key, rows);
	}
}
