/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The NUMA machine: nodes with processors, each with a clock, a shared region with pages on the
 * nodes, and the B-Link of every node as a stream of frames.
 *
 * What lives here: the clocks, the cost of each access, and the order of frames. The machine holds
 * no data and runs no program: a workload or a tracer reports which processor accessed which
 * address; the machine advances that processor's clock and calls back with frames. May use
 * include/, its own room and the C library without <stdio.h>: no files, no I/O, no time of day.
 *
 * Time: cycles of the model's frequency. An access starts at its processor's clock, and the
 * processor waits until the access is done. The request of a remote access appears on the B-Links
 * of source and home when the access starts, the response on both when it is done. There is no
 * contention: a link or a memory serves any number of accesses at once. Accesses to the node's own
 * memory cross no link and cause no frame.
 *
 * Order: the frames of all B-Links appear in one order: by time, then responses before requests,
 * then by the accessing processor. The order depends only on the accesses of each processor, not on
 * how calls for different processors are interleaved, nor on the host. Between two barriers a
 * workload may therefore run its nodes one after another. There are two exceptions, first touch and
 * caches of either kind, for which machine_ordered() reports that calls must be made in the order
 * of the clocks.
 *
 * Cache: a node may have a cache for other nodes' memory, shared by its processors. The least
 * recently used line is evicted, writes go through and allocate nothing, and a read that misses
 * fetches one line. SCI behind a PCI bridge does not keep caches coherent: a node's own writes
 * update a cached line, its own locks evict it, other nodes' writes do not affect it, and a node
 * evicts all lines where its program synchronises. Defined here; the papers have no such cache.
 *
 * Caches: or there are caches in front of all memory, as processors have today: private levels, and
 * one that a node's processors share (emu/machine/caches.h). They are coherent. An access that they
 * serve is no traffic: it makes no frame, and it is counted by its level, not by page. An access
 * that they do not serve fetches a line from its home, also to write it: that is a read
 * transaction, or a local read, and the processor waits; a lock is a lock. A modified line that is
 * evicted, or that another node asks for, is a write of the line to its home by the node that had
 * it: a write transaction or a local write, which takes no time. A processor that asks for a line
 * that another node has modified waits for the farther of that node and the home. That others'
 * copies become invalid makes no frame and takes no time. There is no prefetching, and no access
 * overlaps another: so a processor waits longer than a real one does where it could have known in
 * time.
 *
 * Memory: accesses wait in a buffer of their processor until every other clock has passed them, or
 * until the next barrier. The worst case is one phase between barriers, at 16 bytes a transaction;
 * if the processors run in turn, it is the distance between their clocks. Each page that was ever
 * accessed takes 16 to 32 bytes. Each line that the caches in front of all memory have room for
 * takes 40 to 72 bytes.
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

#define MACHINE_NODES_MAX 64U /* what the card's node table and @watch have room for */
#define MACHINE_NODES_DEFAULT 4U
#define MACHINE_PROCESSORS_MAX 1024U
#define MACHINE_WATCH_ALL (~(uint64_t)0)
#define MACHINE_BATCH 128U /* frames in one call of machine_ops.frames, at most */

struct machine;

/**
 * struct machine_frame - A frame on a B-Link.
 * @bytes: valid during the call
 * @length: in bytes
 * @time_ns: when it appears
 */
struct machine_frame {
	const void *bytes;
	size_t length;
	uint64_t time_ns;
};

/**
 * struct machine_ops - The functions of the surroundings that the machine calls.
 * @frames: frames have appeared on the B-Link of @node, up to MACHINE_BATCH, in their order: times
 *          never go back. A node's frames may be delivered after later frames of another node; at a
 *          barrier, a mark and machine_flush() all have been delivered
 * @counted: if the configuration has @tally_bytes, called in place of @frames, but for global
 *           events: at a mark, a barrier, by machine_counted(), and when there is no memory for
 *           more. It delivers how often requests have appeared on the B-Link of @node since the
 *           last call. @counts: by block, the first at @request; all in one page, some may be 0.
 *           @time_ns: of the last request
 * @accessed: if the configuration has @accessed_bytes, called by machine_accessed(), and whenever
 *            there is no memory for more: how often processors of a node have accessed blocks
 *            since the last call. As @counted, but on no B-Link: @request has the page's home as
 *            its target
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
 * @ways: lines of a set; 0: all lines, fully associative
 *
 * The number of sets, @bytes / @line_bytes / @ways, is a power of two.
 */
