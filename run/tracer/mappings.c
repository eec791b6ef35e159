/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The memory of the program. See mappings.h. May use the channel, the table of pages, and memory.
 */
#include "run/tracer/mappings.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <base/array.h>

#include "run/tracer/channel.h"
#include "run/tracer/counted_pages.h"
#include "run/tracer/displaced.h"
#include "run/tracer/process.h"
#include "run/tracer/address_ranges.h"
#include "run/tracer/region_table.h"

#define ALL_KINDS 0xffffffffU

static struct {
	pthread_mutex_t lock;
	struct mapping *table;
	unsigned int count;
	size_t room;
	_Atomic uint64_t serial;
} mappings = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* struct lent - Pages that are not counted while they are the stack of a thread. */
struct lent {
	const struct thread *owner;
	uint64_t start;
	uint64_t end;
	uint64_t serial;
};
static struct lent lent[STREAM_CHANNELS];
static unsigned int lent_count;

static struct address_ranges aliases;
_Atomic bool mappings_aliased;

void mappings_lock(void)
{
	pthread_mutex_lock(&mappings.lock);
}

void mappings_unlock(void)
{
	pthread_mutex_unlock(&mappings.lock);
}

int mappings_init(void)
{
	/*
	 * Hold the lock during each fork: if another thread held it at that moment, it would stay
	 * locked in the child.
	 */
	return -pthread_atfork(mappings_lock, mappings_unlock, mappings_unlock);
}

uint64_t mappings_seen(void)
{
	return atomic_load(&mappings.serial);
}

static bool mapping_counts(const struct mapping *m)
{
	if (m->kind == MAPPINGS_CONSTANT)
		return false;
	/* A mapping of code may also have constants. */
	if (m->kind == STREAM_REGION_CODE)
		return process.constants;
	return m->kind != STREAM_REGION_STACK || process.stacks;
}

static bool mapping_is_reported(const struct mapping *m)
{
	return process.counting && m->kind != MAPPINGS_CONSTANT &&
	       (m->kind != STREAM_REGION_STACK || process.stacks);
}

static bool mapping_is_shared(const struct mapping *m)
{
	return m->kind == STREAM_REGION_SHARED || m->kind == STREAM_REGION_NAMED;
}

/* Start or stop counting the part of [start, end) that belongs to the mapping. */
static void mapping_count(const struct mapping *m, uint64_t start, uint64_t end, bool counted)
{
	start = higher(start, m->start);
	end = lower(end, m->end);
	if (start >= end || (!mapping_is_reported(m) && mapping_counts(m)))
		return;
	if (!counted)
		pages_set(start, end, PAGES_UNKNOWN);
	else if (!mapping_counts(m))
		pages_set(start, end,
			  m->kind == STREAM_REGION_STACK ? PAGES_STACK : PAGES_CONSTANT);
	else
		pages_set(start, end, m->first < 0 && !m->renamed ? PAGES_COUNTED : PAGES_ALIASED);
}

/*
 * Report that the contents of pages no longer exist, so that the next access to each page gets a
 * new page; or that the pages have moved to @to. @to: see STREAM_DISCARD. The reader itself finds
 * out what happens to pages of shared memory.
 */
static void pages_discard(struct thread *thread, const struct mapping *m, uint64_t start,
			  uint64_t end, uint64_t to)
{
	uint64_t words[2];

	start = higher(start, m->start);
	end = lower(end, m->end);
	if (start >= end || !thread || !mapping_is_reported(m) || !mapping_counts(m) ||
	    mapping_is_shared(m))
		return;
	words[0] = end - start;
	words[1] = to > STREAM_UNMAPPED ? displaced(to) : to;
	channel_record(thread, STREAM_DISCARD, displaced(start), words);
}

/* Report the mapping at addresses that are @distance bytes above the mapping's own addresses. */
static void rename_pages(struct mapping *m, uint64_t distance)
{
	m->renamed = true;
	mappings_aliased = true;
	if (address_ranges_add(&aliases, m->start, m->end, distance) == 0)
		pages_alias(m->start, m->end);
	else
		mapping_count(m, m->start, m->end, false);
}

/*
 * Enter the mapping into the stream's table, and report it. Whether its pages are counted does not
 * change.
 */
