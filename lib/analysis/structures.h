/* SPDX-License-Identifier: MIT */
/* Structures: counts the accesses to each variable, for the views that show variables. */
#ifndef LIB_ANALYSIS_STRUCTURES_H
#define LIB_ANALYSIS_STRUCTURES_H

#include <smile/monitor.h>

/**
 * struct structure - A variable and its accesses.
 * @variable: the variable; NULL: the structure stands for the memory that is in no variable
 * @index: index of the variable
 * @pages: number of pages that the variable's extents touch
 * @homes: for each node, the accesses to the part of the variable on that node; shape [nodes]
 * @accesses: for each node, the accesses that the node made; shape [nodes]. The next three members
 *          of the struct have the same shape
 * @behind: the variable's transactions, which are the accesses that the caches did not serve; NULL:
 *          the variable has none, or accesses and transactions are not distinguished
 * @all: sum of @accesses; the next three members of the struct are sums too
 * @remote: accesses by nodes other than the home
 * @straddling: accesses that touch the variable and another variable
 * @dominant: the node with the most accesses; if several nodes have the same number, the lowest of
 *            them
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
 * @list: structures that have accesses, and one structure for the memory that belongs to no
 *        variable. If transactions are distinguished, the list is sorted by transactions, otherwise
 *        by accesses, the largest number first; shape [@count]
 * @variables: all variables, by index; [@variable_count]
 * @extents: extents of all variables, ascending; [@extent_count]
 * @objects: files of the program; [@object_count]
 * @nodes: length of each array by node
 * @straddling: accesses that touch several variables; each such access is counted once
 * @all: all accesses except @straddling
 * @counts: the memory of the arrays
 * @behind: transactions of each entry of @list, which are the accesses that the caches did not
 *          serve; NULL: accesses and transactions are the same
 * @behind_counts: the memory of the arrays of @behind
 * @behind_all: all transactions except @behind_straddling
 * @behind_straddling: transactions that touch several variables
 * @zeros: zeros for structures that have only transactions, or only accesses; shape [nodes]
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
 * @both: if set, the view must show the processors' accesses (Monitor_accesses_show()), and the
 *        function also loads the transactions that the caches did not serve
 *
 * Return: 0; -errno. The caller must call structures_free() in either case.
 */
int structures_load(struct structures *structures, struct Monitor *mon, size_t nodes, int both);

void structures_free(struct structures *structures);

/**
 * structures_homes() - Write the list of nodes that have accesses in @homes, such as "0-3,7"; "-"
 * if no node has accesses.
 * @text: caller-owned, STRUCTURES_TEXT_BYTES long
 *
 * Return: @text.
 */
char *structures_homes(const uint64_t *homes, size_t nodes, char *text);

#define STRUCTURES_TEXT_BYTES 256

/**
 * structures_kind() - Get the name of a kind of variable, such as "global" or "heap".
 */
const char *structures_kind(uint32_t kind);

/**
 * structures_where() - Write the source line in which a variable is declared, such as "grid.c:42".
 * If the line is not known, write the file of the program that contains the variable. If the file
 * is not known either, write "-".
 *
 * Return: @text, STRUCTURES_TEXT_BYTES long.
 */
char *structures_where(const struct Monitor_variable *variable, char *text);

/**
 * structures_label() - Make the name of a variable for a table. If another variable in the table
 * has the same name, the text also has the source line of the declaration, or the address.
 * @variable: the variable; NULL: no variable, which gives "-"
 * @all: variables in the table, shape [@count]; elements can be NULL
 *
 * Return: text that the caller must free; NULL if memory is missing.
 */
char *structures_label(const struct Monitor_variable *variable,
		       const struct Monitor_variable *const *all, size_t count);

#endif /* LIB_ANALYSIS_STRUCTURES_H */
