/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * An oracle for the tests of the emulated card.
 *
 * What lives here: a second, simple implementation of the range table, for a ring that is never
 * full. May use decoded_record.h and include/.
 */
#ifndef TESTS_UNIT_CARD_ORACLE_H
#define TESTS_UNIT_CARD_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "tests/unit/card/decoded_record.h"

/**
 * struct oracle - A range table as the datasheet specifies it, for a ring of unlimited size.
 */
struct oracle {
	struct smile_config config;
	struct oracle_entry {
		bool valid;
		uint64_t low;
		uint64_t high;
		uint64_t used;
		uint32_t source;
		uint32_t destination;
		uint32_t type;
		uint32_t response;
		uint32_t count;
	} entry[SMILE_ENTRIES_MAX];
	uint64_t clock;
	uint64_t extensions;
	struct stream stream;
};

void oracle_init(struct oracle *oracle, const struct smile_config *config);
void oracle_event(struct oracle *oracle, uint32_t source, uint32_t destination, uint32_t type,
		  uint32_t response, uint64_t address);
void oracle_swap(struct oracle *oracle);
void oracle_mark(struct oracle *oracle, uint32_t event, uint32_t node, uint32_t raised,
		 uint64_t time_ns);

#endif /* TESTS_UNIT_CARD_ORACLE_H */
