// SPDX-License-Identifier: MIT
/*
 * smile top: draw the screen on the terminal.
 *
 * What lives here: all calls of ncurses. top_layout() fills in the cells of the screen, and
 * top_key() acts on keys.
 */
#include "tools/top/top.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Disable the macros of ncurses, because their names would replace names in this code. */
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <curses.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/common/terminal.h"
#include "tools/live/control.h"

/* The longest wait for a key while records are expected. */
#define KEY_MS 50
/*
 * The time in milliseconds after which Escape counts as a key, and not as the start of a sequence.
 */
#define ESCAPE_MS 25

enum color {
	COLOR_PAIR_GOOD = 1,
	COLOR_PAIR_BAD,
	COLOR_PAIR_HEAD,
};

static bool hung_up;

/* ---- screen -------------------------------------------------------------------------------- */

static void colors_begin(void)
{
	if (!terminal_colors(stdout) || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	init_pair(COLOR_PAIR_GOOD, COLOR_GREEN, -1);
	init_pair(COLOR_PAIR_BAD, COLOR_RED, -1);
	init_pair(COLOR_PAIR_HEAD, COLOR_CYAN, -1);
}

/*
 * If the terminal has no colours, use other attributes. In this case, init_pair() was not called,
 * and all colour pairs would look the same.
 */
static attr_t attributes_of(unsigned int style)
{
	switch (style) {
	case TOP_STRONG:
		return A_BOLD;
	case TOP_FAINT:
		return A_DIM;
	case TOP_GOOD:
		return (attr_t)COLOR_PAIR(COLOR_PAIR_GOOD);
	case TOP_BAD:
		return A_BOLD | (attr_t)COLOR_PAIR(COLOR_PAIR_BAD);
	case TOP_HEAD:
		return A_UNDERLINE | (attr_t)COLOR_PAIR(COLOR_PAIR_HEAD);
	case TOP_SELECTED:
		return A_REVERSE;
	default:
		return A_NORMAL;
	}
}

static void draw(const struct top *top)
{
	struct top_screen screen;

	if (LINES < 1 || COLS < 1 || top_screen_new(&screen, (size_t)LINES, (size_t)COLS) < 0)
		return;
	top_layout(&screen, &top->state, &top->snapshot);
	erase();
	for (size_t row = 0; row < screen.rows; row++) {
		for (size_t column = 0; column < screen.columns; column++) {
			const struct top_cell *cell = &screen.cells[row * screen.columns + column];

			if (!cell->text[0] || (cell->text[0] == ' ' && cell->style == TOP_PLAIN))
				continue;
			attrset((int)attributes_of(cell->style));
			mvaddstr((int)row, (int)column, cell->text);
		}
	}
	attrset(A_NORMAL);
	top_screen_free(&screen);
	refresh();
}

/* ---- keys ---------------------------------------------------------------------------------- */

static unsigned int key_of(int key)
{
	switch (key) {
	case KEY_UP:
		return TOP_KEY_UP;
	case KEY_DOWN:
		return TOP_KEY_DOWN;
	case KEY_PPAGE:
		return TOP_KEY_PAGE_UP;
	case KEY_NPAGE:
		return TOP_KEY_PAGE_DOWN;
	case KEY_HOME:
		return TOP_KEY_HOME;
	case KEY_END:
		return TOP_KEY_END;
	case '\n':
	case '\r':
	case KEY_ENTER:
		return TOP_KEY_ENTER;
	case 27:
	case KEY_BACKSPACE:
	case KEY_LEFT:
	case '\b':
	case 0x7f:
		return TOP_KEY_BACK;
	default:
		return key >= 0 && key < 0x100 ? (unsigned int)key : 0;
	}
}

/* Act on all keys that were pressed. Return: whether there were any keys. */
static int keys_take(struct top *top)
{
	int key, any = 0;

	while ((key = getch()) != ERR) {
		any = 1;
		if (key == KEY_RESIZE)
			top->state.again = 1;
		else if (key_of(key))
			top_key(&top->state, &top->snapshot, key_of(key),
				top_layout_pages(&top->state, &top->snapshot, (size_t)LINES,
						 (size_t)COLS));
	}
	return any;
}

/* ---- loop ---------------------------------------------------------------------------------- */

/* Wait for keys, but not for records, because the source has ended or the timeout is 0. */
static void key_wait(int timeout_ms)
{
	struct pollfd pollfd = {.fd = STDIN_FILENO, .events = POLLIN};

	/* If the terminal was closed, poll() always returns immediately. */
	if (poll(&pollfd, 1, timeout_ms) > 0 && (pollfd.revents & (POLLHUP | POLLERR | POLLNVAL)))
		hung_up = true;
}

/*
 * Compute the time of the next update. An update with very many pages takes long. At least three
 * quarters of the time must remain for records and keys.
 */
static uint64_t next_update(uint64_t begun_ns, uint64_t interval_ns)
{
	uint64_t now_ns = tool_now_ns(), rest_ns = 3 * (now_ns - begun_ns);

	return now_ns + (rest_ns > interval_ns ? rest_ns : interval_ns);
}

static int loop(struct top *top)
{
	uint64_t next_ns = tool_now_ns() + top->state.interval_ns;
	int due = 0, error = 0;

	while (!error && !top->state.quit && !signals_count() && !hung_up) {
		const uint64_t before_ns = top->state.interval_ns;
		int pressed;

		top->section_rows = LINES > 6 ? (size_t)LINES - 6 : 1;
		if (top->live->state == LIVE_RUNNING) {
			due |= top_poll(top, KEY_MS);
			/* The source has ended, so show the totals, which no longer change. */
			if (top->live->state != LIVE_RUNNING)
				top->state.totals = 1;
			key_wait(0);
		} else {
			key_wait(500);
		}
		pressed = keys_take(top);
		if (top->state.mark || signals_mark()) {
			control_mark(top->live);
			top->state.mark = 0;
			due = 1;
		}
		if (top->state.interval_ns != before_ns)
			next_ns = tool_now_ns() + top->state.interval_ns;
		if (top->live->state == LIVE_RUNNING && tool_now_ns() >= next_ns)
			due = 1;
		if ((due && (!top->state.paused || top->failed)) || top->state.reset) {
			const uint64_t begun_ns = tool_now_ns();

			error = top_snapshot(top);
			next_ns = next_update(begun_ns, top->state.interval_ns);
			due = 0;
			draw(top);
		} else if (pressed) {
			if (top->state.again)
				error = top_snapshot_again(top);
			draw(top);
		}
	}
	return error;
}

int top_curses(struct top *top)
{
	const char *term = getenv("TERM");
	SCREEN *screen;
	int error;

	if (!isatty(STDOUT_FILENO) || !isatty(STDIN_FILENO))
		return tool_error("standard input and output are no terminal: use --batch or "
				  "--json");
	/*
	 * ncurses needs the character set of the locale. LC_NUMERIC stays "C", because the numbers
	 * of a state file have a decimal point in any locale.
	 */
	setlocale(LC_CTYPE, "");
	set_escdelay(ESCAPE_MS);
	screen = newterm(NULL, stdout, stdin);
	if (!screen)
		return tool_error("TERM=%s: this terminal is not known here: set TERM, or use "
				  "--batch",
				  term ? term : "");
	colors_begin();
	cbreak();
	noecho();
	nonl();
	curs_set(0);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	draw(top);
	error = loop(top);
	endwin();
	delscreen(screen);
	return error < 0 ? tool_error("no memory") : TOOL_OK;
}
