/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Role: records and enforces the order in which threads take locks for the first time. This file
 * may use role.h and lock.h.
 */
#include "role.h"

#include <errno.h>
#include <stdlib.h>

#include <base/array.h>
#include <base/search.h>

#include "lock.h"
#include "schedule_inside.h"
#include "text.h"

static struct role *role_make(struct schedule *schedule, uint64_t lock)
{
	struct role *role = table_make(&schedule->roles, lock, sizeof(*role));

	if (role)
		role->lock = lock;
	return role;
}

int roles_create(struct schedule *schedule)
{
	const struct schedule_config *config = &schedule->config;

	for (size_t i = 0; i < config->orders_count; i++) {
		struct role *role = role_make(schedule, config->orders[i].lock);

		if (!role)
			return -ENOMEM;
		role->wanted = config->orders[i].threads;
		role->wanted_count = config->orders[i].count;
	}
	return 0;
}

void roles_destroy(struct schedule *schedule)
{
	struct role *role;
	size_t position = 0;

	while ((role = table_next(&schedule->roles, &position)) != NULL) {
		free(role->threads);
		free(role->taken);
		free(role->last);
		free(role->turned);
		free(role);
	}
	hash_table_free(&schedule->roles);
}

/*
 * Get the index of a thread in @role->threads; @role->count if the thread has not taken the lock.
 */
static size_t role_index(const struct role *role, unsigned number)
{
	size_t i = 0;

	while (i < role->count && role->threads[i] != number)
		i++;
	return i;
}

static bool role_has(const struct role *role, unsigned number)
{
	return role_index(role, number) < role->count;
}

/*
 * Check whether the thread has taken the lock or has ended. In both cases, no other thread must
 * wait for the thread.
 */
static bool role_is_over(const struct schedule *schedule, const struct role *role, unsigned number)
{
	if (role_has(role, number))
		return true;
	return number < schedule->threads_count && schedule->threads[number]->state == THREAD_ENDED;
}

static void role_advance(const struct schedule *schedule, struct role *role)
{
	while (role->next < role->wanted_count &&
	       role_is_over(schedule, role, role->wanted[role->next]))
		role->next++;
}

bool role_may_take(const struct schedule *schedule, uint64_t lock, const struct thread *thread)
{
	const struct role *role = table_find(&schedule->roles, lock);

	if (!role)
		return true;
	for (size_t i = role->next; i < role->wanted_count; i++) {
		if (role->wanted[i] == thread->number)
			return i == role->next || role_has(role, thread->number);
	}
	return true;
}

/*
 * After threads have met, find out whether they had stopped taking the lock in the way in which
 * threads stop when a queue becomes empty. When a queue becomes empty, all threads stop at the same
 * time: after the last turn of the first thread that stops, each other thread has one more turn, or
 * two if it reports the end of its work under the same lock. If the lock protects something else,
 * each thread stops when it no longer needs the lock, so there are more turns.
 */
static void role_settle(struct role *role)
{
	uint64_t first = role->turns;
	size_t takers = 0;

	for (size_t i = 0; i < role->count; i++) {
		if (role->last[i] <= role->before)
			continue;
		takers++;
		if (role->last[i] < first)
			first = role->last[i];
	}
	if (takers > 1 && role->turns - role->before > 2 * takers) {
		role->drained += role->turns - first <= 2 * takers;
		role->kept += role->turns - first > 2 * takers;
	}
	role->before = role->turns;
}

/*
 * Handle a turn after which the thread has woken no other thread. The function assumes that the
 * thread has removed an item of a queue in this turn, and has not added one.
 */
static void role_taken_out(struct thread *thread)
{
	struct role *role = thread->taken;

	thread->taken = NULL;
	if (!role || thread->taken_at < role->taken_at)
		return;
	role->competed |= thread->taken_at == role->taken_at && role->taker != thread->number;
	role->taker = thread->number;
	role->taken_at = thread->taken_at;
}

/* Record a turn of the thread with index @index in role->threads. */
static void role_turn(const struct schedule *schedule, struct role *role, struct thread *thread,
		      size_t index)
{
	role->last[index] = role->turns;
	role_taken_out(thread);
	thread->taken = role;
	thread->taken_at = schedule->meetings;
}

