/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The NUMA machine: nodes with processors, each with a clock, a shared region with pages on the
 * nodes, and the B-Link of every node as a stream of frames.
 *
 * What lives here: the clocks, the cost of each access, and the order of frames. The machine holds
 * no data and runs no program: a workload or a tracer reports which processor accessed which
 * address; the machine advances that processor's clock and passes frames to call-backs. May use
 * include/, its own room and the C library without <stdio.h>: it uses no files, no I/O, no time of
 * day.
 *
 * Time: cycles of the model's frequency. An access starts at its processor's clock, and the
 * processor waits until the access is done. The request of a remote access appears on the B-Links
 * of source and home when the access starts, and the response appears on both when the access is
 * done. There is no contention: a link or a memory serves any number of accesses at the same time.
 * Accesses to the node's own memory cross no link and cause no frame.
 *
 * Order: the frames of all B-Links appear in one order: by time, then responses before requests,
 * then by the number of the accessing processor. The order depends only on the accesses of each
 * processor, not on how calls for different processors are interleaved, nor on the host. Between
 * two barriers a workload may therefore run its nodes one after another. There are two exceptions,
 * first touch and caches of either kind, for which machine_ordered() reports that calls must be
 * made in the order of the clocks.
 *
 * Cache: a node may have a cache for other nodes' memory, shared by its processors. The least
 * recently used line is evicted, writes go through and allocate nothing, and a read that misses
 * fetches one line. SCI behind a PCI bridge does not keep caches coherent: a node's own writes
 * update a cached line, its own locks evict it, other nodes' writes do not affect it, and a node
 * evicts all lines where its program synchronises. These rules are defined here; the papers have no
 * such cache.
 *
 * Caches: alternatively there are caches in front of all memory, as in processors of today: private
 * levels, and one that a node's processors share (emu/machine/caches.h). They are coherent. An
 * access that they serve is not traffic: it causes no frame, and it is counted by its level, not by
 * page. An access that they do not serve fetches a line from its home, even if it is a write: that
 * is a read transaction, or a local read, and the processor waits; a lock remains a lock. A
 * modified line that is evicted, or that another node requests, is written to its home by the node
 * that had it: this is a write transaction or a local write, which takes no time. A processor that
 * requests a line that another node has modified waits for the farther one of that node and the
 * home. The invalidation of other copies causes no frame and takes no time. There is no
 * prefetching, and no access overlaps another: so a processor waits longer than a real one does in
 * cases where the real one would have prefetched.
 *
 * Memory: accesses wait in a buffer of their processor until every other clock has passed them, or
 * until the next barrier. The worst case is one phase between barriers, at 16 bytes for each
 * transaction; if the processors run in turn, it is the distance between their clocks. Each page
 * that was ever accessed takes 16 to 32 bytes. Each line for which the caches in front of all
 * memory have room takes 40 to 72 bytes.
 *
 * Not thread-safe: one caller at a time for each machine.
 */
#ifndef EMU_MACHINE_MACHINE_H
#define EMU_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#include "caches.h"
#include "latency.h"
#include "placement.h"

#define MACHINE_NODES_MAX 64U /* the card's node table and @watch have room for this many */
#define MACHINE_NODES_DEFAULT 4U
#define MACHINE_PROCESSORS_MAX 1024U
#define MACHINE_WATCH_ALL (~(uint64_t)0)
#define MACHINE_BATCH 128U /* the largest number of frames in one call of machine_ops.frames */

struct machine;

/**
 * struct machine_frame - A frame on a B-Link.
 * @bytes: its bytes, valid during the call
 * @length: its length in bytes
 * @time_ns: the time at which it appears
 */
struct machine_frame {
	const void *bytes;
	size_t length;
	uint64_t time_ns;
};

