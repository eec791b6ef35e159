/* SPDX-License-Identifier: MIT */
/*
 * Balance: what two cards have counted of the same accesses.
 *
 * An access to another node's memory passes the cards of both nodes. A view of both recordings
 * counts it once, as the home's card did; so it does not show what that card has missed.
 */
#ifndef TOOLS_COMMON_BALANCE_H
#define TOOLS_COMMON_BALANCE_H

#include <stddef.h>
#include <stdint.h>

/**
 * struct balance_pair - The accesses of one node to another one's memory.
 * @source: the node that has accessed
 * @home: the node whose memory it was
 * @by_source: accesses that the source's card has counted
 * @by_home: those that the home's card has
 */
struct balance_pair {
	uint32_t source;
	uint32_t home;
	uint64_t by_source;
	uint64_t by_home;
};

/**
 * balance_pairs() - All pairs of nodes whose cards have both counted everything between them.
 * @files: recordings, shape [@count]
 * @pairs: receives the pairs; free() them
 *
 * Messages of the adapters' drivers do not count. Recordings that were not closed, that have lost
 * something, or whose configuration counts a part alone are left out.
 *
 * Return: how many pairs; negative after a message.
 */
int balance_pairs(char *const *files, size_t count, struct balance_pair **pairs);

#endif /* TOOLS_COMMON_BALANCE_H */
