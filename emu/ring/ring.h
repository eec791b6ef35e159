/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Ring: a ringlet of SCI, symbol by symbol.
 *
 * What lives here: the state of a ringlet and the calls that a user of it needs. docs/ring.md is
 * the datasheet. Pure C11, no I/O, no allocation, integers alone: the same calls give the same
 * result on any machine. It may use include/, emu/cable and the C library's <string.h>.
 *
 * Time is the clock of the ring: in one clock each link carries one symbol.
 */
#ifndef EMU_RING_RING_H
#define EMU_RING_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/cable/cable.h"

#define RING_NODES_MAX 64U
#define RING_BUFFER_MAX 16U /* packets of a class in a buffer; a power of two */
#define RING_SLOTS 64U /* both classes, output and active buffer */
#define RING_GAP_MAX 4U
#define RING_HOP_MAX 31U
/* More than the longest packet with its idles, which is all that the FIFO ever holds. */
#define RING_BYPASS_SYMBOLS 256U

/* Requests and responses have buffers of their own, so that no response waits for a request. */
enum ring_class {
	RING_REQUEST,
	RING_RESPONSE,
	RING_CLASSES,
};

/**
 * struct ring_config - What a ringlet is made of.
 * @nodes: 2 to RING_NODES_MAX
 * @hop_clocks: from a node's output to the next one's: cable and stripper; 1 to RING_HOP_MAX
 * @gap: idle symbols behind each packet; 1 to RING_GAP_MAX
 * @output: packets of a class in an output buffer; 1 to RING_BUFFER_MAX, as the next two
 * @active: packets of a class in an active buffer
 * @input: packets of a class in an input buffer
 * @service_clocks: for which a node works on a packet of its input buffer; at least 1
 * @go_bits: with flow control
 */
struct ring_config {
	unsigned int nodes;
	unsigned int hop_clocks;
	unsigned int gap;
	unsigned int output;
	unsigned int active;
	unsigned int input;
	unsigned int service_clocks;
	bool go_bits;
};

/**
 * struct ring_packet - A request or response.
 * @since: clock from which its latency counts
 * @begun: clock of the first symbol of its last try
 * @number: how many packets its node was given before
 * @address: of a request
 * @target: node
 * @source: node
 * @command: BLINK_* of blink.h
 * @transaction: transaction id
 * @type: CABLE_TYPE_*
 * @symbols: its length
 * @tries: how often it was sent
 * @class: enum ring_class
 * @entry: node of the ringlet that sends it
 * @exit: node of the ringlet that strips it
 * @phase: CABLE_PHASE_* of the next try
 * @busy: the echo of the last try says that it was not accepted
 * @label: the phase in that echo
 * @numbered: its transaction id is not of the node that sends it
 * @delivered: it is in the input buffer of @exit, or was
 */
struct ring_packet {
	uint64_t since;
	uint64_t begun;
	uint64_t number;
	uint64_t address;
	uint16_t target;
	uint16_t source;
	uint8_t command;
	uint8_t transaction;
	uint8_t type;
	uint8_t symbols;
	uint32_t tries;
	uint8_t class;
	uint8_t entry;
	uint8_t exit;
	uint8_t phase;
	bool busy;
	uint8_t label;
	bool numbered;
	bool delivered;
};

/**
 * struct ring_level - Measuring points 1, 2 and 7: packets in a buffer.
 * @samples: insertions and removals
 * @sum: packets after each of them, added up
 * @highest: the most
 */
struct ring_level {
	uint64_t samples;
	uint64_t sum;
	uint32_t highest;
};

/**
 * struct ring_rate - Measuring points 3 and 4: symbols a clock.
 * @symbols: so far
 * @sampled: @symbols at the last sample. A sample is taken when a packet has come into the output
 *           buffer, before the next symbol
 * @clock: of that sample
 */
struct ring_rate {
	uint64_t symbols;
	uint64_t sampled;
	uint64_t clock;
};

