/* SPDX-License-Identifier: MIT */
/*
 * Words: the names by which the user selects bits in fields of the card.
 *
 * What lives here: the words for the types of transactions and packets, and the parser of lists of
 * words.
 */
#ifndef TOOLS_COMMON_WORDS_H
#define TOOLS_COMMON_WORDS_H

#include <smile/monitor.h>

/**
 * struct word - A word, and the bits that it stands for. A NULL word ends a table of words.
 */
struct word {
	const char *word;
	unsigned int bits;
};

extern const struct word type_words[]; /* SMILE_FILTER_READ and the other types of accesses */
extern const struct word packet_words[]; /* SMILE_FILTER_REQUEST and the other types of packets */

/**
 * words_parse() - Parse a list of words. The bits of the words replace the bits of @field in
 * @value.
 * @what: name of the list in messages, such as "--types"
 * @separator: the character between two words
 *
 * Return: 1; -1 after a message that names the invalid word.
 */
int words_parse(const char *what, const char *text, char separator, const struct word *words,
		__u32 field, __u32 *value);

#endif /* TOOLS_COMMON_WORDS_H */
