// SPDX-License-Identifier: MIT
/*
 * smile top: read the source for an update of the screen, which is called a snapshot.
 *
 * What lives here: the code that reads the Monitor, the sums and the clock. The layout then needs
 * only numbers and names.
 */
#include "tools/top/top.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/machine/latency_model.h"

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

/* The distance in bytes between the addresses of a page at which variables are looked up. */
#define NAME_STEP 64U

/* The values of top.caught_up other than 0. */
enum catching_up {
	CAUGHT_UP = 1,
	/*
	 * All older records were read since the last snapshot. The first interval begins at the
	 * next snapshot.
	 */
	BEGINS,
};

static struct Monitor_weights weights_default(void)
{
	const struct latency_model *model = latency_find(LATENCY_DEFAULT);

	return (struct Monitor_weights){
		.local = model->local_cycles,
		.read = model->remote_cycles[SMILE_TYPE_READ],
		.write = model->remote_cycles[SMILE_TYPE_WRITE],
		.lock = model->remote_cycles[SMILE_TYPE_LOCK],
	};
}

/* ---- names --------------------------------------------------------------------------------- */

/*
 * Write the name of the first variable of a page, with "..." if the page contains several
 * variables. Return: 1; 0 if the page contains no variable.
 */
static int name_variable(struct Monitor *mon, uint64_t page, char *text)
{
	uint64_t start = page * SMILE_PAGE_BYTES;
	struct Monitor_place place, last;
	unsigned int offset = 0;

	while (offset < SMILE_PAGE_BYTES && Monitor_variable_find(mon, start + offset, &place) < 0)
		offset += NAME_STEP;
	if (offset >= SMILE_PAGE_BYTES)
		return 0;
	snprintf(text, TOP_NAME_BYTES, "%.*s", TOP_NAME_BYTES - 8, place.name);
	if (Monitor_variable_find(mon, start + SMILE_PAGE_BYTES - 4, &last) == 0 &&
	    last.variable != place.variable)
		strcat(text, " ...");
	return 1;
}

static void name_set(struct Monitor *mon, uint64_t page, char *text)
{
	char region[REGIONS_NAME_BYTES];

	if (!name_variable(mon, page, text))
		snprintf(text, TOP_NAME_BYTES, "%s", regions_page(mon, page, region));
	text_printable(text);
}

/* ---- pages --------------------------------------------------------------------------------- */

static enum live_order order_of(const struct top *top)
{
	switch (top->state.sort) {
	case TOP_SORT_COST:
		if (top->sampled)
			return LIVE_BY_TOTAL;
		return top->state.totals || top->snapshot.first ? LIVE_BY_TOTAL_COST : LIVE_BY_COST;
	case TOP_SORT_RATE:
		return top->snapshot.first ? LIVE_BY_TOTAL : LIVE_BY_RATE;
	default:
		return LIVE_BY_TOTAL;
	}
}

static int pages_read(struct top *top)
{
	struct top_snapshot *snapshot = &top->snapshot;
	struct Monitor *mon = top->live->mon;
	struct live_page *pages = calloc(snapshot->pages_wanted, sizeof(*pages));
	int known = regions_known(mon), count;

	if (!pages)
		return -ENOMEM;
	count = live_sums_top(top->sums, mon, order_of(top), pages, snapshot->pages_wanted);
	for (int i = 0; i < count; i++) {
		snapshot->pages[i].live = pages[i];
		snapshot->pages[i].where[0] = '\0';
		if (known)
			name_set(mon, pages[i].page, snapshot->pages[i].where);
	}
	free(pages);
	if (count < 0)
		return count;
	snapshot->pages_count = (size_t)count;
	if (top->state.selected >= top_rows(snapshot))
		top->state.selected = top_rows(snapshot) ? top_rows(snapshot) - 1 : 0;
	return 0;
}

/* ---- sections ------------------------------------------------------------------------------ */

/**
 * struct counts - The Monitor's counts for the sections of a page.
 * @all: number of accesses; shape [sections][@nodes]
 * @reads: number of reads; shape [sections][@nodes]
 * @writes: number of writes; shape [sections][@nodes]
 * @straddling: number of accesses to more than one section; shape [@nodes]
 * @nodes: number of nodes, from Monitor_nodes()
 */
