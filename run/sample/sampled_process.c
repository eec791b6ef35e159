// SPDX-License-Identifier: MIT
/* run/sample: keeps the data of one sampled process. See sampled_process.h. */
#include "run/sample/sampled_process.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "run/sample/data_source.h"

#define ADDRESS_END (1ULL << SMILE_ADDRESS_BITS)

struct sampled_process *sampled_process_new(pid_t pid, enum sample_source source,
					    const struct sample_host *host)
{
	struct sampled_process *process = calloc(1, sizeof(*process));

	if (!process)
		return NULL;
	*process = (struct sampled_process){
		.pid = pid,
		.source = source,
		.host = host,
		.seen = {.thread = pid},
		.began_ns = sample_now_ns(),
		.result = {.source = source, .nodes = host->count, .process = (uint32_t)pid},
	};
	program_log_begin(&process->log, process->began_ns);
	return process;
}

int sampled_process_fork(struct sampled_process *process, const struct sampled_process *parent)
{
	int failed = mapped_fork(&process->mapped, &parent->mapped);

	process->copy = true;
	process->programs = 1;
	if (!failed)
		failed = program_log_fork(&process->log, &parent->log, process->began_ns);
	return failed;
}

void sampled_process_free(struct sampled_process *process)
{
	if (!process)
		return;
	counts_free(&process->counts);
	mapped_free(&process->mapped);
	program_log_free(&process->log);
	json_decref(process->result.latency);
	json_decref(process->result.homes);
	json_decref(process->result.thread_names);
	free(process->words);
	free(process);
}

/* ---- samples --------------------------------------------------------------------------------- */

/* Count a sampled access. Return: 0 or -ENOMEM. */
static int access_take(struct sampled_process *process, const struct sample *sample, uint32_t node,
		       uint32_t phase)
{
	struct counts_access access = {
		.address = sample->address,
		.time_ns = sample->time_ns,
		.node = node,
		.home = COUNTS_NODE_UNKNOWN,
		.phase = phase,
	};
	struct data_source source;

	if (!data_source_read(sample->data_source, &source)) {
		process->result.no_source++;
		return 0;
	}
	access.type = source.type;
	access.behind = data_source_behind(&source);
	if (counts_latency_add(&process->counts, sample->address, source.served, sample->weight) <
	    0)
		return -ENOMEM;
	return counts_access(&process->counts, &access);
}

int sampled_process_take(struct sampled_process *process, const struct sample *sample)
{
	uint32_t node = sample->cpu < SAMPLE_CPUS_MAX ? process->host->of_cpu[sample->cpu]
						      : SAMPLE_NODE_NONE;
	struct sample_result *result = &process->result;
	uint32_t phase;

	process->taken++;
	process->periods += (double)sample->period;
	process->several = process->several || sample->tid != sample->pid;
	process->fresh = true;
	if (process->source == SAMPLE_MEMORY && !sample->address) {
		result->no_address++;
		return 0;
	}
	if (node == SAMPLE_NODE_NONE) {
		result->nowhere++;
		return 0;
	}
	if (sample->address >= SAMPLE_KERNEL_BEGIN) {
		result->kernel++;
		return 0;
	}
	if (sample->address >= ADDRESS_END) {
		result->outside++;
		return 0;
	}
	process->missed = process->missed || !mapped_have(&process->mapped, sample->address);
	phase = program_log_phase(&process->log, sample->time_ns);
	process->phase = phase;
	process->counts.thread = threads_sampled(&process->counts.threads, sample->tid);
	if (process->source == SAMPLE_FAULTS)
		return counts_fault(&process->counts, sample->address, node, phase,
				    sample->time_ns);
	return access_take(process, sample, node, phase);
}

bool sampled_process_has_samples(const struct sampled_process *process)
{
	return process->counts.samples || process->counts.waiting.used;
}

/* ---- looks ----------------------------------------------------------------------------------- */

int sampled_process_log(struct sampled_process *process, const struct log_file *file)
{
	if (!process->log.memory)
		process->log.memory = log_file_find(file, process->pid);
	return program_log_read(&process->log, &process->mapped);
}

int sampled_process_regions(struct sampled_process *process)
{
	char path[64], root[64];
	FILE *maps;
	int failed;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)process->seen.thread);
	maps = fopen(path, "re");
	if (!maps)
		return 0;
	process_root(process->seen.thread, root);
	process->mapped.root = root;
	failed = mapped_read(&process->mapped, maps);
	process->mapped.root = NULL;
	fclose(maps);
	return failed;
}

/*
 * Ask the kernel how much memory is in huge pages. Because the kernel reads the page table entries
 * of all pages for this, it is asked only twice: once while the process runs, because memory may be
 * unmapped later, and once at the end.
 */
void sampled_process_huge(struct sampled_process *process)
{
	char path[64], line[256];
	uint64_t kb;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/smaps_rollup", (int)process->seen.thread);
	file = process->source == SAMPLE_FAULTS ? fopen(path, "re") : NULL;
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "AnonHugePages: %" SCNu64, &kb) == 1 &&
		    kb * 1024 > process->result.huge_bytes)
			process->result.huge_bytes = kb * 1024;
	fclose(file);
}

