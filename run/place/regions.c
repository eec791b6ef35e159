/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Follows the regions of the plan in this process while they are allocated, placed and freed. This
 * file may use place.h.
 *
 * One lock protects all data of this file. A signal can interrupt a thread that holds the lock. If
 * its handler allocates memory, this memory is not placed (see the variable inside).
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/place/place.h"

#define FILTER_SLOTS 4096U
#define PATH_BYTES 4096U

/**
 * struct instance - A region of the plan that exists in this process.
 *
 * @live: whether the region exists now
 * @start: address of the region's first byte
 * @bytes: size of the region
 * @first: number of the region's first page
 * @last: number of the region's last page
 * @marks: a mark for each page, set by pages.c; may be NULL
 */
struct instance {
	bool live;
	uint64_t start;
	uint64_t bytes;
	uint64_t first;
	uint64_t last;
	unsigned char *marks;
};

/**
 * struct family - Regions whose names differ only in their number.
 *
 * @match: the argument for match_number()
 * @region: for each number, the index of the plan's region with that number; MATCH_NONE if the plan
 *          has no such region; shape [@match.limit]
 */
struct family {
	struct match_family match;
	uint32_t *region;
};

/*
 * A function that handles consecutive pages of an instance. All pages belong to the same run of the
 * plan.
 */
typedef void part_fn(struct plan_region *region, const struct plan_run *run, uint64_t first,
		     uint64_t last, unsigned char *marks);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool inside;
static struct instance *instances;
static struct family *families;
static uint32_t family_count;
static bool has_blocks, has_mappings;
/*
 * For each hash of a start address, the number of instances that start at an address with this
 * hash. If the number is 0, no search under the lock is needed.
 */
static _Atomic uint16_t filter[FILTER_SLOTS];

static bool enter(void)
{
	if (!place_on || inside)
		return false;
	inside = true;
	pthread_mutex_lock(&lock);
	return true;
}

static void leave(void)
{
	pthread_mutex_unlock(&lock);
	inside = false;
}

static _Atomic uint16_t *slot_of(uint64_t start)
{
	return &filter[(start >> 4) * 0x9e3779b97f4a7c15ULL >> 52];
}

/* ---- one region ------------------------------------------------------------------------------ */

static void parts(uint32_t index, part_fn *part)
{
	struct plan_region *region = &place_regions()[index];
	const struct instance *instance = &instances[index];
	const struct plan_run *runs = place_runs(region), *run = NULL;
	uint64_t first = 0;
	uint32_t at = 0;

	for (uint64_t page = instance->first; page <= instance->last + 1; page++) {
		const struct plan_run *next = page > instance->last
						      ? NULL
						      : match_run(region, runs, instance->start,
								  instance->bytes, page, &at);

		if (next == run)
			continue;
		if (run)
			part(region, run, first, page - 1,
			     instance->marks ? instance->marks + (first - instance->first) : NULL);
		run = next;
		first = page;
	}
}

static void part_put(struct plan_region *region, const struct plan_run *run, uint64_t first,
		     uint64_t last, unsigned char *marks)
{
	if (!run->refused)
		pages_put(first, last, run->node, marks);
}

static void part_prefer(struct plan_region *region, const struct plan_run *run, uint64_t first,
			uint64_t last, unsigned char *marks)
{
	if (!run->refused)
		pages_prefer(first, last, run->node);
}

static void part_look(struct plan_region *region, const struct plan_run *run, uint64_t first,
		      uint64_t last, unsigned char *marks)
{
	if (run->refused)
		region->results[PLAN_NO_NODE] += last - first + 1;
	else
		pages_look(first, last, run->node, marks, region->results);
}

static void part_forget(struct plan_region *region, const struct plan_run *run, uint64_t first,
			uint64_t last, unsigned char *marks)
{
	if (!run->refused)
		pages_forget(first, last);
}

static void look(uint32_t index)
{
	struct plan_region *region = &place_regions()[index];

	memset(region->results, 0, sizeof(region->results));
	parts(index, part_look);
	region->known = 1;
}

