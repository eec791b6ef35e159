// SPDX-License-Identifier: GPL-2.0-only
/*
 * The deep trace instrument's PCI driver: probe and remove, power, bus errors, the interrupt.
 *
 * An instrument that has lost its power or its bus has lost its trace: it is reset, or taken for
 * lost. May use: everything in this folder.
 *
 * Source of the instrument: the thesis "Distributed Shared Memory Architectures and Global
 * Performance State Estimation", section 4.1.
 */
#include <linux/dma-mapping.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/pm.h>

#include "../minors.h"
#include "instrument.h"

static irqreturn_t instrument_irq(int irq, void *cookie)
{
	struct smile_instrument *trace = cookie;
	u32 status = smile_instrument_read(trace, SMILE_TRACE_REG_INT_STATUS);

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

/* From now on every call fails. */
static void instrument_kill(struct smile_instrument *trace)
{
	struct address_space *mapping = NULL;

	mutex_lock(&trace->lock);
	WRITE_ONCE(trace->dead, true);
	if (trace->owner)
		mapping = trace->owner->f_mapping;
	/* The inode must not go with the last close in the meantime. */
	if (mapping)
		ihold(mapping->host);
	mutex_unlock(&trace->lock);
	wake_up_all(&trace->wait);
	if (mapping) {
		unmap_mapping_range(mapping, 0, 0, 1);
		iput(mapping->host);
	}
}

static int instrument_map(struct smile_instrument *trace)
{
	struct pci_dev *pdev = trace->pdev;
	int ret;

	if (!(pci_resource_flags(pdev, SMILE_TRACE_BAR_REGS) & IORESOURCE_MEM) ||
	    !(pci_resource_flags(pdev, SMILE_TRACE_BAR_MEMORY) & IORESOURCE_MEM) ||
	    pci_resource_len(pdev, SMILE_TRACE_BAR_REGS) < SMILE_TRACE_REGS_BYTES) {
		dev_err(&pdev->dev, "BARs %d and %d are not as they must be: check its firmware\n",
			SMILE_TRACE_BAR_REGS, SMILE_TRACE_BAR_MEMORY);
		return -ENODEV;
	}
	trace->regs = devm_ioremap_resource(&pdev->dev, &pdev->resource[SMILE_TRACE_BAR_REGS]);
	if (IS_ERR(trace->regs))
		return PTR_ERR(trace->regs);
	ret = dma_set_mask_and_coherent(&pdev->dev, DMA_BIT_MASK(64));
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "no DMA\n");
	trace->buffer =
		dmam_alloc_coherent(&pdev->dev, SMILE_INSTRUMENT_CHUNK, &trace->bus, GFP_KERNEL);
	return trace->buffer ? 0 : -ENOMEM;
}

/* Silence the instrument; its interrupt ends. */
static void instrument_stop(struct smile_instrument *trace)
{
	smile_instrument_write(trace, SMILE_TRACE_REG_COMMAND, SMILE_TRACE_COMMAND_RESET);
	/* Flush the write. */
	smile_instrument_read(trace, SMILE_TRACE_REG_STATUS);
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
	/* It may still send what an earlier driver has asked for. */
	instrument_stop(trace);
	pci_set_master(pdev);
	ret = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_ALL_TYPES);
	if (ret < 0) {
		dev_err_probe(&pdev->dev, ret, "no interrupt\n");
		goto clear_master;
	}
	ret = request_irq(pci_irq_vector(pdev, 0), instrument_irq,
			  pdev->msi_enabled ? 0 : IRQF_SHARED, SMILE_INSTRUMENT_NAME, trace);
	if (ret)
		goto free_vectors;
	smile_instrument_reset(trace);
	pci_set_drvdata(pdev, trace);
	ret = cdev_device_add(&trace->cdev, &trace->dev);
	if (ret)
		goto free_irq;
	dev_info(&pdev->dev, "%s: trace memory of %u kB\n", dev_name(&trace->dev),
		 trace->memory_bytes >> 10);
	return 0;

free_irq:
	/* For a moment it could be opened. */
	instrument_kill(trace);
	instrument_stop(trace);
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
	instrument_kill(trace);
	instrument_stop(trace);
	free_irq(pci_irq_vector(pdev, 0), trace);
	pci_free_irq_vectors(pdev);
	pci_clear_master(pdev);
	put_device(&trace->dev);
}

static void instrument_shutdown(struct pci_dev *pdev)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);

	instrument_kill(trace);
	instrument_stop(trace);
	/* Another kernel may use this memory. */
	pci_clear_master(pdev);
}

static int instrument_suspend(struct device *dev)
{
	struct smile_instrument *trace = dev_get_drvdata(dev);

	mutex_lock(&trace->lock);
	if (!trace->dead)
		instrument_stop(trace);
	mutex_unlock(&trace->lock);
	return 0;
}

static int instrument_resume(struct device *dev)
{
	struct smile_instrument *trace = dev_get_drvdata(dev);

	mutex_lock(&trace->lock);
	if (!trace->dead)
		smile_instrument_reset(trace);
	mutex_unlock(&trace->lock);
	wake_up_all(&trace->wait);
	return 0;
}

static DEFINE_SIMPLE_DEV_PM_OPS(instrument_pm, instrument_suspend, instrument_resume);

static pci_ers_result_t instrument_error(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct smile_instrument *trace = pci_get_drvdata(pdev);

	if (state == pci_channel_io_normal)
		return PCI_ERS_RESULT_CAN_RECOVER;
	dev_err(&pdev->dev, "a bus error: its trace is lost; bind the driver again\n");
	instrument_kill(trace);
	return PCI_ERS_RESULT_DISCONNECT;
}

static const struct pci_error_handlers instrument_errors = {.error_detected = instrument_error};

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
	.err_handler = &instrument_errors,
	.driver.pm = pm_sleep_ptr(&instrument_pm),
};

static int __init instrument_init(void)
{
	int ret = smile_minors_register(&smile_instrument_minors);

	if (ret)
		return ret;
	ret = pci_register_driver(&instrument_driver);
	if (ret)
		smile_minors_unregister(&smile_instrument_minors);
	return ret;
}
module_init(instrument_init);

static void __exit instrument_exit(void)
{
	pci_unregister_driver(&instrument_driver);
	smile_minors_unregister(&smile_instrument_minors);
}
module_exit(instrument_exit);

MODULE_DESCRIPTION("SMiLE deep trace instrument: keeps packets between two triggers");
MODULE_AUTHOR("The SMiLE Monitor project");
MODULE_LICENSE("GPL");
MODULE_VERSION(SMILE_VERSION);