struct counts {
	uint64_t *all;
	uint64_t *reads;
	uint64_t *writes;
	uint64_t *straddling;
	size_t nodes;
};

static void section_sum(struct top_section *section, const struct counts *counts, size_t at)
{
	uint64_t most = 0;

	*section = (struct top_section){0};
	for (size_t n = 0; n < counts->nodes; n++) {
		uint64_t accesses = counts->all[at * counts->nodes + n];

		section->accesses += accesses;
		section->reads += counts->reads[at * counts->nodes + n];
		section->writes += counts->writes[at * counts->nodes + n];
		if (accesses > most) {
			most = accesses;
			section->dominant = (uint32_t)n;
		}
	}
}

static void sections_sum(struct top_snapshot *snapshot, const struct counts *counts)
{
	snapshot->sections_count = SMILE_PAGE_BYTES / snapshot->section_bytes;
	for (size_t i = 0; i < snapshot->sections_count; i++)
		section_sum(&snapshot->sections[i], counts, i);
	snapshot->straddling = 0;
	for (size_t n = 0; n < counts->nodes; n++)
		snapshot->straddling += counts->straddling[n];
}

static int sections_read(struct top *top)
{
	struct top_snapshot *snapshot = &top->snapshot;
	const unsigned int home = top->state.section.home;
	const uint64_t page = top->state.section.page;
	struct Monitor *mon = top->live->mon;
	struct counts counts = {.nodes = snapshot->nodes};
	unsigned int bytes = snapshot->section_bytes = top_sections_size(top->section_rows);
	size_t size = SMILE_PAGE_BYTES / bytes * counts.nodes;
	int error = -ENOMEM;

	snapshot->sections_count = 0;
	snapshot->sections_page = page;
	snapshot->sections_home = home;
	counts.all = calloc(3 * size + counts.nodes, sizeof(*counts.all));
	if (!counts.all)
		return -ENOMEM;
	counts.reads = counts.all + size;
	counts.writes = counts.reads + size;
	counts.straddling = counts.writes + size;
	error = Monitor_sections_info(mon, home, page, bytes, counts.all, counts.straddling,
				      counts.nodes);
	if (error >= 0)
		error = Monitor_sections_read(mon, home, page, bytes, counts.reads, NULL,
					      counts.nodes);
	if (error >= 0)
		error = Monitor_sections_write(mon, home, page, bytes, counts.writes, NULL,
					       counts.nodes);
	if (error >= 0)
		sections_sum(snapshot, &counts);
	free(counts.all);
	return error == -ENOMEM ? error : 0;
}

/* ---- the whole snapshot --------------------------------------------------------------------- */

static void phases_read(struct top_snapshot *snapshot, struct Monitor *mon)
{
	int phases = Monitor_phases(mon, NULL, 0);
	const char *name = phases > 0 ? Monitor_phase_name(mon, (unsigned int)phases - 1) : NULL;

	snapshot->phases = phases > 0 ? (unsigned int)phases : 0;
	snapshot->phase_name = name ? name : "";
	snapshot->began_known = phases > 1 && Monitor_phase_spread(mon, (size_t)phases - 1,
								   &snapshot->began_within_ns) >= 0;
}

static void head_read(struct top *top)
{
	struct top_snapshot *snapshot = &top->snapshot;
	const struct live *live = top->live;

	snapshot->name = live->name;
	snapshot->kind = live->kind;
	snapshot->state = live->state;
	snapshot->live = live->members_count > 1 ? live : NULL;
	snapshot->trouble = live->trouble;
	live_notes(live, snapshot->notes, sizeof(snapshot->notes));
	snapshot->states = live->state_file ? state_file_columns(live->state_file) : NULL;
	snapshot->behind = !top->caught_up && live->state == LIVE_RUNNING;
	snapshot->unclosed = snapshot->incomplete = 0;
	for (size_t i = 0; live->kind == LIVE_RECORDINGS && i < live->members_count; i++) {
		snapshot->unclosed |=
			live->members[i].state == LIVE_ENDED && !live->members[i].closed;
		snapshot->incomplete |= *live->members[i].incomplete != '\0';
	}
	snapshot->nodes = live->nodes;
	snapshot->totals = live->totals;
	phases_read(snapshot, live->mon);
	snapshot->pages_all = live_sums_pages(top->sums);
	snapshot->pages_active = live_sums_active(top->sums);
	snapshot->pages_hot = live_sums_hot_pages(top->sums, &snapshot->hot_threshold_least);
	snapshot->transfers = live_sums_transfers(top->sums, 1, &snapshot->transfers_nodes);
	snapshot->transfers_total = live_sums_transfers(top->sums, 0, &snapshot->transfers_nodes);
}

