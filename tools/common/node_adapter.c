// SPDX-License-Identifier: MIT
/*
 * Node adapter. See tools/common/node_adapter.h. The files that the adapter's driver publishes are
 * described in docs/ABI/sysfs-class-smile_adapter and docs/ABI/debugfs-smile_adapter.
 */
#include "tools/common/node_adapter.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <smile/monitor.h>

#include "tools/common/tool.h"

#define FAILED "/sys/class/smile_adapter/smile_adapter0/failed"
#define ANOTHER "/sys/class/smile_adapter/smile_adapter1"
#define SEGMENTS "/sys/kernel/debug/smile_adapter0/segments"

/*
 * A node has 4 GB on the B-Link, and the last 64 KB receive messages: docs/adapter.md, section 4.
 */
#define NODE_BYTES (1ULL << 32)
#define MESSAGES_BYTES 65536ULL

static int failed_read(uint64_t *failed)
{
	FILE *file = access(ANOTHER, F_OK) ? fopen(FAILED, "re") : NULL;
	int there = file && fscanf(file, "%" SCNu64, failed) == 1;

	if (file)
		fclose(file);
	return there;
}

void node_adapter_begin(struct node_adapter *adapter)
{
	adapter->there = failed_read(&adapter->failed);
}

static int name_add(struct Monitor *mon, uint64_t start, uint64_t bytes, const char *name)
{
	const struct Monitor_region region = {
		.start = start,
		.end = start + bytes,
		.kind = MONITOR_REGION_SEGMENT,
		.name = name,
	};

	return Monitor_region_add(mon, &region) < 0 ? -1 : 0;
}

static int segments_add(struct Monitor *mon, FILE *file)
{
	uint32_t node, id, page, pages;
	uint64_t dropped;
	char name[64];

	while (fscanf(file, "%" SCNu32 " %" SCNu32 " %" SCNu32 " %" SCNu32, &node, &id, &page,
		      &pages) == 4) {
		snprintf(name, sizeof(name), "segment %" PRIu32 " of node %" PRIu32, id, node);
		if (name_add(mon, node * NODE_BYTES + page * (uint64_t)SMILE_PAGE_BYTES,
			     pages * (uint64_t)SMILE_PAGE_BYTES, name) < 0)
			return -1;
	}
	if (fscanf(file, " dropped %" SCNu64, &dropped) == 1)
		tool_message("the recording has no names of %" PRIu64
			     " segments: the driver does not keep that many",
			     dropped);
	return 0;
}

static int messages_add(struct Monitor *mon)
{
	int nodes = Monitor_nodes(mon), node;
	char name[64];

	for (node = 0; node < nodes; node++) {
		snprintf(name, sizeof(name), "messages to node %d", node);
		if (name_add(mon, ((uint64_t)node + 1) * NODE_BYTES - MESSAGES_BYTES,
			     MESSAGES_BYTES, name) < 0)
			return -1;
	}
	return 0;
}

static int names_add(struct Monitor *mon)
{
	FILE *file = fopen(SEGMENTS, "re");
	int result;

	if (!file)
		return 0;
	result = segments_add(mon, file);
	fclose(file);
	return result ? result : messages_add(mon);
}

int node_adapter_end(const struct node_adapter *adapter, struct Monitor *mon)
{
	struct Monitor_failed failed = {.node = 0};
	struct smile_info info;

	if (!adapter->there || !failed_read(&failed.accesses))
		return 0;
	if (Monitor_info(mon, &info) < 0)
		return -1;
	failed.node = info.config.node;
	failed.accesses -= adapter->failed;
	if (failed.accesses)
		tool_message("%" PRIu64
			     " accesses of this node to nodes' memory have failed: loads "
			     "returned ones, stores changed nothing",
			     failed.accesses);
	if (Monitor_failed_add(mon, &failed) < 0)
		return -1;
	return names_add(mon);
}
