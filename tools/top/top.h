/* SPDX-License-Identifier: MIT */
/*
 * Top: the types and functions that the files of `smile top` share.
 *
 * What lives here: the user's choices, the data that is read from the source at one time (a
 * snapshot), and the screen that shows the data. Only curses.c needs a terminal; tests use the
 * other files.
 */
#ifndef TOOLS_TOP_H
#define TOOLS_TOP_H

#include <stddef.h>
#include <stdint.h>

#include <stdbool.h>

#include "lib/analysis/hot_threshold.h"
#include "lib/analysis/live/live_sums.h"
#include "lib/analysis/run_facts.h"
#include "lib/analysis/sampled.h"
#include "tools/live/live.h"

#define TOP_NAME_BYTES 256
#define TOP_PAGES_MAX 1000U /* more pages than a screen can show */

/* Orders in which pages are sorted. */
enum top_sort {
	TOP_SORT_RATE,
	TOP_SORT_TOTAL,
	TOP_SORT_COST,
	TOP_SORTS,
};

/**
 * struct top_state - The user's choices, and the selection on the screen.
 * @interval_ns: time from one snapshot to the next snapshot
 * @threshold: an entry of the matrix above this multiple of the mean is a bottleneck
 * @hot: threshold of hot pages, which are the pages that are listed
 * @sort: order in which pages are sorted
 * @totals: the matrix, reads, writes, locks and cost are totals; otherwise they are per second
 * @paused: the screen does not change, but records are still read
 * @help: the help text about the keys is shown
 * @nodes: the list of cards or recordings is shown
 * @mark: the user has requested the end of a phase
 * @section: whether the sections of a page are shown, and of which page
 * @selected: selected row of the list of pages
 * @paper: the output is not a terminal, so there are no keys, and no page is selected
 * @quit: the user has requested to quit
 * @reset: the user has requested a new interval
 * @again: read the pages again, since the order or the selected page has changed
 */
