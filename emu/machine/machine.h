/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The NUMA machine: a model of nodes with processors, of a shared memory region whose pages are
 * distributed over the nodes, and of the frames that each node's B-Link carries.
 *
 * What lives here: the processors' clocks, the cost of each access, and the order of frames. The
 * machine holds no data and runs no program. For each access, a workload or a tracer reports the
 * processor and the address. The machine then advances the clock of that processor and passes
 * frames to call-backs. May use include/, its own room and the C library except <stdio.h>; it uses
 * no files, no I/O and no time of day.
 *
 * Time: clocks count cycles of the model's frequency. An access starts at the clock of its
 * processor, and the processor waits until the access is done. The request of a remote access
 * appears on the B-Links of source and home when the access starts, and the response appears on
 * both when the access is done. The model has no contention: a link or a memory serves any number
 * of accesses at the same time. If a processor accesses the memory of its own node, no frame is
 * sent.
 *
 * Order: the frames of all B-Links are sorted by time; among frames of the same time, responses
 * precede requests; then frames are sorted by the number of the accessing processor. This order
 * depends only on the accesses of each processor. It depends neither on how calls for different
 * processors are interleaved, nor on the host. A workload may therefore run its nodes one after
 * another between two barriers. There are two exceptions: the policy "first-touch", and caches of
 * either kind. machine_ordered() returns true if the machine uses this policy or caches. Accesses
 * must then be reported in the order of the processors' clocks.
 *
 * Cache: each node may have a cache for the memory of other nodes, which the processors of the node
 * share. The least recently used line is evicted. A write goes through to the home node, and no
 * line is allocated for it. A read that misses fetches one line. SCI behind a PCI bridge does not
 * keep such caches coherent. If the node itself writes to a cached line, the line is updated; if
 * the node itself locks it, the line is evicted. Writes by other nodes do not change the cached
 * line. When the program synchronises on a node, the node evicts all its lines. These rules are
 * defined here, since the machine of the papers has no such cache.
 *
 * Caches: alternatively, a machine may have caches for all memory, like present-day
 * processors: private levels, and one level that the processors of a node share
 * (emu/machine/caches.h). These caches are coherent. An access that a cache serves causes no frame;
 * it is counted by level, and not by page. An access that no cache serves fetches the line from its
 * home, even if the access is a write. Such a fetch is a read transaction or a local read, and the
 * processor waits for it; a lock, however, remains a lock. If a node has modified a line, and the
 * line is evicted or requested by another node, the first node writes the line to its home. This is
 * a write transaction or a local write, and takes no time. A processor that requests a line which
 * another node has modified waits for that node or for the home, whichever is farther away. The
 * invalidation of other copies causes no frame and takes no time. The model has no prefetching, and
 * accesses do not overlap. If a real processor would have prefetched the line, the modelled
 * processor waits longer than the real one.
 *
 * Memory: each access is buffered with its processor until the clocks of all other processors have
 * passed it, or until the next barrier. A transaction takes 16 bytes. In the worst case, the
 * buffers hold all transactions between two barriers. If the processors are run in turn, the
 * buffers hold only the transactions between the slowest and the fastest clock. Each page that was
 * ever accessed takes 16 to 32 bytes. Each line for which the caches for all memory have
 * room takes 40 to 72 bytes.
 *
 * The functions are not thread-safe: for each machine, only one thread may call them at a time.
 */
#ifndef EMU_MACHINE_MACHINE_H
#define EMU_MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#include "caches.h"
#include "latency_model.h"
#include "placement.h"

#define MACHINE_NODES_MAX 64U /* the card's node table and @watch have room for this many nodes */
#define MACHINE_NODES_DEFAULT 4U
#define MACHINE_PROCESSORS_MAX 1024U
#define MACHINE_WATCH_ALL (~(uint64_t)0)
#define MACHINE_BATCH 128U /* the largest number of frames in one call of machine_ops.frames */

struct machine;

/**
 * struct machine_frame - A frame on a B-Link.
 * @bytes: bytes of the frame, valid only during the call
 * @length: length of the frame in bytes
 * @time_ns: time at which the frame appears on the B-Link
 */
