/* SPDX-License-Identifier: MIT */
/*
 * Text: counts and names for people.
 *
 * What lives here: formatting that terminals, placement files and documents share. May use libc.
 */
#ifndef LIB_ANALYSIS_TEXT_H
#define LIB_ANALYSIS_TEXT_H

#include <stddef.h>
#include <stdint.h>

#define TEXT_COUNT_BYTES 32

/**
 * text_count() - A count in groups of three digits: 1,015,752.
 * @text: caller-owned, TEXT_COUNT_BYTES long
 *
 * Return: @text.
 */
char *text_count(char *text, uint64_t count);

/**
 * text_control_bytes() - Length of the control character at the beginning of @text: one of ASCII,
 * or U+0080 to U+009F.
 *
 * Return: number of bytes; 0 if there is no control character.
 */
size_t text_control_bytes(const char *text);

/**
 * text_printable() - Replace control characters, which names of files and of regions can contain,
 * and which a terminal would interpret. Cells of tables do not need this call.
 *
 * Return: @text.
 */
char *text_printable(char *text);

#endif /* LIB_ANALYSIS_TEXT_H */
