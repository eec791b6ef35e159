// SPDX-License-Identifier: MIT
/*
 * Advise: the functions by which programs set the options of an advice and read its figures.
 * Programs cannot access the members of the two structs directly. See include/smile/advise.h.
 */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/memory.h"

/* ---- options --------------------------------------------------------------------------------- */

int Monitor_advise_options_new(struct Monitor_advise_options **out)
{
	struct Monitor_advise_options *options = analysis_memory(1, sizeof(*options));

	if (!options)
		return -ENOMEM;
	*options = ADVISE_OPTIONS;
	*out = options;
	return 0;
}

void Monitor_advise_options_free(struct Monitor_advise_options *options)
{
	free(options);
}

void Monitor_advise_options_machine(struct Monitor_advise_options *options, const char *name,
				    const struct Monitor_weights *weights, uint64_t frequency_hz)
{
	options->machine = (struct Monitor_advise_machine){name, *weights, frequency_hz};
}

void Monitor_advise_options_fallback(struct Monitor_advise_options *options, const char *name,
				     const struct Monitor_weights *weights, uint64_t frequency_hz)
{
	options->fallback = (struct Monitor_advise_machine){name, *weights, frequency_hz};
}

void Monitor_advise_options_phase(struct Monitor_advise_options *options, const char *phase)
{
	options->phase = phase;
}

int Monitor_advise_options_shared_below(struct Monitor_advise_options *options, double share)
{
	if (!(share >= 0 && share <= 1))
		return Monitor_error_set(EINVAL, "shared_below is %g: it must be 0 to 1", share);
	options->shared_below = share;
	return 0;
}

void Monitor_advise_options_min_gain(struct Monitor_advise_options *options, uint64_t cycles)
{
	options->min_gain = cycles;
}

/* ---- an advice ------------------------------------------------------------------------------- */

static uint64_t time_figure(const struct Monitor_advise_time *time, enum Monitor_figure figure)
{
	switch (figure) {
	case MONITOR_FIGURE_TIME_NOW:
		return time->now;
	case MONITOR_FIGURE_TIME_THEN:
		return time->then;
	case MONITOR_FIGURE_TIME_MOST:
		return time->most;
	case MONITOR_FIGURE_TIME_LEAST:
		return time->least;
	case MONITOR_FIGURE_TIME_SINGLE:
		return time->single;
	case MONITOR_FIGURE_TIME_ACCESSES:
		return time->access_cycles;
	case MONITOR_FIGURE_TIME_ESTIMATED:
		return (uint64_t)time->estimated;
	default:
		return 0;
	}
}

static uint64_t sums_figure(const struct Monitor_advise_sums *sums, enum Monitor_figure figure)
{
	switch (figure) {
	case MONITOR_FIGURE_ACCESSES:
		return sums->accesses;
	case MONITOR_FIGURE_CYCLES:
		return sums->cycles;
	case MONITOR_FIGURE_ADVISED_CYCLES:
		return sums->advised_cycles;
	case MONITOR_FIGURE_MOVED:
		return sums->moved;
	case MONITOR_FIGURE_SHARED:
		return sums->shared;
	case MONITOR_FIGURE_WRONG:
		return sums->wrong;
	default:
		return 0;
	}
}

uint64_t Monitor_advise_figure(const struct Monitor_advise *advise, enum Monitor_figure figure)
{
	switch (figure) {
	case MONITOR_FIGURE_PAGES:
		return advise->count;
	case MONITOR_FIGURE_NODES:
		return advise->nodes;
	case MONITOR_FIGURE_FREQUENCY_HZ:
		return advise->machine.frequency_hz;
	case MONITOR_FIGURE_RUNS:
		return advise->run_count;
	case MONITOR_FIGURE_DATA:
		return advise->data_count;
	case MONITOR_FIGURE_ROLES:
		return advise->role_count;
	case MONITOR_FIGURE_MACHINE_RECORDED:
		return (uint64_t)advise->machine_recorded;
	case MONITOR_FIGURE_FIRST_TOUCH:
		return (uint64_t)advise->first_touch;
	default:
		return time_figure(&advise->time, figure) + sums_figure(&advise->sums, figure);
	}
}

const char *Monitor_advise_machine_name(const struct Monitor_advise *advise)
{
	return advise->machine.name;
}

const struct Monitor_advice *Monitor_advise_page_at(const struct Monitor_advise *advise,
						    size_t index)
{
	return index < advise->count ? &advise->rows[index] : NULL;
}

/* ---- runs of pages --------------------------------------------------------------------------- */

const struct Monitor_advise_run *Monitor_advise_run_at(const struct Monitor_advise *advise,
						       size_t index)
{
	return index < advise->run_count ? &advise->runs[index] : NULL;
}

