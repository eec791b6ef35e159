/* SPDX-License-Identifier: MIT */
/*
 * UTF-8: conversion of names from the system, which may contain any bytes: for documents, which may
 * contain only characters, and for terminals, whose lines have columns.
 */
#ifndef LIB_ANALYSIS_UTF8_H
#define LIB_ANALYSIS_UTF8_H

#include <stddef.h>

/**
 * utf8_copy() - Copy @text. Each byte that is not part of a character becomes U+FFFD, the
 * replacement character.
 *
 * Return: memory for the caller to free; NULL without memory.
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
 * utf8_crop() - If @text is wider than @width columns, cut out its middle in place, and write
 * @ellipsis there. The beginning and the end remain, because names of source lines and of variables
 * often differ only at their ends. No character is split.
 * @width: the largest number of columns that @text may occupy
 * @ellipsis: one column wide. It must not have more bytes than the part that is cut out, unless
 *            @text has room for it
 */
void utf8_crop(char *text, size_t width, const char *ellipsis);

#endif /* LIB_ANALYSIS_UTF8_H */
