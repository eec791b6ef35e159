// SPDX-License-Identifier: MIT
/*
 * Place plan: makes the runs of pages of each region, and the memory that `smile place` shares with
 * the program.
 */
#include "lib/analysis/place/place_plan.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <base/array.h>
#include <smile/monitor.h>

/* The lowest file descriptor for the plan. It is so high that no program expects it to be free. */
#define PLAN_FD_MIN 500

/**
 * struct run_of - A run and its region. Runs are sorted by region before they are copied into the
 * plan.
 * @region: index of the region
 * @run: the run
 */
struct run_of {
	size_t region;
	struct plan_run run;
};

/**
 * struct runs - A growing array of runs.
 */
struct runs {
	struct run_of *items;
	size_t count;
	size_t room;
};

static int by_region(const void *left, const void *right)
{
	const struct run_of *a = left, *b = right;

	if (a->region != b->region)
		return a->region < b->region ? -1 : 1;
	return a->run.first < b->run.first ? -1 : a->run.first > b->run.first;
}

static uint32_t is_refused(const struct place_nodes *nodes, uint64_t node)
{
	for (uint32_t i = 0; i < nodes->count; i++)
		if (nodes->node[i] == node)
			return 0;
	return 1;
}

/* Add the runs of the placed pages of a region. Return: 0; -ENOMEM. */
static int runs_of_owner(struct runs *runs, const struct place_request *request,
			 const struct place_nodes *nodes, const struct page_range *owner,
			 size_t *at)
{
	const struct page_ranges *placed = &request->placed;

	while (*at < placed->count && placed->items[*at].last < owner->first)
		++*at;
	for (size_t i = *at; i < placed->count && placed->items[i].first <= owner->last; i++) {
		const struct page_range *range = &placed->items[i];
		struct run_of *item;

		if (array_reserve(&runs->items, &runs->room, runs->count, sizeof(*runs->items)) < 0)
			return -ENOMEM;
		item = &runs->items[runs->count++];
		item->region = owner->value;
		item->run = (struct plan_run){
			.first = range->first > owner->first ? range->first : owner->first,
			.last = range->last < owner->last ? range->last : owner->last,
			.node = (uint32_t)range->value,
			.refused = is_refused(nodes, range->value),
		};
	}
	return 0;
}

static int runs_make(struct runs *runs, const struct place_request *request,
		     const struct place_nodes *nodes)
{
	size_t at = 0;

	for (size_t i = 0; i < request->owners.count; i++)
		if (runs_of_owner(runs, request, nodes, &request->owners.items[i], &at) < 0)
			return -ENOMEM;
	if (runs->count)
		qsort(runs->items, runs->count, sizeof(*runs->items), by_region);
	return 0;
}

static uint64_t unnamed_count(const struct place_request *request, const struct runs *runs)
{
	uint64_t pages = 0;

	for (size_t i = 0; i < request->placed.count; i++)
		pages += request->placed.items[i].last - request->placed.items[i].first + 1;
	for (size_t i = 0; i < runs->count; i++)
		pages -= runs->items[i].run.last - runs->items[i].run.first + 1;
	return pages;
}

/* ---- the shared memory ----------------------------------------------------------------------- */

static int plan_map(struct place_plan *plan, const struct plan_header *header)
{
	int fd = memfd_create(PLAN_FILE, MFD_CLOEXEC);

	/* The descriptor is not close-on-exec, so that the program inherits it. */
	plan->fd = fd < 0 ? -1 : fcntl(fd, F_DUPFD, PLAN_FD_MIN);
	if (fd >= 0 && plan->fd < 0)
		plan->fd = fcntl(fd, F_DUPFD, 3);
	if (fd >= 0)
		close(fd);
	if (plan->fd >= 0 && !ftruncate(plan->fd, (off_t)header->bytes))
		plan->header =
			mmap(NULL, header->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, plan->fd, 0);
	if (plan->fd < 0 || !plan->header || plan->header == MAP_FAILED) {
		plan->header = NULL;
		return Monitor_error_set(errno, "no memory that the program can share: %s",
					 strerror(errno));
	}
	memcpy(plan->header, header, sizeof(*header));
	return 0;
}

/* Copy @text. If @to is too small, copy the end of the text. */
static void end_copy(char *to, size_t room, const char *text)
{
	size_t length = strlen(text);

	strcpy(to, length < room ? text : text + length - room + 1);
}

static uint32_t plan_kind(enum placement_region_kind kind)
{
	switch (kind) {
	case PLACEMENT_BLOCK:
		return PLAN_BLOCK;
	case PLACEMENT_NAMED:
		return PLAN_NAMED;
	case PLACEMENT_PRIVATE:
		return PLAN_PRIVATE;
	case PLACEMENT_SHARED:
		return PLAN_SHARED_MAPPING;
	default:
		return PLAN_DATA;
	}
}

