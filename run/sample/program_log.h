/* SPDX-License-Identifier: MIT */
/*
 * run/sample: the data that the program logs: allocations, named regions and phases.
 *
 * What lives here: the reader of the log, <sample/log.h>, and the results of its entries. May use
 * run/allocations, mapped.h and system calls. It prints nothing.
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
 * struct program_phase - All times in which the program uses one name of a phase.
 * @name: the name, see smile_phase(); "" for the first phase
 * @elapsed_ns: the sum of these times
 */
struct program_phase {
	char name[SAMPLE_LOG_NAME_BYTES];
	uint64_t elapsed_ns;
};

/**
 * struct program_switch - The beginning of a phase.
 * @time_ns: when it begins, by CLOCK_MONOTONIC
 * @phase: index of the phase
 */
struct program_switch {
	uint64_t time_ns;
	uint32_t phase;
};

/**
 * struct program_log - The log of a process.
 * @memory: the memory that the program writes; NULL: there is none
 * @allocations: the allocations of the program; NULL: there are none
 * @phases: the phases; shape [@phase_count], at least one
 * @phase_count: number of phases
 * @switches: beginnings of phases, ascending by time; shape [@switch_count], room for @switch_size
 * @switch_count: number of switches
 * @switch_size: number of switches for which @switches has room
 * @at: index of the switch of the last sample, plus one
 * @began_ns: when the program began, by CLOCK_MONOTONIC
 * @programs: number of programs that have written to the log since program_log_executes()
 * @phases_lost: number of phases whose name found no room, since COUNTS_PHASES_MAX names were there
 *               before
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

/* Start an empty log. */
void program_log_begin(struct program_log *log, uint64_t time_ns);

/**
 * program_log_fork() - Start the log of a process that was forked: it has its parent's blocks and
 * phase.
 * @log: the child's log, empty
 * @parent: the parent's log, read up to the fork
 *
 * Return: 0; -ENOMEM.
 */
int program_log_fork(struct program_log *log, const struct program_log *parent, uint64_t time_ns);

/*
 * Handle the start of another program, at @time_ns by CLOCK_MONOTONIC: what was logged before does
 * not belong to it.
 */
void program_log_executes(struct program_log *log, uint64_t time_ns);

/**
 * program_log_read() - Take in the entries that the program has written.
 * @mapped: receives named regions
 *
 * Return: 0; -ENOMEM.
 */
int program_log_read(struct program_log *log, struct mapped *mapped);

/* Get the phase in which a sample was taken. Call it in the order of the samples' times. */
uint32_t program_log_phase(struct program_log *log, uint64_t time_ns);

/* Handle the end of the program at @time_ns: the lengths of its phases are known then. */
void program_log_ends(struct program_log *log, uint64_t time_ns);

void program_log_free(struct program_log *log);

#endif /* RUN_SAMPLE_PROGRAM_LOG_H */
