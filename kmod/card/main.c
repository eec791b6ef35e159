// SPDX-License-Identifier: GPL-2.0-only
/*
 * The SMiLE Monitor's PCI driver: probe and remove.
 *
 * What lives here: the callbacks of the PCI core that add and remove a card. May use: everything in
 * this folder.
 *
 * Source of the card: "Design and Implementation Aspects for the SMiLE Hardware Monitor" (2000),
 * section V.
 */
#include <linux/bitfield.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/pci.h>

#include "../minors.h"
#include "smile_monitor.h"

static struct dentry *main_debugfs;

static int main_map(struct smile_card *card)
{
	struct pci_dev *pdev = card->pdev;

	card->regs = devm_ioremap_resource(&pdev->dev, &pdev->resource[SMILE_BAR_REGS]);
	card->ram = devm_ioremap_resource(&pdev->dev, &pdev->resource[SMILE_BAR_RING]);
	if (IS_ERR(card->regs) || IS_ERR(card->ram))
		return PTR_ERR_OR_ZERO(card->regs) ?: PTR_ERR(card->ram);
	if (pci_resource_len(pdev, SMILE_BAR_REGS) < SMILE_REGS_BYTES)
		return dev_err_probe(&pdev->dev, -ENODEV,
				     "BAR %d is too small: check its firmware\n", SMILE_BAR_REGS);
	return 0;
}

/* Detach from a card. Its device can no longer be opened, but files may still be open. */
static void main_detach(struct smile_card *card)
{
	/* End perf's events first, while the counters can still be read. */
	smile_pmu_end(card, true);
	smile_recovery_close(card);
	/* Reset the card, so that it loses the ring's address before the memory is unmapped. */
	smile_card_write(card, SMILE_REG_COMMAND, SMILE_COMMAND_RESET);
	smile_card_read(card, SMILE_REG_STATUS);
}

static int main_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct smile_card *card;
	int ret;

	ret = pcim_enable_device(pdev);
	if (ret)
		return dev_err_probe(&pdev->dev, ret, "cannot enable\n");
	card = smile_cdev_alloc(pdev);
	if (IS_ERR(card))
		return PTR_ERR(card);
	/* After the reset the card raises no interrupts until the stream has an owner. */
	ret = main_map(card) ?: smile_recovery_init(card) ?: smile_card_identify(card)
		?: smile_card_reset(card) ?: smile_card_defaults(card);
	if (ret)
		return ret;
	smile_ring_attach(card);
	/*
	 * Enable bus mastering only after the reset, which has cleared the addresses that an
	 * earlier driver had written to the card.
	 */
	pci_set_master(pdev);
	ret = smile_drain_request(card);
	if (ret)
		return ret;
	pci_set_drvdata(pdev, card);
	smile_recovery_open(card);
	/*
	 * Attach the PMU before the device can have an owner. This call reads the configuration,
	 * which an owner can change.
	 */
	smile_pmu_attach(card);
	ret = cdev_device_add(&card->cdev, &card->dev);
	if (ret) {
		/* The device was visible for a short time, and may have been opened. */
		main_detach(card);
		return dev_err_probe(&pdev->dev, ret, "cannot add its character device\n");
	}
	smile_debugfs_add(card, main_debugfs);
	dev_info(&pdev->dev, "%s: version %u.%u, %u counters, ring of %u records\n",
		 dev_name(&card->dev), FIELD_GET(SMILE_VERSION_MAJOR, card->version),
		 FIELD_GET(SMILE_VERSION_MINOR, card->version), card->entries_max,
		 card->ram_words / SMILE_RECORD_WORDS);
	return 0;
}

static void main_remove(struct pci_dev *pdev)
{
	struct smile_card *card = pci_get_drvdata(pdev);

	debugfs_remove(card->debugfs);
	cdev_device_del(&card->cdev, &card->dev);
	main_detach(card);
}

static void main_shutdown(struct pci_dev *pdev)
{
	main_detach(pci_get_drvdata(pdev));
	/* The next kernel, started by kexec, may use this memory for other data. */
	pci_clear_master(pdev);
}

static const struct pci_device_id main_ids[] = {
	{PCI_DEVICE_SUB(SMILE_PCI_VENDOR, SMILE_PCI_DEVICE, SMILE_PCI_SUBVENDOR,
			SMILE_PCI_SUBDEVICE)},
	{}};
MODULE_DEVICE_TABLE(pci, main_ids);

static struct pci_driver main_driver = {
	.name = SMILE_NAME,
	.id_table = main_ids,
	.probe = main_probe,
	.remove = main_remove,
	.shutdown = main_shutdown,
	.err_handler = &smile_recovery_errors,
	.driver.pm = pm_ptr(&smile_power_ops),
};

static int __init main_init(void)
{
	int ret = smile_ring_check_parameters() ?: smile_minors_register(&smile_cdev_minors);

	if (ret)
		return ret;
	ret = smile_pmu_init();
	if (ret)
		goto exit_cdev;
	main_debugfs = debugfs_create_dir(SMILE_NAME, NULL);
	ret = pci_register_driver(&main_driver);
	if (ret)
		goto exit_debugfs;
	return 0;

exit_debugfs:
	debugfs_remove(main_debugfs);
	smile_pmu_exit();
exit_cdev:
	smile_minors_unregister(&smile_cdev_minors);
	return ret;
}
module_init(main_init);

static void __exit main_exit(void)
{
	pci_unregister_driver(&main_driver);
	debugfs_remove(main_debugfs);
	smile_pmu_exit();
	smile_minors_unregister(&smile_cdev_minors);
}
module_exit(main_exit);

MODULE_DESCRIPTION("SMiLE Monitor: counts remote memory transactions by page and node");
MODULE_AUTHOR("The SMiLE Monitor project");
MODULE_LICENSE("GPL");
MODULE_VERSION(SMILE_VERSION);
