// SPDX-License-Identifier: GPL-2.0-only
/*
 * Resets, bus errors and sleep of an adapter.
 *
 * What lives here: the handling of an adapter that loses its state. The driver treats this as the
 * loss of all nodes: the adapter no longer exports pages, connections are lost, and the sessions
 * get the events. The adapter starts again after it has recovered. Segments keep their memory and
 * local interrupts their numbers, so a program can make its segments available again and connect
 * again. After an error that needs no reset, nothing changes. May use: everything in this folder.
 */
#include <linux/pci.h>
#include <linux/pm.h>

#include "smile_adapter.h"

/*
 * Leave the fabric before the adapter loses its state, and access no register until recovery_up().
 */
static void recovery_down(struct adapter *adapter)
{
	guard(mutex)(&adapter->lock);
	if (adapter->gone || adapter->down)
		return;
	adapter_write(adapter, ADAPTER_REG_INT_ENABLE, 0);
	adapter_failures_reset(adapter);
	adapter_write(adapter, ADAPTER_REG_CONTROL, 0);
	adapter_nodes_all(adapter);
	adapter_segment_reset(adapter);
	WRITE_ONCE(adapter->down, true);
	adapter_map_unmap(adapter);
	/* Wake the caller of a running transfer, which was aborted. */
	complete(&adapter->dma_done);
}

static void recovery_up(struct adapter *adapter)
{
	guard(mutex)(&adapter->lock);
	if (adapter->gone || !adapter->down)
		return;
	WRITE_ONCE(adapter->down, false);
	adapter_write(adapter, ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
	adapter_start(adapter);
}

static void recovery_reset_prepare(struct pci_dev *pdev)
{
	dev_warn(&pdev->dev, "reset: connections are lost\n");
	recovery_down(pci_get_drvdata(pdev));
}

static void recovery_resume(struct pci_dev *pdev)
{
	recovery_up(pci_get_drvdata(pdev));
}

static pci_ers_result_t recovery_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	switch (state) {
	case pci_channel_io_normal:
		/* The registers and the window still answer, so no action is needed. */
		return PCI_ERS_RESULT_CAN_RECOVER;
	case pci_channel_io_frozen:
		recovery_down(pci_get_drvdata(pdev));
		return PCI_ERS_RESULT_NEED_RESET;
	default:
		dev_err(&pdev->dev, "permanent bus failure: reseat the adapter\n");
		recovery_down(pci_get_drvdata(pdev));
		return PCI_ERS_RESULT_DISCONNECT;
	}
}

static pci_ers_result_t recovery_mmio_enabled(struct pci_dev *pdev)
{
	return PCI_ERS_RESULT_RECOVERED;
}

/*
 * A driver on the same bus may have requested the reset. In this case, the adapter is not down yet.
 */
static pci_ers_result_t recovery_slot_reset(struct pci_dev *pdev)
{
	struct adapter *adapter = pci_get_drvdata(pdev);

	recovery_down(adapter);
	pci_restore_state(pdev);
	/* pci_restore_state() has consumed the saved state. */
	pci_save_state(pdev);
	return ioread32(adapter->regs + ADAPTER_REG_ID) == ADAPTER_ID_VALUE
		       ? PCI_ERS_RESULT_RECOVERED
		       : PCI_ERS_RESULT_DISCONNECT;
}

const struct pci_error_handlers adapter_recovery_errors = {
	.error_detected = recovery_error_detected,
	.mmio_enabled = recovery_mmio_enabled,
	.slot_reset = recovery_slot_reset,
	.resume = recovery_resume,
	.reset_prepare = recovery_reset_prepare,
	.reset_done = recovery_resume,
};

/* A sleeping adapter answers no node, so to other nodes it is gone, as after a reset. */
static int recovery_suspend(struct device *dev)
{
	recovery_down(dev_get_drvdata(dev));
	return 0;
}

static int recovery_wake(struct device *dev)
{
	recovery_up(dev_get_drvdata(dev));
	return 0;
}

DEFINE_SIMPLE_DEV_PM_OPS(adapter_recovery_pm, recovery_suspend, recovery_wake);
