/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/* Finds the region of a plan that corresponds to memory of this process. May use region_match.h. */
#include <string.h>

#include "run/place/region_match.h"

int match_alike(const struct plan_region *a, const struct plan_region *b)
{
	if (a->kind != b->kind)
		return 0;
	switch (a->kind) {
	case PLAN_BLOCK:
		return a->object == b->object && a->link == b->link;
	case PLAN_NAMED:
		return !strcmp(a->name, b->name);
	case PLAN_PRIVATE:
	case PLAN_SHARED_MAPPING:
		return a->bytes == b->bytes && !strcmp(a->name, b->name);
	default:
		return 0;
	}
}

uint32_t match_number(struct match_family *family, uint64_t address)
{
	for (uint32_t i = 0; i < family->count; i++)
		if (family->addresses[i] == address)
			return i;
	if (family->count == family->limit)
		return MATCH_NONE;
	family->addresses[family->count] = address;
	return family->count++;
}

int match_name(const struct plan_region *region, const char *name)
{
	size_t length = strlen(region->name);

	return !strncmp(region->name, name, length) && (!name[length] || length + 1 >= 24);
}

int match_path(const char *planned, const char *path)
{
	return !strcmp(basename(planned), basename(path));
}

static uint64_t pages_of(uint64_t start, uint64_t bytes)
{
	return bytes ? (start + bytes - 1) / MATCH_PAGE - start / MATCH_PAGE + 1 : 0;
}

int match_is_scaled(const struct plan_region *region, uint64_t start, uint64_t bytes)
{
	/*
	 * A region of the same size can span one page more or fewer if it starts at another offset
	 * within its first page, so different page counts alone are not enough.
	 */
	return bytes != region->bytes &&
	       pages_of(start, bytes) != pages_of(region->start, region->bytes);
}

/*
 * Get the page of the recorded run that corresponds to @page of this run. Return: UINT64_MAX if
 * there is none.
 */
static uint64_t recorded_page(const struct plan_region *region, uint64_t start, uint64_t bytes,
			      uint64_t page)
{
	uint64_t offset = page - start / MATCH_PAGE, first = region->start / MATCH_PAGE;
	double into;

	switch (region->scale) {
	case PLAN_SCALE_SHARE:
		/* Use the position of the middle of the page. */
		into = (double)(offset * MATCH_PAGE + MATCH_PAGE / 2) -
		       (double)(start % MATCH_PAGE);
		into = into * (double)region->bytes / (double)bytes;
		return (region->start + (uint64_t)(into > 0 ? into : 0)) / MATCH_PAGE;
	case PLAN_SCALE_TURN:
		return region->turn ? first + offset % region->turn : UINT64_MAX;
	default:
		return UINT64_MAX;
	}
}

const struct plan_run *match_run(const struct plan_region *region, const struct plan_run *runs,
				 uint64_t start, uint64_t bytes, uint64_t page, uint32_t *at)
{
	/*
	 * The number of bytes by which the recorded region starts farther into its first page than
	 * this region. The difference is less than a page.
	 */
	int64_t shift = (int64_t)(region->start % MATCH_PAGE) - (int64_t)(start % MATCH_PAGE);
	int64_t into = (int64_t)((page - start / MATCH_PAGE) * MATCH_PAGE) + shift;
	int64_t offset = (into + (int64_t)MATCH_PAGE / 2) >> 12;
	uint64_t recorded = region->start / MATCH_PAGE + (uint64_t)offset;

	if (match_is_scaled(region, start, bytes))
		recorded = recorded_page(region, start, bytes, page);
	/* If the last search ended after the page, start again with the first run. */
	if (*at >= region->runs || runs[*at].first > recorded)
		*at = 0;
	while (*at < region->runs && runs[*at].last < recorded)
		++*at;
	return *at < region->runs && runs[*at].first <= recorded ? &runs[*at] : NULL;
}
