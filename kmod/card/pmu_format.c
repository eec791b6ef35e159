// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fields of a perf event, docs/ABI/sysfs-bus-event_source-devices-smile_monitor.
 *
 * What lives here: the terms that perf finds in sysfs, the check of an event, and its words in the
 * static tables. May use: the registers.
 */
#include <linux/bitfield.h>
#include <linux/device.h>
#include <linux/perf_event.h>
#include <linux/string.h>
#include <linux/sysfs.h>

#include "pmu_format.h"

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
/* The term is not named "read", because perf parses "read" as the raw event 0xead. */
PMU_FORMAT_ATTR(reads, "config:40");
PMU_FORMAT_ATTR(writes, "config:41");
PMU_FORMAT_ATTR(locks, "config:42");
PMU_FORMAT_ATTR(response, "config:43");
PMU_FORMAT_ATTR(event, "config:44-48");
PMU_FORMAT_ATTR(node, "config1:0-15");

#define FORMAT(_name) (&format_attr_##_name.attr)
static struct attribute *format_attrs[] = {
	FORMAT(page),  FORMAT(bottom),	 FORMAT(top),	FORMAT(type), FORMAT(reads), FORMAT(writes),
	FORMAT(locks), FORMAT(response), FORMAT(event), FORMAT(node), NULL};
const struct attribute_group smile_pmu_format_group = {.name = "format", .attrs = format_attrs};

/* Terms for a whole page. perf requires values for the terms with a question mark. */
#define FORMAT_PAGE_TERMS "page=?,node=?,bottom=0,top=1023,"

/* Do not use the kernel's macro: it would use the name, which has a dash, as an identifier. */
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

const struct attribute_group smile_pmu_events_group = {.name = "events", .attrs = events_attrs};

int smile_pmu_format_check(const struct perf_event_attr *attr)
{
	u32 event = FIELD_GET(FORMAT_EVENT, attr->config);

	/* Later kernels have further config words, after the members of PERF_ATTR_SIZE_VER7. */
	if (attr->config & ~FORMAT_CONFIG || attr->config1 & ~FORMAT_NODE || attr->config2 ||
	    memchr_inv((const char *)attr + PERF_ATTR_SIZE_VER7, 0,
		       sizeof(*attr) - PERF_ATTR_SIZE_VER7))
		return -EINVAL;
	/* A global event has neither an address range nor a type. */
	if (event)
		return event < SMILE_STATIC_GLOBAL || attr->config & ~FORMAT_EVENT || attr->config1
			       ? -EINVAL
			       : 0;
	if (!FIELD_GET(FORMAT_TYPE, attr->config) ||
	    FIELD_GET(FORMAT_TOP, attr->config) < FIELD_GET(FORMAT_BOTTOM, attr->config))
		return -EINVAL;
	return 0;
}

void smile_pmu_format_words(struct smile_static *tables, unsigned int i,
			    const struct perf_event_attr *attr)
{
	u32 id = FIELD_GET(FORMAT_EVENT, attr->config);

	tables->counter[i] =
		SMILE_STATIC_COUNTER_COUNT_VALID | FIELD_PREP(SMILE_STATIC_COUNTER_COUNT, id ?: i);
	tables->node[i] = FIELD_GET(FORMAT_NODE, attr->config1);
	tables->page[i] = 0;
	tables->event[i] = 0;
	if (id)
		return;
	tables->page[i] = SMILE_STATIC_PAGE_VALID | (u32)FIELD_GET(FORMAT_PAGE, attr->config);
	/*
	 * The field of the event table and the field of perf's event have one bit for each type, in
	 * the same order.
	 */
	tables->event[i] =
		SMILE_STATIC_EVENT_VALID | FIELD_PREP(SMILE_STATIC_EVENT_PAGE, i) |
		FIELD_PREP(SMILE_STATIC_EVENT_BOTTOM, (u32)FIELD_GET(FORMAT_BOTTOM, attr->config)) |
		FIELD_PREP(SMILE_STATIC_EVENT_TOP, (u32)FIELD_GET(FORMAT_TOP, attr->config)) |
		(u32)FIELD_GET(FORMAT_TYPE, attr->config) * SMILE_STATIC_EVENT_READ |
		(attr->config & FORMAT_RESPONSE ? SMILE_STATIC_EVENT_RESPONSE
						: SMILE_STATIC_EVENT_REQUEST);
}
