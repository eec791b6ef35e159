// SPDX-License-Identifier: MIT
/*
 * run/sample: samples by word, node, home and phase. See faults.h.
 */
#include "run/sample/faults.h"

#include <errno.h>
#include <stdlib.h>

#include <base/array.h>

/* No key is 0. */
#define COUNT_VALID (1ULL << 63)

static uint64_t count_key(uint64_t address, uint32_t node, uint32_t home, uint32_t phase)
{
	return COUNT_VALID | (uint64_t)phase << 58 | (address / FAULTS_WORD_BYTES) << 12 |
	       (uint64_t)node << 6 | home;
}

/* The page's home is to be asked for, once. */
static int ask(struct faults *faults, struct faults_page *page)
{
	if (page->asked)
		return 0;
	if (array_reserve(&faults->asked, &faults->asked_size, faults->asked_count,
			  sizeof(*faults->asked)) < 0)
		return -ENOMEM;
	faults->asked[faults->asked_count++] = page->key - 1;
	page->asked = 1;
	return 0;
}

int faults_add(struct faults *faults, uint64_t address, uint32_t node, uint32_t phase,
	       uint64_t time_ns)
{
	uint64_t number = address / FAULTS_PAGE_BYTES;
	struct faults_page *page = hash_table_find(&faults->table, number + 1, sizeof(*page));
	struct faults_count *count;
	uint32_t home;

	if (!page) {
		page = hash_table_add(&faults->table, number + 1, sizeof(*page));
		if (!page)
			return -ENOMEM;
		page->home = page->before = FAULTS_NODE_UNKNOWN;
		faults->first++;
		return ask(faults, page);
	}
	home = time_ns < page->told_ns ? page->before : page->home;
	if (home == FAULTS_NODE_UNKNOWN) {
		faults->homeless++;
		return ask(faults, page);
	}
	count = hash_table_add(&faults->counts, count_key(address, node, home, phase),
			       sizeof(*count));
	if (!count)
		return -ENOMEM;
	faults->pages += !page->sampled;
	page->sampled = 1;
	count->samples++;
	faults->samples++;
	return ask(faults, page);
}

void faults_home(struct faults *faults, uint64_t number, uint32_t node, uint64_t time_ns)
{
	struct faults_page *page = hash_table_find(&faults->table, number + 1, sizeof(*page));

	if (!page || node == FAULTS_NODE_UNKNOWN)
		return;
	page->before = page->home;
	page->told_ns = time_ns;
	if (node == page->home)
		return;
	if (page->home != FAULTS_NODE_UNKNOWN) {
		page->moves++;
		faults->moves++;
	}
	page->home = node;
}

void faults_answered(struct faults *faults)
{
	for (size_t i = 0; i < faults->asked_count; i++) {
		struct faults_page *page =
			hash_table_find(&faults->table, faults->asked[i] + 1, sizeof(*page));

		page->asked = 0;
	}
	faults->asked_count = 0;
}

static int by_key(const void *left, const void *right)
{
	const struct faults_count *a = left, *b = right;
	const uint64_t words = FAULTS_PAGE_BYTES / FAULTS_WORD_BYTES;
	uint64_t page_a = faults_count_word(a) / words, page_b = faults_count_word(b) / words;
	uint32_t phase_a = faults_count_phase(a), phase_b = faults_count_phase(b);
	uint32_t pair_a = (uint32_t)a->key & 0xfff, pair_b = (uint32_t)b->key & 0xfff;

	if (phase_a != phase_b)
		return phase_a < phase_b ? -1 : 1;
	if (page_a != page_b)
		return page_a < page_b ? -1 : 1;
	if (pair_a != pair_b)
		return pair_a < pair_b ? -1 : 1;
	return (a->key > b->key) - (a->key < b->key);
}

static int by_number(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

struct faults_count *faults_sorted(const struct faults *faults, size_t *count)
{
	struct faults_count *list = malloc((faults->counts.used + 1) * sizeof(*list));
	const struct faults_count *one;
	size_t position = 0;

	*count = 0;
	while (list && (one = hash_table_next(&faults->counts, &position, sizeof(*one))))
		list[(*count)++] = *one;
	if (list)
		qsort(list, *count, sizeof(*list), by_key);
	return list;
}

uint64_t *faults_numbers(const struct faults *faults, size_t *count)
{
	uint64_t *list = malloc((faults->table.used + 1) * sizeof(*list));
	const struct faults_page *page;
	size_t position = 0;

	*count = 0;
	while (list && (page = hash_table_next(&faults->table, &position, sizeof(*page))))
		list[(*count)++] = page->key - 1;
	if (list)
		qsort(list, *count, sizeof(*list), by_number);
	return list;
}

uint32_t faults_home_of(const struct faults *faults, uint64_t number)
{
	const struct faults_page *page = hash_table_find(&faults->table, number + 1, sizeof(*page));

	return page ? page->home : FAULTS_NODE_UNKNOWN;
}

void faults_free(struct faults *faults)
{
	hash_table_free(&faults->table);
	hash_table_free(&faults->counts);
	free(faults->asked);
	*faults = (struct faults){0};
}
