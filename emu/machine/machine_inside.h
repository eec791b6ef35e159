/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The machine: the declarations that only its own files use.
 *
 * What lives here: struct machine, and the functions that one file of the machine defines and other
 * files call. Other rooms must not include this header.
 */
#ifndef EMU_MACHINE_MACHINE_INSIDE_H
#define EMU_MACHINE_MACHINE_INSIDE_H

#include <errno.h>

#include <base/field.h>
#include <run/stream.h>

#include "backlog.h"
#include "cache.h"
#include "caches.h"
#include "link.h"
#include "local_accesses.h"
#include "machine.h"
#include "queue.h"
#include "tally.h"

/* The last cycle that a clock may reach: see merge.c. */
#define CLOCK_MAX ((1ULL << 52) - 1)

#define ADDRESS_END (1ULL << SMILE_ADDRESS_BITS)

/* The number of homes that a processor stores, indexed by the low bits of the page. */
#define PROCESSOR_HOMES 4096U

/**
 * struct processor - One processor.
 * @clock: in cycles
 * @node: its node
 * @homes: the entries of the table of page homes (page_homes.h) that the processor has used last
 * @counts: accesses to these pages, by SMILE_TYPE_*, that are not yet in machine.locals and
 *          machine.accesses
 * @queue: the processor's transactions whose frames have not been delivered yet
 * @accesses: number of calls of machine_step()
 * @local: as struct machine_statistics
 * @remote: as struct machine_statistics
 * @remote_cycles: as struct machine_statistics
 * @hits: as struct machine_statistics
 * @level_hits: as struct machine_statistics
 * @misses: as struct machine_statistics
 * @transfers: as struct machine_statistics
 * @misses_often: many of the processor's next accesses will probably miss the first level of the
 *                caches
 * @cached: cycles of accesses that a cache served. For a line that another node had modified, also
 *          the cycles by which the transfer took longer than a fetch from the home
 * @work: cycles of work
 * @wait: cycles of waiting
 * @idle: idle cycles
 */
struct processor {
	uint64_t clock;
	unsigned node;
	uint64_t homes[PROCESSOR_HOMES];
	uint64_t counts[PROCESSOR_HOMES][SMILE_TYPE_COUNT];
	struct queue queue;
	uint64_t accesses;
	uint64_t local[SMILE_TYPE_COUNT];
	uint64_t remote[SMILE_TYPE_COUNT];
	uint64_t remote_cycles[SMILE_TYPE_COUNT];
	uint64_t hits;
	uint64_t level_hits[MACHINE_LEVELS][SMILE_TYPE_COUNT];
	uint64_t misses[SMILE_TYPE_COUNT];
	uint64_t transfers;
	bool misses_often;
	uint64_t cached;
	uint64_t work;
	uint64_t wait;
	uint64_t idle;
};

/* Kind and size of the access in a word of the stream, as one number. */
#define STEP_KINDS 32U

_Static_assert(STREAM_SIZE_SHIFT == STREAM_KIND_SHIFT + 2 && STREAM_SIZE == 7,
	       "kind and size are adjacent, in five bits");

/* The access ends in another block and in another line than it starts. */
#define STEP_BEYOND_ALL (1U << 31)

/* The number of bits of each count in a word that has the counts of accesses by type. */
#define STEP_COUNT_BITS 20U

/**
 * struct step_kind - Values that are derived from the kind and size of an access: see fast_path.c.
 * @what: bits of the transaction, as in queue.h
 * @one: the number 1 in the field of the access's type, in a word that has a count for each type
 * @beyond: number of bytes of the access, less one; STEP_BEYOND_ALL if such an access is not
 *          possible
 */
struct step_kind {
	uint64_t what;
	uint64_t one;
	uint32_t beyond;
};

/*
 * The index of the shape of a line that is written back. It follows the shapes for QUEUE_LINE and
 * SMILE_TYPE_*.
 */
#define SHAPE_BACK SMILE_TYPE_COUNT

/**
 * struct machine_backs - Lines that a node has written back.
 * @local: number of lines to its own memory
 * @remote: number of lines to other nodes' memory
 */
struct machine_backs {
	uint64_t local;
	uint64_t remote;
};

/**
 * struct machine_made - Accesses that the processors of a node have made, by SMILE_TYPE_*.
 * @local: number of accesses to its own memory
 * @remote: number of accesses to other nodes' memory
 */
struct machine_made {
	uint64_t local[SMILE_TYPE_COUNT];
	uint64_t remote[SMILE_TYPE_COUNT];
};

struct lane;

