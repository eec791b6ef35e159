// SPDX-License-Identifier: GPL-2.0-only
/*
 * A card that counts for perf: 64-bit totals of its 16-bit counters.
 *
 * What lives here: what leaves the counters, and is collected from the ring in the card's RAM; how
 * the card is programmed, stopped and set up again. May use: the gate, card.c, static.c, format.c.
 *
 *	 OVERFLOW, STATIC               total[i]
 *	...[ ring in the card's RAM ] --collect--> (+) --> count
 *	STATIC_VALUE[i] ------------------------->  |
 *
 * While the ring is full the card keeps the OVERFLOW records that are pending for its counters, and
 * writes them as soon as RING_READ moves. So with a ring that is not full nothing is pending.
 */
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/pm_runtime.h>
#include <linux/sched.h>

#include "compat.h"
#include "pmu.h"
#include "smile_monitor.h"

/* Interrupt early, so that a read with interrupts off finds few records to collect first. */
#define TALLY_WATERMARK_PART 16
/* Records collected at a time with interrupts off, where the caller may sleep. */
#define TALLY_CHUNK 64
/* The most that one call collects, in fills of the card's ring. */
#define TALLY_FILLS_MAX 2
/* A card with room in its ring swaps out in microseconds; this long means that it hangs. */
#define TALLY_SWAP_TIMEOUT_MS 1000

/* ---- totals; under smile_pmu.tally ---- */

/* How many of these locks does this CPU hold, or wait for? */
static DEFINE_PER_CPU(unsigned int, tally_depth);

void smile_tally_lock(struct smile_pmu *pmu) __acquires(&pmu->tally)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_inc(tally_depth);
	raw_spin_lock(&pmu->tally);
	pmu->flags = flags;
}

void smile_tally_unlock(struct smile_pmu *pmu) __releases(&pmu->tally)
{
	unsigned long flags = pmu->flags;

	raw_spin_unlock(&pmu->tally);
	this_cpu_dec(tally_depth);
	local_irq_restore(flags);
}

/* Does this CPU hold such a lock, or wait for one? Called with interrupts off. */
bool smile_tally_held(void)
{
	return this_cpu_read(tally_depth);
}

static bool tally_reads(const struct smile_pmu *pmu)
{
	lockdep_assert_held(&pmu->tally);
	return pmu->counting && !pmu->quiet && smile_card_usable(pmu->counting);
}

/*
 * Add up what the card's ring holds, and make room in it. Return: 0 if all is collected that had
 * left the counters at some instant during the call; 1 if @budget did not suffice; -ENODEV.
 */
static int tally_collect(struct smile_pmu *pmu, u32 budget)
{
	struct smile_card *card = pmu->counting;
	const u32 mask = card->ram_words - 1;
	u32 waiting, count, i;

	do {
		u32 write = smile_card_read(card, SMILE_REG_RING_WRITE);

		if (smile_card_absent(card, write))
			return -ENODEV;
		waiting = ((write - pmu->card_read) & (2 * mask + 1)) / SMILE_RECORD_WORDS;
		if (write % SMILE_RECORD_WORDS || write > 2 * mask + 1 ||
		    waiting > card->ram_words / SMILE_RECORD_WORDS) {
			smile_life_suspect(card);
			return -ENODEV;
		}
		count = min(waiting, budget);
		if (!count)
			return waiting ? 1 : 0;
		for (i = 0; i < count; i++) {
			void __iomem *record = card->ram + (pmu->card_read & mask) * 4;
			u32 word = ioread32(record);
			u32 kind = SMILE_GET(SMILE_RECORD_KIND, word);
			u32 index = SMILE_GET(SMILE_RECORD_INDEX, ioread32(record + 3 * 4));

			if (smile_card_absent(card, word))
				return -ENODEV;
			if ((kind == SMILE_KIND_STATIC || kind == SMILE_KIND_OVERFLOW) &&
			    index < SMILE_STATIC_COUNTERS)
				pmu->total[index] += SMILE_GET(SMILE_RECORD_COUNT, word);
			pmu->card_read = (pmu->card_read + SMILE_RECORD_WORDS) & (2 * mask + 1);
		}
		/* ioread32() has completed: what was read may be overwritten. */
		smile_card_write(card, SMILE_REG_RING_READ, pmu->card_read);
		budget -= count;
		/* After a full ring the card writes what was pending. */
	} while (waiting >= card->ram_words / SMILE_RECORD_WORDS);
	return count < waiting ? 1 : 0;
}

/*
 * The count of a counter at some instant during the call. If it overflows while it is read,
 * the answer is that of the overflow's instant, when the counter held 0. If the card cannot be
 * read, the answer is the last one.
 */
