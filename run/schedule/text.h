/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Text: composes a message in a buffer of fixed size.
 *
 * What lives here: inline functions that append to the message. Characters beyond the end of the
 * buffer are dropped. This file may use <stddef.h> and <stdint.h>.
 */
#ifndef RUN_SCHEDULE_TEXT_H
#define RUN_SCHEDULE_TEXT_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct text - A message. If all members are 0, the message is empty.
 * @bytes: the characters, with a terminating zero
 * @length: number of characters, without the terminating zero
 */
struct text {
	char bytes[320];
	size_t length;
};

static inline void text_add(struct text *text, const char *more)
{
	while (*more && text->length < sizeof(text->bytes) - 1)
		text->bytes[text->length++] = *more++;
	text->bytes[text->length] = '\0';
}

static inline void text_in_base(struct text *text, uint64_t number, unsigned base)
{
	char digits[24];
	size_t at = sizeof(digits) - 1;

	digits[at] = '\0';
	do {
		digits[--at] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	text_add(text, digits + at);
}

static inline void text_number(struct text *text, uint64_t number)
{
	text_in_base(text, number, 10);
}

static inline void text_hexadecimal(struct text *text, uint64_t number)
{
	text_add(text, "0x");
	text_in_base(text, number, 16);
}

#endif /* RUN_SCHEDULE_TEXT_H */