static void mapping_emit(struct thread *thread, struct mapping *m)
{
	uint64_t distance;

	/* mappings_report() will report this mapping. */
	if (process.copying)
		return;
	m->first = regions_first(m, &distance);
	if (m->first >= 0 && address_ranges_add(&aliases, m->start, m->end, distance) == 0) {
		m->first_start = regions_at(m->first)->start;
		mappings_aliased = true;
		pages_alias(m->start, m->end);
		return;
	}
	m->first = -1;
	m->index = regions_enter(m);
	if (regions_number(m) != process.number)
		rename_pages(m, regions_distance(m));
	if (m->index >= 0 && thread)
		channel_record(thread, STREAM_REGION, (uint64_t)m->index, NULL);
}

static void mapping_withdraw(struct thread *thread, const struct mapping *m)
{
	if (m->index < 0)
		return;
	regions_leave(m->index);
	if (thread)
		channel_record(thread, STREAM_UNMAP, (uint64_t)m->index, NULL);
}

/* Check whether the mapping at whose addresses this mapping is reported has been removed. */
static bool mapping_is_lost(const struct mapping *m)
{
	const struct stream_region *r = regions_at(m->first);

	return m->first >= 0 && (r->gone || r->start != m->first_start || r->inode != m->inode ||
				 r->device != m->device);
}

/*
 * If the first mapping of shared memory was removed, let the oldest remaining mapping of this
 * memory become the first.
 */
static void aliases_again(struct thread *thread)
{
	struct mapping *oldest = NULL;
	struct mapping *m;
	unsigned int i;

	for (i = 0; i < mappings.count && mappings_aliased; i++) {
		m = &mappings.table[i];
		if (mapping_is_lost(m) && (!oldest || m->serial < oldest->serial))
			oldest = m;
	}
	if (!oldest)
		return;
	address_ranges_cut(&aliases, oldest->start, oldest->end);
	mapping_emit(thread, oldest);
	aliases_again(thread);
}

static struct mapping *append(const struct mapping *mapping)
{
	if (array_reserve(&mappings.table, &mappings.room, mappings.count,
			  sizeof(*mappings.table)) < 0)
		return NULL;
	mappings.table[mappings.count] = *mapping;
	return &mappings.table[mappings.count++];
}

static void insert_part(struct thread *thread, const struct mapping *mapping)
{
	struct mapping *m;

	/* Private memory of this process is not counted, so the table need not contain it. */
	if (process.unnumbered && !mapping_is_shared(mapping))
		return;
	m = append(mapping);
	if (!m)
		return;
	m->index = m->first = -1;
	m->renamed = false;
	m->serial = ++mappings.serial;
	if (mapping_is_reported(m))
		mapping_emit(thread, m);
	mapping_count(m, m->start, m->end, true);
}

/*
 * Insert a mapping. If other mappings have parts of the same shared memory, divide it, so that each
 * page is reported at one address.
 */
static void insert(struct thread *thread, const struct mapping *mapping)
{
	struct mapping part, rest = *mapping;

	while (rest.start < rest.end) {
		part = rest;
		part.end = regions_part(&rest);
		rest.start = part.end;
		rest.offset += part.end - part.start;
		insert_part(thread, &part);
	}
}

/* Insert the rest of a mapping that was cut. Its pages stay counted. */
static void insert_rest(struct thread *thread, const struct mapping *rest)
{
	struct mapping *m = append(rest);

	if (!m || m->first >= 0 || m->renamed)
		return;
	m->index = -1;
	if (mapping_is_reported(m))
		mapping_emit(thread, m);
}

static void lent_drop(unsigned int at)
{
	lent[at] = lent[--lent_count];
}

static void lent_cut(uint64_t start, uint64_t end, uint64_t seen)
{
	unsigned int i = 0;
	struct lent *l;

	while (i < lent_count) {
		l = &lent[i];
		/* If a part of a stack is unmapped, the rest is no longer treated as a stack. */
		if (l->start < end && l->end > start && l->serial <= seen)
			lent_drop(i);
		else
			i++;
	}
}

/*
 * Remove [start, end) from the mappings that have one of the @kinds, and whose serial number is not
 * above @seen. The parts of these mappings outside the range stay.
 */
static void cut(struct thread *thread, uint64_t start, uint64_t end, uint32_t kinds, uint64_t seen)
{
	struct mapping m, rest;
	unsigned int i = 0;

	if (kinds == ALL_KINDS)
		lent_cut(start, end, seen);
	while (i < mappings.count) {
		m = mappings.table[i];
		if (m.start >= end || m.end <= start || !(kinds & 1U << (m.kind & 31)) ||
		    m.serial > seen) {
			i++;
			continue;
		}
		mapping_count(&m, start, end, false);
		mappings.table[i] = mappings.table[--mappings.count];
		if (m.first >= 0 || m.renamed)
			address_ranges_cut(&aliases, higher(m.start, start), lower(m.end, end));
		mapping_withdraw(thread, &m);
		rest = m;
		rest.end = start;
		if (m.start < start)
			insert_rest(thread, &rest);
		rest = m;
		rest.start = end;
		rest.offset += end - m.start;
		if (m.end > end)
			insert_rest(thread, &rest);
	}
	aliases_again(thread);
}

