// SPDX-License-Identifier: GPL-2.0-only
/*
 * The character device's ioctls: structures from and to user space.
 *
 * What lives here: sizes, copying, and who may do what. May use: the gate, cdev.c's ownership, what
 * stream.c does, the checks of card.c and static.c.
 */
#include <linux/fs.h>
#include <linux/sched/signal.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "smile_monitor.h"

/* Sizes of the structures' first version: no caller can know a smaller one. */
#define IOCTL_INFO_SIZE_V1 72
#define IOCTL_CONFIG_SIZE_V1 32
#define IOCTL_STATISTICS_SIZE_V1 128
#define IOCTL_STATIC_SIZE_V1 392

/* Check the size at the beginning of a structure to be filled in, and all that follows ours. */
static int ioctl_get_size(void __user *arg, u32 least, u32 known, u32 *size)
{
	int ret;

	if (get_user(*size, (u32 __user *)arg))
		return -EFAULT;
	if (*size < least)
		return -EINVAL;
	if (*size > PAGE_SIZE)
		return -E2BIG;
	if (*size <= known)
		return 0;
	ret = check_zeroed_user(arg + known, *size - known);
	if (ret < 0)
		return ret;
	return ret ? 0 : -E2BIG;
}

/* Copy a structure that begins with its size, and lacks what its version does not know. */
static int ioctl_take(void __user *arg, u32 least, void *structure, u32 known)
{
	u32 size;

	if (get_user(size, (u32 __user *)arg))
		return -EFAULT;
	if (size < least)
		return -EINVAL;
	if (size > PAGE_SIZE)
		return -E2BIG;
	return copy_struct_from_user(structure, known, arg, size);
}

static int ioctl_info(struct smile_card *card, struct file *file, void __user *arg)
{
	struct smile_info info;
	int index, ret;
	u32 size;

	BUILD_BUG_ON(offsetof(struct smile_info, config) + IOCTL_CONFIG_SIZE_V1 !=
		     IOCTL_INFO_SIZE_V1);
	ret = ioctl_get_size(arg, IOCTL_INFO_SIZE_V1, sizeof(info), &size);
	if (ret)
		return ret;
	ret = smile_gate_enter(card, &index);
	if (ret)
		return ret;
	if (mutex_lock_interruptible(&card->control)) {
		ret = -ERESTARTSYS;
	} else {
		/* Before the state is read: a change from here on is told again. */
		if (smile_cdev_owns(card, file))
			clear_bit(SMILE_FLAG_LINK, &card->flags);
		ret = smile_stream_info(card, &info);
		mutex_unlock(&card->control);
	}
	smile_gate_leave(card, index);
	if (ret)
		return ret;
	size = min_t(u32, size, sizeof(info));
	info.size = size;
	/* What is there of it, so that it can be given back to CONFIGURE as it is. */
	info.config.size = size - offsetof(struct smile_info, config);
	return copy_to_user(arg, &info, size) ? -EFAULT : 0;
}

static int ioctl_statistics(struct smile_card *card, struct file *file, void __user *arg)
{
	struct smile_statistics statistics;
	int index, ret;
	u32 size;

	BUILD_BUG_ON(offsetof(struct smile_statistics, static_counted) != IOCTL_STATISTICS_SIZE_V1);
	ret = ioctl_get_size(arg, IOCTL_STATISTICS_SIZE_V1, sizeof(statistics), &size);
	if (ret)
		return ret;
	ret = smile_gate_enter(card, &index);
	if (ret)
		return ret;
	/* Before the counters are read: a loss from here on is told again. */
	if (smile_cdev_owns(card, file))
		clear_bit(SMILE_FLAG_LOST, &card->flags);
	ret = smile_stream_statistics(card, &statistics);
	/* Who acknowledges EPOLLERR has to learn of the one that cannot be acknowledged. */
	if (!ret && smile_cdev_owns(card, file) && !smile_card_sane(card))
		ret = -EIO;
	smile_gate_leave(card, index);
	if (ret)
		return ret;
	size = min_t(u32, size, sizeof(statistics));
	statistics.size = size;
	return copy_to_user(arg, &statistics, size) ? -EFAULT : 0;
}

static int ioctl_configure(struct smile_card *card, struct file *file, void __user *arg)
{
	struct smile_config config;
	int index, ret;

	BUILD_BUG_ON(offsetof(struct smile_config, timer_us) != IOCTL_CONFIG_SIZE_V1);
	ret = ioctl_take(arg, IOCTL_CONFIG_SIZE_V1, &config, sizeof(config));
	if (ret)
		return ret;
	ret = smile_gate_enter(card, &index);
	if (ret)
		return ret;
	ret = smile_card_check(card, &config);
	if (!ret)
		ret = smile_cdev_claim(card, file);
	if (!ret) {
		ret = smile_stream_configure(card, &config);
		mutex_unlock(&card->control);
	}
	smile_gate_leave(card, index);
	return ret;
}

