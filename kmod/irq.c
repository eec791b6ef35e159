// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt: MSI, or INTx where there is none.
 *
 * What lives here: its request and release, and its two handlers. May use: the registers through
 * card.c, the drain.
 */
#include <linux/interrupt.h>
#include <linux/poll.h>

#include "compat.h"
#include "smile_monitor.h"
#include "trace.h"

/* So many interrupts in a row whose cause stays, and that bring no record, are no coincidence. */
#define IRQ_STUCK_MAX 8

/* Hard interrupt: find out whether it is ours, and silence the card until the thread has run. */
static irqreturn_t irq_check(int irq, void *data)
{
	struct smile_card *card = data;
	u32 enabled, status;

	/* It was silenced before: somebody else on a shared line. */
	if (test_bit(SMILE_FLAG_DARK, &card->flags))
		return IRQ_NONE;
	enabled = smile_card_read(card, SMILE_REG_INT_ENABLE);
	status = smile_card_read(card, SMILE_REG_INT_STATUS);
	/* A card that is gone does not interrupt; on a shared line, somebody else did. */
	if (status == SMILE_REG_ABSENT || !(status & enabled))
		return IRQ_NONE;
	atomic64_inc(&card->interrupts);
	trace_smile_interrupt(card, status);
	/*
	 * Reading back pushes the write out, so that the line is idle when it is looked at again.
	 * One that is not would bring us back here for ever. Its neighbours on a shared line lose
	 * it too, as they would to the kernel's own watch over interrupts that nobody handles.
	 */
	raw_spin_lock(&card->line);
	smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
	enabled = smile_card_read(card, SMILE_REG_INT_ENABLE);
	raw_spin_unlock(&card->line);
	if (enabled && enabled != SMILE_REG_ABSENT) {
		disable_irq_nosync(irq);
		dev_err(&card->pdev->dev,
			"INT_ENABLE reads 0x%x instead of 0: recording ends; replace the card\n",
			enabled);
		/* The thread wakes up those who sleep. */
		set_bit(SMILE_FLAG_DEAD, &card->flags);
	}
	return IRQ_WAKE_THREAD;
}

static irqreturn_t irq_handle(int irq, void *data)
{
	struct smile_card *card = data;
	u32 status, why;
	bool stays;
	u64 head;

	if (!smile_card_alive(card)) {
		smile_card_kill(card);
		return IRQ_HANDLED;
	}
	/* Its interrupts are enabled again after the reset of its bus. */
	if (test_bit(SMILE_FLAG_FROZEN, &card->flags))
		return IRQ_HANDLED;
	status = smile_card_read(card, SMILE_REG_INT_STATUS);
	if (smile_card_absent(card, status))
		return IRQ_HANDLED;
	/* First, so that what happens from now on is told anew. */
	smile_card_write(card, SMILE_REG_INT_STATUS, status);
	stays = smile_card_read(card, SMILE_REG_INT_STATUS) & status;
	if (status & SMILE_INT_LINK) {
		set_bit(SMILE_FLAG_LINK, &card->flags);
		wake_up_interruptible_poll(&card->wait, EPOLLPRI);
	}
	smile_drain_postpone(card);
	smile_drain_run(card);
	/* After the drain: what was written before the bus refused is the consumer's. */
	if (status & SMILE_INT_DMA_ERROR)
		smile_drain_status(card, &why);
	/* A low watermark may well be reached again in no time, but then there are records. */
	head = READ_ONCE(card->ring.head);
	if (stays && head == card->stuck_head)
		card->stuck = min(card->stuck + 1, IRQ_STUCK_MAX);
	else
		card->stuck = 0;
	card->stuck_head = head;
	if (card->stuck < IRQ_STUCK_MAX) {
		smile_drain_listen(card);
		return IRQ_HANDLED;
	}
	dev_warn_ratelimited(&card->pdev->dev,
			     "INT_STATUS 0x%x stays set: interrupts are slowed down\n", status);
	set_bit(SMILE_FLAG_QUIET, &card->flags);
	smile_drain_schedule(card);
	return IRQ_HANDLED;
}

/**
 * smile_irq_enable() - Let the card interrupt.
 * @card: card; its ring is locked
 */
void smile_irq_enable(struct smile_card *card)
{
	unsigned long flags;

	/* Not between the hard interrupt's writing 0 and its reading back. */
	raw_spin_lock_irqsave(&card->line, flags);
	smile_card_write(card, SMILE_REG_INT_ENABLE, smile_card_interrupts(card));
	raw_spin_unlock_irqrestore(&card->line, flags);
}

/**
 * smile_irq_request() - Get the interrupt of a card that was silenced.
 * @card: card
 *
 * Return: 0, or -errno.
 */
int smile_irq_request(struct smile_card *card)
{
	int ret;

	ret = pci_alloc_irq_vectors(card->pdev, 1, 1, PCI_IRQ_MSI | PCI_IRQ_INTX);
	if (ret < 0)
		return dev_err_probe(&card->pdev->dev, ret, "neither MSI nor INTx to be had\n");
	ret = pci_request_irq(card->pdev, 0, irq_check, irq_handle, card, "%s",
			      dev_name(&card->dev));
	if (ret) {
		pci_free_irq_vectors(card->pdev);
		return dev_err_probe(&card->pdev->dev, ret, "interrupt refused\n");
	}
	return 0;
}

/**
 * smile_irq_synchronize() - Wait until no handler is under way.
 * @card: card
 */
void smile_irq_synchronize(struct smile_card *card)
{
	synchronize_irq(pci_irq_vector(card->pdev, 0));
}

/**
 * smile_irq_free() - Give it back; the card must be dead to the driver.
 * @card: card
 */
void smile_irq_free(struct smile_card *card)
{
	/* A thread that is still under way could enable interrupts; none does from here on. */
	smile_irq_synchronize(card);
	smile_card_quiesce(card);
	pci_free_irq(card->pdev, 0, card);
	pci_free_irq_vectors(card->pdev);
}
