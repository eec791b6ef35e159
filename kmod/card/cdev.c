// SPDX-License-Identifier: GPL-2.0-only
/*
 * The character device: one record stream for each card, owned by the open file that may write.
 *
 * What lives here: the file operations, the ioctls, and the ownership of the stream. A new owner
 * resets the card. Files that do not own the stream get no records. All uses of the card hold
 * smile_card.gate (smile_gate_enter()). The code accesses no register itself. May use: gate.c,
 * record_ring.c, drain.c, stream.c and card.c.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "../compat.h"
#include "../minors.h"
#include "smile_monitor.h"

SMILE_MINORS(smile_cdev_minors, SMILE_NAME, SMILE_CARDS_MAX);

/*
 * Check whether the file owns the stream. Return: 0 if it does; otherwise the reason, as a negative
 * errno.
 */
static int cdev_check_owner(const struct smile_card *card, const struct file *file)
{
	if (smile_minors_owns(file))
		return 0;
	return smile_card_alive(card) ? -EBADF : -ENODEV;
}

static int cdev_claim(struct smile_card *card, struct file *file)
{
	int ret;

	/*
	 * Reject the open without waiting for the lock: a swap of the owner may hold it for a
	 * second.
	 */
	if (READ_ONCE(card->owner))
		return -EBUSY;
	ret = smile_gate_lock(card, true);
	if (ret)
		return ret;
	ret = card->ring.open ? -EBUSY : smile_ring_open(card);
	if (!ret)
		WRITE_ONCE(card->owner, file);
	smile_gate_unlock(card);
	return ret;
}

static int cdev_open(struct inode *inode, struct file *file)
{
	struct smile_card *card = container_of(inode->i_cdev, struct smile_card, cdev);
	int ret;

	if (!smile_card_alive(card))
		return -ENODEV;
	/*
	 * If a register reads as all ones meanwhile, the card is frozen. In this case, claim the
	 * card again after it has recovered.
	 */
	do {
		ret = smile_minors_owns(file) ? cdev_claim(card, file) : 0;
	} while (ret == -ENODEV && smile_card_alive(card));
	if (ret)
		return ret;
	/*
	 * The open file holds a reference to the cdev. The cdev holds a reference to the card,
	 * because the cdev is the card's child.
	 */
	file->private_data = card;
	return nonseekable_open(inode, file);
}

static int cdev_release(struct inode *inode, struct file *file)
{
	struct smile_card *card = file->private_data;

	if (!smile_minors_owns(file))
		return 0;
	guard(rwsem_read)(&card->gate);
	guard(mutex)(&card->control);
	smile_ring_close(card);
	WRITE_ONCE(card->owner, NULL);
	return 0;
}

/* Drain the card for read(). No other part of read() needs the card. */
static int cdev_read_drain(struct smile_card *card, bool nonblock)
{
	/* If the ring has records, do not wait for a recovery of the card. */
	int ret = smile_gate_enter(card, !nonblock && !smile_ring_available(&card->ring));

	if (ret)
		return ret;
	ret = nonblock ? smile_drain_try(card, false) : smile_drain_run(card, true);
	smile_gate_leave(card);
	return ret;
}

/*
 * Copy records to user space. This does not hold smile_card.gate, because an access to user memory
 * may take any time. The ring exists as long as the file.
 */
static ssize_t cdev_read_copy(struct smile_card *card, bool nonblock, char __user *to,
			      size_t records)
{
	ssize_t ret;

	if (nonblock) {
		if (!mutex_trylock(&card->reader))
			return -EAGAIN;
	} else if (mutex_lock_interruptible(&card->reader)) {
		return -ERESTARTSYS;
	}
	ret = smile_ring_copy(&card->ring, to, records);
	mutex_unlock(&card->reader);
	return ret;
}

static ssize_t cdev_read(struct file *file, char __user *to, size_t bytes, loff_t *offset)
{
	struct smile_card *card = file->private_data;
	size_t records = bytes / SMILE_RECORD_BYTES;
	bool nonblock = file->f_flags & O_NONBLOCK;
	ssize_t copied;
	int ret = cdev_check_owner(card, file);

	if (ret)
		return ret;
	if (!records)
		return -EINVAL;
	for (;;) {
		ret = cdev_read_drain(card, nonblock);
		/* The owner gets the records in the ring even if the card is gone or broken. */
		copied = cdev_read_copy(card, nonblock, to, records);
		if (copied)
			return copied;
		/* The card was frozen during the drain. */
		if (ret == -ENODEV && smile_card_alive(card))
			ret = -EAGAIN;
		if (ret && ret != -EAGAIN)
			return ret;
		if (nonblock)
			return -EAGAIN;
		/*
		 * Wait without smile_card.gate. Otherwise remove() would wait for records that
		 * never arrive.
		 */
		ret = wait_event_interruptible(card->wait, smile_ring_available(&card->ring) ||
								   !smile_card_alive(card) ||
								   !smile_card_sane(card));
		if (ret)
			return ret;
	}
}