u64 smile_tally_count(struct smile_pmu *pmu, unsigned int i)
{
	u32 budget, value;
	u64 before;

	if (!tally_reads(pmu))
		return pmu->last[i];
	budget = TALLY_FILLS_MAX * pmu->counting->ram_words / SMILE_RECORD_WORDS;
	if (tally_collect(pmu, budget))
		return pmu->last[i];
	before = pmu->total[i];
	value = smile_card_read(pmu->counting,
				SMILE_REG_STATIC_VALUE + i * SMILE_STRIDE_STATIC_VALUE);
	/* Every counter is active. If the register reads otherwise, the card does not answer. */
	if (!(value & SMILE_VALUE_ACTIVE))
		smile_life_suspect(pmu->counting);
	if (!tally_reads(pmu) || smile_card_absent(pmu->counting, value) ||
	    tally_collect(pmu, budget))
		return pmu->last[i];
	value = pmu->total[i] == before ? SMILE_GET(SMILE_VALUE_COUNT, value) : 0;
	pmu->last[i] = max(pmu->last[i], pmu->total[i] + value);
	return pmu->last[i];
}

static void tally_quiet(struct smile_pmu *pmu, bool quiet)
{
	smile_tally_lock(pmu);
	pmu->quiet = quiet;
	smile_tally_unlock(pmu);
}

/* The card stands still under events, or has lost its counters: @lost. */
static void tally_gap(struct smile_pmu *pmu, bool lost)
{
	unsigned int i;

	smile_tally_lock(pmu);
	if (pmu->added)
		WRITE_ONCE(pmu->gaps, pmu->gaps + 1);
	for (i = 0; lost && i < SMILE_STATIC_COUNTERS; i++)
		pmu->total[i] = max(pmu->total[i], pmu->last[i]);
	smile_tally_unlock(pmu);
}

/* ---- the card; under smile_card.control, inside the gate or in the PCI driver's callbacks ---- */

/* Stop the card and collect all that it has counted; it stays quiet. Return: 0, -EIO, -ENODEV. */
static int tally_rest(struct smile_pmu *pmu, struct smile_card *card)
{
	unsigned long deadline = jiffies + msecs_to_jiffies(TALLY_SWAP_TIMEOUT_MS);
	u32 status;
	int ret;

	tally_quiet(pmu, true);
	smile_card_write(card, SMILE_REG_CONTROL, 0);
	smile_card_write(card, SMILE_REG_COMMAND, SMILE_COMMAND_SWAP_STATIC);
	for (;;) {
		bool late = time_after(jiffies, deadline);

		/* The status first: all records that it means are then in the ring. */
		ret = smile_card_status(card, &status);
		if (ret)
			return ret;
		smile_tally_lock(pmu);
		ret = tally_collect(pmu, TALLY_CHUNK);
		smile_tally_unlock(pmu);
		if (ret < 0 || (!ret && !(status & SMILE_STATUS_SWAPPING)))
			return ret;
		if (late) {
			dev_err_ratelimited(&card->pdev->dev, "swap hangs: end perf\n");
			return -EIO;
		}
		usleep_range(10, 20);
	}
}

