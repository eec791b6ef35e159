// SPDX-License-Identifier: GPL-2.0-only
/*
 * The deep trace instrument's character device: /dev/smile_traceN.
 *
 * What lives here: the file operations. A file that is open for writing owns the instrument, and
 * only the owner can read the trace. The code accesses no register itself. May use: regs.c.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../compat.h"
#include "../minors.h"
#include "instrument.h"

/* The time for which one attempt of an access to the mapping waits for a frozen instrument. */
#define CDEV_FROZEN_JIFFIES (HZ / 10)

SMILE_MINORS(smile_instrument_minors, SMILE_INSTRUMENT_NAME, 64);

static int cdev_open(struct inode *inode, struct file *file)
{
	struct smile_instrument *trace = container_of(inode->i_cdev, struct smile_instrument, cdev);
	int ret = smile_instrument_lock(trace, true);

	if (ret)
		return ret;
	if (smile_minors_owns(file)) {
		if (trace->owner) {
			ret = -EBUSY;
		} else {
			smile_instrument_reset(trace);
			trace->lost = false;
			trace->owner = file;
		}
	}
	mutex_unlock(&trace->lock);
	if (ret)
		return ret;
	/*
	 * The open file holds a reference to the cdev. The cdev holds a reference to the
	 * instrument, because the cdev is the instrument's child.
	 */
	file->private_data = trace;
	return nonseekable_open(inode, file);
}

static int cdev_release(struct inode *inode, struct file *file)
{
	struct smile_instrument *trace = file->private_data;

	if (!smile_minors_owns(file))
		return 0;
	guard(mutex)(&trace->lock);
	trace->owner = NULL;
	trace->lost = false;
	if (trace->frozen) {
		/* The thaw will reset the instrument, which removes the trace of this owner. */
		trace->reset = true;
		trace->configured = false;
		trace->armed = false;
	} else if (!trace->dead) {
		smile_instrument_reset(trace);
	}
	return 0;
}

static bool cdev_done(struct smile_instrument *trace)
{
	u32 status;

	return smile_instrument_state(trace, &status) || !smile_instrument_running(status);
}

/*
 * Get the state for read(): whether there are data, the end of the trace, or an error. Return: a
 * mask of EPOLL*.
 */
static __poll_t cdev_ready(struct smile_instrument *trace)
{
	const __poll_t data = EPOLLIN | EPOLLRDNORM;
	struct smile_trace_status status;
	bool ready;

	guard(mutex)(&trace->lock);
	if (trace->dead)
		return data;
	if (trace->lost)
		return data | EPOLLERR;
	if (trace->frozen)
		return 0;
	ready = cdev_done(trace);
	if (!ready && !trace->wrap)
		ready = smile_instrument_status(trace, &status) || status.bytes;
	return ready ? data : 0;
}

/*
 * Fetch data for read(). @done: receives whether the trace has ended. Return: as
 * smile_instrument_fetch(); -EAGAIN if the instrument is frozen; -ENODEV.
 */
static ssize_t cdev_fetch(struct smile_instrument *trace, size_t bytes, bool *done)
{
	ssize_t got = smile_instrument_lock(trace, false);

	if (got)
		return got;
	/*
	 * Check this before fetching: data that arrives after the check is fetched by a later call.
	 */
	*done = cdev_done(trace);
	got = smile_instrument_fetch(trace, bytes);
	mutex_unlock(&trace->lock);
	return got;
}

static ssize_t cdev_read(struct file *file, char __user *to, size_t bytes, loff_t *offset)
{
	struct smile_instrument *trace = file->private_data;
	unsigned int losses = READ_ONCE(trace->losses);
	bool done = false;
	ssize_t got;
	int events;

	if (!smile_minors_owns(file))
		return -EBADF;
	if (bytes < 8)
		return -EINVAL;
	for (;;) {
		events = atomic_read(&trace->events);
		if (mutex_lock_interruptible(&trace->reader))
			return -ERESTARTSYS;
		got = cdev_fetch(trace, bytes, &done);
		/* The trace was lost during the call, and another trace may exist by now. */
		if (got >= 0 && READ_ONCE(trace->losses) != losses)
			got = -EIO;
		if (got > 0 && copy_to_user(to, trace->chunk, got))
			got = -EFAULT;
		mutex_unlock(&trace->reader);
		if (got && got != -EBUSY && got != -EAGAIN)
			return got;
		/*
		 * Make this check even if the instrument is frozen, because a lost trace cannot be
		 * recovered.
		 */
		if (READ_ONCE(trace->losses) != losses || READ_ONCE(trace->lost))
			return -EIO;
		if (!got && done)
			return 0;
		if (file->f_flags & O_NONBLOCK)
			return -EAGAIN;
		got = wait_event_interruptible(trace->wait,
					       READ_ONCE(trace->dead) ||
						       atomic_read(&trace->events) != events);
		if (got)
			return got;
	}
}

