/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The machine, for its own files.
 *
 * What lives here: struct machine, and the functions that its files call in each other. Not for
 * other rooms.
 */
#ifndef EMU_MACHINE_PARTS_H
#define EMU_MACHINE_PARTS_H

#include <errno.h>

#include <run/stream.h>

#include "cache.h"
#include "link.h"
#include "locals.h"
#include "machine.h"
#include "queue.h"
#include "tally.h"

/* The last cycle that a clock may reach: see merge.c. */
#define CLOCK_MAX ((1ULL << 52) - 1)

#define ADDRESS_END (1ULL << SMILE_ADDRESS_BITS)

/* Homes that a processor remembers, by the low bits of the page. */
#define PROCESSOR_HOMES 4096U

/**
 * struct processor - One processor.
 * @clock: in cycles
 * @node: where it is
 * @homes: entries of page_homes.h that it used last
 * @counts: accesses to the pages of them, by SMILE_TYPE_*, not yet in machine.locals and
 *          machine.accesses
 * @queue: its transactions whose frames are to come out
 * @accesses: calls of machine_access()
 * @local: as struct machine_statistics
 * @remote: as struct machine_statistics
 * @hits: as struct machine_statistics
 * @work: cycles
 * @wait: cycles
 * @idle: cycles
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
	uint64_t hits;
	uint64_t work;
	uint64_t wait;
	uint64_t idle;
};

/**
 * struct merge_cursor - Where merge.c is in a processor's queue.
 * @next: its next transaction
 * @behind: the place in the order of the one behind the next
 * @own: what of a place is the processor's, not the cycle's
 * @link: of the processor's node
 */
struct merge_cursor {
	const struct queue_item *next;
	uint64_t behind;
	uint64_t own;
	struct link *link;
};

/* What a word of the stream says of its access beside where and when: kind and size, one number. */
#define STEP_KINDS 32U

_Static_assert(STREAM_SIZE_SHIFT == STREAM_KIND_SHIFT + 2 && STREAM_SIZE == 7,
	       "kind and size lie side by side, in five bits");

/* Counts of accesses by type, in one word: so many bits each. */
#define STEP_COUNT_BITS 20U

/**
 * struct step_kind - What follows of it, see steps.c.
 * @what: of the transaction, as in queue.h
 * @one: one access of the type, in its place among the counts
 * @cost: cycles, if it is remote
 * @beyond: its bytes less one; a block or more if it is not for the short way
 */
struct step_kind {
	uint64_t what;
	uint64_t one;
	uint32_t cost;
	uint32_t beyond;
};

/**
 * struct machine - The machine.
 * @config: with the defaults filled in; its @latency points to @latency
 * @latency: the model
 * @ops: the observer
 * @opaque: passed to them
 * @placement: where pages lie
 * @shape: of the transactions, by QUEUE_LINE or SMILE_TYPE_*
 * @cost: cycles of them
 * @ns_per_cycle: 0 if a cycle is no whole number of nanoseconds
 * @cycles_per_ns: 0 if a nanosecond is no whole number of cycles
 * @reached: no access starts before this cycle
 * @held: no frame from here on comes out before machine_show(): see machine_hold()
 * @shown: frames before this cycle have come out
 * @error: the first one; it stays
 * @link: B-Links, by node
 * @frames: on them, watched or not
 * @frames_each: frames of a transaction
 * @steps: by kind and size
 * @decoded: requests come decoded
 * @watches_all: every node is watched
 * @tally: what counts requests; NULL: they are put in order and shown
 * @locals: accesses of nodes to their own memory since the last machine_locals()
 * @accesses: accesses of nodes to any page since the last machine_accesses()
 * @cache: of the nodes, all empty if there are none
 * @processors: [config.processors]
 * @processors_count: how many are there
 * @merge: memory for merge.c
 * @cursors: likewise
 */
struct machine {
	struct machine_config config;
	struct latency_model latency;
	const struct machine_ops *ops;
	void *opaque;
	struct placement placement;
	struct traffic_shape shape[SMILE_TYPE_COUNT];
	uint32_t cost[SMILE_TYPE_COUNT];
	uint64_t ns_per_cycle;
	uint64_t cycles_per_ns;
	uint64_t reached;
	uint64_t held;
	uint64_t shown;
	int error;
	struct link link[MACHINE_NODES_MAX];
	uint64_t frames[MACHINE_NODES_MAX];
	uint64_t frames_each;
	struct step_kind steps[STEP_KINDS];
	bool decoded;
	bool watches_all;
	struct tally *tally;
	struct hash_table locals;
	struct hash_table accesses;
	struct cache cache[MACHINE_NODES_MAX];
	struct processor *processors;
	unsigned processors_count;
	uint64_t *merge;
	struct merge_cursor *cursors;
};

static inline bool node_watched(const struct machine *machine, unsigned node)
{
	return machine->config.watch >> node & 1;
}

/* Move a clock on. Return: whether there is such a processor, and it may. */
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

/* ---- locals.c ---- */

/* A processor's count of a page goes into the machine's tables. Return: 0; -ENOMEM. */
int locals_bring(struct machine *machine, struct processor *processor, unsigned slot);

/* ---- steps.c ---- */

/* Once the costs are there. */
void steps_init(struct machine *machine);

/* ---- counted.c: where requests are counted ---- */

/* Count all requests before cycle @limit. */
void counted_drain(struct machine *machine, uint64_t limit);

/* ---- merge.c ---- */

/* Words of machine.merge for so many processors. */
size_t merge_words(unsigned processors);

/*
 * Let out all frames before cycle @limit, in order. Those in the cycle itself stay, but for
 * responses if @responses: a processor whose clock stands there may still add one that goes first.
 */
void merge_drain(struct machine *machine, uint64_t limit, bool responses);

/* Let out what no access yet to come can precede. */
void merge_drain_safe(struct machine *machine);

#endif /* EMU_MACHINE_PARTS_H */
