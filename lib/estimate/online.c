// SPDX-License-Identifier: MIT
/*
 * Online. See lib/estimate/online.h. May use libm alone.
 */
#include "lib/estimate/online.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/estimate/state.h"

/* The window times events: a step of the joint state costs more than the square of the events. */
#define WINDOW_VALUES 16384
#define WINDOW_LEAST 64

/* Intervals before it is learned for the first time. */
#define LEARN_FIRST 16

/**
 * struct Monitor_online - A process and its state.
 * @n: events
 * @window: intervals that are kept
 * @values: of them, shape [@window][@n], the oldest first
 * @lengths_s: of them, shape [@window]
 * @kept: how many there are
 * @intervals: so far
 * @next: learned when there were so many
 * @state: of @active events; NULL: not learned yet
 * @index: which these are, shape [@n]
 * @active: how many
 * @nominal_s: length of an interval in the process's units
 * @row: readings of the active events in an interval, shape [@n]
 * @part_estimates: of them, shape [@n]
 * @part_deviations: likewise
 */
struct Monitor_online {
	size_t n;
	size_t window;
	double *values;
	double *lengths_s;
	size_t kept;
	size_t intervals;
	size_t next;
	struct Monitor_state *state;
	size_t *index;
	size_t active;
	double nominal_s;
	double *row;
	double *part_estimates;
	double *part_deviations;
};

int Monitor_online_new(struct Monitor_online **out, size_t events)
{
	struct Monitor_online *online;
	size_t window = MONITOR_ONLINE_WINDOW;

	if (!events || events > MONITOR_STATE_MAX)
		return -EINVAL;
	if (window * events > WINDOW_VALUES)
		window = WINDOW_VALUES / events;
	if (window < WINDOW_LEAST)
		window = WINDOW_LEAST;
	online = calloc(1, sizeof(*online));
	if (!online)
		return -ENOMEM;
	online->n = events;
	online->window = window;
	online->next = LEARN_FIRST;
	online->index = calloc(events, sizeof(*online->index));
	online->values = calloc(window * events + window + 3 * events, sizeof(double));
	if (!online->values || !online->index) {
		Monitor_online_free(online);
		return -ENOMEM;
	}
	online->lengths_s = online->values + window * events;
	online->row = online->lengths_s + window;
	online->part_estimates = online->row + events;
	online->part_deviations = online->part_estimates + events;
	*out = online;
	return 0;
}

void Monitor_online_free(struct Monitor_online *online)
{
	if (!online)
		return;
	Monitor_state_free(online->state);
	free(online->index);
	free(online->values);
	free(online);
}

static void window_add(struct Monitor_online *online, const double *values, double length_s)
{
	size_t n = online->n;

	if (online->kept == online->window) {
		online->kept--;
		memmove(online->values, online->values + n, online->kept * n * sizeof(double));
		memmove(online->lengths_s, online->lengths_s + 1, online->kept * sizeof(double));
	}
	memcpy(online->values + online->kept * n, values, n * sizeof(double));
	online->lengths_s[online->kept++] = length_s;
}

int Monitor_online_step(struct Monitor_online *online, const double *values, double length_s,
			double *estimates, double *deviations)
{
	double length = length_s / online->nominal_s;

	if (!(length_s > 0))
		return -EINVAL;
	window_add(online, values, length_s);
	online->intervals++;
	for (size_t i = 0; i < online->n; i++) {
		estimates[i] = values[i];
		deviations[i] = isnan(values[i]) ? NAN : 0;
	}
	if (!online->state)
		return 0;
	for (size_t k = 0; k < online->active; k++)
		online->row[k] = values[online->index[k]] / length;
	Monitor_state_step(online->state, online->row, length);
	Monitor_state_estimates(online->state, online->part_estimates, online->part_deviations);
	for (size_t k = 0; k < online->active; k++) {
		size_t i = online->index[k];

		if (!isnan(values[i]))
			continue;
		estimates[i] = online->part_estimates[k] * length;
		deviations[i] = online->part_deviations[k] * length;
	}
	return 0;
}

/* ---- learning -------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/**
 * struct learning - What is learned from.
 * @index: events that were read often enough
 * @readings: theirs, in nominal intervals
 * @nominal_s: length of one
 */
struct learning {
	size_t *index;
	struct Monitor_readings readings;
	double nominal_s;
};

/* Return: 0; -ENODATA: no event was read often enough; -ENOMEM. */
static int learning_begin(struct learning *learning, const struct Monitor_online *online)
{
	size_t n = online->n, kept = online->kept, active = 0;
	double *memory = malloc((kept * n + kept) * sizeof(*memory));
	double *lengths = memory + kept * n;

	learning->index = calloc(n, sizeof(*learning->index));
	learning->readings = (struct Monitor_readings){.values = memory};
	if (!memory || !learning->index)
		return -ENOMEM;
	memcpy(lengths, online->lengths_s, kept * sizeof(*lengths));
	qsort(lengths, kept, sizeof(*lengths), by_size);
	learning->nominal_s = lengths[kept / 2];
	for (size_t i = 0; i < n; i++) {
		size_t readings = 0;

		for (size_t t = 0; t < kept; t++)
			readings += !isnan(online->values[t * n + i]);
		if (readings >= MONITOR_ONLINE_READINGS)
			learning->index[active++] = i;
	}
	if (!active)
		return -ENODATA;
	for (size_t t = 0; t < kept; t++) {
		lengths[t] = online->lengths_s[t] / learning->nominal_s;
		for (size_t k = 0; k < active; k++)
			memory[t * active + k] =
				online->values[t * n + learning->index[k]] / lengths[t];
	}
	learning->readings.lengths = lengths;
	learning->readings.intervals = kept;
	learning->readings.events = active;
	return 0;
}

static int learning_state(const struct learning *learning, struct Monitor_state **state)
{
	struct Monitor_joint *joint;
	int error = Monitor_joint_new(&joint, learning->readings.events);

	if (error < 0)
		return error;
	error = Monitor_joint_learn(joint, &learning->readings, &learning->readings);
	if (!error)
		error = Monitor_state_new(state, joint);
	Monitor_joint_free(joint);
	if (!error)
		Monitor_state_run(*state, &learning->readings, NULL, NULL);
	return error;
}

int Monitor_online_learn(struct Monitor_online *online)
{
	struct learning learning = {0};
	struct Monitor_state *state = NULL;
	int error;

	if (online->intervals < online->next)
		return 0;
	online->next += online->next < online->window ? online->next : online->window;
	error = learning_begin(&learning, online);
	if (!error)
		error = learning_state(&learning, &state);
	if (!error) {
		Monitor_state_free(online->state);
		online->state = state;
		online->active = learning.readings.events;
		online->nominal_s = learning.nominal_s;
		memcpy(online->index, learning.index, online->active * sizeof(*online->index));
	}
	free((void *)learning.readings.values);
	free(learning.index);
	return error == -ENODATA ? 0 : error < 0 ? error : 1;
}
