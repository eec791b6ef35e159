// SPDX-License-Identifier: MIT
/* run/sample: the result as a JSON document, smile.sample/1. smile-sample(1) describes its keys. */
#include "run/sample/sample_inside.h"

#include <stdlib.h>

#include "lib/analysis/document.h"
#include "lib/analysis/place/place_plan.h"
#include "lib/analysis/sampled.h"
#include "run/sample/data_source.h"

/*
 * Limits on the number of rows, so that a recording stays small: pages with latencies, other
 * processes, and groups of threads.
 */
#define LATENCY_ROWS 65536U
#define OTHERS_ROWS 64U
#define THREADS_ROWS 256U

/* Append the latencies of all accesses that one memory, or one level of cache, has served. */
static void served_append(json_t *list, unsigned served, const struct counts_latency *sum)
{
	struct sampled_mean mean = sampled_mean(sum->samples, sum->cycles, sum->squares);
	json_t *row;

	if (!sum->samples)
		return;
	row = json_pack("{s:s, s:I}", "served", data_served_name(served), "samples",
			(json_int_t)sum->samples);
	sampled_count_set(row, "samples", sum->samples);
	sampled_mean_set(row, "cycles", &mean);
	json_array_append_new(list, row);
}

/*
 * Get the latencies, by the memory or cache that has served the access, and by page. A row for a
 * page is [page, index into "names", samples, sum, sum of squares]. Return: a new reference; NULL
 * if there are no latencies, or if there is no memory.
 */
static json_t *latency_json(const struct counts *counts)
{
	struct counts_latency sums[COUNTS_SERVED] = {{.samples = 0}}, *list;
	json_t *served = json_array(), *pages = json_array(), *names = json_array();
	size_t count;

	list = counts_latencies_sorted(counts, &count);
	for (size_t i = 0; list && i < count; i++) {
		const struct counts_latency *one = &list[i];
		struct counts_latency *sum = &sums[counts_latency_served(one)];

		sum->samples += one->samples;
		sum->cycles += one->cycles;
		sum->squares += one->squares;
		if (i < LATENCY_ROWS)
			json_array_append_new(pages, json_pack("[I, i, I, f, f]",
							       (json_int_t)counts_latency_page(one),
							       (int)counts_latency_served(one),
							       (json_int_t)one->samples,
							       one->cycles, one->squares));
	}
	free(list);
	for (unsigned i = 0; i < COUNTS_SERVED; i++) {
		json_array_append_new(names, json_string(data_served_name(i)));
		served_append(served, i, &sums[i]);
	}
	if (json_array_size(served))
		return json_pack("{s:s, s:o, s:o, s:o, s:I}", "unit", "cycles", "served", served,
				 "names", names, "pages", pages, "rows_left_out",
				 (json_int_t)(count > LATENCY_ROWS ? count - LATENCY_ROWS : 0));
	json_decref(served);
	json_decref(pages);
	json_decref(names);
	return NULL;
}

static json_t *thread_json(const struct counts_threads *threads, unsigned nodes)
{
	json_t *row = json_pack(
		"{s:o, s:I, s:I, s:o, s:I, s:I, s:I, s:f}", "name",
		*threads->name ? document_text(threads->name) : json_null(), "threads",
		(json_int_t)threads->threads, "samples", (json_int_t)threads->all, "by_node",
		document_counts(threads->samples, nodes), "pages", (json_int_t)threads->pages,
		"transactions", (json_int_t)threads->behind, "remote", (json_int_t)threads->remote,
		"remote_share", sampled_share(threads->remote, threads->behind).share);

	sampled_count_set(row, "samples", threads->all);
	sampled_counts_set(row, "by_node", threads->samples, nodes);
	sampled_count_set(row, "transactions", threads->behind);
	sampled_count_set(row, "remote", threads->remote);
	sampled_share_set(row, "remote_share", threads->remote, threads->behind);
	return row;
}

json_t *sample_threads_json(const struct counts *counts, const struct sample_host *host)
{
	const unsigned nodes = host->nodes[host->count - 1] + 1;
	json_t *rows = json_array();
	uint64_t left_out = 0, samples = 0;
	size_t count;
	struct counts_threads *list = counts_threads(counts, &count);

	for (size_t i = 0; list && i < count; i++) {
		if (i < THREADS_ROWS) {
			json_array_append_new(rows, thread_json(&list[i], nodes));
			continue;
		}
		left_out++;
		samples += list[i].all;
	}
	if (!list) {
		json_decref(rows);
		return NULL;
	}
	free(list);
	return json_pack("{s:o, s:I, s:I}", "rows", rows, "rows_left_out", (json_int_t)left_out,
			 "samples_left_out", (json_int_t)samples);
}

