// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static counters as a perf PMU, one for each number of a device file.
 *
 * What lives here: 64-bit totals of 16-bit counters, perf's callbacks, and how cards come and go.
 * May use: the gate, card.c, static.c, format.c.
 *
 *	 OVERFLOW, STATIC               total[i]
 *	...[ ring in the card's RAM ] --collect--> (+) --> count
 *	STATIC_VALUE[i] ------------------------->  |
 *
 * A PMU stays from the first card of its number until the module is unloaded: before 6.15
 * perf_pmu_unregister() frees what open events still use. Events of an earlier card count no more.
 *
 * An event gets a counter for good when it is opened: there is no multiplexing. So all events are
 * pinned, and perf puts one that cannot count into the error state. The card's tables can only be
 * written while it stands still, so opening an event stops it for a moment, and perf and the device
 * file exclude each other.
 *
 * While the ring is full the card keeps the OVERFLOW records that its counters owe, and writes them
 * as soon as RING_READ moves. So a ring that is not full means that nothing is owed.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/jiffies.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/xarray.h>

#include "compat.h"
#include "smile_monitor.h"

/* Interrupt early, so that a read with interrupts off finds few records to collect first. */
#define PMU_WATERMARK_PART 16
/* Records collected at a time with interrupts off, where the caller may sleep. */
#define PMU_CHUNK 64
/* The most that one call collects, in fills of the card's ring. */
#define PMU_FILLS_MAX 2
/* A card with room in its ring swaps out in microseconds; this long means that it hangs. */
#define PMU_SWAP_TIMEOUT_MS 1000

/*
 * A PMU. Locks, from the outside: @ending, perf's context mutex, @lock (a sibling's event_init()
 * runs under the context mutex), smile_card.gate and .control, @tally, which is taken with
 * interrupts off inside perf's own locks.
 */
struct smile_pmu {
	struct pmu pmu;
	char name[32];
	struct hlist_node node; /* for CPU hotplug */
	int cpu; /* of all its events */
	struct mutex ending; /* no event is freed while smile_pmu_end() uses it */
	struct mutex lock; /* the attachment, and what follows */
	struct smile_card *card; /* the attached card, or NULL */
	unsigned int events; /* open ones */
	struct perf_event *event[SMILE_STATIC_COUNTERS]; /* of each counter, or NULL */
	raw_spinlock_t tally; /* what follows, and RING_READ while @counting is set */
	unsigned long attachment; /* its number; written under @lock, too */
	struct smile_card *counting; /* the card that counts for perf, or NULL */
	bool quiet; /* no register access: asleep, frozen, or being programmed */
	bool ended; /* it counts no more */
	bool moving; /* its events move to another CPU */
	unsigned long round; /* times that perf began to reschedule events */
	unsigned long added; /* bit i: the event of counter i is scheduled */
	u32 card_read; /* RING_READ */
	u64 total[SMILE_STATIC_COUNTERS]; /* sum of each counter's records */
	u64 last[SMILE_STATIC_COUNTERS]; /* last count reported; no later one is lower */
	u64 gaps; /* times that counters stood still under scheduled events */
};

static DEFINE_XARRAY(pmu_list);
static enum cpuhp_state pmu_hotplug;

static struct smile_pmu *pmu_of(struct pmu *pmu)
{
	return container_of(pmu, struct smile_pmu, pmu);
}

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int cpu = READ_ONCE(pmu_of(dev_get_drvdata(dev))->cpu);

	return cpumap_print_to_pagebuf(true, buf, cpumask_of(cpu));
}
static DEVICE_ATTR_RO(cpumask);

static ssize_t gaps_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(pmu_of(dev_get_drvdata(dev))->gaps));
}
static DEVICE_ATTR_RO(gaps);

static struct attribute *pmu_attrs[] = {&dev_attr_cpumask.attr, &dev_attr_gaps.attr, NULL};
static const struct attribute_group pmu_group = {.attrs = pmu_attrs};
static const struct attribute_group *pmu_groups[] = {&pmu_group, &smile_format_group,
						     &smile_format_events, NULL};

/* ---- totals; under smile_pmu.tally ---- */

