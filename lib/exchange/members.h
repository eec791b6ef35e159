/* SPDX-License-Identifier: MIT */
/*
 * Members: the state of all nodes of a cluster, as observed by one of them.
 *
 * What lives here: the transfer of all nodes' readings, from the memory of each node
 * (lib/exchange/exchange.h) to one filter; the detection of present, late and missing members; and
 * the choice of the node that begins intervals. No function here waits. May use:
 * <smile/estimate.h>, libc.
 */
#ifndef LIB_EXCHANGE_MEMBERS_H
#define LIB_EXCHANGE_MEMBERS_H

#include <smile/estimate.h>

#include "lib/exchange/exchange.h"

/* A member that has begun no interval for more than this many intervals is silent. */
#define MEMBER_SILENT_AFTER 4

/**
 * enum member_state - The state of a node.
 * @MEMBER_ABSENT: it has not joined yet
 * @MEMBER_HERE: it begins intervals
 * @MEMBER_SILENT: it is present, but has begun no interval for some time
 * @MEMBER_ENDED: it has reported that no record follows
 * @MEMBER_GONE: its memory no longer exists
 * @MEMBER_VERSION: its memory has another format
 * @MEMBER_DISAGREES: it has other counters, parameters or intervals, or is another node
 * @MEMBER_GARBAGE: its memory has impossible contents
 */
enum member_state {
	MEMBER_ABSENT,
	MEMBER_HERE,
	MEMBER_SILENT,
	MEMBER_ENDED,
	MEMBER_GONE,
	MEMBER_VERSION,
	MEMBER_DISAGREES,
	MEMBER_GARBAGE,
};

/**
 * struct member - A node.
 * @state: state of the node
 * @words: its memory; NULL: none
 * @head: its head
 * @progress: its progress at the last check
 * @next: the first interval whose record was not read yet
 * @heard: the interval of this node in which progress was last detected
 * @look: the interval of the next check
 * @taken: number of records taken
 * @late: number of taken records that arrived after the interval that follows theirs
 * @lost: number of records that were overwritten, or too old, before this node read them
 * @bad: number of impossible records
 * @uneven: number of records left out because their period is longer or shorter than an interval
 */
struct member {
	enum member_state state;
	const volatile uint64_t *words;
	struct exchange_head head;
	struct exchange_progress progress;
	uint64_t next;
	uint64_t heard;
	uint64_t look;
	uint64_t taken;
	uint64_t late;
	uint64_t lost;
	uint64_t bad;
	uint64_t uneven;
};

/**
 * struct members_setup - Parameters that must be equal on all nodes, and the number of this node.
 * @nodes: number of nodes
 * @self: number of this node, from 0
 * @counters: number of counters of each node
 * @processes: processes of the counters, the same on all nodes, shape [@counters]; the caller must
 *             keep them as long as the members are used
 * @interval_ns: nominal length of an interval
 * @agreement: a digest of all other parameters that must be equal
 * @incarnation: a number that differs at each start
 */
struct members_setup {
	size_t nodes;
	size_t self;
	size_t counters;
	const struct Estimate_process *processes;
	uint64_t interval_ns;
	uint64_t agreement;
	uint64_t incarnation;
};

/**
 * struct members - All members.
 * @setup: their parameters
 * @own: this node's memory
 * @cluster: the state
 * @number: number of the current interval
 * @skipped: this number minus the filter's own number
 * @member: the members, shape [nodes]
 * @read: readings in this interval, scaled to its length; NAN: not read, shape [nodes][counters]
 */
struct members {
	struct members_setup setup;
	volatile uint64_t *own;
	struct Estimate_cluster *cluster;
	uint64_t number;
	uint64_t skipped;
	struct member *member;
	double *read;
};

/**
 * members_init() - Write the head of this node's memory, and start without other nodes.
 * @own: memory of exchange_bytes()
 *
 * Return: 0; members_free() must follow.
 * Errors: -EINVAL, -ENOMEM.
 */
int members_init(struct members *members, const struct members_setup *setup,
		 volatile uint64_t *own);

void members_free(struct members *members);

/**
 * members_connect() - A node's memory can be read from now on.
 * @bytes: its size
 *
 * Return: 0.
 * Errors: -EINVAL for a node that does not exist; -EPROTONOSUPPORT or -EPROTO for a node that does
 * not agree; -EBADMSG; -ENXIO. After an error the node's memory is not used, and the caller can
 * remove it.
 */
int members_connect(struct members *members, size_t node, const volatile uint64_t *words,
		    size_t bytes);

/* A node's memory can no longer be read. */
void members_disconnect(struct members *members, size_t node);

/* This node begins an interval. */
void members_begin(struct members *members, uint64_t interval);

/* This node has read an interval. Return: as exchange_write(). */
int members_publish(struct members *members, const struct exchange_record *record);

/**
 * members_step() - Predict up to an interval, and take all available readings.
 *
 * A count is scaled from its own length to the length of an interval. A record of less than half an
 * interval, or of more than one and a half, is left out.
 */
void members_step(struct members *members, uint64_t interval);

/* Whether this node begins the intervals, because no node before it is present. */
int members_lead(const struct members *members);

/* The latest interval that another present node had begun at its last check; or 0. */
uint64_t members_begun(const struct members *members);

/* Check the progress of a node now. */
void members_look(struct members *members, size_t node);

/* The number of intervals since progress of a node was last detected. */
uint64_t members_silence(const struct members *members, size_t node);

/**
 * members_differs() - Whether this node differs from the others in a counter.
 * @difference: receives its counter minus the mean of all nodes
 *
 * Even nodes with the same process differ by chance. So a node counts as different if it is the
 * furthest from the mean, further than 95 % of nodes with the same process, and further than its
 * band.
 */
int members_differs(const struct members *members, size_t node, size_t counter,
		    struct Estimate_band *difference);

#endif /* LIB_EXCHANGE_MEMBERS_H */
