/* SPDX-License-Identifier: MIT */
/*
 * Static counters: the specifications that a user gives as --static SPEC.
 *
 * What lives here: the parser of SPEC, and the conversion of all specifications into the card's
 * tables.
 */
#ifndef TOOLS_COMMON_STATIC_SPEC_H
#define TOOLS_COMMON_STATIC_SPEC_H

#include <smile/monitor.h>

/**
 * struct static_spec - The specification of a counter.
 * @given: the keys that the user gave
 * @node: home node of the counted memory
 * @page: page of the counted memory, if the user gave a page
 * @address: address of the first byte of the counted memory, if the user gave an address
 * @bytes: length of the counted memory, if the user gave a length
 * @bottom: first counted word within the page
 * @top: last counted word within the page
 * @filter: transactions that are counted, SMILE_FILTER_*
 * @event: the global event that is counted instead of transactions, if the user gave an event
 * @from: id of the event that starts the counter: SMILE_STATIC_GLOBAL plus a global event, or the
 *        number of the counter that counts the event; -1: the counter counts from the beginning
 * @until: id of the event that stops the counter, in the same form; -1: the counter counts to the
 *         end
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
 * @specs: caller-owned, shape [@room]; receives one counter, or for a variable one counter for each
 *         page
 * @map: caller-owned, STATIC_MAP_BYTES long: path of the recording with the addresses of variables;
 *       "" if no recording was named yet. The word "map=" in @text changes the path
 *
 * Return: number of counters; -1 after a message.
 */
int static_spec_parse(struct static_spec *specs, unsigned int room, char *map, const char *text);

/**
 * static_specs_check() - Check that all counters to which triggers refer exist.
 * @specs: shape [@count]
 *
 * Return: 0; -1 after a message.
 */
int static_specs_check(const struct static_spec *specs, unsigned int count);

/**
 * static_specs_apply() - Fill in the card's tables.
 * @specs: shape [@count]; already checked
 * @config: configuration of the card; its node is the home node of counters that do not specify a
 *          node
 *
 * Return: TOOL_OK; TOOL_ERROR after a message.
 */
int static_specs_apply(const struct static_spec *specs, unsigned int count,
		       const struct smile_config *config, struct smile_static *tables);

#endif /* TOOLS_COMMON_STATIC_SPEC_H */