struct machine_frame {
	const void *bytes;
	size_t length;
	uint64_t time_ns;
};

/**
 * struct machine_ops - Functions of the caller that the machine calls.
 * @frames: receives up to MACHINE_BATCH frames on the B-Link of @node, in ascending order of time.
 *          Frames of different nodes are not necessarily delivered in the order of their times.
 *          After machine_barrier(), machine_event(), machine_show() or machine_flush(), no frame
 *          waits for its batch to fill
 * @counted: if @tally_bytes is configured, called instead of @frames; only global events are still
 *           passed to @frames. It receives the number of times that requests have appeared on the
 *           B-Link of @node since the last call. machine_event(), machine_barrier() and
 *           machine_counted() call it, and it is also called when memory for more counts runs out.
 *           @counts has one count for each block, beginning with the block of @request. All blocks
 *           are in one page, and some counts may be 0. @time_ns is the time of the last request
 * @accessed: if @accessed_bytes is configured, receives the number of times that processors of a
 *            node have accessed blocks since the last call. machine_accessed() calls it, and it is
 *            also called when memory for more counts runs out. The arguments are those of @counted,
 *            but these accesses have not appeared on a B-Link. The target in @request is the home
 *            of the page
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
 * struct machine_cache - The cache of each node for the memory of other nodes.
 * @bytes: size in bytes; 0: no cache
 * @line_bytes: 16, 64 or 256; lines of these sizes are fetched by readsb, nread64 and nread256
 * @ways: number of lines in a set; 0: the cache is fully associative
 *
 * The number of sets, @bytes / @line_bytes / @ways, is a power of two.
 */
struct machine_cache {
	uint64_t bytes;
	unsigned line_bytes;
	unsigned ways;
};

/**
 * struct machine_config - The configuration of a machine. The values 0 and NULL select the
 * defaults.
 * @nodes: number of nodes, from 1 to MACHINE_NODES_MAX; default MACHINE_NODES_DEFAULT
 * @processors: 0: each node has one processor, which has the number of the node; otherwise, the
 *              largest number of processors that machine_processor_add() can add, up to
 *              MACHINE_PROCESSORS_MAX
 * @frequency_hz: frequency of the clocks, up to 10 GHz; default: that of the latency model
 * @latency: latency model, which is copied; default LATENCY_DEFAULT
 * @placement: placement policy; default PLACEMENT_DEFAULT
 * @placement_node: the node that the policy "node" uses; less than @nodes
 * @watch: if bit n is set, the frames on the B-Link of node n are delivered. If no bit is set, the
 *         machine buffers nothing, and only keeps clocks and statistics
 * @cache: the cache of each node for the memory of other nodes
 * @caches: the caches for all memory; cannot be combined with @cache
 * @no_responses: generate no responses, which halves the work if responses are not used. The
 *                requests are the same, except that a node may then have more than
 *                BLINK_TRANSACTIONS processors, which share its transaction ids
 * @locals: count, by page, the accesses of nodes to their own memory: see machine_locals()
 * @tally_bytes: if not 0, count requests by block for machine_ops.counted. Blocks have this size in
 *               bytes, a power of two from 4 to 4096. Requires @no_responses
 * @accesses: count all accesses, by page and node: see machine_accesses()
 * @accessed_bytes: if not 0, count accesses before the caches serve them, by block, for
 *                  machine_ops.accessed. Blocks have this size in bytes, as for @tally_bytes.
 *                  Requires @caches
 * @counts_bytes: if not 0, the largest number of bytes that the counts for @counted and @accessed
 *                may use together
 * @counts_aside: let a separate thread count. The counts are the same, and the functions of @ops
 *                are still called only in the thread that calls the machine
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

/* The number of cache levels, plus one for the caches of the other processors of the node. */
#define MACHINE_LEVELS (CACHES_LEVELS_MAX + 1U)

