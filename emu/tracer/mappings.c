/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The program's memory: see mappings.h. It may use the channel, the table of pages, memory.
 */
#include "emu/tracer/mappings.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/tracer/channel.h"
#include "emu/tracer/pages.h"
#include "emu/tracer/process.h"
#include "emu/tracer/ranges.h"

static struct {
	pthread_mutex_t lock;
	struct mapping *table;
	unsigned int count;
	unsigned int room;
} mappings = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct ranges aliases;
_Atomic bool mappings_aliased;

/* fork(2) by one thread while another has the lock would leave the child without it for ever. */
static void lock_all(void)
{
	pthread_mutex_lock(&mappings.lock);
}

static void unlock_all(void)
{
	pthread_mutex_unlock(&mappings.lock);
}

int mappings_init(void)
{
	return -pthread_atfork(lock_all, unlock_all, unlock_all);
}

static struct stream_region *regions(void)
{
	return (struct stream_region *)((char *)stream + STREAM_REGIONS_AT);
}

static unsigned int region_count(void)
{
	uint32_t count = atomic_load(&stream->regions);

	return count < STREAM_REGIONS ? count : STREAM_REGIONS;
}

static bool mapping_counts(const struct mapping *m)
{
	if (m->kind == STREAM_REGION_CODE || m->kind == MAPPINGS_UNCOUNTED)
		return false;
	return m->kind != STREAM_REGION_STACK || process.stacks;
}

/* A mapping that comes and goes at the same place, as large blocks of malloc() do, has one entry. */
static int32_t region_again(const struct mapping *m)
{
	unsigned int count = region_count();
	struct stream_region *r;
	unsigned int i;

	for (i = 0; i < count; i++) {
		r = &regions()[i];
		if (r->start == m->start && r->end == m->end && r->pid == (uint32_t)getpid() &&
		    r->gone && r->kind == m->kind && !strcmp(r->path, m->path) &&
		    r->offset == m->offset && r->inode == m->inode) {
			r->gone = 0;
			return (int32_t)i;
		}
	}
	return -1;
}

static int32_t region_enter(const struct mapping *m)
{
	int32_t index = region_again(m);
	struct stream_region *r;
	uint32_t at;

	if (index >= 0)
		return index;
	at = atomic_fetch_add(&stream->regions, 1);
	if (at >= STREAM_REGIONS)
		return -1;
	r = &regions()[at];
	r->start = m->start;
	r->end = m->end;
	r->offset = m->offset;
	r->device = m->device;
	r->inode = m->inode;
	r->pid = (uint32_t)getpid();
	r->kind = m->kind;
	r->bias = m->bias;
	memcpy(r->path, m->path, sizeof(r->path));
	return (int32_t)at;
}

/* Shared memory that was mapped before, here or in another process: its distance from there. */
static uint64_t alias_of(const struct mapping *m)
{
	unsigned int count = region_count();
	struct stream_region *r;
	unsigned int i;

	if (m->kind != STREAM_REGION_SHARED || !m->inode)
		return 0;
	for (i = 0; i < count; i++) {
		r = &regions()[i];
		if (r->gone || r->device != m->device || r->inode != m->inode ||
		    (r->kind != STREAM_REGION_SHARED && r->kind != STREAM_REGION_NAMED))
			continue;
		if (m->offset < r->offset ||
		    m->offset + (m->end - m->start) > r->offset + (r->end - r->start))
			continue;
		return r->start + (m->offset - r->offset) - m->start;
	}
	return 0;
}

static void mapping_tell(struct thread *thread, struct mapping *m)
{
	uint64_t distance = alias_of(m);

	if (distance) {
		ranges_add(&aliases, m->start, m->end, distance);
		mappings_aliased = true;
	} else {
		m->index = region_enter(m);
		if (m->index >= 0 && thread)
			channel_record(thread, STREAM_REGION, (uint64_t)m->index, NULL);
	}
	if (mapping_counts(m))
		pages_set(m->start, m->end, true);
}

static void mapping_untell(struct thread *thread, struct mapping *m)
{
	struct stream_region *r;

	if (mapping_counts(m))
		pages_set(m->start, m->end, false);
	ranges_cut(&aliases, m->start, m->end);
	if (m->index < 0)
		return;
	r = &regions()[m->index];
	/* What a child inherited is still there for its parent. */
	if (r->pid == (uint32_t)getpid()) {
		if (thread)
			channel_record(thread, STREAM_UNMAP, (uint64_t)m->index, NULL);
		r->gone = 1;
	}
	m->index = -1;
}

static bool mapping_is_told(const struct mapping *m)
{
	return process.counting && m->kind != MAPPINGS_UNCOUNTED &&
	       (m->kind != STREAM_REGION_STACK || process.stacks);
}

