/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The reference's range table: a list of the valid entries, the least recently used first. See
 * section 6 of the datasheet. May use reference.h.
 */
#include "tests/reference/reference.h"

static uint32_t entries(const struct reference *ref)
{
	return reference_get(ref, SMILE_REG_ENTRIES);
}

/* Rule 1, and with @contains the first half of rule 2. */
static bool matches(const struct reference *ref, const struct reference_range *range,
		    const struct reference_range *event, bool contains)
{
	uint32_t max_words = reference_get(ref, SMILE_REG_MAX_RANGE) / SMILE_WORD_BYTES;
	uint32_t first = range->first < event->first ? range->first : event->first;
	uint32_t last = range->last > event->last ? range->last : event->last;

	if (range->source != event->source || range->destination != event->destination ||
	    range->type != event->type || range->response != event->response ||
	    range->page != event->page)
		return false;
	if (last - first + 1 > max_words)
		return false;
	if (reference_mode(ref, SMILE_MODE_ALIGNED) && first / max_words != last / max_words)
		return false;
	return !contains || (first == range->first && last == range->last);
}

/* Rule 2: the place of the entry that an event matches, or -1. */
static int match(const struct reference *ref, const struct reference_range *event)
{
	for (int contains = 1; contains >= 0; contains--) {
		int best = -1;

		for (unsigned int i = 0; i < ref->ranges; i++)
			if (matches(ref, &ref->range[i], event, contains) &&
			    (best < 0 || ref->range[i].index < ref->range[best].index))
				best = (int)i;
		if (best >= 0)
			return best;
	}
	return -1;
}

/* The free entry of the lowest index, or -1. */
static int free_index(const struct reference *ref)
{
	for (uint32_t index = 0; index < entries(ref); index++) {
		bool used = false;

		for (unsigned int i = 0; i < ref->ranges; i++)
			used = used || ref->range[i].index == index;
		if (!used)
			return (int)index;
	}
	return -1;
}

/* Append to the end of the list: the entry is the most recently used. */
static void append(struct reference *ref, struct reference_range range)
{
	ref->range[ref->ranges++] = range;
}

bool reference_dynamic_count(struct reference *ref, const struct reference_transaction *event)
{
	bool typed = reference_mode(ref, SMILE_MODE_TYPED_TAGS);
	uint32_t word = event->address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES;
	struct reference_range range = {
		.source = event->source,
		.destination = event->target,
		.type = typed ? event->type : SMILE_TYPE_ANY,
		.response = typed ? event->response : 0,
		.page = event->address / SMILE_PAGE_BYTES,
		.first = word,
		.last = word,
		.count = 1,
	};
	int place, index;

	/* "During a Swap_All that waits for room, every event is lost" */
	if (ref->swapping)
		return false;
	place = match(ref, &range);
	if (place >= 0) {
		struct reference_range old = ref->range[place];

		/* "A count that reaches 65535 keeps this value, and further matches are lost." */
		if (old.count == SMILE_COUNT_MAX)
			return false;
		reference_dynamic_remove(ref, place);
		old.count++;
		if (word < old.first || word > old.last)
			ref->extensions++;
		if (word < old.first)
			old.first = word;
		if (word > old.last)
			old.last = word;
		append(ref, old);
		return true;
	}
	index = free_index(ref);
	if (index < 0)
		return false;
	range.index = index;
	append(ref, range);
	return true;
}

int reference_dynamic_saturated(const struct reference *ref)
{
	int best = -1;

	for (unsigned int i = 0; i < ref->ranges; i++)
		if (ref->range[i].count == SMILE_COUNT_MAX &&
		    (best < 0 || ref->range[i].index < ref->range[best].index))
			best = (int)i;
	return best;
}

int reference_dynamic_lowest(const struct reference *ref)
{
	int best = -1;

	for (unsigned int i = 0; i < ref->ranges; i++)
		if (best < 0 || ref->range[i].index < ref->range[best].index)
			best = (int)i;
	return best;
}

int reference_dynamic_demanded(const struct reference *ref)
{
	/*
	 * Rule 5. The first entry is never the one just filled, unless the list has only this
	 * entry.
	 */
	return ref->ranges == entries(ref) ? 0 : -1;
}

struct reference_record reference_dynamic_record(const struct reference *ref, int place,
						 uint32_t cause)
{
	const struct reference_range *range = &ref->range[place];

	return (struct reference_record){
		.kind = SMILE_KIND_DYNAMIC,
		.type = range->type,
		.response = range->response,
		.cause = cause,
		.count = range->count,
		.source = range->source,
		.destination = range->destination,
		.address = range->page * SMILE_PAGE_BYTES + range->first * SMILE_WORD_BYTES,
		.words = range->last - range->first + 1,
		.index = range->index,
	};
}

void reference_dynamic_remove(struct reference *ref, int place)
{
	ref->ranges--;
	for (unsigned int i = place; i < ref->ranges; i++)
		ref->range[i] = ref->range[i + 1];
}
