// SPDX-License-Identifier: MIT
/*
 * run/sample: the result as a JSON document, smile.sample/1. smile-sample(1) documents its keys.
 */
#include "run/sample/sample.h"

#include "lib/analysis/document.h"
#include "lib/analysis/sampled.h"

json_t *sample_report_json(const struct sample_result *result)
{
	const struct {
		const char *reason;
		uint64_t faults;
	} left_out[] = {
		{"first fault at a page: says who has allocated it", result->first},
		{"page of which the kernel did not say where it lies", result->homeless},
		{"process that the program has started", result->others},
		{"before the program executed another one", result->before},
		{"processor of an unknown node", result->nowhere},
		{"address that no recording can hold", result->outside},
		{"record of the kernel that could not be read", result->malformed},
		{"lost: the kernel had no room for it", result->lost},
	};
	json_t *list = json_array(), *document;

	for (size_t i = 0; i < sizeof(left_out) / sizeof(left_out[0]); i++)
		json_array_append_new(list, json_pack("{s:s, s:I}", "reason", left_out[i].reason,
						      "accesses", (json_int_t)left_out[i].faults));
	document = json_pack(
		"{s:s, s:{s:s, s:s, s:i}, s:i, s:I, s:I, s:f, s:I, s:I, s:b, s:I, s:I, s:I, "
		"s:{s:s, s:I, s:I, s:o}}",
		"schema", "smile.sample/1", "sampled", "source", "faults", "unit",
		"NUMA hint faults", "period", 1, "nodes", (int)result->nodes, "samples",
		(json_int_t)result->samples, "remote", (json_int_t)result->remote, "remote_share",
		sampled_share(result->remote, result->samples).share, "pages",
		(json_int_t)result->pages, "moves", (json_int_t)result->moves, "user_only",
		(int)result->user_only, "elapsed_ns", (json_int_t)result->elapsed_ns, "program_ns",
		(json_int_t)result->program_ns, "own_ns", (json_int_t)result->own_ns, "account",
		"unit", "page faults", "accesses", (json_int_t)result->faults, "counted",
		(json_int_t)result->samples, "left_out", list);
	if (document && result->attached)
		json_object_set_new(document, "program_ns", json_null());
	if (document && result->command) {
		json_t *arguments = json_array();

		for (char **word = result->command; *word; word++)
			json_array_append_new(arguments, document_text(*word));
		json_object_set_new(document, "arguments", arguments);
		json_object_set_new(document, "exit_status", json_integer(result->status));
	}
	if (document && result->logs) {
		json_object_set_new(document, "threads", json_integer(result->threads));
		json_object_set_new(document, "threads_bound", json_integer(result->bound));
		json_object_set_new(document, "log",
				    json_pack("{s:I, s:I, s:I, s:I}", "blocks",
					      (json_int_t)result->blocks, "blocks_skipped",
					      (json_int_t)result->blocks_skipped, "lost",
					      (json_int_t)result->log_lost, "phases_lost",
					      (json_int_t)result->phases_lost));
	}
	if (document) {
		sampled_count_set(document, "remote", result->remote);
		sampled_share_set(document, "remote_share", result->remote, result->samples);
	}
	return document;
}
