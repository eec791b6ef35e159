// SPDX-License-Identifier: MIT
/* run/sample: the results of all processes, their sum, and the recordings. See sampling.h. */
#include "run/sample/sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

/* ---- one process ----------------------------------------------------------------------------- */

/* Add the result of a process to the sum of all processes. */
static void result_add(struct sample_result *sum, const struct sample_result *one)
{
	sum->samples += one->samples;
	sum->behind += one->behind;
	sum->remote += one->remote;
	sum->first += one->first;
	sum->homeless += one->homeless;
	sum->others += one->others;
	sum->before += one->before;
	sum->nowhere += one->nowhere;
	sum->outside += one->outside;
	sum->kernel += one->kernel;
	sum->no_address += one->no_address;
	sum->no_source += one->no_source;
	sum->pages += one->pages;
	sum->moves += one->moves;
	sum->unscanned_bytes += one->unscanned_bytes;
	sum->huge_bytes += one->huge_bytes;
	sum->unscanned_nodes |= one->unscanned_nodes;
	sum->log_lost += one->log_lost;
	sum->phases_lost += one->phases_lost;
	sum->hidden = sum->hidden || one->hidden;
	sum->one_thread = sum->one_thread || (one->one_thread && one->samples);
	sum->without += one->without;
	sum->few += one->few;
}

/*
 * Add a process without recordings to the sums. @few: the process has samples, but other processes
 * have more samples.
 */
static void leave_out(struct sampling *sampling, struct sampled_process *process, bool few)
{
	struct sample_result result = {.few = 1, .others = process->taken};

	if (!few) {
		result = process->result;
		result.without = 1;
	}
	result_add(&sampling->rest, &result);
	if (few && children_sampled(&sampling->names, (uint32_t)process->pid, process->taken))
		sampling_no_memory(sampling);
	sampling->periods += process->periods;
	sampled_process_free(process);
}

void sampling_retire(struct sampling *sampling, struct sampled_process *process, uint64_t end_ns)
{
	struct sampled_process *dropped = NULL;
	const char *name = process->words ? strrchr(process->words[0], '/') : NULL;

	if (sampled_process_finish(process, &sampling->logs, end_ns) < 0)
		sampling_no_memory(sampling);
	if (process->words)
		snprintf(process->result.process_name, sizeof(process->result.process_name), "%s",
			 name ? name + 1 : process->words[0]);
	process_table_take_out(&sampling->table, process);
	log_file_return(&sampling->logs, process->pid);
	if (process != sampling->first && !process->counts.samples) {
		leave_out(sampling, process, false);
		return;
	}
	if (process_table_keep(&sampling->table, process, &dropped) < 0)
		sampling_no_memory(sampling);
	if (dropped)
		leave_out(sampling, dropped, true);
}

/* ---- all ------------------------------------------------------------------------------------- */

/*
 * Set the numbers of all samples. For faults, the kernel has counted all samples. For other
 * samples, the rings report how many samples were lost.
 */
static void samples_set(struct sampling *sampling, struct sample_result *result)
{
	double periods = sampling->periods;
	uint64_t read = 0, counted;

	for (size_t i = 0; i < sampling->events.count; i++) {
		const struct sample_ring *ring = &sampling->events.list[i].ring;

		result->malformed += ring->malformed;
		result->lost += ring->lost;
		result->throttled += ring->throttled;
		read += ring->samples;
	}
	result->all = read + result->malformed + result->lost;
	if (sampling->plan.source == SAMPLE_FAULTS &&
	    sample_events_counted(&sampling->events, &counted) == 0) {
		result->all =
			counted > read + result->malformed ? counted : read + result->malformed;
		result->lost = result->all - read - result->malformed;
	}
	result->processors_missed = sample_events_missed(&sampling->events);
	if (sampling->plan.source != SAMPLE_MEMORY)
		return;
	for (size_t i = 0; i < sampling->table.kept_count; i++)
		periods += sampling->table.kept[i]->periods;
	result->kind_count = 1;
	result->kinds[0].samples = read;
	result->kinds[0].period = read ? periods / (double)read : 0;
}

/* Compute the sum over all processes. Members that only a single process can have are not set. */
static void sum_make(struct sampling *sampling)
{
	struct sample_result *result = sampling->result;
	const struct sample_result *first = &sampling->first->result;

	result_add(result, &sampling->rest);
	for (size_t i = 0; i < sampling->table.kept_count; i++)
		result_add(result, &sampling->table.kept[i]->result);
	samples_set(sampling, result);
	if (result->kind_count)
		sample_plan_names(&sampling->plan, result->kinds[0].name,
				  sizeof(result->kinds[0].name));
	result->others_of = children_sums(&sampling->names, &result->others_count);
	if (!result->others_of)
		sampling_no_memory(sampling);
	/* These members are those of the first process. */
	result->logs = first->logs;
	result->threads = first->threads;
	result->bound = first->bound;
	result->blocks = first->blocks;
	result->blocks_skipped = first->blocks_skipped;
	if (sampling->config->children) {
		result->children = true;
		result->recordings = sampling->config->prefix;
		for (size_t i = 0; i < sampling->table.kept_count; i++)
			result->unlogged += !sampling->table.kept[i]->result.logs;
		return;
	}
	result->one_thread = first->one_thread;
	result->latency = json_incref(first->latency);
	result->homes = json_incref(first->homes);
	result->thread_names = json_incref(first->thread_names);
}

