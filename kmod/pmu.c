// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static counters as a perf PMU, one for each number of a device file.
 *
 * What lives here: perf's callbacks, 64-bit totals of the card's 16-bit counters, and how cards
 * come and go. May use: the gate, stream.c, card.c, format.c.
 *
 * A PMU stays from the first card of its number until the module is unloaded: before 6.15
 * perf_pmu_unregister() frees what open events still use. Events of an earlier card count no more.
 *
 * An event gets a counter for good when it is opened: there is no multiplexing. So all events are
 * pinned, and perf puts one that cannot count into the error state. The card's tables can only be
 * written while it stands still, so opening an event stops it for a moment, and perf and the device
 * file exclude each other.
 *
 *	 OVERFLOW, STATIC               total[i]
 *	...[ ring in the card's RAM ] --collect--> (+) --> count
 *	STATIC_VALUE[i] ------------------------->  |
 *
 * While the ring is full the card keeps the OVERFLOW records that are pending for its counters, and
 * writes them as soon as RING_READ moves. So with a ring that is not full nothing is pending.
 */
#include <linux/capability.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched.h>
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
	unsigned long used; /* bit i: counter i has an event */
	struct perf_event *event[SMILE_STATIC_COUNTERS];
	raw_spinlock_t tally; /* what follows, and RING_READ of a card that counts for perf */
	struct smile_card *card; /* the attached card, or NULL; written under @lock, too */
	unsigned long attachment; /* number of its attachment; likewise */
	bool quiet; /* no read of a counter: nothing counts, or asleep, frozen, being programmed */
	bool moving; /* its events move to another CPU */
	unsigned long round; /* times that perf began to reschedule events */
	unsigned long added; /* bit i: the event of counter i is scheduled */
	u64 total[SMILE_STATIC_COUNTERS]; /* sum of each counter's records */
	u64 last[SMILE_STATIC_COUNTERS]; /* last count reported; no later one is lower */
	u64 gaps; /* times that counters stood still under scheduled events */
};

static DEFINE_XARRAY(pmu_list);
static enum cpuhp_state pmu_hotplug;

/* How many tally locks does this CPU hold, or wait for? */
static DEFINE_PER_CPU(unsigned int, pmu_depth);

/* guard(tally)(pmu). Sparse does not see the end of a guard: balance the lock at once. */
/* clang-format off */
DEFINE_LOCK_GUARD_1(tally, struct smile_pmu,
		    local_irq_save(_T->flags);
		    this_cpu_inc(pmu_depth);
		    raw_spin_lock(&_T->lock->tally);
		    __release(&_T->lock->tally),
		    __acquire(&_T->lock->tally);
		    raw_spin_unlock(&_T->lock->tally);
		    this_cpu_dec(pmu_depth);
		    local_irq_restore(_T->flags),
		    unsigned long flags)
/* clang-format on */

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

/*
 * Add up what the card's ring holds, and make room in it. Return: 0 if all is collected that had
 * left the counters at some instant during the call; 1 if @budget did not suffice; -ENODEV.
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
		/* Under perf's locks nothing can be woken up or logged at once. */
		if (waiting == -EIO)
			smile_life_suspect(card);
		if (waiting < 0)
			return -ENODEV;
		count = min_t(u32, waiting, budget);
		if (!count)
			return waiting ? 1 : 0;
		for (i = 0; i < count; i++) {
			void __iomem *record = card->ram + (*read & mask) * 4;
			u32 word = ioread32(record);
			u32 kind = SMILE_GET(SMILE_RECORD_KIND, word);
			u32 index = SMILE_GET(SMILE_RECORD_INDEX, ioread32(record + 3 * 4));

			if (smile_card_absent(card, word))
				return -ENODEV;
			if ((kind == SMILE_KIND_STATIC || kind == SMILE_KIND_OVERFLOW) &&
			    index < SMILE_STATIC_COUNTERS)
				pmu->total[index] += SMILE_GET(SMILE_RECORD_COUNT, word);
			*read = (*read + SMILE_RECORD_WORDS) & (2 * mask + 1);
		}
		/* ioread32() has completed: what was read may be overwritten. */
		smile_card_write(card, SMILE_REG_RING_READ, *read);
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
		smile_life_suspect(card);
	if (!smile_card_usable(card) || smile_card_absent(card, value) ||
	    tally_collect(pmu, budget))
		return pmu->last[i];
	value = pmu->total[i] == before ? SMILE_GET(SMILE_VALUE_COUNT, value) : 0;
	pmu->last[i] = max(pmu->last[i], pmu->total[i] + value);
	return pmu->last[i];
}

