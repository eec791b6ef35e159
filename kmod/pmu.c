// SPDX-License-Identifier: GPL-2.0-only
/*
 * The static counters as a PMU of perf's, one for each number of a device file.
 *
 * What lives here: how PMUs and cards come and go, sleep, and processors that go. May use: event.c,
 * the account of tally.c, the gate.
 *
 *	PMU "smile_monitorN"  from the first card of that number until the module goes: before 6.15
 *	                      the kernel frees what events still use when a PMU is unregistered
 *	attachment            of a card, from probe to remove; its events count, those of an earlier
 *	                      one do nothing any more: they keep their counts, and need no counter
 *
 * A card's tables can be written only while it stands still, so perf and the device file have it by
 * turns: whoever comes second gets -EBUSY.
 */
#include <linux/cpuhotplug.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/xarray.h>

#include "compat.h"
#include "pmu.h"

/* Records that are collected at one go with interrupts off, where it can be helped. */
#define PMU_CHUNK 64
/* In fills of the card's ring: what one call collects at most, as the drain does. */
#define PMU_FILLS_MAX 2

static DEFINE_XARRAY(pmu_list);
static enum cpuhp_state pmu_hotplug;

static struct smile_pmu *pmu_of_device(struct device *dev)
{
	return smile_pmu_of(dev_get_drvdata(dev));
}

static ssize_t cpumask_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	int cpu = READ_ONCE(pmu_of_device(dev)->cpu);

	return cpumap_print_to_pagebuf(true, buf, cpumask_of(cpu));
}
static DEVICE_ATTR_RO(cpumask);

static ssize_t gaps_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%llu\n", READ_ONCE(pmu_of_device(dev)->gaps));
}
static DEVICE_ATTR_RO(gaps);

static struct attribute *pmu_attrs[] = {
	&dev_attr_cpumask.attr,
	&dev_attr_gaps.attr,
	NULL,
};

static const struct attribute_group pmu_group = {
	.attrs = pmu_attrs,
};

static const struct attribute_group *pmu_groups[] = {
	&pmu_group,
	&smile_format_group,
	&smile_format_events_group,
	NULL,
};

/**
 * smile_pmu_take() - The first event takes the card.
 * @pmu: PMU with a card, locked
 *
 * Return: 0; -EBUSY if the device file has an owner; -EAGAIN while the bus is being reset;
 * -ERESTARTSYS; -EIO; -ENODEV.
 */
int smile_pmu_take(struct smile_pmu *pmu)
{
	struct smile_card *card = pmu->card;
	int index, ret;

	/* Not for long: nobody would wait for a reset of the bus with perf's locks held. */
	ret = smile_gate_try(card, &index);
	if (ret)
		return ret;
	/* An owner's swap may take its time; he is not to be waited for. */
	if (READ_ONCE(card->owner))
		ret = -EBUSY;
	else if (mutex_lock_interruptible(&card->control))
		ret = -ERESTARTSYS;
	if (!ret) {
		ret = card->owner ? -EBUSY : smile_tally_open(&pmu->tally, card);
		if (!ret)
			smile_gate_hold(card);
		mutex_unlock(&card->control);
	}
	smile_gate_leave(card, index);
	return ret;
}

/**
 * smile_pmu_give() - The last event gives it back.
 * @pmu: PMU with a card that counts for it, locked
 */
void smile_pmu_give(struct smile_pmu *pmu)
{
	struct smile_card *card = pmu->card;
	int index;

	index = srcu_read_lock(&card->gate);
	mutex_lock(&card->control);
	smile_tally_close(&pmu->tally);
	smile_gate_drop(card);
	mutex_unlock(&card->control);
	srcu_read_unlock(&card->gate, index);
}

/**
 * smile_pmu_collect() - Make room in the ring of a card that counts for perf.
 * @card: card
 *
 * Return: 0, also if it does not; 1 if there may be more; -EIO; -ENODEV.
 */
