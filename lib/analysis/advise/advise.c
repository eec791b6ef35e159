// SPDX-License-Identifier: MIT
/* Advise: computes the advice from the counts of a Monitor. See lib/analysis/advise/advise.h. */
#include "lib/analysis/advise/advise.h"

#include <errno.h>
#include <stdlib.h>

#include "lib/analysis/advise/load.h"
#include "lib/analysis/memory.h"
#include "lib/analysis/run_facts.h"

static int homes_find(struct Monitor_advise *advise)
{
	struct load load;
	int failed = load_make(advise, LOAD_FINEST, &load);

	if (!failed)
		failed = advise_balance(advise, &load);
	if (!failed)
		failed = advise_candidates(advise, &load);
	if (!failed)
		load_settle(advise, &load);
	if (!failed)
		failed = advise_predict(advise, &load);
	if (!failed)
		load_links(advise, &load);
	load_free(&load);
	return failed;
}

static int steps(struct Monitor_advise *advise)
{
	static int (*const all[])(struct Monitor_advise *) = {
		advise_model_load, advise_phases_load, advise_rows_load, advise_data_group,
		advise_roles_load, homes_find,	       advise_runs_make, advise_data_settle,
	};
	int failed = 0;

	for (size_t i = 0; !failed && i < sizeof(all) / sizeof(all[0]); i++)
		failed = all[i](advise);
	return failed;
}

int Monitor_advise_new(struct Monitor *mon, const struct Monitor_advise_options *options,
		       struct Monitor_advise **out)
{
	struct Monitor_advise *advise;
	int failed;

	if (options && !(options->shared_below >= 0 && options->shared_below <= 1))
		return Monitor_error_set(EINVAL, "shared_below is %g: it must be 0 to 1",
					 options->shared_below);
	if (run_facts_are_sampled(mon))
		return Monitor_error_set(EOPNOTSUPP,
					 "samples do not contain the durations of accesses: advice "
					 "needs exact counts, which `smile run` records");
	advise = analysis_memory(1, sizeof(*advise));
	if (!advise)
		return -ENOMEM;
	advise->options = options ? *options : ADVISE_OPTIONS;
	advise->mon = mon;
	failed = steps(advise);
	if (failed)
		Monitor_advise_free(advise);
	else
		*out = advise;
	return failed;
}

void Monitor_advise_free(struct Monitor_advise *advise)
{
	if (!advise)
		return;
	run_facts_free(&advise->run);
	free(advise->fixed);
	free(advise->threads);
	free(advise->phases);
	free(advise->data_rows);
	for (size_t i = 0; i < advise->data_count; i++)
		free(advise->data[i].parts);
	for (size_t i = 0; i < advise->role_count; i++)
		free(advise->roles[i].threads);
	free(advise->roles);
	free(advise->data);
	free(advise->variables);
	free(advise->runs);
	free(advise->rows);
	free(advise);
}
