/* SPDX-License-Identifier: MIT */
/*
 * Top: the types and functions that the parts of `smile top` share.
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
 * struct top_state - The user's choices, and the position on the screen.
 * @interval_ns: time from one look to the next
 * @threshold: an entry of the matrix above this multiple of the mean is a bottleneck
 * @hot: threshold of the pages that are listed
 * @sort: sort order of pages
 * @totals: matrix, reads, writes, locks and cost are totals; otherwise they are per second
 * @paused: the screen does not change; records are still read
 * @help: the keys are shown
 * @nodes: the list of cards or recordings is shown
 * @mark: the user wants to end a phase
 * @section: the sections of the selected page are shown
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
 * @where: its variable or region; "" if neither is known
 */
struct top_page {
	struct live_page live;
	char where[TOP_NAME_BYTES];
};

#define TOP_SECTIONS_MAX 1024U

/**
 * struct top_section - Accesses to one section of a page, by all nodes.
 * @accesses: all accesses
 * @reads: reads
 * @writes: writes
 * @dominant: the node with the most accesses; if several nodes have the most, the lowest of them
 */
struct top_section {
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint32_t dominant;
};

/**
 * struct top_look - One look at the source.
 * @name: name of the source, with control characters replaced
 * @kind: kind of the source
 * @state: running, ended or failed
 * @trouble: the last error; ""
 * @notes: notes on each of several cards or recordings: live_notes()
 * @live: the source if it has several cards or recordings; NULL: it has one
 * @node: node of the first card
 * @nodes: Monitor_nodes()
 * @cards: number of merged cards or recordings; at least 1
 * @phases: number of phases so far
 * @phase_name: name of the last phase; ""
 * @began_known: @began_within_ns is known
 * @began_within_ns: time within which the last phase began on all nodes
 * @first: rates are not known: the first interval has not ended, or the source had ended before;
 *         records from before the opening are in no interval
 * @behind: earlier records are still being read; always set for a capture
 * @unclosed: a recording has ended without having been closed
 * @incomplete: a recording does not have all counts of its run
 * @interval: records and events that were taken in during the interval
 * @totals: records and events so far
 * @sums: sums by page and from node to node, of the last look
 * @transfers: transfers of the interval, shape [@transfers_nodes][@transfers_nodes]; NULL: too many
 *             nodes
 * @transfers_total: transfers in total
 * @transfers_nodes: number of nodes in both matrices
 * @pages: the hottest pages, shape [@pages_count]
 * @pages_count: number of @pages
 * @pages_wanted: number of pages that were requested
 * @pages_all: number of pages accessed so far
 * @pages_active: number of pages accessed in the interval
 * @pages_hot: number of pages at or above the threshold of hot pages
 * @hot_least: this threshold, in accesses in total; 0: no threshold
 * @sections: sections of the page that is open, shape [@sections_count]
 * @sections_count: number of @sections; 0: no page is open, or it was never accessed
 * @sections_page: number of this page
 * @sections_home: home of this page
 * @section_bytes: size of a section
 * @straddling: accesses to more than one section
 * @states: events of a state file, shown instead of accesses; NULL: the source is no state file
 * @sampled: the mark of recordings of samples, whose counts are estimates; NULL: counts are exact
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
	int incomplete;
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
 * @sums: sums of its records
 * @failed: an error of top_poll(), which the next top_look() returns
 * @caught_up: all records from before the opening are read
 * @section_rows: number of sections that fit on the screen
 * @mark: the mark of recordings of samples; NULL
 * @look: the last look
 * @state: the user's choices
 */
struct top {
	struct live *live;
	struct live_sums *sums;
	int failed;
	int caught_up;
	size_t section_rows;
	json_t *mark;
	struct top_look look;
	struct top_state state;
};

/**
 * top_begin() - Begin with @live, which the caller ends.
 * @pages: number of pages to find
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int top_begin(struct top *top, struct live *live, unsigned int cards, size_t pages);

/**
 * top_poll() - Read records, for at most @timeout_ms if there are none.
 *
 * Return: 1 if a look is due in any case, because the source has ended, something has failed, or
 * all records from before the opening are read; otherwise 0.
 */
int top_poll(struct top *top, int timeout_ms);

