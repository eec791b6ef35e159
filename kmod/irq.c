// SPDX-License-Identifier: GPL-2.0-only
/*
 * The interrupt: MSI, or INTx where there is none.
 *
 * What lives here: its request, and its two handlers. May use: the registers through
 * card.c, the drain.
 */
#include <linux/interrupt.h>
#include <linux/poll.h>

#include "compat.h"
#include "smile_monitor.h"
#include "trace.h"

/* Hard interrupt: if it is the card's, disable its interrupts until the thread has run. */
static irqreturn_t irq_check(int irq, void *data)
{
	struct smile_card *card = data;
	u32 enabled, status;

	/* On a shared line the interrupt may be another device's. */
	if (!smile_card_usable(card))
		return IRQ_NONE;
	enabled = smile_card_read(card, SMILE_REG_INT_ENABLE);
	status = smile_card_read(card, SMILE_REG_INT_STATUS);
	if (status == SMILE_REG_ABSENT || !(status & enabled))
		return IRQ_NONE;
	atomic64_inc(&card->interrupts);
	trace_smile_interrupt(card, status);
	smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
	/* Reading back pushes the posted write out: the line is idle before the handler returns. */
	smile_card_read(card, SMILE_REG_INT_ENABLE);
	return IRQ_WAKE_THREAD;
}

static void irq_link(struct smile_card *card)
{
	u32 status;

	set_bit(SMILE_FLAG_LINK, &card->flags);
	wake_up_interruptible_poll(&card->wait, EPOLLPRI);
	if (!smile_card_status(card, &status))
		smile_life_event(card, status & SMILE_STATUS_LINK ? "LINK=1" : "LINK=0");
}

static irqreturn_t irq_handle(int irq, void *data)
{
	struct smile_card *card = data;
	u32 cause;

	if (!smile_card_usable(card))
		return IRQ_HANDLED;
	cause = smile_card_read(card, SMILE_REG_INT_STATUS);
	if (smile_card_absent(card, cause))
		return IRQ_HANDLED;
	/* Clear the causes first, so that a later cause interrupts again. */
	smile_card_write(card, SMILE_REG_INT_STATUS, cause);
	if (cause & SMILE_INT_LINK)
		irq_link(card);
	smile_drain_run(card);
	smile_drain_listen(card);
	return IRQ_HANDLED;
}

/* Request the interrupt of a card whose interrupts are disabled. */
int smile_irq_request(struct smile_card *card)
{
	int ret;

	ret = pci_alloc_irq_vectors(card->pdev, 1, 1, PCI_IRQ_MSI | PCI_IRQ_INTX);
	if (ret < 0)
		return dev_err_probe(&card->pdev->dev, ret, "neither MSI nor INTx available\n");
	/* Freed before the card: devres undoes the last step first. */
	ret = devm_request_threaded_irq(&card->pdev->dev, pci_irq_vector(card->pdev, 0), irq_check,
					irq_handle, IRQF_SHARED, dev_name(&card->dev), card);
	return ret ? dev_err_probe(&card->pdev->dev, ret, "cannot request its interrupt\n") : 0;
}
