/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Tests of lib/symbols/catalogue_overlaps.c, which divides extents that overlap. The expected
 * result is computed byte by byte.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/symbols/catalogue.h"
#include "tests/unit/lib_fixture.h"

#define PLACES 120U
#define VARIABLES 9U
#define EXTENTS_MAX 40U
/* The highest number of owners whose names are listed. */
#define NAMES 4U

static struct catalogue made(void)
{
	struct catalogue catalogue = {0};
	char name[16];

	for (uint32_t i = 0; i < VARIABLES; i++) {
		const struct Monitor_variable variable = {
			.kind = i % 2 ? MONITOR_VARIABLE_STACK : MONITOR_VARIABLE_HEAP,
			.name = name,
			.type = "",
			.object = "",
			.file = "",
		};

		snprintf(name, sizeof(name), "v%u", i);
		assert_int_equal(smile_catalogue_add(&catalogue, &variable), i);
	}
	return catalogue;
}

static void freed(struct catalogue *catalogue)
{
	free(catalogue->variables);
	smile_pool_free(&catalogue->pool);
}

/*
 * Compute the expected name of a byte and, if it has one owner, the base. Return: 0 if it has no
 * owner.
 */
static int wanted(const struct extents *all, uint64_t at, char *name, size_t bytes, uint64_t *base)
{
	unsigned int count[VARIABLES] = {0}, whose = 0, extents = 0;
	int shifted = 0;
	size_t length = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct Monitor_extent *extent = &all->items[i];

		if (at < extent->start || at >= extent->end)
			continue;
		if (!extents++)
			*base = extent->base;
		shifted |= extent->variable % 2 && extent->base != *base;
		whose += !count[extent->variable]++;
	}
	*name = '\0';
	for (unsigned int i = 0, reported = 0; i < VARIABLES; i++) {
		if (!count[i] || reported > NAMES)
			continue;
		length += (size_t)(reported == NAMES
					   ? snprintf(name + length, bytes - length, " or another")
					   : snprintf(name + length, bytes - length, "%sv%u",
						      reported ? " or " : "", i));
		reported++;
	}
	if (whose == 1 && shifted)
		snprintf(name + length, bytes - length, " of several frames");
	if (whose != 1 || shifted)
		*base = UINT64_MAX;
	return whose != 0;
}

static int by_start(const void *left, const void *right)
{
	const struct Monitor_extent *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->end < b->end ? -1 : a->end > b->end;
}

static void compare(const struct catalogue *catalogue, const struct extents *all,
		    const struct extents *below)
{
	for (uint64_t at = 0; at < PLACES; at++) {
		size_t i = smile_extents_find(below, at);
		char name[256];
		uint64_t base;

		if (!wanted(all, at, name, sizeof(name), &base)) {
			assert_true(i == below->count || below->items[i].start > at);
			continue;
		}
		assert_true(i < below->count && below->items[i].start <= at);
		assert_string_equal(catalogue->variables[below->items[i].variable].public.name,
				    name);
		if (base != UINT64_MAX)
			assert_true(below->items[i].base == base);
	}
	/* No two variables may have the same name. */
	for (size_t i = 0; i < catalogue->variables_count; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(catalogue->variables[i].public.name,
						catalogue->variables[k].public.name);
}

static void turns_are_what_bytes_say(void **state)
{
	unsigned int seed = 7;

	for (unsigned int turn = 0; turn < 300; turn++) {
		struct catalogue catalogue = made();
		struct extents all = {0}, below = {0};

		for (unsigned int i = 0; i < turn % EXTENTS_MAX; i++) {
			uint64_t start = (uint64_t)rand_r(&seed) % (PLACES - 30);
			uint64_t end = start + 1 + (uint64_t)rand_r(&seed) % 30;

			assert_int_equal(smile_extents_push(&all, start, end, start,
							    (uint32_t)rand_r(&seed) %
								    (1 + turn % VARIABLES)),
					 0);
		}
		if (all.count)
			qsort(all.items, all.count, sizeof(*all.items), by_start);
		assert_int_equal(smile_catalogue_turns(&catalogue, &all, &below), 0);
		compare(&catalogue, &all, &below);
		smile_extents_free(&all);
		smile_extents_free(&below);
		freed(&catalogue);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(turns_are_what_bytes_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
