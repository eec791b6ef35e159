// SPDX-License-Identifier: GPL-2.0 OR MIT
/*
 * Bench of the estimator's accuracy. The counts of all events of a program are known in each slice
 * of time, but the estimator gets only a few of them. The table has the results of several methods
 * for the same readings.
 *
 * usage: state_bench NAME SAMPLES.csv EVENTS COUNTERS ROUNDS
 * 	SAMPLES.csv as `smile stat --slices` prints it; ROUNDS: orders of turns
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <smile/estimate.h>

#include "lib/estimate/joint_process.h"
#include "tests/bench/state_rivals.h"
#include "tools/stat/rotation.h"

#define EVENTS_MAX 64
#define ERRORS_MAX (EVENTS_MAX * 64)
#define SLICE_S 0.001

enum method {
	HOLD,
	LINEAR,
	TRAPEZOID,
	DIVIDED,
	REGRESSION,
	INTEGRATED,
	GAUSS_MARKOV,
	LEARNED,
	ONLINE,
	LOGARITHMS,
	EARLIER,
	METHODS,
};

static const char *const names[] = {
	"sample and hold",	"linear scaling",	    "trapezoid (TAM)",
	"divided (DIRA)",	"regression (MLR)",	    "integrated (2006)",
	"gauss-markov",		"joint, learned here",	    "joint, learned online",
	"joint, of logarithms", "joint, samples of before",
};

/**
 * struct result - The results of one method, over all events and rounds.
 * @ratio: rms error of unread intervals, divided by the rms error of holding the last reading;
 * summed over events over events
 * @events: number of events in the sums
 * @errors: errors of totals, as shares of the totals
 * @error_count: number of @errors
 * @within: unread intervals within 68 and totals within their 95 % bands bands
 * @unread: number of unread intervals
 * @bound: expected rms error, divided by the rms error of holding; summed over events
 * @total_bound: expected error of totals, summed
 * @totals_within: 95 %
 * @likelihood: logarithm of the likelihood of all readings
 * @readings: number of readings
 */
struct result {
	double ratio;
	size_t events;
	double errors[ERRORS_MAX];
	size_t error_count;
	double within[2];
	double unread;
	double bound;
	double total_bound;
	double totals_within;
	double likelihood;
	double readings;
};

/*
 * @plain: the deviations that the process predicts, before the bands are widened by the
 * innovations.
 */
static double *truth, *seen, *estimates, *deviations, *plain;
static size_t n, intervals;
static struct Estimate_process processes[EVENTS_MAX];
static struct result results[METHODS];

static void memory_or_exit(const void *memory)
{
	if (memory)
		return;
	fputs("state_bench: no memory\n", stderr);
	exit(2);
}

/* Read the samples, one event after another: set,dt_s,event,value. */
static void samples_read(const char *path, size_t events)
{
	FILE *file = fopen(path, "r");
	char line[256], last[128] = "";
	size_t count = 0, at = 0, room = 0;
	double *columns = NULL;

	if (!file) {
		perror(path);
		exit(2);
	}
	while (fgets(line, sizeof(line), file)) {
		char event[128];
		double value;

		if (sscanf(line, "%*u,%*f,%127[^,],%lf", event, &value) != 2)
			continue;
		if (strcmp(event, last)) {
			if (n == events)
				break;
			snprintf(last, sizeof(last), "%s", event);
			n++;
			at = 0;
		}
		if (count == room) {
			room = room ? 2 * room : 65536;
			columns = realloc(columns, room * sizeof(*columns));
			memory_or_exit(columns);
		}
		columns[count++] = value;
		intervals = ++at;
	}
	fclose(file);
	if (!n) {
		fprintf(stderr, "state_bench: %s has no samples\n", path);
		exit(2);
	}
	truth = calloc(5 * n * intervals, sizeof(*truth));
	memory_or_exit(truth);
	seen = truth + n * intervals;
	estimates = seen + n * intervals;
	deviations = estimates + n * intervals;
	plain = deviations + n * intervals;
	for (size_t i = 0; i < n; i++)
		for (size_t t = 0; t < intervals; t++)
			truth[t * n + i] = columns[i * intervals + t];
	free(columns);
}

