/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The transaction tables: they give a response the address of its request.
 *
 * What lives here: the functions of transaction_table.c, and the inline functions that run for
 * every request. The tables are in card.h. The default table, whose key is the source and the
 * transaction id, is defined in this project. The faithful table is that of "Design and
 * Implementation Aspects" (2000), section III and figure 4. May use blink_decoder.h. For emu/card
 * and its tests; included by card_inside.h.
 */
#ifndef EMU_CARD_TRANSACTION_TABLE_H
#define EMU_CARD_TRANSACTION_TABLE_H

#include "emu/card/blink_decoder.h"

/*
 * An entry of the faithful table, as it was built in hardware: bits 25-0 are the page and the word
 * of the address, and bit 26 is set for reads and locks.
 */
#define TRANSACTION_TABLE_ADDRESS 0x03ffffffU
#define TRANSACTION_TABLE_READ_OR_LOCK 0x04000000U

void transaction_table_reset(struct transaction_table *table);

/*
 * Look up the request of a response, and complete @event with its address and type. Return: false
 * if there is no such request. With the faithful table, a missing request cannot be detected, and
 * the function always returns true.
 */
bool transaction_table_find(struct transaction_table *table, bool faithful,
			    struct blink_event *event);

static inline struct transaction_slot *
transaction_table_slot(struct transaction_table *table, uint32_t requester, uint32_t transaction)
{
	uint32_t column = requester % (BLINK_SLOTS / BLINK_TRANSACTIONS);

	return &table->keyed[column * BLINK_TRANSACTIONS + transaction];
}

/* Enter a request in both transaction tables. */
static inline void transaction_table_enter(struct transaction_table *table,
					   const struct blink_command *command, uint16_t source,
					   uint32_t transaction, uint64_t address)
{
	struct transaction_slot *slot = transaction_table_slot(table, source, transaction);
	uint32_t kept = (uint32_t)((address & BLINK_FAITHFUL_ADDRESS) / SMILE_WORD_BYTES);

	slot->address = address;
	slot->source = source;
	slot->type = command->type;
	slot->valid = 1;
	table->faithful[transaction] = kept | command->faithful;
}

#endif /* EMU_CARD_TRANSACTION_TABLE_H */
