// SPDX-License-Identifier: MIT
/*
 * smile top --json: print each snapshot as a line of JSON, schema smile.live/1.
 */
#include "tools/top/top.h"

#include <stdio.h>

#include "tools/common/output.h"
#include "lib/analysis/regions.h"
#include "tools/common/tool.h"

static json_t *number_if(int known, uint64_t count)
{
	return known ? json_integer(document_int(count)) : json_null();
}

static json_t *interval_json(const struct top_snapshot *snapshot)
{
	const struct live_interval *interval = &snapshot->interval;

	if (snapshot->first)
		return json_null();
	return json_pack("{s:f,s:o,s:I,s:I,s:I,s:I}", "seconds", interval->seconds, "packets",
			 number_if(interval->packets_known, interval->packets), "records",
			 document_int(interval->records), "accesses",
			 document_int(interval->events), "lost", document_int(interval->lost),
			 "pages", (json_int_t)snapshot->pages_active);
}

static json_t *total_json(const struct top_snapshot *snapshot)
{
	const struct live_totals *totals = &snapshot->totals;

	return json_pack(
		"{s:f,s:o,s:I,s:I,s:I,s:o*}", "seconds", (double)totals->time_ns / 1e9, "packets",
		number_if(totals->statistics_known, totals->statistics.packets_seen), "records",
		document_int(totals->records), "pages", (json_int_t)snapshot->pages_all, "phases",
		(json_int_t)snapshot->phases, "began_within_ns",
		snapshot->began_known ? json_integer(document_int(snapshot->began_within_ns))
				      : NULL);
}

static json_t *matrix_json(const uint64_t *counts, size_t nodes)
{
	json_t *matrix;

	if (!counts)
		return json_null();
	matrix = json_array();
	for (size_t i = 0; i < nodes; i++)
		json_array_append_new(matrix, document_counts(counts + i * nodes, nodes));
	return matrix;
}

/*
 * Set the matrices "total_low_95" and "total_high_95", which have the ends of the confidence
 * intervals.
 */
static void matrix_bands_set(json_t *transfers, const uint64_t *counts, size_t nodes)
{
	json_t *low = json_array(), *high = json_array();

	for (size_t i = 0; counts && i < nodes; i++) {
		json_t *row = json_object();

		sampled_counts_set(row, "", counts + i * nodes, nodes);
		json_array_append(low, json_object_get(row, "low_95"));
		json_array_append(high, json_object_get(row, "high_95"));
		json_decref(row);
	}
	json_object_set_new(transfers, "total_low_95", low);
	json_object_set_new(transfers, "total_high_95", high);
}

static json_t *bottlenecks_json(const uint64_t *counts, size_t nodes, bool sampled,
				double threshold)
{
	json_t *bottlenecks = json_array();
	struct top_limit limit;

	if (!counts)
		return bottlenecks;
	limit = top_matrix_limit(counts, nodes, sampled, threshold);
	for (size_t i = 0; i < nodes * nodes; i++)
		if (top_matrix_exceeds(&limit, counts, nodes, i))
			json_array_append_new(bottlenecks,
					      json_pack("[I,I]", (json_int_t)(i / nodes),
							(json_int_t)(i % nodes)));
	return bottlenecks;
}

static json_t *transfers_json(const struct top *top)
{
	const struct top_snapshot *snapshot = &top->snapshot;
	const size_t nodes = snapshot->transfers_nodes;
	const uint64_t *now = snapshot->first ? NULL : snapshot->transfers;
	const double threshold = top->state.threshold;
	json_t *transfers = json_pack(
		"{s:f,s:o,s:o,s:o,s:o}", "threshold", threshold, "interval",
		matrix_json(now, nodes), "interval_bottlenecks",
		bottlenecks_json(now, nodes, snapshot->sampled, threshold), "total",
		matrix_json(snapshot->transfers_total, nodes), "total_bottlenecks",
		bottlenecks_json(snapshot->transfers_total, nodes, snapshot->sampled, threshold));

	if (transfers && snapshot->sampled)
		matrix_bands_set(transfers, snapshot->transfers_total, nodes);
	return transfers;
}

