// SPDX-License-Identifier: MIT
/*
 * Advise: writes the advice on a variable as a sentence. The terminal and the report page show the
 * same sentence.
 */
#include "lib/analysis/advise/advise.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lib/analysis/text.h"

/* The largest number of parts in a sentence. */
#define PARTS_SHOWN 8

__attribute__((format(printf, 2, 3))) static void add(char *text, const char *format, ...)
{
	size_t used = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + used, MONITOR_SENTENCE_BYTES - used, format, arguments);
	va_end(arguments);
}

static double percent(double part, double all)
{
	return all > 0 ? 100 * part / all : 0;
}

/*
 * Get the length of the unit's name. For a single unit, leave out the last letter: "row", not
 * "rows".
 */
static int unit_length(const struct Monitor_advise_data *data,
		       const struct Monitor_advise_part *part)
{
	return (int)strlen(data->unit) - (part->last == part->first);
}

/* Add the parts: "rows 0-127 -> node 0, rows 128-255 -> node 1". */
static void parts_add(const struct Monitor_advise_data *data, char *text)
{
	for (size_t i = 0; i < data->part_count && i < PARTS_SHOWN; i++) {
		const struct Monitor_advise_part *part = &data->parts[i];

		add(text, "%s%.*s %" PRId64, i ? ", " : "", unit_length(data, part), data->unit,
		    part->first);
		if (part->last > part->first)
			/* A dash after a negative number would be hard to read. */
			add(text, "%s%" PRId64, part->first < 0 ? " to " : "-", part->last);
		add(text, " -> node %" PRIu32, part->node);
	}
	if (data->part_count > PARTS_SHOWN)
		add(text, ", ... (%zu parts)", data->part_count);
}

static void cyclic_add(const struct Monitor_advise_data *data, char *text)
{
	const struct Monitor_advise_part *first = data->parts;

	add(text, "%" PRId64 " %.*s at a time, in turn over nodes ", first->last - first->first + 1,
	    unit_length(data, first), data->unit);
	for (size_t i = 0; i < data->part_count && i < 2 * PARTS_SHOWN; i++)
		add(text, "%s%" PRIu32, i ? ", " : "", data->parts[i].node);
	if (data->part_count > 2 * PARTS_SHOWN)
		add(text, ", ... (%zu nodes)", data->part_count);
}

static void layout_add(const struct Monitor_advise *advise, const struct Monitor_advise_data *data,
		       char *text)
{
	switch (data->layout) {
	case MONITOR_LAYOUT_STAYS:
		add(text, "it needs node %" PRIu32 ", where it is", data->parts->node);
		break;
	case MONITOR_LAYOUT_NODE:
		add(text, "it belongs on node %" PRIu32, data->parts->node);
		break;
	case MONITOR_LAYOUT_BLOCKS:
		add(text, "split: ");
		parts_add(data, text);
		break;
	case MONITOR_LAYOUT_CYCLIC:
		add(text, "spread: ");
		cyclic_add(data, text);
		break;
	case MONITOR_LAYOUT_SHARED:
		add(text, "truly shared: no node has %.0f%% of the cost of ",
		    100 * advise->options.shared_below);
		if (data->sums.shared == data->count)
			add(text, data->count == 1 ? "the page" : "a page");
		else
			add(text, "%zu of its pages", data->sums.shared);
		break;
	case MONITOR_LAYOUT_MIXED:
		add(text, "each page on its own best node: no blocks were recognised");
		break;
	}
	if (data->exceptions)
		add(text, ", except for %zu page%s", data->exceptions,
		    data->exceptions == 1 ? "" : "s");
}

char *Monitor_advise_sentence(const struct Monitor_advise *advise,
			      const struct Monitor_advise_data *data, char *text)
{
	uint64_t gain = advise_gain(data->sums.cycles, data->sums.advised_cycles);
	char cycles[TEXT_COUNT_BYTES];

	*text = '\0';
	if (data->sums.wrong)
		add(text, "%zu of %zu page%s lie%s on the wrong node; ", data->sums.wrong,
		    data->count, data->count == 1 ? "" : "s", data->sums.wrong == 1 ? "s" : "");
	else if (data->sums.moved)
		add(text, "%zu of %zu page%s cost%s less elsewhere; ", data->sums.moved,
		    data->count, data->count == 1 ? "" : "s", data->sums.moved == 1 ? "s" : "");
	else
		add(text, "no page of %zu lies on the wrong node; ", data->count);
	layout_add(advise, data, text);
	if (gain)
		add(text, "; moving %zu saves%s %.1f%% of %s cycles", data->sums.moved,
		    data->bounds ? " at most" : "",
		    percent((double)gain, (double)data->sums.cycles),
		    text_count(cycles, data->sums.cycles));
	return text;
}

/* Get the sentence that tells the user how to place each part on its node. */
static const char *first_write(const struct Monitor_advise_data *data)
{
	return data->variable && data->variable->kind == MONITOR_VARIABLE_HEAP
		       ? "let a thread of each part's node allocate and first write that part"
		       : "let a thread of each part's node write that part first";
}

