/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The transaction tables. See transaction_table.h.
 */
#include <string.h>

#include "emu/card/card_inside.h"

void transaction_table_reset(struct transaction_table *table)
{
	memset(table, 0, sizeof(*table));
}

bool transaction_table_find(struct transaction_table *table, bool faithful,
			    struct blink_event *event)
{
	struct transaction_slot *slot =
		transaction_table_slot(table, event->target, event->transaction);
	uint32_t kept = table->faithful[event->transaction];

	if (faithful) {
		event->address = (uint64_t)(kept & TRANSACTION_TABLE_ADDRESS) * SMILE_WORD_BYTES;
		event->type =
			kept & TRANSACTION_TABLE_READ_OR_LOCK ? SMILE_TYPE_READ : SMILE_TYPE_WRITE;
		return true;
	}
	if (!slot->valid || slot->source != event->target)
		return false;
	event->address = slot->address;
	event->type = slot->type;
	slot->valid = 0;
	return true;
}
