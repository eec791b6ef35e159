// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf's events: who has a static counter, and what it has counted for him.
 *
 * What lives here: what perf calls. May use: the account of tally.c, the fields of format.c; takes
 * and gives back the card through pmu.c.
 *
 *	perf moves events about  disable, del..., add..., enable: only in the last is the card told
 *	                         of new ones, all at once; it stands still for that moment
 *	an event comes back      between the same disable and enable, to the same counter: it has
 *	                         never stopped counting, and goes on from where it was
 */
#include <linux/module.h>
#include <linux/perf_event.h>

#include "compat.h"
#include "pmu.h"

/* ---- perf calls these with interrupts off, on the processor of the events ---- */

/* Does the event belong to the attached card, and is there anything to be had from it? */
static bool event_has(const struct smile_pmu *pmu, const struct perf_event *event)
{
	return event->hw.event_base == pmu->attachment && smile_tally_works(&pmu->tally);
}

static struct smile_watch event_watch(const struct perf_event *event, unsigned int i)
{
	struct smile_watch watch;

	smile_format_watch(event->attr.config, event->attr.config1, i, &watch);
	return watch;
}

static void event_update(struct smile_pmu *pmu, struct perf_event *event)
{
	struct hw_perf_event *hw = &event->hw;
	u64 count;

	/* Before the card knows of it there is nothing to be counted. */
	if (hw->state & PERF_HES_STOPPED || pmu->counter[hw->idx].fresh)
		return;
	if (smile_tally_count(&pmu->tally, hw->idx, &count))
		return;
	local64_add(count - local64_read(&hw->prev_count), &event->count);
	local64_set(&hw->prev_count, count);
}

static void event_read(struct perf_event *event)
{
	struct smile_pmu *pmu = smile_pmu_of(event->pmu);
	unsigned long flags;

	raw_spin_lock_irqsave(&pmu->tally.lock, flags);
	if (event_has(pmu, event))
		event_update(pmu, event);
	raw_spin_unlock_irqrestore(&pmu->tally.lock, flags);
}

/* From which count on does the event count? One who was away between two others' turns goes on. */
static void event_begin(struct smile_pmu *pmu, struct perf_event *event, bool goes_on)
{
	u64 count;

	event->hw.state = 0;
	if (goes_on || pmu->counter[event->hw.idx].fresh)
		return;
	if (!smile_tally_count(&pmu->tally, event->hw.idx, &count))
		local64_set(&event->hw.prev_count, count);
}

static void event_start(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = smile_pmu_of(event->pmu);
	unsigned long irq;

	raw_spin_lock_irqsave(&pmu->tally.lock, irq);
	if (event_has(pmu, event) && event->hw.idx >= 0)
		event_begin(pmu, event, false);
	raw_spin_unlock_irqrestore(&pmu->tally.lock, irq);
}

