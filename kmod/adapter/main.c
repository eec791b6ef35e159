// SPDX-License-Identifier: GPL-2.0-only
/*
 * The SCI adapter's PCI driver: probe, remove, interrupts.
 *
 * What lives here: the callbacks of the PCI core that add and remove an adapter, and the interrupt.
 * May use: everything in this folder.
 */
#include <linux/bitfield.h>
#include <linux/bitmap.h>
#include <linux/debugfs.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "../minors.h"
#include "smile_adapter.h"

static SMILE_MINORS(main_minors, ADAPTER_NAME, 16);

/* ---- interrupts ---- */

static irqreturn_t main_irq(int irq, void *data)
{
	struct adapter *adapter = data;
	u32 status = adapter_read(adapter, ADAPTER_REG_INT_STATUS);

	/*
	 * The interrupt may be from another device on a shared line, or the device was removed and
	 * reads as all ones. A bit that is not enabled raises no interrupt.
	 */
	if (!(status & READ_ONCE(adapter->int_enable)) || status == ADAPTER_ABSENT)
		return IRQ_NONE;
	adapter_write(adapter, ADAPTER_REG_INT_ENABLE, 0);
	return IRQ_WAKE_THREAD;
}

static irqreturn_t main_irq_thread(int irq, void *data)
{
	struct adapter *adapter = data;
	u32 status;

	mutex_lock(&adapter->lock);
	status = adapter_read(adapter, ADAPTER_REG_INT_STATUS);
	if (status != ADAPTER_ABSENT) {
		/*
		 * Clear the bits before their causes are handled. Otherwise a cause that arises in
		 * between would never be handled. The bit of a disabled interrupt remains set.
		 */
		status &= adapter->int_enable;
		adapter_write(adapter, ADAPTER_REG_INT_STATUS, status);
		if (status & ADAPTER_INT_DMA)
			complete(&adapter->dma_done);
		if (status & ADAPTER_INT_NODE)
			adapter_nodes(adapter);
		if (status & ADAPTER_INT_MESSAGE)
			adapter_receive(adapter);
		if (status & ADAPTER_INT_ERROR)
			adapter_failures_interrupt(adapter);
		/* This write clears the bit only if no message is unread. */
		adapter_write(adapter, ADAPTER_REG_INT_STATUS, ADAPTER_INT_MESSAGE);
		adapter_write(adapter, ADAPTER_REG_INT_ENABLE, adapter->int_enable);
	}
	mutex_unlock(&adapter->lock);
	return IRQ_HANDLED;
}

/* ---- the device ---- */

static void main_free(struct device *dev)
{
	struct adapter *adapter = container_of(dev, struct adapter, dev);

	smile_minors_give(&main_minors, adapter->number);
	adapter_names_free(adapter);
	bitmap_free(adapter->window_map);
	bitmap_free(adapter->memory_map);
	mutex_destroy(&adapter->dma);
	mutex_destroy(&adapter->lock);
	kfree(adapter);
}

static struct adapter *main_alloc(struct pci_dev *pdev)
{
	struct adapter *adapter = kzalloc(sizeof(*adapter), GFP_KERNEL);
	int minor;

	if (!adapter)
		return ERR_PTR(-ENOMEM);
	minor = smile_minors_take(&main_minors);
	if (minor < 0) {
		kfree(adapter);
		return ERR_PTR(minor);
	}
	adapter->pdev = pdev;
	adapter->number = minor;
	mutex_init(&adapter->lock);
	mutex_init(&adapter->dma);
	init_completion(&adapter->dma_done);
	INIT_LIST_HEAD(&adapter->sessions);
	INIT_LIST_HEAD(&adapter->segments);
	INIT_LIST_HEAD(&adapter->interrupts);
	INIT_LIST_HEAD(&adapter->connections);
	INIT_LIST_HEAD(&adapter->lines);
	INIT_LIST_HEAD(&adapter->names);
	adapter_segment_init(adapter);
	adapter_message_init(adapter);
	adapter_failures_init(adapter);
	if (smile_minors_device(&main_minors, minor, &adapter->dev, &pdev->dev, &adapter->cdev,
				&adapter_fops, main_free)) {
		put_device(&adapter->dev);
		return ERR_PTR(-ENOMEM);
	}
	adapter->dev.groups = adapter_groups;
	return adapter;
}

