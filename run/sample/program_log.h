/* SPDX-License-Identifier: MIT */
/*
 * run/sample: what the program logs: allocations, named regions, phases.
 *
 * What lives here: the reader of the log, <sample/log.h>, and what follows from its entries. May
 * use run/allocations, mapped.h and system calls. It prints nothing.
 */
#ifndef RUN_SAMPLE_PROGRAM_LOG_H
#define RUN_SAMPLE_PROGRAM_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/allocations/allocations.h"
#include "run/sample/counts.h"
#include "run/sample/log_file.h"
#include "run/sample/mapped.h"

/**
 * struct program_phase - All that the program calls by one name.
 * @name: as of smile_phase(); "" for the first one
 * @elapsed_ns: how long it was, all its times together
 */
struct program_phase {
	char name[SAMPLE_LOG_NAME_BYTES];
	uint64_t elapsed_ns;
};

/**
 * struct program_switch - A phase begins.
 * @time_ns: by CLOCK_MONOTONIC
 * @phase: index
 */
struct program_switch {
	uint64_t time_ns;
	uint32_t phase;
};

/**
 * struct program_log - The log.
 * @memory: which the program writes; NULL: there is none
 * @allocations: what it has allocated; NULL: nothing
 * @phases: shape [@phase_count]; one at least
 * @phase_count: how many
 * @switches: of phases, ascending by time; shape [@switch_count], room @switch_size
 * @switch_count: how many
 * @switch_size: room
 * @at: index of the switch of the last sample, plus one
 * @began_ns: when the program began, by CLOCK_MONOTONIC
 * @programs: that have written to the log since program_log_executes()
 * @phases_lost: that had another name than COUNTS_PHASES_MAX before them
 */
struct program_log {
	struct sample_log *memory;
	struct allocations *allocations;
	struct program_phase phases[COUNTS_PHASES_MAX];
	uint32_t phase_count;
	struct program_switch *switches;
	size_t switch_count;
	size_t switch_size;
	size_t at;
	uint64_t began_ns;
	unsigned programs;
	uint64_t phases_lost;
};

/* Nothing is logged yet. */
void program_log_begin(struct program_log *log, uint64_t time_ns);

/**
 * program_log_fork() - A process has forked: the child begins with its parent's blocks and phase.
 * @log: the child's, empty
 * @parent: read up to there
 *
 * Return: 0; -ENOMEM.
 */
int program_log_fork(struct program_log *log, const struct program_log *parent, uint64_t time_ns);

/* Another program begins, at @time_ns by CLOCK_MONOTONIC: what was logged is not its own. */
void program_log_executes(struct program_log *log, uint64_t time_ns);

/**
 * program_log_read() - Take in the entries that the program has written.
 * @mapped: gets named regions
 *
 * Return: 0; -ENOMEM.
 */
int program_log_read(struct program_log *log, struct mapped *mapped);

/* The phase in which a sample was taken. Samples come in the order of their times. */
uint32_t program_log_phase(struct program_log *log, uint64_t time_ns);

/* The program has ended at @time_ns: how long its phases were is known now. */
void program_log_ends(struct program_log *log, uint64_t time_ns);

void program_log_free(struct program_log *log);

#endif /* RUN_SAMPLE_PROGRAM_LOG_H */
