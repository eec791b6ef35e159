/* SPDX-License-Identifier: MIT */
/*
 * Static tables: the page table, the event table and the table of the static counters, which count
 * the ranges that the user chooses.
 *
 * What lives here: functions that fill in and check the tables of the static array.
 */
#include <string.h>

#include <base/field.h>

#include "lib/base/error.h"
#include "lib/source/static_tables.h"

#define PAGE_BITS (SMILE_STATIC_PAGE_NUMBER | SMILE_STATIC_PAGE_VALID)
#define EVENT_TYPES (SMILE_STATIC_EVENT_READ | SMILE_STATIC_EVENT_WRITE | SMILE_STATIC_EVENT_LOCK)
#define EVENT_PACKETS (SMILE_STATIC_EVENT_REQUEST | SMILE_STATIC_EVENT_RESPONSE)
#define EVENT_BITS                                                                                 \
	(SMILE_STATIC_EVENT_PAGE | EVENT_TYPES | EVENT_PACKETS | SMILE_STATIC_EVENT_BOTTOM |       \
	 SMILE_STATIC_EVENT_TOP | SMILE_STATIC_EVENT_VALID)
#define COUNTER_BITS                                                                               \
	(SMILE_STATIC_COUNTER_COUNT | SMILE_STATIC_COUNTER_COUNT_VALID |                           \
	 SMILE_STATIC_COUNTER_ACTIVATE | SMILE_STATIC_COUNTER_ACTIVATE_VALID |                     \
	 SMILE_STATIC_COUNTER_DEACTIVATE | SMILE_STATIC_COUNTER_DEACTIVATE_VALID)

/* The number of pages that addresses in SMILE_MODE_NARROW can reach. */
#define NARROW_PAGES ((SMILE_NARROW_ADDRESS + 1) / SMILE_PAGE_BYTES)

/* The end of the addresses that a page number in the page table can represent. */
#define ADDRESS_END ((uint64_t)(SMILE_STATIC_PAGE_NUMBER + 1) * SMILE_PAGE_BYTES)

/* The flags of an event in the event table, and the filter bits that select them. */
static const struct {
	unsigned int filter;
	uint32_t flag;
} flags[] = {
	{SMILE_FILTER_READ, SMILE_STATIC_EVENT_READ},
	{SMILE_FILTER_WRITE, SMILE_STATIC_EVENT_WRITE},
	{SMILE_FILTER_LOCK, SMILE_STATIC_EVENT_LOCK},
	{SMILE_FILTER_REQUEST, SMILE_STATIC_EVENT_REQUEST},
	{SMILE_FILTER_RESPONSE, SMILE_STATIC_EVENT_RESPONSE},
};

/* ---- tables --------------------------------------------------------------------------------- */

void Monitor_static_default(struct smile_static *tables)
{
	memset(tables, 0, sizeof(*tables));
	tables->size = sizeof(*tables);
}

static int range_check(unsigned int node, uint64_t address, size_t bytes, unsigned int filter)
{
	if (node > UINT16_MAX)
		return smile_error(EINVAL, "node %u is out of range: use 0 to 65535", node);
	if (address >= ADDRESS_END || address % SMILE_WORD_BYTES)
		return smile_error(EINVAL,
				   "the static array cannot watch address 0x%llx: use a multiple "
				   "of %u below 0x%llx",
				   (unsigned long long)address, SMILE_WORD_BYTES,
				   (unsigned long long)ADDRESS_END);
	if (!bytes || bytes % SMILE_WORD_BYTES ||
	    bytes > SMILE_PAGE_BYTES - address % SMILE_PAGE_BYTES)
		return smile_error(EINVAL,
				   "the static array cannot watch %zu bytes from 0x%llx: use a "
				   "multiple of %u that ends within the page",
				   bytes, (unsigned long long)address, SMILE_WORD_BYTES);
	if (filter & ~(SMILE_FILTER_TYPES | SMILE_FILTER_PACKETS) ||
	    !(filter & SMILE_FILTER_TYPES) || !(filter & SMILE_FILTER_PACKETS))
		return smile_error(EINVAL,
				   "filter 0x%x of a static event: choose at least one of read, "
				   "write and lock, one of request and response, and no direction",
				   filter);
	return 0;
}

/*
 * Get the entry of the page table for a page. This is the existing entry of the page, or the first
 * free entry.
 */
static unsigned int page_place(const struct smile_static *tables, unsigned int node, uint32_t word)
{
	unsigned int place;

	for (place = 0; place < SMILE_STATIC_PAGES; place++)
		if (tables->page[place] == word && tables->node[place] == node)
			return place;
	for (place = 0; place < SMILE_STATIC_PAGES; place++)
		if (!(tables->page[place] & SMILE_STATIC_PAGE_VALID))
			break;
	return place;
}

