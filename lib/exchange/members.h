/* SPDX-License-Identifier: MIT */
/*
 * Members: the nodes of a cluster as one of them sees them, and the state of all.
 *
 * What lives here: this node's own readings and those of the others, from the memory of each
 * (lib/exchange/exchange.h) into one filter; which members are there, late or gone; and which node
 * says when an interval begins. Nothing here waits. May use: <smile/estimate.h>, libc.
 */
#ifndef LIB_EXCHANGE_MEMBERS_H
#define LIB_EXCHANGE_MEMBERS_H

#include <smile/estimate.h>

#include "lib/exchange/exchange.h"

/* A member that has begun no interval for more than this many intervals is silent. */
#define MEMBER_SILENT_AFTER 4

/**
 * enum member_state - What is known of a node.
 * @MEMBER_ABSENT: it has not come yet
 * @MEMBER_HERE: it begins intervals
 * @MEMBER_SILENT: it is there, and has begun no interval for a while
 * @MEMBER_ENDED: it has said that no record follows
 * @MEMBER_GONE: its memory is not there any more
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
 * @state: what is known of it
 * @words: its memory; NULL: none
 * @head: of it
 * @progress: when it was looked at last
 * @next: the first interval whose record was not looked for
 * @heard: the interval of this node in which it was last seen to go on
 * @look: the interval in which to look at it again
 * @taken: records that were taken
 * @late: taken records that came after the interval that follows theirs
 * @lost: records that were overwritten, or too old, when this node came to read them
 * @bad: impossible records
 * @uneven: records left out, since they are of more or of less than an interval
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
 * struct members_setup - What all nodes must agree on, and which of them this one is.
 * @nodes: how many
 * @self: this one, from 0
 * @counters: of each node
 * @processes: of its counters, the same on all nodes, shape [@counters]; the caller's, as long as
 *             the members are used
 * @interval_ns: nominal length
 * @agreement: a digest of the rest that must be equal
 * @incarnation: another number each time
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
 * struct members - All of them.
 * @setup: what they agree on
 * @own: this node's memory
 * @cluster: the state
 * @number: the interval that it is in
 * @skipped: that number less the filter's own
 * @member: shape [nodes]
 * @read: what was read in this interval, scaled to its length; NAN where nothing was, shape
 *        [nodes][counters]
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
 * members_init() - Write the head of this node's memory, and begin with no other node.
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
 * Errors: -EINVAL for a node that there is not; -EPROTONOSUPPORT, -EPROTO for one that does not
 * agree, -EBADMSG, -ENXIO: its memory is not used, and can be taken away.
 */
int members_connect(struct members *members, size_t node, const volatile uint64_t *words,
		    size_t bytes);

/* A node's memory must not be read any more. */
void members_disconnect(struct members *members, size_t node);

/* This node begins an interval. */
void members_begin(struct members *members, uint64_t interval);

/* This node has read an interval. Return: as exchange_write(). */
int members_publish(struct members *members, const struct exchange_record *record);

/**
 * members_step() - Predict up to an interval, and take all readings that are there.
 *
 * A count is scaled from its own length to the length of an interval. A record of less than half an
 * interval, or of more than one and a half, is left out.
 */
void members_step(struct members *members, uint64_t interval);

/* Does this node begin the intervals, since no node before it is here? */
int members_lead(const struct members *members);

/* The latest interval that another node, which is here, has begun, as last seen; or 0. */
uint64_t members_begun(const struct members *members);

/* Look how far a node is now. */
void members_look(struct members *members, size_t node);

/* Intervals since a node was last seen to go on. */
uint64_t members_silence(const struct members *members, size_t node);

/**
 * members_differs() - Is it this node that differs from the others in a counter?
 * @difference: receives its counter less the mean of all
 *
 * Nodes whose counter is the same process differ, too. So a node differs if it is the furthest from
 * the mean, further than 95 % of such nodes, and further than its band.
 */
int members_differs(const struct members *members, size_t node, size_t counter,
		    struct Estimate_band *difference);

#endif /* LIB_EXCHANGE_MEMBERS_H */