/*
 * Request the BAR exclusively, so that no other driver, and no program through sysfs, maps memory
 * that this driver gives to sessions.
 */
static int main_request(struct pci_dev *pdev, int bar)
{
	if (devm_request_mem_region(&pdev->dev, pci_resource_start(pdev, bar),
				    pci_resource_len(pdev, bar), ADAPTER_NAME))
		return 0;
	dev_err(&pdev->dev, "BAR %d belongs to another driver\n", bar);
	return -EBUSY;
}

/* Map the BARs, and check their sizes against the capability register. */
static int main_map(struct adapter *adapter)
{
	struct pci_dev *pdev = adapter->pdev;
	u32 capability;
	int ret;

	if (pci_resource_len(pdev, ADAPTER_BAR_REGS) < ADAPTER_REGS_BYTES) {
		dev_err(&pdev->dev, "BAR %d is too small for the registers\n", ADAPTER_BAR_REGS);
		return -ENODEV;
	}
	adapter->regs = devm_ioremap_resource(&pdev->dev, &pdev->resource[ADAPTER_BAR_REGS]);
	if (IS_ERR(adapter->regs))
		return PTR_ERR(adapter->regs);
	if (ioread32(adapter->regs + ADAPTER_REG_ID) != ADAPTER_ID_VALUE ||
	    ioread32(adapter->regs + ADAPTER_REG_VERSION) >> 16 != ADAPTER_VERSION_VALUE >> 16) {
		dev_err(&pdev->dev, "no SCI adapter of this version: a driver for it is needed\n");
		return -ENODEV;
	}
	capability = ioread32(adapter->regs + ADAPTER_REG_CAPABILITY);
	adapter->window_pages = BIT(FIELD_GET(ADAPTER_CAPABILITY_WINDOW, capability));
	adapter->memory_pages = BIT(FIELD_GET(ADAPTER_CAPABILITY_MEMORY, capability));
	if (pci_resource_len(pdev, ADAPTER_BAR_WINDOW) >> 12 < adapter->window_pages ||
	    pci_resource_len(pdev, ADAPTER_BAR_MEMORY) >> 12 < adapter->memory_pages) {
		dev_err(&pdev->dev, "window or memory is smaller than the registers say\n");
		return -ENODEV;
	}
	ret = main_request(pdev, ADAPTER_BAR_WINDOW) ?: main_request(pdev, ADAPTER_BAR_MEMORY);
	if (ret)
		return ret;
	adapter->memory = devm_ioremap_wc(&pdev->dev, pci_resource_start(pdev, ADAPTER_BAR_MEMORY),
					  pci_resource_len(pdev, ADAPTER_BAR_MEMORY));
	adapter->window_map = bitmap_zalloc(adapter->window_pages, GFP_KERNEL);
	adapter->memory_map = bitmap_zalloc(adapter->memory_pages, GFP_KERNEL);
	if (!adapter->memory || !adapter->window_map || !adapter->memory_map)
		return -ENOMEM;
	return 0;
}

void adapter_start(struct adapter *adapter)
{
	adapter->node = adapter_read(adapter, ADAPTER_REG_NODE);
	adapter_write(adapter, ADAPTER_REG_CONTROL, ADAPTER_CONTROL_ENABLE);
	WRITE_ONCE(adapter->int_enable, ADAPTER_INT_ALL);
	adapter_write(adapter, ADAPTER_REG_INT_ENABLE, adapter->int_enable);
	adapter_nodes(adapter);
}