struct machine_cache {
	uint64_t bytes;
	unsigned line_bytes;
	unsigned ways;
};

/**
 * struct machine_config - What machine to build; zero and NULL ask for the defaults.
 * @nodes: 1 to MACHINE_NODES_MAX; default MACHINE_NODES_DEFAULT
 * @processors: 0: one for each node, with the node's number; else room for this many, up to
 *              MACHINE_PROCESSORS_MAX, which machine_processor_add() adds
 * @frequency_hz: clock, up to 10 GHz; default: the latency model's
 * @latency: model, copied; default LATENCY_DEFAULT. For other numbers, copy one
 * @placement: policy; default PLACEMENT_DEFAULT
 * @placement_node: the node for the policy "node"; less than @nodes
 * @watch: bit n set: call back with the frames of node n's B-Link; with none set, nothing is
 *         buffered and only clocks and statistics are kept
 * @cache: of each node
 * @caches: in front of all memory; not both
 * @no_responses: make no responses: this halves the work if they are not used. Requests are the
 *                same, except that more than BLINK_TRANSACTIONS processors of a node share its ids
 * @locals: also count accesses to the own memory by page: machine_locals()
 * @tally_bytes: 0; or count requests by blocks of this size in bytes, a power of two from 4 to
 *               4096, for machine_ops.counted; with @no_responses
 * @accesses: also count all accesses by page and node: machine_accesses()
 * @accessed_bytes: 0; or, with @caches, also count accesses in front of the caches, by blocks of
 *                  this size in bytes, as @tally_bytes, for machine_ops.accessed
 * @counts_bytes: 0; or the memory that both counts may take until they are delivered
 * @counts_aside: a thread of its own may count: the same, and all functions of @ops are still
 *                called in the thread that calls the machine
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
 * @cycles: of a processor: its clock, the sum of the seven kinds of cycles below; of a node: the
 *          latest clock of its processors, while the seven kinds are the processors' sums
 * @work_cycles: counted by machine_work()
 * @local_cycles: in accesses to its own memory
 * @cache_cycles: in accesses that its cache or caches served, and the time by which transfers took
 *                longer than their fetches would have
 * @remote_cycles: in accesses to other nodes' memory, by SMILE_TYPE_*
 * @wait_cycles: waiting, in machine_wait() and machine_barrier()
 * @idle_cycles: in machine_idle()
 * @accesses: counted by machine_step()
 * @local: accesses to its own memory, by SMILE_TYPE_*
 * @remote: transactions with other nodes, by SMILE_TYPE_*
 * @hits: reads that its cache served; accesses that its caches served
 * @level_hits: the latter by level and SMILE_TYPE_*; behind the last level, those that the cache of
 *              another processor of the node served
 * @misses: accesses that the caches did not serve, by SMILE_TYPE_*
 * @transfers: of these, those to lines that another node had modified
 * @backs: of a node: lines that it has written back, which are in @local and @remote as writes; of
 *         a processor: 0
 * @split: parts of accesses that crossed a block of 16 bytes, with caches a line, beyond the first
 *         of each; so the sum of @local, @remote and @hits is @accesses + @split + @backs
 * @made_local: of a node with @accessed_bytes: accesses to its own memory in front of the caches,
 *              by SMILE_TYPE_*, as far as machine_accessed() has delivered them; else 0
 * @made_remote: likewise to other nodes'
 * @frames: of a node: frames on its B-Link, watched or not; of a processor: 0
 *
 * All of them are uint64_t, so that two can be added word by word.
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
 * struct machine_page - Where a page lies.
 * @page: address / SMILE_PAGE_BYTES
 * @home: node
 */