void sample_result_counts(struct sample_result *result, const struct counts *counts)
{
	const struct counts_entry *entry;
	size_t position = 0;

	result->samples = counts->samples;
	result->behind = counts->behind;
	result->first += counts->first;
	result->homeless = counts->homeless;
	result->moves = counts->moves;
	result->pages = counts->pages;
	result->latency = latency_json(counts);
	while ((entry = hash_table_next(&counts->entries, &position, sizeof(*entry))))
		if (counts_entry_node(entry) != counts_entry_home(entry))
			result->remote += counts_entry_behind(entry);
}

static const char *others_reason(const struct sample_result *result)
{
	if (result->imported)
		return "another process";
	return result->children ? "process without recordings"
				: "process that the program has started";
}

static const char *others_text(const struct sample_result *result)
{
	if (result->imported)
		return "of other processes";
	return result->children ? "of processes without recordings"
				: "of processes that the program has started";
}

void sample_reasons(const struct sample_result *result, struct sample_reason *reasons)
{
	const bool faults = result->source == SAMPLE_FAULTS;
	const struct sample_reason all[SAMPLE_REASONS] = {
		{"first fault at a page, which only shows who has allocated it",
		 "first fault at a page", result->first},
		{faults ? "page whose node the kernel did not tell"
			: "page whose node is not known",
		 faults ? "page whose node the kernel did not tell"
			: "at a page whose node is not known",
		 result->homeless},
		{others_reason(result), others_text(result), result->others},
		{"before the program executed another one",
		 "before the program executed another one", result->before},
		{"processor of an unknown node", "by a processor of an unknown node",
		 result->nowhere},
		{"address that no recording can hold", "at an address that no recording can hold",
		 result->outside},
		{"address of the kernel", "at an address of the kernel", result->kernel},
		{"no address: an instruction that accessed no memory", "without an address",
		 result->no_address},
		{"does not say that it is of a memory access",
		 "do not say that they are of memory accesses", result->no_source},
		{"record of the kernel that could not be read", "could not be read",
		 result->malformed},
		{"lost: the kernel had no room for it", "lost: the kernel had no room for them",
		 result->lost},
	};

	for (size_t i = 0; i < SAMPLE_REASONS; i++)
		reasons[i] = all[i];
}

/* Get the source of the samples, and the number of events that each sample represents. */
static json_t *mark_json(const struct sample_result *result)
{
	json_t *events, *mark;
	double periods = 0, samples = 0;

	if (result->source == SAMPLE_FAULTS)
		return json_pack("{s:s, s:s, s:i}", "source", "faults", "unit",
				 result->one_thread
					 ? "NUMA hint faults of a program with one thread, "
					   "too few of them at pages on its own node"
					 : "NUMA hint faults",
				 "period", 1);
	events = json_array();
	for (unsigned i = 0; i < result->kind_count; i++) {
		const struct sample_kind *kind = &result->kinds[i];

		periods += kind->period * (double)kind->samples;
		samples += (double)kind->samples;
		json_array_append_new(events,
				      json_pack("{s:o, s:I, s:f}", "event",
						document_text(kind->name), "samples",
						(json_int_t)kind->samples, "period", kind->period));
	}
	mark = json_pack("{s:s, s:s, s:f, s:o}", "source", "memory", "unit",
			 "memory accesses, sampled by the processor", "period",
			 samples > 0 ? periods / samples : 0.0, "events", events);
	return mark;
}

/* Append the reasons for losses whose number is not known. */
static void unknown_append(json_t *list, const struct sample_result *result)
{
	const struct {
		const char *reason;
		bool is;
	} all[] = {
		{"processor that came on line during the run", result->processors_missed > 0},
		{"page on the node where the only thread runs: the kernel hardly scans it",
		 result->one_thread},
		{"memory that not every kernel scans: shared between processes, or of hugetlbfs",
		 result->unscanned_bytes > 0},
		{"page of a placement on a node where the kernel does not scan it",
		 result->unscanned_nodes != 0},
		{"time in which the kernel had stopped the sampling", result->throttled > 0},
		{"record that the file lacks: it was cut off, or not completed", result->cut_off},
		{"packet of Arm SPE that had no room, or collided: see perf report of its file",
		 result->spe},
		{"lost by the kernel, or not readable, of any of the processes",
		 result->lost_any > 0},
		{"page in a huge page: each scan gives it one sample, at the address of the fault",
		 result->huge_bytes > 0},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].is)
			json_array_append_new(
				list, json_pack("{s:s, s:n}", "reason", all[i].reason, "accesses"));
}

