// SPDX-License-Identifier: MIT
/*
 * UTF-8. See lib/analysis/utf8.h.
 */
#include "lib/analysis/utf8.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define REPLACEMENT "\xef\xbf\xbd"
#define REPLACEMENT_BYTES 3

/**
 * struct utf8_lead - A range of first bytes of UTF-8 characters, and the range of second bytes that
 * may follow them.
 * @first: lowest first byte
 * @last: highest first byte
 * @bytes: number of bytes of a character that begins with such a byte
 * @second_first: lowest second byte, chosen so that overlong forms are excluded
 * @second_last: highest second byte, chosen so that surrogates and characters above U+10FFFF are
 *               excluded
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

/*
 * Get the number of bytes of the character at the beginning of @text; 0 if @text does not begin
 * with a character. A NUL byte ends @text even within a character.
 */
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

static uint32_t utf8_code(const unsigned char *text, size_t bytes)
{
	static const unsigned char masks[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	uint32_t code = text[0] & masks[bytes];

	for (size_t i = 1; i < bytes; i++)
		code = code << 6 | (text[i] & 0x3f);
	return code;
}

/* Ranges of characters whose width is not one column, ascending. */
struct utf8_block {
	uint32_t first;
	uint32_t last;
	size_t width;
};

static const struct utf8_block blocks[] = {
	{0x300, 0x36f, 0},     {0x1100, 0x115f, 2},   {0x1ab0, 0x1aff, 0},   {0x1dc0, 0x1dff, 0},
	{0x200b, 0x200f, 0},   {0x20d0, 0x20ff, 0},   {0x2e80, 0xa4cf, 2},   {0xac00, 0xd7a3, 2},
	{0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe20, 0xfe2f, 0},   {0xfe30, 0xfe6f, 2},
	{0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2},
	{0x1f900, 0x1faff, 2}, {0x20000, 0x3fffd, 2},
};

size_t utf8_step(const char *text, size_t *width)
{
	size_t bytes = *text ? utf8_length((const unsigned char *)text) : 0;
	uint32_t code;

	*width = *text ? 1 : 0;
	if (!bytes)
		return *text ? 1 : 0;
	code = utf8_code((const unsigned char *)text, bytes);
	for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (code >= blocks[i].first && code <= blocks[i].last)
			*width = blocks[i].width;
	return bytes;
}

size_t utf8_width(const char *text)
{
	size_t all = 0, width, bytes;

	for (;;) {
		/* Handle ASCII separately, because most text is ASCII and this is faster. */
		for (; *text && (unsigned char)*text < 0x80; text++)
			all++;
		bytes = utf8_step(text, &width);
		if (!bytes)
			return all;
		all += width;
		text += bytes;
	}
}

/* Get the number of bytes of the longest prefix of @text that is at most @width columns wide. */
static size_t utf8_fitting(const char *text, size_t width)
{
	size_t at = 0, all = 0, next, bytes;

	while ((bytes = utf8_step(text + at, &next)) > 0 && all + next <= width) {
		all += next;
		at += bytes;
	}
	return at;
}

void utf8_crop(char *text, size_t width, const char *ellipsis)
{
	size_t whole = utf8_width(text), tail = width / 3, head, end, next;

	if (whole <= width || !width)
		return;
	head = utf8_fitting(text, width - 1 - tail);
	end = utf8_fitting(text, whole - tail);
	/*
	 * The part after the ellipsis must not begin within a wide character. It also must not
	 * begin with a combining mark, because the mark would combine with the ellipsis. Skip such
	 * characters.
	 */
	while (text[end] &&
	       (utf8_width(text + end) > tail || !(utf8_step(text + end, &next), next)))
		end += utf8_step(text + end, &next);
	memmove(text + head + strlen(ellipsis), text + end, strlen(text + end) + 1);
	memcpy(text + head, ellipsis, strlen(ellipsis));
}