static __poll_t cdev_poll(struct file *file, poll_table *wait)
{
	struct smile_instrument *trace = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &trace->wait, wait);
	if (smile_minors_owns(file))
		mask |= cdev_ready(trace);
	if (READ_ONCE(trace->dead))
		mask |= EPOLLHUP;
	return mask;
}

/*
 * Map a page of the trace memory. Each page is mapped when it is accessed. When the instrument dies
 * or its trace is lost, the mappings are removed, and afterwards no page can be mapped. While the
 * instrument is frozen, the access is repeated, and mmap_lock is released in between.
 */
static vm_fault_t cdev_fault(struct vm_fault *fault)
{
	struct vm_area_struct *vma = fault->vma;
	struct smile_instrument *trace = vma->vm_file->private_data;
	vm_fault_t ret;
	bool frozen = false;
	unsigned long page;

	mutex_lock(&trace->lock);
	if (trace->dead || trace->lost || fault->pgoff >= trace->memory_bytes >> PAGE_SHIFT) {
		ret = VM_FAULT_SIGBUS;
	} else if (trace->frozen) {
		frozen = true;
	} else {
		page = (pci_resource_start(trace->pdev, SMILE_TRACE_BAR_MEMORY) >> PAGE_SHIFT) +
		       fault->pgoff;
		ret = vmf_insert_pfn(vma, fault->address, page);
	}
	mutex_unlock(&trace->lock);
	if (!frozen)
		return ret;
	wait_event_interruptible_timeout(trace->wait,
					 !READ_ONCE(trace->frozen) || READ_ONCE(trace->dead),
					 CDEV_FROZEN_JIFFIES);
	return VM_FAULT_NOPAGE;
}

static const struct vm_operations_struct cdev_vm_ops = {.fault = cdev_fault};

static int cdev_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct smile_instrument *trace = file->private_data;
	unsigned long pages = vma_pages(vma);

	if (!smile_minors_owns(file))
		return -EBADF;
	if (!(vma->vm_flags & VM_MAYSHARE) || vma->vm_pgoff + pages < pages ||
	    vma->vm_pgoff + pages > trace->memory_bytes >> PAGE_SHIFT)
		return -EINVAL;
	if (vma->vm_flags & VM_WRITE)
		return -EPERM;
	if (READ_ONCE(trace->dead))
		return -ENODEV;
	smile_compat_vm_flags_mod(vma, VM_IO | VM_PFNMAP | VM_DONTEXPAND | VM_DONTDUMP,
				  VM_MAYWRITE);
	vma->vm_page_prot = pgprot_noncached(vma->vm_page_prot);
	vma->vm_ops = &cdev_vm_ops;
	return 0;
}

static long cdev_info(struct smile_instrument *trace, void __user *to)
{
	struct smile_trace_info info = {
		.abi = SMILE_TRACE_ABI,
		.version = trace->version,
		.memory_bytes = trace->memory_bytes,
	};

	return copy_to_user(to, &info, sizeof(info)) ? -EFAULT : 0;
}

static long cdev_status(struct smile_instrument *trace, void __user *to)
{
	struct smile_trace_status status = {};
	int ret = smile_instrument_lock(trace, true);

	if (ret)
		return ret;
	ret = smile_instrument_status(trace, &status);
	mutex_unlock(&trace->lock);
	if (ret)
		return ret;
	return copy_to_user(to, &status, sizeof(status)) ? -EFAULT : 0;
}

