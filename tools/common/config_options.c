// SPDX-License-Identifier: MIT
/*
 * The options for the configuration of a card. The library and the card check whether a particular
 * card accepts a configuration. This file refuses only configurations that no card accepts, before
 * it opens a device or a file.
 */
#include "tools/common/config_options.h"

#include <stdio.h>
#include <string.h>

#include <hw/smile_regs.h>

#include "tools/common/option_form.h"
#include "tools/common/tool.h"
#include "tools/common/bit_names.h"

static const char *const cards_help[] = {
#include "tools/help/cards.h"
	NULL,
};

/* The number of records that the largest ring can hold. */
#define CONFIG_WATERMARK_MAX SMILE_DMA_RECORDS_MAX

static const struct bit_name direction_bits[] = {
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

/* Parse the argument "PERIOD" or "PERIOD:EVENT", such as "10ms" or "10ms:3". */
static int timer_take(void *to, const char *text)
{
	struct smile_config *config = to;
	const char *event = strchr(text, ':');
	size_t length = strcspn(text, ":");
	char period[32];
	uint64_t number;

	snprintf(period, sizeof(period), "%.*s", (int)length, text);
	/*
	 * A text that does not fit into the buffer is not a valid period. Pass the whole text, so
	 * that the message shows it.
	 */
	if (tool_period("--timer", length < sizeof(period) ? period : text, &config->timer_us))
		return TOOL_ERROR;
	if (event && tool_number("--timer: event", event + 1, 0, SMILE_EVENTS - 1, &number))
		return TOOL_ERROR;
	if (event)
		config->timer_event = (uint32_t)number;
	return TOOL_OK;
}

static int static_take(void *to, const char *text)
{
	struct config_options *options = to;
	int counters;

	if (options->specs_count == SMILE_STATIC_COUNTERS)
		return tool_usage("--static: there are only %u static counters",
				  SMILE_STATIC_COUNTERS);
	counters = static_spec_parse(&options->specs[options->specs_count],
				     SMILE_STATIC_COUNTERS - options->specs_count,
				     options->static_map, text);
	if (counters < 0)
		return TOOL_ERROR;
	options->specs_count += (unsigned int)counters;
	options->config.mode |= SMILE_MODE_STATIC;
	return TOOL_OK;
}

static int events_take(void *to, const char *text)
{
	uint32_t *value = to;
	const char *item = text;
	__u32 events = 0;

	if (!strcmp(text, "none")) {
		*value = 0;
		return TOOL_OK;
	}
	if (!strcmp(text, "all")) {
		*value = (1U << SMILE_EVENTS) - 1;
		return TOOL_OK;
	}
	while (*item) {
		unsigned int first, last;
		int used = 0, more = 0;

		if (sscanf(item, "%2u%n-%2u%n", &first, &used, &last, &more) < 2)
			last = first;
		if (more)
			used = more;
		/* Refuse a sign or a blank before a number, which sscanf() would accept. */
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
	if (*item || !*text)
		return tool_usage(
			"--phase-events: '%s' is no list of events from 0 to %u, such as 0,3-5",
			text, SMILE_EVENTS - 1);
	*value = events;
	return TOOL_OK;
}

static int node_take(void *to, const char *text)
{
	struct config_options *options = to;
	uint64_t number;

	if (tool_number("--node", text, 0, 65535, &number))
		return TOOL_ERROR;
	options->config.node = (uint32_t)number;
	options->node_given = 1;
	return TOOL_OK;
}

static int range_take(void *bytes, const char *text)
{
	uint64_t number;

	if (tool_number("--range", text, SMILE_MAX_RANGE_MIN, SMILE_MAX_RANGE_MAX, &number))
		return TOOL_ERROR;
	if (number % SMILE_WORD_BYTES)
		return tool_usage("--range: %u bytes is no multiple of %u, the bytes of a word",
				  (unsigned int)number, SMILE_WORD_BYTES);
	*(uint32_t *)bytes = (uint32_t)number;
	return TOOL_OK;
}

/*
 * A null pointer. The lines of the group use the address of one of its members as the offset of the
 * member that they set.
 */
#define CARD ((struct config_options *)0)

const struct tool_option config_type_lines[] = {
	OPTION_BIT_NAMES("types", type_bits, SMILE_FILTER_TYPES, &CARD->config.filter),
	OPTION_SWITCH("typed-tags", "on", "off", SMILE_MODE_TYPED_TAGS, &CARD->config.mode),
	OPTION_SWITCH("aligned", "on", "off", SMILE_MODE_ALIGNED, &CARD->config.mode),
	OPTION_END,
};

const struct tool_option config_event_lines[] = {
	OPTION_NUMBER("counters", 0, SMILE_ENTRIES_MIN, SMILE_ENTRIES_MAX, &CARD->config.entries),
	OPTION_TAKE("range", 0, range_take, &CARD->config.max_range_bytes),
	OPTION_GROUP(config_type_lines, CARD),
	OPTION_SWITCH("tag-table", "faithful", "source", SMILE_MODE_FAITHFUL_TABLE,
		      &CARD->config.mode),
	OPTION_BIT_NAMES("packets", packet_bits, SMILE_FILTER_PACKETS, &CARD->config.filter),
	OPTION_BIT_NAMES("direction", direction_bits, SMILE_FILTER_DIRECTIONS,
			 &CARD->config.filter),
	OPTION_TAKE("phase-events", 0, events_take, &CARD->config.phase_events),
	OPTION_TAKE("timer", 0, timer_take, &CARD->config),
	OPTION_PERIOD("time", &CARD->config.time_us),
	OPTION_SWITCH("node-ids", "narrow", "wide", SMILE_MODE_NARROW, &CARD->config.mode),
	OPTION_END,
};

const struct tool_option config_counting_lines[] = {
	OPTION_GROUP(config_event_lines, CARD),
	OPTION_TAKE("static", 0, static_take, CARD),
	OPTION_BITS("static-only", SMILE_MODE_NO_DYNAMIC, &CARD->config.mode),
	OPTION_END,
};

const struct tool_option config_ring_lines[] = {
	OPTION_SWITCH("ring", "host", "card", SMILE_MODE_HOST_RING, &CARD->config.mode),
	OPTION_NUMBER("watermark", 0, 1, CONFIG_WATERMARK_MAX, &CARD->config.watermark_records),
	OPTION_END,
};

const struct tool_option config_lines[] = {
	OPTION_TAKE("node", 0, node_take, CARD),
	OPTION_GROUP(config_counting_lines, CARD),
	OPTION_GROUP(config_ring_lines, CARD),
	OPTION_PERIOD("latency", &CARD->config.latency_us),
	OPTION_END,
};

int config_options_note(void *options, const char *name, const char *text)
{
	(void)name;
	(void)text;
	((struct config_options *)options)->given = 1;
	return TOOL_OK;
}

int config_options_responses(const struct config_options *options)
{
	if (options->config.filter & SMILE_FILTER_RESPONSE)
		return 1;
	for (unsigned i = 0; i < options->specs_count; i++)
		if (options->specs[i].filter & SMILE_FILTER_RESPONSE)
			return 1;
	return 0;
}

int config_options_check(const struct config_options *options)
{
	if (options->config.mode & SMILE_MODE_NO_DYNAMIC && !options->specs_count)
		return tool_usage("--static-only counts nothing without a --static");
	if (options->config.mode & SMILE_MODE_NO_DYNAMIC &&
	    option_form_idle("--static-only",
			     "counters range types direction typed-tags aligned") != TOOL_OK)
		return TOOL_ERROR;
	if (options->counts && option_given("aligned") &&
	    !(options->config.mode & SMILE_MODE_ALIGNED))
		return tool_usage("--aligned off has no effect with exact counts");
	if (static_specs_check(options->specs, options->specs_count) < 0)
		return TOOL_ERROR;
	return TOOL_OK;
}

void config_options_print_counting(void)
{
	tool_help(cards_help);
}

int config_options_apply(const struct config_options *options, struct Monitor *mon)
{
	struct smile_config config = options->config;
	struct smile_static tables;
	struct smile_info info;

	if (!options->node_given) {
		if (Monitor_info(mon, &info) < 0)
			return tool_error("%s", Monitor_error_message());
		config.node = info.config.node;
	}
	/*
	 * In this mode, accesses to other nodes wait until the card has room. This process reads
	 * the card, but makes no such accesses, so it cannot wait for itself.
	 */
	config.mode |= SMILE_MODE_HOLD;
	/*
	 * If the counts of unaligned ranges were summed, the addresses of the accesses would be
	 * unknown.
	 */
	if (options->counts && config.max_range_bytes > SMILE_WORD_BYTES)
		config.mode |= SMILE_MODE_ALIGNED;
	if (Monitor_config_set(mon, &config) < 0)
		return tool_error("%s", Monitor_error_message());
	if (!options->specs_count)
		return TOOL_OK;
	if (static_specs_apply(options->specs, options->specs_count, &config, &tables) != TOOL_OK)
		return TOOL_ERROR;
	if (Monitor_static_set(mon, &tables) < 0)
		return tool_error("%s", Monitor_error_message());
	return TOOL_OK;
}
