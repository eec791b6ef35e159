// SPDX-License-Identifier: GPL-2.0-only
/*
 * The card's registers: identity, configuration, counters, and how its absence shows.
 *
 * What lives here: all that is said to BAR0 besides the static array's tables, the ring's pointers
 * and the interrupt. May use: the register map; knows nothing of files, and of the ring only its
 * size.
 */
#include <linux/dev_printk.h>
#include <linux/io.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "compat.h"
#include "smile_monitor.h"
#include "trace.h"

/* The first minor version with watermark, latency, and all modes that need no CAPABILITY. */
#define CARD_MINOR_HOST 1

#define CARD_INTERRUPTS_0 (SMILE_INT_RING_FULL | SMILE_INT_LINK)
#define CARD_MODES_0 (SMILE_MODE_TYPED_TAGS | SMILE_MODE_ALIGNED | SMILE_MODE_FAITHFUL_TABLE)

/*
 * What the driver chooses: wake up for a quarter of the ring, so that three are left for a reader,
 * or for the copying, that comes late. With a ring in host memory also after 10 ms, since it is the
 * number of interrupts that costs time, and who counts accesses is in no hurry.
 */
#define CARD_WATERMARK_PART 4
#define CARD_LATENCY_US 10000

static bool card_knows_watermark(const struct smile_card *card)
{
	return SMILE_GET(SMILE_VERSION_MINOR, card->version) >= CARD_MINOR_HOST;
}

u32 smile_card_read(struct smile_card *card, u32 reg)
{
	return ioread32(card->regs + reg);
}

void smile_card_write(struct smile_card *card, u32 reg, u32 value)
{
	iowrite32(value, card->regs + reg);
}

/**
 * smile_card_kill() - From now on the card is not to be used: every call answers -ENODEV.
 * @card: card
 */
void smile_card_kill(struct smile_card *card)
{
	set_bit(SMILE_FLAG_DEAD, &card->flags);
	/* The barriers of set_bit and of the wait queue's lock let no sleeper miss the flag. */
	smp_mb__after_atomic();
	/* Those as well who asked to be woken one at a time. */
	wake_up_all(&card->wait);
}

/**
 * smile_card_returns() - Does a card that does not answer wait for the reset of its bus?
 * @card: card
 *
 * The PCI core knows. A card that was pulled does not come back, whatever state its channel has.
 */
bool smile_card_returns(const struct smile_card *card)
{
	return READ_ONCE(card->pdev->error_state) == pci_channel_io_frozen;
}

/**
 * smile_card_absent() - Does a register's value say that the card is gone?
 * @card: card
 * @value: what was read from a register that is never all ones
 *
 * A read from a card that was pulled, or whose bus failed, returns all ones; the identity register
 * tells that from a card gone mad.
 *
 * Return: true if it is gone; nobody uses it from then on, unless a reset of the bus brings it
 * back.
 */
bool smile_card_absent(struct smile_card *card, u32 value)
{
	if (likely(value != SMILE_REG_ABSENT))
		return false;
	if (smile_card_read(card, SMILE_REG_ID) == SMILE_ID_VALUE)
		return false;
	if (smile_card_returns(card))
		return true;
	if (smile_card_alive(card))
		dev_err(&card->pdev->dev, "reads as all ones: the card is gone; reseat it\n");
	smile_card_kill(card);
	return true;
}

/**
 * smile_card_status() - Read STATUS.
 * @card: card
 * @status: receives it
 *
 * Return: 0, or -ENODEV.
 */
int smile_card_status(struct smile_card *card, u32 *status)
{
	u32 value = smile_card_read(card, SMILE_REG_STATUS);

	if (smile_card_absent(card, value))
		return -ENODEV;
	*status = value;
	return 0;
}

/* Where a counter has its place in smile_card.earlier. */
static unsigned int card_count_index(u32 reg)
{
	return (reg - SMILE_COUNT_FIRST) / sizeof(u64);
}

/* The low half latches the high one, of whichever counter was read last. */
static u64 card_count(struct smile_card *card, u32 reg)
{
	u32 low = smile_card_read(card, reg);

	lockdep_assert_held(&card->latch);
	return (u64)smile_card_read(card, reg + 4) << 32 | low;
}

/**
 * smile_card_count() - What has been counted for the stream, also before smile_card_forget().
 * @card: card
 * @reg: SMILE_REG_COUNT_*, or SMILE_REG_CLOCK, which is as the card says
 *
 * Return: it; meaningless if the card is gone.
 */