static long cdev_configure(struct smile_instrument *trace, const void __user *from)
{
	struct smile_trace_config *config = memdup_user(from, sizeof(*config));
	int ret;

	if (IS_ERR(config))
		return PTR_ERR(config);
	ret = smile_instrument_lock(trace, true);
	if (!ret) {
		ret = smile_instrument_configure(trace, config);
		mutex_unlock(&trace->lock);
	}
	kfree(config);
	return ret;
}

static long cdev_command(struct smile_instrument *trace, u32 command)
{
	int ret = smile_instrument_lock(trace, true);

	if (ret)
		return ret;
	ret = smile_instrument_command(trace, command);
	mutex_unlock(&trace->lock);
	return ret;
}

static long cdev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct smile_instrument *trace = file->private_data;
	void __user *user = (void __user *)arg;

	if (READ_ONCE(trace->dead))
		return -ENODEV;
	switch (cmd) {
	case SMILE_TRACE_IOC_INFO:
		return cdev_info(trace, user);
	case SMILE_TRACE_IOC_STATUS:
		return cdev_status(trace, user);
	case SMILE_TRACE_IOC_CONFIGURE:
	case SMILE_TRACE_IOC_ARM:
	case SMILE_TRACE_IOC_STOP:
	case SMILE_TRACE_IOC_TRIGGER:
		break;
	default:
		return -ENOTTY;
	}
	if (!smile_minors_owns(file))
		return -EBADF;
	switch (cmd) {
	case SMILE_TRACE_IOC_CONFIGURE:
		return cdev_configure(trace, user);
	case SMILE_TRACE_IOC_ARM:
		return cdev_command(trace, SMILE_TRACE_COMMAND_ARM);
	case SMILE_TRACE_IOC_STOP:
		return cdev_command(trace, SMILE_TRACE_COMMAND_STOP);
	default:
		return cdev_command(trace, SMILE_TRACE_COMMAND_TRIGGER);
	}
}

static const struct file_operations cdev_fops = {
	.owner = THIS_MODULE,
	.open = cdev_open,
	.release = cdev_release,
	.read = cdev_read,
	.poll = cdev_poll,
	.mmap = cdev_mmap,
	.unlocked_ioctl = cdev_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

/*
 * Free an instrument. Its last reference was dropped, so it has no open file, mapping or PCI
 * device.
 */
static void cdev_destroy(struct device *dev)
{
	struct smile_instrument *trace = container_of(dev, struct smile_instrument, dev);

	smile_minors_give(&smile_instrument_minors, trace->number);
	mutex_destroy(&trace->lock);
	mutex_destroy(&trace->reader);
	kfree(trace->saved);
	kvfree(trace->chunk);
	kfree(trace);
}

/*
 * Allocate an instrument with a character device that is not yet visible. put_device(&trace->dev)
 * undoes this. Return: the instrument, or an error pointer.
 */
struct smile_instrument *smile_instrument_alloc(struct pci_dev *pdev)
{
	struct smile_instrument *trace;
	int minor, ret;

	trace = kzalloc(sizeof(*trace), GFP_KERNEL);
	if (!trace)
		return ERR_PTR(-ENOMEM);
	trace->chunk = kvmalloc(SMILE_INSTRUMENT_CHUNK, GFP_KERNEL);
	if (!trace->chunk) {
		ret = -ENOMEM;
		goto free_trace;
	}
	minor = smile_minors_take(&smile_instrument_minors);
	if (minor < 0) {
		ret = minor;
		goto free_trace;
	}
	trace->number = minor;
	trace->pdev = pdev;
	init_waitqueue_head(&trace->wait);
	init_completion(&trace->transferred);
	INIT_DELAYED_WORK(&trace->rescue, smile_instrument_rescue);
	mutex_init(&trace->reader);
	mutex_init(&trace->lock);
	ret = smile_minors_device(&smile_instrument_minors, minor, &trace->dev, &pdev->dev,
				  &trace->cdev, &cdev_fops, cdev_destroy);
	if (ret) {
		put_device(&trace->dev);
		return ERR_PTR(ret);
	}
	return trace;

free_trace:
	kvfree(trace->chunk);
	kfree(trace);
	return ERR_PTR(ret);
}
