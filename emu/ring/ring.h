/* SPDX-License-Identifier: GPL-2.0 OR MIT */
/*
 * Ring: simulate an SCI ringlet, symbol by symbol.
 *
 * What lives here: the state of a ringlet, and the functions for its users. docs/ring.md is the
 * datasheet. Pure C11, no I/O, no allocation, only integers: the same calls have the same result on
 * any machine. May use include/, emu/cable and the C library's <string.h>.
 *
 * Time is measured in clocks of the ring. In a clock, each link carries one symbol.
 */
#ifndef EMU_RING_RING_H
#define EMU_RING_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/cable/cable.h"

#define RING_NODES_MAX 64U
#define RING_BUFFER_MAX 16U /* packets of one class in a buffer; a power of two */
#define RING_SLOTS 64U /* packets of both classes in output buffer and active buffer */
#define RING_GAP_MAX 4U
#define RING_HOP_MAX 31U
/*
 * The size of the bypass FIFO. The FIFO contains at most the longest packet with its idle symbols,
 * which is less than this size.
 */
#define RING_BYPASS_SYMBOLS 256U

/* Requests and responses have separate buffers, so that a response never waits for a request. */
enum ring_class {
	RING_REQUEST,
	RING_RESPONSE,
	RING_CLASSES,
};

/**
 * struct ring_config - Properties of a ringlet.
 * @nodes: number of nodes, 2 to RING_NODES_MAX
 * @hop_clocks: number of clocks from the output of a node to the output of the next node, through
 *              the cable and the stripper; 1 to RING_HOP_MAX
 * @gap: number of idle symbols that must follow a packet; 1 to RING_GAP_MAX
 * @output: capacity of an output buffer, in packets of a class; 1 to RING_BUFFER_MAX
 * @active: capacity of an active buffer, in packets of a class; 1 to RING_BUFFER_MAX
 * @input: capacity of an input buffer, in packets of a class; 1 to RING_BUFFER_MAX
 * @service_clocks: number of clocks for which a node works on a packet of its input buffer; at
 *                  least 1
 * @go_bits: go bits control the flow
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
 * struct ring_packet - A request or a response.
 * @since: clock from which the latency of the packet is measured
 * @begun: clock at which the first symbol of the latest try left
 * @number: number of packets that were given to the sending node before this packet
 * @address: address of a request
 * @target: target node
 * @source: source node
 * @command: BLINK_* of blink.h
 * @transaction: transaction id
 * @type: CABLE_TYPE_*
 * @symbols: length of the packet in symbols
 * @tries: number of times that the packet was sent
 * @class: enum ring_class
 * @entry: node of the ringlet that sends the packet
 * @exit: node of the ringlet that strips the packet
 * @phase: CABLE_PHASE_* of the next try
 * @busy: the echo of the last try has reported that the packet was not accepted
 * @label: the phase in the echo of the last try
 * @numbered: the caller of ring_offer() has chosen the transaction id, so the sending node does not
 *            free this id
 * @delivered: the packet was put into the input buffer of @exit
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
 * struct ring_level - Measuring points 1, 2 and 7: the number of packets in a buffer.
 * @samples: number of samples: a sample is taken after each insertion and each removal
 * @sum: sum of the numbers of packets in all samples
 * @highest: the largest number of packets in a sample
 */
struct ring_level {
	uint64_t samples;
	uint64_t sum;
	uint32_t highest;
};

/**
 * struct ring_rate - Measuring points 3 and 4: the number of symbols per clock.
 * @symbols: number of symbols so far
 * @sampled: value of @symbols at the last sample. After a packet was put into the output buffer, a
 *           sample is taken before the next symbol leaves the node
 * @clock: clock of the last sample
 */
struct ring_rate {
	uint64_t symbols;
	uint64_t sampled;
	uint64_t clock;
};

/**
 * struct ring_counts - The counters of a node.
 * @offered: packets that were put into the output buffer
 * @injected: packets of @offered whose first try has begun
 * @tries: number of tries that have begun
 * @echoes: number of tries whose echo has arrived
 * @retries: number of @echoes that were busy echoes
 * @acknowledged: packets whose echo has reported that they were accepted
 * @received: packets for this node that were put into the input buffer
 * @busied: packets for this node that were not accepted
 * @received_bytes: bytes of data in received packets
 * @idles: measuring point 6: number of idle symbols between arriving packets; @idles_max: the
 *         longest sequence of idle symbols
 * @arrivals: packets that have arrived, including passing packets and echoes
 * @gap_symbols: idle symbols of the gaps after packets that have left
 * @recovery: number of clocks in which the node has emptied its FIFO
 * @output: measuring point 1: the output buffer
 * @active: measuring point 2: the active buffer
 * @input: measuring point 7: the input buffer
 * @own: measuring point 3: symbols of the node's own packets
 * @bypass: measuring point 4: passing symbols; the sum of @own and @bypass is measuring point 5
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
 * struct ring_queue - A queue of slots, the oldest first.
 */
struct ring_queue {
	uint8_t slot[RING_BUFFER_MAX];
	uint8_t first;
	uint8_t count;
};

