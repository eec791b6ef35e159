// SPDX-License-Identifier: MIT
/*
 * smile diff: the document smile.diff/1.
 */
#include "tools/diff/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

static json_t *json_counts(const struct diff_counts *counts)
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

/* By node, of one view: of a kind of counts that is @offset in a row. */
static json_t *json_nodes(const struct diff *diff, const struct diff_page *page, int which)
{
	uint64_t *nodes = tool_memory(diff->nodes, sizeof(*nodes));
	json_t *array;

	for (size_t i = 0; i < page->count; i++)
		if (page->rows[i].source < diff->nodes)
			nodes[page->rows[i].source] = page->rows[i].accesses[which];
	array = document_counts(nodes, diff->nodes);
	free(nodes);
	return array;
}

static json_t *json_page(const struct diff *diff, const struct diff_page *page)
{
	const struct Monitor_difference *row = page->rows;
	json_t *object = json_pack("{s:I, s:[o,o], s:I, s:[o,o]}", "page", document_int(row->page),
				   "home", json_home(row->home[0]), json_home(row->home[1]),
				   "apart", document_int(page->apart), "by_node",
				   json_nodes(diff, page, 0), json_nodes(diff, page, 1));
	json_t *counts = json_counts(&page->counts);

	json_object_update(object, counts);
	json_decref(counts);
	regions_page_json(diff->mon[regions_known(diff->mon[0]) ? 0 : 1], row->page, object);
	return object;
}

static json_t *json_regions(const struct diff *diff)
{
	json_t *array = json_array();

	for (size_t i = 0; i < diff->region_count; i++) {
		const struct diff_region *region = &diff->regions[i];
		json_t *counts = json_counts(&region->counts);
		json_t *object = json_pack(
			"{s:o, s:s, s:I, s:I, s:I, s:I}", "name", document_text(region->name),
			"kind", region->kind, "start", document_int(region->start), "pages",
			document_int(region->pages), "moved", document_int(region->moved), "apart",
			document_int(region->apart));

		json_object_update(object, counts);
		json_decref(counts);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *json_transfers(const struct diff *diff, int which)
{
	uint64_t *packets = tool_memory(diff->nodes * diff->nodes, sizeof(*packets));
	json_t *array = json_array();

	Monitor_get_packets(diff->mon[which], packets, diff->nodes);
	for (size_t from = 0; from < diff->nodes; from++)
		json_array_append_new(array,
				      document_counts(packets + from * diff->nodes, diff->nodes));
	free(packets);
	return array;
}

int diff_json(const struct diff *diff)
{
	json_t *counts = json_counts(&diff->counts);
	json_t *head = json_pack(
		"{s:s, s:I, s:i, s:I, s:I, s:I, s:f}", "schema", "smile.diff/1", "nodes",
		(json_int_t)diff->nodes, "page_bytes", (int)SMILE_PAGE_BYTES, "pages_compared",
		(json_int_t)diff->page_count, "moved", document_int(diff->moved), "apart",
		document_int(diff->apart), "apart_percent", diff_percent(diff));
	int status, first = 1;

	json_object_update(head, counts);
	json_decref(counts);
	json_object_set_new(head, "transfers",
			    json_pack("[o, o]", json_transfers(diff, 0), json_transfers(diff, 1)));
	json_object_set_new(head, "regions", json_regions(diff));
	putchar('{');
	status = output_json_members(head);
	fputs(",\"pages\":[", stdout);
	for (size_t i = 0; i < diff->page_count && status == TOOL_OK && !output_stopped(); i++) {
		if (diff->pages[i].apart < diff->threshold)
			break;
		status = output_json_item(json_page(diff, &diff->pages[i]), first);
		first = 0;
	}
	fputs("]}\n", stdout);
	return status;
}