/**
 * struct machine_statistics - The activity of one processor, or of all processors of one node.
 * @cycles: for a processor, its clock, which is the sum of the seven kinds of cycles below; for a
 *          node, the latest clock of its processors, while each of the seven kinds of cycles is a
 *          sum over all of its processors
 * @work_cycles: cycles of work, from machine_work()
 * @local_cycles: cycles of accesses to the node's own memory
 * @cache_cycles: cycles of accesses that a cache served. If another node had modified a line, this
 *                number also includes the cycles by which the transfer of the line took longer than
 *                a fetch from the home
 * @remote_cycles: cycles of accesses to the memory of other nodes, by SMILE_TYPE_*
 * @wait_cycles: cycles of waiting, from machine_wait() and machine_barrier()
 * @idle_cycles: idle cycles, from machine_idle()
 * @accesses: number of accesses, from machine_step()
 * @local: number of accesses to the node's own memory, by SMILE_TYPE_*
 * @remote: number of transactions with other nodes, by SMILE_TYPE_*
 * @hits: with @cache, the number of reads that it served; with @caches, the number of accesses that
 *        they served
 * @level_hits: number of accesses that @caches served, by level and SMILE_TYPE_*; the entry after
 *              the last level counts accesses that the cache of another processor of the node
 *              served
 * @misses: number of accesses that @caches did not serve, by SMILE_TYPE_*
 * @transfers: number of @misses to lines that another node had modified
 * @backs: for a node, the number of lines that it has written back, which @local and @remote
 *         include as writes; for a processor, 0
 * @split: number of additional parts of accesses. An access that crosses a boundary of 16 bytes
 *         (with @caches: of a line) has several parts; all parts except the first are counted here.
 *         The sum of @local, @remote and @hits is @accesses + @split + @backs
 * @made_local: for a node with @accessed_bytes, the number of accesses to its own memory before the
 *              caches serve them, by SMILE_TYPE_*, up to the last delivery by machine_accessed();
 *              otherwise 0
 * @made_remote: the same for accesses to the memory of other nodes
 * @frames: for a node, the number of frames on its B-Link, even if it is not watched; for a
 *          processor, 0
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
 * @page: number of the page: its address / SMILE_PAGE_BYTES
 * @home: home node of the page
 */
struct machine_page {
	uint64_t page;
	unsigned home;
};

/**
 * machine_create() - Build a machine whose clocks are all at zero.
 * @out: receives the machine
 * @config: configuration of the machine
 * @ops: functions of the caller; must remain valid until machine_destroy(). May be NULL if
 *       @config->watch is 0
 * @opaque: first argument of these functions
 *
 * Return: 0; -EINVAL for a value out of range; -ENOMEM.
 */
int machine_create(struct machine **out, const struct machine_config *config,
		   const struct machine_ops *ops, void *opaque);

/**
 * machine_destroy() - Free a machine, and discard the frames that have not been delivered.
 * @machine: the machine, or NULL
 */
void machine_destroy(struct machine *machine);

/**
 * machine_processor_add() - Add a processor whose clock is at zero.
 * @node: node of the processor
 *
 * Return: the number of the processor, counted from 0; -EINVAL if there is no such node, or if the
 *         machine was built with one processor for each node; -ENOMEM; -ENOSPC if the machine
 *         already has config.processors processors. If the machine generates responses, each
 *         processor needs a transaction id of its node; the function then also returns -ENOSPC if
 *         the node already has BLINK_TRANSACTIONS processors.
 */
int machine_processor_add(struct machine *machine, unsigned node);

/**
 * machine_processor_node() - Get the node of a processor, or -EINVAL if there is no such processor.
 */
int machine_processor_node(const struct machine *machine, unsigned processor);

/**
 * machine_processors() - Get the number of processors.
 */
unsigned machine_processors(const struct machine *machine);

/**
 * machine_region() - Report a region of memory to the placement policy.
 * @start: first byte
 * @bytes: size in bytes
 *
 * Return: 0; -EINVAL if the region does not fit into SMILE_ADDRESS_BITS; -ENOMEM.
 */
int machine_region(struct machine *machine, uint64_t start, uint64_t bytes);

/**
 * machine_show() - Deliver all frames before @cycle. machine_event() does the same, but also sends
 * an event.
 *
 * Return: see machine_event().
 */
