// SPDX-License-Identifier: MIT
/* run/sample: reads the data that the program logs. See program_log.h. */
#include "run/sample/program_log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <base/array.h>

_Static_assert(SAMPLE_LOG_CALLERS == MONITOR_SITE_CALLERS, "as many callers as a site has");

static void phases_start(struct program_log *log)
{
	log->phases[0] = (struct program_phase){.name = ""};
	log->phase_count = 1;
	log->switch_count = log->at = 0;
	log->phases_lost = 0;
}

void program_log_begin(struct program_log *log, uint64_t time_ns)
{
	*log = (struct program_log){.began_ns = time_ns};
	phases_start(log);
}

static void forget(struct program_log *log)
{
	allocations_free(log->allocations);
	log->allocations = NULL;
	phases_start(log);
}

void program_log_executes(struct program_log *log, uint64_t time_ns)
{
	log->began_ns = time_ns;
	/*
	 * If the new program has already written to the log, the data of the previous program was
	 * already discarded.
	 */
	if (log->programs > 1) {
		log->programs = 1;
		return;
	}
	forget(log);
	log->programs = 0;
}

/* ---- entries --------------------------------------------------------------------------------- */

static uint64_t since(const struct program_log *log, uint64_t time_ns)
{
	return time_ns > log->began_ns ? time_ns - log->began_ns : 0;
}

static int block_take(struct program_log *log, const struct sample_log_entry *entry)
{
	bool freed = entry->kind == SAMPLE_LOG_FREED;

	if (!log->allocations)
		log->allocations = allocations_new();
	if (!log->allocations)
		return -ENOMEM;
	allocations_block(log->allocations, entry->callers, entry->address,
			  freed ? 0 : entry->bytes, since(log, entry->time_ns));
	return 0;
}

/*
 * Find the phase with the name @name. If it does not exist, add it. Return: the index of the phase;
 * if there is no space for a new phase, the index of the last phase.
 */
static uint32_t phase_of(struct program_log *log, const char *name)
{
	uint32_t i = 0;

	while (i < log->phase_count && strcmp(log->phases[i].name, name))
		i++;
	if (i == COUNTS_PHASES_MAX) {
		log->phases_lost++;
		return i - 1;
	}
	if (i == log->phase_count) {
		log->phases[i] = (struct program_phase){.elapsed_ns = 0};
		strcpy(log->phases[i].name, name);
		log->phase_count++;
	}
	return i;
}

static int phase_begin(struct program_log *log, const char *name, uint64_t time_ns)
{
	struct program_switch next = {.time_ns = time_ns};
	size_t at = log->switch_count;

	if (array_reserve(&log->switches, &log->switch_size, at, sizeof(next)) < 0)
		return -ENOMEM;
	next.phase = phase_of(log, name);
	/*
	 * Sort the switches by time, because entries of different threads can be in another order.
	 */
	for (; at > log->at && log->switches[at - 1].time_ns > next.time_ns; at--)
		log->switches[at] = log->switches[at - 1];
	log->switches[at] = next;
	log->switch_count++;
	return 0;
}

static int entry_take(struct program_log *log, const struct sample_log_entry *entry,
		      struct mapped *mapped)
{
	const bool stack = entry->kind == SAMPLE_LOG_STACK;
	const struct Monitor_region region = {
		.start = entry->address,
		.end = entry->address + entry->bytes,
		.kind = stack ? MONITOR_REGION_STACK : MONITOR_REGION_NAMED,
		.name = stack ? "" : entry->name,
	};

	switch (entry->kind) {
	case SAMPLE_LOG_PROGRAM:
		forget(log);
		log->programs++;
		return 0;
	case SAMPLE_LOG_BLOCK:
	case SAMPLE_LOG_FREED:
		return block_take(log, entry);
	case SAMPLE_LOG_REGION:
	case SAMPLE_LOG_STACK:
		return region.start < region.end ? mapped_add(mapped, &region) : 0;
	case SAMPLE_LOG_PHASE:
		return phase_begin(log, entry->name, entry->time_ns);
	default:
		return 0;
	}
}

int program_log_read(struct program_log *log, struct mapped *mapped)
{
	struct sample_log *memory = log->memory;
	struct sample_log_entry entry;
	uint64_t tail;
	int failed = 0;

	if (!memory)
		return 0;
	tail = atomic_load_explicit(&memory->tail, memory_order_relaxed);
	for (; !failed; tail++) {
		struct sample_log_entry *from = &memory->entries[tail % SAMPLE_LOG_ENTRIES];

		if (atomic_load_explicit(&from->ready, memory_order_acquire) != tail + 1)
			break;
		memcpy((char *)&entry + sizeof(entry.ready), (char *)from + sizeof(from->ready),
		       sizeof(entry) - sizeof(entry.ready));
		/* Check the entry, because the program can write any values into its log. */
		if (entry.kind == SAMPLE_LOG_REGION || entry.kind == SAMPLE_LOG_PHASE)
			entry.name[sizeof(entry.name) - 1] = '\0';
		atomic_store_explicit(&memory->tail, tail + 1, memory_order_release);
		failed = entry_take(log, &entry, mapped);
	}
	return failed;
}

int program_log_fork(struct program_log *log, const struct program_log *parent, uint64_t time_ns)
{
	program_log_begin(log, time_ns);
	log->programs = parent->programs ? 1 : 0;
	if (parent->allocations) {
		log->allocations = allocations_copy(parent->allocations);
		if (!log->allocations)
			return -ENOMEM;
	}
	if (!parent->switch_count)
		return 0;
	return phase_begin(log,
			   parent->phases[parent->switches[parent->switch_count - 1].phase].name,
			   time_ns);
}

/* ---- phases ---------------------------------------------------------------------------------- */

uint32_t program_log_phase(struct program_log *log, uint64_t time_ns)
{
	while (log->at < log->switch_count && log->switches[log->at].time_ns <= time_ns)
		log->at++;
	return log->at ? log->switches[log->at - 1].phase : 0;
}

void program_log_ends(struct program_log *log, uint64_t time_ns)
{
	uint64_t from_ns = log->began_ns;
	uint32_t phase = 0;

	for (size_t i = 0; i <= log->switch_count; i++) {
		uint64_t to_ns = i < log->switch_count ? log->switches[i].time_ns : time_ns;

		/*
		 * Limit the time, so that the lengths of all phases add up to the run time of the
		 * program.
		 */
		if (to_ns > time_ns)
			to_ns = time_ns;
		if (to_ns > from_ns) {
			log->phases[phase].elapsed_ns += to_ns - from_ns;
			from_ns = to_ns;
		}
		if (i < log->switch_count)
			phase = log->switches[i].phase;
	}
}

void program_log_free(struct program_log *log)
{
	forget(log);
	free(log->switches);
	log_file_unmap(log->memory);
	*log = (struct program_log){0};
}
