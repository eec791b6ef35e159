// SPDX-License-Identifier: MIT
/*
 * The configuration options. The library and the card check what a card allows; this file refuses
 * only what no card allows, before a device or a file is opened.
 */
#include "tools/common/config_options.h"

#include <stdio.h>
#include <string.h>

#include <hw/smile_regs.h>

#include "tools/common/option_form.h"
#include "tools/common/tool.h"
#include "tools/common/words.h"

static const char *const cards_help[] = {
#include "tools/help/cards.h"
	NULL,
};

/* As many records as a ring can hold. */
#define CONFIG_WATERMARK_MAX SMILE_DMA_RECORDS_MAX

static const struct word direction_words[] = {
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

static int period_parse(const char *what, const char *text, __u32 *us)
{
	return tool_period(what, text, us) ? -1 : 1;
}

/* "10ms" or "10ms:3" */
static int timer_parse(const char *text, struct smile_config *config)
{
	const char *event = strchr(text, ':');
	size_t length = strcspn(text, ":");
	char period[32];

	snprintf(period, sizeof(period), "%.*s", (int)length, text);
	/* A text that does not fit is no period; the message shows it as it was given. */
	if (tool_period("--timer", length < sizeof(period) ? period : text, &config->timer_us))
		return -1;
	return event ? number_parse("--timer: event", event + 1, 0, SMILE_EVENTS - 1,
				    &config->timer_event)
		     : 1;
}

static int static_parse(struct config_options *options, const char *text)
{
	int counters;

	if (options->specs_count == SMILE_STATIC_COUNTERS) {
		tool_usage("--static: there are only %u static counters", SMILE_STATIC_COUNTERS);
		return -1;
	}
	counters = static_spec_parse(&options->specs[options->specs_count],
				     SMILE_STATIC_COUNTERS - options->specs_count,
				     options->static_map, text);
	if (counters < 0)
		return -1;
	options->specs_count += (unsigned int)counters;
	options->config.mode |= SMILE_MODE_STATIC;
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
		return words_parse("--types", argument, ',', type_words, SMILE_FILTER_TYPES,
				   &config->filter);
	case CONFIG_PACKETS:
		return words_parse("--packets", argument, ',', packet_words, SMILE_FILTER_PACKETS,
				   &config->filter);
	case CONFIG_DIRECTION:
		return words_parse("--direction", argument, ',', direction_words,
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
	case CONFIG_STATIC:
		return static_parse(options, argument);
	case CONFIG_STATIC_ONLY:
		config->mode |= SMILE_MODE_NO_DYNAMIC;
		return 1;
	case CONFIG_TIMER:
		return timer_parse(argument, config);
	case CONFIG_TIME:
		return period_parse("--time", argument, &config->time_us);
	case CONFIG_RING:
		return switch_parse("--ring", argument, "host", "card", SMILE_MODE_HOST_RING,
				    &config->mode);
	case CONFIG_WATERMARK:
		return number_parse("--watermark", argument, 1, CONFIG_WATERMARK_MAX,
				    &config->watermark_records);
	case CONFIG_LATENCY:
		return period_parse("--latency", argument, &config->latency_us);
	case CONFIG_NODE_IDS:
		return switch_parse("--node-ids", argument, "narrow", "wide", SMILE_MODE_NARROW,
				    &config->mode);
	}
	return 0;
}

int config_options_take(void *options, int code, const char *argument)
{
	struct config_options *config = options;
	int taken = config_options_parse(config, code, argument);

	config->given |= taken > 0;
	return taken;
}

const struct option config_long_options[] = {CONFIG_LONG_OPTIONS, {NULL, 0, NULL, 0}};

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
	/* This process reads the card, and waits for no access of its own. */
	config.mode |= SMILE_MODE_HOLD;
	/* A sum of ranges that are not aligned would not say where they lie. */
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
