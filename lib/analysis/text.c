// SPDX-License-Identifier: MIT
/*
 * Text. See lib/analysis/text.h.
 */
#include "lib/analysis/text.h"

#include <string.h>

char *text_count(char *text, uint64_t count)
{
	char digits[TEXT_COUNT_BYTES], *at = digits + sizeof(digits);
	unsigned int written = 0;

	*--at = '\0';
	do {
		if (written && written % 3 == 0)
			*--at = ',';
		*--at = (char)('0' + count % 10);
		written++;
		count /= 10;
	} while (count);
	return memcpy(text, at, (size_t)(digits + sizeof(digits) - at));
}

size_t text_control_bytes(const char *text)
{
	const unsigned char *bytes = (const unsigned char *)text;

	if (!*bytes)
		return 0;
	if (*bytes < 0x20 || *bytes == 0x7f)
		return 1;
	return bytes[0] == 0xc2 && bytes[1] >= 0x80 && bytes[1] <= 0x9f ? 2 : 0;
}

char *text_printable(char *text)
{
	for (char *c = text; *c; c++)
		for (size_t n = text_control_bytes(c); n > 0; n--)
			c[n - 1] = '?';
	return text;
}
