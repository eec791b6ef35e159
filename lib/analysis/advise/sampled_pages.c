// SPDX-License-Identifier: MIT
/*
 * Advise from samples. See lib/analysis/advise/sampled_pages.h.
 */
#include "lib/analysis/advise/sampled_pages.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/regions.h"
#include "lib/analysis/sampled.h"
#include "lib/analysis/text.h"

/*
 * The largest expected share of wrong advice. Advice for a page is wrong if the samples of the page
 * are distributed over the nodes by chance.
 */
#define BY_CHANCE 0.05

/**
 * struct candidate - For a row: the data from which the program decides whether to keep it.
 * @chance: if two nodes used the page equally, the probability that one of them would have at least
 *          as many samples as the row's node has
 * @left: number of remote samples if the page stays on its home
 */
struct candidate {
	double chance;
	uint64_t left;
};

/**
 * struct gathering - State while pages are collected.
 * @homes: homes at the end of the run; shape [@home_count]
 * @home_count: number of elements
 * @home_at: index of the first element that does not end before the page
 * @page: the page that is being collected, if @nodes has any samples
 * @nodes: samples of the page, by node; shape [advise->nodes]
 * @by_home: samples of the page, by its home at the time of the sample
 * @size: number of rows for which there is memory
 * @candidates: candidates of the rows; shape [advise->count]
 * @candidate_size: number of candidates for which there is memory
 * @known: number of pages that have enough samples to get a row
 * @failed: 0; -ENOMEM
 */
struct gathering {
	struct sampled_advice *advice;
	struct Monitor_home *homes;
	size_t home_count;
	size_t home_at;
	uint64_t page;
	uint64_t *nodes;
	uint64_t *by_home;
	size_t size;
	struct candidate *candidates;
	size_t candidate_size;
	size_t known;
	int failed;
};

static size_t largest(const uint64_t *counts, size_t count)
{
	size_t most = 0;

	for (size_t i = 1; i < count; i++)
		if (counts[i] > counts[most])
			most = i;
	return most;
}

/*
 * Get the home of the page at the end of the run. If this home is not known, get the home with the
 * most samples.
 */
static uint32_t home_of(struct gathering *gathering, size_t nodes)
{
	const struct Monitor_home *home = &gathering->homes[gathering->home_at];

	for (; gathering->home_at < gathering->home_count; gathering->home_at++, home++)
		if (home->page + home->pages > gathering->page)
			break;
	if (gathering->home_at < gathering->home_count && home->page <= gathering->page)
		return home->node;
	return (uint32_t)largest(gathering->by_home, nodes);
}

/*
 * Return whether the advice leaves the page on its home. The advice leaves a page of a stack,
 * because `smile run` does not count stacks, and no placement file can place them. It also leaves a
 * page that other processes may access, because the samples of those processes are not counted.
 */
static bool is_left(struct gathering *gathering)
{
	struct Monitor_advise *advise = gathering->advice->advise;
	struct Monitor_region region;
	uint64_t offset;

	if (!regions_of_page(advise->mon, gathering->page, &region, &offset))
		return false;
	if (region.kind == MONITOR_REGION_STACK)
		return true;
	if (!advise->run.others || region.kind != MONITOR_REGION_SHARED)
		return false;
	gathering->advice->shared++;
	return true;
}

/*
 * End a page after all its samples have been added. If the samples are unlikely to be distributed
 * by chance, add a row.
 */