static int ioctl_static(struct smile_card *card, struct file *file, void __user *arg)
{
	struct smile_static tables;
	int index, ret;

	BUILD_BUG_ON(sizeof(tables) != IOCTL_STATIC_SIZE_V1);
	ret = ioctl_take(arg, IOCTL_STATIC_SIZE_V1, &tables, sizeof(tables));
	if (ret)
		return ret;
	ret = smile_gate_enter(card, &index);
	if (ret)
		return ret;
	ret = smile_static_check(card, &tables);
	if (!ret)
		ret = smile_cdev_claim(card, file);
	if (!ret) {
		ret = smile_stream_static(card, &tables);
		mutex_unlock(&card->control);
	}
	smile_gate_leave(card, index);
	return ret;
}

static int ioctl_static_info(struct smile_card *card, void __user *arg)
{
	struct smile_static tables;
	int index, ret;
	u32 size;

	ret = ioctl_get_size(arg, IOCTL_STATIC_SIZE_V1, sizeof(tables), &size);
	if (ret)
		return ret;
	ret = smile_gate_enter(card, &index);
	if (ret)
		return ret;
	if (mutex_lock_interruptible(&card->control)) {
		ret = -ERESTARTSYS;
	} else {
		smile_pmu_tables(card, &tables);
		mutex_unlock(&card->control);
	}
	smile_gate_leave(card, index);
	if (ret)
		return ret;
	size = min_t(u32, size, sizeof(tables));
	tables.size = size;
	return copy_to_user(arg, &tables, size) ? -EFAULT : 0;
}

static int ioctl_event(struct smile_card *card, struct file *file, void __user *arg)
{
	int index, ret;
	u32 event;

	if (get_user(event, (u32 __user *)arg))
		return -EFAULT;
	/* The two highest are the driver's own. */
	if (event >= SMILE_EVENT_RESET)
		return -EINVAL;
	ret = smile_gate_enter(card, &index);
	if (ret)
		return ret;
	ret = smile_cdev_claim(card, file);
	if (!ret) {
		ret = smile_stream_event(card, event);
		mutex_unlock(&card->control);
	}
	smile_gate_leave(card, index);
	return ret;
}

static int ioctl_command(struct smile_card *card, struct file *file,
			 int (*command)(struct smile_card *card))
{
	int index, ret;

	ret = smile_gate_enter(card, &index);
	if (ret)
		return ret;
	ret = smile_cdev_claim(card, file);
	if (!ret) {
		ret = command(card);
		mutex_unlock(&card->control);
	}
	smile_gate_leave(card, index);
	return ret;
}

/*
 * The structures tell their sizes by their first member, so that they can grow; the size that is
 * coded in the command does not count.
 */
#define IOCTL_UNSIZED(cmd) ((cmd) & ~IOCSIZE_MASK)

/* Each is within the gate while it uses the card, and outside while it copies. */
static long ioctl_dispatch(struct smile_card *card, struct file *file, unsigned int cmd,
			   void __user *arg)
{
	switch (cmd) {
	case SMILE_IOC_START:
		return ioctl_command(card, file, smile_stream_start);
	case SMILE_IOC_STOP:
		return ioctl_command(card, file, smile_stream_stop);
	case SMILE_IOC_SWAP:
		return ioctl_command(card, file, smile_stream_swap);
	case SMILE_IOC_EVENT:
		return ioctl_event(card, file, arg);
	}
	switch (IOCTL_UNSIZED(cmd)) {
	case IOCTL_UNSIZED(SMILE_IOC_INFO):
		return ioctl_info(card, file, arg);
	case IOCTL_UNSIZED(SMILE_IOC_CONFIGURE):
		return ioctl_configure(card, file, arg);
	case IOCTL_UNSIZED(SMILE_IOC_STATIC):
		return ioctl_static(card, file, arg);
	case IOCTL_UNSIZED(SMILE_IOC_STATIC_INFO):
		return ioctl_static_info(card, arg);
	case IOCTL_UNSIZED(SMILE_IOC_STATISTICS):
		return ioctl_statistics(card, file, arg);
	}
	return -ENOTTY;
}

/**
 * smile_ioctl() - The ioctls of the character device.
 * @file: open file
 * @cmd: SMILE_IOC_*
 * @arg: user address of its structure
 *
 * Return: 0, or -errno.
 */
long smile_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct smile_card *card = file->private_data;

	long ret;

	/* Before any other error. */
	if (!smile_card_alive(card))
		return -ENODEV;
	do {
		cond_resched();
		ret = ioctl_dispatch(card, file, cmd, (void __user *)arg);
		/* The bus failed in the middle: once more, after its reset. */
	} while (ret == -ENODEV && smile_card_alive(card) && !signal_pending(current));
	return ret;
}