/**
 * struct ring_counts - What a node counts.
 * @offered: packets that came into its output buffer
 * @injected: of these, those whose first try has begun
 * @tries: tries that have begun
 * @echoes: tries whose echo has come
 * @retries: of these, those with a busy echo
 * @acknowledged: packets whose echo said that they were accepted
 * @received: packets for this node that came into its input buffer
 * @busied: packets for this node that did not
 * @received_bytes: data in them
 * @idles: measuring point 6: idle symbols between packets that arrived; @idles_max: the longest row
 * @arrivals: packets that arrived, passing ones and echoes among them
 * @gap_symbols: idle symbols behind packets, that left
 * @recovery: clocks in which it emptied its FIFO
 * @output: point 1
 * @active: point 2
 * @input: point 7
 * @own: point 3
 * @bypass: point 4; the sum of both is point 5
 */
struct ring_counts {
	uint64_t offered[RING_CLASSES];
	uint64_t injected[RING_CLASSES];
	uint64_t tries[RING_CLASSES];
	uint64_t echoes[RING_CLASSES];
	uint64_t retries[RING_CLASSES];
	uint64_t acknowledged[RING_CLASSES];
	uint64_t received[RING_CLASSES];
	uint64_t busied[RING_CLASSES];
	uint64_t received_bytes;
	uint64_t idles;
	uint64_t idles_max;
	uint64_t arrivals;
	uint64_t gap_symbols;
	uint64_t recovery;
	struct ring_level output;
	struct ring_level active;
	struct ring_level input;
	struct ring_rate own;
	struct ring_rate bypass;
};

/**
 * struct ring_queue - Slots, oldest first.
 */
struct ring_queue {
	uint8_t slot[RING_BUFFER_MAX];
	uint8_t first;
	uint8_t count;
};

/**
 * struct ring_input - An input buffer of one class, and the ageing of packets that did not fit.
 * @packets: oldest first, from @first
 * @until: clock at which the work on the first one ends, if @serving
 * @waiting: packets that were told to come again with phase RETRY_A, RETRY_B
 * @turn: the generation that is accepted: 0 for A, 1 for B
 */
struct ring_input {
	struct ring_packet packets[RING_BUFFER_MAX];
	uint64_t until;
	uint32_t waiting[2];
	uint8_t first;
	uint8_t count;
	uint8_t turn;
	bool serving;
};

enum ring_state {
	RING_PASS, /* the FIFO is empty, symbols pass */
	RING_SEND, /* a packet of its own leaves, what arrives goes into the FIFO */
	RING_RECOVER, /* the FIFO empties */
};

/**
 * struct ring_node - A node.
 * @state: enum ring_state of the output multiplexer
 * @strips: what the stripper does with the packet that arrives
 * @accepts: there is room for it
 * @saved: a go bit was received since the state was RING_PASS
 * @rates_due: a packet came into the output buffer since a symbol left
 * @last: the symbol that left in the last clock
 * @sending: slot of the packet that leaves
 * @length: its symbols, known here since on a short ring its echo frees the slot before the gap
 *	    has left
 * @position: symbols of the packet and of its gap that have left
 * @since_packet: idle symbols since the last packet that arrived
 * @free_slots: bit by slot
 * @transactions: bit by transaction id that is in use
 * @bypass_first: of @bypass: the oldest symbol
 * @bypass_count: how many
 * @service_clocks: for which it works on a packet
 * @active: packets in the active buffers: sent, and not yet accepted
 * @output: the output buffers
 * @again: of the active buffer, what is to be sent again, in the order of its echoes
 * @given: packets so far
 * @counts: what it counts
 * @bypass: the FIFO
 * @input: the input buffers
 * @slots: the packets of output and active buffer
 */
struct ring_node {
	uint8_t state;
	uint8_t strips;
	bool accepts;
	bool saved;
	bool rates_due;
	uint8_t sending;
	uint16_t length;
	uint16_t position;
	uint32_t last;
	uint32_t bypass_first;
	uint32_t bypass_count;
	uint32_t service_clocks;
	uint8_t active[RING_CLASSES];
	struct ring_queue output[RING_CLASSES];
	struct ring_queue again[RING_CLASSES];
	uint64_t since_packet;
	uint64_t free_slots;
	uint64_t transactions;
	uint64_t given;
	struct ring_counts counts;
	uint32_t bypass[RING_BYPASS_SYMBOLS];
	struct ring_input input[RING_CLASSES];
	struct ring_packet slots[RING_SLOTS];
};