/*
 * Return whether most of the pages that move have a dominating node. The user can place such a page
 * by first touch, if a thread of the dominating node writes to it first.
 */
static int is_first_touch(const struct Monitor_advise *advise,
			  const struct Monitor_advise_data *data)
{
	size_t own = 0;

	for (size_t i = 0; i < data->count; i++) {
		const struct Monitor_advice *row = &advise->rows[data->rows[i]];

		own += row->node != row->home && !(row->flags & MONITOR_ADVICE_SHARED);
	}
	return 2 * own > data->sums.moved;
}

/* Return whether only the advised node of each page that moves accesses the page. */
static int is_own(const struct Monitor_advise *advise, const struct Monitor_advise_data *data)
{
	for (size_t i = 0; i < data->count; i++) {
		const struct Monitor_advice *row = &advise->rows[data->rows[i]];

		if (row->node != row->home && !advise_is_own(row))
			return 0;
	}
	return advise->first_touch;
}

/* Return whether each of the variable's pages is accessed by only one node. */
static int is_all_own(const struct Monitor_advise *advise, const struct Monitor_advise_data *data)
{
	for (size_t i = 0; i < data->count; i++)
		if (!advise_is_own(&advise->rows[data->rows[i]]))
			return 0;
	return 1;
}

static void copies_add(const struct Monitor_advise *advise, const struct Monitor_advise_data *data,
		       char *text)
{
	char bytes[TEXT_COUNT_BYTES];

	if (*text)
		add(text, "; or ");
	add(text,
	    "give each node a copy, since it is hardly ever written: that saves %.6f s of run "
	    "time, copying included, and takes %s bytes",
	    (double)data->copies_gain / (double)advise->machine.frequency_hz,
	    text_count(bytes, data->copies_bytes));
}

/*
 * Return whether the data belongs to libsmile-gas. In a recording of a card, only data of
 * libsmile-gas has a name. The pages of such data are on several machines, and first touch places
 * none of them.
 */
static int is_of_a_space(const struct Monitor_advise *advise,
			 const struct Monitor_advise_data *data)
{
	return !advise->run.document && data->variable &&
	       data->variable->kind == MONITOR_VARIABLE_NAMED;
}

static void space_action_add(const struct Monitor_advise_data *data, char *text)
{
	if (data->layout == MONITOR_LAYOUT_NODE)
		add(text, "place it on node %" PRIu32 ": Gas_place(3)", data->parts->node);
	else if (data->layout == MONITOR_LAYOUT_BLOCKS)
		add(text, "place each part on its node: Gas_place(3), or GAS_BLOCK in "
			  "Gas_alloc(3) if the parts are equal");
	else
		add(text, "place its pages on their nodes: Gas_place(3), or Gas_move(3) while the "
			  "program runs");
}

char *Monitor_advise_action(const struct Monitor_advise *advise,
			    const struct Monitor_advise_data *data, char *text)
{
	const struct Monitor_advise_role *queue;
	char phase[ADVISE_PHASE_BYTES];

	*text = '\0';
	if (data->sums.moved && data->layout != MONITOR_LAYOUT_STAYS &&
	    is_of_a_space(advise, data)) {
		space_action_add(data, text);
		return text;
	}
	switch (data->sums.moved ? data->layout : MONITOR_LAYOUT_STAYS) {
	case MONITOR_LAYOUT_STAYS:
		break;
	case MONITOR_LAYOUT_NODE:
		add(text, "let a thread of node %" PRIu32 " allocate it, or write it first",
		    data->parts->node);
		break;
	case MONITOR_LAYOUT_BLOCKS:
		add(text, "%s", first_write(data));
		break;
	case MONITOR_LAYOUT_CYCLIC:
		if (data->choice == MONITOR_CHOICE_INTERLEAVE)
			add(text, "interleave its pages over all nodes");
		else
			add(text, "%s", first_write(data));
		break;
	case MONITOR_LAYOUT_SHARED:
	case MONITOR_LAYOUT_MIXED:
		if (data->count == 1)
			add(text, "let a thread of node %" PRIu32 " allocate it, or write it first",
			    advise->rows[data->rows[0]].node);
		else
			add(text, "%s",
			    is_first_touch(advise, data)
				    ? "let each thread write the parts that it uses first; the "
				      "pages follow no simpler rule"
				    : "use the placement file: its pages are shared, and follow no "
				      "rule");
		break;
	}
	if (data->choice == MONITOR_CHOICE_PHASE && *text)
		add(text, ", as %s uses it: other phases use it in other ways",
		    advise_phase_text(advise, data->choice_phase, phase));
	if (*text && is_own(advise, data))
		add(text, "; if the program does so, first touch, the policy of Linux, is enough");
	queue = *text && data->handed ? advise_queue(advise) : NULL;
	if (queue && data->choice != MONITOR_CHOICE_INTERLEAVE && !is_all_own(advise, data))
		add(text,
		    "; or, since the work %s at %s, be independent of the order: interleave its "
		    "pages, or let the thread that takes a part write its data first",
		    advise_queue_is(queue), advise_queue_place(queue));
	if (data->copies_gain)
		copies_add(advise, data, text);
	return *text ? text : NULL;
}