/*
 * Read the facts about samples. A recording of samples has them at its end, so they are read again
 * when the recording has ended.
 */
static void sampled_read(struct top *top)
{
	run_facts_sampled_free(top->sampled);
	top->snapshot.sampled = top->sampled = run_facts_sampled(top->live->mon);
}

int top_begin(struct top *top, struct live *live, unsigned int cards, size_t pages)
{
	const struct Monitor_weights weights = weights_default();
	struct smile_info info;

	top->live = live;
	top->failed = 0;
	top->caught_up = live->kind == LIVE_CARD ? CAUGHT_UP : 0;
	top->sums = live_sums_new(&weights);
	top->snapshot = (struct top_snapshot){.cards = cards, .pages_wanted = pages, .first = 1};
	top->snapshot.pages = calloc(pages + 1, sizeof(*top->snapshot.pages));
	if (!top->sums || !top->snapshot.pages) {
		top_end(top);
		return tool_error("no memory");
	}
	live_sums_hot(top->sums, &top->state.hot);
	sampled_read(top);
	if (Monitor_info(live->mon, &info) >= 0)
		top->snapshot.node = info.config.node;
	head_read(top);
	return TOOL_OK;
}

void top_end(struct top *top)
{
	live_sums_free(top->sums);
	free(top->snapshot.pages);
	run_facts_sampled_free(top->sampled);
	top->sampled = NULL;
	top->sums = NULL;
	top->snapshot.pages = NULL;
}

/*
 * Start again with new sums, because the recordings were replaced. Return: 0; -ENOMEM, and the sums
 * are unchanged.
 */
static int renew(struct top *top)
{
	const struct Monitor_weights weights = weights_default();
	struct live_sums *sums = live_sums_new(&weights);

	if (!sums)
		return -ENOMEM;
	live_sums_free(top->sums);
	top->sums = sums;
	live_sums_hot(top->sums, &top->state.hot);
	top->caught_up = 0;
	top->snapshot.first = 1;
	return 0;
}

int top_poll(struct top *top, int timeout_ms)
{
	unsigned int changes = live_attend(top->live);

	if (changes & LIVE_ANEW)
		top->failed = renew(top);
	if (top->failed < 0)
		return 1;
	changes |= live_poll(top->live, timeout_ms);
	if (changes & LIVE_PROGRAM)
		sampled_read(top);
	if (changes & LIVE_STATE)
		return 1;
	/*
	 * For a capture, no rates are shown, because they would depend on the speed at which the
	 * capture is read.
	 */
	if (top->caught_up || top->live->kind == LIVE_CAPTURE)
		return 0;
	/*
	 * Do not wait until all records are read, because a recording can grow faster than it is
	 * read. It is enough that the records from before the opening were read.
	 */
	if (changes & LIVE_MORE && live_totals(top->live)->records < top->live->backlog)
		return 0;
	top->caught_up = BEGINS;
	return 1;
}

int top_snapshot_again(struct top *top)
{
	int error = pages_read(top);

	top->state.again = 0;
	if (!error && top->state.section.open && !top->sampled)
		error = sections_read(top);
	return error;
}

int top_snapshot(struct top *top)
{
	struct top_snapshot *snapshot = &top->snapshot;
	int error;

	if (top->failed < 0)
		return top->failed;
	live_look(top->live, &snapshot->interval);
	error = live_sums_look(top->sums, top->live->mon);
	if (error < 0)
		return error;
	/*
	 * The first interval begins now, so no rates exist yet. Earlier accesses are in no
	 * interval.
	 */
	if (top->state.reset || top->caught_up == BEGINS)
		snapshot->first = 1;
	else if (top->caught_up)
		snapshot->first = 0;
	/* Recordings of samples are written as a whole at the end, so they have no rates. */
	if (top->sampled)
		snapshot->first = 1;
	if (top->caught_up == BEGINS)
		top->caught_up = CAUGHT_UP;
	top->state.reset = 0;
	head_read(top);
	return top_snapshot_again(top);
}
