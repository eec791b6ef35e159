// SPDX-License-Identifier: MIT
/*
 * smile top: the node x node matrix, the "run-time transfer" window of the papers.
 *
 * What lives here: if there are more nodes than rows or columns, neighbouring nodes share one. A
 * bottleneck marks its cell even if the cell is shared.
 */
#include "tools/top/top.h"

#include <stdio.h>

#define CELL_COLUMNS 8U
#define LABEL_COLUMNS 9U

struct top_fold top_matrix_fold(size_t nodes, size_t rows, size_t columns)
{
	struct top_fold fold = {.nodes = 1};
	size_t most = columns > LABEL_COLUMNS ? (columns - LABEL_COLUMNS) / CELL_COLUMNS : 0;

	if (most > rows)
		most = rows;
	if (nodes < 2 || most < 2)
		return (struct top_fold){0};
	while ((nodes + fold.nodes - 1) / fold.nodes > most)
		fold.nodes *= 2;
	fold.groups = (nodes + fold.nodes - 1) / fold.nodes;
	return fold;
}

double top_matrix_limit(const uint64_t *counts, size_t nodes, double threshold, double *mean)
{
	double sum = 0;
	size_t used = 0;

	for (size_t i = 0; i < nodes * nodes; i++) {
		used += counts[i] != 0;
		sum += (double)counts[i];
	}
	*mean = used ? sum / (double)used : 0;
	return threshold * *mean;
}

static void label_set(char *text, size_t bytes, struct top_fold fold, size_t group, size_t nodes)
{
	size_t first = group * fold.nodes, last = first + fold.nodes - 1;

	if (last >= nodes)
		last = nodes - 1;
	if (first == last)
		snprintf(text, bytes, "%zu", first);
	else
		snprintf(text, bytes, "%zu-%zu", first, last);
}

/**
 * struct cell - What falls into a cell.
 * @sum: of its entries
 * @bottleneck: one of them is above the limit
 */
struct cell {
	double sum;
	int bottleneck;
};

static struct cell cell_sum(const uint64_t *counts, size_t nodes, struct top_fold fold, size_t from,
			    size_t to, double limit)
{
	struct cell cell = {0};

	for (size_t i = from * fold.nodes; i < (from + 1) * fold.nodes && i < nodes; i++) {
		for (size_t j = to * fold.nodes; j < (to + 1) * fold.nodes && j < nodes; j++) {
			cell.sum += (double)counts[i * nodes + j];
			cell.bottleneck |=
				counts[i * nodes + j] && (double)counts[i * nodes + j] > limit;
		}
	}
	return cell;
}

static void cell_draw(struct top_screen *screen, size_t row, size_t end, struct cell cell,
		      double scale)
{
	char text[TOP_COUNT_BYTES];

	if (cell.sum == 0) {
		top_put_right(screen, row, end - 1, TOP_FAINT, ".");
		return;
	}
	top_put_right(screen, row, end - 1, cell.bottleneck ? TOP_BAD : TOP_PLAIN,
		      top_count(text, cell.sum * scale));
	if (cell.bottleneck)
		top_put(screen, row, end - 1, TOP_BAD, "*");
}

static void title_draw(struct top_screen *screen, size_t row, const struct top_state *state,
		       int totals, double mean)
{
	char text[TOP_COUNT_BYTES];
	size_t at = top_put(screen, row, 0, TOP_STRONG, "Run-time transfer");

	at = top_put(screen, row, at, TOP_PLAIN,
		     totals ? ", accesses in total" : ", accesses/s now");
	top_print(screen, row, at, TOP_FAINT, "; * = more than %g x the mean of %s",
		  state->threshold, top_count(text, mean));
}

size_t top_matrix_draw(struct top_screen *screen, size_t row, const struct top_state *state,
		       const struct top_look *look, struct top_fold fold)
{
	const int totals = state->totals || look->first;
	const uint64_t *counts = totals ? look->transfers_total : look->transfers;
	const size_t nodes = look->transfers_nodes;
	double scale = totals || look->interval.seconds <= 0 ? 1 : 1 / look->interval.seconds;
	double mean = 0, limit;
	char text[48];

	if (!counts || !fold.groups)
		return 0;
	limit = top_matrix_limit(counts, nodes, state->threshold, &mean);
	title_draw(screen, row, state, totals, mean * scale);
	top_put(screen, row + 1, 0, TOP_HEAD, "from \\ to");
	for (size_t i = 0; i < fold.groups; i++) {
		label_set(text, sizeof(text), fold, i, nodes);
		top_put_right(screen, row + 1, LABEL_COLUMNS + (i + 1) * CELL_COLUMNS - 1, TOP_HEAD,
			      text);
		top_put_right(screen, row + 2 + i, LABEL_COLUMNS - 1, TOP_HEAD, text);
		for (size_t j = 0; j < fold.groups; j++)
			cell_draw(screen, row + 2 + i, LABEL_COLUMNS + (j + 1) * CELL_COLUMNS,
				  cell_sum(counts, nodes, fold, i, j, limit), scale);
	}
	return fold.groups + 2;
}