/**
 * top_look() - Call at the end of an interval: sum up its records.
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
 * top_end() - Free the memory that top_begin() has allocated.
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
 * top_key() - Carry out the action of a key.
 * @key: character, or enum top_key
 * @rows: number of pages that the screen shows
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
 * @text: a character, with its combining marks; "" to the right of a character of two columns
 * @style: style of the character
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
 * top_screen_new() - Make a screen of blanks.
 *
 * Return: 0; -ENOMEM.
 */
int top_screen_new(struct top_screen *screen, size_t rows, size_t columns);

void top_screen_free(struct top_screen *screen);

/**
 * top_put() - Write a text. The part that does not fit is cut off, and the last column is then '~'.
 * Control characters become '?'.
 *
 * Return: the column after it.
 */
size_t top_put(struct top_screen *screen, size_t row, size_t column, enum top_style style,
	       const char *text);

/**
 * top_print() - Like top_put(), with a format.
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
 * top_band() - The 95 % band of a count of samples: "[457-546]". If the ends are shortened, they
 * are rounded outwards.
 * @text: caller-owned, TOP_BAND_BYTES long
 *
 * Return: @text.
 */
char *top_band(char *text, uint64_t count);

/* ---- layout: screen_layout.c, matrix.c, nodes.c, hot_pages.c, sections.c, states.c ---------- */

/**
 * top_layout() - Fill the screen.
 * @screen: a screen of blanks
 */
void top_layout(struct top_screen *screen, const struct top_state *state,
		const struct top_look *look);

/**
 * top_layout_rows() - Rows of a whole look, for output without a terminal.
 */
size_t top_layout_rows(const struct top_state *state, const struct top_look *look, size_t columns);

/**
 * top_layout_pages() - The number of pages, or events, that a screen of this size shows.
 */
size_t top_layout_pages(const struct top_state *state, const struct top_look *look, size_t rows,
			size_t columns);

/**
 * struct top_fold - How a matrix is folded: neighbouring nodes share a row and a column.
 * @nodes: number of nodes in a group, a power of two
 * @groups: number of groups; 0: there is no room, or nothing to show
 * @lines: lines of each group: with samples, a band is below each count
 * @width: width of a cell
 */
struct top_fold {
	size_t nodes;
	size_t groups;
	size_t lines;
	size_t width;
};

/**
 * top_matrix_fold() - Fold the matrix so that it fits.
 * @rows: number of lines for the groups
 */
struct top_fold top_matrix_fold(size_t nodes, bool sampled, size_t rows, size_t columns);

/**
 * struct top_limit - The limit above which entries of a matrix are bottlenecks.
 * @least: the limit. An entry above it is a bottleneck; with samples, a transfer whose whole band
 *         is above it
 * @mean: mean of the entries that are not 0; with samples, without accesses to a node's own memory
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
 * top_matrix_draw() - Draw the matrix.
 *
 * Return: number of rows used: 2 and the lines of each group; 0 if there is no matrix.
 */
size_t top_matrix_draw(struct top_screen *screen, size_t row, const struct top_state *state,
		       const struct top_look *look, struct top_fold fold);

/* Draw the list of pages; @rows includes its heading. */
void top_pages_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_state *state, const struct top_look *look);

/* Draw the list of several cards or recordings; @rows includes its heading. */
void top_nodes_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_look *look);

/* Rows of this list and an empty row; 0: there is only one card or recording. */
size_t top_nodes_rows(const struct top_look *look);

/* Draw the events of a state file; @rows includes the heading and the legend. */
void top_states_draw(struct top_screen *screen, size_t row, size_t rows,
		     const struct top_state *state, const struct top_look *look);

/* Draw the sections of a page; @rows includes the headings. */
void top_sections_draw(struct top_screen *screen, size_t row, size_t rows,
		       const struct top_look *look);

/**
 * top_sections_size() - The smallest size of a section, at least 64 bytes, for which all sections
 * fit into the rows.
 */
unsigned int top_sections_size(size_t rows);

/* ---- output: curses.c, batch.c, json.c ------------------------------------------------------ */

/**
 * struct top_batch - Options of looks on standard output.
 * @count: number of looks; 0: until the source ends
 * @json: print JSON lines
 * @pages: number of pages in each look
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
