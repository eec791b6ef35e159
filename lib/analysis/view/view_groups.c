// SPDX-License-Identifier: MIT
/*
 * View groups. See lib/analysis/view/view_groups.h.
 */
#include "lib/analysis/view/view_groups.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/view/view_kept.h"

/**
 * struct counting - State while counts are added to groups.
 * @groups: the groups
 * @model: the model of the groups
 * @group: group of the current page; NO_GROUP: the group must be searched
 */
struct counting {
	struct view_groups *groups;
	const struct view_model *model;
	size_t group;
};

#define NO_GROUP SIZE_MAX

static int phase_add(const struct Monitor_count *count, void *opaque)
{
	const struct counting *counting = opaque;
	struct view_groups *groups = counting->groups;
	size_t column = count->phase >> groups->phase_shift, group = counting->group;

	if (group == NO_GROUP) {
		size_t page = view_page_find(counting->model, count->page, count->home);

		group = page == VIEW_NO_PAGE ? NO_GROUP : page >> groups->shift;
	}
	if (group != NO_GROUP && column < groups->columns)
		groups->by_phase[group * groups->columns + column] += count->accesses;
	return 0;
}

int view_groups_fill(struct view_groups *groups, const struct view_model *model, size_t group)
{
	struct counting counting = {.groups = groups, .model = model, .group = group};
	size_t nodes = model->rows.nodes, end = (group + 1) << groups->shift;
	uint64_t *by_node = groups->by_node + group * nodes;
	uint64_t *by_phase = groups->by_phase + group * groups->columns;
	int failed = 0;

	memset(by_node, 0, nodes * sizeof(*by_node));
	memset(by_phase, 0, groups->columns * sizeof(*by_phase));
	if (end > model->page_count)
		end = model->page_count;
	for (size_t i = group << groups->shift; i < end && !failed; i++) {
		const struct view_page *page = &model->pages[i];

		for (size_t row = page->row; row < page->row + page->rows; row++) {
			by_node[model->rows.rows[row].source] += model->rows.rows[row].accesses;
			/*
			 * If there is only one column, it has all accesses, including accesses
			 * whose phase is not known.
			 */
			if (groups->columns == 1)
				*by_phase += model->rows.rows[row].accesses;
		}
		if (groups->columns > 1)
			failed = Monitor_walk_page_phases(model->mon, page->number, page->home,
							  phase_add, &counting);
	}
	return failed;
}

/* Get the number of groups of 2^@shift items, rounded up. */
static size_t groups_of(size_t items, unsigned int shift)
{
	return (items + ((size_t)1 << shift) - 1) >> shift;
}

void view_groups_shape(struct view_groups *groups, const struct view_model *model)
{
	int phases = Monitor_phases(model->mon, NULL, 0);
	size_t columns = phases > 0 ? (size_t)phases : 1;

	while (groups_of(model->page_count, groups->shift) > VIEW_GROUPS_MAX)
		groups->shift++;
	groups->count = groups_of(model->page_count, groups->shift);
	while (groups_of(columns, groups->phase_shift) > VIEW_PHASE_COLUMNS_MAX)
		groups->phase_shift++;
	groups->columns = groups_of(columns, groups->phase_shift);
}

int view_groups_load(struct view_groups *groups, const struct view_model *model)
{
	struct counting counting = {.groups = groups, .model = model, .group = NO_GROUP};
	const struct view_groups *kept = model->kept ? &model->kept->all.groups : NULL;
	const int summed = kept && kept->by_node;
	size_t nodes = model->rows.nodes;
	int failed = 0;

	view_groups_shape(groups, model);
	groups->by_node = analysis_memory(groups->count * nodes, sizeof(*groups->by_node));
	groups->by_phase =
		analysis_memory(groups->count * groups->columns, sizeof(*groups->by_phase));
	if (!groups->by_node || !groups->by_phase)
		return -ENOMEM;
	if (summed) {
		memcpy(groups->by_node, kept->by_node,
		       groups->count * nodes * sizeof(*groups->by_node));
		memcpy(groups->by_phase, kept->by_phase,
		       groups->count * groups->columns * sizeof(*groups->by_phase));
		return 0;
	}
	for (size_t group = 0; group < groups->count && !failed; group++)
		failed = view_groups_fill(groups, model, group);
	if (groups->columns > 1)
		view_locals_walk(model, phase_add, &counting);
	return failed;
}

void view_groups_free(struct view_groups *groups)
{
	free(groups->by_node);
	free(groups->by_phase);
}
