/* SPDX-License-Identifier: MIT */
/*
 * View groups: sums up the accesses to groups of neighbouring pages, for diagrams of the whole
 * address space.
 *
 * What lives here: the sums for each group of pages by node, and for each group of pages by group
 * of phases. May use view_model.h.
 */
#ifndef LIB_ANALYSIS_VIEW_VIEW_GROUPS_H
#define LIB_ANALYSIS_VIEW_VIEW_GROUPS_H

#include "lib/analysis/view/view_model.h"

/*
 * The largest numbers of groups and of columns. A column is a group of phases. Groups and columns
 * are made large enough not to exceed these numbers.
 */
#define VIEW_GROUPS_MAX 4096
#define VIEW_PHASE_COLUMNS_MAX 512

/**
 * struct view_groups - Accesses by group of pages.
 * @shift: a group is 2^@shift consecutive pages of the model
 * @count: number of groups
 * @phase_shift: a column is 2^@phase_shift phases
 * @columns: number of columns
 * @by_node: accesses by group and node; shape [@count][number of nodes of the model]
 * @by_phase: accesses by group and column; shape [@count][@columns]
 */
struct view_groups {
	unsigned int shift;
	size_t count;
	unsigned int phase_shift;
	size_t columns;
	uint64_t *by_node;
	uint64_t *by_phase;
};

/**
 * view_groups_load() - Compute the sums.
 * @groups: all 0
 *
 * Return: 0; -errno. Call view_groups_free() in either case.
 */
int view_groups_load(struct view_groups *groups, const struct view_model *model);

/**
 * view_groups_shape() - Set all members except the arrays.
 * @groups: all 0
 */
void view_groups_shape(struct view_groups *groups, const struct view_model *model);

/* Compute the sums of one group again. Return: 0; -errno. */
int view_groups_fill(struct view_groups *groups, const struct view_model *model, size_t group);

void view_groups_free(struct view_groups *groups);

#endif /* LIB_ANALYSIS_VIEW_VIEW_GROUPS_H */
