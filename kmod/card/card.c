// SPDX-License-Identifier: GPL-2.0-only
/*
 * The card's registers: identity, configuration, counters, clock, and detection of an absent card.
 *
 * What lives here: all accesses to BAR0, except accesses to the ring's pointers and to the
 * interrupt registers. No function uses an open file. May use: the register map, and only the size
 * of the ring.
 */
#include <linux/bitfield.h>
#include <linux/dev_printk.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/string.h>

#include "smile_monitor.h"

/* The oldest minor version of the register map with watermark, latency and all modes. */
#define CARD_MINOR_MIN 1

/*
 * Defaults, which replace a watermark or a latency of 0. The card interrupts when a quarter of the
 * ring is used, so that three quarters are left for a slow reader, or 10 ms after the first unread
 * record. The driver therefore need not poll the card.
 */
#define CARD_WATERMARK_PART 4
#define CARD_LATENCY_US 10000

#define CARD_COUNT(_name)                                                                          \
	{                                                                                          \
		.name = #_name, .offset = offsetof(struct smile_statistics, _name)                 \
	}

/* All counters, in the order of their registers. */
const struct smile_count smile_card_counts[SMILE_COUNTS] = {
	CARD_COUNT(packets_seen),     CARD_COUNT(packets_malformed), CARD_COUNT(packets_unmatched),
	CARD_COUNT(packets_filtered), CARD_COUNT(packets_event),     CARD_COUNT(events_accepted),
	CARD_COUNT(events_lost),      CARD_COUNT(events_delivered),  CARD_COUNT(marks_lost),
	CARD_COUNT(extensions),	      CARD_COUNT(records_written),   CARD_COUNT(clock_ns),
	CARD_COUNT(static_counted),   CARD_COUNT(static_delivered),
};

/*
 * Check whether @value, which was read from a register, is all ones. Return: true if it is. In this
 * case, the function has frozen the card, and the caller must return -ENODEV.
 */
bool smile_card_absent(struct smile_card *card, u32 value)
{
	if (likely(value != SMILE_REG_ABSENT))
		return false;
	smile_recovery_suspect(card);
	return true;
}

/* Read STATUS into @status. If @status is NULL, only check whether the card answers. */
int smile_card_status(struct smile_card *card, u32 *status)
{
	u32 value = smile_card_read(card, SMILE_REG_STATUS);

	if (smile_card_absent(card, value))
		return -ENODEV;
	if (status)
		*status = value;
	return 0;
}

/*
 * Check whether the card has rejected a write since BAD_WRITE was cleared. Return: -EINVAL if the
 * card has rejected a write.
 */
int smile_card_refusal(struct smile_card *card)
{
	u32 status;
	int ret = smile_card_status(card, &status);

	if (ret || !(status & SMILE_STATUS_BAD_WRITE))
		return ret;
	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	return -EINVAL;
}

#define CARD_INDEX(reg) (((reg)-SMILE_COUNT_FIRST) / sizeof(u64))

/*
 * Read a counter. Reading its low half latches its high half, and only the last counter that was
 * read is latched.
 */
static int card_count(struct smile_card *card, unsigned int index, u64 *count)
{
	u32 low, high, reg = SMILE_COUNT_FIRST + index * sizeof(u64);

	lockdep_assert_held(&card->latch);
	low = smile_card_read(card, reg);
	high = smile_card_read(card, reg + 4);
	/* The high half of a counter never reaches all ones, but the low half can. */
	if (smile_card_absent(card, high))
		return -ENODEV;
	if (low == SMILE_REG_ABSENT &&
	    smile_card_absent(card, smile_card_read(card, SMILE_REG_STATUS)))
		return -ENODEV;
	*count = (u64)high << 32 | low;
	return 0;
}

/* Read a counter's count for the stream, including counts before smile_card_forget(). */
int smile_card_count(struct smile_card *card, unsigned int index, u64 *count)
{
	int ret;

	guard(mutex)(&card->latch);
	ret = card_count(card, index, count);
	if (!ret)
		*count += card->earlier[index];
	return ret;
}

/* Read the low half of a counter in the card. Return: all ones if the card does not answer. */
u32 smile_card_count_low(struct smile_card *card, u32 reg)
{
	/*
	 * Take the lock, because this read must not come between another thread's reads of the low
	 * half and the high half.
	 */
	guard(mutex)(&card->latch);
	return smile_card_read(card, reg);
}