struct machine_page {
	uint64_t page;
	unsigned home;
};

/**
 * machine_create() - Build a machine; all clocks are at zero.
 * @out: receives it
 * @config: what machine
 * @ops: call-backs, kept by reference; may be NULL if @config->watch is 0
 * @opaque: passed to them
 *
 * Return: 0; -EINVAL for a value out of range; -ENOMEM.
 */
int machine_create(struct machine **out, const struct machine_config *config,
		   const struct machine_ops *ops, void *opaque);

/**
 * machine_destroy() - Free it, and drop frames that were not delivered yet.
 * @machine: machine, or NULL
 */
void machine_destroy(struct machine *machine);

/**
 * machine_processor_add() - Add a processor, with its clock at zero.
 * @node: its node
 *
 * Return: its number, counted from 0; -EINVAL if there is no such node, or if the machine has one
 * processor a node; -ENOMEM; -ENOSPC if there is no room, or if the node has BLINK_TRANSACTIONS of
 * them and the machine makes responses: each needs a transaction id of the node's.
 */
int machine_processor_add(struct machine *machine, unsigned node);

/**
 * machine_processor_node() - The node of a processor; -EINVAL if there is none.
 */
int machine_processor_node(const struct machine *machine, unsigned processor);

/**
 * machine_processors() - Number of processors.
 */
unsigned machine_processors(const struct machine *machine);

/**
 * machine_region() - Report a region of memory, for policies that need regions.
 * @start: first byte
 * @bytes: how many
 *
 * Return: 0; -EINVAL if it does not fit into SMILE_ADDRESS_BITS; -ENOMEM.
 */
int machine_region(struct machine *machine, uint64_t start, uint64_t bytes);

/**
 * machine_show() - Deliver all frames before @cycle, as machine_event() does, without an event.
 *
 * Return: as machine_event().
 */
int machine_show(struct machine *machine, uint64_t cycle);

/**
 * machine_move() - Change the home of a page that was accessed already. The caller adds the cost of
 * moving to the clocks. No cache in front of all memory has its lines any more.
 * @page: number
 *
 * Return: 0; -EINVAL if there is no such node; -ENOENT if the page was never accessed; -ENOMEM.
 */
int machine_move(struct machine *machine, uint64_t page, unsigned node);

/**
 * machine_discard() - Pages were given back: the next access to each finds a new page, whose home
 * the policy decides. Or the program moved them to other addresses, with their homes. No cache in
 * front of all memory has their lines any more.
 * @start: first byte; the whole page that it is in is meant
 * @bytes: how many
 * @to: new address of the first page; 0: given back
 *
 * Return: 0; -EINVAL if it does not fit into SMILE_ADDRESS_BITS; -ENOMEM.
 */
int machine_discard(struct machine *machine, uint64_t start, uint64_t bytes, uint64_t to);

/**
 * machine_policy() - Replace the policy, before the first access.
 */
void machine_policy(struct machine *machine, const struct placement_policy *policy);

/**
 * machine_place() - Place pages on a node, whatever the policy says.
 * @start: first byte; the whole page that it is in is meant
 * @bytes: how many
 * @node: node
 * @priority: PLACEMENT_PROGRAM or PLACEMENT_USER, which takes precedence; with equal priorities the
 *            later call applies
 *
 * Pages that were accessed already stay where they are. Return: as machine_region(); -EINVAL also
 * if there is no such node or priority.
 */
int machine_place(struct machine *machine, uint64_t start, uint64_t bytes, unsigned node,
		  enum placement_priority priority);

/**
 * machine_pages() - All pages that were ever accessed, in ascending order.
 * @pages: receives them; to be given to free(3)
 *
 * Return: how many; -ENOMEM.
 */
int64_t machine_pages(const struct machine *machine, struct machine_page **pages);

