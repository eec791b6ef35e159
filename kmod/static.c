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

/**
 * smile_static_check() - Are tables ones that the card can have?
 * @card: card
 * @tables: tables
 *
 * Return: 0; -EINVAL if no card can; -EOPNOTSUPP if this one has no static array.
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

/**
 * smile_static_clear() - Note that a card's tables are empty.
 * @card: card, just reset
 */
void smile_static_clear(struct smile_card *card)
{
	card->tables = (struct smile_static){.size = sizeof(card->tables)};
}

/* One of the card's tables, and where it lies in struct smile_static. */
struct static_table {
	u32 reg;
	u32 stride;
	u32 entries;
	const u32 *words;
};

#define STATIC_TABLES 4

static void static_list(const struct smile_card *card, const struct smile_static *tables,
			struct static_table list[STATIC_TABLES])
{
	list[0] = (struct static_table){SMILE_REG_STATIC_PAGE, SMILE_STRIDE_STATIC_PAGE,
					SMILE_STATIC_PAGES, tables->page};
	list[1] = (struct static_table){SMILE_REG_STATIC_NODE, SMILE_STRIDE_STATIC_NODE,
					SMILE_STATIC_PAGES, tables->node};
	list[2] = (struct static_table){SMILE_REG_STATIC_EVENT, SMILE_STRIDE_STATIC_EVENT,
					SMILE_STATIC_EVENTS, tables->event};
	/* Last: what a counter counts is there when it becomes active. */
	list[3] = (struct static_table){SMILE_REG_STATIC_COUNTER, SMILE_STRIDE_STATIC_COUNTER,
					card->static_counters, tables->counter};
}

static void static_write(struct smile_card *card, const struct smile_static *tables)
{
	struct static_table list[STATIC_TABLES];
	unsigned int i, entry;

	static_list(card, tables, list);
	for (i = 0; i < STATIC_TABLES; i++) {
		for (entry = 0; entry < list[i].entries; entry++)
			smile_card_write(card, list[i].reg + entry * list[i].stride,
					 list[i].words[entry]);
	}
}

static bool static_holds(struct smile_card *card, const struct smile_static *tables)
{
	struct static_table list[STATIC_TABLES];
	unsigned int i, entry;

	static_list(card, tables, list);
	for (i = 0; i < STATIC_TABLES; i++) {
		for (entry = 0; entry < list[i].entries; entry++) {
			if (smile_card_read(card, list[i].reg + entry * list[i].stride) !=
			    list[i].words[entry])
				return false;
		}
	}
	return true;
}

/**
 * smile_static_store() - Write the tables; the card is at rest.
 * @card: card with a static array
 * @tables: checked tables
 *
 * Each counter is then active, or waits for its event, as on the first day.
 *
 * Return: 0; -EINVAL if the card refused them, with the old ones in force; -ENODEV.
 */
int smile_static_store(struct smile_card *card, const struct smile_static *tables)
{
	bool taken;
	u32 status;
	int ret;

	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	static_write(card, tables);
	taken = static_holds(card, tables);
	ret = smile_card_status(card, &status);
	if (ret)
		return ret;
	if (taken && !(status & SMILE_STATUS_BAD_WRITE)) {
		card->tables = *tables;
		/* The caller's may be of another version. */
		card->tables.size = sizeof(card->tables);
		return 0;
	}
	dev_dbg(&card->pdev->dev, "the card refused the static array's tables\n");
	static_write(card, &card->tables);
	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	return -EINVAL;
}