int machine_show(struct machine *machine, uint64_t cycle);

/**
 * machine_move() - Change the home of a page that was accessed before. The lines of the page are
 * removed from the caches for all memory. The clocks do not change: the caller adds the
 * cost of the move.
 * @page: number of the page
 *
 * Return: 0; -EINVAL if there is no such node; -ENOENT if the page was never accessed; -ENOMEM.
 */
int machine_move(struct machine *machine, uint64_t page, unsigned node);

/**
 * machine_discard() - Report that the program gave pages back to the system, or moved them. If a
 * page was given back, the policy decides the home of the page again at the next access. If pages
 * were moved to other addresses, they keep their homes. In both cases, the lines of the pages are
 * removed from the caches for all memory.
 * @start: address of the first byte; the whole page that contains it is meant
 * @bytes: size in bytes
 * @to: new address of the first page; 0 if the pages were given back
 *
 * If pages were moved, the program's placement of these pages moves, too. Return: 0; -EINVAL if the
 * pages do not fit into SMILE_ADDRESS_BITS; -ENOMEM.
 */
int machine_discard(struct machine *machine, uint64_t start, uint64_t bytes, uint64_t to);

/**
 * machine_unplace() - End the program's placement of pages. The policy decides the homes of those
 * pages that have no home. Return: see machine_region().
 */
int machine_unplace(struct machine *machine, uint64_t start, uint64_t bytes);

/**
 * machine_touch() - Give a home to each page that has none, as an access of the processor would do,
 * but without an access.
 * @processor: the processor, as machine_processor_add() returned it
 *
 * Return: 0; -EINVAL if the pages do not fit into SMILE_ADDRESS_BITS or there is no such processor;
 * -ENOMEM.
 */
int machine_touch(struct machine *machine, unsigned processor, uint64_t start, uint64_t bytes);

/**
 * machine_policy() - Replace the placement policy. Must be called before the first access.
 */
void machine_policy(struct machine *machine, const struct placement_policy *policy);

/**
 * machine_place() - Place pages on a node. This placement overrides the policy.
 * @start: address of the first byte; the whole page that contains it is meant
 * @bytes: size in bytes
 * @node: the node
 * @priority: PLACEMENT_PROGRAM or PLACEMENT_USER. If two calls place the same page, the call with
 *            PLACEMENT_USER takes precedence; if both have the same priority, the later call takes
 *            precedence
 *
 * Pages that were accessed before this call keep their homes. Return: see machine_region(). The
 * function also returns -EINVAL if there is no such node or priority.
 */
int machine_place(struct machine *machine, uint64_t start, uint64_t bytes, unsigned node,
		  enum placement_priority priority);

/**
 * machine_pages() - Get all pages that were ever accessed, in ascending order.
 * @pages: receives the list of pages, which the caller must free with free(3)
 *
 * Return: the number of pages; -ENOMEM.
 */
int64_t machine_pages(const struct machine *machine, struct machine_page **pages);

/**
 * struct machine_local - The accesses of a node to a page.
 * @page: number of the page: its address / SMILE_PAGE_BYTES
 * @node: the accessing node; in results of machine_locals(), this is also the home of the page
 * @counts: number of accesses, by SMILE_TYPE_*
 */
struct machine_local {
	uint64_t page;
	unsigned node;
	uint64_t counts[SMILE_TYPE_COUNT];
};

/**
 * machine_locals() - Get the number of accesses of each node to its own memory since the last call,
 * by page, in ascending order of pages. The list is empty unless @locals is configured.
 * @locals: receives the list, which the caller must free with free(3)
 *
 * Return: the number of entries; -ENOMEM.
 */
int64_t machine_locals(struct machine *machine, struct machine_local **locals);

/**
 * machine_accesses() - Get the number of accesses of each node since the last call, by page, in
 * ascending order of pages. Accesses to the memory of all nodes are included. Accesses that a cache
 * served are not included. The list is empty unless @accesses is configured.
 * @accesses: receives the list, which the caller must free with free(3)
 *
 * Return: the number of entries; -ENOMEM.
 */
