// SPDX-License-Identifier: GPL-2.0-only
/*
 * The character device's ioctls: structures from and to user space.
 *
 * What lives here: one table of all ioctls; sizes, copying, and which calls need the owner. May
 * use: the gate, what stream.c does, the checks of card.c and static.c.
 */
#include <linux/fs.h>
#include <linux/uaccess.h>

#include "compat.h"
#include "smile_monitor.h"

/* Sizes of the structures' first version: no caller can know a smaller one. */
#define IOCTL_CONFIG_SIZE_V1 offsetof(struct smile_config, timer_us)
#define IOCTL_INFO_SIZE_V1 (offsetof(struct smile_info, config) + IOCTL_CONFIG_SIZE_V1)
#define IOCTL_STATISTICS_SIZE_V1 offsetof(struct smile_statistics, static_counted)
#define IOCTL_STATIC_SIZE_V1 sizeof(struct smile_static)
#define IOCTL_TIME_SIZE_V1 sizeof(struct smile_time)

/* What the calls take or fill in. All but the event begin with their size. */
union ioctl_argument {
	u32 size;
	u32 event;
	struct smile_info info;
	struct smile_config config;
	struct smile_statistics statistics;
	struct smile_static tables;
	struct smile_time time;
};

/* ---- the calls, inside the gate; @owner: the open file owns the stream ---- */

static int ioctl_info(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	/* Before the state is read: a change from here on is reported again. */
	if (owner)
		clear_bit(SMILE_FLAG_LINK, &card->flags);
	return smile_stream_info(card, &argument->info);
}

static int ioctl_statistics(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	int ret;

	/* Before the counters are read: a loss from here on is reported again. */
	if (owner)
		clear_bit(SMILE_FLAG_LOST, &card->flags);
	ret = smile_stream_statistics(card, &argument->statistics);
	/* An owner that clears EPOLLERR must learn of the error that it cannot clear. */
	return !ret && owner && !smile_card_sane(card) ? -EIO : ret;
}

static int ioctl_time(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	return smile_card_time(card, &argument->time);
}

static int ioctl_static_info(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	argument->tables = card->tables;
	return 0;
}

static int ioctl_configure(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	int ret = smile_card_check(card, &argument->config);

	return ret ? ret : smile_stream_configure(card, &argument->config);
}

static int ioctl_static(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	int ret = smile_static_check(card, &argument->tables);

	return ret ? ret : smile_stream_static(card, &argument->tables);
}

static int ioctl_event(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	/* The two highest are the driver's own. */
	if (argument->event >= SMILE_EVENT_RESET)
		return -EINVAL;
	return smile_stream_event(card, argument->event);
}

static int ioctl_static_swap(struct smile_card *card, union ioctl_argument *argument, bool owner)
{
	return smile_stream_static_swap(card, argument->event);
}

#define IOCTL_PLAIN(_name)                                                                         \
	static int ioctl_##_name(struct smile_card *card, union ioctl_argument *argument,          \
				 bool owner)                                                       \
	{                                                                                          \
		return smile_stream_##_name(card);                                                 \
	}
IOCTL_PLAIN(start)
IOCTL_PLAIN(stop)
IOCTL_PLAIN(swap)

struct ioctl_kind {
	unsigned int cmd;
	u32 least; /* smallest size of a structure that begins with its size, or 0 */
	u32 known; /* its size as the driver knows it */
	bool shared; /* does not take smile_card.control: waits for no other call */
	int (*call)(struct smile_card *card, union ioctl_argument *argument, bool owner);
};

