// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fields of a perf event's config; docs/ABI/sysfs-bus-event_source-devices-smile_monitor.
 *
 * What lives here: their one definition, as attributes for the tool perf and as masks, and the
 * words of the card's tables for them. May use: the register map's table words.
 */
#include <linux/bitfield.h>
#include <linux/perf_event.h>

#include "compat.h"
#include "smile_monitor.h"

/* config */
#define FORMAT_PAGE GENMASK_ULL(19, 0)
#define FORMAT_BOTTOM GENMASK_ULL(29, 20)
#define FORMAT_TOP GENMASK_ULL(39, 30)
#define FORMAT_TYPE GENMASK_ULL(42, 40)
#define FORMAT_RESPONSE BIT_ULL(43)
#define FORMAT_EVENT GENMASK_ULL(48, 44)
#define FORMAT_CONFIG GENMASK_ULL(48, 0)
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

static struct attribute *format_attrs[] = {&format_attr_page.attr,
					   &format_attr_bottom.attr,
					   &format_attr_top.attr,
					   &format_attr_type.attr,
					   &format_attr_reads.attr,
					   &format_attr_writes.attr,
					   &format_attr_locks.attr,
					   &format_attr_response.attr,
					   &format_attr_event.attr,
					   &format_attr_node.attr,
					   NULL};

const struct attribute_group smile_format_group = {.name = "format", .attrs = format_attrs};

/* A whole page; perf asks for the values with a question mark. */
#define FORMAT_PAGE_TERMS "page=?,node=?,bottom=0,top=1023,"

/* The kernel's macro would make an identifier of the name, which has a dash. */
#define FORMAT_EVENT_ATTR(_var, _name, _terms)                                                     \
	static struct perf_pmu_events_attr _var = {                                                \
		.attr = {.attr = {.name = (_name), .mode = 0444}, .show = perf_event_sysfs_show},  \
		.event_str = FORMAT_PAGE_TERMS _terms,                                             \
	}

FORMAT_EVENT_ATTR(format_page_reads, "page-reads", "type=1");
FORMAT_EVENT_ATTR(format_page_writes, "page-writes", "type=2");
FORMAT_EVENT_ATTR(format_page_locks, "page-locks", "type=4");
FORMAT_EVENT_ATTR(format_page_accesses, "page-accesses", "type=7");

static struct attribute *events_attrs[] = {
	&format_page_reads.attr.attr, &format_page_writes.attr.attr, &format_page_locks.attr.attr,
	&format_page_accesses.attr.attr, NULL};

const struct attribute_group smile_format_events = {.name = "events", .attrs = events_attrs};

/* Return: 0 if a card can count this, or -EINVAL. */
int smile_format_check(const struct perf_event_attr *attr)
{
	u32 event = FIELD_GET(FORMAT_EVENT, attr->config);

	if (attr->config & ~FORMAT_CONFIG || attr->config1 & ~FORMAT_NODE || attr->config2 ||
	    smile_compat_config3(attr))
		return -EINVAL;
	/* A global event has neither place nor type. */
	if (event)
		return event < SMILE_STATIC_GLOBAL || attr->config & ~FORMAT_EVENT || attr->config1
			       ? -EINVAL
			       : 0;
	if (!FIELD_GET(FORMAT_TYPE, attr->config) ||
	    FIELD_GET(FORMAT_TOP, attr->config) < FIELD_GET(FORMAT_BOTTOM, attr->config))
		return -EINVAL;
	return 0;
}

/* The words that have counter @i count this. It has entry i of each table to itself. */
void smile_format_words(struct smile_static *tables, unsigned int i,
			const struct perf_event_attr *attr)
{
	u32 id = FIELD_GET(FORMAT_EVENT, attr->config);

	tables->counter[i] =
		SMILE_STATIC_COUNTER_COUNT_VALID | SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, id ?: i);
	tables->node[i] = FIELD_GET(FORMAT_NODE, attr->config1);
	tables->page[i] = 0;
	tables->event[i] = 0;
	if (id)
		return;
	tables->page[i] = SMILE_STATIC_PAGE_VALID | (u32)FIELD_GET(FORMAT_PAGE, attr->config);
	/* The types are one bit each, in the same order. */
	tables->event[i] =
		SMILE_STATIC_EVENT_VALID | SMILE_PUT(SMILE_STATIC_EVENT_PAGE, i) |
		SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, (u32)FIELD_GET(FORMAT_BOTTOM, attr->config)) |
		SMILE_PUT(SMILE_STATIC_EVENT_TOP, (u32)FIELD_GET(FORMAT_TOP, attr->config)) |
		(u32)FIELD_GET(FORMAT_TYPE, attr->config) * SMILE_STATIC_EVENT_READ |
		(attr->config & FORMAT_RESPONSE ? SMILE_STATIC_EVENT_RESPONSE
						: SMILE_STATIC_EVENT_REQUEST);
}
