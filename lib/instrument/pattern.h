/* SPDX-License-Identifier: MIT */
/*
 * Patterns: converts the text of a pattern to patterns of the instrument. Only lib/instrument uses
 * this file.
 */
#ifndef LIB_INSTRUMENT_PATTERN_H
#define LIB_INSTRUMENT_PATTERN_H

#include <stddef.h>

#include <uapi/smile_trace.h>

/**
 * smile_pattern_add() - Add the patterns of a text to a set.
 * @text: a pattern without "not"; it is not terminated by a NUL
 * @length: length of @text
 * @set: SMILE_TRACE_SET_*; the function sets the bits of the added patterns
 * @patterns: all patterns of the set, [SMILE_TRACE_PATTERNS]
 * @what: owner of the set, for messages: "the filter", "level 2"
 *
 * Return: 0; -EINVAL if the text is wrong; -ENOSPC if the set has no room for the patterns. After
 * an error, the set is unchanged.
 */
int smile_pattern_add(const char *text, size_t length, __u32 *set,
		      struct smile_trace_pattern *patterns, const char *what);

#endif /* LIB_INSTRUMENT_PATTERN_H */