static void processes_fit(void)
{
	double *column = malloc(intervals * sizeof(*column));

	memory_or_exit(column);
	for (size_t i = 0; i < n; i++) {
		struct Estimate_samples samples = {column, SLICE_S, &intervals, 1};
		struct Estimate_fit fit;

		for (size_t t = 0; t < intervals; t++)
			column[t] = truth[t * n + i];
		if (Estimate_fit(&samples, &fit) < 0) {
			fprintf(stderr, "state_bench: event %zu cannot be fitted\n", i);
			exit(2);
		}
		processes[i] = fit.process;
		/* Readings of this machine are exact. */
		processes[i].r = 0;
		processes[i].sigma = sqrt(fit.process.sigma * fit.process.sigma + fit.process.r);
	}
	free(column);
}

static void turns_take(size_t counters, uint64_t seed)
{
	size_t set[EVENTS_MAX], order[EVENTS_MAX];
	struct rotation rotation;

	rotation_init(&rotation, n, counters, order);
	rotation.seed = seed;
	for (size_t k = 0; k < n * intervals; k++)
		seen[k] = NAN;
	for (size_t t = 0; t < intervals; t++) {
		size_t count = rotation_next(&rotation, set);

		for (size_t k = 0; k < count; k++)
			seen[t * n + set[k]] = truth[t * n + set[k]];
	}
}

/* ---- methods --------------------------------------------------------------------------------- */

static double true_total(size_t i)
{
	double sum = 0;

	for (size_t t = 0; t < intervals; t++)
		sum += truth[t * n + i];
	return sum;
}

/* Add the errors of unread intervals, from the first reading of an event on. */
static void intervals_judge(struct result *result, int bands)
{
	for (size_t i = 0; i < n; i++) {
		double last = NAN, held = 0, error = 0, variance = 0;

		for (size_t t = 0; t < intervals; t++) {
			size_t at = t * n + i;
			double off = fabs(estimates[at] - truth[at]);

			if (!isnan(seen[at]))
				last = seen[at];
			if (!isnan(seen[at]) || isnan(last))
				continue;
			error += off * off;
			held += (last - truth[at]) * (last - truth[at]);
			if (!bands)
				continue;
			variance += plain[at] * plain[at];
			/* Counts are whole numbers: a difference of up to 0.5 is no error. */
			result->within[0] += off <= deviations[at] + 0.5;
			result->within[1] += off <= 1.96 * deviations[at] + 0.5;
			result->unread++;
		}
		if (!(held > 0))
			continue;
		result->ratio += sqrt(error / held);
		result->bound += sqrt(variance / held);
		result->events++;
	}
}

/* The mean error of a normal distribution is this share of its standard deviation. */
#define MEAN_ERROR 0.798

static void totals_judge(struct result *result, const double *totals, const double *covariance,
			 double wider)
{
	for (size_t i = 0; i < n; i++) {
		double sum = true_total(i), off = fabs(totals[i] - sum);

		if (result->error_count < ERRORS_MAX)
			result->errors[result->error_count++] = off / sum;
		if (!covariance)
			continue;
		result->total_bound += MEAN_ERROR * sqrt(covariance[i * n + i] / wider) / sum;
		result->totals_within += off <= 1.96 * sqrt(covariance[i * n + i]) + 0.5;
	}
}

static void sum_estimates(double *totals)
{
	for (size_t i = 0; i < n; i++) {
		totals[i] = 0;
		for (size_t t = 0; t < intervals; t++)
			totals[i] += estimates[t * n + i];
	}
}

static void simple_run(void)
{
	double held[EVENTS_MAX], scaled[EVENTS_MAX];

	for (size_t i = 0; i < n; i++) {
		double last = 0, sum = 0, count = 0;

		for (size_t t = 0; t < intervals; t++) {
			if (!isnan(seen[t * n + i])) {
				last = seen[t * n + i];
				sum += last;
				count++;
			}
			estimates[t * n + i] = last;
		}
		scaled[i] = sum / count * (double)intervals;
	}
	sum_estimates(held);
	intervals_judge(&results[HOLD], 0);
	totals_judge(&results[HOLD], held, NULL, 1);
	totals_judge(&results[LINEAR], scaled, NULL, 1);
}

/* The rivals, which also use the reading after an interval. */
static void rivals_run(void)
{
	double totals[EVENTS_MAX];

	rival_trapezoid(seen, n, intervals, estimates);
	sum_estimates(totals);
	intervals_judge(&results[TRAPEZOID], 0);
	totals_judge(&results[TRAPEZOID], totals, NULL, 1);
	rival_divided(seen, n, intervals, estimates);
	sum_estimates(totals);
	intervals_judge(&results[DIVIDED], 0);
	totals_judge(&results[DIVIDED], totals, NULL, 1);
	rival_regression(seen, n, intervals, estimates, deviations);
	sum_estimates(totals);
	intervals_judge(&results[REGRESSION], 1);
	totals_judge(&results[REGRESSION], totals, NULL, 1);
}

