/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Ring: a ringlet of SCI, symbol by symbol.
 *
 * What lives here: the state of a ringlet and the calls for its users. docs/ring.md is the
 * datasheet. Pure C11, no I/O, no allocation, only integers: the same calls give the same result on
 * any machine. It may use include/, emu/cable and the C library's <string.h>.
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
/*
 * More symbols than the longest packet with its idles, which is the most that the FIFO ever holds.
 */
#define RING_BYPASS_SYMBOLS 256U

/* Requests and responses have buffers of their own, so that no response waits for a request. */
enum ring_class {
	RING_REQUEST,
	RING_RESPONSE,
	RING_CLASSES,
};

/**
 * struct ring_config - The properties of a ringlet.
 * @nodes: number of nodes, 2 to RING_NODES_MAX
 * @hop_clocks: clocks from a node's output to the next node's, by cable and stripper; 1 to
 *              RING_HOP_MAX
 * @gap: idle symbols behind each packet; 1 to RING_GAP_MAX
 * @output: packets of a class in an output buffer; 1 to RING_BUFFER_MAX, like the next two
 * @active: packets of a class in an active buffer
 * @input: packets of a class in an input buffer
 * @service_clocks: clocks for which a node works on a packet of its input buffer; at least 1
 * @go_bits: flow control by go bits is on
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
 * @since: clock from which the packet's latency counts
 * @begun: clock of the first symbol of its latest try
 * @number: number of packets that its node was given before
 * @address: address of a request
 * @target: target node
 * @source: source node
 * @command: BLINK_* of blink.h
 * @transaction: transaction id
 * @type: CABLE_TYPE_*
 * @symbols: its length in symbols
 * @tries: number of times that it was sent
 * @class: enum ring_class
 * @entry: node of the ringlet that sends it
 * @exit: node of the ringlet that strips it
 * @phase: CABLE_PHASE_* of the next try
 * @busy: the echo of the last try reported that it was not accepted
 * @label: the phase in that echo
 * @numbered: its transaction id is not an id of the node that sends it
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
 * @samples: number of insertions and removals
 * @sum: sum of the numbers of packets after each of them
 * @highest: the largest number of packets
 */
struct ring_level {
	uint64_t samples;
	uint64_t sum;
	uint32_t highest;
};

/**
 * struct ring_rate - Measuring points 3 and 4: symbols a clock.
 * @symbols: symbols so far
 * @sampled: @symbols at the last sample. A sample is taken when a packet was put into the output
 *           buffer, before the next symbol
 * @clock: clock of that sample
 */
struct ring_rate {
	uint64_t symbols;
	uint64_t sampled;
	uint64_t clock;
};

/**
 * struct ring_counts - The counters of a node.
 * @offered: packets that were put into its output buffer
 * @injected: of these, packets whose first try has begun
 * @tries: tries that have begun
 * @echoes: tries whose echo has arrived
 * @retries: of these, tries with a busy echo
 * @acknowledged: packets whose echo reported that they were accepted
 * @received: packets for this node that were put into its input buffer
 * @busied: packets for this node that were not accepted
 * @received_bytes: data in received packets
 * @idles: measuring point 6: idle symbols between packets that arrived; @idles_max: the longest
 *         sequence
 * @arrivals: packets that arrived, including passing ones and echoes
 * @gap_symbols: idle symbols behind packets that left
 * @recovery: clocks in which it emptied its FIFO
 * @output: measuring point 1
 * @active: measuring point 2
 * @input: measuring point 7
 * @own: measuring point 3
 * @bypass: measuring point 4; the sum of both is point 5
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
 * struct ring_queue - A queue of slots, oldest first.
 */
struct ring_queue {
	uint8_t slot[RING_BUFFER_MAX];
	uint8_t first;
	uint8_t count;
};