/* Read the card's clock and, at the same time, the system's clock. */
int smile_card_time(struct smile_card *card, struct smile_time *time)
{
	u64 before, after;
	int ret;

	*time = (struct smile_time){.size = sizeof(*time)};
	guard(mutex)(&card->latch);
	guard(irqsave)();
	before = ktime_get_raw_ns();
	ret = card_count(card, CARD_INDEX(SMILE_REG_CLOCK), &time->clock_ns);
	after = ktime_get_raw_ns();
	time->monotonic_raw_ns = before + (after - before) / 2;
	time->uncertainty_ns = (after - before + 1) / 2;
	return ret;
}

/* Stop the card's counting and its interrupts. Both have stopped when the function returns. */
static void card_quiesce(struct smile_card *card)
{
	smile_card_write(card, SMILE_REG_CONTROL, 0);
	smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
	smile_card_write(card, SMILE_REG_INT_STATUS, SMILE_INT_ALL);
	/* Reading back flushes the posted writes. */
	smile_card_read(card, SMILE_REG_INT_ENABLE);
}

/*
 * Stop the card, disable its interrupts, and RESET it. The counts so far remain part of the
 * stream's counts. card.config keeps the last configuration. After the function has returned, the
 * card writes nothing to host memory. Its clock restarts, so the times in records are not
 * continuous.
 */