/**
 * struct machine_local - Accesses of a node to a page.
 * @page: address / SMILE_PAGE_BYTES
 * @node: the node; from machine_locals(), also the page's home
 * @counts: by SMILE_TYPE_*
 */
struct machine_local {
	uint64_t page;
	unsigned node;
	uint64_t counts[SMILE_TYPE_COUNT];
};

/**
 * machine_locals() - Accesses to the nodes' own memory since the last call, by page, in ascending
 * order; if the configuration has @locals, else none.
 * @locals: receives them; to be given to free(3)
 *
 * Return: how many pages; -ENOMEM.
 */
int64_t machine_locals(struct machine *machine, struct machine_local **locals);

/**
 * machine_accesses() - Accesses of the nodes since the last call, by page, wherever it lies, in
 * ascending order of pages; if the configuration has @accesses, else none. Accesses that a cache
 * served are not included.
 * @accesses: receives them, with the accessing node; to be given to free(3)
 *
 * Return: how many; -ENOMEM.
 */
int64_t machine_accesses(struct machine *machine, struct machine_local **accesses);

/**
 * machine_accessed() - Deliver to machine_ops.accessed the accesses in front of the caches since
 * the last call. Each counts once, in the block in which it begins.
 */
void machine_accessed(struct machine *machine);

/**
 * machine_counted() - Deliver to machine_ops.counted what was counted so far.
 *
 * All of it belongs before any later mark.
 */
void machine_counted(struct machine *machine);

/**
 * machine_counted_size() - The present size of these counts: as tally_size().
 */
int machine_counted_size(struct machine *machine, uint64_t *blocks, uint64_t *pages);

/**
 * machine_ordered() - Do results depend on the order of calls for different processors?
 */
bool machine_ordered(const struct machine *machine);

/**
 * machine_error() - The first error since the machine was built, or 0.
 */
int machine_error(const struct machine *machine);

/**
 * machine_nodes() - Number of nodes.
 */
unsigned machine_nodes(const struct machine *machine);

/**
 * machine_frequency() - The clocks' frequency in Hz.
 */
uint64_t machine_frequency(const struct machine *machine);

/**
 * machine_work() - A processor computes for @cycles without touching shared memory.
 */
void machine_work(struct machine *machine, unsigned processor, uint64_t cycles);

/**
 * machine_step() - machine_work() of @cycles, then a processor loads, stores or locks.
 * @processor: which
 * @type: SMILE_TYPE_READ, WRITE or LOCK
 * @address: byte offset in the shared region
 * @bytes: at least 1
 *
 * An access that crosses a block of 16 bytes is several transactions, one after another, and costs
 * as many.
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
 * @accesses: by SMILE_TYPE_*
 * @cycles: of work
 * @clock: the processor's clock
 * @wrong: it has stopped at an impossible access
 */
struct machine_steps {
	uint64_t accesses[SMILE_TYPE_COUNT];
	uint64_t cycles;
	uint64_t clock;
	bool wrong;
};

/**
 * machine_steps() - machine_step() for accesses in the format of a trace stream
 * (include/run/stream.h).
 * @words: shape [@count]; another process may write them: a word that changes during the call
 *         counts as its old or its new value
 * @limit: cycle; it stops once the clock is beyond it
 * @steps: receives the result
 *
 * Return: words handled, up to the first that is no access.
 */
size_t machine_steps(struct machine *machine, unsigned processor, const uint64_t *words,
		     size_t count, uint64_t limit, struct machine_steps *steps);

#define MACHINE_TURNS 64U

/**
 * struct machine_turn - Accesses of one processor, for machine_turns().
 * @processor: which, as all below, of machine_steps()
 * @words: its words
 * @count: how many
 * @limit: its clock
 * @done: receives the words handled
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
 * machine_turns() - machine_steps() for several processors, access by access in the order of their
 * clocks; of equal ones, in the order of @turns.
 * @turns: shape [@count], of different processors; at most MACHINE_TURNS
 *
 * It stops once the processor whose turn it is has no access left, or a clock beyond its limit.
 *
 * Return: words handled, of all.
 */