/* The card stands still under events, or has lost its counters: @lost. */
static void tally_gap(struct smile_pmu *pmu, bool lost)
{
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

/* ---- the card; under smile_pmu.lock, inside the gate, under smile_card.control ---- */

/* The first event takes the card, and lets its static counters work by themselves. */
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
	WRITE_ONCE(card->counted, true);
	config = card->config;
	config.mode = SMILE_MODE_STATIC | SMILE_MODE_NO_DYNAMIC;
	config.watermark_records = card->ram_words / SMILE_RECORD_WORDS / PMU_WATERMARK_PART;
	ret = smile_static_store(card, tables);
	if (!ret)
		ret = smile_card_configure(card, &config);
	if (!ret)
		ret = smile_stream_start(card);
	if (!ret) {
		tally_quiet(pmu, false);
		return 0;
	}
	WRITE_ONCE(card->counted, false);
	smile_ring_close(card);
	return ret == -EINVAL ? -EIO : ret;
}

/* The last event gives it back. */
static void pmu_close(struct smile_pmu *pmu)
{
	struct smile_card *card = pmu->card;

	tally_quiet(pmu, true);
	guard(rwsem_read)(&card->gate);
	guard(mutex)(&card->control);
	smile_ring_close(card);
	WRITE_ONCE(card->counted, false);
}

/* Have a counter count what an event asks for. */
static int pmu_store(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr)
{
	struct smile_static tables = {.size = sizeof(tables)};
	struct smile_card *card = pmu->card;
	int ret, run;

	if (card->owner)
		return -EBUSY;
	if (pmu->used)
		tables = card->tables;
	smile_format_words(&tables, i, attr);
	if (!pmu->used)
		return pmu_open(pmu, &tables);
	/* What the card has already costs no pause. */
	if (!memcmp(&tables, &card->tables, sizeof(tables)))
		return 0;
	tally_gap(pmu, false);
	tally_quiet(pmu, true);
	ret = smile_stream_stop(card);
	if (!ret)
		ret = smile_stream_static(card, &tables);
	run = smile_stream_start(card);
	if (!run)
		tally_quiet(pmu, false);
	/* For smile_stream_resume(), also if the card has just been frozen. */
	WRITE_ONCE(card->running, true);
	return ret ?: run;
}

static int pmu_program(struct smile_pmu *pmu, unsigned int i, const struct perf_event_attr *attr)
{
	struct smile_card *card = pmu->card;
	int ret;

	/* Do not wait for a recovery, or for an owner's swap, with perf's locks held. */
	if (READ_ONCE(card->owner))
		return -EBUSY;
	ret = smile_life_lock(card, false);
	if (ret)
		return ret;
	ret = pmu_store(pmu, i, attr);
	smile_life_unlock(card);
	return ret == -ENODEV && smile_card_alive(card) ? -EAGAIN : ret;
}

/* ---- what the rest of the driver calls ---- */

/* Make room in the ring of a card that counts for perf. Return: 0; 1 if there may be more. */
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

/* The card is frozen, or goes to sleep: perf does not read it until smile_pmu_resume(). */
void smile_pmu_suspend(struct smile_card *card)
{
	if (card->pmu)
		tally_quiet(card->pmu, true);
}

/* Let perf read a card that counts for it. Called with smile_card.control held. */
void smile_pmu_resume(struct smile_card *card, bool reset)
{
	if (!card->counted)
		return;
	if (reset)
		tally_gap(card->pmu, true);
	tally_quiet(card->pmu, false);
}