/* ---- recordings ------------------------------------------------------------------------------ */

/* Join the words of the process's command line, with blanks between them. */
static char *command_line_of(const struct sampled_process *process)
{
	char *line = NULL;
	size_t bytes;
	FILE *out = open_memstream(&line, &bytes);

	for (char **word = process->words; out && word && *word; word++)
		fprintf(out, "%s%s", word == process->words ? "" : " ", *word);
	if (out)
		fclose(out);
	return line;
}

/*
 * Process ids are reused, so the recordings of a second process with the same id get another name.
 */
static void suffix_set(struct sampling *sampling, size_t index)
{
	struct sampled_process *process = sampling->table.kept[index];
	unsigned before = 0;

	for (size_t i = 0; i < index; i++)
		before += sampling->table.kept[i]->pid == process->pid;
	if (process == sampling->first)
		return;
	if (before)
		snprintf(process->result.suffix, sizeof(process->result.suffix), ".%d.%u",
			 (int)process->pid, before + 1);
	else
		snprintf(process->result.suffix, sizeof(process->result.suffix), ".%d",
			 (int)process->pid);
}

/* Complete the result of one of several processes, as its recordings contain it. */
static void result_of_one(struct sampling *sampling, struct sampled_process *process)
{
	struct sample_result *one = &process->result;
	const struct sample_result *all = sampling->result;

	one->one_of = true;
	if (process == sampling->first)
		one->command = all->command;
	one->elsewhere = all->all - one->all - all->malformed - all->lost;
	one->lost_any = all->lost + all->malformed;
	one->processors_missed = all->processors_missed;
	one->throttled = all->throttled;
	one->user_only = all->user_only;
	if (one->kind_count)
		memcpy(one->kinds[0].name, all->kinds[0].name, sizeof(one->kinds[0].name));
}

static void write_one(struct sampling *sampling, struct sampled_process *process,
		      const struct sample_result *result)
{
	struct sample_config config = *sampling->config;
	json_t *document = sample_report_json(result);
	char *prefix = NULL, *line = NULL;

	if (asprintf(&prefix, "%s%s", sampling->config->prefix, process->result.suffix) < 0)
		prefix = NULL;
	if (process != sampling->first) {
		line = command_line_of(process);
		config.command_line = line;
	}
	config.prefix = prefix;
	if (!prefix || !config.command_line)
		sampling_no_memory(sampling);
	if (!sampling->failed)
		sampling->failed = write_recordings(&config, &sampling->host, sampling->plan.source,
						    &process->counts, &process->mapped,
						    &process->log, document);
	json_decref(document);
	free(prefix);
	free(line);
}

/* List the results of all processes with recordings for the caller. */
static void list_make(struct sampling *sampling)
{
	const struct process_table *table = &sampling->table;
	struct sample_result *result = sampling->result;

	result->processes = calloc(table->kept_count, sizeof(*result->processes));
	if (!result->processes) {
		sampling_no_memory(sampling);
		return;
	}
	for (size_t i = 0; i < table->kept_count; i++) {
		struct sample_result *one = &result->processes[i];

		*one = table->kept[i]->result;
		one->latency = one->homes = one->thread_names = NULL;
		one->command = NULL;
	}
	result->process_count = table->kept_count;
}

/*
 * If an error, such as a full disk, has ended the writing, report which processes have recordings.
 * @written: the number of these processes, which are the first ones of the table.
 */
static void written_say(const struct sampling *sampling, size_t written)
{
	const struct process_table *table = &sampling->table;
	const char *last = written ? table->kept[written - 1]->result.suffix : "";

	if (!written)
		return;
	sample_message(
		sampling->config,
		"of %zu processes %zu have recordings, which are complete: %s-node*.rec%s%s%s%s; "
		"those of the others are missing",
		table->kept_count, written, sampling->config->prefix, written > 1 ? " to " : "",
		written > 1 ? sampling->config->prefix : "", last, written > 1 ? "-node*.rec" : "");
}

void sampling_record(struct sampling *sampling)
{
	struct sample_result *result = sampling->result;
	size_t written = 0;

	process_table_sort(&sampling->table);
	sum_make(sampling);
	for (size_t i = 0; i < sampling->table.kept_count && !sampling->failed; i++) {
		struct sampled_process *process = sampling->table.kept[i];

		suffix_set(sampling, i);
		if (sampling->config->children)
			result_of_one(sampling, process);
		write_one(sampling, process,
			  sampling->config->children ? &process->result : result);
		written += !sampling->failed;
	}
	if (sampling->failed)
		written_say(sampling, written);
	if (sampling->config->children && !sampling->failed)
		list_make(sampling);
	result->recorded = !sampling->failed;
}