static bool mapping_is_shared(const struct mapping *m)
{
	return m->kind == STREAM_REGION_SHARED || m->kind == STREAM_REGION_NAMED;
}

static void insert(struct thread *thread, const struct mapping *mapping)
{
	struct mapping *grown;
	struct mapping *m;

	/* What is private to a child is of no interest, but for what adjoins it. */
	if (process.child && !mapping_is_shared(mapping))
		return;
	if (mappings.count == mappings.room) {
		grown = realloc(mappings.table, (mappings.room * 2 + 64) * sizeof(*grown));
		if (!grown)
			return;
		mappings.table = grown;
		mappings.room = mappings.room * 2 + 64;
	}
	m = &mappings.table[mappings.count++];
	*m = *mapping;
	m->index = -1;
	if (mapping_is_told(m))
		mapping_tell(thread, m);
}

/* Remove [start, end) from mappings of the kinds in @kinds, and keep what they have beyond it. */
static void cut(struct thread *thread, uint64_t start, uint64_t end, uint32_t kinds)
{
	struct mapping rest[2];
	struct mapping m;
	unsigned int i = 0;

	while (i < mappings.count) {
		m = mappings.table[i];
		if (m.start >= end || m.end <= start || !(kinds & 1U << (m.kind & 31))) {
			i++;
			continue;
		}
		mapping_untell(thread, &mappings.table[i]);
		mappings.table[i] = mappings.table[--mappings.count];
		rest[0] = rest[1] = m;
		rest[0].end = start;
		rest[1].start = end;
		rest[1].offset += end - m.start;
		if (m.start < start)
			insert(thread, &rest[0]);
		if (m.end > end)
			insert(thread, &rest[1]);
	}
}

#define ALL_KINDS 0xffffffffU

static uint64_t page_up(uint64_t address)
{
	return (address + PAGE_BYTES - 1) & ~(PAGE_BYTES - 1);
}

void mappings_add(struct thread *thread, const struct mapping *mapping)
{
	lock_all();
	cut(thread, mapping->start, mapping->end, ALL_KINDS);
	insert(thread, mapping);
	unlock_all();
}

void mappings_remove(struct thread *thread, uint64_t start, uint64_t end)
{
	lock_all();
	cut(thread, start, page_up(end), ALL_KINDS);
	unlock_all();
}

void mappings_seal(struct thread *thread, uint64_t start, uint64_t end)
{
	lock_all();
	cut(thread, start, page_up(end), 1U << STREAM_REGION_GLOBAL);
	unlock_all();
}

void mappings_move(struct thread *thread, uint64_t from, uint64_t old_bytes, uint64_t to,
		   uint64_t new_bytes)
{
	struct mapping m = {0};
	bool known = mappings_find(from, &m);

	lock_all();
	if (known) {
		m.offset += from - m.start;
		m.start = to;
		m.end = page_up(to + new_bytes);
	}
	if (old_bytes)
		cut(thread, from, page_up(from + old_bytes), ALL_KINDS);
	cut(thread, to, page_up(to + new_bytes), ALL_KINDS);
	if (known)
		insert(thread, &m);
	unlock_all();
}

bool mappings_find(uint64_t address, struct mapping *mapping)
{
	bool found = false;
	unsigned int i;

	lock_all();
	for (i = 0; i < mappings.count && !found; i++) {
		found = address >= mappings.table[i].start && address < mappings.table[i].end;
		if (found)
			*mapping = mappings.table[i];
	}
	unlock_all();
	return found;
}

bool mappings_before(uint64_t end, struct mapping *mapping)
{
	bool found = false;
	unsigned int i;

	lock_all();
	for (i = 0; i < mappings.count && !found; i++) {
		found = mappings.table[i].end == end;
		if (found)
			*mapping = mappings.table[i];
	}
	unlock_all();
	return found;
}

void mappings_begin(struct thread *thread)
{
	unsigned int i;

	lock_all();
	for (i = 0; i < mappings.count; i++) {
		if (mapping_is_told(&mappings.table[i]))
			mapping_tell(thread, &mappings.table[i]);
	}
	unlock_all();
}

void mappings_forked(void)
{
	unsigned int i = 0;
	struct mapping *m;

	lock_all();
	while (i < mappings.count) {
		m = &mappings.table[i];
		if (mapping_is_shared(m)) {
			i++;
			continue;
		}
		if (mapping_counts(m))
			pages_set(m->start, m->end, false);
		*m = mappings.table[--mappings.count];
	}
	unlock_all();
}

uint64_t mappings_translate(uint64_t address)
{
	uint64_t distance = 0;

	ranges_find(&aliases, address, &distance);
	return address + distance;
}
