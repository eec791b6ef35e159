// SPDX-License-Identifier: MIT
/*
 * smile top: lay out the contents of the screen.
 *
 * What lives here: the head, the line of keys, and the division of the rows. The head has five
 * rows, the matrix has at most half of the remaining rows, and the list of pages has the rest.
 */
#include "tools/top/top.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tools/common/output.h"
#include "lib/analysis/utf8.h"

#define HEAD_ROWS 5U
#define FOOT_ROWS 1U
#define STATES_ROW 4U /* The first row of the events of a state file. */
#define MATRIX_FRAME_ROWS 2U /* The rows are a title and the headings of columns. */
#define MATRIX_ROWS_MIN 2U
#define PAGES_ROWS_MIN 3U /* The rows are a heading and two pages. */
#define GAP_ROWS 1U
#define WIDE_COLUMNS 72U /* On a narrower screen, the loss account is shortened. */

/* ---- head ---------------------------------------------------------------------------------- */

static const char *state_text(const struct top_state *state, const struct top_snapshot *snapshot,
			      enum top_style *style)
{
	*style = TOP_GOOD;
	if (snapshot->state == LIVE_FAILED) {
		*style = TOP_BAD;
		return "FAILED";
	}
	if (state->paused) {
		*style = TOP_STRONG;
		return "PAUSED";
	}
	if (snapshot->state == LIVE_ENDED && snapshot->unclosed) {
		*style = TOP_BAD;
		return "recording not closed";
	}
	if (snapshot->state == LIVE_ENDED && snapshot->incomplete) {
		*style = TOP_BAD;
		return "run not complete";
	}
	if (snapshot->state == LIVE_ENDED) {
		*style = TOP_STRONG;
		return snapshot->kind == LIVE_CAPTURE  ? "capture ended"
		       : snapshot->kind == LIVE_STATES ? "complete"
						       : "recording complete";
	}
	if (snapshot->kind == LIVE_CARD)
		return "counting";
	return snapshot->behind ? "reading" : "following";
}

static void elapsed_text(char *text, size_t bytes, uint64_t ns)
{
	uint64_t seconds = ns / 1000000000;

	snprintf(text, bytes, "%" PRIu64 ":%02u:%02u", seconds / 3600,
		 (unsigned int)(seconds / 60 % 60), (unsigned int)(seconds % 60));
}

/* Draw the first line, such as: smile top dev:0 node 0 counting every 1 s 0:01:02 */
static void head_source(struct top_screen *screen, const struct top_state *state,
			const struct top_snapshot *snapshot)
{
	char right[64], elapsed[32], name[512];
	enum top_style style;
	const char *what = state_text(state, snapshot, &style);
	size_t at = top_put(screen, 0, 0, TOP_STRONG, "smile top  "), room;

	elapsed_text(elapsed, sizeof(elapsed), snapshot->totals.time_ns);
	snprintf(right, sizeof(right), "every %g s  %s", (double)state->interval_ns / 1e9, elapsed);
	/* Shorten a long name, so that the texts after it fit. */
	room = snapshot->sampled ? 50 : 32;
	room = screen->columns > at + room ? screen->columns - at - room : 8;
	snprintf(name, sizeof(name), "%s", snapshot->name);
	utf8_crop(name, room, "~");
	at = top_put(screen, 0, at, TOP_PLAIN, name);
	if (snapshot->cards > 1)
		at = top_print(screen, 0, at, TOP_PLAIN, "  %u cards", snapshot->cards);
	else if (!snapshot->states)
		at = top_print(screen, 0, at, TOP_PLAIN, "  node %u", snapshot->node);
	if (snapshot->sampled)
		at = top_print(screen, 0, at, TOP_STRONG, "  samples of %s",
			       snapshot->sampled->samples.source);
	at = top_print(screen, 0, at, style, "  %s", what);
	if (at + 2 + strlen(right) <= screen->columns)
		top_put_right(screen, 0, screen->columns, TOP_PLAIN, right);
}

static size_t rate_put(struct top_screen *screen, size_t row, size_t at, const char *what,
		       uint64_t count, const struct top_snapshot *snapshot, enum top_style style)
{
	char text[TOP_COUNT_BYTES];

	return top_print(screen, row, at, style, "  %s %s/s", what,
			 top_count(text, live_rate(count, &snapshot->interval)));
}

