/* SPDX-License-Identifier: MIT */
/*
 * Static counters, as a user specifies them: --static SPEC.
 *
 * What lives here: the parser of SPEC, and the conversion of several of them into the card's
 * tables.
 */
#ifndef TOOLS_COMMON_STATIC_SPEC_H
#define TOOLS_COMMON_STATIC_SPEC_H

#include <smile/monitor.h>

/**
 * struct static_spec - One counter.
 * @given: the keys that the user gave
 * @node: home node of the memory
 * @page: page of the memory; or
 * @address: address of its first byte
 * @bytes: length of the memory; or
 * @bottom: first word within the page, and
 * @top: last word
 * @filter: transactions that are counted, SMILE_FILTER_*; or
 * @event: the global event that is counted
 * @from: event id that begins the counting: SMILE_STATIC_GLOBAL plus a global event, or the number
 *        of the counter that counts the event; -1: from the beginning
 * @until: the event id that ends the counting, in the same form; -1: to the end
 */
struct static_spec {
	unsigned int given;
	uint32_t node;
	uint64_t page;
	uint64_t address;
	uint32_t bytes;
	uint32_t bottom;
	uint32_t top;
	uint32_t filter;
	uint32_t event;
	int from;
	int until;
};

#define STATIC_MAP_BYTES 4096

/**
 * static_spec_parse() - Parse "node=N,page=N,...".
 * @specs: caller-owned, shape [@room]: receives a counter; for a variable, a counter for each of
 *         its pages
 * @map: caller-owned, STATIC_MAP_BYTES long: the recording with the addresses of variables, "" if
 *	no recording was named yet; "map=" changes it
 *
 * Return: number of counters; -1 after a message with the error.
 */
int static_spec_parse(struct static_spec *specs, unsigned int room, char *map, const char *text);

/**
 * static_specs_check() - Check the counters' references to each other.
 * @specs: shape [@count]
 *
 * Return: 0; -1 after a message.
 */
int static_specs_check(const struct static_spec *specs, unsigned int count);

/**
 * static_specs_apply() - Fill in the card's tables.
 * @specs: shape [@count]; checked
 * @config: of the card; its node is the home of counters that do not name a home
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_specs_apply(const struct static_spec *specs, unsigned int count,
		       const struct smile_config *config, struct smile_static *tables);

#endif /* TOOLS_COMMON_STATIC_SPEC_H */
