/* SPDX-License-Identifier: MIT */
/*
 * Type: the type of a variable, from its debug information.
 *
 * What lives here: the size of a type, its text in the source language, and its member at an
 * offset. May use libdw. Debug information is checked before use.
 */
#ifndef LIB_SYMBOLS_TYPE_H
#define LIB_SYMBOLS_TYPE_H

#include <elfutils/libdw.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct type - A type.
 * @die: in the debug information; valid as long as that is open
 * @fortran: the source is Fortran: indices in parentheses, the first one fastest, from 1
 */
struct type {
	Dwarf_Die die;
	int fortran;
};

#define TYPE_DIMENSIONS 16

/**
 * struct type_array - An array type.
 * @item: type of its items
 * @item_bytes: of each; never 0
 * @dimensions: how many; never 0
 * @lower: lowest index, by dimension in the order of the source
 * @count: items; 0: not known
 */
struct type_array {
	struct type item;
	uint64_t item_bytes;
	int dimensions;
	int64_t lower[TYPE_DIMENSIONS];
	uint64_t count[TYPE_DIMENSIONS];
};

/* Type of a variable or member. Return: 1; 0: it has none. */
int smile_type_of(Dwarf_Die *die, int fortran, struct type *type);

/* Bytes; 0: not known. */
uint64_t smile_type_bytes(const struct type *type);

/* Of an array, the bytes of each value of its slowest index; 0: it is none. */
uint64_t smile_type_item_bytes(const struct type *type);

/* As the source would write it; "" if that is not known. */
void smile_type_name(const struct type *type, char *text, size_t bytes);

/**
 * struct type_place - What of a type is at an offset.
 * @type: of the element
 * @start: offset where it begins
 * @bytes: of the element
 */
struct type_place {
	struct type type;
	uint64_t start;
	uint64_t bytes;
};

/* What a typedef, const or volatile is of. Return: 0: it is of nothing, or of too much. */
int smile_type_peel(struct type *type);

/*
 * What an array is made of. @depth: 0. Return: 0: it makes no sense, or its items are elsewhere, as
 * those of an allocatable are.
 */
int smile_type_array(const struct type *type, struct type_array *array, int depth);

/* Where a member begins. Return: 0: that is not known, or it has no bytes of its own. */
int smile_type_member(Dwarf_Die *member, uint64_t *start);

/*
 * Find what is at @offset, and append how it is called, "[12].pos.x", to @text, which is @bytes
 * long and holds a string. Of what has no parts that have names, as a union or a Fortran text of 64
 * KiB, the offset in it is appended, "+24", unless it is one number.
 */
void smile_type_find(const struct type *type, uint64_t offset, char *text, size_t bytes,
		     struct type_place *place);

#endif /* LIB_SYMBOLS_TYPE_H */
