// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static counters' account, for perf: 64-bit totals of what the card counts in 16 bits.
 *
 *	 OVERFLOW, STATIC               total[i]
 *	...[ ring in the card's RAM ] --collect--> (+) --> count
 *	STATIC_VALUE[i] ------------------------->  |
 *
 * What lives here: setting up a card that works for perf, its tables, collecting its records,
 * reading a counter. May use: the registers through card.c, irq.c's enabling. Knows nothing of
 * perf.
 *
 * Nothing is lost while the ring is full: the card then keeps the OVERFLOW records that its
 * counters owe, and writes them as soon as RING_READ goes on, before it answers another access. So
 * whoever finds the ring not full knows that nothing is owed.
 */
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/pci.h>

#include "compat.h"
#include "pmu.h"

#define TALLY_MODE (SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC)

/*
 * The card interrupts when a part of its ring is full, so that a read with interrupts off finds
 * few records to be collected first.
 */
#define TALLY_WATERMARK_PART 16

/* In fills of the card's ring: one that has more to say than that at once has gone mad. */
#define TALLY_FILLS_MAX 4

/* A swap of so few counters takes microseconds: about one a try. */
#define TALLY_TRIES 1000

static struct smile_config tally_config(const struct smile_card *card)
{
	struct smile_config config = card->config;

	config.mode = TALLY_MODE;
	config.watermark_records = card->ram_words / SMILE_RECORD_WORDS / TALLY_WATERMARK_PART;
	config.latency_us = 0;
	return config;
}

/**
 * smile_tally_possible() - Can a card's static counters work by themselves?
 * @card: identified card
 *
 * Not those of version 1.0.
 */
bool smile_tally_possible(const struct smile_card *card)
{
	struct smile_config config = tally_config(card);

	return card->static_counters && !smile_card_check(card, &config);
}

/**
 * smile_tally_works() - Is there a card to be asked?
 * @tally: account, locked
 *
 * It may be asleep.
 */
bool smile_tally_works(const struct smile_tally *tally)
{
	lockdep_assert_held(&tally->lock);
	return tally->card && smile_card_alive(tally->card) && smile_card_sane(tally->card);
}

/* Where printing and waking up is allowed. */
static void tally_tell(struct irq_work *work)
{
	struct smile_tally *tally = container_of(work, struct smile_tally, trouble);
	struct smile_card *card;
	unsigned long flags;

	raw_spin_lock_irqsave(&tally->lock, flags);
	card = tally->culprit;
	tally->culprit = NULL;
	raw_spin_unlock_irqrestore(&tally->lock, flags);
	if (!card)
		return;
	if (!smile_card_alive(card)) {
		dev_err(&card->pdev->dev, "reads as all ones: the card is gone; reseat it\n");
		smile_card_kill(card);
	} else {
		dev_err(&card->pdev->dev,
			"static counters say what cannot be: end perf and begin anew\n");
		smile_ring_break(card);
	}
}

/* Return: the error. */
static int tally_fail(struct smile_tally *tally, int error)
{
	struct smile_card *card = tally->card;

	if (error == -ENODEV && smile_card_returns(card))
		return error;
	set_bit(error == -ENODEV ? SMILE_FLAG_DEAD : SMILE_FLAG_BROKEN, &card->flags);
	tally->culprit = card;
	irq_work_queue(&tally->trouble);
	return error;
}

/* Read a register that is never all ones. Return: 0, or -ENODEV. */
static int tally_read(struct smile_tally *tally, u32 reg, u32 *value)
{
	*value = smile_card_read(tally->card, reg);
	if (likely(*value != SMILE_REG_ABSENT))
		return 0;
	if (smile_card_read(tally->card, SMILE_REG_ID) != SMILE_ID_VALUE)
		return tally_fail(tally, -ENODEV);
	return tally_fail(tally, -EIO);
}

/* How many records wait in the card's RAM, or -errno. */
static int tally_waiting(struct smile_tally *tally)
{
	struct smile_card *card = tally->card;
	u32 words, write;
	int ret;

	ret = tally_read(tally, SMILE_REG_RING_WRITE, &write);
	if (ret)
		return ret;
	words = (write - tally->card_read) & (2 * card->ram_words - 1);
	if (write >= 2 * card->ram_words || write % SMILE_RECORD_WORDS || words > card->ram_words)
		return tally_fail(tally, -EIO);
	return words / SMILE_RECORD_WORDS;
}

/* Add one record's count; of EVENT, TIME and LOST nobody wants to know. Return: 0, or -EIO. */
static int tally_add(struct smile_tally *tally)
{
	struct smile_card *card = tally->card;
	void __iomem *record = card->ram + (tally->card_read & (card->ram_words - 1)) * 4;
	u32 word = ioread32(record);
	u32 index;

	switch (SMILE_GET(SMILE_RECORD_KIND, word)) {
	case SMILE_KIND_STATIC:
	case SMILE_KIND_OVERFLOW:
		index = SMILE_GET(SMILE_RECORD_INDEX, ioread32(record + 3 * 4));
		if (index >= card->static_counters)
			return tally_fail(tally, -EIO);
		tally->total[index] += SMILE_GET(SMILE_RECORD_COUNT, word);
	}
	tally->card_read += SMILE_RECORD_WORDS;
	tally->card_read &= 2 * card->ram_words - 1;
	return 0;
}

/**
 * smile_tally_collect() - Add up what the card's ring holds, and make room in it.
 * @tally: account, locked, with a card that works and is awake
 * @budget: records at most
 *
 * Return: 0 if all is collected that had left the counters at some instant during the call; 1 if
 * the budget did not suffice; -EIO; -ENODEV.
 */
int smile_tally_collect(struct smile_tally *tally, u32 budget)
{
	struct smile_card *card = tally->card;

	lockdep_assert_held(&tally->lock);
	for (;;) {
		int waiting = tally_waiting(tally);
		u32 count, i;
		int ret;

		if (waiting <= 0)
			return waiting;
		count = min_t(u32, waiting, budget);
		for (i = 0; i < count; i++) {
			ret = tally_add(tally);
			if (ret)
				return ret;
		}
		/* An ioread32() is done before this: what was read may be overwritten. */
		smile_card_write(card, SMILE_REG_RING_READ, tally->card_read);
		budget -= count;
		if (count < waiting)
			return 1;
		/* A ring that was full may have more in a moment: what was owed. */
		if (waiting < card->ram_words / SMILE_RECORD_WORDS)
			return 0;
	}
}

static int tally_settle(struct smile_tally *tally)
{
	u32 budget = TALLY_FILLS_MAX * tally->card->ram_words / SMILE_RECORD_WORDS;
	int ret = smile_tally_collect(tally, budget);

	return ret > 0 ? tally_fail(tally, -EIO) : ret;
}

/**
 * smile_tally_count() - What has a counter counted, at some instant during the call?
 * @tally: account, locked, with a card that works
 * @i: static counter
 * @count: receives it; never less than before
 *
 * If the counter overflows while it is read, the count is that of the overflow's instant, when
 * the counter held 0. So nothing has to be tried again.
 *
 * Return: 0; -EIO; -ENODEV.
 */
int smile_tally_count(struct smile_tally *tally, unsigned int i, u64 *count)
{
	u64 *total = &tally->total[i];
	u32 value = 0;
	u64 before;
	int ret;

	lockdep_assert_held(&tally->lock);
	/* While it sleeps it counts nothing, and what it had counted was collected. */
	if (!tally->asleep) {
		ret = tally_settle(tally);
		if (ret)
			return ret;
		before = *total;
		ret = tally_read(tally, SMILE_REG_STATIC_VALUE + i * SMILE_STRIDE_STATIC_VALUE,
				 &value);
		if (ret)
			return ret;
		ret = tally_settle(tally);
		if (ret)
			return ret;
		value = *total == before ? SMILE_GET(SMILE_VALUE_COUNT, value) : 0;
	}
	if (*total + value < tally->told[i])
		return tally_fail(tally, -EIO);
	tally->told[i] = *total + value;
	*count = tally->told[i];
	return 0;
}

/* Stop the card and take everything out of its counters: afterwards it is at rest. */
static int tally_rest(struct smile_tally *tally)
{
	struct smile_card *card = tally->card;
	unsigned int try;
	u32 status;
	int ret;

	smile_card_write(card, SMILE_REG_CONTROL, 0);
	smile_card_write(card, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP_STATIC);
	for (try = 0; try < TALLY_TRIES; try++) {
		ret = tally_settle(tally);
		if (ret)
			return ret;
		ret = tally_read(tally, SMILE_REG_STATUS, &status);
		if (ret)
			return ret;
		/* What it wrote before it said so is there, too. */
		if (!(status & SMILE_STATUS_SWAPPING))
			return tally_settle(tally);
		udelay(1);
	}
	return tally_fail(tally, -EIO);
}

/* Where the words of a counter lie in smile_card.tables. */
static struct smile_watch tally_words(const struct smile_tally *tally, unsigned int i)
{
	const struct smile_static *tables = &tally->card->tables;

	return (struct smile_watch){
		.page = tables->page[i],
		.node = tables->node[i],
		.event = tables->event[i],
		.counter = tables->counter[i],
	};
}

static bool tally_same(const struct smile_watch *a, const struct smile_watch *b)
{
	return a->page == b->page && a->node == b->node && a->event == b->event &&
	       a->counter == b->counter;
}

/**
 * smile_tally_holds() - Does a counter watch this already?
 * @tally: account, locked, with a card that works
 * @i: static counter
 * @watch: words
 */
bool smile_tally_holds(const struct smile_tally *tally, unsigned int i,
		       const struct smile_watch *watch)
{
	struct smile_watch words = tally_words(tally, i);

	return tally_same(&words, watch);
}

/* Write a counter's words, and look whether the card has them. */
static bool tally_write(struct smile_tally *tally, unsigned int i, const struct smile_watch *watch)
{
	const u32 page = SMILE_REG_STATIC_PAGE + i * SMILE_STRIDE_STATIC_PAGE;
	const u32 node = SMILE_REG_STATIC_NODE + i * SMILE_STRIDE_STATIC_NODE;
	const u32 event = SMILE_REG_STATIC_EVENT + i * SMILE_STRIDE_STATIC_EVENT;
	const u32 counter = SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER;
	struct smile_card *card = tally->card;
	struct smile_static *tables = &card->tables;
	struct smile_watch found;

	smile_card_write(card, page, watch->page);
	smile_card_write(card, node, watch->node);
	smile_card_write(card, event, watch->event);
	smile_card_write(card, counter, watch->counter);
	found = (struct smile_watch){
		.page = smile_card_read(card, page),
		.node = smile_card_read(card, node),
		.event = smile_card_read(card, event),
		.counter = smile_card_read(card, counter),
	};
	tables->page[i] = found.page;
	tables->node[i] = found.node;
	tables->event[i] = found.event;
	tables->counter[i] = found.counter;
	return tally_same(&found, watch);
}

/**
 * smile_tally_store() - Give counters something else to watch.
 * @tally: account, locked, with a card that works and is awake
 * @watch: words of each counter
 * @mask: the counters that are meant
 *
 * The card is stopped meanwhile: no counter counts. Those that are meant hold 0 afterwards, but for
 * their totals.
 *
 * Return: 0; -EIO; -ENODEV.
 */
int smile_tally_store(struct smile_tally *tally, const struct smile_watch *watch,
		      unsigned long mask)
{
	struct smile_card *card = tally->card;
	unsigned int i;
	bool taken = true;
	u32 status;
	int ret;

	lockdep_assert_held(&tally->lock);
	ret = tally_rest(tally);
	if (ret)
		return ret;
	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	for_each_set_bit(i, &mask, card->static_counters)
		taken &= tally_write(tally, i, &watch[i]);
	ret = tally_read(tally, SMILE_REG_STATUS, &status);
	if (ret)
		return ret;
	if (!taken || status & SMILE_STATUS_BAD_WRITE)
		return tally_fail(tally, -EIO);
	smile_card_write(card, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	/* Reading back pushes the posted write out: it counts from here on. */
	return tally_read(tally, SMILE_REG_CONTROL, &status);
}

/* Reset a card and let its static counters, which watch nothing yet, work by themselves. */
static int tally_prepare(struct smile_card *card, u32 *card_read)
{
	struct smile_config config;
	int ret;

	ret = smile_card_reset(card);
	if (ret)
		return ret;
	config = tally_config(card);
	ret = smile_card_configure(card, &config);
	if (ret)
		return ret == -EINVAL ? -EIO : ret;
	*card_read = smile_card_read(card, SMILE_REG_RING_READ);
	if (smile_card_absent(card, *card_read))
		return -ENODEV;
	return *card_read >= 2 * card->ram_words || *card_read % SMILE_RECORD_WORDS ? -EIO : 0;
}

/**
 * smile_tally_open() - Let a card count for perf.
 * @tally: account, without a card
 * @card: card without an owner, within the gate
 *
 * Return: 0; -EIO if the card says impossible things; -ENODEV.
 */
int smile_tally_open(struct smile_tally *tally, struct smile_card *card)
{
	unsigned long flags;
	u32 card_read;
	int ret;

	lockdep_assert_held(&card->control);
	mutex_lock(&card->ring.lock);
	clear_bit(SMILE_FLAG_BROKEN, &card->flags);
	atomic64_set(&card->interrupts, 0);
	ret = tally_prepare(card, &card_read);
	if (!ret) {
		smile_card_begin_counts(card);
		raw_spin_lock_irqsave(&tally->lock, flags);
		tally->card = card;
		tally->asleep = false;
		tally->card_read = card_read;
		memset(tally->total, 0, sizeof(tally->total));
		memset(tally->told, 0, sizeof(tally->told));
		smile_static_clear(card);
		raw_spin_unlock_irqrestore(&tally->lock, flags);
		WRITE_ONCE(card->counted, true);
		WRITE_ONCE(card->running, true);
		smile_irq_enable(card);
	}
	mutex_unlock(&card->ring.lock);
	return ret;
}

/**
 * smile_tally_close() - Stop the card and let go of it.
 * @tally: account with a card
 *
 * What it has counted can be asked until it is reset, as after an owner's close.
 */
void smile_tally_close(struct smile_tally *tally)
{
	struct smile_card *card = tally->card;
	unsigned long flags;
	bool awake;

	lockdep_assert_held(&card->control);
	mutex_lock(&card->ring.lock);
	raw_spin_lock_irqsave(&tally->lock, flags);
	awake = smile_card_alive(card) && !tally->asleep;
	tally->card = NULL;
	raw_spin_unlock_irqrestore(&tally->lock, flags);
	/* Nobody but us touches its registers any more, and no interrupt is enabled again. */
	WRITE_ONCE(card->counted, false);
	WRITE_ONCE(card->running, false);
	if (awake) {
		smile_card_quiesce(card);
		smile_card_forget(card);
	}
	mutex_unlock(&card->ring.lock);
	/* The card may go now. */
	irq_work_sync(&tally->trouble);
}

/**
 * smile_tally_suspend() - Collect what the card has counted, and touch it no more.
 * @tally: account, locked, with a card that works and is awake
 *
 * Return: 0; -EIO or -ENODEV if it could not be collected.
 */
int smile_tally_suspend(struct smile_tally *tally)
{
	int ret = tally_rest(tally);

	smile_tally_freeze(tally);
	return ret;
}

/**
 * smile_tally_freeze() - The card cannot be asked any more: go on from what was last told.
 * @tally: account, locked, with a card
 */
void smile_tally_freeze(struct smile_tally *tally)
{
	unsigned int i;

	lockdep_assert_held(&tally->lock);
	tally->asleep = true;
	for (i = 0; i < SMILE_STATIC_COUNTERS; i++)
		tally->total[i] = max(tally->total[i], tally->told[i]);
}

/**
 * smile_tally_resume() - Take up work with a card that has lost its state.
 * @tally: account with a card that works and is asleep
 *
 * Its counters watch nothing until smile_tally_store().
 *
 * Return: 0; -EIO, and the card is not believed any more; -ENODEV.
 */
int smile_tally_resume(struct smile_tally *tally)
{
	struct smile_card *card = tally->card;
	unsigned long flags;
	u32 card_read;
	int ret;

	lockdep_assert_held(&card->control);
	mutex_lock(&card->ring.lock);
	ret = tally_prepare(card, &card_read);
	if (!ret) {
		raw_spin_lock_irqsave(&tally->lock, flags);
		smile_static_clear(card);
		tally->card_read = card_read;
		tally->asleep = false;
		raw_spin_unlock_irqrestore(&tally->lock, flags);
		smile_irq_enable(card);
	} else if (ret == -EIO) {
		smile_ring_break(card);
	}
	mutex_unlock(&card->ring.lock);
	return ret;
}

/**
 * smile_tally_init() - Make an account.
 * @tally: account, otherwise zero
 */
void smile_tally_init(struct smile_tally *tally)
{
	raw_spin_lock_init(&tally->lock);
	init_irq_work(&tally->trouble, tally_tell);
}
