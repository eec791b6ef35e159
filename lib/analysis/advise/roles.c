// SPDX-License-Identifier: MIT
/*
 * Advise: the locks and atomic instructions that give threads their part of the work. See
 * lib/analysis/advise/advise.h.
 *
 * What lives here: the roles in the recording's document smile.run/2, with the names of their
 * locks, and a sentence on each role. If all threads of a role run on one node, their order does
 * not matter, so the role is left out.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"
#include "lib/analysis/text.h"

/*
 * Return whether the threads of a role run on several nodes. Return 0 if the recording does not
 * contain one of these threads.
 */
static int several_nodes(const struct Monitor_advise *advise, const struct run_facts_row *threads)
{
	const struct run_facts *run = &advise->run;
	uint64_t first = 0;
	int several = 0;

	for (size_t i = 0; i < threads->count; i++) {
		double thread = threads->at[i];
		uint64_t node;

		if (!(thread >= 0 && thread < (double)run->by_thread.count))
			return 0;
		node = run->by_thread.at[(size_t)thread].node;
		first = i ? first : node;
		several |= node != first;
	}
	return several;
}

static int role_fill(const struct Monitor_advise *advise, const struct run_facts_role *from,
		     struct Monitor_advise_role *role)
{
	struct Monitor *mon = advise->mon;
	struct Monitor_place place;
	int failed;

	*role = (struct Monitor_advise_role){.lock = from->lock,
					     .atomic = from->atomic,
					     .loop = from->loop,
					     .even = from->even,
					     .later = from->later,
					     .turns = from->turns};
	role->threads = analysis_memory(from->threads.count, sizeof(*role->threads));
	if (!role->threads)
		return -ENOMEM;
	for (; role->count < from->threads.count; role->count++)
		role->threads[role->count] = (uint32_t)from->threads.at[role->count];
	failed = Monitor_variable_find(mon, role->lock, &place);
	if (failed == -ENOMEM)
		return failed;
	if (failed)
		snprintf(role->name, sizeof(role->name), "0x%" PRIx64, role->lock);
	else
		snprintf(role->name, sizeof(role->name), "%s", place.name);
	return from->site ? Monitor_call_name(mon, from->site, role->call) : 0;
}

/*
 * Some locks are taken only after another lock. It is not known whether such a lock hands out work,
 * so the placement may not apply to another run. To report this, one lock is enough. Find the one
 * that is taken most often. Return: the lock; NULL if there is no such lock.
 */
static const struct run_facts_role *later_find(const struct run_facts *run)
{
	const struct run_facts_role *found = NULL;
	uint64_t most = 0;

	for (size_t i = 0; i < run->roles.count; i++) {
		if (!run->roles.at[i].later || run->roles.at[i].turns <= most)
			continue;
		found = &run->roles.at[i];
		most = found->turns;
	}
	return found;
}

int advise_roles_load(struct Monitor_advise *advise)
{
	const struct run_facts_role *later = later_find(&advise->run);
	size_t count = advise->run.roles.count;
	int failed = 0;

	advise->roles = analysis_memory(count, sizeof(*advise->roles));
	if (!advise->roles)
		return -ENOMEM;
	for (size_t i = 0; i < count && !failed; i++) {
		const struct run_facts_role *role = &advise->run.roles.at[i];

		if (several_nodes(advise, &role->threads) && (role == later || !role->later))
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

/*
 * Write the numbers of the threads: "2, 3, 1, 0". If @text cannot hold all numbers, end it with
 * "...".
 */
static void threads_put(const struct Monitor_advise_role *role, char *text, size_t bytes)
{
	size_t used = 0;

	for (size_t i = 0; i < role->count && i < 16; i++)
		used += (size_t)snprintf(text + used, bytes - used, "%s%" PRIu32, i ? ", " : "",
					 role->threads[i]);
	if (role->count > 16)
		snprintf(text + used, bytes - used, ", ...");
}

/*
 * Write how work is handed out: "under the lock lock (main.c:20 (work))", "by the atomic operation
 * at main.c:20 (work)".
 */
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
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "threads come together %s %s times, some more often than others: if this "
			 "hands out the work, a placement changes which thread does which part of "
			 "it, and the placement then applies only in part; give each thread a part "
			 "of the work that is always its own",
			 means, text_count(turns, role->turns));
		return text;
	}
	if (advise_is_queue(role)) {
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "threads take work %s %s times: a placement changes which thread does "
			 "which part of the work, and so applies only in part; the order in which "
			 "threads take work is not kept, because it gives work to the thread that "
			 "is free; give each thread a part of the work that is always its own",
			 means, text_count(turns, role->turns));
		return text;
	}
	threads_put(role, threads, sizeof(threads));
	if (role->turns > 2 * role->count) {
		snprintf(text, MONITOR_SENTENCE_BYTES,
			 "threads come together %s %s times, all equally often, at first in the "
			 "order %s: if this gives them their parts of the work, the placement "
			 "applies to this order, and keeps it",
			 means, text_count(turns, role->turns), threads);
		return text;
	}
	snprintf(
		text, MONITOR_SENTENCE_BYTES,
		"threads take their part of the work %s, in the order %s: the placement applies to "
		"this order, and keeps it; to be independent of the order, give each thread its "
		"number when it is created",
		means, threads);
	return text;
}
