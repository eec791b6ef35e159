/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The log of a sampled program: its allocations, its named regions, the stacks of its threads, and
 * its phases.
 *
 * What lives here: the layout of the memory that the library in the program (run/place/log.c)
 * writes, and that `smile sample` reads while the program runs. This file may use <place/plan.h>,
 * <stdatomic.h> and <stdint.h>. It is not installed, because both sides belong to the same build.
 * This project defines the layout; no paper describes it.
 *
 * The memory is a file (memfd) of `smile sample`. It has a header, and a log for each process that
 * writes. An environment variable has the id of the process that may write, and the path of the
 * file: SAMPLE_LOG_VARIABLE=PID:/proc/PID/fd/N. A process with another id, such as a child of this
 * process, writes nothing. If PID is 0, each process claims a free log, and writes nothing if no
 * log is free. If a process executes another program, that program continues to write to the log of
 * the process.
 */
#ifndef SAMPLE_LOG_H
#define SAMPLE_LOG_H

#include <stdatomic.h>
#include <stdint.h>

#include <place/plan.h>

#define SAMPLE_LOG_VARIABLE "SMILE_SAMPLE_LOG"
#define SAMPLE_LOG_FILE "smile-sample" /* name of the memory in /proc/PID/maps */
#define SAMPLE_LOG_MAGIC 0x32474f4c454d5353ULL
#define SAMPLE_LOG_PROCESSES 256U /* at the same time */
#define SAMPLE_LOG_PAGE 4096U
#define SAMPLE_LOG_ENTRIES 32768U /* a power of two */
#define SAMPLE_LOG_CALLERS 16U
#define SAMPLE_LOG_NAME_BYTES (8 * SAMPLE_LOG_CALLERS)

#define SAMPLE_LOG_LEAST_BYTES 4096U /* smaller blocks share pages, and are not logged */
#define SAMPLE_LOG_ALWAYS_BYTES (1U << 20) /* blocks of at least this size are always logged */
/*
 * For each call of an allocator in the program, the first SAMPLE_LOG_FIRST_BLOCKS blocks are
 * logged. After these blocks, a thread logs a block only when it has allocated
 * SAMPLE_LOG_EACH_BYTES since it last logged a block.
 */
#define SAMPLE_LOG_FIRST_BLOCKS 256U
#define SAMPLE_LOG_EACH_BYTES (8U << 20)
/* Threads that count at the same time use counters in different cache lines. */
#define SAMPLE_LOG_COUNTERS 64U
#define SAMPLE_LOG_LINE_BYTES 64U

enum sample_log_kind {
	SAMPLE_LOG_PROGRAM, /* a program begins; the previous memory is gone */
	SAMPLE_LOG_BLOCK, /* a heap block at .address, allocated by .callers */
	SAMPLE_LOG_FREED, /* the block at .address, if it exists, was freed */
	SAMPLE_LOG_REGION, /* smile_alloc(): memory at .address, named .name */
	SAMPLE_LOG_PHASE, /* smile_phase(): a phase named .name begins */
	SAMPLE_LOG_STACK, /* a thread with a stack at .address begins */
};

/**
 * struct sample_log_entry - An event of the program.
 * @ready: position of the entry in the log plus one; the program writes it after the other members
 * @time_ns: time of the event, by CLOCK_MONOTONIC
 * @address: address of the first byte
 * @bytes: size
 * @callers: return addresses, the innermost first; unused elements are 0
 * @name: name, terminated by NUL
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

/* A counter in a separate cache line. */
struct sample_log_counter {
	_Alignas(SAMPLE_LOG_LINE_BYTES) _Atomic uint64_t count;
};

/**
 * struct sample_log_file - The header of the file, before the logs.
 * @magic: SAMPLE_LOG_MAGIC
 * @bytes: size of the file
 * @nodes: number of nodes to which threads are bound in rotation, as by `smile place`; 0: threads
 *         are not bound
 * @node: the nodes, shape [@nodes]
 * @scan: 1: the library requests that NUMA balancing scans the memory of smile_alloc() and the
 *        memory that a plan places
 * @children: 1: any process may claim a log
 * @process: the process that uses each log; 0: the log is free, and empty
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
 * struct sample_log - The log of a process. Positions never wrap; the index of an entry is its
 * position modulo SAMPLE_LOG_ENTRIES.
 * @threads: number of threads that were created, including the first thread. The program writes
 *           this and all other members, except @tail
 * @unbound: number of threads that could not be bound to their node
 * @head: position of the next entry; the program advances it
 * @tail: position of the first entry that was not read; the reader advances it
 * @scanned_bytes: number of bytes of smile_alloc() that the kernel has agreed to scan
 * @unscanned_nodes: bit n is set if the kernel does not scan the memory that a plan has placed on
 *                   node n
 * @lost: number of entries for which the log had no room
 * @skipped: number of blocks that were not logged, as the sum of all elements. A block is not
 *           logged if SAMPLE_LOG_FIRST_BLOCKS blocks of the same call were already logged, or if
 *           too many logged blocks still exist
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

/* The offset of a log in the file. */
#define SAMPLE_LOG_AT(index)                                                                       \
	((long)(sizeof(struct sample_log_file) + (index) * sizeof(struct sample_log)))
#define SAMPLE_LOG_FILE_BYTES ((uint64_t)SAMPLE_LOG_AT(SAMPLE_LOG_PROCESSES))

#endif /* SAMPLE_LOG_H */
