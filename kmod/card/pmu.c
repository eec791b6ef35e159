// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static counters as perf PMUs, one PMU for each number of a device file.
 *
 * What lives here: perf's callbacks, 64-bit totals of the card's 16-bit counters, and the
 * attachment of cards to PMUs. May use: smile_card.gate, stream.c, card.c, pmu_format.c.
 *
 * A PMU is created for the first card that has its number. It exists until the module is unloaded,
 * because before Linux 6.15, perf_pmu_unregister() frees memory that open events still use. An
 * event that was opened on an earlier card of this number no longer counts.
 *
 * An event gets a permanent counter when it is opened, and is not multiplexed. All events are
 * therefore pinned: perf puts a pinned event that cannot count into the error state. The card's
 * tables can only be written while the card is stopped, so opening an event stops the card briefly.
 * For this reason, perf and the device file exclude each other.
 *
 *	 OVERFLOW, STATIC               total[i]
 *	...[ ring in the card's RAM ] --collect--> (+) --> count
 *	STATIC_VALUE[i] ------------------------->  |
 *
 * While the ring is full, the card keeps pending OVERFLOW records in its counters, and writes them
 * as soon as RING_READ moves. If the ring is not full, no record is pending.
 */
#include <linux/bitfield.h>
#include <linux/capability.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sysfs.h>

#include "../compat.h"
#include "pmu_format.h"
#include "smile_monitor.h"

/* Interrupt early, so that a read with interrupts off has few records to collect first. */
#define PMU_WATERMARK_PART 16
/* A caller that may sleep collects at most this many records at a time with interrupts off. */
#define PMU_CHUNK 64
/* The largest number of records that one call collects, in multiples of the card's ring. */
#define PMU_FILLS_MAX 2

/*
 * A PMU. Lock order: @ending; perf's context mutex; @lock (inside the context mutex, because a
 * sibling's event_init() runs under it); smile_card.gate and smile_card.control; @tally, which is
 * taken with interrupts off inside perf's own locks.
 */
struct smile_pmu {
	struct pmu pmu;
	char name[32];
	struct hlist_node node; /* for CPU hotplug */
	int cpu; /* the CPU of all its events */
	struct mutex ending; /* held so that smile_pmu_end() can use events that are not freed */
	struct mutex lock; /* protects the attachment, and @used */
	unsigned long used; /* bit i: counter i has an event */
	struct perf_event *event[SMILE_STATIC_COUNTERS];
	raw_spinlock_t tally; /* protects the members below, and RING_READ while perf counts */
	struct smile_card *card; /* the attached card, or NULL; written also under @lock */
	unsigned long attachment; /* number of the attachment; written also under @lock */
	bool ended; /* no event of this attachment can be scheduled */
	bool quiet; /* no counter may be read: no event, or card asleep, frozen or stopped */
	bool moving; /* its events move to another CPU */
	unsigned long round; /* number of times that perf has begun to reschedule events */
	unsigned long added; /* bit i: the event of counter i is scheduled */
	u64 total[SMILE_STATIC_COUNTERS]; /* sum of each counter's records */
	u64 last[SMILE_STATIC_COUNTERS]; /* last reported count; later counts are never lower */
	u64 gaps; /* number of times that counters stopped under scheduled events */
};

static struct smile_pmu *pmu_list[SMILE_CARDS_MAX];
static enum cpuhp_state pmu_hotplug;

/* The number of tally locks that this CPU holds or waits for. */
static DEFINE_PER_CPU(unsigned int, pmu_depth);

/*
 * Take smile_pmu.tally, for guard(tally)(pmu). sparse does not see the end of the guard, so the
 * lock is marked as released here.
 */
static unsigned long tally_lock(struct smile_pmu *pmu)
{
	unsigned long flags;

	local_irq_save(flags);
	this_cpu_inc(pmu_depth);
	raw_spin_lock(&pmu->tally);
	__release(&pmu->tally);
	return flags;
}

static void tally_unlock(struct smile_pmu *pmu, unsigned long flags)
{
	__acquire(&pmu->tally);
	raw_spin_unlock(&pmu->tally);
	this_cpu_dec(pmu_depth);
	local_irq_restore(flags);
}

DEFINE_LOCK_GUARD_1(tally, struct smile_pmu, _T->flags = tally_lock(_T->lock),
		    tally_unlock(_T->lock, _T->flags), unsigned long flags)

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
static const struct attribute_group *pmu_groups[] = {&pmu_group, &smile_pmu_format_group,
						     &smile_pmu_events_group, NULL};

/* ---- totals; under smile_pmu.tally ---- */

/*
 * Add up the counts in the card's ring, and make room in the ring. Return: 0 if the function has
 * collected all counts that had left the counters at some instant during the call; 1 if @budget did
 * not suffice; -ENODEV.
 */
static int tally_collect(struct smile_pmu *pmu, u32 budget)
{
	struct smile_card *card = pmu->card;
	const u32 mask = card->ram_words - 1;
	u32 *read = &card->ring.card_read;
	u32 count, i;
	int waiting;

	do {
		waiting = smile_drain_in_ram(card);
		/* Report this later: perf's locks allow no wake-up and no message. */
		if (waiting == -EIO)
			smile_recovery_suspect(card);
		if (waiting < 0)
			return -ENODEV;
		count = min_t(u32, waiting, budget);
		if (!count)
			return waiting ? 1 : 0;
		for (i = 0; i < count; i++) {
			void __iomem *record = card->ram + (*read & mask) * 4;
			u32 word = ioread32(record);
			u32 kind = FIELD_GET(SMILE_RECORD_KIND, word);
			u32 index = FIELD_GET(SMILE_RECORD_INDEX, ioread32(record + 3 * 4));

			if (smile_card_absent(card, word))
				return -ENODEV;
			if ((kind == SMILE_KIND_STATIC || kind == SMILE_KIND_OVERFLOW) &&
			    index < SMILE_STATIC_COUNTERS)
				pmu->total[index] += FIELD_GET(SMILE_RECORD_COUNT, word);
			*read = (*read + SMILE_RECORD_WORDS) & (2 * mask + 1);
		}
		/* ioread32() has completed: let the card overwrite the records. */
		smile_card_write(card, SMILE_REG_RING_READ, *read);
		budget -= count;
		/* If the ring was full, the card now writes pending records: collect them, too. */
	} while (waiting >= card->ram_words / SMILE_RECORD_WORDS);
	return count < waiting ? 1 : 0;
}

/*
 * Get the count of a counter at some instant during the call. If the counter overflows while it is
 * read, the result is the count at the overflow, when the counter held 0. If the card cannot be
 * read, the result is the last count.
 *
 * perf calls this with interrupts off. The count must be exact, because perf does not read an event
 * again after it has stopped. The function therefore collects all records in the ring, in the worst
 * case twice a full ring. Usually there are few: the interrupt's thread collects the records
 * whenever a sixteenth of the ring is used, with interrupts off for PMU_CHUNK records at a time.
 */
static u64 tally_count(struct smile_pmu *pmu, unsigned int i)
{
	struct smile_card *card = pmu->card;
	u32 budget, value;
	u64 before;

	if (pmu->quiet || !smile_card_usable(card))
		return pmu->last[i];
	budget = PMU_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;
	if (tally_collect(pmu, budget))
		return pmu->last[i];
	before = pmu->total[i];
	value = smile_card_read(card, SMILE_REG_STATIC_VALUE + i * SMILE_STRIDE_STATIC_VALUE);
	/* Every counter is active. If the register reads otherwise, the card does not answer. */
	if (!(value & SMILE_VALUE_ACTIVE))
		smile_recovery_suspect(card);
	if (!smile_card_usable(card) || smile_card_absent(card, value) ||
	    tally_collect(pmu, budget))
		return pmu->last[i];
	value = pmu->total[i] == before ? FIELD_GET(SMILE_VALUE_COUNT, value) : 0;
	pmu->last[i] = max(pmu->last[i], pmu->total[i] + value);
	return pmu->last[i];
}

/*
 * Record that a card that counts for perf has stopped while its events were scheduled. @lost: the
 * card has lost its counters.
 */
void smile_pmu_gap(struct smile_card *card, bool lost)
{
	struct smile_pmu *pmu = card->pmu;
	unsigned int i;

	guard(tally)(pmu);
	if (pmu->added)
		WRITE_ONCE(pmu->gaps, pmu->gaps + 1);
	for (i = 0; lost && i < SMILE_STATIC_COUNTERS; i++)
		pmu->total[i] = max(pmu->total[i], pmu->last[i]);
}

static void tally_quiet(struct smile_pmu *pmu, bool quiet)
{
	guard(tally)(pmu);
	pmu->quiet = quiet;
}

/*
 * Read all counters for the last time before a pause. An event that is disabled or enabled during
 * the pause gets this count.
 */
static void tally_pause(struct smile_pmu *pmu)
{
	unsigned int i;

	guard(tally)(pmu);
	for_each_set_bit(i, &pmu->used, SMILE_STATIC_COUNTERS)
		tally_count(pmu, i);
	pmu->quiet = true;
}

/* ---- the card; with smile_pmu.lock, smile_card.gate and smile_card.control held ---- */

/* Take the card for the first event, and configure it to use only the static counters. */
static int pmu_open(struct smile_pmu *pmu, const struct smile_static *tables)
{
	struct smile_card *card = pmu->card;
	struct smile_config config;
	int ret;

	ret = smile_ring_open(card);
	if (ret)
		return ret;
	memset(pmu->total, 0, sizeof(pmu->total));
	memset(pmu->last, 0, sizeof(pmu->last));
	/* From here on, drains leave the records to perf. */
	scoped_guard(mutex, &card->ring.lock)
		WRITE_ONCE(card->counted, true);
	config = card->config;
	config.mode = SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	config.watermark_records = card->ram_words / SMILE_RECORD_WORDS / PMU_WATERMARK_PART;
	ret = smile_static_store(card, tables) ?: smile_card_configure(card, &config)
					       ?: smile_stream_start(card);
	if (!ret) {
		tally_quiet(pmu, false);
		return 0;
	}
	WRITE_ONCE(card->counted, false);
	smile_ring_close(card);
	return ret == -EINVAL ? -EIO : ret;
}

/* Release the card after the last event. */
static void pmu_close(struct smile_pmu *pmu)
{
	struct smile_card *card = pmu->card;

	tally_quiet(pmu, true);
	guard(rwsem_read)(&card->gate);
	guard(mutex)(&card->control);
	smile_ring_close(card);
	WRITE_ONCE(card->counted, false);
}

/* Program a counter to count an event. */
static int pmu_program(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr)
{
	struct smile_static tables = {.size = sizeof(tables)};
	struct smile_card *card = pmu->card;
	int ret, run;

	if (card->owner)
		return -EBUSY;
	if (pmu->used)
		tables = card->tables;
	smile_pmu_format_words(&tables, i, attr);
	if (!pmu->used)
		return pmu_open(pmu, &tables);
	/* If the card already has these tables, it need not be stopped. */
	if (!memcmp(&tables, &card->tables, sizeof(tables)))
		return 0;
	smile_pmu_gap(card, false);
	ret = smile_stream_stop(card);
	tally_pause(pmu);
	if (!ret)
		ret = smile_stream_static(card, &tables);
	/* Allow reads again before the card counts. */
	tally_quiet(pmu, ret == -ENODEV);
	run = ret == -ENODEV ? ret : smile_stream_start(card);
	if (run)
		tally_quiet(pmu, true);
	/* smile_stream_resume() needs this value, also if the card has just been frozen. */
	WRITE_ONCE(card->running, true);
	return ret ?: run;
}

/* ---- what the rest of the driver calls ---- */

/* Make room in the ring of a card that counts for perf. Return: 1 if records may remain, else 0. */
int smile_pmu_collect(struct smile_card *card)
{
	u32 budget = PMU_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;
	int ret = 0;
	u32 done;

	for (done = 0; done < budget; done += PMU_CHUNK) {
		scoped_guard(tally, card->pmu)
			ret = smile_card_usable(card) ? tally_collect(card->pmu, PMU_CHUNK) : 0;
		if (ret <= 0)
			break;
		cond_resched();
	}
	return ret;
}

/* The card is frozen, or is being suspended: do not let perf read it until smile_pmu_resume(). */
void smile_pmu_suspend(struct smile_card *card)
{
	if (card->pmu)
		tally_quiet(card->pmu, true);
}

/* Let perf read a card that counts for it. The caller must hold smile_card.control. */
void smile_pmu_resume(struct smile_card *card, bool reset)
{
	if (!card->counted)
		return;
	if (reset)
		smile_pmu_gap(card, true);
	tally_quiet(card->pmu, false);
}

/*
 * The card no longer counts for its events: put the events into the error state. They keep their
 * counts. @detach: after the return, perf does not access the card.
 */
void smile_pmu_end(struct smile_card *card, bool detach)
{
	struct perf_event *event[SMILE_STATIC_COUNTERS];
	struct smile_pmu *pmu = card->pmu;
	unsigned long added;
	unsigned int i;

	if (!pmu)
		return;
	guard(mutex)(&pmu->ending);
	scoped_guard(mutex, &pmu->lock) {
		if (pmu->card != card)
			return;
		memcpy(event, pmu->event, sizeof(event));
		guard(tally)(pmu);
		added = pmu->added;
		pmu->ended = true;
	}
	/* Release smile_pmu.lock first, because perf_event_disable() takes perf's context mutex. */
	for_each_set_bit(i, &added, SMILE_STATIC_COUNTERS)
		perf_event_disable(event[i]);
	scoped_guard(mutex, &pmu->lock) {
		if (pmu->used) {
			dev_warn(&card->pdev->dev, "%s: %lu events no longer count: end perf\n",
				 pmu->name, hweight_long(pmu->used));
			pmu_close(pmu);
		}
		pmu->used = 0;
		guard(tally)(pmu);
		pmu->attachment++;
		pmu->ended = false;
		pmu->added = 0;
		if (detach)
			pmu->card = NULL;
	}
	for_each_set_bit(i, &added, SMILE_STATIC_COUNTERS)
		perf_event_enable(event[i]);
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
	perf_event_update_userpage(event);
}

/*
 * Update an event's count. perf may call this in an NMI (perf_event_read_local()), or at the
 * overflow of another event while this CPU holds the lock. The event then keeps its last value.
 */
static void event_read(struct perf_event *event)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	if (in_nmi() || this_cpu_read(pmu_depth))
		return;
	guard(tally)(pmu);
	event_update(pmu, event);
}

