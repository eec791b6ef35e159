/* SPDX-License-Identifier: MIT */
/*
 * Patterns: the text of a pattern, as patterns of the instrument. For lib/instrument.
 */
#ifndef LIB_INSTRUMENT_PATTERN_H
#define LIB_INSTRUMENT_PATTERN_H

#include <stddef.h>

#include <uapi/smile_trace.h>

/**
 * smile_pattern_add() - Add the patterns of a text to a set.
 * @text: a pattern without "not"; not terminated
 * @length: of @text
 * @set: SMILE_TRACE_SET_*; the bits of the patterns added are set
 * @patterns: the set's patterns, [SMILE_TRACE_PATTERNS]
 * @what: the owner of the set, for messages: "the filter", "level 2"
 *
 * Return: 0; -EINVAL; -ENOSPC. The set is untouched on failure.
 */
int smile_pattern_add(const char *text, size_t length, __u32 *set,
		      struct smile_trace_pattern *patterns, const char *what);

#endif /* LIB_INSTRUMENT_PATTERN_H */
