/* SPDX-License-Identifier: MIT */
/*
 * Document: values in JSON documents.
 *
 * What lives here: conversions that every document needs. May use jansson and utf8.h.
 */
#ifndef LIB_ANALYSIS_DOCUMENT_H
#define LIB_ANALYSIS_DOCUMENT_H

#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

/**
 * document_counts() - An array of counts.
 *
 * Return: a new reference, NULL without memory.
 */
json_t *document_counts(const uint64_t *counts, size_t n);

/**
 * document_int() - A count as a JSON number; INT64_MAX for a larger one, which only a damaged
 * recording holds.
 */
json_int_t document_int(uint64_t count);

/**
 * document_text() - A name from the system, which may contain any bytes: see utf8_copy().
 *
 * Return: a new reference, NULL without memory.
 */
json_t *document_text(const char *text);

#endif /* LIB_ANALYSIS_DOCUMENT_H */