static void page_end(struct gathering *gathering)
{
	struct sampled_advice *advice = gathering->advice;
	struct Monitor_advise *advise = advice->advise;
	uint64_t all = 0, own, left;
	double chance;
	struct Monitor_advice row = {.page = gathering->page};

	for (size_t i = 0; i < advise->nodes; i++)
		all += gathering->nodes[i];
	if (!all)
		return;
	row.home = home_of(gathering, advise->nodes);
	row.node = (uint32_t)largest(gathering->nodes, advise->nodes);
	own = gathering->nodes[row.node];
	advice->pages++;
	advice->samples += all;
	left = all - (row.home < advise->nodes ? gathering->nodes[row.home] : 0);
	advice->advised_remote += left;
	chance = sampled_by_chance(own, all);
	gathering->known += sampled_by_chance(all, all) <= BY_CHANCE;
	if (chance <= BY_CHANCE && !is_left(gathering)) {
		row.accesses = all;
		row.own = own;
		row.share = (double)own / (double)all;
		if (array_reserve(&advise->rows, &gathering->size, advise->count, sizeof(row)) <
			    0 ||
		    array_reserve(&gathering->candidates, &gathering->candidate_size, advise->count,
				  sizeof(*gathering->candidates)) < 0) {
			gathering->failed = -ENOMEM;
		} else {
			gathering->candidates[advise->count] = (struct candidate){chance, left};
			advise->rows[advise->count++] = row;
		}
	}
	memset(gathering->nodes, 0, advise->nodes * sizeof(*gathering->nodes));
	memset(gathering->by_home, 0, advise->nodes * sizeof(*gathering->by_home));
}

/*
 * Add the rows of a page. The function is called with pages in ascending order. If a page has
 * moved, this function is called once for each of its homes.
 */
static int page_take(const struct Monitor_histogram_row *rows, size_t count, void *opaque)
{
	struct gathering *gathering = opaque;
	size_t nodes = gathering->advice->advise->nodes;

	if (rows->page != gathering->page)
		page_end(gathering);
	gathering->page = rows->page;
	for (size_t i = 0; i < count; i++) {
		if (rows[i].source >= nodes || rows[i].home >= nodes)
			continue;
		gathering->nodes[rows[i].source] += rows[i].accesses;
		gathering->by_home[rows[i].home] += rows[i].accesses;
		if (rows[i].source != rows[i].home)
			gathering->advice->remote += rows[i].accesses;
	}
	return gathering->failed;
}

static int chance_compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

/*
 * Choose the rows to keep. If two nodes use a thousand pages equally, some of these pages have
 * samples of only one node by chance. Such rows are wrong. Keep as many rows as possible, in
 * ascending order of candidate->chance, so that the expected share of wrong rows among them is at
 * most BY_CHANCE. By the method of Benjamini and Hochberg (1995), the chance of the last kept row
 * must be at most BY_CHANCE times the number of kept rows, divided by the number of all candidates.
 * Return: 0; -ENOMEM.
 */
static int rows_choose(struct gathering *gathering)
{
	struct sampled_advice *advice = gathering->advice;
	struct Monitor_advise *advise = advice->advise;
	double *chances = analysis_memory(advise->count, sizeof(*chances)), limit = -1;
	size_t kept = 0;

	if (!chances)
		return -ENOMEM;
	for (size_t i = 0; i < advise->count; i++)
		chances[i] = gathering->candidates[i].chance;
	qsort(chances, advise->count, sizeof(*chances), chance_compare);
	for (size_t i = 0; i < advise->count; i++)
		if (chances[i] <= BY_CHANCE * (double)(i + 1) / (double)gathering->known)
			limit = chances[i];
	for (size_t i = 0; i < advise->count; i++) {
		struct Monitor_advice *row = &advise->rows[i];

		if (gathering->candidates[i].chance > limit)
			continue;
		advice->advised_remote += row->accesses - row->own;
		advice->advised_remote -= gathering->candidates[i].left;
		advice->moved += row->node != row->home;
		advise->rows[kept++] = *row;
	}
	advise->count = kept;
	free(chances);
	return 0;
}

