/* SPDX-License-Identifier: MIT */
/*
 * Balance: the counts of two cards of the same accesses.
 *
 * An access to another node's memory passes the cards of both nodes. A view of both recordings
 * counts the access once, by the count of the home's card, so the view does not show accesses that
 * this card has missed.
 */
#ifndef TOOLS_COMMON_BALANCE_H
#define TOOLS_COMMON_BALANCE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct balance_pair - The accesses of one node to the memory of another node.
 * @source: the node that has accessed
 * @home: the node whose memory was accessed
 * @by_source: accesses that the source's card has counted
 * @by_home: accesses that the home's card has counted
 */
struct balance_pair {
	uint32_t source;
	uint32_t home;
	uint64_t by_source;
	uint64_t by_home;
};

/**
 * balance_pairs() - Find all pairs of nodes whose cards have both counted all accesses of the pair.
 * @files: recordings, shape [@count]
 * @pairs: receives the pairs; free() them
 *
 * Messages of the adapters' drivers are not counted. Recordings that were not closed, that have
 * lost events, or whose configuration counts only a part of all accesses are left out.
 *
 * Return: the number of pairs; negative after a message.
 */
int balance_pairs(char *const *files, size_t count, struct balance_pair **pairs);

#endif /* TOOLS_COMMON_BALANCE_H */
