// SPDX-License-Identifier: MIT
/*
 * smile stat --fit: find the parameters of events from samples. smile stat --simulate makes samples
 * from parameters.
 */
#include "tools/stat/fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "tools/common/csv.h"
#include "tools/common/progress.h"
#include "tools/common/tool.h"
#include "tools/stat/parameters.h"
#include "tools/stat/stat.h"

#define FIT_HEADER                                                                                 \
	PARAMETERS_HEADER                                                                          \
	",sigma_low,sigma_high,beta_low,beta_high,mean_low,mean_high,line_sigma,"                  \
	"line_beta,samples,likelier"

static void fit_row(const char *name, const struct Estimate_fit *fit)
{
	csv_text(name);
	csv_real(fit->process.sigma);
	csv_real(fit->process.beta);
	csv_real(fit->process.mean);
	csv_real(fit->process.r);
	csv_real(fit->sigma_low);
	csv_real(fit->sigma_high);
	csv_real(fit->beta_low);
	csv_real(fit->beta_high);
	csv_real(fit->mean_low);
	csv_real(fit->mean_high);
	csv_real(fit->line.beta > 0 ? fit->line.sigma : INFINITY);
	csv_real(fit->line.beta > 0 ? fit->line.beta : INFINITY);
	csv_count(fit->samples);
	csv_text(fit->likelihood >= fit->integrated ? "gauss-markov" : "integrated");
}

/* Print the reason why no parameters were found for an event. */
static void fit_refuse(const struct sampled *event, int error)
{
	if (error == -ENODATA)
		tool_message("%s is left out: %zu samples are too few", event->name, event->count);
	else if (error == -ERANGE)
		tool_message("%s is left out: all its samples are %g: a constant is no process",
			     event->name, event->values[0]);
	else
		tool_message("%s is left out: it cannot be analysed", event->name);
}

struct Estimate_samples sampled_view(const struct sampled *event)
{
	return (struct Estimate_samples){
		.values = event->values,
		.dt_s = event->dt_sum / (double)event->count,
		.lengths = event->lengths,
		.sets = event->sets,
	};
}

static int fit_all(const struct samples *samples, struct fitted *fitted)
{
	int error, going = 1;

	csv_begin(FIT_HEADER);
	for (size_t i = 0; i < samples->count && going; i++) {
		struct fitted *one = &fitted[i];
		struct Estimate_samples view = sampled_view(&samples->events[i]);

		progress_show("event %zu of %zu", i + 1, samples->count);
		one->event = &samples->events[i];
		error = Estimate_fit(&view, &one->fit);
		if (error < 0) {
			fit_refuse(one->event, error);
			continue;
		}
		one->known = 1;
		if (one->fit.fast)
			tool_message(
				"%s: samples %g s apart are hardly correlated: beta is at "
				"least %.4g, and the printed value is the least that fits as well",
				one->event->name, view.dt_s, one->fit.beta_low);
		fit_row(one->event->name, &one->fit);
		going = csv_end();
	}
	progress_clear();
	for (size_t i = 0; i < samples->count; i++)
		if (fitted[i].known)
			return TOOL_OK;
	return tool_error("no event has parameters");
}

int stat_fit(const char *path, const char *plot, const char *figures)
{
	struct samples samples;
	struct fitted *fitted;
	int status;

	if (figures && fit_figures_folder(figures) != TOOL_OK)
		return TOOL_ERROR;
	status = samples_read(&samples, path);
	if (status == TOOL_OK) {
		fitted = tool_memory(samples.count, sizeof(*fitted));
		status = fit_all(&samples, fitted);
		if (plot && status == TOOL_OK)
			status = fit_plot(fitted, samples.count, plot);
		if (figures && status == TOOL_OK)
			status = fit_figures(fitted, samples.count, figures);
		free(fitted);
	}
	samples_free(&samples);
	return status;
}

/* ---- simulation ------------------------------------------------------------------------------ */

int stat_simulate(const struct stat_simulation *simulation)
{
	struct parameters parameters;
	uint64_t seed = simulation->seed;
	double *values;
	int going = 1;

	if (parameters_read(&parameters, simulation->parameters) != TOOL_OK)
		return TOOL_ERROR;
	values = tool_memory(simulation->samples, sizeof(*values));
	csv_begin(SAMPLES_HEADER);
	for (size_t i = 0; i < parameters.count && going; i++) {
		for (uint64_t set = 1; set <= simulation->sets && going; set++) {
			Estimate_process_simulate(&parameters.processes[i], simulation->dt_s, &seed,
						  values, simulation->samples);
			for (uint64_t k = 0; k < simulation->samples && going; k++) {
				csv_count(set);
				csv_real(simulation->dt_s);
				csv_text(parameters.names[i]);
				csv_real(values[k]);
				going = csv_end();
			}
		}
	}
	free(values);
	parameters_free(&parameters);
	return TOOL_OK;
}