/**
 * struct machine_ops - Functions of the caller that the machine calls.
 * @frames: up to MACHINE_BATCH frames have appeared on the B-Link of @node, in this order: their
 *          times never decrease. A node's frames may be delivered after later frames of another
 *          node; at a barrier, a mark and machine_flush(), all frames have been delivered
 * @counted: if the configuration has @tally_bytes, called in place of @frames, except for global
 *           events: at a mark, at a barrier, by machine_counted(), and when there is no memory for
 *           more counts. It delivers how often requests have appeared on the B-Link of @node since
 *           the last call. @counts: by block, the first one at @request; all blocks are in one
 *           page, and some counts may be 0.
 *           @time_ns: time of the last request
 * @accessed: if the configuration has @accessed_bytes, called by machine_accessed(), and whenever
 *            there is no memory for more counts: how often processors of a node have accessed
 *            blocks since the last call. Arguments as for @counted, but these accesses are on no
 *            B-Link: @request has the page's home as its target
 */
struct machine_ops {
	void (*frames)(void *opaque, unsigned node, const struct machine_frame *frames,
		       size_t count);
	void (*counted)(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
			size_t count, uint64_t time_ns);
	void (*accessed)(void *opaque, unsigned node, uint64_t request, const uint32_t *counts,
			 size_t count);
};

/**
 * struct machine_cache - The cache of each node.
 * @bytes: size; 0: no cache
 * @line_bytes: 16, 64 or 256; a line is fetched by readsb, nread64 or nread256
 * @ways: number of lines in a set; 0: one set of all lines, fully associative
 *
 * The number of sets, @bytes / @line_bytes / @ways, is a power of two.
 */
struct machine_cache {
	uint64_t bytes;
	unsigned line_bytes;
	unsigned ways;
};

/**
 * struct machine_config - The machine to build; zero and NULL select the defaults.
 * @nodes: 1 to MACHINE_NODES_MAX; default MACHINE_NODES_DEFAULT
 * @processors: 0: one for each node, with the node's number; else room for this many, up to
 *              MACHINE_PROCESSORS_MAX, which machine_processor_add() adds
 * @frequency_hz: clock, up to 10 GHz; default: the latency model's
 * @latency: model, copied; default LATENCY_DEFAULT. To use other numbers, copy a model
 * @placement: policy; default PLACEMENT_DEFAULT
 * @placement_node: the node for the policy "node"; less than @nodes
 * @watch: bit n set: call back with the frames of node n's B-Link; if no bit is set, nothing is
 *         buffered and only clocks and statistics are kept
 * @cache: the cache of each node
 * @caches: the caches in front of all memory; not together with @cache
 * @no_responses: generate no responses: this halves the work if they are not used. Requests are the
 *                same, except that more than BLINK_TRANSACTIONS processors of a node share its
 *                transaction ids
 * @locals: also count accesses of nodes to their own memory by page: see machine_locals()
 * @tally_bytes: 0; or count requests by blocks of this size in bytes, a power of two from 4 to
 *               4096, for machine_ops.counted; requires @no_responses
 * @accesses: also count all accesses by page and node: see machine_accesses()
 * @accessed_bytes: 0; or, with @caches, also count accesses in front of the caches, by blocks of
 *                  this size in bytes, like @tally_bytes, for machine_ops.accessed
 * @counts_bytes: 0; or the memory that both kinds of counts may use until they are delivered
 * @counts_aside: a separate thread may count: the counts are the same, and all functions of @ops
 *                are still called in the thread that calls the machine
 */
struct machine_config {
	unsigned nodes;
	unsigned processors;
	uint64_t frequency_hz;
	const struct latency_model *latency;
	const struct placement_policy *placement;
	unsigned placement_node;
	uint64_t watch;
	struct machine_cache cache;
	struct caches_shape caches;
	bool no_responses;
	bool locals;
	unsigned tally_bytes;
	bool accesses;
	unsigned accessed_bytes;
	uint64_t counts_bytes;
	bool counts_aside;
};

/* The levels of the caches, and behind them the caches of the node's other processors. */
#define MACHINE_LEVELS (CACHES_LEVELS_MAX + 1U)

