// SPDX-License-Identifier: MIT
/*
 * run/sample: makes the part of the JSON document that has the nodes of pages.
 *
 * What lives here: the nodes of the pages at the start, in each phase and at the end; and the list
 * of the pages that have moved.
 */
#include "run/sample/sample_inside.h"

#include <stdlib.h>

#include "lib/analysis/document.h"

/* The largest number of rows of moved pages. The limit keeps a recording small. */
#define MOVED_ROWS 16384U

/* Get the number of pages by node, in the order of the machine's nodes. */
static json_t *pages_json(const struct counts_homes *homes, const struct sample_host *host)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < host->count; i++)
		json_array_append_new(list, json_integer((json_int_t)homes->pages[host->nodes[i]]));
	return list;
}

static json_t *nodes_json(const struct sample_host *host)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < host->count; i++)
		json_array_append_new(list, json_integer(host->nodes[i]));
	return list;
}

/* For each phase in which the kernel was asked for homes, get the homes. */
static json_t *phases_json(const struct counts *counts, const struct sample_host *host,
			   const struct program_log *log)
{
	json_t *list = json_array();

	for (uint32_t i = 0; i < log->phase_count; i++) {
		const struct counts_homes *homes = &counts->phases[i];
		const char *name = log->phases[i].name;
		uint64_t pages = 0;

		for (unsigned node = 0; node < COUNTS_NODES_MAX; node++)
			pages += homes->pages[node];
		if (pages)
			json_array_append_new(list,
					      json_pack("{s:o, s:o, s:I}", "phase",
							*name ? document_text(name) : json_null(),
							"pages", pages_json(homes, host), "moves",
							(json_int_t)homes->moves));
	}
	return list;
}

json_t *sample_homes_json(const struct counts *counts, const struct sample_host *host,
			  const struct program_log *log)
{
	json_t *moved = json_array();
	uint64_t pages = 0, left_out = 0;
	struct counts_moved *list;
	size_t count;

	list = counts_moved(counts, &count);
	for (size_t i = 0; list && i < count; i++) {
		pages += list[i].pages;
		if (i < MOVED_ROWS)
			json_array_append_new(moved,
					      json_pack("[I, I, i, i]", (json_int_t)list[i].first,
							(json_int_t)list[i].pages,
							(int)list[i].from, (int)list[i].to));
		else
			left_out++;
	}
	free(list);
	return json_pack("{s:o, s:o, s:o, s:o, s:I, s:o, s:I}", "nodes", nodes_json(host), "start",
			 pages_json(&counts->start, host), "phases", phases_json(counts, host, log),
			 "end", pages_json(&counts->now, host), "moved_pages", (json_int_t)pages,
			 "moved", moved, "moved_left_out", (json_int_t)left_out);
}
