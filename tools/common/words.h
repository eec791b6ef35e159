/* SPDX-License-Identifier: MIT */
/*
 * Words: names for the bits of a card's fields.
 *
 * What lives here: the words for transactions, and the parser of lists of words.
 */
#ifndef TOOLS_COMMON_WORDS_H
#define TOOLS_COMMON_WORDS_H

#include <smile/monitor.h>

/**
 * struct word - A word and its bits; a table of them ends with a NULL word.
 */
struct word {
	const char *word;
	unsigned int bits;
};

extern const struct word type_words[]; /* SMILE_FILTER_READ, ... */
extern const struct word packet_words[]; /* SMILE_FILTER_REQUEST, ... */

/**
 * words_parse() - Replace the bits of @field in @value by the bits of a list of words.
 * @what: name of the list in messages: "--types"
 * @separator: the character between two words
 *
 * Return: 1; -1 after a message that names the wrong word.
 */
int words_parse(const char *what, const char *text, char separator, const struct word *words,
		__u32 field, __u32 *value);

#endif /* TOOLS_COMMON_WORDS_H */