static void end(uint32_t index)
{
	struct instance *instance = &instances[index];

	look(index);
	if (place_regions()[index].kind == PLAN_BLOCK)
		parts(index, part_forget);
	if (instance->marks)
		syscall(SYS_munmap, instance->marks, instance->last - instance->first + 1);
	--*slot_of(instance->start);
	*instance = (struct instance){0};
}

static void begin(uint32_t index, uint64_t start, size_t bytes)
{
	struct instance *instance = &instances[index];

	if (!bytes)
		return;
	/* The end of the region's previous instance was not reported, so end it now. */
	if (instance->live)
		end(index);
	*instance = (struct instance){
		.live = true,
		.start = start,
		.bytes = bytes,
		.first = start / MATCH_PAGE,
		.last = (start + bytes - 1) / MATCH_PAGE,
	};
	instance->marks = place_memory(instance->last - instance->first + 1);
	++*slot_of(start);
	place_regions()[index].found = 1;
	place_regions()[index].found_bytes = bytes;
	parts(index, part_put);
}

/* ---- families -------------------------------------------------------------------------------- */

static struct family *family_of(uint32_t index)
{
	const struct plan_region *regions = place_regions();

	for (uint32_t i = 0; i < family_count; i++)
		if (match_alike(&regions[families[i].match.first], &regions[index]))
			return &families[i];
	families[family_count].match.first = index;
	return &families[family_count++];
}

static bool families_make(const uint64_t *biases)
{
	const struct plan_region *regions = place_regions();

	for (uint32_t i = 0; i < place_plan->regions; i++) {
		struct family *family;

		if (regions[i].kind == PLAN_DATA)
			continue;
		has_blocks |= regions[i].kind == PLAN_BLOCK;
		has_mappings |= regions[i].kind != PLAN_BLOCK;
		family = family_of(i);
		family->match.caller = MATCH_NOWHERE;
		if (regions[i].kind == PLAN_BLOCK && regions[i].object != PLAN_NO_OBJECT &&
		    biases[regions[i].object] != MATCH_NOWHERE)
			family->match.caller = biases[regions[i].object] + regions[i].link;
		if (family->match.limit <= regions[i].nth)
			family->match.limit = regions[i].nth + 1;
	}
	for (uint32_t f = 0; f < family_count; f++) {
		struct family *family = &families[f];

		family->match.addresses =
			place_memory(family->match.limit * sizeof(*family->match.addresses));
		family->region = place_memory(family->match.limit * sizeof(*family->region));
		if (!family->match.addresses || !family->region)
			return false;
		memset(family->region, 0xff, family->match.limit * sizeof(*family->region));
	}
	for (uint32_t i = 0; i < place_plan->regions; i++)
		if (regions[i].kind != PLAN_DATA)
			family_of(i)->region[regions[i].nth] = i;
	return true;
}

/* Handle a region that has just been created as the next region of its family. */
static void family_next(struct family *family, const void *start, size_t bytes)
{
	uint32_t number = match_number(&family->match, (uint64_t)(uintptr_t)start);

	if (number != MATCH_NONE && family->region[number] != MATCH_NONE)
		begin(family->region[number], (uint64_t)(uintptr_t)start, bytes);
}

/* ---- regions that are created and freed ------------------------------------------------------ */

bool regions_start(void)
{
	const struct plan_region *regions = place_regions();
	uint64_t *biases = place_memory((place_plan->objects + 1) * sizeof(*biases));

	instances = place_memory((place_plan->regions + 1) * sizeof(*instances));
	families = place_memory((place_plan->regions + 1) * sizeof(*families));
	if (!biases || !instances || !families)
		return false;
	loaded_find(biases);
	if (!families_make(biases) || !locks_start(biases))
		return false;
	pages_start();
	for (uint32_t i = 0; i < place_plan->regions; i++)
		if (regions[i].kind == PLAN_DATA && regions[i].object != PLAN_NO_OBJECT &&
		    biases[regions[i].object] != MATCH_NOWHERE)
			begin(i, biases[regions[i].object] + regions[i].link,
			      regions[i].now ? regions[i].now : regions[i].bytes);
	return true;
}