static bool pmu_reads(const struct smile_pmu *pmu)
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
		/* After a full ring the card writes what was owed. */
	} while (waiting >= card->ram_words / SMILE_RECORD_WORDS);
	return count < waiting ? 1 : 0;
}

/*
 * What has a counter counted, at some instant during the call? If it overflows while it is read,
 * the answer is that of the overflow's instant, when the counter held 0. If the card cannot be
 * read, the answer is the last one.
 */
static u64 tally_count(struct smile_pmu *pmu, unsigned int i)
{
	u32 budget, value;
	u64 before;

	if (!pmu_reads(pmu))
		return pmu->last[i];
	budget = PMU_FILLS_MAX * pmu->counting->ram_words / SMILE_RECORD_WORDS;
	if (tally_collect(pmu, budget))
		return pmu->last[i];
	before = pmu->total[i];
	value = smile_card_read(pmu->counting,
				SMILE_REG_STATIC_VALUE + i * SMILE_STRIDE_STATIC_VALUE);
	/* Every counter is active. A card that says otherwise does not answer. */
	if (!(value & SMILE_VALUE_ACTIVE))
		smile_life_suspect(pmu->counting);
	if (!pmu_reads(pmu) || smile_card_absent(pmu->counting, value) ||
	    tally_collect(pmu, budget))
		return pmu->last[i];
	value = pmu->total[i] == before ? SMILE_GET(SMILE_VALUE_COUNT, value) : 0;
	pmu->last[i] = max(pmu->last[i], pmu->total[i] + value);
	return pmu->last[i];
}

static void tally_quiet(struct smile_pmu *pmu, bool quiet)
{
	raw_spin_lock_irq(&pmu->tally);
	pmu->quiet = quiet;
	raw_spin_unlock_irq(&pmu->tally);
}

/* The card stands still under events, or has lost its counters: @lost. */
static void tally_gap(struct smile_pmu *pmu, bool lost)
{
	unsigned int i;

	raw_spin_lock_irq(&pmu->tally);
	if (pmu->added)
		WRITE_ONCE(pmu->gaps, pmu->gaps + 1);
	for (i = 0; lost && i < SMILE_STATIC_COUNTERS; i++)
		pmu->total[i] = max(pmu->total[i], pmu->last[i]);
	raw_spin_unlock_irq(&pmu->tally);
}

/* ---- the card; under smile_card.control, inside the gate or in the PCI driver's callbacks ---- */

