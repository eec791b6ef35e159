/* SPDX-License-Identifier: MIT */
/*
 * Text: writes counts and names in a form that people can read.
 *
 * What lives here: functions that format text for terminals, placement files and documents. May use
 * libc.
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
 * text_control_bytes() - If @text begins with a control character, get the length of this
 * character. Control characters are U+0000 to U+001F and U+007F to U+009F.
 *
 * Return: number of bytes; 0 if there is no control character.
 */
size_t text_control_bytes(const char *text);

/**
 * text_printable() - Replace control characters, which a terminal would interpret. The names of
 * files and regions can contain control characters. The code that writes tables replaces them
 * itself, so cells of tables do not need this function.
 *
 * Return: @text.
 */
char *text_printable(char *text);

#endif /* LIB_ANALYSIS_TEXT_H */
