// SPDX-License-Identifier: MIT
/*
 * Pack. See lib/analysis/view/view_pack.h.
 */
#include "lib/analysis/view/view_pack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <smile/monitor.h>

/* The number of bytes that a 64-bit number needs, with seven bits in each byte. */
#define NUMBER_BYTES_MAX 10

/* Make the buffer large enough for @bytes more bytes. Return: 1; 0 if memory is missing. */
static int pack_reserve(struct view_pack *pack, size_t bytes)
{
	if (array_reserve(&pack->bytes, &pack->room, pack->used + bytes, 1) == 0)
		return 1;
	pack->failed = 1;
	return 0;
}

void view_pack_number(struct view_pack *pack, uint64_t number)
{
	if (!pack_reserve(pack, NUMBER_BYTES_MAX))
		return;
	for (; number >= 0x80; number >>= 7)
		pack->bytes[pack->used++] = (uint8_t)(number | 0x80);
	pack->bytes[pack->used++] = (uint8_t)number;
}

json_t *view_pack_text(struct view_pack *pack)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	size_t length = (pack->used + 2) / 3 * 4;
	char *text = pack->failed ? NULL : malloc(length + 1), *to = text;
	json_t *string = NULL;

	for (size_t i = 0; text && i < pack->used; i += 3) {
		size_t left = pack->used - i;
		uint32_t three = (uint32_t)pack->bytes[i] << 16;

		if (left > 1)
			three |= (uint32_t)pack->bytes[i + 1] << 8;
		if (left > 2)
			three |= pack->bytes[i + 2];
		*to++ = digits[three >> 18];
		*to++ = digits[three >> 12 & 63];
		*to++ = left > 1 ? digits[three >> 6 & 63] : '=';
		*to++ = left > 2 ? digits[three & 63] : '=';
	}
	if (text)
		string = json_stringn_nocheck(text, length);
	if (!string)
		Monitor_error_set(ENOMEM, "no memory for %zu bytes of numbers", pack->used);
	free(text);
	free(pack->bytes);
	*pack = (struct view_pack){0};
	return string;
}
