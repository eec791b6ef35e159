/* SPDX-License-Identifier: MIT */
/*
 * Structures: accesses by variable, for the views that show them.
 */
#ifndef LIB_ANALYSIS_STRUCTURES_H
#define LIB_ANALYSIS_STRUCTURES_H

#include <smile/monitor.h>

/**
 * struct structure - A variable and its accesses.
 * @variable: the variable; NULL: memory of no variable
 * @index: its index
 * @pages: pages that its extents touch
 * @homes: shape [nodes]: accesses to the part on each node
 * @accesses: shape [nodes], by source; so are the next three
 * @behind: its transactions behind the caches; NULL: none, or accesses and transactions are not
 *          distinguished
 * @all: sum of @accesses, as the next three members are sums
 * @remote: accesses by other nodes than the home
 * @straddling: accesses that touch it and another variable
 * @dominant: the node with the most accesses; of several such nodes the lowest
 */
struct structure {
	const struct Monitor_variable *variable;
	uint32_t index;
	uint64_t pages;
	uint64_t *homes;
	uint64_t *accesses;
	uint64_t *reads;
	uint64_t *writes;
	uint64_t *locks;
	const struct structure *behind;
	uint64_t all;
	uint64_t all_reads;
	uint64_t all_writes;
	uint64_t all_locks;
	uint64_t remote;
	uint64_t straddling;
	size_t dominant;
};

/**
 * struct structures - All structures.
 * @list: structures with accesses, and memory of no variable; if transactions are distinguished,
 *        the most transactions first, else the most accesses first; [@count]
 * @variables: all variables, by index; [@variable_count]
 * @extents: extents of all variables, ascending; [@extent_count]
 * @objects: files of the program; [@object_count]
 * @nodes: length of each array
 * @straddling: accesses that touch several variables, each once
 * @all: all accesses that are not @straddling
 * @counts: the arrays' memory
 * @behind: for each entry of @list, its transactions behind the caches; NULL: accesses and
 *          transactions are the same
 * @behind_counts: the memory of the arrays of @behind
 * @behind_all: all transactions except @behind_straddling
 * @behind_straddling: transactions that touch several variables
 * @zeros: shape [nodes]: for structures that have only transactions, or only accesses
 */
struct structures {
	struct structure *list;
	size_t count;
	struct Monitor_variable *variables;
	size_t variable_count;
	struct Monitor_extent *extents;
	size_t extent_count;
	struct Monitor_object *objects;
	size_t object_count;
	size_t nodes;
	uint64_t straddling;
	uint64_t all;
	uint64_t *counts;
	struct structure *behind;
	uint64_t *behind_counts;
	uint64_t behind_all;
	uint64_t behind_straddling;
	uint64_t *zeros;
};

/**
 * structures_load() - Load all structures.
 * @both: accesses in front of caches are selected (Monitor_accesses_show()); also load transactions
 *
 * Return: 0; -errno. The caller must call structures_free() in either case.
 */
int structures_load(struct structures *structures, struct Monitor *mon, size_t nodes, int both);

void structures_free(struct structures *structures);

/**
 * structures_homes() - "0-3,7": nodes with accesses in @homes; "-" if no node has.
 * @text: caller-owned, STRUCTURES_TEXT_BYTES long
 *
 * Return: @text.
 */
char *structures_homes(const uint64_t *homes, size_t nodes, char *text);

#define STRUCTURES_TEXT_BYTES 256

/**
 * structures_kind() - "global", "heap" and so on.
 */
const char *structures_kind(uint32_t kind);

/**
 * structures_where() - The source line, "grid.c:42", or the program's file of the variable; "-".
 *
 * Return: @text, STRUCTURES_TEXT_BYTES long.
 */
char *structures_where(const struct Monitor_variable *variable, char *text);

/**
 * structures_label() - The name of a variable in a table: with the place of its declaration, or its
 * address, if another variable in the table has the same name.
 * @variable: NULL: none, "-"
 * @all: variables in the table, elements can be NULL; shape [@count]
 *
 * Return: text that the caller must free; NULL without memory.
 */
char *structures_label(const struct Monitor_variable *variable,
		       const struct Monitor_variable *const *all, size_t count);

#endif /* LIB_ANALYSIS_STRUCTURES_H */
