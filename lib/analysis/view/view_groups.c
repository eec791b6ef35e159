// SPDX-License-Identifier: MIT
/*
 * View groups. See lib/analysis/view/view_groups.h.
 */
#include "lib/analysis/view/view_groups.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

/**
 * struct counting - Counts on their way into groups.
 */
struct counting {
	struct view_groups *groups;
	const struct view_model *model;
};

static int phase_add(const struct Monitor_count *count, void *opaque)
{
	const struct counting *counting = opaque;
	struct view_groups *groups = counting->groups;
	size_t page = view_page_find(counting->model, count->page, count->home);
	size_t column = count->phase >> groups->phase_shift;

	if (page != VIEW_NO_PAGE && column < groups->columns)
		groups->by_phase[(page >> groups->shift) * groups->columns + column] +=
			count->accesses;
	return 0;
}

static void nodes_count(struct view_groups *groups, const struct view_model *model)
{
	size_t nodes = model->rows.nodes;

	for (size_t i = 0; i < model->page_count; i++) {
		const struct view_page *page = &model->pages[i];

		for (size_t row = page->row; row < page->row + page->rows; row++)
			groups->by_node[(i >> groups->shift) * nodes +
					model->rows.rows[row].source] +=
				model->rows.rows[row].accesses;
	}
}

/* Of one column all accesses, those whose phase is unknown as well. */
static int phases_count(struct view_groups *groups, const struct view_model *model)
{
	struct counting counting = {.groups = groups, .model = model};
	int failed;

	if (groups->columns > 1) {
		failed = Monitor_walk_phases(model->mon, phase_add, &counting);
		view_locals_walk(model, phase_add, &counting);
		return failed;
	}
	for (size_t i = 0; i < model->page_count; i++)
		for (size_t row = 0; row < model->pages[i].rows; row++)
			groups->by_phase[i >> groups->shift] +=
				model->rows.rows[model->pages[i].row + row].accesses;
	return 0;
}

/* Groups of 2^@shift items, rounded up. */
static size_t groups_of(size_t items, unsigned int shift)
{
	return (items + ((size_t)1 << shift) - 1) >> shift;
}

int view_groups_load(struct view_groups *groups, const struct view_model *model)
{
	int phases = Monitor_phases(model->mon, NULL, 0);
	size_t columns = phases > 0 ? (size_t)phases : 1;

	while (groups_of(model->page_count, groups->shift) > VIEW_GROUPS_MAX)
		groups->shift++;
	groups->count = groups_of(model->page_count, groups->shift);
	while (groups_of(columns, groups->phase_shift) > VIEW_PHASE_COLUMNS_MAX)
		groups->phase_shift++;
	groups->columns = groups_of(columns, groups->phase_shift);
	groups->by_node =
		analysis_memory(groups->count * model->rows.nodes, sizeof(*groups->by_node));
	groups->by_phase =
		analysis_memory(groups->count * groups->columns, sizeof(*groups->by_phase));
	if (!groups->by_node || !groups->by_phase)
		return -ENOMEM;
	nodes_count(groups, model);
	return phases_count(groups, model);
}

void view_groups_free(struct view_groups *groups)
{
	free(groups->by_node);
	free(groups->by_phase);
}