/* Stop the card and collect all that it has counted; it stays quiet. Return: 0, -EIO, -ENODEV. */
static int pmu_rest(struct smile_pmu *pmu, struct smile_card *card)
{
	unsigned long deadline = jiffies + msecs_to_jiffies(PMU_SWAP_TIMEOUT_MS);
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
		raw_spin_lock_irq(&pmu->tally);
		ret = tally_collect(pmu, PMU_CHUNK);
		raw_spin_unlock_irq(&pmu->tally);
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
static int pmu_run(struct smile_pmu *pmu, struct smile_card *card)
{
	smile_card_write(card, SMILE_REG_CONTROL, SMILE_CONTROL_ENABLE);
	/* Reading back pushes the posted write out: it counts from here on. */
	if (smile_card_absent(card, smile_card_read(card, SMILE_REG_CONTROL)))
		return -ENODEV;
	raw_spin_lock_irq(&pmu->tally);
	pmu->counting = card;
	pmu->quiet = false;
	raw_spin_unlock_irq(&pmu->tally);
	return 0;
}

/* Reset a card, which perf does not read, and let its static counters work by themselves. */
static int pmu_begin(struct smile_pmu *pmu, struct smile_card *card,
		     const struct smile_static *tables)
{
	struct smile_config config;
	int ret;

	ret = smile_card_reset(card);
	if (ret)
		return ret;
	config = card->config;
	config.mode = SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	config.watermark_records = card->ram_words / SMILE_RECORD_WORDS / PMU_WATERMARK_PART;
	ret = smile_static_store(card, tables);
	if (!ret)
		ret = smile_card_configure(card, &config);
	if (ret)
		return ret == -EINVAL ? -EIO : ret;
	pmu->card_read = smile_card_read(card, SMILE_REG_RING_READ);
	return smile_card_absent(card, pmu->card_read) ? -ENODEV : pmu_run(pmu, card);
}

/* The first event takes the card. */
static int pmu_open(struct smile_pmu *pmu, struct smile_card *card,
		    const struct smile_static *tables)
{
	int ret;

	clear_bit(SMILE_FLAG_BROKEN, &card->flags);
	memset(pmu->total, 0, sizeof(pmu->total));
	memset(pmu->last, 0, sizeof(pmu->last));
	ret = pmu_begin(pmu, card, tables);
	if (ret)
		return ret;
	smile_card_begin_counts(card);
	mutex_lock(&card->ring.lock);
	WRITE_ONCE(card->counted, true);
	WRITE_ONCE(card->running, true);
	mutex_unlock(&card->ring.lock);
	smile_drain_listen(card);
	smile_life_hold(card);
	return 0;
}

/* The last event gives it back. */
static void pmu_close(struct smile_pmu *pmu)
{
	struct smile_card *card = pmu->card;
	int index;

	index = srcu_read_lock(&card->gate);
	mutex_lock(&card->control);
	raw_spin_lock_irq(&pmu->tally);
	pmu->counting = NULL;
	raw_spin_unlock_irq(&pmu->tally);
	mutex_lock(&card->ring.lock);
	WRITE_ONCE(card->counted, false);
	WRITE_ONCE(card->running, false);
	/* A frozen card is reset before it is used again. */
	if (smile_card_usable(card)) {
		smile_card_quiesce(card);
		smile_card_forget(card);
	}
	mutex_unlock(&card->ring.lock);
	smile_life_drop(card);
	mutex_unlock(&card->control);
	srcu_read_unlock(&card->gate, index);
}

/* Have a counter count what an event asks for; under smile_card.control, inside the gate. */
static int pmu_store(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr)
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
		return pmu_open(pmu, card, &tables);
	/* What the card has already costs no pause. */
	if (!memcmp(&tables, &card->tables, sizeof(tables)))
		return 0;
	tally_gap(pmu, false);
	ret = pmu_rest(pmu, card);
	if (ret)
		return ret;
	ret = smile_static_store(card, &tables);
	run = pmu_run(pmu, card);
	return ret ?: run;
}

static int pmu_program(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr)
{
	struct smile_card *card = pmu->card;
	int index, ret;

	/* Do not wait for a recovery, or for an owner's swap, with perf's locks held. */
	if (READ_ONCE(card->owner))
		return -EBUSY;
	index = smile_life_enter(card, false);
	if (index < 0)
		return index;
	if (mutex_lock_interruptible(&card->control)) {
		ret = -ERESTARTSYS;
	} else {
		ret = pmu_store(pmu, i, attr);
		mutex_unlock(&card->control);
	}
	smile_life_leave(card, index);
	return ret == -ENODEV && smile_card_alive(card) ? -EAGAIN : ret;
}

/* Make room in the ring of a card that counts for perf. Return: 0; 1 if there may be more. */
int smile_pmu_collect(struct smile_card *card)
{
	u32 budget = PMU_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;
	struct smile_pmu *pmu = card->pmu;
	int ret = 0;
	u32 done;

	for (done = 0; card->counted && done < budget; done += PMU_CHUNK) {
		raw_spin_lock_irq(&pmu->tally);
		ret = pmu_reads(pmu) ? tally_collect(pmu, PMU_CHUNK) : 0;
		raw_spin_unlock_irq(&pmu->tally);
		if (ret <= 0)
			break;
		cond_resched();
	}
	return ret;
}

/*
 * Collect what the card has counted for perf before it loses power. Called with smile_card.control
 * held. perf does not touch it until smile_pmu_resume().
 */
void smile_pmu_suspend(struct smile_card *card)
{
	if (card->counted && smile_card_usable(card))
		pmu_rest(card->pmu, card);
	smile_pmu_freeze(card);
}

/* The card is frozen: perf does not touch it until smile_pmu_resume(). */
void smile_pmu_freeze(struct smile_card *card)
{
	if (card->pmu)
		tally_quiet(card->pmu, true);
}

