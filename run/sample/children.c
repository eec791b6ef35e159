// SPDX-License-Identifier: MIT
/* run/sample: keeps a list of the processes that the program has started. See children.h. */
#include "run/sample/children.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/**
 * struct child - A process that the program has started.
 * @key: process id plus one
 * @samples: number of samples of the process that do not count
 * @name: name of the process
 * @executed: the process has executed a program since the last children_executed()
 * @left_ns: the last two times that were passed to children_left(), the later time first
 */
struct child {
	uint64_t key;
	uint64_t samples;
	char name[CHILDREN_NAME_BYTES];
	bool executed;
	uint64_t left_ns[2];
};

static struct child *child_of(struct children *children, uint32_t pid)
{
	struct child *child = hash_table_find(&children->table, pid + 1ULL, sizeof(*child));

	return child ? child : hash_table_add(&children->table, pid + 1ULL, sizeof(*child));
}

int children_named(struct children *children, uint32_t pid, const char *name, bool executed)
{
	struct child *child = child_of(children, pid);

	if (!child)
		return -ENOMEM;
	snprintf(child->name, sizeof(child->name), "%s", name);
	child->executed = child->executed || executed;
	return 0;
}

bool children_executed(struct children *children, uint32_t pid)
{
	struct child *child = hash_table_find(&children->table, pid + 1ULL, sizeof(*child));
	bool executed = child && child->executed;

	if (child)
		child->executed = false;
	return executed;
}

int children_left(struct children *children, uint32_t pid, uint64_t time_ns)
{
	struct child *child = child_of(children, pid);

	if (!child)
		return -ENOMEM;
	/*
	 * The times do not arrive in ascending order, because the rings of the processors are read
	 * one after another.
	 */
	if (time_ns > child->left_ns[0]) {
		child->left_ns[1] = child->left_ns[0];
		child->left_ns[0] = time_ns;
	} else if (time_ns > child->left_ns[1]) {
		child->left_ns[1] = time_ns;
	}
	return 0;
}

unsigned children_left_since(const struct children *children, uint32_t pid, uint64_t time_ns)
{
	const struct child *child = hash_table_find(&children->table, pid + 1ULL, sizeof(*child));

	return child ? (child->left_ns[0] > time_ns) + (child->left_ns[1] > time_ns) : 0;
}

int children_sampled(struct children *children, uint32_t pid, uint64_t samples)
{
	struct child *child = child_of(children, pid);

	if (!child)
		return -ENOMEM;
	child->samples += samples;
	return 0;
}

static int by_name(const void *left, const void *right)
{
	const struct children_sum *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static int by_samples(const void *left, const void *right)
{
	const struct children_sum *a = left, *b = right;

	if (a->samples != b->samples)
		return a->samples > b->samples ? -1 : 1;
	return strcmp(a->name, b->name);
}

struct children_sum *children_sums(const struct children *children, size_t *count)
{
	struct children_sum *list = malloc((children->table.used + 1) * sizeof(*list));
	const struct child *child;
	size_t position = 0, all = 0, sums = 0;

	*count = 0;
	if (!list)
		return NULL;
	while ((child = hash_table_next(&children->table, &position, sizeof(*child)))) {
		if (!child->samples)
			continue;
		list[all] = (struct children_sum){.processes = 1, .samples = child->samples};
		memcpy(list[all++].name, child->name, sizeof(child->name));
	}
	qsort(list, all, sizeof(*list), by_name);
	for (size_t i = 0; i < all; i++) {
		if (sums && !strcmp(list[sums - 1].name, list[i].name)) {
			list[sums - 1].processes++;
			list[sums - 1].samples += list[i].samples;
		} else {
			list[sums++] = list[i];
		}
	}
	qsort(list, sums, sizeof(*list), by_samples);
	*count = sums;
	return list;
}

void children_free(struct children *children)
{
	hash_table_free(&children->table);
}