u64 smile_card_count(struct smile_card *card, u32 reg)
{
	u64 count, earlier;

	spin_lock(&card->latch);
	count = card_count(card, reg);
	earlier = card->earlier[card_count_index(reg)];
	if (count != U64_MAX)
		card->told[card_count_index(reg)] = earlier + count;
	spin_unlock(&card->latch);
	smile_card_absent(card, upper_32_bits(count));
	return earlier + count;
}

/**
 * smile_card_forget() - RESET, but what the card has counted goes on to be part of the counts.
 * @card: card, alive and silenced
 *
 * Of card.config nothing changes: it is what was configured last. From the return on the card
 * writes no more to host memory. Its clock begins anew.
 */
void smile_card_forget(struct smile_card *card)
{
	u64 count[SMILE_COUNTS] = {};
	unsigned int i;
	u32 reg, status;

	/* All at once: nobody finds a count twice, or not at all. */
	spin_lock(&card->latch);
	for (reg = SMILE_COUNT_FIRST; reg <= SMILE_COUNT_LAST; reg += sizeof(u64)) {
		/* Times in records are not continued, either. */
		if (reg != SMILE_REG_CLOCK)
			count[card_count_index(reg)] = card_count(card, reg);
	}
	smile_card_write(card, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	status = smile_card_read(card, SMILE_REG_STATUS);
	for (i = 0; i < SMILE_COUNTS && status != SMILE_REG_ABSENT; i++)
		card->earlier[i] += count[i];
	spin_unlock(&card->latch);
	smile_card_absent(card, status);
}

/**
 * smile_card_forgot() - The card was reset behind our back: go on from what was last told.
 * @card: card
 *
 * What it had counted since is not known. So no count goes back, but their sums need not hold.
 */
void smile_card_forgot(struct smile_card *card)
{
	unsigned int i;

	spin_lock(&card->latch);
	for (i = 0; i < SMILE_COUNTS; i++) {
		if (i != card_count_index(SMILE_REG_CLOCK))
			card->earlier[i] = max(card->earlier[i], card->told[i]);
	}
	spin_unlock(&card->latch);
}

/**
 * smile_card_begin_counts() - What was counted earlier is not this stream's.
 * @card: card, just reset
 */
void smile_card_begin_counts(struct smile_card *card)
{
	spin_lock(&card->latch);
	memset(card->earlier, 0, sizeof(card->earlier));
	memset(card->told, 0, sizeof(card->told));
	spin_unlock(&card->latch);
}

/**
 * smile_card_count_low() - Read the low half of a 64-bit counter, as the card has it.
 * @card: card
 * @reg: SMILE_REG_COUNT_*
 *
 * Return: it; all ones if the card is gone.
 */
u32 smile_card_count_low(struct smile_card *card, u32 reg)
{
	u32 low;

	/* Not between the two halves that somebody else is reading. */
	spin_lock(&card->latch);
	low = smile_card_read(card, reg);
	spin_unlock(&card->latch);
	return low;
}

/**
 * smile_card_interrupts() - The causes of an interrupt that the card knows.
 * @card: identified card
 *
 * Return: SMILE_INT_*
 */
u32 smile_card_interrupts(const struct smile_card *card)
{
	return card_knows_watermark(card) ? SMILE_INT_ALL : CARD_INTERRUPTS_0;
}

/**
 * smile_card_identify() - Is this a card that the driver knows, and what can it do?
 * @card: card with its registers mapped
 *
 * Return: 0; -ENODEV if it is none, or of another major version, or says impossible things.
 */
int smile_card_identify(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;
	u32 capability, id, log2;

	id = smile_card_read(card, SMILE_REG_ID);
	if (id != SMILE_ID_VALUE) {
		dev_err(dev, "ID reads 0x%08x, not 0x%08x: not a SMiLE Monitor, or not working\n",
			id, SMILE_ID_VALUE);
		return -ENODEV;
	}
	card->version = smile_card_read(card, SMILE_REG_VERSION);
	if ((card->version & SMILE_VERSION_MAJOR) != (SMILE_VERSION_VALUE & SMILE_VERSION_MAJOR)) {
		dev_err(dev,
			"register map version %u.%u, this driver knows %u.x: update the driver\n",
			SMILE_GET(SMILE_VERSION_MAJOR, card->version),
			SMILE_GET(SMILE_VERSION_MINOR, card->version),
			SMILE_GET(SMILE_VERSION_MAJOR, SMILE_VERSION_VALUE));
		return -ENODEV;
	}
	capability = smile_card_read(card, SMILE_REG_CAPABILITY);
	card->entries_max = SMILE_GET(SMILE_CAPABILITY_ENTRIES, capability);
	/* Those of a larger array that have no place in struct smile_static stay unused. */
	card->static_counters =
		min_t(u32, SMILE_GET(SMILE_CAPABILITY_STATIC, capability), SMILE_STATIC_COUNTERS);
	card->can_dma = capability & SMILE_CAPABILITY_DMA;
	card->features = capability & SMILE_CAPABILITY_TIMER ? SMILE_FEATURE_TIMER : 0;
	log2 = SMILE_GET(SMILE_CAPABILITY_RING, capability);
	card->ram_words = BIT(log2);
	/* A ring of less than two records could never tell full from empty by whole records. */
	if (card->entries_max < SMILE_ENTRIES_MIN || card->entries_max > SMILE_ENTRIES_MAX ||
	    log2 < 3 || log2 > 20 ||
	    card->ram_words * 4ULL > pci_resource_len(card->pdev, SMILE_BAR_RING)) {
		dev_err(dev, "CAPABILITY reads 0x%08x, which no card can be: check its firmware\n",
			capability);
		return -ENODEV;
	}
	return 0;
}

/**
 * smile_card_quiesce() - Stop counting and interrupting, and see to it that this has arrived.
 * @card: card
 */
void smile_card_quiesce(struct smile_card *card)
{
	smile_card_write(card, SMILE_REG_CONTROL, 0);
	smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
	smile_card_write(card, SMILE_REG_INT_STATUS, SMILE_INT_ALL);
	/* Writes are posted: reading back pushes them out. */
	smile_card_read(card, SMILE_REG_INT_ENABLE);
}

/* Watermark and latency are not among it: a zero in the configuration is the driver's choice. */
static void card_load(struct smile_card *card, struct smile_config *config)
{
	*config = (struct smile_config){
		.size = sizeof(*config),
		.node = smile_card_read(card, SMILE_REG_NODE),
		.filter = smile_card_read(card, SMILE_REG_FILTER),
		.mode = smile_card_read(card, SMILE_REG_MODE),
		.max_range_bytes = smile_card_read(card, SMILE_REG_MAX_RANGE),
		.entries = smile_card_read(card, SMILE_REG_ENTRIES),
		.phase_events = smile_card_read(card, SMILE_REG_PHASE_EVENTS),
	};
	if (card->features & SMILE_FEATURE_TIMER) {
		config->timer_us = smile_card_read(card, SMILE_REG_TIMER_PERIOD);
		config->timer_event = smile_card_read(card, SMILE_REG_TIMER_EVENT);
		config->time_us = smile_card_read(card, SMILE_REG_TIME_PERIOD);
	}
}

static u32 card_watermark(const struct smile_card *card, const struct smile_config *config)
{
	if (config->watermark_records)
		return config->watermark_records;
	if (config->mode & SMILE_MODE_HOST_RING)
		return card->ring.records / CARD_WATERMARK_PART;
	return card->ram_words / SMILE_RECORD_WORDS / CARD_WATERMARK_PART;
}

static u32 card_latency(const struct smile_config *config)
{
	if (config->latency_us || !(config->mode & SMILE_MODE_HOST_RING))
		return config->latency_us;
	return CARD_LATENCY_US;
}

/**
 * smile_card_patience() - How few records may be left to the next interrupt?
 * @card: card; with an open ring: that is locked
 *
 * Return: the number at which it comes at once; with fewer it comes within the latency. Without a
 * latency 1: nothing may be left to it.
 */
u32 smile_card_patience(const struct smile_card *card)
{
	const struct smile_config *config = &card->config;

	if (!card_knows_watermark(card) || !card_latency(config))
		return 1;
	return card_watermark(card, config);
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
	/* After MODE, which says which ring they are for. */
	if (card_knows_watermark(card)) {
		smile_card_write(card, SMILE_REG_RING_WATERMARK, card_watermark(card, config));
		smile_card_write(card, SMILE_REG_RING_LATENCY, card_latency(config));
	}
}

static bool card_holds(struct smile_card *card, const struct smile_config *config)
{
	struct smile_config got;

	card_load(card, &got);
	if (got.node != config->node || got.filter != config->filter || got.mode != config->mode ||
	    got.max_range_bytes != config->max_range_bytes || got.entries != config->entries ||
	    got.phase_events != config->phase_events || got.timer_us != config->timer_us ||
	    got.timer_event != config->timer_event || got.time_us != config->time_us)
		return false;
	if (!card_knows_watermark(card))
		return true;
	return smile_card_read(card, SMILE_REG_RING_WATERMARK) == card_watermark(card, config) &&
	       smile_card_read(card, SMILE_REG_RING_LATENCY) == card_latency(config);
}

/**
 * smile_card_reset() - COMMAND.RESET, and note the configuration that is now in force.
 * @card: card
 *
 * The static array's tables are empty, too: for smile_static_clear() to note.
 *
 * Return: 0, or -ENODEV.
 */
int smile_card_reset(struct smile_card *card)
{
	u32 status;
	int ret;

	smile_card_quiesce(card);
	smile_card_write(card, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	ret = smile_card_status(card, &status);
	if (ret)
		return ret;
	card_load(card, &card->config);
	return 0;
}

/* Modes that the card, or the driver with it, can have. */
static u32 card_modes(const struct smile_card *card)
{
	u32 modes = CARD_MODES_0;

	if (card_knows_watermark(card))
		modes |= SMILE_MODE_NO_DYNAMIC | SMILE_MODE_NARROW;
	if (card->static_counters)
		modes |= SMILE_MODE_STATIC;
	if (card->features & SMILE_FEATURE_HOST_RING)
		modes |= SMILE_MODE_HOST_RING;
	return modes;
}

/**
 * smile_card_check() - Is a configuration one that the card can have?
 * @card: card
 * @config: configuration
 *
 * Return: 0; -EINVAL if no card can; -EOPNOTSUPP if this one cannot.
 */
int smile_card_check(const struct smile_card *card, const struct smile_config *config)
{
	if (config->reserved || memchr_inv(config->reserved2, 0, sizeof(config->reserved2)))
		return -EINVAL;
	if (config->node & ~SMILE_NODE_ID)
		return -EINVAL;
	if (config->filter & ~SMILE_FILTER_ALL)
		return -EINVAL;
	if (config->mode & ~SMILE_MODE_ALL)
		return -EINVAL;
	if (config->max_range_bytes < SMILE_MAX_RANGE_MIN ||
	    config->max_range_bytes > SMILE_MAX_RANGE_MAX ||
	    config->max_range_bytes % SMILE_WORD_BYTES)
		return -EINVAL;
	if (config->entries < SMILE_ENTRIES_MIN || config->entries > card->entries_max)
		return -EINVAL;
	if (config->phase_events & ~SMILE_PHASE_EVENTS_MASK)
		return -EINVAL;
	if (config->timer_event & ~SMILE_TIMER_EVENT_ID)
		return -EINVAL;
	if (config->watermark_records > SMILE_DMA_RECORDS_MAX)
		return -EINVAL;
	if (config->mode & ~card_modes(card))
		return -EOPNOTSUPP;
	if ((config->timer_us || config->timer_event || config->time_us) &&
	    !(card->features & SMILE_FEATURE_TIMER))
		return -EOPNOTSUPP;
	if ((config->watermark_records || config->latency_us) && !card_knows_watermark(card))
		return -EOPNOTSUPP;
	return 0;
}

/**
 * smile_card_configure() - Write a configuration; the card is at rest.
 * @card: card
 * @config: checked configuration
 *
 * Return: 0; -EINVAL if the card refused it, with the old one in force; -ENODEV.
 */
int smile_card_configure(struct smile_card *card, const struct smile_config *config)
{
	bool taken;
	u32 status;
	int ret;

	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	card_store(card, config);
	taken = card_holds(card, config);
	ret = smile_card_status(card, &status);
	if (ret)
		return ret;
	if (taken && !(status & SMILE_STATUS_BAD_WRITE)) {
		card->config = *config;
		/* The caller's may be of another version. */
		card->config.size = sizeof(card->config);
		trace_smile_configure(card, &card->config);
		return 0;
	}
	dev_dbg(&card->pdev->dev, "the card refused a configuration\n");
	card_store(card, &card->config);
	smile_card_write(card, SMILE_REG_STATUS, SMILE_STATUS_BAD_WRITE);
	return -EINVAL;
}
