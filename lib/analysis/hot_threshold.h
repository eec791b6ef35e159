/* SPDX-License-Identifier: MIT */
/*
 * Hot threshold: the number of accesses from which a page is hot (2002b, section 4.1). `smile
 * report`, `smile top` and the report page share this code, so that the same threshold selects the
 * same pages in all of them. This file uses no other file.
 */
#ifndef LIB_ANALYSIS_HOT_THRESHOLD_H
#define LIB_ANALYSIS_HOT_THRESHOLD_H

#include <stdint.h>

/**
 * struct hot_threshold - A threshold for the number of accesses to a page by all nodes.
 * @text: the user's text; NULL: no threshold was given, and every page is hot
 * @accesses: the least number of accesses of a hot page, used if @percent is 0
 * @percent: the smallest number as a percentage of the accesses to all pages; 0: use @accesses
 */
struct hot_threshold {
	const char *text;
	uint64_t accesses;
	double percent;
};

/**
 * hot_threshold_parse() - Parse a threshold: "N" accesses, or "P%" of all accesses.
 * @text: must stay valid; only the pointer is stored
 *
 * Return: 0; -EINVAL if @text is neither a whole number above 0 nor a percentage above 0 and at
 * most 100.
 */
int hot_threshold_parse(const char *text, struct hot_threshold *hot);

/**
 * hot_threshold_least() - Get the smallest number of accesses that a hot page has.
 * @all: accesses to all pages
 *
 * Return: the number of accesses, at least 1; 0 if there is no threshold.
 */
uint64_t hot_threshold_least(const struct hot_threshold *hot, uint64_t all);

#endif /* LIB_ANALYSIS_HOT_THRESHOLD_H */
