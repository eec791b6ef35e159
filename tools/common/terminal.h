/* SPDX-License-Identifier: MIT */
/*
 * Terminal: the capabilities of the output's destination.
 *
 * What lives here: width, height, colours and characters, from the environment and the terminal.
 * May use the C library only. Only one thread may use it: the choice of colours is global.
 */
#ifndef TOOLS_COMMON_TERMINAL_H
#define TOOLS_COMMON_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/**
 * terminal_color_parse() - Parse and apply --color; to be called before colours are used.
 * @when: "always", "never" or "auto"
 *
 * Return: 0; -1 for another word.
 */
int terminal_color_parse(const char *when);

/**
 * terminal_colors() - How many colours to use on this stream.
 *
 * Colours are used on a terminal, unless NO_COLOR is set and not empty, or TERM is not set or
 * "dumb". --color always and --color never override this.
 *
 * Return: 0: no colours and no bold; 8 or 256.
 */
int terminal_colors(FILE *stream);

/**
 * terminal_width() - Characters of a line: COLUMNS, if it is set; otherwise the terminal's width.
 *
 * Return: at least 20; 0: no limit, because there is no terminal.
 */
size_t terminal_width(FILE *stream);

/**
 * terminal_height() - Lines of a screen: LINES, if it is set; otherwise the terminal's height.
 *
 * Return: 0 if there is no terminal.
 */
size_t terminal_height(FILE *stream);

/**
 * terminal_utf8() - May the output have characters other than ASCII? The first of LC_ALL, LC_CTYPE
 * and LANG that is set and not empty decides.
 */
int terminal_utf8(void);

#endif /* TOOLS_COMMON_TERMINAL_H */