void regions_block(const void *caller, const void *block, size_t bytes)
{
	if (!has_blocks)
		return;
	for (uint32_t i = 0; i < family_count; i++) {
		if (families[i].match.caller != (uint64_t)(uintptr_t)caller)
			continue;
		if (enter()) {
			family_next(&families[i], block, bytes);
			leave();
		}
		return;
	}
}

void regions_named(const char *name, const void *start, size_t bytes)
{
	const struct plan_region *regions = place_regions();

	if (!has_mappings || !enter())
		return;
	for (uint32_t i = 0; i < family_count; i++) {
		const struct plan_region *like = &regions[families[i].match.first];

		if (like->kind != PLAN_NAMED || !match_name(like, name))
			continue;
		family_next(&families[i], start, bytes);
		break;
	}
	leave();
}

/* Get the path of the file that @fd refers to; "" if there is no such file. */
static void path_of(int fd, char *path)
{
	char link[32];
	ssize_t length = -1;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (fd >= 0)
		length = readlink(link, path, PATH_BYTES - 1);
	path[length < 0 ? 0 : length] = '\0';
}

void regions_mapping(bool shared, int fd, const void *start, size_t bytes)
{
	uint32_t kind = shared ? PLAN_SHARED_MAPPING : PLAN_PRIVATE;
	const struct plan_region *regions = place_regions();
	static char path[PATH_BYTES];
	int saved = errno;

	bytes = (bytes + MATCH_PAGE - 1) & ~(MATCH_PAGE - 1);
	if (!has_mappings || !enter())
		return;
	for (uint32_t i = 0; i < family_count; i++) {
		const struct plan_region *like = &regions[families[i].match.first];

		if (like->kind != kind || like->bytes != bytes)
			continue;
		path_of(fd, path);
		if (*path ? !match_path(like->name, path) : *like->name != '\0')
			continue;
		family_next(&families[i], start, bytes);
		break;
	}
	leave();
	errno = saved;
}

void regions_free(const void *block)
{
	uint64_t start = (uint64_t)(uintptr_t)block;
	int saved = errno;

	if (!*slot_of(start) || !enter())
		return;
	for (uint32_t i = 0; i < place_plan->regions; i++)
		if (instances[i].live && instances[i].start == start &&
		    place_regions()[i].kind == PLAN_BLOCK)
			end(i);
	leave();
	errno = saved;
}

void regions_unmap(const void *start, size_t bytes)
{
	uint64_t first = (uint64_t)(uintptr_t)start / MATCH_PAGE;
	uint64_t last = ((uint64_t)(uintptr_t)start + bytes - 1) / MATCH_PAGE;
	int saved = errno;

	if (!bytes || !has_mappings || !enter())
		return;
	for (uint32_t i = 0; i < place_plan->regions; i++)
		if (instances[i].live && instances[i].first <= last && instances[i].last >= first &&
		    place_regions()[i].kind > PLAN_BLOCK)
			end(i);
	leave();
	errno = saved;
}

int regions_place(const void *start, size_t bytes, unsigned node)
{
	uint64_t first = (uint64_t)(uintptr_t)start / MATCH_PAGE;
	uint64_t last = ((uint64_t)(uintptr_t)start + bytes - 1) / MATCH_PAGE;
	int saved = errno;

	if (!enter())
		return 0;
	if (node >= PLAN_NODES_MAX || pages_prefer(first, last, node) < 0)
		place_plan->no_node++;
	/*
	 * The policies of the plan take precedence over the policy of the log, so set them again.
	 */
	for (uint32_t i = 0; i < place_plan->regions; i++)
		if (instances[i].live && instances[i].first <= last && instances[i].last >= first)
			parts(i, part_prefer);
	leave();
	errno = saved;
	return 0;
}

void regions_end(void)
{
	if (!enter())
		return;
	for (uint32_t i = 0; i < place_plan->regions; i++)
		if (instances[i].live)
			look(i);
	place_plan->state = PLAN_LOOKED_UP;
	place_on = false;
	leave();
}
