/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The log of a sampled program: what it has allocated, its named regions, its threads' stacks and
 * its phases.
 *
 * What lives here: the layout of the memory between the library in the program (run/place/log.c),
 * which writes it, and `smile sample`, which reads it while the program runs. It may use
 * <place/plan.h>, <stdatomic.h> and <stdint.h>. Not installed: both sides are of one build. Defined
 * here; no paper has it.
 *
 * The memory is one file (memfd) of `smile sample`: a header, and a log for each process that
 * writes. The environment has the process that writes and the path of the file:
 * SAMPLE_LOG_VARIABLE=PID:/proc/PID/fd/N. A process with another id, such as a child, writes
 * nothing, unless PID is 0: then each process takes a log that is free, if there is one. A
 * program that the process executes goes on writing.
 */
#ifndef SAMPLE_LOG_H
#define SAMPLE_LOG_H

#include <stdatomic.h>
#include <stdint.h>

#include <place/plan.h>

#define SAMPLE_LOG_VARIABLE "SMILE_SAMPLE_LOG"
#define SAMPLE_LOG_FILE "smile-sample" /* its name in /proc/PID/maps */
#define SAMPLE_LOG_MAGIC 0x32474f4c454d5353ULL
#define SAMPLE_LOG_PROCESSES 256U /* at a time */
#define SAMPLE_LOG_PAGE 4096U
#define SAMPLE_LOG_ENTRIES 32768U /* a power of two */
#define SAMPLE_LOG_CALLERS 16U
#define SAMPLE_LOG_NAME_BYTES (8 * SAMPLE_LOG_CALLERS)

#define SAMPLE_LOG_LEAST_BYTES 4096U /* smaller blocks are not logged: several share a page */
#define SAMPLE_LOG_ALWAYS_BYTES (1U << 20) /* blocks from here on are always logged */
/*
 * For each place that calls an allocator, the first SAMPLE_LOG_FIRST_BLOCKS blocks are logged.
 * After that, a thread logs a block whenever it has allocated SAMPLE_LOG_EACH_BYTES since the last
 * block that it has logged.
 */
#define SAMPLE_LOG_FIRST_BLOCKS 256U
#define SAMPLE_LOG_EACH_BYTES (8U << 20)
/* Threads that count at the same time do so in different cache lines. */
#define SAMPLE_LOG_COUNTERS 64U
#define SAMPLE_LOG_LINE_BYTES 64U

enum sample_log_kind {
	SAMPLE_LOG_PROGRAM, /* a program begins in the process: what it was before is gone */
	SAMPLE_LOG_BLOCK, /* of the heap, at .address; .callers has what called the allocator */
	SAMPLE_LOG_FREED, /* the block at .address, if there is one */
	SAMPLE_LOG_REGION, /* smile_alloc(), at .address; .name */
	SAMPLE_LOG_PHASE, /* smile_phase(); .name */
	SAMPLE_LOG_STACK, /* of a thread that begins, at .address */
};

/**
 * struct sample_log_entry - Something that the program has done.
 * @ready: its position in the log plus one, once the rest is written
 * @time_ns: by CLOCK_MONOTONIC
 * @address: first byte
 * @bytes: size
 * @callers: return addresses, the innermost first; 0 where there are no more
 * @name: ended by NUL
 * @kind: enum sample_log_kind
 */
struct sample_log_entry {
	_Atomic uint64_t ready;
	uint64_t time_ns;
	uint64_t address;
	uint64_t bytes;
	union {
		uint64_t callers[SAMPLE_LOG_CALLERS];
		char name[SAMPLE_LOG_NAME_BYTES];
	};
	uint64_t kind;
};

/* A counter in a cache line of its own. */
struct sample_log_counter {
	_Alignas(SAMPLE_LOG_LINE_BYTES) _Atomic uint64_t count;
};

/**
 * struct sample_log_file - What is in front of the logs.
 * @magic: SAMPLE_LOG_MAGIC
 * @bytes: of the file
 * @nodes: to which threads are bound in turn, as `smile place` does; 0: they are not bound
 * @node: the nodes, shape [@nodes]
 * @scan: 1: the kernel is to scan the memory of smile_alloc(), and what a plan places, when it
 *        balances
 * @children: 1: any process may take a log
 * @process: the process that has each log; 0: it is free, and empty
 */
struct sample_log_file {
	_Alignas(SAMPLE_LOG_PAGE) uint64_t magic;
	uint64_t bytes;
	uint32_t nodes;
	uint32_t node[PLAN_NODES_MAX];
	uint32_t scan;
	uint32_t children;
	_Atomic uint32_t process[SAMPLE_LOG_PROCESSES];
};

/**
 * struct sample_log - A log. Positions grow for ever; an entry is at its position modulo
 * SAMPLE_LOG_ENTRIES.
 * @threads: number of threads created, including the first; written by the program, as is all but
 *           @tail
 * @unbound: threads that could not be bound to their node
 * @head: position of the next entry; the program advances it
 * @tail: position of the first entry that was not read; the reader advances it
 * @scanned_bytes: memory of smile_alloc() that the kernel has accepted to scan
 * @unscanned_nodes: a bit for each node on which the kernel does not scan what a plan has placed
 * @lost: entries for which there was no room
 * @skipped: blocks that were not logged, because SAMPLE_LOG_FIRST_BLOCKS of their place were, or
 *           because too many that were are still there; the sum counts
 */
struct sample_log {
	_Alignas(SAMPLE_LOG_PAGE) _Atomic uint32_t threads;
	_Atomic uint32_t unbound;
	_Atomic uint64_t head;
	_Atomic uint64_t tail;
	_Atomic uint64_t scanned_bytes;
	_Atomic uint64_t unscanned_nodes;
	_Atomic uint64_t lost;
	struct sample_log_counter skipped[SAMPLE_LOG_COUNTERS];
	struct sample_log_entry entries[SAMPLE_LOG_ENTRIES];
};

/* Where a log is in the file. */
#define SAMPLE_LOG_AT(index)                                                                       \
	((long)(sizeof(struct sample_log_file) + (index) * sizeof(struct sample_log)))
#define SAMPLE_LOG_FILE_BYTES ((uint64_t)SAMPLE_LOG_AT(SAMPLE_LOG_PROCESSES))

#endif /* SAMPLE_LOG_H */
