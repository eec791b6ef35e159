/* SPDX-License-Identifier: MIT */
/*
 * Local accesses: see local_accesses.h.
 */
#include <stdlib.h>
#include <string.h>

#include <hw/smile_regs.h>
#include <base/array.h>

#include "lib/base/error.h"
#include "lib/map/local_accesses.h"
#include "lib/map/map.h"

/* ---- rows of one node ------------------------------------------------------------------------ */

/* Compare two rows of one node by page and phase. */
static int row_compare(const void *left, const void *right)
{
	const struct Monitor_local *a = left, *b = right;

	if (a->page != b->page)
		return a->page < b->page ? -1 : 1;
	return (a->phase > b->phase) - (a->phase < b->phase);
}

static void row_add(struct Monitor_local *row, const struct Monitor_local *more)
{
	row->reads += more->reads;
	row->writes += more->writes;
	row->locks += more->locks;
}

static void settle(struct locals_node *list)
{
	size_t to = 0;

	if (list->settled == list->count)
		return;
	qsort(list->rows, list->count, sizeof(*list->rows), row_compare);
	for (size_t i = 1; i < list->count; i++) {
		if (row_compare(&list->rows[to], &list->rows[i]))
			list->rows[++to] = list->rows[i];
		else
			row_add(&list->rows[to], &list->rows[i]);
	}
	list->settled = list->count = to + 1;
}

/*
 * Make room for a further row. Several unsorted rows can have the same page and phase. First merge
 * such rows. If this frees less than half of the memory, enlarge the memory too, because otherwise
 * the next merge would soon be needed.
 */
static int row_room(struct locals_node *list)
{
	if (list->count < list->size)
		return 0;
	settle(list);
	if (list->size && list->count <= list->size / 2)
		return 0;
	return array_reserve(&list->rows, &list->size, list->size, sizeof(*list->rows)) < 0
		       ? smile_map_no_memory()
		       : 0;
}

static int sum_add(uint64_t *sum, uint64_t count)
{
	*sum += count;
	return *sum >= count;
}

static int node_row_add(struct locals_node *list, const struct Monitor_local *row)
{
	uint64_t sum = list->sum;
	int order, error;

	if (!sum_add(&sum, row->reads) || !sum_add(&sum, row->writes) || !sum_add(&sum, row->locks))
		return smile_error(EINVAL,
				   "more than 2^64 accesses of node %u, with those to "
				   "page %llu",
				   row->node, (unsigned long long)row->page);
	error = row_room(list);
	if (error < 0)
		return error;
	list->sum = sum;
	order = list->count ? row_compare(&list->rows[list->count - 1], row) : -1;
	if (!order) {
		row_add(&list->rows[list->count - 1], row);
		return 0;
	}
	list->settled += list->settled == list->count && order < 0;
	list->rows[list->count++] = *row;
	return 0;
}

/* ---- nodes ----------------------------------------------------------------------------------- */

/*
 * Find a node in the list. Return: the index of the node; the number of nodes if the node is not in
 * the list.
 */
static size_t node_find(const struct locals *locals, uint32_t node)
{
	size_t i = 0;

	if (locals->last < locals->count && locals->nodes[locals->last].node == node)
		return locals->last;
	while (i < locals->count && locals->nodes[i].node != node)
		i++;
	return i;
}

/*
 * Find or add the list of a node. Return: the list; NULL after an error, with *@error set to
 * -EINVAL or -ENOMEM.
 */
static struct locals_node *node_get(struct locals *locals, uint32_t node, int *error)
{
	*error = 0;
	locals->last = node_find(locals, node);
	if (locals->last < locals->count)
		return &locals->nodes[locals->last];
	if (node & ~SMILE_NODE_ID)
		*error = smile_error(EINVAL, "node %u is out of range: use 0 to %u", node,
				     SMILE_NODE_ID);
	else if (array_reserve(&locals->nodes, &locals->size, locals->count,
			       sizeof(*locals->nodes)) < 0)
		*error = smile_map_no_memory();
	if (*error)
		return NULL;
	locals->nodes[locals->count] = (struct locals_node){.node = node};
	return &locals->nodes[locals->count++];
}

int smile_locals_add(struct locals *locals, const struct Monitor_local *row)
{
	struct locals_node *list;
	int error;

	if (row->page >= MAP_PAGES)
		return smile_error(EINVAL, "accesses to page %llu are invalid",
				   (unsigned long long)row->page);
	list = node_get(locals, row->node, &error);
	if (!list || !(row->reads | row->writes | row->locks))
		return error;
	return node_row_add(list, row);
}

int smile_locals_node_add(struct locals *locals, uint32_t node)
{
	struct locals_node *list;
	int error;

	list = node_get(locals, node, &error);
	if (list)
		list->known = 1;
	return error;
}

int smile_locals_known(const struct locals *locals, uint32_t node)
{
	size_t at = node_find(locals, node);

	return at < locals->count && locals->nodes[at].known;
}

int smile_locals_is_empty(const struct locals *locals)
{
	size_t known = 0;

	for (size_t i = 0; i < locals->count; i++)
		known += locals->nodes[i].known != 0;
	return !known;
}

