// SPDX-License-Identifier: MIT
/* run/sample: counts samples by word, node, home and phase. See counts.h. */
#include "run/sample/counts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

/* A bit that is set in each key, so that no key is 0. */
#define COUNT_VALID (1ULL << 63)

/*
 * The home in the key of a struct counts_of_thread for samples that wait until the home of their
 * page is known. Such a key has 13 bits for the thread, 36 for the page, 6 for the node, and 7 for
 * the home.
 */
#define HOME_WAITS COUNTS_NODES_MAX

static uint64_t thread_key(uint32_t thread, uint64_t page, uint32_t node, uint32_t home)
{
	return COUNT_VALID | (uint64_t)thread << 49 | page << 13 | (uint64_t)node << 7 |
	       (home == COUNTS_NODE_UNKNOWN ? HOME_WAITS : home);
}

static uint64_t entry_key(uint64_t address, uint32_t node, uint32_t home, uint32_t phase)
{
	return COUNT_VALID | (uint64_t)phase << 58 | (address / COUNTS_WORD_BYTES) << 12 |
	       (uint64_t)node << 6 | home;
}

/*
 * Find the page of an address. If the page does not exist, add it without a home. Return: the page;
 * NULL if memory is missing.
 */
static struct counts_page *page_at(struct counts *counts, uint64_t address, bool *is_new)
{
	uint64_t number = address / COUNTS_PAGE_BYTES;
	struct counts_page *page = hash_table_find(&counts->table, number + 1, sizeof(*page));

	*is_new = !page;
	if (page)
		return page;
	page = hash_table_add(&counts->table, number + 1, sizeof(*page));
	if (page)
		page->home = page->before = page->start = COUNTS_NODE_UNKNOWN;
	return page;
}

/*
 * Add the page to the list of pages whose homes the kernel will be asked for, unless it is already
 * in the list.
 */
static int ask(struct counts *counts, struct counts_page *page)
{
	if (page->asked)
		return 0;
	if (array_reserve(&counts->asked, &counts->asked_size, counts->asked_count,
			  sizeof(*counts->asked)) < 0)
		return -ENOMEM;
	counts->asked[counts->asked_count++] = page->key - 1;
	page->asked = 1;
	return 0;
}

/* Count a sample of the thread counts->thread. Return: 0 or -ENOMEM. */
static int thread_count(struct counts *counts, uint64_t number, uint32_t node, uint32_t home,
			bool behind)
{
	struct counts_of_thread *of = hash_table_add(
		&counts->by_thread, thread_key(counts->thread, number, node, home), sizeof(*of));

	if (!of)
		return -ENOMEM;
	*(behind ? &of->behind : &of->cached) += 1;
	return 0;
}

static void page_sampled(struct counts *counts, struct counts_page *page)
{
	counts->pages += !page->sampled;
	page->sampled = 1;
}

/* Get the home that the page had at @time_ns. */
static uint32_t home_at(const struct counts_page *page, uint64_t time_ns)
{
	return time_ns < page->told_ns ? page->before : page->home;
}

static void page_home(struct counts *counts, struct counts_page *page, uint32_t node,
		      uint64_t time_ns)
{
	page->before = page->home;
	page->told_ns = time_ns;
	if (node == page->home)
		return;
	if (page->home != COUNTS_NODE_UNKNOWN) {
		page->moves++;
		counts->moves++;
		counts->now.moves++;
		counts->now.pages[page->home]--;
	} else {
		page->start = node;
		counts->start.pages[node]++;
	}
	counts->now.pages[node]++;
	page->home = node;
}

void counts_phase_seen(struct counts *counts, uint32_t phase)
{
	uint64_t moves = counts->phases[phase].moves + counts->now.moves;

	counts->phases[phase] = counts->now;
	counts->phases[phase].moves = moves;
	counts->now.moves = 0;
}