/**
 * struct machine_statistics - The activity of one processor, or of all processors of one node.
 * @cycles: for a processor, its clock, which is the sum of the seven kinds of cycles below; for a
 *          node, the latest clock of its processors, while the seven kinds are the sums over its
 *          processors
 * @work_cycles: cycles of work, counted by machine_work()
 * @local_cycles: cycles of accesses to its own memory
 * @cache_cycles: cycles of accesses that its cache or caches served, and the time by which
 *                transfers took longer than their fetches would have
 * @remote_cycles: cycles of accesses to other nodes' memory, by SMILE_TYPE_*
 * @wait_cycles: cycles of waiting, in machine_wait() and machine_barrier()
 * @idle_cycles: idle cycles, in machine_idle()
 * @accesses: accesses, counted by machine_step()
 * @local: accesses to its own memory, by SMILE_TYPE_*
 * @remote: transactions with other nodes, by SMILE_TYPE_*
 * @hits: reads that its cache served, or accesses that its caches served
 * @level_hits: accesses that its caches served, by level and SMILE_TYPE_*; the entry behind the
 *              last level is for accesses that the cache of another processor of the node served
 * @misses: accesses that the caches did not serve, by SMILE_TYPE_*
 * @transfers: of @misses, those to lines that another node had modified
 * @backs: for a node, lines that it has written back, which are in @local and @remote as writes;
 *         for a processor, 0
 * @split: parts of accesses that crossed a block of 16 bytes, or with caches a line, except the
 *         first part of each; so the sum of @local, @remote and @hits is @accesses + @split +
 *         @backs
 * @made_local: for a node with @accessed_bytes, accesses to its own memory in front of the caches,
 *              by SMILE_TYPE_*, as far as machine_accessed() has delivered them; otherwise 0
 * @made_remote: the same for accesses to other nodes' memory
 * @frames: for a node, frames on its B-Link, watched or not; for a processor, 0
 *
 * All members are uint64_t, so that two structures can be added word by word.
 */
struct machine_statistics {
	uint64_t cycles;
	uint64_t work_cycles;
	uint64_t local_cycles;
	uint64_t cache_cycles;
	uint64_t remote_cycles[SMILE_TYPE_COUNT];
	uint64_t wait_cycles;
	uint64_t idle_cycles;
	uint64_t accesses;
	uint64_t local[SMILE_TYPE_COUNT];
	uint64_t remote[SMILE_TYPE_COUNT];
	uint64_t hits;
	uint64_t level_hits[MACHINE_LEVELS][SMILE_TYPE_COUNT];
	uint64_t misses[SMILE_TYPE_COUNT];
	uint64_t transfers;
	uint64_t backs;
	uint64_t split;
	uint64_t made_local[SMILE_TYPE_COUNT];
	uint64_t made_remote[SMILE_TYPE_COUNT];
	uint64_t frames;
};

/**
 * struct machine_page - The home of a page.
 * @page: address / SMILE_PAGE_BYTES
 * @home: its node
 */
struct machine_page {
	uint64_t page;
	unsigned home;
};

/**
 * machine_create() - Build a machine; all clocks are at zero.
 * @out: receives the machine
 * @config: its configuration
 * @ops: the caller's functions, kept by reference; may be NULL if @config->watch is 0
 * @opaque: first argument of these functions
 *
 * Return: 0; -EINVAL for a value out of range; -ENOMEM.
 */
int machine_create(struct machine **out, const struct machine_config *config,
		   const struct machine_ops *ops, void *opaque);

/**
 * machine_destroy() - Free a machine, and drop frames that were not delivered yet.
 * @machine: the machine, or NULL
 */
void machine_destroy(struct machine *machine);

/**
 * machine_processor_add() - Add a processor, with its clock at zero.
 * @node: its node
 *
 * Return: its number, counted from 0; -EINVAL if there is no such node, or if the machine has one
 * processor for each node; -ENOMEM; -ENOSPC if there is no room, or if the node has
 * BLINK_TRANSACTIONS processors and the machine makes responses: each processor needs a transaction
 * id of its node.
 */
int machine_processor_add(struct machine *machine, unsigned node);

/**
 * machine_processor_node() - Get the node of a processor; -EINVAL if the processor does not exist.
 */
