// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes of the character device, one value each, and the counters in debugfs.
 * docs/ABI/sysfs-class-smile_monitor describes them.
 *
 * What lives here: the values for administrators. The code changes no state of the card. May use:
 * smile_card.gate, stream.c.
 */
#include <linux/debugfs.h>
#include <linux/device.h>
#include <linux/seq_file.h>
#include <linux/sysfs.h>

#include "smile_monitor.h"

static struct smile_card *sysfs_card(struct device *dev)
{
	return container_of(dev, struct smile_card, dev);
}

/* An attribute whose value is in memory. */
#define SYSFS_ATTR(_name, _format, _value)                                                         \
	static ssize_t _name##_show(struct device *dev, struct device_attribute *attr, char *buf)  \
	{                                                                                          \
		return sysfs_emit(buf, _format "\n", _value);                                      \
	}                                                                                          \
	static DEVICE_ATTR_RO(_name)

SYSFS_ATTR(node, "%u", READ_ONCE(sysfs_card(dev)->config.node));
SYSFS_ATTR(owned, "%d", !!READ_ONCE(sysfs_card(dev)->owner));
SYSFS_ATTR(running, "%d", READ_ONCE(sysfs_card(dev)->running));
SYSFS_ATTR(ring_records, "%u", sysfs_card(dev)->ring.records);
SYSFS_ATTR(ring_mode, "%s", READ_ONCE(sysfs_card(dev)->ring.host) ? "host" : "card");
SYSFS_ATTR(host_ring, "%d", !!(sysfs_card(dev)->features & SMILE_FEATURE_HOST_RING));

/* Read the card's statistics. The card may be asleep, frozen or removed. */
static int sysfs_statistics(struct smile_card *card, struct smile_statistics *statistics)
{
	int ret = smile_gate_enter(card, false);

	if (ret)
		return ret;
	ret = smile_stream_statistics(card, statistics);
	smile_gate_leave(card);
	return ret == -ENODEV && smile_card_alive(card) ? -EAGAIN : ret;
}

/*
 * An attribute whose value is in the statistics. Only root may read it, because the query wakes up
 * the card.
 */
#define SYSFS_STATISTIC(_name, _format, _value)                                                    \
	static ssize_t _name##_show(struct device *dev, struct device_attribute *attr, char *buf)  \
	{                                                                                          \
		struct smile_statistics s;                                                         \
		int ret = sysfs_statistics(sysfs_card(dev), &s);                                   \
		return ret ? ret : sysfs_emit(buf, _format "\n", _value);                          \
	}                                                                                          \
	static DEVICE_ATTR_ADMIN_RO(_name)

SYSFS_STATISTIC(link_up, "%d", !!(s.status & SMILE_INFO_LINK));
SYSFS_STATISTIC(events_lost, "%llu", s.events_lost);

static struct attribute *sysfs_attrs[] = {
	&dev_attr_node.attr,	     &dev_attr_owned.attr,	 &dev_attr_running.attr,
	&dev_attr_ring_records.attr, &dev_attr_ring_mode.attr,	 &dev_attr_host_ring.attr,
	&dev_attr_link_up.attr,	     &dev_attr_events_lost.attr, NULL,
};

static const struct attribute_group sysfs_group = {.attrs = sysfs_attrs};
const struct attribute_group *smile_sysfs_groups[] = {&sysfs_group, NULL};

/* ---- debugfs: all counters, a line each ---- */

static int counters_show(struct seq_file *file, void *unused)
{
	struct smile_card *card = file->private;
	struct smile_statistics s;
	int ret = sysfs_statistics(card, &s);
	unsigned int i;

	if (ret)
		return ret;
	for (i = 0; i < SMILE_COUNTS; i++)
		seq_printf(file, "%s %llu\n", smile_card_counts[i].name,
			   *(u64 *)((void *)&s + smile_card_counts[i].offset));
	seq_printf(file, "records_drained %llu\ninterrupts %llu\nring_full %llu\nresets %llu\n",
		   s.records_drained, s.interrupts, s.ring_full, s.resets);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counters);

/* Show a card's counters in debugfs, below @root. debugfs_remove(card->debugfs) undoes this. */
void smile_debugfs_add(struct smile_card *card, struct dentry *root)
{
	card->debugfs = debugfs_create_dir(dev_name(&card->dev), root);
	debugfs_create_file("counters", 0400, card->debugfs, card, &counters_fops);
}
