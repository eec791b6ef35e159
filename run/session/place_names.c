// SPDX-License-Identifier: MIT
/*
 * run/session: a placement for a run that differs from the recorded one.
 *
 * What lives here: the search for the placement's regions by their names, as `smile place`
 * searches. The search is needed if the program is another build or has other arguments, because
 * the recorded addresses may then contain other data. If a region is found, its pages are placed.
 * If the region has another size than the recorded one, the placement is scaled. A region that is
 * not found is reported by its name. Mappings are not searched, because malloc() creates mappings
 * of the same sizes. If the build and the arguments are the recorded ones, the recorded addresses
 * apply, and only the sizes are compared.
 */
#include "run/allocations/allocations.h"
#include "run/session/session_inside.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/analysis/place/place_plan.h"
#include "run/place/region_match.h"

/* The largest number of regions that a message names. */
#define NAMES_SHOWN 8

/**
 * struct place_family - Regions whose names differ only in their number.
 * @match: name and sizes of the family, for match_number()
 * @region: by number, the index of the region; MATCH_NONE: the placement has no region with this
 *          number
 */
struct place_family {
	struct match_family match;
	uint32_t *region;
};

/**
 * struct place_names - The placement's regions in this run.
 * @run: the run
 * @request: the placement
 * @plan: the placement as runs of pages
 * @regions: regions of the plan
 * @families: the families of the regions; shape [@family_count]
 * @family_count: number of families
 * @biases: load address of each object; MATCH_NOWHERE: the object is not loaded yet
 * @real: path of the program's file
 * @follows: pages are placed by the names of regions; otherwise only sizes are compared
 * @stays: all files are the recorded ones, so their constants are at the recorded addresses
 * @failed: there was no memory to place a page
 */
struct place_names {
	struct run *run;
	struct place_request request;
	struct place_plan plan;
	struct plan_region *regions;
	struct place_family *families;
	uint32_t family_count;
	uint64_t *biases;
	char *real;
	bool follows;
	bool stays;
	bool failed;
};

/* ---- the beginning --------------------------------------------------------------------------- */

static struct place_family *family_of(struct place_names *names, uint32_t index)
{
	for (uint32_t i = 0; i < names->family_count; i++)
		if (match_alike(&names->regions[names->families[i].match.first],
				&names->regions[index]))
			return &names->families[i];
	names->families[names->family_count].match.first = index;
	return &names->families[names->family_count++];
}

static bool has_family(const struct plan_region *region)
{
	return region->kind == PLAN_BLOCK || region->kind == PLAN_NAMED;
}

static int families_make(struct place_names *names)
{
	uint32_t count = names->plan.header->regions;

	names->families = calloc(count + 1, sizeof(*names->families));
	names->biases = calloc(names->request.object_count + 1, sizeof(*names->biases));
	if (!names->families || !names->biases)
		return -1;
	for (size_t i = 0; i < names->request.object_count; i++)
		names->biases[i] = MATCH_NOWHERE;
	for (uint32_t i = 0; i < count; i++) {
		struct match_family *match;

		if (!has_family(&names->regions[i]))
			continue;
		match = &family_of(names, i)->match;
		if (match->limit <= names->regions[i].nth)
			match->limit = names->regions[i].nth + 1;
	}
	for (uint32_t f = 0; f < names->family_count; f++) {
		struct place_family *family = &names->families[f];

		family->match.addresses =
			calloc(family->match.limit, sizeof(*family->match.addresses));
		family->region = malloc(family->match.limit * sizeof(*family->region));
		if (!family->match.addresses || !family->region)
			return -1;
		memset(family->region, 0xff, family->match.limit * sizeof(*family->region));
	}
	for (uint32_t i = 0; i < count; i++)
		if (has_family(&names->regions[i]))
			family_of(names, i)->region[names->regions[i].nth] = i;
	return 0;
}

static bool is_changed(const struct place_request *request)
{
	for (size_t i = 0; i < request->object_count; i++)
		if (request->objects[i].changed)
			return true;
	return false;
}

static void differences_report(struct place_names *names)
{
	const struct place_request *request = &names->request;
	char text[1024];
	int differs = place_request_differs(request, names->run->arguments, text, sizeof(text));

	names->stays = differs < 2 && !is_changed(request);
	if (differs) {
		names->follows = true;
		run_message("%s: %s; so its regions are found by their names, not by addresses",
			    request->file, text);
	}
	for (size_t i = 0; i < request->object_count; i++) {
		if (!request->objects[i].changed)
			continue;
		names->follows = true;
		run_message("%s: %s is not the build that was recorded: %zu of its variables are "
			    "found by their names, %zu other regions are not; record it again for "
			    "a new placement",
			    request->file, request->objects[i].file, request->objects[i].found,
			    request->objects[i].lost);
	}
}

