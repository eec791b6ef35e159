// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power and bus errors: a card that loses its state, and has it back afterwards.
 *
 * What lives here: the callbacks of system sleep, of runtime power management, and of the PCI
 * core's error recovery. May use: the gate, the stream, the ring, the interrupt.
 *
 *	           before                           after
 *	sleep      all counts to the ring           set up again, EVENT record ASLEEP
 *	runtime    nobody uses the card             nothing: who comes resets it
 *	bus error  its counts are lost              set up again, EVENT record RESET
 */
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/pm.h>

#include "compat.h"
#include "smile_monitor.h"

/*
 * A recovery that fails tells no driver in all kernels; those who wait for it shall not do so for
 * ever. The kernel itself waits for a link for up to a minute.
 */
static unsigned int reset_wait_s = 90;
module_param(reset_wait_s, uint, 0644);
MODULE_PARM_DESC(reset_wait_s,
		 "seconds after a bus error until its recovery is taken for failed (default 90)");

static void power_give_up(struct work_struct *work)
{
	struct smile_card *card = container_of(to_delayed_work(work), struct smile_card, rescue);

	dev_err(&card->pdev->dev,
		"bus error, and no recovery: recording ends; unbind and bind the driver\n");
	smile_card_kill(card);
}

/**
 * smile_power_init() - Make the work that watches over a recovery, which is not scheduled.
 * @card: card
 */
void smile_power_init(struct smile_card *card)
{
	INIT_DELAYED_WORK(&card->rescue, power_give_up);
}

/**
 * smile_power_exit() - No recovery is waited for any more.
 * @card: card, dead
 */
void smile_power_exit(struct smile_card *card)
{
	cancel_delayed_work_sync(&card->rescue);
}

/*
 * No interrupt's thread and no work is under way any more, and neither of them begins anything new:
 * the thread finds SMILE_FLAG_ASLEEP or SMILE_FLAG_FROZEN. The line itself stays as it is, since
 * others may share it.
 */
static void power_settle(struct smile_card *card)
{
	smile_irq_synchronize(card);
	cancel_delayed_work_sync(&card->drain);
}

static int power_suspend(struct device *dev)
{
	struct smile_card *card = dev_get_drvdata(dev);
	int ret;

	if (!smile_card_alive(card))
		return 0;
	mutex_lock(&card->control);
	ret = smile_stream_suspend(card);
	mutex_unlock(&card->control);
	if (ret == -EAGAIN) {
		dev_err(dev, "records have no room: read them, or close the device, then sleep\n");
		return -EBUSY;
	}
	/* A card that is gone keeps nobody awake. */
	if (ret && ret != -ENODEV)
		return ret == -ERESTARTSYS ? -EINTR : ret;
	mutex_lock(&card->control);
	smile_pmu_suspend(card);
	mutex_unlock(&card->control);
	smile_ring_suspend(card);
	power_settle(card);
	return 0;
}

static int power_resume(struct device *dev)
{
	struct smile_card *card = dev_get_drvdata(dev);
	int ret;

	if (!smile_card_alive(card))
		return 0;
	mutex_lock(&card->control);
	ret = smile_stream_resume(card, SMILE_EVENT_ASLEEP);
	if (!ret)
		ret = smile_pmu_resume(card);
	mutex_unlock(&card->control);
	return ret;
}

/* Nobody owns the stream and nobody is within the gate: that is what its power is kept for. */
static int power_runtime_suspend(struct device *dev)
{
	struct smile_card *card = dev_get_drvdata(dev);

	/* Of the former owner's counts nothing is lost: they can be asked for until the next. */
	smile_ring_suspend(card);
	power_settle(card);
	return 0;
}

static int power_runtime_resume(struct device *dev)
{
	return smile_ring_resume(dev_get_drvdata(dev));
}

const struct dev_pm_ops smile_power_ops = {
	SYSTEM_SLEEP_PM_OPS(power_suspend, power_resume)
		RUNTIME_PM_OPS(power_runtime_suspend, power_runtime_resume, NULL)};

/* The bus reports an error. While it does not work the card is not touched. */
static pci_ers_result_t power_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	switch (state) {
	case pci_channel_io_normal:
		/*
		 * Some transaction failed. If it was a record's, the card keeps that and says so.
		 */
		return PCI_ERS_RESULT_CAN_RECOVER;
	case pci_channel_io_frozen:
		if (!smile_card_alive(card))
			return PCI_ERS_RESULT_DISCONNECT;
		dev_warn(&pdev->dev, "bus error: what the card has not delivered is lost\n");
		smile_gate_freeze(card);
		queue_delayed_work(system_wq, &card->rescue,
				   msecs_to_jiffies(1000UL * READ_ONCE(reset_wait_s)));
		smile_pmu_freeze(card);
		power_settle(card);
		return PCI_ERS_RESULT_NEED_RESET;
	default:
		dev_err(&pdev->dev, "bus error for good: recording ends; reseat the card\n");
		smile_card_kill(card);
		return PCI_ERS_RESULT_DISCONNECT;
	}
}

/* The slot was reset, and the card with it. */
static pci_ers_result_t power_slot_reset(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	pci_restore_state(pdev);
	/* It was used up. */
	pci_save_state(pdev);
	if (smile_card_read(card, SMILE_REG_ID) == SMILE_ID_VALUE)
		return PCI_ERS_RESULT_RECOVERED;
	dev_err(&pdev->dev, "no answer after the bus's reset: reseat the card\n");
	smile_card_kill(card);
	return PCI_ERS_RESULT_DISCONNECT;
}

/* Traffic may flow again. */
static void power_error_resume(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);
	int ret;

	cancel_delayed_work_sync(&card->rescue);
	/* Also called where nothing had to be reset. */
	if (!smile_card_alive(card) || !test_bit(SMILE_FLAG_FROZEN, &card->flags))
		return;
	mutex_lock(&card->control);
	smile_card_forgot(card);
	ret = smile_stream_resume(card, SMILE_EVENT_RESET);
	if (!ret)
		ret = smile_pmu_resume(card);
	mutex_unlock(&card->control);
	smile_gate_thaw(card);
	/* An interrupt that came before the thaw has found the card frozen, and left it silent. */
	smile_drain_listen(card);
	if (ret)
		dev_err(&pdev->dev, "not as it was after a bus error (%d): close and reopen\n",
			ret);
	else
		dev_info(&pdev->dev, "goes on after a bus error\n");
}

const struct pci_error_handlers smile_power_errors = {
	.error_detected = power_error_detected,
	.slot_reset = power_slot_reset,
	.resume = power_error_resume,
};