int smile_pmu_collect(struct smile_card *card)
{
	u32 budget = PMU_FILLS_MAX * card->ram_words / SMILE_RECORD_WORDS;
	struct smile_tally *tally;
	unsigned long flags;
	u32 done;
	int ret = 0;

	if (!card->pmu)
		return 0;
	tally = &card->pmu->tally;
	for (done = 0; done < budget; done += PMU_CHUNK) {
		raw_spin_lock_irqsave(&tally->lock, flags);
		ret = 0;
		if (tally->card == card && smile_tally_works(tally) && !tally->asleep)
			ret = smile_tally_collect(tally, PMU_CHUNK);
		raw_spin_unlock_irqrestore(&tally->lock, flags);
		if (ret <= 0)
			break;
		cond_resched();
	}
	return ret;
}

/**
 * smile_pmu_tables() - What do the static counters watch?
 * @card: card, its control held
 * @tables: receives it
 */
void smile_pmu_tables(struct smile_card *card, struct smile_static *tables)
{
	unsigned long flags;

	if (!card->pmu) {
		*tables = card->tables;
		return;
	}
	raw_spin_lock_irqsave(&card->pmu->tally.lock, flags);
	*tables = card->tables;
	raw_spin_unlock_irqrestore(&card->pmu->tally.lock, flags);
}

/* Put the card to sleep for perf, if it counts for it, by one of two ways. */
static void pmu_sleep(struct smile_card *card, bool answers)
{
	struct smile_pmu *pmu = card->pmu;
	unsigned long flags;

	if (!pmu)
		return;
	raw_spin_lock_irqsave(&pmu->tally.lock, flags);
	if (pmu->tally.card == card && smile_tally_works(&pmu->tally) && !pmu->tally.asleep) {
		/* What cannot be collected was told where it was found out. */
		if (answers)
			smile_tally_suspend(&pmu->tally);
		else
			smile_tally_freeze(&pmu->tally);
	}
	raw_spin_unlock_irqrestore(&pmu->tally.lock, flags);
}

/**
 * smile_pmu_suspend() - Collect what the card has counted for perf before it loses power.
 * @card: card, its control held
 *
 * From the return to smile_pmu_resume() perf does not touch it.
 */
void smile_pmu_suspend(struct smile_card *card)
{
	pmu_sleep(card, true);
}

/**
 * smile_pmu_freeze() - The bus does not work: perf leaves the card alone until smile_pmu_resume().
 * @card: card, its gate frozen
 */
void smile_pmu_freeze(struct smile_card *card)
{
	pmu_sleep(card, false);
}

/**
 * smile_pmu_resume() - Let a card that has lost its state go on counting for perf, if it did.
 * @card: card, its control held
 *
 * Return: 0; -EIO; -ENODEV.
 */
int smile_pmu_resume(struct smile_card *card)
{
	struct smile_pmu *pmu = card->pmu;
	unsigned long flags;
	int ret;

	if (!card->counted || !smile_card_sane(card))
		return 0;
	ret = smile_tally_resume(&pmu->tally);
	raw_spin_lock_irqsave(&pmu->tally.lock, flags);
	if (!ret && smile_tally_works(&pmu->tally))
		smile_event_program(pmu);
	raw_spin_unlock_irqrestore(&pmu->tally.lock, flags);
	return ret;
}

static int pmu_online(unsigned int cpu, struct hlist_node *node)
{
	struct smile_pmu *pmu = hlist_entry_safe(node, struct smile_pmu, node);

	if (!cpu_online(pmu->cpu))
		WRITE_ONCE(pmu->cpu, cpu);
	return 0;
}