void smile_card_forget(struct smile_card *card)
{
	u64 count[SMILE_COUNTS] = {};
	unsigned int i;
	int ret = 0;

	card_quiesce(card);
	/* Hold the latch throughout, so that a reader finds each count included exactly once. */
	guard(mutex)(&card->latch);
	for (i = 0; i < SMILE_COUNTS && !ret; i++)
		ret = card_count(card, i, &count[i]);
	count[CARD_INDEX(SMILE_REG_CLOCK)] = 0;
	smile_card_write(card, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	/* Reading back flushes the posted write. */
	smile_card_absent(card, smile_card_read(card, SMILE_REG_STATUS));
	for (i = 0; i < SMILE_COUNTS && !ret; i++)
		card->earlier[i] += count[i];
}

/*
 * Record that the counters restart at 0, because a stream begins, or because the card has lost its
 * state during a stream (@lost). The count of records is known: it continues at @head.
 */
void smile_card_restart(struct smile_card *card, bool lost, u64 head)
{
	guard(mutex)(&card->latch);
	WRITE_ONCE(card->resets, lost ? card->resets + 1 : 0);
	memset(card->earlier, 0, sizeof(card->earlier));
	card->earlier[CARD_INDEX(SMILE_REG_COUNT_RECORDS)] = head;
}

/* Check that the driver supports this card, and read its capabilities. Return: 0 or -ENODEV. */
int smile_card_identify(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;
	u32 capability, id, log2;

	id = smile_card_read(card, SMILE_REG_ID);
	if (id != SMILE_ID_VALUE) {
		dev_err(dev, "ID reads 0x%08x: not a SMiLE Monitor, or not working\n", id);
		return -ENODEV;
	}
	card->version = smile_card_read(card, SMILE_REG_VERSION);
	if ((card->version & SMILE_VERSION_MAJOR) != (SMILE_VERSION_VALUE & SMILE_VERSION_MAJOR) ||
	    FIELD_GET(SMILE_VERSION_MINOR, card->version) < CARD_MINOR_MIN)
		return dev_err_probe(
			dev, -ENODEV,
			"register map version 0x%08x, not 1.1 or a later minor: update the %s\n",
			card->version, card->version < SMILE_VERSION_VALUE ? "card" : "driver");
	capability = smile_card_read(card, SMILE_REG_CAPABILITY);
	card->entries_max = FIELD_GET(SMILE_CAPABILITY_ENTRIES, capability);
	/* The driver does not use counters for which struct smile_static has no room. */
	card->static_counters =
		min_t(u32, FIELD_GET(SMILE_CAPABILITY_STATIC, capability), SMILE_STATIC_COUNTERS);
	if (capability & SMILE_CAPABILITY_TIMER)
		card->features |= SMILE_FEATURE_TIMER;
	/* smile_ring_attach() clears this feature if the machine does not support it. */
	if (capability & SMILE_CAPABILITY_DMA)
		card->features |= SMILE_FEATURE_HOST_RING;
	log2 = FIELD_GET(SMILE_CAPABILITY_RING, capability);
	card->ram_words = BIT(log2);
	/* In a ring of fewer than two records, a full ring would look like an empty one. */
	if (card->entries_max < SMILE_ENTRIES_MIN || card->entries_max > SMILE_ENTRIES_MAX ||
	    log2 < 3 || log2 > 20 ||
	    card->ram_words * 4ULL > pci_resource_len(card->pdev, SMILE_BAR_RING))
		return dev_err_probe(dev, -ENODEV, "CAPABILITY reads 0x%08x: check its firmware\n",
				     capability);
	return 0;
}

/*
 * Get the number of unread records at which the card interrupts immediately. If fewer records are
 * unread, it interrupts when the latency has passed.
 */
u32 smile_card_watermark(const struct smile_card *card, const struct smile_config *config)
{
	bool host = config->mode & SMILE_MODE_HOST_RING;
	u32 room = host ? card->ring.records : card->ram_words / SMILE_RECORD_WORDS;

	return config->watermark_records ?: max(room / CARD_WATERMARK_PART, 1u);
}

static void card_store(struct smile_card *card, const struct smile_config *config)
{
	smile_card_write(card, SMILE_REG_NODE, config->node);
	smile_card_write(card, SMILE_REG_FILTER, config->filter);
	smile_card_write(card, SMILE_REG_MODE, config->mode);
	smile_card_write(card, SMILE_REG_MAX_RANGE, config->max_range_bytes);
	smile_card_write(card, SMILE_REG_ENTRIES, config->entries);
	smile_card_write(card, SMILE_REG_PHASE_EVENTS, config->phase_events);
	if (card->features & SMILE_FEATURE_TIMER) {
		smile_card_write(card, SMILE_REG_TIMER_PERIOD, config->timer_us);
		smile_card_write(card, SMILE_REG_TIMER_EVENT, config->timer_event);
		smile_card_write(card, SMILE_REG_TIME_PERIOD, config->time_us);
	}
	/* Write these registers after MODE, because MODE selects the ring to which they apply. */
	smile_card_write(card, SMILE_REG_RING_WATERMARK, smile_card_watermark(card, config));
	smile_card_write(card, SMILE_REG_RING_LATENCY, config->latency_us ?: CARD_LATENCY_US);
}

/* Reset the card. card.config and card.tables keep the stream's values. */
int smile_card_reset(struct smile_card *card)
{
	card_quiesce(card);
	smile_card_write(card, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	return smile_card_status(card, NULL);
}

/*
 * Read the configuration that is in force after a reset into card.config, and clear the tables.
 * Return: 0 or -ENODEV.
 */
int smile_card_defaults(struct smile_card *card)
{
	card->tables = (struct smile_static){.size = sizeof(card->tables)};
	/* Watermark and latency stay 0, which selects the driver's defaults. */
	card->config = (struct smile_config){
		.size = sizeof(card->config),
		.node = smile_card_read(card, SMILE_REG_NODE),
		.filter = smile_card_read(card, SMILE_REG_FILTER),
		.mode = smile_card_read(card, SMILE_REG_MODE),
		.max_range_bytes = smile_card_read(card, SMILE_REG_MAX_RANGE),
		.entries = smile_card_read(card, SMILE_REG_ENTRIES),
		.phase_events = smile_card_read(card, SMILE_REG_PHASE_EVENTS),
	};
	/* After a reset, the registers of watermark and latency are 0, so write the defaults. */
	card_store(card, &card->config);
	/* If the registers read as all ones, the card does not answer. */
	return smile_card_status(card, NULL);
}

/* Check whether a time of a configuration is too short. */
static bool card_hasty(u32 us)
{
	return us && us < SMILE_PERIOD_US_MIN;
}

/*
 * Check whether a configuration is possible. The card itself would reject it only after its arrays
 * have been swapped out. Return: 0; -EINVAL if no card supports it; -EOPNOTSUPP if this card does
 * not support it.
 */
int smile_card_check(const struct smile_card *card, const struct smile_config *config)
{
	if (config->reserved || memchr_inv(config->reserved2, 0, sizeof(config->reserved2)) ||
	    config->node & ~SMILE_NODE_ID || config->filter & ~SMILE_FILTER_ALL ||
	    config->mode & ~SMILE_MODE_ALL || config->max_range_bytes < SMILE_MAX_RANGE_MIN ||
	    config->max_range_bytes > SMILE_MAX_RANGE_MAX ||
	    config->max_range_bytes % SMILE_WORD_BYTES || config->entries < SMILE_ENTRIES_MIN ||
	    config->entries > card->entries_max ||
	    config->phase_events & ~SMILE_PHASE_EVENTS_MASK ||
	    config->timer_event & ~SMILE_TIMER_EVENT_ID ||
	    config->watermark_records > SMILE_DMA_RECORDS_MAX || card_hasty(config->timer_us) ||
	    card_hasty(config->time_us) || card_hasty(config->latency_us))
		return -EINVAL;
	if ((config->mode & SMILE_MODE_STATIC && !card->static_counters) ||
	    (config->mode & SMILE_MODE_HOST_RING && !(card->features & SMILE_FEATURE_HOST_RING)) ||
	    ((config->timer_us || config->timer_event || config->time_us) &&
	     !(card->features & SMILE_FEATURE_TIMER)))
		return -EOPNOTSUPP;
	return 0;
}

/*
 * Write a configuration. The card must be stopped and empty. Return: 0; -EINVAL if the card
 * rejected the configuration, and the old one is still in force; -ENODEV.
 */
int smile_card_configure(struct smile_card *card, const struct smile_config *config)
{
	int ret;

	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	card_store(card, config);
	ret = smile_card_refusal(card);
	if (ret == -EINVAL)
		card_store(card, &card->config);
	if (ret)
		return ret;
	card->config = *config;
	/* The caller's structure may have the size of another version. */
	card->config.size = sizeof(card->config);
	return 0;
}

/* ---- the static array's tables: pages, events, counters ---- */

/*
 * Check whether the tables are possible. The card itself would reject them only after its arrays
 * have been swapped out. Return: 0; -EINVAL if no card supports them; -EOPNOTSUPP if the card has
 * no static array.
 */
int smile_static_check(const struct smile_card *card, const struct smile_static *tables)
{
	u32 counters = card->static_counters, i;
	bool bad = tables->reserved;

	for (i = 0; i < SMILE_STATIC_PAGES; i++)
		bad |= tables->page[i] & ~SMILE_STATIC_PAGE_ALL || tables->node[i] & ~SMILE_NODE_ID;
	BUILD_BUG_ON(SMILE_STATIC_EVENTS != SMILE_STATIC_COUNTERS);
	for (i = 0; i < SMILE_STATIC_EVENTS; i++)
		bad |= tables->event[i] & ~SMILE_STATIC_EVENT_ALL ||
		       FIELD_GET(SMILE_STATIC_EVENT_TOP, tables->event[i]) <
			       FIELD_GET(SMILE_STATIC_EVENT_BOTTOM, tables->event[i]) ||
		       tables->counter[i] & ~SMILE_STATIC_COUNTER_ALL ||
		       (counters && i >= counters && tables->counter[i]);
	if (bad)
		return -EINVAL;
	return counters ? 0 : -EOPNOTSUPP;
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
	/*
	 * Write the counters last. When a counter becomes active, its page and its event must be
	 * set.
	 */
	for (i = 0; i < card->static_counters; i++)
		smile_card_write(card, SMILE_REG_STATIC_COUNTER + i * SMILE_STRIDE_STATIC_COUNTER,
				 tables->counter[i]);
}

/*
 * Write the tables. The card must have a static array, and must be stopped and empty. After this
 * function, each counter is active, or waits for its event, as after a reset. Return: 0; -EINVAL if
 * the card rejected the tables, and the old ones are still in force; -ENODEV.
 */
int smile_static_store(struct smile_card *card, const struct smile_static *tables)
{
	int ret;

	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	static_write(card, tables);
	ret = smile_card_refusal(card);
	if (ret == -EINVAL)
		static_write(card, &card->tables);
	if (ret)
		return ret;
	card->tables = *tables;
	/* The caller's structure may have the size of another version. */
	card->tables.size = sizeof(card->tables);
	return 0;
}