int counts_fault(struct counts *counts, uint64_t address, uint32_t node, uint32_t phase,
		 uint64_t time_ns)
{
	bool is_new;
	struct counts_page *page = page_at(counts, address, &is_new);
	struct counts_entry *entry;
	uint32_t home;

	if (!page)
		return -ENOMEM;
	if (is_new) {
		counts->first++;
		return ask(counts, page);
	}
	home = home_at(page, time_ns);
	if (home == COUNTS_NODE_UNKNOWN) {
		counts->homeless++;
		return ask(counts, page);
	}
	entry = hash_table_add(&counts->entries, entry_key(address, node, home, phase),
			       sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	page_sampled(counts, page);
	entry->behind[COUNTS_READ]++;
	counts->samples++;
	counts->behind++;
	if (thread_count(counts, page->key - 1, node, home, true) < 0)
		return -ENOMEM;
	return ask(counts, page);
}

int counts_access(struct counts *counts, const struct counts_access *access)
{
	bool is_new;
	struct counts_page *page = page_at(counts, access->address, &is_new);
	struct counts_entry *entry;
	uint32_t home = access->home;

	if (!page)
		return -ENOMEM;
	if (home != COUNTS_NODE_UNKNOWN)
		page_home(counts, page, home, access->time_ns);
	else
		home = home_at(page, access->time_ns);
	/*
	 * The sample shows that the page was on another node than @node. If its last reported home
	 * is @node, the page has moved since then.
	 */
	if (access->not_own && home == access->node)
		home = COUNTS_NODE_UNKNOWN;
	entry = hash_table_add(home == COUNTS_NODE_UNKNOWN ? &counts->waiting : &counts->entries,
			       entry_key(access->address, access->node,
					 home == COUNTS_NODE_UNKNOWN ? 0 : home, access->phase),
			       sizeof(*entry));
	if (!entry)
		return -ENOMEM;
	(access->behind ? entry->behind : entry->cached)[access->type]++;
	if (home != COUNTS_NODE_UNKNOWN) {
		page_sampled(counts, page);
		counts->samples++;
		counts->behind += access->behind;
	}
	if (thread_count(counts, page->key - 1, access->node, home, access->behind) < 0)
		return -ENOMEM;
	return ask(counts, page);
}

static uint64_t entry_cached(const struct counts_entry *entry)
{
	return (uint64_t)entry->cached[COUNTS_READ] + entry->cached[COUNTS_WRITE] +
	       entry->cached[COUNTS_LOCK];
}

uint64_t counts_waiting(const struct counts *counts)
{
	const struct counts_entry *entry;
	size_t position = 0;
	uint64_t sum = 0;

	while ((entry = hash_table_next(&counts->waiting, &position, sizeof(*entry))))
		sum += counts_entry_behind(entry) + entry_cached(entry);
	return sum;
}

/* Count the samples of an entry that has waited for a home. Return: 0 or -ENOMEM. */
static int settle_one(struct counts *counts, const struct counts_entry *from, bool own_told)
{
	uint64_t address = counts_entry_word(from) * COUNTS_WORD_BYTES;
	bool is_new;
	struct counts_page *page = page_at(counts, address, &is_new);
	uint32_t node = counts_entry_node(from);
	uint64_t behind = counts_entry_behind(from), cached = entry_cached(from);
	struct counts_entry *to;

	if (!page)
		return -ENOMEM;
	if (page->home == COUNTS_NODE_UNKNOWN) {
		counts->homeless += behind + cached;
		return 0;
	}
	if (own_told && page->home == node) {
		counts->homeless += behind;
		behind = 0;
	}
	if (!behind && !cached)
		return 0;
	to = hash_table_add(&counts->entries,
			    entry_key(address, node, page->home, counts_entry_phase(from)),
			    sizeof(*to));
	if (!to)
		return -ENOMEM;
	for (unsigned i = 0; i < COUNTS_TYPES; i++) {
		to->behind[i] += behind ? from->behind[i] : 0;
		to->cached[i] += from->cached[i];
	}
	page_sampled(counts, page);
	counts->samples += behind + cached;
	counts->behind += behind;
	return 0;
}

int counts_settle(struct counts *counts, bool own_told)
{
	const struct counts_entry *entry;
	size_t position = 0;
	int failed = 0;

	counts->own_told = own_told;
	while (!failed && (entry = hash_table_next(&counts->waiting, &position, sizeof(*entry))))
		failed = settle_one(counts, entry, own_told);
	hash_table_free(&counts->waiting);
	return failed;
}

void counts_home(struct counts *counts, uint64_t number, uint32_t node, uint64_t time_ns)
{
	struct counts_page *page = hash_table_find(&counts->table, number + 1, sizeof(*page));

	if (page && node != COUNTS_NODE_UNKNOWN)
		page_home(counts, page, node, time_ns);
}

void counts_answered(struct counts *counts)
{
	for (size_t i = 0; i < counts->asked_count; i++) {
		struct counts_page *page =
			hash_table_find(&counts->table, counts->asked[i] + 1, sizeof(*page));

		page->asked = 0;
	}
	counts->asked_count = 0;
}

static int by_key(const void *left, const void *right)
{
	const struct counts_entry *a = left, *b = right;
	const uint64_t words = COUNTS_PAGE_BYTES / COUNTS_WORD_BYTES;
	uint64_t page_a = counts_entry_word(a) / words, page_b = counts_entry_word(b) / words;
	uint32_t phase_a = counts_entry_phase(a), phase_b = counts_entry_phase(b);
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

int counts_latency_add(struct counts *counts, uint64_t address, unsigned served, uint64_t cycles)
{
	const uint64_t key = address / COUNTS_PAGE_BYTES * COUNTS_SERVED + served + 1;
	struct counts_latency *latency;

	if (!cycles)
		return 0;
	latency = hash_table_find(&counts->latencies, key, sizeof(*latency));
	if (!latency)
		latency = hash_table_add(&counts->latencies, key, sizeof(*latency));
	if (!latency)
		return -ENOMEM;
	latency->samples++;
	latency->cycles += (double)cycles;
	latency->squares += (double)cycles * (double)cycles;
	return 0;
}

struct counts_latency *counts_latencies_sorted(const struct counts *counts, size_t *count)
{
	struct counts_latency *list = malloc((counts->latencies.used + 1) * sizeof(*list));
	const struct counts_latency *one;
	size_t position = 0;

	*count = 0;
	while (list && (one = hash_table_next(&counts->latencies, &position, sizeof(*one))))
		list[(*count)++] = *one;
	/* by_number() can be used here, because it compares the first member, which is the key. */
	if (list)
		qsort(list, *count, sizeof(*list), by_number);
	return list;
}

struct counts_entry *counts_sorted(const struct counts *counts, size_t *count)
{
	struct counts_entry *list = malloc((counts->entries.used + 1) * sizeof(*list));
	const struct counts_entry *one;
	size_t position = 0;

	*count = 0;
	while (list && (one = hash_table_next(&counts->entries, &position, sizeof(*one))))
		list[(*count)++] = *one;
	if (list)
		qsort(list, *count, sizeof(*list), by_key);
	return list;
}

uint64_t *counts_numbers(const struct counts *counts, size_t *count)
{
	uint64_t *list = malloc((counts->table.used + 1) * sizeof(*list));
	const struct counts_page *page;
	size_t position = 0;

	*count = 0;
	while (list && (page = hash_table_next(&counts->table, &position, sizeof(*page))))
		list[(*count)++] = page->key - 1;
	if (list)
		qsort(list, *count, sizeof(*list), by_number);
	return list;
}

struct counts_moved *counts_moved(const struct counts *counts, size_t *count)
{
	size_t all, used = 0;
	uint64_t *numbers = counts_numbers(counts, &all);
	struct counts_moved *list = malloc((all + 1) * sizeof(*list));

	*count = 0;
	for (size_t i = 0; numbers && list && i < all; i++) {
		const struct counts_page *page =
			hash_table_find(&counts->table, numbers[i] + 1, sizeof(*page));
		struct counts_moved *last = used ? &list[used - 1] : NULL;

		if (!page || page->start == page->home)
			continue;
		if (last && last->first + last->pages == numbers[i] && last->from == page->start &&
		    last->to == page->home)
			last->pages++;
		else
			list[used++] =
				(struct counts_moved){numbers[i], 1, page->start, page->home};
	}
	if (!numbers) {
		free(list);
		list = NULL;
	}
	free(numbers);
	*count = list ? used : 0;
	return list;
}

/* ---- by thread ------------------------------------------------------------------------------- */

/* struct part - The samples of one thread, page, node and home. */
struct part {
	const char *name;
	uint32_t thread;
	uint64_t page;
	uint32_t node;
	uint64_t all;
	uint64_t behind;
	uint64_t remote;
};

/*
 * Get the samples of an entry. If the entry has waited for a home, count its samples like
 * settle_one().
 */
static struct part part_of(const struct counts *counts, const struct counts_of_thread *of,
			   char (*names)[THREADS_NAME_BYTES])
{
	const uint64_t page = of->key >> 13 & ((1ULL << 36) - 1);
	const uint32_t node = (uint32_t)(of->key >> 7) & 0x3f;
	uint32_t home = (uint32_t)of->key & 0x7f;
	const uint32_t thread = (uint32_t)(of->key >> 49) & (THREADS_MAX - 1);
	struct part part = {.name = names[thread],
			    .thread = thread,
			    .page = page,
			    .node = node,
			    .behind = of->behind};

	if (home == HOME_WAITS) {
		home = counts_home_of(counts, page);
		if (home == COUNTS_NODE_UNKNOWN)
			return (struct part){.name = part.name};
		if (counts->own_told && home == node)
			part.behind = 0;
	}
	part.all = part.behind + of->cached;
	part.remote = home == node ? 0 : part.behind;
	return part;
}

static int by_name(const void *left, const void *right)
{
	const struct part *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->page > b->page) - (a->page < b->page);
}

static int by_samples(const void *left, const void *right)
{
	const struct counts_threads *a = left, *b = right;

	if (a->all != b->all)
		return a->all > b->all ? -1 : 1;
	return strcmp(a->name, b->name);
}

/*
 * Add up the samples of parts with the same name. @parts: sorted by name and page; shape [@count].
 * Return: the number of names.
 */
static size_t parts_sum(const struct part *parts, size_t count, struct counts_threads *list)
{
	bool seen[THREADS_MAX] = {false};
	uint64_t page = UINT64_MAX;
	size_t used = 0;

	for (size_t i = 0; i < count; i++) {
		struct counts_threads *to = used ? &list[used - 1] : NULL;

		if (!parts[i].all)
			continue;
		if (!to || strcmp(to->name, parts[i].name)) {
			to = &list[used++];
			*to = (struct counts_threads){.pages = 0};
			memcpy(to->name, parts[i].name, sizeof(to->name));
			page = UINT64_MAX;
		}
		to->pages += page != parts[i].page;
		page = parts[i].page;
		to->threads += !seen[parts[i].thread];
		seen[parts[i].thread] = true;
		to->samples[parts[i].node] += parts[i].all;
		to->all += parts[i].all;
		to->behind += parts[i].behind;
		to->remote += parts[i].remote;
	}
	return used;
}

/* Fill in the name of the group of each thread. @names: indexed by the number of the thread. */
static void names_make(const struct counts *counts, char (*names)[THREADS_NAME_BYTES])
{
	const struct thread *thread;
	size_t position = 0;

	while ((thread = hash_table_next(&counts->threads.table, &position, sizeof(*thread)))) {
		memcpy(names[thread->number], thread->name, sizeof(thread->name));
		threads_group(names[thread->number]);
	}
}

struct counts_threads *counts_threads(const struct counts *counts, size_t *count)
{
	const size_t most = counts->by_thread.used;
	char(*names)[THREADS_NAME_BYTES] = calloc(THREADS_MAX, sizeof(*names));
	struct part *parts = malloc((most + 1) * sizeof(*parts));
	struct counts_threads *list = malloc(THREADS_MAX * sizeof(*list));
	const struct counts_of_thread *of;
	size_t position = 0, used = 0;

	*count = 0;
	if (!names || !parts || !list) {
		free(list);
		list = NULL;
	}
	if (list)
		names_make(counts, names);
	while (list && (of = hash_table_next(&counts->by_thread, &position, sizeof(*of))))
		parts[used++] = part_of(counts, of, names);
	if (list) {
		qsort(parts, used, sizeof(*parts), by_name);
		*count = parts_sum(parts, used, list);
		qsort(list, *count, sizeof(*list), by_samples);
	}
	free(parts);
	free(names);
	return list;
}

uint32_t counts_home_of(const struct counts *counts, uint64_t number)
{
	const struct counts_page *page = hash_table_find(&counts->table, number + 1, sizeof(*page));

	return page ? page->home : COUNTS_NODE_UNKNOWN;
}

void counts_free(struct counts *counts)
{
	hash_table_free(&counts->table);
	hash_table_free(&counts->entries);
	hash_table_free(&counts->waiting);
	hash_table_free(&counts->latencies);
	hash_table_free(&counts->by_thread);
	threads_free(&counts->threads);
	free(counts->asked);
	*counts = (struct counts){0};
}
