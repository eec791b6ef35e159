// SPDX-License-Identifier: GPL-2.0-only
/*
 * Report failed accesses: in the kernel's log, as events of the sessions, and in the sysfs
 * attribute "failed".
 *
 * What lives here: the reports, and the limit of their rate. A failed load returns all ones, and a
 * failed store is dropped. The processor gets no error in either case, so the driver reports the
 * failures. Each failure sets INT_STATUS.ERROR, and a program can cause a failure with each access.
 * After each interrupt, ERROR is therefore disabled for some time, in which failures are only
 * counted. May use: session.c.
 */
#include <linux/device.h>
#include <linux/sysfs.h>

#include "smile_adapter.h"

#define FAILED_REST (HZ / 10)

static const char *failed_reason(u32 reason)
{
	switch (reason) {
	case ADAPTER_ERROR_NODE:
		return "it does not answer";
	case ADAPTER_ERROR_EXPORT:
		return "it does not export the page";
	case ADAPTER_ERROR_TIMEOUT:
		return "the link was held back for too long";
	case ADAPTER_ERROR_UNMAPPED:
		return "the mapping's connection has ended";
	case ADAPTER_ERROR_DISABLED:
		return "this adapter is connected to no fabric";
	case ADAPTER_ERROR_RANGE:
		return "beyond the end of its memory";
	default:
		return "for an unknown reason";
	}
}

static bool failed_connected(struct adapter_session *session, u32 node)
{
	struct adapter_connection *connection;

	list_for_each_entry(connection, &session->adapter->connections, object.list) {
		if (connection->object.session == session && connection->node == node)
			return true;
	}
	return false;
}

static void failed_report(struct adapter *adapter, u32 node, u32 count, u32 reason)
{
	struct adapter_session *session;

	dev_warn_ratelimited(
		&adapter->dev,
		"failed accesses to node %u: %u, %s; loads gave ones, stores are lost\n", node,
		count, failed_reason(reason));
	list_for_each_entry(session, &adapter->sessions, list) {
		if (reason == ADAPTER_ERROR_UNMAPPED ? session->severed
						     : failed_connected(session, node))
			adapter_event_failed(session, node, count, reason);
	}
}

/* Find the nodes to which accesses have failed since the last call. */
static void failed_look(struct adapter *adapter)
{
	struct adapter_failures *failures = &adapter->failures;
	u32 node, errors, count;

	for (node = 0; node < ADAPTER_NODES; node++) {
		errors = adapter_read(adapter, ADAPTER_REG_ERRORS + node * ADAPTER_STRIDE_ERRORS);
		if (errors == ADAPTER_ABSENT)
			return;
		count = errors - failures->errors[node] - failures->messages[node];
		failures->errors[node] = errors;
		failures->messages[node] = 0;
		if (count)
			failed_report(adapter, node, count,
				      adapter_read(adapter, ADAPTER_REG_ERROR +
								    node * ADAPTER_STRIDE_ERROR));
	}
}

void adapter_failures_interrupt(struct adapter *adapter)
{
	failed_look(adapter);
	WRITE_ONCE(adapter->int_enable, adapter->int_enable & ~ADAPTER_INT_ERROR);
	schedule_delayed_work(&adapter->failures.rest, FAILED_REST);
}

/*
 * Enable the interrupt again. If an access has failed in the meantime, the interrupt is raised
 * immediately.
 */
static void failed_rested(struct work_struct *work)
{
	struct adapter *adapter =
		container_of(to_delayed_work(work), struct adapter, failures.rest);

	guard(mutex)(&adapter->lock);
	WRITE_ONCE(adapter->int_enable, adapter->int_enable | ADAPTER_INT_ERROR);
	adapter_write(adapter, ADAPTER_REG_INT_ENABLE, adapter->int_enable);
}

void adapter_failures_message(struct adapter *adapter, u32 node)
{
	adapter->failures.messages[node % ADAPTER_NODES]++;
	adapter->failures.message_count++;
}

u64 adapter_failures_count(struct adapter *adapter)
{
	struct adapter_failures *failures = &adapter->failures;
	u32 low = adapter_read(adapter, ADAPTER_REG_COUNT_FAILED);
	u32 high = adapter_read(adapter, ADAPTER_REG_COUNT_FAILED + 4);

	/* If the adapter is gone or does not answer, keep the last count. */
	if (low != ADAPTER_ABSENT || high != ADAPTER_ABSENT)
		failures->count =
			failures->before + (low | (u64)high << 32) - failures->message_count;
	return failures->count;
}

void adapter_failures_reset(struct adapter *adapter)
{
	struct adapter_failures *failures = &adapter->failures;

	failures->before = adapter_failures_count(adapter);
	failures->message_count = 0;
	memset(failures->errors, 0, sizeof(failures->errors));
	memset(failures->messages, 0, sizeof(failures->messages));
}

void adapter_failures_init(struct adapter *adapter)
{
	INIT_DELAYED_WORK(&adapter->failures.rest, failed_rested);
}

void adapter_failures_stop(struct adapter *adapter)
{
	cancel_delayed_work_sync(&adapter->failures.rest);
}

/* ---- sysfs; see docs/ABI/sysfs-class-smile_adapter ---- */

static ssize_t failed_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct adapter *adapter = container_of(dev, struct adapter, dev);

	guard(mutex)(&adapter->lock);
	return sysfs_emit(buf, "%llu\n", adapter_failures_count(adapter));
}
static DEVICE_ATTR_RO(failed);

static struct attribute *failed_attrs[] = {&dev_attr_failed.attr, NULL};
static const struct attribute_group failed_group = {.attrs = failed_attrs};
const struct attribute_group *adapter_groups[] = {&failed_group, NULL};
