// SPDX-License-Identifier: MIT
/*
 * Live sums: finds the hottest pages.
 *
 * What lives here: a binary heap of limited size, which keeps the hottest of all pages; and the
 * search for the node that accesses each of these pages most. May use the public API and memory.h.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/live/live_sums_inside.h"
#include "lib/analysis/memory.h"

static struct live_sum sum_since(const struct sums_page *page)
{
	const struct live_sum *now = &page->sums[SUMS_NOW], *before = &page->sums[SUMS_BEFORE];

	return (struct live_sum){
		.accesses = now->accesses - before->accesses,
		.reads = now->reads - before->reads,
		.writes = now->writes - before->writes,
		.locks = now->locks - before->locks,
	};
}

/* An access with an untyped tag costs as much as a read, as in Monitor_advice(). */
static uint64_t cost_of(const struct live_sums *sums, const struct live_sum *sum)
{
	const struct Monitor_weights *weights = &sums->weights;
	uint64_t untyped = sum->accesses - sum->reads - sum->writes - sum->locks;

	return (sum->reads + untyped) * weights->read + sum->writes * weights->write +
	       sum->locks * weights->lock;
}

/**
 * struct page_heap - The hottest pages so far. The first item is the coolest page in the heap.
 * @items: shape [@count]
 * @capacity: largest number of pages
 */
struct page_heap {
	struct heap_item {
		uint64_t heat;
		const struct sums_page *page;
	} * items;
	size_t count;
	size_t capacity;
};

/*
 * If two pages are equally hot, the page with more accesses in total comes first, and then the page
 * with the lower number and home.
 */
static int is_cooler(const struct heap_item *a, const struct heap_item *b)
{
	if (a->heat != b->heat)
		return a->heat < b->heat;
	if (a->page->sums[SUMS_NOW].accesses != b->page->sums[SUMS_NOW].accesses)
		return a->page->sums[SUMS_NOW].accesses < b->page->sums[SUMS_NOW].accesses;
	if (a->page->page != b->page->page)
		return a->page->page > b->page->page;
	return a->page->home > b->page->home;
}

static void item_swap(struct heap_item *a, struct heap_item *b)
{
	struct heap_item kept = *a;

	*a = *b;
	*b = kept;
}

static void heap_down(struct page_heap *heap, size_t at)
{
	for (;;) {
		size_t coolest = at;

		for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < heap->count; child++)
			if (is_cooler(&heap->items[child], &heap->items[coolest]))
				coolest = child;
		if (coolest == at)
			return;
		item_swap(&heap->items[at], &heap->items[coolest]);
		at = coolest;
	}
}

static void heap_offer(struct page_heap *heap, struct heap_item item)
{
	size_t at;

	if (heap->count == heap->capacity) {
		if (!heap->capacity || !is_cooler(&heap->items[0], &item))
			return;
		heap->items[0] = item;
		heap_down(heap, 0);
		return;
	}
	at = heap->count++;
	heap->items[at] = item;
	for (; at && is_cooler(&heap->items[at], &heap->items[(at - 1) / 2]); at = (at - 1) / 2)
		item_swap(&heap->items[at], &heap->items[(at - 1) / 2]);
}

static uint64_t heat_of(const struct live_sums *sums, const struct sums_page *page,
			enum live_order order)
{
	struct live_sum sum = sum_since(page);

	switch (order) {
	case LIVE_BY_RATE:
		return sum.accesses;
	case LIVE_BY_COST:
		return cost_of(sums, &sum);
	case LIVE_BY_TOTAL_COST:
		return cost_of(sums, &page->sums[SUMS_NOW]);
	default:
		return page->sums[SUMS_NOW].accesses;
	}
}

static struct live_page page_report(const struct live_sums *sums, const struct sums_page *page)
{
	struct live_page reported = {
		.page = page->page,
		.home = page->home,
		.total = page->sums[SUMS_NOW],
		.now = sum_since(page),
	};

	reported.cost = cost_of(sums, &reported.total);
	reported.cost_now = cost_of(sums, &reported.now);
	return reported;
}

static void dominant_set(struct live_page *page, const uint64_t *counts, size_t nodes)
{
	for (size_t n = 0; n < nodes; n++) {
		page->nodes_accesses += counts[n];
		if (counts[n] <= page->dominant_accesses)
			continue;
		page->dominant_accesses = counts[n];
		page->dominant = (uint32_t)n;
	}
}

/*
 * Find the dominating node of each page. To get all accesses of a page in one section, ask for
 * sections of the size of a page.
 */
static int dominant_find(struct Monitor *mon, struct live_page *pages, size_t count)
{
	int seen = Monitor_nodes(mon), error = 0;
	size_t nodes = seen > 0 ? (size_t)seen : 1;
	uint64_t *counts = analysis_memory(nodes, sizeof(*counts));

	if (!counts)
		return -ENOMEM;
	for (size_t i = 0; !error && i < count; i++) {
		error = Monitor_sections_info(mon, pages[i].home, pages[i].page, SMILE_PAGE_BYTES,
					      counts, NULL, nodes);
		if (error >= 0)
			dominant_set(&pages[i], counts, nodes);
		error = error == -ENOMEM ? error : 0;
	}
	free(counts);
	return error;
}

void live_sums_hot(struct live_sums *sums, const struct hot_threshold *hot)
{
	sums->hot = *hot;
}

size_t live_sums_hot_pages(const struct live_sums *sums, uint64_t *least)
{
	uint64_t all = 0;
	size_t count = 0;

	for (size_t i = 0; i < sums->count; i++)
		all += sums->pages[i].sums[SUMS_NOW].accesses;
	*least = hot_threshold_least(&sums->hot, all);
	for (size_t i = 0; i < sums->count; i++)
		count += sums->pages[i].sums[SUMS_NOW].accesses >= *least;
	return count;
}

int live_sums_top(const struct live_sums *sums, struct Monitor *mon, enum live_order order,
		  struct live_page *pages, size_t capacity)
{
	struct page_heap heap = {.capacity = capacity};
	uint64_t least = 0;
	size_t count = sums->count;
	int error;

	if (sums->hot.text)
		count = live_sums_hot_pages(sums, &least);
	if (capacity > count)
		heap.capacity = count;
	if (!heap.capacity)
		return 0;
	heap.items = analysis_memory(heap.capacity, sizeof(*heap.items));
	if (!heap.items)
		return -ENOMEM;
	for (size_t i = 0; i < sums->count; i++) {
		struct heap_item item = {heat_of(sums, &sums->pages[i], order), &sums->pages[i]};

		if (sums->pages[i].sums[SUMS_NOW].accesses >= least)
			heap_offer(&heap, item);
	}
	count = heap.count;
	/* Remove the pages from the heap, the coolest page first. */
	while (heap.count) {
		pages[heap.count - 1] = page_report(sums, heap.items[0].page);
		heap.items[0] = heap.items[--heap.count];
		heap_down(&heap, 0);
	}
	free(heap.items);
	error = count ? dominant_find(mon, pages, count) : 0;
	return error < 0 ? error : (int)count;
}
