// SPDX-License-Identifier: MIT
/*
 * smile top: read the source for an update of the screen, which is called a look.
 *
 * What lives here: the code that reads the Monitor, the sums and the clock. For this reason, the
 * code that draws the screen needs only numbers and names.
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
	 * All older records were read since the last look. The first interval begins at the next
	 * look.
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
		if (top->mark)
			return LIVE_BY_TOTAL;
		return top->state.totals || top->look.first ? LIVE_BY_TOTAL_COST : LIVE_BY_COST;
	case TOP_SORT_RATE:
		return top->look.first ? LIVE_BY_TOTAL : LIVE_BY_RATE;
	default:
		return LIVE_BY_TOTAL;
	}
}

static int pages_look(struct top *top)
{
	struct top_look *look = &top->look;
	struct Monitor *mon = top->live->mon;
	struct live_page *pages = calloc(look->pages_wanted, sizeof(*pages));
	int known = regions_known(mon), count;

	if (!pages)
		return -ENOMEM;
	count = live_sums_top(top->sums, mon, order_of(top), pages, look->pages_wanted);
	for (int i = 0; i < count; i++) {
		look->pages[i].live = pages[i];
		look->pages[i].where[0] = '\0';
		if (known)
			name_set(mon, pages[i].page, look->pages[i].where);
	}
	free(pages);
	if (count < 0)
		return count;
	look->pages_count = (size_t)count;
	if (top->state.selected >= top_rows(look))
		top->state.selected = top_rows(look) ? top_rows(look) - 1 : 0;
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

static void sections_sum(struct top_look *look, const struct counts *counts)
{
	look->sections_count = SMILE_PAGE_BYTES / look->section_bytes;
	for (size_t i = 0; i < look->sections_count; i++)
		section_sum(&look->sections[i], counts, i);
	look->straddling = 0;
	for (size_t n = 0; n < counts->nodes; n++)
		look->straddling += counts->straddling[n];
}

static int sections_look(struct top *top)
{
	struct top_look *look = &top->look;
	const unsigned int home = top->state.section.home;
	const uint64_t page = top->state.section.page;
	struct Monitor *mon = top->live->mon;
	struct counts counts = {.nodes = look->nodes};
	unsigned int bytes = look->section_bytes = top_sections_size(top->section_rows);
	size_t size = SMILE_PAGE_BYTES / bytes * counts.nodes;
	int error = -ENOMEM;

	look->sections_count = 0;
	look->sections_page = page;
	look->sections_home = home;
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
		sections_sum(look, &counts);
	free(counts.all);
	return error == -ENOMEM ? error : 0;
}

/* ---- the whole look ------------------------------------------------------------------------ */

static void phases_look(struct top_look *look, struct Monitor *mon)
{
	int phases = Monitor_phases(mon, NULL, 0);
	const char *name = phases > 0 ? Monitor_phase_name(mon, (unsigned int)phases - 1) : NULL;

	look->phases = phases > 0 ? (unsigned int)phases : 0;
	look->phase_name = name ? name : "";
	look->began_known = phases > 1 && Monitor_phase_spread(mon, (size_t)phases - 1,
							       &look->began_within_ns) >= 0;
}

static void head_look(struct top *top)
{
	struct top_look *look = &top->look;
	const struct live *live = top->live;

	look->name = live->name;
	look->kind = live->kind;
	look->state = live->state;
	look->live = live->members_count > 1 ? live : NULL;
	look->trouble = live->trouble;
	live_notes(live, look->notes, sizeof(look->notes));
	look->states = live->state_file ? state_file_columns(live->state_file) : NULL;
	look->sampled = top->mark;
	look->behind = !top->caught_up && live->state == LIVE_RUNNING;
	look->unclosed = look->incomplete = 0;
	for (size_t i = 0; live->kind == LIVE_RECORDINGS && i < live->members_count; i++) {
		look->unclosed |= live->members[i].state == LIVE_ENDED && !live->members[i].closed;
		look->incomplete |= *live->members[i].incomplete != '\0';
	}
	look->nodes = live->nodes;
	look->totals = live->totals;
	phases_look(look, live->mon);
	look->pages_all = live_sums_pages(top->sums);
	look->pages_active = live_sums_active(top->sums);
	look->pages_hot = live_sums_hot_pages(top->sums, &look->hot_least);
	look->transfers = live_sums_transfers(top->sums, 1, &look->transfers_nodes);
	look->transfers_total = live_sums_transfers(top->sums, 0, &look->transfers_nodes);
}

/*
 * Call sampled_mark(). A recording of samples contains this data only at its end, so the data is
 * read again when the recording has ended.
 */
static void mark_read(struct top *top)
{
	json_decref(top->mark);
	top->mark = sampled_mark(top->live->mon);
}

int top_begin(struct top *top, struct live *live, unsigned int cards, size_t pages)
{
	const struct Monitor_weights weights = weights_default();
	struct smile_info info;

	top->live = live;
	top->failed = 0;
	top->caught_up = live->kind == LIVE_CARD ? CAUGHT_UP : 0;
	top->sums = live_sums_new(&weights);
	top->look = (struct top_look){.cards = cards, .pages_wanted = pages, .first = 1};
	top->look.pages = calloc(pages + 1, sizeof(*top->look.pages));
	if (!top->sums || !top->look.pages) {
		top_end(top);
		return tool_error("no memory");
	}
	live_sums_hot(top->sums, &top->state.hot);
	mark_read(top);
	if (Monitor_info(live->mon, &info) >= 0)
		top->look.node = info.config.node;
	head_look(top);
	return TOOL_OK;
}

void top_end(struct top *top)
{
	live_sums_free(top->sums);
	free(top->look.pages);
	json_decref(top->mark);
	top->mark = NULL;
	top->sums = NULL;
	top->look.pages = NULL;
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
	top->look.first = 1;
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
		mark_read(top);
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
	 * read. Wait only until the records from before the opening were read.
	 */
	if (changes & LIVE_MORE && live_totals(top->live)->records < top->live->backlog)
		return 0;
	top->caught_up = BEGINS;
	return 1;
}

int top_look_again(struct top *top)
{
	int error = pages_look(top);

	top->state.again = 0;
	if (!error && top->state.section.open && !top->mark)
		error = sections_look(top);
	return error;
}

int top_look(struct top *top)
{
	struct top_look *look = &top->look;
	int error;

	if (top->failed < 0)
		return top->failed;
	live_look(top->live, &look->interval);
	error = live_sums_look(top->sums, top->live->mon);
	if (error < 0)
		return error;
	/*
	 * The first interval begins now, so no rates exist yet. Earlier accesses are in no
	 * interval.
	 */
	if (top->state.reset || top->caught_up == BEGINS)
		look->first = 1;
	else if (top->caught_up)
		look->first = 0;
	/* Recordings of samples are written as a whole at the end, so they have no rates. */
	if (top->mark)
		look->first = 1;
	if (top->caught_up == BEGINS)
		top->caught_up = CAUGHT_UP;
	top->state.reset = 0;
	head_look(top);
	return top_look_again(top);
}
