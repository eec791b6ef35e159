// SPDX-License-Identifier: MIT
/*
 * Load. See lib/analysis/advise/load.h.
 */
#include "lib/analysis/advise/load.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>
#include <base/hash_table.h>
#include <base/search.h>

#include "lib/analysis/memory.h"

/* ---- cells --------------------------------------------------------------------------------- */

/**
 * struct row_entry - An entry of the hash table of rows.
 * @key: row_key() of the row
 * @row: index of the row
 */
struct row_entry {
	uint64_t key;
	size_t row;
};

/**
 * struct gathering - State while cells are collected.
 * @advise: the advice
 * @load: receives the cells
 * @capacity: number of cells for which @load has memory
 * @table: hash table of the rows, of struct row_entry
 * @row: row of the last cell. A search tries this row first, because successive counts often have
 *       the same page
 * @failed: 0; -ENOMEM
 */
struct gathering {
	const struct Monitor_advise *advise;
	struct load *load;
	size_t capacity;
	struct hash_table table;
	size_t row;
	int failed;
};

static int row_is(const struct Monitor_advice *row, uint64_t page, uint32_t home)
{
	return row->page == page && row->home == home;
}

/*
 * The library's table of pages uses the same keys. A walk over the library's counts therefore
 * visits the entries of this table in the order of their addresses.
 */
static uint64_t row_key(uint64_t page, uint32_t home)
{
	return (page << 16 | (home & 0xffff)) + 1;
}

static int rows_enter(struct gathering *gathering)
{
	const struct Monitor_advise *advise = gathering->advise;

	if (hash_table_reserve(&gathering->table, advise->count, sizeof(struct row_entry)) < 0)
		return Monitor_error_set(ENOMEM, "no memory for %zu pages", advise->count);
	for (size_t row = 0; row < advise->count; row++) {
		uint64_t key = row_key(advise->rows[row].page, advise->rows[row].home);
		struct row_entry *entry =
			hash_table_put(&gathering->table, key, sizeof(struct row_entry));

		entry->row = row;
	}
	return 0;
}

/*
 * Find the row of a page. Return: the index of the row; the number of rows if the page has no row.
 */
static size_t row_find(const struct gathering *gathering, uint64_t page, uint32_t home)
{
	const struct row_entry *entry =
		hash_table_find(&gathering->table, row_key(page, home), sizeof(struct row_entry));

	return entry && row_is(&gathering->advise->rows[entry->row], page, home)
		       ? entry->row
		       : gathering->advise->count;
}

/* Get the home in the first row of a page; UINT32_MAX if the page has no row. */
static uint32_t row_home(const struct Monitor_advise *advise, uint64_t page)
{
	size_t at;

	SEARCH_FIRST(at, advise->count, i, advise->rows[i].page >= page);
	return at < advise->count && advise->rows[at].page == page ? advise->rows[at].home
								   : UINT32_MAX;
}

static struct load_cell *cell_new(struct gathering *gathering)
{
	struct load *load = gathering->load;

	if (array_reserve(&load->cells, &gathering->capacity, load->cell_count,
			  sizeof(*load->cells)) < 0) {
		gathering->failed =
			Monitor_error_set(ENOMEM, "no memory for %zu counts", load->cell_count + 1);
		return NULL;
	}
	return &load->cells[load->cell_count++];
}

static double weight_of(const struct Monitor_weights *weights, uint32_t type)
{
	switch (type) {
	case SMILE_TYPE_WRITE:
		return (double)weights->write;
	case SMILE_TYPE_LOCK:
		return (double)weights->lock;
	default:
		/* An access with an untyped tag costs as much as a read. */
		return (double)weights->read;
	}
}

/*
 * Get the fraction of a node's reads from other nodes' memory that its cache did not serve; 1 if
 * the node has no cache. If a page moves from the node to another node, the same fraction applies
 * to the node's reads from the page. Caches that serve the node's own memory too do not matter
 * here, because they serve the same accesses wherever the pages are.
 */
static double missed(const struct Monitor_advise *advise, uint32_t node)
{
	const struct run_facts_nodes *nodes = &advise->run.by_node;
	double hits = node < nodes->count ? (double)nodes->at[node].cache_hits : 0;
	double reads = node < nodes->count ? (double)nodes->at[node].remote_reads : 0;

	return hits > 0 && reads > 0 && !advise->run.caches.at ? reads / (reads + hits) : 1;
}