/**
 * struct machine - The machine.
 * @config: the configuration with the defaults filled in; its @latency points to @latency
 * @latency: the latency model
 * @ops: the functions of the observer
 * @opaque: first argument of these functions
 * @placement: the homes of pages
 * @shape: shapes of the transactions, by QUEUE_LINE, SMILE_TYPE_* or SHAPE_BACK
 * @cost: duration of the transactions, by node, home, and QUEUE_LINE or SMILE_TYPE_*; a line that
 *        is written back takes no time
 * @ns_per_cycle: nanoseconds per cycle; 0 if that is not a whole number
 * @cycles_per_ns: cycles per nanosecond; 0 if that is not a whole number
 * @reached: no access starts before this cycle
 * @held: frames from this cycle on are held back until machine_show(): see machine_hold()
 * @shown: frames before this cycle were delivered
 * @error: the first error, which is permanent
 * @link: the B-Links, by node
 * @sent: transactions by node, home and SMILE_TYPE_*
 * @events: frames of events on the B-Links, watched or not
 * @frames_each: number of frames of a transaction
 * @steps: properties of accesses, by kind and size
 * @tally: counts requests; NULL: requests are ordered and delivered
 * @front: counts accesses before the caches; NULL: they are not counted
 * @backlog: requests for @tally and @front that have not been counted yet
 * @locals: accesses of nodes to their own memory since the last machine_locals()
 * @accesses: accesses of nodes to any page since the last machine_accesses()
 * @cache: the caches of the nodes, all empty if there are none
 * @caches: the caches for all memory
 * @backs: lines that the nodes have written back, to their own memory and to other nodes' memory
 * @made: accesses before the caches that were delivered, by node
 * @lanes: the processors' words that are being replayed, for fast_path_caches.c; shape
 *         [@lanes_count]
 * @lanes_count: number of these lanes
 * @settled: number of accesses of all processors when front_settle() was last called
 * @given_back: pages were given back since front_settle() was last called
 * @processors: the processors; shape [config.processors]
 * @processors_count: present number of processors
 * @merge: memory for merge.c
 */
struct machine {
	struct machine_config config;
	struct latency_model latency;
	const struct machine_ops *ops;
	void *opaque;
	struct placement placement;
	struct traffic_shape shape[SHAPE_BACK + 1];
	uint32_t cost[MACHINE_NODES_MAX][MACHINE_NODES_MAX][SMILE_TYPE_COUNT];
	uint64_t ns_per_cycle;
	uint64_t cycles_per_ns;
	uint64_t reached;
	uint64_t held;
	uint64_t shown;
	int error;
	struct link link[MACHINE_NODES_MAX];
	uint64_t sent[MACHINE_NODES_MAX][MACHINE_NODES_MAX][SMILE_TYPE_COUNT];
	uint64_t events[MACHINE_NODES_MAX];
	uint64_t frames_each;
	struct step_kind steps[STEP_KINDS];
	struct tally *tally;
	struct tally *front;
	struct backlog backlog;
	struct hash_table locals;
	struct hash_table accesses;
	struct cache cache[MACHINE_NODES_MAX];
	struct caches caches;
	struct machine_backs backs[MACHINE_NODES_MAX];
	struct machine_made made[MACHINE_NODES_MAX];
	struct lane *lanes;
	unsigned lanes_count;
	uint64_t settled;
	bool given_back;
	struct processor *processors;
	unsigned processors_count;
	uint64_t *merge;
};

/*
 * Get the duration of an access that a level of the caches served. The number after the last level
 * stands for the cache of another processor of the node.
 */
static inline uint32_t level_cycles(const struct machine *machine, unsigned level)
{
	unsigned count = machine->config.caches.count;

	if (count == 0)
		return 0;
	return machine->config.caches.levels[level < count ? level : count - 1].cycles;
}

static inline bool node_watched(const struct machine *machine, unsigned node)
{
	return machine->config.watch >> node & 1;
}

/*
 * Advance the clock of a processor. Return: true; false if there is no such processor, or if the
 * clock must not advance that far.
 */
static inline bool processor_pass(struct machine *machine, unsigned p, uint64_t cycles)
{
	if (p >= machine->processors_count) {
		machine_fail(machine, -EINVAL);
		return false;
	}
	if (cycles > CLOCK_MAX - machine->processors[p].clock) {
		machine_fail(machine, -EOVERFLOW);
		return false;
	}
	machine->processors[p].clock += cycles;
	return true;
}

/* ---- access.c ---- */

/*
 * Make a valid access that starts at the clock of @from. The function counts the access neither
 * among the processor's accesses nor among the accesses before the caches.
 */