static void filter_run(enum Estimate_model model, struct result *result)
{
	struct Estimate_filter *filter;
	double totals[EVENTS_MAX];

	if (Estimate_filter_new(&filter, processes, n, model) < 0)
		memory_or_exit(NULL);
	for (size_t t = 0; t < intervals; t++) {
		if (t)
			Estimate_filter_predict(filter, SLICE_S);
		for (size_t i = 0; i < n; i++)
			if (!isnan(seen[t * n + i]))
				Estimate_filter_correct(filter, &i, &seen[t * n + i], 1);
		Estimate_filter_estimates(filter, estimates + t * n, deviations + t * n);
	}
	sum_estimates(totals);
	intervals_judge(result, 1);
	totals_judge(result, totals, NULL, 1);
	Estimate_filter_free(filter);
}

static void readings_count(struct result *result)
{
	for (size_t k = 0; k < n * intervals; k++)
		result->readings += !isnan(seen[k]);
}

static void joint_run(const double *samples, struct result *result)
{
	struct joint_readings readings = {seen, NULL, intervals, n};
	struct joint_readings learned = {samples, NULL, intervals, n};
	double totals[EVENTS_MAX], covariance[EVENTS_MAX * EVENTS_MAX];
	struct joint *joint;
	struct joint_state *state;

	if (joint_new(&joint, n) < 0 ||
	    joint_learn(joint, samples == seen ? &readings : &learned, &readings) < 0 ||
	    joint_state_new(&state, joint) < 0) {
		fputs("state_bench: too few readings, or no memory\n", stderr);
		exit(2);
	}
	for (size_t t = 0; t < intervals; t++) {
		joint_state_step(state, seen + t * n, 1);
		joint_state_estimates(state, estimates + t * n, deviations + t * n);
		for (size_t i = 0; i < n; i++)
			plain[t * n + i] =
				deviations[t * n + i] / sqrt(joint_state_wider_now(state));
	}
	joint_state_totals(state, totals, covariance);
	intervals_judge(result, 1);
	totals_judge(result, totals, covariance, joint_state_wider(state));
	result->likelihood += joint_state_likelihood(state);
	readings_count(result);
	joint_state_free(state);
	joint_free(joint);
}

/*
 * The process is learned again from the last readings, as with --live; until it is learned, the
 * last reading is held.
 */
static void online_run(struct result *result)
{
	double held[EVENTS_MAX] = {0}, totals[EVENTS_MAX];
	struct Estimate_state *online;
	struct Estimate_band band;

	if (Estimate_state_new(&online) < 0)
		memory_or_exit(NULL);
	for (size_t i = 0; i < n; i++) {
		char name[24];

		snprintf(name, sizeof(name), "%zu", i);
		if (Estimate_state_event(online, name) < 0)
			memory_or_exit(NULL);
	}
	Estimate_state_predict(online, 0);
	for (size_t t = 0; t < intervals; t++) {
		double begin_s = (double)t * SLICE_S, end_s = (double)(t + 1) * SLICE_S;

		Estimate_state_predict(online, end_s);
		for (size_t i = 0; i < n; i++) {
			double value = seen[t * n + i];

			if (isnan(value))
				continue;
			Estimate_state_reading(online, i, begin_s, end_s, value);
			held[i] = value;
		}
		for (size_t i = 0; i < n; i++) {
			int known = Estimate_state_band(online, i, &band) >= 0;

			estimates[t * n + i] = known ? band.value : held[i];
			deviations[t * n + i] = known ? band.deviation : held[i];
		}
		if (Estimate_state_learn(online) < 0)
			memory_or_exit(NULL);
	}
	sum_estimates(totals);
	intervals_judge(result, 1);
	totals_judge(result, totals, NULL, 1);
	Estimate_state_free(online);
}

/*
 * The same for log(1 + count), whose estimates are never negative. The estimate is the median,
 * because the mean of the log-normal distribution has a larger error. The likelihood is computed
 * for the counts.
 */