/* Let a card go on counting for perf, if it did. Called with smile_card.control held. */
int smile_pmu_resume(struct smile_card *card, bool reset)
{
	struct smile_static tables = card->tables;
	struct smile_pmu *pmu = card->pmu;
	int ret = 0;

	if (!card->counted)
		return 0;
	if (reset) {
		tally_gap(pmu, true);
		ret = pmu_begin(pmu, card, &tables);
		/* For a next attempt. */
		card->tables = tables;
	} else {
		tally_quiet(pmu, false);
	}
	return ret;
}

/* ---- events: perf calls these with interrupts off, on smile_pmu.cpu ---- */

static bool event_attached(const struct smile_pmu *pmu, const struct perf_event *event)
{
	return event->hw.event_base == pmu->attachment;
}

static void event_update(struct smile_pmu *pmu, struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 count;

	if (hw->state & PERF_HES_STOPPED || !event_attached(pmu, event))
		return;
	count = tally_count(pmu, hw->idx);
	local64_add(count - local64_read(&hw->prev_count), &event->count);
	local64_set(&hw->prev_count, count);
}

/*
 * May be called in an NMI (perf_event_read_local()), or by the overflow of another event while
 * this CPU holds the lock: then the last value has to do.
 */
static void event_read(struct perf_event *event)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	if (!raw_spin_trylock(&pmu->tally))
		return;
	event_update(pmu, event);
	raw_spin_unlock(&pmu->tally);
}

/*
 * perf is about to reschedule: it deletes all events to add one, and adds them again. An event that
 * comes back in the same round has never stopped counting.
 */
static void event_round(struct pmu *perf)
{
	struct smile_pmu *pmu = pmu_of(perf);

	raw_spin_lock(&pmu->tally);
	if (!READ_ONCE(pmu->moving))
		pmu->round++;
	raw_spin_unlock(&pmu->tally);
}

/* Without it perf would not call event_round(), either. */
static void event_round_ends(struct pmu *perf)
{
}

static void event_start(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);
	struct hw_perf_event *hw = &event->hw;

	raw_spin_lock(&pmu->tally);
	hw->state = 0;
	if (event_attached(pmu, event) && hw->config_base != pmu->round)
		local64_set(&hw->prev_count, tally_count(pmu, hw->idx));
	raw_spin_unlock(&pmu->tally);
}

static void event_stop(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	raw_spin_lock(&pmu->tally);
	event_update(pmu, event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	event->hw.config_base = pmu->round;
	raw_spin_unlock(&pmu->tally);
}

static int event_add(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);
	bool possible;

	raw_spin_lock(&pmu->tally);
	possible = event_attached(pmu, event) && !pmu->ended;
	if (possible)
		pmu->added |= BIT(event->hw.idx);
	raw_spin_unlock(&pmu->tally);
	if (!possible)
		return -ENODEV;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		event_start(event, flags);
	return 0;
}

static void event_del(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	event_stop(event, flags);
	raw_spin_lock(&pmu->tally);
	if (event_attached(pmu, event))
		pmu->added &= ~BIT(event->hw.idx);
	raw_spin_unlock(&pmu->tally);
}

/* ---- and these where they may sleep ---- */

static void event_destroy(struct perf_event *event)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	mutex_lock(&pmu->ending);
	mutex_lock(&pmu->lock);
	if (event_attached(pmu, event)) {
		pmu->event[event->hw.idx] = NULL;
		if (!--pmu->events)
			pmu_close(pmu);
	}
	mutex_unlock(&pmu->lock);
	mutex_unlock(&pmu->ending);
}

static bool event_fits(const struct perf_event *event, struct perf_event *member)
{
	return member->pmu == event->pmu || is_software_event(member);
}

/* A group may hold events of this PMU and software events. */
static bool event_groups(struct perf_event *event)
{
	struct perf_event *sibling;

	/* A leader has no siblings yet, and its context is not locked. */
	if (event->group_leader == event)
		return true;
	for_each_sibling_event(sibling, event->group_leader) {
		if (!event_fits(event, sibling))
			return false;
	}
	return event_fits(event, event->group_leader);
}