void access_make(struct machine *machine, struct processor *from, unsigned type, uint64_t address,
		 size_t bytes);

/*
 * Make an access that the first level of the caches cannot serve. @line: the number of the line.
 * @address: address of the first byte; @last: offset of the last byte in its block.
 */
void access_beyond(struct machine *machine, struct processor *processor, unsigned type,
		   uint64_t line, uint64_t address, unsigned last);

/* ---- local_accesses.c ---- */

/* Count a line that @node has written back. Return: 0; -ENOMEM. */
int locals_back(struct machine *machine, uint64_t page, unsigned node, unsigned home);

/* Add a processor's count of a page to the machine's tables. Return: 0; -ENOMEM. */
int locals_bring(struct machine *machine, struct processor *processor, unsigned slot);

/* ---- fast_path.c ---- */

/* Initialise the table of struct step_kind. Call this function after the costs are set. */
void steps_init(struct machine *machine);

/* If a clock has at most this value, any access is possible. */
#define CLOCK_SAFE (CLOCK_MAX - UINT32_MAX - STREAM_WORK_MAX)

#define KIND_TYPE 1U /* difference between the type of an access and its kind */

static inline unsigned word_kind(uint64_t word)
{
	return word >> STREAM_KIND_SHIFT & STREAM_KIND;
}

static inline unsigned word_size(uint64_t word)
{
	return word >> STREAM_SIZE_SHIFT & STREAM_SIZE;
}

/* Check whether the access in a word is possible. */
static inline bool word_possible(uint64_t word)
{
	return word_size(word) <= 6 &&
	       (word & STREAM_ADDRESS) <= ADDRESS_END - (1ULL << word_size(word));
}

/* Load a word once, because another process may write to it at any time. */
static inline uint64_t word_load(const uint64_t *word)
{
	return __atomic_load_n(word, __ATOMIC_RELAXED);
}

static inline const struct step_kind *word_step(const struct machine *machine, uint64_t word)
{
	return &machine->steps[word >> STREAM_KIND_SHIFT & (STEP_KINDS - 1)];
}

/* Get the number of accesses of a type from a sum of step_kind.one. */
static inline uint64_t step_count(uint64_t counts, unsigned type)
{
	return counts >> (type - 1) * STEP_COUNT_BITS & ((1U << STEP_COUNT_BITS) - 1);
}

/* ---- fast_path_caches.c ---- */

/* Implement machine_turns() for a machine with caches for all memory. */
size_t lane_turns(struct machine *machine, struct machine_turn *turns, size_t count);

/* Implement machine_steps() for a machine with caches for all memory. */
size_t lane_steps(struct machine *machine, unsigned processor, const uint64_t *words, size_t count,
		  uint64_t limit, struct machine_steps *steps);

/* Count all accesses that were made in the lanes that are being replayed. */
void lanes_settle(struct machine *machine);

/* ---- counted.c: where requests are counted ---- */

/* Count all requests before cycle @limit. */
void counted_drain(struct machine *machine, uint64_t limit);

/*
 * Deliver the counts of accesses before the caches. Call this function before the home of a
 * page changes, because these accesses belong to the present home.
 */
void front_settle(struct machine *machine);

/* The tallies of the backlog. */
enum backlog_tally {
	BACKLOG_TALLY, /* counts in machine.tally */
	BACKLOG_FRONT, /* counts in machine.front */
};

/* Compose the request for an access before the caches, as the backlog stores it. */
static inline uint64_t front_request(unsigned node, unsigned type, uint64_t address)
{
	return address | SMILE_PUT(BLINK_REQUEST_TYPE, (uint64_t)type) |
	       SMILE_PUT(BLINK_REQUEST_SOURCE, (uint64_t)node) |
	       (uint64_t)BACKLOG_FRONT << BACKLOG_TALLY_SHIFT;
}

/* Handle a tally that has no memory. See backlog.h for the arguments. @opaque: the machine. */
void counted_full(void *opaque, struct tally *tally, bool still);

/* ---- merge.c ---- */

/* Get the number of words of machine.merge for a number of processors. */
size_t merge_words(unsigned processors);

/*
 * Deliver all frames before cycle @limit, in order. Frames in cycle @limit are not delivered,
 * because a processor whose clock is at this cycle may still add a frame that precedes them.
 * However, responses in this cycle are delivered if @responses is set.
 */
void merge_drain(struct machine *machine, uint64_t limit, bool responses);

/* Deliver frames that no later access can precede. */
void merge_drain_safe(struct machine *machine);

#endif /* EMU_MACHINE_MACHINE_INSIDE_H */
