// SPDX-License-Identifier: MIT
/*
 * smile top: print snapshots without a terminal, one after another. A snapshot is the contents of
 * one update.
 */
#include "tools/top/top.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/signals.h"
#include "tools/common/tool.h"
#include "tools/common/terminal.h"
#include "tools/live/control.h"

#define COLUMNS_DEFAULT 80U
/* The longest wait until the clock and signals are checked again. */
#define POLL_MS 100U

/* Print a screen that is high enough for all contents. Leave out empty rows at its end. */
static int text_print(const struct top *top)
{
	size_t columns = terminal_width(stdout), rows, last = 0;
	struct top_screen screen;

	if (!columns)
		columns = COLUMNS_DEFAULT;
	rows = top_layout_rows(&top->state, &top->snapshot, columns);
	if (top_screen_new(&screen, rows, columns) < 0)
		return tool_error("no memory");
	top_layout(&screen, &top->state, &top->snapshot);
	for (size_t i = 0; i < rows * columns; i++)
		if (screen.cells[i].text[0] != ' ' && screen.cells[i].text[0])
			last = i / columns;
	for (size_t row = 0; row <= last; row++) {
		char *line = top_screen_line(&screen, row);

		printf("%s\n", line ? line : "");
		free(line);
	}
	top_screen_free(&screen);
	printf("\n");
	return TOOL_OK;
}

static int print(const struct top *top, int json)
{
	int status = json ? top_json(top) : text_print(top);

	/*
	 * Flush, so that the reader of a pipe receives each snapshot immediately. A write error is
	 * reported at the end of the command.
	 */
	if (fflush(stdout) || ferror(stdout))
		return TOOL_ERROR;
	return status;
}

/* Read records until the interval ends. Return: 0; -ENOMEM. */
static int interval_wait(struct top *top)
{
	uint64_t end_ns = tool_now_ns() + top->state.interval_ns;

	while (!signals_count() && top->live->state == LIVE_RUNNING) {
		uint64_t now_ns = tool_now_ns(), left_ms = 0;

		if (signals_mark())
			control_mark(top->live);
		if (now_ns < end_ns)
			left_ms = (end_ns - now_ns + 999999) / 1000000;
		if (!left_ms)
			return 0;
		if (!top_poll(top, (int)(left_ms < POLL_MS ? left_ms : POLL_MS)))
			continue;
		if (top->live->state != LIVE_RUNNING)
			return 0;
		/*
		 * All older records were read, so start an interval now. The accesses of these
		 * records are in no interval.
		 */
		if (top_snapshot(top) < 0)
			return -ENOMEM;
		end_ns = tool_now_ns() + top->state.interval_ns;
	}
	return 0;
}

int top_batch(struct top *top, const struct top_batch *batch)
{
	uint64_t printed = 0;

	top->state.paper = 1;
	do {
		if (interval_wait(top) < 0 || top_snapshot(top) < 0)
			return tool_error("no memory");
		if (print(top, batch->json) != TOOL_OK)
			return TOOL_ERROR;
		printed++;
	} while (!signals_count() && top->live->state == LIVE_RUNNING &&
		 (!batch->count || printed < batch->count));
	return TOOL_OK;
}
