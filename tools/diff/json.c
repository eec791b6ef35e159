// SPDX-License-Identifier: MIT
/*
 * smile diff --json: print the JSON document smile.diff/1.
 */
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

static json_t *json_counts(const struct comparison_counts *counts)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "accesses", document_counts(counts->accesses, 2),
			 "reads", document_counts(counts->reads, 2), "writes",
			 document_counts(counts->writes, 2), "locks",
			 document_counts(counts->locks, 2));
}

static json_t *json_home(uint32_t home)
{
	return home == MONITOR_NO_HOME ? json_null() : json_integer(home);
}

/* List the counts of one view by node. @offset: offset of the counts in a row. */
static json_t *json_nodes(const struct comparison *comparison, const struct comparison_page *page,
			  int which)
{
	uint64_t *nodes = tool_memory(comparison->nodes, sizeof(*nodes));
	json_t *array;

	for (size_t i = 0; i < page->count; i++)
		if (page->rows[i].source < comparison->nodes)
			nodes[page->rows[i].source] = page->rows[i].accesses[which];
	array = document_counts(nodes, comparison->nodes);
	free(nodes);
	return array;
}

static json_t *json_page(const struct diff *diff, const struct comparison_page *page)
{
	const struct comparison *comparison = &diff->comparison;
	const struct Monitor_difference *row = page->rows;
	json_t *object =
		json_pack("{s:I, s:[o,o], s:I, s:[o,o]}", "page", document_int(row->page), "home",
			  json_home(row->home[0]), json_home(row->home[1]), "apart",
			  document_int(page->apart), "by_node", json_nodes(comparison, page, 0),
			  json_nodes(comparison, page, 1));
	json_t *counts = json_counts(&page->counts);

	json_object_update(object, counts);
	json_decref(counts);
	if (diff->both) {
		const struct comparison_counts behind =
			comparison_page_counts(&diff->behind, row->page, row->home);

		json_object_set_new(object, "transactions", json_counts(&behind));
	}
	regions_page_json(comparison->mon[regions_known(comparison->mon[0]) ? 0 : 1], row->page,
			  object);
	return object;
}

/* Describe the transactions with the memory of a region. */
static json_t *json_region_behind(const struct comparison_region *behind)
{
	static const struct comparison_region none = {.kind = ""};
	json_t *object = json_counts(behind ? &behind->counts : &none.counts);

	json_object_set_new(object, "apart",
			    json_integer(document_int(behind ? behind->apart : 0)));
	return object;
}

static json_t *json_regions(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;
	json_t *array = json_array();

	for (size_t i = 0; i < comparison->region_count; i++) {
		const struct comparison_region *region = &comparison->regions[i];
		json_t *counts = json_counts(&region->counts);
		json_t *object = json_pack(
			"{s:o, s:s, s:I, s:I, s:I, s:I}", "name", document_text(region->name),
			"kind", region->kind, "start", document_int(region->start), "pages",
			document_int(region->pages), "moved", document_int(region->moved), "apart",
			document_int(region->apart));

		json_object_update(object, counts);
		json_decref(counts);
		if (diff->both)
			json_object_set_new(
				object, "transactions",
				json_region_behind(comparison_region_find(&diff->behind, region)));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *json_transfers(const struct comparison *comparison, int which)
{
	uint64_t *packets = tool_memory(comparison->nodes * comparison->nodes, sizeof(*packets));
	json_t *array = json_array();

	Monitor_get_packets(comparison->mon[which], packets, comparison->nodes);
	for (size_t from = 0; from < comparison->nodes; from++)
		json_array_append_new(array, document_counts(packets + from * comparison->nodes,
							     comparison->nodes));
	free(packets);
	return array;
}

static json_t *json_behind(const struct comparison *behind)
{
	json_t *object = json_counts(&behind->counts);

	json_object_set_new(object, "apart", json_integer(document_int(behind->apart)));
	json_object_set_new(object, "apart_percent", json_real(comparison_percent(behind)));
	return object;
}

int diff_json(const struct diff *diff)
{
	const struct comparison *comparison = &diff->comparison;
	json_t *counts = json_counts(&comparison->counts);
	json_t *head =
		json_pack("{s:s, s:I, s:i, s:I, s:I, s:I, s:f}", "schema", "smile.diff/1", "nodes",
			  (json_int_t)comparison->nodes, "page_bytes", (int)SMILE_PAGE_BYTES,
			  "pages_compared", (json_int_t)comparison->page_count, "moved",
			  document_int(comparison->moved), "apart", document_int(comparison->apart),
			  "apart_percent", comparison_percent(comparison));
	int status, first = 1;

	json_object_update(head, counts);
	json_decref(counts);
	json_object_set_new(
		head, "transfers",
		json_pack("[o, o]", json_transfers(comparison, 0), json_transfers(comparison, 1)));
	json_object_set_new(head, "regions", json_regions(diff));
	if (diff->both)
		json_object_set_new(head, "transactions", json_behind(&diff->behind));
	putchar('{');
	status = output_json_members(head);
	fputs(",\"pages\":[", stdout);
	for (size_t i = 0; i < comparison->page_count && status == TOOL_OK && !output_stopped();
	     i++) {
		if (comparison->pages[i].apart < diff->threshold)
			break;
		status = output_json_item(json_page(diff, &comparison->pages[i]), first);
		first = 0;
	}
	fputs("]}\n", stdout);
	return status;
}