static unsigned int event_place(const struct smile_static *tables, uint32_t word)
{
	unsigned int place;

	for (place = 0; place < SMILE_STATIC_EVENTS; place++)
		if (tables->event[place] == word)
			return place;
	for (place = 0; place < SMILE_STATIC_EVENTS; place++)
		if (!(tables->event[place] & SMILE_STATIC_EVENT_VALID))
			break;
	return place;
}

int Monitor_static_event(struct smile_static *tables, unsigned int node, uint64_t address,
			 size_t bytes, unsigned int filter)
{
	uint32_t bottom, page, word;
	unsigned int entry, event;
	int error = range_check(node, address, bytes, filter);

	if (error < 0)
		return error;
	page = (uint32_t)(address / SMILE_PAGE_BYTES) | SMILE_STATIC_PAGE_VALID;
	entry = page_place(tables, node, page);
	if (entry == SMILE_STATIC_PAGES)
		return smile_error(ENOSPC,
				   "all %u entries of the static page table are in use: watch "
				   "fewer pages at once",
				   SMILE_STATIC_PAGES);

	bottom = (uint32_t)(address % SMILE_PAGE_BYTES / SMILE_WORD_BYTES);
	word = SMILE_STATIC_EVENT_VALID | SMILE_PUT(SMILE_STATIC_EVENT_PAGE, entry) |
	       SMILE_PUT(SMILE_STATIC_EVENT_BOTTOM, bottom) |
	       SMILE_PUT(SMILE_STATIC_EVENT_TOP, bottom + (uint32_t)(bytes / SMILE_WORD_BYTES) - 1);
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (filter & flags[i].filter)
			word |= flags[i].flag;
	event = event_place(tables, word);
	if (event == SMILE_STATIC_EVENTS)
		return smile_error(ENOSPC,
				   "all %u static events are in use: watch fewer ranges at once",
				   SMILE_STATIC_EVENTS);

	tables->page[entry] = page;
	tables->node[entry] = node;
	tables->event[event] = word;
	return (int)event;
}

/* Return whether the tables define an event with the id @id. */
static int id_is_there(const struct smile_static *tables, uint32_t id)
{
	return id < SMILE_STATIC_IDS &&
	       (id >= SMILE_STATIC_GLOBAL || tables->event[id] & SMILE_STATIC_EVENT_VALID);
}

static int no_event(int id)
{
	return smile_error(EINVAL,
			   "there is no event %d: use what Monitor_static_event() returned, or "
			   "SMILE_STATIC_GLOBAL plus 0 to %u",
			   id, SMILE_EVENTS - 1);
}

int Monitor_static_counter(struct smile_static *tables, int count, int activate, int deactivate)
{
	uint32_t word = SMILE_STATIC_COUNTER_COUNT_VALID;
	unsigned int counter;

	/* A negative number, converted to an unsigned number, is out of range. */
	if (!id_is_there(tables, (uint32_t)count))
		return no_event(count);
	if (activate != -1 && !id_is_there(tables, (uint32_t)activate))
		return no_event(activate);
	if (deactivate != -1 && !id_is_there(tables, (uint32_t)deactivate))
		return no_event(deactivate);
	for (counter = 0; counter < SMILE_STATIC_COUNTERS; counter++)
		if (!(tables->counter[counter] & SMILE_STATIC_COUNTER_COUNT_VALID))
			break;
	if (counter == SMILE_STATIC_COUNTERS)
		return smile_error(ENOSPC, "all %u static counters are in use",
				   SMILE_STATIC_COUNTERS);

	word |= SMILE_PUT(SMILE_STATIC_COUNTER_COUNT, (uint32_t)count);
	if (activate != -1)
		word |= SMILE_STATIC_COUNTER_ACTIVATE_VALID |
			SMILE_PUT(SMILE_STATIC_COUNTER_ACTIVATE, (uint32_t)activate);
	if (deactivate != -1)
		word |= SMILE_STATIC_COUNTER_DEACTIVATE_VALID |
			SMILE_PUT(SMILE_STATIC_COUNTER_DEACTIVATE, (uint32_t)deactivate);
	tables->counter[counter] = word;
	return (int)counter;
}

/* ---- check ---------------------------------------------------------------------------------- */

static int page_check(const struct smile_static *tables, unsigned int i)
{
	if (tables->page[i] & ~PAGE_BITS)
		return smile_error(EINVAL,
				   "static page %u is 0x%x, which has unknown bits: use "
				   "SMILE_STATIC_PAGE_*",
				   i, tables->page[i]);
	if (tables->node[i] > UINT16_MAX)
		return smile_error(EINVAL,
				   "static page %u has home node %u, out of range: use 0 to 65535",
				   i, tables->node[i]);
	return 0;
}