static __poll_t cdev_poll(struct file *file, poll_table *wait)
{
	struct smile_card *card = file->private_data;
	__poll_t mask = 0;

	poll_wait(file, &card->wait, wait);
	/* Only the owner gets the state of the stream. */
	if (smile_minors_owns(file)) {
		if (!smile_gate_enter(card, false)) {
			/*
			 * If the ring has records, do not drain: a caller that polls again gets
			 * these records.
			 */
			if (!smile_ring_available(&card->ring) || READ_ONCE(card->ring.full))
				smile_drain_try(card, smile_compat_poll_sleeps(wait));
			smile_gate_leave(card);
		}
		if (smile_ring_available(&card->ring))
			mask |= EPOLLIN | EPOLLRDNORM;
		if (test_bit(SMILE_FLAG_LOST, &card->flags) || !smile_card_sane(card))
			mask |= EPOLLERR;
		if (test_bit(SMILE_FLAG_LINK, &card->flags))
			mask |= EPOLLPRI;
	}
	if (!smile_card_alive(card))
		mask |= EPOLLHUP;
	return mask;
}

/*
 * Only the consumer's page may be mapped writable, in a mapping of its own. All other pages can be
 * mapped only for reading, and never become writable. The pages belong to the driver, and each
 * mapping holds its file open, so recorded data can still be read when the card is gone. The
 * mapping has no struct page, so its pages cannot be pinned. A former owner can therefore neither
 * read the next owner's records nor write its tail.
 */
static int cdev_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct smile_card *card = file->private_data;
	struct page **page = card->ring.pages + vma->vm_pgoff;
	unsigned long bytes = vma->vm_end - vma->vm_start, at;
	int ret;

	if (!(vma->vm_flags & VM_MAYSHARE))
		return -EINVAL;
	if (vma->vm_pgoff >= PFN_UP(card->ring.bytes) ||
	    bytes > card->ring.bytes - (vma->vm_pgoff << PAGE_SHIFT))
		return -EINVAL;
	if (vma->vm_pgoff || bytes != PAGE_SIZE) {
		if (vma->vm_flags & VM_WRITE)
			return -EPERM;
		smile_compat_vm_flags_mod(vma, 0, VM_MAYWRITE);
	}
	ret = smile_card_alive(card) ? cdev_check_owner(card, file) : -ENODEV;
	/* If an error occurs, the pages that were mapped before it are removed with the mapping. */
	for (at = vma->vm_start; at < vma->vm_end && !ret; at += PAGE_SIZE, page++) {
		ret = remap_pfn_range(vma, at, page_to_pfn(*page), PAGE_SIZE, vma->vm_page_prot);
		cond_resched();
	}
	return ret;
}

/* ---- ioctls: structures from and to user space ---- */

/* The arguments of the calls. All arguments except @event begin with their size. */
union ioctl_argument {
	u32 size;
	u32 event;
	struct smile_info info;
	struct smile_config config;
	struct smile_statistics statistics;
	struct smile_static tables;
	struct smile_time time;
};

#define IOCTL_CONFIG_SIZE_V1 offsetof(struct smile_config, timer_us)
#define IOCTL_INFO_SIZE_V1 (offsetof(struct smile_info, config) + IOCTL_CONFIG_SIZE_V1)
#define IOCTL_STATISTICS_SIZE_V1 offsetof(struct smile_statistics, static_counted)