/* Handle the first turn after threads have met. Return: 0 or -ENOMEM. */
static int role_again(const struct schedule *schedule, struct role *role)
{
	role_settle(role);
	role->meetings = schedule->meetings;
	if (role->turned_count == ROLE_MEETINGS)
		return 0;
	if (array_reserve(&role->turned, &role->turned_room, role->turned_count,
			  sizeof(*role->turned)) < 0)
		return -ENOMEM;
	role->turned[role->turned_count++] = schedule->meetings;
	return 0;
}

void role_waited(struct schedule *schedule, uint64_t lock, unsigned node, uint64_t cycles)
{
	struct role *role = table_find(&schedule->roles, lock);

	schedule->lock_waits[node] += cycles;
	if (role)
		role->waited += cycles;
}

int role_took(struct schedule *schedule, uint64_t lock, struct thread *thread)
{
	struct role *role = table_find(&schedule->roles, lock);
	bool first = !thread->locked && !thread->met && !(thread->numbers && thread->numbered);
	uint64_t site = thread->site;
	bool same = thread->slept == lock;
	size_t index;

	thread->site = 0;
	thread->slept = 0;
	if (thread->numbers)
		thread->numbered = true;
	else
		thread->locked = true;
	/*
	 * The thread takes the lock again after a wait at a condition. This is the continuation of
	 * its turn, and not a new turn.
	 */
	if (same && role) {
		thread->taken = role;
		thread->taken_at = schedule->meetings;
		return 0;
	}
	/*
	 * Do not record most atomic instructions. There are many, and most of them do not decide
	 * roles.
	 */
	if (!role && (schedule->roles.used >= ROLES_MAX || (thread->numbers && !first)))
		return 0;
	role = role ? role : role_make(schedule, lock);
	if (!role)
		return -ENOMEM;
	if (role->meetings != schedule->meetings && role_again(schedule, role) < 0)
		return -ENOMEM;
	role->turns++;
	role->atomic = thread->numbers;
	role->loop |= thread->loops;
	if (!role->site)
		role->site = site;
	index = role_index(role, thread->number);
	if (index < role->count) {
		role->taken[index]++;
		role_turn(schedule, role, thread, index);
		return 0;
	}
	if (array_reserve(&role->threads, &role->capacity, role->count, sizeof(*role->threads)) <
		    0 ||
	    array_reserve(&role->taken, &role->taken_room, role->count, sizeof(*role->taken)) < 0 ||
	    array_reserve(&role->last, &role->last_room, role->count, sizeof(*role->last)) < 0)
		return -ENOMEM;
	role->taken[role->count] = 1;
	role->threads[role->count++] = thread->number;
	role_turn(schedule, role, thread, index);
	role->firsts += first;
	role_advance(schedule, role);
	return 0;
}

void roles_left(struct schedule *schedule, struct thread *thread)
{
	const struct schedule_config *config = &schedule->config;

	role_taken_out(thread);
	for (size_t i = 0; i < config->orders_count; i++) {
		struct role *role = table_find(&schedule->roles, config->orders[i].lock);

		role_advance(schedule, role);
		lock_open(schedule, role->lock, thread->clock);
	}
}

static void drop_notice(struct schedule *schedule, const struct role *role)
{
	struct text text = {{0}, 0};

	text_add(&text, "the order of the lock at ");
	text_hexadecimal(&text, role->lock);
	text_add(&text, " is given up: no thread could continue before thread ");
	text_number(&text, role->wanted[role->next]);
	text_add(&text, " took it; threads may do other work than in the recorded run");
	notice(schedule, SCHEDULE_NOTICE_ROLE, text.bytes);
}

bool roles_drop(struct schedule *schedule)
{
	const struct schedule_config *config = &schedule->config;
	bool dropped = false;

	for (size_t i = 0; i < config->orders_count; i++) {
		struct role *role = table_find(&schedule->roles, config->orders[i].lock);

		if (role->next == role->wanted_count)
			continue;
		dropped = true;
		drop_notice(schedule, role);
		role->wanted_count = 0;
		role->next = 0;
		lock_open(schedule, role->lock, schedule->now);
	}
	return dropped;
}

