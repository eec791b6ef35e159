/* SPDX-License-Identifier: MIT */
/*
 * Text: write counts and names in a form that people can read.
 *
 * What lives here: formatting that terminals, placement files and documents share. May use libc.
 */
#ifndef LIB_ANALYSIS_TEXT_H
#define LIB_ANALYSIS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_COUNT_BYTES 32

/**
 * text_count() - Write a count with its digits in groups of three, such as 1,015,752.
 * @text: caller-owned, TEXT_COUNT_BYTES long
 *
 * Return: @text.
 */
char *text_count(char *text, uint64_t count);

/**
 * text_control_bytes() - Get the length of the control character at the beginning of @text. Control
 * characters are those of ASCII, and U+0080 to U+009F.
 *
 * Return: number of bytes; 0 if there is no control character.
 */
size_t text_control_bytes(const char *text);

/**
 * text_printable() - Replace control characters, which a terminal would interpret. Names of files
 * and of regions can contain such characters. Cells of tables do not need this call.
 *
 * Return: @text.
 */
char *text_printable(char *text);

#endif /* LIB_ANALYSIS_TEXT_H */