int machine_processor_node(const struct machine *machine, unsigned processor);

/**
 * machine_processors() - Get the number of processors.
 */
unsigned machine_processors(const struct machine *machine);

/**
 * machine_region() - Report a region of memory, for policies that need regions.
 * @start: first byte
 * @bytes: size in bytes
 *
 * Return: 0; -EINVAL if it does not fit into SMILE_ADDRESS_BITS; -ENOMEM.
 */
int machine_region(struct machine *machine, uint64_t start, uint64_t bytes);

/**
 * machine_show() - Deliver all frames before @cycle, as machine_event() does, without an event.
 *
 * Return: see machine_event().
 */
int machine_show(struct machine *machine, uint64_t cycle);

/**
 * machine_move() - Change the home of a page that was accessed already. The caller adds the cost of
 * moving to the clocks. The page's lines are removed from all caches in front of all memory.
 * @page: number of the page
 *
 * Return: 0; -EINVAL if there is no such node; -ENOENT if the page was never accessed; -ENOMEM.
 */
int machine_move(struct machine *machine, uint64_t page, unsigned node);

/**
 * machine_discard() - Report that pages were given back: the next access to each finds a new page,
 * whose home the policy decides. Or report that the program moved them to other addresses, with
 * their homes. Their lines are removed from all caches in front of all memory.
 * @start: first byte; this means the whole page that contains it
 * @bytes: size in bytes
 * @to: new address of the first page; 0: the pages were given back
 *
 * Return: 0; -EINVAL if it does not fit into SMILE_ADDRESS_BITS; -ENOMEM.
 */
int machine_discard(struct machine *machine, uint64_t start, uint64_t bytes, uint64_t to);

/**
 * machine_policy() - Replace the policy, before the first access.
 */
void machine_policy(struct machine *machine, const struct placement_policy *policy);

/**
 * machine_place() - Place pages on a node, independently of the policy.
 * @start: first byte; this means the whole page that contains it
 * @bytes: size in bytes
 * @node: the node
 * @priority: PLACEMENT_PROGRAM or PLACEMENT_USER, which takes precedence; with equal priorities the
 *            later call applies
 *
 * Pages that were accessed already stay where they are. Return: see machine_region(); -EINVAL also
 * if there is no such node or priority.
 */
int machine_place(struct machine *machine, uint64_t start, uint64_t bytes, unsigned node,
		  enum placement_priority priority);

/**
 * machine_pages() - Get all pages that were ever accessed, in ascending order.
 * @pages: receives them; to be freed by free(3)
 *
 * Return: the number of pages; -ENOMEM.
 */
int64_t machine_pages(const struct machine *machine, struct machine_page **pages);

/**
 * struct machine_local - Accesses of a node to a page.
 * @page: address / SMILE_PAGE_BYTES
 * @node: the node; in results of machine_locals() it is also the page's home
 * @counts: number of accesses, by SMILE_TYPE_*
 */
struct machine_local {
	uint64_t page;
	unsigned node;
	uint64_t counts[SMILE_TYPE_COUNT];
};

/**
 * machine_locals() - Get the accesses to the nodes' own memory since the last call, by page, in
 * ascending order; none unless the configuration has @locals.
 * @locals: receives them; to be freed by free(3)
 *
 * Return: the number of pages; -ENOMEM.
 */
int64_t machine_locals(struct machine *machine, struct machine_local **locals);

/**
 * machine_accesses() - Get the accesses of the nodes since the last call, by page, wherever the
 * page is, in ascending order of pages; none unless the configuration has @accesses. Accesses that
 * a cache served are not included.
 * @accesses: receives them, with the accessing node; to be freed by free(3)
 *
 * Return: the number of entries; -ENOMEM.
 */
int64_t machine_accesses(struct machine *machine, struct machine_local **accesses);

/**
 * machine_accessed() - Deliver to machine_ops.accessed the accesses in front of the caches since
 * the last call. Each access counts once, in the block in which it starts.
 */
void machine_accessed(struct machine *machine);

