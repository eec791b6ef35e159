/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The conformance suite's own static counters: see naive_static.h. May use the C library and the
 * public API.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/conformance/naive_static.h"

void naive_steps_add(struct naive_steps *steps, const struct naive_step *step)
{
	if (steps->count == steps->capacity) {
		steps->capacity = 2 * steps->capacity + 1024;
		steps->step = realloc(steps->step, steps->capacity * sizeof(*steps->step));
		if (!steps->step)
			abort();
	}
	steps->step[steps->count++] = *step;
}

void naive_steps_free(struct naive_steps *steps)
{
	free(steps->step);
	memset(steps, 0, sizeof(*steps));
}

static bool is_none(const struct naive_watch *watch)
{
	return !watch->global && !watch->filter;
}

static bool is_seen(const struct naive_watch *watch, const struct naive_step *step)
{
	static const unsigned int type_filter[] = {
		[SMILE_TYPE_READ] = SMILE_FILTER_READ,
		[SMILE_TYPE_WRITE] = SMILE_FILTER_WRITE,
		[SMILE_TYPE_LOCK] = SMILE_FILTER_LOCK,
	};

	if (is_none(watch) || watch->global != step->global)
		return false;
	if (watch->global)
		return watch->event == step->event;
	return watch->home == step->home && step->address >= watch->address &&
	       step->address < watch->address + watch->bytes &&
	       (watch->filter & type_filter[step->type]) != 0 &&
	       (watch->filter & (step->response ? SMILE_FILTER_RESPONSE : SMILE_FILTER_REQUEST)) !=
		       0;
}

uint64_t naive_static_count(const struct naive_steps *steps, const struct naive_counter *counter,
			    unsigned int phase)
{
	bool active = is_none(&counter->from);
	uint64_t count = 0;

	for (size_t i = 0; i < steps->count; i++) {
		const struct naive_step *step = &steps->step[i];

		if (is_seen(&counter->from, step))
			active = true;
		if (active && step->phase == phase && is_seen(&counter->counts, step))
			count++;
		if (is_seen(&counter->until, step))
			active = false;
	}
	return count;
}

static int watch_add(struct smile_static *tables, const struct naive_watch *watch)
{
	int id;

	if (is_none(watch))
		return -1;
	if (watch->global)
		return (int)(SMILE_STATIC_GLOBAL + watch->event);
	id = Monitor_static_event(tables, watch->home, watch->address, watch->bytes, watch->filter);
	if (id < 0)
		abort();
	return id;
}

struct smile_static naive_static_tables(const struct naive_counter *counters, size_t count)
{
	struct smile_static tables;

	Monitor_static_default(&tables);
	for (size_t i = 0; i < count; i++) {
		int counts = watch_add(&tables, &counters[i].counts);
		int from = watch_add(&tables, &counters[i].from);
		int until = watch_add(&tables, &counters[i].until);

		if (Monitor_static_counter(&tables, counts, from, until) != (int)i)
			abort();
	}
	return tables;
}
