// SPDX-License-Identifier: MIT
/*
 * Progress on a terminal. Progress is written only to standard error, so it never mixes with data.
 */
#include "tools/common/progress.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/analysis/text.h"
#include "tools/common/tool.h"

#define PROGRESS_PERIOD_NS 100000000ULL

static uint64_t progress_last_ns;
static int progress_shown;

int progress_due(void)
{
	static int terminal = -1;

	/* If the work takes less than a tenth of a second, no progress is shown. */
	if (terminal < 0) {
		terminal = isatty(STDERR_FILENO);
		progress_last_ns = tool_now_ns();
	}
	return terminal && tool_now_ns() - progress_last_ns >= PROGRESS_PERIOD_NS;
}

void progress_show(const char *format, ...)
{
	va_list arguments;
	char *text;

	if (!progress_due())
		return;
	progress_last_ns = tool_now_ns();
	progress_shown = 1;
	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	va_end(arguments);
	fprintf(stderr, "\r\033[K%s", text ? text_printable(text) : "");
	fflush(stderr);
	free(text);
}

void progress_clear(void)
{
	if (progress_shown)
		fputs("\r\033[K", stderr);
	progress_shown = 0;
}
