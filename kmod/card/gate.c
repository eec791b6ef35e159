// SPDX-License-Identifier: GPL-2.0-only
/*
 * The gate of a card: when the card may be used.
 *
 * What lives here: smile_card.gate, which every call that uses the card's registers holds between
 * smile_gate_enter() and smile_gate_leave(). May use: the PCI device.
 *
 *	dead	removed, or lost permanently: every call fails
 *	frozen	a bus error, a reset, or a register that reads as all ones: no register access;
 *		callers wait in smile_gate_enter()
 *	asleep	no power
 *
 * After one of the first two flags is set, waiting for smile_card.gate ensures that no caller still
 * holds it.
 */
#include <linux/pci.h>
#include <linux/pm_runtime.h>

#include "smile_monitor.h"

/*
 * Try once to take smile_card.gate for reading, and power the card. Return: 0 after both have
 * succeeded; -EAGAIN if the card is frozen; -ENODEV; or an error of power management.
 */
static int gate_pass(struct smile_card *card)
{
	int ret;

	/* The trylock fails only while smile_gate_close() waits, after a flag was set. */
	if (!down_read_trylock(&card->gate))
		return smile_card_alive(card) ? -EAGAIN : -ENODEV;
	if (!smile_card_alive(card))
		ret = -ENODEV;
	else if (smile_card_frozen(card))
		ret = -EAGAIN;
	else
		ret = pm_runtime_resume_and_get(&card->pdev->dev);
	if (ret)
		up_read(&card->gate);
	return ret;
}

/*
 * Take smile_card.gate for reading, and power the card. Until smile_gate_leave(), the card is
 * present and has power. The function may sleep until the card has its power back. Return: 0;
 * -EAGAIN if the card is frozen and @wait is false; -ERESTARTSYS; -ENODEV; or an error of power
 * management.
 */
int smile_gate_enter(struct smile_card *card, bool wait)
{
	for (;;) {
		int ret = gate_pass(card);

		if (ret != -EAGAIN || !wait)
			return ret;
		ret = wait_event_interruptible(card->wait,
					       !smile_card_frozen(card) || !smile_card_alive(card));
		if (ret)
			return ret;
	}
}

/* Undo smile_gate_enter(), so that removal, sleep and resets can continue. */
void smile_gate_leave(struct smile_card *card)
{
	smile_gate_drop(card);
	up_read(&card->gate);
}

/* Do the same as smile_gate_enter(), and take smile_card.control. Return: as smile_gate_enter(). */
int smile_gate_lock(struct smile_card *card, bool wait)
{
	int ret = smile_gate_enter(card, wait);

	if (!ret && mutex_lock_interruptible(&card->control)) {
		smile_gate_leave(card);
		return -ERESTARTSYS;
	}
	return ret;
}

void smile_gate_unlock(struct smile_card *card)
{
	mutex_unlock(&card->control);
	smile_gate_leave(card);
}

/* Drop one user of the card's power. The card's PCI device may already be removed. */
void smile_gate_drop(struct smile_card *card)
{
	pm_runtime_mark_last_busy(&card->pdev->dev);
	pm_runtime_put_autosuspend(&card->pdev->dev);
}

/* A flag already keeps new callers out. Wait for the callers that hold smile_card.gate. */
void smile_gate_close(struct smile_card *card)
{
	down_write(&card->gate);
	up_write(&card->gate);
}