static void event_stop(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = smile_pmu_of(event->pmu);
	unsigned long irq;

	raw_spin_lock_irqsave(&pmu->tally.lock, irq);
	if (event_has(pmu, event) && event->hw.idx >= 0)
		event_update(pmu, event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	raw_spin_unlock_irqrestore(&pmu->tally.lock, irq);
}

/* May the event that left it be back in a moment? */
static bool event_awaited(const struct smile_pmu *pmu, unsigned int i)
{
	return pmu->counter[i].last && pmu->counter[i].round == pmu->round;
}

/* How good is a free counter for an event? The less it disturbs, the better. */
static int event_rank(const struct smile_pmu *pmu, const struct perf_event *event, unsigned int i)
{
	struct smile_watch watch = event_watch(event, i);
	bool holds = smile_tally_holds(&pmu->tally, i, &watch);

	if (holds && pmu->counter[i].last == event)
		return 4;
	if (event_awaited(pmu, i))
		return 0;
	if (holds)
		return 3;
	return pmu->tally.card->tables.counter[i] ? 1 : 2;
}

/* Return: the best of the free counters, or -EAGAIN. */
static int event_choose(const struct smile_pmu *pmu, const struct perf_event *event)
{
	int best = -EAGAIN, best_rank = -1;
	unsigned int i;

	for (i = 0; i < pmu->tally.card->static_counters; i++) {
		int rank;

		if (pmu->counter[i].event)
			continue;
		rank = event_rank(pmu, event, i);
		if (rank > best_rank) {
			best = i;
			best_rank = rank;
		}
	}
	return best;
}

static int event_add_locked(struct smile_pmu *pmu, struct perf_event *event, int flags)
{
	struct smile_counter *counter;
	struct smile_watch watch;
	bool goes_on;
	int i;

	if (event->hw.event_base != pmu->attachment) {
		/* Its time is over: a refusal would be tried again, at the cost of others' time. */
		event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
		return 0;
	}
	if (!smile_tally_works(&pmu->tally))
		return -ENODEV;
	i = event_choose(pmu, event);
	if (i < 0)
		return i;
	counter = &pmu->counter[i];
	watch = event_watch(event, i);
	counter->fresh = !smile_tally_holds(&pmu->tally, i, &watch);
	goes_on = !counter->fresh && counter->last == event && counter->round == pmu->round;
	counter->event = event;
	counter->last = NULL;
	event->hw.idx = i;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	if (flags & PERF_EF_START)
		event_begin(pmu, event, goes_on);
	return 0;
}

static int event_add(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = smile_pmu_of(event->pmu);
	unsigned long irq;
	int ret;

	raw_spin_lock_irqsave(&pmu->tally.lock, irq);
	ret = event_add_locked(pmu, event, flags);
	raw_spin_unlock_irqrestore(&pmu->tally.lock, irq);
	return ret;
}

static void event_del(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = smile_pmu_of(event->pmu);
	struct smile_counter *counter;
	unsigned long irq;

	raw_spin_lock_irqsave(&pmu->tally.lock, irq);
	if (event->hw.event_base == pmu->attachment && event->hw.idx >= 0) {
		counter = &pmu->counter[event->hw.idx];
		if (smile_tally_works(&pmu->tally))
			event_update(pmu, event);
		counter->event = NULL;
		/* The card has never heard of it. */
		counter->last = counter->fresh ? NULL : event;
		counter->fresh = false;
		counter->round = pmu->round;
	}
	event->hw.idx = -1;
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	raw_spin_unlock_irqrestore(&pmu->tally.lock, irq);
}

/* perf is going to move events about. What goes and comes back meanwhile loses nothing. */
static void event_disable(struct pmu *perf)
{
	struct smile_pmu *pmu = smile_pmu_of(perf);
	unsigned long irq;

	raw_spin_lock_irqsave(&pmu->tally.lock, irq);
	if (!pmu->moving)
		pmu->round++;
	raw_spin_unlock_irqrestore(&pmu->tally.lock, irq);
}

/**
 * smile_event_program() - Tell the card what it does not know yet.
 * @pmu: PMU, its account locked, with a card that works and is awake
 */
void smile_event_program(struct smile_pmu *pmu)
{
	struct smile_watch watch[SMILE_STATIC_COUNTERS];
	unsigned long mask = 0;
	bool others = false;
	unsigned int i;

	for (i = 0; i < pmu->tally.card->static_counters; i++) {
		const struct smile_counter *counter = &pmu->counter[i];

		if (!counter->event)
			continue;
		watch[i] = event_watch(counter->event, i);
		if (!smile_tally_holds(&pmu->tally, i, &watch[i]))
			mask |= BIT(i);
		others |= !counter->fresh;
	}
	if (!mask)
		return;
	if (others)
		WRITE_ONCE(pmu->gaps, pmu->gaps + 1);
	if (smile_tally_store(&pmu->tally, watch, mask))
		return;
	for_each_set_bit(i, &mask, SMILE_STATIC_COUNTERS) {
		struct smile_counter *counter = &pmu->counter[i];

		/* The others go on from where they were before the card forgot them. */
		if (counter->fresh)
			local64_set(&counter->event->hw.prev_count, pmu->tally.total[i]);
		counter->fresh = false;
	}
}

static void event_enable(struct pmu *perf)
{
	struct smile_pmu *pmu = smile_pmu_of(perf);
	unsigned long irq;

	raw_spin_lock_irqsave(&pmu->tally.lock, irq);
	if (smile_tally_works(&pmu->tally) && !pmu->tally.asleep)
		smile_event_program(pmu);
	raw_spin_unlock_irqrestore(&pmu->tally.lock, irq);
}

/**
 * smile_event_part() - The last word of a card that goes: what its events have counted.
 * @pmu: PMU, its account locked
 *
 * They are its events no more from here on.
 */
void smile_event_part(struct smile_pmu *pmu)
{
	unsigned int i;

	for (i = 0; i < SMILE_STATIC_COUNTERS; i++) {
		struct smile_counter *counter = &pmu->counter[i];

		if (counter->event && smile_tally_works(&pmu->tally))
			event_update(pmu, counter->event);
		*counter = (struct smile_counter){};
	}
	pmu->attachment++;
}

/* ---- and these where one may sleep ---- */

static void event_destroy(struct perf_event *event)
{
	struct smile_pmu *pmu = smile_pmu_of(event->pmu);
	unsigned long flags;
	unsigned int i;

	mutex_lock(&pmu->lock);
	if (event->hw.event_base == pmu->attachment) {
		raw_spin_lock_irqsave(&pmu->tally.lock, flags);
		for (i = 0; i < SMILE_STATIC_COUNTERS; i++) {
			if (pmu->counter[i].last == event)
				pmu->counter[i].last = NULL;
		}
		raw_spin_unlock_irqrestore(&pmu->tally.lock, flags);
		if (!--pmu->events)
			smile_pmu_give(pmu);
	}
	mutex_unlock(&pmu->lock);
}

/* Could the group, with the event, be counted at one time? */
static int event_check_group(const struct smile_pmu *pmu, struct perf_event *event)
{
	struct perf_event *leader = event->group_leader, *sibling;
	unsigned int counters = 1;

	/* It has no siblings yet. */
	if (leader == event)
		return 0;
	if (leader->pmu == event->pmu)
		counters++;
	else if (!is_software_event(leader))
		return -EINVAL;
	for_each_sibling_event(sibling, leader) {
		if (sibling->pmu == event->pmu)
			counters++;
		else if (!is_software_event(sibling))
			return -EINVAL;
	}
	return counters <= pmu->card->static_counters ? 0 : -EINVAL;
}

/* Is there a card for the event, and can it have it? Return: 0, and it is the PMU's; -errno. */
static int event_admit(struct smile_pmu *pmu, struct perf_event *event)
{
	int ret;

	if (!pmu->card || !smile_card_alive(pmu->card))
		return -ENODEV;
	ret = event_check_group(pmu, event);
	if (ret)
		return ret;
	if (!pmu->events)
		return smile_pmu_take(pmu);
	/* Only who takes it anew brings a card to its senses. */
	return smile_card_sane(pmu->card) ? 0 : -EIO;
}

static int event_init(struct perf_event *event)
{
	struct smile_pmu *pmu = smile_pmu_of(event->pmu);
	int ret;

	if (event->attr.type != event->pmu->type)
		return -ENOENT;
	if (is_sampling_event(event))
		return -EOPNOTSUPP;
	/* The B-Link does not say which program it works for. */
	if (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0)
		return -EINVAL;
	ret = smile_format_check(&event->attr);
	if (ret)
		return ret;
	mutex_lock(&pmu->lock);
	ret = event_admit(pmu, event);
	if (!ret) {
		pmu->events++;
		event->cpu = READ_ONCE(pmu->cpu);
		event->hw.idx = -1;
		event->hw.event_base = pmu->attachment;
		event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
		event->destroy = event_destroy;
	}
	mutex_unlock(&pmu->lock);
	return ret;
}

/* To be completed with attributes. */
const struct pmu smile_event_pmu = {
	.module = THIS_MODULE,
	.capabilities = PERF_PMU_CAP_NO_INTERRUPT | PERF_PMU_CAP_NO_EXCLUDE,
	.task_ctx_nr = perf_invalid_context,
	.pmu_enable = event_enable,
	.pmu_disable = event_disable,
	.event_init = event_init,
	.add = event_add,
	.del = event_del,
	.start = event_start,
	.stop = event_stop,
	.read = event_read,
};