struct top_state {
	uint64_t interval_ns;
	double threshold;
	struct hot_threshold hot;
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
 * struct top_page - A page in the list.
 * @live: the accesses to the page
 * @where: name of the page's variable or region; "" if neither is known
 */
struct top_page {
	struct live_page live;
	char where[TOP_NAME_BYTES];
};

#define TOP_SECTIONS_MAX 1024U

/**
 * struct top_section - Accesses of all nodes to one section of a page.
 * @accesses: number of accesses
 * @reads: number of reads
 * @writes: number of writes
 * @dominant: the node with the most accesses; if there are several such nodes, the lowest
 */
struct top_section {
	uint64_t accesses;
	uint64_t reads;
	uint64_t writes;
	uint32_t dominant;
};

/**
 * struct top_snapshot - The data that was read from the source at one time.
 * @name: name of the source, with control characters replaced
 * @kind: kind of the source
 * @state: running, ended or failed
 * @trouble: the last error; "" if there was none
 * @notes: notes about cards or recordings, if there are several of them: live_notes()
 * @live: the source, if it has several cards or recordings; NULL: it has only one
 * @node: node of the first card
 * @nodes: number of nodes, from Monitor_nodes()
 * @cards: number of merged cards or recordings; at least 1
 * @phases: number of phases so far
 * @phase_name: name of the last phase; "" if it has none
 * @began_known: @began_within_ns is known
 * @began_within_ns: the time within which the last phase began on all nodes
 * @first: no rates are known, because the first interval has not ended, or because the source had
 *         ended before it was opened. Records from before the source was opened are in no interval
 * @behind: records from before the source was opened are still being read; always set for a capture
 * @unclosed: a recording has ended without having been closed
 * @incomplete: a recording does not contain all counts of its run
 * @interval: number of records and events that were read in the interval
 * @totals: number of records and events that were read so far
 * @sums: sums by page and by pair of nodes, at the time of the snapshot
 * @transfers: transfers in the interval; NULL: there are too many nodes; shape
 *             [@transfers_nodes][@transfers_nodes]
 * @transfers_total: transfers so far; same shape
 * @transfers_nodes: number of nodes in both matrices
 * @pages: the listed pages, which have the most accesses; shape [@pages_count]
 * @pages_count: number of @pages
 * @pages_wanted: number of pages to list
 * @pages_all: number of pages that were accessed so far
 * @pages_active: number of pages that were accessed in the interval
 * @pages_hot: number of pages that have at least @hot_threshold_least accesses
 * @hot_threshold_least: threshold of hot pages in accesses so far; 0: no threshold
 * @sections: sections of the selected page, if they are shown; shape [@sections_count]
 * @sections_count: number of @sections; 0: sections are not shown, or the page was never accessed
 * @sections_page: number of the page whose sections are shown
 * @sections_home: home node of this page
 * @section_bytes: size of a section
 * @straddling: number of accesses to more than one section of this page
 * @states: events of a state file, which are shown instead of accesses; NULL: the source is not a
 *          state file
 * @sampled: facts about recordings of samples, whose counts are estimates; NULL: counts are exact
 */
struct top_snapshot {
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
	uint64_t hot_threshold_least;
	struct top_section sections[TOP_SECTIONS_MAX];
	size_t sections_count;
	uint64_t sections_page;
	uint32_t sections_home;
	unsigned int section_bytes;
	uint64_t straddling;
	const struct state_columns *states;
	const struct run_facts *sampled;
};

/*
 * Get the number of rows of the list from which the user selects: pages, or events of a state file.
 */
static inline size_t top_rows(const struct top_snapshot *snapshot)
{
	return snapshot->states ? snapshot->states->count : snapshot->pages_count;
}

/* ---- snapshot: snapshot.c ------------------------------------------------------------------- */

/**
 * struct top - The source, its sums, and the last snapshot.
 * @live: the live source
 * @sums: sums of the records that were read
 * @failed: an error of top_poll(), which the next top_snapshot() returns
 * @caught_up: all records from before the opening have been read
 * @section_rows: number of sections that fit on the screen
 * @sampled: facts about recordings of samples; NULL: counts are exact
 * @snapshot: the last snapshot
 * @state: the user's choices
 */
struct top {
	struct live *live;
	struct live_sums *sums;
	int failed;
	int caught_up;
	size_t section_rows;
	struct run_facts *sampled;
	struct top_snapshot snapshot;
	struct top_state state;
};

/**
 * top_begin() - Initialize @top for @live. The caller must end @live itself.
 * @pages: number of pages to list
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int top_begin(struct top *top, struct live *live, unsigned int cards, size_t pages);

/**
 * top_poll() - Read records. If there are none, wait at most @timeout_ms.
 *
 * Return: 1 if top_snapshot() must be called now; otherwise 0. It must be called if the source has
 *         ended, if an error has occurred, or if all records from before the source was opened have
 *         been read.
 */
int top_poll(struct top *top, int timeout_ms);

/**
 * top_snapshot() - Sum up the records of the interval. Call this function at the end of each
 * interval.
 *
 * Return: 0; -ENOMEM.
 */
int top_snapshot(struct top *top);

/**
 * top_snapshot_again() - Sort the pages again, and read the sections of the selected page if they
 * are shown. The interval continues.
 *
 * Return: 0; -ENOMEM.
 */
int top_snapshot_again(struct top *top);

/**
 * top_end() - Free the memory that top_begin() has allocated.
 */
void top_end(struct top *top);

/* ---- keys: key_input.c --------------------------------------------------------------------- */

enum top_key {
	TOP_KEY_UP = 0x110000, /* greater than the codes of all characters */
	TOP_KEY_DOWN,
	TOP_KEY_PAGE_UP,
	TOP_KEY_PAGE_DOWN,
	TOP_KEY_HOME,
	TOP_KEY_END,
	TOP_KEY_ENTER,
	TOP_KEY_BACK,
};

/**
 * top_key() - Act on a key.
 * @key: a character, or an enum top_key
 * @rows: number of pages that the screen shows
 */
void top_key(struct top_state *state, const struct top_snapshot *snapshot, unsigned int key,
	     size_t rows);

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
 * struct top_cell - One column of one row.
 * @text: a character with its combining marks; "" to the right of a character that is two columns
 *        wide
 * @style: style of the character
 */
struct top_cell {
	char text[TOP_CELL_BYTES];
	unsigned char style;
};

/**
 * struct top_screen - The screen, as rows and columns of cells.
 * @cells: shape [@rows][@columns]
 */
struct top_screen {
	size_t rows;
	size_t columns;
	struct top_cell *cells;
};

/**
 * top_screen_new() - Make a screen that is filled with blanks.
 *
 * Return: 0; -ENOMEM.
 */
int top_screen_new(struct top_screen *screen, size_t rows, size_t columns);

void top_screen_free(struct top_screen *screen);

/**
 * top_put() - Write a text. If the text does not fit, it is cut off, and '~' is written into the
 * last column. Control characters are replaced by '?'.
 *
 * Return: the column after the text.
 */
size_t top_put(struct top_screen *screen, size_t row, size_t column, enum top_style style,
	       const char *text);

/**
 * top_print() - Like top_put(), but with a format.
 */
size_t top_print(struct top_screen *screen, size_t row, size_t column, enum top_style style,
		 const char *format, ...) __attribute__((format(printf, 5, 6)));

/**
 * top_clear() - Fill a row with blanks.
 */
void top_clear(struct top_screen *screen, size_t row);

/**
 * top_put_right() - Write a text so that it ends before column @end. If there is no room for the
 * whole text, write nothing.
 */
void top_put_right(struct top_screen *screen, size_t row, size_t end, enum top_style style,
		   const char *text);

/**
 * top_screen_line() - Get a row as text, without the blanks at its end.
 *
 * Return: the text, which the caller must free; NULL if memory ran out.
 */
char *top_screen_line(const struct top_screen *screen, size_t row);

#define TOP_COUNT_BYTES 32

/**
 * top_count() - Format a count in at most six columns, such as 99999, 123k or 1.23M.
 * @text: caller-owned, TOP_COUNT_BYTES long
 *
 * Return: @text.
 */
char *top_count(char *text, double count);

#define TOP_BAND_BYTES (3 * TOP_COUNT_BYTES)

/**
 * top_band() - Format the 95 % confidence interval of a count of samples, such as "[457-546]". If
 * an end of the interval has too many digits, it is rounded away from the count.
 * @text: caller-owned, TOP_BAND_BYTES long
 *
 * Return: @text.
 */
char *top_band(char *text, uint64_t count);

/* ---- layout: screen_layout.c, matrix.c, nodes.c, hot_pages.c, sections.c, states.c ---------- */

/**
 * top_layout() - Draw all contents of the screen.
 * @screen: a screen that is filled with blanks
 */
void top_layout(struct top_screen *screen, const struct top_state *state,
		const struct top_snapshot *snapshot);

/**
 * top_layout_rows() - Get the number of rows that a whole snapshot needs, for output without a
 * terminal.
 */
size_t top_layout_rows(const struct top_state *state, const struct top_snapshot *snapshot,
		       size_t columns);

/**
 * top_layout_pages() - Get the number of pages, or of events of a state file, that a screen of this
 * size shows.
 */
size_t top_layout_pages(const struct top_state *state, const struct top_snapshot *snapshot,
			size_t rows, size_t columns);

/**
 * struct top_fold - How a matrix is folded: neighbouring nodes share a row and a column.
 * @nodes: number of nodes in a group, a power of two
 * @groups: number of groups; 0: the matrix is not shown, since there is no room or nothing to show
 * @lines: number of lines of each group; for samples, a confidence interval is printed below each
 *         count
 * @width: width of a cell in columns
 */
struct top_fold {
	size_t nodes;
	size_t groups;
	size_t lines;
	size_t width;
};

/**
 * top_matrix_fold() - Choose how the matrix is folded, so that it fits.
 * @rows: number of lines that are available for the groups
 */
struct top_fold top_matrix_fold(size_t nodes, bool sampled, size_t rows, size_t columns);

/**
 * struct top_limit - The limit above which entries of a matrix are bottlenecks.
 * @least: the limit. An entry above the limit is a bottleneck. For samples, an entry is a
 *         bottleneck only if its whole confidence interval is above the limit
 * @mean: mean of the entries that are not 0; for samples, a node's accesses to its own memory are
 *        left out
 */
struct top_limit {
	double least;
	double mean;
	bool sampled;
};

struct top_limit top_matrix_limit(const uint64_t *counts, size_t nodes, bool sampled,
				  double threshold);

/* Check whether entry @index of the matrix is a bottleneck. */
bool top_matrix_exceeds(const struct top_limit *limit, const uint64_t *counts, size_t nodes,
			size_t index);

/**
 * top_matrix_draw() - Draw the matrix.
 *
 * Return: the number of rows that were used, which is 2 plus the lines of all groups; 0 if there is
 *         no matrix.
 */
size_t top_matrix_draw(struct top_screen *screen, size_t row, const struct top_state *state,
		       const struct top_snapshot *snapshot, struct top_fold fold);

/* Draw the list of pages. @rows: number of rows, including the heading. */
void top_pages_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_state *state, const struct top_snapshot *snapshot);

