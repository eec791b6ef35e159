// SPDX-License-Identifier: MIT
/*
 * View transfers. See lib/analysis/view/view_transfers.h.
 */
#include "lib/analysis/view/view_transfers.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

static int count_add(const struct Monitor_count *count, void *opaque)
{
	struct view_transfers *transfers = opaque;
	size_t column = count->phase >> transfers->shift;
	size_t at = (column * transfers->nodes + count->source) * transfers->nodes + count->home;

	if (column >= transfers->columns || count->source >= transfers->nodes ||
	    count->home >= transfers->nodes)
		return 0;
	transfers->packets[at] += count->accesses;
	transfers->bytes[at] += count->accesses * Monitor_payload_bytes(count->type);
	return 0;
}

int view_transfers_load(struct view_transfers *transfers, const struct view_model *model)
{
	size_t nodes = model->rows.nodes, most = VIEW_TRANSFER_NUMBERS_MAX / (nodes * nodes), size;
	int phases = Monitor_phases(model->mon, NULL, 0);

	transfers->nodes = nodes;
	if (most > VIEW_TRANSFER_COLUMNS_MAX)
		most = VIEW_TRANSFER_COLUMNS_MAX;
	if (phases < 2 || most < 2)
		return 0;
	for (;; transfers->shift++) {
		transfers->columns =
			((size_t)phases + ((size_t)1 << transfers->shift) - 1) >> transfers->shift;
		if (transfers->columns <= most)
			break;
	}
	size = transfers->columns * nodes * nodes;
	transfers->packets = analysis_memory(size, sizeof(*transfers->packets));
	transfers->bytes = analysis_memory(size, sizeof(*transfers->bytes));
	if (!transfers->packets || !transfers->bytes)
		return -ENOMEM;
	return Monitor_walk_pairs(model->mon, count_add, transfers);
}

void view_transfers_free(struct view_transfers *transfers)
{
	free(transfers->packets);
	free(transfers->bytes);
}