/**
 * struct ring_input - An input buffer of one class, and the ageing of packets that did not fit.
 * @packets: the packets, oldest first, from @first on
 * @until: clock at which the work on the first one ends, if @serving
 * @waiting: number of packets that were refused and will be sent again with phase RETRY_A, RETRY_B
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
	RING_PASS, /* the FIFO is empty, and symbols pass */
	RING_SEND, /* its own packet leaves; arriving symbols are put into the FIFO */
	RING_RECOVER, /* the FIFO is being emptied */
};

/**
 * struct ring_node - A node of the ringlet.
 * @state: enum ring_state of the output multiplexer
 * @strips: how the stripper handles the packet that is arriving
 * @accepts: there is room for that packet
 * @saved: a go bit was received since the state was RING_PASS
 * @rates_due: a packet was put into the output buffer since a symbol left
 * @last: the symbol that left in the last clock
 * @sending: slot of the packet that is leaving
 * @length: number of its symbols, stored here since on a short ring its echo frees the slot before
 *         the gap has left
 * @position: symbols of the packet and of its gap that have left
 * @since_packet: idle symbols since the last packet that arrived
 * @free_slots: a bit for each slot
 * @transactions: a bit for each transaction id that is in use
 * @bypass_first: index in @bypass of the oldest symbol
 * @bypass_count: number of symbols in @bypass
 * @service_clocks: clocks for which the node works on a packet
 * @active: packets in the active buffers, which were sent and not yet accepted
 * @output: the output buffers
 * @again: packets of the active buffer that must be sent again, in the order of their echoes
 * @given: number of packets so far
 * @counts: the node's counters
 * @bypass: the bypass FIFO
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
 * @context: first argument of the functions
 * @left_context: first argument of @left instead of @context
 * @left: the last symbol of a packet left @node in this clock. @echo: it is the last symbol of the
 *        echo that acknowledges @packet
 * @arrived: @packet was put into the input buffer of @node
 * @done: the work of @node on @packet has ended: if it is a response, its transaction has ended
 * @rates: measuring points 3 and 4: in the last @clocks clocks @own and @bypass symbols left @node
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
 * ring_finish - Handle the end of a node's work on a packet of its input buffer.
 *
 * Return: false if the packet must wait; then the function is called again in the next clock.
 */
typedef bool ring_finish(void *context, struct ring *ring, unsigned int node,
			 const struct ring_packet *packet);

/**
 * struct ring - The state of a ringlet.
 * @config: its configuration
 * @watch: may be set at any time
 * @finish: NULL: a request gets its response, and a response ends its transaction
 * @finish_context: first argument of @finish
 * @clock: number of clocks so far
 * @now: the row of @links that is written in this clock
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
 * @since: clock from which the packet's latency counts
 * @address: address of a request
 * @target: target node
 * @source: source node
 * @command: BLINK_*
 * @transaction: for a response, the transaction id of its request
 * @exit: node of this ringlet that strips it
 * @numbered: a request has its @transaction already, since it arrives from another ringlet
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

/* Default rate of a link [MB/s], and the time of one of its symbols [ps]. */
#define RING_LINK_MB 667U
#define RING_SYMBOL_PS 2999U

/**
 * ring_defaults() - Get the default configuration of a ringlet of @nodes nodes.
 */
struct ring_config ring_defaults(unsigned int nodes);

/**
 * ring_init() - Create an idle ringlet.
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
 * command, or @exit is @node or is not a node.
 */
int ring_offer(struct ring *ring, unsigned int node, const struct ring_offer *offer);

/**
 * ring_step() - Advance the ringlet by one clock.
 */
void ring_step(struct ring *ring);

/**
 * ring_response() - Get the command of the response to a request.
 *
 * Return: -ENOENT if the request gets no response.
 */
int ring_response(unsigned int command);

/**
 * ring_cable() - Convert a packet, or its echo, to the form that the cable carries. Its data is 0.
 */
void ring_cable(const struct ring_packet *packet, bool echo, struct cable_packet *cable);

#endif /* EMU_RING_RING_H */
