// SPDX-License-Identifier: MIT
/*
 * UTF-8. See tools/utf8.h.
 */
#include "tools/utf8.h"

#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"
#define REPLACEMENT_BYTES 3

/**
 * struct utf8_lead - First bytes of characters, and what may follow.
 * @first: lowest first byte
 * @last: highest
 * @bytes: length of the character
 * @second_first: lowest second byte: no character has a longer form than it needs
 * @second_last: highest: there are no surrogates, and nothing above U+10FFFF
 */
struct utf8_lead {
	unsigned char first;
	unsigned char last;
	unsigned char bytes;
	unsigned char second_first;
	unsigned char second_last;
};

static const struct utf8_lead leads[] = {
	{0x01, 0x7f, 1, 0x00, 0x00}, {0xc2, 0xdf, 2, 0x80, 0xbf}, {0xe0, 0xe0, 3, 0xa0, 0xbf},
	{0xe1, 0xec, 3, 0x80, 0xbf}, {0xed, 0xed, 3, 0x80, 0x9f}, {0xee, 0xef, 3, 0x80, 0xbf},
	{0xf0, 0xf0, 4, 0x90, 0xbf}, {0xf1, 0xf3, 4, 0x80, 0xbf}, {0xf4, 0xf4, 4, 0x80, 0x8f},
};

/* Bytes of the character that @text begins with; 0 if it begins with none. The NUL ends all. */
static size_t utf8_length(const unsigned char *text)
{
	const struct utf8_lead *lead = leads;

	while (text[0] < lead->first || text[0] > lead->last)
		if (++lead == leads + sizeof(leads) / sizeof(leads[0]))
			return 0;
	if (lead->bytes > 1 && (text[1] < lead->second_first || text[1] > lead->second_last))
		return 0;
	for (size_t i = 2; i < lead->bytes; i++)
		if (text[i] < 0x80 || text[i] > 0xbf)
			return 0;
	return lead->bytes;
}

char *utf8_copy(const char *text)
{
	char *copy = malloc(REPLACEMENT_BYTES * strlen(text) + 1), *to = copy;

	if (!copy)
		return NULL;
	while (*text) {
		size_t bytes = utf8_length((const unsigned char *)text);

		memcpy(to, bytes ? text : REPLACEMENT, bytes ? bytes : REPLACEMENT_BYTES);
		to += bytes ? bytes : REPLACEMENT_BYTES;
		text += bytes ? bytes : 1;
	}
	*to = '\0';
	return copy;
}
