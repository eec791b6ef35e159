// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static counters as a perf PMU, one for each number of a device file.
 *
 * What lives here: perf's callbacks, and how cards come and go. May use: the totals of tally.c, and
 * format.c.
 *
 * A PMU stays from the first card of its number until the module is unloaded: before 6.15
 * perf_pmu_unregister() frees what open events still use. Events of an earlier card count no more.
 *
 * An event gets a counter for good when it is opened: there is no multiplexing. So all events are
 * pinned, and perf puts one that cannot count into the error state. The card's tables can only be
 * written while it stands still, so opening an event stops it for a moment, and perf and the device
 * file exclude each other.
 */
#include <linux/capability.h>
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/sysfs.h>
#include <linux/xarray.h>

#include "compat.h"
#include "pmu.h"
#include "smile_monitor.h"

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
	count = smile_tally_count(pmu, hw->idx);
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

	if (in_nmi() || smile_tally_held())
		return;
	smile_tally_lock(pmu);
	event_update(pmu, event);
	smile_tally_unlock(pmu);
}

/*
 * perf is about to reschedule: it deletes all events to add one, and adds them again. An event that
 * comes back in the same round has never stopped counting.
 */
static void event_round(struct pmu *perf)
{
	struct smile_pmu *pmu = pmu_of(perf);

	smile_tally_lock(pmu);
	if (!READ_ONCE(pmu->moving))
		pmu->round++;
	smile_tally_unlock(pmu);
}

/* Without it perf would not call event_round(), either. */
static void event_round_ends(struct pmu *perf)
{
}

static void event_start(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);
	struct hw_perf_event *hw = &event->hw;

	smile_tally_lock(pmu);
	hw->state = 0;
	if (event_attached(pmu, event) && hw->config_base != pmu->round)
		local64_set(&hw->prev_count, smile_tally_count(pmu, hw->idx));
	smile_tally_unlock(pmu);
}

static void event_stop(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);

	smile_tally_lock(pmu);
	event_update(pmu, event);
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	event->hw.config_base = pmu->round;
	smile_tally_unlock(pmu);
}

static int event_add(struct perf_event *event, int flags)
{
	struct smile_pmu *pmu = pmu_of(event->pmu);
	bool possible;

	smile_tally_lock(pmu);
	possible = event_attached(pmu, event) && !pmu->ended;
	if (possible)
		pmu->added |= BIT(event->hw.idx);
	smile_tally_unlock(pmu);
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
	smile_tally_lock(pmu);
	if (event_attached(pmu, event))
		pmu->added &= ~BIT(event->hw.idx);
	smile_tally_unlock(pmu);
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
			smile_tally_close(pmu);
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
	ret = smile_tally_program(pmu, i, &event->attr);
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
	if (event->attach_state & PERF_ATTACH_TASK || event->cpu < 0 ||
	    event_has_any_exclude_flag(event))
		return -EINVAL;
	/* perf checks permissions after this call, which programs the card. */
	if (!perfmon_capable())
		return -EACCES;
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
	smile_tally_lock(pmu);
	added = pmu->card == card ? pmu->added : 0;
	if (pmu->card == card)
		pmu->ended = true;
	smile_tally_unlock(pmu);
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
	smile_tally_lock(pmu);
	pmu->attachment++;
	pmu->ended = false;
	pmu->added = 0;
	smile_tally_unlock(pmu);
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
			smile_tally_close(pmu);
		}
		smile_tally_lock(pmu);
		pmu->attachment++;
		smile_tally_unlock(pmu);
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
