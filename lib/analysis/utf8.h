/* SPDX-License-Identifier: MIT */
/*
 * UTF-8: converts names of the operating system, such as paths, which may contain any bytes. JSON
 * documents may contain only valid characters. Tables on a terminal need the width of each text in
 * columns.
 */
#ifndef LIB_ANALYSIS_UTF8_H
#define LIB_ANALYSIS_UTF8_H

#include <stddef.h>

/**
 * utf8_copy() - Copy @text. Each byte that is not part of a character becomes U+FFFD, the
 * replacement character.
 *
 * Return: memory that the caller must free; NULL if memory is missing.
 */
char *utf8_copy(const char *text);

/**
 * utf8_step() - Get the width and the length of the first character of @text.
 * @width: receives the number of columns that the character occupies on a terminal: 0 for marks
 *         that combine with the previous character; 2 for pictures and for characters of East Asia;
 *         1 for all other characters, and for a byte that is not part of a character
 *
 * Return: the number of bytes of the character; 1 for a byte that is not part of a character; 0 at
 * the end of @text.
 */
size_t utf8_step(const char *text, size_t *width);

/**
 * utf8_width() - Get the number of columns that @text occupies on a terminal.
 */
size_t utf8_width(const char *text);

/**
 * utf8_crop() - If @text is wider than @width columns, replace its middle by @ellipsis, in place.
 * The beginning and the end of @text remain, because the names of source lines and of variables
 * often differ only at their ends. No character is split.
 * @width: the largest number of columns that @text may occupy
 * @ellipsis: text that is one column wide. It must not have more bytes than the replaced text,
 *            unless the memory of @text has room for the difference
 */
void utf8_crop(char *text, size_t width, const char *ellipsis);

#endif /* LIB_ANALYSIS_UTF8_H */