void mappings_add(struct thread *thread, const struct mapping *mapping)
{
	mappings_lock();
	cut(thread, mapping->start, mapping->end, ALL_KINDS, MAPPINGS_ALL);
	insert(thread, mapping);
	mappings_unlock();
}

/*
 * Report, for the mappings whose serial number is not above @seen, that the pages in [start, end)
 * were returned to the kernel, or have moved. @to: see STREAM_DISCARD.
 */
static void discard(struct thread *thread, uint64_t start, uint64_t end, uint64_t to, uint64_t seen)
{
	const struct mapping *m;
	unsigned int i;

	for (i = 0, m = mappings.table; i < mappings.count; i++, m++) {
		if (m->start < end && m->end > start && m->serial <= seen)
			pages_discard(thread, m, start, end,
				      to > STREAM_UNMAPPED ? to + (higher(m->start, start) - start)
							   : to);
	}
}

void mappings_give_back(struct thread *thread, uint64_t start, uint64_t end, bool unmapped)
{
	mappings_lock();
	discard(thread, start, page_up(end), unmapped ? STREAM_UNMAPPED : 0, MAPPINGS_ALL);
	mappings_unlock();
}

/* Get the end of the counted memory from @start on that is reported at consecutive addresses. */
static uint64_t touched_end(uint64_t start, uint64_t end)
{
	uint64_t distance = mappings_object(start) - start;
	uint64_t at = page_down(start) + PAGE_BYTES;

	while (at < end && pages_counted(at) && mappings_object(at) - at == distance)
		at += PAGE_BYTES;
	return lower(at, end);
}

void mappings_touch(struct thread *thread, uint64_t start, uint64_t end)
{
	uint64_t bytes;

	for (end = lower(end, PAGES_LIMIT); start < end; start += bytes) {
		if (!pages_counted(start)) {
			bytes = page_down(start) + PAGE_BYTES - start;
			continue;
		}
		bytes = touched_end(start, lower(end, start + STREAM_TOUCH_BYTES)) - start;
		channel_record(thread, STREAM_TOUCH, mappings_object(start), &bytes);
	}
}

void mappings_remove(struct thread *thread, uint64_t start, uint64_t end, uint64_t seen)
{
	mappings_lock();
	discard(thread, start, page_up(end), STREAM_UNMAPPED, seen);
	cut(thread, start, page_up(end), ALL_KINDS, seen);
	mappings_unlock();
}

static struct mapping *find_kind(uint64_t start, uint64_t end, uint32_t kind)
{
	struct mapping *m;
	unsigned int i;

	for (i = 0, m = mappings.table; i < mappings.count; i++, m++) {
		if (m->kind == kind && m->start < end && m->end > start)
			return m;
	}
	return NULL;
}

static bool turn(struct thread *thread, uint64_t start, uint64_t end, uint32_t from, uint32_t to)
{
	const struct mapping *found;
	struct mapping m;
	bool any = false;

	while ((found = find_kind(start, end, from))) {
		m = *found;
		m.offset += higher(m.start, start) - m.start;
		m.start = higher(m.start, start);
		m.end = lower(m.end, end);
		m.kind = to;
		cut(thread, m.start, m.end, 1U << (from & 31), MAPPINGS_ALL);
		insert(thread, &m);
		any = true;
	}
	return any;
}

bool mappings_turn(struct thread *thread, uint64_t start, uint64_t end, uint32_t from, uint32_t to)
{
	bool any;

	mappings_lock();
	any = turn(thread, start, page_up(end), from, to);
	mappings_unlock();
	return any;
}

uint32_t mappings_constant_kind(bool preload)
{
	return process.constants && !preload ? STREAM_REGION_GLOBAL : MAPPINGS_CONSTANT;
}

void mappings_constant(struct thread *thread, const struct mapping *code, uint64_t start,
		       uint64_t end, bool preload)
{
	struct mapping *m;
	unsigned int i;

	mappings_lock();
	for (i = 0; i < mappings.count; i++) {
		m = &mappings.table[i];
		if (m->kind != STREAM_REGION_PRIVATE || m->device != code->device ||
		    m->inode != code->inode || m->start < start || m->end > end)
			continue;
		m->bias = code->bias;
		turn(thread, m->start, m->end, STREAM_REGION_PRIVATE,
		     mappings_constant_kind(preload));
		i = UINT32_MAX;
	}
	mappings_unlock();
}