static const struct ioctl_kind {
	unsigned int cmd;
	u32 least; /* size of the structure's first version, which is the smallest valid size */
} ioctl_kinds[] = {
	{SMILE_IOC_INFO, IOCTL_INFO_SIZE_V1},
	{SMILE_IOC_STATISTICS, IOCTL_STATISTICS_SIZE_V1},
	{SMILE_IOC_TIME, sizeof(struct smile_time)},
	{SMILE_IOC_STATIC_INFO, sizeof(struct smile_static)},
	{SMILE_IOC_CONFIGURE, IOCTL_CONFIG_SIZE_V1},
	{SMILE_IOC_STATIC, sizeof(struct smile_static)},
	{SMILE_IOC_EVENT},
	{SMILE_IOC_STATIC_SWAP},
	{SMILE_IOC_START},
	{SMILE_IOC_STOP},
	{SMILE_IOC_SWAP},
};

/*
 * The first member of a structure is its size, so that the structure can grow. The size in the
 * command's number is ignored.
 */
#define IOCTL_UNSIZED(cmd) ((cmd) & ~IOCSIZE_MASK)

static const struct ioctl_kind *ioctl_find(unsigned int cmd)
{
	const struct ioctl_kind *kind;

	for (kind = ioctl_kinds; kind < ioctl_kinds + ARRAY_SIZE(ioctl_kinds); kind++) {
		if (kind->least ? IOCTL_UNSIZED(cmd) == IOCTL_UNSIZED(kind->cmd) : cmd == kind->cmd)
			return kind;
	}
	return NULL;
}

/*
 * Check whether a call is a query. A query reads and writes its argument; all other calls change
 * the card.
 */
static bool ioctl_asks(const struct ioctl_kind *kind)
{
	return _IOC_DIR(kind->cmd) == (_IOC_READ | _IOC_WRITE);
}

/*
 * Copy the argument from user space. If the call is a query, only the size in the argument is used.
 * It is stored in @size.
 */
static int ioctl_take(const struct ioctl_kind *kind, void __user *user,
		      union ioctl_argument *argument, u32 *size)
{
	u32 known = _IOC_SIZE(kind->cmd);
	int ret;

	if (!known)
		return 0;
	if (get_user(*size, (u32 __user *)user))
		return -EFAULT;
	if (!kind->least) {
		argument->event = *size;
		return 0;
	}
	if (*size < kind->least)
		return -EINVAL;
	if (*size > PAGE_SIZE)
		return -E2BIG;
	if (!ioctl_asks(kind))
		return copy_struct_from_user(argument, known, user, *size);
	ret = *size > known ? check_zeroed_user(user + known, *size - known) : 1;
	return ret > 0 ? 0 : ret ?: -E2BIG;
}

/* Copy a query's answer to user space, up to the size that the caller has passed. */
static int ioctl_give(const struct ioctl_kind *kind, void __user *user,
		      union ioctl_argument *argument, u32 size)
{
	if (!ioctl_asks(kind))
		return 0;
	size = min(size, _IOC_SIZE(kind->cmd));
	argument->size = size;
	/*
	 * The caller may get only a part of the configuration. Set its size to the size of this
	 * part, so that CONFIGURE accepts the part unchanged.
	 */
	if (kind->cmd == SMILE_IOC_INFO)
		argument->info.config.size = size - offsetof(struct smile_info, config);
	return copy_to_user(user, argument, size) ? -EFAULT : 0;
}

/* ---- the calls, which hold smile_card.gate; @owner: the open file owns the stream ---- */

static int ioctl_statistics(struct smile_card *card, struct smile_statistics *statistics,
			    bool owner)
{
	int ret;

	/* Clear the flag before the counters are read, so that a later loss is reported again. */
	if (owner)
		clear_bit(SMILE_FLAG_LOST, &card->flags);
	ret = smile_stream_statistics(card, statistics);
	/*
	 * The owner clears EPOLLERR by this call. If the stream is broken, EPOLLERR remains, so
	 * return the error.
	 */
	return !ret && owner && !smile_card_sane(card) ? -EIO : ret;
}

static int ioctl_control(struct smile_card *card, unsigned int cmd, union ioctl_argument *argument,
			 bool owner)
{
	switch (cmd) {
	case SMILE_IOC_INFO:
		/*
		 * Clear the flag before the state is read, so that a later change is reported
		 * again.
		 */
		if (owner)
			clear_bit(SMILE_FLAG_LINK, &card->flags);
		return smile_stream_info(card, &argument->info);
	case SMILE_IOC_STATIC_INFO:
		argument->tables = card->tables;
		return 0;
	case SMILE_IOC_CONFIGURE:
		return smile_card_check(card, &argument->config)
			       ?: smile_stream_configure(card, &argument->config);
	case SMILE_IOC_STATIC:
		return smile_static_check(card, &argument->tables)
			       ?: smile_stream_static(card, &argument->tables);
	case SMILE_IOC_EVENT:
		/* The two highest ids are reserved for the driver. */
		return argument->event >= SMILE_EVENT_RESET
			       ? -EINVAL
			       : smile_stream_event(card, argument->event);
	case SMILE_IOC_STATIC_SWAP:
		return smile_stream_static_swap(card, argument->event);
	case SMILE_IOC_START:
		return smile_stream_start(card);
	case SMILE_IOC_STOP:
		return smile_stream_stop(card);
	default:
		return smile_stream_swap(card);
	}
}