static void region_fill(struct plan_region *to, const struct place_region *from)
{
	*to = (struct plan_region){
		.kind = plan_kind(from->line.region),
		.object = from->lost ? PLAN_NO_OBJECT : from->object,
		.nth = (uint32_t)from->line.nth,
		.start = from->line.start,
		.bytes = from->line.bytes,
		.link = from->line.link,
		.now = from->bytes,
	};
	if (from->line.region == PLACEMENT_NAMED)
		strncpy(to->name, from->name, sizeof(to->name) - 1);
	else if (to->kind >= PLAN_PRIVATE)
		end_copy(to->name, sizeof(to->name), from->path);
}

/*
 * Find the region that contains the lock of an order. A lock can be found only if it is in the data
 * of an object. Return: whether the lock was found.
 */
static int order_find(const struct place_request *request, const struct place_order *order,
		      struct plan_order *to)
{
	const struct page_range *owner =
		page_ranges_find(&request->owners, order->lock / SMILE_PAGE_BYTES);
	const struct place_region *region = owner ? &request->regions[owner->value] : NULL;

	if (!region || region->lost || region->object == PLAN_NO_OBJECT ||
	    (region->line.region != PLACEMENT_DATA && region->line.region != PLACEMENT_VARIABLE) ||
	    order->lock < region->line.start ||
	    order->lock >= region->line.start + region->line.bytes)
		return 0;
	*to = (struct plan_order){
		.link = region->line.link + (order->lock - region->line.start),
		.object = region->object,
		.count = (uint32_t)order->count,
	};
	return 1;
}

static void orders_fill(struct place_plan *plan, const struct place_request *request)
{
	struct plan_header *header = plan->header;
	struct plan_order *orders = (struct plan_order *)((char *)header + header->orders_at);
	uint32_t *threads = (uint32_t *)((char *)header + header->threads_at), first = 0;

	header->orders = 0;
	for (size_t i = 0; i < request->order_count; i++) {
		const struct place_order *order = &request->orders[i];
		struct plan_order *to = &orders[header->orders];

		if (!order_find(request, order, to)) {
			plan->lost_locks[plan->lost_lock_count++] = order->lock;
			continue;
		}
		to->first = first;
		memcpy(threads + first, order->threads, order->count * sizeof(*threads));
		first += to->count;
		header->orders++;
	}
}

static void plan_fill(struct place_plan *plan, const struct place_request *request,
		      const struct runs *runs)
{
	struct plan_object *objects =
		(struct plan_object *)((char *)plan->header + plan->header->objects_at);
	struct plan_region *regions = place_plan_regions(plan);
	struct plan_run *to = (struct plan_run *)((char *)plan->header + plan->header->runs_at);

	for (size_t i = 0; i < request->object_count; i++) {
		end_copy(objects[i].path, sizeof(objects[i].path), request->objects[i].path);
		objects[i].program = (uint64_t)request->objects[i].program;
	}
	for (size_t i = 0; i < request->region_count; i++)
		region_fill(&regions[i], &request->regions[i]);
	for (size_t i = 0; i < runs->count; i++) {
		struct plan_region *region = &regions[runs->items[i].region];

		to[i] = runs->items[i].run;
		if (!region->runs++)
			region->first_run = i;
		region->pages += to[i].last - to[i].first + 1;
	}
	for (size_t i = 0; i < request->region_count; i++)
		place_scale_find(&regions[i], to + regions[i].first_run);
	orders_fill(plan, request);
}

int place_plan_make(struct place_plan *plan, const struct place_request *request,
		    const struct place_nodes *nodes, uint32_t threads_on)
{
	struct runs runs = {0};
	struct plan_header header = {
		.magic = PLAN_MAGIC,
		.objects = (uint32_t)request->object_count,
		.regions = (uint32_t)request->region_count,
		.nodes = threads_on,
	};
	int error;

	*plan = (struct place_plan){.fd = -1};
	plan->lost_locks = calloc(request->order_count + 1, sizeof(*plan->lost_locks));
	if (!plan->lost_locks || runs_make(&runs, request, nodes) < 0) {
		free(runs.items);
		return Monitor_error_set(ENOMEM, "no memory for the placement");
	}
	memcpy(header.node, nodes->node, sizeof(header.node));
	header.runs = (uint32_t)runs.count;
	header.runs_at = sizeof(header);
	header.regions_at = header.runs_at + runs.count * sizeof(struct plan_run);
	header.objects_at = header.regions_at + header.regions * sizeof(struct plan_region);
	header.orders_at = header.objects_at + header.objects * sizeof(struct plan_object);
	header.threads_at = header.orders_at + request->order_count * sizeof(struct plan_order);
	header.bytes = header.threads_at;
	for (size_t i = 0; i < request->order_count; i++)
		header.bytes += request->orders[i].count * sizeof(uint32_t);
	error = plan_map(plan, &header);
	if (!error) {
		plan_fill(plan, request, &runs);
		plan->unnamed = unnamed_count(request, &runs);
	}
	free(runs.items);
	return error;
}

void place_plan_free(struct place_plan *plan)
{
	if (plan->header)
		munmap(plan->header, plan->header->bytes);
	if (plan->fd >= 0)
		close(plan->fd);
	free(plan->lost_locks);
}
