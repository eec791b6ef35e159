// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static array's tables: pages, events, counters.
 *
 * What lives here: what can be in them, and writing them to the card. May use: the registers
 * through card.c.
 */
#include <linux/dev_printk.h>

#include "compat.h"
#include "smile_monitor.h"

#define STATIC_PAGE_BITS (SMILE_STATIC_PAGE_NUMBER | SMILE_STATIC_PAGE_VALID)
#define STATIC_EVENT_BITS                                                                          \
	(SMILE_STATIC_EVENT_PAGE | SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_WRITE |            \
	 SMILE_STATIC_EVENT_LOCK | SMILE_STATIC_EVENT_REQUEST | SMILE_STATIC_EVENT_RESPONSE |      \
	 SMILE_STATIC_EVENT_BOTTOM | SMILE_STATIC_EVENT_TOP | SMILE_STATIC_EVENT_VALID)
#define STATIC_COUNTER_BITS                                                                        \
	(SMILE_STATIC_COUNTER_COUNT | SMILE_STATIC_COUNTER_COUNT_VALID |                           \
	 SMILE_STATIC_COUNTER_ACTIVATE | SMILE_STATIC_COUNTER_ACTIVATE_VALID |                     \
	 SMILE_STATIC_COUNTER_DEACTIVATE | SMILE_STATIC_COUNTER_DEACTIVATE_VALID)

/*
 * Are tables ones that the card can have? Return: 0; -EINVAL if no card can; -EOPNOTSUPP if this
 * one has no static array.
 */
int smile_static_check(const struct smile_card *card, const struct smile_static *tables)
{
	unsigned int i;

	if (tables->reserved)
		return -EINVAL;
	for (i = 0; i < SMILE_STATIC_PAGES; i++) {
		if (tables->page[i] & ~STATIC_PAGE_BITS || tables->node[i] & ~SMILE_NODE_ID)
			return -EINVAL;
	}
	for (i = 0; i < SMILE_STATIC_EVENTS; i++) {
		u32 event = tables->event[i];

		if (event & ~STATIC_EVENT_BITS ||
		    SMILE_GET(SMILE_STATIC_EVENT_TOP, event) <
			    SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, event))
			return -EINVAL;
	}
	for (i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		if (tables->counter[i] & ~STATIC_COUNTER_BITS)
			return -EINVAL;
	}
	if (!card->static_counters)
		return -EOPNOTSUPP;
	for (i = card->static_counters; i < SMILE_STATIC_COUNTERS; i++) {
		if (tables->counter[i])
			return -EINVAL;
	}
	return 0;
}

static void static_write(struct smile_card *card, const struct smile_static *tables)
{
	unsigned int i;

	for (i = 0; i < SMILE_STATIC_PAGES; i++) {
		smile_card_write(card, SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE,
				 tables->page[i]);
		smile_card_write(card, SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE,
				 tables->node[i]);
	}
	for (i = 0; i < SMILE_STATIC_EVENTS; i++)
		smile_card_write(card, SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT,
				 tables->event[i]);
	/* Last, so that what a counter counts is there when it becomes active. */
	for (i = 0; i < card->static_counters; i++)
		smile_card_write(card, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER,
				 tables->counter[i]);
}

/*
 * Write the tables; the card is at rest. @card: card with a static array. Each counter is then
 * active, or waits for its event, as after a reset. Return: 0; -EINVAL if the card refused them,
 * with the old ones in force; -ENODEV.
 */
int smile_static_store(struct smile_card *card, const struct smile_static *tables)
{
	u32 status;
	int ret;

	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	static_write(card, tables);
	ret = smile_card_status(card, &status);
	if (ret)
		return ret;
	if (status & SMILE_STATUS_BAD_WRITE) {
		dev_dbg(&card->pdev->dev, "the card refused the static array's tables\n");
		static_write(card, &card->tables);
		smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
		return -EINVAL;
	}
	card->tables = *tables;
	/* The caller's may be of another version. */
	card->tables.size = sizeof(card->tables);
	return 0;
}