void mappings_move(struct thread *thread, const struct mapping *known, uint64_t from,
		   uint64_t old_bytes, uint64_t to, uint64_t new_bytes)
{
	uint64_t old_end = page_up(from + old_bytes);
	struct mapping m = *known;

	m.offset += from - m.start;
	m.start = to;
	m.end = page_up(to + new_bytes);
	mappings_lock();
	if (to == from && old_bytes) {
		/*
		 * Other threads may use the part that stays. So only the part that was added or
		 * removed is changed.
		 */
		if (m.end < old_end) {
			discard(thread, m.end, old_end, STREAM_UNMAPPED, thread->seen);
			cut(thread, m.end, old_end, ALL_KINDS, thread->seen);
		}
		m.offset += old_end - from;
		m.start = old_end;
	} else {
		/* Even if the old mapping stays, its pages move, and it is empty afterwards. */
		if (!old_bytes)
			old_end = page_up(from + new_bytes);
		uint64_t moved_end = lower(old_end, from + (m.end - m.start));

		discard(thread, m.start, m.end, STREAM_UNMAPPED, thread->seen);
		discard(thread, from, moved_end, to, thread->seen);
		/* If the mapping becomes smaller, its end is unmapped. */
		discard(thread, moved_end, old_end, STREAM_UNMAPPED, thread->seen);
		if (old_bytes)
			cut(thread, from, old_end, ALL_KINDS, thread->seen);
	}
	if (m.start < m.end) {
		cut(thread, m.start, m.end, ALL_KINDS, MAPPINGS_ALL);
		if (known->end)
			insert(thread, &m);
	}
	mappings_unlock();
}

/*
 * Get the address at which thread-local data starts in a stack; the end of the stack if it has
 * none.
 */
static uint64_t stack_end(uint64_t start, uint64_t end)
{
	for (; start < end; start += PAGE_BYTES) {
		if ((unsigned int)pages_state(start) >= PAGES_PART)
			return start;
	}
	return end;
}

void mappings_lend(const struct thread *owner, uint64_t start, uint64_t end)
{
	unsigned int i;
	bool any = false;

	mappings_lock();
	for (i = 0; i < mappings.count; i++)
		any |= mappings.table[i].start < end && mappings.table[i].end > start &&
		       mapping_counts(&mappings.table[i]);
	end = stack_end(start, end);
	/* If the list is full, memory that must be returned later is not lent. */
	if (!any || lent_count < STREAM_CHANNELS)
		pages_set(start, end, PAGES_STACK);
	if (any && lent_count < STREAM_CHANNELS)
		lent[lent_count++] = (struct lent){owner, start, end, ++mappings.serial};
	mappings_unlock();
}

#define LOCAL_NAME "thread-local data"

/*
 * Find the mapping that contains @address; or, if @end is set, the mapping that ends at @address.
 * The caller must hold the lock.
 */
static const struct mapping *lookup(uint64_t address, bool end)
{
	const struct mapping *m;
	unsigned int i;

	for (i = 0, m = mappings.table; i < mappings.count; i++, m++) {
		if (end ? m->end == address : address >= m->start && address < m->end)
			return m;
	}
	return NULL;
}

void mappings_local(struct thread *thread, uint64_t stack, uint64_t control)
{
	const struct mapping *found;
	struct mapping m;

	mappings_lock();
	found = lookup(control, false);
	if (process.stacks || !found || stack >= control || !lookup(stack, false) ||
	    control >= PAGES_LIMIT)
		goto out;
	m = *found;
	if (m.kind == STREAM_REGION_PRIVATE && !strcmp(m.path, LOCAL_NAME) &&
	    m.start != page_down(stack)) {
		/* An earlier thread with the same stack had thread-local data of another size. */
		turn(thread, m.start, m.end, STREAM_REGION_PRIVATE, STREAM_REGION_STACK);
		m.kind = STREAM_REGION_STACK;
	}
	if (m.kind == STREAM_REGION_STACK) {
		m.start = page_down(stack);
		m.kind = STREAM_REGION_PRIVATE;
		memcpy(m.path, LOCAL_NAME, sizeof(LOCAL_NAME));
		cut(thread, m.start, m.end, ALL_KINDS, MAPPINGS_ALL);
		insert(thread, &m);
	}
	pages_split((stack + PART_BYTES - 1) & ~(uint64_t)(PART_BYTES - 1));
out:
	mappings_unlock();
}