/* Get the fraction of accesses that would be transactions if the page were on another node. */
static double remote_share(const struct Monitor_advise *advise, const struct Monitor_count *count)
{
	if (count->home != count->source || count->type != SMILE_TYPE_READ)
		return 1;
	return missed(advise, count->source);
}

/*
 * Get the cycles of an access if the page is on another node. @share: the result of remote_share()
 */
static double remote_cost(const struct Monitor_advise *advise, const struct Monitor_count *count,
			  double share)
{
	const struct Monitor_weights *weights = &advise->machine.weights;

	return share * weight_of(weights, count->type) + (1 - share) * (double)weights->local;
}

static int count_add(const struct Monitor_count *count, void *opaque)
{
	struct gathering *gathering = opaque;
	const struct Monitor_advise *advise = gathering->advise;
	const struct Monitor_weights *weights = &advise->machine.weights;
	struct load *load = gathering->load;
	/* No processor waits for a write that a cache sends later (write-back). */
	int posted = count->type == SMILE_TYPE_WRITE && weights->write == 0;
	struct load_cell *cell;
	double share;

	if (count->phase >= load->parts ||
	    !gathering->advise->phases[load->phase_of[count->phase]] ||
	    count->source >= load->nodes)
		return 0;
	if (!row_is(&advise->rows[gathering->row], count->page, count->home))
		gathering->row = row_find(gathering, count->page, count->home);
	if (gathering->row == advise->count) {
		gathering->row = 0;
		return 0;
	}
	cell = cell_new(gathering);
	if (!cell)
		return 1;
	share = remote_share(advise, count);
	*cell = (struct load_cell){
		.row = (uint32_t)gathering->row,
		.source = count->source,
		.part = count->phase,
		.remote = (double)count->accesses * remote_cost(advise, count, share),
		.local = posted ? 0 : (double)count->accesses * (double)weights->local,
	};
	if (count->type < SMILE_TYPE_COUNT)
		cell->sent[count->type] = (float)((double)count->accesses * share);
	load->accesses[count->phase * load->nodes + count->source] += (double)count->accesses;
	return 0;
}

/* Add the reads, writes and locks in a row of local accesses, or of accesses in an interval. */
static void types_add(struct gathering *gathering, struct Monitor_count one, uint64_t reads,
		      uint64_t writes, uint64_t locks)
{
	const uint64_t counts[SMILE_TYPE_COUNT] = {
		[SMILE_TYPE_READ] = reads, [SMILE_TYPE_WRITE] = writes, [SMILE_TYPE_LOCK] = locks};

	for (one.type = 0; one.type < SMILE_TYPE_COUNT; one.type++) {
		one.accesses = counts[one.type];
		if (one.accesses)
			count_add(&one, gathering);
	}
}

/*
 * Add each node's accesses to its own memory in the same way as accesses that a card has counted.
 */
static int locals_add(struct gathering *gathering)
{
	struct Monitor_local *locals;
	int count;

	ANALYSIS_LIST(locals, count, Monitor_locals, gathering->advise->mon);
	for (int i = 0; i < count && !gathering->failed; i++) {
		/* Use the last phase if the phase is unknown, as Monitor_cycles() does. */
		uint32_t phase = locals[i].phase == MONITOR_PHASE_UNKNOWN
					 ? (uint32_t)gathering->load->parts - 1
					 : locals[i].phase;

		types_add(gathering,
			  (struct Monitor_count){.page = locals[i].page,
						 .home = locals[i].node,
						 .source = locals[i].node,
						 .phase = phase},
			  locals[i].reads, locals[i].writes, locals[i].locks);
	}
	free(locals);
	return count < 0 ? count : gathering->failed;
}

/* Compare cells of the same row. */
static int by_part(const void *left, const void *right)
{
	const struct load_cell *a = left, *b = right;

	if (a->part != b->part)
		return a->part < b->part ? -1 : 1;
	return (a->source > b->source) - (a->source < b->source);
}

/* Sort the cells by row, and set @load->first to the index of each row's first cell. */
static int cells_sort(struct load *load, size_t rows)
{
	struct load_cell *sorted = analysis_memory(load->cell_count, sizeof(*sorted));

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < load->cell_count; i++)
		load->first[load->cells[i].row + 1]++;
	for (size_t row = 0; row < rows; row++)
		load->first[row + 1] += load->first[row];
	for (size_t i = 0; i < load->cell_count; i++)
		sorted[load->first[load->cells[i].row]++] = load->cells[i];
	/* Each element now has the value that the next element must have. */
	memmove(load->first + 1, load->first, rows * sizeof(*load->first));
	load->first[0] = 0;
	free(load->cells);
	load->cells = sorted;
	return 0;
}