static json_t *account_json(const struct sample_result *result)
{
	struct sample_reason reasons[SAMPLE_REASONS];
	json_t *list = json_array();

	sample_reasons(result, reasons);
	for (size_t i = 0; i < SAMPLE_REASONS; i++)
		json_array_append_new(list, json_pack("{s:s, s:I}", "reason", reasons[i].reason,
						      "accesses", (json_int_t)reasons[i].samples));
	unknown_append(list, result);
	return json_pack("{s:s, s:I, s:I, s:o}", "unit",
			 result->source == SAMPLE_FAULTS ? "page faults" : "samples", "accesses",
			 (json_int_t)result->all, "counted", (json_int_t)result->samples,
			 "left_out", list);
}

/* Set the members that exist only in the result of a run, or only in the result of a file. */
static void origin_set(json_t *document, const struct sample_result *result)
{
	if (result->attached || result->imported || result->one_of)
		json_object_set_new(document, "program_ns", json_null());
	if (result->imported || result->one_of)
		json_object_set_new(document, "own_ns", json_null());
	if (result->imported) {
		json_object_set_new(document, "imported",
				    json_pack("{s:I, s:o, s:o, s:o}", "process",
					      (json_int_t)result->process, "name",
					      document_text(result->process_name), "hostname",
					      document_text(result->hostname), "command_line",
					      document_text(result->recorded_by)));
	}
	if (result->command) {
		json_t *arguments = json_array();

		for (char **word = result->command; *word; word++)
			json_array_append_new(arguments, document_text(*word));
		json_object_set_new(document, "arguments", arguments);
	}
	if ((result->command || result->one_of) && result->status >= 0)
		json_object_set_new(document, "exit_status", json_integer(result->status));
}

/* Get the members that show to which of several processes the result belongs. */
static json_t *process_json(const struct sample_result *result)
{
	return json_pack("{s:I, s:o, s:o, s:b, s:b}", "process", (json_int_t)result->process,
			 "parent",
			 result->parent ? json_integer((json_int_t)result->parent) : json_null(),
			 "name", document_text(result->process_name), "copy", (int)result->copy,
			 "ended", (int)!result->alive);
}

/*
 * Get a row of the list of processes. The row has only the most important members. The recordings
 * of the process have the other members.
 */
static json_t *row_json(const struct sample_result *all, const struct sample_result *one)
{
	json_t *row = process_json(one);
	char *prefix;

	if (asprintf(&prefix, "%s%s", all->recordings, one->suffix) < 0)
		prefix = NULL;
	json_object_set_new(row, "recordings", prefix ? document_text(prefix) : json_null());
	free(prefix);
	json_object_set_new(row, "accesses", json_integer((json_int_t)one->all));
	json_object_set_new(row, "samples", json_integer((json_int_t)one->samples));
	json_object_set_new(row, "pages", json_integer((json_int_t)one->pages));
	json_object_set_new(row, "transactions", json_integer((json_int_t)one->behind));
	json_object_set_new(row, "remote", json_integer((json_int_t)one->remote));
	json_object_set_new(row, "remote_share",
			    json_real(sampled_share(one->remote, one->behind).share));
	sampled_share_set(row, "remote_share", one->remote, one->behind);
	return row;
}

static void processes_set(json_t *document, const struct sample_result *result)
{
	json_t *list;

	if (result->one_of)
		json_object_set_new(document, "process", process_json(result));
	if (!result->children)
		return;
	list = json_array();
	for (size_t i = 0; i < result->process_count; i++)
		json_array_append_new(list, row_json(result, &result->processes[i]));
	json_object_set_new(document, "processes", list);
	json_object_set_new(document, "processes_without_samples",
			    json_integer((json_int_t)result->without));
	json_object_set_new(document, "processes_with_fewest_samples",
			    json_integer((json_int_t)result->few));
	json_object_set_new(document, "processes_not_sampled",
			    json_integer((json_int_t)result->unsampled));
	json_object_set_new(document, "processes_without_log",
			    json_integer((json_int_t)result->unlogged));
}

static void log_set(json_t *document, const struct sample_result *result)
{
	if (!result->logs)
		return;
	json_object_set_new(document, "threads", json_integer(result->threads));
	json_object_set_new(document, "threads_bound", json_integer(result->bound));
	json_object_set_new(document, "log",
			    json_pack("{s:I, s:I, s:I, s:I}", "blocks", (json_int_t)result->blocks,
				      "blocks_skipped", (json_int_t)result->blocks_skipped, "lost",
				      (json_int_t)result->log_lost, "phases_lost",
				      (json_int_t)result->phases_lost));
}