/*
 * perf is about to reschedule its events. To add an event, it deletes all events and adds them
 * again. If an event is added again in the same round, it has not stopped counting.
 */
static void event_round(struct pmu *perf)
{
	struct smile_pmu *pmu = pmu_of(perf);

	guard(tally)(pmu);
	if (!READ_ONCE(pmu->moving))
		pmu->round++;
}

/* Without this callback perf would not call event_round(). */
static void event_round_ends(struct pmu *perf)
{
}

static void event_start(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);
	struct hw_perf_event *hw = &event->hw;

	guard(tally)(pmu);
	hw->state = 0;
	if (event_attached(pmu, event) && hw->config_base != pmu->round)
		local64_set(&hw->prev_count, tally_count(pmu, hw->idx));
	perf_event_update_userpage(event);
}

static void event_stop(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	guard(tally)(pmu);
	event_update(pmu, event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	event->hw.config_base = pmu->round;
}

static int event_add(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	scoped_guard(tally, pmu) {
		if (pmu->ended || !event_attached(pmu, event))
			return -ENODEV;
		pmu->added |= BIT(event->hw.idx);
	}
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		event_start(event, flags);
	return 0;
}

static void event_del(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	event_stop(event, flags);
	guard(tally)(pmu);
	if (event_attached(pmu, event))
		pmu->added &= ~BIT(event->hw.idx);
}

/* ---- events: perf calls these where they may sleep ---- */

static void event_destroy(struct perf_event *event)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	guard(mutex)(&pmu->ending);
	guard(mutex)(&pmu->lock);
	if (!event_attached(pmu, event))
		return;
	pmu->used &= ~BIT(event->hw.idx);
	if (!pmu->used)
		pmu_close(pmu);
}