int run_names_begin(struct run *run, const char *file)
{
	struct place_names *names = calloc(1, sizeof(*names));
	struct place_nodes nodes = {.count = machine_nodes(run->machine)};
	int err;

	run->names = names;
	if (!names)
		return run_error(-ENOMEM, "no memory for the placement");
	names->run = run;
	names->plan.fd = -1;
	for (uint32_t n = 0; n < nodes.count && n < PLAN_NODES_MAX; n++)
		nodes.node[n] = n;
	err = place_request_load(&names->request, file, 1);
	if (!err && names->request.region_count && names->request.placed.count)
		err = place_builds_check(&names->request, run->program);
	if (!err && names->request.region_count && names->request.placed.count)
		err = place_plan_make(&names->plan, &names->request, &nodes, 0);
	if (err < 0)
		return run_error(err, "%s", Monitor_error_message());
	/* The placement has only pages with addresses. They are placed at these addresses. */
	if (!names->plan.header)
		return 0;
	names->real = realpath(run->program, NULL);
	names->regions = place_plan_regions(&names->plan);
	if (families_make(names) < 0)
		return run_error(-ENOMEM, "no memory for the placement");
	differences_report(names);
	return 0;
}

bool run_names_follow(const struct run *run)
{
	return run->names && run->names->follows;
}

bool run_names_stay(const struct run *run)
{
	return !run->names || !run->names->follows || run->names->stays;
}

bool run_names_keep_order(const struct run *run, uint64_t lock)
{
	const struct place_names *names = run->names;
	const struct page_range *owner;

	if (!names || !names->follows || !is_changed(&names->request))
		return true;
	owner = page_ranges_find(&names->request.owners, lock / SMILE_PAGE_BYTES);
	return owner && names->request.regions[owner->value].object != PLAN_NO_OBJECT &&
	       !names->request.objects[names->request.regions[owner->value].object].changed;
}

void run_names_free(struct run *run)
{
	struct place_names *names = run->names;

	if (!names)
		return;
	for (uint32_t f = 0; names->families && f < names->family_count; f++) {
		free(names->families[f].match.addresses);
		free(names->families[f].region);
	}
	free(names->families);
	free(names->biases);
	free(names->real);
	place_plan_free(&names->plan);
	place_request_free(&names->request);
	free(names);
	run->names = NULL;
}

/* ---- what appears ---------------------------------------------------------------------------- */

static void part_place(struct place_names *names, const struct plan_run *run, uint64_t first,
		       uint64_t end)
{
	if (run && end > first &&
	    machine_place(names->run->machine, first * MATCH_PAGE, (end - first) * MATCH_PAGE,
			  run->node, PLACEMENT_USER) < 0)
		names->failed = true;
}

static void region_begin(struct place_names *names, uint32_t index, uint64_t start, uint64_t bytes)
{
	struct plan_region *region = &names->regions[index];
	const struct plan_run *runs = (const struct plan_run *)((char *)names->plan.header +
								names->plan.header->runs_at) +
				      region->first_run;
	const struct plan_run *run = NULL;
	uint64_t page = start / MATCH_PAGE, first = page;
	uint32_t at = 0;

	if (!bytes || region->found)
		return;
	region->found = 1;
	region->found_bytes = bytes;
	region->known = (uint32_t)match_is_scaled(region, start, bytes);
	if (!names->follows)
		return;
	for (; page <= (start + bytes - 1) / MATCH_PAGE; page++) {
		const struct plan_run *next = match_run(region, runs, start, bytes, page, &at);

		if (next == run)
			continue;
		part_place(names, run, first, page);
		run = next;
		first = page;
	}
	part_place(names, run, first, page);
}

static void family_next(struct place_names *names, struct place_family *family, uint64_t start,
			uint64_t bytes)
{
	uint32_t number = match_number(&family->match, start);

	if (number != MATCH_NONE && family->region[number] != MATCH_NONE)
		region_begin(names, family->region[number], start, bytes);
}