/**
 * machine_counted() - Deliver to machine_ops.counted all requests counted so far.
 *
 * All of these requests precede any later mark.
 */
void machine_counted(struct machine *machine);

/**
 * machine_counted_size() - Get the present size of these counts: see tally_size().
 */
int machine_counted_size(struct machine *machine, uint64_t *blocks, uint64_t *pages);

/**
 * machine_ordered() - Do results depend on the order of calls for different processors?
 */
bool machine_ordered(const struct machine *machine);

/**
 * machine_error() - Get the first error since the machine was built, or 0.
 */
int machine_error(const struct machine *machine);

/**
 * machine_nodes() - Get the number of nodes.
 */
unsigned machine_nodes(const struct machine *machine);

/**
 * machine_frequency() - Get the clocks' frequency in Hz.
 */
uint64_t machine_frequency(const struct machine *machine);

/**
 * machine_work() - Let a processor compute for @cycles without accessing shared memory.
 */
void machine_work(struct machine *machine, unsigned processor, uint64_t cycles);

/**
 * machine_step() - Do machine_work() of @cycles, then let a processor load, store or lock.
 * @processor: number of the processor
 * @type: SMILE_TYPE_READ, WRITE or LOCK
 * @address: byte offset in the shared region
 * @bytes: size in bytes, at least 1
 *
 * An access that crosses a block of 16 bytes is several transactions, one after another, and costs
 * as much as these.
 *
 * An access that is invalid (no such processor, an address beyond SMILE_ADDRESS_BITS) or finds no
 * memory changes nothing but the clock, and the next machine_barrier() returns the error.
 *
 * Return: the processor's clock.
 */
uint64_t machine_step(struct machine *machine, unsigned processor, uint64_t cycles, unsigned type,
		      uint64_t address, size_t bytes);

/**
 * struct machine_steps - The result of machine_steps().
 * @accesses: number of accesses, by SMILE_TYPE_*
 * @cycles: cycles of work
 * @clock: the processor's clock
 * @wrong: the function has stopped at an impossible access
 */
struct machine_steps {
	uint64_t accesses[SMILE_TYPE_COUNT];
	uint64_t cycles;
	uint64_t clock;
	bool wrong;
};

/**
 * machine_steps() - Do machine_step() for accesses in the format of a trace stream
 * (include/run/stream.h).
 * @words: shape [@count]; another process may write them: a word that changes during the call
 *         counts as its old or its new value
 * @limit: the function stops once the clock is beyond this cycle
 * @steps: receives the result
 *
 * Return: the number of words handled, up to the first word that is not an access.
 */
size_t machine_steps(struct machine *machine, unsigned processor, const uint64_t *words,
		     size_t count, uint64_t limit, struct machine_steps *steps);

#define MACHINE_TURNS 64U

/**
 * struct machine_turn - Accesses of one processor, for machine_turns().
 * @processor: number of the processor; this and the following members are arguments of
 *             machine_steps()
 * @words: its words
 * @count: number of words
 * @limit: limit of its clock
 * @done: receives the number of words handled
 * @steps: receives the result
 */
struct machine_turn {
	unsigned processor;
	const uint64_t *words;
	size_t count;
	uint64_t limit;
	size_t done;
	struct machine_steps steps;
};

/**
 * machine_turns() - Do machine_steps() for several processors, access by access in the order of
 * their clocks; if clocks are equal, in the order of @turns.
 * @turns: shape [@count], of different processors; at most MACHINE_TURNS
 *
 * The function stops once the processor whose turn it is has no access left, or a clock beyond its
 * limit.
 *
 * Return: the number of words handled of all processors.
 */
size_t machine_turns(struct machine *machine, struct machine_turn *turns, size_t count);

/**
 * machine_clock() - Get a processor's clock in cycles; 0 if there is no such processor.
 */
uint64_t machine_clock(const struct machine *machine, unsigned processor);

/**
 * machine_wait() - Let a processor wait until its clock is at least @cycle.
 */
void machine_wait(struct machine *machine, unsigned processor, uint64_t cycle);

