/* SPDX-License-Identifier: MIT */
/*
 * Pieces: divides the memory of a variable into pieces, each of which is within one page. The
 * memory can also be that of an element, a row or a member of the variable.
 *
 * What lives here: the division of memory into pieces for the counters of a card. A counter counts
 * only accesses to one page, so a piece must not cross the border of a page. May use the public
 * API. Source: "Design and Implementation Aspects" (2000), section IV, which describes counters for
 * data structures or parts of arrays.
 */
#ifndef LIB_ANALYSIS_PIECES_PIECES_H
#define LIB_ANALYSIS_PIECES_PIECES_H

#include <stddef.h>
#include <stdint.h>

#include <smile/monitor.h>

#define PIECES_NODE_UNKNOWN UINT32_MAX

/**
 * struct piece - Memory within one page.
 * @address: address of the first byte, a multiple of 4
 * @bytes: number of bytes, a multiple of 4
 * @node: home of the page; PIECES_NODE_UNKNOWN if it is not known
 */
struct piece {
	uint64_t address;
	uint32_t bytes;
	uint32_t node;
};

/**
 * struct piece_range - Contiguous memory within a variable.
 * @offset: offset of the first byte from the beginning of the variable
 * @bytes: number of bytes
 */
struct piece_range {
	uint64_t offset;
	uint64_t bytes;
};

/**
 * pieces_named() - Return whether @name names the variable whose full name is @full.
 *
 * Return: 2 if @name is the full name; 1 if @name is the part of the full name after the last "::";
 * otherwise 0.
 */
int pieces_named(const char *full, const char *name);

/**
 * pieces_path() - Find the memory of a part of a variable. The part is given in a form such as
 * "[3]", "[3][10-19]", ".pos.x" or "(17,130)".
 * @variable: the variable
 * @index: index of the variable in Monitor_variables()
 * @path: the text after the variable's name; "" selects the whole variable
 * @range: receives the memory of the part
 *
 * Return: 0. Errors, all with Monitor_error_message() set: -ENOENT if the type of the variable is
 * not known, or has no such member; -EINVAL if an index is out of range or missing; -ENOMEM.
 */
int pieces_path(struct Monitor *mon, const struct Monitor_variable *variable, uint32_t index,
		const char *path, struct piece_range *range);

/**
 * pieces_find() - Find the memory of a variable or of a part of a variable, such as "grid[3]" or
 * "sim::cells[0].pos".
 * @text: name and path; the part of the name up to the last :: can be omitted
 * @pieces: caller-owned, shape [@capacity]; receives the pieces in ascending order, extended to
 *          whole words
 *
 * Return: the number of pieces. It can be larger than @capacity; in this case, only the first
 * @capacity pieces were filled in. Errors: -ENOENT if the variable does not exist; -EINVAL if
 * several variables have this name; and the errors of pieces_path().
 */
int pieces_find(struct Monitor *mon, const char *text, struct piece *pieces, size_t capacity);

#endif /* LIB_ANALYSIS_PIECES_PIECES_H */
