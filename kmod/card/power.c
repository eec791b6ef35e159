// SPDX-License-Identifier: GPL-2.0-only
/*
 * Power management of a card.
 *
 * What lives here: the callbacks of the PM core. May use: gate.c, recovery.c, the stream, the PMU,
 * the interrupt.
 *
 *	                 before                      after
 *	system sleep     all counts to the ring      set up again, EVENT record ASLEEP
 *	runtime suspend  no user of the card         reset
 */
#include <linux/pci.h>
#include <linux/pm.h>
#include <linux/pm_runtime.h>

#include "smile_monitor.h"

/*
 * The PM core calls this only if no stream has an owner and no caller holds smile_card.gate,
 * because both keep the card's power.
 */
static int power_runtime_suspend(struct device *dev)
{
	struct smile_card *card = dev_get_drvdata(dev);

	smile_ring_suspend(card);
	smile_recovery_settle(card);
	return 0;
}

static int power_suspend(struct device *dev)
{
	struct smile_card *card = dev_get_drvdata(dev);
	int ret;

	if (!smile_card_alive(card))
		return 0;
	scoped_guard(mutex, &card->control)
		ret = smile_card_frozen(card) ? 0 : smile_stream_suspend(card);
	if (ret == -EAGAIN) {
		dev_err(dev, "records have no room: read them, or close the device, then sleep\n");
		return -EBUSY;
	}
	/* If the card was removed, it does not prevent the suspend. */
	if (ret && ret != -ENODEV)
		return ret == -ERESTARTSYS ? -EINTR : ret;
	return power_runtime_suspend(dev);
}

/* Check whether the card that has its power back is frozen. If it is, the thaw will set it up. */
static bool power_woke_up_frozen(struct smile_card *card)
{
	if (!smile_card_frozen(card))
		return false;
	set_bit(SMILE_FLAG_RESET, &card->flags);
	clear_bit(SMILE_FLAG_ASLEEP, &card->flags);
	return true;
}

static int power_resume(struct device *dev)
{
	struct smile_card *card = dev_get_drvdata(dev);
	int ret;

	if (!smile_card_alive(card))
		return 0;
	scoped_guard(mutex, &card->control) {
		ret = power_woke_up_frozen(card) ? 0
						 : smile_stream_resume(card, SMILE_EVENT_ASLEEP);
		smile_drain_listen(card);
	}
	if (ret && ret != -ENODEV)
		smile_pmu_end(card, false);
	return ret;
}

static int power_runtime_resume(struct device *dev)
{
	struct smile_card *card = dev_get_drvdata(dev);

	/*
	 * Ignore errors, because an error returned here would be permanent. If the card does not
	 * answer, its next use will detect this.
	 */
	if (smile_card_alive(card) && !power_woke_up_frozen(card))
		smile_ring_resume(card);
	return 0;
}

const struct dev_pm_ops smile_power_ops = {
	SYSTEM_SLEEP_PM_OPS(power_suspend, power_resume)
		RUNTIME_PM_OPS(power_runtime_suspend, power_runtime_resume, NULL)};