/* Give an event a free counter. */
static int event_admit(struct smile_pmu *pmu, struct perf_event *event)
{
	unsigned int i = 0;
	int ret;

	if (!pmu->card || !smile_card_alive(pmu->card))
		return -ENODEV;
	while (i < pmu->card->static_counters && pmu->event[i])
		i++;
	if (i == pmu->card->static_counters)
		return -ENOSPC;
	ret = pmu_program(pmu, i, &event->attr);
	if (ret)
		return ret;
	pmu->event[i] = event;
	pmu->events++;
	event->cpu = READ_ONCE(pmu->cpu);
	event->hw.idx = i;
	event->hw.event_base = pmu->attachment;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	event->destroy = event_destroy;
	/* One that cannot count is then in the error state, and not taken for one that counts 0. */
	event->attr.pinned = 1;
	return 0;
}

static int event_init(struct perf_event *event)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);
	int ret;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (is_sampling_event(event))
		return -EOPNOTSUPP;
	/* The B-Link does not name a packet's program. */
	if (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return -EINVAL;
	if (smile_format_check(&event->attr) || !event_groups(event))
		return -EINVAL;
	mutex_lock(&pmu->lock);
	ret = event_admit(pmu, event);
	mutex_unlock(&pmu->lock);
	return ret;
}

/* ---- PMUs and cards ---- */

/* A card counts no more: put its events into the error state. They keep what they have counted. */
void smile_pmu_end(struct smile_card *card)
{
	struct perf_event *event[SMILE_STATIC_COUNTERS];
	struct smile_pmu *pmu = card->pmu;
	unsigned long added;
	unsigned int i;

	if (!pmu)
		return;
	mutex_lock(&pmu->ending);
	mutex_lock(&pmu->lock);
	raw_spin_lock_irq(&pmu->tally);
	added = pmu->card == card ? pmu->added : 0;
	if (pmu->card == card)
		pmu->ended = true;
	raw_spin_unlock_irq(&pmu->tally);
	memcpy(event, pmu->event, sizeof(event));
	mutex_unlock(&pmu->lock);
	/* Outside of the lock: perf takes its context mutex. */
	for_each_set_bit(i, &added, SMILE_STATIC_COUNTERS)
		perf_event_disable(event[i]);
	for_each_set_bit(i, &added, SMILE_STATIC_COUNTERS)
		perf_event_enable(event[i]);
	mutex_unlock(&pmu->ending);
}

static int pmu_online(unsigned int cpu, struct hlist_node *node)
{
	struct smile_pmu *pmu = hlist_entry(node, struct smile_pmu, node);

	if (!cpu_online(pmu->cpu))
		WRITE_ONCE(pmu->cpu, cpu);
	return 0;
}

/* A CPU goes offline, and the events move to another; the card counts on meanwhile. */
static int pmu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct smile_pmu *pmu = hlist_entry_safe(node, struct smile_pmu, node);
	unsigned int target;

	if (cpu != pmu->cpu)
		return 0;
	target = cpumask_any_but(cpu_online_mask, cpu);
	if (target >= nr_cpu_ids)
		return 0;
	WRITE_ONCE(pmu->moving, true);
	perf_pmu_migrate_context(&pmu->pmu, cpu, target);
	WRITE_ONCE(pmu->cpu, target);
	WRITE_ONCE(pmu->moving, false);
	return 0;
}

/* Make the PMU of a number, with no card. */
static struct smile_pmu *pmu_make(struct smile_card *card)
{
	struct smile_pmu *pmu;
	int ret;

