/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * The NUMA machine: nodes with a clock each, a shared region whose pages lie on them, and the
 * B-Link of every node as a stream of frames.
 *
 * What lives here: the clocks, the cost of each access, and the order in which frames appear. The
 * machine holds no data and runs no program: a workload or a tracer tells it which node accessed
 * what, and it answers by moving that node's clock and by calling back with frames. It may use
 * include/, its own room and the C library without <stdio.h>: no files, no I/O, no time of day.
 *
 * Time: cycles of the model's frequency. An access starts at its node's clock and the node waits
 * until it is done. The request of a remote access appears on the B-Links of source and home when
 * it starts, the response on both when it is done. There is no contention: a link or a memory
 * serves any number of accesses at once. Accesses to the own node's memory cross no link and make
 * no frame.
 *
 * Order: the frames of all B-Links come out in one order: by time, then responses before requests,
 * then by the node that accesses. It depends on the accesses of each node alone, not on how calls
 * for different nodes are interleaved, nor on the host. So between two barriers a workload may run
 * its nodes one after another.
 *
 * Memory: accesses wait in a buffer of their node until every other node's clock has passed them,
 * or until the next barrier. At worst that is one phase between barriers, 24 bytes a transaction;
 * if the nodes are run in turn, only what they are apart.
 *
 * Not thread-safe: one caller at a time for each machine.
 */
#ifndef EMU_MACHINE_MACHINE_H
#define EMU_MACHINE_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include <hw/blink.h>
#include <uapi/smile_monitor.h>

#include "latency.h"
#include "placement.h"

#define MACHINE_NODES_MAX 64U /* what the card's node table and @watch have room for */
#define MACHINE_NODES_DEFAULT 4U
#define MACHINE_WATCH_ALL (~(uint64_t)0)

struct machine;

/**
 * struct machine_ops - What the machine asks of its surroundings.
 * @frame: a frame appears on the B-Link of @node at @time_ns; @bytes are valid during the call.
 *         For each node times never go back.
 */
struct machine_ops {
	void (*frame)(void *opaque, unsigned node, uint64_t time_ns, const void *bytes,
		      size_t length);
};

/**
 * struct machine_config - What machine to build; zero and NULL ask for the defaults.
 * @nodes: 1 to MACHINE_NODES_MAX; default MACHINE_NODES_DEFAULT
 * @frequency_hz: clock, up to 10 GHz; default: the latency model's
 * @latency: model; default LATENCY_DEFAULT
 * @placement: policy; default PLACEMENT_DEFAULT
 * @watch: bit n set: call back with the frames of node n's B-Link; with none set, nothing is
 *         buffered and only clocks and statistics are kept
 */
struct machine_config {
	unsigned nodes;
	uint64_t frequency_hz;
	const struct latency_model *latency;
	const struct placement_policy *placement;
	uint64_t watch;
};

/**
 * struct machine_statistics - What one node did.
 * @cycles: its clock; the sum of the five kinds of cycles below
 * @work_cycles: told by machine_work()
 * @local_cycles: in accesses to its own memory
 * @remote_cycles: in accesses to other nodes' memory, by SMILE_TYPE_*
 * @wait_cycles: waiting, in machine_wait() and machine_barrier()
 * @local: accesses to its own memory, by SMILE_TYPE_*
 * @remote: transactions with other nodes, by SMILE_TYPE_*
 * @frames: frames on its B-Link, watched or not
 */
struct machine_statistics {
	uint64_t cycles;
	uint64_t work_cycles;
	uint64_t local_cycles;
	uint64_t remote_cycles[SMILE_TYPE_COUNT];
	uint64_t wait_cycles;
	uint64_t local[SMILE_TYPE_COUNT];
	uint64_t remote[SMILE_TYPE_COUNT];
	uint64_t frames;
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
 * machine_destroy() - Take it down, dropping frames that did not come out yet.
 * @machine: machine, or NULL
 */
void machine_destroy(struct machine *machine);

/**
 * machine_nodes() - Number of nodes.
 */
unsigned machine_nodes(const struct machine *machine);

/**
 * machine_frequency() - The clocks' frequency in Hz.
 */
uint64_t machine_frequency(const struct machine *machine);

/**
 * machine_access() - A node loads, stores or locks.
 * @node: which
 * @type: SMILE_TYPE_READ, WRITE or LOCK
 * @address: byte offset in the shared region
 * @bytes: at least 1
 *
 * An access that crosses a block of 16 bytes is several transactions, one after another, and costs
 * as many.
 *
 * Nothing is returned, since there are many of these: an access that makes no sense (no such node,
 * an address beyond SMILE_ADDRESS_BITS) or finds no memory changes nothing, and the next
 * machine_barrier() or machine_mark() returns the error.
 */
void machine_access(struct machine *machine, unsigned node, unsigned type, uint64_t address,
		    size_t bytes);

static inline void machine_read(struct machine *machine, unsigned node, uint64_t address,
				size_t bytes)
{
	machine_access(machine, node, SMILE_TYPE_READ, address, bytes);
}

static inline void machine_write(struct machine *machine, unsigned node, uint64_t address,
				 size_t bytes)
{
	machine_access(machine, node, SMILE_TYPE_WRITE, address, bytes);
}

/* An atomic read-modify-write. */
static inline void machine_lock(struct machine *machine, unsigned node, uint64_t address,
				size_t bytes)
{
	machine_access(machine, node, SMILE_TYPE_LOCK, address, bytes);
}

/**
 * machine_work() - A node computes for @cycles without touching shared memory.
 */
void machine_work(struct machine *machine, unsigned node, uint64_t cycles);

/**
 * machine_clock() - A node's clock in cycles; 0 if there is no such node.
 */
uint64_t machine_clock(const struct machine *machine, unsigned node);

/**
 * machine_wait() - A node waits until its clock is at least @cycle.
 */
void machine_wait(struct machine *machine, unsigned node, uint64_t cycle);

/**
 * machine_barrier() - All clocks advance to the latest; every frame so far comes out.
 *
 * The barrier costs nothing by itself: whoever builds one out of locks and flags makes those
 * accesses.
 *
 * Return: 0, or the first error since the machine was built, which stays.
 */
int machine_barrier(struct machine *machine);

/**
 * machine_mark() - A barrier, then a global event on the B-Link of every node.
 * @event: event id
 *
 * Return: as machine_barrier().
 */
int machine_mark(struct machine *machine, unsigned event);

/**
 * machine_fail() - Let the run end early, say because frames cannot be stored any more.
 * @error: -errno; the next machine_barrier() or machine_mark() returns it if it is the first
 *
 * May be called from the frame call-back.
 */
void machine_fail(struct machine *machine, int error);

/**
 * machine_time_ns() - @cycles in nanoseconds, rounded down.
 */
uint64_t machine_time_ns(const struct machine *machine, uint64_t cycles);

/**
 * machine_statistics() - What @node did so far.
 *
 * Return: 0; -EINVAL if there is no such node.
 */
int machine_statistics(const struct machine *machine, unsigned node,
		       struct machine_statistics *statistics);

#endif /* EMU_MACHINE_MACHINE_H */
