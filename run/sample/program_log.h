/* SPDX-License-Identifier: MIT */
/*
 * run/sample: reads the data that the program logs, which are allocations, named regions and
 * phases.
 *
 * What lives here: functions that read the log of a process (<sample/log.h>), and the data of its
 * entries. This file may use run/allocations, memory_regions.h and system calls. The file prints
 * nothing.
 */
#ifndef RUN_SAMPLE_PROGRAM_LOG_H
#define RUN_SAMPLE_PROGRAM_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/allocations/allocations.h"
#include "run/sample/counts.h"
#include "run/sample/log_file.h"
#include "run/sample/memory_regions.h"

/**
 * struct program_phase - A phase of the program. It consists of all intervals that have the same
 * name.
 * @name: the name that the program passed to smile_phase(); "" before the first call of
 *        smile_phase()
 * @elapsed_ns: sum of the lengths of the intervals
 */
struct program_phase {
	char name[SAMPLE_LOG_NAME_BYTES];
	uint64_t elapsed_ns;
};

/**
 * struct program_switch - The beginning of an interval of a phase.
 * @time_ns: time of the beginning, by CLOCK_MONOTONIC
 * @phase: index of the phase
 */
struct program_switch {
	uint64_t time_ns;
	uint32_t phase;
};

/**
 * struct program_log - The log of a process.
 * @memory: the memory into which the program writes its log; NULL: there is no log
 * @allocations: the allocations of the program; NULL: there are none
 * @phases: the phases; shape [@phase_count], at least one
 * @phase_count: number of phases
 * @switches: beginnings of phases, in ascending order of time; shape [@switch_count], with space
 *            for @switch_size
 * @switch_count: number of entries of @switches
 * @switch_size: number of entries for which @switches has room
 * @at: index, plus one, of the last switch that is not later than the last sample
 * @began_ns: time at which the program began, by CLOCK_MONOTONIC
 * @programs: number of programs that have started to write to the log since program_log_executes()
 * @phases_lost: number of beginnings of phases that were not stored, because COUNTS_PHASES_MAX
 *               names were in use already
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

/* Begin an empty log. */
void program_log_begin(struct program_log *log, uint64_t time_ns);

/**
 * program_log_fork() - Begin the log of a forked process. The process begins with the blocks and
 * the phase of its parent.
 * @log: the child's log, which must be empty
 * @parent: the parent's log, which must have been read up to the fork
 *
 * Return: 0 or -ENOMEM.
 */
int program_log_fork(struct program_log *log, const struct program_log *parent, uint64_t time_ns);

/*
 * Discard the data that the previous program has logged, because the process has executed another
 * program. @time_ns: time of the execve(2), by CLOCK_MONOTONIC.
 */
void program_log_executes(struct program_log *log, uint64_t time_ns);

/**
 * program_log_read() - Read the entries that the program has written since the last call.
 * @mapped: receives the named regions
 *
 * Return: 0 or -ENOMEM.
 */
int program_log_read(struct program_log *log, struct mapped *mapped);

/* Get the phase in which a sample was taken. Calls must be in the order of the samples' times. */
uint32_t program_log_phase(struct program_log *log, uint64_t time_ns);

/*
 * Compute the lengths of the phases. Call this function after the program has ended. @time_ns: time
 * at which the program ended.
 */
void program_log_ends(struct program_log *log, uint64_t time_ns);

void program_log_free(struct program_log *log);

#endif /* RUN_SAMPLE_PROGRAM_LOG_H */