/*
 * Draw the list of cards or recordings, if there are several. @rows: number of rows, including the
 * heading.
 */
void top_nodes_draw(struct top_screen *screen, size_t row, size_t rows,
		    const struct top_snapshot *snapshot);

/*
 * Get the number of rows that the list of cards or recordings needs, including an empty row; 0 if
 * there is only one card or recording.
 */
size_t top_nodes_rows(const struct top_snapshot *snapshot);

/* Draw the events of a state file. @rows: number of rows, including the heading and the legend. */
void top_states_draw(struct top_screen *screen, size_t row, size_t rows,
		     const struct top_state *state, const struct top_snapshot *snapshot);

/* Draw the sections of a page. @rows: number of rows, including the headings. */
void top_sections_draw(struct top_screen *screen, size_t row, size_t rows,
		       const struct top_snapshot *snapshot);

/**
 * top_sections_size() - Get the smallest size of a section for which all sections of a page fit in
 * @rows rows. The size is at least 64 bytes.
 */
unsigned int top_sections_size(size_t rows);

/* ---- output: curses.c, batch.c, json.c ------------------------------------------------------ */

/**
 * struct top_batch - Options for output without a terminal.
 * @count: number of updates to print; 0: until the source ends
 * @json: print each update as a line of JSON
 * @pages: number of pages in each update
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
