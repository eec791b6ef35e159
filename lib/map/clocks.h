/* SPDX-License-Identifier: MIT */
/*
 * Clocks: pairs of times, of a node's card and of its host, read at the same moment.
 *
 * What lives here: the pairs of a map, their field of the trailer, and the conversion of a card's
 * time into its host's time, with a bound of the error. An emulated card may use its machine's
 * clock: then its node has no pairs.
 *
 *	CLOCKS      u32 node, u32 bytes of a pair, 16 bytes boot id of its host; then pairs, each:
 *	            u64 card's clock, u64 CLOCK_MONOTONIC_RAW, u64 its uncertainty, u64
 *	            CLOCK_REALTIME, u64 its uncertainty; ns. No pairs: the card's clock is one that
 *	            all cards of that host have
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
/* The largest number of pairs of a node. A further pair replaces the last pair. */
#define CLOCKS_PAIRS_MAX 65536U

/* The uncertainty of a clock that is not synchronised with other hosts' clocks. */
#define CLOCKS_UNKNOWN UINT64_MAX

/*
 * The largest drift of a card's clock from its host's clock, in ns per second. The raw clock is
 * calibrated at boot, and each clock has a quartz of 100 ppm. Time synchronisation can change the
 * rate of the time of day by the same amount again.
 */
#define CLOCKS_DRIFT_RAW 500000U
#define CLOCKS_DRIFT_REAL 1000000U

/**
 * struct clock_pair - The times of a card and of its host at one moment.
 * @card_ns: the card's clock
 * @raw_ns: CLOCK_MONOTONIC_RAW, within @raw_bound_ns
 * @raw_bound_ns: error bound of the reading
 * @real_ns: time of day, within @real_bound_ns
 * @real_bound_ns: error bound of the reading and of the synchronisation; CLOCKS_UNKNOWN: not
 *                 synchronised
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
 * @boot: boot id of its host: recordings with equal boot ids share one clock
 * @wrong: why its pairs cannot be used; NULL: they can
 * @not_synchronised: its time of day was not synchronised at least once
 * @is_host: the card's clock is its host's clock, and there are no pairs
 * @pairs: in the order in which they were read; [@pairs_size]
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

/* Return: 0, -EINVAL, -ENOMEM with a message. */
int smile_clocks_add(struct clocks *clocks, uint32_t node, const unsigned char *boot,
		     const struct clock_pair *pair);

/* The card of @node has the clock of the host with @boot. Return: 0, -ENOMEM with a message. */
int smile_clocks_host(struct clocks *clocks, uint32_t node, const unsigned char *boot);

/* Add all of @from. Return: as smile_clocks_add(). */
int smile_clocks_join(struct clocks *clocks, const struct clocks *from);

/* The clock of a node; NULL if the node has none. */
const struct node_clock *smile_clocks_of(const struct clocks *clocks, uint32_t node);

/**
 * struct clock_span - The host's time of a moment.
 * @first_ns: the earliest time
 * @last_ns: the latest time
 */
struct clock_span {
	int64_t first_ns;
	int64_t last_ns;
};

/*
 * The time when a card's clock was at @card_ns, in its host's raw time, or with @real in time of
 * day.
 * Return: NULL; or why it is not known, such as "its card's clock has restarted".
 */
const char *smile_clocks_convert(const struct node_clock *clock, uint64_t card_ns, int real,
				 struct clock_span *span);

void smile_clocks_write(FILE *file, const struct clocks *clocks);
/* Take in a field. Return: NULL; or a text that names the error. */
const char *smile_clocks_field(struct clocks *clocks, const struct field *field);

#endif /* LIB_MAP_CLOCKS_H */
