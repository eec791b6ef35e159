// SPDX-License-Identifier: MIT
/*
 * View: pack the transactions and bytes of each pair of nodes, in total and by phase.
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "lib/analysis/view/view_transfers.h"
#include "tools/common/tool.h"

/*
 * Pack a matrix with a sum for each pair of nodes. The sums are from @get, a function of the public
 * API.
 */
static json_t *matrix_json(const struct view_model *model,
			   int (*get)(struct Monitor *mon, uint64_t *sums, size_t nodes))
{
	size_t nodes = model->rows.nodes;
	uint64_t *sums = tool_memory(nodes * nodes, sizeof(*sums));
	json_t *text;

	get(model->mon, sums, nodes);
	text = view_packed_counts(sums, nodes * nodes);
	free(sums);
	return text;
}

json_t *view_transfers_json(const struct view_model *model)
{
	return matrix_json(model, Monitor_get_packets);
}

json_t *view_transfer_bytes_json(const struct view_model *model)
{
	return matrix_json(model, Monitor_get_bytes);
}

json_t *view_transfer_phases_json(const struct view_model *model)
{
	struct view_transfers transfers = {0};
	json_t *object = NULL;
	size_t size;

	view_need(view_transfers_load(&transfers, model));
	size = transfers.columns * transfers.nodes * transfers.nodes;
	if (!transfers.columns)
		object = json_null();
	else
		object = json_pack("{s:I, s:I, s:o, s:o}", "columns", (json_int_t)transfers.columns,
				   "phases_each", (json_int_t)1 << transfers.shift, "packets",
				   view_packed_counts(transfers.packets, size), "bytes",
				   view_packed_counts(transfers.bytes, size));
	view_transfers_free(&transfers);
	return object;
}
