// SPDX-License-Identifier: GPL-2.0-only
/*
 * Recovery of a card from bus errors and resets.
 *
 * What lives here: freezing a card, checking whether it answers again, and thawing it; the PCI
 * core's callbacks for bus errors and resets. May use: gate.c, the stream, the PMU, the interrupt,
 * the PCI device.
 *
 * If a register reads as all ones, the card need not have been removed. With downstream port
 * containment, or with firmware that handles errors first, the link is down before error_detected()
 * is called. The driver therefore freezes such a card like a card with a bus error. The card
 * becomes dead by removal, by a permanent failure, which a reset of the slot may reveal, or when
 * reset_wait_s has passed. Until then, the driver reads the card's ID repeatedly.
 *
 *	                     before      after
 *	bus error, reset     frozen      set up again, EVENT record RESET
 *	error without reset  frozen      continues, nothing lost
 */
#include <linux/kobject.h>
#include <linux/moduleparam.h>
#include <linux/pci.h>
#include <linux/pm_runtime.h>

#include "smile_monitor.h"

/*
 * Keep the power of an idle card for this time, so that a tool with several requests wakes up the
 * card only once.
 */
#define RECOVERY_IDLE_MS 1000

/* The default is longer than the minute for which the kernel itself may wait for a link. */
static unsigned int reset_wait_s = 90;
SMILE_PARAM(reset_wait_s, 1, 3600);
MODULE_PARM_DESC(reset_wait_s, "seconds to wait for a card's recovery, 1 to 3600 (default 90)");

/* ---- frozen, thawed, dead ---- */

/* Send a uevent for a change that concerns an administrator. The card must have a device file. */
void smile_recovery_event(struct smile_card *card, const char *variable)
{
	char *environment[2] = {(char *)variable};

	kobject_uevent_env(&card->dev.kobj, KOBJ_CHANGE, environment);
}

static void recovery_kill(struct smile_card *card, const char *why)
{
	if (test_and_set_bit(SMILE_FLAG_DEAD, &card->flags))
		return;
	dev_err(&card->pdev->dev, "%s\n", why);
	wake_up_all(&card->wait);
	smile_recovery_event(card, "DEAD=1");
	smile_pmu_end(card, false);
}

/* Start checking whether the frozen card answers again. */
static void recovery_expect(struct smile_card *card)
{
	/*
	 * Only the rescue work reads these two members. It is not queued now, or has already read
	 * them.
	 */
	card->patience = HZ;
	card->give_up = jiffies + READ_ONCE(reset_wait_s) * (unsigned long)HZ;
	mod_delayed_work(system_freezable_wq, &card->rescue, HZ);
}

/*
 * Wait until neither the interrupt handler nor the work runs. After this function, neither of them
 * starts any new work. The callers have already waited for the interrupt's thread, by waiting for
 * smile_card.gate or smile_ring.lock. Do not use synchronize_irq(): it would wait for all threads
 * of the line, and this function may run in one of these threads: the thread of the port above the
 * card.
 */
void smile_recovery_settle(struct smile_card *card)
{
	synchronize_rcu();
	cancel_delayed_work_sync(&card->drain);
}

/* Freeze the card. After the return, no code of the driver accesses the card. */
static void recovery_freeze(struct smile_card *card)
{
	cancel_delayed_work_sync(&card->rescue);
	set_bit(SMILE_FLAG_FROZEN, &card->flags);
	smile_gate_close(card);
	smile_pmu_suspend(card);
	smile_recovery_settle(card);
}