struct ring;

/**
 * struct ring_watch - Functions that are called when something happens; each may be NULL.
 * @context: passed on
 * @left_context: passed on to @left in its place
 * @left: the last symbol of a packet left @node in this clock. @echo: of the echo that acknowledges
 *        @packet
 * @arrived: @packet came into the input buffer of @node
 * @done: the work of @node on @packet has ended: a response ends its transaction with it
 * @rates: points 3 and 4: in the last @clocks clocks @own and @bypass symbols left @node
 */
struct ring_watch {
	void *context;
	void *left_context;
	void (*left)(void *context, const struct ring *ring, unsigned int node,
		     const struct ring_packet *packet, bool echo);
	void (*arrived)(void *context, const struct ring *ring, unsigned int node,
			const struct ring_packet *packet);
	void (*done)(void *context, const struct ring *ring, unsigned int node,
		     const struct ring_packet *packet);
	void (*rates)(void *context, const struct ring *ring, unsigned int node, uint64_t clocks,
		      uint64_t own, uint64_t bypass);
};

/**
 * ring_finish - The end of a node's work on a packet of its input buffer.
 *
 * Return: false if it has to wait; it is called again in the next clock.
 */
typedef bool ring_finish(void *context, struct ring *ring, unsigned int node,
			 const struct ring_packet *packet);

/**
 * struct ring - A ringlet.
 * @config: as it was given
 * @watch: may be set at any time
 * @finish: NULL: a request gets its response, a response ends its transaction
 * @finish_context: passed on
 * @clock: clocks so far
 * @now: of @links: the row that is written in this clock
 * @links: symbols on the link behind each node
 */
struct ring {
	struct ring_config config;
	struct ring_watch watch;
	ring_finish *finish;
	void *finish_context;
	uint64_t clock;
	unsigned int now;
	uint32_t links[RING_HOP_MAX + 1][RING_NODES_MAX];
	struct ring_node nodes[RING_NODES_MAX];
};

/**
 * struct ring_offer - A packet for ring_offer().
 * @since: clock from which its latency counts
 * @address: of a request
 * @target: node
 * @source: node
 * @command: BLINK_*
 * @transaction: of a response: transaction id of its request
 * @exit: node of this ringlet that strips it
 * @numbered: a request has its @transaction already, since it comes from another ringlet
 */
struct ring_offer {
	uint64_t since;
	uint64_t address;
	uint16_t target;
	uint16_t source;
	uint8_t command;
	uint8_t transaction;
	uint8_t exit;
	bool numbered;
};

/* Rate of a link [MB/s] unless another is given, and the time of one of its symbols [ps]. */
#define RING_LINK_MB 667U
#define RING_SYMBOL_PS 2999U

/**
 * ring_defaults() - A ringlet of @nodes nodes.
 */
struct ring_config ring_defaults(unsigned int nodes);

/**
 * ring_init() - Make an idle ringlet.
 *
 * Return: 0, or -EINVAL if a number of @config is not possible.
 */
int ring_init(struct ring *ring, const struct ring_config *config);

/**
 * ring_offer() - Put a packet into a node's output buffer.
 *
 * A request gets the lowest free transaction id of the node.
 *
 * Return: 0; -EAGAIN if there is no room, or no transaction id; -EINVAL if the cable has no such
 * command, or @exit is @node or no node.
 */
int ring_offer(struct ring *ring, unsigned int node, const struct ring_offer *offer);

/**
 * ring_step() - One clock.
 */
void ring_step(struct ring *ring);

/**
 * ring_response() - The command of the response that a request gets.
 *
 * Return: -ENOENT if it gets none.
 */
int ring_response(unsigned int command);

/**
 * ring_cable() - A packet, or its echo, as the cable carries it. Data is 0.
 */
void ring_cable(const struct ring_packet *packet, bool echo, struct cable_packet *cable);

#endif /* EMU_RING_RING_H */
