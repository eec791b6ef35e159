// SPDX-License-Identifier: MIT
/*
 * Terminal. See tools/common/terminal.h. The locale is read from the environment, but setlocale()
 * is not called, so the format of numbers does not depend on the locale.
 */
#include "tools/common/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_MIN 20
#define SIZE_TEXT_MAX 100000L

static enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } color_choice;

int terminal_color_parse(const char *when)
{
	static const char *const words[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};

	for (unsigned int i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(when, words[i]))
			continue;
		color_choice = i;
		return 0;
	}
	return -1;
}

/* Get a variable of the environment. An empty variable counts as not set. */
static const char *environment(const char *name)
{
	const char *value = getenv(name);

	return value && *value ? value : NULL;
}

static int colors_find(FILE *stream)
{
	const char *term = environment("TERM"), *depth = environment("COLORTERM");

	if (color_choice == COLOR_NEVER)
		return 0;
	if (color_choice == COLOR_AUTO &&
	    (!isatty(fileno(stream)) || environment("NO_COLOR") || !term || !strcmp(term, "dumb")))
		return 0;
	if (depth && (!strcmp(depth, "truecolor") || !strcmp(depth, "24bit")))
		return 256;
	/* If colours are requested for a pipe, assume that its reader supports 256 colours. */
	if (!term || !strcmp(term, "dumb") || strstr(term, "256color") || strstr(term, "direct"))
		return 256;
	return 8;
}

int terminal_colors(FILE *stream)
{
	static FILE *known;
	static int colors;

	/* Keep the result for this stream, because tables call this function for each cell. */
	if (known != stream)
		colors = colors_find(stream);
	known = stream;
	return colors;
}

static size_t environment_size(const char *name)
{
	const char *text = environment(name);
	char *end;
	long size;

	if (!text)
		return 0;
	size = strtol(text, &end, 10);
	return *end || size <= 0 || size > SIZE_TEXT_MAX ? 0 : (size_t)size;
}

size_t terminal_width(FILE *stream)
{
	size_t width = environment_size("COLUMNS");
	struct winsize size;

	if (!width && isatty(fileno(stream)) && !ioctl(fileno(stream), TIOCGWINSZ, &size))
		width = size.ws_col;
	return width && width < WIDTH_MIN ? WIDTH_MIN : width;
}

size_t terminal_height(FILE *stream)
{
	size_t height = environment_size("LINES");
	struct winsize size;

	if (!height && isatty(fileno(stream)) && !ioctl(fileno(stream), TIOCGWINSZ, &size))
		height = size.ws_row;
	return height;
}

int terminal_utf8(void)
{
	const char *locale = environment("LC_ALL");

	if (!locale)
		locale = environment("LC_CTYPE");
	if (!locale)
		locale = environment("LANG");
	return locale && (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}
