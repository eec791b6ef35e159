// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate: between two of its calls the card is there, has power, and its bus works.
 *
 * What lives here: entering and leaving, and what keeps the gate shut. May use: the PCI device's
 * power; touches no register.
 *
 *	dead		the card is gone, or the driver lets go of it: nobody enters any more
 *	frozen		its bus is being reset: whoever comes waits, or comes again
 *
 * Whoever sets one of the two and then waits for smile_card.gate knows that nobody is inside.
 */
#include <linux/pci.h>
#include <linux/pm_runtime.h>

#include "compat.h"
#include "smile_monitor.h"

/* So long an idle card keeps its power: a tool that asks several things wakes it up once. */
#define GATE_IDLE_MS 1000

static bool gate_frozen(const struct smile_card *card)
{
	return test_bit(SMILE_FLAG_FROZEN, &card->flags);
}

/* Go inside, if it can be done at once. Return: 0; -EAGAIN if it is frozen; -ENODEV. */
static int gate_pass(struct smile_card *card, int *index)
{
	int ret = 0;

	*index = srcu_read_lock(&card->gate);
	/* Sparse cannot count what is held on some ways out only. */
	__release(&card->gate);
	if (!smile_card_alive(card))
		ret = -ENODEV;
	else if (gate_frozen(card))
		ret = -EAGAIN;
	else
		ret = pm_runtime_resume_and_get(&card->pdev->dev);
	if (ret) {
		__acquire(&card->gate);
		srcu_read_unlock(&card->gate, *index);
	}
	return ret;
}

/**
 * smile_gate_try() - Go through the gate, unless its bus is being reset.
 * @card: card
 * @index: for smile_gate_leave()
 *
 * May sleep as long as the card takes to get its power back.
 *
 * Return: 0; -EAGAIN, -ENODEV, or what power management says, with nothing to be left.
 */
int smile_gate_try(struct smile_card *card, int *index)
{
	return gate_pass(card, index);
}

/**
 * smile_gate_enter() - Go through the gate, and wait for a reset of the bus if there is one.
 * @card: card
 * @index: for smile_gate_leave()
 *
 * Return: 0; -ERESTARTSYS, -ENODEV, or what power management says, with nothing to be left.
 */
int smile_gate_enter(struct smile_card *card, int *index)
{
	int ret;

	do {
		/* Outside, where nobody waits for us. */
		ret = wait_event_interruptible(card->wait,
					       !gate_frozen(card) || !smile_card_alive(card));
		if (!ret)
			ret = gate_pass(card, index);
	} while (ret == -EAGAIN);
	return ret;
}

/**
 * smile_gate_leave() - Let remove(), sleep or a reset go on.
 * @card: card
 * @index: what smile_gate_enter() or smile_gate_try() gave
 */
void smile_gate_leave(struct smile_card *card, int index)
{
	pm_runtime_mark_last_busy(&card->pdev->dev);
	pm_runtime_put_autosuspend(&card->pdev->dev);
	__acquire(&card->gate);
	srcu_read_unlock(&card->gate, index);
}

/**
 * smile_gate_hold() - Keep the card's power, also after smile_gate_leave().
 * @card: card, within the gate
 *
 * Undone by smile_gate_drop(), as long as the card lives, and by smile_gate_close() for good.
 */
void smile_gate_hold(struct smile_card *card)
{
	lockdep_assert_held(&card->control);
	if (card->held)
		return;
	card->held = true;
	pm_runtime_get_noresume(&card->pdev->dev);
}

/**
 * smile_gate_drop() - Undo smile_gate_hold().
 * @card: card, as a reader of smile_card.gate
 */
void smile_gate_drop(struct smile_card *card)
{
	lockdep_assert_held(&card->control);
	/* Not any more once the card is dead: then smile_gate_close() does it. */
	if (!card->held || !smile_card_alive(card))
		return;
	card->held = false;
	pm_runtime_mark_last_busy(&card->pdev->dev);
	pm_runtime_put_autosuspend(&card->pdev->dev);
}

/**
 * smile_gate_open() - The card can be used: from now on it sleeps when nobody does, if that is
 * allowed.
 * @card: card, with power, as probe() is given it
 */
void smile_gate_open(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;

	pm_runtime_set_autosuspend_delay(dev, GATE_IDLE_MS);
	pm_runtime_use_autosuspend(dev);
	pm_runtime_mark_last_busy(dev);
	pm_runtime_put_autosuspend(dev);
}

/**
 * smile_gate_close() - Whoever sleeps wakes up, whoever is inside comes out, and nobody enters.
 * @card: card, with power, as remove() is given it
 */
void smile_gate_close(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;

	smile_card_kill(card);
	synchronize_srcu(&card->gate);
	/* What probe() gave away, and what the owner, who cannot do so any more, would. */
	pm_runtime_get_noresume(dev);
	pm_runtime_dont_use_autosuspend(dev);
	mutex_lock(&card->control);
	if (card->held)
		pm_runtime_put_noidle(dev);
	card->held = false;
	mutex_unlock(&card->control);
}

/**
 * smile_gate_freeze() - The bus does not work: whoever is inside comes out, others wait.
 * @card: card
 */
void smile_gate_freeze(struct smile_card *card)
{
	set_bit(SMILE_FLAG_FROZEN, &card->flags);
	synchronize_srcu(&card->gate);
}

/**
 * smile_gate_thaw() - Undo smile_gate_freeze().
 * @card: card
 */
void smile_gate_thaw(struct smile_card *card)
{
	clear_bit(SMILE_FLAG_FROZEN, &card->flags);
	/* As in smile_card_kill(). */
	smp_mb__after_atomic();
	wake_up_all(&card->wait);
}
