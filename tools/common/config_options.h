/* SPDX-License-Identifier: MIT */
/*
 * Configuration options: the options of `smile record` and `smile replay` for the card.
 *
 * What lives here: the lines of these options in option tables. Other commands use some of them.
 */
#ifndef TOOLS_COMMON_CONFIG_OPTIONS_H
#define TOOLS_COMMON_CONFIG_OPTIONS_H

#include <smile/monitor.h>

#include "tools/common/option_table.h"
#include "tools/common/static_spec.h"

/**
 * struct config_options - The choices of the user.
 * @config: the defaults, changed by the given options
 * @given: one of the options of OPTION_CARD() was given
 * @node_given: --node was given
 * @counts: exact counts are recorded, not a card's records; ranges are then aligned
 * @specs: static counters, by number
 * @static_map: recording with the addresses of the variables that static counters count; ""
 * @specs_count: number of @specs
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

/*
 * Groups of an option table, which set a struct config_options. The types, and the tags of ranges.
 */
extern const struct tool_option config_type_lines[];
/* The options of the dynamic counters and of events; they include config_type_lines. */
extern const struct tool_option config_event_lines[];
/* The options of cards of all sources, without the node id: config_event_lines, static counters. */
extern const struct tool_option config_counting_lines[];
/* The options of the card's ring. */
extern const struct tool_option config_ring_lines[];
/* All options. */
extern const struct tool_option config_lines[];

/* Sets @given. @options: a struct config_options */
int config_options_note(void *options, const char *name, const char *text);

/* All options, as a line of an option table. @options: the struct config_options */
#define OPTION_CARD(options) OPTION_GROUP_NOTED(config_lines, options, config_options_note, options)

/**
 * config_options_check() - Check, after the last option, whether the options fit together.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int config_options_check(const struct config_options *options);

/**
 * config_options_responses() - Does any counter count responses?
 */
int config_options_responses(const struct config_options *options);

/**
 * config_options_print_counting() - Print the help text of config_counting_lines.
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
