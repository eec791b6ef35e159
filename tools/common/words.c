// SPDX-License-Identifier: MIT
/*
 * Words: see tools/common/words.h.
 */
#include "tools/common/words.h"

#include <string.h>

#include "tools/common/tool.h"

const struct word type_words[] = {
	{"read", SMILE_FILTER_READ},
	{"write", SMILE_FILTER_WRITE},
	{"lock", SMILE_FILTER_LOCK},
	{NULL, 0},
};

const struct word packet_words[] = {
	{"requests", SMILE_FILTER_REQUEST},
	{"responses", SMILE_FILTER_RESPONSE},
	{"all", SMILE_FILTER_PACKETS},
	{NULL, 0},
};

static const struct word *word_find(const struct word *words, const char *text, size_t length)
{
	for (; words->word; words++)
		if (strlen(words->word) == length && !strncmp(words->word, text, length))
			return words;
	return NULL;
}

int words_parse(const char *what, const char *text, char separator, const struct word *words,
		__u32 field, __u32 *value)
{
	const char separators[] = {separator, '\0'};
	const char *item = text;
	unsigned int bits = 0;

	for (;;) {
		size_t length = strcspn(item, separators);
		const struct word *word = word_find(words, item, length);

		if (!word) {
			char known[64] = "";

			for (word = words; word->word; word++) {
				strcat(known, *known ? ", " : "");
				strcat(known, word->word);
			}
			tool_usage("%s: '%.*s' is none of %s", what, (int)length, item, known);
			return -1;
		}
		bits |= word->bits;
		if (!item[length])
			break;
		item += length + 1;
	}
	*value = (*value & ~field) | bits;
	return 1;
}
