// SPDX-License-Identifier: MIT
/*
 * smile advise: the placement file, as `smile run --place` takes it, with what speaks for each line.
 */
#include "tools/advise/advise.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/output.h"
#include "tools/common/tool.h"

static void head_put(FILE *out, const struct advise *advise)
{
	const struct advise_model *model = &advise->model;
	const char *note;
	char text[512];

	fprintf(out, "# Where pages should lie, for `smile run --place`, by `smile advise`.\n");
	fprintf(out,
		"# %s: local %" PRIu64 ", remote read %" PRIu64 ", write %" PRIu64 ", lock %" PRIu64
		" cycles.\n",
		model->name, model->weights.local, model->weights.read, model->weights.write,
		model->weights.lock);
	if (advise->phase)
		fprintf(out, "# Accesses of phase %s alone.\n", advise->phase);
	for (size_t i = 0; (note = advise_note(advise, i, text, sizeof(text))); i++)
		fprintf(out, "# Note: %s\n", note);
}

static void region_put(FILE *out, const struct advise_run *run)
{
	char *name = run->in_region ? strdup(advise_run_name(run)) : NULL;

	/* A name with a line feed would end the comment. */
	if (name)
		fprintf(out, "\n# %s, from 0x%" PRIx64 " on:\n", text_printable(name),
			run->region.start);
	else
		fprintf(out, "\n# pages of which nothing else is known:\n");
	free(name);
}

static void why_put(FILE *out, const struct advise *advise, const struct advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first];
	char homes[ADVISE_HOMES_BYTES], gain[TEXT_COUNT_BYTES];
	size_t moved = advise_run_moved(advise, run);

	fprintf(out, " # ");
	if (run->in_region && run->count > 1)
		fprintf(out, "%" PRIu64 "-%" PRIu64 ": ", run->offset,
			run->offset + run->count - 1);
	else if (run->in_region)
		fprintf(out, "%" PRIu64 ": ", run->offset);
	if (row->flags & MONITOR_ADVICE_SHARED)
		fprintf(out, "truly shared, ");
	fprintf(out, "%.1f%% of the cost is node %" PRIu32 "'s", 100 * run->share, row->node);
	if (moved)
		fprintf(out, "; from %s, saves %s cycles", advise_run_homes(advise, run, homes),
			text_count(gain, run->cycles - run->advised_cycles));
	else
		fprintf(out, "; stays");
	fputc('\n', out);
}

static void run_put(FILE *out, const struct advise *advise, const struct advise_run *run)
{
	const struct Monitor_advice *row = &advise->rows[run->first];

	fprintf(out, "pages %" PRIu64, row->page);
	if (run->count > 1)
		fprintf(out, "-%" PRIu64, row->page + run->count - 1);
	fprintf(out, " node %" PRIu32, row->node);
	why_put(out, advise, run);
}

int advise_place_put(const struct advise *advise, FILE *out)
{
	for (size_t i = 1; i < advise->count; i++)
		if (advise->rows[i].page == advise->rows[i - 1].page)
			return 0;
	head_put(out, advise);
	for (size_t i = 0; i < advise->run_count; i++) {
		if (!i || !advise_runs_together(&advise->runs[i - 1], &advise->runs[i]))
			region_put(out, &advise->runs[i]);
		run_put(out, advise, &advise->runs[i]);
	}
	return 1;
}

int advise_place_write(const struct advise *advise, const char *path)
{
	FILE *out;

	for (size_t i = 1; i < advise->count; i++)
		if (advise->rows[i].page == advise->rows[i - 1].page)
			return tool_error("page %" PRIu64 " is there on nodes %" PRIu32
					  " and %" PRIu32
					  ": a placement file cannot tell them apart",
					  advise->rows[i].page, advise->rows[i - 1].home,
					  advise->rows[i].home);
	out = fopen(path, "we");
	if (!out)
		return tool_error("the placement file %s cannot be written: %s", path,
				  strerror(errno));
	advise_place_put(advise, out);
	if (ferror(out) | fclose(out))
		return tool_error("the placement file %s cannot be written: %s", path,
				  strerror(errno));
	return TOOL_OK;
}