/*
 * Sum up the cells with the same part and the same source among the @count cells of a row. Return:
 * the number of cells that remain.
 */
static size_t row_merge(struct load_cell *cells, size_t count)
{
	size_t at = 1, to = 0;

	while (at < count && by_part(&cells[at - 1], &cells[at]) <= 0)
		at++;
	if (at < count)
		qsort(cells, count, sizeof(*cells), by_part);
	for (size_t i = 1; i < count; i++) {
		if (by_part(&cells[to], &cells[i])) {
			cells[++to] = cells[i];
			continue;
		}
		cells[to].remote += cells[i].remote;
		cells[to].local += cells[i].local;
		for (size_t type = 0; type < SMILE_TYPE_COUNT; type++)
			cells[to].sent[type] += cells[i].sent[type];
	}
	return count ? to + 1 : 0;
}

/* Merge cells so that there is only one cell for each combination of row, part and source. */
static int cells_merge(struct load *load, size_t rows)
{
	size_t to = 0, first = 0;
	int failed = cells_sort(load, rows);

	for (size_t row = 0; !failed && row < rows; row++) {
		size_t end = load->first[row + 1];
		size_t left = row_merge(load->cells + first, end - first);

		memmove(load->cells + to, load->cells + first, left * sizeof(*load->cells));
		load->first[row] = to;
		to += left;
		first = end;
	}
	if (failed)
		return failed;
	load->first[rows] = load->cell_count = to;
	return 0;
}

/* Add the accesses by phase: the accesses that cards counted, and local accesses. */
static int phase_cells(struct gathering *gathering)
{
	int failed = Monitor_walk_phases(gathering->advise->mon, count_add, gathering);

	if (gathering->failed || failed < 0)
		return gathering->failed ? gathering->failed : failed;
	return locals_add(gathering);
}

/*
 * Add the accesses of each interval. Skip pages without a row, because they have no accesses in the
 * considered phases.
 */
static int interval_cells(struct gathering *gathering)
{
	struct Monitor_interval *all;
	int count;

	ANALYSIS_LIST(all, count, Monitor_intervals, gathering->advise->mon);
	for (int i = 0; i < count && !gathering->failed; i++)
		types_add(gathering,
			  (struct Monitor_count){
				  .page = all[i].page,
				  .home = row_home(gathering->advise, all[i].page),
				  .source = all[i].node,
				  .phase = all[i].interval,
			  },
			  all[i].reads, all[i].writes, all[i].locks);
	free(all);
	return count < 0 ? count : gathering->failed;
}

static int cells_load(const struct Monitor_advise *advise, struct load *load, int intervals)
{
	struct gathering gathering = {.advise = advise, .load = load};
	int failed = rows_enter(&gathering);

	if (!failed)
		failed = intervals ? interval_cells(&gathering) : phase_cells(&gathering);
	hash_table_free(&gathering.table);
	return failed < 0 ? failed : cells_merge(load, advise->count);
}

/* ---- cycles -------------------------------------------------------------------------------- */

static void cycles_sum(const struct Monitor_advise *advise, const struct load *load, int advised,
		       double *cycles)
{
	for (size_t i = 0; i < load->parts * load->nodes; i++)
		cycles[i] = 0;
	for (size_t i = 0; i < load->cell_count; i++) {
		const struct load_cell *cell = &load->cells[i];
		const struct Monitor_advice *row = &advise->rows[cell->row];

		cycles[cell->part * load->nodes + cell->source] +=
			load_cost(load, cell, advised ? row->node : row->home);
	}
}

/*
 * If the run has a network, add the time for which accesses wait in the network to @cycles. @waits:
 * receives this time.
 */
static void waits_add(const struct Monitor_advise *advise, const struct load *load, int advised,
		      double *cycles, double *waits)
{
	if (!load->network)
		return;
	for (size_t row = 0; row < advise->count; row++)
		load->homes[row] = advised ? advise->rows[row].node : advise->rows[row].home;
	for (size_t p = 0; p < load->parts; p++) {
		size_t at = p * load->nodes;

		load_wait(load, p, load->homes, cycles + at, waits + at);
		for (size_t n = 0; n < load->nodes; n++)
			cycles[at + n] += waits[at + n];
	}
}

