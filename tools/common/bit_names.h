/* SPDX-License-Identifier: MIT */
/*
 * Bit names: the names by which the user selects bits in fields of the card.
 *
 * What lives here: the names of the types of transactions and packets, and the parser of lists of
 * names.
 */
#ifndef TOOLS_COMMON_BIT_NAMES_H
#define TOOLS_COMMON_BIT_NAMES_H

#include <smile/monitor.h>

/**
 * struct bit_name - A name, and the bits that it stands for. A NULL name ends a table of names.
 */
struct bit_name {
	const char *name;
	unsigned int bits;
};

/* SMILE_FILTER_READ and the other types of accesses */
extern const struct bit_name type_bits[];
/* SMILE_FILTER_REQUEST and the other types of packets */
extern const struct bit_name packet_bits[];

/**
 * bit_names_parse() - Parse a list of names. The bits of the names replace the bits of @field in
 * @value.
 * @what: name of the list in messages, such as "--types"
 * @separator: the character between two names
 *
 * Return: 1; -1 after a message that names the invalid one.
 */
int bit_names_parse(const char *what, const char *text, char separator,
		    const struct bit_name *names, __u32 field, __u32 *value);

#endif /* TOOLS_COMMON_BIT_NAMES_H */
