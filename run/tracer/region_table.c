/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The stream's table of regions. See region_table.h. This file may use the channel and memory.
 *
 * An entry is free if its region was unmapped, and the reader has replayed all its UNMAP records. A
 * thread that takes an entry first sets @gone to 2, so that no other thread takes it.
 */
#include "run/tracer/region_table.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/tracer/channel.h"
#include "run/tracer/mappings.h"
#include "run/tracer/counted_pages.h"
#include "run/tracer/displaced.h"
#include "run/tracer/process.h"

#define PLACES 4096U /* a power of two */
#define GONE 1U
#define TAKEN 2U

/*
 * For each hash of a start address, the index plus 1 of the region that was last entered with this
 * hash.
 */
static uint16_t places[PLACES];
/* Index at which the next search for a free entry starts. */
static uint32_t next_free;

_Static_assert(STREAM_REGIONS < UINT16_MAX, "places");

struct stream_region *regions_at(int32_t index)
{
	return (struct stream_region *)((char *)stream + STREAM_REGIONS_AT) + index;
}

static uint16_t *place_of(uint64_t start)
{
	return &places[(start >> PAGE_SHIFT) * 0x9e3779b97f4a7c15ULL >> 52 & (PLACES - 1)];
}

static uint32_t region_count(void)
{
	uint32_t count = atomic_load(&stream->regions);

	return count < STREAM_REGIONS ? count : STREAM_REGIONS;
}

/*
 * Memory of smile_alloc() is shared by all copies of a program, and has the same address in all of
 * them.
 */
uint32_t regions_number(const struct mapping *m)
{
	return m->kind == STREAM_REGION_NAMED ? process.program : process.number;
}

uint64_t regions_distance(const struct mapping *m)
{
	return displaced_in(regions_number(m), m->start) - m->start;
}

/* Get the bias that the stream has for a mapping. */
static uint64_t region_bias(const struct mapping *m)
{
	if (m->kind != STREAM_REGION_CODE && m->kind != STREAM_REGION_GLOBAL)
		return m->bias;
	return m->bias + regions_distance(m);
}

static bool region_is(const struct stream_region *r, const struct mapping *m)
{
	return r->start == m->start + regions_distance(m) &&
	       r->end == m->end + regions_distance(m) && r->pid == (uint32_t)getpid() &&
	       r->kind == m->kind && r->offset == m->offset && r->inode == m->inode &&
	       r->device == m->device && r->bias == region_bias(m) && !strcmp(r->path, m->path);
}

/*
 * If a mapping appears again at the same addresses, as large blocks of malloc() do, reuse its
 * entry. Return: the index; -1 if there is no such entry.
 */
static int32_t region_again(const struct mapping *m)
{
	int32_t index = (int32_t)*place_of(m->start) - 1;
	struct stream_region *r = regions_at(index);
	uint32_t gone = GONE;
	bool same;

	if (index < 0 || !atomic_compare_exchange_strong(&r->gone, &gone, TAKEN))
		return -1;
	same = region_is(r, m);
	atomic_store(&r->gone, same ? 0 : GONE);
	return same ? index : -1;
}

static bool region_free(struct stream_region *r)
{
	return r->gone == GONE && r->done == r->reported;
}

static bool region_take(struct stream_region *r)
{
	uint32_t gone = GONE;

	if (!region_free(r) || !atomic_compare_exchange_strong(&r->gone, &gone, TAKEN))
		return false;
	if (r->done == r->reported)
		return true;
	atomic_store(&r->gone, GONE);
	return false;
}

static int32_t region_find(void)
{
	uint32_t at = atomic_load(&stream->regions);
	uint32_t i;

	/* First take the entries that were never used, because they need no search. */
	while (at < STREAM_REGIONS) {
		if (atomic_compare_exchange_weak(&stream->regions, &at, at + 1))
			return (int32_t)at;
	}
	for (i = 0; i < STREAM_REGIONS; i++) {
		at = (next_free + i) % STREAM_REGIONS;
		if (region_take(regions_at((int32_t)at))) {
			next_free = at + 1;
			return (int32_t)at;
		}
	}
	/* This count tells the reader that there was no entry for a region. */
	atomic_fetch_add(&stream->regions, 1);
	return -1;
}