void load_advised(const struct Monitor_advise *advise, struct load *load)
{
	cycles_sum(advise, load, 1, load->then);
	waits_add(advise, load, 1, load->then, load->then_waits);
}

/*
 * If the machine has pair costs, so that homes are not equally far from a node, compute the cost of
 * a page on its present home and on its advised node.
 */
static void row_cost(struct Monitor_advice *advice, const struct load *load, size_t row)
{
	double now = 0, then = 0;

	for (size_t i = load->first[row]; i < load->first[row + 1]; i++) {
		now += load_cost(load, &load->cells[i], advice->home);
		then += load_cost(load, &load->cells[i], advice->node);
	}
	advice->cycles = (uint64_t)llround(now);
	advice->advised_cycles = (uint64_t)llround(then);
}

void load_settle(struct Monitor_advise *advise, const struct load *load)
{

	for (size_t row = 0; row < advise->count; row++) {
		struct Monitor_advice *advice = &advise->rows[row];
		double all = 0, own = 0, gain = 0;

		for (size_t i = load->first[row]; i < load->first[row + 1]; i++) {
			const struct load_cell *cell = &load->cells[i];

			all += cell->remote;
			if (cell->source == advice->node) {
				own += cell->remote;
				gain += cell->remote - cell->local;
			}
			if (cell->source == advice->home)
				gain -= cell->remote - cell->local;
		}
		/*
		 * If the machine has pair costs, a page can cost more on the node that is best for
		 * the run time than on its present home.
		 */
		if (load->far)
			row_cost(advice, load, row);
		else
			advice->advised_cycles = (uint64_t)((double)advice->cycles - gain);
		advice->share = all > 0 ? own / all : 1;
	}
}

/* ---- time ---------------------------------------------------------------------------------- */

/* Load the lengths of the phases. */
static int lengths_load(const struct Monitor_advise *advise, struct load *load)
{
	struct Monitor_phase *phases = analysis_memory(load->parts, sizeof(*phases));
	double per_ns = (double)advise->machine.frequency_hz / 1e9;
	double start = 0, all = (double)advise->cycles;
	int count;

	if (!phases)
		return -ENOMEM;
	count = Monitor_phases(advise->mon, phases, load->parts);
	for (size_t p = 0; p < load->parts; p++) {
		double end = all;

		if (count > 0 && p < (size_t)count && !phases[p].open)
			end = round((double)phases[p].end_ns * per_ns);
		if (end > all)
			end = all;
		load->length[p] = end > start ? end - start : 0;
		start = end > start ? end : start;
	}
	free(phases);
	return count < 0 ? count : 0;
}

/*
 * Load the recorded work. It includes the accesses that caches served, because their cost does not
 * depend on the homes. Return: 1; 0 if no work was recorded.
 */
static int work_recorded(const struct Monitor_advise *advise, struct load *load)
{
	const struct run_facts *run = &advise->run;

	if (!run->work_by_phase.count)
		return 0;
	for (size_t p = 0; p < load->parts; p++)
		for (size_t n = 0; n < load->nodes; n++)
			load->work[p * load->nodes + n] = run_facts_in(&run->work_by_phase, p, n) +
							  run_facts_in(&run->cache_by_phase, p, n);
	return 1;
}

/*
 * Estimate the work. The estimate makes two assumptions. The node whose accesses took longest did
 * not wait. The other nodes did the same amount of work per access as this node.
 */
static void work_estimate(const struct Monitor_advise *advise, struct load *load, size_t phase)
{
	const double *now = load->now + phase * load->nodes;
	const double *accesses = load->accesses + phase * load->nodes;
	double *work = load->work + phase * load->nodes;
	double length = load->length[phase], each = 0;
	size_t busiest = 0;

	for (size_t n = 1; n < load->nodes; n++)
		if (now[n] / (double)advise->threads[n] >
		    now[busiest] / (double)advise->threads[busiest])
			busiest = n;
	if (accesses[busiest] > 0)
		each = (length * (double)advise->threads[busiest] - now[busiest]) /
		       accesses[busiest];
	for (size_t n = 0; n < load->nodes; n++) {
		double room = length * (double)advise->threads[n] - now[n];

		work[n] = (each > 0 ? each : 0) * accesses[n];
		if (work[n] > room)
			work[n] = room > 0 ? room : 0;
	}
}

