// SPDX-License-Identifier: MIT
/*
 * smile top: draw the matrix of transfers from node to node. The papers call it the "run-time
 * transfer" window.
 *
 * What lives here: the layout and the contents of the matrix. If there are more nodes than rows or
 * columns, neighbouring nodes share a row or column. A cell is marked if any of its entries is a
 * bottleneck.
 */
#include "tools/top/top.h"

#include <stdio.h>

#define CELL_COLUMNS 8U
#define BAND_COLUMNS 15U /* for example "[12128-12565]" */
#define LABEL_COLUMNS 9U

struct top_fold top_matrix_fold(size_t nodes, bool sampled, size_t rows, size_t columns)
{
	struct top_fold fold = {.nodes = 1,
				.lines = sampled ? 2 : 1,
				.width = sampled ? BAND_COLUMNS : CELL_COLUMNS};
	size_t most = columns > LABEL_COLUMNS ? (columns - LABEL_COLUMNS) / fold.width : 0;

	if (most > rows / fold.lines)
		most = rows / fold.lines;
	if (nodes < 2 || most < 2)
		return (struct top_fold){0};
	while ((nodes + fold.nodes - 1) / fold.nodes > most)
		fold.nodes *= 2;
	fold.groups = (nodes + fold.nodes - 1) / fold.nodes;
	return fold;
}

/*
 * Check whether an entry of the matrix counts as a transfer. For samples, a node's accesses to its
 * own memory do not count.
 */
static bool is_transfer(const struct top_limit *limit, const uint64_t *counts, size_t nodes,
			size_t index)
{
	return counts[index] && !(limit->sampled && index / nodes == index % nodes);
}

struct top_limit top_matrix_limit(const uint64_t *counts, size_t nodes, bool sampled,
				  double threshold)
{
	struct top_limit limit = {.sampled = sampled};
	double sum = 0;
	size_t used = 0;

	for (size_t i = 0; i < nodes * nodes; i++) {
		if (!is_transfer(&limit, counts, nodes, i))
			continue;
		used++;
		sum += (double)counts[i];
	}
	limit.mean = used ? sum / (double)used : 0;
	limit.least = threshold * limit.mean;
	return limit;
}

bool top_matrix_exceeds(const struct top_limit *limit, const uint64_t *counts, size_t nodes,
			size_t index)
{
	double least = limit->sampled ? sampled_count(counts[index]).low : (double)counts[index];

	return is_transfer(limit, counts, nodes, index) && least > limit->least;
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
 * struct cell - The sum of the matrix entries that share a cell.
 * @sum: sum of the entries
 * @bottleneck: at least one entry is above the limit
 */
struct cell {
	uint64_t sum;
	bool bottleneck;
};

static struct cell cell_sum(const uint64_t *counts, size_t nodes, struct top_fold fold, size_t from,
			    size_t to, const struct top_limit *limit)
{
	struct cell cell = {0};

	for (size_t i = from * fold.nodes; i < (from + 1) * fold.nodes && i < nodes; i++) {
		for (size_t j = to * fold.nodes; j < (to + 1) * fold.nodes && j < nodes; j++) {
			cell.sum += counts[i * nodes + j];
			cell.bottleneck |= top_matrix_exceeds(limit, counts, nodes, i * nodes + j);
		}
	}
	return cell;
}

static void cell_draw(struct top_screen *screen, size_t row, size_t end, struct cell cell,
		      double scale, bool sampled)
{
	char text[TOP_BAND_BYTES];

	if (!cell.sum) {
		top_put_right(screen, row, end - 1, TOP_FAINT, ".");
		return;
	}
	top_put_right(screen, row, end - 1, cell.bottleneck ? TOP_BAD : TOP_PLAIN,
		      top_count(text, (double)cell.sum * scale));
	if (cell.bottleneck)
		top_put(screen, row, end - 1, TOP_BAD, "*");
	if (sampled)
		top_put_right(screen, row + 1, end - 1, TOP_FAINT, top_band(text, cell.sum));
}

/*
 * Draw the title for samples. Samples have no rates. The mean of estimates is not shown, because it
 * has no confidence interval.
 */
static void title_sampled(struct top_screen *screen, size_t row, double threshold)
{
	char text[TOP_BAND_BYTES];
	size_t at = top_put(screen, row, 0, TOP_STRONG, "Run-time transfer");

	at = top_put(screen, row, at, TOP_PLAIN, ", samples");
	top_print(screen, row, at, TOP_FAINT, "; * = all of its band above %g x the mean; . = 0 %s",
		  threshold, top_band(text, 0));
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
		       const struct top_snapshot *snapshot, struct top_fold fold)
{
	const int totals = state->totals || snapshot->first;
	const uint64_t *counts = totals ? snapshot->transfers_total : snapshot->transfers;
	const size_t nodes = snapshot->transfers_nodes;
	double scale =
		totals || snapshot->interval.seconds <= 0 ? 1 : 1 / snapshot->interval.seconds;
	const bool sampled = snapshot->sampled;
	struct top_limit limit;
	char text[48];

	if (!counts || !fold.groups)
		return 0;
	limit = top_matrix_limit(counts, nodes, sampled, state->threshold);
	if (sampled)
		title_sampled(screen, row, state->threshold);
	else
		title_draw(screen, row, state, totals, limit.mean * scale);
	top_put(screen, row + 1, 0, TOP_HEAD, "from \\ to");
	for (size_t i = 0; i < fold.groups; i++) {
		const size_t line = row + 2 + i * fold.lines;

		label_set(text, sizeof(text), fold, i, nodes);
		top_put_right(screen, row + 1, LABEL_COLUMNS + (i + 1) * fold.width - 1, TOP_HEAD,
			      text);
		top_put_right(screen, line, LABEL_COLUMNS - 1, TOP_HEAD, text);
		for (size_t j = 0; j < fold.groups; j++)
			cell_draw(screen, line, LABEL_COLUMNS + (j + 1) * fold.width,
				  cell_sum(counts, nodes, fold, i, j, &limit), scale, sampled);
	}
	return fold.groups * fold.lines + 2;
}
