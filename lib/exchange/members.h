/* SPDX-License-Identifier: MIT */
/*
 * Members: computes the state of all nodes of a cluster, as one node observes it.
 *
 * What lives here: the code that reads the readings of each node from the memory of the node
 * (lib/exchange/exchange.h) and passes them to one filter; the detection of present, late and
 * missing nodes; and the choice of the node that leads the intervals
 * (lib/exchange/interval_timer.h). No function here waits. May use: <smile/estimate.h>, libc.
 */
#ifndef LIB_EXCHANGE_MEMBERS_H
#define LIB_EXCHANGE_MEMBERS_H

#include <smile/estimate.h>

#include "lib/exchange/exchange.h"

/* A member is silent if it has not begun an interval for more than this number of intervals. */
#define MEMBER_SILENT_AFTER 4

/**
 * enum member_state - The state of a node.
 * @MEMBER_ABSENT: the node has not joined yet
 * @MEMBER_HERE: the node begins intervals
 * @MEMBER_SILENT: the memory of the node exists, but the node has begun no interval for some time
 * @MEMBER_ENDED: the node has reported that no record will follow
 * @MEMBER_GONE: the memory of the node no longer exists
 * @MEMBER_VERSION: the memory of the node has another version of the format
 * @MEMBER_DISAGREES: the counters, parameters or intervals of the node differ from those of this
 *                    node, or the node's number is not the expected number
 * @MEMBER_GARBAGE: the memory of the node has invalid contents
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
 * @words: memory of the node; NULL: this node is not connected to it
 * @head: head of the memory
 * @progress: progress of the node at the last check
 * @next: the first interval whose record was not read yet
 * @heard: number of the interval in which this node last detected progress of the member
 * @look: number of the interval in which this node will check the member next
 * @taken: number of records that were read and used
 * @late: number of records that arrived so late that the next interval had already ended
 * @lost: number of records that were overwritten, or too old, before this node read them
 * @bad: number of invalid records
 * @uneven: number of records that were not used, because the length of their interval differs too
 *          much from the nominal length
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
 * @processes: processes of the counters, which are the same on all nodes, shape [@counters]; the
 *             caller must keep them as long as the members are used
 * @interval_ns: nominal length of an interval
 * @agreement: a digest of all other parameters that must be equal on all nodes
 * @incarnation: a number that is different each time the node starts
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
 * @setup: parameters of the members
 * @own: memory of this node
 * @cluster: the state of the cluster
 * @number: number of the current interval
 * @skipped: @number minus the number of intervals that the filter has processed
 * @member: the members, shape [nodes]
 * @read: readings in the current interval, scaled to the nominal length; NAN: the counter was not
 *        read; shape [nodes][counters]
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
 * members_init() - Write the head of this node's memory. No other node is connected yet.
 * @own: memory with the size that exchange_bytes() returns
 *
 * Return: 0, in which case the caller must later call members_free(); otherwise an error. Errors:
 * -EINVAL, -ENOMEM.
 */
int members_init(struct members *members, const struct members_setup *setup,
		 volatile uint64_t *own);

void members_free(struct members *members);

/**
 * members_connect() - Begin to read the memory of a node.
 * @bytes: size of the memory
 *
 * Return: 0 if the memory can be read; otherwise an error. Errors: -EINVAL if the node does not
 * exist; -EPROTONOSUPPORT if the node has another version; -EPROTO if the node has other
 * parameters; -EBADMSG; -ENXIO. After an error, the memory of the node is not used, and the caller
 * can unmap it.
 */
int members_connect(struct members *members, size_t node, const volatile uint64_t *words,
		    size_t bytes);

/* Stop reading the memory of a node. */
void members_disconnect(struct members *members, size_t node);

/* Note in this node's memory that this node begins an interval. */
void members_begin(struct members *members, uint64_t interval);

/* Publish this node's readings of an interval. Return: as exchange_write(). */
int members_publish(struct members *members, const struct exchange_record *record);

/**
 * members_step() - Predict the state up to the interval @interval, and correct it by all available
 * readings.
 *
 * A reading is scaled from the length of its record to the length of an interval. If a record is
 * shorter than half an interval, or longer than one and a half intervals, it is not used.
 */
void members_step(struct members *members, uint64_t interval);

/*
 * Return whether this node leads the intervals. It leads if no node with a lower number is present.
 */
int members_lead(const struct members *members);

/*
 * Get the number of the latest interval that another present node is known to have begun; 0 if no
 * other node is known to have begun an interval.
 */
uint64_t members_begun(const struct members *members);

/* Check the progress of a node now. */
void members_look(struct members *members, size_t node);

/* Get the number of intervals since this node last detected progress of a node. */
uint64_t members_silence(const struct members *members, size_t node);

/**
 * members_differs() - Return whether a counter of a node differs from the same counter of the other
 * nodes.
 * @difference: receives the counter minus the mean over all nodes
 *
 * Even the counters of nodes with the same process differ by chance. For this reason, a counter
 * counts as different only under three conditions. First, no other node is further from the mean.
 * Second, the node is further from the mean than 95 % of nodes with the same process would be.
 * Third, the distance from the mean is larger than the uncertainty of the estimate.
 */
int members_differs(const struct members *members, size_t node, size_t counter,
		    struct Estimate_band *difference);

#endif /* LIB_EXCHANGE_MEMBERS_H */
