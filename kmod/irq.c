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

/* Hard interrupt: find out whether it is ours, and silence the card until the thread has run. */
static irqreturn_t irq_check(int irq, void *data)
{
	struct smile_card *card = data;
	u32 enabled = smile_card_read(card, SMILE_REG_INT_ENABLE);
	u32 status = smile_card_read(card, SMILE_REG_INT_STATUS);

	/* A card that is gone does not interrupt; on a shared line, somebody else did. */
	if (status == SMILE_REG_ABSENT || !(status & enabled))
		return IRQ_NONE;
	smile_card_write(card, SMILE_REG_INT_ENABLE, 0);
	atomic64_inc(&card->interrupts);
	return IRQ_WAKE_THREAD;
}

static irqreturn_t irq_handle(int irq, void *data)
{
	struct smile_card *card = data;
	u32 status = smile_card_read(card, SMILE_REG_INT_STATUS);

	if (smile_card_absent(card, status))
		return IRQ_HANDLED;
	/* First, so that what happens from now on is told anew. */
	smile_card_write(card, SMILE_REG_INT_STATUS, status);
	if (status & SMILE_INT_LINK) {
		set_bit(SMILE_FLAG_LINK, &card->flags);
		wake_up_interruptible_poll(&card->wait, EPOLLPRI);
	}
	smile_ring_drain(card);
	smile_ring_listen(card);
	return IRQ_HANDLED;
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
 * smile_irq_free() - Give it back; the card must be dead to the driver.
 * @card: card
 */
void smile_irq_free(struct smile_card *card)
{
	/* A thread that is still under way could enable interrupts; none does from here on. */
	synchronize_irq(pci_irq_vector(card->pdev, 0));
	smile_card_quiesce(card);
	pci_free_irq(card->pdev, 0, card);
	pci_free_irq_vectors(card->pdev);
}