static void head_rates(struct top_screen *screen, const struct top_snapshot *snapshot)
{
	const struct live_interval *interval = &snapshot->interval;
	size_t at = top_put(screen, 1, 0, TOP_STRONG, "now    ");

	if (snapshot->sampled) {
		top_put(screen, 1, at, TOP_FAINT,
			"  no rates of samples; [A-B] = 95% band of a count: smile-sample(1)");
		return;
	}
	if (snapshot->first) {
		top_put(screen, 1, at, TOP_FAINT,
			snapshot->behind ? "  no rates: reading earlier records"
			: snapshot->state == LIVE_RUNNING
				? "  the first interval is not over"
				: "  no rates: it was not watched while it "
				  "was written");
		return;
	}
	if (interval->packets_known)
		at = rate_put(screen, 1, at, "packets", interval->packets, snapshot, TOP_PLAIN);
	at = rate_put(screen, 1, at, "records", interval->records, snapshot, TOP_PLAIN);
	at = rate_put(screen, 1, at, "accesses", interval->events, snapshot, TOP_PLAIN);
	at = rate_put(screen, 1, at, "lost", interval->lost, snapshot,
		      interval->lost ? TOP_BAD : TOP_PLAIN);
	if (interval->lost)
		top_put(screen, 1, at, TOP_FAINT, "  red: events not counted");
}

static size_t total_put(struct top_screen *screen, size_t row, size_t at, const char *what,
			uint64_t count)
{
	char text[TEXT_COUNT_BYTES];

	return top_print(screen, row, at, TOP_PLAIN, "  %s %s", what, text_count(text, count));
}

static void head_totals(struct top_screen *screen, const struct top_snapshot *snapshot)
{
	size_t at = top_put(screen, 2, 0, TOP_STRONG, "total  ");
	char text[TOP_COUNT_BYTES];

	if (snapshot->totals.statistics_known)
		at = total_put(screen, 2, at, "packets", snapshot->totals.statistics.packets_seen);
	at = total_put(screen, 2, at, "records", snapshot->totals.records);
	at = total_put(screen, 2, at, "pages", snapshot->pages_all);
	if (!snapshot->first)
		at = top_print(screen, 2, at, TOP_PLAIN, " (%zu now)", snapshot->pages_active);
	if (snapshot->hot_threshold_least)
		at = top_print(screen, 2, at, TOP_PLAIN, "  hot %zu (>= %s)", snapshot->pages_hot,
			       top_count(text, (double)snapshot->hot_threshold_least));
	at = top_print(screen, 2, at, TOP_PLAIN, "  phases %u", snapshot->phases);
	if (*snapshot->phase_name)
		at = top_print(screen, 2, at, TOP_PLAIN, " (%s)", snapshot->phase_name);
	if (snapshot->began_known)
		top_print(screen, 2, at, TOP_PLAIN, ", begun within %" PRIu64 ".%03" PRIu64 " us",
			  snapshot->began_within_ns / 1000, snapshot->began_within_ns % 1000);
}

/*
 * Draw the loss account, such as: events 1,234 accepted = 1,200 delivered + 0 lost + 34 to come.
 * Events to come are still in the card or in the unread part of the file.
 */
static void head_account(struct top_screen *screen, const struct top_snapshot *snapshot)
{
	const struct Monitor_loss *loss = &snapshot->totals.loss;
	char a[TEXT_COUNT_BYTES], b[TEXT_COUNT_BYTES], c[TEXT_COUNT_BYTES];
	size_t at = top_put(screen, 3, 0, TOP_STRONG, "events ");
	uint64_t reported = loss->delivered + loss->lost + loss->pending;
	enum top_style style = loss->lost ? TOP_BAD : TOP_PLAIN;

	if (!loss->known) {
		at = top_print(screen, 3, at, TOP_PLAIN, "  %s delivered",
			       text_count(b, loss->delivered));
		at = top_print(screen, 3, at, style, " + %s lost", text_count(c, loss->lost));
		top_put(screen, 3, at, TOP_FAINT,
			snapshot->state == LIVE_RUNNING
				? "  accepted: not known yet"
				: "  accepted: not known, it was not closed");
		return;
	}
	at = top_print(screen, 3, at, loss->accepted == reported ? TOP_PLAIN : TOP_BAD,
		       screen->columns < WIDE_COLUMNS ? "  %s %s %s"
						      : "  %s accepted %s %s delivered",
		       text_count(a, loss->accepted),
		       loss->accepted == reported ? "=" : "!=", text_count(b, loss->delivered));
	at = top_print(screen, 3, at, style, " + %s lost", text_count(c, loss->lost));
	if (loss->pending)
		at = top_print(screen, 3, at, TOP_PLAIN, " + %s to come",
			       text_count(a, loss->pending));
	if (loss->lost || loss->accepted != reported)
		top_put(screen, 3, at, TOP_FAINT, "  red: events not counted");
}

