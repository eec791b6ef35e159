// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power: a card that loses its state when the machine, or it alone, sleeps.
 *
 * What lives here: the callbacks of system sleep and of runtime power management. May use: the
 * gate, the stream, the ring, the interrupt.
 *
 *	         before                    after
 *	sleep    all counts to the ring    set up again, EVENT record ASLEEP
 *	runtime  nobody uses the card      nothing: who comes resets it
 */
#include <linux/pci.h>
#include <linux/pm.h>

#include "compat.h"
#include "smile_monitor.h"

/**
 * smile_power_settle() - Wait until no interrupt's thread and no work is under way.
 * @card: card with SMILE_FLAG_ASLEEP or SMILE_FLAG_FROZEN, on which neither begins anything new
 *
 * The line itself stays as it is, since others may share it.
 */
void smile_power_settle(struct smile_card *card)
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
	if (!ret)
		smile_pmu_suspend(card);
	mutex_unlock(&card->control);
	if (ret == -EAGAIN) {
		dev_err(dev, "records have no room: read them, or close the device, then sleep\n");
		return -EBUSY;
	}
	/* A card that is gone keeps nobody awake. */
	if (ret && ret != -ENODEV)
		return ret == -ERESTARTSYS ? -EINTR : ret;
	smile_ring_suspend(card);
	smile_power_settle(card);
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
	smile_power_settle(card);
	return 0;
}

static int power_runtime_resume(struct device *dev)
{
	return smile_ring_resume(dev_get_drvdata(dev));
}

const struct dev_pm_ops smile_power_ops = {
	SYSTEM_SLEEP_PM_OPS(power_suspend, power_resume)
		RUNTIME_PM_OPS(power_runtime_suspend, power_runtime_resume, NULL)};
