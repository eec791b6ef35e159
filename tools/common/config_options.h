/* SPDX-License-Identifier: MIT */
/*
 * Configuration options: the options of `smile record` and `smile replay` for the card.
 *
 * What lives here: one parser for both.
 */
#ifndef TOOLS_COMMON_CONFIG_OPTIONS_H
#define TOOLS_COMMON_CONFIG_OPTIONS_H

#include <smile/monitor.h>

#include "tools/common/option_table.h"
#include "tools/common/static_spec.h"

/* Values that getopt_long() returns for them. */
enum config_code {
	CONFIG_NODE = 0x100,
	CONFIG_COUNTERS,
	CONFIG_RANGE,
	CONFIG_TYPES,
	CONFIG_TYPED_TAGS,
	CONFIG_TAG_TABLE,
	CONFIG_ALIGNED,
	CONFIG_PACKETS,
	CONFIG_DIRECTION,
	CONFIG_PHASE_EVENTS,
	CONFIG_STATIC,
	CONFIG_STATIC_ONLY,
	CONFIG_TIMER,
	CONFIG_TIME,
	CONFIG_RING,
	CONFIG_WATERMARK,
	CONFIG_LATENCY,
	CONFIG_NODE_IDS,
	CONFIG_END,
};

/* clang-format off */
/* The options of all cards, whatever their source, except the node id. */
#define CONFIG_COUNTING_LONG_OPTIONS                                                               \
	{ "counters", required_argument, NULL, CONFIG_COUNTERS },                                  \
	{ "range", required_argument, NULL, CONFIG_RANGE },                                        \
	{ "types", required_argument, NULL, CONFIG_TYPES },                                        \
	{ "typed-tags", required_argument, NULL, CONFIG_TYPED_TAGS },                              \
	{ "tag-table", required_argument, NULL, CONFIG_TAG_TABLE },                                \
	{ "aligned", required_argument, NULL, CONFIG_ALIGNED },                                    \
	{ "packets", required_argument, NULL, CONFIG_PACKETS },                                    \
	{ "direction", required_argument, NULL, CONFIG_DIRECTION },                                \
	{ "phase-events", required_argument, NULL, CONFIG_PHASE_EVENTS },                          \
	{ "static", required_argument, NULL, CONFIG_STATIC },                                      \
	{ "static-only", no_argument, NULL, CONFIG_STATIC_ONLY },                                  \
	{ "timer", required_argument, NULL, CONFIG_TIMER },                                        \
	{ "time", required_argument, NULL, CONFIG_TIME },                                          \
	{ "node-ids", required_argument, NULL, CONFIG_NODE_IDS }

#define CONFIG_LONG_OPTIONS                                                                        \
	{ "node", required_argument, NULL, CONFIG_NODE },                                          \
	CONFIG_COUNTING_LONG_OPTIONS,                                                              \
	{ "ring", required_argument, NULL, CONFIG_RING },                                          \
	{ "watermark", required_argument, NULL, CONFIG_WATERMARK },                                \
	{ "latency", required_argument, NULL, CONFIG_LATENCY }
/* clang-format on */

/**
 * struct config_options - What the user chose.
 * @config: the defaults, with the choices put in
 * @given: any of the options was
 * @node_given: --node was among them
 * @counts: exact counts are recorded, not a card's records: ranges are aligned then
 * @specs: static counters, by number
 * @static_map: recording that says where variables lie that static counters count; ""
 * @specs_count: how many
 */
struct config_options {
	struct smile_config config;
	int given;
	int node_given;
	int counts;
	struct static_spec specs[SMILE_STATIC_COUNTERS];
	unsigned int specs_count;
	char static_map[STATIC_MAP_BYTES];
};

/**
 * config_options_init() - The library's defaults.
 */
void config_options_init(struct config_options *options);

/**
 * config_options_parse() - Take in one option.
 * @code: what getopt_long() returned
 * @argument: optarg
 *
 * Return: 1 if it is one of them, 0 if not, -1 after a message with it.
 */
int config_options_parse(struct config_options *options, int code, const char *argument);

/* The same for OPTION_CARD(). @options: a struct config_options */
int config_options_take(void *options, int code, const char *argument);

/* CONFIG_LONG_OPTIONS */
extern const struct option config_long_options[];

/* All of them, as a line of an option table. @options: the struct config_options */
#define OPTION_CARD(options) OPTION_GROUP(config_long_options, config_options_take, options)

/**
 * config_options_check() - Check, after the last option, whether they fit together.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int config_options_check(const struct config_options *options);

/**
 * config_options_responses() - Does any counter count responses?
 */
int config_options_responses(const struct config_options *options);

/**
 * config_options_print_counting() - Print the help on CONFIG_COUNTING_LONG_OPTIONS.
 */
void config_options_print_counting(void);

/**
 * config_options_apply() - Configure a Monitor.
 *
 * Without --node, the card keeps the node id that it has. Return: TOOL_OK; TOOL_ERROR after a
 * message.
 */
int config_options_apply(const struct config_options *options, struct Monitor *mon);

#endif /* TOOLS_COMMON_CONFIG_OPTIONS_H */