/* Draw the part of the head that describes the intervals of a state file. */
static void head_states(struct top_screen *screen, const struct state_columns *states)
{
	char text[TEXT_COUNT_BYTES];
	size_t at = top_put(screen, 1, 0, TOP_STRONG, "total  ");

	at = top_print(screen, 1, at, TOP_PLAIN, "  %.6g s", states->time_s);
	at = top_print(screen, 1, at, TOP_PLAIN, "  intervals %s",
		       text_count(text, states->intervals));
	top_print(screen, 1, at, TOP_PLAIN, "  events %zu", states->count);
}

/*
 * Draw notes and errors in their own row. If the screen has no row for them, draw them over the row
 * of rates.
 */
static void head_notes(struct top_screen *screen, const struct top_snapshot *snapshot)
{
	const size_t row = screen->rows > HEAD_ROWS ? HEAD_ROWS - 1 : 1;

	if (!*snapshot->notes && !*snapshot->trouble)
		return;
	top_clear(screen, row);
	top_print(screen, row, 0, TOP_BAD, "%s%s%s", snapshot->trouble,
		  *snapshot->trouble && *snapshot->notes ? "; " : "", snapshot->notes);
}

static void head_draw(struct top_screen *screen, const struct top_state *state,
		      const struct top_snapshot *snapshot)
{
	head_source(screen, state, snapshot);
	if (snapshot->states) {
		head_states(screen, snapshot->states);
		if (*snapshot->trouble)
			top_put(screen, 2, 0, TOP_BAD, snapshot->trouble);
		return;
	}
	head_rates(screen, snapshot);
	head_totals(screen, snapshot);
	head_account(screen, snapshot);
	head_notes(screen, snapshot);
}

/* ---- keys ---------------------------------------------------------------------------------- */

static void foot_draw(struct top_screen *screen, const struct top_state *state,
		      const struct top_snapshot *snapshot)
{
	const size_t row = screen->rows - 1;

	if (snapshot->states)
		top_put(screen, row, 0, TOP_FAINT,
			"q quit  h help  p pause  arrows: move  +/- time between updates");
	else if (state->section.open)
		top_put(screen, row, 0, TOP_FAINT,
			"Enter back  p pause  r reset  +/- interval  h help  q quit");
	else
		top_put(screen, row, 0, TOP_FAINT,
			"q quit  h help  s sort  t total/now  p pause  Enter sections  r reset  "
			"+/- time");
}