int64_t machine_accesses(struct machine *machine, struct machine_local **accesses);

/**
 * machine_accessed() - Deliver to machine_ops.accessed the number of accesses since the last call,
 * including those that the caches served. Each access counts once, in the block in which it starts.
 */
void machine_accessed(struct machine *machine);

/**
 * machine_counted() - Deliver to machine_ops.counted all requests that were counted so far.
 *
 * These requests precede any later event from machine_event().
 */
void machine_counted(struct machine *machine);

/**
 * machine_counted_size() - Get the current number of blocks and pages with counts: see
 * tally_size().
 */
int machine_counted_size(struct machine *machine, uint64_t *blocks, uint64_t *pages);

/**
 * machine_ordered() - Check whether results depend on the order in which accesses of different
 * processors are reported.
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
 * machine_frequency() - Get the frequency of the clocks in Hz.
 */
uint64_t machine_frequency(const struct machine *machine);

/**
 * machine_work() - Advance the clock of a processor by @cycles, in which it does not access shared
 * memory.
 */
void machine_work(struct machine *machine, unsigned processor, uint64_t cycles);

/**
 * machine_step() - Call machine_work() for @cycles, then make an access of a processor: a load, a
 * store or a lock.
 * @processor: number of the processor
 * @type: SMILE_TYPE_READ, WRITE or LOCK
 * @address: byte offset in the shared region
 * @bytes: size in bytes, at least 1
 *
 * An access that crosses a boundary of 16 bytes is made as several transactions, one after another.
 * Its duration is the sum of their durations.
 *
 * An access is invalid if there is no such processor, or if the address is beyond
 * SMILE_ADDRESS_BITS. If an access is invalid, or if memory runs out, only the clock changes, and
 * the next machine_barrier() returns the error.
 *
 * Return: the clock of the processor.
 */
uint64_t machine_step(struct machine *machine, unsigned processor, uint64_t cycles, unsigned type,
		      uint64_t address, size_t bytes);

/**
 * struct machine_steps - The result of machine_steps().
 * @accesses: number of accesses, by SMILE_TYPE_*
 * @cycles: cycles of work
 * @clock: the clock of the processor
 * @wrong: the function has stopped at an invalid access
 */
struct machine_steps {
	uint64_t accesses[SMILE_TYPE_COUNT];
	uint64_t cycles;
	uint64_t clock;
	bool wrong;
};

/**
 * machine_steps() - Call machine_step() for each access in a sequence of words of a trace stream
 * (include/run/stream.h).
 * @words: the words; shape [@count]. Another process may write to them: if a word changes during
 *         the call, the function uses either the old or the new value
 * @limit: the function stops once the processor's clock is beyond this cycle
 * @steps: receives the result
 *
 * Return: the number of words that were processed, up to the first word that is not an access.
 */
size_t machine_steps(struct machine *machine, unsigned processor, const uint64_t *words,
		     size_t count, uint64_t limit, struct machine_steps *steps);

#define MACHINE_TURNS 64U

/**
 * struct machine_turn - The accesses of one processor, for machine_turns(). The members are
 * arguments of machine_steps(), or receive its results.
 * @processor: number of the processor
 * @words: words of the processor
 * @count: number of words
 * @limit: cycle beyond which the processor makes no access
 * @done: receives the number of words that were processed
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
 * machine_turns() - Call machine_steps() for several processors, one access at a time. The
 * processor with the lowest clock makes each access. If several processors have the lowest clock,
 * the first of them in @turns makes the access.
 * @turns: the processors, which must be different; shape [@count], at most MACHINE_TURNS
 *
 * The function stops if the processor with the lowest clock has no access left, or if its clock is
 * beyond its limit.
 *
 * Return: the number of words that were processed for all processors.
 */
size_t machine_turns(struct machine *machine, struct machine_turn *turns, size_t count);

/**
 * machine_clock() - Get the clock of a processor in cycles, or 0 if there is no such processor.
 */
uint64_t machine_clock(const struct machine *machine, unsigned processor);