int32_t regions_enter(const struct mapping *m)
{
	int32_t index = region_again(m);
	struct stream_region *r;

	if (index >= 0)
		return index;
	index = region_find();
	if (index < 0)
		return -1;
	r = regions_at(index);
	if (regions_number(m))
		displaced_adjoin(m->start, m->end);
	r->start = m->start + regions_distance(m);
	r->end = m->end + regions_distance(m);
	r->offset = m->offset;
	r->device = m->device;
	r->inode = m->inode;
	r->pid = (uint32_t)getpid();
	r->kind = m->kind;
	r->bias = region_bias(m);
	memcpy(r->path, m->path, sizeof(r->path));
	atomic_store(&r->done, 0);
	atomic_store(&r->reported, 0);
	atomic_store(&r->gone, 0);
	*place_of(m->start) = (uint16_t)(index + 1);
	return index;
}

void regions_leave(int32_t index)
{
	struct stream_region *r = regions_at(index);

	atomic_fetch_add(&r->reported, 1);
	atomic_store(&r->gone, GONE);
}

/* Check whether the region is mapped, and is a mapping of the same shared memory. */
static bool region_shares(const struct stream_region *r, const struct mapping *m)
{
	return !r->gone && r->device == m->device && r->inode == m->inode &&
	       (r->kind == STREAM_REGION_SHARED || r->kind == STREAM_REGION_NAMED);
}

static bool mapping_shares(const struct mapping *m)
{
	return m->kind == STREAM_REGION_SHARED && m->inode;
}

uint64_t regions_part(const struct mapping *m)
{
	uint32_t count = mapping_shares(m) ? region_count() : 0;
	uint64_t bytes = m->end - m->start, end;
	const struct stream_region *r;
	uint32_t i;

	for (i = 0; i < count; i++) {
		r = regions_at((int32_t)i);
		end = r->offset + (r->end - r->start);
		if (!region_shares(r, m) || end <= m->offset || r->offset >= m->offset + bytes)
			continue;
		if (r->offset > m->offset)
			bytes = r->offset - m->offset;
		else if (end < m->offset + bytes)
			bytes = end - m->offset;
	}
	return m->start + bytes;
}

int32_t regions_first(const struct mapping *m, uint64_t *distance)
{
	uint32_t count = region_count();
	const struct stream_region *r;
	uint32_t i;

	if (!mapping_shares(m))
		return -1;
	for (i = 0; i < count; i++) {
		r = regions_at((int32_t)i);
		if (!region_shares(r, m))
			continue;
		if (m->offset < r->offset ||
		    m->offset + (m->end - m->start) > r->offset + (r->end - r->start))
			continue;
		*distance = r->start + (m->offset - r->offset) - m->start;
		return *distance != displaced(m->start) - m->start ? (int32_t)i : -1;
	}
	return -1;
}

/* Check whether all entries are in use, but some of them will become free. */
static bool region_short(void)
{
	bool some = false;
	uint32_t i;

	for (i = 0; i < STREAM_REGIONS; i++) {
		struct stream_region *r = regions_at((int32_t)((next_free + i) % STREAM_REGIONS));

		if (region_free(r))
			return false;
		some |= r->gone == GONE;
	}
	return some;
}

void regions_await(struct thread *thread)
{
	static const struct timespec moment = {.tv_nsec = 500000};
	struct stream_channel *channel = thread->channel;

	if (atomic_load(&stream->regions) < STREAM_REGIONS)
		return;
	/*
	 * Wait only while the reader has words of this thread to replay. Otherwise the reader might
	 * itself wait for this thread.
	 */
	while (channel && !thread->ended && !atomic_load(&stream->stop) &&
	       atomic_load(&channel->tail) != atomic_load(&channel->head) && region_short())
		nanosleep(&moment, NULL);
}