/* Put the events that there are into the error state. They keep what they have counted. */
static void pmu_end(struct smile_card *card, bool detach)
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
		added = READ_ONCE(pmu->added);
		memcpy(event, pmu->event, sizeof(event));
	}
	/* Outside of the lock: perf takes its context mutex. */
	for_each_set_bit(i, &added, SMILE_STATIC_COUNTERS)
		perf_event_disable(event[i]);
	scoped_guard(mutex, &pmu->lock) {
		if (pmu->used)
			pmu_close(pmu);
		pmu->used = 0;
		guard(tally)(pmu);
		pmu->attachment++;
		pmu->added = 0;
		if (detach)
			pmu->card = NULL;
	}
	for_each_set_bit(i, &added, SMILE_STATIC_COUNTERS)
		perf_event_enable(event[i]);
}

/* A card counts no more for its events. */
void smile_pmu_end(struct smile_card *card)
{
	pmu_end(card, false);
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

	if (in_nmi() || this_cpu_read(pmu_depth))
		return;
	guard(tally)(pmu);
	event_update(pmu, event);
}

/*
 * perf is about to reschedule: it deletes all events to add one, and adds them again. An event that
 * comes back in the same round has never stopped counting.
 */
static void event_round(struct pmu *perf)
{
	struct smile_pmu *pmu = pmu_of(perf);

	guard(tally)(pmu);
	if (!READ_ONCE(pmu->moving))
		pmu->round++;
}

/* Without it perf would not call event_round(), either. */
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
		if (!event_attached(pmu, event))
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

/* ---- and these where they may sleep ---- */

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
	/* The B-Link does not name a packet's program. */
	if (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0 ||
	    event_has_any_exclude_flag(event))
		return -EINVAL;
	/* perf checks permissions after this call, which programs the card. */
	if (!perfmon_capable())
		return -EACCES;
	if (smile_format_check(&event->attr))
		return -EINVAL;
	guard(mutex)(&pmu->lock);
	if (!pmu->card || !smile_card_alive(pmu->card))
		return -ENODEV;
	i = find_first_zero_bit(&pmu->used, pmu->card->static_counters);
	if (i >= pmu->card->static_counters)
		return -ENOSPC;
	ret = pmu_program(pmu, i, &event->attr);
	if (ret)
		return ret;
	pmu->used |= BIT(i);
	pmu->event[i] = event;
	event->cpu = READ_ONCE(pmu->cpu);
	event->hw.idx = i;
	event->hw.event_base = pmu->attachment;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	event->destroy = event_destroy;
	/* One that cannot count is then in the error state, and not taken for one that counts 0. */
	event->attr.pinned = 1;
	return 0;
}

/* ---- PMUs and cards ---- */

static int pmu_online(unsigned int cpu, struct hlist_node *node)
{
	struct smile_pmu *pmu = hlist_entry(node, struct smile_pmu, node);

	if (!cpu_online(pmu->cpu))
		WRITE_ONCE(pmu->cpu, cpu);
	return 0;
}

/* A CPU goes offline, and the events move to another; the card continues to count. */
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
	pmu->quiet = true;
	pmu->attachment = 1; /* that of no event yet, as the round */
	pmu->round = 1;
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
	guard(mutex)(&pmu->lock);
	guard(tally)(pmu);
	pmu->card = card;
	card->pmu = pmu;
}

/* Undo smile_pmu_attach(): perf does not touch the card from the return on. */
void smile_pmu_detach(struct smile_card *card)
{
	struct smile_pmu *pmu = card->pmu;

	if (pmu && READ_ONCE(pmu->used))
		dev_warn(&card->pdev->dev, "%s: its events count no more: end perf\n", pmu->name);
	pmu_end(card, true);
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
		kfree(pmu);
	}
	xa_destroy(&pmu_list);
	cpuhp_remove_multi_state(pmu_hotplug);
}
