// SPDX-License-Identifier: MIT
/*
 * The configuration options. What a card allows is known to the library and the card; here, only
 * what no card allows is refused, before a device or a file is touched.
 */
#include "tools/config.h"

#include <stdio.h>
#include <string.h>

#include "tools/smile.h"

const char config_help[] =
	"configuration of the card:\n"
	"  --node N               the card's own node id (default: the one it has; emulated: 0)\n"
	"  --counters N           counters of the dynamic array, 1 to 64 (default 16)\n"
	"  --range BYTES          MAX_RANGE, 4 to 4096, a multiple of 4 (default 4)\n"
	"  --types LIST           of read,write,lock (default: all)\n"
	"  --packets WHICH        requests, responses or all (default: requests)\n"
	"  --direction LIST       of in,out,foreign, or all, seen from the own node (default: "
	"all)\n"
	"  --typed-tags on|off    count reads, writes and locks apart (default: on)\n"
	"  --aligned on|off       ranges stay inside one MAX_RANGE-aligned block (default: off)\n"
	"  --tag-table WHICH      transaction table: source (by source and id) or faithful (by id\n"
	"                         alone, as the card of 2000) (default: source)\n"
	"  --phase-events LIST    global events that are phase marks: none, all, or such as 0,3-5\n"
	"                         (default: 0)\n";

struct config_word {
	const char *word;
	unsigned int bits;
};

static const struct config_word type_words[] = {
	{"read", SMILE_FILTER_READ},
	{"write", SMILE_FILTER_WRITE},
	{"lock", SMILE_FILTER_LOCK},
	{NULL, 0},
};

static const struct config_word packet_words[] = {
	{"requests", SMILE_FILTER_REQUEST},
	{"responses", SMILE_FILTER_RESPONSE},
	{"all", SMILE_FILTER_PACKETS},
	{NULL, 0},
};

static const struct config_word direction_words[] = {
	{"in", SMILE_FILTER_INCOMING},
	{"out", SMILE_FILTER_OUTGOING},
	{"foreign", SMILE_FILTER_FOREIGN},
	{"all", SMILE_FILTER_DIRECTIONS},
	{NULL, 0},
};

void config_options_init(struct config_options *options)
{
	memset(options, 0, sizeof(*options));
	Monitor_config_default(&options->config);
}

/* Replace the bits of @field in @value by those of a comma list of words. */
static int words_parse(const char *what, const char *text, const struct config_word *words,
		       __u32 field, __u32 *value)
{
	unsigned int bits = 0;
	const char *item = text;

	for (;;) {
		size_t length = strcspn(item, ",");
		const struct config_word *word;

		for (word = words; word->word; word++)
			if (strlen(word->word) == length && !strncmp(word->word, item, length))
				break;
		if (!word->word) {
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

static int switch_parse(const char *what, const char *text, const char *on, const char *off,
			__u32 bit, __u32 *value)
{
	if (!strcmp(text, on)) {
		*value |= bit;
	} else if (!strcmp(text, off)) {
		*value &= ~bit;
	} else {
		tool_usage("%s: '%s' is neither %s nor %s", what, text, on, off);
		return -1;
	}
	return 1;
}

static int number_parse(const char *what, const char *text, unsigned int min, unsigned int max,
			__u32 *value)
{
	uint64_t number;

	if (tool_number(what, text, min, max, &number))
		return -1;
	*value = (__u32)number;
	return 1;
}

static int events_parse(const char *text, __u32 *value)
{
	const char *item = text;
	__u32 events = 0;

	if (!strcmp(text, "none")) {
		*value = 0;
		return 1;
	}
	if (!strcmp(text, "all")) {
		*value = (1U << SMILE_EVENTS) - 1;
		return 1;
	}
	while (*item) {
		unsigned int first, last;
		int used = 0, more = 0;

		if (sscanf(item, "%2u%n-%2u%n", &first, &used, &last, &more) < 2)
			last = first;
		if (more)
			used = more;
		/* A sign or a blank would pass sscanf(). */
		if (!used || strspn(item, "0123456789-") < (size_t)used || item[0] == '-' ||
		    first > last || last >= SMILE_EVENTS)
			break;
		for (; first <= last; first++)
			events |= 1U << first;
		item += used;
		if (*item == ',' && item[1])
			item++;
		else if (*item)
			break;
	}
	if (*item || !*text) {
		tool_usage("--phase-events: '%s' is no list of events from 0 to %u, such as 0,3-5",
			   text, SMILE_EVENTS - 1);
		return -1;
	}
	*value = events;
	return 1;
}

int config_options_parse(struct config_options *options, int code, const char *argument)
{
	struct smile_config *config = &options->config;

	switch (code) {
	case CONFIG_NODE:
		options->node_given = 1;
		return number_parse("--node", argument, 0, 65535, &config->node);
	case CONFIG_COUNTERS:
		return number_parse("--counters", argument, SMILE_ENTRIES_MIN, SMILE_ENTRIES_MAX,
				    &config->entries);
	case CONFIG_RANGE:
		if (number_parse("--range", argument, SMILE_MAX_RANGE_MIN, SMILE_MAX_RANGE_MAX,
				 &config->max_range_bytes) < 0)
			return -1;
		if (config->max_range_bytes % SMILE_WORD_BYTES) {
			tool_usage("--range: %u bytes is no multiple of %u, the bytes of a word",
				   config->max_range_bytes, SMILE_WORD_BYTES);
			return -1;
		}
		return 1;
	case CONFIG_TYPES:
		return words_parse("--types", argument, type_words, SMILE_FILTER_TYPES,
				   &config->filter);
	case CONFIG_PACKETS:
		return words_parse("--packets", argument, packet_words, SMILE_FILTER_PACKETS,
				   &config->filter);
	case CONFIG_DIRECTION:
		return words_parse("--direction", argument, direction_words,
				   SMILE_FILTER_DIRECTIONS, &config->filter);
	case CONFIG_TYPED_TAGS:
		return switch_parse("--typed-tags", argument, "on", "off", SMILE_MODE_TYPED_TAGS,
				    &config->mode);
	case CONFIG_ALIGNED:
		return switch_parse("--aligned", argument, "on", "off", SMILE_MODE_ALIGNED,
				    &config->mode);
	case CONFIG_TAG_TABLE:
		return switch_parse("--tag-table", argument, "faithful", "source",
				    SMILE_MODE_FAITHFUL_TABLE, &config->mode);
	case CONFIG_PHASE_EVENTS:
		return events_parse(argument, &config->phase_events);
	}
	return 0;
}

int config_options_apply(const struct config_options *options, struct Monitor *mon)
{
	struct smile_config config = options->config;
	struct smile_info info;

	if (!options->node_given) {
		if (Monitor_info(mon, &info) < 0)
			return tool_error("%s", Monitor_error_message());
		config.node = info.config.node;
	}
	if (Monitor_config_set(mon, &config) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}