size_t machine_turns(struct machine *machine, struct machine_turn *turns, size_t count);

/**
 * machine_clock() - A processor's clock in cycles; 0 if there is no such processor.
 */
uint64_t machine_clock(const struct machine *machine, unsigned processor);

/**
 * machine_wait() - A processor waits until its clock is at least @cycle.
 */
void machine_wait(struct machine *machine, unsigned processor, uint64_t cycle);

/**
 * machine_idle() - As machine_wait(), because there was nothing to run.
 */
void machine_idle(struct machine *machine, unsigned processor, uint64_t cycle);

/**
 * machine_reached() - No access that is reported from now on starts before @cycle.
 *
 * Frames before it may be delivered, even if some processors stand still. An access that starts
 * before it nevertheless is refused with -EINVAL.
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
 * machine_synchronise() - A processor has synchronised with others: its node's cache is emptied.
 */
void machine_synchronise(struct machine *machine, unsigned processor);

/**
 * machine_flush() - Deliver all frames that no later access can precede.
 */
void machine_flush(struct machine *machine);

/**
 * machine_barrier() - All clocks advance to the latest; every frame so far is delivered.
 *
 * All caches are emptied. The barrier costs nothing by itself: a program that builds one out of
 * locks and flags makes those accesses.
 *
 * Return: 0, or the first error since the machine was built, which stays.
 */
int machine_barrier(struct machine *machine);

/**
 * machine_event() - A global event on the B-Link of every node, at @cycle, without a barrier.
 * @event: event id
 *
 * No access reported from now on may start before @cycle: see machine_reached(). Frames before it
 * are delivered then, and no others. Return: as machine_barrier(); -EINVAL, which also stays, if
 * frames after @cycle were delivered already.
 */
int machine_event(struct machine *machine, unsigned event, uint64_t cycle);

/**
 * machine_fail() - End the run early, for example because frames cannot be stored any more.
 * @error: -errno; the next machine_barrier() returns it if it is the first
 *
 * May be called from the frame call-back.
 */
void machine_fail(struct machine *machine, int error);

/**
 * machine_latency() - Its latency model.
 */
const struct latency_model *machine_latency(const struct machine *machine);

/**
 * machine_caches() - The caches in front of all memory.
 */
const struct caches_shape *machine_caches(const struct machine *machine);

/**
 * machine_time_ns() - @cycles in nanoseconds, rounded down.
 */
uint64_t machine_time_ns(const struct machine *machine, uint64_t cycles);

/**
 * machine_cycles() - @time_ns, at most 2^48, in cycles, rounded down.
 */
uint64_t machine_cycles(const struct machine *machine, uint64_t time_ns);

/**
 * machine_statistics() - The activity of @node so far.
 *
 * Return: 0; -EINVAL if there is no such node.
 */
int machine_statistics(const struct machine *machine, unsigned node,
		       struct machine_statistics *statistics);

/**
 * machine_sent() - Transactions so far of @node with the memory of @home, which is another node; 0
 * if there is no such node.
 * @type: SMILE_TYPE_*; lines that the node has written back are writes
 */
uint64_t machine_sent(const struct machine *machine, unsigned node, unsigned home, unsigned type);

/**
 * machine_processor_statistics() - The activity of @processor so far.
 *
 * Return: 0; -EINVAL if there is none.
 */
int machine_processor_statistics(const struct machine *machine, unsigned processor,
				 struct machine_statistics *statistics);

/**
 * machine_single_cycles() - Cycles of the same work and accesses on one processor of one node.
 *
 * All work of all processors, and all accesses at the cost of local ones; with caches in front of
 * all memory, those that they served at the cost of that. It is the reference for the speed-up.
 */
uint64_t machine_single_cycles(const struct machine *machine);

#endif /* EMU_MACHINE_MACHINE_H */
