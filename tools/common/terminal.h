/* SPDX-License-Identifier: MIT */
/*
 * Terminal: the capabilities of the output's destination.
 *
 * What lives here: width, height, colours and characters, from the environment and the terminal.
 * May use the C library only. For one thread: the choice of colours belongs to the process.
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
 * On a terminal, unless NO_COLOR is set and not empty, or TERM is not set or "dumb"; --color always
 * and never come first.
 *
 * Return: 0: none, not even bold; 8 or 256.
 */
int terminal_colors(FILE *stream);

/**
 * terminal_width() - Characters of a line: COLUMNS, if it is set; else the terminal's width.
 *
 * Return: 20 at least; 0: no limit, because there is no terminal.
 */
size_t terminal_width(FILE *stream);

/**
 * terminal_height() - Lines of a screen: LINES, else the terminal's.
 *
 * Return: 0 if there is no terminal.
 */
size_t terminal_height(FILE *stream);

/**
 * terminal_utf8() - May the output have characters other than ASCII? By LC_ALL, LC_CTYPE, LANG: the
 * first that is set and not empty.
 */
int terminal_utf8(void);

#endif /* TOOLS_COMMON_TERMINAL_H */
