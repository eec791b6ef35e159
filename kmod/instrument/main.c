// SPDX-License-Identifier: GPL-2.0-only
/*
 * The deep trace instrument's PCI driver: probe and remove, the interrupt.
 *
 * What lives here: the callbacks of the PCI core that add and remove an instrument, and the
 * interrupt. May use: everything in this folder.
 *
 * Source of the instrument: the thesis "Distributed Shared Memory Architectures and Global
 * Performance State Estimation", section 4.1.
 */
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "../minors.h"
#include "instrument.h"

static irqreturn_t instrument_irq(int irq, void *cookie)
{
	struct smile_instrument *trace = cookie;
	u32 status;

	/*
	 * Disable preemption, so that synchronize_rcu() waits for this handler even if handlers are
	 * forced to run in threads.
	 */
	guard(preempt)();
	/*
	 * The interrupt may belong to another device. If the registers must not be accessed, mask
	 * the instrument's interrupt in configuration space; otherwise the kernel would disable the
	 * line. The thaw unmasks it. If the thaw was before the masking, this function unmasks it.
	 */
	if (READ_ONCE(trace->frozen)) {
		if (pci_dev_msi_enabled(trace->pdev) || !pci_check_and_mask_intx(trace->pdev))
			return IRQ_NONE;
		if (!READ_ONCE(trace->frozen))
			pci_check_and_unmask_intx(trace->pdev);
		return IRQ_HANDLED;
	}
	status = smile_instrument_read(trace, SMILE_TRACE_REG_INT_STATUS);
	if (!status || status == ~0U)
		return IRQ_NONE;
	smile_instrument_write(trace, SMILE_TRACE_REG_INT_STATUS, status);
	if (status & SMILE_TRACE_INT_TRANSFER)
		complete(&trace->transferred);
	if (status & ~SMILE_TRACE_INT_TRANSFER) {
		atomic_inc(&trace->events);
		wake_up_all(&trace->wait);
	}
	return IRQ_HANDLED;
}

static int instrument_map(struct smile_instrument *trace)
{
	struct pci_dev *pdev = trace->pdev;
	int ret;

	if (!(pci_resource_flags(pdev, SMILE_TRACE_BAR_REGS) & IORESOURCE_MEM) ||
	    !(pci_resource_flags(pdev, SMILE_TRACE_BAR_MEMORY) & IORESOURCE_MEM) ||
	    pci_resource_len(pdev, SMILE_TRACE_BAR_REGS) < SMILE_TRACE_REGS_BYTES) {
		dev_err(&pdev->dev,
			"BARs %d and %d have an unexpected type or size: check its firmware\n",
			SMILE_TRACE_BAR_REGS, SMILE_TRACE_BAR_MEMORY);
		return -ENODEV;
	}
	trace->regs = devm_ioremap_resource(&pdev->dev, &pdev->resource[SMILE_TRACE_BAR_REGS]);
	if (IS_ERR(trace->regs))
		return PTR_ERR(trace->regs);
	/* Only request the BAR: only user space maps it. */
	if (!devm_request_mem_region(&pdev->dev, pci_resource_start(pdev, SMILE_TRACE_BAR_MEMORY),
				     pci_resource_len(pdev, SMILE_TRACE_BAR_MEMORY),
				     SMILE_INSTRUMENT_NAME))
		return dev_err_probe(&pdev->dev, -EBUSY, "BAR %d is in use by another driver\n",
				     SMILE_TRACE_BAR_MEMORY);
	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "no DMA\n");
	trace->buffer =
		dmam_alloc_coherent(&pdev->dev, SMILE_INSTRUMENT_CHUNK, &trace->bus, GFP_KERNEL);
	return trace->buffer ? 0 : -ENOMEM;
}

static int instrument_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct smile_instrument *trace;
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "cannot enable\n");
	trace = smile_instrument_alloc(pdev);
	if (IS_ERR(trace))
		return PTR_ERR(trace);
	ret = instrument_map(trace);
	if (!ret)
		ret = smile_instrument_identify(trace);
	if (ret)
		goto put_trace;
	/*
	 * Stop the instrument first: it may still send data that an earlier driver has requested.
	 */
	smile_instrument_stop(trace);
	pci_set_master(pdev);
	ret = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_ALL_TYPES);
	if (ret < 0) {
		dev_err_probe(&pdev->dev, ret, "no interrupt\n");
		goto clear_master;
	}
	ret = request_irq(pci_irq_vector(pdev, 0), instrument_irq,
			  pci_dev_msi_enabled(pdev) ? 0 : IRQF_SHARED, SMILE_INSTRUMENT_NAME,
			  trace);
	if (ret)
		goto free_vectors;
	smile_instrument_reset(trace);
	/*
	 * Store a separate copy. The PCI core consumes its own copy each time the instrument wakes
	 * up.
	 */
	pci_save_state(pdev);
	trace->saved = pci_store_saved_state(pdev);
	pci_set_drvdata(pdev, trace);
	ret = cdev_device_add(&trace->cdev, &trace->dev);
	if (ret)
		goto free_irq;
	dev_info(&pdev->dev, "%s: trace memory of %u kB\n", dev_name(&trace->dev),
		 trace->memory_bytes >> 10);
	return 0;

free_irq:
	/* The device was visible for a short time, and may have been opened. */
	smile_instrument_kill(trace);
	cancel_delayed_work_sync(&trace->rescue);
	smile_instrument_stop(trace);
	free_irq(pci_irq_vector(pdev, 0), trace);
free_vectors:
	pci_free_irq_vectors(pdev);
clear_master:
	pci_clear_master(pdev);
put_trace:
	put_device(&trace->dev);
	return ret;
}

static void instrument_remove(struct pci_dev *pdev)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);

	cdev_device_del(&trace->cdev, &trace->dev);
	smile_instrument_kill(trace);
	cancel_delayed_work_sync(&trace->rescue);
	smile_instrument_stop(trace);
	free_irq(pci_irq_vector(pdev, 0), trace);
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
	put_device(&trace->dev);
}

static void instrument_shutdown(struct pci_dev *pdev)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);

	smile_instrument_kill(trace);
	cancel_delayed_work_sync(&trace->rescue);
	smile_instrument_stop(trace);
	/* The next kernel, started by kexec, may use this memory for other data. */
	pci_clear_master(pdev);
}

static const struct pci_device_id instrument_ids[] = {
	{PCI_DEVICE_SUB(SMILE_TRACE_PCI_VENDOR, SMILE_TRACE_PCI_DEVICE, SMILE_TRACE_PCI_SUBVENDOR,
			SMILE_TRACE_PCI_SUBDEVICE)},
	{}};
MODULE_DEVICE_TABLE(pci, instrument_ids);

static struct pci_driver instrument_driver = {
	.name = SMILE_INSTRUMENT_NAME,
	.id_table = instrument_ids,
	.probe = instrument_probe,
	.remove = instrument_remove,
	.shutdown = instrument_shutdown,
	.err_handler = &smile_instrument_errors,
	.driver.pm = pm_sleep_ptr(&smile_instrument_pm),
};

module_driver(instrument_driver, smile_minors_register_driver, smile_minors_unregister_driver,
	      &smile_instrument_minors);

MODULE_DESCRIPTION("SMiLE deep trace instrument: keeps packets between two triggers");
MODULE_AUTHOR("The SMiLE Monitor project");
MODULE_LICENSE("GPL");
MODULE_VERSION(SMILE_VERSION);