/*
 * Set the list of processes that do not count, by name. The list is limited, because a program can
 * start any number of processes.
 */
static void others_set(json_t *document, const struct sample_result *result)
{
	json_t *list = json_array();

	json_object_set_new(document, "others",
			    json_integer((json_int_t)(result->others + result->elsewhere)));
	if (result->one_of) {
		json_decref(list);
		return;
	}
	for (size_t i = 0; i < result->others_count && i < OTHERS_ROWS; i++) {
		const struct children_sum *sum = &result->others_of[i];

		json_array_append_new(list,
				      json_pack("{s:o, s:I, s:I}", "name",
						*sum->name ? document_text(sum->name) : json_null(),
						"processes", (json_int_t)sum->processes, "samples",
						(json_int_t)sum->samples));
	}
	if (!result->imported) {
		json_object_set(document, "others_of", list);
		json_object_set_new(document, "others_ns",
				    result->others_timed
					    ? json_integer((json_int_t)result->others_ns)
					    : json_null());
	}
	json_decref(list);
}

/* Set the results for the pages that the placement names. */
static void placement_set(json_t *document, const struct sample_result *result)
{
	const struct plan_region *regions;
	uint64_t pages = 0, placed = 0;
	json_t *unscanned;

	if (!result->plan)
		return;
	regions = place_plan_regions(result->plan);
	unscanned = json_array();
	for (uint32_t i = 0; i < result->plan->header->regions; i++) {
		pages += regions[i].pages;
		placed += regions[i].results[PLAN_PLACED];
	}
	for (unsigned node = 0; node < PLAN_NODES_MAX; node++)
		if (result->unscanned_nodes & 1ULL << node)
			json_array_append_new(unscanned, json_integer(node));
	json_object_set_new(document, "placement",
			    json_pack("{s:I, s:I, s:b, s:o}", "pages", (json_int_t)pages, "placed",
				      (json_int_t)placed, "looked_up",
				      result->plan->header->state == PLAN_LOOKED_UP,
				      "unscanned_nodes", unscanned));
}

char *sample_mark_of(const json_t *document)
{
	static const char *const keys[] = {"schema", "sampled", "nodes"};
	json_t *mark = json_object();
	char *text;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_object_set(mark, keys[i], json_object_get(document, keys[i]));
	text = json_dumps(mark, JSON_COMPACT);
	json_decref(mark);
	return text;
}

json_t *sample_report_json(const struct sample_result *result)
{
	json_t *document = json_pack(
		"{s:s, s:o, s:i, s:I, s:I, s:I, s:f, s:I, s:I, s:I, s:b, s:I, s:I, s:I, s:o}",
		"schema", "smile.sample/1", "sampled", mark_json(result), "nodes",
		(int)result->nodes, "samples", (json_int_t)result->samples, "transactions",
		(json_int_t)result->behind, "remote", (json_int_t)result->remote, "remote_share",
		sampled_share(result->remote, result->behind).share, "pages",
		(json_int_t)result->pages, "moves", (json_int_t)result->moves, "throttled",
		(json_int_t)result->throttled, "user_only", (int)result->user_only, "elapsed_ns",
		(json_int_t)result->elapsed_ns, "program_ns", (json_int_t)result->program_ns,
		"own_ns", (json_int_t)result->own_ns, "account", account_json(result));

	if (!document)
		return NULL;
	origin_set(document, result);
	processes_set(document, result);
	if (result->latency)
		json_object_set(document, "latency", result->latency);
	if (result->thread_names)
		json_object_set(document, "thread_names", result->thread_names);
	if (result->homes)
		json_object_set(document, "homes", result->homes);
	others_set(document, result);
	json_object_set_new(document, "hidden", json_boolean(result->hidden));
	json_object_set_new(document, "one_thread", json_boolean(result->one_thread));
	json_object_set_new(document, "processors_missed", json_integer(result->processors_missed));
	json_object_set_new(document, "unscanned_bytes",
			    json_integer((json_int_t)result->unscanned_bytes));
	json_object_set_new(document, "huge_bytes", json_integer((json_int_t)result->huge_bytes));
	log_set(document, result);
	placement_set(document, result);
	sampled_count_set(document, "transactions", result->behind);
	sampled_count_set(document, "remote", result->remote);
	sampled_share_set(document, "remote_share", result->remote, result->behind);
	return document;
}
