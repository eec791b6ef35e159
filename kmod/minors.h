/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbered character devices: /dev/NAME0, /dev/NAME1, and so on, and their class NAME.
 *
 * What lives here: code that the drivers of the card, the trace instrument and the adapter share.
 * It is inline, because each driver is a separate module. May use: the kernel.
 */
#ifndef KMOD_MINORS_H
#define KMOD_MINORS_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/idr.h>
#include <linux/pci.h>

struct smile_minors {
	struct class class; /* devices are named after the class */
	unsigned int count;
	struct ida used; /* numbers that devices use */
	dev_t first;
};

#define SMILE_MINORS(minors, text, most)                                                           \
	struct smile_minors minors = {                                                             \
		.class = {.name = (text)},                                                         \
		.count = (most),                                                                   \
		.used = IDA_INIT((minors).used),                                                   \
	}

/* Allocate the device numbers, and register the class. */
static inline int smile_minors_register(struct smile_minors *minors)
{
	int ret = alloc_chrdev_region(&minors->first, 0, minors->count, minors->class.name);

	if (ret)
		return ret;
	ret = class_register(&minors->class);
	if (ret)
		unregister_chrdev_region(minors->first, minors->count);
	return ret;
}

/* Undo smile_minors_register(). */
static inline void smile_minors_unregister(struct smile_minors *minors)
{
	class_unregister(&minors->class);
	unregister_chrdev_region(minors->first, minors->count);
	ida_destroy(&minors->used);
}

/*
 * Register a driver and its device numbers. For module_driver(), in a module that has only this
 * driver. Return: 0, or an error.
 */
static inline int smile_minors_register_driver(struct pci_driver *driver,
					       struct smile_minors *minors)
{
	int ret = smile_minors_register(minors);

	if (ret)
		return ret;
	ret = pci_register_driver(driver);
	if (ret)
		smile_minors_unregister(minors);
	return ret;
}

/* Undo smile_minors_register_driver(). */
static inline void smile_minors_unregister_driver(struct pci_driver *driver,
						  struct smile_minors *minors)
{
	pci_unregister_driver(driver);
	smile_minors_unregister(minors);
}

/* Allocate a number for a device. Return: the number, or an error. */
static inline int smile_minors_take(struct smile_minors *minors)
{
	return ida_alloc_max(&minors->used, minors->count - 1, GFP_KERNEL);
}

/* Free the number of a device. */
static inline void smile_minors_give(struct smile_minors *minors, unsigned int number)
{
	ida_free(&minors->used, number);
}

/*
 * Check whether an open file owns its device. A file that is open for writing owns the device; all
 * other files can only query it.
 */
static inline bool smile_minors_owns(const struct file *file)
{
	return file->f_mode & FMODE_WRITE;
}

/*
 * Initialise @dev as the device with this number, with @cdev, which is not yet visible. Afterwards,
 * the caller must free @dev by put_device(), which calls @release, even if this function returns an
 * error. Return: 0, or an error.
 */
static inline int smile_minors_device(struct smile_minors *minors, unsigned int number,
				      struct device *dev, struct device *parent, struct cdev *cdev,
				      const struct file_operations *fops,
				      void (*release)(struct device *dev))
{
	device_initialize(dev);
	dev->class = &minors->class;
	dev->parent = parent;
	dev->devt = MKDEV(MAJOR(minors->first), MINOR(minors->first) + number);
	dev->release = release;
	cdev_init(cdev, fops);
	cdev->owner = fops->owner;
	return dev_set_name(dev, "%s%u", minors->class.name, number);
}

#endif /* KMOD_MINORS_H */