void mappings_local_first(struct thread *thread, uint64_t control)
{
	const struct mapping *found;
	struct mapping m;

	mappings_lock();
	found = lookup(control, false);
	while (found && found->kind == STREAM_REGION_PRIVATE && !*found->path) {
		m = *found;
		memcpy(m.path, LOCAL_NAME, sizeof(LOCAL_NAME));
		cut(thread, m.start, m.end, ALL_KINDS, MAPPINGS_ALL);
		insert(thread, &m);
		/* If the data is large, the loader maps memory for it in several steps. */
		found = lookup(m.start, true);
	}
	mappings_unlock();
}

static void lent_return(unsigned int at)
{
	unsigned int i;

	for (i = 0; i < mappings.count; i++)
		mapping_count(&mappings.table[i], lent[at].start, lent[at].end, true);
	lent_drop(at);
}

void mappings_return(const struct thread *owner)
{
	unsigned int i = 0;

	mappings_lock();
	while (i < lent_count) {
		if (lent[i].owner == owner)
			lent_return(i);
		else
			i++;
	}
	mappings_unlock();
}

static bool find(uint64_t address, bool end, struct mapping *mapping)
{
	const struct mapping *found;

	mappings_lock();
	found = lookup(address, end);
	if (found)
		*mapping = *found;
	mappings_unlock();
	return found;
}

bool mappings_find(uint64_t address, struct mapping *mapping)
{
	return find(address, false, mapping);
}

bool mappings_before(uint64_t end, struct mapping *mapping)
{
	return find(end, true, mapping);
}

void mappings_visit_shared(void (*visit)(const struct mapping *mapping, void *opaque), void *opaque)
{
	unsigned int i;

	for (i = 0; i < mappings.count; i++)
		if (mapping_is_shared(&mappings.table[i]))
			visit(&mappings.table[i], opaque);
}

void mappings_begin(struct thread *thread)
{
	struct mapping *m;
	unsigned int i;

	mappings_lock();
	for (i = 0; i < mappings.count; i++) {
		m = &mappings.table[i];
		if (!mapping_is_reported(m))
			continue;
		mapping_emit(thread, m);
		mapping_count(m, m->start, m->end, true);
	}
	mappings_unlock();
}

/*
 * Report shared memory that the parent has reported at the addresses that it has in the stream for
 * the parent.
 */
static void inherit(struct mapping *m)
{
	m->index = -1;
	if (m->first >= 0 || m->renamed || !mapping_is_reported(m))
		return;
	rename_pages(m, displaced(m->start) - m->start);
}

void mappings_forked(bool copies)
{
	unsigned int i = 0;
	struct mapping *m;

	mappings_lock();
	while (i < mappings.count) {
		m = &mappings.table[i];
		if (mapping_is_shared(m))
			inherit(m);
		m->index = -1;
		if (mapping_is_shared(m) || copies) {
			i++;
			continue;
		}
		mapping_count(m, m->start, m->end, false);
		*m = mappings.table[--mappings.count];
	}
	/*
	 * The child does not have the parent's other threads. Its own thread will report its stack
	 * again.
	 */
	while (lent_count)
		lent_return(0);
	mappings_unlock();
}

void mappings_report(struct thread *thread)
{
	struct mapping *m;
	unsigned int i;

	mappings_lock();
	for (i = 0; i < mappings.count; i++) {
		m = &mappings.table[i];
		if (mapping_is_reported(m) && m->index < 0 && m->first < 0 && !m->renamed)
			mapping_emit(thread, m);
	}
	mappings_unlock();
}

void mappings_withdraw(struct thread *thread)
{
	unsigned int i;

	mappings_lock();
	for (i = 0; i < mappings.count; i++) {
		mapping_withdraw(thread, &mappings.table[i]);
		mappings.table[i].index = -1;
	}
	mappings_unlock();
}

uint64_t mappings_translate(uint64_t address)
{
	uint64_t distance;

	return address_ranges_find(&aliases, address, &distance) ? address + distance
								 : displaced(address);
}

uint64_t mappings_common(uint64_t address)
{
	uint64_t object = mappings_object(address);
	struct mapping m;

	/*
	 * In the first process, the name of an object is the same with and without STREAM_COMMON.
	 */
	if (process.number != 0 && mappings_find(address, &m) && mapping_is_shared(&m))
		object |= STREAM_COMMON;
	return object;
}