/* Remove the rows of constants of files, which cannot be placed. */
static int constants_remove(struct Monitor_advise *advise)
{
	size_t kept = 0;
	int failed = advise_constants_load(advise);

	for (size_t i = 0; !failed && i < advise->count; i++)
		if (!advise->fixed[i])
			advise->rows[kept++] = advise->rows[i];
	if (!failed) {
		advise->count = kept;
		memset(advise->fixed, 0, kept);
	}
	return failed;
}

static int variables_load(struct Monitor_advise *advise)
{
	int count;

	ANALYSIS_LIST(advise->variables, count, Monitor_variables, advise->mon);
	advise->variable_count = count < 0 ? 0 : (size_t)count;
	return count < 0 ? count : 0;
}

int sampled_advise(struct Monitor *mon, struct sampled_advice *advice)
{
	int nodes = Monitor_nodes(mon), homes = Monitor_homes(mon, NULL, 0), failed;
	struct gathering gathering = {.advice = advice};
	struct Monitor_advise *advise = analysis_memory(1, sizeof(*advise));

	*advice = (struct sampled_advice){.advise = advise};
	if (nodes < 0 || homes < 0 || !advise)
		return nodes < 0 ? nodes : homes < 0 ? homes : -ENOMEM;
	advise->mon = mon;
	advise->nodes = (size_t)(nodes ? nodes : 1);
	gathering.nodes = analysis_memory(advise->nodes, sizeof(*gathering.nodes));
	gathering.by_home = analysis_memory(advise->nodes, sizeof(*gathering.by_home));
	gathering.homes = analysis_memory((size_t)homes, sizeof(*gathering.homes));
	failed = gathering.nodes && gathering.by_home && gathering.homes
			 ? run_facts_load(mon, &advise->run)
			 : -ENOMEM;
	if (!failed) {
		gathering.home_count = (size_t)homes;
		Monitor_homes(mon, gathering.homes, gathering.home_count);
		failed = Monitor_walk_pages(mon, page_take, &gathering);
	}
	if (!failed)
		page_end(&gathering);
	if (!failed && !gathering.failed)
		gathering.failed = rows_choose(&gathering);
	if (gathering.failed)
		failed = Monitor_error_set(ENOMEM, "no memory for the advice");
	if (!failed)
		failed = constants_remove(advise);
	if (!failed)
		failed = variables_load(advise);
	if (!failed)
		failed = advise_runs_make(advise);
	free(gathering.candidates);
	free(gathering.nodes);
	free(gathering.by_home);
	free(gathering.homes);
	return failed;
}

void sampled_advise_free(struct sampled_advice *advice)
{
	Monitor_advise_free(advice->advise);
	*advice = (struct sampled_advice){.advise = NULL};
}

int sampled_advise_placement(const struct sampled_advice *advice, FILE *out)
{
	const struct Monitor_advise *advise = advice->advise;
	int failed;

	fprintf(out,
		"# Where pages should lie, for `smile place`, by `smile advise` from samples.\n"
		"# Pages without a line stay where they are: they have too few samples, or several "
		"nodes use them.\n");
	for (size_t i = 0; i < advise->run_count; i++) {
		const struct Monitor_advise_run *run = &advise->runs[i];
		uint64_t page = advise->rows[run->first].page, own = 0;
		struct sampled_share share;

		for (size_t row = run->first; row < run->first + run->count; row++)
			own += advise->rows[row].own;
		share = sampled_share(own, run->accesses);
		fprintf(out, "pages %" PRIu64, page);
		if (run->count > 1)
			fprintf(out, "-%" PRIu64, page + run->count - 1);
		fprintf(out,
			" node %" PRIu32 " # %.1f%% of %" PRIu64
			" samples are its own, 95%% band %.1f to %.1f%%\n",
			advise->rows[run->first].node, 100 * share.share, run->accesses,
			sampled_percent_low(&share), sampled_percent_high(&share));
	}
	failed = advise_placement_regions(advise, out);
	if (failed)
		return failed;
	return ferror(out) ? Monitor_error_set(EIO, "the placement file cannot be written") : 0;
}