static int event_init(struct perf_event *event)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);
	unsigned int i;
	int ret;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (is_sampling_event(event))
		return -EOPNOTSUPP;
	/* A packet on the B-Link does not show which program has caused it. */
	if (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0 ||
	    event_has_any_exclude_flag(event))
		return -EINVAL;
	/* Check permissions here: perf checks them only later, and this call programs the card. */
	if (!perfmon_capable())
		return -EACCES;
	/* perf puts only a group's leader into the error state, and only if it is pinned. */
	if ((event->group_leader != event && !event->group_leader->attr.pinned) ||
	    smile_pmu_format_check(&event->attr))
		return -EINVAL;
	guard(mutex)(&pmu->lock);
	if (!pmu->card || !smile_card_alive(pmu->card))
		return -ENODEV;
	i = find_first_zero_bit(&pmu->used, pmu->card->static_counters);
	if (i >= pmu->card->static_counters)
		return -ENOSPC;
	/* Do not wait for a recovery, or for an owner's swap, with perf's locks held. */
	if (READ_ONCE(pmu->card->owner))
		return -EBUSY;
	ret = smile_gate_lock(pmu->card, false);
	if (ret)
		return ret;
	ret = pmu_program(pmu, i, &event->attr);
	smile_gate_unlock(pmu->card);
	if (ret)
		return ret == -ENODEV && smile_card_alive(pmu->card) ? -EAGAIN : ret;
	pmu->used |= BIT(i);
	pmu->event[i] = event;
	event->cpu = READ_ONCE(pmu->cpu);
	event->hw.idx = i;
	event->hw.event_base = pmu->attachment;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	event->destroy = event_destroy;
	/*
	 * If a pinned event cannot count, perf puts it into the error state. Otherwise, a user
	 * would mistake it for an event that counts 0.
	 */
	event->attr.pinned = 1;
	return 0;
}

