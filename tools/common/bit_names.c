// SPDX-License-Identifier: MIT
/*
 * Bit names: see tools/common/bit_names.h.
 */
#include "tools/common/bit_names.h"

#include <string.h>

#include "tools/common/tool.h"

const struct bit_name type_bits[] = {
	{"read", SMILE_FILTER_READ},
	{"write", SMILE_FILTER_WRITE},
	{"lock", SMILE_FILTER_LOCK},
	{NULL, 0},
};

const struct bit_name packet_bits[] = {
	{"requests", SMILE_FILTER_REQUEST},
	{"responses", SMILE_FILTER_RESPONSE},
	{"all", SMILE_FILTER_PACKETS},
	{NULL, 0},
};

static const struct bit_name *bit_name_find(const struct bit_name *names, const char *text,
					    size_t length)
{
	for (; names->name; names++)
		if (strlen(names->name) == length && !strncmp(names->name, text, length))
			return names;
	return NULL;
}

int bit_names_parse(const char *what, const char *text, char separator,
		    const struct bit_name *names, __u32 field, __u32 *value)
{
	const char separators[] = {separator, '\0'};
	const char *item = text;
	unsigned int bits = 0;

	for (;;) {
		size_t length = strcspn(item, separators);
		const struct bit_name *name = bit_name_find(names, item, length);

		if (!name) {
			char known[64] = "";

			for (name = names; name->name; name++) {
				strcat(known, *known ? ", " : "");
				strcat(known, name->name);
			}
			tool_usage("%s: '%.*s' is none of %s", what, (int)length, item, known);
			return -1;
		}
		bits |= name->bits;
		if (!item[length])
			break;
		item += length + 1;
	}
	*value = (*value & ~field) | bits;
	return 1;
}
