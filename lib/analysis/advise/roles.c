// SPDX-License-Identifier: MIT
/*
 * Advise: the locks and atomic instructions that give threads their part of the work. See
 * lib/analysis/advise/advise.h.
 *
 * What lives here: the roles of the recorded smile.run/2, with names, and a sentence on each. The
 * order of threads that all run on one node does not matter.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/text.h"

/* Return: -1 if there is no such thread. */
static json_int_t node_of(const struct Monitor_advise *advise, const json_t *thread)
{
	const json_t *threads = json_object_get(advise->run, "by_thread");
	json_int_t number = json_is_integer(thread) ? json_integer_value(thread) : -1;

	if (number < 0 || (size_t)number >= json_array_size(threads))
		return -1;
	return json_integer_value(json_object_get(json_array_get(threads, (size_t)number), "node"));
}

/* 0 if the recording names threads that it does not contain. */
static int several_nodes(const struct Monitor_advise *advise, const json_t *threads)
{
	json_int_t first = node_of(advise, json_array_get(threads, 0));
	const json_t *thread;
	int several = 0;
	size_t i;

	json_array_foreach(threads, i, thread)
	{
		json_int_t node = node_of(advise, thread);

		if (node < 0)
			return 0;
		several |= node != first;
	}
	return several;
}

static int role_fill(const struct Monitor_advise *advise, const json_t *from,
		     struct Monitor_advise_role *role)
{
	const json_t *threads = json_object_get(from, "threads");
	struct Monitor *mon = advise->mon;
	struct Monitor_place place;
	uint64_t site = (uint64_t)json_integer_value(json_object_get(from, "site"));
	int failed;

	role->lock = (uint64_t)json_integer_value(json_object_get(from, "lock"));
	role->atomic = json_is_true(json_object_get(from, "atomic"));
	role->loop = json_is_true(json_object_get(from, "loop"));
	role->even = json_is_true(json_object_get(from, "even"));
	role->later = json_is_true(json_object_get(from, "later"));
	role->turns = (uint64_t)json_integer_value(json_object_get(from, "turns"));
	role->threads = analysis_memory(json_array_size(threads), sizeof(*role->threads));
	if (!role->threads)
		return -ENOMEM;
	for (size_t i = 0; i < json_array_size(threads); i++)
		role->threads[role->count++] =
			(uint32_t)json_integer_value(json_array_get(threads, i));
	failed = Monitor_variable_find(mon, role->lock, &place);
	if (failed == -ENOMEM)
		return failed;
	if (failed)
		snprintf(role->name, sizeof(role->name), "0x%" PRIx64, role->lock);
	else
		snprintf(role->name, sizeof(role->name), "%s", place.name);
	return site ? Monitor_call_name(mon, site, role->call) : 0;
}

/*
 * Of the locks that threads take later, the one that is taken most stands for all: whether they
 * hand out work is not known, and one is enough to say that a placement may not hold. Return: NULL:
 * none.
 */
static const json_t *later_find(const json_t *roles)
{
	const json_t *role, *found = NULL;
	json_int_t most = 0;
	size_t i;

	json_array_foreach(roles, i, role)
	{
		json_int_t turns = json_integer_value(json_object_get(role, "turns"));

		if (!json_is_true(json_object_get(role, "later")) || turns <= most)
			continue;
		most = turns;
		found = role;
	}
	return found;
}

int advise_roles_load(struct Monitor_advise *advise)
{
	const json_t *roles = json_object_get(advise->run, "roles"), *role;
	const json_t *later = later_find(roles);
	int failed = 0;
	size_t i;

	advise->roles = analysis_memory(json_array_size(roles), sizeof(*advise->roles));
	if (!advise->roles)
		return -ENOMEM;
	json_array_foreach(roles, i, role)
	{
		if (failed || !several_nodes(advise, json_object_get(role, "threads")))
			continue;
		if (role != later && json_is_true(json_object_get(role, "later")))
			continue;
		failed = role_fill(advise, role, &advise->roles[advise->role_count++]);
	}
	return failed;
}

const struct Monitor_advise_role *advise_queue(const struct Monitor_advise *advise)
{
	const struct Monitor_advise_role *found = NULL;

	for (size_t i = 0; i < advise->role_count; i++) {
		const struct Monitor_advise_role *role = &advise->roles[i];

		if (!advise_is_queue(role))
			continue;
		if (!found || role->later < found->later ||
		    (role->later == found->later && role->turns > found->turns))
			found = role;
	}
	return found;
}

const char *advise_queue_is(const struct Monitor_advise_role *role)
{
	return role->later ? "may be handed out" : "is handed out";
}

const char *advise_queue_place(const struct Monitor_advise_role *role)
{
	return *role->call ? role->call : role->name;
}

/* "2, 3, 1, 0", and "..." if there are more than a reader takes in. */
static void threads_put(const struct Monitor_advise_role *role, char *text, size_t bytes)
{
	size_t used = 0;

	for (size_t i = 0; i < role->count && i < 16; i++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%" PRIu32, i ? ", " : "",
					 role->threads[i]);
	if (role->count > 16)
		snprintf(text + used, bytes - used, ", ...");
}

/* "under the lock lock (main.c:20 (work))", "by the atomic operation at main.c:20 (work)". */
static void means_put(const struct Monitor_advise_role *role, char *text, size_t bytes)
{
	if (role->loop)
		snprintf(text, bytes, "from the loop at %s", *role->call ? role->call : role->name);
	else if (role->atomic)
		snprintf(text, bytes, "by the atomic operation at %s",
			 *role->call ? role->call : role->name);
	else
		snprintf(text, bytes, "under the lock %s%s%s%s", role->name,
			 *role->call ? " (" : "", role->call, *role->call ? ")" : "");
}

char *Monitor_advise_role_sentence(const struct Monitor_advise_role *role, char *text)
{
	char threads[256], turns[TEXT_COUNT_BYTES], means[2 * MONITOR_NAME_BYTES + 32];

	means_put(role, means, sizeof(means));
	if (role->later) {
		snprintf(
			text, MONITOR_SENTENCE_BYTES,
			"threads come together %s %s times, some more often than others: if that "
			"hands out "
			"the work, which thread does what changes with the placement, and the "
			"placement holds only in part; give each thread a part of the work that is "
			"always its own",
			means, text_count(turns, role->turns));
		return text;
	}
	if (advise_is_queue(role)) {
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "threads take work %s %s times: which thread does what changes with the "
			 "placement, so the placement holds only in part; the order of turns is "
			 "not kept, since it gives work to the thread that is free; give each "
			 "thread a part of the work that is always its own",
			 means, text_count(turns, role->turns));
		return text;
	}
	threads_put(role, threads, sizeof(threads));
	if (role->turns > 2 * role->count) {
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "threads come together %s %s times, all equally often, at first in the "
			 "order %s: if that gives them their part of the work, the placement holds "
			 "for this order, and keeps it",
			 means, text_count(turns, role->turns), threads);
		return text;
	}
	snprintf(text, MONITOR_SENTENCE_BYTES,
		 "threads take their part of the work %s, in the order %s: the placement holds for "
		 "this order, and keeps it; to be independent of it, give each thread its number "
		 "when it is created",
		 means, threads);
	return text;
}
