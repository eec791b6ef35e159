/* SPDX-License-Identifier: MIT */
/*
 * Clocks: relates the clock of a node's card to the clock of the node's host, by pairs of times.
 * The two times of a pair were read at the same moment.
 *
 * What lives here: the pairs of a map, their field in the trailer, and the conversion of a card's
 * time into its host's time, with an error bound. If an emulated card uses the clock of its host,
 * its node has no pairs.
 *
 * 	CLOCKS      u32 node, u32 number of bytes of a pair, 16 bytes boot id of its host; then
 * 	            pairs, each: u64 card's clock, u64 CLOCK_MONOTONIC_RAW, u64 its uncertainty,
 * 	            u64 CLOCK_REALTIME, u64 its uncertainty; in ns. If there are no pairs, the
 * 	            card uses a clock that all cards of the host share
 */
#ifndef LIB_MAP_CLOCKS_H
#define LIB_MAP_CLOCKS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/map/field.h"

#define CLOCKS_TAG 29
#define CLOCKS_HEAD_BYTES 24U
#define CLOCKS_PAIR_BYTES 40U
#define CLOCKS_BOOT_BYTES 16U
/*
 * The largest number of pairs of a node. If a node has this number of pairs, each further pair
 * replaces the last pair.
 */
#define CLOCKS_PAIRS_MAX 65536U

/*
 * The uncertainty of a time of day if the host's clock is not synchronised with the clocks of other
 * hosts.
 */
#define CLOCKS_UNKNOWN UINT64_MAX

/*
 * The largest drift of a card's clock relative to a clock of its host, in ns per second. The kernel
 * calibrates the raw clock when it boots, and each clock has a quartz with an error of up to 100
 * ppm. Time synchronisation can change the rate of the time of day by a further 500 ppm.
 */
#define CLOCKS_DRIFT_RAW 500000U
#define CLOCKS_DRIFT_REAL 1000000U

/**
 * struct clock_pair - The times of a card and of its host at one moment.
 * @card_ns: the card's clock
 * @raw_ns: CLOCK_MONOTONIC_RAW, with an error of at most @raw_bound_ns
 * @raw_bound_ns: error bound of the reading
 * @real_ns: time of day, with an error of at most @real_bound_ns
 * @real_bound_ns: error bound of the reading and of the synchronisation; CLOCKS_UNKNOWN: the time
 *                 of day was not synchronised
 */
struct clock_pair {
	uint64_t card_ns;
	uint64_t raw_ns;
	uint64_t raw_bound_ns;
	uint64_t real_ns;
	uint64_t real_bound_ns;
};

/**
 * struct node_clock - The pairs of a node.
 * @node: the node
 * @boot: boot id of the host; recordings with equal boot ids have the same host clock
 * @wrong: the reason why the pairs cannot be used; NULL if they can be used
 * @not_synchronised: for at least one pair, the time of day was not synchronised
 * @is_host: the card's clock is the host's clock, and there are no pairs
 * @pairs: the pairs in the order in which they were read; [@pairs_size]
 */
struct node_clock {
	uint32_t node;
	unsigned char boot[CLOCKS_BOOT_BYTES];
	const char *wrong;
	int not_synchronised;
	int is_host;
	struct clock_pair *pairs;
	size_t pairs_count;
	size_t pairs_size;
};

/* struct clocks - The clocks of all nodes. */
struct clocks {
	struct node_clock *nodes;
	size_t count;
	size_t size;
};

void smile_clocks_free(struct clocks *clocks);

/* Add a pair of a node. Return: 0; -EINVAL or -ENOMEM, with Monitor_error_message() set. */
int smile_clocks_add(struct clocks *clocks, uint32_t node, const unsigned char *boot,
		     const struct clock_pair *pair);

/*
 * Note that the card of @node uses the clock of the host with boot id @boot. Return: 0; -ENOMEM,
 * with Monitor_error_message() set.
 */
int smile_clocks_host(struct clocks *clocks, uint32_t node, const unsigned char *boot);

/* Add all clocks of @from. Return: 0; -EINVAL or -ENOMEM, with Monitor_error_message() set. */
int smile_clocks_join(struct clocks *clocks, const struct clocks *from);

/* Get the clock of a node; NULL if the node has no clock. */
const struct node_clock *smile_clocks_of(const struct clocks *clocks, uint32_t node);

/**
 * struct clock_span - A time of the host's clock, as a range that contains the exact time.
 * @first_ns: the earliest possible time
 * @last_ns: the latest possible time
 */
struct clock_span {
	int64_t first_ns;
	int64_t last_ns;
};

/*
 * Get the host's time at the moment when the card's clock was @card_ns. The result is the raw time
 * or, if @real is set, the time of day. Return: NULL if the time is known; otherwise a text with
 * the reason, such as "its card's clock has restarted".
 */
const char *smile_clocks_convert(const struct node_clock *clock, uint64_t card_ns, int real,
				 struct clock_span *span);

void smile_clocks_write(FILE *file, const struct clocks *clocks);
/*
 * Read a field of the trailer. Return: NULL if the field is valid; otherwise a text that describes
 * the error.
 */
const char *smile_clocks_field(struct clocks *clocks, const struct field *field);

#endif /* LIB_MAP_CLOCKS_H */