static const struct ioctl_kind ioctl_kinds[] = {
	{SMILE_IOC_INFO, IOCTL_INFO_SIZE_V1, sizeof(struct smile_info), false, ioctl_info},
	{SMILE_IOC_STATISTICS, IOCTL_STATISTICS_SIZE_V1, sizeof(struct smile_statistics), true,
	 ioctl_statistics},
	{SMILE_IOC_TIME, IOCTL_TIME_SIZE_V1, sizeof(struct smile_time), true, ioctl_time},
	{SMILE_IOC_STATIC_INFO, IOCTL_STATIC_SIZE_V1, sizeof(struct smile_static), false,
	 ioctl_static_info},
	{SMILE_IOC_CONFIGURE, IOCTL_CONFIG_SIZE_V1, sizeof(struct smile_config), false,
	 ioctl_configure},
	{SMILE_IOC_STATIC, IOCTL_STATIC_SIZE_V1, sizeof(struct smile_static), false, ioctl_static},
	{SMILE_IOC_EVENT, 0, sizeof(u32), false, ioctl_event},
	{SMILE_IOC_STATIC_SWAP, 0, sizeof(u32), false, ioctl_static_swap},
	{SMILE_IOC_START, 0, 0, false, ioctl_start},
	{SMILE_IOC_STOP, 0, 0, false, ioctl_stop},
	{SMILE_IOC_SWAP, 0, 0, false, ioctl_swap},
};

/* A structure's size is its first member, so that it can grow; the command's is ignored. */
#define IOCTL_UNSIZED(cmd) ((cmd) & ~IOCSIZE_MASK)

static const struct ioctl_kind *ioctl_find(unsigned int cmd)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ioctl_kinds); i++) {
		const struct ioctl_kind *kind = &ioctl_kinds[i];

		if (kind->least ? IOCTL_UNSIZED(cmd) == IOCTL_UNSIZED(kind->cmd) : cmd == kind->cmd)
			return kind;
	}
	return NULL;
}

/* Those that ask a question read and write their argument; all others change the card. */
static bool ioctl_asks(const struct ioctl_kind *kind)
{
	return _IOC_DIR(kind->cmd) == (_IOC_READ | _IOC_WRITE);
}

/* Copy the argument from user space. Of a question only its size counts: @size receives it. */
static int ioctl_take(const struct ioctl_kind *kind, void __user *user,
		      union ioctl_argument *argument, u32 *size)
{
	int ret;

	if (!kind->known)
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
		return copy_struct_from_user(argument, kind->known, user, *size);
	if (*size <= kind->known)
		return 0;
	ret = check_zeroed_user(user + kind->known, *size - kind->known);
	if (ret < 0)
		return ret;
	return ret ? 0 : -E2BIG;
}

/* Copy the answer to user space, as much as the caller knows of it. */
static int ioctl_give(const struct ioctl_kind *kind, void __user *user,
		      union ioctl_argument *argument, u32 size)
{
	if (!ioctl_asks(kind))
		return 0;
	size = min(size, kind->known);
	argument->size = size;
	/* What is there of it, so that it can be given back to CONFIGURE as it is. */
	if (kind->call == ioctl_info)
		argument->info.config.size = size - offsetof(struct smile_info, config);
	return copy_to_user(user, argument, size) ? -EFAULT : 0;
}

static int ioctl_call(const struct ioctl_kind *kind, struct smile_card *card,
		      union ioctl_argument *argument, bool owner)
{
	int ret;

	ret = smile_life_enter(card, true);
	if (ret)
		return ret;
	if (kind->shared) {
		ret = kind->call(card, argument, owner);
	} else if (mutex_lock_interruptible(&card->control)) {
		ret = -ERESTARTSYS;
	} else {
		ret = kind->call(card, argument, owner);
		mutex_unlock(&card->control);
	}
	smile_life_leave(card);
	return ret;
}

/* The ioctls of the character device. */
long smile_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	const struct ioctl_kind *kind = ioctl_find(cmd);
	struct smile_card *card = file->private_data;
	bool owner = file->f_mode & FMODE_WRITE;
	union ioctl_argument argument = {};
	u32 size = 0;
	int ret;

	BUILD_BUG_ON(IOCTL_INFO_SIZE_V1 != 72 || IOCTL_STATISTICS_SIZE_V1 != 128);
	BUILD_BUG_ON(IOCTL_STATIC_SIZE_V1 != 392 || IOCTL_TIME_SIZE_V1 != 32);

	/* Before any other error. */
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
		ret = ioctl_call(kind, card, &argument, owner);
		/* The card was frozen in the middle: once more, after its recovery. */
	} while (ret == -ENODEV && smile_card_alive(card));
	return ret ? ret : ioctl_give(kind, (void __user *)arg, &argument, size);
}