	pmu = kzalloc(sizeof(*pmu), GFP_KERNEL);
	if (!pmu)
		return ERR_PTR(-ENOMEM);
	mutex_init(&pmu->ending);
	mutex_init(&pmu->lock);
	raw_spin_lock_init(&pmu->tally);
	pmu->round = 1; /* that of no event yet */
	snprintf(pmu->name, sizeof(pmu->name), SMILE_NAME "%u", card->number);
	/* Near the first card, and not the same for all. */
	pmu->cpu = cpumask_local_spread(card->number, dev_to_node(&card->pdev->dev));
	pmu->pmu = (struct pmu){
		.module = THIS_MODULE,
		.attr_groups = pmu_groups,
		.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE,
		.task_ctx_nr = perf_invalid_context,
		.pmu_disable = event_round,
		.pmu_enable = event_round_ends,
		.event_init = event_init,
		.add = event_add,
		.del = event_del,
		.start = event_start,
		.stop = event_stop,
		.read = event_read,
	};
	ret = perf_pmu_register(&pmu->pmu, pmu->name, -1);
	if (ret)
		goto free_pmu;
	ret = cpuhp_state_add_instance(pmu_hotplug, &pmu->node);
	if (ret)
		goto unregister;
	ret = xa_err(xa_store(&pmu_list, card->number, pmu, GFP_KERNEL));
	if (ret)
		goto remove_instance;
	return pmu;

remove_instance:
	cpuhp_state_remove_instance_nocalls(pmu_hotplug, &pmu->node);
unregister:
	perf_pmu_unregister(&pmu->pmu);
free_pmu:
	mutex_destroy(&pmu->lock);
	mutex_destroy(&pmu->ending);
	kfree(pmu);
	return ERR_PTR(ret);
}

/* Offer a card's static counters to perf. A failure is logged; the card works without it. */
void smile_pmu_attach(struct smile_card *card)
{
	struct smile_pmu *pmu;

	if (!card->static_counters)
		return;
	/* The number belongs to this card: no other probe makes its PMU. */
	pmu = xa_load(&pmu_list, card->number);
	if (!pmu)
		pmu = pmu_make(card);
	if (IS_ERR(pmu)) {
		dev_warn(&card->pdev->dev, "no counters for perf: error %ld\n", PTR_ERR(pmu));
		return;
	}
	mutex_lock(&pmu->lock);
	raw_spin_lock_irq(&pmu->tally);
	pmu->attachment++;
	pmu->ended = false;
	pmu->added = 0;
	raw_spin_unlock_irq(&pmu->tally);
	pmu->card = card;
	card->pmu = pmu;
	mutex_unlock(&pmu->lock);
}

/* Undo smile_pmu_attach(): perf does not touch the card from the return on. */
void smile_pmu_detach(struct smile_card *card)
{
	struct smile_pmu *pmu = card->pmu;

	if (!pmu)
		return;
	smile_pmu_end(card);
	mutex_lock(&pmu->lock);
	if (pmu->card == card) {
		if (pmu->events) {
			dev_warn(&card->pdev->dev, "%s: %u events count no more: end perf\n",
				 pmu->name, pmu->events);
			pmu_close(pmu);
		}
		raw_spin_lock_irq(&pmu->tally);
		pmu->attachment++;
		raw_spin_unlock_irq(&pmu->tally);
		memset(pmu->event, 0, sizeof(pmu->event));
		pmu->events = 0;
		pmu->card = NULL;
	}
	mutex_unlock(&pmu->lock);
}

/* Prepare for CPU hotplug. */
int smile_pmu_init(void)
{
	int ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/" SMILE_NAME ":online",
					  pmu_online, pmu_offline);

	if (ret < 0)
		return ret;
	pmu_hotplug = ret;
	return 0;
}

/* Take back all PMUs; no card and no event is left. */
void smile_pmu_exit(void)
{
	struct smile_pmu *pmu;
	unsigned long number;

	xa_for_each(&pmu_list, number, pmu) {
		cpuhp_state_remove_instance_nocalls(pmu_hotplug, &pmu->node);
		/*
		 * perf's multiplexing timer, which a group with a software leader may have
		 * started, runs once more after the last event is gone, and perf_pmu_unregister()
		 * does not wait for it.
		 */
		msleep(2 * pmu->pmu.hrtimer_interval_ms);
		perf_pmu_unregister(&pmu->pmu);
		mutex_destroy(&pmu->lock);
		mutex_destroy(&pmu->ending);
		kfree(pmu);
	}
	xa_destroy(&pmu_list);
	cpuhp_remove_multi_state(pmu_hotplug);
}