static json_t *sum_json(const struct live_sum *sum, uint64_t cost)
{
	return json_pack("{s:I,s:I,s:I,s:I,s:I}", "accesses", document_int(sum->accesses), "reads",
			 document_int(sum->reads), "writes", document_int(sum->writes), "locks",
			 document_int(sum->locks), "cost", document_int(cost));
}

/*
 * Describe the counts of samples. The cost of samples is not known. Samples of some sources do not
 * distinguish reads and writes.
 */
static json_t *sampled_json(const struct live_sum *sum)
{
	const struct {
		const char *name;
		uint64_t count;
	} types[] = {{"reads", sum->reads}, {"writes", sum->writes}, {"locks", sum->locks}};
	json_t *object = json_pack("{s:I}", "accesses", document_int(sum->accesses));

	sampled_count_set(object, "", sum->accesses);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (!sum->reads && !sum->writes && !sum->locks)
			break;
		json_object_set_new(object, types[i].name,
				    json_integer(document_int(types[i].count)));
		sampled_count_set(object, types[i].name, types[i].count);
	}
	return object;
}

static json_t *page_json(const struct top *top, const struct top_page *page)
{
	const struct live_page *live = &page->live;
	const bool sampled = top->snapshot.sampled;
	json_t *object = json_pack(
		"{s:I,s:I,s:o,s:o,s:I,s:f}", "page", document_int(live->page), "home",
		(json_int_t)live->home, "interval",
		top->snapshot.first ? json_null() : sum_json(&live->now, live->cost_now), "total",
		sampled ? sampled_json(&live->total) : sum_json(&live->total, live->cost),
		"dominant_node", (json_int_t)live->dominant, "dominant_share",
		live_page_share(live));

	if (object && sampled)
		sampled_share_set(object, "dominant_share", live->dominant_accesses,
				  live->nodes_accesses);
	if (object && *page->where)
		json_object_set_new(object, "where", document_text(page->where));
	return object;
}

int top_json(const struct top *top)
{
	static const char *const sorts[TOP_SORTS] = {"rate", "total", "cost"};
	const struct top_snapshot *snapshot = &top->snapshot;
	json_t *pages = json_array(), *line;
	int error;

	for (size_t i = 0; i < snapshot->pages_count; i++)
		json_array_append_new(pages, page_json(top, &snapshot->pages[i]));
	line = json_pack(
		"{s:s,s:o,s:s,s:o,s:I,s:I,s:o,s:o,s:o,s:o,s:s,s:o}", "schema", "smile.live/1",
		"source", document_text(snapshot->name), "state", live_state_name(snapshot->state),
		"trouble", document_text(snapshot->trouble), "nodes", (json_int_t)snapshot->nodes,
		"page_bytes", (json_int_t)SMILE_PAGE_BYTES, "interval", interval_json(snapshot),
		"total", total_json(snapshot), "account", live_account_json(&snapshot->totals.loss),
		"transfers", transfers_json(top), "sort", sorts[top->state.sort], "pages", pages);
	if (line && snapshot->sampled)
		json_object_set(line, "sampled", snapshot->sampled->samples.object);
	if (line && snapshot->hot_threshold_least)
		json_object_set_new(
			line, "hot",
			json_pack("{s:I,s:I,s:I}", "accesses",
				  document_int(snapshot->hot_threshold_least), "pages",
				  (json_int_t)snapshot->pages_hot, "pages_below",
				  (json_int_t)(snapshot->pages_all - snapshot->pages_hot)));
	if (line && top->live->members_count)
		json_object_set_new(line, "sources", live_members_json(top->live));
	if (line && snapshot->states)
		json_object_set_new(line, "state_file",
				    state_columns_json(snapshot->states, snapshot->name, 1));
	if (!line)
		return tool_error("no memory");
	error = json_dumpf(line, stdout, JSON_COMPACT);
	json_decref(line);
	printf("\n");
	return error ? TOOL_ERROR : TOOL_OK;
}