static double busiest(const struct load *load, const double *cycles, size_t part, double waits)
{
	double most = 0;

	for (size_t n = 0; n < load->nodes; n++) {
		size_t at = part * load->nodes + n;
		double busy = load->work[at] + cycles[at] + waits * load->waits[at];

		if (busy / load->threads[at] > most)
			most = busy / load->threads[at];
	}
	return most;
}

double load_busiest(const struct load *load, const double *cycles, size_t part)
{
	return busiest(load, cycles, part, 0);
}

/* Get the cycles of the busiest node, including its waits for locks. */
static double occupied(const struct load *load, const double *cycles, size_t part)
{
	return busiest(load, cycles, part, 1);
}

double load_time(const struct load *load, const double *cycles)
{
	double all = 0;

	for (size_t p = 0; p < load->parts; p++)
		all += load_busiest(load, cycles, p);
	return all;
}

double load_slept(const struct load *load, size_t part)
{
	double idle = load->length[part] - occupied(load, load->now, part), most = 0;

	for (size_t n = 0; n < load->nodes; n++)
		most = fmax(most, load->pauses[part * load->nodes + n]);
	return fmax(fmin(most, idle), 0);
}

double load_length_then(const struct load *load, size_t part)
{
	double now = occupied(load, load->now, part), slept = load_slept(load, part);

	return now > 0 ? slept + (load->length[part] - slept) * occupied(load, load->then, part) /
					 now
		       : load->length[part];
}

/* ---- parts ----------------------------------------------------------------------------------- */

/*
 * Get the number of intervals; 0 if the intervals are not known for all nodes, or if pages have
 * moved.
 */
static size_t intervals_of(const struct Monitor_advise *advise)
{
	if (!advise->cycles || advise->run.migration)
		return 0;
	for (size_t n = 0; n < advise->nodes; n++)
		if (!Monitor_interval_known(advise->mon, (unsigned int)n))
			return 0;
	return advise->run.intervals.count;
}

/* Load the lengths, the work and the threads of the intervals. */
static int intervals_load(const struct Monitor_advise *advise, struct load *load)
{
	for (size_t p = 0; p < load->parts; p++) {
		const struct run_facts_interval *interval = &advise->run.intervals.at[p];

		if (interval->phase >= advise->phase_count)
			return Monitor_error_set(EINVAL,
						 "interval %zu belongs to a phase that the "
						 "recordings do not have",
						 p);
		load->phase_of[p] = (uint32_t)interval->phase;
		load->length[p] = (double)interval->cycles;
		load->handed[p] = !interval->not_handed_out;
		for (size_t n = 0; n < load->nodes; n++) {
			size_t at = p * load->nodes + n;

			load->work[at] = run_facts_at(&interval->work_cycles, n);
			load->waits[at] = run_facts_at(&interval->lock_wait_cycles, n);
			load->pauses[at] = run_facts_at(&interval->time_wait_cycles, n);
			load->threads[at] = fmax(run_facts_at(&interval->threads, n), 1);
		}
	}
	return 0;
}

static int phases_load(const struct Monitor_advise *advise, struct load *load)
{
	for (size_t p = 0; p < load->parts; p++) {
		load->phase_of[p] = (uint32_t)p;
		load->handed[p] = 1;
		for (size_t n = 0; n < load->nodes; n++)
			load->threads[p * load->nodes + n] = (double)advise->threads[n];
	}
	return lengths_load(advise, load);
}

/* ---- pair costs ------------------------------------------------------------------------------ */

/* If the recorded machine has pair costs, load them. Return: 0; -ENOMEM. */
static int far_load(const struct Monitor_advise *advise, struct load *load)
{
	const struct Monitor_weights *weights = &advise->machine.weights;
	const struct run_facts_rows *rows = &advise->run.read_cycles;
	size_t nodes = load->nodes;

	if (!advise->machine_recorded || !rows->count || !weights->read)
		return 0;
	load->far = analysis_memory(nodes * nodes, sizeof(*load->far));
	if (!load->far)
		return -ENOMEM;
	for (size_t n = 0; n < nodes; n++)
		for (size_t home = 0; home < nodes; home++) {
			double mean = (double)(n == home ? weights->local : weights->read);
			double read = run_facts_in(rows, n, home);

			load->far[n * nodes + home] = read > 0 ? read / mean : 1;
		}
	return 0;
}

