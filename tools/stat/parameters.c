// SPDX-License-Identifier: MIT
/*
 * Parameters. See tools/stat/parameters.h.
 */
#include "tools/stat/parameters.h"

#include <stdlib.h>
#include <string.h>

#include <base/search.h>

#include "tools/common/csv_read.h"
#include "tools/common/tool.h"

static int process_read(const struct csv_read *csv, struct Estimate_process *process)
{
	const char *wrong;

	if (csv_read_real(csv, 1, "sigma", &process->sigma) < 0 ||
	    csv_read_real(csv, 2, "beta", &process->beta) < 0 ||
	    csv_read_real(csv, 3, "mean", &process->mean) < 0 ||
	    csv_read_real(csv, 4, "r", &process->r) < 0)
		return -1;
	wrong = Estimate_process_check(process);
	if (wrong)
		return csv_read_error(csv, "event %s: no such process: %s", csv->cells[0], wrong);
	return 0;
}

static int row_add(struct parameters *parameters, const struct csv_read *csv)
{
	struct Estimate_process process;
	size_t n = parameters->count;

	if (!*csv->cells[0])
		return csv_read_error(csv, "event has no name");
	if (process_read(csv, &process) < 0)
		return -1;
	parameters->names = tool_larger(parameters->names, n + 1, sizeof(*parameters->names));
	parameters->processes =
		tool_larger(parameters->processes, n + 1, sizeof(*parameters->processes));
	parameters->names[n] = strdup(csv->cells[0]);
	parameters->processes[n] = process;
	if (!parameters->names[n])
		return csv_read_error(csv, "no memory");
	parameters->count++;
	return 0;
}

static int by_name(const void *a, const void *b, void *opaque)
{
	char *const *names = opaque;

	return strcmp(names[*(const size_t *)a], names[*(const size_t *)b]);
}

static int order_make(struct parameters *parameters, const char *path)
{
	parameters->order = tool_memory(parameters->count, sizeof(*parameters->order));
	for (size_t i = 0; i < parameters->count; i++)
		parameters->order[i] = i;
	qsort_r(parameters->order, parameters->count, sizeof(*parameters->order), by_name,
		parameters->names);
	for (size_t i = 1; i < parameters->count; i++)
		if (!by_name(&parameters->order[i - 1], &parameters->order[i], parameters->names))
			return tool_error("%s: event %s occurs twice", path,
					  parameters->names[parameters->order[i]]);
	return TOOL_OK;
}

int parameters_read(struct parameters *parameters, const char *path)
{
	struct csv_read csv;
	int got, status = TOOL_OK;

	*parameters = (struct parameters){0};
	if (csv_read_open(&csv, path, PARAMETERS_HEADER, 1) != TOOL_OK)
		return TOOL_ERROR;
	while ((got = csv_read_row(&csv)) > 0)
		if (row_add(parameters, &csv) < 0)
			break;
	csv_read_close(&csv);
	if (got)
		status = TOOL_ERROR;
	else if (!parameters->count)
		status = tool_error("%s has no event", path);
	else
		status = order_make(parameters, path);
	if (status != TOOL_OK)
		parameters_free(parameters);
	return status;
}

size_t parameters_find(const struct parameters *parameters, const char *name)
{
	size_t at;

	SEARCH_FIRST(at, parameters->count, i,
		     strcmp(name, parameters->names[parameters->order[i]]) <= 0);
	return at < parameters->count && !strcmp(name, parameters->names[parameters->order[at]])
		       ? parameters->order[at]
		       : parameters->count;
}

void parameters_free(struct parameters *parameters)
{
	for (size_t i = 0; i < parameters->count; i++)
		free(parameters->names[i]);
	free(parameters->names);
	free(parameters->processes);
	free(parameters->order);
	*parameters = (struct parameters){0};
}
