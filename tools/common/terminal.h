/* SPDX-License-Identifier: MIT */
/*
 * Terminal: the capabilities of the terminal or file to which the output is written.
 *
 * What lives here: the width, the height, the colours and the character set, as the environment and
 * the terminal define them. Only one thread may use these functions, because the choice of colours
 * is global. May use the C library only.
 */
#ifndef TOOLS_COMMON_TERMINAL_H
#define TOOLS_COMMON_TERMINAL_H

#include <stddef.h>
#include <stdio.h>

/**
 * terminal_color_parse() - Parse the argument of --color, and apply it. Call this function before
 * colours are used.
 * @when: "always", "never" or "auto"
 *
 * Return: 0; -1 if @when is none of the known words.
 */
int terminal_color_parse(const char *when);

/**
 * terminal_colors() - Get the number of colours to use on this stream.
 *
 * Colours are used on a terminal, unless NO_COLOR is set and not empty, or TERM is not set or
 * "dumb". --color=always and --color=never override these conditions.
 *
 * Return: 0: use neither colours nor bold; 8 or 256: the number of colours.
 */
int terminal_colors(FILE *stream);

/**
 * terminal_width() - Get the number of characters of a line: COLUMNS if it is set; otherwise the
 * width of the terminal.
 *
 * Return: the number of characters, at least 20; 0 if there is no limit, because there is no
 * terminal.
 */
size_t terminal_width(FILE *stream);

/**
 * terminal_height() - Get the number of lines of a screen: LINES if it is set; otherwise the height
 * of the terminal.
 *
 * Return: the number of lines; 0 if there is no terminal.
 */
size_t terminal_height(FILE *stream);

/**
 * terminal_utf8() - Check whether the output may contain characters other than ASCII. The first of
 * LC_ALL, LC_CTYPE and LANG that is set and not empty decides this.
 */
int terminal_utf8(void);

#endif /* TOOLS_COMMON_TERMINAL_H */
