/* SPDX-License-Identifier: MIT */
/*
 * Top: what the parts of `smile top` share.
 *
 * What lives here: the user's choices, one look at the source, and the screen that shows it. Only
 * curses.c uses a terminal, so tests need none.
 */
#ifndef TOOLS_TOP_H
#define TOOLS_TOP_H

#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>

#include "lib/analysis/hot.h"
#include "lib/analysis/live/live_sums.h"
#include "lib/analysis/sampled.h"
#include "tools/live/live.h"

#define TOP_NAME_BYTES 256
#define TOP_PAGES_MAX 1000U /* a screen shows fewer */

/* Sort order of pages. */
enum top_sort {
	TOP_SORT_RATE,
	TOP_SORT_TOTAL,
	TOP_SORT_COST,
	TOP_SORTS,
};

/**
 * struct top_state - The user's choices, and the position in the screen.
 * @interval_ns: from one look to the next
 * @threshold: an entry of the matrix above this multiple of the mean is a bottleneck
 * @hot: threshold of the pages that are listed
 * @sort: sort order of pages
 * @totals: matrix, reads, writes, locks and cost are totals; else by second of the interval
 * @paused: the screen does not change; records are still read
 * @help: the keys are shown
 * @nodes: the list of cards or recordings is shown
 * @mark: the user wants to end a phase
 * @section: the sections of one page are shown: that page
 * @selected: row of the list of pages
 * @paper: output without a terminal: no keys, and no page is selected
 * @quit: the user wants to quit
 * @reset: restart the interval
 * @again: update the pages, since the order or the selected page has changed
 */
struct top_state {
	uint64_t interval_ns;
	double threshold;
	struct hot hot;
	enum top_sort sort;
	int totals;
	int paused;
	int help;
	int nodes;
	int mark;
	struct {
		int open;
		uint64_t page;
		uint32_t home;
	} section;
	size_t selected;
	int paper;
	int quit;
	int reset;
	int again;
};

/**
 * struct top_page - A page, and its name.
 * @live: its accesses
 * @where: variable or region; "" if neither is known
 */
struct top_page {
	struct live_page live;
	char where[TOP_NAME_BYTES];
};

#define TOP_SECTIONS_MAX 1024U

/**
 * struct top_section - Accesses to one section of a page, by all nodes.
 * @accesses: all
 * @reads: reads
 * @writes: writes
 * @dominant: the node with the most accesses; of several, the lowest
 */
struct top_section {
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint32_t dominant;
};

/**
 * struct top_look - One look at the source.
 * @name: its name, with control characters replaced
 * @kind: what it is
 * @state: running, ended or failed
 * @trouble: the last error; ""
 * @notes: of several cards or recordings, what must be known of each: live_notes()
 * @live: several cards or recordings; NULL: there is one
 * @node: of the first card
 * @nodes: Monitor_nodes()
 * @cards: how many are merged; 1
 * @phases: phases so far
 * @phase_name: of the last one; ""
 * @began_known: is it known within which time that began on all nodes?
 * @began_within_ns: which
 * @first: rates are not known: the first interval is not over, or the source had ended before;
 *         records from before the opening count in no interval
 * @behind: earlier records are still being read; always set for a capture
 * @unclosed: a recording has ended without having been closed
 * @interval: records and events that came in during the interval
 * @totals: the same, so far
 * @sums: by page and from node to node; of the last look
 * @transfers: of the interval, shape [@transfers_nodes][@transfers_nodes]; NULL: too many nodes
 * @transfers_total: in total
 * @transfers_nodes: their side
 * @pages: the hottest, [@pages_count]
 * @pages_count: how many
 * @pages_wanted: how many were requested
 * @pages_all: pages accessed so far
 * @pages_active: and in the interval
 * @pages_hot: at or above the threshold of hot pages
 * @hot_least: that threshold, in accesses in total; 0: no threshold
 * @sections: of the page that is open, [@sections_count]
 * @sections_count: how many; 0: none is open, or it was never accessed
 * @sections_page: that page
 * @sections_home: its home
 * @section_bytes: size of one
 * @straddling: accesses to more than one of them
 * @states: events of a state file, in place of accesses; NULL: it is none
 * @sampled: the mark of recordings of samples, whose counts are estimates; NULL: they are exact
 */