void smile_locals_settle(struct locals *locals)
{
	for (size_t i = 0; i < locals->count; i++)
		settle(&locals->nodes[i]);
}

size_t smile_locals_count(const struct locals *locals)
{
	size_t count = 0;

	for (size_t i = 0; i < locals->count; i++)
		count += locals->nodes[i].count;
	return count;
}

void smile_locals_free(struct locals *locals)
{
	for (size_t i = 0; i < locals->count; i++)
		free(locals->nodes[i].rows);
	free(locals->nodes);
	*locals = (struct locals){0};
}

/* ---- all nodes together ---------------------------------------------------------------------- */

static int head_before(const struct locals_head *a, const struct locals_head *b)
{
	if (a->at->page != b->at->page)
		return a->at->page < b->at->page;
	return a->at->node < b->at->node;
}

/* Move head @at down to its position in the binary heap of heads. */
static void head_sink(struct locals_walk *walk, size_t at)
{
	struct locals_head moved = walk->heads[at];

	for (size_t child; (child = 2 * at + 1) < walk->count; at = child) {
		if (child + 1 < walk->count &&
		    head_before(&walk->heads[child + 1], &walk->heads[child]))
			child++;
		if (!head_before(&walk->heads[child], &moved))
			break;
		walk->heads[at] = walk->heads[child];
	}
	walk->heads[at] = moved;
}

int smile_locals_walk(const struct locals *locals, struct locals_walk *walk)
{
	*walk = (struct locals_walk){.heads = calloc(locals->count + 1, sizeof(*walk->heads))};
	if (!walk->heads)
		return smile_map_no_memory();
	for (size_t i = 0; i < locals->count; i++) {
		const struct locals_node *list = &locals->nodes[i];

		if (list->count)
			walk->heads[walk->count++] =
				(struct locals_head){list->rows, list->rows + list->count};
	}
	for (size_t i = walk->count / 2; i-- > 0;)
		head_sink(walk, i);
	return 0;
}

const struct Monitor_local *smile_locals_next(struct locals_walk *walk)
{
	const struct Monitor_local *row;

	if (!walk->count)
		return NULL;
	row = walk->heads[0].at++;
	if (walk->heads[0].at == walk->heads[0].end)
		walk->heads[0] = walk->heads[--walk->count];
	if (walk->count > 1)
		head_sink(walk, 0);
	return row;
}

void smile_locals_end(struct locals_walk *walk)
{
	free(walk->heads);
}

/* ---- several recordings ---------------------------------------------------------------------- */

int smile_locals_agree(const struct locals *a, const struct locals *b)
{
	for (size_t i = 0; i < a->count; i++) {
		const struct locals_node *one = &a->nodes[i], *other;
		size_t at = node_find(b, one->node);

		if (!one->known || at == b->count || !b->nodes[at].known)
			continue;
		other = &b->nodes[at];
		if (one->count != other->count ||
		    (one->count &&
		     memcmp(one->rows, other->rows, one->count * sizeof(*one->rows)) != 0))
			return 0;
	}
	return 1;
}

static int rows_copy(struct locals *sum, const struct locals_node *from)
{
	struct locals_node *to;
	int error;

	to = node_get(sum, from->node, &error);
	if (to && !to->count && from->count) {
		to->rows = malloc(from->count * sizeof(*to->rows));
		if (!to->rows)
			return smile_map_no_memory();
		memcpy(to->rows, from->rows, from->count * sizeof(*to->rows));
		to->count = to->size = to->settled = from->count;
		to->sum = from->sum;
	} else {
		for (size_t i = 0; i < from->count && !error; i++)
			error = node_row_add(to, &from->rows[i]);
	}
	return error;
}

int smile_locals_sum(struct locals *sum, const struct locals *into, const struct locals *from)
{
	size_t count = into->count + from->count;
	int error = 0;

	if (count && array_reserve(&sum->nodes, &sum->size, count - 1, sizeof(*sum->nodes)) < 0)
		return smile_map_no_memory();
	for (size_t i = 0; i < from->count && !error; i++) {
		const struct locals_node *list = &from->nodes[i];
		size_t at = node_find(into, list->node);

		if (at < into->count && into->nodes[at].known)
			continue;
		error = rows_copy(sum, list);
		/*
		 * If @into has only some of the node's accesses, add them to the accesses of @from.
		 */
		if (!error && at < into->count)
			error = rows_copy(sum, &into->nodes[at]);
		if (!error && list->known)
			error = smile_locals_node_add(sum, list->node);
	}
	smile_locals_settle(sum);
	return error;
}

void smile_locals_keep(struct locals *sum, struct locals *old)
{
	size_t kept = 0;

	if (!old->count)
		return;
	for (size_t i = 0; i < old->count; i++) {
		struct locals_node *list = &old->nodes[i];

		if (node_find(sum, list->node) < sum->count)
			free(list->rows);
		else
			old->nodes[kept++] = *list;
	}
	memmove(sum->nodes + kept, sum->nodes, sum->count * sizeof(*sum->nodes));
	memcpy(sum->nodes, old->nodes, kept * sizeof(*sum->nodes));
	sum->count += kept;
	old->count = 0;
}