uint64_t Monitor_advise_run_figure(const struct Monitor_advise_run *run, enum Monitor_figure figure)
{
	switch (figure) {
	case MONITOR_FIGURE_PAGES:
		return run->count;
	case MONITOR_FIGURE_ACCESSES:
		return run->accesses;
	case MONITOR_FIGURE_CYCLES:
		return run->cycles;
	case MONITOR_FIGURE_ADVISED_CYCLES:
		return run->advised_cycles;
	case MONITOR_FIGURE_OFFSET:
		return run->offset;
	case MONITOR_FIGURE_FIRST:
		return run->first;
	default:
		return 0;
	}
}

const struct Monitor_region *Monitor_advise_run_region(const struct Monitor_advise_run *run)
{
	return run->in_region ? &run->region : NULL;
}

double Monitor_advise_run_share(const struct Monitor_advise_run *run)
{
	return run->share;
}

/* ---- variables ------------------------------------------------------------------------------- */

const struct Monitor_advise_data *Monitor_advise_data_at(const struct Monitor_advise *advise,
							 size_t index)
{
	return index < advise->data_count ? &advise->data[index] : NULL;
}

uint64_t Monitor_advise_data_figure(const struct Monitor_advise_data *data,
				    enum Monitor_figure figure)
{
	switch (figure) {
	case MONITOR_FIGURE_PAGES:
		return data->count;
	case MONITOR_FIGURE_START:
		return data->start;
	case MONITOR_FIGURE_PARTS:
		return data->part_count;
	case MONITOR_FIGURE_EXCEPTIONS:
		return data->exceptions;
	case MONITOR_FIGURE_CHOICE_PHASE:
		return data->choice_phase;
	case MONITOR_FIGURE_BOUNDS:
		return (uint64_t)data->bounds;
	case MONITOR_FIGURE_COPIES_GAIN:
		return data->copies_gain;
	case MONITOR_FIGURE_COPIES_BYTES:
		return data->copies_bytes;
	default:
		return sums_figure(&data->sums, figure);
	}
}

const struct Monitor_variable *Monitor_advise_data_variable(const struct Monitor_advise_data *data)
{
	return data->variable;
}

size_t Monitor_advise_data_page(const struct Monitor_advise_data *data, size_t index)
{
	return index < data->count ? data->rows[index] : SIZE_MAX;
}

enum Monitor_layout Monitor_advise_data_layout(const struct Monitor_advise_data *data)
{
	return data->layout;
}

enum Monitor_advise_choice Monitor_advise_data_choice(const struct Monitor_advise_data *data)
{
	return data->choice;
}

const char *Monitor_advise_data_unit(const struct Monitor_advise_data *data)
{
	return data->unit;
}

int Monitor_advise_data_part(const struct Monitor_advise_data *data, size_t index, int64_t *first,
			     int64_t *last, uint64_t *pages)
{
	const struct Monitor_advise_part *part;

	if (index >= data->part_count)
		return Monitor_error_set(EINVAL,
					 "part %zu does not exist: the pages have %zu parts", index,
					 data->part_count);
	part = &data->parts[index];
	*first = part->first;
	*last = part->last;
	*pages = part->pages;
	return (int)part->node;
}

/* ---- roles ----------------------------------------------------------------------------------- */

const struct Monitor_advise_role *Monitor_advise_role_at(const struct Monitor_advise *advise,
							 size_t index)
{
	return index < advise->role_count ? &advise->roles[index] : NULL;
}

uint64_t Monitor_advise_role_figure(const struct Monitor_advise_role *role,
				    enum Monitor_figure figure)
{
	switch (figure) {
	case MONITOR_FIGURE_ADDRESS:
		return role->lock;
	case MONITOR_FIGURE_ATOMIC:
		return (uint64_t)role->atomic;
	case MONITOR_FIGURE_TURNS:
		return role->turns;
	case MONITOR_FIGURE_EVEN:
		return (uint64_t)role->even;
	case MONITOR_FIGURE_THREADS:
		return role->count;
	case MONITOR_FIGURE_LOOP:
		return (uint64_t)role->loop;
	case MONITOR_FIGURE_LATER:
		return (uint64_t)role->later;
	default:
		return 0;
	}
}

const char *Monitor_advise_role_name(const struct Monitor_advise_role *role)
{
	return role->name;
}

const char *Monitor_advise_role_call(const struct Monitor_advise_role *role)
{
	return role->call;
}

uint32_t Monitor_advise_role_thread(const struct Monitor_advise_role *role, size_t index)
{
	return index < role->count ? role->threads[index] : UINT32_MAX;
}