static void help_draw(struct top_screen *screen)
{
	static const char *const lines[] = {
		"q           quit",
		"p, space    pause the screen; records are still read",
		"s           sort pages by rate, by total, by cost",
		"t           matrix, reads, writes, locks, cost: in total, or now, by second",
		"j k, arrows select a page; PgUp PgDn, g G",
		"Enter       the sections of the page, reads and writes; Enter again: back",
		"n           the cards or recordings, each with its account; n again: back",
		"m           end the phase: a mark in all cards",
		"r           begin a new interval",
		"+ -         longer, shorter interval",
		"",
		"Transfers: from the requesting node (row) to the node that holds the page",
		"(column); * marks bottlenecks: above a multiple of the mean (--threshold).",
		"NODE has the most accesses to the page in total, ITS% is its share.",
		"COST is in cycles: reads and locks wait, but writes hardly do.",
		"",
		"any key     back",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		top_put(screen, i + HEAD_ROWS, 2, TOP_PLAIN, lines[i]);
}

/* ---- rows ---------------------------------------------------------------------------------- */

/*
 * Compute how many of the @left rows the matrix gets; 0: it is not shown. If there are few rows,
 * the list of pages has priority.
 */
static size_t matrix_rows(const struct top_snapshot *snapshot, size_t left, size_t columns)
{
	size_t most = left / 2 + 1;
	struct top_fold fold;

	if (left < PAGES_ROWS_MIN + GAP_ROWS + MATRIX_FRAME_ROWS + MATRIX_ROWS_MIN)
		return 0;
	if (most < MATRIX_FRAME_ROWS + MATRIX_ROWS_MIN)
		most = MATRIX_FRAME_ROWS + MATRIX_ROWS_MIN;
	fold = top_matrix_fold(snapshot->transfers_nodes, snapshot->sampled,
			       most - MATRIX_FRAME_ROWS, columns);
	return fold.groups ? fold.groups * fold.lines + MATRIX_FRAME_ROWS : 0;
}

/*
 * Get the number of rows above the matrix. Output without a terminal has the list of cards or
 * recordings above the matrix. A screen shows this list only on request.
 */
static size_t head_rows(const struct top_state *state, const struct top_snapshot *snapshot)
{
	return HEAD_ROWS + (state->paper ? top_nodes_rows(snapshot) : 0);
}

/* Get the number of rows for the matrix and the list of pages. */
static size_t rows_left(const struct top_state *state, const struct top_snapshot *snapshot,
			size_t rows)
{
	size_t taken = head_rows(state, snapshot) + FOOT_ROWS;

	return rows > taken ? rows - taken : 0;
}

/* Get the first row of the list of pages. */
static size_t pages_row(const struct top_state *state, const struct top_snapshot *snapshot,
			size_t rows, size_t columns)
{
	size_t matrix = matrix_rows(snapshot, rows_left(state, snapshot, rows), columns);

	return head_rows(state, snapshot) + matrix + (matrix ? GAP_ROWS : 0);
}

size_t top_layout_pages(const struct top_state *state, const struct top_snapshot *snapshot,
			size_t rows, size_t columns)
{
	size_t first = pages_row(state, snapshot, rows, columns) + 1;

	if (snapshot->states)
		first = STATES_ROW + 2;
	return rows > first + FOOT_ROWS ? rows - first - FOOT_ROWS : 0;
}

size_t top_layout_rows(const struct top_state *state, const struct top_snapshot *snapshot,
		       size_t columns)
{
	const struct top_fold fold =
		top_matrix_fold(snapshot->transfers_nodes, snapshot->sampled, SIZE_MAX, columns);
	size_t matrix = fold.groups ? fold.groups * fold.lines + MATRIX_FRAME_ROWS : 0;
	size_t head = head_rows(state, snapshot);
	size_t rows = head + 1 + top_rows(snapshot) + GAP_ROWS + FOOT_ROWS + matrix;
	/* With this number of rows, all nodes of the matrix have their own rows. */
	size_t for_matrix = head + FOOT_ROWS + matrix * 2;

	return matrix && rows < for_matrix ? for_matrix : rows;
}

void top_layout(struct top_screen *screen, const struct top_state *state,
		const struct top_snapshot *snapshot)
{
	size_t left = rows_left(state, snapshot, screen->rows), head = head_rows(state, snapshot);
	size_t matrix, first;

	if (!screen->rows || !screen->columns)
		return;
	head_draw(screen, state, snapshot);
	/*
	 * Draw the line of keys before the other contents, because it is more important on a very
	 * low screen.
	 */
	if (!state->paper)
		foot_draw(screen, state, snapshot);
	if (state->help) {
		help_draw(screen);
		return;
	}
	if (snapshot->states) {
		if (screen->rows > STATES_ROW + FOOT_ROWS)
			top_states_draw(screen, STATES_ROW, screen->rows - STATES_ROW - FOOT_ROWS,
					state, snapshot);
		return;
	}
	if (state->section.open) {
		top_sections_draw(screen, HEAD_ROWS, left, snapshot);
		return;
	}
	if (snapshot->live && state->nodes) {
		top_nodes_draw(screen, HEAD_ROWS, left, snapshot);
		return;
	}
	if (snapshot->live && state->paper)
		top_nodes_draw(screen, HEAD_ROWS, head - HEAD_ROWS, snapshot);
	matrix = matrix_rows(snapshot, left, screen->columns);
	if (matrix)
		top_matrix_draw(screen, head, state, snapshot,
				top_matrix_fold(snapshot->transfers_nodes, snapshot->sampled,
						matrix - MATRIX_FRAME_ROWS, screen->columns));
	first = pages_row(state, snapshot, screen->rows, screen->columns);
	if (first + FOOT_ROWS < screen->rows)
		top_pages_draw(screen, first, screen->rows - first - FOOT_ROWS, state, snapshot);
}
