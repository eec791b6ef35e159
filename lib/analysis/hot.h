/* SPDX-License-Identifier: MIT */
/*
 * Hot: the threshold from which a page is hot. `smile report`, `smile top` and the report page
 * share it, so that the same threshold selects the same pages everywhere. Uses nothing.
 */
#ifndef LIB_ANALYSIS_HOT_H
#define LIB_ANALYSIS_HOT_H

#include <stdint.h>

/**
 * struct hot - A threshold of a page's accesses by all nodes.
 * @text: text from the user; NULL: no threshold, and every page is hot
 * @accesses: the minimum, if @percent is 0
 * @percent: the minimum as a percentage of the accesses to all pages; 0: @accesses is the minimum
 */
struct hot {
	const char *text;
	uint64_t accesses;
	double percent;
};

/**
 * hot_parse() - Read a threshold: "N" accesses, or "P%" of all accesses.
 * @text: kept, not copied
 *
 * Return: 0; -EINVAL: @text is neither a whole number above 0 nor a percentage above 0 up to 100.
 */
int hot_parse(const char *text, struct hot *hot);

/**
 * hot_least() - The smallest number of accesses of a hot page.
 * @all: accesses to all pages
 *
 * Return: accesses; 0 if there is no threshold, else at least 1.
 */
uint64_t hot_least(const struct hot *hot, uint64_t all);

#endif /* LIB_ANALYSIS_HOT_H */