/* The card can be used again: if it has lost its state, set it up. Then admit callers. */
static void recovery_thaw(struct smile_card *card)
{
	bool reset = test_and_clear_bit(SMILE_FLAG_RESET, &card->flags), again;
	int ret = 0;

	mutex_lock(&card->control);
	if (reset)
		ret = smile_stream_resume(card, SMILE_EVENT_RESET);
	else if (card->ring.open)
		smile_pmu_resume(card, false);
	else if (!test_bit(SMILE_FLAG_ASLEEP, &card->flags))
		/*
		 * The owner may have closed the file while the card was frozen. The close could not
		 * stop the card.
		 */
		ret = smile_ring_resume(card);
	again = test_bit(SMILE_FLAG_RESET, &card->flags);
	/*
	 * Clear the flag before a close can take smile_card.control, because a close does not stop
	 * a frozen card.
	 */
	if (!ret && !again)
		clear_bit(SMILE_FLAG_FROZEN, &card->flags);
	mutex_unlock(&card->control);
	/*
	 * If the card cannot be set up, put perf's events into the error state. Otherwise perf
	 * would show a card that counts nothing.
	 */
	if (ret && ret != -ENODEV)
		smile_pmu_end(card, false);
	if (again) {
		/* The card has stopped answering again. */
		recovery_expect(card);
		return;
	}
	if (ret)
		clear_bit(SMILE_FLAG_FROZEN, &card->flags);
	wake_up_all(&card->wait);
	/*
	 * If an interrupt thread found the card frozen, it has left the card's interrupts disabled.
	 */
	smile_drain_listen(card);
	smile_drain_hurry(card);
	if (ret)
		dev_err(&card->pdev->dev, "cannot be set up after a reset (%d): close and reopen\n",
			ret);
	else
		dev_info(&card->pdev->dev, "recording continues after %s\n",
			 reset ? "a reset" : "an error");
}

/*
 * Check whether a frozen card answers again, after 1, 2, 4 seconds and so on. There are two cases
 * that the PCI core does not report: the link may have been down briefly, or the PCI core may have
 * given up the recovery, because another device on the bus has no driver that supports it.
 */
static void recovery_rescue(struct work_struct *work)
{
	struct smile_card *card = container_of(to_delayed_work(work), struct smile_card, rescue);
	struct device *dev = &card->pdev->dev;

	if (!smile_card_alive(card) || !smile_card_frozen(card))
		return;
	/*
	 * Power up the card: an idle card may have lost its power since the freeze, and would not
	 * answer.
	 */
	pm_runtime_get_sync(dev);
	if (READ_ONCE(card->pdev->error_state) == pci_channel_io_normal &&
	    smile_card_read(card, SMILE_REG_ID) == SMILE_ID_VALUE) {
		recovery_thaw(card);
	} else if (time_before(jiffies, card->give_up)) {
		queue_delayed_work(system_freezable_wq, &card->rescue,
				   min(card->patience, card->give_up - jiffies));
		card->patience *= 2;
	} else {
		recovery_kill(card, "no recovery: recording ends; reseat the card, or rebind it");
	}
	pm_runtime_put_autosuspend(dev);
}

/*
 * Report that a register was read as all ones. This runs in interrupt context, but without the
 * locks of the code that has read the register.
 */
static void recovery_suspicion(struct irq_work *work)
{
	struct smile_card *card = container_of(work, struct smile_card, suspicion);

	dev_warn(&card->pdev->dev, "the card does not answer: waiting %u s for a recovery\n",
		 READ_ONCE(reset_wait_s));
	recovery_expect(card);
}

/*
 * Handle a register that reads as all ones or has an impossible value: do not use the card until it
 * has recovered. May be called in any context, including NMI.
 */
void smile_recovery_suspect(struct smile_card *card)
{
	set_bit(SMILE_FLAG_RESET, &card->flags);
	if (!test_and_set_bit(SMILE_FLAG_FROZEN, &card->flags))
		irq_work_queue(&card->suspicion);
}

/* ---- probe and remove ---- */

static void recovery_end(void *data)
{
	struct smile_card *card = data;

	irq_work_sync(&card->suspicion);
	cancel_delayed_work_sync(&card->rescue);
}

/*
 * Prepare the work that a read of all ones queues. devres undoes this before the registers are
 * unmapped.
 */
int smile_recovery_init(struct smile_card *card)
{
	init_irq_work(&card->suspicion, recovery_suspicion);
	INIT_DELAYED_WORK(&card->rescue, recovery_rescue);
	return devm_add_action_or_reset(&card->pdev->dev, recovery_end, card);
}

/*
 * Allow the use of the card. While it has no user, it is suspended, if runtime power management is
 * allowed.
 */