/**
 * machine_wait() - If the clock of a processor is below @cycle, advance it to @cycle, and count the
 * cycles as waiting.
 */
void machine_wait(struct machine *machine, unsigned processor, uint64_t cycle);

/**
 * machine_idle() - Like machine_wait(), but count the cycles as idle, because the processor had
 * nothing to run.
 */
void machine_idle(struct machine *machine, unsigned processor, uint64_t cycle);

/**
 * machine_reached() - Report that no later access starts before @cycle.
 *
 * The machine can then deliver frames before @cycle, even if the clocks of some processors do not
 * advance. If a later access starts before @cycle nevertheless, the machine rejects it with
 * -EINVAL.
 */
void machine_reached(struct machine *machine, uint64_t cycle);

/**
 * machine_hold() - Hold back all frames from @cycle on until machine_show(), machine_event() or
 * machine_barrier().
 *
 * Counters that are read at @cycle thus include no later access, even if machine_flush() is called
 * before the counters are read. Call machine_show() before the first access that starts at or after
 * @cycle. If @cycle is UINT64_MAX, which is the initial value, no frame is held back.
 */
void machine_hold(struct machine *machine, uint64_t cycle);

/**
 * machine_synchronise() - Report that a processor has synchronised with others. All lines are
 * evicted from the cache of its node.
 */
void machine_synchronise(struct machine *machine, unsigned processor);

/**
 * machine_flush() - Deliver all frames that no later access can precede.
 */
void machine_flush(struct machine *machine);

/**
 * machine_barrier() - Advance all clocks to the latest one, and deliver all frames.
 *
 * All lines are evicted from the caches for the memory of other nodes. The barrier itself takes no
 * time: if a program builds a barrier from locks and flags, it reports its accesses to the locks
 * and flags.
 *
 * Return: 0; or the first error since the machine was built. After an error, each later call
 * returns the same error.
 */
int machine_barrier(struct machine *machine);

/**
 * machine_event() - Send a global event on the B-Link of every node at @cycle, without a barrier.
 * @event: id of the event
 *
 * Only frames before @cycle are delivered. No later access may start before @cycle: see
 * machine_reached().
 * @cycle: see machine_reached(). Return: see machine_barrier(); -EINVAL if frames after @cycle were
 * already delivered; all later calls then return this error, too.
 */
int machine_event(struct machine *machine, unsigned event, uint64_t cycle);

/**
 * machine_fail() - End the run early, for example because frames can no longer be stored.
 * @error: -errno; the next machine_barrier() returns this error, unless an earlier error has
 *         occurred
 *
 * The call-back for frames may call this function.
 */
void machine_fail(struct machine *machine, int error);

/**
 * machine_latency() - Get the latency model of the machine.
 */
const struct latency_model *machine_latency(const struct machine *machine);

/**
 * machine_caches() - Get the configuration of the caches for all memory.
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
 * machine_statistics() - Get the activity of @node since the machine was built.
 *
 * Return: 0; -EINVAL if there is no such node.
 */
int machine_statistics(const struct machine *machine, unsigned node,
		       struct machine_statistics *statistics);

/**
 * machine_sent() - Get the number of transactions of @node with the memory of @home, another node,
 * since the machine was built; 0 if there is no such node.
 * @type: SMILE_TYPE_*; lines that @node has written back count as writes
 */
uint64_t machine_sent(const struct machine *machine, unsigned node, unsigned home, unsigned type);

/**
 * machine_processor_statistics() - Get the activity of @processor since the machine was built.
 *
 * Return: 0; -EINVAL if there is no such processor.
 */
int machine_processor_statistics(const struct machine *machine, unsigned processor,
				 struct machine_statistics *statistics);

/**
 * machine_single_cycles() - Get the number of cycles that one processor of one node would need for
 * all work and accesses of all processors.
 *
 * In this number, each access has the cost of a local access. With caches for all memory,
 * an access that a cache served has the cost of the cache. The speed-up of a run is computed
 * relative to this number.
 */
uint64_t machine_single_cycles(const struct machine *machine);

#endif /* EMU_MACHINE_MACHINE_H */