/* ---- PMUs and cards ---- */

/* A CPU goes offline: move its events to another CPU. The card continues to count. */
static int pmu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct smile_pmu *pmu = hlist_entry_safe(node, struct smile_pmu, node);
	unsigned int target = cpumask_any_but(cpu_online_mask, cpu);

	if (cpu != pmu->cpu)
		return 0;
	WRITE_ONCE(pmu->moving, true);
	perf_pmu_migrate_context(&pmu->pmu, cpu, target);
	WRITE_ONCE(pmu->cpu, target);
	WRITE_ONCE(pmu->moving, false);
	return 0;
}

/* Create the PMU of the card's number. It has no card yet. */
static struct smile_pmu *pmu_make(struct smile_card *card)
{
	struct smile_pmu *pmu __free(kfree) = kzalloc(sizeof(*pmu), GFP_KERNEL);
	int ret;

	if (!pmu)
		return ERR_PTR(-ENOMEM);
	mutex_init(&pmu->ending);
	mutex_init(&pmu->lock);
	raw_spin_lock_init(&pmu->tally);
	pmu->quiet = true;
	pmu->attachment = 1; /* no event has this number of an attachment or of a round yet */
	pmu->round = 1;
	snprintf(pmu->name, sizeof(pmu->name), SMILE_NAME "%u", card->number);
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
		return ERR_PTR(ret);
	ret = cpuhp_state_add_instance_nocalls(pmu_hotplug, &pmu->node);
	/*
	 * Choose a CPU near the first card, and different CPUs for different PMUs. The lock
	 * prevents a CPU from going offline unnoticed.
	 */
	cpus_read_lock();
	pmu->cpu = cpumask_local_spread(card->number, dev_to_node(&card->pdev->dev));
	cpus_read_unlock();
	if (!ret)
		return pmu_list[card->number] = no_free_ptr(pmu);
	perf_pmu_unregister(&pmu->pmu);
	return ERR_PTR(ret);
}