/* Let a card that is at rest count, and perf read it. */
static int tally_run(struct smile_pmu *pmu, struct smile_card *card)
{
	smile_card_write(card, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	/* Reading back pushes the posted write out: it counts from here on. */
	if (smile_card_absent(card, smile_card_read(card, SMILE_REG_CONTROL)))
		return -ENODEV;
	smile_tally_lock(pmu);
	pmu->counting = card;
	pmu->quiet = false;
	smile_tally_unlock(pmu);
	return 0;
}

/* Reset a card, which perf does not read, and let its static counters work by themselves. */
static int tally_begin(struct smile_pmu *pmu, struct smile_card *card,
		       const struct smile_static *tables)
{
	struct smile_config config;
	int ret;

	ret = smile_card_reset(card);
	if (ret)
		return ret;
	config = card->config;
	config.mode = SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	config.watermark_records = card->ram_words / SMILE_RECORD_WORDS / TALLY_WATERMARK_PART;
	ret = smile_static_store(card, tables);
	if (!ret)
		ret = smile_card_configure(card, &config);
	if (ret)
		return ret == -EINVAL ? -EIO : ret;
	pmu->card_read = smile_card_read(card, SMILE_REG_RING_READ);
	if (smile_card_absent(card, pmu->card_read))
		return -ENODEV;
	if (pmu->card_read >= 2 * card->ram_words || pmu->card_read % SMILE_RECORD_WORDS)
		return -EIO;
	return tally_run(pmu, card);
}

/* The first event takes the card. */
static int tally_open(struct smile_pmu *pmu, struct smile_card *card,
		      const struct smile_static *tables)
{
	int ret;

	clear_bit(SMILE_FLAG_BROKEN, &card->flags);
	pmu->ended = false;
	memset(pmu->total, 0, sizeof(pmu->total));
	memset(pmu->last, 0, sizeof(pmu->last));
	ret = tally_begin(pmu, card, tables);
	if (ret)
		return ret;
	smile_card_begin_counts(card);
	mutex_lock(&card->ring.lock);
	WRITE_ONCE(card->counted, true);
	WRITE_ONCE(card->running, true);
	mutex_unlock(&card->ring.lock);
	smile_drain_listen(card);
	pm_runtime_get_noresume(&card->pdev->dev);
	return 0;
}

/* The last event gives it back. */
void smile_tally_close(struct smile_pmu *pmu)
{
	struct smile_card *card = pmu->card;

	guard(rwsem_read)(&card->gate);
	guard(mutex)(&card->control);
	smile_tally_lock(pmu);
	pmu->counting = NULL;
	smile_tally_unlock(pmu);
	mutex_lock(&card->ring.lock);
	WRITE_ONCE(card->counted, false);
	WRITE_ONCE(card->running, false);
	/* A frozen card is reset before it is used again. */
	if (smile_card_usable(card))
		smile_card_forget(card);
	mutex_unlock(&card->ring.lock);
	smile_life_drop(card);
}

/* Have a counter count what an event asks for; under smile_card.control, inside the gate. */
static int tally_store(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr)
{
	struct smile_static tables = {.size = sizeof(tables)};
	struct smile_card *card = pmu->card;
	int ret, run;

	if (card->owner)
		return -EBUSY;
	if (pmu->events)
		tables = card->tables;
	smile_format_words(&tables, i, attr);
	if (!pmu->events)
		return tally_open(pmu, card, &tables);
	/* What the card has already costs no pause. */
	if (!memcmp(&tables, &card->tables, sizeof(tables)))
		return 0;
	tally_gap(pmu, false);
	ret = tally_rest(pmu, card);
	if (ret)
		return ret;
	ret = smile_static_store(card, &tables);
	run = tally_run(pmu, card);
	return ret ?: run;
}

int smile_tally_program(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr)
{
	struct smile_card *card = pmu->card;
	int ret;

	/* Do not wait for a recovery, or for an owner's swap, with perf's locks held. */
	if (READ_ONCE(card->owner))
		return -EBUSY;
	ret = smile_life_enter(card, false);
	if (ret)
		return ret;
	if (mutex_lock_interruptible(&card->control)) {
		ret = -ERESTARTSYS;
	} else {
		ret = tally_store(pmu, i, attr);
		mutex_unlock(&card->control);
	}
	smile_life_leave(card);
	return ret == -ENODEV && smile_card_alive(card) ? -EAGAIN : ret;
}

/* Make room in the ring of a card that counts for perf. Return: 0; 1 if there may be more. */
int smile_tally_collect(struct smile_card *card)
{
	u32 budget = TALLY_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;
	struct smile_pmu *pmu = card->pmu;
	int ret = 0;
	u32 done;

	for (done = 0; card->counted && done < budget; done += TALLY_CHUNK) {
		smile_tally_lock(pmu);
		ret = tally_reads(pmu) ? tally_collect(pmu, TALLY_CHUNK) : 0;
		smile_tally_unlock(pmu);
		if (ret <= 0)
			break;
		cond_resched();
	}
	return ret;
}

/*
 * Collect what the card has counted for perf before it loses power. Called with smile_card.control
 * held. perf does not touch it until smile_tally_resume().
 */
void smile_tally_suspend(struct smile_card *card)
{
	if (card->counted && smile_card_usable(card))
		tally_rest(card->pmu, card);
	smile_tally_freeze(card);
}

/* The card is frozen: perf does not touch it until smile_tally_resume(). */
void smile_tally_freeze(struct smile_card *card)
{
	if (card->pmu)
		tally_quiet(card->pmu, true);
}

/* Let a card go on counting for perf, if it did. Called with smile_card.control held. */
int smile_tally_resume(struct smile_card *card, bool reset)
{
	struct smile_static tables = card->tables;
	struct smile_pmu *pmu = card->pmu;
	int ret = 0;

	if (!card->counted)
		return 0;
	if (reset) {
		tally_gap(pmu, true);
		ret = tally_begin(pmu, card, &tables);
		/* For a next attempt. */
		card->tables = tables;
	} else {
		tally_quiet(pmu, false);
	}
	return ret;
}
