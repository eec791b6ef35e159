/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Code that is mapped twice. See code_views.h. May use mappings, counted pages, and address ranges.
 */
#include "run/tracer/code_views.h"

#include "run/tracer/address_ranges.h"
#include "run/tracer/counted_pages.h"

#define CODES 256U

/* Executable parts of shared mappings. If the list is full, further parts are not added. */
static struct code {
	uint64_t start;
	uint64_t end;
	uint64_t offset;
	uint64_t device;
	uint64_t inode;
} codes[CODES];
static unsigned int codes_count;

/* Memory that has code at another address. The value of a range is the distance to the code. */
static struct address_ranges views;
_Atomic bool code_views_exist;

static void join(const struct mapping *view, const struct code *code)
{
	uint64_t from = higher(view->offset, code->offset);
	uint64_t to = lower(view->offset + view->end - view->start,
			    code->offset + code->end - code->start);
	uint64_t start = view->start + from - view->offset;
	uint64_t target = code->start + from - code->offset;

	if (view->device != code->device || view->inode != code->inode || from >= to ||
	    start == target || address_ranges_find(&views, start, NULL) ||
	    address_ranges_add(&views, start, start + to - from, target - start) < 0)
		return;
	/* The tracer must not treat stores to these pages as simple accesses. */
	pages_alias(start, start + to - from);
	code_views_exist = true;
}

static bool is_code(uint64_t address)
{
	unsigned int i;

	for (i = 0; i < codes_count; i++)
		if (address >= codes[i].start && address < codes[i].end)
			return true;
	return false;
}

static void seen(const struct mapping *view, void *opaque)
{
	if (!is_code(view->start))
		join(view, opaque);
}

void code_views_add(const struct mapping *m)
{
	struct code *code;

	code_views_end(m->start, m->end);
	if (codes_count == CODES)
		return;
	code = &codes[codes_count++];
	*code = (struct code){m->start, m->end, m->offset, m->device, m->inode};
	mappings_visit_shared(seen, code);
}

void code_views_see(const struct mapping *view)
{
	unsigned int i;

	for (i = 0; i < codes_count; i++)
		join(view, &codes[i]);
}

/* Remove the views of the code in [start, end). */
static void views_end(uint64_t start, uint64_t end)
{
	uint64_t from, to, distance;
	uint32_t i;

	for (i = 0; i < views.count; i++) {
		distance = views.range[i].value;
		from = higher(views.range[i].start, start - distance);
		to = lower(views.range[i].end, end - distance);
		if (from < to)
			address_ranges_cut(&views, from, to);
	}
}

void code_views_end(uint64_t start, uint64_t end)
{
	struct code code;
	unsigned int i = 0;

	if (!codes_count)
		return;
	views_end(start, end);
	while (i < codes_count) {
		code = codes[i];
		if (code.start >= end || code.end <= start) {
			i++;
			continue;
		}
		if (code.start < start) {
			codes[i++].end = start;
		} else {
			codes[i] = codes[--codes_count];
		}
		if (code.end > end && codes_count < CODES) {
			code.offset += end - code.start;
			code.start = end;
			codes[codes_count++] = code;
		}
	}
}

void code_views_cut(uint64_t start, uint64_t end)
{
	code_views_end(start, end);
	if (code_views_exist)
		address_ranges_cut(&views, start, end);
}

/* Write a byte without changing it. */
static void write_same(uint64_t address)
{
	uint8_t *byte = (uint8_t *)(uintptr_t)address;

#ifdef __x86_64__
	/* An atomic operation of the compiler could become a load, because it changes nothing. */
	__asm__ volatile("lock orb $0, %0" : "+m"(*byte) : : "cc", "memory");
#else
	__atomic_fetch_or((volatile uint8_t *)byte, 0, __ATOMIC_SEQ_CST);
#endif
}

void code_views_wrote(uint64_t address, uint64_t bytes)
{
	uint64_t distance;

	/*
	 * QEMU handles the fault of this write like the fault of a write by the program. If the
	 * access crosses the end of a page, both pages must be written.
	 */
	if (address_ranges_find(&views, address, &distance))
		write_same(address + distance);
	if (page_down(address) != page_down(address + bytes - 1) &&
	    address_ranges_find(&views, address + bytes - 1, &distance))
		write_same(address + bytes - 1 + distance);
}
