/* SPDX-License-Identifier: MIT */
/*
 * Balance: compare how often the cards of two nodes have counted the same accesses.
 *
 * An access to another node's memory passes the cards of both nodes. A view of both recordings uses
 * only the count of the home node's card. If this card has missed accesses, the view does not show
 * them.
 */
#ifndef TOOLS_COMMON_BALANCE_H
#define TOOLS_COMMON_BALANCE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct balance_pair - The accesses of one node to the memory of another node.
 * @source: the node that made the accesses
 * @home: the node whose memory was accessed
 * @by_source: number of accesses that the card of @source has counted
 * @by_home: number of accesses that the card of @home has counted
 */
struct balance_pair {
	uint32_t source;
	uint32_t home;
	uint64_t by_source;
	uint64_t by_home;
};

/**
 * balance_pairs() - Find all pairs of nodes whose two cards have both counted all accesses between
 * the nodes.
 * @files: recordings, shape [@count]
 * @pairs: receives the pairs; the caller must free() them
 *
 * Messages of the adapters' drivers are not counted. A recording is left out if it was not closed,
 * if it has lost events, or if its configuration counts only a part of the accesses.
 *
 * Return: the number of pairs; negative after a message.
 */
int balance_pairs(char *const *files, size_t count, struct balance_pair **pairs);

#endif /* TOOLS_COMMON_BALANCE_H */
