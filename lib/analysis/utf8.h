/* SPDX-License-Identifier: MIT */
/*
 * UTF-8: converts names from the system, which may contain any bytes, for documents, which hold
 * only characters, and for terminals, whose lines have columns.
 */
#ifndef LIB_ANALYSIS_UTF8_H
#define LIB_ANALYSIS_UTF8_H

#include <stddef.h>

/**
 * utf8_copy() - A copy of @text in which each byte that is part of no character is U+FFFD, the
 * replacement character.
 *
 * Return: memory for the caller to free; NULL without memory.
 */
char *utf8_copy(const char *text);

/**
 * utf8_step() - The first character of @text.
 * @width: receives its columns on a terminal: 0 for marks that combine with the previous character,
 *         2 for pictures and characters of East Asia, 1 for all other characters, and for a byte
 *         that is part of no character
 *
 * Return: the number of its bytes, 1 for a byte that is part of no character; 0 at the end of
 * @text.
 */
size_t utf8_step(const char *text, size_t *width);

/**
 * utf8_width() - Columns that @text takes on a terminal.
 */
size_t utf8_width(const char *text);

/**
 * utf8_crop() - Shorten @text in place, if it is wider than @width columns: its beginning and its
 * end are kept, because names of places in memory differ at their ends; @ellipsis is between them.
 * No character is split.
 * @width: columns that @text may take
 * @ellipsis: one column wide; it must have no more bytes than the part that is cut out, unless
 *            @text has room for it
 */
void utf8_crop(char *text, size_t width, const char *ellipsis);

#endif /* LIB_ANALYSIS_UTF8_H */