struct top_look {
	const char *name;
	enum live_kind kind;
	enum live_state state;
	const char *trouble;
	char notes[2 * LIVE_TEXT_BYTES];
	const struct live *live;
	unsigned int node;
	unsigned int nodes;
	unsigned int cards;
	unsigned int phases;
	const char *phase_name;
	int began_known;
	uint64_t began_within_ns;
	int first;
	int behind;
	int unclosed;
	struct live_interval interval;
	struct live_totals totals;
	const uint64_t *transfers;
	const uint64_t *transfers_total;
	size_t transfers_nodes;
	struct top_page *pages;
	size_t pages_count;
	size_t pages_wanted;
	size_t pages_all;
	size_t pages_active;
	size_t pages_hot;
	uint64_t hot_least;
	struct top_section sections[TOP_SECTIONS_MAX];
	size_t sections_count;
	uint64_t sections_page;
	uint32_t sections_home;
	unsigned int section_bytes;
	uint64_t straddling;
	const struct state_columns *states;
	json_t *sampled;
};

/* Rows of the list from which one is selected: pages, or events of a state file. */
static inline size_t top_rows(const struct top_look *look)
{
	return look->states ? look->states->count : look->pages_count;
}

/* ---- look: look.c -------------------------------------------------------------------------- */

/**
 * struct top - The source, its sums, and the last look.
 * @live: the source
 * @sums: what it says
 * @caught_up: all records from before the opening are read
 * @section_rows: sections that there is room for
 * @mark: of recordings of samples; NULL
 * @look: the last look
 * @state: what the user chose
 */
struct top {
	struct live *live;
	struct live_sums *sums;
	int caught_up;
	size_t section_rows;
	json_t *mark;
	struct top_look look;
	struct top_state state;
};

/**
 * top_begin() - Begin with @live, which the caller ends.
 * @pages: how many pages to look for
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int top_begin(struct top *top, struct live *live, unsigned int cards, size_t pages);

/**
 * top_poll() - Read records, for at most @timeout_ms if there are none.
 *
 * Return: 1 if a look is due in any case: the source has ended or failed, or all records from
 * before the opening are read; else 0.
 */
int top_poll(struct top *top, int timeout_ms);

/**
 * top_look() - The interval is over: sum up its records.
 *
 * Return: 0; -ENOMEM.
 */
int top_look(struct top *top);

/**
 * top_look_again() - Sort again, and read the sections of the open page; the interval continues.
 *
 * Return: 0; -ENOMEM.
 */
int top_look_again(struct top *top);

/**
 * top_end() - Free what top_begin() has made.
 */
void top_end(struct top *top);

/* ---- keys: key_input.c --------------------------------------------------------------------- */

enum top_key {
	TOP_KEY_UP = 0x110000, /* beyond all characters */
	TOP_KEY_DOWN,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_ENTER,
	TOP_KEY_BACK,
};

/**
 * top_key() - What a key does.
 * @key: character, or enum top_key
 * @rows: pages that the screen shows at once
 */
void top_key(struct top_state *state, const struct top_look *look, unsigned int key, size_t rows);

/* ---- screen: screen.c ---------------------------------------------------------------------- */

enum top_style {
	TOP_PLAIN,
	TOP_STRONG,
	TOP_FAINT,
	TOP_GOOD,
	TOP_BAD,
	TOP_HEAD, /* headings of tables */
	TOP_SELECTED,
};

#define TOP_CELL_BYTES 24

/**
 * struct top_cell - The contents of one column of one row.
 * @text: a character, with marks that combine with it; "" right of one that is two columns wide
 * @style: how
 */
struct top_cell {
	char text[TOP_CELL_BYTES];
	unsigned char style;
};

/**
 * struct top_screen - Rows and columns.
 * @cells: shape [@rows][@columns]
 */
struct top_screen {
	size_t rows;
	size_t columns;
	struct top_cell *cells;
};

/**
 * top_screen_new() - A screen of blanks.
 *
 * Return: 0; -ENOMEM.
 */
int top_screen_new(struct top_screen *screen, size_t rows, size_t columns);

void top_screen_free(struct top_screen *screen);

/**
 * top_put() - Write a text. Where there is no room it is cut off, and the last column has a '~'.
 * Control characters become '?'.
 *
 * Return: the column after it.
 */
size_t top_put(struct top_screen *screen, size_t row, size_t column, enum top_style style,
	       const char *text);

/**
 * top_print() - The same, formatted.
 */