static void homes_look(struct sampled_process *process, const uint64_t *numbers, size_t count)
{
	/*
	 * If the process no longer exists, the kernel reports no pages, and the known nodes do not
	 * change.
	 */
	if (homes_ask(&process->counts, process->seen.thread, numbers, count) == -EPERM)
		process->result.hidden = true;
	counts_phase_seen(&process->counts, process->phase);
}

void sampled_process_homes(struct sampled_process *process)
{
	struct counts *counts = &process->counts;

	if (!process->fresh)
		return;
	process_see(process->pid, &process->seen);
	process->fresh = false;
	/* Do not ask after the process has ended, because another process may have the same id. */
	if (!process->ended) {
		homes_look(process, counts->asked, counts->asked_count);
		threads_look(&counts->threads, process->seen.thread);
	}
	counts_answered(counts);
}

int sampled_process_missed(struct sampled_process *process)
{
	bool missed = process->missed && process->programs && !process->ended;

	process->missed = false;
	return missed ? sampled_process_regions(process) : 0;
}

/* ---- moments --------------------------------------------------------------------------------- */

int sampled_process_executes(struct sampled_process *process)
{
	const struct counts *counts = &process->counts;
	uint64_t all = counts->samples + counts->first + counts->homeless + counts_waiting(counts);

	process_see(process->pid, &process->seen);
	if (process->programs++ || process->source == SAMPLE_MEMORY)
		process->result.before += all;
	else
		process->result.first += all;
	counts_free(&process->counts);
	mapped_free(&process->mapped);
	free(process->words);
	process_words(process->pid, &process->words);
	process->result.huge_bytes = 0;
	process->copy = false;
	process->several = false;
	process->phase = 0;
	process->began_ns = sample_now_ns();
	program_log_executes(&process->log, process->began_ns);
	return sampled_process_regions(process);
}

int sampled_process_ends(struct sampled_process *process)
{
	uint64_t *numbers;
	size_t count;
	int failed;

	process_see(process->pid, &process->seen);
	failed = sampled_process_regions(process);
	sampled_process_huge(process);
	numbers = counts_numbers(&process->counts, &count);
	if (!numbers)
		return -ENOMEM;
	homes_look(process, numbers, count);
	free(numbers);
	return failed;
}

/* ---- the result ------------------------------------------------------------------------------ */

/*
 * Get the number of bytes that some kernels do not scan. Memory that has samples, or for which the
 * program has requested a scan, does not count.
 */
static uint64_t unscanned(struct sampled_process *process)
{
	const struct sample_log *log = process->log.memory;
	uint64_t scanned = log ? atomic_load(&log->scanned_bytes) : 0;
	uint64_t all = process->mapped.unscanned_bytes, without;
	const struct counts_page *page;
	size_t position = 0;

	while ((page = hash_table_next(&process->counts.table, &position, sizeof(*page))))
		if (page->sampled)
			mapped_sampled(&process->mapped, (page->key - 1) * COUNTS_PAGE_BYTES);
	without = mapped_unsampled(&process->mapped);
	all = all > scanned ? all - scanned : 0;
	return all < without ? all : without;
}

static void result_log(struct sampled_process *process, const struct log_file *file)
{
	const struct program_log *log = &process->log;
	struct sample_result *result = &process->result;

	if (!log->memory)
		return;
	result->logs = log->programs > 0;
	if (result->logs)
		result->threads = atomic_load(&log->memory->threads);
	if (result->logs && file->header->nodes)
		result->bound = result->threads - atomic_load(&log->memory->unbound);
	result->blocks = log->allocations ? allocations_all(log->allocations) : 0;
	result->phases_lost = log->phases_lost;
	for (unsigned i = 0; i < SAMPLE_LOG_COUNTERS; i++)
		result->blocks_skipped += atomic_load(&log->memory->skipped[i].count);
	result->unscanned_nodes = atomic_load(&log->memory->unscanned_nodes);
	result->log_lost = atomic_load(&log->memory->lost);
}

int sampled_process_finish(struct sampled_process *process, const struct log_file *file,
			   uint64_t end_ns)
{
	struct sample_result *result = &process->result;
	int failed = counts_settle(&process->counts, false);

	program_log_ends(&process->log, end_ns);
	result_log(process, file);
	sample_result_counts(result, &process->counts);
	result->homes = sample_homes_json(&process->counts, process->host, &process->log);
	result->thread_names = sample_threads_json(&process->counts, process->host);
	if (!result->thread_names)
		failed = -ENOMEM;
	result->all = process->taken;
	result->elapsed_ns = end_ns - process->began_ns;
	result->command = process->copy ? NULL : process->words;
	result->parent = (uint32_t)process->parent;
	result->copy = process->copy;
	if (process->source == SAMPLE_FAULTS) {
		result->unscanned_bytes = unscanned(process);
		result->one_thread = !process->several;
	} else {
		result->kind_count = 1;
		result->kinds[0].samples = process->taken;
		result->kinds[0].period =
			process->taken ? process->periods / (double)process->taken : 0;
	}
	/* Unmap the log, because another process may get it next. */
	log_file_unmap(process->log.memory);
	process->log.memory = NULL;
	return failed;
}
