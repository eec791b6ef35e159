// SPDX-License-Identifier: GPL-2.0-only
/*
 * Attributes of the PCI device, one value each; described in docs/ABI/sysfs-bus-pci-smile_monitor.
 *
 * What lives here: their table. May use: the gate, the registers through card.c; changes
 * nothing.
 */
#include <linux/device.h>
#include <linux/sysfs.h>

#include "compat.h"
#include "smile_monitor.h"

static ssize_t node_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", READ_ONCE(card->config.node));
}
static DEVICE_ATTR_RO(node);

static ssize_t entries_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", READ_ONCE(card->config.entries));
}
static DEVICE_ATTR_RO(entries);

static ssize_t entries_max_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", card->entries_max);
}
static DEVICE_ATTR_RO(entries_max);

static ssize_t max_range_bytes_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", READ_ONCE(card->config.max_range_bytes));
}
static DEVICE_ATTR_RO(max_range_bytes);

static ssize_t static_counters_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", card->static_counters);
}
static DEVICE_ATTR_RO(static_counters);

static ssize_t running_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", READ_ONCE(card->running));
}
static DEVICE_ATTR_RO(running);

static ssize_t owned_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", !!READ_ONCE(card->owner));
}
static DEVICE_ATTR_RO(owned);

static ssize_t link_up_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);
	int index, ret;
	u32 status;

	ret = smile_gate_try(card, &index);
	if (ret)
		return ret;
	ret = smile_card_status(card, &status);
	smile_gate_leave(card, index);
	if (ret)
		return smile_card_alive(card) ? -EAGAIN : ret;
	return sysfs_emit(buf, "%u\n", SMILE_GET(SMILE_STATUS_LINK, status));
}
static DEVICE_ATTR_RO(link_up);

static ssize_t ring_records_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%u\n", card->ring.records);
}
static DEVICE_ATTR_RO(ring_records);

static ssize_t ring_mode_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%s\n", READ_ONCE(card->ring.host) ? "host" : "card");
}
static DEVICE_ATTR_RO(ring_mode);

static ssize_t host_ring_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", !!(card->features & SMILE_FEATURE_HOST_RING));
}
static DEVICE_ATTR_RO(host_ring);

static ssize_t timer_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", !!(card->features & SMILE_FEATURE_TIMER));
}
static DEVICE_ATTR_RO(timer);

static ssize_t records_drained_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%llu\n", READ_ONCE(card->ring.head));
}
static DEVICE_ATTR_RO(records_drained);

static ssize_t ring_full_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%llu\n", READ_ONCE(card->ring.full_count));
}
static DEVICE_ATTR_RO(ring_full);

static ssize_t interrupts_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct smile_card *card = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%lld\n", atomic64_read(&card->interrupts));
}
static DEVICE_ATTR_RO(interrupts);

static ssize_t count_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct dev_ext_attribute *count = container_of(attr, struct dev_ext_attribute, attr);
	struct smile_card *card = dev_get_drvdata(dev);
	int index, ret;
	u64 value;

	ret = smile_gate_try(card, &index);
	if (ret)
		return ret;
	value = smile_card_count(card, (uintptr_t)count->var);
	smile_gate_leave(card, index);
	/* Reading may have been what found the card gone, or its bus broken. */
	if (!smile_card_alive(card))
		return -ENODEV;
	if (smile_card_returns(card))
		return -EAGAIN;
	return sysfs_emit(buf, "%llu\n", value);
}

/* A counter of the card: the attribute's name, and the register it shows. */
#define COUNT_ATTR(_name, _reg)                                                                    \
	static struct dev_ext_attribute count_attr_##_name = {                                     \
		.attr = __ATTR(_name, 0444, count_show, NULL),                                     \
		.var = (void *)(uintptr_t)(_reg),                                                  \
	}

COUNT_ATTR(packets_seen, SMILE_REG_COUNT_SEEN);
COUNT_ATTR(packets_malformed, SMILE_REG_COUNT_MALFORMED);
COUNT_ATTR(packets_unmatched, SMILE_REG_COUNT_UNMATCHED);
COUNT_ATTR(packets_filtered, SMILE_REG_COUNT_FILTERED);
COUNT_ATTR(packets_event, SMILE_REG_COUNT_EVENT);
COUNT_ATTR(events_accepted, SMILE_REG_COUNT_ACCEPTED);
COUNT_ATTR(events_lost, SMILE_REG_COUNT_LOST);
COUNT_ATTR(events_delivered, SMILE_REG_COUNT_DELIVERED);
COUNT_ATTR(marks_lost, SMILE_REG_COUNT_MARKS_LOST);
COUNT_ATTR(extensions, SMILE_REG_COUNT_EXTENSIONS);
COUNT_ATTR(records_written, SMILE_REG_COUNT_RECORDS);
COUNT_ATTR(static_counted, SMILE_REG_COUNT_STATIC);
COUNT_ATTR(static_delivered, SMILE_REG_COUNT_STATIC_DELIVERED);

static struct attribute *smile_sysfs_attrs[] = {
	&dev_attr_node.attr,
	&dev_attr_entries.attr,
	&dev_attr_entries_max.attr,
	&dev_attr_max_range_bytes.attr,
	&dev_attr_static_counters.attr,
	&dev_attr_running.attr,
	&dev_attr_owned.attr,
	&dev_attr_link_up.attr,
	&dev_attr_ring_records.attr,
	&dev_attr_ring_mode.attr,
	&dev_attr_host_ring.attr,
	&dev_attr_timer.attr,
	&dev_attr_records_drained.attr,
	&dev_attr_ring_full.attr,
	&dev_attr_interrupts.attr,
	&count_attr_packets_seen.attr.attr,
	&count_attr_packets_malformed.attr.attr,
	&count_attr_packets_unmatched.attr.attr,
	&count_attr_packets_filtered.attr.attr,
	&count_attr_packets_event.attr.attr,
	&count_attr_events_accepted.attr.attr,
	&count_attr_events_lost.attr.attr,
	&count_attr_events_delivered.attr.attr,
	&count_attr_marks_lost.attr.attr,
	&count_attr_extensions.attr.attr,
	&count_attr_records_written.attr.attr,
	&count_attr_static_counted.attr.attr,
	&count_attr_static_delivered.attr.attr,
	NULL,
};

static const struct attribute_group smile_sysfs_group = {
	.attrs = smile_sysfs_attrs,
};

const struct attribute_group *smile_sysfs_groups[] = {&smile_sysfs_group, NULL};