static void logarithms_run(struct result *result)
{
	double *logs = malloc(n * intervals * sizeof(*logs)), totals[EVENTS_MAX];
	struct joint_readings readings = {logs, NULL, intervals, n};
	struct joint *joint;
	struct joint_state *state;

	memory_or_exit(logs);
	for (size_t k = 0; k < n * intervals; k++)
		logs[k] = log1p(seen[k]);
	if (joint_new(&joint, n) < 0 || joint_learn(joint, &readings, &readings) < 0 ||
	    joint_state_new(&state, joint) < 0)
		memory_or_exit(NULL);
	joint_state_run(state, &readings, estimates, deviations);
	result->likelihood += joint_state_likelihood(state);
	for (size_t k = 0; k < n * intervals; k++) {
		double spread = fmin(deviations[k], 2);

		if (!isnan(seen[k]))
			result->likelihood -= logs[k];
		estimates[k] = isnan(seen[k]) ? expm1(estimates[k]) : seen[k];
		deviations[k] = (1 + estimates[k]) * sqrt(expm1(spread * spread));
	}
	readings_count(result);
	sum_estimates(totals);
	intervals_judge(result, 1);
	totals_judge(result, totals, NULL, 1);
	joint_state_free(state);
	joint_free(joint);
	free(logs);
}

/* ---- the table ------------------------------------------------------------------------------- */

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double mean_error(const struct result *result)
{
	double sum = 0;

	for (size_t i = 0; i < result->error_count; i++)
		sum += result->errors[i];
	return sum / (double)result->error_count;
}

/* Does a method give the expected error of its totals? */
static int has_totals(enum method method)
{
	return method == LEARNED || method == EARLIER;
}

static void row_print(const char *program, size_t counters, enum method method)
{
	struct result *result = &results[method];
	size_t count = result->error_count;
	double mean = mean_error(result);

	qsort(result->errors, count, sizeof(double), by_size);
	printf("%-6s %2zu/%-2zu %-24s ", program, n, counters, names[method]);
	if (result->events)
		printf("%5.2f ", result->ratio / (double)result->events);
	else
		printf("%5s ", "-");
	if (has_totals(method))
		printf("%5.2f ", result->bound / (double)result->events);
	else
		printf("%5s ", "-");
	printf("%7.2f %7.2f %7.2f %5.2f ", 100 * mean, 100 * result->errors[count * 99 / 100],
	       100 * result->errors[count - 1], mean / mean_error(&results[LINEAR]));
	if (has_totals(method))
		printf("%7.2f ", 100 * result->total_bound / (double)count);
	else
		printf("%7s ", "-");
	if (result->unread > 0)
		printf("%5.1f %5.1f ", 100 * result->within[0] / result->unread,
		       100 * result->within[1] / result->unread);
	else
		printf("%5s %5s ", "-", "-");
	if (has_totals(method))
		printf("%5.1f ", 100 * result->totals_within / (double)count);
	else
		printf("%5s ", "-");
	if (result->readings > 0)
		printf("%6.2f\n", result->likelihood / result->readings);
	else
		printf("%6s\n", "-");
}

int main(int argc, char **argv)
{
	size_t events, counters, rounds;

	if (argc == 2 && !strcmp(argv[1], "--header")) {
		printf("%-6s %-5s %-24s %5s %5s %7s %7s %7s %5s %7s %5s %5s %5s %6s\n", "", "", "",
		       "inter", "bound", "total", "99 %", "worst", "/lin", "bound", "in68", "in95",
		       "tot95", "lik");
		return 0;
	}
	if (argc != 6) {
		fputs("usage: state_bench NAME SAMPLES.csv EVENTS COUNTERS ROUNDS\n", stderr);
		return 2;
	}
	events = strtoul(argv[3], NULL, 10);
	counters = strtoul(argv[4], NULL, 10);
	rounds = strtoul(argv[5], NULL, 10);
	if (!events || events > EVENTS_MAX || !counters || counters > events || !rounds)
		return 2;
	samples_read(argv[2], events);
	if (counters >= n)
		counters = n - 1;
	processes_fit();
	for (uint64_t seed = 1; seed <= rounds; seed++) {
		turns_take(counters, seed);
		simple_run();
		rivals_run();
		filter_run(ESTIMATE_INTEGRATED, &results[INTEGRATED]);
		filter_run(ESTIMATE_GAUSS_MARKOV, &results[GAUSS_MARKOV]);
		joint_run(seen, &results[LEARNED]);
		online_run(&results[ONLINE]);
		logarithms_run(&results[LOGARITHMS]);
		joint_run(truth, &results[EARLIER]);
	}
	for (int method = HOLD; method < METHODS; method++)
		row_print(argv[1], counters, (enum method)method);
	free(truth);
	return 0;
}