/**
 * machine_idle() - Do the same as machine_wait(), because there was nothing to run.
 */
void machine_idle(struct machine *machine, unsigned processor, uint64_t cycle);

/**
 * machine_reached() - Report that no access that is reported from now on starts before @cycle.
 *
 * Frames before @cycle may then be delivered, even if some processors stand still. An access that
 * nevertheless starts before @cycle is refused with -EINVAL.
 */
void machine_reached(struct machine *machine, uint64_t cycle);

/**
 * machine_hold() - Deliver no frame from @cycle on before machine_show(), machine_event() or
 * machine_barrier().
 *
 * So counters that are read at @cycle include no later access, whenever machine_flush() is called.
 * The first access that is not before @cycle must follow machine_show(). UINT64_MAX, as at the
 * beginning: no frame is held.
 */
void machine_hold(struct machine *machine, uint64_t cycle);

/**
 * machine_synchronise() - Report that a processor has synchronised with others: its node's cache is
 * emptied.
 */
void machine_synchronise(struct machine *machine, unsigned processor);

/**
 * machine_flush() - Deliver all frames that no later access can precede.
 */
void machine_flush(struct machine *machine);

/**
 * machine_barrier() - Advance all clocks to the latest one, and deliver every frame so far.
 *
 * All caches are emptied. The barrier itself costs nothing: a program that builds a barrier from
 * locks and flags makes their accesses.
 *
 * Return: 0, or the first error since the machine was built, which is permanent.
 */
int machine_barrier(struct machine *machine);

/**
 * machine_event() - Send a global event on the B-Link of every node, at @cycle, without a barrier.
 * @event: event id
 *
 * No access reported from now on may start before @cycle: see machine_reached(). Only frames before
 * it are delivered then. Return: see machine_barrier(); -EINVAL, which is also permanent, if frames
 * after @cycle were delivered already.
 */
int machine_event(struct machine *machine, unsigned event, uint64_t cycle);

/**
 * machine_fail() - End the run early, for example because frames can no longer be stored.
 * @error: -errno; the next machine_barrier() returns it if it is the first
 *
 * The frame call-back may call it.
 */
void machine_fail(struct machine *machine, int error);

/**
 * machine_latency() - Get the machine's latency model.
 */
const struct latency_model *machine_latency(const struct machine *machine);

/**
 * machine_caches() - Get the caches in front of all memory.
 */
const struct caches_shape *machine_caches(const struct machine *machine);

/**
 * machine_time_ns() - Convert @cycles to nanoseconds, rounded down.
 */
uint64_t machine_time_ns(const struct machine *machine, uint64_t cycles);

/**
 * machine_cycles() - Convert @time_ns, at most 2^48, to cycles, rounded down.
 */
uint64_t machine_cycles(const struct machine *machine, uint64_t time_ns);

/**
 * machine_statistics() - Get the activity of @node so far.
 *
 * Return: 0; -EINVAL if there is no such node.
 */
int machine_statistics(const struct machine *machine, unsigned node,
		       struct machine_statistics *statistics);

/**
 * machine_sent() - Get the number of transactions so far of @node with the memory of @home, which
 * is another node; 0 if there is no such node.
 * @type: SMILE_TYPE_*; lines that the node has written back count as writes
 */
uint64_t machine_sent(const struct machine *machine, unsigned node, unsigned home, unsigned type);

/**
 * machine_processor_statistics() - Get the activity of @processor so far.
 *
 * Return: 0; -EINVAL if the processor does not exist.
 */
int machine_processor_statistics(const struct machine *machine, unsigned processor,
				 struct machine_statistics *statistics);

/**
 * machine_single_cycles() - Get the cycles of the same work and accesses on one processor of one
 * node.
 *
 * The number has all work of all processors, and all accesses at the cost of local ones; with
 * caches in front of all memory, accesses that these served at the cost of the cache. It is the
 * reference for the speed-up.
 */
uint64_t machine_single_cycles(const struct machine *machine);

#endif /* EMU_MACHINE_MACHINE_H */