size_t top_print(struct top_screen *screen, size_t row, size_t column, enum top_style style,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

/**
 * top_clear() - Write blanks over a row.
 */
void top_clear(struct top_screen *screen, size_t row);

/**
 * top_put_right() - Write a text that ends before column @end, if there is room for all of it.
 */
void top_put_right(struct top_screen *screen, size_t row, size_t end, enum top_style style,
		   const char *text);

/**
 * top_screen_line() - A row as text, without the blanks at its end.
 *
 * Return: to be freed; NULL without memory.
 */
char *top_screen_line(const struct top_screen *screen, size_t row);

#define TOP_COUNT_BYTES 32

/**
 * top_count() - A count in at most six columns: 99999, 123k, 1.23M.
 * @text: caller-owned, TOP_COUNT_BYTES long
 *
 * Return: @text.
 */
char *top_count(char *text, double count);

#define TOP_BAND_BYTES (3 * TOP_COUNT_BYTES)

/**
 * top_band() - The 95 % band of a count of samples: "[457-546]". Ends that are shortened are
 * rounded outwards.
 * @text: caller-owned, TOP_BAND_BYTES long
 *
 * Return: @text.
 */
char *top_band(char *text, uint64_t count);

/* ---- layout: screen_layout.c, matrix.c, nodes.c, hot_pages.c, sections.c, states.c ---------- */

/**
 * top_layout() - Fill the screen.
 * @screen: of blanks
 */
void top_layout(struct top_screen *screen, const struct top_state *state,
		const struct top_look *look);

/**
 * top_layout_rows() - Rows of a whole look, for output without a terminal.
 */
size_t top_layout_rows(const struct top_state *state, const struct top_look *look, size_t columns);

/**
 * top_layout_pages() - Pages, or events, that a screen of that size shows.
 */
size_t top_layout_pages(const struct top_state *state, const struct top_look *look, size_t rows,
			size_t columns);

/**
 * struct top_fold - How a matrix is folded: neighbouring nodes share a row and a column.
 * @nodes: in a group: a power of two
 * @groups: how many; 0: there is no room, or nothing to show
 * @lines: of each group: with samples, there is a band below each count
 * @width: of a cell
 */
struct top_fold {
	size_t nodes;
	size_t groups;
	size_t lines;
	size_t width;
};

/**
 * top_matrix_fold() - Fold so that it fits.
 * @rows: lines there are for the groups
 */
struct top_fold top_matrix_fold(size_t nodes, bool sampled, size_t rows, size_t columns);

/**
 * struct top_limit - Which entries of a matrix are bottlenecks.
 * @least: those above it, or, of samples, those of transfers whose band begins above it
 * @mean: of the entries that are not 0, and with samples not of a node at itself
 */
struct top_limit {
	double least;
	double mean;
	bool sampled;
};

struct top_limit top_matrix_limit(const uint64_t *counts, size_t nodes, bool sampled,
				  double threshold);

/* Is entry @index of the matrix a bottleneck? */
bool top_matrix_exceeds(const struct top_limit *limit, const uint64_t *counts, size_t nodes,
			size_t index);

/**
 * top_matrix_draw() - Draw it.
 *
 * Return: rows used: 2 and the lines of each group; 0 if there is no matrix.
 */
size_t top_matrix_draw(struct top_screen *screen, size_t row, const struct top_state *state,
		       const struct top_look *look, struct top_fold fold);

/* The list of pages; @rows with its heading. */
void top_pages_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_state *state, const struct top_look *look);

/* The cards or recordings of a source, if there are several; @rows with its heading. */
void top_nodes_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_look *look);

/* Rows for all of them and an empty one; 0: there is one card or recording. */
size_t top_nodes_rows(const struct top_look *look);

/* Events of a state file; @rows with its heading and its legend. */
void top_states_draw(struct top_screen *screen, size_t row, size_t rows,
		     const struct top_state *state, const struct top_look *look);

/* The sections of a page; @rows with its headings. */
void top_sections_draw(struct top_screen *screen, size_t row, size_t rows,
		       const struct top_look *look);

/**
 * top_sections_size() - The smallest size of a section, 64 bytes at least, with which all sections
 * fit into the rows.
 */
unsigned int top_sections_size(size_t rows);

/* ---- what shows it: curses.c, batch.c, json.c ---------------------------------------------- */

/**
 * struct top_batch - Looks on standard output.
 * @count: how many; 0: until the source ends
 * @json: as JSON lines
 * @pages: pages in each
 */
struct top_batch {
	uint64_t count;
	int json;
	size_t pages;
};

/* Return: TOOL_OK; TOOL_ERROR after a message. */
int top_batch(struct top *top, const struct top_batch *batch);
int top_json(const struct top *top);
int top_curses(struct top *top);

#endif /* TOOLS_TOP_H */