/* Offer a card's static counters to perf. If this fails, log it: the card works without perf. */
void smile_pmu_attach(struct smile_card *card)
{
	struct smile_pmu *pmu;

	if (!card->static_counters)
		return;
	/* No lock is needed: the number belongs to this card, so no other probe creates its PMU. */
	pmu = pmu_list[card->number];
	if (!pmu)
		pmu = pmu_make(card);
	if (IS_ERR(pmu)) {
		dev_warn(&card->pdev->dev, "no counters for perf: error %ld\n", PTR_ERR(pmu));
		return;
	}
	guard(mutex)(&pmu->lock);
	guard(tally)(pmu);
	pmu->card = card;
	card->pmu = pmu;
}

/* Prepare for CPU hotplug. */
int smile_pmu_init(void)
{
	int ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/" SMILE_NAME ":online", NULL,
					  pmu_offline);

	if (ret < 0)
		return ret;
	pmu_hotplug = ret;
	return 0;
}

/*
 * Stop perf's multiplexing timers, for which perf_pmu_unregister() does not wait. A PMU without
 * events has such a timer only if a user has written to perf_event_mux_interval_ms, and the
 * interval may be weeks. Remove this file first, which waits for its writers, and then stop the
 * timers that they have started.
 */
static void pmu_stop_timers(struct pmu *pmu)
{
	static const struct attribute interval = {.name = "perf_event_mux_interval_ms"};
	int cpu;

	if (pmu->dev)
		sysfs_remove_file(&pmu->dev->kobj, &interval);
	for_each_possible_cpu(cpu) hrtimer_cancel(smile_compat_pmu_timer(pmu, cpu));
}

/* Unregister all PMUs. No card and no event may exist. */
void smile_pmu_exit(void)
{
	struct smile_pmu *pmu;
	unsigned int i;

	for (i = 0; i < SMILE_CARDS_MAX; i++) {
		pmu = pmu_list[i];
		if (!pmu)
			continue;
		cpuhp_state_remove_instance_nocalls(pmu_hotplug, &pmu->node);
		pmu_stop_timers(&pmu->pmu);
		perf_pmu_unregister(&pmu->pmu);
		kfree(pmu);
	}
	cpuhp_remove_multi_state(pmu_hotplug);
}
