// SPDX-License-Identifier: MIT
/*
 * View: node by node, transactions and bytes, of all time and by phase.
 *
 * Source: "Memory access behavior analysis of NUMA-based shared memory programs" (2002), section
 * 4.1, "Run-time transfer".
 */
#include "tools/view/view.h"

#include <stdlib.h>

#include "tools/common/tool.h"

/* Phases distinguished, and numbers in all their matrices, at most. */
#define COLUMNS_MAX 64
#define NUMBERS_MAX 262144

static json_t *matrix_pack(const uint64_t *counts, size_t count)
{
	struct view_pack pack = {0};

	for (size_t i = 0; i < count; i++)
		view_pack_number(&pack, counts[i]);
	return view_packed(&pack);
}

/* A sum of each pair of nodes, as @get of the public API reports them. */
static json_t *matrix_json(const struct view_model *model,
			   int (*get)(struct Monitor *mon, uint64_t *sums, size_t nodes))
{
	size_t nodes = model->rows.nodes;
	uint64_t *sums = tool_memory(nodes * nodes, sizeof(*sums));
	json_t *text;

	get(model->mon, sums, nodes);
	text = matrix_pack(sums, nodes * nodes);
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

/*
 * ---- by phase ----------------------------------------------------------------------------------
 */

/**
 * struct phases - Matrices by group of phases.
 * @shift: a column is 2^@shift phases
 * @columns: how many
 * @packets: shape [@columns][@nodes][@nodes]
 * @bytes: the same shape
 */
struct phases {
	size_t nodes;
	unsigned int shift;
	size_t columns;
	uint64_t *packets;
	uint64_t *bytes;
};

static int phase_add(const struct Monitor_count *count, void *opaque)
{
	struct phases *phases = opaque;
	size_t column = count->phase >> phases->shift;
	size_t at = (column * phases->nodes + count->source) * phases->nodes + count->home;

	if (column >= phases->columns || count->source >= phases->nodes ||
	    count->home >= phases->nodes)
		return 0;
	phases->packets[at] += count->accesses;
	phases->bytes[at] += count->accesses * Monitor_payload_bytes(count->type);
	return 0;
}

json_t *view_transfer_phases_json(const struct view_model *model)
{
	struct phases phases = {.nodes = model->rows.nodes};
	int count = Monitor_phases(model->mon, NULL, 0);
	size_t most = NUMBERS_MAX / (phases.nodes * phases.nodes), size;
	json_t *object;

	if (most > COLUMNS_MAX)
		most = COLUMNS_MAX;
	if (count < 2 || most < 2)
		return json_null();
	while ((phases.columns = ((size_t)count + (1ULL << phases.shift) - 1) >> phases.shift) >
	       most)
		phases.shift++;
	size = phases.columns * phases.nodes * phases.nodes;
	phases.packets = tool_memory(size, sizeof(*phases.packets));
	phases.bytes = tool_memory(size, sizeof(*phases.bytes));
	Monitor_walk_phases(model->mon, phase_add, &phases);
	object = json_pack("{s:I, s:I, s:o, s:o}", "columns", (json_int_t)phases.columns,
			   "phases_each", (json_int_t)1 << phases.shift, "packets",
			   matrix_pack(phases.packets, size), "bytes",
			   matrix_pack(phases.bytes, size));
	free(phases.packets);
	free(phases.bytes);
	return object;
}