/* ---- network --------------------------------------------------------------------------------- */

/* Fill in load->by_part, the indices of the cells in the order of their parts. */
static void parts_index(struct load *load)
{
	for (size_t i = 0; i < load->cell_count; i++)
		load->part_first[load->cells[i].part + 1]++;
	for (size_t p = 0; p < load->parts; p++)
		load->part_first[p + 1] += load->part_first[p];
	for (size_t i = 0; i < load->cell_count; i++)
		load->by_part[load->part_first[load->cells[i].part]++] = i;
	for (size_t p = load->parts; p > 0; p--)
		load->part_first[p] = load->part_first[p - 1];
	load->part_first[0] = 0;
}

/*
 * Load the network. If the machine is not the recorded machine, no time is predicted, so the waits
 * in the network are not needed.
 */
static int network_load(const struct Monitor_advise *advise, struct load *load)
{
	int failed = advise->machine_recorded && advise->cycles
			     ? advise_network_new(&advise->run, advise->nodes,
						  advise->machine.frequency_hz, &load->network)
			     : 0;

	if (failed || !load->network)
		return failed;
	load->homes = analysis_memory(advise->count, sizeof(*load->homes));
	load->by_part = analysis_memory(load->cell_count, sizeof(*load->by_part));
	load->part_first = analysis_memory(load->parts + 1, sizeof(*load->part_first));
	load->busy = analysis_memory(load->nodes, sizeof(*load->busy));
	if (!load->homes || !load->by_part || !load->part_first || !load->busy)
		return -ENOMEM;
	parts_index(load);
	return 0;
}

/* ---- all ------------------------------------------------------------------------------------- */

static int load_allocate(const struct Monitor_advise *advise, struct load *load, size_t parts)
{
	size_t nodes = advise->nodes, size = nodes * parts;

	*load = (struct load){
		.nodes = nodes,
		.parts = parts,
		.phase_of = analysis_memory(parts, sizeof(uint32_t)),
		.now = analysis_memory(size, sizeof(double)),
		.then = analysis_memory(size, sizeof(double)),
		.now_waits = analysis_memory(size, sizeof(double)),
		.then_waits = analysis_memory(size, sizeof(double)),
		.accesses = analysis_memory(size, sizeof(double)),
		.work = analysis_memory(size, sizeof(double)),
		.threads = analysis_memory(size, sizeof(double)),
		.waits = analysis_memory(size, sizeof(double)),
		.pauses = analysis_memory(size, sizeof(double)),
		.handed = analysis_memory(parts, 1),
		.length = analysis_memory(parts, sizeof(double)),
		.first = analysis_memory(advise->count + 1, sizeof(size_t)),
	};
	if (!load->phase_of || !load->now || !load->then || !load->now_waits || !load->then_waits ||
	    !load->accesses || !load->work || !load->threads || !load->waits || !load->pauses ||
	    !load->handed || !load->length || !load->first)
		return -ENOMEM;
	return far_load(advise, load);
}

int load_make(const struct Monitor_advise *advise, enum load_parts parts, struct load *load)
{
	size_t intervals = parts == LOAD_FINEST ? intervals_of(advise) : 0;
	int failed = load_allocate(advise, load, intervals ? intervals : advise->phase_count);

	if (!failed)
		failed = intervals ? intervals_load(advise, load) : phases_load(advise, load);
	if (!failed)
		failed = cells_load(advise, load, intervals != 0);
	if (!failed)
		failed = network_load(advise, load);
	if (failed)
		return failed;
	cycles_sum(advise, load, 0, load->now);
	load->estimated = !intervals && !work_recorded(advise, load);
	for (size_t p = 0; load->estimated && p < load->parts; p++)
		work_estimate(advise, load, p);
	waits_add(advise, load, 0, load->now, load->now_waits);
	return 0;
}

void load_free(struct load *load)
{
	free(load->phase_of);
	free(load->now);
	free(load->then);
	free(load->now_waits);
	free(load->then_waits);
	free(load->accesses);
	free(load->work);
	free(load->threads);
	free(load->waits);
	free(load->pauses);
	free(load->handed);
	free(load->length);
	free(load->cells);
	free(load->first);
	free(load->far);
	free(load->by_part);
	free(load->part_first);
	free(load->homes);
	free(load->busy);
	advise_network_free(load->network);
}
