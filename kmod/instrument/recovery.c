// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loss of a deep trace instrument's state by bus errors, resets, loss of power, and reads of all
 * ones.
 *
 * What lives here: the PCI core's callbacks for bus errors and resets, power management, and the
 * wait of calls until these have ended. May use: regs.c.
 *
 * While an instrument is frozen, it is not accessed, and calls wait. Either the PCI core thaws it,
 * or the rescue work does, which reads its ID after 1, 2, 4 seconds and so on. The rescue is needed
 * because not every kernel reports a failed recovery, and no kernel reports a link that was down
 * briefly. If the instrument has lost its state, the trace is lost. The driver then restores the
 * configuration, but the instrument traces again only after ARM. Until then, every call that reads
 * the trace fails with -EIO, and accesses to its mapping fault, so that a truncated trace is never
 * mistaken for a complete one.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pm.h>

#include "../param.h"
#include "instrument.h"

/* The default is longer than the minute for which the kernel itself may wait for a link. */
static unsigned int reset_wait_s = 90;
SMILE_PARAM(reset_wait_s, 1, 3600);
MODULE_PARM_DESC(reset_wait_s,
		 "seconds to wait for an instrument's recovery, 1 to 3600 (default 90)");

/*
 * Lock an instrument that is alive and may be accessed. Return: 0; -EAGAIN if the instrument is
 * frozen and @wait is false; -ERESTARTSYS; -ENODEV.
 */
int smile_instrument_lock(struct smile_instrument *trace, bool wait)
{
	int ret;

	for (;;) {
		if (mutex_lock_interruptible(&trace->lock))
			return -ERESTARTSYS;
		if (!trace->dead && !trace->frozen)
			return 0;
		ret = trace->dead ? -ENODEV : -EAGAIN;
		mutex_unlock(&trace->lock);
		if (ret != -EAGAIN || !wait)
			return ret;
		ret = wait_event_interruptible(trace->wait,
					       !READ_ONCE(trace->frozen) || READ_ONCE(trace->dead));
		if (ret)
			return ret;
	}
}

/* Wake up all sleepers, so that they check their conditions again. */
static void recovery_wake(struct smile_instrument *trace)
{
	atomic_inc(&trace->events);
	wake_up_all(&trace->wait);
}

/* Remove the owner's mappings, so that the next access calls the fault handler. */
static void recovery_unmap(struct smile_instrument *trace)
{
	struct address_space *mapping = NULL;

	scoped_guard(mutex, &trace->lock) {
		if (trace->owner)
			mapping = trace->owner->f_mapping;
		/* Hold the inode, because the last close could free it in the meantime. */
		if (mapping)
			ihold(mapping->host);
	}
	if (!mapping)
		return;
	unmap_mapping_range(mapping, 0, 0, 1);
	iput(mapping->host);
}

/* Mark the instrument as dead. From now on, every call fails. */
void smile_instrument_kill(struct smile_instrument *trace)
{
	scoped_guard(mutex, &trace->lock)
		WRITE_ONCE(trace->dead, true);
	recovery_wake(trace);
	recovery_unmap(trace);
}

/* Record that the instrument has lost its state, or will lose it. If a trace exists, it is lost. */
void smile_instrument_lose(struct smile_instrument *trace)
{
	lockdep_assert_held(&trace->lock);
	if (!trace->armed)
		return;
	trace->armed = false;
	trace->lost = true;
	WRITE_ONCE(trace->losses, trace->losses + 1);
}

/*
 * Start checking whether the instrument answers, for reset_wait_s seconds. The caller must hold
 * smile_instrument.lock.
 */
static void recovery_expect(struct smile_instrument *trace, unsigned long first)
{
	lockdep_assert_held(&trace->lock);
	trace->patience = HZ;
	trace->give_up = jiffies + READ_ONCE(reset_wait_s) * (unsigned long)HZ;
	mod_delayed_work(system_freezable_wq, &trace->rescue, first);
}

/*
 * A register reads as all ones: do not use the instrument until it answers again. The caller must
 * hold smile_instrument.lock. The rescue work removes the mappings.
 */
void smile_instrument_suspect(struct smile_instrument *trace)
{
	if (trace->dead || trace->frozen)
		return;
	smile_instrument_lose(trace);
	trace->reset = true;
	WRITE_ONCE(trace->frozen, true);
	dev_warn(&trace->pdev->dev, "the instrument does not answer: waiting %u s for a recovery\n",
		 READ_ONCE(reset_wait_s));
	recovery_expect(trace, 0);
}

/*
 * Freeze the instrument. After the return, no code of the driver accesses it. @reset: the
 * instrument loses its state.
 */
static void recovery_freeze(struct smile_instrument *trace, bool reset)
{
	cancel_delayed_work_sync(&trace->rescue);
	scoped_guard(mutex, &trace->lock) {
		if (reset)
			smile_instrument_lose(trace);
		trace->reset |= reset;
		WRITE_ONCE(trace->frozen, true);
	}
	/*
	 * Wait for the interrupt handler. Do not use synchronize_irq(): it would wait for all
	 * threads of the line, and this function may run in one of these threads: the thread of the
	 * port above the instrument.
	 */
	synchronize_rcu();
	recovery_unmap(trace);
	recovery_wake(trace);
}

