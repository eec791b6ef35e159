/* SPDX-License-Identifier: MIT */
/*
 * Configuration options: the options that configure a card, for `smile record` and `smile replay`.
 *
 * What lives here: the lines of option tables for these options. Other commands use some of these
 * lines.
 */
#ifndef TOOLS_COMMON_CONFIG_OPTIONS_H
#define TOOLS_COMMON_CONFIG_OPTIONS_H

#include <smile/monitor.h>

#include "tools/common/option_table.h"
#include "tools/common/static_spec.h"

/**
 * struct config_options - The choices of the user.
 * @config: the configuration: the defaults, changed by the options that were given
 * @given: at least one of the options of OPTION_CARD() was given
 * @node_given: --node was given
 * @counts: record exact counts instead of the card's records; ranges are then aligned
 * @specs: the specifications of the static counters, in the order of the counters' numbers
 * @static_map: name of a recording that contains the addresses of the variables to be counted by
 *              static counters; "": none
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
 * config_options_init() - Set the defaults of the library.
 */
void config_options_init(struct config_options *options);

/*
 * The following tables are groups of lines for option tables. Each group sets a struct
 * config_options. This group has the options for the types of accesses and for the tags of ranges.
 */
extern const struct tool_option config_type_lines[];
/* The options for the dynamic counters and for events, including config_type_lines. */
extern const struct tool_option config_event_lines[];
/*
 * The options for cards of all sources, except the node id: config_event_lines and the options for
 * static counters.
 */
extern const struct tool_option config_counting_lines[];
/* The options for the card's ring. */
extern const struct tool_option config_ring_lines[];
/* All options. */
extern const struct tool_option config_lines[];

/* Set @given of a struct config_options. @options: the struct config_options */
int config_options_note(void *options, const char *name, const char *text);

/* A line of an option table that includes all options. @options: the struct config_options */
#define OPTION_CARD(options) OPTION_GROUP_NOTED(config_lines, options, config_options_note, options)

/**
 * config_options_check() - Check whether the options are compatible with each other. Call this
 * function after all options were parsed.
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int config_options_check(const struct config_options *options);

/**
 * config_options_responses() - Check whether a counter counts responses.
 */
int config_options_responses(const struct config_options *options);

/**
 * config_options_print_counting() - Print the help text of config_counting_lines.
 */
void config_options_print_counting(void);

/**
 * config_options_apply() - Configure a Monitor.
 *
 * If --node was not given, the card keeps its node id. Return: TOOL_OK; TOOL_ERROR after a message.
 */
int config_options_apply(const struct config_options *options, struct Monitor *mon);

#endif /* TOOLS_COMMON_CONFIG_OPTIONS_H */
