// SPDX-License-Identifier: GPL-2.0-only
/*
 * What perf's numbers mean: the fields of an event's config, and the card's table words for them.
 *
 * What lives here: the one definition of the fields, as attributes for the tool perf and as masks;
 * what can be in them. May use: the register map's table words. Described in
 * docs/ABI/sysfs-bus-event_source-devices-smile_monitor.
 */
#include <linux/bitfield.h>
#include <linux/perf_event.h>

#include "compat.h"
#include "pmu.h"

/* config */
#define FORMAT_PAGE GENMASK_ULL(19, 0)
#define FORMAT_BOTTOM GENMASK_ULL(29, 20)
#define FORMAT_TOP GENMASK_ULL(39, 30)
#define FORMAT_TYPE GENMASK_ULL(42, 40)
#define FORMAT_READ BIT_ULL(40)
#define FORMAT_WRITE BIT_ULL(41)
#define FORMAT_LOCK BIT_ULL(42)
#define FORMAT_RESPONSE BIT_ULL(43)
#define FORMAT_EVENT GENMASK_ULL(48, 44)
#define FORMAT_CONFIG                                                                              \
	(FORMAT_PAGE | FORMAT_BOTTOM | FORMAT_TOP | FORMAT_TYPE | FORMAT_RESPONSE | FORMAT_EVENT)
/* config1 */
#define FORMAT_NODE GENMASK_ULL(15, 0)

PMU_FORMAT_ATTR(page, "config:0-19");
PMU_FORMAT_ATTR(bottom, "config:20-29");
PMU_FORMAT_ATTR(top, "config:30-39");
PMU_FORMAT_ATTR(type, "config:40-42");
/* Not "read": perf takes that for the raw event 0xead. */
PMU_FORMAT_ATTR(reads, "config:40");
PMU_FORMAT_ATTR(writes, "config:41");
PMU_FORMAT_ATTR(locks, "config:42");
PMU_FORMAT_ATTR(response, "config:43");
PMU_FORMAT_ATTR(event, "config:44-48");
PMU_FORMAT_ATTR(node, "config1:0-15");

static struct attribute *format_attrs[] = {
	&format_attr_page.attr,
	&format_attr_bottom.attr,
	&format_attr_top.attr,
	&format_attr_type.attr,
	&format_attr_reads.attr,
	&format_attr_writes.attr,
	&format_attr_locks.attr,
	&format_attr_response.attr,
	&format_attr_event.attr,
	&format_attr_node.attr,
	NULL,
};

const struct attribute_group smile_format_group = {
	.name = "format",
	.attrs = format_attrs,
};

/* A whole page; perf asks for what has a question mark. */
#define FORMAT_PAGE_TERMS "page=?,node=?,bottom=0,top=1023,"

/* Not the kernel's macro: it makes a name of its argument, and a minus of a name's dash. */
#define FORMAT_EVENT_ATTR(_var, _name, _terms)                                                     \
	static struct perf_pmu_events_attr _var = {                                                \
		.attr = {.attr = {.name = (_name), .mode = 0444}, .show = perf_event_sysfs_show},  \
		.event_str = (_terms),                                                             \
	}

FORMAT_EVENT_ATTR(format_page_reads, "page-reads", FORMAT_PAGE_TERMS "type=1");
FORMAT_EVENT_ATTR(format_page_writes, "page-writes", FORMAT_PAGE_TERMS "type=2");
FORMAT_EVENT_ATTR(format_page_locks, "page-locks", FORMAT_PAGE_TERMS "type=4");
FORMAT_EVENT_ATTR(format_page_accesses, "page-accesses", FORMAT_PAGE_TERMS "type=7");

static struct attribute *format_events_attrs[] = {
	&format_page_reads.attr.attr,
	&format_page_writes.attr.attr,
	&format_page_locks.attr.attr,
	&format_page_accesses.attr.attr,
	NULL,
};

const struct attribute_group smile_format_events_group = {
	.name = "events",
	.attrs = format_events_attrs,
};

/**
 * smile_format_check() - Can a card count this?
 * @attr: what user space asks perf for
 *
 * Return: 0, or -EINVAL.
 */
int smile_format_check(const struct perf_event_attr *attr)
{
	u32 event = FIELD_GET(FORMAT_EVENT, attr->config);

	if (attr->config & ~FORMAT_CONFIG || attr->config1 & ~FORMAT_NODE || attr->config2 ||
	    smile_compat_config3(attr))
		return -EINVAL;
	if (event) {
		/* A global event has neither place nor type. */
		if (event < SMILE_STATIC_GLOBAL || attr->config & ~FORMAT_EVENT || attr->config1)
			return -EINVAL;
		return 0;
	}
	if (!FIELD_GET(FORMAT_TYPE, attr->config))
		return -EINVAL;
	if (FIELD_GET(FORMAT_TOP, attr->config) < FIELD_GET(FORMAT_BOTTOM, attr->config))
		return -EINVAL;
	return 0;
}

/**
 * smile_format_watch() - The words for the card's tables.
 * @config: checked
 * @config1: checked
 * @i: static counter
 * @watch: receives them
 */
void smile_format_watch(u64 config, u64 config1, unsigned int i, struct smile_watch *watch)
{
	u32 event = FIELD_GET(FORMAT_EVENT, config);

	*watch = (struct smile_watch){
		.counter = SMILE_STATIC_COUNTER_COUNT_VALID |
			   SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, event ? event : i),
	};
	if (event)
		return;
	watch->page = SMILE_STATIC_PAGE_VALID | (u32)FIELD_GET(FORMAT_PAGE, config);
	watch->node = FIELD_GET(FORMAT_NODE, config1);
	watch->event = SMILE_STATIC_EVENT_VALID | SMILE_PUT(SMILE_STATIC_EVENT_PAGE, i) |
		       SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, (u32)FIELD_GET(FORMAT_BOTTOM, config)) |
		       SMILE_PUT(SMILE_STATIC_EVENT_TOP, (u32)FIELD_GET(FORMAT_TOP, config));
	if (config & FORMAT_READ)
		watch->event |= SMILE_STATIC_EVENT_READ;
	if (config & FORMAT_WRITE)
		watch->event |= SMILE_STATIC_EVENT_WRITE;
	if (config & FORMAT_LOCK)
		watch->event |= SMILE_STATIC_EVENT_LOCK;
	watch->event |=
		config & FORMAT_RESPONSE ? SMILE_STATIC_EVENT_RESPONSE : SMILE_STATIC_EVENT_REQUEST;
}