static int ioctl_call(struct smile_card *card, unsigned int cmd, union ioctl_argument *argument,
		      bool owner)
{
	/* These two calls do not take smile_card.control, so they wait for no other call. */
	bool shared = cmd == SMILE_IOC_STATISTICS || cmd == SMILE_IOC_TIME;
	int ret = shared ? smile_gate_enter(card, true) : smile_gate_lock(card, true);

	if (ret)
		return ret;
	if (shared) {
		ret = cmd == SMILE_IOC_TIME ? smile_card_time(card, &argument->time)
					    : ioctl_statistics(card, &argument->statistics, owner);
		smile_gate_leave(card);
	} else {
		ret = ioctl_control(card, cmd, argument, owner);
		smile_gate_unlock(card);
	}
	return ret;
}

static long cdev_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct ioctl_kind *kind = ioctl_find(cmd);
	struct smile_card *card = file->private_data;
	bool owner = smile_minors_owns(file);
	union ioctl_argument argument = {};
	u32 size = 0;
	int ret;

	BUILD_BUG_ON(IOCTL_INFO_SIZE_V1 != 72 || IOCTL_STATISTICS_SIZE_V1 != 128);
	BUILD_BUG_ON(sizeof(struct smile_static) != 392 || sizeof(struct smile_time) != 32);

	/* Report this error before any other error. */
	if (!smile_card_alive(card))
		return -ENODEV;
	if (!kind)
		return -ENOTTY;
	if (!owner && !ioctl_asks(kind))
		return -EBADF;
	ret = ioctl_take(kind, (void __user *)arg, &argument, &size);
	if (ret)
		return ret;
	do {
		ret = ioctl_call(card, kind->cmd, &argument, owner);
		/* If the card was frozen during the call, repeat the call after its recovery. */
	} while (ret == -ENODEV && smile_card_alive(card));
	return ret ? ret : ioctl_give(kind, (void __user *)arg, &argument, size);
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

/* Free a card. Its last reference was dropped, so it has no open file, mapping or PCI device. */
static void cdev_destroy(struct device *dev)
{
	struct smile_card *card = container_of(dev, struct smile_card, dev);

	smile_minors_give(&smile_cdev_minors, card->number);
	smile_ring_free(card);
	kfree(card->saved);
	pci_dev_put(card->pdev);
	kfree(card);
}

static void cdev_drop(void *card)
{
	put_device(&((struct smile_card *)card)->dev);
}

/*
 * Allocate a card with a character device that is not yet visible. The card exists at least as long
 * as the managed resources of the PCI device. Return: the card, or an error pointer.
 */
struct smile_card *smile_cdev_alloc(struct pci_dev *pdev)
{
	struct smile_card *card = kzalloc(sizeof(*card), GFP_KERNEL);
	int ret;

	if (!card)
		return ERR_PTR(-ENOMEM);
	ret = smile_minors_take(&smile_cdev_minors);
	if (ret < 0) {
		kfree(card);
		return ERR_PTR(ret);
	}
	card->number = ret;
	card->pdev = pci_dev_get(pdev);
	init_rwsem(&card->gate);
	init_waitqueue_head(&card->wait);
	mutex_init(&card->control);
	mutex_init(&card->reader);
	mutex_init(&card->latch);
	card->dev.groups = smile_sysfs_groups;
	ret = smile_minors_device(&smile_cdev_minors, card->number, &card->dev, &pdev->dev,
				  &card->cdev, &cdev_fops, cdev_destroy)
		      ?: smile_ring_init(card);
	if (ret) {
		put_device(&card->dev);
		return ERR_PTR(ret);
	}
	ret = devm_add_action_or_reset(&pdev->dev, cdev_drop, card);
	return ret ? ERR_PTR(ret) : card;
}
