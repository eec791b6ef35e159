/* SPDX-License-Identifier: MIT */
/*
 * Document: convert values for JSON documents.
 *
 * What lives here: conversions of values that all JSON documents share. May use jansson and utf8.h.
 */
#ifndef LIB_ANALYSIS_DOCUMENT_H
#define LIB_ANALYSIS_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * document_counts() - Make an array of counts.
 *
 * Return: a new reference; NULL if memory is missing.
 */
json_t *document_counts(const uint64_t *counts, size_t n);

/**
 * document_int() - Convert a count to a JSON number. A count above INT64_MAX becomes INT64_MAX;
 * only a damaged recording has such a count.
 */
json_int_t document_int(uint64_t count);

/**
 * document_text() - Make a JSON string from a name that comes from the operating system, such as a
 * path. The name may contain any bytes: see utf8_copy().
 *
 * Return: a new reference; NULL if memory is missing.
 */
json_t *document_text(const char *text);

#endif /* LIB_ANALYSIS_DOCUMENT_H */