/* The instrument can be used again: if it has lost its state, set it up. Then admit callers. */
static void recovery_thaw(struct smile_instrument *trace)
{
	int ret = 0;

	scoped_guard(mutex, &trace->lock) {
		if (trace->dead || !trace->frozen)
			return;
		WRITE_ONCE(trace->frozen, false);
		if (trace->reset)
			ret = smile_instrument_restore(trace);
		else
			smile_instrument_listen(trace);
		/* The instrument may have stopped answering again. */
		if (trace->frozen)
			return;
		trace->reset = false;
		if (!pci_dev_msi_enabled(trace->pdev))
			pci_check_and_unmask_intx(trace->pdev);
	}
	recovery_wake(trace);
	if (!ret)
		return;
	dev_err(&trace->pdev->dev, "cannot be set up after a reset (%d): bind the driver again\n",
		ret);
	smile_instrument_kill(trace);
}

/* Check whether a frozen instrument answers again. */
void smile_instrument_rescue(struct work_struct *work)
{
	struct smile_instrument *trace =
		container_of(to_delayed_work(work), struct smile_instrument, rescue);
	bool back, late;

	/*
	 * Remove the mappings on behalf of smile_instrument_suspect(), which cannot do this itself.
	 */
	recovery_unmap(trace);
	recovery_wake(trace);
	scoped_guard(mutex, &trace->lock) {
		if (trace->dead || !trace->frozen)
			return;
		back = READ_ONCE(trace->pdev->error_state) == pci_channel_io_normal &&
		       smile_instrument_read(trace, SMILE_TRACE_REG_ID) == SMILE_TRACE_ID_VALUE;
		late = time_after_eq(jiffies, trace->give_up);
		if (!back && !late) {
			queue_delayed_work(system_freezable_wq, &trace->rescue,
					   min(trace->patience, trace->give_up - jiffies));
			trace->patience *= 2;
			return;
		}
	}
	if (back) {
		recovery_thaw(trace);
		return;
	}
	dev_err(&trace->pdev->dev,
		"no recovery: reseat the instrument, or bind the driver again\n");
	smile_instrument_kill(trace);
}

/* ---- the PCI core's error recovery, and resets ---- */

static pci_ers_result_t recovery_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);
	bool frozen = state == pci_channel_io_frozen;

	if (state == pci_channel_io_perm_failure) {
		dev_err(&pdev->dev, "permanent bus failure: reseat the instrument\n");
		smile_instrument_kill(trace);
		return PCI_ERS_RESULT_DISCONNECT;
	}
	/* A dead instrument must not prevent the recovery of its neighbours. */
	if (!READ_ONCE(trace->dead)) {
		recovery_freeze(trace, frozen);
		scoped_guard(mutex, &trace->lock)
			recovery_expect(trace, HZ);
		dev_warn(&pdev->dev, "bus error%s\n", frozen ? ": its trace is lost" : "");
	}
	return frozen ? PCI_ERS_RESULT_NEED_RESET : PCI_ERS_RESULT_CAN_RECOVER;
}

/* The PCI core has reset the slot and the instrument. */
static pci_ers_result_t recovery_slot_reset(struct pci_dev *pdev)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);

	if (trace->saved)
		pci_load_saved_state(pdev, trace->saved);
	pci_restore_state(pdev);
	/* pci_restore_state() has consumed the saved state. */
	pci_save_state(pdev);
	if (READ_ONCE(trace->dead))
		return PCI_ERS_RESULT_RECOVERED;
	recovery_freeze(trace, true);
	if (smile_instrument_read(trace, SMILE_TRACE_REG_ID) != SMILE_TRACE_ID_VALUE) {
		dev_err(&pdev->dev, "no answer after a reset of the bus: reseat the instrument\n");
		smile_instrument_kill(trace);
		return PCI_ERS_RESULT_DISCONNECT;
	}
	/* Continue to check, because another device may prevent the end of the recovery. */
	scoped_guard(mutex, &trace->lock)
		recovery_expect(trace, HZ);
	return PCI_ERS_RESULT_RECOVERED;
}

/* Traffic may flow again. The PCI core also calls this function if nothing had to be recovered. */
static void recovery_error_resume(struct pci_dev *pdev)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);

	cancel_delayed_work_sync(&trace->rescue);
	recovery_thaw(trace);
}

/*
 * Prepare for a reset by the administrator, through sysfs. The PCI core keeps the configuration
 * space.
 */
static void recovery_reset_prepare(struct pci_dev *pdev)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);

	if (READ_ONCE(trace->dead))
		return;
	dev_warn(&pdev->dev, "reset: its trace is lost\n");
	recovery_freeze(trace, true);
}

const struct pci_error_handlers smile_instrument_errors = {
	.error_detected = recovery_error_detected,
	.slot_reset = recovery_slot_reset,
	.resume = recovery_error_resume,
	.reset_prepare = recovery_reset_prepare,
	.reset_done = recovery_error_resume,
};

/* ---- power ---- */

static int recovery_suspend(struct device *dev)
{
	struct smile_instrument *trace = dev_get_drvdata(dev);

	scoped_guard(mutex, &trace->lock)
		if (!trace->dead && !trace->frozen)
			smile_instrument_stop(trace);
	recovery_freeze(trace, true);
	return 0;
}

static int recovery_resume(struct device *dev)
{
	recovery_thaw(dev_get_drvdata(dev));
	return 0;
}

const struct dev_pm_ops smile_instrument_pm = {
	SYSTEM_SLEEP_PM_OPS(recovery_suspend, recovery_resume)};