static void object_loaded(struct place_names *names, const struct stream_region *loaded)
{
	for (uint32_t i = 0; i < names->request.object_count; i++) {
		const struct place_object *object = &names->request.objects[i];

		if (object->program ? !names->real || strcmp(names->real, loaded->path)
				    : !match_path(object->path, loaded->path))
			continue;
		names->biases[i] = loaded->bias;
		for (uint32_t r = 0; r < names->plan.header->regions; r++) {
			struct plan_region *region = &names->regions[r];
			uint64_t start = region->link + loaded->bias;

			if (region->kind == PLAN_DATA && region->object == i &&
			    start >= loaded->start && start < loaded->end)
				region_begin(names, r, start,
					     region->now ? region->now : region->bytes);
		}
	}
}

void run_names_region(void *opaque, unsigned index)
{
	struct run *run = opaque;
	struct place_names *names = run->names;
	const struct stream_region *region;

	if (!names || !names->regions)
		return;
	region = schedule_region(run->schedule, index, NULL);
	if (region->kind == STREAM_REGION_GLOBAL || region->kind == STREAM_REGION_CODE)
		object_loaded(names, region);
	for (uint32_t f = 0; region->kind == STREAM_REGION_NAMED && f < names->family_count; f++) {
		struct place_family *family = &names->families[f];
		const struct plan_region *like = &names->regions[family->match.first];

		if (like->kind == PLAN_NAMED && match_name(like, region->path))
			family_next(names, family, region->start, region->end - region->start);
	}
}

void run_names_block(struct run *run, const struct schedule_block *block)
{
	struct place_names *names = run->names;

	if (!names || !names->regions || block->bytes < ALLOCATIONS_LARGE_BYTES)
		return;
	for (uint32_t f = 0; f < names->family_count; f++) {
		struct place_family *family = &names->families[f];
		const struct plan_region *like = &names->regions[family->match.first];

		if (like->kind == PLAN_BLOCK && like->object != PLAN_NO_OBJECT &&
		    names->biases[like->object] != MATCH_NOWHERE &&
		    block->sites[0] == names->biases[like->object] + like->link) {
			family_next(names, family, block->address, block->bytes);
			return;
		}
	}
}

/* ---- the end --------------------------------------------------------------------------------- */

/**
 * struct listed - A list of names for a message.
 */
struct listed {
	char text[NAMES_SHOWN * (PLACE_NAME_BYTES + 64 +
				 sizeof(", "
					" ("
					")"))];
	size_t used;
	size_t count;
};

static void list_add(struct listed *listed, const char *name, const char *why)
{
	if (listed->count++ < NAMES_SHOWN)
		listed->used += (size_t)snprintf(listed->text + listed->used,
						 sizeof(listed->text) - listed->used, "%s%s%s%s%s",
						 listed->used ? ", " : "", name, *why ? " (" : "",
						 why, *why ? ")" : "");
}

static void list_report(const struct place_names *names, struct listed *listed, const char *what)
{
	char more[32] = "";

	if (listed->count > NAMES_SHOWN)
		snprintf(more, sizeof(more), " and %zu more", listed->count - NAMES_SHOWN);
	if (listed->count)
		run_message("%s: %s: %s%s", names->request.file, what, listed->text, more);
}

void run_names_end(struct run *run)
{
	struct listed lost = {0}, scaled = {0}, resized = {0};
	struct place_names *names = run->names;

	if (!names || !names->regions)
		return;
	for (uint32_t r = 0; r < names->plan.header->regions; r++) {
		const struct plan_region *region = &names->regions[r];
		char name[PLACE_NAME_BYTES], why[64];

		if (!region->pages)
			continue;
		place_region_name(&names->request.regions[r], name);
		snprintf(why, sizeof(why), "%" PRIu64 " bytes instead of %" PRIu64,
			 region->found_bytes, region->bytes);
		if (!region->found && names->follows)
			list_add(&lost, name,
				 names->request.regions[r].lost ? "another build" : "");
		else if (region->found && region->known && !names->follows)
			list_add(&resized, name, why);
		else if (region->found && region->known)
			list_add(region->scale ? &scaled : &lost, name, why);
	}
	list_report(names, &scaled, "scaled");
	list_report(names, &lost, "not placed");
	list_report(names, &resized, "placed by the recorded addresses, and of another size");
	if (names->follows && names->plan.unnamed)
		run_message("%s: not placed: %" PRIu64 " pages in no region, such as small blocks "
			    "of the heap and stacks",
			    names->request.file, names->plan.unnamed);
	if (names->failed)
		run_message("%s: no memory to place all of its pages", names->request.file);
}