static int event_check(const struct smile_static *tables, unsigned int i)
{
	uint32_t word = tables->event[i];
	uint32_t page = SMILE_GET(SMILE_STATIC_EVENT_PAGE, word);

	if (word & ~EVENT_BITS)
		return smile_error(EINVAL,
				   "static event %u is 0x%x, which has unknown bits: use "
				   "SMILE_STATIC_EVENT_*",
				   i, word);
	if (SMILE_GET(SMILE_STATIC_EVENT_TOP, word) < SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, word))
		return smile_error(EINVAL,
				   "static event %u ends with word %u, before it begins with word "
				   "%u: exchange them",
				   i, SMILE_GET(SMILE_STATIC_EVENT_TOP, word),
				   SMILE_GET(SMILE_STATIC_EVENT_BOTTOM, word));
	if (!(word & SMILE_STATIC_EVENT_VALID))
		return 0;
	if (!(tables->page[page] & SMILE_STATIC_PAGE_VALID))
		return smile_error(EINVAL,
				   "static event %u watches static page %u, which is not in use: "
				   "set that, too",
				   i, page);
	if (!(word & EVENT_TYPES) || !(word & EVENT_PACKETS))
		return smile_error(EINVAL,
				   "static event %u can never happen: choose at least one of "
				   "read, write and lock, and one of request and response",
				   i);
	return 0;
}

static int counter_check(const struct smile_static *tables, unsigned int i)
{
	/*
	 * For each of the three event ids of an entry: its meaning, its field, and the bit that
	 * makes the id valid.
	 */
	static const struct {
		const char *what;
		uint32_t id;
		uint32_t valid;
	} uses[] = {
		{"counts", SMILE_STATIC_COUNTER_COUNT, SMILE_STATIC_COUNTER_COUNT_VALID},
		{"is activated by", SMILE_STATIC_COUNTER_ACTIVATE,
		 SMILE_STATIC_COUNTER_ACTIVATE_VALID},
		{"is deactivated by", SMILE_STATIC_COUNTER_DEACTIVATE,
		 SMILE_STATIC_COUNTER_DEACTIVATE_VALID},
	};
	uint32_t word = tables->counter[i];

	if (word & ~COUNTER_BITS)
		return smile_error(EINVAL,
				   "static counter %u is 0x%x, which has unknown bits: use "
				   "SMILE_STATIC_COUNTER_*",
				   i, word);
	for (size_t use = 0; use < sizeof(uses) / sizeof(uses[0]); use++) {
		uint32_t id = SMILE_GET(uses[use].id, word);

		if (word & uses[use].valid && !id_is_there(tables, id))
			return smile_error(EINVAL,
					   "static counter %u %s event %u, which is not in use: "
					   "set that, too",
					   i, uses[use].what, id);
	}
	return 0;
}

int smile_static_check(const struct smile_static *tables)
{
	int error = 0;

	if (tables->size != sizeof(*tables))
		return smile_error(EINVAL,
				   "static tables have size %u, not %zu: begin with "
				   "Monitor_static_default()",
				   tables->size, sizeof(*tables));
	if (tables->reserved)
		return smile_error(EINVAL, "the static tables' reserved member is not zero: begin "
					   "with Monitor_static_default()");
	for (unsigned int i = 0; i < SMILE_STATIC_PAGES && !error; i++)
		error = page_check(tables, i);
	for (unsigned int i = 0; i < SMILE_STATIC_EVENTS && !error; i++)
		error = event_check(tables, i);
	for (unsigned int i = 0; i < SMILE_STATIC_COUNTERS && !error; i++)
		error = counter_check(tables, i);
	return error;
}

int smile_static_narrow_check(const struct smile_static *tables)
{
	for (unsigned int i = 0; i < SMILE_STATIC_PAGES; i++) {
		uint32_t page = SMILE_GET(SMILE_STATIC_PAGE_NUMBER, tables->page[i]);

		if (!(tables->page[i] & SMILE_STATIC_PAGE_VALID))
			continue;
		if (tables->node[i] > SMILE_NARROW_NODE)
			return smile_error(
				EINVAL,
				"entry %u of the static page table has home node %u, and "
				"narrow node ids end with %u: watch another page, or "
				"choose wide node ids",
				i, tables->node[i], SMILE_NARROW_NODE);
		if (page >= NARROW_PAGES)
			return smile_error(EINVAL,
					   "entry %u of the static page table is page %u, and with "
					   "narrow node ids pages end with %u: watch another page, "
					   "or choose wide node ids",
					   i, page, NARROW_PAGES - 1);
	}
	return 0;
}

int smile_static_counts(const struct smile_static *tables)
{
	for (unsigned int i = 0; i < SMILE_STATIC_COUNTERS; i++)
		if (tables->counter[i] & SMILE_STATIC_COUNTER_COUNT_VALID)
			return 1;
	return 0;
}