/* Leave the fabric. After this call, no register is accessed. */
static void main_stop(struct adapter *adapter)
{
	struct adapter_session *session;

	mutex_lock(&adapter->lock);
	adapter_write(adapter, ADAPTER_REG_INT_ENABLE, 0);
	adapter_failures_count(adapter);
	adapter_write(adapter, ADAPTER_REG_COMMAND, ADAPTER_COMMAND_RESET);
	WRITE_ONCE(adapter->gone, true);
	adapter_message_stop(adapter);
	adapter_segment_stop(adapter);
	complete_all(&adapter->dma_done);
	adapter_map_unmap(adapter);
	list_for_each_entry(session, &adapter->sessions, list)
		wake_up_interruptible_all(&session->wait);
	mutex_unlock(&adapter->lock);
	adapter_message_cancel(adapter);
	adapter_segment_cancel(adapter);
	adapter_failures_stop(adapter);
}

static int main_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct adapter *adapter;
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "cannot enable\n");
	adapter = main_alloc(pdev);
	if (IS_ERR(adapter))
		return PTR_ERR(adapter);
	ret = main_map(adapter);
	if (ret)
		goto put_adapter;
	iowrite32(ADAPTER_COMMAND_RESET, adapter->regs + ADAPTER_REG_COMMAND);
	ret = pci_alloc_irq_vectors(pdev, 1, 1, PCI_IRQ_ALL_TYPES);
	if (ret < 0)
		goto put_adapter;
	/* Bus mastering is needed only for MSI; the adapter reads and writes no host memory. */
	pci_set_master(pdev);
	ret = request_threaded_irq(pci_irq_vector(pdev, 0), main_irq, main_irq_thread, IRQF_SHARED,
				   ADAPTER_NAME, adapter);
	if (ret)
		goto free_vectors;
	pci_set_drvdata(pdev, adapter);
	/* A reset of the slot restores this state. */
	pci_save_state(pdev);
	scoped_guard(mutex, &adapter->lock)
		adapter_start(adapter);
	ret = cdev_device_add(&adapter->cdev, &adapter->dev);
	if (ret)
		goto stop;
	adapter_debugfs_add(adapter);
	dev_info(&pdev->dev, "%s: node %u, window of %u pages, memory of %u pages\n",
		 dev_name(&adapter->dev), adapter->node, adapter->window_pages,
		 adapter->memory_pages);
	return 0;

stop:
	main_stop(adapter);
	free_irq(pci_irq_vector(pdev, 0), adapter);
free_vectors:
	pci_clear_master(pdev);
	pci_free_irq_vectors(pdev);
put_adapter:
	WRITE_ONCE(adapter->gone, true);
	put_device(&adapter->dev);
	return dev_err_probe(&pdev->dev, ret, "cannot start\n");
}

static void main_remove(struct pci_dev *pdev)
{
	struct adapter *adapter = pci_get_drvdata(pdev);

	debugfs_remove(adapter->debugfs);
	cdev_device_del(&adapter->cdev, &adapter->dev);
	adapter_message_flush(adapter);
	main_stop(adapter);
	free_irq(pci_irq_vector(pdev, 0), adapter);
	pci_clear_master(pdev);
	pci_free_irq_vectors(pdev);
	put_device(&adapter->dev);
}

static void main_shutdown(struct pci_dev *pdev)
{
	struct adapter *adapter = pci_get_drvdata(pdev);

	adapter_message_flush(adapter);
	main_stop(adapter);
	pci_clear_master(pdev);
}

static const struct pci_device_id main_ids[] = {
	{PCI_DEVICE_SUB(ADAPTER_PCI_VENDOR, ADAPTER_PCI_DEVICE, ADAPTER_PCI_SUBVENDOR,
			ADAPTER_PCI_SUBDEVICE)},
	{}};
MODULE_DEVICE_TABLE(pci, main_ids);

static struct pci_driver main_driver = {
	.name = ADAPTER_NAME,
	.id_table = main_ids,
	.probe = main_probe,
	.remove = main_remove,
	.shutdown = main_shutdown,
	.err_handler = &adapter_recovery_errors,
	.driver.pm = pm_sleep_ptr(&adapter_recovery_pm),
};

module_driver(main_driver, smile_minors_register_driver, smile_minors_unregister_driver,
	      &main_minors);

MODULE_DESCRIPTION("SCI adapter: other nodes' memory in a window");
MODULE_AUTHOR("The SMiLE Monitor project");
MODULE_LICENSE("GPL");
MODULE_VERSION(SMILE_VERSION);