/* Check whether all threads have taken the lock equally often. */
static bool role_is_even(const struct role *role)
{
	for (size_t i = 1; i < role->count; i++) {
		if (role->taken[i] != role->taken[0])
			return false;
	}
	return true;
}

/*
 * Check whether the lock behaves like the lock of a queue from which idle threads take the next
 * item. All threads stop taking such a lock at the same time. Some threads have more turns than
 * others, and the difference is larger than the remainder that results if items are divided evenly.
 */
static bool role_is_drained(const struct role *role)
{
	uint64_t most = 0, least = UINT64_MAX;
	struct role now = *role;

	role_settle(&now);
	for (size_t i = 0; i < role->count; i++) {
		if (role->taken[i] > most)
			most = role->taken[i];
		if (role->taken[i] < least)
			least = role->taken[i];
	}
	return now.drained > now.kept && most - least > now.drained + now.kept;
}

/*
 * Check whether threads take the lock repeatedly, and some of them more often than others. Such a
 * lock may hand out work.
 */
static bool role_is_uneven(const struct role *role)
{
	return role->turns > 2 * role->count && !role_is_even(role);
}

/*
 * Check whether the lock belongs to one of several queues. In such a scheme, each thread has a
 * queue for its own work, and can take items from the queues of other threads. One call in the
 * program takes all locks of the queues, there are no more locks than threads, and all locks are
 * taken repeatedly.
 *
 * Locks that protect items of data are more numerous. If there is only one lock, it could protect a
 * sum, so it must behave like the lock of a queue too. If only one thread takes items from each
 * queue, the queues hand out no work. They are pools of the threads' own memory, or mailboxes.
 */
static bool role_is_of_queues(const struct schedule *schedule, const struct role *role)
{
	const struct role *other;
	size_t position = 0, alike = 0;

	if (role->atomic || !role->site || !role->competed || !role_is_uneven(role))
		return false;
	while ((other = table_next(&schedule->roles, &position)) != NULL) {
		if (other->site != role->site)
			continue;
		if (other->turns <= 2 * other->count)
			return false;
		alike++;
	}
	return alike == 1 ? role_is_drained(role) : alike <= schedule->threads_count;
}

/* Check whether the lock possibly hands out work, but not certainly. */
static bool role_is_doubtful(const struct role *role)
{
	if (role->atomic || role->loop || !role_is_uneven(role))
		return false;
	return !role_is_drained(role);
}

static bool role_is_reported(const struct schedule *schedule, const struct role *role)
{
	return role->firsts >= 2 || role->loop || role_is_of_queues(schedule, role);
}

bool schedule_role(const struct schedule *schedule, size_t *position, struct schedule_role *out)
{
	const struct role *role;

	while ((role = table_next(&schedule->roles, position)) != NULL) {
		if (!role_is_reported(schedule, role))
			continue;
		*out = (struct schedule_role){
			.lock = role->lock,
			.site = role->site,
			.threads = role->threads,
			.count = role->count,
			.turns = role->turns,
			.atomic = role->atomic,
			.even = role_is_even(role),
			.loop = role->loop,
			.later = (role->firsts < 2 && !role->loop) || role_is_doubtful(role),
		};
		return true;
	}
	return false;
}

bool schedule_hands_out(const struct schedule *schedule, uint64_t first, uint64_t last)
{
	const struct role *role;
	size_t position = 0;

	while ((role = table_next(&schedule->roles, &position)) != NULL) {
		bool queue = role->atomic || role->loop ? role->turns > 2 * role->count
							: role_is_uneven(role);
		size_t at;

		if (!queue || !role_is_reported(schedule, role))
			continue;
		SEARCH_FIRST(at, role->turned_count, i, role->turned[i] >= first);
		if (at == role->turned_count ? at == ROLE_MEETINGS : role->turned[at] <= last)
			return true;
	}
	return false;
}

bool schedule_lock_wait(const struct schedule *schedule, size_t *position,
			struct schedule_lock_wait *out)
{
	const struct role *role;

	while ((role = table_next(&schedule->roles, position)) != NULL) {
		if (!role->waited)
			continue;
		*out = (struct schedule_lock_wait){.lock = role->lock,
						   .site = role->site,
						   .turns = role->turns,
						   .cycles = role->waited};
		return true;
	}
	return false;
}
