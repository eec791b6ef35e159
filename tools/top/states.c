// SPDX-License-Identifier: MIT
/*
 * smile top: draw the events of a state file, each with its last interval and its confidence
 * interval.
 */
#include "tools/top/top.h"

#include <math.h>
#include <stdio.h>

#include "lib/analysis/utf8.h"

/* Positions at which the columns of numbers end. The name follows them. */
#define RATE_END 10U
#define BAND_END 27U
#define READ_END 34U
#define NAME_AT 36U
/* On a narrow screen, the column READ is left out. */
#define NARROW_COLUMNS 50U
#define NARROW_NAME_AT (BAND_END + 2)

static int is_narrow(const struct top_screen *screen)
{
	return screen->columns < NARROW_COLUMNS;
}

static void heading(struct top_screen *screen, size_t row, int rates)
{
	top_put_right(screen, row, RATE_END, TOP_HEAD, rates ? "NOW" : "NOW/s");
	top_put_right(screen, row, BAND_END, TOP_HEAD, rates ? "95% BAND" : "95% BAND/s");
	if (!is_narrow(screen))
		top_put_right(screen, row, READ_END, TOP_HEAD, "READ");
	top_put(screen, row, is_narrow(screen) ? NARROW_NAME_AT : NAME_AT, TOP_HEAD,
		rates ? "RATE" : "EVENT");
}

/* Write a number. A rate can be a share, so a number below 1 is written with two digits. */
static char *number_text(char *text, double number)
{
	if (number > 0 && number < 1)
		snprintf(text, TOP_COUNT_BYTES, "%.2g", number);
	else
		top_count(text, number);
	return text;
}

/*
 * Write a confidence interval as "1234 to 2345". It is not written as a deviation, because
 * confidence intervals are not symmetric: no count is below 0.
 */
static void band_text(char *text, size_t bytes, const struct state_cell *cell)
{
	char low[TOP_COUNT_BYTES], high[TOP_COUNT_BYTES];

	if (cell->high > cell->low)
		snprintf(text, bytes, "%s to %s", number_text(low, cell->low),
			 number_text(high, cell->high));
	else
		snprintf(text, bytes, "exact");
}

static void event_draw(struct top_screen *screen, size_t row, const struct state_columns *states,
		       const struct state_event *event, enum top_style style)
{
	const struct state_cell *now = &event->now;
	size_t name_at = is_narrow(screen) ? NARROW_NAME_AT : NAME_AT;
	char text[2 * TOP_COUNT_BYTES + 8], name[TOP_NAME_BYTES];

	for (size_t i = 0; style == TOP_SELECTED && i < screen->columns; i++)
		top_put(screen, row, i, style, " ");
	if (style == TOP_SELECTED)
		top_put(screen, row, 0, style, ">");
	if (now->known_s > 0) {
		int read = now->read_s > 0;

		top_put(screen, row, 1, style, read ? " " : "~");
		if (event->differs)
			top_put(screen, row, 2, style == TOP_PLAIN ? TOP_BAD : style, "!");
		top_put_right(screen, row, RATE_END, style, number_text(text, now->rate));
		band_text(text, sizeof(text), now);
		top_put_right(screen, row, BAND_END, style, text);
	} else {
		top_put_right(screen, row, BAND_END, style == TOP_PLAIN ? TOP_FAINT : style,
			      "not known");
	}
	if (!is_narrow(screen)) {
		snprintf(text, sizeof(text), "%.0f%%",
			 100 * event->all.read_s / fmax(states->time_s, 1e-12));
		top_put_right(screen, row, READ_END, style, text);
	}
	if (screen->columns <= name_at)
		return;
	snprintf(name, sizeof(name), "%s", event->name);
	utf8_crop(name, screen->columns - name_at, "~");
	top_put(screen, row, name_at, style, name);
}

void top_states_draw(struct top_screen *screen, size_t row, size_t rows,
		     const struct top_state *state, const struct top_snapshot *snapshot)
{
	const struct state_columns *states = snapshot->states;
	size_t first = 0, shown = rows > 2 ? rows - 2 : 0;
	int differs = 0;

	heading(screen, row, states->rates);
	if (!states->count)
		top_put(screen, row + 1, 2, TOP_FAINT, "no interval yet");
	if (!state->paper && shown && state->selected >= shown)
		first = state->selected - shown + 1;
	for (size_t i = 0; i < shown && first + i < states->count; i++)
		event_draw(screen, row + 1 + i, states, states->events[first + i],
			   !state->paper && first + i == state->selected ? TOP_SELECTED
									 : TOP_PLAIN);
	for (size_t i = 0; i < states->count; i++)
		differs |= states->events[i]->differs;
	if (rows > 1)
		top_put(screen, row + rows - 1, 0, TOP_FAINT,
			differs ? "~ = estimated, not read in the last interval; ! = differs from "
				  "the other nodes"
				: "~ = estimated, not read in the last interval; READ = share of "
				  "the time");
}