void smile_recovery_open(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;

	/* Store a separate copy. The PCI core consumes its own copy each time the card wakes up. */
	pci_save_state(card->pdev);
	card->saved = pci_store_saved_state(card->pdev);
	pm_runtime_set_autosuspend_delay(dev, RECOVERY_IDLE_MS);
	pm_runtime_use_autosuspend(dev);
	smile_gate_drop(card);
}

/*
 * Wake up all sleepers, wait for all callers that hold smile_card.gate, and admit no further
 * callers. Called by remove(), or by a probe() that fails. After the return, neither the work nor
 * an interrupt accesses the card.
 */
void smile_recovery_close(struct smile_card *card)
{
	struct device *dev = &card->pdev->dev;

	set_bit(SMILE_FLAG_DEAD, &card->flags);
	wake_up_all(&card->wait);
	smile_gate_close(card);
	/* The rescue may already be setting up the card, and would then schedule the drain. */
	cancel_delayed_work_sync(&card->rescue);
	smile_recovery_settle(card);
	cancel_delayed_work_sync(&card->link_event);
	/* Take back the reference that smile_recovery_open() dropped. */
	pm_runtime_get_noresume(dev);
	pm_runtime_dont_use_autosuspend(dev);
}

/* ---- the PCI core's error recovery, and resets ---- */

static pci_ers_result_t recovery_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct smile_card *card = pci_get_drvdata(pdev);
	bool frozen = state == pci_channel_io_frozen;

	if (state == pci_channel_io_perm_failure) {
		cancel_delayed_work_sync(&card->rescue);
		recovery_kill(card, "permanent bus failure: recording ends; reseat the card");
		return PCI_ERS_RESULT_DISCONNECT;
	}
	/* A dead card has no state to save. It must not prevent the recovery of its neighbours. */
	if (smile_card_alive(card)) {
		if (frozen)
			set_bit(SMILE_FLAG_RESET, &card->flags);
		recovery_freeze(card);
		recovery_expect(card);
		dev_warn(&pdev->dev, "bus error%s\n",
			 frozen ? ": counts that were not delivered are lost" : "");
	}
	return frozen ? PCI_ERS_RESULT_NEED_RESET : PCI_ERS_RESULT_CAN_RECOVER;
}

/* The PCI core has reset the slot and the card. */
static pci_ers_result_t recovery_slot_reset(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	if (card->saved)
		pci_load_saved_state(pdev, card->saved);
	pci_restore_state(pdev);
	/* pci_restore_state() has consumed the saved state. */
	pci_save_state(pdev);
	if (!smile_card_alive(card))
		return PCI_ERS_RESULT_RECOVERED;
	set_bit(SMILE_FLAG_RESET, &card->flags);
	recovery_freeze(card);
	if (smile_card_read(card, SMILE_REG_ID) == SMILE_ID_VALUE) {
		recovery_expect(card);
		return PCI_ERS_RESULT_RECOVERED;
	}
	recovery_kill(card, "no answer after a reset of the bus: reseat the card");
	return PCI_ERS_RESULT_DISCONNECT;
}

/* Traffic may flow again. The PCI core also calls this function if nothing had to be recovered. */
static void recovery_error_resume(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	cancel_delayed_work_sync(&card->rescue);
	if (smile_card_alive(card) && smile_card_frozen(card))
		recovery_thaw(card);
}

/*
 * Prepare for a reset by the administrator, through sysfs. The PCI core keeps the configuration
 * space.
 */
static void recovery_reset_prepare(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	if (!smile_card_alive(card))
		return;
	dev_warn(&pdev->dev, "reset: counts that were not delivered are lost\n");
	cancel_delayed_work_sync(&card->rescue);
	set_bit(SMILE_FLAG_RESET, &card->flags);
	recovery_freeze(card);
}

const struct pci_error_handlers smile_recovery_errors = {
	.error_detected = recovery_error_detected,
	.slot_reset = recovery_slot_reset,
	.resume = recovery_error_resume,
	.reset_prepare = recovery_reset_prepare,
	.reset_done = recovery_error_resume,
};