/**
 * struct ring_input - An input buffer of one class, and the ageing of packets that were refused.
 * @packets: the packets, the oldest first, from index @first on
 * @until: clock at which the work on the oldest packet ends, if @serving is set
 * @waiting: number of refused packets that will be sent again: with phase RETRY_A, and with phase
 *           RETRY_B
 * @turn: the generation that is accepted now: 0 for A, 1 for B
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
	RING_PASS, /* the FIFO is empty, and arriving symbols pass */
	RING_SEND, /* a packet of the node leaves; arriving symbols are put into the FIFO */
	RING_RECOVER, /* the FIFO is being emptied */
};

/**
 * struct ring_node - A node of the ringlet.
 * @state: state of the output multiplexer: enum ring_state
 * @strips: how the stripper handles the packet that is arriving
 * @accepts: the input buffer has room for this packet
 * @saved: a go bit has arrived since the state was RING_PASS
 * @rates_due: a packet was put into the output buffer, and no symbol has left since
 * @last: the symbol that left in the last clock
 * @sending: slot of the packet that is leaving
 * @length: number of symbols of this packet. It is stored here because on a short ring the packet's
 *          echo frees the slot before the gap has left
 * @position: number of symbols of this packet and of its gap that have left
 * @since_packet: number of idle symbols since the last packet that arrived
 * @free_slots: a bit for each slot, set if the slot is free
 * @transactions: a bit for each transaction id, set if the id is in use
 * @bypass_first: index of the oldest symbol in @bypass
 * @bypass_count: number of symbols in @bypass
 * @service_clocks: number of clocks for which the node works on a packet
 * @active: number of packets in the active buffers: they were sent, and are not accepted yet
 * @output: the output buffers
 * @again: packets in the active buffers that must be sent again, in the order of their echoes
 * @given: number of packets that were given to the node so far
 * @counts: counters of the node
 * @bypass: the bypass FIFO
 * @input: the input buffers
 * @slots: the packets in the output and active buffers
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
 * struct ring_watch - Functions that the ring calls. Each may be NULL.
 * @context: first argument of all functions except @left
 * @left_context: first argument of @left
 * @left: called when the last symbol of a packet has left @node. @echo: it was the last symbol of
 *        the echo that acknowledges @packet
 * @arrived: called when @packet was put into the input buffer of @node
 * @done: called when the work of @node on @packet has ended; if @packet is a response, its
 *        transaction has ended
 * @rates: called for measuring points 3 and 4: in the last @clocks clocks, @own and @bypass symbols
 *         have left @node
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
 * ring_finish - A function that is called when the work of a node on a packet of its input buffer
 * has ended.
 *
 * Return: true if the packet leaves the input buffer; false if the packet must wait. In the latter
 * case, the function is called again in the next clock.
 */
typedef bool ring_finish(void *context, struct ring *ring, unsigned int node,
			 const struct ring_packet *packet);

/**
 * struct ring - The state of a ringlet.
 * @config: configuration of the ringlet
 * @watch: functions to call; they may be set at any time
 * @finish: function to call; NULL: a request gets its response, and a response ends its transaction
 * @finish_context: first argument of @finish
 * @clock: number of simulated clocks
 * @now: index of the row of @links that is written in this clock
 * @links: for each node, the symbols on the link after the node; each row has the symbols of one
 *         clock
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
 * @since: clock from which the latency of the packet is measured
 * @address: address of a request
 * @target: target node
 * @source: source node
 * @command: BLINK_*
 * @transaction: for a response, the transaction id of its request
 * @exit: node of this ringlet that strips the packet
 * @numbered: the caller has chosen @transaction for a request, because the request arrives from
 *            another ringlet
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

/* The default rate of a link [MB/s], and the time of a symbol on this link [ps]. */
#define RING_LINK_MB 667U
#define RING_SYMBOL_PS 2999U

/**
 * ring_defaults() - Get the default configuration of a ringlet of @nodes nodes.
 */
struct ring_config ring_defaults(unsigned int nodes);

/**
 * ring_init() - Create an idle ringlet.
 *
 * Return: 0; -EINVAL if a number in @config is not possible.
 */
int ring_init(struct ring *ring, const struct ring_config *config);

/**
 * ring_offer() - Put a packet into a node's output buffer.
 *
 * A request gets the lowest free transaction id of the node, unless @numbered is set.
 *
 * Return: 0; -EAGAIN if the buffer has no room, or no transaction id is free; -EINVAL if the cable
 *         has no such command, or if @exit is @node or is not a node of the ringlet.
 */
int ring_offer(struct ring *ring, unsigned int node, const struct ring_offer *offer);

/**
 * ring_step() - Advance the ringlet by one clock.
 */
void ring_step(struct ring *ring);

/**
 * ring_response() - Get the command of the response to a request.
 *
 * Return: the command; -ENOENT if the request has no response.
 */
int ring_response(unsigned int command);

/**
 * ring_cable() - Convert a packet, or its echo, to the form in which the cable carries it. Its data
 * is 0.
 */
void ring_cable(const struct ring_packet *packet, bool echo, struct cable_packet *cable);

#endif /* EMU_RING_RING_H */