/* A processor goes, and the events move to another; the card counts on meanwhile. */
static int pmu_offline(unsigned int cpu, struct hlist_node *node)
{
	struct smile_pmu *pmu = hlist_entry_safe(node, struct smile_pmu, node);
	unsigned int target;

	if (cpu != pmu->cpu)
		return 0;
	target = cpumask_any_but(cpu_online_mask, cpu);
	if (target >= nr_cpu_ids)
		return 0;
	raw_spin_lock_irq(&pmu->tally.lock);
	pmu->round++;
	pmu->moving = true;
	raw_spin_unlock_irq(&pmu->tally.lock);
	perf_pmu_migrate_context(&pmu->pmu, cpu, target);
	WRITE_ONCE(pmu->cpu, target);
	raw_spin_lock_irq(&pmu->tally.lock);
	pmu->moving = false;
	raw_spin_unlock_irq(&pmu->tally.lock);
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
	mutex_init(&pmu->lock);
	smile_tally_init(&pmu->tally);
	snprintf(pmu->name, sizeof(pmu->name), SMILE_NAME "%u", card->number);
	/*
	 * Near to the first card, and not the same for all. If it goes offline before the next
	 * step, pmu_online() chooses another.
	 */
	pmu->cpu = cpumask_local_spread(card->number, dev_to_node(&card->pdev->dev));
	pmu->pmu = smile_event_pmu;
	pmu->pmu.attr_groups = pmu_groups;
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
	kfree(pmu);
	return ERR_PTR(ret);
}

/**
 * smile_pmu_attach() - Offer a card's static counters to perf, if they can work by themselves.
 * @card: card that can be used
 *
 * Without that the card is as good as ever: what goes wrong is told, no more.
 */
void smile_pmu_attach(struct smile_card *card)
{
	struct smile_pmu *pmu;
	unsigned long flags;

	if (!smile_tally_possible(card))
		return;
	/* The number is this card's alone: nobody else makes its PMU. */
	pmu = xa_load(&pmu_list, card->number);
	if (!pmu)
		pmu = pmu_make(card);
	if (IS_ERR(pmu)) {
		dev_warn(&card->pdev->dev, "no static counters for perf: error %ld\n",
			 PTR_ERR(pmu));
		return;
	}
	mutex_lock(&pmu->lock);
	raw_spin_lock_irqsave(&pmu->tally.lock, flags);
	pmu->attachment++;
	raw_spin_unlock_irqrestore(&pmu->tally.lock, flags);
	pmu->card = card;
	card->pmu = pmu;
	mutex_unlock(&pmu->lock);
}

/**
 * smile_pmu_detach() - Let go of a card that goes: perf does not touch it from the return on.
 * @card: card, attached or not
 *
 * Its events remain, and keep what they have counted.
 */
void smile_pmu_detach(struct smile_card *card)
{
	struct smile_pmu *pmu = card->pmu;
	unsigned long flags;

	if (!pmu)
		return;
	mutex_lock(&pmu->lock);
	if (pmu->card == card) {
		raw_spin_lock_irqsave(&pmu->tally.lock, flags);
		smile_event_part(pmu);
		raw_spin_unlock_irqrestore(&pmu->tally.lock, flags);
		if (pmu->events) {
			dev_warn(&card->pdev->dev,
				 "%s: %u events count no more: end perf and begin anew\n",
				 pmu->name, pmu->events);
			smile_pmu_give(pmu);
		}
		pmu->events = 0;
		pmu->card = NULL;
	}
	mutex_unlock(&pmu->lock);
}

/**
 * smile_pmu_init() - Be told of processors that go.
 *
 * Return: 0, or -errno.
 */
int smile_pmu_init(void)
{
	int ret = cpuhp_setup_state_multi(CPUHP_AP_ONLINE_DYN, "perf/" SMILE_NAME ":online",
					  pmu_online, pmu_offline);

	if (ret < 0)
		return ret;
	pmu_hotplug = ret;
	return 0;
}

/**
 * smile_pmu_exit() - Take back all PMUs; there is no card, and no event, any more.
 */
void smile_pmu_exit(void)
{
	struct smile_pmu *pmu;
	unsigned long number;

	xa_for_each(&pmu_list, number, pmu) {
		cpuhp_state_remove_instance_nocalls(pmu_hotplug, &pmu->node);
		/*
		 * The timer by which perf gives the counters to more events than there are runs
		 * once more after the last event has gone, and is not waited for when a PMU goes.
		 */
		msleep(2 * pmu->pmu.hrtimer_interval_ms);
		perf_pmu_unregister(&pmu->pmu);
		mutex_destroy(&pmu->lock);
		kfree(pmu);
	}
	xa_destroy(&pmu_list);
	cpuhp_remove_multi_state(pmu_hotplug);
}
